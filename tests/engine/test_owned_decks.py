"""Decks that each player or each object of a kind has: drawn from, refilled and guessed apart from all others."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb
from typing import Any

import pytest

from rulewright import Game
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine import backends
from rulewright.engine.narration.determinize import determinize
from rulewright.engine.state.game_state import CHANCE, State, list_outcomes
from rulewright.engine.state.state_json import from_json, to_json
from rulewright.language.declarations import FIRST_PLAYER
from tests.engine.scripts import begin_main
from tests.engine.test_decks import drawn
from tests.language.inline import MANIFEST, checked, sound

RULES = """\
tables:
  cards:
    columns: {start: int}
    rows: {copper: {start: 7}, estate: {start: 3}, silver: {start: 0}, gold: {start: 0}}
kinds:
  player:
    fields:
      hand: {type: list of cards, seen_by: self}
      used: list of cards
      bought: list of cards
  chest: {fields: {owner: player, found: list of cards}}
decks:
  pile: {of: cards, copies: start, each: player, discard: used, ordered: true}
  hoard: {of: cards, copies: start, each: chest}
  bag: {of: cards, each: player, filled_by_rules: true}
procedures:
  game:
    steps:
"""
TWO = MANIFEST.replace("1..4}", "2, start: game}")


def begin(steps: str, back_end: str) -> State:
    """Return the state of a game of two players at the first stop of these steps."""
    ruleset = sound(RULES + steps, manifest=TWO)
    game = Game(ruleset, players=2, seed=0, stop_at_chance=True, machine=backends.make(back_end, ruleset))
    return game.state


def value(state: State, seat: int, name: str, kind: str = "player") -> Any:
    return state.objects[FIRST_PLAYER + seat - 1][state.machine.layout.places[kind, name]]


def outcomes(state: State, chance: Fraction = Fraction(1)) -> Counter[tuple[Any, ...]]:
    """Return the hands of both players at the next decision, with their probabilities."""
    if state.mode != CHANCE:
        return Counter({(value(state, 1, "hand"), value(state, 2, "hand")): chance})
    counts: Counter[tuple[Any, ...]] = Counter()
    for card, share in list_outcomes(state.roll):
        after = state.clone()
        after.apply_outcome(card)
        counts.update(outcomes(after, chance * share))
    return counts


ASKED = "      - {id: asked, choose: {who: players, from: [a, b]}}\n"


def test_hands_of_two_players_are_hypergeometric_and_independent(back_end: str) -> None:
    steps = "      - {id: all, for_each: p, in: players, steps: [{id: own, draw: p.pile, count: 5, into: p.hand}]}\n"
    outcomes_ = outcomes(begin(steps + ASKED, back_end))
    chances = {few: Fraction(comb(3, few) * comb(7, 5 - few), comb(10, 5)) for few in range(4)}
    hands = {few: ("copper",) * (5 - few) + ("estate",) * few for few in chances}
    assert outcomes_ == {(hands[a], hands[b]): chances[a] * chances[b] for a in chances for b in chances}


def test_a_deck_is_put_into_order_and_refilled_by_the_discards_of_its_owner(back_end: str) -> None:
    steps = """\
      - id: both
        for_each: p
        in: players
        steps:
          - {id: some, draw: p.pile, count: 10}
          - {id: thrown, set: {p.used: "some + [cards.silver]"}}
          - {id: first, draw: p.pile}
          - {id: top, put: {cards: first, onto: p.pile}}
          - {id: second, draw: p.pile}
          - {id: below, put: {cards: second, under: p.pile}}
          - {id: third, draw: p.pile, count: 1, into: p.bought}
          - {id: sought, reshuffle: p.pile, removing: cards.silver}
"""
    ten = ["copper"] * 7 + ["estate"] * 3
    state = drawn(begin(steps + ASKED, back_end), *ten)
    assert state.roll == (*["copper"] * 7, *["estate"] * 3, "silver")
    assert value(state, 1, "used") == ()
    assert value(state, 2, "deck.pile") == tuple(ten)
    state = drawn(state, "silver")
    assert state.roll == ("silver",)
    state = drawn(state, "silver")
    assert value(state, 1, "deck.pile.bottom") == ("silver",)
    assert Counter(state.roll) == {"copper": 7, "estate": 3}
    state = drawn(state, "estate")
    assert value(state, 1, "bought") == ("estate",)
    assert (value(state, 1, "deck.pile.bottom"), len(value(state, 1, "deck.pile"))) == ((), 9)
    assert state.roll == tuple(ten)
    assert to_json(from_json(state.machine, to_json(state))) == to_json(state)


def test_each_object_of_a_kind_has_a_deck_for_as_long_as_it_is_there(back_end: str) -> None:
    steps = """\
      - {id: first, create: chest, with: {owner: "players[0]"}}
      - {id: one, draw: first.hoard, count: 2, into: first.found}
      - {id: second, create: chest, with: {owner: first.owner}}
      - {id: left, let: first.hoard.left * 100 + second.hoard.left}
      - {id: gone, remove: first}
      - {id: two, draw: second.hoard, count: 1, into: second.found}
      - {id: all, let: count(second.hoard.cards)}
