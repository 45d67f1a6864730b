"""The classics beside OpenSpiel's own: the same random games, move for move."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rulewright import load_ruleset
from rulewright.engine.python_backend.compiler import compile_ruleset
from rulewright.engine.state.game_state import CHANCE, DECISION, OVER, State
from rulewright.language.declarations import FIRST_PLAYER
from rulewright.ruleset.ruleset import Ruleset
from tests.breadth import times

pyspiel = pytest.importorskip("pyspiel")

GAMES = times(30, 300)
COOKBOOK = Path(__file__).resolve().parents[2] / "site" / "docs" / "cookbook"


@cache
def rules_of(reference: str) -> Ruleset:
    return load_ruleset(reference)


def take_the_only_one(theirs: Any) -> None:
    """Take an option that is the only one: our machine does so without a question."""
    while not theirs.is_terminal() and not theirs.is_chance_node() and len(theirs.legal_actions()) == 1:
        theirs.apply_action(theirs.legal_actions()[0])


def beside(rules: Ruleset, name: str, seed: int, number_of: Callable[[State, Any], int]) -> State:
    """Play one random game on both, and return ours at its end.

    `number_of` is OpenSpiel's number of an option. A single option is taken by our machine without a question.
    """
    random = Random(seed)
    ours, theirs = compile_ruleset(rules).new_game(2), pyspiel.load_game(name).new_initial_state()
    while ours.mode != OVER:
        assert ours.mode == DECISION
        assert theirs.current_player() == ours.who - FIRST_PLAYER
        numbers = [number_of(ours, option) for option in ours.options]
        assert sorted(numbers) == theirs.legal_actions()
        place = random.randrange(len(numbers))
        theirs.apply_action(numbers[place])
        ours.apply(place)
        take_the_only_one(theirs)
    assert theirs.is_terminal()
    assert theirs.returns() == returns(ours)
    return ours


def returns(state: State) -> list[float]:
    """Return what OpenSpiel gives for winning, losing and a draw."""
    assert state.winners is not None
    if len(state.winners) != 1:
        return [0.0, 0.0]
    return [1.0 if player in state.winners else -1.0 for player in state.live[1]]


def test_tic_tac_toe_is_the_same_game() -> None:
    reference = "classics/tic-tac-toe@1.0"
    board = rules_of(reference).declarations.tables["board"].rows

    def number_of(state: State, option: Any) -> int:
        cells = board[option].cells
        return 3 * (cells["row"] - 1) + cells["column"] - 1

    ended = {beside(rules_of(reference), "tic_tac_toe", seed, number_of).winners for seed in range(GAMES)}
    assert ended == {(1,), (2,), ()}


def test_connect_four_is_the_same_game() -> None:
    reference = "classics/connect-four@1.0"
    place = compile_ruleset(rules_of(reference)).layout.places["slot", "number"]

    def number_of(state: State, option: Any) -> int:
        return state.objects[option][place] - 1

    ended = {beside(rules_of(reference), "connect_four", seed, number_of).winners for seed in range(GAMES)}
    assert {(1,), (2,)} <= ended


@pytest.mark.parametrize("size", [5, 11])
def test_hex_is_the_same_game(size: int) -> None:
    """Five by five is the board of a recipe."""
    rules = rules_of("classics/hex@1.0") if size == 11 else load_ruleset("cookbook/small-hex@1.0", rules=[COOKBOOK])
    board = rules.declarations.tables["board"].rows

    def number_of(state: State, option: Any) -> int:
        cells = board[option].cells
        return size * (cells["row"] - 1) + cells["column"] - 1

    ended = {beside(rules, f"hex(board_size={size})", seed, number_of).winners for seed in range(GAMES)}
    assert ended == {(1,), (2,)}


DRAWN = "3302545642233552243311215504044666601060"


def test_a_full_rack_without_a_row_is_a_draw_in_both() -> None:
    """Random games seldom end so; this is one that did."""
    machine = compile_ruleset(rules_of("classics/connect-four@1.0"))
    theirs, ours = pyspiel.load_game("connect_four").new_initial_state(), machine.new_game(2)
    place = machine.layout.places["slot", "number"]
    for column in map(int, DRAWN):
        options = [ours.objects[option][place] - 1 for option in ours.options]
        ours.apply(options.index(column))
        theirs.apply_action(column)
    take_the_only_one(theirs)
    assert ours.mode == OVER
    assert ours.winners == ()
    assert theirs.is_terminal()
    assert theirs.returns() == [0.0, 0.0]


FIRST_BOX = 32
"""OpenSpiel's number of the first box: those below say which dice are rolled again, one bit for each."""


def settle_dice(ours: State, theirs: Any, faces: list[int]) -> None:
    """Let these faces come up on both: here one by one, there all at once."""
    for face in faces:
        assert ours.mode == CHANCE
        assert dict(zip(*ours.chance_outcomes(), strict=True)) == pytest.approx(dict.fromkeys(range(1, 7), 1 / 6))
        ours.apply_outcome(face)
    number = sum((face - 1) * 6**place for place, face in enumerate(faces))
    assert theirs.is_chance_node()
    theirs.apply_action(number)


