"""The guided end of a release in the studio, held against what the command line says of the same folder."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from threading import Condition, RLock, Thread, current_thread, main_thread
from typing import Any

import pytest
import yaml

from rulewright.authoring.new_game import ABOUT
from rulewright.cli.main import main
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.studio.http import release_steps
from rulewright.studio.http.project import Project
from rulewright.studio.storage.project_folder import Folder
from tests.studio.book import write_book
from tests.studio.windows import Window, window

ROOT = Path(__file__).resolve().parents[2]
REF = "house/ours@0.1.0"
MANIFEST = (
    "# Ours.\nruleset: house/ours\nversion: 0.1.0\nextends: pig/classic@1.0\ntitle: Ours\nstatus: draft    # still\n"
)
RULES = "numbers: {goal: 50}\n"
OWN = "ruleset: house/own\nversion: 0.1.0\ntitle: Own\nabout: Ours.\nplayers: 2\nstart: game\nrounding: truncate\n"


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Window]:
    folder = tmp_path / "ours"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(MANIFEST)
    (folder / "rules.yaml").write_text(RULES)
    with window(folder) as opened:
        yield opened


def states(data: dict[str, Any]) -> dict[str, str]:
    return {each["id"]: each["state"] for each in data["steps"]}


def words(data: dict[str, Any], step: str) -> dict[str, Any]:
    (step_data,) = [each for each in data["steps"] if each["id"] == step]
    return step_data


def step(here: Window, name: str, *, ref: Any, **value: Any) -> Any:
    """Look how far it is, and do a step, as somebody does who is shown the steps."""
    return here.post(
        f"/api/release/{name}", ref=ref, **{"seen": here.get("/api/release", ref=ref).get("seen"), **value}
    )


def edit(here: Window, path: str, text: str) -> None:
    here.put(path, text, here.version(path))


def test_what_has_errors_is_not_released(here: Window) -> None:
    edit(here, "rules.yaml", "numbers: {goal: fifty}\n")
    response = here.get("/api/release", ref=REF)
    assert states(response) == {
        "check": "failed",
        "sign": "blocked",
        "balance": "blocked",
        "version": "ready",
        "lock": "blocked",
        "book": "blocked",
    }
    (fault, *_) = words(response, "check")["diagnostics"]
    assert (fault["path"], fault["line"], fault["severity"]) == ("rules.yaml", 1, "error")
    for each in ("sign", "balance", "lock", "book"):
        assert step(here, each, ref=REF, texts=["goal.winning"])["status"] in (400, 409)
    assert here.text("ruleset.yaml") == MANIFEST


def test_where_there_is_nothing_to_do_no_step_is_done(here: Window) -> None:
    edit(here, "ruleset.yaml", OWN)
    edit(here, "rules.yaml", "procedures: {game: {steps: [{id: end, finish: {winners: []}}]}}\n")
    response = here.get("/api/release", ref="house/own@0.1.0")
    assert [words(response, name)["state"] for name in ("sign", "balance")] == ["none", "none"]
    assert words(response, "balance")["title"] == "There are no balance targets"
    assert words(response, "check")["words"] == "No mistakes were found."


def test_step_by_step_it_is_released(here: Window) -> None:
    response = here.get("/api/release", ref=REF)
    assert states(response)["check"] == "done"
    assert [each["id"] for each in words(response, "version")["choices"]] == ["0.1.0", "0.1.1", "0.2.0", "1.0.0"]
    response = step(here, "version", ref=REF, choice="1.0.0")
    ref = response["ref"]
    assert (ref, states(response)["version"]) == ("house/ours@1.0.0", "done")
    response = step(here, "lock", ref=ref, anyway=True)
    assert states(response)["lock"] == "done"
    # The command line finds the same lock right, and would write it itself.
    digest = load_ruleset("house/ours@1.0.0", rules=here.studio.root).digest
    manifest = here.text("ruleset.yaml")
    assert manifest.splitlines() == [
        "# Ours.",
        "ruleset: house/ours",
        "version: 1.0.0",
        "extends: pig/classic@1.0",
        "title: Ours",
        "status: released",
        f'locked: "{digest}"',
    ]
    assert main(["release", "house/ours", "--rules", str(here.studio.root)]) == 0
    assert (here.studio.root / "ruleset.yaml").read_text() == manifest
    # What is changed then is another version.
    edit(here, "rules.yaml", "numbers: {goal: 60}\n")
    response = here.get("/api/release", ref=ref)
    assert (states(response)["version"], states(response)["lock"]) == ("failed", "blocked")
    # No tick stands beside the error that the lock is broken.
    check = words(response, "check")
    assert (check["state"], [each["code"] for each in check["diagnostics"]]) == ("blocked", ["lock-broken"])
    assert step(here, "lock", ref=ref, anyway=True)["error"]["message"].startswith(
        "house/ours@1.0.0 is already released"
    )
    response = step(here, "version", ref=ref, choice="1.0.1")
    assert (response["ref"], states(response)["lock"]) == ("house/ours@1.0.1", "ready")
    response = step(here, "lock", ref=response["ref"], anyway=True)
    assert states(response)["lock"] == "done"
    # Each step is one that can be taken back.
    assert here.post("/api/undo")["words"] == "house/ours@1.0.1 released"


@pytest.mark.parametrize("version", ["", "one", "1", "1.0.0.0", "-1.0.0", "1.0.0; rm", "0.1.0\nstatus: x"])
def test_what_is_no_version_is_refused(here: Window, version: str) -> None:
    assert step(here, "version", ref=REF, choice=version)["status"] in (400, 409)
    assert here.text("ruleset.yaml") == MANIFEST


def test_texts_are_signed_that_somebody_has_read(here: Window) -> None:
    here.put("book.yaml", write_book("Get {numbers.goal}."), None)
    response = here.get("/api/release", ref=REF)
    names = [each["id"] for each in words(response, "sign")["choices"]]
    assert "play.winning" in names
    (choice,) = [each for each in words(response, "sign")["choices"] if each["id"] == "play.winning"]
    assert choice["text"] == "Get 50."
    assert "numbers.goal" in choice["rules"]
    assert words(response, "sign")["title"] == f"Review {len(names)} text{'s' if len(names) > 1 else ''}"
    assert step(here, "sign", ref=REF, texts=[])["status"] == 400
    assert step(here, "sign", ref=REF, texts=["no.such"])["error"]["message"]
    response = step(here, "sign", ref=REF, texts=["play.winning"])
    left = [each["id"] for each in words(response, "sign").get("choices", [])]
    assert left == [each for each in names if each != "play.winning"]
    assert "reviewed:" in here.text("book.yaml")
    if left:
        response = step(here, "sign", ref=REF, texts=left)
        assert states(response)["sign"] == "done"
        assert words(response, "sign")["title"] == "Every text is reviewed"
    step(here, "lock", ref=REF, anyway=True)
    assert main(["check", "house/ours", "--rules", str(here.studio.root)]) == 0


def test_a_balance_is_played_that_somebody_wants(here: Window) -> None:
    inherited = load_ruleset("pig/classic@1.0").expectations
    expected = "".join(["expect_play:\n", *(f"  {each}: {{{{delete: true}}}}\n" for each in inherited)])
    expected += "  even: {{with: random, games: 200, seed: 1, seat_edge: {bounds}}}\n"
    here.put("wanted.yaml", expected.format(bounds="at most 90 %"), None)
    assert states(here.get("/api/release", ref=REF))["balance"] == "ready"
    response = step(here, "balance", ref=REF)
    assert states(response)["balance"] == "done", words(response, "balance")
    # Each target has a line of its own, under the name that people know.
    (result,) = words(response, "balance")["results"]
    assert re.fullmatch(r"Seat advantage: .+ of 200 games; at most 90 % is wanted \(met\)", result)
    # Another figure is wanted of the same gameplay.
    edit(here, "wanted.yaml", here.text("wanted.yaml").replace("at most", "at least"))
    assert states(here.get("/api/release", ref=REF))["balance"] == "ready"
    assert states(step(here, "balance", ref=REF))["balance"] == "failed"


def test_a_release_asks_what_is_open(here: Window) -> None:
    def find_concerns() -> list[str]:
        lines: list[str] = words(here.get("/api/release", ref=REF), "lock")["concerns"]
        return lines

    inherited = load_ruleset("pig/classic@1.0").expectations
    assert find_concerns() == (["the balance targets have not been tested"] if inherited else [])
    own = "  even: {with: random, games: 200, seed: 1, seat_edge: at least 90 %}\n"
    none = "".join(f"  {each}: {{delete: true}}\n" for each in inherited)
    here.put("wanted.yaml", f"expect_play:\n{none}{own}", None)
    step(here, "balance", ref=REF)
    assert find_concerns() == ["the balance targets are not met"]
    edit(here, "rules.yaml", f"{RULES}examples: {{half: {{title: Half of ninety, value: goal, expect: 50}}}}\n")
    texts = "the title of `half` says `ninety`, but the example has no such number"
    assert find_concerns() == ["the balance targets are not met", texts]
    edit(here, "rules.yaml", RULES)
    refused = step(here, "lock", ref=REF)
    assert refused["status"] == 409
    assert refused["error"]["message"] == "nothing was released: confirm first that the balance targets are not met"
    assert "status: released" not in here.text("ruleset.yaml")
    assert states(step(here, "lock", ref=REF, anyway=True))["lock"] == "done"


def test_the_first_release_compares_with_no_version_before_it(here: Window) -> None:
    def find_version() -> dict[str, Any]:
        return words(here.get("/api/release", ref=REF), "version")

    assert "the first release" in find_version()["words"]
    assert [each["title"] for each in find_version()["choices"]] == [
        "0.1.0, the number in your files",
        "0.1.1, a correction",
        "0.2.0, a change of some rules",
        "1.0.0, another game for its players",
    ]
    here.put("before/ruleset.yaml", MANIFEST.replace("draft", "released").replace("0.1.0", "0.0.1"), None)
    assert "how much has changed" in find_version()["words"]


def test_a_release_asks_whether_the_introduction_of_a_new_game_is_still_right(here: Window) -> None:
    ref = here.post("/api/start", id="nothing", folder="fresh", title="Fresh")["ref"]
    lock = words(here.get("/api/release", ref=ref), "lock")
    assert any("A game that has only just been started" in each for each in lock["concerns"])
    edit(here, "fresh/ruleset.yaml", here.text("fresh/ruleset.yaml").replace(ABOUT, "A race to twenty."))
    assert words(here.get("/api/release", ref=ref), "lock")["concerns"] == []


@pytest.mark.slow
def test_the_book_is_built_in_the_folder(here: Window) -> None:
    response = step(here, "book", ref=REF)
    assert states(response)["book"] == "done"
    page = here.client.get(words(response, "book")["address"])
    assert (page.status_code, "Ours" in page.text) == (200, True)
    assert (here.studio.root / "published" / "index.html").is_file()
    assert [each["path"] for each in here.get("/api/folder")["files"]] == ["rules.yaml", "ruleset.yaml"]
    edit(here, "rules.yaml", "numbers: {goal: 60}\n")
    assert states(here.get("/api/release", ref=REF))["book"] == "ready"


def test_git_keeps_it_if_somebody_wants(here: Window) -> None:
    def git(*arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=here.studio.root, check=True, capture_output=True, text=True)
        return done.stdout

    git("init", "--quiet")
    for key, value in (("user.name", "A"), ("user.email", "a@example.org"), ("commit.gpgsign", "false")):
        git("config", key, value)
    (here.studio.root / "notes.md").write_text("mine\n")
    git("add", "notes.md")
    assert states(here.get("/api/release", ref=REF))["commit"] == "ready"
    response = step(here, "commit", ref=REF, words="-m Ours, first")
    assert states(response)["commit"] == "done"
    assert git("log", "--format=%s").strip() == "-m Ours, first"
    assert git("show", "--name-only", "--format=").split() == ["rules.yaml", "ruleset.yaml"]
    assert git("status", "--porcelain").split() == ["A", "notes.md"]


def test_what_is_no_step_is_refused(here: Window) -> None:
    assert step(here, "none", ref=REF)["status"] == 404
    for ref in ("", "pig/classic@1.0.0", "none/such@1.0.0", None):
        assert step(here, "lock", ref=ref, anyway=True)["status"] == 404


SIGNED = """\
pages:
  play:
    title: Play
    letter: Z
    about: All.
    sections:
      winning: {title: Winning, explains: [numbers.goal], text: "Get {numbers.goal}."}
