"""What a bot guesses agrees with all that its seat has seen: its own names and cards, and who is asked."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import pytest

from rulewright import Game, Ruleset
from rulewright.ai import bots
from rulewright.analysis.simulation.run_simulation import simulate
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.narration.determinize import determinize
from rulewright.ir.analyses.knowledge import Knowledge
from tests.language.inline import MANIFEST, sound
from tests.secrets.agreement import agree
from tests.secrets.checking import CHECKED
from tests.secrets.rulesets import cellar

BEGUN = """\
tables: {ranks: {rows: {jack: {}, queen: {}, king: {}, ace: {}}}}
decks: {pack: {of: ranks}}
kinds: {player: {fields: {hand: {type: optional ranks, seen_by: self}, gold: int}}}
state: {player: player, other: player, answer: {type: int, seen_by: nobody}}
formulas: {twice: {is: answer * 2}, standing: {given: {player: player}, is: player.gold}}
procedures:
"""

OWN = """\
  game:
    steps:
      - {id: first, draw: pack, seen_by: player}
      - {id: dealt, set: {player.hand: first}}
      - {id: drawn, draw: pack, seen_by: player}
      - id: played
        choose:
          who: player
          one_of: "[player.hand or drawn] if player.hand == drawn else [player.hand or drawn, drawn]"
      - {id: end, finish: {winners: players}}
"""

TURNS = """\
  game:
    steps:
      - {id: lead, draw: {one_of: players}, seen_by: nobody}
      - {id: first, choose: {who: lead, from: [a, b]}}
      - {id: theirs, do: turn, with: {one: lead}}
      - {id: end, finish: {winners: players}}
  turn:
    given: {one: player}
    steps:
      - {id: drawn, draw: pack, seen_by: one}
      - {id: more, roll: 1d6, seen_by: one}
      - {id: both, let: more + 1}
      - {id: then, choose: {who: one, from: [a, b]}}
      - {id: paid, gain: {who: one, gold: both}, when: then == a}
"""

STOOD_BEFORE = """\
  game:
    steps:
      - {id: drawn, draw: {one_of: players}, seen_by: nobody}
      - {id: lead, let: drawn}
      - {id: stood, let: lead}
      - {id: again, draw: {one_of: players}, seen_by: nobody}
      - {id: turned, set: {lead: again}}
      - {id: first, choose: {who: lead, from: [a, b]}}
      - {id: end, finish: {winners: players}}
"""

ROUNDS = """\
  game:
    steps:
      - id: rounds
        repeat:
          at_most: 2
          steps:
            - id: each
              for_each: one
              in: players
              steps: [{id: kept, choose: {who: player, from: [a, b]}, seen_by: nobody}]
            - {id: turned, set: {player: "next(player, players)"}}
            - {id: own, choose: {who: player, from: [a, b]}, seen_by: nobody}
      - {id: end, finish: {winners: players}}
"""

HANDED_ON = """\
  game:
    steps:
      - {id: noted, let: 0}
      - {id: older, let: 0}
      - id: rounds
        repeat:
          at_most: 3
          steps:
            - {id: rolled, roll: 1d6, seen_by: player}
            - {id: written, set: {noted: rolled}}
            - {id: kept, set: {older: noted}}
            - {id: turned, set: {player: "next(player, players)"}}
            - {id: wiped, set: {noted: 0}}
            - {id: then, choose: {who: player, from: [a, b]}}
      - {id: end, finish: {winners: players}}
"""

ONE_BY_ONE = """\
  game:
    steps:
      - {id: drawn, draw: pack, count: 3, seen_by: SEERS}
      - id: each
        for_each: card
        in: drawn
        steps:
          - {id: asked, choose: {who: player, from: [a, b]}}
          - {id: paid, gain: {who: player, gold: 2}, when: asked == a and card == ranks.jack}
      - {id: end, finish: {winners: players}}
"""

PASSED_ON = """\
  game:
    steps:
      - {id: drawn, draw: pack, seen_by: player}
      - {id: turned, set: {player: "next(player, players)"}}
      - {id: played, choose: {who: player, from: [a, b]}}
      - {id: end, finish: {winners: players}}
"""

COMPUTED = """\
  game:
    steps:
      - {id: own, STEP}
      - {id: then, choose: {who: player, from: [a, b]}}
      - {id: end, finish: {winners: players}}
