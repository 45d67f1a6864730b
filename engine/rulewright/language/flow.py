"""Where steps lead: which end the procedure, which ask a player, and what they change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from rulewright.language.expression.facts import NO_FACTS, facts
from rulewright.language.scope import Binding, Scope
from rulewright.language.step import Block, Step
from rulewright.language.types import Record, maybe
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Node, Scalar
from rulewright.source.nodes import Sequence as SequenceNode


def number_places(block: Block, *, repeated: bool = False) -> None:
    """Tell every step where it stands, so that the step after it can be found, and whether that is in a loop."""
    for place, step in enumerate(block.steps):
        step.container = block
        step.place = place
        step.repeated = repeated
        for inner in step.blocks:
            inner.owner = step
            number_places(inner, repeated=repeated or step.hidden is not None)


# -- ends ----------------------------------------------------------------------------------


def always_ends(step: Step) -> bool:
    """Whether the procedure (or the game) always ends with this step."""
    return step.when is None and ends(step)


def ends(step: Step) -> bool:
    """Whether the procedure (or the game) ends with this step wherever it is not passed over."""
    match step.verb.name:
        case "stop" | "finish":
            return True
        case "steps":
            return _block_ends(step.blocks[0])
        case "if":
            return len(step.blocks) == 2 and all(_block_ends(block) for block in step.blocks)
    return False


def _block_ends(block: Block) -> bool:
    return any(always_ends(step) for step in block.steps)


def learnt_after(step: Step) -> frozenset[str]:
    """The places known not to be none after `step`, because the procedure would have ended where they are."""
    if step.when is not None:
        return facts(step.when, holds=False) if ends(step) else NO_FACTS
    if step.verb.name == "if" and len(step.blocks) == 1 and _block_ends(step.blocks[0]):
        return facts(step.action.condition, holds=False)
    return NO_FACTS


def after_stops(body: Block, scope: Scope) -> Scope:
    """The scope in which a procedure's `gives` are worked out.

    What is bound only after a place where the procedure may have ended is optional there.
    """
    may_be_missing: set[str] = set()
    stopped = False
    for step in body.steps:
        if stopped and step.binds is not None:
            may_be_missing.add(step.id)
        stopped = stopped or any(inner.verb.name == "stop" for inner in Block((step,)).walk())
    bound = {name: _optional(b) if name in may_be_missing else b for name, b in scope.locals.items()}
    # What is known at the end need not hold where the procedure stopped before.
    return replace(scope, locals=MappingProxyType(bound), facts=NO_FACTS if stopped else scope.facts)


def _optional(bound: Binding) -> Binding:
    kind = bound.type if isinstance(bound.type, Record) else maybe(bound.type)
    parts = None
    if bound.parts is not None:
        parts = MappingProxyType({name: _optional(part) for name, part in bound.parts.items()})
    return replace(bound, type=kind, parts=parts)


# -- questions to players ------------------------------------------------------------------


def surely_asks(block: Block, asking: frozenset[str], *, whole: bool = False) -> bool:
    """Whether carrying out `block` always asks a player; `asking` names the procedures that always do.

    A loop is left by a `stop` in it, so there a stop needs no question before it. With `whole`, `block` is all of a
    procedure, whose caller goes on after a stop: then each needs one.
    """
    from rulewright.language.verbs import choose

    for step in block.steps:
        if whole and any(inner.verb.name == "stop" for inner in Block((step,)).walk()):
            return False
        if step.when is not None:
            continue
        match step.verb.name:
            case "choose" if choose.surely_asks(step.action):
                return True
            case "do" if step.action.procedure in asking:
                return True
            case "steps" if surely_asks(step.blocks[0], asking):
                return True
            case "if" if len(step.blocks) == 2 and all(surely_asks(inner, asking) for inner in step.blocks):
                return True
            case "repeat" if step.action.going is None and step.action.at_most is None:
                return True
            case "stop" | "finish":
                return True
    return False


# -- changes -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Changes:
    """What steps may change: places whose last word is among `words`, or, where they carry out others, any field."""

    words: frozenset[str]
    anything: bool

    def forgotten(self, scope: Scope) -> Scope:
        """`scope` after the steps."""
        if not self.words and not self.anything:
            return scope
        kept = (fact for fact in scope.facts if not self._touches(fact, scope))
        return replace(scope, facts=frozenset(kept))

    def _touches(self, fact: str, scope: Scope) -> bool:
        root, *fields = fact.split(".")
        if fields and (self.anything or not self.words.isdisjoint(fields)):
            return True
        return any(root == f"#{bound.slot}" for name, bound in scope.locals.items() if name in self.words)


def changes(nodes: Iterable[Node | None], exceptions: Mapping[str, Iterable[tuple[str, MappingNode]]]) -> Changes:
    """What the steps written in `nodes` may change; `exceptions` are those of their procedure, by step id."""
    words: set[str] = set()
    anything = False
    waiting = [node for node in nodes if node is not None]
    while waiting:
        node = waiting.pop()
        if isinstance(node, SequenceNode):
            waiting.extend(node.items)
        elif isinstance(node, MappingNode):
            written = node.get("set")
            if isinstance(written, MappingNode):
                words.update(key.rpartition(".")[2].strip() for key in written.entries)
            anything = anything or "do" in node
            waiting.extend(entry.value for entry in node.entries.values())
            waiting.extend(_instead(node, exceptions))
    return Changes(frozenset(words), anything)


def _instead(node: MappingNode, exceptions: Mapping[str, Iterable[tuple[str, MappingNode]]]) -> Iterator[Node]:
    identity = node.get("id")
    if isinstance(identity, Scalar):
        for _, special in exceptions.get(identity.text, ()):
            instead = special.get("instead")
            if instead is not None:
                yield instead
