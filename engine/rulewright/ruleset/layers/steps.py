"""Steps of an upper layer: each names the step it changes, replaces, deletes or stands beside."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.language.shape import POSITIONS, Record
from rulewright.ruleset import codes
from rulewright.ruleset.layers.history import Path
from rulewright.ruleset.layers.log import MergeLog, same
from rulewright.ruleset.layers.missing_step import no_such_step
from rulewright.ruleset.layers.moves import in_turn, is_move, moved
from rulewright.ruleset.layers.step_tree import edit, find, identities
from rulewright.ruleset.layers.touches import Operation
from rulewright.ruleset.schema.model import step_shape
from rulewright.source.diagnostics.diagnostic import Related
from rulewright.source.nodes import Entry, Mapping, Node, Scalar
from rulewright.source.nodes import Sequence as SequenceNode

MergeMapping = Callable[[Mapping, Mapping, Record, Path], Mapping]
"""Lays one mapping over another."""

_A_NEW_STEP = "say where a new step goes: `before:` or `after:` a step"


def merge_steps(
    log: MergeLog, merge: MergeMapping, lower: SequenceNode, upper: SequenceNode, path: Path
) -> SequenceNode:
    """`upper`'s changes made to `lower`, wherever in its nested blocks the named steps stand."""
    steps = lower
    # Where the last entry put after each anchor stands, so that several keep the order written.
    tails: dict[str, str] = {}
    for item in in_turn(log, [item for item in upper.items if isinstance(item, Mapping)]):
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
    if is_move(item):
        return moved(log, steps, item, path, tails)
    body = Mapping({key: entry for key, entry in item.entries.items() if key not in POSITIONS}, item.span)
    own = body.get("id")
    identity = own.text if isinstance(own, Scalar) else named.text
    if word in ("before", "after") and own is None:
        hint = f"add an `id`; or, to move `{named.text}` itself, write `{{id: {named.text}, {word}: …}}`"
        log.report(codes.OVERRIDE_OF_NOTHING, "a new step needs an `id` of its own", item, (), hint)
        return steps
    if word in ("before", "after", "replace"):
        there = find(steps, identity)
        if there is not None and not (word == "replace" and identity == named.text):
            if (*path[:3], identity) not in log.contested:
                related = (Related(there.span, "it is here"),)
                log.report(codes.ALREADY_THERE, f"there is a step `{identity}` already", item, related)
                return steps
            # Two overlays added it; this one was written to lie over the other.
            steps = edit(steps, identity, lambda found, place, _: found.__delitem__(place), path) or steps
    if own is None and word == "replace":
        body = Mapping({"id": Entry(Scalar("id", "id", named.span), named), **body.entries}, item.span)

    def change(found: list[Node], place: int, within: Path) -> None:
        here = found[place]
        own_path = (*within, identity)
        if word != "id" and within != path[:3]:
            # Wherever it stands, a step is known by its id in all of its procedure.
            what: Operation = "removes" if word == "delete" else "replaces" if word == "replace" else "adds"
            log.touch(what, (*path[:3], identity), item)
        match word:
            case "delete":
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
    edited = edit(steps, anchor, change, path)
    if edited is None:
        by_its_id = word == "delete" and own is not None and identity in identities(steps)
        advice = f"a step is deleted by its id: `delete: {identity}`" if by_its_id else None
        no_such_step(log, steps, named, path, advice, otherwise=_A_NEW_STEP if word == "id" else "")
        log.touch("removes" if word == "delete" else "changes", (*path, named.text), item)
        return steps
    if word == "after":
        tails[named.text] = identity
    return edited


def _changed(log: MergeLog, merge: MergeMapping, lower: Mapping, upper: Mapping, path: Path) -> Mapping:
    rest = Mapping({key: entry for key, entry in upper.entries.items() if key != "id"}, upper.span)
    if not rest.entries:
        message = f"this changes nothing of the step `{path[-1]}`"
        log.report(codes.OVERRIDE_WITHOUT_EFFECT, message, upper, (Related(lower.span, "the step is here"),))
        return lower
    return merge(lower, rest, step_shape(), path)