"""

WORKED_OUT = """\
  game:
    steps:
      - {id: rolled, roll: 1d6, seen_by: nobody}
      - {id: put, set: {answer: rolled}}
      - {id: derived, let: twice}
      - {id: asked, choose: {who: player, from: [a, b]}}
      - {id: end, finish: {winners: players}}
"""

GIVEN_TWICE = """\
  game:
    steps:
      - {id: rolled, roll: 1d6, seen_by: nobody}
      - {id: turned, do: turn, with: {one: rolled, same: rolled}}
      - {id: end, finish: {winners: players}}
  turn:
    given: {one: int, same: int}
    steps:
      - {id: asked, choose: {who: player, from: [a, b]}}
      - {id: paid, gain: {who: player, gold: one - same}, when: asked == a}
"""

PILES = """\
tables:
  cards:
    columns: {first: count, second: count, points: int}
    rows:
      ash: {first: 1, second: 0, points: 1}
      birch: {first: 1, second: 0, points: 2}
      cedar: {first: 1, second: 1, points: 3}
      elm: {first: 0, second: 1, points: 4}
      fir: {first: 0, second: 1, points: 5}
decks:
  near: {title: near pile, of: cards, copies: first}
  far: {title: far pile, of: cards, copies: second}
kinds: {player: {fields: {hand: {type: list of cards, seen_by: self}}}}
formulas: {standing: {given: {who: player}, is: sum(c.points for c in who.hand)}}
procedures:
  game:
    steps:
      - id: turns
        for_each: one
        in: players
        steps:
          - {id: first, draw: near, seen_by: one}
          - {id: second, draw: far, seen_by: one}
          - {id: held, set: {one.hand: "[first, second]"}}
      - id: asked
        for_each: one
        in: players
        steps:
          - {id: kept, choose: {who: one, one_of: one.hand}}
          - {id: left, set: {one.hand: "[kept]"}}
      - {id: end, finish: {winners: list(p for p in players if standing(p) > 2)}}
"""

ANSWERED = """\
  game:
    steps:
      - {id: rich, for_each: one, in: players, steps: [{id: more, gain: {who: one, gold: 4}}]}
      - {id: fixed, choose: {who: player, number: {from: 2, to: 4}}, seen_by: player}
      - {id: stored, choose: {who: player, number: {from: player.gold - 1, to: player.gold + 2}}, seen_by: player}
      - {id: open, choose: {who: player, number: {from: 3, to: 'max(player.gold, 9)'}}, seen_by: player}
      - {id: listed, choose: {who: player, one_of: [2, 7]}, seen_by: player}
      - {id: maybe, choose: {who: player, number: {from: 5, to: 6}, or_none: true}, seen_by: player}
      - {id: several, choose: {who: players, number: {from: 7, to: 8}}, seen_by: nobody}
      - {id: copied, let: fixed}
      - {id: put, set: {answer: fixed}}
      - {id: turned, set: {player: "next(player, players)"}}
      - {id: asked, choose: {who: player, from: [take, leave]}}
      - {id: paid, gain: {who: player, gold: fixed + listed}, when: asked == take}
      - {id: safe, gain: {who: player, gold: 1}, when: asked == leave}
      - {id: other, gain: {who: first(players), gold: 1}}
      - {id: last, choose: {who: player, from: [a, b]}}
      - {id: end, finish: {winners: 'list(p for p in players if p.gold == max(q.gold for q in players))'}}
