"""The map of the house is true: every room has its paragraph, imports what that says, and no pass is missing."""

from __future__ import annotations

import inspect
import re
from functools import cache
from pathlib import Path

import pytest

from rulewright.ruleset import pipeline
from tests.project import test_house as rules_of_the_house

ROOT = Path(__file__).resolve().parents[2]
HOUSE = ROOT / "site" / "docs" / "house"
PACKAGE = ROOT / "engine" / "rulewright"
PARAGRAPH = re.compile(
    r"^\*\*`(?P<room>[a-z_/]+)/`\*\* (?P<about>.+?)(?: Uses (?P<uses>.+?)\.)? Open `(?P<first>\w+\.py)` first\.$"
)
HOME = pipeline.__name__
FLOOR = re.compile(r"^## (.+)$")


@cache
def page() -> list[str]:
    """The lines of the page on rooms."""
    return (HOUSE / "rooms.md").read_text(encoding="utf-8").splitlines()


def paragraphs() -> dict[str, re.Match[str]]:
    """What the page says of each room."""
    found = [said for line in page() if (said := PARAGRAPH.match(line))]
    assert len({said["room"] for said in found}) == len(found), "a room has two paragraphs"
    return {said["room"]: said for said in found}


def room_of(module: str) -> str:
    """The folder of a module, below that of the package."""
    path = rules_of_the_house.modules()[module]
    return path.parent.relative_to(PACKAGE).as_posix()


ROOMS = sorted({room_of(module) for module in rules_of_the_house.modules()} - {"."})


@cache
def uses() -> dict[str, set[str]]:
    """Which other rooms of its own part each room imports from."""
    found: dict[str, set[str]] = {}
    for module in rules_of_the_house.modules():
        room = room_of(module)
        others = {room_of(target) for target, _ in rules_of_the_house.imports(module)}
        part = room.partition("/")[0]
        found.setdefault(room, set()).update(o for o in others if o != room and o.partition("/")[0] == part)
    found.pop(".")
    return found


def test_every_room_has_its_paragraph_and_no_other() -> None:
    assert [line for line in page() if line.startswith("**`") and PARAGRAPH.match(line) is None] == []
    assert set(paragraphs()) == set(uses())


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_uses_what_its_paragraph_says(room: str) -> None:
    said = paragraphs().get(room)
    assert said is not None, f"`{room}/` has no paragraph in site/docs/house/rooms.md"
    written = set(re.findall(r"`([a-z_/]+)/`", said["uses"] or ""))
    right = f" Uses {', '.join(f'`{other}/`' for other in sorted(uses()[room]))}."
    assert written == uses()[room], f"in site/docs/house/rooms.md, `{room}/` should say:{right}"


@pytest.mark.parametrize("room", ROOMS)
def test_the_files_that_are_named_are_there(room: str) -> None:
    named = re.findall(r"`(\w+\.py)`", paragraphs()[room].group())
    assert [name for name in named if not (PACKAGE / room / name).is_file()] == []


def test_the_floors_are_those_that_are_declared() -> None:
    shown = [frozenset(title[1].split(" · ")) for line in page() if (title := FLOOR.match(line))]
    files = {"errors", "lazy", "resources", "plugins", "__init__", "__main__"}
    assert shown == [floor for floor in rules_of_the_house.FLOORS if not floor <= files]
    lines = "\n".join(page())
    for name in ("errors.py", "lazy.py", "resources.py", "plugins.py"):
        assert f"`{name}`" in lines
    at = [line.removeprefix("## ") if line.startswith("## ") else PARAGRAPH.match(line) for line in page()]
    floor = ""
    for each in at:
        if isinstance(each, str):
            floor = each
        elif each is not None:
            assert each["room"].partition("/")[0] in floor.split(" · "), f"{each['room']} stands under {floor}"


def test_the_passes_are_those_of_the_pipeline() -> None:
    own = [name for name, each in vars(pipeline).items() if inspect.isfunction(each) and each.__module__ == HOME]
    passes = [name for name in own if not name.startswith(("_", "ruleset_of"))]
    index = (HOUSE / "index.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \|", index, re.MULTILINE)
    assert rows[: len(passes)] == passes
    picture = index.partition("<svg")[2].partition("</svg>")[0]
    assert re.findall(r'class="small">(\w+)<', picture) == rows


def test_the_paths_of_the_map_lead_somewhere() -> None:
    for file in (HOUSE / "index.md", HOUSE / "add" / "index.md"):
        for path in re.findall(r"`([a-z_]+/[a-z_/]*(?:\.py)?)`", file.read_text(encoding="utf-8")):
            assert (PACKAGE / path).exists() or (ROOT / path).exists(), f"{file.name} names {path}"


def test_contributors_are_led_here() -> None:
    assert "site/docs/house/index.md" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert "(house/index.md)" in (ROOT / "site" / "docs" / "index.md").read_text(encoding="utf-8")
