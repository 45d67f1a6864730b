"""Resolve a roll that a user asks for: a roll table, an expression of the rules, or dice notation."""

from __future__ import annotations

import re
from typing import cast

from rulewright.dice.ast import COMPARISONS, Comparison, Constant, Roll
from rulewright.dice.dice_context import RollFunction
from rulewright.dice.dice_error import DiceError
from rulewright.dice.parser.notation import parse
from rulewright.language.declarations import Declarations, Table
from rulewright.language.expressions.expression_error import ExpressionError
from rulewright.language.expressions.expression_parser import parse_expression
from rulewright.language.expressions.untyped_ast import Operation
from rulewright.language.language_diagnostics import DICE_NOTATION, EXPRESSION_SYNTAX
from rulewright.language.types import DICE
from rulewright.ruleset.elaborate.node_readers import read_constant
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.ruleset_diagnostics import NOT_CONSTANT
from rulewright.ruleset.schema.edition_reference import make_argument_node
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics

_SAID_BY_DICE = ("dice-ambiguous", "dice-limit", "dice-count")
_FIGURE = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?![\w.]*\s*\()")
"""A name, or the path of a number (`towns.large.roll`), that is not a function call."""


def resolve_roll(ruleset: Ruleset, text: str) -> tuple[Roll, Table | None]:
    """Return the roll that `text` means, and its table if it is the id of a roll table.

    Otherwise `text` is an expression that gives dice or a number (`1dP`, `towns.large.roll`), or dice notation in which
    names of the rules may be used as rolls: `count(9d6 >= goal)`. Two rolls, or a roll and a number, may be compared:
    `1dP > 50`. Raises `DiagnosticError` or `DiceError` for anything else, and `DiceError` for ambiguous dice.
    """
    result = ruleset.declarations.tables.get(text.removeprefix("tables."))
    if result is not None and result.roll is not None:
        return result.roll, result
    return _dice(ruleset.declarations, text), None


def _dice(declarations: Declarations, text: str) -> Roll:
    """Return the roll that an expression or dice notation means. An expression of the rules has precedence.

    Raises `DiceError` or `DiagnosticError` if it is neither, depending on the closer reading.
    """
    diagnostics = Diagnostics()
    roll = _resolve_number(declarations, text, diagnostics)
    if roll is not None:
        return roll
    try:
        return _notation(declarations, text)
    except DiceError as error:
        if error.code in _SAID_BY_DICE:
            raise
        compared = _resolve_comparison(declarations, text)
        if compared is not None:
            return compared
        _refuse_moving(declarations, error)
        unreadable = {each.code.id for each in diagnostics.errors} <= {EXPRESSION_SYNTAX.id, DICE_NOTATION.id}
        if unreadable and error.code != "dice-syntax":
            raise
        diagnostics.raise_if_errors()
        raise


def _resolve_number(declarations: Declarations, text: str, diagnostics: Diagnostics) -> Roll | None:
    """Return the dice or number that `text` means as an expression, or None if it has errors, which are reported."""
    _, value = read_constant(make_argument_node(text), declarations, diagnostics, expected=DICE)
    if diagnostics.errors:
        return None
    return Constant(value) if isinstance(value, int) else cast(Roll, value)


def _notation(declarations: Declarations, text: str) -> Roll:
    """Return the roll that dice notation means, with numbers of the rules available as named rolls.

    The notation has no dots, so a path is replaced by a name of the same length. Raises `DiceError`, with positions
    and suggestions for the original text.
    """
    ways = {way.replace(".", "_"): way for way in dict.fromkeys(_FIGURE.findall(text))}
    figures = {name: _resolve_number(declarations, way, Diagnostics()) for name, way in ways.items()}
    functions = {name: RollFunction((), roll) for name, roll in figures.items() if roll is not None}
    flat = _FIGURE.sub(lambda match: match[0].replace(".", "_") if "." in match[0] else match[0], text)
    try:
        return parse(
            flat,
            dice=declarations.dice,
            functions={**functions, **declarations.functions},
            rounding=declarations.rounding or "down",
        )
    except DiceError as error:
        error.expression = text
        for name, way in ways.items():
            if error.suggestion is not None and name != way:
                error.suggestion = error.suggestion.replace(name, way)
        raise


def _resolve_comparison(declarations: Declarations, text: str) -> Roll | None:
    """Return a comparison of two rolls, or None if the text is not one or a side of it is invalid."""
    try:
        tree = parse_expression(text)
    except ExpressionError:
        return None
    if not isinstance(tree, Operation) or tree.operator not in COMPARISONS:
        return None
    at = text.index(tree.operator, tree.operands[0].end)
    try:
        sides = [_dice(declarations, side.strip()) for side in (text[:at], text[at + len(tree.operator) :])]
    except (DiagnosticError, DiceError):
        return None
    return Comparison(tree.operator, *sides)


def _refuse_moving(declarations: Declarations, error: DiceError) -> None:
    """Raise `DiagnosticError` if the unknown name in a dice error is a value that changes during play.

    Does nothing for any other dice error.
    """
    diagnostics = Diagnostics()
    name = error.expression[error.start : error.end]
    if error.code == "unknown-die":
        _resolve_number(declarations, name, diagnostics)
    if any(each.code.id == NOT_CONSTANT.id for each in diagnostics.errors):
        diagnostics.raise_if_errors()
