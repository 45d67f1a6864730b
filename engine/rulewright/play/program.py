"""What both back ends are: a ruleset ready to run."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from rulewright.language.declarations import FIRST_PLAYER, GAME_KIND, PLAYER_KIND
from rulewright.language.step import Step
from rulewright.play.faults import RulesFault
from rulewright.play.layout import Layout
from rulewright.play.state import OVER, RUNNING, State
from rulewright.ruleset.ruleset import Ruleset


class Program(ABC):
    """A ruleset ready to run. Programs are shared by all games and hold nothing of any of them."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.layout = Layout(ruleset.declarations)

    def empty(self, players: int, *, options: Mapping[str, str] | None = None) -> State:
        """A state with the game, its players and nothing else; options at their defaults but for those given."""
        state = State.__new__(State)
        state.program = self
        layout = self.layout
        state.objects = [list(layout.defaults[GAME_KIND])]
        state.live = [() for _ in layout.names]
        for _ in range(players):
            state.create(1, list(layout.defaults[PLAYER_KIND]))
        for name, choice in (options or {}).items():
            state.objects[0][layout.places[GAME_KIND, f"options.{name}"]] = choice
        assert players == 0 or state.live[1][0] == FIRST_PLAYER
        state.stack = []
        state.mode = RUNNING
        state.who = 0
        state.options = ()
        state.roll = None
        state.root = ""
        state.winners = None
        state.given = ()
        state.events = None
        state.generator = None
        return state

    def new_game(self, players: int, *, options: Mapping[str, str] | None = None) -> State:
        """A whole game at its first stop. Raises `ValueError` if the ruleset does not say what a game carries out."""
        if self.ruleset.start is None:
            raise ValueError(f"{self.ruleset.reference} has no `start`")
        state = self.empty(players, options=options)
        self.begin(state, self.ruleset.start, ())
        return state

    @abstractmethod
    def begin(self, state: State, procedure: str, arguments: Sequence[Any]) -> None:
        """Start carrying out `procedure` and go on to the first stop."""

    @abstractmethod
    def present(self, state: State) -> None:
        """Work out the stop that `state`'s frames stand at: who is asked and what, or which roll. Changes no rule."""

    def step(self, state: State) -> Step | None:
        """The step that a state stands at."""
        return self.ruleset.steps.get(state.frame[0]) if state.stack else None

    def fault(self, state: State, error: Exception) -> RulesFault:
        """The fault of the rules behind an error that a step ran into."""
        message = str(error) if isinstance(error, OverflowError) else "this uses an object that has left the game"
        return RulesFault(self.step(state), message)

    def close(self, state: State, given: tuple[Any, ...]) -> None:
        """The outermost procedure has ended."""
        state.given = given
        state.frame[0] = 0
        state.mode = OVER

    def finish(self, state: State, winners: tuple[int, ...]) -> None:
        """The game is over."""
        state.winners = winners
        state.stack = []
        state.mode = OVER
