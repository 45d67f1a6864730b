"""Statements: their base class, the interfaces they work with, and the registry that finds them in `statements/`.

A statement brings everything about itself: the keys that a designer writes, its types, how the reference interpreter
runs it, and the operations that its steps lower to. Back ends, odds, coverage and narration follow from these
operations. Its English is the template `docs_templates/statements/<name>.j2`. The registry refuses a statement that
lacks a part.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import partial
from operator import is_
from typing import Any, ClassVar, Literal, Protocol, TypeVar

from rulewright.base.lazy import compute_once
from rulewright.base.plugins import PluginError, PluginFolder
from rulewright.base.resources import find_resource
from rulewright.language.checked_steps import Block, Step, StepStatement, Target
from rulewright.language.declarations import Declarations, Scope, Signature
from rulewright.language.expressions.typed_ast import DeckCards, Entry, Local, Stored, Typed
from rulewright.language.operations import CardsLeft, Costs
from rulewright.language.schema_shapes import POSITIONS, Leaf, Member, expression, optional, required, words
from rulewright.language.types import MapOf, Type
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Code, RelatedSpan
from rulewright.source.diagnostics.internal_failures import attempt_plugin
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Node, Scalar
from rulewright.source.span import Span

T = TypeVar("T")

COMMON_KEYS: Mapping[str, Member] = {
    "id": required(Leaf("The id of the step, unique in its procedure.", format="id")),
    "when": optional(expression("The condition: the step is skipped if it is false.")),
    "into": optional(
        expression(
            "The field, value of the game, or name bound by `let`, in which the step stores its result. With the name "
            "under `as` of a `choose`, each player's field gets that player's choice."
        )
    ),
    "title": optional(words("The title of the step.")),
    "text": optional(words("A sentence for players that replaces the generated one.")),
    "ask": optional(words("The prompt for the player.")),
    "none": optional(words("The label for choosing nothing (`or_none`), such as `Stop here`.")),
}
"""The keys of every step, for any statement."""

FOLDER = PluginFolder("rulewright.language.statements", "the statements' module")


class Check(Protocol):
    """The checker's interface for statements: typing of expressions, scopes of blocks, and diagnostics."""

    declarations: Declarations
    diagnostics: Diagnostics
    scope: Scope
    called: Mapping[str, str]
    loops: list[str]

    def check_value(self, node: Node | None, expected: Type | None = None) -> Typed: ...
    def check_condition(self, node: Node | None) -> Typed: ...
    def check_target(self, node: Node | None, expected: Type | None = None) -> Target | None: ...
    def check_row(self, key: Scalar, start: int, end: int, table: str) -> Typed: ...
    def forget_target(self, target: Target) -> None: ...
    def forget_call(self, procedure: Signature) -> None: ...
    def block(self, node: Node | None, scope: Scope | None = None) -> Block: ...
    def add_variable(self, name: str, kind: Type, span: Span) -> tuple[int, Scope]: ...
    def add_slot(self, purpose: str, kind: Type) -> int: ...
    def loop_scope(self, node: Node | None, scope: Scope) -> Scope: ...
    def surely_asks(self, block: Block) -> bool: ...
    def find_escapes(self, block: Block) -> tuple[RelatedSpan, ...]: ...
    def may_end(self, block: Block) -> bool: ...
    def report(
        self, code: Code, message: str, span: Span, suggestion: str | None = None, value: Typed | None = None
    ) -> None: ...


