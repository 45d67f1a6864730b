"""A run that records what it reads of the starting position, and the steps whose condition fails."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from rulewright.book.english.expression_english import English
from rulewright.engine.narration.plain_names import Names, capitalize
from rulewright.engine.state.faults import Allowance, RulesFault
from rulewright.engine.state.game_state import State
from rulewright.engine.state.tree_interpreter import Interpreter, Walk
from rulewright.language.checked_steps import Step
from rulewright.language.declarations import GAME_KIND
from rulewright.language.expressions.typed_ast import Aggregate, Invoke, Local, Logic, Not, Typed
from rulewright.language.types import Entity
from rulewright.ruleset.prose.explained_rules import find_rule_entry
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.nodes import Mapping, Scalar

FieldRead = tuple[int, str, str]
"""The object, its kind, and the field that was read."""


@dataclass(frozen=True, slots=True)
class Skip:
    """A skipped step, after so many events.

    `failed` are the parts of its condition that are false, and `now` has the values that these read, as text. Both are
    empty for a loop over an empty list. `who` is the first object that its procedure has as a parameter, or "".
    """

    step: Step
    events: int
    failed: tuple[Typed, ...] = ()
    now: tuple[str, ...] = ()
    who: str = ""


class WatchingInterpreter(Interpreter):
    """The reference interpreter, with a record of one run.

    `beginning` is the state before the first step, or None until the run begins. `fields` are the fields of its objects
    that were read, and `kinds` the kinds whose objects were listed, both in the order of reading. `stuck` is the
    step without anything to choose from at which the run stopped, and the state there, or None.
    """

    def __init__(self, ruleset: Ruleset, *, until: int | None = None, allowance: Allowance | None = None) -> None:
        super().__init__(ruleset, until=until, allowance=allowance)
        self.beginning: State | None = None
        self.stuck: tuple[Step, State] | None = None
        self.arguments: tuple[Any, ...] = ()
        self.fields: dict[FieldRead, None] = {}
        self.kinds: dict[str, None] = {}
        self.skips: list[Skip] = []

    def begin(self, state: State, procedure: str, arguments: Sequence[Any]) -> None:
        self.beginning, self.arguments = state.clone(), tuple(arguments)
        super().begin(state, procedure, arguments)

    def walk(self, state: State) -> Walk:
        return _WatchingWalk(self, state)


class _WatchingWalk(Walk):
    """A walk that records reads and skipped steps."""

    machine: WatchingInterpreter

    def __init__(self, machine: WatchingInterpreter, state: State) -> None:
        super().__init__(machine, state)
        self.condition: dict[FieldRead, None] = {}

    def objects(self, kind: str) -> tuple[int, ...]:
        self.machine.kinds[kind] = None
        return super().objects(kind)

    def read_field(self, entity: int, kind: str, name: str) -> Any:
        """Return the value of a field, and note that the condition has read it.

        If the object was there at the start, also note it as a field of the start.
        """
        self.condition[entity, kind, name] = None
        beginning = self.machine.beginning
        if beginning is not None and entity < len(beginning.objects):
            self.machine.fields[entity, kind, name] = None
        return super().read_field(entity, kind, name)

    def ask(self, who: int, options: tuple[Any, ...], step: Step) -> None:
        if not options:
            self.machine.stuck = step, self.state
        super().ask(who, options, step)

    def compute(self, expression: Typed) -> Any:
        """Return the value of an expression. If it is the condition of the step and fails, note the skipped step.

        The condition for the first round of a loop is such a condition, too.
        """
        holds, step = super().compute(expression), self.at
        if step is None or holds:
            return holds
        is_first_round = expression is getattr(step.action, "going", None) and not self.read(step.hidden or 0)
        if expression is step.when or is_first_round:
            self._skip(step, *self._explain(expression))
        return holds

    def begin_rounds(self, step: Step, rounds: int) -> None:
        super().begin_rounds(step, rounds)
        if not rounds:
            self._skip(step)

    def _skip(self, step: Step, failed: tuple[Typed, ...] = (), now: tuple[str, ...] = ()) -> None:
        parameters = self.machine.ruleset.procedures[step.procedure].parameters
        kinds = ((slot, kind.kind) for slot, kind in enumerate(parameters.values(), 1) if isinstance(kind, Entity))
        who = next((self.read(slot) and (kind, self.read(slot)) for slot, kind in kinds), None)
        name = Names.for_state(self.state).name_entity(*who) if who else ""
        self.machine.skips.append(Skip(step, len(self.state.events or ()), failed, now, name))

    def _explain(self, condition: Typed) -> tuple[tuple[Typed, ...], tuple[str, ...]]:
        """Return the parts of a false condition that are false, and the values that these read.

        What a list or a number of objects is made of is left out, because it does not say why it is empty.
        """
        parts = condition.operands if isinstance(condition, Logic) and condition.operator == "and" else (condition,)
        failed: list[Typed] = []
        reads: dict[FieldRead, None] = {}
        for part in parts:
            self.condition = {}
            with suppress(RulesFault):  # a part after a false one may have no value
                if not super().compute(part):
                    failed.append(part)
                    listed = any(isinstance(each, Aggregate | Invoke) for each in part.walk())
                    reads |= {} if listed else self.condition
        self.condition = reads
        return tuple(failed), self._describe_reads()

    def _describe_reads(self) -> tuple[str, ...]:
        """Return the values that a condition read, each with its name, and with the player if it is theirs."""
        names = Names.for_state(self.state)
        lines = []
        for entity, kind, name in self.condition:
            if not name.isidentifier():  # values that only the engine uses
                continue
            owner = "" if kind == GAME_KIND else f"{names.name_entity(kind, entity)}: "
            lines.append(capitalize(f"{owner}{names.describe_field(kind, entity, name)}"))
        return tuple(lines)


def explain_skip(skip: Skip, english: English, names: Names) -> str:
    """Return as a clause why a step was skipped: what is false, or else the exceptions that apply."""
    exceptions: list[str] = []
    reasons: list[str] = []
    for each in skip.failed:
        special = each.operand if isinstance(each, Not) and isinstance(each.operand, Local) else None
        entry = find_rule_entry(f"exceptions.{special.name}", names.ruleset) if special is not None else None
        means = entry.value.get("means") if entry is not None and isinstance(entry.value, Mapping) else None
        if isinstance(means, Scalar):
            exceptions.append(f"of the exception “{names.format_words(means.text).removesuffix('.')}”")
        else:
            reasons.append(english.condition(each, holds=False))
    if not skip.failed:
        return "there is none"
    return " and ".join(reasons) if reasons else " and ".join(exceptions)
