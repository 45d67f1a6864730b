"""Checked procedures, which back ends run and the rulebook explains."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from rulewright.language.declarations import CASES
from rulewright.language.types import Record, Type
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Node, Scalar
from rulewright.source.span import Span

if TYPE_CHECKING:
    from rulewright.language.expressions.typed_ast import Typed


class StepStatement(Protocol):
    """The part of a statement that its steps use. `Statement` documents each member."""

    name: ClassVar[str]
    presence: ClassVar[str]
    loops: ClassVar[bool]

    def run(self, step: Step, run: Any) -> None: ...
    def take(self, step: Step, run: Any, value: Any) -> None: ...
    def lower(self, step: Step, lower: Any) -> None: ...
    def split_effects(self, action: Any, keep: Callable[[Typed], Typed]) -> tuple[tuple[Target | None, Any], ...]: ...


@dataclass(frozen=True, slots=True)
class Target:
    """A place that a step may change: a field of an object (`base`, `kind`, `field`), or a local in `slot`.

    With `row`, it is the map entry for a row of `table`, and `type` is the type of the new value. A `hidden` target
    may have been shown to players, who do not know its value after the change.
    """

    type: Type
    base: Typed | None
    kind: str
    field: str
    slot: int | None = None
    minimum: int | None = None
    row: Typed | None = None
    table: str = ""
    hidden: bool = False


@dataclass(slots=True, eq=False)
class Block:
    """Steps in order, and the step they belong to (none for a procedure's own).

    `names` are the slots with a name before the first step, and None if no check has recorded them.
    """

    steps: tuple[Step, ...]
    owner: Step | None = None
    names: frozenset[int] | None = None

    def walk(self) -> Iterator[Step]:
        """Yield every step, those inside others included, in the order they are written."""
        for step in self.steps:
            yield step
            for block in step.blocks:
                yield from block.walk()


@dataclass(slots=True, eq=False, weakref_slot=True)
class Step:
    """A checked step.

    `rule` is its name in events and links: procedure and step id. `number` is its index in the whole ruleset, which
    game states store. `slot` takes its result, and `hidden` its position. `repeated` is true inside a loop. `action`
    has the data of its statement. `touched` are the triggers that apply here. A step that runs one, or that puts the
    result of another step into a place, is `woven` in, so it has no source of its own. If the condition of a step is
    evaluated earlier, `written` is the original condition.
    """

    id: str
    rule: str
    verb: StepStatement
    action: Any
    when: Typed | None
    span: Span
    slot: int | None = None
    binds: Type | None = None
    hidden: int | None = None
    blocks: tuple[Block, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    number: int = -1
    container: Block | None = None
    place: int = -1
    procedure: str = ""
    exceptions: tuple[str, ...] = ()
    repeated: bool = False
    touched: tuple[str, ...] = ()
    woven: bool = False
    written: Typed | None = None

    @property
    def is_dispatch(self) -> bool:
        """Whether it only runs the steps of a row, so that no designer wrote it and its own rule has no text."""
        return self.woven and self.rule == f"{self.procedure}.{self.id}"

    @property
    def slots(self) -> tuple[int, ...]:
        """Every slot that its result takes: one for each name a procedure gave back, else one, or none."""
        if self.slot is None:
            return ()
        return tuple(range(self.slot, self.slot + (len(self.binds.fields) if isinstance(self.binds, Record) else 1)))


@dataclass(frozen=True, slots=True)
class CellSteps:
    """The cell of a table whose steps a procedure has. Without a `row`, the procedure runs those of any row."""

    table: str
    row: str
    column: str

    @property
    def id(self) -> str:
        """The id of the procedure."""
        return ".".join(filter(None, (self.table, self.row, self.column)))


PLACED = ".into"
"""The end of the id of a step that puts the result of the step before it into a place."""


def find_placement(step: Step) -> Step | None:
    """Return the step that puts the result of `step` into the place after `into`, or None if there is none.

    It is in a loop if the place is one of each of several asked players.
    """
    if step.container is None:
        return None
    after = step.container.steps[step.place :]
    around = (each for each in after if each.id == f"{step.id}.each")
    inside = (inner for each in around for block in each.blocks for inner in block.steps)
    return next((each for each in (*after, *inside) if each.id == f"{step.id}{PLACED}"), None)


@dataclass(slots=True, weakref_slot=True, eq=False)
class Procedure:
    """A checked procedure.

    Its frame has `size` slots: the parameters first, in order, then the names that steps bind. `gives` are its
    results by name. `called` are the nouns of its names, and `clauses` the sentences of boolean names. `touched` are
    the triggers on its start and its end. `cell` is the cell with its steps, or None if they are in `procedures`.
    `suspicions` are messages with places for what only a broken statement does, unless the rules have another error.
    """

    id: str
    parameters: Mapping[str, Type]
    body: Block
    gives: Mapping[str, Typed]
    size: int
    names: Mapping[int, str]
    span: Span
    words: Mapping[str, str] = field(default_factory=dict)
    types: Mapping[int, Type] = field(default_factory=dict)
    called: Mapping[str, str] = field(default_factory=dict)
    clauses: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    touched: tuple[str, ...] = ()
    cell: CellSteps | None = None
    suspicions: tuple[tuple[str, Span], ...] = ()

    @property
    def path(self) -> tuple[str, ...]:
        """The path of the rule with its steps: its own, or a cell such as `("tables", "cards", "smith", "effect")`."""
        if self.cell is None:
            return ("procedures", self.id)
        return ("tables", *filter(None, (self.cell.table, self.cell.row, self.cell.column)))

    @property
    def is_dispatch(self) -> bool:
        """Whether it only runs the steps of the row that it is given, so that no designer wrote it."""
        return self.cell is not None and not self.cell.row

    def iterate_steps(self) -> Iterator[Step]:
        """Return every step in the order written."""
        return self.body.walk()


def read_names(node: Node | None) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """Return the nouns by name, and the clauses of boolean names by name, under `holds` for true and `fails` for false.

    Names without a noun are not in the first result. A missing clause is an empty text.
    """
    nouns: dict[str, str] = {}
    clauses: dict[str, dict[str, str]] = {}
    for name, entry in node.entries.items() if isinstance(node, MappingNode) else ():
        words = entry.value
        if isinstance(words, MappingNode):
            clauses[name] = {case: _read_words(words.get(key)) for key, case in CASES.items()}
            words = words.get("noun") or words
        if isinstance(words, Scalar):
            nouns[name] = words.text
    return nouns, clauses


def _read_words(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) else ""
