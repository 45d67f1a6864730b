"""Merge the steps of a procedure: an upper layer adds, changes, replaces, moves or deletes steps by id."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.language.schema_shapes import POSITIONS, Record
from rulewright.ruleset import ruleset_diagnostics
from rulewright.ruleset.layers.merge_log import MergeLog, is_same
from rulewright.ruleset.layers.step_tree import edit, find, find_id, iterate_steps, list_ids
from rulewright.ruleset.layers.value_origins import Operation, Origin, Path, find_steps_path
from rulewright.ruleset.schema.model import step_shape
from rulewright.source.diagnostics.diagnostic import Edit as SourceEdit
from rulewright.source.diagnostics.diagnostic import RelatedSpan
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Entry, Mapping, Node, Scalar, is_flow
from rulewright.source.nodes import Sequence as SequenceNode
from rulewright.source.span import Span

MergeMapping = Callable[[Mapping, Mapping, Record, Path], Mapping]
"""A function that merges one mapping over another."""


def merge_steps(
    log: MergeLog, merge: MergeMapping, lower: SequenceNode, upper: SequenceNode, path: Path
) -> SequenceNode:
    """Return `lower` with the changes of `upper` applied, at any depth of nesting, and record them at `path`.

    Changes that cannot be applied are reported to `log` and skipped. `merge` merges the mapping of a changed step.
    """
    steps = lower
    # The last step inserted after each anchor, so that steps with the same anchor keep their source order.
    tails: dict[str, str] = {}
    for item in apply_in_turn(log, [item for item in upper.items if isinstance(item, Mapping)]):
        steps = _one(log, merge, steps, item, path, tails, lower)
    return steps


def _one(
    log: MergeLog,
    merge: MergeMapping,
    steps: SequenceNode,
    item: Mapping,
    path: Path,
    tails: dict[str, str],
    inherited: SequenceNode,
) -> SequenceNode:
    """Return `steps`, those at `path`, with one change of an upper layer applied, and record it.

    A change that cannot be applied is reported, and `steps` is returned. `tails` has the step most recently inserted
    after each anchor, and is updated. `inherited` has the steps before all changes of the layer.
    """
    directives = [word for word in POSITIONS if word in item]
    if len(directives) > 1:
        message = f"a step can be placed only once, but this has {' and '.join(f'`{d}`' for d in directives)}"
        related = tuple(RelatedSpan(item.find_key_span(d), f"`{d}` is here") for d in directives)
        log.report(ruleset_diagnostics.CONTRADICTORY_ORDER, message, item, related)
        return steps
    word = directives[0] if directives else "id"
    named = item.get(word)
    if not isinstance(named, Scalar):
        log.report(
            ruleset_diagnostics.OVERRIDE_OF_NOTHING, "this does not say which step it changes: add an `id`", item
        )
        return steps
    if is_move(item):
        return move_step(log, steps, item, path, tails)
    body = Mapping({key: entry for key, entry in item.entries.items() if key not in POSITIONS}, item.span)
    own = body.get("id")
    identity = own.text if isinstance(own, Scalar) else named.text
    if word in ("before", "after") and own is None:
        hint = f"add an `id`; or, to move `{named.text}` itself, write `{{id: {named.text}, {word}: …}}`"
        log.report(ruleset_diagnostics.OVERRIDE_OF_NOTHING, "a new step needs an `id` of its own", item, (), hint)
        return steps
    if word in ("before", "after", "replace"):
        there = find(steps, identity)
        if there is not None and not (word == "replace" and identity == named.text):
            if (*find_steps_path(path), identity) not in log.contested:
                related = (RelatedSpan(there.span, "it is here"),)
                log.report(ruleset_diagnostics.ALREADY_THERE, f"there is already a step `{identity}`", item, related)
                return steps
            # Two overlays add this step, and this overlay is declared to take precedence.
            steps = edit(steps, identity, lambda siblings, place, _: siblings.__delitem__(place), path) or steps
    if own is None and word == "replace":
        body = Mapping({"id": Entry(Scalar("id", "id", named.span), named), **body.entries}, item.span)

    def change(results: list[Node], place: int, within: Path) -> None:
        here = results[place]
        own_path = (*within, identity)
        if word != "id" and within != find_steps_path(path):
            # Ids are unique in a procedure, so nested steps are recorded at the top level too.
            what: Operation = "removes" if word == "delete" else "replaces" if word == "replace" else "adds"
            log.touch(what, (*find_steps_path(path), identity), item)
        match word:
            case "delete":
                log.record((*within, named.text), "removes", here, item)
                del results[place]
            case "replace":
                if is_same(here, body):
                    message, related = f"`{identity}` already has this value", (RelatedSpan(here.span, "it is here"),)
                    log.report(ruleset_diagnostics.OVERRIDE_WITHOUT_EFFECT, message, item, related, path=own_path)
                if identity != named.text:
                    log.record((*within, named.text), "removes", here, item)
                log.record(own_path, "replaces", here, body)
                results[place] = body
            case "before" | "after":
                log.record(own_path, "adds", None, body)
                log.record_places(within, identity, {word: named}, item)
                results.insert(place + (word == "after"), body)
            case _:
                assert isinstance(here, Mapping)
                results[place] = _change_step(log, merge, here, body, own_path)

    anchor = tails.get(named.text, named.text) if word == "after" else named.text
    edited = edit(steps, anchor, change, path)
    if edited is None:
        by_its_id = word == "delete" and own is not None and identity in list_ids(steps)
        advice = f"to delete the step, write `delete: {identity}`" if by_its_id else None
        if word == "id":
            _report_without_place(log, inherited, item, named, path)
        else:
            report_missing_step(log, steps, named, path, advice)
        log.touch("removes" if word == "delete" else "changes", (*path, named.text), item)
        return steps
    if word == "after":
        tails[named.text] = identity
    return edited


def _change_step(log: MergeLog, merge: MergeMapping, lower: Mapping, upper: Mapping, path: Path) -> Mapping:
    """Return a step merged with the change of an upper layer. A change without any key is reported."""
    rest = Mapping({key: entry for key, entry in upper.entries.items() if key != "id"}, upper.span)
    if not rest.entries:
        message = f"this does not change the step `{path[-1]}`"
        log.report(
            ruleset_diagnostics.OVERRIDE_WITHOUT_EFFECT, message, upper, (RelatedSpan(lower.span, "the step is here"),)
        )
        return lower
    return merge(lower, rest, step_shape(lower), path)


def _report_without_place(log: MergeLog, steps: SequenceNode, item: Mapping, named: Scalar, path: Path) -> None:
    """Report a step that is neither inherited nor says where it goes.

    An edit puts it after the last step, unless an inherited step has a similar id.
    """
    last = find_id(steps.items[-1]) if steps.items and isinstance(steps.items[-1], Mapping) else ""
    if not last:
        report_missing_step(log, steps, named, path)
        return
    at = item.find_key_span("id")
    break_ = ", " if is_flow(item) else "\n" + " " * (at.column - 1)
    insertion = SourceEdit(Span(at.file, at.line, at.column, at.line, at.column), f"after: {last}{break_}")
    hint = f"to add a new step, write `after: {last}`, or another step"
    edits = () if suggest_name(named.text, list_ids(steps)) else (insertion,)
    report_missing_step(log, steps, named, path, otherwise=hint, edits=edits)


_MOST_LISTED = 12
"""The maximum number of steps that a message lists."""


def report_missing_step(
    log: MergeLog,
    steps: SequenceNode,
    named: Scalar,
    path: Path,
    hint: str | None = None,
    *,
    otherwise: str = "",
    edits: Sequence[SourceEdit] = (),
) -> None:
    """Report that `steps`, those at `path`, include none with the id `named`.

    The hint is the first that exists of `hint`, similar ids, `otherwise`, and the list of steps. A step that a layer
    has removed gets a hint of its own instead.
    """
    ids = list_ids(steps)
    listed = ", ".join(f"`{each}`" for each in ids[:_MOST_LISTED])
    listed = f"the steps are {listed}{', …' if len(ids) > _MOST_LISTED else ''}" if ids else ""
    hint = hint or suggest_name(named.text, ids) or otherwise or listed
    related = (RelatedSpan(steps.span, "these are the inherited steps"),)
    removal = _removal(log, path, named.text)
    if removal is not None:
        related = (RelatedSpan(removal.span, f"`{removal.layer}` removes it here"),)
        hint = "name a step that remains, or use `replace:` to put another one in its place"
    message, where = f"there is no inherited step `{named.text}`", (*path, named.text)
    edits = edits if removal is None else ()
    log.report(ruleset_diagnostics.OVERRIDE_OF_NOTHING, message, named, related, hint, path=where, edits=edits)


def _removal(log: MergeLog, path: Path, identity: str) -> Origin | None:
    """Return the origin that removed the step `identity` from `path` or below, or None if nothing did."""
    for where, origins in log.history.origins.items():
        if where[: len(path)] == path and where[-1] == identity and origins[-1].operation == "removes":
            return origins[-1]
    return None


def is_move(item: Mapping) -> bool:
    """Return whether a step of an upper layer has only an id and a position."""
    return _find_placed(item) is not None and len(item.entries) == 2


def apply_in_turn(log: MergeLog, items: Sequence[Mapping]) -> list[Mapping]:
    """Return `items` reordered so that a step placed beside another placed step comes after that one.

    A second placement of a step is reported to `log` and left out, if either moves it. Steps in a contradictory
    cycle, and those that wait for them, are left out too, and the cycle is reported.
    """
    left: list[Mapping] = []
    placed: dict[str, Mapping] = {}
    for item in items:
        there = placed.get(_find_placed(item) or "")
        if there is not None and (is_move(item) or is_move(there)):
            related = (RelatedSpan(there.span, "it is placed here too"),)
            log.report(
                ruleset_diagnostics.CONTRADICTORY_ORDER, f"`{_find_placed(item)}` is placed twice", item, related
            )
            continue
        placed.setdefault(_find_placed(item) or "", item)
        left.append(item)
    done: list[Mapping] = []
    while left:
        waited_for = {_find_placed(item) for item in left if _find_placed(item) is not None}
        ready = next((i for i in left if _anchor(i) not in waited_for or _anchor(i) == _find_placed(i)), None)
        if ready is None:
            circle = _circle(left)
            if len({"after" in item for item in circle}) == 1:
                _report(log, circle)
                break
            ready = circle[0]  # not a contradiction: `a before b` and `b after a` agree
        left = [item for item in left if item is not ready]
        done.append(ready)
    return done


def move_step(log: MergeLog, steps: SequenceNode, item: Mapping, path: Path, tails: dict[str, str]) -> SequenceNode:
    """Return `steps`, those at `path`, with the step of `item` moved to its new position.

    If that is impossible, reports the reason to `log` and returns `steps` itself. `tails` has the step most recently
    inserted after each anchor, and is updated.
    """
    own, word = item.get("id"), "after" if "after" in item else "before"
    anchor = item.get(word)
    assert isinstance(own, Scalar)
    assert isinstance(anchor, Scalar)
    step = find(steps, own.text)
    beside = tails.get(anchor.text, anchor.text) if word == "after" else anchor.text
    if step is None:
        report_missing_step(log, steps, own, path, otherwise="a new step also needs a statement")
    elif anchor.text == own.text:
        message, related = f"`{own.text}` cannot come {word} itself", (RelatedSpan(step.span, "it is here"),)
        log.report(ruleset_diagnostics.CONTRADICTORY_ORDER, message, anchor, related, "name another step")
    elif find(SequenceNode((step,), step.span), anchor.text) is not None:
        message = f"`{own.text}` cannot come {word} `{anchor.text}`, which is one of its own steps"
        related = (RelatedSpan(step.span, f"`{own.text}` is here"),)
        log.report(
            ruleset_diagnostics.CONTRADICTORY_ORDER, message, anchor, related, f"name a step outside `{own.text}`"
        )
    elif find(steps, beside) is None:
        report_missing_step(log, steps, anchor, path)
    else:
        if word == "after":
            tails[anchor.text] = own.text
        return _take(log, steps, item, step, beside, path)
    # Another overlay may have removed the step or its anchor; conflicts are found by recorded changes.
    log.touch("moves", (*path, own.text), item)
    return steps


def _take(log: MergeLog, steps: SequenceNode, item: Mapping, step: Mapping, beside: str, path: Path) -> SequenceNode:
    """Return `steps` with `step` moved beside another one, and record the move. The positions must be possible.

    A move that changes nothing is reported.
    """
    own = item.get("id")
    word = "after" if "after" in item else "before"
    anchor = item.get(word)
    assert isinstance(own, Scalar)
    assert isinstance(anchor, Scalar)
    places: list[Path] = []

    def take(results: list[Node], place: int, within: Path) -> None:
        places.append(within)
        del results[place]

    def put(results: list[Node], place: int, within: Path) -> None:
        places.append(within)
        results.insert(place + (word == "after"), step)

    without = edit(steps, own.text, take, path)
    arranged = edit(without, beside, put, path) if without is not None else None
    assert arranged is not None
    (before, after), known_as = places, (*find_steps_path(path), own.text)
    if [place for place, _ in iterate_steps(arranged, path)] == [place for place, _ in iterate_steps(steps, path)]:
        related = (RelatedSpan(step.span, "it is here"),)
        message = f"`{own.text}` is already there"
        log.report(ruleset_diagnostics.OVERRIDE_WITHOUT_EFFECT, message, item, related, path=(*before, own.text))
    log.history.move((*before, own.text), (*after, own.text))
    log.record((*after, own.text), "moves", step, item)
    # The change at the top level must be recorded last, because the last one counts.
    for known in ((*before, own.text), known_as):
        log.touch("moves", known, item)
    log.record_places(after, own.text, {word: anchor}, item)
    return arranged


def _circle(left: Sequence[Mapping]) -> list[Mapping]:
    """Return the steps that wait for each other, in source order. Every step in `left` must wait for another one.

    Raises `KeyError` if a step waits for one that is not in `left`.
    """
    placed = {_find_placed(item): item for item in left}
    circle = [left[0]]
    while (following := placed[_anchor(circle[-1])]) not in circle:
        circle.append(following)
    return sorted(circle[circle.index(following) :], key=lambda item: item.span)


def _report(log: MergeLog, circle: Sequence[Mapping]) -> None:
    first, *others = circle
    related = tuple(RelatedSpan(other.span, f"`{_find_placed(other)}` is part of the cycle") for other in others)
    message = f"the position of `{_find_placed(first)}` depends on itself"
    log.report(ruleset_diagnostics.CONTRADICTORY_ORDER, message, first, related)


def _find_placed(item: Mapping) -> str | None:
    """Return the id of a step that has `before` or `after`, whether new or moved, or None otherwise."""
    own = item.get("id")
    return own.text if isinstance(own, Scalar) and _anchor(item) is not None else None


def _anchor(item: Mapping) -> str | None:
    beside = item.get("after") or item.get("before")
    return beside.text if isinstance(beside, Scalar) else None
