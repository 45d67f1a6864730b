"""Decks in order: what lies where is known as far as somebody put it there, and several cards are drawn one by one."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from rulewright.engine import backends
from rulewright.engine.game.snapshot import take_snapshot
from rulewright.engine.state.game_state import CHANCE, State, list_outcomes
from rulewright.engine.state.state_json import from_json, to_json
from rulewright.language.declarations import FIRST_PLAYER, GAME, GAME_KIND
from tests.engine.scripts import begin_main
from tests.language.inline import checked

CARDS = {"ace": 1, "king": 2, "queen": 2, "jack": 3}
RULES = """\
tables:
  cards:
    columns: {copies: int}
    rows: {ace: {copies: 1}, king: {copies: 2}, queen: {copies: 2}, jack: {copies: 3}}
kinds: {player: {fields: {hand: list of cards}}}
state: {used: list of cards, seen: list of cards}
decks: {pack: {of: cards, copies: copies, ordered: true, discard: used}, open: {of: cards, copies: copies}}
procedures:
  main:
    given: {p: player}
    steps:
"""


def drawn(state: State, *cards: str) -> State:
    """Return the state after these cards came, each of which was possible."""
    for card in cards:
        assert state.mode == CHANCE
        assert card in dict(list_outcomes(state.roll)), f"{card} is none of {state.roll}"
        state.apply_outcome(card)
    return state


def value(state: State, name: str) -> Any:
    return state.objects[GAME][state.machine.layout.places[GAME_KIND, name]]


def hands(state: State, chance: Fraction = Fraction(1)) -> Counter[tuple[str, ...]]:
    """Return every hand that may come of it, with its probability: the whole tree of what may come up."""
    if state.mode != CHANCE:
        place = state.machine.layout.places["player", "hand"]
        return Counter({state.objects[FIRST_PLAYER][place]: chance})
    counts: Counter[tuple[str, ...]] = Counter()
    for card, share in list_outcomes(state.roll):
        after = state.clone()
        after.apply_outcome(card)
        counts.update(hands(after, chance * share))
    return counts


@pytest.mark.parametrize("deck", ["pack", "open"])
def test_a_hand_is_as_likely_as_it_is_among_all_hands(deck: str, back_end: str) -> None:
    steps = f"      - {{id: dealt, draw: {deck}, count: 3}}\n      - {{id: held, set: {{p.hand: dealt}}}}\n"
    each = [card for card, copies in CARDS.items() for _ in range(copies)]
    every = list(combinations(each, 3))
    expected = {hand: Fraction(many, len(every)) for hand, many in Counter(every).items()}
    assert hands(begin_main(RULES + steps, back_end)) == expected


def test_what_is_put_on_top_comes_first_and_what_is_put_below_comes_last(back_end: str) -> None:
    steps = """\
      - {id: top, draw: pack, count: 3, in_order: true}
      - {id: back, put: {cards: top, onto: pack}}
      - {id: one, draw: pack}
      - {id: under, put: {cards: one, under: pack}}
      - {id: rest, draw: pack, count: 8, in_order: true}
      - {id: held, set: {p.hand: rest}}
"""
    state = drawn(begin_main(RULES + steps, back_end), "queen", "ace", "jack")
    assert value(state, "deck.pack.top") == ("queen", "ace", "jack")
    assert state.roll == ("queen",)
    state = drawn(state, "queen")
    assert value(state, "deck.pack.bottom") == ("queen",)
    assert state.roll == ("ace",)
    state = drawn(state, "ace", "jack")
    assert sorted(state.roll) == ["jack", "jack", "king", "king", "queen"]
    state = drawn(state, "jack", "jack", "king", "king", "queen")
    assert state.roll == ("queen",)
    state = drawn(state, "queen")
    assert state.objects[FIRST_PLAYER][state.machine.layout.places["player", "hand"]] == (
        *("ace", "jack", "jack", "jack", "king", "king", "queen", "queen"),
    )


def test_what_was_known_is_known_no_longer_once_the_deck_is_shuffled(back_end: str) -> None:
    steps = """\
      - {id: some, draw: pack, count: 2, in_order: true}
      - {id: back, put: {cards: some, onto: pack}}
      - {id: anew, reshuffle: pack, adding: "[cards.ace]"}
      - {id: one, draw: pack}
      - {id: again, put: {cards: one, into: pack}}
      - {id: held, set: {p.hand: "[one]"}}