"""

WRITES: dict[str, dict[str, Any]] = {
    "sign": {"texts": ["play.winning"]},
    "rewrite": {"id": "play.winning", "text": "Be first."},
    "version": {"choice": "1.0.0"},
    "lock": {"anyway": True},
}


BLOCK = write_book("|\n          Get {numbers.goal}.")


@pytest.mark.parametrize(
    "text", ["Be the first at {numbers.goal}.", 'Get {numbers.goal}.\n\n- "At once": yes\n- No # tie']
)
@pytest.mark.parametrize(("name", "own"), [("play.winning", BLOCK), ("play.winning", SIGNED), ("pig.goal", "")])
def test_a_text_that_is_no_longer_true_is_changed_in_the_release(here: Window, text: str, name: str, own: str) -> None:
    if own:
        here.put("book.yaml", own, None)
        (choice,) = [each for each in words(here.get("/api/release", ref=REF), "sign")["choices"] if each["id"] == name]
        assert choice["source"].strip() == "Get {numbers.goal}."
    assert "steps" in step(here, "rewrite", ref=REF, id=name, text=text)
    page, section = name.split(".")
    written = here.text("book.yaml" if own else "rules.yaml")
    assert yaml.safe_load(written)["pages"][page]["sections"][section]["text"] == text
    # Several lines are a block, except in a mapping on one line.
    assert ("text: |-\n" in written) == ("\n" in text and own != SIGNED)
    assert here.post("/api/undo")["words"] == f"{name} rewritten"


def test_texts_that_nobody_has_reviewed_are_confirmed_before_a_release(here: Window) -> None:
    here.put("book.yaml", BLOCK, None)
    response = here.get("/api/release", ref=REF)
    assert words(response, "sign")["state"] == "ready"
    first, *others = words(response, "lock")["concerns"]
    assert first == "1 text has not been compared with the current rules"
    refused = step(here, "lock", ref=REF)
    assert (refused["status"], here.text("ruleset.yaml")) == (409, MANIFEST)
    response = step(here, "sign", ref=REF, texts=["play.winning"])
    assert words(response, "lock")["concerns"] == others


def test_a_text_with_errors_is_not_saved_before_they_are_fixed(here: Window) -> None:
    edit(here, "rules.yaml", "numbers: {goal: 50, prize: 7}\n")
    here.put("book.yaml", BLOCK, None)
    text = "Get 7 and {numbers.goal}, or {pigs}."
    response = step(here, "rewrite", ref=REF, id="play.winning", text=text)
    assert (response["status"], here.text("book.yaml")) == (409, BLOCK)
    assert response["error"]["message"].startswith("Nothing was saved: ")
    assert response.get("fixes") == []
    text = "Get 7 and {numbers.goal}, or 7."
    response = step(here, "rewrite", ref=REF, id="play.winning", text=text)
    assert (response["status"], here.text("book.yaml")) == (409, BLOCK)
    assert "the number `7` is typed into the text" in response["error"]["message"]
    known, named, kept = response["fixes"]
    assert known == "Write `{numbers.prize}`, which has the same value"
    assert named.startswith("Name this number, and write `{numbers.")
    assert kept == "Write `{'7'}`: it is not a number of the rules"
    response = step(here, "rewrite", ref=REF, id="play.winning", text=text, fixes=[named])
    assert (response["status"], here.text("book.yaml"), len(response["fixes"])) == (409, BLOCK, 4)
    assert "steps" in step(here, "rewrite", ref=REF, id="play.winning", text=text, fixes=[named, kept])
    written = yaml.safe_load(here.text("book.yaml"))["pages"]["play"]["sections"]["winning"]["text"]
    assert written == "Get {numbers.play_winning} and {numbers.goal}, or {'7'}."
    assert yaml.safe_load(here.text("rules.yaml"))["numbers"]["play_winning"] == 7
    # All files are one step to undo.
    here.post("/api/undo")
    assert (here.text("book.yaml"), "winning" in here.text("rules.yaml")) == (BLOCK, False)


def test_inherited_texts_of_an_example_with_other_results_are_left_to_review(here: Window) -> None:
    name, example = next(
        (f"examples.{each.id}", each)
        for each in load_ruleset("pig/classic@1.0").examples.values()
        if each.value is None
    )
    edit(here, "rules.yaml", f"examples: {{{example.id}: {{expect: {{pot: 0}}}}}}\n")
    response = here.get("/api/release", ref=REF)
    assert words(response, "sign")["state"] == "ready"
    (choice,) = [each for each in words(response, "sign")["choices"] if each["id"] == name]
    assert (choice["title"] in choice["text"], "How it ends: " in choice["rules"]) == (True, True)
    assert [each for each in choice["changes"] if re.fullmatch(r"pot: .+ → 0", each)]
    response = step(here, "rewrite", ref=REF, id=name, text="Another\ntitle\n\nAnother text.")
    assert name not in [each["id"] for each in words(response, "sign").get("choices", [])]
    written = yaml.safe_load(here.text("rules.yaml"))["examples"][example.id]
    assert (written["title"], written["text"]) == ("Another title", "Another text.")


@pytest.mark.parametrize(
    ("name", "text"), [("no.such", "x"), ("play.winning", " "), ("play.winning", "a\x07"), (7, "x")]
)
def test_a_text_that_cannot_be_written_is_refused(here: Window, name: object, text: object) -> None:
    here.put("book.yaml", SIGNED, None)
    assert step(here, "rewrite", ref=REF, id=name, text=text)["status"] == 400
    assert here.text("book.yaml") == SIGNED


@pytest.mark.parametrize("name", WRITES)
@pytest.mark.parametrize("seen", [None, {}, [], "x", {"rules.yaml": 7}])
def test_nothing_is_decided_by_who_was_shown_nothing(here: Window, name: str, seen: object) -> None:
    here.put("book.yaml", SIGNED, None)
    assert step(here, name, ref=REF, seen=seen, **WRITES[name])["status"] == 400
    assert (here.text("ruleset.yaml"), here.text("book.yaml")) == (MANIFEST, SIGNED)


@pytest.mark.parametrize("name", WRITES)
@pytest.mark.parametrize("how", ["window", "outside", "unnoticed", "new", "gone"])
def test_what_changed_since_somebody_looked_is_not_decided(here: Window, name: str, how: str) -> None:
    here.put("book.yaml", SIGNED, None)
    seen = here.get("/api/release", ref=REF)["seen"]
    rules = here.studio.root / "rules.yaml"
    if how == "window":
        edit(here, "rules.yaml", "numbers: {goal: 60}\n")
    elif how == "new":
        (here.studio.root / "more.yaml").write_text("numbers: {}\n")
    elif how == "gone":
        rules.unlink()
    else:
        before = rules.stat()
        rules.write_text("numbers: {goal: 60}\n")
        if how == "unnoticed":  # as long as before, and as old
            os.utime(rules, ns=(before.st_atime_ns, before.st_mtime_ns))
    response = step(here, name, ref=REF, seen=seen, **WRITES[name])
    assert response["status"] == 409
    assert f"{REF}/{'more' if how == 'new' else 'rules'}.yaml changed since your review" in response["error"]["message"]
    assert (here.text("ruleset.yaml"), here.text("book.yaml")) == (MANIFEST, SIGNED)
    # Who looks again is shown what is there now, and may decide.
    assert "status" not in step(here, name, ref=REF, **WRITES[name])


@pytest.mark.parametrize("name", WRITES)
def test_what_changes_while_it_is_decided_is_not_written(
    here: Window, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Somebody else writes after the rules were judged, and before the lock of the folder is had."""
    here.put("book.yaml", SIGNED, None)
    seen = here.get("/api/release", ref=REF)["seen"]
    writing = Folder.lock
    rules = here.studio.root / "rules.yaml"

    def late(folder: Folder) -> AbstractContextManager[None]:
        if judged:
            rules.write_text("numbers: {goal: 60}\n")
        return writing(folder)

    judged: list[bool] = []
    refuse = release_steps.ReleaseState.refuse_changed

    def looked(seen: release_steps.ReleaseState, files: Mapping[str, str]) -> None:
        refuse(seen, files)
        judged.append(True)

    # Only once the step itself goes on, after it was looked.
    monkeypatch.setattr(release_steps.ReleaseState, "refuse_changed", looked)
    monkeypatch.setattr(Folder, "lock", late)
    response = step(here, name, ref=REF, seen=seen, **WRITES[name])
    assert (response["status"], "rules.yaml changed" in response["error"]["message"]) == (409, True)
    assert (here.text("ruleset.yaml"), here.text("book.yaml")) == (MANIFEST, SIGNED)


