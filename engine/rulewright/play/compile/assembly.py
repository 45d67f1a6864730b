"""Everything that is written for one program."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulewright.language.expression.typed import Typed
from rulewright.language.step import Procedure, Step
from rulewright.play.compile.constants import Constants
from rulewright.play.compile.effects import NEW_MOVE
from rulewright.play.compile.expressions import Expressions
from rulewright.play.compile.heads import alone
from rulewright.play.compile.label import END
from rulewright.play.compile.writer import Writer
from rulewright.play.program import Program


class Assembly:
    """Everything written for one program."""

    def __init__(self, program: Program, *, recording: bool, sampling: bool, fused: bool = False) -> None:
        self.ruleset = program.ruleset
        self.effort = program.effort
        self.recording = recording
        self.sampling = sampling
        self.fused = fused
        self.watched = any(measure.over is not None for measure in self.ruleset.measures.values())
        self.constants = Constants(self.ruleset, program.layout)
        self.constants.formula = self._formula
        self.writers: list[Writer] = []
        self.formulas: dict[str, list[str] | None] = {}
        self._functions = 0
        self._unwritten: list[Callable[[], None]] = []
        self._stopping: dict[str, bool] = {}

    def written(self) -> tuple[str, list[int | str]]:
        """The source of the whole program, and the rule that each line carries out (line 0 is none)."""
        for procedure in self.ruleset.procedures.values():
            if self.fused:
                self._in_one_go(procedure)
                continue
            start = Writer(self, f"start_{procedure.id}", procedure)
            start.sequence(procedure.body, END)
            self.add(start)
            self._presenters(procedure)
            if not self.stopping(procedure.id):
                self._in_one_go(procedure)
        while self._unwritten:
            self._unwritten.pop()()
        if self.ruleset.evaluate is not None:
            self._formula(self.ruleset.evaluate)
        if self.fused:
            self._measures()
        lines: list[str] = []
        rules: list[int | str] = [0]
        for writer in self.writers:
            found, carried_out = writer.written()
            lines += [*found, "", ""]
            rules += [*carried_out, 0, 0]
        for formula in self.formulas.values():
            assert formula is not None
            lines += [*formula, "", ""]
        if not any("s.work -=" in line or "spend(s" in line for line in lines):
            moves = [line.strip() == NEW_MOVE for line in lines]
            lines = [line for line, move in zip(lines, moves, strict=True) if not move]
            # Line 0 is none.
            rules = [0, *(rule for rule, move in zip(rules[1:], moves, strict=False) if not move)]
        rules += [0] * (len(lines) + 1 - len(rules))
        return "\n".join(lines), rules

    def _presenters(self, procedure: Procedure) -> None:
        """For each stop, a function that works it out again from a state that was read back."""
        for step in procedure.steps():
            if step.verb.stops in ("decision", "chance") and self.stops(step):
                writer = Writer(self, f"ask{step.number}", procedure)
                step.verb.emit(step, writer)
                self.add(writer)

    def _in_one_go(self, procedure: Procedure) -> None:
        """A procedure that never stops, as a function with its locals as Python variables."""
        writer = self._in_one_function(procedure, held=False)
        if self.fused and not self.recording and alone(writer.lines):
            writer = self._in_one_function(procedure, held=True)
        self.add(writer)

    def _in_one_function(self, procedure: Procedure, *, held: bool) -> Writer:
        """That function; with `held`, the values of the game are Python variables too, and put back at its end."""
        parameters = [f"l{slot}" for slot in range(1, len(procedure.parameters) + 1)]
        writer = Writer(self, f"do_{procedure.id}", procedure, parameters=", ".join(["s", *parameters]), inline=True)
        writer.expressions.held = set() if held else None
        others = [f"l{slot}" for slot in range(len(parameters) + 1, procedure.size + 1)]
        if others:
            writer.line(" = ".join([*others, "None"]))
        writer.block(procedure.body)
        writer.leave()
        return writer

    # -- what writers ask ------------------------------------------------------------------

    def stops(self, step: Step) -> bool:
        """Whether the machine may stop inside this step."""
        match step.verb.stops:
            case "decision" | "end":
                return not self.fused
            case "chance":
                return not self.sampling
            case "call":
                return self.stopping(step.action.procedure)
        return any(self.stops(inner) for block in step.blocks for inner in block.steps)

    def stopping(self, procedure: str) -> bool:
        """Whether the machine may stop inside this procedure."""
        found = self._stopping.get(procedure)
        if found is None:
            found = any(self.stops(step) for step in self.ruleset.procedures[procedure].body.steps)
            self._stopping[procedure] = found
        return found

    def function(self, prefix: str) -> str:
        """A name for a new function."""
        self._functions += 1
        return f"{prefix}_{self._functions}"

    def add(self, writer: Writer, write: Callable[[], None] | None = None) -> None:
        """Take a function into the program; `write`, if given, writes it later, however many wait before it."""
        self.writers.append(writer)
        if write is not None:
            self._unwritten.append(write)

    def _measures(self) -> None:
        """What is reported of a game, and over what, as functions of the state."""
        for measure in self.ruleset.measures.values():
            for name, value in ((measure_name(measure.id), measure.value), (clock_name(measure.id), measure.over)):
                if value is not None:
                    self.formulas[name] = self._function_of(name, [], value)

    def _function_of(self, name: str, parameters: Iterable[str], value: Typed) -> list[str]:
        """The lines of a function that works out an expression."""
        head = f"def {name}({', '.join(['s', *(f'v_{parameter}' for parameter in parameters)])}):"
        return [head, *(f"    {line}" for line in Expressions(self.constants).body(value, tuple(parameters)))]

    def _formula(self, identity: str) -> str:
        """The name of a formula's function, which is written when it is first asked for."""
        name = formula_name(identity)
        if identity not in self.formulas:
            self.formulas[identity] = None
            formula = self.ruleset.declarations.formulas[identity]
            self.formulas[identity] = self._function_of(name, formula.parameters, formula.body)
        return name


def formula_name(identity: str) -> str:
    """The function that a formula becomes. No id has capitals, so that no two share a name."""
    return "formula_" + identity.replace(".", "_OF_")


def measure_name(identity: str) -> str:
    """The function that a measure becomes."""
    return f"measure_OF_{identity}"


def clock_name(identity: str) -> str:
    """The function of what a measure is reported over."""
    return f"clock_OF_{identity}"
