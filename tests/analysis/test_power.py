"""Advantages that were put into games on purpose, found by `fair` as these and as nothing else: see `power.py`."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from rulewright.ruleset.ruleset import Ruleset
from tests.analysis import power
from tests.analysis.power import (
    CASES,
    DETECTABLE,
    FAIR,
    FILE,
    Tally,
    find_accused,
    find_misses,
    load_game,
    read_tallies,
)


@pytest.mark.parametrize("name", [name for name, planted in CASES.items() if planted.points in (0, 10)])
def test_an_advantage_of_ten_points_is_found_and_nothing_else(tmp_path: Path, name: str) -> None:
    assert find_accused(load_game(CASES[name], tmp_path), f"{name} 1") == {CASES[name].metric} - {""}


def test_what_was_counted_last_contradicts_no_claim() -> None:
    data = json.loads(FILE.read_text(encoding="utf-8"))
    tallies = read_tallies(data)
    assert tallies.keys() == CASES.keys()
    assert data["commit"]
    assert all(tally.runs >= 20 for tally in tallies.values())
    assert find_misses(tallies) == []


def test_counts_that_contradict_a_claim_are_named() -> None:
    first, claimed = "going first, 5 points", f"going first, {DETECTABLE:g} points"
    assert find_misses({FAIR: Tally(100, others=9), claimed: Tally(100, alone=84)}) == []
    assert find_misses({FAIR: Tally(100, others=15), claimed: Tally(100, alone=75), first: Tally(100, alone=40)}) == [
        f"{FAIR}: something else is named in 15 of 100 runs",
        f"{claimed}: not found in 25 of 100 runs",
    ]


def test_a_run_counts_as_what_it_named() -> None:
    tally = Tally()
    for accused in ({"order.1"}, {"order.1", "seat.1"}, {"seat.1"}, set()):
        tally.add(accused, "order.1")
    assert tally == Tally(runs=4, alone=1, with_others=1, others=1)
    fair = Tally()
    for accused in ({"order.1"}, set()):
        fair.add(accused, "")
    assert fair == Tally(runs=2, others=1)


def test_a_run_goes_on_where_it_stopped_unless_the_engine_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, asked = tmp_path / "power.json", list[str]()
    monkeypatch.setattr(power, "FILE", kept)
    monkeypatch.setattr(power, "run_git", lambda *words: words[-1])

    def accuse_nobody(_: Ruleset, seed: str) -> set[str]:
        asked.append(seed)
        return set()

    monkeypatch.setattr(power, "find_accused", accuse_nobody)
    monkeypatch.setattr("sys.argv", ["power", "--runs", "2"])
    cases = {name: asdict(Tally(1)) for name in CASES}
    kept.write_text(json.dumps({"engine": "HEAD:engine", "cases": cases}), encoding="utf-8")
    power.main()
    assert asked == [f"{name} 1" for name in CASES]
    power.main()
    assert len(asked) == len(CASES), "all runs are done"
    kept.write_text(json.dumps({"engine": "another", "cases": cases}), encoding="utf-8")
    power.main()
    assert asked[len(CASES) :] == [f"{name} {seed}" for seed in range(2) for name in CASES]