class Run(Protocol):
    """The reference interpreter's interface for statements."""

    def compute(self, expression: Typed) -> Any: ...
    def bind(self, slot: int, value: Any) -> None: ...
    def read(self, slot: int) -> Any: ...
    def store(self, target: Target, entity: int | None, value: Any, step: Step, *, row: str | None = None) -> None: ...
    def read_target(self, target: Target, entity: int | None, *, row: str | None = None) -> Any: ...
    def read_field(self, entity: int, kind: str, name: str) -> Any: ...
    def refuse_below(self, step: Step, name: str, value: Any, minimum: int) -> None: ...
    def create(self, kind: str, values: Mapping[str, Any]) -> int: ...
    def remove(self, entity: int) -> None: ...
    def read_values(self, entity: int) -> tuple[Any, ...]: ...
    def begin_rounds(self, step: Step, rounds: int) -> None: ...
    def refuse_large(self, value: Any, kind: Type) -> None: ...
    def enter(self, block: Block) -> None: ...
    def ask(self, who: int, options: tuple[Any, ...], step: Step) -> None: ...
    def stop_at_chance(self, roll: Any) -> None: ...
    def get_outcome(self) -> Any: ...
    def get_answer(self) -> int: ...
    def is_alive(self, entity: int) -> bool: ...
    def list_deck(self, deck: str, held: Typed | None) -> tuple[str, ...]: ...
    def draw(self, deck: str, card: str, cards: tuple[str, ...], owner: int) -> None: ...
    def call(self, procedure: str, arguments: tuple[Any, ...]) -> None: ...
    def leave(self) -> None: ...
    def leave_loop(self, step: Step, loop: str) -> None: ...
    def finish(self, winners: tuple[int, ...]) -> None: ...
    def record_event(self, step: Step, event_kind: str, *details: Any, viewers: Typed | None = None) -> None: ...
    def find_table_row(self, table: str, face: int) -> str: ...
    def raise_fault(self, step: Step, message: str) -> None: ...


class Lower(Protocol):
    """The lowering's interface for statements. Values are typed expressions. Functions lower nested operations."""

    def keep(self, value: Typed) -> Typed: ...
    def bind(self, value: Typed, *, slot: int | None = None, bounded: bool = False) -> None: ...
    def store(
        self,
        target: Target,
        entity: Typed | None,
        value: Typed,
        *,
        row: Typed | None = None,
        by: Literal["", "+", "-"] = "",
    ) -> None: ...
    def create(self, kind: str, values: Mapping[str, Typed], least: Mapping[str, int], type_: Type) -> Typed: ...
    def remove(self, entity: Typed, *, several: bool = False) -> None: ...
    def ask(
        self, who: Typed, options: Typed, kind: Type, costs: Costs = (), *, viewers: Typed | None = None
    ) -> Typed: ...
    def roll(self, dice: Typed, table: str | None = None, *, viewers: Typed | None = None) -> Typed: ...
    def draw(
        self, among: Typed, kind: Type, deck: CardsLeft | DeckCards | None = None, *, viewers: Typed | None = None
    ) -> Typed: ...
    def reveal(self, who: Typed, answers: Typed) -> None: ...
    def announce(self, text: str, given: Mapping[str, Typed]) -> None: ...
    def call(self, procedure: str, arguments: tuple[Typed, ...], results: int) -> None: ...
    def finish_stops(self) -> None: ...
    def end(self) -> None: ...
    def leave(self, loop: str) -> None: ...
    def finish(self, winners: Typed) -> None: ...
    def emit_fault(self, message: str) -> None: ...
    def branch(
        self, condition: Typed, then: Callable[[], None], otherwise: Callable[[], None] | None = None
    ) -> None: ...
    def loop(
        self, body: Callable[[], None], *, going: Typed | None, most: Typed | None, within: Typed | None
    ) -> None: ...
    def emit_each(self, source: Typed, item: int, body: Callable[[], None], *, entities: bool) -> None: ...
    def block(self, block: Block) -> None: ...


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """The players that a step asks, in the order of their answers, and the slot of the one that it is asking.

    `name` is the name of that slot in the rules, or empty.
    """

    players: Typed
    slot: int
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class CheckedStep:
    """The result of checking a step with its action, the type of the result (or of each part), and its blocks of steps.

    `resumes` reserves a slot in which the step keeps its progress. Loops and steps that stop more than once need it.
    `not_zero` marks a numeric result that is never zero. `group` are the players whose answers the result has.
    """

    action: Any
    binds: Type | None = None
    changeable: bool = False
    parts: Mapping[str, Type] | None = None
    blocks: tuple[Block, ...] = ()
    resumes: bool = False
    not_zero: bool = False
    group: Group | None = None


@dataclass(frozen=True, slots=True)
class Changes:
    """The fields and names that steps may change: those in `words`, or any field if `anything` is true."""

    words: frozenset[str] = frozenset()
    anything: bool = False


NOTHING = Changes()
ANYTHING = Changes(anything=True)


