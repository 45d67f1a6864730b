"""The book says what each row does: in its table, on its card, on the page Play, in calls and among changes."""

from __future__ import annotations

import html
import re

import pytest

from rulewright.book.changes.compare_rulesets import list_changes
from rulewright.book.parts.rule_summaries import build_describer
from rulewright.book.play_page.step_links import map_step_pages
from rulewright.book.play_page.table_display import build_display
from rulewright.book.rulebook import render_site
from rulewright.book.style.rule_locations import find_places, list_book_pages
from tests.card_duel import FILES, MANIFEST, load_duel
from tests.language.inline import sound


@pytest.fixture(scope="module")
def site() -> dict[str, str]:
    return render_site(load_duel("card-duel"))


def words(text: str) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", text))).strip()


def test_the_table_says_what_each_row_does_with_its_own_numbers(site: dict[str, str]) -> None:
    table = site["reference.md"].partition('id="table-cards"')[2].partition("</table>")[0]
    rows = [words(row) for row in re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)]
    assert rows[0] == "Name Power Copies Effect"
    assert rows[1] == "Strike 2 6 The foe loses 2 Hearts ."
    assert rows[3] == "Vampire 1 2 The foe loses 1 Heart . The player gains 1 Heart ."
    assert rows[-1] == "Decoy 0 1"
    assert '<li id="cards.vampire.effect.bite">' in table


def test_a_card_says_what_it_does(site: dict[str, str]) -> None:
    cards = {
        words(card).split()[0]: card for card in re.findall(r"<article.*?</article>", site["cards.html"], re.DOTALL)
    }
    assert '<div class="rw-card__text">The player gains 3 Hearts.</div>' in cards["Potion"]
    assert words(cards["Vampire"].partition("rw-card__text")[2].partition("</ol>")[0]).endswith("gains 1 Heart.")
    assert "rw-card__text" not in cards["Decoy"]
    assert "id=" not in cards["Vampire"]


def test_the_play_page_has_the_texts_of_cards() -> None:
    texts = build_display(load_duel())["texts"]["cards"]
    assert texts["potion"] == "(1) The player gains 3 Hearts."
    assert "decoy" not in texts


def test_a_call_names_the_column_and_the_row(site: dict[str, str]) -> None:
    turn = site["reference.md"].partition('id="procedure-turn"')[2].partition("</details>")[0]
    assert "Apply the effect of the card played for the player and the foe ." in words(turn)
    assert 'href="#table-cards"' in turn
    known = FILES["duel"].replace("do: played.effect", "do: cards.strike.effect")
    lines = build_describer(sound(known.replace("ask: Which card do you play?", ""), manifest=MANIFEST))
    assert lines("procedures.turn")[-1] == "(5) Apply the effect of Strike for the player and the foe."
    headed = known.replace("    columns:\n", "    headings: {effect: What it does}\n    columns:\n", 1)
    assert headed != known
    lines = build_describer(sound(headed.replace("ask: Which card do you play?", ""), manifest=MANIFEST))
    assert lines("procedures.turn")[-1] == "(5) Apply the “What it does” of Strike for the player and the foe."


def test_every_step_of_a_row_has_its_place_in_the_table() -> None:
    ruleset = load_duel()
    places = find_places(ruleset, list_book_pages(ruleset))
    assert places.homes["procedures.cards.gamble.effect"] == "reference.md#cards.gamble.effect.luck"
    assert places.homes["steps.cards.gamble.effect.won"] == "reference.md#cards.gamble.effect.won"
    assert places.homes["procedures.cards.effect"] == "reference.md#table-cards"
    assert map_step_pages(ruleset, places)["reference"]["cards.gamble.effect"][0] == "cards.gamble.effect.luck"


def test_a_changed_step_is_told_of_its_row() -> None:
    (change,) = (each for each in list_changes(load_duel(), load_duel("card-duel")) if each.section == "tables")
    assert change.played
    assert list(change.sentences) == [
        "Vampire is new: Power 1, Copies 2, Effect: (1) The foe loses 1 Heart. (2) The player gains 1 Heart.",
        "Scout, former step 2 is gone: The player draws a card.",
        "Gamble, step 1, now: Roll 1d8; the result is luck. Before: Roll 1d6; the result is luck.",
        "Gamble, step 4 is new: If luck is 8, the player draws a card.",
    ]


FORMS = {
    "tables: {cards: {rows: {strike: {effect: {delete: true}}}}}\n": [
        "Strike, Effect is gone: (1) The foe loses 2 Hearts."
    ],
    "tables: {cards: {rows: {decoy: {effect: [{id: x, gain: {who: foe, hearts: 1}}]}}}}\n": [
        "Decoy, Effect is new: (1) The foe gains 1 Heart."
    ],
    "tables: {cards: {columns: {effect: {steps: {given: {more: int}, every_row: false}}}}}\n": [
        "Column “Effect” with steps has other parameters or results."
    ],
    "tables: {cards: {columns: {omen: {steps: {}}}}}\n": ["Column “Omen” with steps is new."],
}


@pytest.mark.parametrize("upper", FORMS)
def test_each_kind_of_change_of_a_cell_is_told(upper: str) -> None:
    rules = FILES["duel"].partition("examples:")[0]
    call = "procedures: {turn: {steps: [{id: act, with: {more: 1}}]}}\n" if "more" in upper else ""
    before, after = sound(rules, manifest=MANIFEST), sound(rules, upper + call, manifest=MANIFEST)
    changes = [line for each in list_changes(before, after) if each.section == "tables" for line in each.sentences]
    assert changes == FORMS[upper]


def test_a_text_of_the_row_replaces_its_sentences() -> None:
    rules = FILES["duel"].replace("columns:\n      power", "columns:\n      note: optional text\n      power")
    rules = rules.replace("foe: player}}}", "foe: player}, text: note}}").replace(
        "potion:\n", "potion:\n        note: Drink it & smile.\n"
    )
    ruleset = sound(rules, manifest=MANIFEST)
    assert build_display(ruleset)["texts"]["cards"]["potion"] == "Drink it & smile."
    site = render_site(ruleset)
    table = site["reference.md"].partition('id="table-cards"')[2].partition("</table>")[0]
    assert "Note" not in table
    assert "Drink it &amp; smile." in table
    assert "Drink it &amp; smile." in site["cards.html"]
