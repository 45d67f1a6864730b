"""Whoever interrupts a command is told what it had, and the exit code says that it was interrupted."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from rulewright.analysis.odds.procedure_odds import OddsQuery
from rulewright.book.changes import compare_rulesets
from rulewright.cli.main import main
from rulewright.testing import check_edition

INTERRUPTED = 130


def interrupting(function: Any, after: int) -> Any:
    """Return the function, interrupted when it is called once more than `after` times."""
    calls: list[None] = []

    def called(*arguments: Any, **named: Any) -> Any:
        calls.append(None)
        if len(calls) > after:
            raise KeyboardInterrupt
        return function(*arguments, **named)

    return called


def test_check_tells_of_the_editions_it_had_checked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], checkout: Path
) -> None:
    monkeypatch.setattr(check_edition, "check_edition", interrupting(check_edition.check_edition, 2))
    assert main(["check", "--rules", str(checkout / "rules")]) == INTERRUPTED
    err = capsys.readouterr().err
    assert err.count("✓") == 2
    assert re.search(r"interrupted: 2 of \d+ editions were checked", err)


def test_odds_that_are_sampled_tell_of_the_runs_until_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("odds", "pig/classic@1.0", "game", "winners", "--most", "10", "--precision", "0.0001")
    monkeypatch.setattr(OddsQuery, "run", interrupting(OddsQuery.run, 50))
    assert main(list(arguments)) == INTERRUPTED
    out = capsys.readouterr().out
    assert "sampled: 50 runs" in out
    assert "interrupted: an interval is" in out
    assert main(list(arguments)) == INTERRUPTED
    assert "interrupted before there was any result" in capsys.readouterr().err


def test_an_interrupted_comparison_is_none(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(compare_rulesets, "list_changes", interrupting(compare_rulesets.list_changes, 0))
    assert main(["diff", "pig/classic@1.0", "pig/classic@1.0"]) == INTERRUPTED
    assert capsys.readouterr().out == ""
