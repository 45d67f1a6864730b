"""Steps of an upper layer: each names the step it changes, replaces, removes or stands beside."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rulewright.language.shape import POSITIONS, Record, Steps
from rulewright.ruleset import codes
from rulewright.ruleset.history import Origin, Path
from rulewright.ruleset.merge_log import MergeLog, same
from rulewright.ruleset.model import step_shape
from rulewright.ruleset.touches import Operation
from rulewright.source.diagnostic import Related
from rulewright.source.nodes import Entry, Mapping, Node, Scalar
from rulewright.source.nodes import Sequence as SequenceNode
from rulewright.source.suggest import did_you_mean

MergeMapping = Callable[[Mapping, Mapping, Record, Path], Mapping]
"""Lays one mapping over another."""

Edit = Callable[[list[Node], int, Path], None]
"""Changes a list of steps at the place of the step that was looked for; the path is the list's."""


def merge_steps(
    log: MergeLog, merge: MergeMapping, lower: SequenceNode, upper: SequenceNode, path: Path
) -> SequenceNode:
    """`upper`'s changes made to `lower`, wherever in its nested blocks the named steps stand."""
    steps = lower
    # Where the last entry put after each anchor stands, so that several keep the order written.
    tails: dict[str, str] = {}
    for item in upper.items:
        if isinstance(item, Mapping):
            steps = _one(log, merge, steps, item, path, tails)
    return steps


def _one(
    log: MergeLog, merge: MergeMapping, steps: SequenceNode, item: Mapping, path: Path, tails: dict[str, str]
) -> SequenceNode:
    directives = [word for word in POSITIONS if word in item]
    if len(directives) > 1:
        message = f"a step is placed once, not by {' and '.join(f'`{d}`' for d in directives)}"
        related = tuple(Related(item.key_span(d), f"`{d}` is here") for d in directives)
        log.report(codes.CONTRADICTORY_ORDER, message, item, related)
        return steps
    word = directives[0] if directives else "id"
    named = item.get(word)
    if not isinstance(named, Scalar):
        log.report(codes.OVERRIDE_OF_NOTHING, "this step names no step: it needs an `id`", item)
        return steps
    body = Mapping({key: entry for key, entry in item.entries.items() if key not in POSITIONS}, item.span)
    own = body.get("id")
    identity = own.text if isinstance(own, Scalar) else named.text
    if word in ("before", "after", "replace"):
        there = find(steps, identity)
        if there is not None and not (word == "replace" and identity == named.text):
            if (*path[:3], identity) not in log.contested:
                related = (Related(there.span, "it is here"),)
                log.report(codes.ALREADY_THERE, f"there is a step `{identity}` already", item, related)
                return steps
            # Two overlays added it; this one was written to lie over the other.
            steps = _edit(steps, identity, lambda found, place, _: found.__delitem__(place), path) or steps
    if word in ("before", "after") and own is None:
        log.report(codes.OVERRIDE_OF_NOTHING, "a new step needs an `id` of its own", item)
        return steps
    if own is None and word == "replace":
        body = Mapping({"id": Entry(Scalar("id", "id", named.span), named), **body.entries}, item.span)

    def edit(found: list[Node], place: int, within: Path) -> None:
        here = found[place]
        own_path = (*within, identity)
        if word != "id" and within != path[:3]:
            # Wherever it stands, a step is known by its id in all of its procedure.
            what: Operation = "removes" if word == "remove" else "replaces" if word == "replace" else "adds"
            log.touch(what, (*path[:3], identity), item)
        match word:
            case "remove":
                log.record((*within, named.text), "removes", here, item)
                del found[place]
            case "replace":
                if same(here, body):
                    message, related = f"`{identity}` says just this already", (Related(here.span, "it is here"),)
                    log.report(codes.OVERRIDE_WITHOUT_EFFECT, message, item, related, path=own_path)
                if identity != named.text:
                    log.record((*within, named.text), "removes", here, item)
                log.record(own_path, "replaces", here, body)
                found[place] = body
            case "before" | "after":
                log.record(own_path, "adds", None, body)
                log.places(within, identity, {word: named}, item)
                found.insert(place + (word == "after"), body)
            case _:
                assert isinstance(here, Mapping)
                found[place] = _changed(log, merge, here, body, own_path)

    anchor = tails.get(named.text, named.text) if word == "after" else named.text
    edited = _edit(steps, anchor, edit, path)
    if edited is None:
        hint = did_you_mean(named.text, identities(steps))
        if word == "remove" and own is not None and identity in identities(steps):
            hint = f"a step is removed by its id: `remove: {identity}`"
        if word == "id" and hint is None:
            hint = "say where a new step goes: `before:` or `after:` a step"
        related = (Related(steps.span, "these are the steps below"),)
        message, where = f"there is no step `{named.text}` below", (*path, named.text)
        removal = _removal(log, path, named.text)
        if removal is not None:
            related = (Related(removal.span, f"`{removal.layer}` removes it here"),)
            hint = "name a step that is left, or use `replace:` to put another in its place"
        log.report(codes.OVERRIDE_OF_NOTHING, message, named, related, hint or "", path=where)
        log.touch("removes" if word == "remove" else "changes", where, item)
        return steps
    if word == "after":
        tails[named.text] = identity
    return edited


