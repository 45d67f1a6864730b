"""What is said of sweeps, widths and runs that do not fit, word for word."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright import RulewrightError, load_ruleset
from rulewright.analysis.simulation.checkpoint import Checkpoint
from rulewright.analysis.simulation.metrics import parse_until
from rulewright.analysis.simulation.run_simulation import begin_run, iterate_steps
from rulewright.analysis.simulation.sweep import parse_sweep
from rulewright.ruleset.overlay import with_values
from tests.source.goldens import assert_golden

GOLDENS = Path(__file__).parent / "goldens"
RULES = "pig/classic@1.0"


def assert_told(name: str, call: Callable[[], object], folder: Path = Path()) -> None:
    with pytest.raises(RulewrightError) as error:
        call()
    assert_golden(name, str(error.value).replace(f"{folder}/", "") + "\n", folder=GOLDENS)


def test_a_path_to_nothing() -> None:
    assert_told("unknown_path.txt", lambda: with_values(load_ruleset(RULES), [("numbers.gaol", "50")]))


def test_a_value_that_changes_no_game() -> None:
    assert_told("idle_value.txt", lambda: with_values(load_ruleset(RULES), [("terms.pot.name", "Heap")]))


def test_a_sweep_that_says_a_value_twice() -> None:
    assert_told("sweep_twice.txt", lambda: parse_sweep("numbers.goal=50,100,50"))


def test_a_sweep_without_values() -> None:
    assert_told("bad_sweep.txt", lambda: parse_sweep("numbers.goal=50,,100"))


def test_a_width_of_nothing() -> None:
    assert_told("bad_until.txt", lambda: parse_until("decisions=none"))


def test_a_file_of_another_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rules, file = load_ruleset(RULES), Path("run.json")
    run = begin_run(rules)
    for _ in iterate_steps(rules, run, games=1):
        Checkpoint(file, rules).write(run)
    assert_told("other_run.txt", lambda: Checkpoint(file, rules).read_into(begin_run(rules, seed=7, coverage=True)))
    file.write_text(file.read_text()[:-20])
    assert_told("no_run.txt", lambda: Checkpoint(file, rules).read_into(begin_run(rules)))
