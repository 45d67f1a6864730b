"""What the studio says of a folder: its editions, their layers, what each file changes; starts, shares and mends."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import warnings
import zipfile
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright.cli.main import main
from rulewright.studio.storage.http_errors import RefusedError
from rulewright.studio.storage.share_bundle import parse_fragment
from tests.studio.windows import Window, window

ROOT = Path(__file__).resolve().parents[2]
MANIFEST = "ruleset: house/{name}\nversion: 0.1.0\nextends: pig/classic@1.0\ntitle: Ours\nstatus: draft\n"


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Window]:
    with window(tmp_path / "new" / "studio") as opened:
        yield opened


def house(root: Path, name: str, rules: str = "numbers: {goal: 50}\n") -> Path:
    folder = root / name
    folder.mkdir(parents=True)
    (folder / "ruleset.yaml").write_text(MANIFEST.format(name=name))
    (folder / "rules.yaml").write_text(rules)
    return folder


def test_a_folder_that_is_not_there_is_made_and_is_empty(here: Window, tmp_path: Path) -> None:
    response = here.get("/api/folder")
    assert (response["name"], response["rulesets"], response["files"], response["tour"]) == ("studio", [], [], True)
    assert (tmp_path / "new" / "studio").is_dir()
    assert response["uri"] == (tmp_path / "new" / "studio").as_uri()


def test_every_layer_says_what_its_files_change(here: Window) -> None:
    house(here.studio.root, "ours")
    here.studio.look()
    (edition,) = here.get("/api/folder")["rulesets"]
    assert (edition["ref"], edition["folder"], edition["extends"]) == ("house/ours@0.1.0", "ours", "pig/classic@1.0.0")
    own, below = edition["layers"]
    assert [each["path"] for each in own["files"]] == ["ours/ruleset.yaml", "ours/rules.yaml"]
    assert own["files"][1]["changes"] == [{"path": "numbers.goal.is", "kind": "replaced", "title": "is", "line": 1}]
    assert (own["editable"], below["editable"], below["ref"]) == (True, False, "pig/classic@1.0.0")
    assert {each["readonly"] for each in below["files"]} == {True}
    response = here.get("/api/file", path=below["files"][1]["path"])
    assert response["readonly"]
    assert response["path"] == "pig/classic@1.0.0/book.yaml" or response["path"].startswith("pig/classic@1.0.0/")
    assert here.get("/api/file", uri=response["uri"])["text"] == response["text"]
    # What lies below is read alone.
    refused = here.put(response["path"], "x", response["version"])
    assert refused["status"] == 403
    for address in ("/api/file/delete", "/api/file/rename"):
        assert here.post(address, path=response["path"], to="a.yaml", base=response["version"])["status"] == 403


def test_files_that_are_not_in_sight_are_not_shown(here: Window) -> None:
    for uri in (
        "file:///etc/passwd",
        "http://127.0.0.1/",
        "file:///",
        "x",
        (ROOT / "README.md").as_uri(),
        "file:///%00",
    ):
        assert here.get("/api/file", uri=uri)["status"] == 404


@pytest.mark.parametrize(
    "text", ["", "ruleset: [", "ruleset: house/ours\n", "\t", "a: 1\na: 2\n", "ruleset: no name\nversion: x\n"]
)
def test_a_manifest_that_cannot_be_read_takes_nothing_else_away(here: Window, text: str) -> None:
    house(here.studio.root, "sound")
    broken = house(here.studio.root, "broken")
    (broken / "ruleset.yaml").write_text(text)
    here.studio.look()
    response = here.get("/api/folder")
    assert {each["folder"]: each["status"] for each in response["rulesets"]} == {"sound": "draft", "broken": "broken"}
    assert response["rulesets"][1]["diagnostics"][0]["path"] == "broken/ruleset.yaml"
    assert {each["path"] for each in response["files"]} == {
        f"{a}/{b}.yaml" for a in ("sound", "broken") for b in ("rules", "ruleset")
    }


@pytest.mark.parametrize(
    "text", ["numbers: [", "numbers: {goal: {is: 7", "\t\n", "tables: {none: 1}\n", "nonsense: 1\n"]
)
def test_rules_that_cannot_be_read_are_listed_all_the_same(here: Window, text: str) -> None:
    house(here.studio.root, "ours", text)
    here.studio.look()
    (edition,) = here.get("/api/folder")["rulesets"]
    assert [each["path"] for each in edition["layers"][0]["files"]] == ["ours/ruleset.yaml", "ours/rules.yaml"]


def test_whether_it_is_sound_is_known_when_somebody_looked(here: Window) -> None:
    house(here.studio.root, "sound")
    house(here.studio.root, "broken", "numbers: {goal: fifty}\n")
    here.studio.look()

    def soundness() -> dict[str, bool | None]:
        return {each["folder"]: each["sound"] for each in here.get("/api/folder")["rulesets"]}

    assert soundness()["sound"] is None
    list(here.studio.check())
    assert soundness() == {"sound": True, "broken": False}
    here.put("broken/rules.yaml", "numbers: {goal: 50}\n", here.version("broken/rules.yaml"))
    list(here.studio.check())
    assert soundness() == {"sound": True, "broken": True}


STARTS = [
    "nothing",
    "edition:pig/classic@1.0.0",
    "recipe:table-pig",
    "recipe:fair-sprint",
    "example:pig/classic@1.0.0:greed",
]


@pytest.mark.parametrize("start", STARTS)
def test_whatever_one_starts_from_is_sound(here: Window, start: str) -> None:
    response = here.post("/api/start", id=start, folder="our-rules", title='Our "own": rules #1')
    assert (here.studio.root / response["open"]).is_file()
    root = here.studio.root
    assert main(["check", response["ref"], "--rules", str(root)]) == 0
    listed = here.get("/api/folder")["rulesets"]
    (edition,) = [each for each in listed if each["ref"] == response["ref"]]
    assert (edition["title"], edition["folder"]) == ('Our "own": rules #1', "our-rules")
    first = (root / response["open"]).read_text().partition("\n")[0]
    assert (root / response["open"]).parent.joinpath(first.partition("$schema=")[2]).is_file()
    # It is one step, and nothing of it is left when it is taken back.
    here.post("/api/undo")
    assert list((root / "our-rules").rglob("*.yaml")) == []
    here.post("/api/redo")
    assert here.text(response["open"])


def test_a_change_opens_as_house_rules(here: Window) -> None:
    change = "numbers: {goal: 60}\n"
    response = here.post("/api/start", id="change:pig/classic@1.0.0", folder="classic-even", title="", rules=change)
    assert (response["ref"], response["open"]) == ("house/classic-even@0.1.0", "classic-even/rules.yaml")
    assert here.text(response["open"]).endswith(change)
    (edition,) = here.get("/api/folder")["rulesets"]
    assert edition["title"] == "Classic Even"
    assert edition["layers"][0]["files"][1]["changes"][0]["path"] == "numbers.goal.is"
    again = here.post("/api/start", id="change:pig/classic@1.0.0", folder="classic-even", title="", rules=change)
    assert again["status"] == 409


def test_a_start_writes_over_nothing(here: Window) -> None:
    house(here.studio.root, "ours")
    before = (here.studio.root / "ours" / "rules.yaml").read_text()
    for start in STARTS:
        assert here.post("/api/start", id=start, folder="ours", title="x")["status"] == 409
    assert (here.studio.root / "ours" / "rules.yaml").read_text() == before


def test_where_a_start_was_taken_back_another_one_may_begin(here: Window) -> None:
    here.post("/api/start", id="nothing", folder="ours", title="x")
    here.post("/api/undo")
    response = here.post("/api/start", id="edition:pig/classic@1.0.0", folder="ours", title="y")
    assert (response["ref"], main(["check", response["ref"], "--rules", str(here.studio.root)])) == (
        "house/ours@0.1.0",
        0,
    )
    fragment = here.get("/api/share", ref=response["ref"])["fragment"]
    for _ in range(2):
        assert here.post("/api/take", fragment=fragment, folder="theirs")["ref"] == "house/theirs@0.1.0"
        here.post("/api/undo")


@pytest.mark.parametrize(
    "there", [".git/config", "schema/mine.json", "more/schema/rules.schema.json", "notes.md", "link", "schema/link"]
)
def test_a_folder_that_holds_what_somebody_put_there_is_no_new_one(here: Window, tmp_path: Path, there: str) -> None:
    path = here.studio.root / "ours" / there
    path.parent.mkdir(parents=True)
    if there.endswith("link"):
        path.symlink_to(tmp_path, target_is_directory=True)
    else:
        path.write_text("mine")
    assert here.post("/api/start", id="nothing", folder="ours", title="x")["status"] == 409
    assert os.path.lexists(path)
    assert not (here.studio.root / "ours" / "ruleset.yaml").exists()


@pytest.mark.parametrize(
    ("start", "folder"),
    [
        ("edition:no/such@1.0.0", "a"),
        ("recipe:none", "a"),
        ("example:pig/classic@1.0.0:none", "a"),
        ("", "a"),
        ("x:y", "a"),
        ("nothing", "../out"),
        ("nothing", ".hidden"),
        ("nothing", ""),
        ("nothing", "7"),
        ("edition:pig/classic@1.0.0", "ß"),
    ],
)
def test_what_cannot_be_begun_is_told_of(here: Window, start: str, folder: str) -> None:
    assert 400 <= here.post("/api/start", id=start, folder=folder)["status"] < 500
    assert here.get("/api/folder")["files"] == []


def test_there_is_a_start_from_everything_there_is(here: Window) -> None:
    response = here.get("/api/starts", wait=True)
    assert response["whole"]
    ids = [start["id"] for group in response["groups"] for start in group["starts"]]
    assert len(ids) == len(set(ids))
    recipes = {path.parent.name for path in (ROOT / "site" / "docs" / "cookbook").glob("*/ruleset.yaml")}
    assert {each for each in ids if each.startswith("recipe:")} == {f"recipe:{each}" for each in recipes}
    assert {"nothing", "edition:pig/classic@1.0.0", "example:pig/classic@1.0.0:greed"} <= set(ids)
    assert all(start["title"] for group in response["groups"] for start in group["starts"])


def test_what_one_may_start_from_follows_the_rules(here: Window) -> None:
    def examples() -> set[str]:
        groups = here.get("/api/starts", wait=True)["groups"]
        return {start["id"] for group in groups for start in group["starts"] if start["id"].startswith("example:house")}

    assert examples() == set()
    folder = house(here.studio.root, "ours", "numbers: {goal: 50}\n")
    here.studio.look()
    assert "example:house/ours@0.1.0:greed" in examples()
    shutil.rmtree(folder)
    here.studio.look()
    assert examples() == set()


# -- shares ------------------------------------------------------------------------------


def share(here: Window) -> dict[str, Any]:
    house(here.studio.root, "ours", "# Ours.\nnumbers: {goal: 50}\n")
    here.studio.look()
    data: dict[str, Any] = here.get("/api/share", ref="house/ours@0.1.0")
    return data


def test_a_link_holds_the_whole_of_a_folder(here: Window, tmp_path: Path) -> None:
    fragment = share(here)["fragment"]
    packed = fragment.removeprefix("#rules=1.")
    data = json.loads(zlib.decompress(urlsafe_b64decode(packed + "=" * (-len(packed) % 4))))
    assert data["files"] == {
        path.relative_to(here.studio.root).as_posix(): path.read_text() for path in here.studio.root.rglob("*.yaml")
    }
    with window(tmp_path / "other") as other:
        response = other.post("/api/take", fragment=f"http://127.0.0.1:1/{fragment}", folder="taken")
        assert response == {"ref": "house/ours@0.1.0", "open": "taken/rules.yaml"}
        assert other.text("taken/rules.yaml") == "# Ours.\nnumbers: {goal: 50}\n"
        assert other.post("/api/take", fragment=fragment, folder="taken")["status"] == 409


def test_a_link_that_was_cut_anywhere_is_damaged(here: Window) -> None:
    fragment = share(here)["fragment"]
    whole = parse_fragment(fragment)
    assert whole.list_folders() == ["ours"]
    start = len("#rules=1.") + 1
    for length in range(start, len(fragment)):
        with pytest.raises(RefusedError, match="damaged"):
            parse_fragment(fragment[:length])
    assert here.post("/api/take", fragment=fragment[:-7], folder="cut")["status"] == 400
    assert not (here.studio.root / "cut").exists()


def test_what_is_here_already_is_taken_in_under_another_name(here: Window) -> None:
    fragment = share(here)["fragment"]
    assert here.post("/api/take", fragment=fragment, folder="theirs")["ref"] == "house/theirs@0.1.0"
    assert here.post("/api/take", fragment=fragment, folder="more/theirs")["status"] == 409
    assert main(["check", "house/theirs", "--rules", str(here.studio.root)]) == 0


def test_layers_that_lie_here_travel_along(here: Window, tmp_path: Path) -> None:
    here.post("/api/start", id="recipe:fair-sprint", folder="sprints", title="Sprints")
    shared = here.get("/api/share", ref="house/sprints@1.0.0")
    with window(tmp_path / "other") as other:
        response = other.post("/api/take", fragment=shared["fragment"], folder="taken")
        assert response.get("ref") == "house/sprints@1.0.0", response
        assert {each["ref"] for each in other.get("/api/folder")["rulesets"]} == {
            "house/sprints@1.0.0",
            "cookbook/sprint@1.0.0",
        }
        # A second one stands on the layers that are there.
        again = other.post("/api/take", fragment=shared["fragment"], folder="again")
        assert again["ref"] == "house/again@1.0.0"
        assert len(other.get("/api/folder")["rulesets"]) == 3


def test_a_zip_holds_the_same(here: Window, tmp_path: Path) -> None:
    address = share(here)["zip"]
    data = here.client.get(address).content
    assert data == here.client.get(address).content
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.namelist() == ["ours/rules.yaml", "ours/ruleset.yaml"]
    with window(tmp_path / "other") as other:
        answer = other.client.post("/api/take?folder=taken", content=data, headers={"content-type": "application/zip"})
        assert answer.json() == {"ref": "house/ours@0.1.0", "open": "taken/rules.yaml"}


def zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def twice(data: bytes) -> bytes:
    """Return a zip with a second entry for its first file: whoever looks may be shown the one, and given the other."""
    buffer = io.BytesIO(data)
    with zipfile.ZipFile(buffer, "a") as archive, warnings.catch_warnings(action="ignore"):
        archive.writestr(archive.namelist()[0], archive.read(archive.namelist()[0]) + b"# other\n")
    return buffer.getvalue()


def encrypted(data: bytes) -> bytes:
    """Return a zip whose entries say that a password is needed."""
    made = bytearray(data)
    for head, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        made[made.find(head) + flags] |= 1
    return bytes(made)


SOUND = {"ruleset.yaml": MANIFEST.format(name="x").encode()}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK",
        b"not a zip",
        zipped({}),
        zipped({"rules.yaml": b"a: 1"}),
        zipped({**SOUND, "../out.yaml": b""}),
        zipped({**SOUND, "/out.yaml": b""}),
        zipped({**SOUND, "a\\..\\..\\out.yaml": b""}),
        zipped({**SOUND, "con.yaml": b""}),
        zipped({**SOUND, "Rules.yaml": b"", "rules.yaml": b""}),
        zipped({**SOUND, "a.yaml": b"\xff"}),
        twice(zipped(SOUND)),
        encrypted(zipped(SOUND)),
        zipped({**SOUND, "a.yaml": b"x" * (9 * 1024 * 1024)}),
        zipped({**SOUND, **{f"{n}.yaml": b"" for n in range(501)}}),
    ],
)
def test_a_zip_that_is_none_or_harmful_leaves_nothing(here: Window, data: bytes) -> None:
    answer = here.client.post("/api/take?folder=taken", content=data, headers={"content-type": "application/zip"})
    assert 400 <= answer.status_code < 500
    assert answer.json()["error"]["message"]
    assert "ZipInfo" not in answer.json()["error"]["message"]
    assert here.get("/api/folder")["files"] == []
    assert sorted(os.listdir(here.studio.root.parent)) == ["studio"]


def linked(data: bytes) -> str:
    return "#rules=1." + urlsafe_b64encode(data).decode()


def bomb() -> bytes:
    return zlib.compress(b'{"files":{"ruleset.yaml":"' + b" " * (64 * 1024 * 1024) + b'"}}')


@pytest.mark.parametrize(
    "fragment",
    [
        "",
        "#",
        "#rules=",
        "#rules=1.",
        "#rules=2.abc",
        "#rules=1.!!!",
        linked(b"x"),
        linked(zlib.compress(b"{")),
        linked(zlib.compress(b"[]")),
        linked(zlib.compress(b'{"files":[]}')),
        linked(zlib.compress(b'{"files":{"a.yaml":1}}')),
        linked(zlib.compress(b'{"files":{"../ruleset.yaml":""}}')),
        linked(zlib.compress(b'{"files":{"a.yaml":""}}')),
        linked(zlib.compress(b"[" * 100_000)),
        linked(bomb()),
        linked(zlib.compress(b'{"files":{"ruleset.yaml":"\\ud800"}}')),
    ],
)
def test_a_link_that_is_damaged_or_harmful_leaves_nothing(here: Window, fragment: str) -> None:
    refused = here.post("/api/take", fragment=fragment, folder="taken")
    assert 400 <= refused["status"] < 500
    assert here.get("/api/folder")["files"] == []


# -- mending, and the end ----------------------------------------------------------------


def test_mending_writes_what_the_command_line_would(here: Window, tmp_path: Path) -> None:
    folder = house(here.studio.root, "ours", "# A word.\nnumbers: {gaol: 50}\ntabels: {}\n")
    copied = tmp_path / "copy" / "ours"
    shutil.copytree(folder, copied)
    here.studio.look()
    proposed = here.post("/api/fix", ref="house/ours@0.1.0")
    assert here.text("ours/rules.yaml") == "# A word.\nnumbers: {gaol: 50}\ntabels: {}\n"
    assert here.post("/api/fix", ref="house/ours@0.1.0", write=[])["status"] == 409  # nobody was shown that
    assert here.text("ours/rules.yaml") == "# A word.\nnumbers: {gaol: 50}\ntabels: {}\n"
    here.post("/api/fix", ref="house/ours@0.1.0", write=proposed["edits"])
    main(["check", "house/ours", "--rules", str(copied.parent), "--fix", "--yes"])
    assert here.text("ours/rules.yaml") == (copied / "rules.yaml").read_text()
    assert [each["text"] for each in proposed["edits"]] == [here.text("ours/rules.yaml")]
    here.post("/api/undo")
    assert "gaol" in here.text("ours/rules.yaml")


def test_contradicted_examples_are_restated_and_that_is_one_step_to_undo(here: Window) -> None:
    examples = "".join(f"  e{n}: {{title: E{n}, value: goal + {n}, expect: {100 + n}}}\n" for n in range(3))
    house(here.studio.root, "ours", f"examples:\n{examples}")
    manifest = house(here.studio.root, "shorter", "numbers: {goal: 50}\n") / "ruleset.yaml"
    manifest.write_text(re.sub(r"extends: \S+", "extends: house/ours@0.1.0", manifest.read_text()))
    here.studio.look()
    proposed = here.post("/api/fix", ref="house/shorter@0.1.0")
    assert proposed["words"] == ["`goal` contradicts 3 inherited examples: “E0”, “E1” and “E2”"]
    assert proposed["made"] == 1
    here.post("/api/fix", ref="house/shorter@0.1.0", write=proposed["edits"])
    restated = "examples:\n  e0: {expect: 50}\n  e1: {expect: 51}\n  e2: {expect: 52}\n"
    assert here.text("shorter/rules.yaml") == f"numbers: {{goal: 50}}\n\n{restated}"
    assert here.post("/api/fix", ref="house/shorter@0.1.0")["edits"] == []
    here.post("/api/undo")
    assert here.text("shorter/rules.yaml") == "numbers: {goal: 50}\n"


def test_a_save_waits_for_nobody_who_looks_at_the_rules(here: Window) -> None:
    house(here.studio.root, "ours")
    here.studio.look()
    assert here.get("/api/folder")["rulesets"][0]["layers"][0]["files"][1]["changes"][0]["path"] == "numbers.goal.is"
    version = here.version("ours/rules.yaml")
    # Each question is answered in a thread of its own, and this one has the rules.
    with here.studio.desk.workspace():
        assert "version" in here.put("ours/rules.yaml", "numbers: {hold: {is: 9, means: Enough.}}\n", version)
    # Whoever looks next sees what was saved meanwhile.
    (change,) = here.get("/api/folder")["rulesets"][0]["layers"][0]["files"][1]["changes"]
    assert change["path"] == "numbers.hold"
