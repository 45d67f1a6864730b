"""What is hidden from a player is in nothing that the player is told: snapshots, views, questions, logs."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rulewright import Game, GameError, Ruleset, load_ruleset
from rulewright.ai.bots import make
from rulewright.cli.view_lines import describe_table
from rulewright.dice.format_notation import format_roll
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.game.json_contracts import CONTRACTS
from rulewright.engine.narration.determinize import determinize
from rulewright.engine.state.state_json import to_json
from rulewright.ir.analyses.information_flow import find_secrets
from rulewright.ir.analyses.roll_provenance import analyze_origins
from tests.language.inline import MANIFEST, sound
from tests.secrets.checking import CHECKED

assert CHECKED, "guesses are checked"

RULES = """\
tables: {suits: {rows: {hearts: {}, spades: {}, clubs: {}}}}
decks: {pack: {of: suits}}
kinds:
  player: {fields: {card: {type: optional suits, seen_by: self}, gold: int}}
  token:
    seen_by: self.owner
    label: {face: "token of {self.face}"}
    fields:
      owner: {type: player, seen_by: everybody}
      face: {type: suits, default: clubs}
      trap: {type: bool, default: true}
state: {answer: {type: int, seen_by: nobody}, player: player}
procedures:
  game:
    steps:
      - {id: secret, roll: 1d6, seen_by: nobody}
      - {id: kept, set: {answer: secret}}
      - id: deal
        for_each: one
        in: players
        steps:
          - {id: card, draw: pack, seen_by: one}
          - {id: dealt, set: {one.card: card}}
          - {id: laid, create: token, with: {owner: one, face: card}}
      - {id: second, let: "next(player, players)"}
      - {id: guess, choose: {who: player, number: {from: 1, to: 6}}, seen_by: nobody}
      - {id: peek, show: {what: second.card, to: player}}
      - {id: pause, choose: {who: second, from: [a, b]}}
      - {id: swapped, set: {second.card: second.card}}
      - {id: pick, choose: {who: second, one_of: tokens}}
      - {id: open, show: {what: pick, to: everybody}}
      - {id: last, choose: {who: player, one_of: "list(s for s in suits if s != player.card)"}}
      - {id: end, finish: {winners: list(p for p in players if guess == answer)}}
