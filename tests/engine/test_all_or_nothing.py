"""A move is all or nothing: wherever the rules are at fault, the game is as it was, on every machine."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from rulewright import Game, GameError, Ruleset, RulesFault, load_ruleset, replay
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine import backends
from rulewright.engine.game.record import ChanceEntry, ChoiceEntry
from rulewright.engine.python_backend.compiler import compile_ruleset
from rulewright.engine.state.machine import Machine
from rulewright.engine.state.tree_interpreter import Interpreter
from tests.engine.machines import whole
from tests.language.inline import MANIFEST, sound
from tests.language.test_verbs import LANGUAGE

Steps = list[dict[str, Any]]

NOBODY = "list(t for t in trees if t.height > 99)"

FAILING: dict[str, tuple[str, dict[str, Any]]] = {
    "choose": ("choose", {"choose": {"who": "player", "one_of": NOBODY}}),
    "choose_number": ("choose", {"choose": {"who": "player", "number": {"from": 1, "to": 1000000}}}),
    "choose_together": ("choose", {"choose": {"who": "players", "one_of": NOBODY}}),
    "create": ("create", {"create": "tree", "with": {"owner": "player", "apples": "turn - 99"}}),
    "do": ("do", {"do": "measure", "with": {"n": "victim.height"}}),
    "do_inside": ("do", {"do": "weigh", "with": {"t": "victim"}}),
    "do_gives": ("do", {"do": "look", "with": {"t": "victim"}}),
    "draw": ("draw", {"draw": {"one_of": NOBODY}}),
    "draw_many": ("draw", {"draw": "pack", "count": "9"}),
    "finish": ("finish", {"finish": {"winners": "list(p for p in players if victim.height > 1)"}}),
    "for_each": ("for_each", {"for_each": "n", "in": "[1, victim.height]", "steps": [{"set": {"turn": "n"}}]}),
    "for_each_inside": (
        "for_each",
        {"for_each": "n", "in": "[1, 3]", "steps": [{"pay": {"who": "player", "gold": "n"}}]},
    ),
    "gain": ("gain", {"gain": {"who": "player", "score": "1", "gold": "0 - 9"}}),
    "if_so": ("if", {"if": "victim.height > 1", "then": [{"set": {"turn": 1}}]}),
    "if_inside": ("if", {"if": "true", "then": [{"set": {"turn": 1}}, {"set": {"player.gold": "0 - turn"}}]}),
    "let": ("let", {"let": "victim.height"}),
    "pay": ("pay", {"pay": {"who": "player", "score": "1", "stock[large]": "9"}}),
    "put": ("put", {"put": {"cards": "list(s for s in sizes if victim.height > 1)", "onto": "pack"}}),
    "remove": ("remove", {"remove": "trees + trees"}),
    "repeat": ("repeat", {"repeat": {"ends_within": 3, "until": "storm", "steps": [{"set": {"turn": "turn + 1"}}]}}),
    "repeat_inside": ("repeat", {"repeat": {"at_most": 9, "steps": [{"pay": {"who": "player", "gold": "1"}}]}}),
    "reshuffle": ("reshuffle", {"reshuffle": "pack", "adding": "list(s for s in sizes if victim.height > 1)"}),
    "roll": ("roll", {"roll": "victim.harvest"}),
    "roll_many": ("roll", {"roll": "each(99999 + turn, 1d6)"}),
    "say": ("say", {"say": "{given.tall}!", "with": {"tall": "victim.height"}}),
    "set": ("set", {"set": {"player.score": "9", "player.gold": "turn - 99"}}),
    "set_large": ("set", {"set": {"turn": "99999999999 * 99999999999 * (turn + 1)"}}),
    "show": ("show", {"show": {"what": "victim.harvest", "to": "everybody"}}),
    "steps": ("steps", {"steps": [{"set": {"turn": 1}}], "when": "victim.height > 1"}),
    "stop": ("stop", {"stop": True, "when": "victim.height > 1"}),
}
"""Steps that fail once `victim` has left the game, each with its verb, by the option that leads to it."""

MESS: Steps = [
    {"set": {"turn": "turn + 1", "player.score": "player.score + 2"}},
    {"id": "noted", "let": "turn"},
    {"set": {"noted": "noted + 3"}},
    {"set": {"player.stock[small]": "player.stock[small] + 1"}},
    {"gain": {"who": "player", "score": "2", "stock[large]": "1"}},
    {"pay": {"who": "player", "score": "1"}},
    {"id": "grown", "create": "tree", "with": {"owner": "player", "height": "turn"}},
    {"set": {"grown.height": "7"}},
    {"set": {"player.luck": "player.luck + 1", "victim.harvest": "2d6"}},
    {"show": {"what": "player.luck", "to": "everybody"}},
    {"show": {"what": "victim", "to": "player"}},
    {"remove": "victim"},
    {"draw": "seeds"},
    {"roll": "2d6"},
    {"id": "top", "draw": "pack"},
    {"put": {"cards": "top", "onto": "pack"}},
    {"draw": "pack"},
    {"reshuffle": "pack"},
    {"draw": "pack", "count": "2"},
    {"do": "weigh", "with": {"t": "grown"}},
    {"do": "look", "with": {"t": "grown"}},
]
"""What else a move does before it fails: every kind of change, and chances between."""

FAIL: Steps = [
    {"if": "way != safe", "then": MESS},
    *({"if": f"way == {name}", "then": [step]} for name, (_, step) in FAILING.items()),
]

GIVEN = {"way": "ways", "victim": "tree"}
CALL = {"with": {"way": "way", "victim": "victim"}}

CONTEXTS: dict[str, tuple[Steps, dict[str, Steps]]] = {
    "at once": ([{"set": {"count": "count + 3"}}, *FAIL], {}),
    "in the second round of a loop": (
        [{"repeat": {"at_most": 2, "steps": [{"set": {"turn": "turn + 1"}}, {"if": "turn > 1", "then": FAIL}]}}],
        {},
    ),
    "for each player": (
        [{"for_each": "one", "in": "players", "steps": [{"gain": {"who": "one", "score": 1}}, *FAIL]}],
        {},
    ),
    "in a procedure": ([{"do": "inner", **CALL}, {"set": {"turn": "0"}}], {"inner": FAIL}),
    "after a procedure that asked": (
        [{"do": "asking", **CALL}, *FAIL],
        {"asking": [{"id": "sure", "choose": {"who": "player", "from": ["yes", "no"]}}, {"set": {"turn": "turn + 1"}}]},
    ),
    "three deep": (
        [{"do": "outer", **CALL}],
        {
            "outer": [{"for_each": "one", "in": "players", "steps": [{"do": "inner", **CALL}, {"set": {"turn": "5"}}]}],
            "inner": [{"repeat": {"at_most": 2, "steps": FAIL}}],
        },
    ),
}


def numbered(steps: Steps, at: str) -> Steps:
    """Return the steps, each with an id."""
    by_keys = []
    for number, step in enumerate(steps):
        name = step.get("id", f"{at}{number}")
        by_key = {"id": name, **step}
        for key in ("steps", "then"):
            if key in by_key:
                by_key[key] = numbered(by_key[key], f"{at}{number}_")
        if "repeat" in by_key:
            by_key["repeat"] = {**by_key["repeat"], "steps": numbered(by_key["repeat"]["steps"], f"{at}{number}_")}
        by_keys.append(by_key)
    return by_keys


@cache
def rules(context: str) -> Ruleset:
    """Return a game that asks for a way to fail, and goes on if that is none."""
    steps, procedures = CONTEXTS[context]
    ways = ["safe", *FAILING]
    game = [
        {"id": "victim", "create": "tree", "with": {"owner": "player", "height": 3}},
        {"id": "count", "let": "1"},
        {"id": "known", "draw": "pack"},
        {"put": {"cards": "known", "onto": "pack"}},
        {"id": "warm_up", "choose": {"who": "player", "from": ["one", "two"]}},
        {"id": "way", "choose": {"who": "player", "one_of": "ways"}},
        *steps,
        {"id": "after", "choose": {"who": "player", "from": ["three", "four"]}},
        {"id": "end", "finish": {"winners": "list(p for p in players if p.score > 3)"}},
    ]
    written = {
        "tables": {
            "ways": {"rows": {way: {} for way in ways}},
            "sizes": {
                "columns": {"copies": "int"},
                "rows": {"small": {"copies": 2}, "middling": {"copies": 2}, "large": {"copies": 2}},
            },
        },
        "kinds": {
            "player": {
                "fields": {
                    "score": {"type": "count", "default": 3},
                    "gold": {"type": "count", "default": 3},
                    "luck": {"type": "int", "seen_by": "self"},
                    "stock": {"type": "map of sizes to count", "default": {"small": 2}, "seen_by": "self"},
                }
            },
            "tree": {
                "fields": {
                    "owner": "player",
                    "height": "int",
                    "apples": "count",
                    "harvest": {"type": "dice", "default": "1d6", "seen_by": "self.owner"},
                }
            },
        },
        "state": {"player": "player", "turn": "int", "storm": "bool", "used": "list of sizes"},
        "decks": {
            "seeds": {"of": "sizes", "copies": "copies"},
            "pack": {"of": "sizes", "copies": "copies", "ordered": True, "discard": "used"},
        },
        "procedures": {
            "measure": {"given": {"n": "int"}, "steps": [{"id": "seen", "set": {"turn": "n"}}]},
            "weigh": {"given": {"t": "tree"}, "steps": [{"id": "up", "set": {"t.height": "t.height + 1"}}]},
            "look": {
                "given": {"t": "tree"},
                "gives": {"h": "t.height"},
                "steps": [{"id": "luck", "roll": "1d6"}, {"id": "seen", "set": {"turn": "luck"}}],
            },
            "game": {"steps": numbered(game, "g")},
            **{name: {"given": GIVEN, "steps": numbered(inner, "p")} for name, inner in procedures.items()},
        },
    }
    return sound(json.dumps(written), manifest=MANIFEST.replace("1..4}", "2, start: game}"))


def standing(game: Game) -> dict[str, Any]:
    """Return all there is of a game, for comparison with what it is later."""
    return {
        **whole(game.state),
        "save": game.save_text(),
        "record": game.record,
        "decision": game.decision,
        "log": game.log,
        "story": [game.story(seat=seat) for seat in (None, 0, 1, 2)],
        "words": game._generator.index,
        "repr": game.clone().save_text(),
    }


@cache
def machine_of(context: str, name: str) -> Machine:
    return backends.make(name, rules(context))


def begun(context: str, machine: str, **settings: Any) -> Game:
    """Return a game that is asked for a way to fail."""
    game = Game(rules(context), seed=5, machine=machine_of(context, machine), **settings)
    while game.decision is None:
        game.roll()
    game.choose("two")
    return game


def go_on(game: Game) -> None:
    """Take the first option, or leave it to chance."""
    if game.decision is not None:
        game.choose(0)
    else:
        game.roll()


def test_every_verb_fails_here() -> None:
    assert {verb for verb, _ in FAILING.values()} == set(LANGUAGE)


@pytest.mark.parametrize("context", CONTEXTS)
def test_a_move_that_fails_leaves_the_game_as_it_was(context: str) -> None:
    by_machine = {}
    for machine in backends.list_names():
        game, untouched = begun(context, machine), begun(context, machine)
        faults = {}
        for way in FAILING:
            # Where somebody is asked once more before the fault, each way is gone by a copy.
            trial = game.clone() if "asked" in context else game
            if trial is not game:
                trial.choose(way)
            before = standing(trial)
            with pytest.raises(RulesFault) as caught:
                trial.choose(way if trial is game else "yes")
            assert standing(trial) == before
            assert opened(trial).save_text() == replay(trial).save_text() == before["save"]
            faults[way] = caught.value.rule, caught.value.message, before["save"]
        for each in (game, untouched):
            each.choose("safe")
            while each.result is None:
                go_on(each)
        assert standing(game) == standing(untouched)
        by_machine[machine] = faults, game.save_text(), game.story()
    assert all(each == by_machine["interpreter"] for each in by_machine.values())
    at_fault = {rule for rule, _, _ in by_machine["interpreter"][0].values()}
    assert len(at_fault) > len(FAILING) - 5, "most ways fail at a step of their own"


def opened(game: Game) -> Game:
    return Game.load_text(game.save_text(), game.ruleset)


@pytest.mark.parametrize("machine", backends.list_names())
def test_a_roll_that_leads_to_a_fault_is_not_made(machine: str) -> None:
    """Where the game stops at chances, what fails is the last of them, and it stands as it did."""
    for way in FAILING:
        game = begun("three deep", machine, stop_at_chance=True)
        game.choose(way)
        with pytest.raises(RulesFault) as caught:  # noqa: PT012 (the last of several rolls)
            while True:
                before = whole(game.state), game.save_text()
                game.roll()
        assert (whole(game.state), game.save_text()) == before
        assert game.chance is not None
        outcome = game.chance.outcomes[0][0]
        for go in (Game.resolve, lambda game, outcome: game.apply_entry(ChanceEntry(outcome, None))):
            with pytest.raises(RulesFault, match=caught.value.rule):
                go(game, outcome)
            assert (whole(game.state), game.save_text()) == before


def test_a_generator_that_gave_no_results_is_where_it_was() -> None:
    game = begun("three deep", "python", stop_at_chance=True)
    game.choose("set")
    with pytest.raises(RulesFault):  # noqa: PT012 (the last of several rolls)
        while True:
            before = standing(game)
            assert game.chance is not None
            game.resolve(game.chance.outcomes[0][0])
    assert standing(game) == before


def test_what_was_opened_is_as_it_was_too() -> None:
    game = opened(begun("three deep", "python"))
    before = game.save_text(), whole(game.state)
    with pytest.raises(RulesFault):
        game.choose("set")
    assert (game.save_text(), whole(game.state)) == before
    assert game.log == begun("three deep", "python").log


def test_a_game_that_was_opened_unverified_is_restored_too() -> None:
    game = Game.load_text(begun("three deep", "python").save_text(), rules("three deep"), verify=False)
    before = game.save_text()
    with pytest.raises(RulesFault):
        game.choose("set")
    assert game.save_text() == before
    assert game.log == begun("three deep", "python").log
    game.choose("safe")


def test_a_record_that_does_not_fit_takes_no_words_of_the_dice() -> None:
    game = begun("three deep", "python", stop_at_chance=True)
    game.choose("set")
    before = standing(game)
    for line in (ChanceEntry("nothing", None), ChanceEntry(99, ((99,),)), ChoiceEntry("safe")):
        with pytest.raises(GameError):
            game.apply_entry(line)
        with pytest.raises(GameError):
            game.choose("safe")
        assert standing(game) == before
    assert game.matches_generator(game._generator.index)


class Interrupting(Generator):
    """Dice that somebody interrupts."""

    def draw_below(self, number: int) -> int:
        if self.index == 3:
            raise KeyboardInterrupt
        return super().draw_below(number)


@pytest.mark.parametrize("machine", backends.list_names())
def test_an_interrupt_undoes_the_move(machine: str) -> None:
    game = begun("at once", machine)
    before = standing(game)
    dice = game._generator
    game._generator = Interrupting(5, "dice", dice.index)
    with pytest.raises(KeyboardInterrupt):
        game.choose("set")
    game._generator = dice
    assert standing(game) == before


def test_an_interrupt_of_the_restoring_is_only_late(monkeypatch: pytest.MonkeyPatch) -> None:
    game = begun("at once", "python")
    before, interrupts = standing(game), [KeyboardInterrupt()]

    def interrupt(*given: Any) -> Game:
        if interrupts:
            raise interrupts.pop()
        return replay(*given)

    monkeypatch.setattr("rulewright.engine.game.game.replay", interrupt)
    with pytest.raises(RulesFault):
        game.choose("set")
    assert (interrupts, standing(game)) == ([], before)


TOLL = {
    "kinds": {"player": {"fields": {"coin": "count", "debt": "count"}}},
    "state": {"one": "player"},
    "procedures": {
        "game": {
            "steps": [
                {"id": "way", "choose": {"who": "one", "from": ["safe", "bad"]}},
                {"id": "debt", "gain": {"who": "one", "debt": 2}},
                {"id": "wage", "gain": {"who": "one", "coin": 1}, "when": "way == bad"},
                {"id": "last", "choose": {"who": "one", "from": ["a", "b"]}},
            ]
        }
    },
    "whenever": {
        "toll": {"gains": "player.coin", "then": [{"id": "fee", "pay": {"who": "player", "coin": 1, "debt": 9}}]}
    },
}


def test_a_fault_in_what_happens_whenever_undoes_the_move_that_brought_it_about() -> None:
    ruleset = sound(json.dumps(TOLL), manifest=MANIFEST.replace("1..4}", "2, start: game}"))
    outcomes = []
    for machine in backends.list_names():
        game = Game(ruleset, machine=backends.make(machine, ruleset))
        before = standing(game)
        with pytest.raises(RulesFault) as caught:
            game.choose("bad")
        assert standing(game) == before
        game.choose("safe")
        outcomes.append((caught.value.rule, caught.value.message, game.save_text()))
    assert outcomes == outcomes[:1] * len(outcomes)


def test_a_game_that_fails_before_anybody_is_asked_is_none() -> None:
    source = {
        "kinds": {"player": {"fields": {"coin": "count"}}},
        "state": {"player": "player"},
        "procedures": {"game": {"steps": [{"id": "fee", "pay": {"who": "player", "coin": 1}}]}},
    }
    ruleset = sound(json.dumps(source), manifest=MANIFEST.replace("1..4}", "2, start: game}"))
    for machine in backends.list_names():
        with pytest.raises(RulesFault, match=r"`game\.fee`: `coin` would be -1"):
            Game(ruleset, machine=backends.make(machine, ruleset))


PIG = load_ruleset("pig/classic@1.0")
MACHINES: list[Callable[[], Any]] = [
    lambda: compile_ruleset(PIG),
    lambda: compile_ruleset(PIG, recording=True),
    lambda: Interpreter(rules("at once")),
    lambda: "python",
]


@pytest.mark.parametrize("make", MACHINES)
def test_a_machine_that_could_not_undo_a_move_plays_no_game(make: Callable[[], Any]) -> None:
    with pytest.raises(GameError, match=r"back.end"):
        Game(PIG, machine=make())