def _removal(log: MergeLog, path: Path, identity: str) -> Origin | None:
    """What removed the step `identity` from the steps at `path`, or from a block among them."""
    for where, origins in log.history.origins.items():
        if where[: len(path)] == path and where[-1] == identity and origins[-1].operation == "removes":
            return origins[-1]
    return None


def _changed(log: MergeLog, merge: MergeMapping, lower: Mapping, upper: Mapping, path: Path) -> Mapping:
    rest = Mapping({key: entry for key, entry in upper.entries.items() if key != "id"}, upper.span)
    if not rest.entries:
        message = f"this changes nothing of the step `{path[-1]}`"
        log.report(codes.OVERRIDE_WITHOUT_EFFECT, message, upper, (Related(lower.span, "the step is here"),))
        return lower
    return merge(lower, rest, step_shape(), path)


def _edit(steps: SequenceNode, identity: str, edit: Edit, path: Path) -> SequenceNode | None:
    """`steps` with `edit` applied where the step `identity` stands, at any depth; None if it is not there."""
    for place, step in enumerate(steps.items):
        if not isinstance(step, Mapping):
            continue
        own = _identity(step)
        if own == identity:
            items = list(steps.items)
            edit(items, place, path)
            return SequenceNode(tuple(items), steps.span)
        inner = _edit_inside(step, step_shape(), identity, edit, (*path, own or str(place + 1)))
        if inner is not None:
            return SequenceNode((*steps.items[:place], inner, *steps.items[place + 1 :]), steps.span)
    return None


def _edit_inside(node: Mapping, shape: Record, identity: str, edit: Edit, path: Path) -> Mapping | None:
    for key, entry in node.entries.items():
        member = shape.members.get(key)
        value = entry.value
        edited: Node | None = None
        if member is not None and isinstance(member.shape, Steps) and isinstance(value, SequenceNode):
            edited = _edit(value, identity, edit, (*path, key))
        elif member is not None and isinstance(member.shape, Record) and isinstance(value, Mapping):
            edited = _edit_inside(value, member.shape, identity, edit, (*path, key))
        if edited is not None:
            return Mapping({**node.entries, key: Entry(entry.key, edited)}, node.span)
    return None


def _identity(step: Mapping) -> str | None:
    node = step.get("id")
    return node.text if isinstance(node, Scalar) else None


def walk(steps: SequenceNode) -> Sequence[Mapping]:
    """Every step of a list of steps, nested ones included."""
    return [step for _, step in located(steps, ())]


def located(steps: SequenceNode, path: Path) -> Iterator[tuple[Path, Mapping]]:
    """Every step of the list at `path`, nested ones included, and its own path."""
    for place, step in enumerate(steps.items, start=1):
        if isinstance(step, Mapping):
            own = (*path, _identity(step) or str(place))
            yield own, step
            yield from _inside(step, step_shape(), own)


def _inside(node: Mapping, shape: Record, path: Path) -> Iterator[tuple[Path, Mapping]]:
    for key, entry in node.entries.items():
        member = shape.members.get(key)
        if member is not None and isinstance(member.shape, Steps) and isinstance(entry.value, SequenceNode):
            yield from located(entry.value, (*path, key))
        elif member is not None and isinstance(member.shape, Record) and isinstance(entry.value, Mapping):
            yield from _inside(entry.value, member.shape, (*path, key))


def find(steps: SequenceNode, identity: str) -> Mapping | None:
    """The step `identity`, at any depth."""
    return next((step for step in walk(steps) if _identity(step) == identity), None)


def identities(steps: SequenceNode) -> list[str]:
    """The ids of all steps."""
    return [identity for step in walk(steps) if (identity := _identity(step))]
