"""Cells that are computed from arguments are the same on every machine, and rows without a value have the default."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import Ruleset
from rulewright.book.changes.compare_rulesets import list_changes
from rulewright.book.languages import find_planner
from rulewright.book.rulebook import render_site
from rulewright.book.style.text_style import Style
from rulewright.engine import backends
from rulewright.engine.state.game_state import OVER
from rulewright.language.declarations import FIRST_PLAYER
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.translation.translation import read_translations
from rulewright.source.diagnostics.collector import Diagnostics
from tests.language.inline import checked, sound

TABLES = """\
tables:
  cards:
    title: Cards
    columns:
      cost: {type: int, default: 4}
      tags: {type: list of text, default: [old]}
      worth: {type: int, given: {who: player, per: int}, default: self.cost, means: What a card is worth}
      gift: {type: optional cards, given: {}}
      strong: {type: bool, given: {who: player}, default: false, wording: {if_true: "{given.self} is strong",
        if_false: "{given.self} is weak"}}
    rows:
      herb: {cost: 1}
      garden: {worth: per * count(who.lying), gift: herb}
      tower: {worth: "9 if self in who.lying else self.cost - per", strong: who.score > 2}
      wall: {tags: [new, high]}
kinds: {player: {fields: {score: int, lying: {type: list of cards, default: [tower, herb, tower]}}}}
"""
MAIN = """\
procedures:
  main:
    given: {p: player, c: cards}
    steps:
      - {id: counted, set: {p.score: EXPRESSION}}
