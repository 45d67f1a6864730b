"""Choices and dice that a script leaves out, asked for at the terminal."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from typing import Any

from rulewright.cli.session import listed, named_option
from rulewright.cli.terminal import width
from rulewright.dice.generator import Generator
from rulewright.dice.text import text
from rulewright.dice.tree import Roll
from rulewright.language.step import Step
from rulewright.play.examples.run import Moment
from rulewright.play.game.decision import decision_at
from rulewright.play.game.script import Outcome, Script, ScriptError, chance_outcome
from rulewright.play.machine.state import State
from rulewright.play.telling.names import Names


class AskedScript(Script):
    """A script that asks whoever sits at the terminal for what it does not say, after telling what has happened."""

    def __init__(
        self, dice: Sequence[Any], choices: Sequence[Any], tell: Callable[[Sequence[Moment]], None], chance: Generator
    ) -> None:
        super().__init__(dice, choices)
        self.tell = tell
        self.chance = chance
        self.moments: Sequence[Moment] = ()

    @property
    def listens(self) -> bool:
        return True

    def hear(self, moments: Sequence[Moment]) -> None:
        self.moments = moments

    def so_far(self) -> str:
        """The arguments of a run that goes as far as this one did without asking; none where they cannot be written."""
        dice = ["+".join(map(str, each)) if isinstance(each, list | tuple) else str(each) for each in self.came_up]
        written = []
        for option, entries in (("--dice", dice), ("--choose", self.taken)):
            if any("," in entry for entry in entries):
                return ""
            if entries:
                written += [option, shlex.quote(",".join(entries))]
        return " ".join(written)

    def _outcome(self, state: State, step: Step) -> Outcome:
        if self.rolled < len(self.dice):
            return super()._outcome(state, step)
        self.tell(self.moments)
        rolled = state.roll
        what = f"roll {text(rolled)}" if isinstance(rolled, Roll) else "draw a card"
        while True:
            answer = self._input(f"{step.rule}: {what}, what comes up? (Enter: leave it to chance) ")
            if answer is None:
                return super()._outcome(state, step)
            if not answer:
                return chance_outcome(rolled, self.chance)
            # What is typed becomes part of the script, so that it is kept as it was typed: before any bonus.
            said, known = self.rolled, self.dice
            self.dice = (*known, entry_of(answer))
            try:
                return super()._outcome(state, step)
            except ScriptError as error:
                self.rolled, self.dice = said, known
                print(error, file=sys.stderr)

    def _choice(self, ids: Sequence[str], state: State, step: Step, names: Names) -> int:
        if self.chosen < len(self.choices):
            return super()._choice(ids, state, step, names)
        self.tell(self.moments)
        decision = decision_at(state)
        print(f"\nPlayer {decision.player}: {decision.ask}  ({decision.rule})")
        print("\n".join(listed([option.label for option in decision.options], width())))
        while True:
            answer = self._input("> ")
            if answer is None:
                return super()._choice(ids, state, step, names)
            if answer.isdecimal() and 1 <= int(answer[:9]) <= len(ids):
                return int(answer) - 1
            named = named_option(answer, decision)
            if named is not None:
                return named
            print(f"there are {len(ids)} options, and none is `{answer}`: type a number or a name", file=sys.stderr)

    def _input(self, prompt: str) -> str | None:
        """What is typed; None where nobody answers any more."""
        try:
            return input(prompt).strip()
        except EOFError:
            print()
            return None


def entry_of(part: str) -> Any:
    """A result as typed: a number is a total or a single face, a sum is faces, anything else is a card."""
    numbers = part.removeprefix("-").split("+")
    if all(number.strip().isdecimal() and len(number) < 19 for number in numbers):
        return int(part) if len(numbers) == 1 else [int(number) for number in part.split("+")]
    return part
