"""Chess in YAML (`classics/chess`) has the moves of python-chess, in every position that is reached here.

The counts are those of https://www.chessprogramming.org/Perft_Results.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import chess
import pytest

from rulewright import load_ruleset
from rulewright.base.resources import find_resource
from rulewright.engine.python_backend.compiler import compile_ruleset
from rulewright.engine.state.game_state import DECISION, State
from rulewright.engine.state.machine import Machine
from rulewright.engine.wasm_backend.wasm_machine import compiled
from tests.breadth import THOROUGH, some

MEN = {"pawn": chess.PAWN, "knight": chess.KNIGHT, "bishop": chess.BISHOP, "rook": chess.ROOK, "queen": chess.QUEEN}
ALL_MEN = {**MEN, "king": chess.KING}
FIRST, SECOND = 1, 2

POSITIONS = {
    chess.STARTING_FEN: (20, 400, 8902, 197281),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": (14, 191, 2812, 43238),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": (6, 264, 9467, 422333),
}
"""The number of move sequences of each length, from the start and from two positions with every kind of move."""

GAMES = range(300) if THOROUGH else range(4)


@cache
def machine() -> Machine:
    return compile_ruleset(load_ruleset("proofs/chess", rules=Path(__file__).parent / "proof_games"))


def square_of(cell: str) -> chess.Square:
    """Return a square by its id in the rules: `c1r1` is a8."""
    return chess.square(int(cell[1]) - 1, 8 - int(cell[3]))


def move_of(option: tuple[Any, ...], board: chess.Board) -> chess.Move:
    """Return a move from its squares and the piece after it. Only a pawn becomes another."""
    start, goal, becomes = option
    kind = board.piece_type_at(square_of(start))
    assert ALL_MEN[becomes] == kind or kind == chess.PAWN
    return chess.Move(square_of(start), square_of(goal), None if ALL_MEN[becomes] == kind else MEN[becomes])


def set_up(board: chess.Board) -> State:
    """Return a game in the position of a board, at no step."""
    state = machine().empty(2)
    places = machine().layout.places
    cells = list(machine().ruleset.declarations.tables["board"].rows)
    pieces = [board.piece_at(square_of(cell)) for cell in cells]
    names = {kind: name for name, kind in ALL_MEN.items()}
    values = {
        "player": FIRST if board.turn == chess.WHITE else SECOND,
        "army": tuple(each and (FIRST if each.color == chess.WHITE else SECOND) for each in pieces),
        "piece": tuple(each and names[each.piece_type] for each in pieces),
        "castles": tuple(cell for cell in cells if board.castling_rights & chess.BB_SQUARES[square_of(cell)]),
        "passed": None if board.ep_square is None else next(c for c in cells if square_of(c) == board.ep_square),
        "quiet": board.halfmove_clock,
    }
    for name, value in values.items():
        state.objects[0][places["game", name]] = value
    return state


def legal_moves(state: State) -> tuple[Any, ...]:
    moves: tuple[Any, ...] = machine().look_ahead(state, "moves", ()).given[0]
    return moves


def count_sequences(state: State, board: chess.Board, depth: int) -> int:
    """Return the number of sequences of `depth` moves, and compare the moves of every position with python-chess."""
    options = legal_moves(state)
    moves = [move_of(option, board) for option in options]
    assert len(set(moves)) == len(moves)
    assert set(moves) == set(board.legal_moves), board.fen()
    if depth == 1:
        return len(options)
    total = 0
    for option, move in zip(options, moves, strict=True):
        board.push(move)
        total += count_sequences(machine().look_ahead(state, "turn", (option,)), board, depth - 1)
        board.pop()
    return total


@pytest.mark.parametrize("fen", POSITIONS)
@pytest.mark.parametrize("depth", some([1, 2, 3, 4], [1, 2, 3]))
def test_sequences_of_moves_are_as_many_as_published(fen: str, depth: int) -> None:
    assert count_sequences(set_up(chess.Board(fen)), chess.Board(fen), depth) == POSITIONS[fen][depth - 1]


def is_drawn(board: chess.Board) -> bool:
    return board.is_stalemate() or board.is_repetition(3) or board.halfmove_clock >= 100


def play_on(board: chess.Board) -> None:
    """Make the moves that need no decision, because they are the only ones."""
    while not is_drawn(board) and board.legal_moves.count() == 1:
        board.push(next(iter(board.legal_moves)))


def play_along(board: chess.Board, state: State, random: Random, pick: Any = None) -> None:
    """Play a game in both engines, and compare its moves and its end."""
    while state.mode == DECISION:
        moves = [move_of(option, board) for option in state.options]
        assert set(moves) == set(board.legal_moves), board.fen()
        assert not is_drawn(board)
        move = pick(board, moves) if pick is not None else random.choice(moves)
        state.apply(moves.index(move))
        board.push(move)
        play_on(board)
    if board.is_checkmate():
        assert state.winners == (FIRST if board.turn == chess.BLACK else SECOND,)
    else:
        assert is_drawn(board)
        assert state.winners == ()


@pytest.mark.parametrize("seed", GAMES)
def test_random_games_are_those_of_python_chess(seed: int) -> None:
    play_along(chess.Board(), machine().new_game(2), Random(seed))


def test_a_position_that_stands_three_times_is_drawn() -> None:
    there, back = ("g1f3", "g8f6"), ("f3g1", "f6g8")
    line = iter([*there, *back, *there, *back])
    board = chess.Board()
    play_along(board, machine().new_game(2), Random(1), lambda board, moves: chess.Move.from_uci(next(line)))
    assert board.ply() == 8


def test_mate_ends_the_game() -> None:
    line = iter(["f2f3", "e7e5", "g2g4", "d8h4"])
    board, state = chess.Board(), machine().new_game(2)
    play_along(board, state, Random(1), lambda board, moves: chess.Move.from_uci(next(line)))
    assert state.winners == (SECOND,)


def test_webassembly_plays_the_same_games() -> None:
    other = compiled(machine().ruleset)
    random = Random(3)
    state, mirror = machine().new_game(2), other.new_game(2)
    for _ in range(30):
        if state.mode != DECISION:
            break
        assert mirror.options == state.options
        choice = random.randrange(len(state.options))
        state.apply(choice)
        mirror.apply(choice)
    assert mirror.objects == state.objects


def test_the_rules_are_short() -> None:
    file = find_resource("rules") / "classics" / "chess-1.0" / "chess.yaml"
    assert len(file.read_text(encoding="utf-8").splitlines()) < 300


def test_squares_have_the_names_of_python_chess() -> None:
    rows = machine().ruleset.declarations.tables["board"].rows.values()
    assert {row.id: row.title for row in rows} == {row.id: chess.square_name(square_of(row.id)) for row in rows}
    assert len(rows) == len(chess.SQUARES)
