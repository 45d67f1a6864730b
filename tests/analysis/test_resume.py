"""The file of a run that is gone on with: written by several at once, and made up by somebody."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright import Ruleset, load_ruleset
from rulewright.analysis.simulation.checkpoint import Checkpoint, NoRunError
from rulewright.analysis.simulation.run_simulation import SimulationRun, begin_run, iterate_steps, simulate
from rulewright.analysis.simulation.simulation_report import report
from rulewright.cli.main import main
from rulewright.cli.simulation_output import report_text
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.search_path import search_path
from tests.breadth import some

_EVERY = [edition.id for edition in Catalogue(search_path()).list_editions() if edition.status != "abstract"]
_FEW = ("fuzzy-knights/normal@1.", "classics/backgammon@", "classics/kuhn-poker@")
EVERYTHING = some(_EVERY, [each for each in _EVERY if each.startswith(_FEW)])


@pytest.fixture(scope="module")
def pig() -> Ruleset:
    return load_ruleset("pig/classic@1.0")


def test_of_two_runs_at_once_the_longer_one_stays(pig: Ruleset, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    slow, quick = Checkpoint(file, pig), Checkpoint(file, pig)
    one, other = begin_run(pig), begin_run(pig)
    for run, checkpoint, games in ((one, slow, 5), (other, quick, 20), (one, slow, 10)):
        for _ in iterate_steps(pig, run, games=games):
            pass
        checkpoint.write(run)
    assert slow.write(one) == 20
    again = begin_run(pig)
    Checkpoint(file, pig).read_into(again)
    assert again.counts.to_plain() == simulate(pig, games=20).to_plain()
    for _ in iterate_steps(pig, one, games=30):  # it is the longer one by now
        pass
    assert slow.write(one) == 30


def test_nothing_else_is_written_over(pig: Ruleset, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    run, other = begin_run(pig), begin_run(pig, seed=2)
    for each in (run, other):
        for _ in iterate_steps(pig, each, games=5):
            pass
    checkpoint = Checkpoint(file, pig)
    checkpoint.write(run)
    for text in ("somebody's notes", _file_of(other, pig, tmp_path)):
        file.write_text(text)
        with pytest.raises(NoRunError):
            checkpoint.write(run)
        assert file.read_text() == text


def _file_of(run: SimulationRun, ruleset: Ruleset, folder: Path) -> str:
    Checkpoint(folder / "other.json", ruleset).write(run)
    return (folder / "other.json").read_text()


def _signed(data: Any) -> str:
    """Return a file whose digest is right, whatever is in it."""
    plain = json.dumps([data["settings"], data["counts"]], sort_keys=True)
    return json.dumps({**data, "check": hashlib.sha256(plain.encode()).hexdigest()})


def _leaves(data: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to each number in some data, keys that are numbers among them."""
    if isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _leaves(value, (*way, key))
    elif type(data) is int:
        yield way


def _with(data: Any, way: tuple[Any, ...], change: Callable[[int], object]) -> Any:
    copy = json.loads(json.dumps(data))
    place = copy
    for key in way[:-1]:
        place = place[key]
    place[way[-1]] = change(place[way[-1]])
    return copy


CHANGES: dict[str, Callable[[int], object]] = {
    "one more": lambda value: value + 1,
    "below zero": lambda value: -1 - value,
    "huge": lambda value: 10**400,
    "large": lambda value: 10**30,
    "a fraction": lambda value: value + 0.5,
    "a text": str,
    "nothing": lambda value: None,
}

