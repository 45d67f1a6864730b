"""The worst of sound rulesets are sound, and what they ask for is counted: no command is without a bound on them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from rulewright.engine.state import faults
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.elaborate.table_faces import group_ranges, read_row_faces
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.formats import render
from rulewright.source.yaml.yaml_reader import read_text
from rulewright.testing.check_edition import check_edition
from rulewright.testing.procedure_run import RunStoppedError, run
from rulewright.testing.run_examples import run_examples
from tests.fuzz.worst import WORST, write

SMALL = 0.002


@pytest.mark.parametrize("name", WORST)
def test_it_is_sound(name: str, tmp_path: Path) -> None:
    write(tmp_path / name, name, SMALL)
    catalogue = Catalogue((tmp_path,))
    [edition] = catalogue.list_editions()
    edition_check = check_edition(catalogue, edition)
    assert edition_check.sound, render("text", edition_check.diagnostics.errors)


def test_a_run_of_long_moves_ends_by_what_it_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "worst", "long_moves", 1.0)
    ruleset = load_ruleset("worst/long-moves", rules=[tmp_path])
    monkeypatch.setattr(faults, "MOST_IN_A_RUN", 1_000_000)
    with pytest.raises(RunStoppedError, match="a run may take at most 1,000,000 operations") as stopped:
        run(ruleset, "game", seed=1)
    assert len(stopped.value.moments) < 1_000_000 // faults.TOLD


def test_a_run_of_many_options_ends_by_what_it_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "worst", "some_of_many", 1.0)
    ruleset = load_ruleset("worst/some-of-many", rules=[tmp_path])
    monkeypatch.setattr(faults, "MOST_IN_A_RUN", 3_000_000)
    with pytest.raises(RunStoppedError) as stopped:
        run(ruleset, "game", seed=1)
    moments = [moment for moment in stopped.value.moments if moment.event.kind == "asked"]
    assert 2 <= len(moments) < 6, "of 65,536 options each, three times"


def test_examples_that_tell_as_much_as_they_may_are_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "worst", "busy_examples", 1.0)
    ruleset = load_ruleset("worst/busy-examples", rules=[tmp_path])
    monkeypatch.setattr(faults, "MOST_IN_EXAMPLES", 200_000)
    runs = run_examples(ruleset)
    assert not any(each.holds for each in runs)
    assert sum(len(each.steps) for each in runs) <= 200_000 // faults.TOLD


class _Counted(Sequence[int]):
    """Numbers from 1 up, which know how often one of them was looked at."""

    def __init__(self, count: int) -> None:
        self.numbers, self.looked = range(1, count + 1), 0

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, place: int | slice) -> object:  # type: ignore[override]
        self.looked += 1
        return self.numbers[place]


def test_a_row_of_a_large_table_looks_only_for_its_own_faces() -> None:
    outcomes = _Counted(100_000)
    diagnostics = Diagnostics()
    node = read_text("on: [7, 90-93]", "rules.yaml")
    faces = read_row_faces(node.get("on"), outcomes, diagnostics)  # type: ignore[attr-defined]
    assert (faces, list(diagnostics)) == ((7, 90, 91, 92, 93), [])
    assert group_ranges(faces, outcomes) == [(7, 7), (90, 93)]
    assert outcomes.looked < 300