"""


@cache
def rules() -> Ruleset:
    return sound(RULES, manifest=MANIFEST.replace("1..4}", "2, start: game}"))


def game(*choices: str) -> Game:
    played = Game(rules(), players=2, seed=3)
    for choice in choices:
        played.choose(choice)
    return played


def format_log(played: Game, seat: int) -> str:
    """Return everything that somebody is told of a game, in one text."""
    events = [{**event.to_json(), "text": event.text} for event in played.log_for(seat)]
    return json.dumps([events, played.story(seat=seat), played.snapshot(seat), played.view(seat or None)])


def fields(played: Game, seat: int | None, kind: str) -> list[dict[str, Any]]:
    return [entity["fields"] for entity in played.snapshot(seat)["objects"][kind]]


def test_a_hidden_field_is_for_those_who_may_see_it() -> None:
    played = game()
    whole = [each["card"] for each in fields(played, None, "player")]
    assert None not in whole
    assert ["card" in each for each in fields(played, 1, "player")] == [True, False]
    assert ["card" in each for each in fields(played, 2, "player")] == [False, True]
    assert ["card" in each for each in fields(played, 0, "player")] == [False, False]
    assert fields(played, 1, "player")[0]["card"] == whole[0]
    assert "answer" in played.snapshot()["values"]
    assert all("answer" not in played.snapshot(seat)["values"] for seat in (0, 1, 2))


def test_a_kind_hides_all_its_fields_but_those_that_say_otherwise() -> None:
    played = game()
    assert [sorted(each) for each in fields(played, 1, "token")] == [
        ["face", "owner", "shown.face", "shown.trap", "trap"],
        ["owner", "shown.face", "shown.trap"],
    ]


def test_names_that_come_from_secrets_are_nobody_s_to_see() -> None:
    played = game()
    whole, seen = (played.snapshot(seat)["under_way"][0]["names"] for seat in (None, 1))
    assert {"secret", "card", "one", "second"} <= whole.keys()
    assert {"secret", "card"}.isdisjoint(seen)
    assert {"one", "second"} <= seen.keys()
    procedure = rules().procedures["game"]
    hidden = {procedure.names[slot] for slot in find_secrets(rules()).find_slots("game")}
    assert hidden == {"secret", "card", "guess"}


def test_what_is_left_of_a_deck_would_tell_what_was_drawn() -> None:
    assert "deck.pack" in game().snapshot()["values"]
    assert "deck.pack" not in game().snapshot(1)["values"]


def test_a_log_tells_what_its_reader_may_know() -> None:
    played = game("4")
    mine, other, nobody = (played.log_for(seat) for seat in (1, 2, 0))
    assert len(mine) == len(other) == len(nobody) == len(played.log)
    drawn = [place for place, event in enumerate(played.log) if event.kind == "drawn"]
    assert ["card" in mine[place].data for place in drawn] == [True, False]
    assert ["card" in other[place].data for place in drawn] == [False, True]
    assert [nobody[place].text for place in drawn] == ["A card is drawn, face down."] * 2
    rolled = next(place for place, event in enumerate(played.log) if event.kind == "rolled")
    assert mine[rolled].data == {"roll": "1d6"}
    assert mine[rolled].text == "🎲 1d6 is rolled, face down."
    chosen = next(place for place, event in enumerate(played.log) if event.kind == "asked")
    assert mine[chosen].data == {"player": "player-1", "chosen": 4}
    assert other[chosen].data == {"player": "player-1"}
    assert other[chosen].text == "Player 1 has chosen."
    assert played.log[chosen].data["chosen"] == 4


def test_who_was_shown_a_value_sees_it_until_it_changes() -> None:
    before, peeked, swapped = game(), game("4"), game("4", "a")
    card = fields(before, None, "player")[1]["card"]
    assert "card" not in fields(before, 1, "player")[1]
    assert fields(peeked, 1, "player")[1]["card"] == card
    assert "card" not in fields(peeked, 0, "player")[1]
    assert "card" not in fields(swapped, 1, "player")[1]
    assert fields(swapped, 2, "player")[1]["card"] == card
    sentence = next(event.text for event in peeked.log_for(1) if event.data.get("field") == "shown.card" and event.text)
    assert sentence == f"Player 1 sees Player 2’s card: {card.capitalize()}."
    others = next(event.text for event in peeked.log_for(0) if event.data.get("field") == "shown.card" and event.text)
    assert others == "Player 1 sees Player 2’s card."
    opened = [event.text for event in game("4", "a", "token-3").log_for(0) if event.rule == "game.open"]
    assert "Everybody sees the face of token of Spades: Spades." in opened


def test_a_question_calls_things_what_they_are_to_whoever_is_asked() -> None:
    decision = game("4", "a").decision
    assert decision is not None
    assert decision.player == 2
    face = fields(game(), None, "token")[1]["face"]
    assert [option.label for option in decision.options] == ["the first Token", f"token of {face.capitalize()}"]


def test_options_that_would_tell_a_secret_are_for_the_one_who_decides() -> None:
    played = game("4", "a", "#1")
    assert played.decision is not None
    assert played.decision.rule == "game.last"
    assert len(played.snapshot()["decision"]["options"]) == 2
    assert len(played.snapshot(1)["decision"]["options"]) == 2
    assert played.snapshot(2)["decision"]["options"] == []
    assert played.view()["decision"]["options"] == []


def test_what_is_shown_to_everybody_is_a_spectator_s_to_see() -> None:
    played = game("4", "a", "#1")
    assert "face" in fields(played, 0, "token")[0]
    assert "face" not in fields(played, 0, "token")[1]


@pytest.mark.parametrize("choices", [(), ("4",), ("4", "a"), ("4", "a", "#1"), ("4", "a", "#1", "#1")])
@pytest.mark.parametrize("seat", [None, 0, 1, 2])
def test_what_is_left_out_is_typed_as_hidden(choices: tuple[str, ...], seat: int | None) -> None:
    schema = CONTRACTS["snapshot"].make(rules())
    Draft202012Validator(schema).validate(game(*choices).snapshot(seat))
    player = schema["properties"]["objects"]["properties"]["player"]["items"]["properties"]["fields"]
    assert "card" not in player["required"]
    assert player["properties"]["card"]["description"] == "Left out for viewers who may not see it."


def test_two_games_that_differ_in_what_is_hidden_are_told_alike() -> None:
    """All deals in which a player has the same card: nothing that player is told tells them apart."""
    seen: dict[tuple[int, str], set[str]] = {}
    for seed in range(60):
        played = Game(rules(), players=2, seed=seed)
        for seat in (1, 2):
            own = fields(played, None, "player")[seat - 1]["card"]
            seen.setdefault((seat, own), set()).add(format_log(played, seat))
    assert len(seen) == 6
    assert {len(texts) for texts in seen.values()} == {1}


def test_a_save_keeps_secrets_and_who_was_shown_them() -> None:
    played = game("4")
    again = Game.load_text(played.save_text(), rules())
    for seat in (None, 0, 1, 2):
        assert again.snapshot(seat) == played.snapshot(seat)
    assert again.log_for(1) == played.log_for(1)


def test_whoever_was_shown_a_value_is_not_told_the_next_one() -> None:
    for seed in range(12):
        played = Game(rules(), players=2, seed=seed)
        for choice in ("4", "a"):
            played.choose(choice)
        peeked, swapped = played.log_for(1), [event for event in played.log_for(1) if event.rule == "game.swapped"]
        assert any(event.data.get("field") == "shown.card" and event.text for event in peeked)
        assert {event.text for event in swapped} == {"", "Player 2’s card may have changed."}
        assert all("after" not in event.data for event in swapped if event.data["field"] == "card")


def test_hidden_changes_without_words_are_not_told() -> None:
    quiet = """\
