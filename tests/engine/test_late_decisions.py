"""What a game has handed out stays as it was: labels that are read late are those that were there to be read.

Each game is played twice, by the same choices. One reads everything at each stop; the other keeps what it was handed,
and reads it later: after more moves, after a move that fails, once the game is gone, or in another thread.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace
from functools import cache
from random import Random
from threading import Event, Thread
from typing import Any

import pytest

from rulewright import Game, Ruleset, RulesFault, load_ruleset
from rulewright.engine import backends
from rulewright.engine.game.decision import Decision, Option, build_decision
from rulewright.engine.game.game import replay
from rulewright.engine.narration.redaction import redact_value
from rulewright.engine.state.game_state import State
from rulewright.language.expressions.evaluator import Evaluate
from tests.breadth import times
from tests.language.inline import MANIFEST, sound

GROVE = """
terms: {coin: {name: Coin, plural: Coins}}
kinds:
  player: {fields: {coin: count}}
  tree:
    fields: {owner: optional player, height: int, bark: {type: int, seen_by: self.owner}}
    label: {bark: "tree of {self.bark} and {self.height}", height: "tree of {self.height}"}
state: {turn: player, price: int}
procedures:
  game:
    title: The grove
    steps:
      - {id: first, create: tree, with: {height: 1, bark: 2, owner: turn}}
      - {id: second, create: tree, with: {height: 1, bark: 0, owner: turn}}
      - {id: third, create: tree, with: {height: 0, bark: 3}}
      - {id: fourth, create: tree}
      - id: rounds
        repeat:
          at_most: 12
          steps:
            - {id: seat, set: {turn: "next(turn, players)"}}
            - {id: best, choose: {who: turn, one_of: trees}}
            - {id: tended, do: tend, with: {one: turn, t: best}}
  tend:
    title: A tree is tended
    given: {one: player, t: tree}
    steps:
      - {id: grown, set: {t.height: t.height + 1, t.bark: t.bark * 2}}
      - {id: face, roll: 1d6}
      - {id: dearer, set: {price: face}}
      - {id: other, let: "next(t, trees)"}
      - id: number
        choose: {who: one, number: {from: 0, to: 5}, costs: {coin: it * price + t.height}}
      - {id: turned, set: {other: "next(other, trees)"}}
      - {id: high, set: {t.height: 9, t.bark: 9}, when: number == 4}
      - {id: unpaid, pay: {who: one, coin: 1}, when: number == 4}
      - id: few
        choose: {who: one, some_of: "list(x for x in trees if x != t)", at_most: 2}
        when: count(trees) > 2
      - {id: left, set: {t.owner: none, t.height: 0}, when: number == 1}
      - {id: planted, create: tree, with: {height: face, owner: one}, when: number == 2}
      - id: felled
        if: number == 3 and count(trees) > 2
        then:
          - {id: peeled, set: {t.bark: 7}}
          - {id: gone, remove: t}
"""
"""Trees whose names, costs and numbers change with each move. To choose 4 is a fault of these rules."""


@cache
def grove() -> Ruleset:
    return sound(GROVE, manifest=MANIFEST.replace("1..4}", "2, start: game}"))


RULESETS: dict[str, tuple[Callable[[], Ruleset], int]] = {
    "grove": (grove, 40),
    **{
        reference: ((lambda name=reference: load_ruleset(name)), decisions)
        for reference, decisions in {
            "pig/classic@1.0": 30,
            "classics/liars-dice@1.0": 30,
            "classics/connect-four@1.0": 12,
            "classics/yacht@1.0": 12,
            "fuzzy-knights/normal@1.0": 60,
        }.items()
    },
}
"""The rulesets, each with the number of decisions to play: with and without secrets, costs and objects."""


def parts(decision: Decision) -> tuple[Any, ...]:
    """Return all there is of a decision, as plain values."""
    return (
        decision.player,
        decision.ask,
        decision.rule,
        [(option.id, option.label, option.value, option.index) for option in decision.options],
        [(each.name, each.kind, each.id, each.label) for each in decision.about],
        decision.to_json(),
        repr(decision),
    )


def pick(game: Game, random: Random) -> int:
    """Return the index of an option that does not lead to a fault."""
    assert game.decision is not None
    while True:
        index = random.randrange(len(game.decision.options))
        trial = game.clone()
        try:
            trial.choose(index)
        except RulesFault:
            continue
        return index


@pytest.mark.parametrize("machine", backends.list_names())
@pytest.mark.parametrize("name", RULESETS)
def test_labels_read_late_are_those_that_were_there_at_once(name: str, machine: str) -> None:
    load, decisions = RULESETS[name]
    rules = load()
    for seed in range(times(3, 20)):
        settings = {"seed": seed, "options": rules.simulations, "stop_at_chance": seed % 2 == 1}
        prompt = Game(rules, machine=backends.make(machine, rules), **settings)
        late = Game(rules, machine=backends.make(machine, rules), **settings)
        random, picks = Random(seed), Random(seed)
        expected: list[tuple[Any, ...]] = []
        logs = []
        kept: list[tuple[int, Any]] = []
        for _ in range(decisions):
            if prompt.result is not None:
                break
            logs.append((prompt.log, prompt.log_for(1), prompt.story()))
            if prompt.decision is None:
                prompt.roll()
                late.roll()
                continue
            expected.append(parts(build_decision(prompt.state)))
            index = pick(prompt, picks)
            prompt.choose(index)
            held = late.decision
            assert held is late.decision
            assert held is not None
            # Some are dropped unread, and of some only an option is kept.
            what = random.choice([None, held, held, held.options[-1]])
            kept += [] if what is None else [(len(expected) - 1, what)]
            if name == "grove" and held.rule == "tend.number" and random.random() < 0.5:
                with pytest.raises(RulesFault):
                    late.choose(4)
                assert random.random() < 0.7 or late.decision == held
            if random.random() < 0.2:
                late = random.choice([Game.clone, copy.deepcopy, reopened])(late)
            late.choose(held.options[index] if random.random() < 0.5 else index)
            del held, what
            for each in random.sample(kept, min(len(kept), random.randrange(2))):
                check(*each, expected)
                kept.remove(each)
        logs.append((prompt.log, prompt.log_for(1), prompt.story()))
        assert (late.log, late.log_for(1), late.story()) == logs[-1]
        for log, seen, _ in logs:
            assert late.log[: len(log)] == log
            assert late.log_for(1)[: len(seen)] == seen
        assert late.to_json() == prompt.to_json()
        assert late.record == prompt.record
        if name == "grove":
            assert kept
        del late
        for each in kept:
            check(*each, expected)


def reopened(game: Game) -> Game:
    """Return the game of a save, on its own back end."""
    return Game.load_text(game.save_text(), game.ruleset)


def check(number: int, held: Decision | Option, expected: list[tuple[Any, ...]]) -> None:
    """Compare a decision, or one of its options, with what it was."""
    if isinstance(held, Decision):
        assert parts(held) == expected[number]
        assert parts(pickle.loads(pickle.dumps(held))) == expected[number]
    else:
        assert (held.id, held.label, held.value, held.index) == expected[number][3][held.index]


def unread(seed: int = 0) -> tuple[Game, Decision]:
    """Return a game of the grove, and its decision about costs, of which nothing has been read."""
    game = Game(grove(), seed=seed)
    game.choose(0)
    decision = game.decision
    assert decision is not None
    return game, decision


def test_a_decision_is_made_once_until_the_next_move() -> None:
    game, decision = unread()
    assert game.decision is decision
    game.choose(0)
    assert game.decision is not decision
    assert game.clone().decision is not game.decision
    assert game.clone().decision == game.decision


def test_nothing_is_labelled_that_nobody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the labels nor the log of a game cost anything until they are read."""
    calls = []
    for name in ("game.decision.label_options", "game.decision.redact_value", "narration.log.NarrationLog.read"):
        monkeypatch.setattr(f"rulewright.engine.{name}", lambda *_, name=name: calls.append(name))
    game, random = Game(grove(), seed=1), Random(1)
    while game.decision:
        game.choose(random.choice([each for each in game.decision.options if each.value != 4]))
    assert (game.result is None, calls) == (False, [])


