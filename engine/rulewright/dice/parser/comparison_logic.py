"""`and`, `or` and `not` between comparisons: `max`, `min` and the opposite comparison here."""

from __future__ import annotations

import re

_OPPOSITE = {"==": "!=", "!=": "==", "=": "!=", ">=": "<", "<": ">=", "<=": ">", ">": "<="}
_COMPARISON = re.compile(r"(?P<roll>[^<>=!]*?)\s*(?P<sign>[<>=!]=|[<>=])\s*(?P<number>-?\s*[0-9]+)")
_BETWEEN = re.compile(r"^(?P<before>.*\bif\s+)(?P<condition>.+?)(?P<after>\s+else\b.*)$", re.DOTALL)
_OR, _AND = re.compile(r"\s+or\s+|\s*\|\|\s*"), re.compile(r"\s+and\s+|\s*&&\s*")
CONDITIONS = (
    "for `or`, take the max of the comparisons; for `and`, the min, as in min(1d20 >= 10, 1d6 > 3); "
    "for `not`, write the opposite comparison"
)
"""The hint for unsupported combinations of conditions."""

CONDITION_WORDS: dict[str, list[str]] = {"or": ["max"], "and": ["min"], "not": []}
"""The functions to suggest if `or`, `and` or `not` is written as a function."""

_NOT = re.compile(r"^(?:not\b\s*|!\s*(?=\())")
_ONE_SIGN = re.compile(r"(?<![<>=!])=(?!=)")
_DICE = re.compile(r"d\s*[0-9{%]")


def rewrite_conditions(text: str) -> tuple[str, str | None] | None:
    """Return `text` with its conditions in this notation, or None if it has none.

    The first result rolls a repeated roll once, and is empty if a condition is only a number. The second rolls it again
    in each comparison, or is None if that is the same.
    """
    between = _BETWEEN.match(text)
    if between is not None:
        conditions = rewrite_conditions(between["condition"])
        if conditions is None:
            return None
        once, repeat = conditions
        before, after = between["before"], between["after"]
        return before + once + after, None if repeat is None else before + repeat + after
    if not (_OR.search(text) or _AND.search(text) or _NOT.match(text.strip())):
        return None
    text = _in_full(_ONE_SIGN.sub("==", text))
    repeat = _rewrite(text)
    leaves = [_NOT.sub("", leaf.strip()) for part in _OR.split(text) for leaf in _AND.split(part)]
    if any(leaf.strip("() ").isdecimal() for leaf in leaves):
        return "", None  # a bare number is not a condition, and there is nothing to compare it with
    shapes = [_COMPARISON.fullmatch(leaf.strip("() ")) for leaf in leaves]
    rolls = {shape["roll"].replace(" ", "") if shape else "" for shape in shapes}
    [roll] = rolls if len(rolls) == 1 else [""]
    if len(leaves) < 2 or not _DICE.search(roll):
        return repeat, None
    written = next(shape["roll"].strip() for shape in shapes if shape)
    return f"{written} as x: {_rewrite(re.sub(re.escape(written), 'x', text))}", repeat


def _in_full(text: str) -> str:
    """Return `text` with numbers after `or` completed to comparisons: `2d6 == 7 or 2d6 == 11` for `2d6 == 7 or 11`."""
    whole: list[str] = []
    for leaf in _OR.split(text):
        before = _COMPARISON.fullmatch(whole[-1].strip()) if whole and leaf.strip().isdecimal() else None
        whole.append(f"{before['roll']} {before['sign']} {leaf.strip()}" if before else leaf)
    return " or ".join(whole)


def _rewrite(text: str) -> str:
    """Return `text` with `or` as `max`, `and` as `min`, which binds closer, and `not` as the opposite comparison."""
    for split, function in ((_OR, "max"), (_AND, "min")):
        parts = split.split(text.strip())
        if len(parts) > 1:
            return f"{function}({', '.join(map(_rewrite, parts))})"
    leaf = text.strip()
    match = _NOT.match(leaf)
    if match is None:
        return leaf
    inside = leaf[match.end() :]
    shape = _COMPARISON.fullmatch(inside.strip("() "))
    return f"{shape['roll']} {_OPPOSITE[shape['sign']]} {shape['number']}" if shape else f"1 - ({inside})"