tables: {suits: {rows: {hearts: {}, spades: {}, clubs: {}}}}
decks: {pack: {of: suits}}
kinds: {player: {fields: {card: {type: optional suits, seen_by: self, log: ""}}}}
procedures:
  game:
    steps:
      - {id: ready, choose: {who: first(players), from: [yes, no]}}
      - {id: card, draw: pack, seen_by: nobody}
      - {id: dealt, set: {first(players).card: card}}
      - {id: ends, choose: {who: first(players), from: [yes, no]}}
      - {id: end, finish: {winners: players}}
"""
    played = Game(sound(quiet, manifest=MANIFEST.replace("1..4}", "2, start: game}")), players=2, seed=3)
    played.choose("yes")
    for seat in (0, 1, 2):
        assert played.story(seat=seat) == ("Player 1 chooses: Yes.", "A card is drawn, face down.")


@pytest.mark.parametrize("amount", [0, 2])
def test_a_secret_change_is_true_and_grammatical_for_any_amount_and_noun(amount: int) -> None:
    purse = """\
terms: {coins: {name: Coins, plural: Coins, means: What a player has.}}
kinds: {player: {fields: {coins: {type: count, seen_by: self}}}}
procedures:
  game:
    steps:
      - {id: grown, gain: {who: first(players), coins: AMOUNT}}
      - {id: end, finish: {winners: players}}
