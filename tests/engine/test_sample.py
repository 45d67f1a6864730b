"""Samples of play: the game that anybody would play with the same bots and seed, told by the scenes it is made of."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import Game, load_ruleset
from rulewright.ai import bots
from rulewright.dice.sampling.roll_dice import total_from_faces
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.formats import render
from rulewright.testing.play_samples import SampleRun, Scene, check_samples, play_sample
from tests.breadth import some
from tests.language.inline import sound
from tests.source.goldens import assert_golden

MANIFEST = (
    "{ruleset: test/inline, version: 1.0.0, title: Inline, rounding: truncate, players: 2..3, start: game, "
    "evaluate: worth}"
)
GAME = """\
kinds: {player: {fields: {coin: count}}}
state: {round: int}
options: {pace: {choices: {slow: Slow, fast: Fast}, default: slow}}
formulas: {worth: {given: {who: player}, is: who.coin}}
procedures:
  game:
    steps:
      - id: rounds
        repeat:
          at_most: 3
          steps:
            - {id: bell, set: {round: round + 1}}
            - {id: each, for_each: who, in: players, steps: [{id: go, do: turn, with: {who: who}}]}
      - {id: over, finish: {winners: []}}
  turn:
    given: {who: player}
    steps:
      - {id: dig, choose: {who: who, from: [shallow, deep]}}
      - {id: found, do: haul, with: {who: who}, when: dig == deep}
  haul:
    given: {who: player}
    steps:
      - {id: luck, roll: 2d6}
      - {id: kept, gain: {who: who, coin: luck}}
  never: {steps: [{id: mind, set: {round: 0}}]}
