"""Answers that are kept beside the rules, and the page of the rulebook that shows them."""

from __future__ import annotations

import json
import os
import re
import zipfile
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from rulewright import load_ruleset
from rulewright.analysis.fairness.ask_questions import ask, to_data
from rulewright.base.resources import find_resource
from rulewright.book.rulebook import render_site
from rulewright.cli.main import main
from rulewright.ruleset.queries.fairness_results import FILE, find_results_file, read_results
from rulewright.source.diagnostics.collector import DiagnosticError
from tests.analysis.coin import written
from tests.source.goldens import assert_golden

GOLDENS = Path(__file__).parent / "goldens" / "kept_answers"
SHIPPED = sorted(find_resource("rules").rglob(FILE))


@pytest.fixture
def toss(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    folder = written(tmp_path)
    assert main(["fair", "test/toss", "--rules", str(folder), "--games", "20", "--keep"]) == 0
    assert f"saved to {folder / 'toss' / FILE}" in capsys.readouterr().out
    return folder


def changed(folder: Path, **values: Any) -> Path:
    path = folder / "toss" / FILE
    path.write_text(json.dumps(json.loads(path.read_text()) | values))
    return path


def plays(folder: Path) -> str:
    """Return the page with every answer: which of them a book may show is asked elsewhere."""
    with patch("rulewright.book.rulebook.select_trusted", lambda kept, _: kept["answers"]):
        return render_site(load_ruleset("test/toss", rules=folder))["plays.md"]


def test_what_is_kept_is_what_was_answered(toss: Path) -> None:
    ruleset = load_ruleset("test/toss", rules=toss)
    data = to_data(ruleset, [*ask(ruleset, games=20, seed=0, rules=(toss,))], seed="0", games=20)
    assert read_results(ruleset) == json.loads(json.dumps(data))


@pytest.mark.parametrize(
    ("secret", "games", "message"),
    [
        ("", "100", "the rulebook shows the answers on their own page"),
        ("", "20", "because answers from fewer than 100 games are uncertain"),
        (", card: {type: int, seen_by: self}", "100", "because bots that guess hidden information never bluff"),
    ],
)
def test_what_the_book_leaves_out_is_said_with_the_reason(
    secret: str, games: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = written(tmp_path)
    for path in folder.rglob("*.yaml"):
        path.write_text(path.read_text().replace("score: count}", f"score: count{secret}}}"))
    assert main(["fair", "test/toss", "--rules", str(folder), "--games", games, "--keep"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith(message)


def test_who_keeps_nothing_has_no_page(tmp_path: Path) -> None:
    ruleset = load_ruleset("test/toss", rules=written(tmp_path))
    assert read_results(ruleset) is None
    assert "plays.md" not in render_site(ruleset)


def test_the_page_says_every_answer_with_its_figures_and_commands(toss: Path) -> None:
    page = plays(toss)
    results = read_results(load_ruleset("test/toss", rules=toss))
    assert results is not None
    assert re.findall(r"<h2 [^>]*>(.*)</h2>", page) == [each["title"] for each in results["answers"]]
    shares = [
        figure for each in results["answers"] for figure in each["figures"] if figure["share"] and figure["interval"]
    ]
    assert page.count("<svg class") == len(shares) > 3
    assert page.count("<pre><code>") == sum(len(each["commands"]) for each in results["answers"]) > 3
    assert "before the rules were changed" not in page


def test_a_picture_shows_the_figure_where_it_is(toss: Path) -> None:
    figure = {"figure": "wins", "title": "A share", "value": 0.25, "interval": [0.2, 0.5], "share": True}
    answer = {
        "question": "seats",
        "title": "Who?",
        "for_designers": False,
        "says": ["So it is."],
        "figures": [figure],
        "commands": [],
    }
    changed(toss, answers=[answer])
    page = plays(toss)
    assert 'd="M40.0 8H100.0"' in page
    assert 'd="M50.0 1V15"' in page
    assert "20.0\N{NO-BREAK SPACE}% to 50.0\N{NO-BREAK SPACE}%" in page


def test_nothing_in_a_kept_file_is_more_than_text(toss: Path) -> None:
    evil = '<script>alert(1)</script> `<img src=x onerror=alert(1)>` {{ 7*7 }} **bold** " onclick="alert(1)'
    figure = {"figure": evil, "title": evil, "value": 5e300, "interval": [-9.0, 2.0], "share": True}
    answer = {
        "question": "seats",
        "title": evil,
        "for_designers": True,
        "says": [evil, evil],
        "figures": [figure],
        "commands": [evil],
    }
    changed(toss, answers=[answer], players=[evil], seed=evil, digest=evil)
    page = plays(toss)
    assert "<script>alert" not in page
    assert "<img" not in page
    assert 'onclick="' not in page
    assert page.count("{{ 7*7 }}") == page.count("7*7") > 4
    assert "before the rules were changed" in page


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "[]",
        "{",
        "nonsense",
        '{"format": 1}',
        "[" * 100_000,
        '{"format": NaN}',
    ],
)
def test_what_cannot_be_read_is_told(toss: Path, damage: str, capsys: pytest.CaptureFixture[str]) -> None:
    (toss / "toss" / FILE).write_text(damage)
    assert main(["check", "test/toss", "--rules", str(toss)]) == 1
    error_text = capsys.readouterr().err
    assert "damaged-answers" in error_text
    assert f"{FILE}:1:1" in error_text
    with pytest.raises(DiagnosticError):
        plays(toss)


@pytest.mark.parametrize(
    "values",
    [
        {"games": "many"},
        {"games": 0},
        {"format": 2},
        {"answers": [{"question": "a b"}]},
        {"players": []},
        {"seed": None},
    ],
)
def test_every_value_has_its_type(toss: Path, values: dict[str, Any]) -> None:
    changed(toss, **values)
    with pytest.raises(DiagnosticError):
        read_results(load_ruleset("test/toss", rules=toss))


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo])
def test_a_folder_or_a_pipe_is_no_file_of_answers(tmp_path: Path, make: Callable[[Path], None]) -> None:
    folder = written(tmp_path)
    make(folder / "toss" / FILE)
    with pytest.raises(DiagnosticError, match="has no valid results"):
        read_results(load_ruleset("test/toss", rules=folder))