"""
    purse = purse.replace("AMOUNT", str(amount))
    played = Game(sound(purse, manifest=MANIFEST.replace("1..4}", "2, start: game}")), players=2, seed=3)
    assert "Player 1’s Coins may have changed." in played.story(seat=2)


def test_a_record_for_a_seat_holds_what_that_seat_was_told_and_no_seed() -> None:
    played = game("4", "a")
    whole = [line.to_data() for line in played.record]
    mine, other, nobody = (played.record_for(seat) for seat in (1, 2, 0))
    assert [line[0] for line in mine["record"]] == [line[0] for line in whole]
    secret, first, second, guess, pause = whole
    assert mine["record"] == [["chance", None, None], first, ["chance", None, None], guess, pause]
    assert other["record"] == [["chance", None, None], ["chance", None, None], second, ["choose", None], pause]
    assert nobody["record"] == [*[["chance", None, None]] * 3, ["choose", None], pause]
    assert secret not in (*mine["record"], *other["record"])
    for seat, view in ((1, mine), (2, other), (0, nobody)):
        assert view["log"] == [event.to_json() for event in played.log_for(seat)]
        assert {"seed", "state"}.isdisjoint(view)


def test_a_view_of_everything_is_asked_for_by_name() -> None:
    played = game()
    cards = [each["values"] for each in played.view("everything")["players"]]
    assert all(any(value["name"] == "Card" and value["value"] != "hidden" for value in values) for values in cards)
    assert played.view(0) == played.view()
    assert [each["values"] for each in played.view()["players"]] != cards


def test_a_refused_seat_names_the_spectator_and_everything() -> None:
    with pytest.raises(GameError, match="`seat` must be from 1 to 2, or 0 for a spectator, not 3"):
        game().snapshot(3)
    with pytest.raises(GameError, match="from 1 to 2, or 0 for a spectator, or \"everything\", not 'all'"):
        game().view("all")  # type: ignore[arg-type]


def test_nobody_sits_beyond_the_table() -> None:
    for seat in (3, -1, True, "1"):
        with pytest.raises(GameError, match="`seat` must be from 1 to 2"):
            game().log_for(seat)  # type: ignore[arg-type]
        with pytest.raises(GameError, match="`seat` must be from 1 to 2"):
            game().snapshot(seat)  # type: ignore[arg-type]
        with pytest.raises(GameError, match="`seat` must be from 1 to 2"):
            game().record_for(seat)  # type: ignore[arg-type]


def test_a_game_without_secrets_tells_everybody_everything() -> None:
    played = Game(load_ruleset("pig/classic@1.0"), players=2, seed=5)
    for _ in range(12):
        decision = played.decision
        assert decision is not None
        played.choose(decision.options[0])
    assert played.log_for(0) == played.log_for(2) == played.log
    assert played.snapshot(0) == played.snapshot()


TOGETHER = """\
kinds: {player: {fields: {coins: {type: int, default: 3}}}}
state: {seen: int}
procedures:
  game:
    steps:
      - {id: bids, choose: {who: players, as: bidder, number: {from: 0, to: bidder.coins}}}
      - {id: noted, set: {seen: sum(b for b in bids)}}
      - id: paid
        for_each: one
        in: players
        steps:
          - {id: pays, pay: {who: one, coins: "bids[one]"}}
      - {id: some, choose: {who: list(p for p in players if p.coins > 1), from: [stay, go]}}
      - {id: kept, choose: {who: players, from: [left, right]}, seen_by: nobody}
      - {id: end, finish: {winners: "list(p for p in players if bids[p] == max(b for b in bids))"}}
