"""The back end of generated Python for a checked ruleset, created once per mode."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from types import TracebackType
from typing import Any

from rulewright.base.errors import RulewrightError
from rulewright.base.incremental.reads import note_read, record_reads
from rulewright.engine.python_backend.expression_source import build_direct_name
from rulewright.engine.python_backend.function_writer import build_start_name
from rulewright.engine.python_backend.runtime_support import SUPPORT
from rulewright.engine.python_backend.source_assembly import (
    SourceAssembler,
    build_clock_name,
    build_formula_name,
    build_term_name,
    measure_name,
)
from rulewright.engine.state.faults import GONE, RulesFault
from rulewright.engine.state.game_state import State, bind_result
from rulewright.engine.state.machine import Machine, get_effort
from rulewright.ir.program import build_program
from rulewright.language.checked_steps import Procedure, Step
from rulewright.ruleset.ruleset import Ruleset

_NAMES = re.compile(r"[A-Z]\w*")
"""The names of constants, and all words that could be one."""


class GameOver(Exception):  # noqa: N818
    """Raised to leave all running procedures when a fused game is over or has no decisions left."""


class GeneratedCode:
    """The generated functions of a ruleset in one mode, and the constants that they use by name."""

    def __init__(
        self,
        ruleset: Ruleset,
        *,
        recording: bool = False,
        sampling: bool = False,
        fused: bool = False,
        undoable: bool = False,
    ) -> None:
        assembly = SourceAssembler(
            build_program(ruleset),
            ruleset,
            get_effort(ruleset),
            recording=recording,
            sampling=sampling,
            fused=fused,
            undoable=undoable,
        )
        self.functions = assembly.write_functions()
        self.constants = assembly.constants.values

    @property
    def parts(self) -> dict[str, object]:
        """What each function does, by its name: its source, and the constants in it."""
        return {each.name: (each.lines, self._list_constants(each.lines)) for each in self.functions}

    def _list_constants(self, lines: Sequence[str]) -> list[tuple[str, object]]:
        names = dict.fromkeys(name for line in lines for name in _NAMES.findall(line))
        return [(name, self.constants[name]) for name in names if name in self.constants]

    def join_functions(self, *, noting: bool) -> tuple[str, list[int | str]]:
        """Return the source of the whole program, and the rule of each line. Index 0 is no line.

        With `noting`, each function calls `note` with its name first.
        """
        lines: list[str] = []
        rules: list[int | str] = [0]
        for each in self.functions:
            head, *body = each.lines
            note = [f"    note({each.name!r})"] if noting else []
            lines += [head, *note, *body, "", ""]
            rules += [each.rules[0], *each.rules, 0, 0] if noting else [*each.rules, 0, 0]
        return "\n".join(lines), rules


def _note_function(name: str) -> None:
    """Note that what a generated function does is read."""
    note_read(("part", GeneratedCode, name))


class PythonMachine(Machine):
    """The back end of generated Python code. `source` is the complete code, for inspection.

    With `recording`, steps append to `events` of the state, which must then be a list. With `sampling`, rolls are
    made immediately from `generator` of the state, and the back end pauses only at decisions. With `undoable`, every
    write is logged in `undo_log` of the state first.

    For a tracked ruleset, functions note that they are read when they run, unless one of these modes is on. So whoever
    plays depends only on the rules that came up.
    """

    fused = False
    """Whether bots make decisions immediately, without a pause."""

    def __init__(
        self, ruleset: Ruleset, *, recording: bool = False, sampling: bool = False, undoable: bool = False
    ) -> None:
        """Generate the code of the ruleset, unless it is cached, and compile it."""
        super().__init__(ruleset)
        self.undoable = undoable
        noting = ruleset.is_tracked and not (recording or sampling or undoable or self.fused)
        with record_reads(alone=True) if noting else nullcontext():
            code = (
                ruleset.get_or_make(GeneratedCode)
                if noting
                else GeneratedCode(ruleset, recording=recording, sampling=sampling, fused=self.fused, undoable=undoable)
            )
            self.source, self._rules = code.join_functions(noting=noting)
            numbers = list(ruleset.steps)
        self._file = f"<rules of {ruleset.reference}>"
        takes: dict[int, Any] = {}
        namespace: dict[str, Any] = {
            **SUPPORT,
            **code.constants,
            "note": _note_function,
            "fault": self._fault_at,
            "finish": self.finish,
            "Ended": GameOver,
            "leave": _make_leave(self, takes, undoable=undoable),
        }
        # Code is always compiled in this process. Cached files contain only data and are never executed.
        exec(compile(self.source, self._file, "exec", dont_inherit=True), namespace)
        for number in numbers:
            # For a step with several pause points, `resume` selects the current one.
            take = namespace.get(f"resume{number}") or namespace.get(f"take{number}")
            if take is not None:
                takes[number] = take
        self._asks = {number: namespace[f"ask{number}"] for number in numbers if f"ask{number}" in namespace}
        self._namespace = namespace
        self._standing = namespace[build_formula_name(ruleset.evaluate)] if ruleset.evaluate is not None else None

    def start(self, state: State, procedure: str) -> None:
        step = self._namespace[build_start_name(procedure)](state)
        while step is not None:
            step = step(state)

    def present(self, state: State) -> None:
        self._asks[state.frame[0]](state)

    def evaluate_standing(self, state: State, player: int) -> int:
        """Return the ruleset's evaluation of a position for a player. Raises `RulewrightError` if it has none."""
        if self._standing is None:
            raise RulewrightError(f"{self.ruleset.reference} has no evaluation for bots (`evaluate:` in its manifest)")
        value: int = self._standing(state, player)
        return value

    def find_judgement(self, name: str = "") -> Callable[[State, int], float]:
        """Return the evaluation function of the ruleset, or the learned evaluation with a name.

        A learned evaluation adds weighted features in order as floating-point numbers, so it is the same on every
        platform. The function raises `RulewrightError` if the ruleset has no evaluation.
        """
        if not name:
            return self.evaluate_standing
        terms = self.terms(name)

        def list_terms(state: State, player: int) -> float:
            total = 0.0
            for weight, value in terms:
                total += weight * float(value(state, player))
            return total

        return list_terms

    def terms(self, name: str) -> list[tuple[float, Callable[[State, int], int]]]:
        """Return the features of a learned evaluation: the weight of each, and the function for a player's amount."""
        weighed = self.ruleset.weights[name].terms.values()
        return [(term.worth, self._namespace[build_term_name(name, term.id)]) for term in weighed]

    def locate_fault(self, state: State, error: Exception) -> Step | Procedure | None:
        result = self._rule_of(error)
        if isinstance(result, str):
            return self.ruleset.procedures[result]
        return self.ruleset.steps[result] if result else super().locate_fault(state, error)

    def explain(self, state: State, error: Exception) -> None:
        # Generated code does not check whether an object still exists. If not, the access to None fails.
        if isinstance(error, TypeError) and "NoneType" in str(error) and _find_file(error) == self._file:
            raise RulesFault(self.locate_fault(state, error), GONE) from error
        super().explain(state, error)

    def _rule_of(self, error: Exception) -> int | str:
        """Return the rule whose generated code raised `error`: a step number or a procedure id.

        The result is 0 if no generated code was running.
        """
        result: int | str = 0
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == self._file:
                result = self._rules[trace.tb_lineno] or result
            trace = trace.tb_next
        return result

    def _fault_at(self, number: int, message: str) -> RulesFault:
        return RulesFault(self.ruleset.steps[number], message)


