"""Suggestions of braces in an expression that contains a roll which needs them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rulewright.language.declarations import Scope
from rulewright.language.expressions.expression_parser import ExpressionError, parse_expression
from rulewright.language.expressions.untyped_ast import DiceLiteral, Syntax

DICE_INSIDE = re.compile(r"d[0-9{%A-Z]")
"""A pattern that occurs in every text with dice."""


def is_roll(text: str, scope: Scope) -> bool:
    """Return whether the whole of `text` is a roll in the notation of dice.

    Records a roll in the declarations, as `Declarations.read_dice` does.
    """
    from rulewright.dice.dice_error import DiceError

    try:
        scope.declarations.read_dice(text)
    except DiceError:
        return False
    return True


def with_braces(text: str, scope: Scope, sound: Callable[[str], bool]) -> str | None:
    """Return `text` with braces around each of its largest parts that are rolls but not valid expressions.

    Braces around the whole text are removed first. None if the text cannot be parsed, has no such parts, or is not
    valid afterwards. `sound` returns whether a text is a valid expression.
    """
    text = text.strip()
    if text.startswith("{") and text.endswith("}"):
        text = text[1:-1].strip()
    try:
        tree = parse_expression(text)
    except ExpressionError:
        return None
    parts = list(_rolls(tree, text, scope, sound))
    for part in reversed(parts):
        text = f"{text[: part.start]}{{{text[part.start : part.end]}}}{text[part.end :]}"
    return text if parts and sound(text) else None


def _rolls(node: Syntax, text: str, scope: Scope, sound: Callable[[str], bool]) -> Iterator[Syntax]:
    """Yield the largest parts of the tree of `text` that are rolls but not valid expressions.

    `sound` returns whether a text is a valid expression.
    """
    written = text[node.start : node.end]
    if isinstance(node, DiceLiteral) or not DICE_INSIDE.search(written):
        return
    # `sound` parses a part again, so it is called only for the few parts that are rolls.
    if not is_roll(written, scope):
        for child in node.children:
            yield from _rolls(child, text, scope, sound)
    elif not sound(written):
        yield node
