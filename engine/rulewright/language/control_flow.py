"""Control flow of steps: ends, decisions and changes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from rulewright.language import language_diagnostics
from rulewright.language.checked_steps import PLACED, Block, Procedure, Step
from rulewright.language.declarations import Binding, Declarations, Scope, Signature, Trigger
from rulewright.language.expressions.narrowing import NO_FACTS, derive_facts, find_least_length, is_never_empty
from rulewright.language.expressions.typed_ast import Constant, Local, Typed
from rulewright.language.lowering import list_operations, lower_block, step_region
from rulewright.language.operations import (
    Ask,
    Bind,
    Branch,
    Call,
    Chance,
    Draw,
    Each,
    Fault,
    Finish,
    Give,
    Keep,
    Leave,
    Loop,
    Offered,
    Operation,
    OrNone,
    Range,
    Region,
    Subsets,
    Temporary,
    Write,
)
from rulewright.language.statement import Statement, find_last_word, load_statements
from rulewright.language.types import (
    BOOLEAN,
    DICE,
    INTEGER,
    NOTHING,
    PLAYER,
    UNKNOWN,
    ListOf,
    Record,
    Type,
    is_assignable,
    make_optional,
    present,
)
from rulewright.language.visibility import SHOWN
from rulewright.source.diagnostics.diagnostic import RelatedSpan
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Node, Scalar
from rulewright.source.nodes import Sequence as SequenceNode
from rulewright.source.span import Span

MOST_ESCAPES = 3
"""The maximum number of steps that a message about an endless loop names."""


def number_places(block: Block, *, repeated: bool = False) -> None:
    """Set the container, the index and the loop flag of every step of a block, and the owner of every inner block.

    Includes the steps of inner blocks. `repeated` says whether the block is inside a loop.
    """
    for place, step in enumerate(block.steps):
        step.container = block
        step.place = place
        step.repeated = repeated
        for inner in step.blocks:
            inner.owner = step
            number_places(inner, repeated=repeated or step.hidden is not None)


def may_end(block: Block, declarations: Declarations) -> bool:
    """Return whether a step of a block, or one inside it, ends the procedure, the game, or a loop around the block.

    Procedures that the steps call may end the game, too.
    """
    operations = [each for step in block.walk() for each in list_operations(step)]
    ends = any(isinstance(each, Give) or _finishes(each, declarations) for each in operations)
    return ends or any(map(leaves_loop, block.steps))


def _finishes(operation: Operation[Typed], declarations: Declarations) -> bool:
    """Return whether an operation may end the game, itself or in a procedure that it calls.

    A statement of a plug-in may call a procedure that is not declared yet, which may end the game.
    """
    if not isinstance(operation, Call):
        return isinstance(operation, Finish)
    called = declarations.procedures.get(operation.procedure)
    return called is None or called.finishes


def _list_loops(region: Region[Typed]) -> frozenset[str]:
    """Return the ids of the loops in a region."""
    operations = (each for outer in region for each in outer.walk())
    return frozenset(each.step.id for each in operations if isinstance(each, Each | Loop))


# -- faults of statements ------------------------------------------------------------------


_EXPECTED: Mapping[type, Mapping[str, Type]] = {
    Ask: {"who": PLAYER, "options": ListOf(UNKNOWN)},
    Branch: {"condition": BOOLEAN},
    Chance: {"dice": DICE},
    Draw: {"among": ListOf(UNKNOWN)},
    Each: {"source": ListOf(UNKNOWN)},
    Finish: {"winners": ListOf(PLAYER)},
    Loop: {"going": BOOLEAN, "most": INTEGER, "within": INTEGER},
}
"""The types of the values of operations, by the name of the member."""


def list_wrong_values(step: Step, own_names: Mapping[str, int], types: Mapping[int, Type]) -> list[str]:
    """Return sentences for the author of a statement about results and names that it never binds, and wrong values.

    `own_names` are the names that the step declares, with their slots, and `types` are the types of all slots. A value
    that may be none is accepted for any type, because a branch may have tested it.
    """
    operations = list_operations(step)
    filled = {slot for each in operations for slot in each.fills}
    several = len(step.slots) > 1
    slots = {slot: f"result {number}" if several else "its result" for number, slot in enumerate(step.slots, start=1)}
    names = slots | {slot: f"the name `{name}`" for name, slot in own_names.items()}
    sentences = [f"never binds {name} in `lower`" for slot, name in names.items() if slot not in filled]
    for each in operations:
        read = {part.slot for value in each.values for part in value.walk() if isinstance(part, Local)}
        for slot in sorted(slot for slot in read.union(each.fills) if slot not in types):
            sentences.append(f"uses slot {slot} in `lower`, which is none of its slots and names")
        for member, kind in _EXPECTED.get(type(each), {}).items():
            value = getattr(each, member)
            if value is not None and not is_assignable(kind, present(value.type)):
                what = f"`{member}` of `{type(each).__name__.lower()}`"
                sentences.append(f"passes {value.type} as {what} in `lower`, which must be {kind}")
        match each:
            case Bind(slot=slot, type=kind, row=None) if slot in types and not is_assignable(
                types[slot], present(kind)
            ):
                # A slot may be reset, whatever its type.
                if kind != NOTHING or slot in step.slots:
                    name = names.get(slot, "a slot")
                    sentences.append(f"binds {name} to {kind} in `lower`, but `check` declares it as {types[slot]}")
            case Write(field=field, type=kind, value=value) if not is_assignable(kind, present(value.type)):
                sentences.append(f"stores {value.type} in `{field}` in `lower`, which holds {kind}")
    return sentences


def refuse_stray_leaves(step: Step, around: Collection[str], report: Callable[..., None]) -> bool:
    """Report each operation in a step that leaves a loop from outside, and return whether there is any.

    This is the loop of the step itself, or, for the step's own operations, any loop but those `around`.
    """

    def follow(region: Region[Typed], loops: Collection[str]) -> Iterator[Leave[Typed]]:
        for each in region:
            if isinstance(each, Leave) and each.loop not in loops and (each.step is step or each.loop == step.id):
                yield each
            inside = (*loops, step.id) if isinstance(each, Each | Loop) and each.step is step else loops
            for inner in each.regions:
                yield from follow(inner, inside)

    strays = list(follow(step_region(step), around))
    for each in strays:
        message = f"`{each.step.id}` cannot end the loop `{each.loop}`, which does not repeat this step"
        hint = f"move it into the steps that `{each.loop}` repeats, or remove it"
        report(language_diagnostics.STEP_SHAPE, message, each.step.span, hint)
    return bool(strays)


# -- ends of procedures --------------------------------------------------------------------


def always_ends(step: Step) -> bool:
    """Return whether the procedure, the game or a loop around this step always ends with it."""
    return not _goes_on(step_region(step))


def leaves_loop(step: Step) -> bool:
    """Return whether a loop around a step may end with it."""
    region = step_region(step)
    inside = _list_loops(region)
    operations = (each for outer in region for each in outer.walk())
    return any(isinstance(each, Leave) and each.loop not in inside for each in operations)


def _goes_on(region: Region[Typed]) -> bool:
    """Return whether the code after a region is reachable."""
    for each in region:
        match each:
            case Give() | Leave() | Finish() | Fault():
                return False
            case Branch(then=then, otherwise=otherwise) if not (_goes_on(then) or _goes_on(otherwise)):
                return False
    return True


def ends_before(step: Step) -> bool:
    """Return whether an operation within the step may end its procedure, the step as a loop, or the game.

    Ends of the game in procedures that the step calls do not count: they say so themselves.
    """
    inside = _list_loops(step_region(step)) - {step.id}
    operations = (each for outer in step_region(step) for each in outer.walk())
    return any(
        isinstance(each, Finish | Give) or (isinstance(each, Leave) and each.loop not in inside) for each in operations
    )


def list_known_after(step: Step, declarations: Declarations) -> frozenset[str]:
    """Return the facts that are certain after `step`, because the procedure would have ended otherwise.

    They are in the form of `Scope.facts`. Empty for any step except a conditional one whose branch ends the procedure,
    and whose other branch changes nothing.
    """
    match step_region(step):
        case (Branch(condition=condition, then=then, otherwise=otherwise),) if not _goes_on(then):
            # The other branch must not change anything.
            return (
                NO_FACTS
                if any(each.changes or each.fills for each in otherwise)
                else derive_facts(condition, declarations, holds=False)
            )
    return NO_FACTS


def gives(step: Step) -> bool:
    """Return whether a step itself ends the procedure without ending the game."""
    result = (each for outer in step_region(step) for each in outer.walk())
    return any(isinstance(each, Give) and each.step is step for each in result)


def _may_end(step: Step) -> bool:
    """Return whether the procedure may end within a step."""
    return any(isinstance(each, Give) for outer in step_region(step) for each in outer.walk())


def build_scope_after_stops(body: Block, scope: Scope) -> Scope:
    """Return `scope` as it is where the results of a procedure are computed.

    Names bound only after a possible end of the procedure are optional there. With such an end, no facts remain.
    """
    may_be_missing: set[str] = set()
    stopped = False
    for step in body.steps:
        if stopped and step.binds is not None:
            may_be_missing.add(step.id)
        stopped = stopped or _may_end(step)
    bound = {name: _optional(b) if name in may_be_missing else b for name, b in scope.locals.items()}
    # Facts at the end need not be true at earlier ends of the procedure.
    return replace(scope, locals=MappingProxyType(bound), facts=NO_FACTS if stopped else scope.facts)


def _optional(bound: Binding) -> Binding:
    """Return the binding of a name that may be none.

    A result of several parts stays, but each of its parts may be none.
    """
    kind = bound.type if isinstance(bound.type, Record) else make_optional(bound.type)
    parts = None
    if bound.parts is not None:
        parts = MappingProxyType({name: _optional(part) for name, part in bound.parts.items()})
    return replace(bound, type=kind, parts=parts)


# -- questions to players ------------------------------------------------------------------


def surely_asks(block: Block, asking: frozenset[str], declarations: Declarations, *, whole: bool = False) -> bool:
    """Return whether carrying out `block` always asks a player. `asking` names the procedures that always do.

    A loop is left by a `stop` in it, so there a stop needs no question before it. With `whole`, `block` is all of a
    procedure, whose caller continues after a stop: then each needs one.
    """
    region = lower_block(block)
    return _Questions(region, asking, declarations).surely_asks(region, whole)


def find_escapes(
    block: Block, asking: frozenset[str], declarations: Declarations, procedures: Mapping[str, Procedure]
) -> tuple[RelatedSpan, ...]:
    """Return notes at the steps of a round that may have no decision, or that leave an inner loop before one.

    The steps of called `procedures` are included. The result is empty if no step asks a player, runs another procedure
    or leaves an inner loop. It has at most `MOST_ESCAPES` notes.
    """
    notes: dict[Span, str] = {}
    waiting, seen = [block], set[str]()
    for each_block in waiting:
        region = lower_block(each_block)
        questions = _Questions(region, asking, declarations)
        for each in (each for outer in region for each in outer.walk()):
            match each:
                case Ask(options=options):
                    few = questions.count_options(options) < 2
                    lacks = "may have fewer than two options, and then nobody is asked"
                    why = lacks if few else "is not reached in every round"
                case Call(procedure=procedure) if procedure not in asking:
                    why = f"runs `{procedure}`, which does not always ask a player"
                    if procedure in procedures and procedure not in seen:
                        seen.add(procedure)
                        waiting.append(procedures[procedure].body)
                case Leave(loop=loop) if loop in questions.inner:
                    why = f"may leave `{loop}` before it asks a player"
                case Give() if each_block is not block:
                    why = "may end the procedure before it asks a player"
                case _:
                    continue
            notes.setdefault(each.step.span, f"`{each.step.id}` {why}")
    return tuple(RelatedSpan(span, note) for span, note in notes.items())[:MOST_ESCAPES]


class _Questions:
    """The questions to players in the operations of a block.

    `asking` are the procedures that always ask, and `inner` the loops in the block, which goes on after a `Leave` of
    one of them.
    """

    def __init__(self, region: Region[Typed], asking: frozenset[str], declarations: Declarations) -> None:
        operations = [each for outer in region for each in outer.walk()]
        self.asking = asking
        self.declarations = declarations
        self.inner = _list_loops(region)
        self.kept = {each.into: each.value for each in operations if isinstance(each, Keep)}
        self.bound = {(each.step, each.slot): each.value for each in operations if isinstance(each, Bind)}

    def surely_asks(self, region: Region[Typed], whole: bool) -> bool:
        """Return whether no execution reaches the end of a region without a question to a player.

        So this is also true if a region always gives back, leaves a loop or ends the game before a question. With
        `whole`, the region is all of a procedure, so that each `Give` in it needs a question before it.
        """
        for each in region:
            if whole and any(isinstance(part, Give) for part in each.walk()):
                return False
            left = self.inner - _list_loops((each,))
            if any(isinstance(part, Leave) and part.loop in left for part in each.walk()):
                return False
            match each:
                case Ask(options=options) if self.count_options(options) >= 2:
                    return True
                case Call(procedure=procedure) if procedure in self.asking:
                    return True
                case Branch(then=then, otherwise=otherwise):
                    if self.surely_asks(then, False) and self.surely_asks(otherwise, False):
                        return True
                case Each(body=body) if self._has_rounds(each):
                    if self.surely_asks(body, whole):
                        return True
                # Every round of a loop without a bound asks, or leaves it.
                case Loop(going=None, most=None, within=None, body=body):
                    if self.surely_asks(body, whole):
                        return True
                case Give() | Leave() | Finish():
                    return True
        return False

    def _has_rounds(self, each: Each[Typed]) -> bool:
        """Return whether a loop over a list has at least one round. Objects but players may leave before theirs."""
        source, entities = each.source, each.of_entities
        if isinstance(source, Local):
            # A step may store its list before its loop.
            source = self.bound.get((each.step, source.slot), source)
        kind = source.type.inner if isinstance(source.type, ListOf) else source.type
        return is_never_empty(source, self.declarations) and (kind == PLAYER or not entities)

    def count_options(self, options: Typed) -> int:
        """Return the number of options that there are at least. With two, a player is asked every time."""
        match options:
            case Offered():
                return options.certain
            case OrNone(source=source, when=when):
                return self.count_options(source) + (when is None)
            case Range(low=Constant(value=int() as low), high=Constant(value=int() as high)):
                return high - low + 1
            case Subsets(source=source, low=low, high=high):
                return self._count_subsets(source, low, high)
            case Temporary(number=number) if number in self.kept:
                return self.count_options(self.kept[number])
        return find_least_length(options, self.declarations)

    def _count_subsets(self, source: Typed, low: Typed | None, high: Typed | None) -> int:
        """Return the number of sizes that a selection from a list may certainly have."""
        match low, high:
            case None | Constant(value=int()), None | Constant(value=int()):
                there = self.count_options(source)
                least = max(low.value, 0) if isinstance(low, Constant) else 0
                most = min(high.value, there) if isinstance(high, Constant) else there
                # Of some elements that are not all of them, there are at least two selections.
                return there if least == most and 0 < most < there else most - least + 1
        return 0


# -- changed values ------------------------------------------------------------------------


Exceptions = Mapping[str, Iterable[tuple[str, MappingNode]]]
"""The exceptions to the steps of a procedure, by step id."""

Triggers = Mapping[str, Sequence[Trigger]]
"""The triggers that apply in a procedure, by step id."""


def forget_changes(nodes: Iterable[Node | None], scope: Scope, exceptions: Exceptions, triggers: Triggers) -> Scope:
    """Return `scope` without the facts that the steps in `nodes`, which are not yet checked, may make untrue."""
    if not scope.facts:
        return scope
    statements = load_statements()
    changed: dict[str, RelatedSpan] = {}
    waiting = [node for node in nodes if node is not None]
    while waiting:
        node = waiting.pop()
        if isinstance(node, SequenceNode):
            waiting.extend(node.items)
        elif isinstance(node, MappingNode):
            own = [statements[key] for key in node.entries if key in statements]
            identity = node.get("id")
            if own and isinstance(identity, Scalar):
                at = triggers.get(identity.text, ()), triggers.get(f"{identity.text}{PLACED}", ())
                called = [each.text for statement in own for each in statement.list_calls(node)]
                for procedure in _find_callees((*called, *(each.id for group in at for each in group)), scope):
                    changed |= describe_call(identity, procedure)
                changed |= _describe_changes(node, identity, own, scope)
            waiting.extend(entry.value for entry in node.entries.values())
            waiting.extend(_instead(node, exceptions))
    return scope.without(changed)


def _describe_changes(
    node: MappingNode, step: Scalar, statements: Iterable[Statement], scope: Scope
) -> dict[str, RelatedSpan]:
    """Return the changes that the statements of a step may make themselves, in the form of `Scope.without`."""
    place = node.get("into")
    words = {find_last_word(place.text)} if isinstance(place, Scalar) else set()
    changed = {}
    for statement in statements:
        changes = statement.find_changes(node)
        words |= changes.words
        if changes.anything:
            changed[""] = RelatedSpan(step.span, f"`{step.text}` may change it")
    for word in words:
        changed[word] = describe_change(step, word)
        if word in scope.locals:
            changed[f"#{scope.locals[word].slot}"] = changed[word]
    return changed


def describe_change(step: Scalar, name: str) -> RelatedSpan:
    """Return the note that a step, named by its id, may change a name or field."""
    return RelatedSpan(step.span, f"`{step.text}` may change `{name}`")


def describe_call(step: Scalar, procedure: Signature) -> dict[str, RelatedSpan]:
    """Return the changes of a step, named by its id, that runs a procedure, in the form of `Scope.without`."""
    runs = f"`{step.text}` runs `{procedure.id}`, which may change"
    return {field: RelatedSpan(step.span, f"{runs} `{field}`") for field in sorted(procedure.writes)}


def forget_triggers(at: Scalar, triggers: Iterable[Trigger], scope: Scope) -> Scope:
    """Return `scope` without the facts that triggers may make untrue. `at` names the step that they apply to."""
    for trigger in triggers:
        scope = scope.without(describe_call(at, scope.declarations.procedures[trigger.id]))
    return scope


def _find_callees(names: Iterable[str], scope: Scope) -> Iterator[Signature]:
    """Yield the procedures that calls may mean. Of a `row.column`, the row may be in any table with this column."""
    declared = scope.declarations
    for name in names:
        column = name.rpartition(".")[2]
        tables = declared.tables.values() if column != name else ()
        for each in (name, *(f"{table.id}.{column}" for table in tables)):
            if (procedure := declared.procedures.get(each)) is not None:
                yield procedure


def list_written_fields(procedure: Procedure, declarations: Declarations) -> frozenset[str]:
    """Return the fields that a procedure may change, including the procedures that it calls, which are declared.

    A statement of a plug-in may call a procedure that is not declared yet, and then any field may change.
    """
    fields: set[str] = set()
    for each in _list_all_operations(procedure):
        if isinstance(each, Write) and not each.field.startswith(SHOWN):
            fields.add(each.field.rpartition(".")[2])
        elif isinstance(each, Call) and each.procedure in declarations.procedures:
            fields |= declarations.procedures[each.procedure].writes
        elif isinstance(each, Call):
            fields.update(name for kind in declarations.kinds.values() for name in kind.fields)
    return frozenset(fields)


def may_finish(procedure: Procedure, declarations: Declarations) -> bool:
    """Return whether a procedure may end the game, including the procedures that it calls, which are declared."""
    return any(_finishes(each, declarations) for each in _list_all_operations(procedure))


def _list_all_operations(procedure: Procedure) -> Iterator[Operation[Typed]]:
    return (each for outer in lower_block(procedure.body) for each in outer.walk())


def _instead(node: MappingNode, exceptions: Exceptions) -> Iterator[Node]:
    """Yield the lists of steps that the exceptions to a step put in its place."""
    identity = node.get("id")
    if isinstance(identity, Scalar):
        for _, special in exceptions.get(identity.text, ()):
            instead = special.get("instead")
            if instead is not None:
                yield instead


def join_scopes(outer: Scope, after: Scope, learnt: frozenset[str]) -> Scope:
    """Return the scope after a conditional step, without the facts that depend on its condition."""
    lost = {fact: step for fact, step in after.lost.items() if fact in outer.facts or fact in outer.lost}
    return replace(outer, facts=(after.facts - learnt) | (outer.facts & after.facts), lost=lost)