"""


@cache
def together() -> Ruleset:
    return sound(TOGETHER, manifest=MANIFEST.replace("1..4}", "3, start: game}"))


def bidding(*choices: str) -> Game:
    played = Game(together(), players=3)
    for choice in choices:
        played.choose(choice)
    return played


def test_several_choose_without_seeing_what_the_others_choose() -> None:
    texts = {bid: [format_log(bidding(bid), seat) for seat in (0, 1, 2, 3)] for bid in ("0", "1", "2")}
    for seat in (0, 2, 3):
        assert len({seen[seat] for seen in texts.values()}) == 1
    assert len({seen[1] for seen in texts.values()}) == 3
    played = bidding("1", "2")
    assert played.decision is not None
    assert played.decision.player == 3
    assert "bids" in played.snapshot()["under_way"][0]["names"]
    assert "bids" not in played.snapshot(3)["under_way"][0]["names"]


def test_all_see_what_was_chosen_as_soon_as_all_have_chosen() -> None:
    played = bidding("1", "2", "0")
    for seat in (0, 1, 2, 3):
        assert played.snapshot(seat)["under_way"][0]["names"]["bids"] == [1, 2, 0]
        revealed = next(event for event in played.log_for(seat) if event.kind == "revealed")
        assert revealed.data == {"players": ["player-1", "player-2", "player-3"], "chosen": [1, 2, 0]}
        assert revealed.text.startswith("All have chosen. Player 1 chooses 1. Player 2 chooses 2.")
    assert played.snapshot()["values"]["seen"] == 3
    assert [each["coins"] for each in fields(played, None, "player")] == [2, 1, 3]


def test_of_a_list_those_are_asked_who_are_in_it() -> None:
    played = bidding("1", "2", "0")
    assert played.decision is not None
    assert played.decision.player == 1
    played.choose("go")
    assert played.decision.player == 3
    played.choose("stay")
    assert [event.data["chosen"] for event in played.log if event.kind == "revealed"] == [[1, 2, 0], ["go", "stay"]]


def test_what_is_chosen_for_good_in_secret_is_never_told() -> None:
    one, other = bidding("1", "2", "0", "go", "stay"), bidding("1", "2", "0", "go", "stay")
    for choices, played in ((("left", "left", "left"), one), (("right", "left", "left"), other)):
        for choice in choices:
            played.choose(choice)
    assert one.result == other.result
    assert one.result is not None
    assert one.result.winners == (2,)
    assert format_log(one, 2) == format_log(other, 2)
    assert format_log(one, 1) != format_log(other, 1)


@pytest.mark.parametrize("choices", [("1",), ("1", "2"), ("1", "2", "0"), ("1", "2", "0", "go")])
def test_a_save_between_choices_goes_on_where_it_was(choices: tuple[str, ...]) -> None:
    played = bidding(*choices)
    again = Game.load_text(played.save_text(), together())
    assert again.decision == played.decision
    assert again.snapshot() == played.snapshot()
    assert [again.log_for(seat) for seat in (0, 1, 2, 3)] == [played.log_for(seat) for seat in (0, 1, 2, 3)]


@cache
def deals(own: int) -> dict[str, Game]:
    """Games in which the first player has the same card and the second each other one, before the first answer."""
    games: dict[str, Game] = {}
    for seed in range(30):
        played = Game(load_ruleset("classics/kuhn-poker@1.0"), players=2, seed=seed)
        cards = [each["hand"] for each in fields(played, None, "player")]
        if cards[0] == ("jack", "queen", "king")[own]:
            games[cards[1]] = played
    return games


@pytest.mark.parametrize("own", [0, 1, 2])
def test_what_is_guessed_owes_nothing_to_what_is_hidden(own: int) -> None:
    games = deals(own)
    assert len(games) == 2
    for seed in range(10):
        guesses = [to_json(determinize(played.state, 1, Generator(seed, "guess"))) for played in games.values()]
        assert guesses[0] == guesses[1]
    guesses = [determinize(next(iter(games.values())).state, 1, Generator(seed, "guess")) for seed in range(20)]
    hands = {tuple(entity[1] for entity in state.objects[1:3]) for state in guesses}
    assert {hand[0] for hand in hands} == {("jack", "queen", "king")[own]}
    assert {hand[1] for hand in hands} == {"jack", "queen", "king"} - {hand[0] for hand in hands}


def test_a_hidden_number_that_was_rolled_is_guessed_by_its_die() -> None:
    played = Game(load_ruleset("classics/liars-dice@1.0"), players=2, seed=4)
    place = played.state.machine.layout.places["die", "face"]
    kind = played.state.machine.layout.kinds["die"]
    first, second = played.state.live[kind]
    own = played.state.objects[first][place]
    counts = Counter(
        (state.objects[first][place], state.objects[second][place])
        for seed in range(600)
        for state in [determinize(played.state, 1, Generator(seed, "guess"))]
    )
    assert set(counts) == {(own, face) for face in range(1, 7)}
    assert all(60 < count < 140 for count in counts.values()), counts


def test_what_holds_nothing_but_rolls_is_told() -> None:
    source = """\
kinds: {player: {fields: {a: int, b: int, c: int, d: {type: int, default: 3}, e: int}}}
procedures:
  main:
    given: {p: player, n: int}
    steps:
      - {id: one, roll: 2d6}
      - {id: other, roll: 1d4 + n}
      - {id: sum, let: one}
      - {id: more, set: {sum: sum + 1}}
      - {id: put, set: {p.a: one, p.b: one, p.c: sum, p.d: one, p.e: other}}
      - {id: grown, gain: {who: p, b: 1}}
      - {id: back, set: {p.d: 7}}
