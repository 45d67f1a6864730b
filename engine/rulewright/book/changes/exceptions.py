"""Changes of special cases."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.book.changes.change import Line, line, said
from rulewright.book.changes.side import Pair, Side
from rulewright.book.changes.step_heads import Heads
from rulewright.book.changes.texts import text_lines
from rulewright.language.lowering import result
from rulewright.language.step import Procedure, Step
from rulewright.ruleset.queries.difference import Difference
from rulewright.source.nodes import Scalar


def lines(pair: Pair, identity: str, group: list[Difference]) -> Iterator[Line]:
    """To which step it is an exception, when it applies, and what is then done."""
    if not identity:
        return
    yield from text_lines(pair, group)
    for keys, label, of in (
        (("to",), "An exception to", _place),
        (("when",), "It applies if", _condition),
        (("instead",), "Instead", _instead),
    ):
        covers = [difference.path for difference in group if difference.path[2] in keys]
        if covers:
            before, after = of(pair.before, identity), of(pair.after, identity)
            yield line("changed", label, before, after, covers=covers)


def whole(side: Side, identity: str, difference: Difference) -> Iterator[Line]:
    """The special case in words, where it belongs, and when it applies."""
    node = side.node("exceptions", identity)
    place = _place(side, identity)
    applies = f" It applies if {_condition(side, identity)}." if _find(side, identity) else ""
    sentence = f"{side.words(node.get('means'))} It belongs to “{place}”.{applies}"
    yield said(difference.what, sentence, covers=[difference.path])


def _place(side: Side, identity: str) -> str:
    to = side.node("exceptions", identity).get("to")
    procedure, _, step = (to.text if isinstance(to, Scalar) else "").partition(".")
    if procedure not in side.ruleset.procedures:
        return procedure
    number = Heads(side, side.ruleset.procedures[procedure]).numbers.get(step, "")
    return f"{side.title('procedures', procedure)}, step {number}" if number else side.title("procedures", procedure)


def _condition(side: Side, identity: str) -> str:
    found = _find(side, identity)
    value = result(found[1]) if found else None
    return side.english.condition(value) if value is not None else "it does"


def _instead(side: Side, identity: str) -> str:
    found = _find(side, identity)
    steps = {step.id: step for step in found[0].steps()} if found else {}
    group = steps.get(f"{identity}.instead")
    if found is None or group is None:
        return "nothing"
    return Heads(side, found[0]).whole(group.blocks[0])


def _find(side: Side, identity: str) -> tuple[Procedure, Step] | None:
    """The step that asks whether the special case holds, and the procedure it stands in."""
    to = side.node("exceptions", identity).get("to")
    procedure = side.ruleset.procedures.get(to.text.partition(".")[0]) if isinstance(to, Scalar) else None
    if procedure is None:
        return None
    return next(((procedure, step) for step in procedure.steps() if step.id == identity), None)
