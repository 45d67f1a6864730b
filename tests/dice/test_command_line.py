"""`rulewright roll` and `rulewright odds`: what people and programs read, and the exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fractions import Fraction

import pytest

from rulewright.cli.chart import MOST_ROWS, chart, percent
from rulewright.cli.main import main
from rulewright.dice.distribution import distribution
from rulewright.dice.parse import parse


def rulewright(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the program as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "rulewright.cli.main", *arguments],
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )


def test_odds_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "5d6+15", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert list(data) == ["expression", "min", "max", "mean", "variance", "outcomes"]
    assert (data["expression"], data["min"], data["max"]) == ("5d6 +15", 20, 45)
    assert (data["mean"], data["variance"]) == ("65/2", "175/12")
    assert list(data["outcomes"]) == [str(outcome) for outcome in range(20, 46)]
    assert data["outcomes"]["20"] == "1/7776"
    assert sum(Fraction(chance) for chance in data["outcomes"].values()) == 1


def test_rolls_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["roll", "2d6 +6 + 1d8", "--seed", "7", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert list(data) == ["expression", "total", "rolls"]
    assert [len(pool) for pool in data["rolls"]] == [2, 1]
    assert data["total"] == sum(map(sum, data["rolls"])) + 6
    assert main(["roll", "2d6 +6 + 1d8", "--seed", "7", "--times", "3", "--json"]) == 0
    several = json.loads(capsys.readouterr().out)
    assert len(several) == 3
    assert several[0] == data


def test_rolls_to_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["roll", "4d6kh3", "--seed", "7", "--times", "2"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("🎲 4d6kh3  [")
    assert first.count("(") == second.count("(") == 1
    assert main(["roll", "4d6kh3"]) == 0


def test_odds_to_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "1d6 +1 + 1d6"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "🎲 1d6 +1 + 1d6  =  2d6 +1"
    assert lines[1] == "3 to 13, mean 8, deviation 2.42"
    assert lines[-1].split()[0] == "13"
    assert lines[-1].split()[-2:] == ["2.78%", "2.78%"]


def test_odds_of_a_comparison_say_yes_and_no(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "5d6 +15 > 7d6 +21"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].split()[0] == "yes"
    assert lines[-1].split()[-1] == "1.05%"


@pytest.mark.parametrize("text", ["1d6", "200d6", "1000d6", "1d1000", "3d100kh2", "7", "1000000 * 1d100"])
@pytest.mark.parametrize("width", [50, 80, 120])
def test_a_chart_fits_and_says_what_it_joins(text: str, width: int) -> None:
    odds = distribution(parse(text))
    lines = chart(odds, width=width, blocks=True)
    assert all(len(line) <= width for line in lines[: len(odds) + 1] if "outcomes" not in line)
    if len(odds) > MOST_ROWS:
        assert len(lines) <= MOST_ROWS + 3
        assert lines[-1].startswith(f"{len(odds)} outcomes, shown")
    else:
        assert len(lines) == len(odds) + 1


def test_percentages() -> None:
    chances = [Fraction(0), Fraction(1, 10**9), Fraction(1, 3), Fraction(1, 8), 1 - Fraction(1, 10**9), Fraction(1)]
    assert [percent(chance) for chance in chances] == ["0.00%", "<0.01%", "33.33%", "12.50%", ">99.99%", "100.00%"]


def test_a_plain_terminal_gets_plain_bars() -> None:
    done = rulewright("odds", "2d6", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii()
    assert "####" in done.stdout


def test_a_roll_that_is_wrong_is_shown_with_its_place() -> None:
    done = rulewright("odds", "999999999d6")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "error[dice-limit]: 999999999 dice are more than the 10000 allowed\n"
        "  | 999999999d6\n"
        "  | ^^^^^^^^^\n"
        "  = help: limits keep every answer quick; a program that embeds the dice can set others\n"
    )


@pytest.mark.parametrize("verb", ["roll", "odds"])
@pytest.mark.parametrize("text", ["(" * 5_000, "9" * 5_000, "", "1d6/0", "d6r1", "\ud800"])
def test_no_input_is_a_traceback(verb: str, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([verb, text]) == 1
    assert capsys.readouterr().err.startswith("error[dice-")


@pytest.mark.parametrize("text", ["-1d6", "-d6", "-(2d6) +3", "-(2d6)+3", "-dQ", "-max(1d4,1d6)"])
@pytest.mark.parametrize("verb", ["roll", "odds"])
def test_a_roll_that_begins_with_a_minus_is_no_option(verb: str, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    main([verb, text])
    shown, error = capsys.readouterr()
    assert "🎲 -" in shown or "there is no die dQ" in error


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["5d6", "3d8"], 'to compare two, write "5d6 > 3d8"'),
        (["5d6", ">", "3d8"], 'quote a roll with blanks: "5d6 > 3d8"'),
        (["2d6", "+6"], 'quote a roll with blanks: "2d6 +6"'),
        (["fuzzy-knights/normal", "dP", ">", "50"], 'quote a roll with blanks: fuzzy-knights/normal "dP > 50"'),
    ],
)
def test_two_rolls_are_not_told_to_be_one(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["roll", *words])
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "chance"),
    [
        ("dP > 50", "1/2"),
        ("2dP +3 >= dP", "22/25"),
        ("max(1dP, 2dP) > 60", "91/100"),
        ("settlement_tiers.villa.base_roll > 2d6 +9", None),
        ("hero_cost > 1d6", None),
    ],
)
def test_dice_of_a_ruleset_are_compared(text: str, chance: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "fuzzy-knights/normal", text, "--json"]) == 0
    outcomes = json.loads(capsys.readouterr().out)["outcomes"]
    assert set(outcomes) <= {"0", "1"}
    assert chance is None or outcomes["1"] == chance


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["dP > 50"], "rulewright odds GAME/EDITION ROLL"),
        (["fuzzy-knights/normal", "d% > 50"], "write `dP > 50`"),
        (["fuzzy-knights/normal", "1 < dP < 50"], "comparisons do not chain"),
        (["fuzzy-knights/normal", "dQ > 50"], "there is no die dQ"),
    ],
)
def test_dice_that_cannot_be_compared_are_told_what_to_do(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["odds", *words]) == 1
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["dance"],
        ["odds"],
        ["odds", "2d6", "+6"],
        ["roll", "2d6", "+6"],
        ["roll", "2d6", "--times", "0"],
        ["roll", "2d6", "--seed", "x"],
        ["roll", "2d6", "--seed", "9" * 5_000],
    ],
)
def test_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        main(arguments)
    assert raised.value.code == 2
    assert "usage: rulewright" in capsys.readouterr().err


@pytest.mark.parametrize("verb", ["roll", "odds"])
def test_help_has_an_example(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        main([verb, "--help"])
    assert raised.value.code == 0
    assert f"example:\n  rulewright {verb} " in capsys.readouterr().out


def test_help_imports_no_parser() -> None:
    code = "import sys, rulewright.cli.main as m\ntry: m.main(['--help'])\nexcept SystemExit: pass\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {"lark", "yaml", "jsonschema", "jinja2"}.isdisjoint(done.stdout.split())


def test_a_reader_that_stops_reading_is_no_error() -> None:
    command = [sys.executable, "-m", "rulewright.cli.main", "roll", "1d6", "--times", "100000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141
