"""Phrases for sums and differences, on one line or as a list of their parts."""

from __future__ import annotations

from rulewright.book.english import aggregate_phrases
from rulewright.book.english.clauses import Say
from rulewright.book.english.phrase import Bond, Phrase, build, build_list
from rulewright.language.expressions import typed_ast as t
from rulewright.language.types import INTEGER, Integer

_MOST_ON_ONE_LINE = 3
"""The maximum number of parts of a sum on one line. Longer sums are lists."""


def describe_sum(say: Say, node: t.Arithmetic) -> Phrase:
    """Return the phrase for a sum or difference. It becomes a list if its parts do not fit into one sentence."""
    parts: list[tuple[str, t.Typed]] = []
    rest: t.Typed = node
    while isinstance(rest, t.Arithmetic) and rest.operator in ("+", "-") and not is_minus(rest):
        parts.insert(0, (rest.operator, rest.right))
        rest = rest.left
    parts.insert(0, ("+", rest))
    lines = [(operator, _summand(say, part)) for operator, part in parts]
    *before, (_, last) = lines
    if all(phrase.bond == Bond.WORD for _, phrase in before) and last.bond <= Bond.NOUN and not last.items:
        words: list[str | Phrase] = [lines[0][1]]
        for operator, phrase in lines[1:]:
            words += [" plus " if operator == "+" else " minus ", phrase]
        return build(*words, bond=Bond.OPEN)
    if _is_one_noun_among_names(lines):
        # The noun comes last, because words after it could be read as part of it.
        first, *others = sorted((phrase for _, phrase in lines), key=lambda phrase: phrase.bond)
        return build(first, *(piece for each in others for piece in (" plus ", each)), bond=Bond.OPEN)
    if len(parts) == 2 and parts[1][0] == "-":
        left, optional = say.inside(parts[0][1]), _find_optional(parts[1][1])
        right = say.inside(parts[1][1] if optional is None else optional)
        return build(left, " minus ", right, "" if optional is None else ", if any", bond=Bond.OPEN)
    if _fits_one_line(parts, lines):
        added: list[str | Phrase] = [lines[0][1]]
        for operator, phrase in lines[1:]:
            added += [", plus " if operator == "+" else ", minus ", phrase]
        return build(*added, bond=Bond.OPEN)
    summands = [phrase if operator == "+" else _less(phrase) for operator, phrase in lines]
    return build_list("the sum of these", summands)


def _fits_one_line(parts: list[tuple[str, t.Typed]], lines: list[tuple[str, Phrase]]) -> bool:
    """Return whether a comma before each `plus` shows where the parts of a sum begin: `4, plus 2 for each Bed`.

    No part may have a comma or a sum of its own.
    """
    firm = (_is_firm_part(node, phrase) for (_, node), (_, phrase) in zip(parts, lines, strict=True))
    return len(lines) <= _MOST_ON_ONE_LINE and all(firm)


def _is_firm_part(node: t.Typed, phrase: Phrase) -> bool:
    """Return whether a part of a sum is a noun phrase, or a number for each of several things."""
    is_share = isinstance(node, t.Arithmetic) and node.operator == "*" and isinstance(node.type, Integer)
    is_share = is_share and any(isinstance(factor, t.Constant) for factor in node.children)
    firm = not phrase.items and not phrase.where and "," not in phrase.words
    return firm and (phrase.bond <= Bond.RELATIVE or is_share)


def _summand(say: Say, part: t.Typed) -> Phrase:
    """Return one part of a sum. A part that is otherwise 0 says only when it counts: `25 if the hand is empty`."""
    if isinstance(part, t.If) and part.otherwise == t.Constant(INTEGER, 0):
        clause = say.clause(part.condition)
        if not clause.items:
            return build(describe_case(say, part.then), " if ", clause, bond=Bond.OPEN)
    total = aggregate_phrases.describe_summands(say, part) if isinstance(part, t.Aggregate) else None
    return say.phrase(part) if total is None else total


def _find_optional(part: t.Typed) -> t.Typed | None:
    """Return the optional number that is 0 if there is none, or None for other numbers."""
    return part.first if isinstance(part, t.Coalesce) and part.otherwise == t.Constant(INTEGER, 0) else None


def _is_one_noun_among_names(parts: list[tuple[str, Phrase]]) -> bool:
    """Return whether all parts are added, and exactly one is a noun phrase instead of a name."""
    nouns = [phrase for _, phrase in parts if phrase.bond > Bond.WORD]
    firm = len(nouns) == 1 and nouns[0].bond <= Bond.RELATIVE and not nouns[0].items
    return firm and all(operator == "+" for operator, _ in parts)


def _less(phrase: Phrase) -> Phrase:
    return build_list("less this", [phrase]) if phrase.items else build("less ", phrase, bond=Bond.OPEN)


def is_minus(node: t.Arithmetic) -> bool:
    """Return whether a difference is only a number with a minus sign."""
    return node.operator == "-" and node.left == t.Constant(INTEGER, 0)


def describe_case(say: Say, value: t.Typed) -> Phrase:
    """Return a value that a condition follows. It may be a sum, because no condition is part of one."""
    phrase = say.phrase(value)
    is_sum = isinstance(value, t.Arithmetic) and value.operator in ("+", "-") and not is_minus(value)
    return phrase if is_sum and isinstance(value.type, Integer) and not phrase.items else say.fit(phrase)
