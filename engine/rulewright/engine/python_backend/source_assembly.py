"""The generation of all Python source for one program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rulewright.engine.python_backend.expression_source import Constants, ExpressionSource, build_direct_name
from rulewright.engine.python_backend.function_writer import END, FunctionWriter, build_start_name
from rulewright.ir.analyses.suspension_points import find_stops, slice_to_stop
from rulewright.ir.program import LoweredFormula, Program, Routine
from rulewright.ir.values import Value
from rulewright.language.operations import Ask, Call, Chance, Draw, Finish, Operation
from rulewright.language.step_cost import StepCosts
from rulewright.ruleset.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class GeneratedFunction:
    """A generated function: its lines, the first with its head, and the rule of each line, or 0."""

    name: str
    lines: Sequence[str]
    rules: Sequence[int | str]


class SourceAssembler:
    """The generator of all source for one program. `counted` is true if the code counts operations."""

    def __init__(
        self,
        program: Program,
        ruleset: Ruleset,
        effort: StepCosts,
        *,
        recording: bool,
        sampling: bool,
        fused: bool,
        undoable: bool = False,
    ) -> None:
        self.program = program
        self.ruleset = ruleset
        self.effort = effort
        self.recording = recording
        self.sampling = sampling
        self.fused = fused
        self.undoable = undoable
        self.counted = False
        self.watched = any(measure.per is not None for measure in ruleset.measures.values())
        self.constants = Constants(ruleset, program.layout)
        self.constants.formula = self._formula
        self.writers: list[FunctionWriter] = []
        self.formulas: dict[str, list[str]] = {}
        self._functions = 0
        self._unwritten: list[Callable[[], None]] = []
        self._needed: list[str] = []
        self._stopping: dict[str, bool] = {}
        self._takes: dict[Operation[Value], str] = {}
        self._reads: dict[Routine, dict[int, int]] = {}
        for routine in program.routines.values():
            for number, stops in find_stops(routine).items():
                self._takes |= {
                    each: f"take{number}" + (f"_{place}" if place else "") for place, each in enumerate(stops)
                }

    def write_functions(self) -> list[GeneratedFunction]:
        """Write all functions of the program and return them. Call it once."""
        for routine in self.program.routines.values():
            if self.fused:
                self._in_one_go(routine)
                continue
            start = FunctionWriter(self, build_start_name(routine.id), routine)
            start.sequence(routine.body, END)
            self.add(start)
            self._presenters(routine)
            if not self.stopping(routine.id):
                self._in_one_go(routine)
        while self._unwritten:
            self._unwritten.pop()()
        if self.ruleset.evaluate is not None:
            self._formula(self.ruleset.evaluate)
        for (weights, term), expression in self.program.terms.items():
            name = build_term_name(weights, term)
            self.formulas[name] = self._function(name, expression)
        if self.fused:
            self._measures()
        self.write_formulas()
        functions = [GeneratedFunction(writer.name, *writer.finish_source()) for writer in self.writers]
        return functions + [GeneratedFunction(name, each, [0] * len(each)) for name, each in self.formulas.items()]

    def _presenters(self, routine: Routine) -> None:
        """Write a function for each pause point that presents it again in a restored state.

        It recomputes from the state only the code after the last change, such as temporaries and faults.
        """
        for number, stops in find_stops(routine).items():
            presented = [each for each in stops if isinstance(each, Ask | Chance | Draw) and self.stops(each)]
            for place, each in enumerate(stops):
                if each in presented:
                    name = f"ask{number}" if len(stops) == 1 else f"ask{number}_{place}"
                    writer = FunctionWriter(self, name, routine)
                    writer.region(slice_to_stop(routine.body, each))
                    self.add(writer)
            if presented and len(stops) > 1:
                self._dispatch(routine, stops)

    def _dispatch(self, routine: Routine, stops: list[Operation[Value]]) -> None:
        """Write the functions that present and resume a step with several pause points.

        A slot has the index of the current one, by which they call the function of that pause point.
        """
        step = stops[0].step
        assert step.hidden is not None
        for what, parameters in (("ask", "s"), ("resume", "s, x")):
            writer = FunctionWriter(self, f"{what}{step.number}", routine, parameters=parameters)
            writer.at = step.number
            place = writer.slot(step.hidden)
            names = [f"ask{step.number}_{at}" if what == "ask" else self.take(each) for at, each in enumerate(stops)]
            for at, name in enumerate(names[1:], start=1):
                writer.line(f"if {place} == {at}: return {name}({parameters})")
            writer.line(f"return {names[0]}({parameters})")
            self.add(writer)

    def _in_one_go(self, routine: Routine) -> None:
        """Write a procedure that never stops as a function whose locals are Python variables."""
        writer = self._in_one_function(routine, held=False)
        if self.fused and not self.recording and not writer.expressions.shared:
            writer = self._in_one_function(routine, held=True)
        self.add(writer)

    def _in_one_function(self, routine: Routine, *, held: bool) -> FunctionWriter:
        """Return the writer of a procedure as one function. With `held`, fields of the game are Python variables in it.

        They are written back at its end.
        """
        parameters = [f"l{slot}" for slot in range(1, len(routine.parameters) + 1)]
        writer = FunctionWriter(
            self, build_direct_name(routine.id), routine, parameters=", ".join(["s", *parameters]), inline=True
        )
        writer.expressions.held = set() if held else None
        others = [f"l{slot}" for slot in range(len(parameters) + 1, routine.size + 1)]
        if others:
            writer.line(" = ".join([*others, "None"]))
        writer.region(routine.body)
        writer.leave()
        return writer

    # -- the interface for writers --------------------------------------------------------

    def stops(self, operation: Operation[Value]) -> bool:
        """Return whether the machine may pause inside this operation."""
        match operation:
            case Ask() | Finish():
                return not self.fused
            case Chance() | Draw():
                return not self.sampling
            case Call(procedure=procedure):
                return self.stopping(procedure)
        return any(self.stops(inner) for region in operation.regions for inner in region)

    def stopping(self, procedure: str) -> bool:
        """Return whether the machine may pause inside this procedure. Cached."""
        result = self._stopping.get(procedure)
        if result is None:
            result = any(self.stops(each) for each in self.program.routines[procedure].body)
            self._stopping[procedure] = result
        return result

    def size(self, procedure: str) -> int:
        """Return the slots of a procedure's frame."""
        return self.program.routines[procedure].size

    def take(self, operation: Operation[Value]) -> str:
        """Return the name of the function that continues with the answer at a pause point."""
        return self._takes[operation]

    def times_read(self, routine: Routine, temporary: int) -> int:
        """Return how many times the code of a procedure reads a temporary. Cached."""
        if routine not in self._reads:
            reads = self._reads[routine] = {}
            for each in routine.walk():
                for value in each.values:
                    for part in value.walk():
                        if part.op == "temp":
                            reads[part.data[0]] = reads.get(part.data[0], 0) + 1
        return self._reads[routine].get(temporary, 0)

    def function(self, prefix: str) -> str:
        """Return a name for a new function."""
        self._functions += 1
        return f"{prefix}_{self._functions}"

    def add(self, writer: FunctionWriter, write: Callable[[], None] | None = None) -> None:
        """Add a function to the program. If `write` is given, it generates the function's code later."""
        self.writers.append(writer)
        if write is not None:
            self._unwritten.append(write)

    def _measures(self) -> None:
        """Write the measures of a game, and the values over which they are reported, as functions of the state."""
        for measure in self.ruleset.measures.values():
            name, clock = measure_name(measure.id), build_clock_name(measure.id)
            self.formulas[name] = self._function(name, self.program.get_measure(measure))
            if measure.per is not None:
                self.formulas[clock] = self._function(clock, self.program.build_formula(measure.per))

    def write_formulas(self) -> None:
        """Write the requested formulas, and all formulas that these call."""
        while self._needed:
            identity = self._needed.pop()
            name = build_formula_name(identity)
            self.formulas[name] = self._function(name, self.program.get_formula(identity))

    def _function(self, name: str, formula: LoweredFormula) -> list[str]:
        """Return the lines of a function that computes a formula. Sets `self.counted` if it must charge operations."""
        parameters = [f"v_{parameter}" for parameter, _ in formula.parameters]
        expressions = ExpressionSource(self.constants)
        lines = expressions.formula(formula)
        self.counted = self.counted or expressions.counted
        return [f"def {name}({', '.join(['s', *parameters])}):", *(f"    {line}" for line in lines)]

    def _formula(self, identity: str) -> str:
        """Return the name of a formula's function. The function is requested on first use and written later."""
        name = build_formula_name(identity)
        if name not in self.formulas:
            self.formulas[name] = []
            self._needed.append(identity)
        return name


def build_formula_name(identity: str) -> str:
    """Return the name of a formula's function. It is unique, because ids have no capital letters."""
    return "formula_" + identity.replace(".", "_OF_").replace(":", "_IN_")


def measure_name(identity: str) -> str:
    """Return the name of a measure's function."""
    return f"measure_OF_{identity}"


def build_term_name(weights: str, term: str) -> str:
    """Return the name of the function of a term in a learned evaluation."""
    return f"term_OF_{weights}_OF_{term}"


def build_clock_name(identity: str) -> str:
    """Return the name of the function for the clock of a measure."""
    return f"clock_OF_{identity}"