"""


def rules(procedures: str, begun: str = BEGUN) -> Ruleset:
    """Return a game of two."""
    return sound(begun + procedures, manifest=MANIFEST.replace("1..4}", "2, start: game, evaluate: standing}"))


def names(game: Game, guess: int) -> dict[str, object]:
    """Return what the names of all procedures under way hold in a guess of whoever is asked."""
    state = determinize(game.state, game.state.who, Generator(guess, "guess"))
    guesses: dict[str, object] = {}
    procedure = state.root
    for frame in state.stack:
        known = game.ruleset.procedures[procedure].names
        guesses |= {name: frame[slot] for slot, name in known.items()}
        step = game.ruleset.steps[frame[0]]
        procedure = getattr(step.action, "procedure", "")
    return guesses


def test_what_a_player_drew_is_no_other_in_a_guess() -> None:
    for seed in range(12):
        game = Game(rules(OWN), seed=seed)
        assert {names(game, guess)["drawn"] for guess in range(8)} == {game.record[1].value}  # type: ignore[union-attr]


def test_a_guess_stands_at_the_same_question() -> None:
    """With another card there is but one option."""
    for seed in range(8):
        game = Game(rules(OWN), seed=seed)
        guess = determinize(game.state, game.state.who, Generator(1, "guess"))
        assert (guess.mode, guess.who, guess.options) == (game.state.mode, game.state.who, game.state.options)


@pytest.mark.parametrize("bot", ["greedy", "planner:4", "rollout:4", "mcts:8"])
@pytest.mark.parametrize("procedures", [OWN, TURNS, PASSED_ON])
def test_bots_that_guess_play_to_the_end(procedures: str, bot: str) -> None:
    ruleset = rules(procedures)
    for seed in range(3):
        game = Game(ruleset, seed=seed)
        seated: Sequence[bots.Policy] = [bots.make(bot, ruleset, seed=seed, seat=seat) for seat in (1, 2)]
        while (decision := game.decision) is not None:
            game.choose(seated[decision.player - 1](game.state))
        assert game.result is not None


def test_coverage_is_counted_where_bots_guess() -> None:
    assert simulate(rules(OWN), games=4, policies=["greedy", "random"], coverage=True, workers=1).games == 4


def test_who_is_asked_is_known_whatever_it_follows_from() -> None:
    for seed in range(6):
        game = Game(rules(TURNS), seed=seed)
        assert game.decision is not None
        assert {names(game, guess)["lead"] for guess in range(8)} == {game.decision.player}
        assert game.snapshot(0)["under_way"][0]["names"]["lead"] == f"player-{game.decision.player}"


def test_what_a_procedure_was_given_and_worked_out_is_known() -> None:
    for seed in range(6):
        game = Game(rules(TURNS), seed=seed)
        game.choose("a")
        assert game.decision is not None
        seen = [names(game, guess) for guess in range(8)]
        true = game.snapshot()["under_way"][1]["names"]
        for name in ("drawn", "more", "both"):
            assert {each[name] for each in seen} == {true[name]}
        assert {each["lead"] for each in seen} == {each["one"] for each in seen} == {game.decision.player}


@pytest.mark.parametrize(
    ("step", "many"),
    [
        ("choose: {who: player, from: [a, b]}, seen_by: list(p for p in players if p.gold == 0)", 1),
        ("choose: {who: next(next(player)), from: [a, b]}, seen_by: nobody", 2),
        ("roll: 1d2, seen_by: list(p for p in players if p.gold == 0)", 2),
    ],
)
def test_a_result_is_guessed_where_the_rules_compute_who_saw_it(step: str, many: int) -> None:
    """A frame does not hold its viewers, and a guess must never show a secret to another player."""
    game = Game(rules(COMPUTED.replace("STEP", step)), seed=1)
    assert game.decision is not None
    if game.decision.rule == "game.own":
        game.choose("b")
    assert len({names(game, guess)["own"] for guess in range(12)}) == many


def test_what_the_one_before_drew_is_not_known() -> None:
    game = Game(rules(PASSED_ON), seed=3)
    assert len({names(game, guess)["drawn"] for guess in range(30)}) > 2


def test_only_own_choices_of_the_round_before_are_known() -> None:
    game = Game(rules(ROUNDS), seed=1)
    for answer in ("b", "b", "b"):
        game.choose(answer)
    assert game.decision is not None
    assert (game.decision.player, game.decision.rule) == (2, "game.kept")
    seen = [names(game, guess) for guess in range(20)]
    assert {each["kept"] for each in seen} == {"a", "b"}, "the other player has chosen that"
    assert {each["own"] for each in seen} == {"b"}


def test_what_a_name_held_before_it_was_handed_on_is_not_known() -> None:
    for seed in range(6):
        game = Game(rules(HANDED_ON), seed=seed)
        assert {names(game, guess)["older"] for guess in range(60)} == {*range(7)}
        assert game.snapshot()["under_way"][0]["names"]["older"] > 0


def test_what_a_formula_makes_of_a_hidden_value_of_the_game_is_not_known() -> None:
    game = Game(rules(WORKED_OUT), seed=1)
    assert 2 * game.snapshot()["values"]["answer"] == game.snapshot()["under_way"][0]["names"]["derived"] > 0
    assert {names(game, guess)["derived"] for guess in range(200)} == {*range(13)}


def test_a_secret_that_is_given_twice_is_one_value() -> None:
    game = Game(rules(GIVEN_TWICE), seed=1)
    seen = [names(game, guess) for guess in range(8)]
    assert len({each["rolled"] for each in seen}) > 2
    assert all(each["rolled"] == each["one"] == each["same"] for each in seen)


def test_a_loop_over_a_secret_list_goes_on_in_a_guess() -> None:
    game = Game(rules(ONE_BY_ONE.replace("SEERS", "nobody")), seed=1)
    for left in (2, 1, 0):
        guesses = [names(game, guess)["each (place)"] for guess in range(12)]
        assert all(isinstance(each, tuple) and len(each) == left for each in guesses)
        assert len({*guesses}) > 1 or not left
        game.choose("a")


def test_whoever_sees_a_list_knows_how_a_loop_over_it_goes_on() -> None:
    game = Game(rules(ONE_BY_ONE.replace("SEERS", "player")), seed=1)
    game.choose("a")
    seen = [names(game, guess) for guess in range(12)]
    ((_, _, drawn, card, *_),) = game.state.stack
    assert {(each["card"], each["each (place)"]) for each in seen} == {(card, drawn[2:])}


def test_a_guess_that_forgets_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every guess in the tests is checked."""
    assert agree in CHECKED
    monkeypatch.setattr(Knowledge, "find_sources", lambda self, procedure, slot, step: None)
    game = Game(rules(OWN), seed=1)
    with pytest.raises(AssertionError, match="is known"):
        [names(game, guess) for guess in range(8)]


