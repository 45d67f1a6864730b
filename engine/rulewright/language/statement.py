"""What a verb is, what it is offered, and the registry that finds the verbs: one file of `verbs/` each.

A verb brings everything about itself: the keys a designer writes, its types, how the plain interpreter runs it, the
operations that its steps lower to (from which machines, odds, coverage and narration follow), and its English
(`docs_templates/statements/<name>.j2`). One that lacks any of these is refused when the verbs are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import partial
from typing import Any, ClassVar, Literal, Protocol

from rulewright.base.lazy import compute_once
from rulewright.base.plugins import PluginError, PluginFolder
from rulewright.base.resources import find_resource
from rulewright.language.checked_steps import Block, Step, Target
from rulewright.language.declarations import Declarations, Scope
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.operations import CardsLeft, Costs
from rulewright.language.schema_shapes import Member
from rulewright.language.types import Type
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Code
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Node, Scalar
from rulewright.source.span import Span

FOLDER = PluginFolder("rulewright.language.statements", "the statements' module")


class Check(Protocol):
    """What the checker offers: types for what is written, scopes for blocks, a place for faults."""

    declarations: Declarations
    diagnostics: Diagnostics
    scope: Scope
    called: Mapping[str, str]

    def check_value(self, node: Node | None, expected: Type | None = None) -> Typed: ...
    def check_condition(self, node: Node | None) -> Typed: ...
    def check_target(self, node: Node | None, expected: Type | None = None) -> Target | None: ...
    def check_row(self, key: Scalar, start: int, end: int, table: str) -> Typed: ...
    def forget_target(self, target: Target) -> None: ...
    def block(self, node: Node | None, scope: Scope | None = None) -> Block: ...
    def add_variable(self, name: str, kind: Type, span: Span) -> tuple[int, Scope]: ...
    def loop_scope(self, node: Node | None, scope: Scope) -> Scope: ...
    def surely_asks(self, block: Block) -> bool: ...
    def may_end(self, block: Block) -> bool: ...
    def report(self, code: Code, message: str, span: Span, suggestion: str | None = None) -> None: ...


class Run(Protocol):
    """What the plain interpreter offers a verb."""

    def compute(self, expression: Typed) -> Any: ...
    def bind(self, slot: int, value: Any) -> None: ...
    def read(self, slot: int) -> Any: ...
    def store(self, target: Target, thing: int | None, value: Any, step: Step, *, row: str | None = None) -> None: ...
    def read_target(self, target: Target, thing: int | None, *, row: str | None = None) -> Any: ...
    def read_field(self, thing: int, kind: str, name: str) -> Any: ...
    def refuse_below(self, step: Step, name: str, value: Any, minimum: int) -> None: ...
    def create(self, kind: str, values: Mapping[str, Any]) -> int: ...
    def remove(self, thing: int) -> None: ...
    def read_values(self, thing: int) -> tuple[Any, ...]: ...
    def begin_rounds(self, step: Step, rounds: int) -> None: ...
    def refuse_large(self, value: Any, kind: Type) -> None: ...
    def enter(self, block: Block) -> None: ...
    def ask(self, who: int, options: tuple[Any, ...], step: Step) -> None: ...
    def stop_at_chance(self, roll: Any) -> None: ...
    def get_outcome(self) -> Any: ...
    def get_answer(self) -> int: ...
    def is_alive(self, thing: int) -> bool: ...
    def list_deck(self, deck: str, held: Typed | None) -> tuple[str, ...]: ...
    def draw(self, deck: str, card: str, held: Typed | None) -> None: ...
    def call(self, procedure: str, arguments: tuple[Any, ...]) -> None: ...
    def leave(self) -> None: ...
    def finish(self, winners: tuple[int, ...]) -> None: ...
    def record_event(self, step: Step, told: str, *details: Any, seen: Typed | None = None) -> None: ...
    def find_table_row(self, table: str, face: int) -> str: ...
    def raise_fault(self, step: Step, message: str) -> None: ...


class Lower(Protocol):
    """What the lowering of steps offers a verb. Values are typed expressions; functions lower what lies within."""

    def keep(self, value: Typed) -> Typed: ...
    def bind(self, value: Typed, *, slot: int | None = None, bounded: bool = False) -> None: ...
    def store(
        self,
        target: Target,
        thing: Typed | None,
        value: Typed,
        *,
        row: Typed | None = None,
        by: Literal["", "+", "-"] = "",
    ) -> None: ...
    def create(self, kind: str, values: Mapping[str, Typed], least: Mapping[str, int], type_: Type) -> Typed: ...
    def remove(self, thing: Typed, *, several: bool = False) -> None: ...
    def ask(self, who: Typed, options: Typed, kind: Type, costs: Costs = (), *, seen: Typed | None = None) -> Typed: ...
    def roll(self, dice: Typed, table: str | None = None, *, seen: Typed | None = None) -> Typed: ...
    def draw(self, among: Typed, kind: Type, deck: CardsLeft | None = None, *, seen: Typed | None = None) -> Typed: ...
    def reveal(self, who: Typed, answers: Typed) -> None: ...
    def call(self, procedure: str, arguments: tuple[Typed, ...], results: int) -> None: ...
    def finish_stops(self) -> None: ...
    def end(self) -> None: ...
    def finish(self, winners: Typed) -> None: ...
    def emit_fault(self, message: str) -> None: ...
    def branch(
        self, condition: Typed, then: Callable[[], None], otherwise: Callable[[], None] | None = None
    ) -> None: ...
    def loop(
        self, body: Callable[[], None], *, going: Typed | None, most: Typed | None, within: Typed | None
    ) -> None: ...
    def emit_each(self, source: Typed, item: int, body: Callable[[], None], *, things: bool) -> None: ...
    def block(self, block: Block) -> None: ...


@dataclass(frozen=True, slots=True, eq=False)
class CheckedStep:
    """What checking a step yields: its action, the type it binds (or a type for each part), its blocks of steps.

    A step that `resumes` keeps its place in a slot of its own: a loop does, and one that stops more than once.
    `not_zero`: what it binds is a number that is certain not to be zero.
    """

    action: Any
    binds: Type | None = None
    changeable: bool = False
    parts: Mapping[str, Type] | None = None
    blocks: tuple[Block, ...] = ()
    resumes: bool = False
    not_zero: bool = False


@dataclass(frozen=True, slots=True)
class Changes:
    """What steps may change: places whose last word is among `words`, or, where they carry out others, any field."""

    words: frozenset[str] = frozenset()
    anything: bool = False


NOTHING = Changes()
ANYTHING = Changes(anything=True)


class Statement:
    """Base of the verbs."""

    name: ClassVar[str]
    """The key that makes a step this verb's."""
    summary: ClassVar[str]
    """One sentence for the reference."""
    example: ClassVar[str]
    """A step as a designer writes it."""
    keys: ClassVar[Mapping[str, Member]]
    """The keys of a step that are this verb's, `name` among them."""
    action: ClassVar[Any] = None
    """What makes an action of the verb, where the checker makes steps with it itself."""
    role: ClassVar[str] = ""
    """What the checker makes of it besides: `name` binds what an exception asks, `group` holds what is done instead,
    `call` carries out a rule that holds whenever something happens, `each` does so for each of a list."""

    def check(self, node: MappingNode, check: Check) -> CheckedStep | None:
        """Type the step; faults go to `check`. None for one that is left out, for nothing follows of it."""
        raise TypeError(f"the verb {self.name} does not check its steps")

    def guard(self, step: Step, node: MappingNode) -> str:
        """Return the condition, as a designer writes it, under which the step at `node` can be carried out.

        Or nothing.
        """
        return ""

    def run(self, step: Step, run: Run) -> None:
        """Do the step, in the plain interpreter. A loop is run again after each round."""
        raise TypeError(f"the verb {self.name} does not run")

    def take(self, step: Step, run: Run, value: Any) -> None:
        """Go on with what was chosen, rolled or given back. Only for verbs that stop."""
        raise TypeError(f"the verb {self.name} takes no answer")

    def lower(self, step: Step, lower: Lower) -> None:
        """Lower the step to operations, from which follows all that others need to know of it."""
        raise TypeError(f"the verb {self.name} does not lower its steps")

    def split_effects(self, action: Any, keep: Callable[[Typed], Typed]) -> tuple[tuple[Target | None, Any], ...]:
        """Return the action as several, one for each effect, with the place that it changes.

        Together they do what it does.

        `keep` works a value out before any of them is carried out. A verb that does not say is never taken apart.
        """
        return ()

    def list_calls(self, node: MappingNode) -> tuple[Scalar, ...]:
        """Return the procedures that a step carries out, as it names them, told before it is checked."""
        return ()

    def find_changes(self, node: MappingNode) -> Changes:
        """Return what a step may change, told before it is checked. A verb that does not say may change anything."""
        return ANYTHING


