"""What readers are told of the events of an example."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.book.parts.example_runs import ExampleView, build_example_view
from rulewright.book.parts.step_sentences import StepWriter
from rulewright.book.style.text_style import Style, UnlinkedStyle
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.ruleset import Ruleset
from tests.book.garden import steps, write_garden
from tests.language.inline import sound


def lines(folder: Path, *written: str, example: str = "", tenant: str = ", tenant: 1", watered: str = "") -> list[str]:
    """Return what an example of `tend` with these steps tells."""
    given = f"players: [{{seed: 5}}], bed: {{owner: 1{tenant}{watered}}}"
    one = f"  one: {{title: One, of: tend, given: {{{given}}}, expect: {{'1': 1}}{example}}}\n"
    write_garden(folder, steps(*written) + one)
    ruleset = load_ruleset("garden/small", rules=[folder])
    return [each.text for each in build_example_view(ruleset.examples["one"], UnlinkedStyle(ruleset)).happened]


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        ("- {id: s, set: {bed.tenant: none}}", "The Bed no longer has a tenant."),
        ("- {id: s, set: {bed.size: bush}}", "The Bed’s size is now Bush."),
        ("- {id: s, pay: {who: player, seed: 2}}", "Player 1 pays 2 Seeds and has 3 left."),
        ("- {id: s, set: {season: 2}}", "Season is now 2."),
        ("- {id: s, set: {raining: true}}", "Raining now holds."),
    ],
)
def test_what_changes_is_told_as_people_write_it_down(step: str, sentence: str, tmp_path: Path) -> None:
    change_lines = lines(tmp_path, step)
    assert sentence in change_lines
    assert "The Bed is now watered." in change_lines


def test_who_was_not_there_before_is_told_alone(tmp_path: Path) -> None:
    assert lines(tmp_path, "- {id: a, set: {bed.tenant: player}}", tenant="")[0] == "The Bed’s tenant is now Player 1."


def test_a_setting_is_told_in_its_own_words_and_what_is_done_in_a_special_case_too(tmp_path: Path) -> None:
    change_lines = lines(tmp_path, "- {id: s, set: {options.shade: full}}", watered=", watered: true")
    assert change_lines == ["Shade: Full shade.", "The Bed is no longer watered."]


def test_a_choice_of_nothing_is_no_name(tmp_path: Path) -> None:
    text = "- {id: c, choose: {who: player, one_of: beds, or_none: true}}"
    assert lines(tmp_path, text, example=", choose: [none]")[0] == "Player 1 chooses none."


def test_a_thing_that_changes_goes_by_what_it_was_called_before(tmp_path: Path) -> None:
    """Of a Bed that changes hands, nobody is told that Player 2 now has the Bed of Player 2."""
    rules = steps('- {id: s, set: {bed.owner: "next(player, players)"}}').replace(
        "      owner: player\n", '      owner: {type: player, log: "{self.owner} now tends this: {self}"}\n'
    )
    rules = rules.replace("    term: bed\n", '    term: bed\n    label: "Bed of {self.owner}"\n')
    example = "  one: {title: One, of: tend, given: {bed: {owner: 1}}, expect: {'1': 1}}\n"
    ruleset = load_ruleset("garden/small", rules=[write_garden(tmp_path, rules + example)])
    texts = [each.text for each in build_example_view(ruleset.examples["one"], UnlinkedStyle(ruleset)).happened]
    assert texts == ["Player 2 now tends this: Bed of Player 1.", "Bed of Player 2 is now watered."]


WORDS = {
    "guardians_beaten": "The squad of 3 (the guardians) falls.",
    "nineteen_monsters": "The squad of 9 (the monsters) falls.",
    "coordinated_attack": "The squad of 4 (the monsters) falls.",
    "conquered_as_it_stands": "Player 1 takes the Villa of Player 2.",
    "unguarded_mine": "The mine’s owner is Player 1.",
    "monster_before_mine": "The mine’s owner is Player 1.",
    "mine_left_alone": "The mine has no owner.",
    "out_for_good": "The players in turn order are Player 2 and Player 3.",
    "last_one_left": "The players in turn order are just Player 2.",
    "two_settlements": "The tile of the second settlement is [5, 6].",
    "anchor_goes_first": "The players in turn order are Player 2, Player 3 and Player 1.",
    "not_with_everybody": "Player 1 may not become an ally of Player 2.",
    "exchange_inside": "Equipped for battle: Rare Amulet.",
    "no_tier_is_skipped": "Estate is not allowed after Encampment.",
    "estate_with_palisade": "The roll of Estate with Palisade is 5d6 +15.",
    "bare_villa": "Ramparts it has: nothing): 3d6 +9.",
}


@pytest.fixture(scope="module")
def knights() -> Ruleset:
    return load_ruleset("fuzzy-knights/normal@1.0")


@pytest.mark.parametrize("example", WORDS)
def test_examples_are_told_as_at_a_table(example: str, knights: Ruleset) -> None:
    view = build_example_view(knights.examples[example], UnlinkedStyle(knights))
    texts = [
        re.sub("<[^>]+>", "", line).replace("\N{NO-BREAK SPACE}", " ") for line in (*_happened(view), *view.results)
    ]
    assert [line for line in texts if line.endswith(WORDS[example])], texts


def _happened(view: ExampleView) -> list[str]:
    return [each.text for each in view.happened]


def test_what_a_hero_takes_along_it_has_taken_before(knights: Ruleset) -> None:
    told = _happened(build_example_view(knights.examples["exchange_inside"], UnlinkedStyle(knights)))
    assert told[-2:] == [
        "The hero of Player 1 at [4, 1] takes the Rare Amulet.",
        "Equipped for battle: Rare Amulet.",
    ]


STALLS = """\
terms: {rent: {name: rent, plural: rent, means: What a stall costs.}}
tables:
  stalls: {columns: {rent: optional int}, rows: {north: {rent: 2}, south: {}}}
records:
  lot: {label: "{self.stall} at {self.price}", parts: {stall: stalls, price: int}}
kinds:
  player: {fields: {coins: int, lots: {type: list of lot, wording: lots}}}
formulas:
  leader:
    given: {stall: stalls}
    is: first(p for p in players if any(one for one in p.lots if one.stall == stall))
    wording: the player who bids most for {given.stall}
procedures:
  collect:
    given: {stall: stalls}
    names: {stall: stall}
    steps:
      - {id: paid, pay: {who: first(players), coins: stall.rent}, when: stall.rent}
      - {id: free, gain: {who: first(players), coins: 1}, when: not stall.rent}
examples:
  bids:
    title: Bids
    of: leader
    given: {stall: south, players: [{lots: [{stall: north, price: 3}]}, {lots: [{stall: north, price: 2}]}, {}]}
    expect: none
"""


def test_a_record_goes_by_its_label_and_nobody_is_no_value() -> None:
    ruleset = sound(STALLS)
    view = build_example_view(ruleset.examples["bids"], UnlinkedStyle(ruleset))
    given = "Players: one with lots: one North at 3; one with lots: one North at 2; one other"
    assert [re.sub(r"<[^>]+>", "", line) for line in view.given] == ["Stall: South", given]
    assert [re.sub(r"<[^>]+>", "", line) for line in view.results] == ["There is no player who bids most for South."]


def test_a_row_has_what_its_table_says_or_not() -> None:
    ruleset = sound(STALLS)
    told = StepWriter(ruleset.procedures["collect"], Style(ruleset)).all()
    assert "If the stall has rent, the first player pays" in told
    assert "If the stall has no rent, the first player gains" in told