def test_what_everybody_chose_is_known_to_whoever_chose_it() -> None:
    game = Game(cellar(), seed=2)
    answers: dict[int, str] = {}
    for _ in range(200):
        decision = game.decision
        if decision is None:
            break
        if len(answers) == 2 and decision.rule != "game.kept":
            # A procedure carried out in the next round: the answers of the one before are still there.
            seen = {names(game, guess)["kept"][decision.player - 1] for guess in range(8)}  # type: ignore[index]
            assert seen == {answers[decision.player]}
            return
        if decision.rule == "game.kept":
            answers[decision.player] = ("left", "right")[decision.player % 2]
            game.choose(answers[decision.player])
        else:
            game.choose(0)
    pytest.fail("nobody is asked after that")


def test_who_is_asked_needs_no_guess_in_hosts_either() -> None:
    """The exported module goes by the sources alone."""
    ruleset = rules(TURNS)
    (first,) = (number for number, step in ruleset.steps.items() if step.rule == "game.first")
    (slot,) = (number for number, name in ruleset.procedures["game"].names.items() if name == "lead")
    assert Knowledge(ruleset).find_sources("game", slot, first) == [["told", [["players"], ["slot", slot]]]]


def test_who_stood_before_whoever_is_asked_is_not_known() -> None:
    for seed in range(6):
        game = Game(rules(STOOD_BEFORE), seed=seed)
        assert len({names(game, guess)["stood"] for guess in range(20)}) == 2


def test_a_hidden_card_is_guessed_from_the_deck_it_came_from() -> None:
    ruleset = rules(PILES, begun="")
    hands = set()
    for seed in range(8):
        game = Game(ruleset, seed=seed)
        layout = game.state.machine.layout
        near, far = (layout.places["game", f"deck.{name}"] for name in ("near", "far"))
        hand = layout.places["player", "hand"]
        for number in range(8):
            guess = determinize(game.state, game.state.who, Generator(number, "guess"))
            players = guess.objects[1:3]
            cards = ruleset.declarations.decks
            for pile, place, drawn in (("near", near, 0), ("far", far, 1)):
                dealt = [*guess.objects[0][place], *(player[hand][drawn] for player in players)]
                assert sorted(dealt) == sorted(cards[pile].cards)
            hands.add(players[1][hand])
    assert len(hands) > 6


def test_a_secret_answer_is_guessed_among_those_that_were_offered() -> None:
    game = Game(rules(ANSWERED), seed=1)
    for answer in (1, 2, 1, 1, 0, 1, 0):
        game.choose(answer)
    assert game.decision is not None
    assert game.decision.player == 2
    seen = [names(game, guess) for guess in range(60)]
    assert {name: {each[name] for each in seen} for name in ("fixed", "stored", "listed", "maybe", "copied")} == {
        "fixed": {2, 3, 4},
        "stored": {3, 4, 5, 6},
        "listed": {2, 7},
        "maybe": {5, 6},
        "copied": {2, 3, 4},
    }
    assert {each["open"] for each in seen} <= {*range(3, 10)}
    assert {each["several"] for each in seen} == {(7, 7), (8, 7)}, "the own one is known"
    place = game.state.machine.layout.places["game", "answer"]
    guesses = [determinize(game.state, 2, Generator(guess, "guess")) for guess in range(60)]
    assert {guess.objects[0][place] for guess in guesses} == {2, 3, 4}


