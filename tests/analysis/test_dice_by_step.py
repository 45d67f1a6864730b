"""Dice that belong to steps, and answers at random: the same in both back ends, and what choices leave alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rulewright import load_ruleset
from rulewright.analysis.simulation import shard as shards
from rulewright.analysis.simulation.game_counts import GameRow
from rulewright.analysis.simulation.run_simulation import begin_run
from rulewright.analysis.simulation.shard import play_games
from rulewright.language.lowering import list_asks
from rulewright.ruleset.ruleset import Ruleset
from tests.analysis.inline_games import MANIFEST, WAYS
from tests.language.inline import sound

HEAD = """
kinds: {player: {fields: {points: count}}}
formulas: {standing: {given: {who: player}, is: who.points}}
measures: {seen: {is: seen}}
state: {seen: int}
"""

REST = """\
          - {id: more, roll: 1d6, when: way == bad}
      - {id: die, roll: 1d100}
      - {id: note, set: {seen: die}}
      - {id: luck, finish: {winners: ["first(players) if die % 2 == 0 else last(players)"]}, when: die <= 40}
      - {id: skill, finish: {winners: "list(p for p in players if p.points == max(q.points for q in players))"}}
"""

LUCK = HEAD + WAYS + REST


def rows(ruleset: Ruleset, policies: tuple[str, ...], games: int = 20, careless: int | None = None) -> list[GameRow]:
    run = begin_run(ruleset, policies=policies, seed=3, rows=True)
    return play_games(ruleset, replace(run.shard, last=games, dice_by_step=True, careless=careless)).rows


@pytest.mark.parametrize(
    ("reference", "policies", "games"),
    [
        ("pig/classic", ("greedy", "random"), 4),
        ("classics/yacht", ("greedy", "random"), 2),
        ("classics/liars-dice", ("mcts:5", "random"), 4),
        ("pig/classic", ("random", "random"), 4),
    ],
)
def test_both_back_ends_play_the_same_games(
    reference: str, policies: tuple[str, ...], games: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ruleset = load_ruleset(reference)
    asks = [number for number, step in ruleset.steps.items() if list_asks(step)]
    played = {careless: rows(ruleset, policies, games, careless) for careless in (None, asks[0])}
    if policies[0] != "random":
        assert played[None] != played[asks[0]], "who answers at random plays another game"
    else:
        del played[asks[0]]  # the native bot `random` is random anyway, by other numbers
    monkeypatch.setattr(shards, "find_native_bots", lambda *_: None)
    for careless, native in played.items():
        assert rows(ruleset, policies, games, careless) == native


def test_a_choice_changes_no_other_roll() -> None:
    """Who takes the bad way rolls once more, and the die that decides is the same nevertheless."""
    ruleset = sound(LUCK, manifest=MANIFEST)
    games = [rows(ruleset, policies) for policies in (("greedy", "greedy"), ("random", "random"), ("random", "greedy"))]
    seen = [[row.measures["seen"] for row in each] for each in games]
    assert seen[0] == seen[1] == seen[2]
    assert len(set(seen[0])) > 10


def test_the_bot_of_the_first_place_answers_at_random_wherever_it_sits() -> None:
    ruleset = sound(LUCK, manifest=MANIFEST)
    way = next(number for number, step in ruleset.steps.items() if step.rule == "game.way")
    careful, careless = (rows(ruleset, ("greedy", "greedy"), 60, step) for step in (None, way))
    lost = 0
    for before, after in zip(careful, careless, strict=True):
        if before.measures["seen"] <= 40:
            assert after.winning_seats == before.winning_seats
            continue
        assert before.winning_seats == (1, 2)
        # The first place sits in seat 1 in even games, and in seat 2 in odd ones.
        assert after.winning_seats in ((1, 2), (2 - after.number % 2,))
        lost += after.winning_seats != (1, 2)
    assert 5 < lost < 35


def test_a_row_counts_the_winners_as_seats_from_1() -> None:
    """Played as one game, and with natively counted games."""
    ruleset = sound(
        HEAD + "procedures: {game: {steps: [{id: end, finish: {winners: [first(players)]}}]}}", manifest=MANIFEST
    )
    for policies in (("greedy", "random"), ("random", "random")):
        played = rows(ruleset, policies, 2)
        assert [row.winning_seats for row in played] == [(1,), (1,)]
        assert [row.list_winning_bots() for row in played] == [[row.seats[0]] for row in played]


@pytest.mark.parametrize("policies", [("greedy", "random"), ("random", "random"), ("mcts:3", "mcts:3")])
def test_the_first_decision_takes_the_opening_in_both_back_ends(
    policies: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    measures = "measures: {seen: {is: seen}, opened: {is: first(players).points}}"
    ruleset = sound(LUCK.replace("measures: {seen: {is: seen}}", measures), manifest=MANIFEST)
    run = begin_run(ruleset, policies=policies, seed=3, rows=True)
    played = {opening: play_games(ruleset, replace(run.shard, last=30, opening=opening)).rows for opening in (0, 1, 9)}
    # The first option is the good way. There is no tenth, so the bot chooses.
    assert {row.measures["opened"] for row in played[0]} == {1}
    assert {row.measures["opened"] for row in played[1]} == {0}
    unforced = play_games(ruleset, replace(run.shard, last=30)).rows
    assert [row.measures for row in played[9]] == [row.measures for row in unforced]
    monkeypatch.setattr(shards, "find_native_bots", lambda *_: None)
    for opening, native in played.items():
        assert play_games(ruleset, replace(run.shard, last=30, opening=opening)).rows == native
