"""A checked ruleset → a program of generated Python."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from rulewright.errors import RulewrightError
from rulewright.language.step import Block, Procedure, Step
from rulewright.play.compile.constants import Constants
from rulewright.play.compile.expressions import Expressions
from rulewright.play.compile.support import SUPPORT
from rulewright.play.compile.writer import END, Writer
from rulewright.play.faults import RulesFault
from rulewright.play.program import Program
from rulewright.play.state import State
from rulewright.ruleset.ruleset import Ruleset


class Compiled(Program):
    """Runs generated code. `source` is the whole of it, for those who want to read it.

    With `recording`, steps append to a state's `events`, which must then be a list. With `sampling`, rolls are made on
    the spot from a state's `generator`, and the machine stops at decisions alone.
    """

    def __init__(self, ruleset: Ruleset, *, recording: bool = False, sampling: bool = False) -> None:
        super().__init__(ruleset)
        unit = _Unit(self, recording=recording, sampling=sampling)
        self.source = unit.source()
        namespace: dict[str, Any] = {
            **SUPPORT,
            **unit.constants.values,
            "fault": self._fault_at,
            "finish": self.finish,
            "sample": sample,
            "takes": (takes := {}),
            "leave": partial(_leave, self, takes),
        }
        exec(compile(self.source, f"<rules of {ruleset.reference}>", "exec"), namespace)
        takes.update({number: namespace[f"take{number}"] for number in ruleset.steps if f"take{number}" in namespace})
        self._asks = {number: namespace[f"ask{number}"] for number in ruleset.steps if f"ask{number}" in namespace}
        self._namespace = namespace
        self._standing = namespace[formula_name(ruleset.evaluate)] if ruleset.evaluate is not None else None

    def begin(self, state: State, procedure: str, arguments: Sequence[Any]) -> None:
        found = self.ruleset.procedures[procedure]
        state.root = procedure
        state.frame = [0, *arguments, *([None] * (found.size - len(arguments)))]
        state.stack.append(state.frame)
        try:
            step = self._namespace[f"start_{procedure}"](state)
            while step is not None:
                step = step(state)
        except (TypeError, OverflowError) as error:
            raise self.fault(state, error) from error

    def present(self, state: State) -> None:
        self._asks[state.frame[0]](state)

    def standing(self, state: State, player: int) -> int:
        """How well a player stands, by the ruleset's own formula. Raises `RulewrightError` if it has none."""
        if self._standing is None:
            raise RulewrightError(f"{self.ruleset.reference} does not say how bots judge (`evaluate:` in its manifest)")
        value: int = self._standing(state, player)
        return value

    def _fault_at(self, number: int, message: str) -> RulesFault:
        return RulesFault(self.ruleset.steps[number], message)


def _leave(program: Program, takes: dict[int, Any], state: State, given: tuple[Any, ...]) -> Any:
    """End the running procedure and go on in the one that carried it out."""
    stack = state.stack
    if len(stack) == 1:
        program.close(state, given)
        return None
    stack.pop()
    state.frame = frame = stack[-1]
    return takes[frame[0]](state, given)


def sample(state: State, roll: Any) -> Any:
    """Make a roll, or draw a card, from the state's generator."""
    from rulewright.dice.roll import total
    from rulewright.dice.tree import Roll

    generator = state.generator
    assert generator is not None
    if isinstance(roll, Roll):
        return total(roll, generator)
    return roll if isinstance(roll, int) else roll[generator.below(len(roll))]


def formula_name(identity: str) -> str:
    """The function that a formula becomes."""
    return "formula_" + identity.replace(".", "_of_")


class _Unit:
    """Everything written for one program."""

    def __init__(self, program: Program, *, recording: bool, sampling: bool) -> None:
        self.ruleset = program.ruleset
        self.recording = recording
        self.sampling = sampling
        self.constants = Constants(self.ruleset, program.layout)
        self.constants.formula = self._formula
        self.writers: list[Writer] = []
        self.formulas: dict[str, str | None] = {}
        self._functions = 0
        self._stopping = {name: self._may_stop(procedure) for name, procedure in self.ruleset.procedures.items()}

    def source(self) -> str:
        """The source of the whole program."""
        for procedure in self.ruleset.procedures.values():
            start = Writer(self, f"start_{procedure.id}", procedure)
            start.sequence(procedure.body, END)
            self.add(start)
            self._presenters(procedure)
            if not self._stopping[procedure.id]:
                self._in_one_go(procedure)
        if self.ruleset.evaluate is not None:
            self._formula(self.ruleset.evaluate)
        parts = [writer.source() for writer in self.writers]
        parts += [formula for formula in self.formulas.values() if formula]
        return "\n\n\n".join(parts) + "\n"

    def _presenters(self, procedure: Procedure) -> None:
        """For each stop, a function that works it out again from a state that was read back."""
        for step in procedure.steps():
            if step.verb.stops in ("decision", "chance") and self.stops(step):
                writer = Writer(self, f"ask{step.number}", procedure)
                step.verb.emit(step, writer)
                self.add(writer)

    def _in_one_go(self, procedure: Procedure) -> None:
        """A procedure that never stops, as a function with its locals as Python variables."""
        parameters = [f"l{slot}" for slot in range(1, len(procedure.parameters) + 1)]
        writer = Writer(self, f"do_{procedure.id}", procedure, parameters=", ".join(["s", *parameters]), inline=True)
        others = [f"l{slot}" for slot in range(len(parameters) + 1, procedure.size + 1)]
        if others:
            writer.line(" = ".join([*others, "None"]))
        writer.block(procedure.body)
        writer.leave()
        self.add(writer)

    # -- what writers ask ------------------------------------------------------------------

    def stops(self, step: Step) -> bool:
        """Whether the machine may stop inside this step."""
        match step.verb.stops:
            case "decision" | "end":
                return True
            case "chance":
                return not self.sampling
            case "call":
                return self._stopping[step.action.procedure]
        return any(self.stops(inner) for block in step.blocks for inner in block.steps)

    def stopping(self, procedure: str) -> bool:
        """Whether the machine may stop inside this procedure."""
        return self._stopping[procedure]

    def _may_stop(self, procedure: Procedure) -> bool:
        return self._block_may_stop(procedure.body)

    def _block_may_stop(self, block: Block) -> bool:
        for step in block.walk():
            if step.verb.stops in ("decision", "end") or (step.verb.stops == "chance" and not self.sampling):
                return True
            if step.verb.stops == "call" and self._may_stop(self.ruleset.procedures[step.action.procedure]):
                return True
        return False

    def function(self, prefix: str) -> str:
        """A name for a new function."""
        self._functions += 1
        return f"{prefix}_{self._functions}"

    def add(self, writer: Writer) -> None:
        """Take a function into the program."""
        if writer not in self.writers:
            self.writers.append(writer)

    def steps(self, number: int) -> Step:
        """The step of a number."""
        return self.ruleset.steps[number]

    def _formula(self, identity: str) -> str:
        """The name of a formula's function, which is written when it is first asked for."""
        name = formula_name(identity)
        if identity not in self.formulas:
            self.formulas[identity] = None
            formula = self.ruleset.declarations.formulas[identity]
            body = Expressions(self.constants).code(formula.body)
            parameters = ", ".join(["s", *(f"v_{name}" for name in formula.parameters)])
            objects = "    o = s.objects\n" if "o[" in body else ""
            self.formulas[identity] = f"def {name}({parameters}):\n{objects}    return {body}"
        return name
