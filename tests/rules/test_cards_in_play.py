"""Cards as the game is played with them: a card is the item, goes where it goes, and comes back once it is nobody's."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from html import unescape
from pathlib import Path

import pytest

from rulewright import Game, Ruleset, load_ruleset
from rulewright.engine.python_backend.compiler import compile_ruleset
from rulewright.engine.state.machine import Machine
from rulewright.engine.state.tree_interpreter import Interpreter
from tests.book.shipped import shipped_pages
from tests.rules.test_two_days_by_the_book import ask

MANIFEST = "ruleset: trade/small\nversion: 1.0.0\ntitle: Trade\nplayers: 1\nstart: trade\n"
RULES = """\
kinds:
  thing: {fields: {good: goods}}
tables:
  goods: {columns: {}, rows: {bread: {}, salt: {}, wool: {}}}
decks:
  market: {of: goods, held: list(t.good for t in things)}
procedures:
  trade:
    steps:
      - id: first_three
        repeat:
          at_most: 3
          steps:
            - {id: card, draw: market}
            - {id: kept, create: thing, with: {good: card}, when: KEPT}
      - {id: again, draw: market}
      - {id: done, finish: {winners: []}}
"""
MACHINES: dict[str, Callable[[Ruleset], Machine]] = {
    "plain": Interpreter,
    "compiled": lambda rules: compile_ruleset(rules, recording=True, undoable=True),
}


def drawn(folder: Path, text: str, machine: str) -> list[list[str]]:
    """Return the cards that can come up at each draw, where the last of them always does."""
    (folder / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    (folder / "rules.yaml").write_text(RULES.replace("KEPT", text), encoding="utf-8")
    rules = load_ruleset("trade/small", rules=[folder])
    game = Game(rules, players=1, stop_at_chance=True, machine=MACHINES[machine](rules))
    seen = []
    while (chance := game.chance) is not None:
        seen.append([str(card) for card, _ in chance.outcomes])
        game.resolve(seen[-1][-1])
    return seen


@pytest.mark.parametrize("machine", MACHINES)
def test_what_is_held_stays_out_of_a_deck_that_is_made_whole(tmp_path: Path, machine: str) -> None:
    assert drawn(tmp_path, "card != wool", machine)[3:] == [["wool"]]


@pytest.mark.parametrize("machine", MACHINES)
def test_what_nobody_holds_comes_back(tmp_path: Path, machine: str) -> None:
    whole = ["bread", "salt", "wool"]
    assert drawn(tmp_path, "false", machine) == [whole, ["bread", "salt"], ["bread"], whole]


@pytest.mark.parametrize("machine", MACHINES)
def test_to_draw_where_every_card_is_held_is_a_fault_that_names_the_rule(tmp_path: Path, machine: str) -> None:
    with pytest.raises(Exception, match="nothing to draw from"):
        drawn(tmp_path, "true", machine)


@cache
def printed(edition: str) -> dict[str, str]:
    """Return the words of each card, by its name."""
    page = shipped_pages(f"fuzzy-knights/{edition}")["cards.html"]
    owners = {}
    for card in re.findall(r"<article.*?</article>", page, re.DOTALL):
        name = re.search(r"<h3>(.*?)</h3>", card)
        assert name is not None
        assert card.count('class="rw-card__place"') == 5, "a place for each rarity"
        owners[unescape(name[1])] = re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", card))).strip()
    return owners


@pytest.mark.parametrize("edition", ["medium@0.1", "normal@1.0"])
def test_every_card_states_its_roll_and_has_a_place_for_each_rarity(edition: str) -> None:
    cards = printed(edition)
    assert len(cards) == 20
    for words in cards.values():
        assert "Rarity check : 1dP 10–70 Failure · 80–100 Success" in words
        assert re.findall("Common|Uncommon|Rare|Epic|Legendary", words.replace("Rarity", "")) == [
            *("Common", "Uncommon", "Rare", "Epic", "Legendary")
        ]


def test_an_amulet_says_what_each_place_is_worth_and_its_extra() -> None:
    cards = printed("normal@1.0")
    text = "Common 1d6 +2 – Uncommon 1d6 +3 – Rare 2d6 +3 1 Epic 3d6 +3 3 Legendary 4d6 +5 5"
    assert text in cards["Pebble from Two Rivers"]
    assert "Movement" in cards["Pebble from Two Rivers"]
    assert "Common 1d6 Uncommon 1d6 +1 Rare 2d6 Epic 2d6 +3 Legendary 3d6 +5" in cards["Turtle Shield"]
    assert "Movement" not in cards["Turtle Shield"]
    assert "Movement" not in printed("medium@0.1")["Pebble from Two Rivers"]


def test_no_card_is_ever_in_two_places() -> None:
    game = Game(load_ruleset("fuzzy-knights/normal@1.0"), players=4, seed=6)  # one in which items are found
    most = 0
    for pick in range(3000):
        decision = game.decision
        if decision is None:
            break
        game.choose(decision.options[pick % len(decision.options)])
        if pick % 100 == 0:
            held = ask(game, "list(i.card for i in items if i.card)")
            assert len(held) == len(set(held))
            most = max(most, len(held))
    assert most > 1, "and there were some to look at"