"""
    origins = analyze_origins(sound(source))
    assert {
        field: [format_roll(roll) for roll in rolls]
        for field, rolls in origins.rolls.items()
        if isinstance(field[1], str)
    } == {
        ("player", "a"): ["2d6"],
        ("player", "d"): ["2d6"],
    }
    assert {slot for _, slot in origins.rolls if isinstance(slot, int)} == {3}


def test_what_comes_from_names_of_a_loop_is_a_roll_only_if_all_of_them_are() -> None:
    source = """\
kinds: {player: {fields: {a: int}}}
procedures:
  main:
    given: {p: player}
    steps:
      - {id: one, roll: 2d6}
      - {id: last, let: one}
      - {id: middle, let: one}
      - {id: start, let: one}
      - id: again
        repeat:
          at_most: 4
          steps:
            - {id: put, set: {p.a: last}}
            - {id: third, set: {last: middle}}
            - {id: second, set: {middle: start}}
            - {id: first, set: {start: 1}}
"""
    origins = analyze_origins(sound(source))
    assert [type(place) for _, place in origins.rolls] == [int]


@pytest.mark.parametrize("own", [0, 1, 2])
def test_a_bot_that_looks_ahead_does_not_look_at_what_is_hidden(own: int) -> None:
    rules_ = load_ruleset("classics/kuhn-poker@1.0")
    for seed in range(5):
        chosen = {make("mcts:20", rules_, seed=seed, seat=1)(played.state) for played in deals(own).values()}
        assert len(chosen) == 1


@pytest.mark.parametrize("reference", ["kuhn-poker", "leduc-poker", "goofspiel", "liars-dice"])
@pytest.mark.parametrize("bot", ["random", "mcts:2"])
def test_bots_play_games_with_secrets_to_the_end(reference: str, bot: str) -> None:
    rules_ = load_ruleset(f"classics/{reference}@1.0")
    played = Game(rules_, players=2, seed=1)
    bots = [make(bot, rules_, seed=1, seat=seat) for seat in (1, 2)]
    while played.decision is not None:
        played.choose(bots[played.decision.player - 1](played.state))
    assert played.result is not None


LOTTERY = """\
state: {player: player}
procedures:
  game:
    steps:
      - {id: begins, draw: {one_of: players}}
      - {id: number, draw: {one_of: "[3, 5, 8]"}}
      - {id: pause, choose: {who: begins, from: [a, b]}}
      - {id: end, finish: {winners: "[begins]"}}
"""


def test_what_was_drawn_of_a_list_can_be_played_again() -> None:
    ruleset = sound(LOTTERY, manifest=MANIFEST.replace("1..4}", "2, start: game}"))
    for seed in range(4):
        played = Game(ruleset, seed=seed)
        again = Game.load_text(played.save_text(), ruleset)
        assert again.log == played.log
        assert again.record_for(1)["record"] == [line.to_data() for line in played.record]


TURNING = """\
tables: {goods: {rows: {wine: {}, cheese: {}}}}
kinds:
  player:
    seen_by: "players if self.gold > 2 else []"
    fields: {gold: int, stock: map of goods to int}
state: {player: player}
procedures:
  game:
    steps:
      - {id: paid, gain: {who: player, gold: 3}}
      - {id: pause, choose: {who: player, from: [a, b]}}
      - {id: end, finish: {winners: players}}
"""


def test_a_value_that_lays_itself_open_is_told_as_it_is() -> None:
    """What it was is not known, so that nobody is told how much was added."""
    played = Game(sound(TURNING, manifest=MANIFEST.replace("1..4}", "2, start: game}")))
    assert played.story(seat=2) == ("Player 1’s gold is now 3.",)


CHANGES = """\
kinds:
  player: {fields: {card: {type: int, seen_by: self, log: "the card of {self} is {self.card}"}}}
  lamp:
    label: {lit: lit lamp, dark: dark lamp}
    fields: {lit: bool, dark: {type: bool, default: true}}
  keeper: {fields: {whose: optional player}}
  box:
    label: box
    fields:
      keeper: {type: keeper, seen_by: everybody}
      inside: {type: int, seen_by: list(p for p in players if p == self.keeper.whose)}