class Statement:
    """Base of all statements."""

    name: ClassVar[str]
    """Key that identifies the statement in a step."""
    also: ClassVar[tuple[str, ...]] = ()
    """Words for the statement in other languages. They are only suggestions for an unknown key, and no keys."""
    summary: ClassVar[str]
    """One sentence for the reference."""
    example: ClassVar[str]
    """A step as a designer writes it."""
    keys: ClassVar[Mapping[str, Member]]
    """Keys of the statement in a step, including `name`."""
    none: ClassVar[str] = ""
    """Label for the answer none in steps without `none:`. If it is empty, the label is that of all statements."""
    action: ClassVar[Any] = None
    """Factory of the statement's actions, if the checker itself generates steps with it."""
    loops: ClassVar[bool] = False
    """True if the steps inside may run several times, and `stop` may end them."""
    changes_numbers: ClassVar[bool] = False
    """True if the keys of its mapping are number fields of the object under `who`."""
    role: ClassVar[str] = ""
    """How the checker uses the statement in the steps that it generates. `name` binds the condition of an exception,
    `group` holds the steps of `instead`, `call` calls a trigger, `each` calls one for each element of a list, and
    `place` puts a result into the place after `into`."""

    presence: ClassVar[str] = ""
    """What English says of an optional result that there is, such as `was chosen`; empty for `there is a …`."""

    def check(self, node: MappingNode, check: Check) -> CheckedStep | None:
        """Check and type the step, and report its errors to `check`.

        May change `check.scope` to what is known after the step.

        A step with errors is returned with what is valid of it, and with unknown types for the rest. Return None to
        leave the step out of the procedure.
        """
        raise TypeError(f"the statement {self.name} does not implement check")

    def guard(self, step: Step, node: MappingNode) -> str:
        """Return the condition under which the step at `node` can be executed, in the syntax of the rules.

        Return an empty string if there is none.
        """
        return ""

    def run(self, step: Step, run: Run) -> None:
        """Execute the step in the reference interpreter. A loop runs again after each round."""
        raise TypeError(f"the statement {self.name} does not implement run")

    def take(self, step: Step, run: Run, value: Any) -> None:
        """Continue with the value that a choice, a roll or a call produced. Only statements that stop implement it."""
        raise TypeError(f"the statement {self.name} does not take an answer")

    def lower(self, step: Step, lower: Lower) -> None:
        """Lower the step to operations, from which the rest of the engine derives everything about it."""
        raise TypeError(f"the statement {self.name} does not implement lower")

    def split_effects(self, action: Any, keep: Callable[[Typed], Typed]) -> tuple[tuple[Target | None, Any], ...]:
        """Return the action as several actions, one for each effect, each with the target that it changes.

        Together they have the effect of the whole action. The default is empty: the step cannot be split.

        Args:
            action: The action of a checked step.
            keep: Evaluates a value before the first of the actions runs, and returns the stored value.
        """
        return ()

    def list_calls(self, node: MappingNode) -> tuple[Scalar, ...]:
        """Return the ids of the procedures that a step calls, as written. The step need not be checked yet."""
        return ()

    def find_changes(self, node: MappingNode) -> Changes:
        """Return the changes that a step may make, before it is checked. The default is any change."""
        return ANYTHING


_INDEX = re.compile(r"\[[^\[\]]*\]")


def find_last_word(place: str) -> str:
    """Return the field or name that a place ends with: `stock` of `player.stock[card.good]`."""
    without = place
    while (result := _INDEX.sub("", without)) != without:
        without = result
    return without.rpartition(".")[2].strip()


def read_target(target: Target) -> Typed:
    """Return the expression that reads a target."""
    kind = target.type if target.row is None else MapOf(target.table, target.type)
    if target.base is None:
        place: Typed = Local(kind, target.slot or 0, target.field)
    else:
        place = Stored(kind, target.base, target.kind, target.field)
    return place if target.row is None else Entry(target.type, place, target.row, target.table)


def list_expressions(action: Any) -> Iterator[Typed]:
    """Yield every expression in an action of any statement, also in its tuples, lists, mappings and data classes.

    Parts of expressions are not yielded separately.
    """
    match action:
        case Typed():
            yield action
        case tuple() | list():
            for item in action:
                yield from list_expressions(item)
        case dict():
            yield from list_expressions(tuple(action.values()))
        case Target():
            yield from (part for part in (action.base, action.row) if part is not None)
        case _ if is_dataclass(action):
            for member in fields(action):
                yield from list_expressions(getattr(action, member.name))


