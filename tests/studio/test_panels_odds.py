"""Odds beside the text: the same as the command line's, before and after, also while the rules are broken."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.studio.panels.odds import PanelOdds, format_change
from tests.studio.conftest import RULES
from tests.studio.desk import Table

Printed = Callable[..., Any]
BELOW, HOUSE = "house/herd", "house/pigs"


def chances(side: dict[str, Any]) -> dict[str, str]:
    return {row["label"]: row["chance"] for row in side["rows"]}


def test_dice_at_the_cursor_are_told_beside_those_of_the_edition_below(table: Table, printed: Printed) -> None:
    response = table.ask("odds", "pigs/rules.yaml", "1d8")
    assert {label: chance for label, chance in chances(response["before"]).items() if chance != "0"} == printed(
        "odds", "1d6"
    )["outcomes"]
    assert chances(response["after"]) == printed("odds", "1d8")["outcomes"]
    assert (response["before"]["mean"], response["after"]["mean"]) == ("3.5", "4.5")
    assert response["words"] == "On average 4.5 instead of 3.5."
    assert response["thing"]["path"] == "numbers.die"
    assert response["thing"]["at"] == {
        "path": "pigs/rules.yaml",
        "line": 4,
        "column": 3,
        "layer": "house/pigs@0.1.0",
        "readonly": False,
    }


def test_a_table_is_told_by_its_rows_wherever_it_is_named(table: Table, printed: Printed) -> None:
    rows = printed("odds", HOUSE, "weather")["rows"]
    for mark in ("weather:", "weather}"):
        response = table.ask("odds", "pigs/rules.yaml", mark)
        assert chances(response["after"]) == rows
        assert sum(row["share"] for row in response["after"]["rows"]) == pytest.approx(1)
        assert response["before"] is None


def test_a_procedure_has_the_odds_that_the_command_line_gives_it(table: Table, printed: Printed) -> None:
    response = table.ask("odds", "pigs/rules.yaml", "steps:", ask=["who.score"], policy=["take:walk"])
    text = printed("odds", HOUSE, "outing", "who.score", "--policy", "take:walk")
    (answer,) = text["answers"]
    assert chances(response["after"]) == {key: chance for key, chance in answer["outcomes"].items() if chance != "0"}
    assert response["after"]["exact"] is text["exact"] is True
    assert response["thing"]["path"] == "procedures.outing"


LAYING = """\
procedures:
  lay:
    title: Laying
    given: {goose: player}
    steps:
      - {id: red, roll: 1d2}
      - {id: blue, roll: 1d2}
      - {id: laid, gain: {who: goose, score: red + blue}, when: red != blue}
