"""Checked procedures: what the machine runs and the rulebook explains."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from rulewright.language.types import Record, Type
from rulewright.source.span import Span

if TYPE_CHECKING:
    from rulewright.language.expressions.typed_ast import Typed


class StepStatement(Protocol):
    """A verb as its steps know it. `Verb` says what each part is for, and to whom it speaks."""

    name: ClassVar[str]

    def run(self, step: Step, run: Any) -> None: ...
    def take(self, step: Step, run: Any, value: Any) -> None: ...
    def lower(self, step: Step, lower: Any) -> None: ...
    def split_effects(self, action: Any, keep: Callable[[Typed], Typed]) -> tuple[tuple[Target | None, Any], ...]: ...


@dataclass(frozen=True, slots=True)
class Target:
    """A place a step may change: a field of an object (`base`, `kind`, `field`), or a local in `slot`.

    With `row`, it is what the map there holds for a row of `table`; `type` is that of what is put there. What a
    `hidden` one holds was perhaps shown to somebody, who does not know what it holds after the change.
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
    """Steps in order, and the step they belong to (none for a procedure's own)."""

    steps: tuple[Step, ...]
    owner: Step | None = None

    def walk(self) -> Iterator[Step]:
        """Yield every step, those inside others included, in the order they are written."""
        for step in self.steps:
            yield step
            for block in step.blocks:
                yield from block.walk()


@dataclass(slots=True, eq=False, weakref_slot=True)
class Step:
    """One checked step.

    `rule` is what events and links name it by: procedure and step id. `number` is its place in the whole ruleset,
    which the state of a game stores. `slot` is where its result goes, `hidden` where it keeps its place.
    `repeated` says that it lies in a loop. What is particular to its verb is `action`. `touched` are the rules for
    whatever happens that hold here; a step that carries one out is `woven` in, and nobody has written it. Where the
    condition of a step has been settled before it, `written` is what it was.
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
    def slots(self) -> tuple[int, ...]:
        """Every slot that its result takes: one for each name a procedure gave back, else one, or none."""
        if self.slot is None:
            return ()
        return tuple(range(self.slot, self.slot + (len(self.binds.fields) if isinstance(self.binds, Record) else 1)))


@dataclass(slots=True, eq=False)
class Procedure:
    """One checked procedure.

    A frame that runs it holds `size` slots: the parameters first, in order, then what the steps bind.
    `gives` are the values it hands back, by name. `called` is what sentences call its names, where the rules say so;
    `clauses` say that what a name notes is so, and that it is not. `touched` are the rules that hold whenever it begins
    or ends.
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

    def iterate_steps(self) -> Iterator[Step]:
        """Return every step in the order written."""
        return self.body.walk()
