"""After any edit, a workspace answers as one just opened; and it does again only what the edit touches."""

from __future__ import annotations

import json
import random
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright.lsp.features.workspace import Workspace
from rulewright.ruleset.cache.cache_folder import VARIABLE
from rulewright.source.diagnostics.formats import render
from tests.breadth import some, spread, times
from tests.incremental.histories import STALE, compare, edit_text

COOKBOOK = Path(__file__).parents[2] / "site" / "docs" / "cookbook"
HOUSES = sorted(path.parent.name for path in COOKBOOK.glob("*/rules.yaml"))
Answers = list[tuple[str, Any]]
"""Answers, each with what it is about."""


def say_all(workspace: Workspace) -> Iterator[tuple[str, Any]]:
    """Yield everything that the workspace says of its files, in its order.

    While a part of a file cannot be read, the readings of an edition are those of its last usable state: `STALE`.
    """
    report = workspace.settle()
    yield "diagnostics", {file: json.loads(render("json", each)) for file, each in report.diagnostics.items() if each}
    for edition in workspace.get_catalogue().list_editions():
        if not edition.ruleset.startswith("cookbook/"):
            continue
        good = next((each for each in workspace.list_good(edition.path) if each.edition.id == edition.id), None)
        current = good is not None and workspace.is_current(good)
        readings = [
            (str(reading.scalar.span), [str(typed.type) for _, typed in reading.parts])
            for reading in (good.readings if good is not None and current else ())
        ]
        yield f"readings of {edition.id}", sorted(readings) if current else STALE


def follow(home: Path, text: str, chance: random.Random, edits: int) -> Iterator[tuple[Answers, Answers]]:
    """Yield the answers after each edit, of a workspace that saw them all and of one that has just been opened."""
    path = home / "rules.yaml"
    edited = Workspace([home.parent])
    edited.texts.put(path, text)
    edited.settle()
    before = [text]
    for left in reversed(range(edits)):
        # Now and then everything is taken back, as undo does, and at the end all of it.
        now = edit_text(before[-1], chance) if chance.randrange(5) else chance.choice(before)
        now = now if left else text
        before.append(now if now.strip() else text)
        edited.texts.put(path, before[-1])
        fresh = Workspace([home.parent])
        fresh.texts.put(path, before[-1])
        yield list(say_all(edited)), list(say_all(fresh))


@pytest.mark.parametrize("house", some(HOUSES, spread(HOUSES, 3)))
@pytest.mark.parametrize("seed", range(times(1, 5)))
def test_the_answers_are_those_of_a_fresh_start(house: str, seed: int, tmp_path: Path) -> None:
    home = tmp_path / house
    shutil.copytree(COOKBOOK / house, home)
    text = (home / "rules.yaml").read_text(encoding="utf-8")
    current = 0
    for edited, fresh in follow(home, text, random.Random(f"{house} {seed}"), times(5, 12)):
        assert compare(edited, fresh) == []
        current += all(answer != STALE for _, answer in edited)
    assert current  # so that readings are compared, too


def test_what_earlier_processes_have_left_changes_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, chance = tmp_path / "rules" / "shrine", random.Random("left")
    shutil.copytree(COOKBOOK / "shrine", home)
    text = (home / "rules.yaml").read_text(encoding="utf-8")
    for edited in (text, *(edit_text(text, chance) for _ in range(times(3, 12))), text):
        answers = []
        for cache in (str(tmp_path / "cache"), "off"):
            monkeypatch.setenv(VARIABLE, cache)
            workspace = Workspace([home.parent])
            workspace.texts.put(home / "rules.yaml", edited)
            answers.append(list(say_all(workspace)))
        assert compare(*answers) == []
    assert any((tmp_path / "cache").iterdir())


@pytest.fixture
def shrine(tmp_path: Path) -> tuple[Workspace, Path, str]:
    """House rules over the largest edition, checked once."""
    shutil.copytree(COOKBOOK / "shrine", tmp_path / "shrine")
    path = tmp_path / "shrine" / "rules.yaml"
    text = path.read_text(encoding="utf-8")
    workspace = Workspace([tmp_path])
    workspace.texts.put(path, text)
    assert not any(workspace.settle().diagnostics.values())
    workspace.traces.work.clear()
    return workspace, path, text


Touched = tuple[Workspace, Path, str]


def work_after(shrine: Touched, old: str, new: str) -> Counter[str]:
    """Make one edit, and return the computations that it needs, by kind."""
    workspace, path, text = shrine
    assert old in text
    workspace.texts.put(path, text.replace(old, new))
    workspace.settle()
    return workspace.traces.work


