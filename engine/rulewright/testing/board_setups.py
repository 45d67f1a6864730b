"""Board setups, played by bots from the start of the game until all pieces are in place."""

from __future__ import annotations

from rulewright.engine import engine_diagnostics
from rulewright.engine.boards.board_contents import list_boards
from rulewright.engine.state.faults import RunAllowance
from rulewright.engine.state.game_state import State
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.setups import Setup
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.testing.play_samples import SampleRun, play_sample


def set_up_boards(ruleset: Ruleset, setup: Setup) -> list[State]:
    """Return the state after setup for each number of players.

    Skips the numbers of players for which the setup fails.
    """
    played = (play_sample(ruleset, game) for game in setup.games)
    return [each.state for each in played if isinstance(each, SampleRun) and not each.problems.errors]


def check_setups(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Play every setup, and report errors and setups without a piece on any board."""
    allowance = RunAllowance("all setups together")
    for setup in ruleset.setups.values():
        for game in setup.games:
            sample = play_sample(ruleset, game, allowance)
            problems = sample.problems if isinstance(sample, SampleRun) else sample
            diagnostics.extend(problems)
            if (
                isinstance(sample, SampleRun)
                and not problems.errors
                and all(board.is_empty for board in list_boards(sample.state))
            ):
                message = f"no objects are on a board after `{game.until}`, so `{setup.id}` has nothing to show"
                span = setup.node.entries["until"].value.span
                diagnostics.add(engine_diagnostics.NOTHING_TO_SEE, message, span)