"""


@pytest.mark.parametrize(
    ("mark", "questions"),
    [("title: Laying", ["score (gained)", "red", "blue"]), ("id: blue", ["blue", "score (gained)", "red"])],
)
def test_a_procedure_of_several_dice_has_the_odds_of_all_and_of_what_players_gain(
    table: Table, mark: str, questions: list[str]
) -> None:
    table.write("pigs/lay.yaml", LAYING)
    response = table.ask("odds", "pigs/lay.yaml", mark)
    assert [response["asked"], *(each["asked"] for each in response["further"])] == questions
    (gained,) = (each for each in (response, *response["further"]) if each["asked"] == "score (gained)")
    assert chances(gained["after"]) == {"0": "1/2", "3": "1/2"}
    assert "Score gained: on average 1.5" in gained["words"]


def test_a_roll_that_may_not_be_made_says_so_in_the_words_of_the_rules(table: Table) -> None:
    steps = "{id: blue, roll: 1d3, when: red == 1}\n      - {id: green, roll: 1d7}\n"
    rules = (
        LAYING.replace("{id: blue, roll: 1d2}\n", steps).replace("red + blue", "red + green").replace("blue", "green")
    )
    rules = rules.replace("{id: green, roll: 1d3", "{id: blue, roll: 1d3").replace(
        "    steps:", "    names: {blue: leap}\n    steps:"
    )
    table.write("pigs/lay.yaml", rules)
    response = table.ask("odds", "pigs/lay.yaml", "title: Laying")
    (blue,) = (each for each in (response, *response["further"]) if each["asked"] == "blue")
    assert blue["words"].startswith("Leap")
    assert {row["words"] for row in blue["after"]["rows"]} == {"1", "2", "3", "not rolled"}
    assert not re.search(r"\d\.\d{3}", " ".join(each["words"] for each in (response, *response["further"])))


def test_an_example_of_odds_is_asked_what_it_claims(table: Table, printed: Printed) -> None:
    response = table.ask("odds", "herd/rules.yaml", "A lucky stroll", ref="house/pigs@0.1.0")
    assert response["asked"] == "first + second > 8"
    assert response["thing"]["path"] == "examples.lucky"
    for side, ref in ((response["before"], BELOW), (response["after"], HOUSE)):
        (answer,) = printed("odds", ref, "stroll", "first + second > 8")["answers"]
        assert {row["label"]: row["chance"] for row in side["rows"]} == answer["outcomes"]


def test_a_value_is_named_with_how_choices_are_made_and_why_it_is_not_compared(table: Table) -> None:
    claim = "of: outing, given: {who: 1}, policy: [first], expect_odds: {who.score > 3: 0-100 %}"
    table.write("pigs/more.yaml", f"examples:\n  out: {{title: Out, {claim}}}\n")
    response = table.ask("odds", "pigs/more.yaml", "title: Out")
    said, why = response["words"].split(". ", 1)
    assert said == "`who.score > 3`: choices are made by the policy `first`"
    assert why == "house/herd@1.0.0 has no `out`, so there is nothing to compare with."
    response = table.ask("odds", "pigs/rules.yaml", "steps:", ask=["who.score"])
    assert response["words"].startswith("`who.score`: on average ")
    assert "choices are made at random" in response["words"]


def test_what_is_too_much_to_work_out_is_said_and_no_fault_of_the_rules(table: Table) -> None:
    response = table.ask("odds", "pig/classic-1.0/pig.yaml", "title: A game", ref="house/pigs@0.1.0")
    assert response["after"] is None or response["after"]["samples"]
    assert response["words"]


def test_many_outcomes_come_in_ranges_that_both_sides_share(table: Table) -> None:
    table.write("pigs/rules.yaml", RULES.replace("die: 1d8", "die: 12d20"))
    response = table.ask("odds", "pigs/rules.yaml", "12d20")
    labels = [[row["label"] for row in response[side]["rows"]] for side in ("before", "after")]
    assert labels[0] == labels[1]
    assert len(labels[0]) <= 40
    assert sum(Fraction(row["chance"]) for row in response["after"]["rows"]) == 1


def test_broken_rules_are_answered_from_the_last_sound_ones_and_called_stale(table: Table) -> None:
    before = table.ask("odds", "pigs/rules.yaml", "weather:")
    table.write("pigs/rules.yaml", RULES.replace("sun: 7-13", "sun: 8-13"))
    gap = table.ask("odds", "pigs/rules.yaml", "weather:")
    table.write("pigs/rules.yaml", RULES.replace("title: Weather", "title: [Weather"))
    unclosed = table.ask("odds", "pigs/rules.yaml", "weather:")
    table.write("pigs/ruleset.yaml", "ruleset: [")
    manifest = table.ask("odds", "pigs/rules.yaml", "weather:")
    for panel_data, code in ((gap, "faces-gap"), (unclosed, "unclosed-bracket"), (manifest, "unclosed-bracket")):
        assert panel_data["stale"]
        assert {each["code"] for each in panel_data["diagnostics"]} >= {code}
        assert panel_data["after"] == before["after"]
    assert gap["diagnostics"][0]["path"] == "pigs/rules.yaml"
    table.write("pigs/ruleset.yaml", "ruleset: house/pigs\nversion: 0.1.0\ntitle: P\nextends: house/herd@1.0\n")
    table.write("pigs/rules.yaml", RULES)
    assert not table.ask("odds", "pigs/rules.yaml", "weather:")["stale"]


def test_rules_that_never_were_sound_say_what_is_wrong_with_them(table: Table) -> None:
    table.write("pigs/rules.yaml", "numbers: {die: 1d, goal: 3}\n")
    with pytest.raises(DiagnosticError) as error:
        table.ask("odds", "pigs/rules.yaml", "1d")
    assert error.value.diagnostics


def test_nothing_with_dice_is_said_to_be_none(table: Table) -> None:
    response = table.ask("odds", "pigs/rules.yaml", "50")
    assert response["after"] is None
    assert response["words"].startswith("There are no dice here")


def test_odds_begin_where_a_trial_begins_and_with_the_values_that_are_set(table: Table) -> None:
    tried = table.ask("try", "pigs/rules.yaml", "An outing")
    response = table.ask("odds", "pigs/rules.yaml", "An outing", ask=["who.score"])
    assert (response["of"], response["parameters"]) == (tried["of"], tried["parameters"])
    assert "players.1.score" in [each["path"] for each in response["fields"]]
    assert response["example"] is None
    set_to = {"start": {"players.1.score": "10"}, "of": tried["of"]}
    later = table.ask("odds", "pigs/rules.yaml", "An outing", ask=["who.score"], **set_to)
    gained = {int(label) + 10: chance for label, chance in chances(response["after"]).items()}
    assert {int(label): chance for label, chance in chances(later["after"]).items()} == gained
    assert "10" in [each["value"] for each in later["fields"] if each["path"] == "players.1.score"]
    # Values that were set for another procedure are not used.
    other = table.ask(
        "odds", "pigs/rules.yaml", "An outing", ask=["who.score"], **{**set_to, "of": "house/pigs:stroll"}
    )
    assert other["after"] == response["after"]


def test_odds_from_the_start_of_an_example_name_it_and_say_where_it_is(table: Table) -> None:
    rules = "procedures:\n  wade:\n    title: Wading\n    given: {deep: int}\n    steps:\n"
    rules += "      - {id: cold, roll: 1d4}\n      - {id: wet, let: deep + cold}\n"
    example = "examples:\n  pond: {title: A pond, of: wade, given: {deep: 6}, until: cold}\n"
    table.write("pigs/wade.yaml", rules + example)
    response = table.ask("odds", "pigs/wade.yaml", "Wading", ask=["deep + cold"])
    assert list(chances(response["after"])) == ["7", "8", "9", "10"]
    assert "from the start of the example “A pond”" in response["words"]
    assert (response["example"]["path"], response["example"]["line"]) == ("pigs/wade.yaml", 9)
    set_to = {"start": {"deep": "0"}, "of": response["of"]}
    response = table.ask("odds", "pigs/wade.yaml", "Wading", ask=["deep + cold"], **set_to)
    assert list(chances(response["after"])) == ["1", "2", "3", "4"]


def test_sampled_odds_that_did_not_change_are_said_to_be_unchanged() -> None:
    def estimate(yes: Fraction, words: dict[str, str]) -> PanelOdds:
        return PanelOdds("won", {"yes": yes, "no": 1 - yes}, words, samples=300, is_value=True)

    before = estimate(Fraction(3873, 10000), {})
    assert format_change(before, before).startswith("`won`: unchanged (estimated from 300 random runs")
    nearly = estimate(Fraction(38731, 100000), {})
    assert format_change(before, nearly).startswith("`won`: nearly unchanged (")
    assert "39.00% instead of 38.73%" in format_change(before, estimate(Fraction(39, 100), {}))


def test_a_value_that_a_higher_layer_changes_says_where(table: Table) -> None:
    response = table.ask("odds", "pig/classic-1.0/pig.yaml", "die: {is: 1d6", ref="house/pigs@0.1.0")
    assert response["after"]["mean"] == "4.5"
    there = response["changed_at"]
    assert (there["path"], there["line"], there["layer"]) == ("pigs/rules.yaml", 4, "house/pigs@0.1.0")
    assert table.ask("odds", "pigs/rules.yaml", "1d8")["changed_at"] is None
    bust = table.ask("odds", "pig/classic-1.0/pig.yaml", "bust: {is: 1", ref="house/pigs@0.1.0")
    assert bust["changed_at"] is None
