"""`rulewright roll` and `rulewright odds`: what people and programs read, and the exit codes."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from rulewright.base.number_format import format_percent
from rulewright.cli.bar_chart import MOST_ROWS, draw_chart
from rulewright.cli.main import main
from rulewright.dice.exact.compute_distribution import compute_distribution
from rulewright.dice.parser.notation import parse


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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(10d6 >= 5) >= 3", "count(10d6 >= 5) >= 3"),
        ("(1d20 >= 5) < 2", "1d20 >= 5 is 1 for yes or 0 for no, and this compares it with 2"),
        ("10d6 >= 5", "to count the dice that match, write count(10d6 >= 5)"),
        ("4d6kh3 > 7", "to count the dice that match, write count(4d6kh3 > 7)"),
        ("10d10kh5 > 7", "to count the dice that match, write count(10d10kh5 > 7)"),
        ("{3d6, 2d8} > 5", "to count the dice that match, write count({3d6, 2d8} > 5)"),
        ("4d6kh1 > 5", ""),
        ("(10d6 >= 35) == 1", ""),
    ],
)
def test_a_yes_or_no_compared_with_what_it_cannot_be_is_told(
    text: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["odds", text]) == 0
    note = capsys.readouterr().out.splitlines()[1]
    assert message in note if message else not note


def test_exploding_dice_that_are_counted_are_told_of(capsys: pytest.CaptureFixture[str]) -> None:
    lines = []
    for counted in ("count(5d10! >= 8)", "count(5d10! == 10) >= 2", "count(5d10!{9} >= 8)", "count(5d10 >= 8)"):
        assert main(["odds", counted]) == 0
        output = [line for line in capsys.readouterr().out.splitlines() if "counts once, by its sum" in line]
        lines.append(output[0].partition(" counts separately: ")[2] if output else None)
    assert lines == ["5 times up(1d{0: 7, 2: 2, 3: 1}! / 3)", "5d{0: 9, 1: 1}!", "", None]
    # Each die of an explosion hits with 3 of 10, and there are 1 + 1/10 + 1/100 + … of them.
    assert main(["odds", str(lines[0]), "--json"]) == 0
    mean = Fraction(json.loads(capsys.readouterr().out)["mean"])
    assert mean == 5 * Fraction(3, 10) * sum(Fraction(1, 10**depth) for depth in range(11))


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        (
            "5d6!kh3",
            "5d{0: 5, 1: 1}! as n: 18 if n >= 3 else 12 + 5d5kh1 if n == 2 else 6 + 5d5kh2 if n == 1 else 5d5kh3",
        ),
        ("4d6!kl2", "4d5kl2"),
        ("4d6!x1kl2", ""),
        ("4d6!x1kh3", ""),
        ("5d6!{5, 6}kh3", ""),
        ("5d6!dl1dh1", ""),
        ("5d6!", None),
        ("5d6ro1kh3", None),
    ],
)
def test_exploding_dice_that_are_kept_are_told_of(
    text: str, instead: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["odds", text]) == 0
    output = [line for line in capsys.readouterr().out.splitlines() if "is kept or dropped whole, by its sum" in line]
    assert [line.partition(" is a separate die: ")[2] for line in output] == ([] if instead is None else [instead])


def test_odds_of_a_comparison_say_yes_and_no(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "5d6 +15 > 7d6 +21"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].split()[0] == "yes"
    assert lines[-1].split()[-1] == "1.05%"


@pytest.mark.parametrize("text", ["1d6", "200d6", "1000d6", "1d1000", "3d100kh2", "7", "1000000 * 1d100"])
@pytest.mark.parametrize("width", [50, 80, 120])
def test_a_chart_fits_and_says_what_it_joins(text: str, width: int) -> None:
    odds = compute_distribution(parse(text))
    lines = draw_chart(odds, width=width, blocks=True)
    assert all(len(line) <= width for line in lines[: len(odds) + 1] if "outcomes" not in line)
    if len(odds) > MOST_ROWS:
        assert len(lines) <= MOST_ROWS + 3
        assert lines[-1].startswith(f"{len(odds)} outcomes, shown")
    else:
        assert len(lines) == len(odds) + 1


def test_percentages() -> None:
    chances = [Fraction(0), Fraction(1, 10**9), Fraction(1, 3), Fraction(1, 8), 1 - Fraction(1, 10**9), Fraction(1)]
    assert [format_percent(chance) for chance in chances] == [
        "0.00%",
        "<0.01%",
        "33.33%",
        "12.50%",
        ">99.99%",
        "100.00%",
    ]


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
        "  = help: the limits keep every answer fast; a program that embeds the dice can set its own\n"
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
    streams, error = capsys.readouterr()
    assert "🎲 -" in streams or "there is no die dQ" in error


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["5d6", "3d8"], 'to compare two, write "5d6 > 3d8"'),
        (["d6/d4", "d6"], 'to compare two, write "d6/d4 > d6"'),
        (["5d6", ">", "3d8"], 'a roll with spaces must be in quotes: "5d6 > 3d8"'),
        (["2d6", "+6"], 'a roll with spaces must be in quotes: "2d6 +6"'),
        (
            ["fuzzy-knights/normal", "dP", ">", "50"],
            'a roll with spaces must be in quotes: fuzzy-knights/normal "dP > 50"',
        ),
    ],
)
def test_two_rolls_are_not_told_to_be_one(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["roll", *words])
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["2d6", "3dX"], "there is no die dX\n  | 3dX\n  |  ^^"),
        (["3dX", "2d6"], "there is no die dX\n  | 3dX\n  |  ^^"),
        (["dX > 50", "2d6"], "there is no die dX\n  | dX > 50\n  | ^^"),
        (["2d6", "d6d6"], "\n  | d6d6\n  |   ^^\n  = help: write `d6 + d6`"),
        (["2d6", ">", "3dX"], "there is no die dX\n  | 2d6 > 3dX\n  |        ^^"),
        (["2d6 >", "d6d6"], "\n  | 2d6 > d6d6\n  |         ^^"),
        (["fuzzy-knights/normal", "2dP", "3dX"], "there is no die dX"),
        (["fuzzy-knights/normal", "dP", ">", "dX"], "there is no die dX"),
    ],
)
@pytest.mark.parametrize("verb", ["roll", "odds"])
def test_of_several_rolls_the_fault_is_told(
    verb: str, words: list[str], shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([verb, *words]) == 1
    error = capsys.readouterr().err
    assert shown in error
    assert "quote" not in error


@pytest.mark.parametrize(
    "arguments",
    [
        ["game", "-pot", "--until", "pot >= 1"],
        ["game", "--until", "pot >= 1", "-pot"],
        ["--until", "pot >= 1", "game", "-pot"],
    ],
)
def test_an_expression_that_begins_with_a_minus_is_no_option(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["odds", "pig/classic", *arguments, "--json"]) == 0
    answers = {answer["expression"]: answer for answer in json.loads(capsys.readouterr().out)["answers"]}
    # The first roll but a one is in the pot where it first holds anything.
    assert answers["-pot"]["outcomes"] == dict.fromkeys(["-2", "-3", "-4", "-5", "-6"], "1/5")


def test_a_misspelt_option_is_no_expression(capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("-seed", "-until=pot", "--untill"):
        with pytest.raises(SystemExit):
            main(["odds", "pig/classic", "game", "pot", option])
        assert f"unrecognized arguments: {option}" in capsys.readouterr().err


def test_options_may_stand_between_rolls(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "2d6", "--csv", "3d6"]) == 0
    assert capsys.readouterr().out.startswith("outcome,2d6,3d6\n")


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
    ("text", "plain"),
    [
        ("count(9d6 >= goal)", "count(9d6 >= 100)"),
        ("count(9d6 >= 4) + die", "count(9d6 >= 4) + 1d6"),
        ("(1d6 + 96 >= goal) * 2", "(1d6 + 96 >= 100) * 2"),
        ("die as x: x * x", "1d6 as x: x * x"),
        ("die as goal: goal * 2", "1d6 as x: x * 2"),
        ("6 times die", "6 times 1d6"),
        ("(goal)d6", "(100)d6"),
        ("{die, 3d6}kh1", "{1d6, 3d6}kh1"),
        ("up((2d6+goal)/2)", "up((2d6+100)/2)"),
        ("2 if die > 3 else goal", "2 if 1d6 > 3 else 100"),
    ],
)
def test_a_figure_of_the_rules_may_stand_where_a_number_may(
    text: str, plain: str, capsys: pytest.CaptureFixture[str]
) -> None:
    outcomes = []
    for words in (["pig/classic@1.0", text], [plain]):
        assert main(["odds", *words, "--json"]) == 0
        outcomes.append(json.loads(capsys.readouterr().out)["outcomes"])
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("count(9d6 >= pot)", "this depends on the state of a game, but its value must be fixed"),
        ("1d6 > pot", "this depends on the state of a game, but its value must be fixed"),
        ("count(9d6 >= goal", "--> <count(9d6 >= goal>"),
        ("die as x: y", "there is no roll called `y`"),
        ("count(9d6 >= gaol)", "nothing here is called `gaol`"),
        ("{die + goal}kh1", "this is a single result, not several dice to choose from"),
    ],
)
def test_what_is_no_figure_is_told_in_the_whole_text(
    text: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["odds", "pig/classic@1.0", text]) == 1
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["dP > 50"], '`rulewright odds fuzzy-knights/medium "dP > 50"`'),
        (["2d6", "3dP"], "dP is a die of `fuzzy-knights/medium` and `fuzzy-knights/normal`"),
        (["dX > 50"], "`GAME/EDITION ROLL`"),
        (["fuzzy-knights/normal", "d% > 50"], "write `dP > 50`"),
        (["fuzzy-knights/normal", "1 < dP < 50"], "comparisons do not chain"),
        (["fuzzy-knights/normal", "dQ > 50"], "there is no die dQ"),
    ],
)
def test_dice_that_cannot_be_compared_are_told_what_to_do(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["odds", *words]) == 1
    assert message in capsys.readouterr().err


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


def chances(data: dict[str, Any]) -> dict[int, Fraction]:
    return {int(outcome): Fraction(chance) for outcome, chance in data["outcomes"].items()}


def test_several_rolls_stand_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "2d4", "1d8", "7d6/2"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == ["2d4", "1d8", "7d6/2"]
    assert lines[1] == ["mean", "5", "4.5", "12"]
    assert next(line for line in lines if line[0] == "1") == ["1", "12.50%"]
    assert next(line for line in lines if line[0] == "4")[:3] == ["4", "18.75%", "12.50%"]
    assert main(["odds", "2d4", "1d8", "7d6/2", "--transposed", "--view", "least"]) == 0
    output = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line[:3] for line in output[1:]] == [
        ["2d4", "5", "1.58"],
        ["1d8", "4.5", "2.29"],
        ["7d6/2", "12", "2.27"],
    ]
    assert main(["odds", "2d4", "1d8", "--json"]) == 0
    several = json.loads(capsys.readouterr().out)
    assert [data["expression"] for data in several] == ["2d4", "1d8"]
    assert chances(several[0])[5] == Fraction(1, 4)


@pytest.mark.parametrize("view", ["chance", "least", "most"])
def test_tables_for_spreadsheets_say_what_the_data_say(view: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "2d6", "4d6kh3", "--csv", "--view", view, "--decimals", "12"]) == 0
    head, *rows = csv.reader(capsys.readouterr().out.splitlines())
    assert head == ["outcome", "2d6", "4d6kh3"]
    for place, roll in enumerate(head[1:], start=1):
        assert main(["odds", roll, "--json"]) == 0
        exact = chances(json.loads(capsys.readouterr().out))
        for row in rows:
            expected = {
                "chance": exact.get(int(row[0]), Fraction(0)),
                "least": sum((chance for face, chance in exact.items() if face >= int(row[0])), Fraction(0)),
                "most": sum((chance for face, chance in exact.items() if face <= int(row[0])), Fraction(0)),
            }[view]
            assert abs(Fraction(row[place]) - expected) <= Fraction(1, 2 * 10**12)
    assert main(["odds", "2d6", "--csv"]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == ["outcome,chance,at least,at most", TWO]


TWO = "2,0.0277777778,1.0000000000,0.0277777778"


def test_what_is_asked_by_a_number_is_answered(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--at-least", "11", "--at-most", "3", "--quantiles", "5%,0.5,1", "--decimals", "5"]
    assert main(["odds", "2d6", *arguments]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2:5] == ["at least 11: 8.33333%", "at most 3: 8.33333%", "quantiles: 5 % 3, 50 % 7, 100 % 12"]
    assert main(["odds", "2d6", "1d6", *arguments]) == 0
    output = capsys.readouterr().out
    assert [line.split() for line in output.splitlines()][3:] == [
        ["at", "least", "11", "8.33333%", "0.00000%"],
        ["at", "most", "3", "8.33333%", "50.00000%"],
        ["5", "%", "3", "1"],
        ["50", "%", "7", "3"],
        ["100", "%", "12", "6"],
    ]
    assert main(["odds", "2d6", "--json", *arguments]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["at_least"], data["at_most"]) == ({"11": "1/12"}, {"3": "1/12"})
    assert data["quantiles"] == {"1/20": 3, "1/2": 7, "1": 12}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--csv", "--at-least", "15"], "--csv shows every outcome, so it does not take --at-least"),
        (["--csv", "--at-most", "0"], "--csv shows every outcome, so it does not take --at-most"),
        (["--csv", "--quantiles", "0.5"], "--csv shows every outcome, so it does not take --quantiles"),
        (["--svg", "odds.svg", "--quantiles", "0.5"], "--svg shows every outcome"),
        (["--json", "--csv"], "--json and --csv are different formats: use only one of them"),
    ],
)
@pytest.mark.parametrize("rolls", [["3d6"], ["3d6", "4d6kh3"]])
def test_nothing_that_is_asked_for_is_left_out_unsaid(
    rolls: list[str],
    options: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as raised:
        main(["odds", *rolls, *options])
    assert raised.value.code == 2
    streams, error = capsys.readouterr()
    assert message in error
    assert not streams
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("rolls", [["2d6"], ["2d6", "1d12", "max(1d6, 1d20) > 3"]])
def test_a_picture_shows_every_outcome(rolls: list[str], tmp_path: Path) -> None:
    file = tmp_path / "odds.svg"
    assert main(["odds", *rolls, "--svg", str(file), "--view", "most"]) == 0
    drawn = ElementTree.fromstring(file.read_text(encoding="utf-8"))
    space = "{http://www.w3.org/2000/svg}"
    bars, lines = drawn.findall(f"{space}rect[{space}title]"), drawn.findall(f"{space}path[@fill='none']")
    assert (len(bars), len(lines)) == ((11, 0) if len(rolls) == 1 else (0, 3))
    assert set(rolls) <= {text.text for text in drawn.iter(f"{space}text")}


def test_odds_that_are_too_large_are_counted_and_said_to_be(capsys: pytest.CaptureFixture[str]) -> None:
    large = "alike({30d100 + 30d90 + 30d80 + 30d70})"
    assert main(["odds", large, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert "steps of work" in data["too_large"]
    assert sum(chances(data).values()) == 1
    assert all(low <= float(chances(data)[int(each)]) <= high for each, (low, high) in data["intervals"].items())
    assert main(["odds", large]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].startswith("too large for exact odds: ")
    assert lines[3] == f"sampled: {data['samples']:,} rolls; intervals are 95 % confidence intervals"


@pytest.mark.parametrize(
    ("roll", "fewer"), [("50d10!kh20", True), ("1d100 as x: 1d100 as y: 1d100 as z: x * y + z", False)]
)
def test_what_takes_long_to_roll_is_sampled_less_often(
    roll: str, fewer: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["odds", roll, "--json"])
    samples = json.loads(capsys.readouterr().out)["samples"]
    assert (samples == 20_000) if fewer else (samples == 100_000)


@pytest.mark.parametrize(
    ("roll", "mean", "reach"),
    [
        ("((1d100)d100)d100", Fraction(101, 2) ** 3, 100**3),
        ("(((1d20)d20)d20)d6", Fraction(21, 2) ** 3 * Fraction(7, 2), 48_000),
    ],
)
def test_dice_whose_number_is_rolled_are_sampled_by_how_many_come_up(
    roll: str, mean: Fraction, reach: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["odds", roll, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert "steps of work" in data["too_large"]
    assert 1_000 <= data["samples"] < 10_000
    assert data["reach"][1] == reach
    assert abs(Fraction(data["mean"]) - mean) <= 2 * data["mean_within"]


def test_more_dice_than_could_be_sampled_are_told_as_such(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "(((1d100)d100)d100)d100"]) == 1
    assert "1010101 dice are more than the 100000 allowed" in capsys.readouterr().err


def test_a_sampled_mean_is_about_and_the_range_is_the_true_one(capsys: pytest.CaptureFixture[str]) -> None:
    product = "100d100 * 100d100 * 100d100"
    assert main(["odds", product]) == 0
    head = capsys.readouterr().out.splitlines()[1]
    text = r"1000000 to 1000000000000, mean about ([0-9.]+) \(within ([0-9.]+)\), deviation about [0-9.]+"
    match = re.fullmatch(text, head)
    assert match is not None
    true_mean = 5_050**3  # of independent rolls the means are multiplied
    assert abs(float(match[1]) - true_mean) <= float(match[2]) < 1e9
    assert main(["odds", product, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["reach"] == [100**3, 10_000**3]
    assert data["mean_within"] == pytest.approx(float(match[2]), abs=0.001)
    assert main(["odds", product, "3d6"]) == 0
    assert next(line for line in capsys.readouterr().out.splitlines() if "mean" in line).count("about") == 1


def test_a_range_that_is_not_known_is_told_as_what_came_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "abs(100d100 * 100d100 * 100d100)"]) == 0
    assert " came up (bounds: 0 to 1000000000000), mean about " in capsys.readouterr().out


def test_results_kept_apart_are_told_one_by_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "3 times 1d6"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    at = lines.index(["highest", "2nd", "lowest"])
    assert lines[at + 3] == ["1", "0.46%", "7.41%", "42.13%"]
    assert main(["roll", "3 times 2d6", "--seed", "7", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["apart"] == sorted(map(sum, data["rolls"]), reverse=True)


@pytest.mark.parametrize(
    ("roll", "message"),
    [
        ("4d6!", "d6! explodes at most 10 times; for another limit, add x and a number"),
        ("6d10 > 7", "this compares the sum of the dice; to count the dice that match, write count(6d10 > 7)"),
    ],
)
def test_what_others_read_otherwise_is_said(roll: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", roll]) == 0
    assert message in capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    "arguments",
    [["--decimals", "x"], ["--decimals", "999"], ["--quantiles", "2"], ["--quantiles", "a"], ["--view", "all"]],
)
def test_wrong_ways_to_tell(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["odds", "2d6", *arguments])
    assert "usage: rulewright" in capsys.readouterr().err


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
