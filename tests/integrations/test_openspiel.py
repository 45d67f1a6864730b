"""Rulesets as games of OpenSpiel: its own conformance tests, and what they do not look at."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from rulewright import GameError, RulewrightError, load_ruleset
from tests.breadth import some
from tests.integrations.games import GAMES

pyspiel = pytest.importorskip("pyspiel")
from rulewright.integrations import openspiel  # noqa: E402

FORKS = """
import contextlib, json, os, sys
with contextlib.redirect_stdout(sys.stderr):  # some versions say which of their options are missing
  import open_spiel.integration_tests.api_test
import rulewright.integrations.openspiel
for line in sys.stdin:
    code, printed = json.loads(line)
    child = os.fork()
    if not child:
        for stream in (1, 2):
            os.dup2(os.open(printed, os.O_WRONLY | os.O_CREAT | os.O_APPEND), stream)
        exec(compile(code, "code", "exec"), globals())
        sys.exit()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""

Apart = Callable[[str], None]


@pytest.fixture(scope="module")
def in_a_process_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Apart]:
    """Run code: what OpenSpiel finds wrong may end the whole process.

    Each is the child of one that has imported OpenSpiel already, which takes longer than most of them.
    """
    printed = tmp_path_factory.mktemp("printed") / "printed"
    with subprocess.Popen(
        [sys.executable, "-c", FORKS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as forks:
        assert forks.stdin is not None
        assert forks.stdout is not None
        asks, answers = forks.stdin, forks.stdout

        def run(code: str) -> None:
            printed.write_text("", encoding="utf-8")
            asks.write(json.dumps([textwrap.dedent(code), str(printed)]) + "\n")
            asks.flush()
            assert answers.readline() == "0\n", printed.read_text(encoding="utf-8")[-3000:]

        yield run
        asks.close()


def test_a_process_of_its_own_tells_what_is_wrong(in_a_process_of_its_own: Apart) -> None:
    for wrong in ("assert 1 == 2, 'not so'", "import os; print('not so', flush=True); os.abort()"):
        with pytest.raises(AssertionError, match="not so"):
            in_a_process_of_its_own(wrong)


# Of the largest game, part of the tree is gone through below.
@pytest.mark.parametrize("reference", some([*GAMES], [each for each in GAMES if each.startswith(("pig", "classics"))]))
def test_random_games_pass_the_simulation_test(reference: str, in_a_process_of_its_own: Apart) -> None:
    in_a_process_of_its_own(f"""
        import pyspiel
        from rulewright.integrations import openspiel
        game = openspiel.load_game({reference!r}, players=2, **{GAMES[reference]!r})
        pyspiel.random_sim_test(game, 1, True, False)
    """)


@pytest.mark.parametrize("reference", GAMES)
def test_part_of_the_tree_keeps_the_interface(reference: str, in_a_process_of_its_own: Apart) -> None:
    in_a_process_of_its_own(f"""
        import unittest
        from open_spiel.integration_tests.api_test import EnforceAPIOnPartialTreeBase
        from rulewright.integrations import openspiel

        class Conforms(EnforceAPIOnPartialTreeBase):
            game_name = {reference!r}
            game = openspiel.load_game({reference!r}, players=2, **{GAMES[reference]!r})

        unittest.main(argv=["conforms", "Conforms"])
    """)


def test_dice_that_are_too_many_come_up_one_outcome_at_a_time(in_a_process_of_its_own: Apart) -> None:
    in_a_process_of_its_own("""
        import pyspiel
        from rulewright.integrations import openspiel
        game = openspiel.load_game("classics/yacht@1.0", players=2, chance="sampled", horizon=60)
        assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC
        pyspiel.random_sim_test(game, 3, False, False)
    """)


def test_sampled_outcomes_are_those_of_the_dice() -> None:
    game = openspiel.load_game("pig/classic@1.0", players=2, chance="sampled", seed=3)
    counts = [0] * 6
    for _ in range(3000):
        state = game.new_initial_state()
        state.apply_action(0)
        ((outcome, chance),) = state.chance_outcomes()
        assert chance == 1
        counts[outcome] += 1
    assert all(400 < count < 600 for count in counts), counts


def test_a_roll_with_more_outcomes_than_there_is_room_for_says_what_to_do() -> None:
    state = openspiel.load_game("pig/classic@1.0", players=2, most_outcomes=5).new_initial_state()
    state.apply_action(0)
    with pytest.raises(GameError, match="chance=sampled"):
        state.chance_outcomes()


@pytest.mark.parametrize("outcome", [6, 7, 99])
def test_what_no_die_shows_does_not_come_up(outcome: int) -> None:
    state = openspiel.load_game("pig/classic@1.0", players=2).new_initial_state()
    state.apply_action(0)
    with pytest.raises(GameError, match="numbered from 0 to 5"):
        state.apply_action(outcome)


def test_options_are_a_mapping() -> None:
    with pytest.raises(GameError, match="`options` must be a mapping"):
        openspiel.load_game("pig/classic@1.0", options="fast")  # type: ignore[arg-type]


def test_options_that_there_is_no_room_for_say_what_to_do() -> None:
    days = {"max_days": "hundred"}
    game = openspiel.load_game("fuzzy-knights/normal@1.0", options=days, most_options=1, chance="sampled", seed=1)
    state, random = game.new_initial_state(), Random(1)

    def play_on() -> None:
        for _ in range(500):
            state.apply_action(random.choice(state.legal_actions()))

    with pytest.raises(GameError, match="but there is room for 1: raise `most_options`"):
        play_on()


def test_a_number_always_means_the_same_answer() -> None:
    game = openspiel.load_game("classics/tic-tac-toe@1.0")
    rows = list(load_ruleset("classics/tic-tac-toe@1.0").declarations.tables["board"].rows)
    state = game.new_initial_state()
    for number in (4, 0, 8):
        by_action = {action: state.action_to_string(state.current_player(), action) for action in state.legal_actions()}
        assert by_action == {action: f"place: {rows[action]}" for action in by_action}
        state.apply_action(number)
        assert number not in state.legal_actions()


def test_returns_are_shared_among_winners_and_sum_to_nothing() -> None:
    game = openspiel.load_game("pig/classic@1.0", players=4)
    state = game.new_initial_state()
    for action in (1, 1, *(0, 5) * 17, 1):  # two players hold; the third rolls seventeen sixes and banks them
        state.apply_action(action)
    assert state.is_terminal()
    assert state.returns() == [-1.0, -1.0, 3.0, -1.0]


def test_a_game_that_is_broken_off_has_no_winner() -> None:
    state = openspiel.load_game("pig/classic@1.0", players=2, horizon=3).new_initial_state()
    for action in (1, 1, 1):
        assert not state.is_terminal()
        state.apply_action(action)
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0]


def test_a_copy_goes_its_own_way() -> None:
    state = openspiel.load_game("pig/classic@1.0", players=2).new_initial_state()
    state.apply_action(0)
    copy = state.clone()
    copy.apply_action(5)
    assert state.is_chance_node()
    assert not copy.is_chance_node()
    assert str(state) != str(copy)


def test_states_that_go_on_alike_read_alike() -> None:
    game = openspiel.load_game("pig/classic@1.0", players=2)
    one, other = game.new_initial_state(), game.new_initial_state()
    for face in (1, 4):
        one.apply_action(0)
        one.apply_action(face)
    for face in (4, 1):
        other.apply_action(0)
        other.apply_action(face)
    assert str(one) == str(other)


LINES = ("012", "345", "678", "036", "147", "258", "048", "246")


def boards() -> set[tuple[frozenset[int], frozenset[int]]]:
    """Return every position of tic-tac-toe that a game can come to, worked out without any rules of ours."""
    boards, waiting = set(), [(frozenset[int](), frozenset[int]())]
    while waiting:
        board = waiting.pop()
        if board in boards:
            continue
        boards.add(board)
        mine, other = board if len(board[0]) == len(board[1]) else board[::-1]
        if not won(other):
            for square in set(range(9)) - mine - other:
                after = (mine | {square}, other)
                waiting.append(after if mine is board[0] else after[::-1])
    return boards


def won(marks: frozenset[int]) -> bool:
    return any(all(int(square) in marks for square in line) for line in LINES)


def test_equal_positions_read_alike() -> None:
    """Tic-tac-toe has 5,478 positions. In 222 of them one square is left, which nobody is asked about."""
    all_boards = boards()
    assert len(all_boards) == 5478
    asked = {
        (crosses, noughts)
        for crosses, noughts in all_boards
        if len(crosses | noughts) != 8 or won(crosses) or won(noughts)
    }
    assert len(all_boards) - len(asked) == 222
    seen: dict[str, Any] = {}
    values: dict[str, float] = {}

    def value(state: Any) -> float:
        """Return what the position is worth to the first player, where both play as well as can be."""
        text = str(state)
        if text not in values:
            objects = json.loads(text)["objects"]
            marks = [frozenset(3 * int(square[3]) + int(square[1]) - 4 for square in objects[n][1]) for n in "12"]
            seen[text] = tuple(marks)
            if state.is_terminal():
                values[text] = state.returns()[0]
            else:
                best = max if state.current_player() == 0 else min
                values[text] = best(value(state.child(action)) for action in state.legal_actions())
        return values[text]

    assert value(openspiel.load_game("classics/tic-tac-toe@1.0", players=2).new_initial_state()) == 0
    assert len(seen) == len(asked)
    assert set(seen.values()) == asked


def test_players_see_the_table_from_their_own_chairs() -> None:
    game = openspiel.load_game("pig/classic@1.0", players=2)
    state = game.new_initial_state()
    for action in (0, 4, 1):  # the first player rolls a 5 and banks it
        state.apply_action(action)
    # To move, the question, whose turn it is, the pot, one's own score, the other's.
    assert state.observation_tensor(0) == [2, 1, 2, 0, 5, 0]
    assert state.observation_tensor(1) == [1, 1, 1, 0, 0, 5]


def test_it_is_registered_by_name_and_travels_to_other_processes() -> None:
    game = pyspiel.load_game("rulewright", {"ruleset": "pig/classic@1.0", "players": 3})
    assert game.num_players() == 3
    state = game.new_initial_state()
    state.apply_action(0)
    again = pickle.loads(pickle.dumps(state))
    assert str(again) == str(state)
    assert again.history() == state.history()
    again.apply_action(3)
    assert not state.is_terminal()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"ruleset": ""}, "`ruleset` is missing"),
        ({"ruleset": "pig/clasic"}, "did you mean `pig/classic`"),
        ({"ruleset": "pig/classic", "players": 99}, "2 to 10 players"),
        ({"ruleset": "pig/classic", "chance": "often"}, "explicit or sampled"),
        ({"ruleset": "pig/classic", "horizont": 3}, "no parameter horizont"),
        ({"ruleset": "pig/classic", "options": {"speed": "high"}}, "no option speed"),
    ],
)
def test_what_does_not_fit_is_refused(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(RulewrightError, match=message):
        openspiel.load_game(**parameters)


@pytest.mark.parametrize(("library", "adapter"), [("pyspiel", "openspiel"), ("pettingzoo", "pettingzoo")])
def test_without_the_library_it_says_what_to_install(library: str, adapter: str) -> None:
    code = f"""
        import sys
        sys.modules[{library!r}] = None
        from rulewright import RulewrightError
        try:
            import rulewright.integrations.{adapter}
        except RulewrightError as error:
            assert "pip install 'rulewright[{adapter}]'" in str(error), error
        else:
            raise AssertionError("nothing was said")
    """
    ran = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-3000:]