"""
    state = drawn(begin_main(RULES + steps, back_end), "jack", "king")
    assert Counter(state.roll) == Counter(CARDS) + Counter(["ace"])
    assert value(state, "deck.pack.top") == ()
    state = drawn(state, "king")
    assert Counter(value(state, "deck.pack")) == Counter(CARDS) + Counter(["ace"])


def test_a_deck_starts_again_with_all_of_its_cards(back_end: str) -> None:
    steps = """\
      - {id: some, draw: suits, count: 2}
      - {id: anew, reshuffle: suits, removing: suits.cards, adding: colours}
      - {id: one, draw: suits}
      - {id: held, set: {p.hand: "[]"}}
"""
    rules = RULES.replace("tables:\n", "tables:\n  colours: {rows: {red: {}, black: {}, blue: {}}}\n", 1)
    rules = rules.replace("decks: {", "decks: {suits: {of: colours}, ", 1)
    state = drawn(begin_main(rules + steps, back_end), "red", "blue")
    assert Counter(state.roll) == Counter(["red", "black", "blue"])


def test_an_empty_deck_is_made_of_what_was_discarded(back_end: str) -> None:
    steps = """\
      - {id: all, draw: pack, count: 8}
      - {id: thrown, set: {used: "list(c for c in all if c != cards.jack)"}}
      - {id: more, draw: pack, count: 2}
      - {id: held, set: {p.hand: more}}
"""
    state = drawn(begin_main(RULES + steps, back_end), "ace", "king", "king", "queen", "queen", "jack", "jack", "jack")
    assert Counter(state.roll) == Counter({"ace": 1, "king": 2, "queen": 2})
    assert value(state, "used") == ()
    state = drawn(state, "king", "king")
    assert value(state, "deck.pack") == ("ace", "queen", "queen")


def test_a_deck_that_runs_out_within_a_hand_keeps_that_hand_out(back_end: str) -> None:
    steps = """\
      - {id: most, draw: open, count: 6}
      - {id: more, draw: open, count: 4}
      - {id: held, set: {p.hand: more}}
"""
    state = drawn(begin_main(RULES + steps, back_end), "ace", "king", "king", "queen", "queen", "jack", "jack", "jack")
    # Two of the four are in this hand; what the first hand was nobody holds any longer, for the rules do not say so.
    assert Counter(state.roll) == Counter(CARDS) - Counter(["jack", "jack"])


def test_a_hand_half_dealt_can_be_saved(back_end: str) -> None:
    steps = "      - {id: dealt, draw: pack, count: 3}\n      - {id: held, set: {p.hand: dealt}}\n"
    state = drawn(begin_main(RULES + steps, back_end), "jack")
    again = from_json(backends.make(back_end, state.machine.ruleset), to_json(state))
    again.events = []
    assert again.roll == state.roll
    assert to_json(drawn(again, "ace", "jack")) == to_json(drawn(state, "ace", "jack"))


def test_how_many_cards_are_left_is_known_wherever_they_lie(back_end: str) -> None:
    steps = """\
      - {id: all, set: {seen: "[cards.ace, cards.ace]"}, when: pack.left == 8 and open.left == 8}
      - {id: dealt, draw: pack, count: 3}
      - {id: back, put: {cards: dealt, onto: pack}}
      - {id: one, draw: pack}
      - {id: below, put: {cards: one, under: pack}}
      - {id: out, draw: pack, count: 2}
      - {id: used_up, set: {used: used + out}}
      - {id: told, when: pack.left == 6, set: {seen: "seen + [cards.king]"}}