samples:
"""

_EVERY = [
    ("fuzzy-knights/normal@1.0", "first_day"),
    ("fuzzy-knights/normal@0.2", "first_day"),
    ("fuzzy-knights/normal@0.1", "first_day"),
    ("fuzzy-knights/medium@0.1", "first_day"),
    ("pig/classic@1.0", "first_turns"),
]
SHIPPED = some(_EVERY, [_EVERY[0], _EVERY[-2], _EVERY[-1]])
"""The drafts of the largest game show the same first day as its newest edition, under earlier figures."""


def played(line: str) -> SampleRun:
    rules = sound(GAME + f"  s: {line}\n", manifest=MANIFEST)
    sample_run = play_sample(rules, rules.samples["s"])
    assert isinstance(sample_run, SampleRun)
    return sample_run


def problems(line: str) -> tuple[list[str], list[str]]:
    """Return what is wrong with a sample, and the suggestions."""
    rules = sound(GAME + f"  s: {line}\n", manifest=MANIFEST)
    diagnostics = Diagnostics()
    check_samples(rules, diagnostics)
    return [problem.code.id for problem in diagnostics], [problem.suggestion or "" for problem in diagnostics]


@pytest.mark.parametrize(("reference", "identity"), SHIPPED)
def test_a_sample_is_the_game_that_these_bots_play_on_the_compiled_machine(reference: str, identity: str) -> None:
    rules = load_ruleset(reference)
    sample = rules.samples[identity]
    sample_run = play_sample(rules, sample)
    assert isinstance(sample_run, SampleRun)
    assert not sample_run.problems.errors
    players = sample.players or rules.players[0]
    game = Game(rules, players=players, seed=sample.seed, options=sample.options)
    seats = [bots.make(sample.policy, rules, seed=sample.seed, seat=seat) for seat in range(1, players + 1)]
    while game.decision is not None and len(game.log) < len(sample_run.moments):
        game.choose(seats[game.decision.player - 1](game.state))
    assert [moment.event for moment in sample_run.moments] == list(game.log[: len(sample_run.moments)])
    assert [rule.rule for rule in game.log].index(sample.until) <= len(sample_run.moments)


@pytest.mark.parametrize(("reference", "identity"), SHIPPED)
def test_the_faces_of_a_roll_make_up_its_total(reference: str, identity: str) -> None:
    rules = load_ruleset(reference)
    sample_run = play_sample(rules, rules.samples[identity])
    assert isinstance(sample_run, SampleRun)
    rolls = [moment for moment in sample_run.moments if moment.event.verb == "roll"]
    assert rolls
    for moment in rolls:
        roll = moment.event.details[0]
        assert moment.faces is not None
        faces = [face for pool in moment.faces for face in pool]
        assert total_from_faces(roll, faces) == moment.event.details[1]


def test_every_event_is_in_one_scene_and_in_order() -> None:
    game_run = played("{title: S, seed: 3, until: game.over}")
    assert list(game_run.scene.iterate_places()) == list(range(len(game_run.moments)))


def test_scenes_are_procedures_with_what_they_were_given() -> None:
    game_run = played("{title: S, policy: random, seed: 2, until: game.over}")
    turns = [part for part in game_run.scene.parts if isinstance(part, Scene)]
    assert [turn.procedure for turn in turns] == ["turn"] * 6
    assert [turn.arguments[0][1] for turn in turns] == [1, 2] * 3
    for turn in turns:
        rules = {game_run.moments[place].event.rule.partition(".")[0] for place in turn.iterate_places()}
        assert rules <= {"turn", "haul"}
        inner = [part.procedure for part in turn.parts if isinstance(part, Scene)]
        assert inner == (["haul"] if "haul" in rules else [])


def test_a_scene_keeps_how_things_stood_before_and_after() -> None:
    game_run = played("{title: S, policy: greedy, until: game.over}")
    for turn in (part for part in game_run.scene.parts if isinstance(part, Scene)):
        who = turn.arguments[0][1]
        assert turn.start is not None
        assert turn.end is not None
        rolled = [
            game_run.moments[place] for place in turn.iterate_places() if game_run.moments[place].event.verb == "roll"
        ]
        gained = sum(face for moment in rolled for pool in moment.faces or () for face in pool)
        assert turn.end.objects[who][-1] - turn.start.objects[who][-1] == gained


def test_a_sample_stops_where_it_is_told() -> None:
    assert played("{title: S, until: game.bell}").moments[-1].event.rule == "game.bell"
    assert played("{title: S, until: haul.kept, policy: greedy}").moments[-1].event.rule == "haul.kept"
    assert played("{title: S}").state.winners == ()


def test_another_seed_is_another_game_and_the_same_seed_the_same() -> None:
    lines = [
        [m.event.text for m in played(f"{{title: S, policy: random, seed: {seed}}}").moments] for seed in (1, 1, 2)
    ]
    assert lines[0] == lines[1] != lines[2]


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("{title: S, players: 9}", "bad-sample", "write `players: 2`"),
        ("{title: S, options: {pase: slow}}", "bad-sample", "`pace`"),
        ("{title: S, options: {pace: fats}}", "bad-sample", "`fast`"),
        ("{title: S, policy: greddy}", "bad-sample", "greedy"),
        ("{title: S, until: game.bel}", "no-such-step", "`game.bell`"),
        ("{title: S, until: rounds.bell}", "no-such-step", "did you mean `game.bell`?"),
        ("{title: S, until: never.mind}", "never-reached", "until:"),
    ],
)
def test_what_cannot_be_played_is_told_with_what_to_do(line: str, code: str, message: str) -> None:
    codes, suggestions = problems(line)
    assert codes == [code]
    assert message in suggestions[0]


def test_what_a_sample_that_never_gets_there_suggests_does_work() -> None:
    _, suggestions = problems("{title: S, until: never.mind}")
    instead = suggestions[0].split("`until: ")[1].rstrip("`")
    assert problems(f"{{title: S, until: {instead}}}") == ([], [])


def test_a_sample_without_an_end_is_stopped() -> None:
    rules = sound(GAME.replace("at_most: 3", "at_most: 3000") + "  s: {title: S}\n", manifest=MANIFEST)
    diagnostics = Diagnostics()
    check_samples(rules, diagnostics)
    assert_golden("sample_without_end.txt", render("text", diagnostics), folder=Path(__file__).parent / "goldens")