"""


def compute(expression: str, card: str, rules: str = TABLES) -> int:
    """Return the value of an expression of a player `p` and a card `c`, which is the same on every machine."""
    ruleset = sound(rules + MAIN.replace("EXPRESSION", expression))
    results = set()
    for name in backends.list_names():
        machine = backends.make(name, ruleset)
        state = machine.empty(1)
        state.events = []
        machine.begin(state, "main", (FIRST_PLAYER, card))
        assert state.mode == OVER
        player = state.objects[FIRST_PLAYER]
        assert player is not None
        results.add(player[machine.layout.places["player", "score"]])
    assert len(results) == 1
    result: int = results.pop()
    return result


@pytest.mark.parametrize(("card", "wanted"), [("herb", 1), ("garden", 6), ("tower", 9), ("wall", 4)])
def test_the_row_decides_what_is_computed(card: str, wanted: int) -> None:
    assert compute('"c.worth(p, 2)"', card) == wanted


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("sum(each.worth(p, 1) for each in p.lying)", 19),
        ("cards.garden.worth(p, 5)", 15),
        ("(c.gift() or cards.wall).cost", 1),
        ("count(each for each in cards if each.gift())", 1),
        ("count(each for each in cards if each.strong(p))", 0),
        ("sum(each.cost for each in cards)", 13),
        ("count(cards.wall.tags + cards.herb.tags)", 3),
    ],
)
def test_a_call_is_an_expression_like_any_other(expression: str, wanted: int) -> None:
    assert compute(f'"{expression}"', "garden") == wanted


def test_a_column_of_many_rows_chooses_the_right_one() -> None:
    rows = "".join(f"      r{n}: {{worth: who.score + {n}}}\n" for n in range(40))
    rules = f"tables:\n  cards:\n    columns: {{worth: {{type: int, given: {{who: player}}}}}}\n    rows:\n{rows}"
    rules += "kinds: {player: {fields: {score: int}}}\n"
    assert [compute("c.worth(p)", f"r{n}", rules) for n in (0, 1, 19, 20, 39)] == [0, 1, 19, 20, 39]


def test_combined_rows_have_the_default() -> None:
    rules = TABLES.replace(
        "kinds:",
        "  sizes: {rows: {small: {}, large: {}}}\n"
        "  pack: {every: {size: sizes, number: {from: 1, to: 9}}, columns: {copies: {type: int, default: 3}},\n"
        "    rows: {large_number9: {copies: 1}}}\nkinds:",
    )
    assert compute("sum(each.copies for each in pack)", "herb", rules) == 17 * 3 + 1


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("EXPRESSION", "c.worth", "the cells of `worth` are computed from arguments"),
        ("EXPRESSION", '"c.worth(p)"', "`worth` takes who, per; it is given 1 value"),
        ("EXPRESSION", "c.cost()", "a row of cards has no `cost(…)`, which only a column with `given:` has"),
        ("EXPRESSION", "p.worth(2)", "a player has no `worth(…)`, which only a column with `given:` has"),
        ("EXPRESSION", "c.gift().cost", "this may be none, and none has no field `cost`"),
        ("default: self.cost,", "", "`herb` of cards has no `worth`"),
        ("per * count(who.lying)", "per * count(who.laying)", "`player` has no field `laying`"),
        ("per * count(who.lying)", "[per]", "an expression is needed here, not a list"),
        ("type: list of text, ", "", "the column `tags` has neither `type:` nor `steps:`"),
        ("cost: 1}", "cost: 1, wroth: 2}", "cards has no column `wroth`"),
    ],
)
def test_mistakes_are_reported(old: str, new: str, message: str) -> None:
    _, found = checked((TABLES + MAIN).replace(old, new, 1).replace("EXPRESSION", "0"))
    assert message in [each.message for each in found.errors]


def test_a_cell_that_needs_itself_is_reported() -> None:
    rules = TABLES.replace("worth: per * count(who.lying)", 'worth: "sum(c.worth(who, 1) for c in who.lying)"')
    _, found = checked(rules + MAIN.replace("EXPRESSION", '"c.worth(p, 1)"'))
    assert [each.code.id for each in found.errors] == ["recursion"]


def load_book(more: str = "") -> Ruleset:
    return sound(TABLES + more + MAIN.replace("EXPRESSION", '"c.worth(p, 1)"'))


def test_the_book_shows_the_expression_of_each_row() -> None:
    page = render_site(load_book())["reference.md"]
    assert "times the size of the player’s lying" in page
    assert "its cost" in page


def test_a_changed_cell_is_a_change_of_its_row() -> None:
    later = sound((TABLES + MAIN.replace("EXPRESSION", '"c.worth(p, 1)"')).replace("who.score > 2", "who.score > 5"))
    (change,) = (each for each in list_changes(load_book(), later) if each.section == "tables")
    assert any("Strong" in line and "5" in line for line in change.sentences)


GERMAN = """\
tables:
  cards:
    title: Karten
    columns:
      worth:
        wording: "der Wert von {given.self} für {given.who}"
        names: {self: die Karte, who: der Spieler, per: der Faktor}
      strong: {wording: {if_true: "{given.self} stark ist", if_false: "{given.self} schwach ist"}}
kinds: {player: {fields: {score: {wording: die Punktzahl}, lying: {wording: die Auslage}}}}
"""


def test_german_says_the_formula_of_a_column(tmp_path: Path) -> None:
    rules = TABLES.replace(", means: What a card is worth", ', wording: "the worth of {given.self} for {given.who}"')
    manifest = "{ruleset: test/small, version: 1.0.0, language: 1, title: Small, status: draft, players: 2}"
    (tmp_path / "words").mkdir()
    (tmp_path / "ruleset.yaml").write_text(manifest, encoding="utf-8")
    (tmp_path / "rules.yaml").write_text(rules + MAIN.replace("EXPRESSION", '"c.worth(p, 1)"'), encoding="utf-8")
    (tmp_path / "words" / "de.yaml").write_text(GERMAN, encoding="utf-8")
    ruleset = load_ruleset("test/small", rules=tmp_path)
    diagnostics = Diagnostics()
    (translation,) = read_translations(ruleset, diagnostics)
    planner = find_planner(translation)
    assert planner is not None
    column = ruleset.declarations.tables["cards"].formulas["worth"]
    title, _, definition = planner.describe_formula(translation, column.formula, Style(ruleset))
    assert title == "Worth"
    assert definition.startswith("Die Tabelle „Karten“ zeigt den Wert")