procedures:
  game:
    steps:
      - {id: player, let: first(p for p in players)}
      - {id: lamp, create: lamp}
      - {id: keeper, create: keeper, with: {whose: player}}
      - {id: box, create: box, with: {keeper: keeper}}
      - {id: before, set: {box.inside: 1}}
      - {id: light, set: {lamp.lit: true}}
      - {id: card, set: {player.card: 7}}
      - {id: left, remove: keeper}
      - {id: after, set: {box.inside: 2}}
      - {id: end, finish: {winners: []}}
"""


def changes(seat: int) -> dict[str, Any]:
    """Return what a seat is told of the changes, by step."""
    played = Game(sound(CHANGES, manifest=MANIFEST.replace("1..4}", "2, start: game}")), players=2, seed=3)
    own = [event for event in played.log_for(seat) if event.data.get("field") in ("inside", "lit", "card")]
    return {event.rule.partition(".")[2]: event for event in own}


def test_a_change_is_told_to_a_seat_with_what_the_thing_was_called_before() -> None:
    assert {changes(seat)["light"].text for seat in (0, 1, 2)} == {"Dark lamp is now lit."}


def test_who_sees_a_value_by_what_has_left_sees_it_no_longer() -> None:
    told = changes(1)
    assert told["before"].data["after"] == 1
    assert "after" not in told["after"].data


def test_own_words_for_a_hidden_change_are_a_sentence() -> None:
    assert changes(1)["card"].text == "The card of Player 1 is 7."
    assert changes(2)["card"].text == "The card of Player 1 is hidden."


BURIED = """\
tables: {cards: {rows: {ash: {}, elm: {}, fir: {}}}}
decks: {pack: {title: Old Pile, of: cards, ordered: true}}
state: {player: player}
procedures:
  game:
    steps:
      - {id: lead, set: {player: first(players)}}
      - {id: card, draw: pack, seen_by: player}
      - {id: buried, put: {cards: card, WHERE: pack}}
      - {id: asked, choose: {who: player, from: [a, b]}}
      - {id: end, finish: {winners: []}}
"""


@pytest.mark.parametrize(("where", "part"), [("under", "bottom"), ("onto", "top")])
def test_a_card_put_back_in_secret_is_told_with_the_title_of_the_deck(where: str, part: str) -> None:
    buried = sound(BURIED.replace("WHERE", where), manifest=MANIFEST.replace("1..4}", "2, start: game}"))
    lines = [event.text for event in Game(buried, players=2, seed=3).log_for(2)]
    assert f"The {part} of Old Pile may have changed." in lines
    assert "deck" not in " ".join(lines)


CHESTS = """\
tables: {goods: {rows: {tea: {}, silk: {}}}}
kinds:
  player: {}
  chest: {fields: {day: count, good: {type: goods, seen_by: nobody}}}
  vault: {fields: {good: {type: goods, seen_by: nobody}}}
  purse: {fields: {owner: player, coins: count}}
state: {player: player}
procedures:
  game:
    steps:
      - {id: chest, create: chest, with: {day: 2, good: silk}}
      - {id: vault, create: vault, with: {good: silk}}
      - {id: purses, for_each: one, in: players, steps: [{id: purse, create: purse, with: {owner: one, coins: 3}}]}
      - {id: ask, choose: {who: player, from: [a, b]}}
"""


def test_a_view_lists_open_objects_that_are_on_no_board() -> None:
    played = Game(sound(CHESTS, manifest=MANIFEST.replace("1..4}", "2, start: game}")), players=2)
    values = [{"name": "Day", "value": "2"}, {"name": "Good", "value": "hidden"}]
    chest = {"id": "chest-3", "kind": "Chest", "label": "the Chest", "values": values}
    listed = {seat: played.view(seat)["objects"] for seat in (0, 1)}
    assert [each["id"] for each in listed[0]] == ["chest-3", "purse-5", "purse-6"]
    assert listed[1][0] == chest
    assert [each["id"] for each in listed[1]] == ["chest-3", "purse-6"], "the first purse is the player's own"
    lines = describe_table(played.view(1))
    assert "The Chest: Day 2" in lines
    assert lines[-1].endswith("Owner Player 2; Coins 3")