"""
    state = drawn(begin_main(RULES + steps, back_end), "jack", "jack", "queen")
    while state.mode == CHANCE:
        state.apply_outcome(next(iter(dict(list_outcomes(state.roll)))))
    assert value(state, "seen") == ("ace", "ace", "king")


@pytest.mark.parametrize("deck", ["pack", "open"])
def test_a_deck_is_searched_for_a_card(deck: str, back_end: str) -> None:
    steps = f"""\
      - {{id: dealt, draw: {deck}, count: 2}}
      - {{id: all, set: {{seen: {deck}.cards}}}}
      - {{id: wanted, let: first(c for c in {deck}.cards if c != jack)}}
      - {{id: out, reshuffle: {deck}, removing: wanted or cards.ace, adding: dealt}}
      - {{id: held, set: {{p.hand: {deck}.cards}}}}
"""
    state = drawn(begin_main(RULES + steps, back_end), "ace", "jack")
    left = Counter(CARDS) - Counter(["ace", "jack"])
    assert Counter(value(state, "seen")) == left
    hand = state.objects[FIRST_PLAYER][state.machine.layout.places["player", "hand"]]
    assert hand == ("ace", "king", "queen", "queen", "jack", "jack", "jack")


def test_the_cards_of_an_ordered_deck_are_listed_wherever_they_lie(back_end: str) -> None:
    steps = """\
      - {id: dealt, draw: pack, count: 3, in_order: true}
      - {id: top, put: {cards: "first(1, dealt)", onto: pack}}
      - {id: below, put: {cards: "last(2, dealt)", under: pack}}
      - {id: all, set: {seen: pack.cards}}
      - {id: out, reshuffle: pack, removing: "[cards.ace, cards.jack, cards.jack]"}
      - {id: held, set: {p.hand: pack.cards}}
"""
    state = drawn(begin_main(RULES + steps, back_end), "jack", "ace", "jack")
    assert value(state, "seen") == ("king", "king", "queen", "queen", "jack", "jack", "ace", "jack")
    hand = state.objects[FIRST_PLAYER][state.machine.layout.places["player", "hand"]]
    assert hand == ("king", "king", "queen", "queen", "jack")


def test_of_a_secret_deck_everybody_knows_how_many_cards_are_left() -> None:
    steps = "      - {id: one, draw: open, seen_by: p}\n      - {id: left, let: open.left}\n"
    steps += "      - {id: kept, set: {p.hand: 'p.hand + [one]'}, when: left > 0}\n"
    steps += "      - {id: asked, choose: {who: p, from: [a, b]}}\n"
    state = drawn(begin_main(RULES + steps, "interpreter"), "ace")
    assert "deck.open" not in take_snapshot(state, 2)["values"]
    (frame,) = take_snapshot(state, 2)["under_way"]
    assert frame["names"]["left"] == 7


@pytest.mark.parametrize(
    ("written", "message", "hint"),
    [
        ("pack.top", "a deck has no `top`", "`pack.left` is the number of cards"),
        ("pack", "`pack` is a deck, not a value", "for the number of cards left"),
        ("pak.left", "nothing here is called `pak`", ""),
    ],
)
def test_what_else_is_asked_of_a_deck_is_told(written: str, message: str, hint: str) -> None:
    _, diagnostics = checked(RULES + f"      - {{id: x, let: {written}}}\n")
    (fault,) = diagnostics
    assert fault.message == message
    assert str(fault.suggestion or "").startswith(hint)


@pytest.mark.parametrize("step", ["draw: DECK", "put: {cards: used, onto: DECK}", "reshuffle: DECK"])
def test_a_deck_is_named_and_not_computed(step: str) -> None:
    """No fix puts one deck for the expression, which would be another rule."""
    step = step.replace("DECK", "pack if true else open")
    _, diagnostics = checked(RULES + f"      - {{id: x, {step}}}\n")
    (fault,) = diagnostics
    assert fault.message == "there is no deck `pack if true else open`"
    assert str(fault.suggestion).startswith("a deck is named, not computed")
    assert not fault.edits