def _find_file(error: Exception) -> str:
    """Return the file that `error` was raised in."""
    trace: TracebackType | None = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_frame.f_code.co_filename if trace is not None else ""


def _make_leave(machine: Machine, takes: dict[int, Any], *, undoable: bool) -> Callable[[State, tuple[Any, ...]], Any]:
    """Return the function that ends the running procedure with its results and continues its caller.

    The function returns what the caller's code returns. Without a caller, it ends the run and returns None. `takes` has
    the code that continues each procedure. Generated code calls it more often than any other function.
    """

    def leave(state: State, given: tuple[Any, ...]) -> Any:
        """End the running procedure with its results, and return what the code of its caller returns.

        Without a caller, the run is over, and the result is None.
        """
        stack = state.stack
        if len(stack) == 1:
            machine.close(state, given)
            return None
        stack.pop()
        state.frame = frame = stack[-1]
        return takes[frame[0]](state, given)

    def leave_undoably(state: State, given: tuple[Any, ...]) -> Any:
        """End the running procedure as `leave` does, and log the frame of its caller before the change.

        Without a caller, nothing is logged.
        """
        stack = state.stack
        if len(stack) == 1:
            machine.close(state, given)
            return None
        stack.pop()
        state.frame = frame = stack[-1]
        state.undo_log.append((frame, _WHOLE, frame[:]))
        return takes[frame[0]](state, given)

    return leave_undoably if undoable else leave


_WHOLE = slice(None)


class FusedMachine(PythonMachine):
    """The back end that never pauses: generated code makes all rolls and decisions immediately.

    Set `generator` and `bots` (`Picks.draws`) of a state before it starts. Afterwards, the game is over or has no
    decisions left.
    """

    fused = True

    def __init__(self, ruleset: Ruleset, *, recording: bool = False) -> None:
        super().__init__(ruleset, recording=recording, sampling=True)
        self.measures: dict[str, Callable[..., int]] = {
            name: self._namespace[measure_name(name)] for name in ruleset.measures
        }
        self._clocks = {
            name: self._namespace[build_clock_name(name)]
            for name, measure in ruleset.measures.items()
            if measure.per is not None
        }

    def start(self, state: State, procedure: str) -> None:
        """Play a game to its end, or to the limit of decisions, without pauses."""
        try:
            given = self._namespace[build_direct_name(procedure)](state)
        except (GameOver, StopIteration):  # `bots` raise StopIteration at the limit of decisions
            return
        self.close(state, given)

    def measure(self, state: State, name: str, first: int | None) -> int:
        """Return the value of a measure in a state, with 1 for true.

        `first` is the player who made the first decision, if any.
        """
        result = bind_result(state, self.ruleset.measures[name], first)
        return int(self.measures[name](state, *result.values()))

    def read_clock(self, state: State, name: str) -> int:
        """Return the value over which a measure is reported."""
        value: int = self._clocks[name](state)
        return value


def compile_fused(ruleset: Ruleset, *, recording: bool = False) -> FusedMachine:
    """Return the back end that plays whole games of a ruleset without pauses. Cached in the ruleset."""
    return ruleset.get_or_make(_FUSED[recording])


def compile_ruleset(
    ruleset: Ruleset, *, recording: bool = False, sampling: bool = False, undoable: bool = False
) -> PythonMachine:
    """Return the back end of a ruleset in a mode. Cached in the ruleset."""
    return ruleset.get_or_make(_COMPILED[recording, sampling, undoable])


_FUSED = {recording: partial(FusedMachine, recording=recording) for recording in (False, True)}

_COMPILED = {
    (recording, sampling, undoable): partial(PythonMachine, recording=recording, sampling=sampling, undoable=undoable)
    for recording in (False, True)
    for sampling in (False, True)
    for undoable in (False, True)
}
