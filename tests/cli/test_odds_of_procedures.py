"""`rulewright odds REF PROCEDURE`: what designers and programs read, and what is said where it cannot be."""

from __future__ import annotations

import csv
import json
from fractions import Fraction
from pathlib import Path

import pytest

from rulewright.cli.main import main

NORMAL = "fuzzy-knights/normal@1.0"
PIG = "pig/classic@1.0"


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["odds", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_numbers_as_a_chart(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    code, out, _ = call(capsys, NORMAL, "visit_resource", "coin", "size")
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "fuzzy-knights/normal@1.0.1 visit_resource: Opening a cache"
    assert lines[1].startswith("exact: ")
    assert lines[3:6] == ["coin (gained)", "1 to 12, mean 4.55, deviation 2.52", "quantiles: 5 % 1, 50 % 4, 95 % 9"]
    assert lines[7].split() == ["1", lines[7].split()[1], "11.67%", "100.00%"]
    assert [line.split()[0] for line in lines[-2:]] == ["Small", "Large"]
    assert [line.split()[-1] for line in lines[-2:]] == ["70.00%", "30.00%"]


def test_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, NORMAL, "determine_rarity", "--json")
    assert code == 0
    data = json.loads(out)
    assert (data["ruleset"], data["procedure"]) == ("fuzzy-knights/normal@1.0.1", "determine_rarity")
    assert data["exact"] is True
    assert data["samples"] is None
    assert data["branches"] > data["positions"] > 0
    (answer,) = data["answers"]
    assert answer["expression"] == "rarity"
    assert answer["outcomes"] == {
        "common": "7/10", "uncommon": "21/100", "rare": "63/1000", "epic": "189/10000", "legendary": "81/10000"
    }  # fmt: skip
    assert answer["words"]["common"] == "Common"


def test_sampled_data_has_intervals(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = (
        "game",
        "winners",
        "--given",
        "players=[{score: 90}, {score: 88}]",
        "--most",
        "200",
        "--precision",
        "0.1",
    )
    code, out, _ = call(capsys, PIG, *arguments, "--seed", "7", "--json")
    assert code == 0
    data = json.loads(out)
    assert data["exact"] is False
    assert data["samples"] > 0
    assert "still to follow" in data["too_large"]
    (answer,) = data["answers"]
    for who, (low, high) in answer["intervals"].items():
        assert low <= Fraction(answer["outcomes"][who]) <= high
        assert high - low <= 0.1
    assert call(capsys, PIG, *arguments, "--seed", "7", "--json")[1] == out
    assert call(capsys, PIG, *arguments, "--seed", "8", "--json")[1] != out
    _, output, _ = call(capsys, PIG, *arguments)
    assert "too large for exact odds" in output
    assert "95 % confidence intervals" in output


def test_what_nobody_asked_for_is_not_said_to_be_asked_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulewright.analysis.odds.procedure_odds.MOST_STOPS", 1000)
    _, output, _ = call(capsys, PIG, "game", "--most", "50")
    assert "but 0.02 is the goal (`--precision`)" in output
    _, output, _ = call(capsys, PIG, "game", "--most", "50", "--precision", "0.01")
    assert "but 0.01 was requested" in output


POT = (PIG, "game", "pot", "--until", "pot >= 20", "--policy", "take:roll")


def test_what_is_asked_by_a_number_is_told_and_is_data(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--at-least", "23", "--at-most", "20", "--quantiles", "0.9")
    _, out, _ = call(capsys, *POT, *arguments, "--decimals", "1", "--view", "most")
    assert "quantiles: 90 % 24" in out
    assert "at least 23: 28.4%\nat most 20: 26.6%" in out
    assert "at most\n20" in out
    _, out, _ = call(capsys, *POT, *arguments, "--json")
    data = json.loads(out)["answers"][0]
    chances = {int(pot): Fraction(chance) for pot, chance in data["outcomes"].items()}
    assert Fraction(data["at_least"]["23"]) == sum(chance for pot, chance in chances.items() if pot >= 23)
    assert Fraction(data["at_most"]["20"]) == chances[20]
    assert data["quantiles"] == {"9/10": 24}


def test_a_table_and_a_picture_of_a_procedure(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    _, out, _ = call(capsys, *POT, "--csv", "--decimals", "3")
    rows = list(csv.reader(out.splitlines()))
    assert rows[0] == ["asked", "answer", "chance", "at least", "at most"]
    assert rows[1] == ["pot", "20", "0.266", "1.000", "0.266"]
    assert rows[-1] == ["pot >= 20", "yes", "1.000", "", ""]
    _, out, _ = call(capsys, *POT, "--svg", str(tmp_path / "pot.svg"))
    assert (out, "<title>The chance: pot</title>" in (tmp_path / "pot.svg").read_text()) == ("", True)


def test_policies_change_the_odds(capsys: pytest.CaptureFixture[str]) -> None:
    given = ("--given", "attacker={player: 1, heroes: [{}], units: 3}", "--given", "defender={units: 6}")
    won = {}
    for policy in ("strike=most", "strike=least", "random", "best", "worst"):
        _, out, _ = call(capsys, NORMAL, "battle", "won", *given, "--policy", policy, "--json")
        won[policy] = Fraction(json.loads(out)["answers"][0]["outcomes"].get("yes", "0"))
    assert won["best"] > won["strike=most"] > won["strike=least"] > won["worst"]
    assert won["worst"] < won["random"] < won["best"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([NORMAL, "visit_mien"], "did you mean `visit_mine`"),
        ([NORMAL, "visit_mine", "con"], "did you mean `coin`?"),
        ([NORMAL, "visit_mine", "coin +"], "a value is missing"),
        ([NORMAL, "visit_mine", "coin", "--policy", "bset"], "there is no policy `bset`; did you mean `best`?"),
        (
            [NORMAL, "visit_mine", "coin", "--policy", "strik=most"],
            "no step `strik` asks for a decision; did you mean `strike`?",
        ),
        ([NORMAL, "visit_mine", "coin", "--policy", "9=most"], "there is no player 9: seats are numbered from 1 to 2"),
        ([NORMAL, "visit_mine", "coin", "--policy", "most:3"], "`most` takes no setting"),
        ([NORMAL, "visit_mine", "coin", "--policy", "take"], "`take` needs the id of an option"),
        ([NORMAL, "visit_mine", "coin", "--given", "mien={}"], "did you mean `mine`?"),
        ([NORMAL, "visit_mine", "coin", "--given", "mine=[}"], "error["),
        ([NORMAL, "visit_mine", "coin", "--option", "itmes=cards"], "did you mean `items`?"),
        ([NORMAL, "visit_mine", "coin", "--players", "9"], "is for 2 to 4 players, not 9"),
        ([NORMAL, "visit_item", "card", "--policy", "best"], "which cannot be maximized"),
        ([PIG, "game", "--policy", "best", "--most", "300"], "allow more branches"),
        ([NORMAL, "visit_mine", "coin", "--policy", "take:figth"], "did you mean `fight`?"),
        ([NORMAL, "visit_mine", "coin", "--policy", "take:mien-1"], "no decision in the rules offers `mien-1`"),
        ([NORMAL, "visit_mine", "coin", "--policy", "most", "--policy", "least"], "two policies of everybody"),
        ([NORMAL, "visit_mine", "coin", "--policy", "1=most", "--policy", "1=least"], "two policies of `1`"),
        ([NORMAL, "visit_item", "card", "--choose", "leave"], "no decision is left for the last choice of the script"),
        ([PIG, "game", "--choose", "rol"], "did you mean `roll`?"),
    ],
)
def test_what_cannot_be_asked(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = call(capsys, *arguments)
    assert (code, out) == (1, "")
    assert message in err


@pytest.mark.parametrize(
    "arguments",
    [
        ["2d6", "--policy", "best"],
        [NORMAL, "guardian_check", "--most", "4"],
        [NORMAL, "visit_mine", "--most", "none"],
        [NORMAL, "visit_mine", "--precision", "2"],
        [NORMAL, "visit_mine", "--given", "mine"],
        [NORMAL, "visit_mine", "--option", "items"],
        [*POT, "--transposed"],
        [*POT, "--csv", "--at-least", "3"],
        [*POT, "--csv", "--json"],
        [NORMAL, "determine_rarity", "--at-least", "3"],
        [NORMAL, "determine_rarity", "--svg", "odds.svg"],
    ],
)
def test_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["odds", *arguments])
    assert ended.value.code == 2
    assert "usage: rulewright odds" in capsys.readouterr().err


def test_help_tells_every_policy(capsys: pytest.CaptureFixture[str]) -> None:
    from rulewright.analysis.odds import policies

    with pytest.raises(SystemExit):
        main(["odds", "--help"])
    out = capsys.readouterr().out
    for name in policies.list_names():
        assert f"  {name} " in out
        assert policies.get_help(name) in out