def test_a_guess_of_an_answer_depends_on_nothing_hidden() -> None:
    """Bounds that only one player sees would reveal the secret."""
    source = ANSWERED.replace("from: 2, to: 4", "from: 1, to: 5").replace("[2, 7]", "'[2, fixed + 3]'")
    source = source.replace("from: player.gold - 1, to: player.gold + 2", "from: fixed, to: fixed + 3")
    guesses = []
    for fixed in (1, 5):
        game = Game(rules(source), seed=1)
        for answer in (fixed - 1, 1, 1, 0, 0, 1, 0):
            game.choose(answer)
        guesses.append([names(game, guess) for guess in range(12)])
    assert guesses[0] == guesses[1]
    assert len({each["stored"] for each in guesses[0]}) > 3


@pytest.mark.parametrize("bot", ["greedy", "planner:4", "mcts:50"])
def test_bots_take_what_is_worth_more_for_every_secret_answer(bot: str) -> None:
    ruleset = rules(ANSWERED)
    game = Game(ruleset, seed=1)
    for answer in (1, 2, 1, 1, 0, 1, 0):
        game.choose(answer)
    assert bots.make(bot, ruleset, seed=1, seat=2)(game.state) == game.state.options.index("take")


RESULTS = """\
  bid:
    steps:
      - {id: offered, choose: {who: player, number: {from: 2, to: 4}}, seen_by: player}
    gives: {offer: offered}
  game:
    steps:
      - {id: bid, do: bid}
      - {id: doubled, let: bid.offer * 2 + 1}
      - {id: put, set: {answer: doubled}}
      - {id: turned, set: {player: "next(player, players)"}}
      - {id: asked, choose: {who: player, from: [take, leave]}}
      - {id: end, finish: {winners: players}}
"""

SUBSETS = """\
  game:
    steps:
      - {id: squad, choose: {who: player, some_of: ranks, at_least: 2, at_most: 3}, seen_by: player}
      - {id: one, choose: {who: player, some_of: players, at_least: 1, at_most: 1}, seen_by: player}
      - {id: friends, choose: {who: players, some_of: players, at_least: 2}, seen_by: nobody}
      - {id: turned, set: {player: "next(player, players)"}}
      - {id: asked, choose: {who: player, from: [take, leave]}}
      - {id: paid, gain: {who: player, gold: count(squad)}, when: asked == take and jack in squad}
      - {id: safe, gain: {who: player, gold: 1}, when: asked == leave}
      - {id: end, finish: {winners: players}}
"""
NO_CARDS = BEGUN.replace("decks: {pack: {of: ranks}}\n", "")


def test_several_secret_answers_are_guessed_without_one_twice() -> None:
    game = Game(rules(SUBSETS, NO_CARDS), seed=1)
    for answer in (4, 1):
        game.choose(answer)
    assert game.decision is not None
    assert game.decision.player == 2
    seen = [names(game, guess) for guess in range(200)]
    assert {each["squad"] for each in seen} == {*combinations(("jack", "queen", "king", "ace"), 2)}
    assert {each["one"] for each in seen} == {(1,), (2,)}
    assert {each["friends"] for each in seen} == {((1, 2), (1, 2))}


def test_a_number_computed_from_secret_answers_is_guessed_within_its_bounds() -> None:
    found = []
    for answer in range(3):
        game = Game(rules(RESULTS), seed=1)
        game.choose(answer)
        seen = [names(game, guess) for guess in range(60)]
        assert {each["doubled"] for each in seen} == {*range(5, 10)}
        place = game.state.machine.layout.places["game", "answer"]
        guesses = [determinize(game.state, 2, Generator(guess, "guess")) for guess in range(120)]
        assert {guess.objects[0][place] for guess in guesses} == {0, *range(1, 10)}
        found.append([each["doubled"] for each in seen])
    assert found[0] == found[1] == found[2]