def test_a_lock_is_that_of_what_lies_on_disk(here: Window) -> None:
    """What the studio was told nothing of is looked at all the same."""
    here.get("/api/release", ref=REF)
    rules = here.studio.root / "rules.yaml"
    before = rules.stat()
    rules.write_text("numbers: {goal: 60}\n")
    os.utime(rules, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert states(step(here, "lock", ref=REF, anyway=True))["lock"] == "done"
    assert load_ruleset(REF, rules=here.studio.root).digest in here.text("ruleset.yaml")


def test_a_file_that_comes_while_the_release_is_read_is_part_of_it(
    here: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert f"{REF}/book.yaml" not in here.get("/api/release", ref=REF)["seen"]
    look = Project.look

    def late(studio: Project) -> None:
        look(studio)
        (here.studio.root / "book.yaml").write_text(SIGNED)

    monkeypatch.setattr(Project, "look", late)
    response = here.get("/api/release", ref=REF)
    assert (f"{REF}/book.yaml" in response["seen"], words(response, "sign")["state"]) == (True, "ready")


class Held(AbstractContextManager[None]):
    """A lock that tells who tries to take it."""

    def __init__(self) -> None:
        self.lock = RLock()
        self.tried: list[Thread] = []
        self.more = Condition()

    def __enter__(self) -> None:
        with self.more:
            self.tried.append(current_thread())
            self.more.notify_all()
        self.lock.acquire()

    def __exit__(self, *_: object) -> None:
        self.lock.release()


def test_who_looks_while_another_does_has_all_that_it_sees(here: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    studio, look, held = here.studio, Folder.look, Held()
    taken: list[list[Path]] = []

    def second() -> None:
        studio.look()
        taken.append([*noted])
        with held.more:
            held.more.notify_all()

    def slow(folder: Folder, *, first: bool = False) -> Any:
        if current_thread() is main_thread():
            other.start()
            with held.more:
                held.more.wait_for(lambda: other in held.tried or taken)
        return look(folder, first=first)

    noted: list[Path] = []
    studio.on_change(noted.extend)
    other = Thread(target=second)
    monkeypatch.setattr(studio, "_looking", held)
    monkeypatch.setattr(Folder, "look", slow)
    (studio.root / "book.yaml").write_text(SIGNED)
    studio.look()
    other.join()
    assert taken == [[studio.root / "book.yaml"]]