""".replace('"players[0]"', "owner")
    rules = RULES.replace("    steps:\n", "    given: {owner: player}\n    steps:\n").replace("  game:", "  main:")
    state = drawn(begin_main(rules + steps + ASKED.replace("players", "owner"), back_end), "copper", "estate")
    assert Counter(state.roll) == {"copper": 7, "estate": 3}
    state = drawn(state, "estate")
    names = {name: state.stack[0][slot] for slot, name in state.machine.ruleset.procedures["main"].names.items()}
    assert names["left"] == 810
    assert names["all"] == 9


def test_a_deck_that_rules_fill_begins_empty(back_end: str) -> None:
    steps = """\
      - id: filled
        for_each: p
        in: players
        steps: [{id: own, reshuffle: p.bag, adding: "list(c for c in cards if p == first(players) or c != gold)"}]
      - {id: none, for_each: p, in: players, steps: [{id: own_card, draw: p.bag, count: 1, into: p.hand}]}
"""
    state = begin(steps + ASKED, back_end)
    assert state.roll == ("copper", "estate", "silver", "gold")
    state = drawn(state, "gold")
    assert state.roll == ("copper", "estate", "silver")


HIDDEN = """\
      - id: both
        for_each: p
        in: players
        steps:
          - {id: ten, draw: p.pile, count: 10}
          - {id: thrown, set: {p.used: "ten - [cards.estate, cards.estate] + [cards.gold]"}}
          - {id: hand, draw: p.pile, count: 5, seen_by: p, into: p.hand}
"""


def deal(own: list[str], other: list[str], back_end: str) -> State:
    ten = ["copper"] * 7 + ["estate"] * 3
    return drawn(begin(HIDDEN + ASKED, back_end), *ten, *own, *ten, *other)


def test_a_guess_knows_which_cards_a_player_has_and_not_where_they_are(back_end: str) -> None:
    own = ["gold", "copper", "copper", "copper", "copper"]
    games = [deal(own, other, back_end) for other in (["copper"] * 5, [*["copper"] * 3, "estate", "gold"])]
    hands: set[tuple[str, ...]] = set()
    for seed in range(20):
        guesses = [determinize(state, FIRST_PLAYER, Generator(seed, "guess")) for state in games]
        assert to_json(guesses[0]) == to_json(guesses[1])
        hand, pile = (value(guesses[0], 2, name) for name in ("hand", "deck.pile"))
        hands.add(hand)
        # Two estates were lost openly, and are guessed as well, because no step told where they went.
        assert Counter((*hand, *pile)) <= Counter({"copper": 7, "estate": 3, "gold": 1})
        assert (len(hand), len(pile)) == (5, 4)
        assert Counter(value(guesses[0], 1, "hand")) == Counter(own)
    assert any("gold" in hand for hand in hands)
    assert any("gold" not in hand for hand in hands)


def test_guessed_hands_are_hypergeometric(back_end: str) -> None:
    steps = "      - {id: all, for_each: p, in: players, steps: [{id: own, draw: p.pile, count: 5, SEEN}]}\n"
    state = begin(steps.replace("SEEN", "seen_by: p, into: p.hand") + ASKED, back_end)
    state = drawn(state, *["copper"] * 5, *["copper"] * 5)
    generator = Generator(1, "guess")
    counts = Counter(value(determinize(state, FIRST_PLAYER, generator), 2, "hand").count("estate") for _ in range(2000))
    for few in range(4):
        chance = comb(3, few) * comb(7, 5 - few) / comb(10, 5)
        assert abs(counts[few] - 2000 * chance) < 5 * (2000 * chance * (1 - chance)) ** 0.5


@pytest.mark.parametrize(
    ("step", "message", "hint"),
    [
        ("draw: pile", "each player has a `pile`, so the player must be named", "write the player before it"),
        ("draw: p.pil", "there is no deck `p.pil`", ""),
        ("let: p.pile", "`pile` is a deck, not a value", "`p.pile.left` is the number of cards left in it"),
        ("let: p.pile.top", "a deck has no `top`", "`p.pile.left` is the number of cards left in it"),
        ("draw: next(p).pile", "the player whose `pile` it is must be a name", "give it a name first"),
        ("draw: p.bought.pile", "each player has a `pile`, not a list", ""),
        ("put: {cards: p.used, onto: p.bag}", "the order of `bag` is unknown", "give the deck `ordered: true`"),
        ("draw: chest.pile", "nothing here is called `chest`", ""),
    ],
)
def test_what_is_wrong_with_the_name_of_a_deck_is_said(step: str, message: str, hint: str) -> None:
    steps = f"      - {{id: all, for_each: p, in: players, steps: [{{id: x, {step}}}]}}\n"
    _, diagnostics = checked(RULES + steps, manifest=TWO)
    (fault,) = diagnostics.errors
    assert fault.message.startswith(message)
    assert str(fault.suggestion or "").startswith(hint)


@pytest.mark.parametrize(
    ("deck", "message"),
    [
        ("{of: cards, each: plaier}", "there is no kind `plaier`"),
        ("{of: cards, each: player, discard: usd}", "`player` has no field `usd`"),
        ("{of: cards, each: player, held: list(c for c in cards)}", "`held` has no effect with `each`"),
        ("{of: cards, filled_by_rules: true}", "`filled_by_rules` has no effect without `each`"),
    ],
)
def test_what_is_wrong_with_a_deck_of_each_is_said(deck: str, message: str) -> None:
    _, diagnostics = checked(RULES.replace("  bag:", f"  other: {deck}\n  bag:") + ASKED, manifest=TWO)
    assert diagnostics.errors[0].message.startswith(message)


def test_a_deck_and_a_field_of_one_name_are_refused() -> None:
    _, diagnostics = checked(RULES.replace("used: list", "pile: int\n      used: list") + ASKED, manifest=TWO)
    assert any("has a field `pile` already" in fault.message for fault in diagnostics.errors)
