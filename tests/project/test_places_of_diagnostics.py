"""Every diagnostic that a golden shows says where it is: the file, the line and the column."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
_HEAD = re.compile(r"^(?:error|warning)\[[a-z-]+\]: ")
_PLACE = re.compile(r"^ *--> .+:\d+:\d+$")


def unplaced(text: str) -> list[str]:
    """The heads of the diagnostics in `text` that no place follows, whose message may run on for some lines."""
    lost: list[str] = []
    head: str | None = None
    for line in [*text.splitlines(), "error[end]: "]:
        if _HEAD.match(line):
            lost += [] if head is None else [head]
            head = line
        elif _PLACE.match(line):
            head = None
    return lost


def test_no_golden_shows_a_diagnostic_without_a_place() -> None:
    goldens = [path for path in TESTS.rglob("*.txt") if "goldens" in path.parts]
    texts = {path: path.read_text(encoding="utf-8") for path in goldens}
    shown = sum(len(re.findall(_HEAD.pattern, text, re.MULTILINE)) for text in texts.values())
    assert shown > 200
    assert {path.name: lost for path, text in texts.items() if (lost := unplaced(text))} == {}


def test_one_without_a_place_would_be_noticed() -> None:
    assert unplaced("error[a]: x\n  --> f.yaml:1:2\nerror[b]: y\n  = why: z\n") == ["error[b]: y"]