CERTAIN = ("games", "draws", "unfinished", "decisions", "wins_by_seat", "games_by_policy", "wins_by_policy", "lengths")
"""Counts of which no single one can be another."""


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("coverage", [False, True])
def test_a_forged_count_is_refused_or_reported(pig: Ruleset, tmp_path: Path, coverage: bool, change: str) -> None:
    run = begin_run(pig, policies=["greedy", "random"], coverage=coverage)
    for _ in iterate_steps(pig, run, games=20):
        pass
    sound = json.loads(_file_of(run, pig, tmp_path))
    ways = list(_leaves(sound["counts"]))
    # Those that agree with many others, and of the others a few of each kind.
    certain = [way for way in ways if way[0] in CERTAIN]
    others = [way for way in ways if way[0] not in CERTAIN]
    file = tmp_path / "run.json"
    for way in (*certain[::3], *others[:: max(1, len(others) // 40)]):
        file.write_text(_signed(_with(sound, ("counts", *way), CHANGES[change])))
        again = begin_run(pig, policies=["greedy", "random"], coverage=coverage)
        try:
            Checkpoint(file, pig).read_into(again)
        except NoRunError:
            continue
        assert way[0] not in CERTAIN, (way, change)
        report_text(report(pig, again.shard, again.counts, 1.0, resumed=again.loaded_games))


FORGED: dict[str, Callable[[Any], None]] = {
    "fewer games than wins": lambda counts: counts.update(games=3),
    "more wins than games": lambda counts: counts.update(wins_by_seat=[10**6, 0]),
    "a policy that does not exist": lambda counts: counts["games_by_policy"].append(["nobody", 20]),
    "a winner that does not exist": lambda counts: counts["wins_by_policy"].append(["nobody", 0]),
    "a measure that does not exist": lambda counts: counts["measures"].update(mood=[[1, 20]]),
    "a measure that is missing": lambda counts: counts["measures"].popitem(),
    "a series that does not exist": lambda counts: counts["series"].update(mood=[[1, [1, 1, 1]]]),
    "a series of nothing": lambda counts: counts["series"].update(best=[[1, [1, 0, 1]]]),
    "a step that does not exist": lambda counts: counts.update(decided=[[99_999, 20]]),
    "steps that nobody watched": lambda counts: counts.update(steps=[[1, 5]]),
    "a row that does not exist": lambda counts: counts.update(rows=[[["none", "none"], 5]]),
    "an option that does not exist": lambda counts: counts.update(taken=[[[99_999, "hold"], 5]]),
    "a length beyond all": lambda counts: counts.update(lengths=[[10**7, 20]], decisions=20 * 10**7),
    "a seat too many": lambda counts: counts["wins_by_seat"].append(0),
    "more games than there can be": lambda counts: counts.update(_times(counts, 10**30)),
}


def _times(counts: Any, factor: int) -> dict[str, Any]:
    """Return the same counts of so many times as many games: all of them agree with each other."""
    data: dict[str, Any] = {}
    for name, value in counts.items():
        if isinstance(value, int):
            data[name] = value * factor
        elif name == "wins_by_seat":
            data[name] = [each * factor for each in value]
        elif isinstance(value, list):
            data[name] = [[key, times * factor] for key, times in value if isinstance(times, int)]
        elif name == "measures":
            data[name] = {key: [[each, times * factor] for each, times in inner] for key, inner in value.items()}
    return data


@pytest.mark.parametrize("forged", FORGED)
def test_counts_agree_with_each_other_and_with_the_rules(
    pig: Ruleset, tmp_path: Path, forged: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run = begin_run(pig)
    for _ in iterate_steps(pig, run, games=20):
        pass
    data = json.loads(_file_of(run, pig, tmp_path))
    FORGED[forged](data["counts"])
    file = tmp_path / "run.json"
    file.write_text(_signed(data))
    assert main(["simulate", "pig/classic", "--games", "30", "--resume", str(file)]) == 1
    err = capsys.readouterr().err
    assert "error[no-run]" in err
    assert "is not a saved run, or is damaged" in err


@pytest.mark.parametrize("reference", EVERYTHING)
@pytest.mark.parametrize("coverage", [False, True])
def test_the_counts_of_real_runs_agree(reference: str, coverage: bool, tmp_path: Path) -> None:
    rules = load_ruleset(reference)
    run = begin_run(rules, coverage=coverage)
    for _ in iterate_steps(rules, run, games=12):
        pass
    file = tmp_path / "run.json"
    Checkpoint(file, rules).write(run)
    again = begin_run(rules, coverage=coverage)
    Checkpoint(file, rules).read_into(again)
    assert again.counts.to_plain() == run.counts.to_plain()
