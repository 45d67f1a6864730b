"""What an edition changes, as `diff` tells it, each with the line that makes it so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rulewright.cli.main import main
from tests.studio.conftest import RULES
from tests.studio.desk import Table

Printed = Callable[..., Any]


def test_changes_are_those_of_diff_with_their_places(
    table: Table, printed: Printed, capsys: pytest.CaptureFixture[str]
) -> None:
    response = table.ask("changes", "pigs/rules.yaml")
    text = printed("diff", "house/herd", "house/pigs")
    assert (response["before"], response["same_gameplay"]) == (text["before"], text["same_gameplay"])
    assert response["summary"] == text["summary"]
    sentences = [sentence for change in text["changes"] for sentence in change["sentences"]]
    assert [item["words"] for item in response["items"]] == sentences
    assert [{key: each[key] for key in text["odds"][0]} for each in response["odds"]] == text["odds"]
    lines = RULES.splitlines()
    for item in response["items"]:
        at = item["place"]
        assert at["path"] == "pigs/rules.yaml"
        assert item["path"].split(".")[1] in "\n".join(lines[at["line"] - 1 :])
    assert lines[next(i["place"]["line"] for i in response["items"] if i["path"] == "numbers.goal") - 1] == "  goal: 50"
    main(["diff", "house/herd", "house/pigs", "--rules", str(table.folder), "--markdown"])
    assert response["markdown"] == capsys.readouterr().out


def test_new_words_of_a_long_text_are_marked(table: Table) -> None:
    text = "The dealer shuffles the cards, deals five of them to each player, and turns the next one over."
    term = "terms: {{deal: {{name: Deal, means: {}}}}}\n"
    table.write("herd/words.yaml", term.format(f'"{text}"'))
    new = text.replace("five", "seven")
    table.write("pigs/words.yaml", term.format(f'"{new}"'))
    items = table.ask("changes", "pigs/rules.yaml")["items"]
    (item,) = [each for each in items if each["path"] == "terms.deal"]
    assert "<del>five</del> <ins>seven</ins>" in item["html"]
    assert text in item["words"]
    assert new in item["words"]


def test_balance_that_was_found_goes_into_the_markdown(table: Table) -> None:
    response = table.ask("changes", "pigs/rules.yaml", balance="Games are shorter.\nSeats are as fair.")
    assert response["balance"] == {"words": "Games are shorter.\nSeats are as fair."}
    assert response["markdown"].endswith("## Balance\n\n- Games are shorter.\n- Seats are as fair.\n")


def test_an_edition_over_nothing_says_so_and_one_that_changes_nothing_too(table: Table) -> None:
    alone = table.ask("changes", "pig/classic-1.0/pig.yaml")
    assert (alone["before"], alone["items"]) == (None, [])
    assert "no others" in alone["gist"]
    table.write("pigs/rules.yaml", "rulings: {}\n")
    assert table.ask("changes", "pigs/rules.yaml")["gist"] == "Nothing differs: the two play alike."
    # What does not differ is not counted.
    table.write("pigs/rules.yaml", "numbers: {goal: 60}\n")
    gist = table.ask("changes", "pigs/rules.yaml")["gist"]
    # The list below it has the change.
    assert gist == "1 rule plays differently."


def test_a_changed_example_does_not_differ_in_words_only(table: Table) -> None:
    more = "examples: {greed: {dice: [5, 1]}}\nterms: {pot: {name: Bowl}}\n"
    table.write("pigs/rules.yaml", f"numbers: {{goal: 60}}\n{more}")
    gist = table.ask("changes", "pigs/rules.yaml")["gist"]
    assert gist.startswith("1 rule plays differently; 1 example differs; 1 more differs in words only. ")


def test_broken_rules_have_the_changes_they_had(table: Table) -> None:
    before = table.ask("changes", "pigs/rules.yaml")
    table.write("pigs/rules.yaml", RULES.replace("goal: 50", "goal: fifty"))
    response = table.ask("changes", "pigs/rules.yaml")
    assert response["stale"]
    assert response["items"] == before["items"]