def list_expressions(action: Any) -> Iterator[Typed]:
    """Yield every expression in an action, whatever its verb."""
    match action:
        case Typed():
            yield action
        case tuple():
            for item in action:
                yield from list_expressions(item)
        case dict():
            yield from list_expressions(tuple(action.values()))
        case Target():
            yield from (part for part in (action.base, action.row) if part is not None)
        case _ if is_dataclass(action):
            for member in fields(action):
                yield from list_expressions(getattr(action, member.name))


@compute_once
def load_statements() -> Mapping[str, Statement]:
    """Return every statement by name. One that cannot be loaded or lacks a part is reported on stderr and left out."""
    found: dict[str, Statement] = {}
    for name, item in FOLDER.iterate_objects(type):
        if issubclass(item, Statement) and item.__module__ == f"{FOLDER.package}.{name}":
            FOLDER.check(name, partial(_add, found, item()))
    return dict(sorted(found.items()))


def _add(found: dict[str, Statement], verb: Statement) -> None:
    refuse_incomplete(verb)
    if verb.name in found:
        raise PluginError(f"the statement {verb.name} is declared twice")
    found[verb.name] = verb


def find_statements(keys: Iterable[str]) -> list[Statement]:
    """Return the statements that a step with these keys carries out: one, if the step is sound.

    A key that is an option of another statement of the step does not count.
    """
    known = load_statements()
    present = [known[key] for key in keys if key in known]
    return [verb for verb in present if not any(verb.name in other.keys and other is not verb for other in present)]


def list_calls(node: MappingNode) -> Iterator[Scalar]:
    """Yield the procedures that the step at `node` carries out itself, as it names them."""
    known = load_statements()
    for key in node.entries:
        if key in known:
            yield from known[key].list_calls(node)


def by_role(role: str) -> Statement:
    """Return the verb that the checker makes steps of by itself, as its role says."""
    return next(verb for verb in load_statements().values() if verb.role == role)


def refuse_incomplete(verb: Statement) -> None:
    """Raise `PluginError` for a statement that lacks a part, and name what it lacks."""
    own = type(verb)
    lacking = [part for part in ("check", "run", "lower") if getattr(own, part) is getattr(Statement, part)]
    lacking += [part for part in ("name", "summary", "example", "keys") if not hasattr(own, part)]
    if not (find_resource("docs_templates") / "statements" / f"{verb.name}.j2").is_file():
        lacking.append(f"docs_templates/statements/{verb.name}.j2")
    if lacking:
        raise PluginError(f"the statement {own.__name__} lacks {', '.join(lacking)}")
