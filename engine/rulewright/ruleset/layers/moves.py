"""Steps that an upper layer moves: `{id: this, after: that}`, and nothing else about them."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.ruleset import codes
from rulewright.ruleset.layers.history import Path
from rulewright.ruleset.layers.log import MergeLog
from rulewright.ruleset.layers.missing_step import no_such_step
from rulewright.ruleset.layers.step_tree import edit, find, located
from rulewright.source.diagnostics.diagnostic import Related
from rulewright.source.nodes import Mapping, Node, Scalar
from rulewright.source.nodes import Sequence as SequenceNode


def is_move(item: Mapping) -> bool:
    """Whether an upper layer's step says where it goes and nothing of what it does."""
    return _placed(item) is not None and len(item.entries) == 2


def in_turn(log: MergeLog, items: Sequence[Mapping]) -> list[Mapping]:
    """`items` as written, but what stands beside a step that is itself placed comes after that one.

    What waits for itself, and a step that is moved though it was placed before, go to `log` and are left out.
    """
    left: list[Mapping] = []
    placed: dict[str, Mapping] = {}
    for item in items:
        there = placed.get(_placed(item) or "")
        if there is not None and (is_move(item) or is_move(there)):
            related = (Related(there.span, "it is placed here too"),)
            log.report(codes.CONTRADICTORY_ORDER, f"`{_placed(item)}` is placed twice", item, related)
            continue
        placed.setdefault(_placed(item) or "", item)
        left.append(item)
    done: list[Mapping] = []
    while left:
        waited_for = {_placed(item) for item in left if _placed(item) is not None}
        ready = next((i for i in left if _anchor(i) not in waited_for or _anchor(i) == _placed(i)), None)
        if ready is None:
            circle = _circle(left)
            if len({"after" in item for item in circle}) == 1:
                _report(log, circle)
                break
            ready = circle[0]  # one before the other, which is after it: nothing contradicts that
        left = [item for item in left if item is not ready]
        done.append(ready)
    return done


def moved(log: MergeLog, steps: SequenceNode, item: Mapping, path: Path, tails: dict[str, str]) -> SequenceNode:
    """`steps`, those at `path`, with the step of `item` taken to where it is to stand; faults go to `log`.

    `tails` tells which step was put last after another one.
    """
    own, word = item.get("id"), "after" if "after" in item else "before"
    anchor = item.get(word)
    assert isinstance(own, Scalar)
    assert isinstance(anchor, Scalar)
    step = find(steps, own.text)
    beside = tails.get(anchor.text, anchor.text) if word == "after" else anchor.text
    if step is None:
        no_such_step(log, steps, own, path, otherwise="a new step also says what it does")
    elif anchor.text == own.text:
        message, related = f"`{own.text}` cannot stand {word} itself", (Related(step.span, "it is here"),)
        log.report(codes.CONTRADICTORY_ORDER, message, anchor, related, "name another step")
    elif find(SequenceNode((step,), step.span), anchor.text) is not None:
        message = f"`{own.text}` cannot stand {word} `{anchor.text}`, which is one of its own steps"
        related = (Related(step.span, f"`{own.text}` is here"),)
        log.report(codes.CONTRADICTORY_ORDER, message, anchor, related, f"name a step outside `{own.text}`")
    elif find(steps, beside) is None:
        no_such_step(log, steps, anchor, path)
    else:
        if word == "after":
            tails[anchor.text] = own.text
        return _taken(log, steps, item, step, beside, path)
    # Another overlay may have taken away what this one was to move.
    log.touch("moves", (*path, own.text), item)
    return steps


def _taken(log: MergeLog, steps: SequenceNode, item: Mapping, step: Mapping, beside: str, path: Path) -> SequenceNode:
    own = item.get("id")
    word = "after" if "after" in item else "before"
    anchor = item.get(word)
    assert isinstance(own, Scalar)
    assert isinstance(anchor, Scalar)
    places: list[Path] = []

    def take(found: list[Node], place: int, within: Path) -> None:
        places.append(within)
        del found[place]

    def put(found: list[Node], place: int, within: Path) -> None:
        places.append(within)
        found.insert(place + (word == "after"), step)

    without = edit(steps, own.text, take, path)
    arranged = edit(without, beside, put, path) if without is not None else None
    assert arranged is not None
    (before, after), known_as = places, (*path[:3], own.text)
    if [place for place, _ in located(arranged, path)] == [place for place, _ in located(steps, path)]:
        related = (Related(step.span, "it is here"),)
        message = f"`{own.text}` stands there already"
        log.report(codes.OVERRIDE_WITHOUT_EFFECT, message, item, related, path=(*before, own.text))
    log.history.move((*before, own.text), (*after, own.text))
    log.record((*after, own.text), "moves", step, item)
    # Wherever it stood and stands, a step is known by its id in all of its procedure: that is said last.
    for known in ((*before, own.text), known_as):
        log.touch("moves", known, item)
    log.places(after, own.text, {word: anchor}, item)
    return arranged


def _circle(left: Sequence[Mapping]) -> list[Mapping]:
    """Steps that wait for each other, in the order written."""
    placed = {_placed(item): item for item in left}
    circle = [left[0]]
    while (following := placed[_anchor(circle[-1])]) not in circle:
        circle.append(following)
    return sorted(circle[circle.index(following) :], key=lambda item: item.span)


def _report(log: MergeLog, circle: Sequence[Mapping]) -> None:
    first, *others = circle
    related = tuple(Related(other.span, f"`{_placed(other)}` waits for it in turn") for other in others)
    message = f"`{_placed(first)}` and what it stands beside wait for each other"
    log.report(codes.CONTRADICTORY_ORDER, message, first, related)


def _placed(item: Mapping) -> str | None:
    """The id of a step that is placed beside another, whether new or moved."""
    own = item.get("id")
    return own.text if isinstance(own, Scalar) and _anchor(item) is not None else None


def _anchor(item: Mapping) -> str | None:
    beside = item.get("after") or item.get("before")
    return beside.text if isinstance(beside, Scalar) else None