def test_a_word_of_a_text_touches_no_example(shrine: Touched) -> None:
    work = work_after(shrine, "where it is.", "where it may be.")
    assert work.keys() <= {"lint", "markup", "text", "made", "parts", "declarations"}
    assert work["markup"] + work["text"] < 10, "of nearly a thousand"


def test_a_word_of_a_term_or_an_example_declares_nothing_anew(shrine: Touched) -> None:
    work = work_after(shrine, "A holy place.", "A quiet place.")
    assert work.keys() <= {"lint", "markup", "text", "made", "parts"}
    shrine[0].traces.work.clear()
    work = work_after(shrine, "title: A miracle", "title: The miracle")
    assert "declarations" not in work
    assert work["section"] <= 2, "the text of a page that shows the example, and the examples"


def test_a_step_declares_nothing_anew(shrine: Touched) -> None:
    work = work_after(shrine, "{id: answer, roll: shrine_answer}", "{id: answer, roll: shrine_answer, when: true}")
    assert "declarations" not in work
    assert work["procedure"] <= 3, "those in this file"


def test_an_empty_line_touches_only_what_is_below_it(shrine: Touched) -> None:
    work = work_after(shrine, "terms:", "\nterms:")
    assert work.keys() <= {"lint", "example", "procedure", "declarations", "section"}
    assert work["section"] == 1, "the examples, of which one is in this file"
    assert work["example"] == 1, "the one in this file, of which editors know every word by its place"
    assert work["procedure"] <= 3, "those in this file"


def test_a_number_touches_the_examples_that_read_it(shrine: Touched) -> None:
    work = work_after(shrine, "alms: {on: 4-5, gift: 2}", "alms: {on: 4-5, gift: 3}")
    assert 0 < work["example"] < 5, "of more than a hundred"
    assert work["text"] < 30


def test_what_is_taken_back_is_still_known(shrine: Touched) -> None:
    work_after(shrine, "gift: 8", "gift: 9")
    shrine[0].traces.work.clear()
    assert work_after(shrine, "gift: 8", "gift: 8").keys() <= {"lint"}


def test_a_mistake_and_its_correction_run_no_example_twice(shrine: Touched) -> None:
    work_after(shrine, "answer.gift", "anser.gift")
    shrine[0].traces.work.clear()
    assert work_after(shrine, "answer.gift", "answer.gift")["example"] == 0


def list_mentions(workspace: Workspace, path: Path) -> list[str]:
    """Return all mentions in the rules of the edition that owns a file."""
    good = workspace.list_good(path)[0]
    return [str(each) for mentions in good.mentions.by_file.values() for each in mentions]


@pytest.mark.parametrize(
    ("old", "new", "most"),
    [
        ("where it is.", "where it may be.", 2),
        ("shrine_answer", "shrine_reply", 4),
        ("alms: {on: 4-5, gift: 2}", "mercy: {on: 4-5, gift: 2}", 2),
    ],
)
def test_mentions_are_collected_again_only_where_they_may_differ(
    shrine: Touched, old: str, new: str, most: int
) -> None:
    workspace, path, text = shrine
    assert len(list_mentions(workspace, path)) > 5_000
    total = workspace.traces.work["written mentions"]
    workspace.traces.work.clear()
    workspace.texts.put(path, text.replace(old, new))
    workspace.settle()
    mentions = list_mentions(workspace, path)
    assert workspace.traces.work["written mentions"] <= most < total
    fresh = Workspace([path.parents[1]])
    fresh.texts.put(path, text.replace(old, new))
    fresh.settle()
    assert mentions == list_mentions(fresh, path)


def test_two_windows_with_the_same_text_have_one_ruleset(shrine: Touched) -> None:
    workspace, path, text = shrine
    edited = text.replace("alms: {on: 4-5, gift: 2}", "alms: {on: 4-5, gift: 3}")
    workspace.texts.put(path, edited)
    workspace.settle()
    workspace.traces.work.clear()
    other = Workspace(workspace.folders, traces=workspace.traces.share(), turn=workspace.turn)
    for shown in (edited, text):
        other.texts.put(path, shown)
        report = other.settle()
        [mine], [theirs] = (each.list_good(path)[:1] for each in (workspace, other))
        assert (mine.ruleset is theirs.ruleset) == (shown == edited)
        fresh = Workspace(workspace.folders)
        fresh.texts.put(path, shown)
        assert compare([("all", str(report.diagnostics))], [("all", str(fresh.settle().diagnostics))]) == []
        assert compare(list(say_all(other)), list(say_all(fresh))) == []
    assert workspace.traces.work["procedure"] == 0