def play_yacht_beside(seed: int) -> State:
    random = Random(seed)
    rules = rules_of("classics/yacht@1.0")
    machine = compile_ruleset(rules)
    boxes = list(rules.declarations.tables["boxes"].rows)
    score = machine.layout.places["player", "score"]
    ours, theirs = machine.new_game(2), pyspiel.load_game("yacht").new_initial_state()
    loose = 5
    while ours.mode != OVER:
        if ours.mode == CHANCE:
            settle_dice(ours, theirs, [random.randint(1, 6) for _ in range(loose)])
            take_the_only_one(theirs)
            loose = 5
            continue
        assert theirs.current_player() == ours.who - FIRST_PLAYER
        if isinstance(ours.options[0], tuple):
            dice = ours.live[machine.layout.kinds["die"]]
            numbers = [sum(1 << dice.index(die) for die in option) for option in ours.options]
        else:
            numbers = [FIRST_BOX + boxes.index(option) for option in ours.options]
        assert sorted(numbers) == theirs.legal_actions()
        place = random.randrange(len(numbers))
        # Who keeps all and has one box left has it filled by our machine, and the next player rolls all dice.
        loose = (numbers[place].bit_count() if numbers[place] < FIRST_BOX else 5) or 5
        theirs.apply_action(numbers[place])
        ours.apply(place)
        take_the_only_one(theirs)
        totals = [int(line.split("total: ")[1].split(")")[0]) for line in str(theirs).splitlines() if "total" in line]
        assert totals == [ours.objects[player][score] for player in ours.live[1]]
    assert theirs.is_terminal()
    return ours


def test_yacht_is_the_same_game() -> None:
    ended = set()
    for seed in range(GAMES):
        ended.add(play_yacht_beside(seed).winners)
    assert {(1,), (2,)} <= ended


def play_oware_beside(seed: int) -> State:
    """Return one random game of Oware, with every house and every store alike after every move."""
    rules = rules_of("classics/oware@1.0")
    machine = compile_ruleset(rules)
    houses = list(rules.declarations.tables["houses"].rows)
    row = len(houses) // 2
    held, store = machine.layout.places["game", "seeds"], machine.layout.places["player", "store"]
    random = Random(seed)
    ours, theirs = machine.new_game(2), pyspiel.load_game("oware").new_initial_state()
    while ours.mode != OVER:
        assert theirs.current_player() == ours.who - FIRST_PLAYER
        numbers = [houses.index(option) % row for option in ours.options]
        assert sorted(numbers) == theirs.legal_actions()
        place = random.randrange(len(numbers))
        theirs.apply_action(numbers[place])
        ours.apply(place)
        take_the_only_one(theirs)
        figures = [round(48 * figure) for figure in theirs.observation_tensor(0)]
        if ours.mode != OVER:
            assert figures[:-2] == list(ours.objects[0][held])
            assert figures[-2:] == [ours.objects[player][store] for player in ours.live[1]]
    assert theirs.is_terminal()
    assert theirs.returns() == returns(ours)
    return ours


def test_oware_is_the_same_game() -> None:
    ended = {play_oware_beside(seed).winners for seed in range(GAMES)}
    assert {(1,), (2,)} <= ended


def moves_in_checkers(state: State) -> dict[int, tuple[int, ...]]:
    """OpenSpiel's numbers of the moves in a state → our options that make each: a piece, and the way it goes."""
    machine = state.machine
    board = list(machine.ruleset.declarations.tables["board"].rows)
    ways = list(machine.ruleset.declarations.tables["ways"].rows)
    steps = {step.id: number for number, step in machine.ruleset.steps.items()}
    names = {name: slot for slot, name in machine.ruleset.procedures["game"].names.items()}

    def number_of(cell: str, way: str, frame: list[Any]) -> int:
        return (board.index(cell) * len(ways) + ways.index(way)) * 2 + frame[names["jumping"]]

    def list_moves(stop: State, before: tuple[int, ...], frame: list[Any]) -> dict[int, tuple[int, ...]]:
        cell = stop.frame[names["here"]]
        return {number_of(cell, way, frame): (*before, place) for place, way in enumerate(stop.options)}

    if state.frame[0] == steps["way"]:
        return list_moves(state, (), state.frame)
    moves: dict[int, tuple[int, ...]] = {}
    for place, cell in enumerate(state.options):
        after = state.clone()
        after.events = []
        after.apply(place)
        taken = [event[3] for event in after.events or () if event[0] == steps["way"] and event[1] == "asked"]
        # Where there is one way alone, our machine has gone it.
        moves |= (
            {number_of(cell, taken[0], state.frame): (place,)} if taken else list_moves(after, (place,), state.frame)
        )
    return moves


def play_checkers_beside(seed: int) -> State:
    random = Random(seed)
    rules = rules_of("classics/checkers@1.0")
    ours = compile_ruleset(rules, recording=True).empty(2)
    ours.events = []
    assert rules.start is not None
    ours.machine.begin(ours, rules.start, ())
    theirs = pyspiel.load_game("checkers").new_initial_state()
    while ours.mode != OVER:
        assert theirs.current_player() == ours.who - FIRST_PLAYER
        moves = moves_in_checkers(ours)
        assert sorted(moves) == sorted(theirs.legal_actions())
        number = random.choice(sorted(moves))
        for place in moves[number]:
            ours.apply(place)
        theirs.apply_action(number)
        take_the_only_one(theirs)
    assert theirs.is_terminal()
    assert theirs.returns() == returns(ours)
    return ours


def test_checkers_is_the_same_game() -> None:
    ended = {play_checkers_beside(seed).winners for seed in range(times(20, 300))}
    assert {(1,), (2,)} <= ended