def test_values_that_are_labelled_late_are_values_like_others() -> None:
    game, decision = unread()
    other = unread()[1]
    at_once = build_decision(game.state)
    option = decision.options[1]
    assert hash(option) == hash(at_once.options[1])
    assert copy.copy(option) == option == pickle.loads(pickle.dumps(option))
    assert replace(option, label="other") == replace(at_once.options[1], label="other")
    assert (hash(other), repr(other), other) == (hash(at_once), repr(at_once), at_once)
    assert copy.deepcopy(unread()[1]) == at_once == pickle.loads(pickle.dumps(unread()[1]))
    with pytest.raises(FrozenInstanceError):
        option.label = "other"  # type: ignore[misc]
    for each in (option, decision):
        with pytest.raises(AttributeError, match=r"^'(Option|Decision)' object has no attribute 'name'$"):
            _ = each.name  # type: ignore[union-attr]


def test_options_that_are_created_late_are_as_a_tuple_of_them() -> None:
    game, decision = unread()
    options, whole = decision.options, tuple(decision.options)
    assert (len(options), options[0], options[-1], options[1:]) == (len(whole), whole[0], whole[-1], whole[1:])
    assert all(one is other for one, other in zip(options, whole, strict=True))
    assert options[-1] is options[len(whole) - 1]
    assert (options == whole, whole == options, options == list(whole)) == (True, True, False)
    assert (hash(options), repr(options)) == (hash(whole), repr(whole))
    assert pickle.loads(pickle.dumps(options)) == whole
    assert [type(each) for each in pickle.loads(pickle.dumps(options))] == [Option] * len(whole)
    with pytest.raises(IndexError):
        _ = options[len(whole)]
    game.choose(options[3])
    assert game.record[-1].option == "3"


def test_an_option_that_somebody_made_is_taken_by_its_id() -> None:
    for index in (0, -1, 99, "1", None):
        game, decision = unread()
        game.choose(Option("3", "", None, index))  # type: ignore[arg-type]
        assert game.record[-1].option == "3"
        # One of another decision, too.
        again = unread()[0]
        again.choose(decision.options[3])
        assert again.record == game.record


def test_what_a_failing_cost_raises_is_raised_where_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    game, decision = unread()
    game.choose(0)
    game.choose(0)
    with monkeypatch.context() as patch:
        patch.setattr(Evaluate, "value", lambda *_: 1 // 0)
        with pytest.raises(ZeroDivisionError):
            _ = decision.options[0].label
    with pytest.raises(ZeroDivisionError):
        _ = decision.options[0].label
    assert replay(game).to_json() == game.to_json()


def test_a_move_waits_for_labels_that_another_thread_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request that has left its lock still reads what it was handed."""
    game, decision = unread()
    expected = parts(build_decision(game.state))
    reading, moved = Event(), Event()

    def redact_slowly(state: State, *viewer: int | None) -> State:
        reading.set()
        moved.wait(0.2)  # in vain, because the move waits
        return redact_value(state, *viewer)

    monkeypatch.setattr("rulewright.engine.game.decision.redact_value", redact_slowly)
    results = []
    reader = Thread(target=lambda: results.append(parts(decision)))
    reader.start()
    reading.wait()
    game.choose(3)
    moved.set()
    reader.join()
    assert results == [expected]