def rewrite_expressions(data: Any, change: Callable[[Typed], Typed | None]) -> Any:
    """Return an action or an expression with some of its expressions replaced, also inside of collections.

    These are tuples, lists, mappings and data classes. `change` returns the replacement of an expression, or None to
    look at its parts. What does not change is returned itself, except for mappings, which are copied.
    """
    if isinstance(data, Typed) and (changed := change(data)) is not None:
        return changed
    match data:
        case tuple() | list():
            items = type(data)(rewrite_expressions(item, change) for item in data)
            return data if all(map(is_, items, data)) else items
        case dict():
            return dict(zip(data, rewrite_expressions(tuple(data.values()), change), strict=True))
        case _ if is_dataclass(data) and not isinstance(data, type):
            old = {each.name: getattr(data, each.name) for each in fields(data) if each.init}
            new = {name: rewrite_expressions(part, change) for name, part in old.items()}
            return data if all(part is old[name] for name, part in new.items()) else replace(data, **new)
    return data


def attempt_method(
    statement: StepStatement, method: str, on: str, span: Span, diagnostics: Diagnostics, work: Callable[[], T]
) -> T | None:
    """Return the result of a method of a statement. If it raises, report the statement and its file at `span`.

    Args:
        statement: The statement.
        method: The name of the method.
        on: The step, for the report.
        span: The place of the step.
        diagnostics: The report.
        work: Calls the method.
    """
    file = f"{type(statement).__module__.replace('.', '/')}.py"
    return attempt_plugin(f"`{method}` of the statement `{statement.name}`", file, on, span, diagnostics, work)


@compute_once
def load_statements() -> Mapping[str, Statement]:
    """Return all statements by name, as `find_all` reads them from their files. Cached."""
    return find_all()


def find_all() -> Mapping[str, Statement]:
    """Return all statements by name.

    One that cannot be loaded, lacks a part, or has the name of another is reported on stderr and left out. If two have
    the same name, that one stays whose file has it, too.
    """
    results: dict[str, Statement] = {}
    declared = [
        (name, item)
        for name, item in FOLDER.iterate_objects(type)
        if issubclass(item, Statement) and item.__module__ == f"{FOLDER.package}.{name}"
    ]
    for name, item in sorted(declared, key=lambda pair: getattr(pair[1], "name", "") != pair[0]):
        FOLDER.check(name, partial(_add, results, item()))
    return dict(sorted(results.items()))


def _add(results: dict[str, Statement], statement: Statement) -> None:
    refuse_incomplete(statement)
    if statement.name in results:
        other = type(results[statement.name]).__module__.rpartition(".")[2]
        raise PluginError(f"{other}.py declares a statement `{statement.name}`, too: choose another name")
    results[statement.name] = statement


def find_statements(keys: Iterable[str]) -> list[Statement]:
    """Return the statements of a step with these keys. A valid step has exactly one.

    A key that another statement of the step uses as an option does not count.
    """
    statements = load_statements()
    present = [statements[key] for key in keys if key in statements]
    return [
        statement
        for statement in present
        if not any(statement.name in other.keys and other is not statement for other in present)
    ]


def list_calls(node: MappingNode) -> Iterator[Scalar]:
    """Yield the ids of the procedures that the step at `node` calls directly, as written."""
    statements = load_statements()
    for key in node.entries:
        if key in statements:
            yield from statements[key].list_calls(node)


def by_role(role: str) -> Statement:
    """Return the statement with this role. Raise `StopIteration` if there is none."""
    return next(statement for statement in load_statements().values() if statement.role == role)


def refuse_incomplete(verb: Statement) -> None:
    """Raise `PluginError` with the names of the missing parts if a statement or its template is incomplete.

    Also if a key of the statement already means something in every step, or in steps that change another edition.
    """
    own = type(verb)
    lacking = [part for part in ("check", "run", "lower") if getattr(own, part) is getattr(Statement, part)]
    lacking += [part for part in ("name", "summary", "example", "keys") if not hasattr(own, part)]
    name = getattr(own, "name", "<name>")
    if not (find_resource("docs_templates") / "statements" / f"{name}.j2").is_file():
        lacking.append(f"docs_templates/statements/{name}.j2")
    if lacking:
        raise PluginError(f"the statement {own.__name__} lacks {', '.join(lacking)}")
    for key in verb.keys:
        if key in COMMON_KEYS or key in POSITIONS:
            whose = "every step" if key in COMMON_KEYS else "steps that change another edition"
            raise PluginError(
                f"the statement `{name}` may not have the key `{key}`, which belongs to {whose}: rename it"
            )
