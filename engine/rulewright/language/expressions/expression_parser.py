"""Text of an expression or a type → untyped tree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from rulewright.base.incremental.known_values import get_value
from rulewright.base.lalr_parser import LalrParser, UnreadableError
from rulewright.base.lazy import compute_once
from rulewright.language.expressions import untyped_ast
from rulewright.language.expressions.expression_error import (
    ExpressionError,
    explain_unexpected_character,
    explain_unexpected_token,
)

__all__ = ["ExpressionError", "parse_expression", "parse_type"]

LONGEST = 2_000
"""The maximum length of an expression in characters: name parts of a longer one under `formulas:`."""

DEEPEST = 30
"""The maximum nesting depth of an expression, which recursion over its tree and the generated Python can handle."""


_INTEGER = re.compile(r"[ \t\r\n]*([0-9]{1,18})[ \t\r\n]*")
"""A single whole number: the most common expression, recognized without the parser."""


@lru_cache(maxsize=4096)
def parse_expression(text: str) -> untyped_ast.Syntax:
    """Return the untyped tree of `text`. Cached.

    Raises `ExpressionError` for a syntax error, and for a text that is empty, too long or too deep.
    """
    if (integer := _INTEGER.fullmatch(text)) is not None:
        return untyped_ast.Literal(*integer.span(1), int(integer[1]))
    tree = parse_by_grammar(text, "expression")
    assert isinstance(tree, untyped_ast.Syntax)
    _refuse_depth(tree)
    return tree


@lru_cache(maxsize=512)
def parse_type(text: str) -> untyped_ast.TypeName:
    """Return the tree of a type such as `optional player`. Raises `ExpressionError`."""
    tree = parse_by_grammar(text, "type")
    assert isinstance(tree, untyped_ast.TypeName)
    _refuse_depth(tree)
    return tree


def parse_by_grammar(text: str, start: str) -> Any:
    """Return the tree that the grammar's rule `start` gives for `text`.

    Raises `ExpressionError` for a syntax error, and for a text that is empty, too long or too deep.
    """
    return get_value(["expression", start, text], lambda: _parse(text, start))


def _parse(text: str, start: str) -> Any:
    """Return the tree that the grammar's rule `start` gives for `text`.

    Raises `ExpressionError` for a syntax error, and for a text that is empty, too long or too deep.
    """
    from rulewright.language.expressions.tree_builder import Build

    if len(text) > LONGEST:
        raise ExpressionError(
            "expression-too-large",
            f"this expression has {len(text)} characters, but only {LONGEST} are allowed",
            0,
            len(text),
        )
    if not text.strip():
        raise ExpressionError("expression-syntax", "this expression is empty", 0, max(len(text), 1))
    _refuse_brackets(text)
    try:
        return _reader().read(text, Build(), start)
    except (ExpressionError, UnreadableError):
        _refuse_syntax(text, start)
        raise


def _refuse_syntax(text: str, start: str) -> None:
    """Raise `ExpressionError` for a syntax error, which takes precedence over other errors."""
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    from rulewright.base.lalr_tables import EXPRESSIONS

    try:
        EXPRESSIONS.lark.parse(text, start=start)
    except UnexpectedCharacters as error:
        raise explain_unexpected_character(text, error.pos_in_stream or 0) from None
    except UnexpectedToken as error:
        raise explain_unexpected_token(text, error) from None


def _refuse_brackets(text: str) -> None:
    """Raise `ExpressionError` for brackets that are nested too deep, before the parser spends time on them."""
    depth = 0
    for at, character in enumerate(text):
        if character in "([":
            depth += 1
            if depth > DEEPEST:
                raise _too_deep(at)
        elif character in ")]":
            depth -= 1


def _refuse_depth(tree: untyped_ast.Syntax) -> None:
    """Raise `ExpressionError` for a tree that is nested too deep."""
    level: Sequence[untyped_ast.Syntax] = (tree,)
    for _ in range(DEEPEST + 1):
        level = [child for node in level for child in node.children]
        if not level:
            return
    raise _too_deep(level[0].start)


def _too_deep(at: int) -> ExpressionError:
    """Return the error for brackets or operators that are nested too deep at an offset."""
    return ExpressionError(
        "expression-too-large",
        f"this expression is nested deeper than {DEEPEST} levels",
        at,
        at + 1,
        "name a part of it under `formulas:` and use that name",
    )


@compute_once
def _reader() -> LalrParser:
    from rulewright.base.lalr_tables import EXPRESSIONS
    from rulewright.language.expressions.tree_builder import Build

    return LalrParser(EXPRESSIONS.load_tables(), Build)