def test_diagnostics_of_kept_answers(toss: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = changed(toss, digest="0123")
    digest = load_ruleset("test/toss", rules=toss).digest
    assert main(["check", "test/toss", "--rules", str(toss)]) == 0
    stale = capsys.readouterr().err.replace(f"{toss}/", "").replace(digest, "…")
    assert_golden("stale_answers.txt", stale, folder=GOLDENS)
    path.write_text('{"format": 1}')
    assert main(["check", "test/toss", "--rules", str(toss)]) == 1
    assert_golden("damaged_answers.txt", capsys.readouterr().err.replace(f"{toss}/", ""), folder=GOLDENS)


COMMANDS = [["fair", "--keep"], ["train"], ["check", "--fix", "--yes"], ["check", "--sign"], ["release"]]


@pytest.mark.parametrize("command", COMMANDS)
def test_what_would_be_lost_with_a_zip_is_refused(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packed = tmp_path / "toss.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for path in (written(tmp_path) / "toss").iterdir():
            archive.write(path, f"toss/{path.name}")
    assert main([*command, "test/toss", "--rules", str(packed)]) == 1
    assert "these rules come from a zip" in capsys.readouterr().err


def test_a_change_is_not_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = written(tmp_path)
    with pytest.raises(SystemExit):
        main(["fair", "test/toss", "--rules", str(folder), "--keep", "--compare", "test/toss"])
    assert "leave out --compare" in capsys.readouterr().err
    assert not (folder / "toss" / FILE).exists()


def test_who_interrupts_keeps_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = written(tmp_path)

    def impatient(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr("rulewright.analysis.fairness.ask_questions.load_questions", impatient)
    assert main(["fair", "test/toss", "--rules", str(folder), "--keep"]) == 130
    assert "nothing was saved" in capsys.readouterr().out
    assert not (folder / "toss" / FILE).exists()


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.parent.name)
def test_what_is_shipped_was_played_by_the_rules_that_are_shipped(path: Path) -> None:
    ruleset = load_ruleset(json.loads(path.read_text(encoding="utf-8"))["ruleset"])
    assert find_results_file(ruleset).resolve() == path.resolve()
    results = read_results(ruleset)
    assert results is not None
    assert results["digest"] == ruleset.digest


def test_what_is_shipped_comes_again() -> None:
    ruleset = load_ruleset("pig/classic")
    results = read_results(ruleset)
    assert results is not None
    first_answers = [*islice(ask(ruleset, games=results["games"], seed=results["seed"]), 2)]
    answers = to_data(ruleset, first_answers, seed=results["seed"], games=results["games"])["answers"]
    assert [each["question"] for each in answers] == ["players", "advantage"]
    for again, before in zip(answers, results["answers"][:2], strict=True):
        assert again["says"] == before["says"]
        assert again["commands"] == before["commands"]
        for one, other in zip(again["figures"], before["figures"], strict=True):
            assert one["value"] == pytest.approx(other["value"])
            assert one["interval"] == pytest.approx(other["interval"])
