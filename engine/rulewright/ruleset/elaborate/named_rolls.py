"""Declare named rolls and roll functions from the section `dice:`."""

from __future__ import annotations

import re

from rulewright.dice.dice_context import RollFunction
from rulewright.dice.dice_error import DiceError
from rulewright.dice.parser.semantics import FUNCTIONS
from rulewright.language import language_diagnostics as language_codes
from rulewright.language.declarations import Declarations
from rulewright.ruleset import ruleset_diagnostics
from rulewright.ruleset.elaborate.node_readers import list_items, read_text
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Entry, Mapping, Scalar
from rulewright.source.span import Span

KEPT = ("if", "else", "as", "times")
"""Reserved words of the dice notation."""

_NAME = re.compile(r"[a-z][a-z0-9_]*")


def declare_named_rolls(named: dict[str, Entry], declarations: Declarations, diagnostics: Diagnostics) -> None:
    """Declare the rolls in these entries in `declarations.functions`, dependencies first.

    Invalid ones, and those that depend on them or on each other in a cycle, are reported and left out.
    """
    waiting = {name: entry for name, entry in named.items() if _sound(name, entry, declarations, diagnostics)}
    while waiting:
        done = [name for name, entry in waiting.items() if _declare(name, entry, declarations, None)]
        for name in done:
            del waiting[name]
        if not done:
            # Each of the remaining rolls is invalid or depends on an invalid one; report them all.
            for name, entry in waiting.items():
                _declare(name, entry, declarations, diagnostics)
            return


def _read_names(entry: Entry) -> tuple[str, ...]:
    assert isinstance(entry.value, Mapping)
    return tuple(read_text(item) for item in list_items(entry.value.get("given")))


def _sound(name: str, entry: Entry, declarations: Declarations, diagnostics: Diagnostics) -> bool:
    """Return whether an entry has a valid name, valid parameters and a roll. Each fault is reported."""
    assert isinstance(entry.value, Mapping)
    given = _read_names(entry)
    faults: list[tuple[str, Span, str]] = []
    if not _NAME.fullmatch(name) or name in (*FUNCTIONS, *KEPT):
        hint = (
            "name a roll in lower case, such as `burning`; name a die `d` and a capital letter, such as `dP`, "
            "and give it `faces`"
        )
        faults.append((f"`{name}` is not a valid name for a roll", entry.key.span, hint))
    for place, each in enumerate(given):
        if not _NAME.fullmatch(each) or each in KEPT or each in given[:place]:
            faults.append((f"`{each}` is not a valid parameter name", entry.key.span, "write `of: x`, or `of: [a, b]`"))
    if not isinstance(entry.value.get("is"), Scalar):
        hint = "a die has `faces: 1..6`, a named roll `is: 4d6! +2`"
        faults.append((f"`{name}` has neither `faces` nor `is`", entry.key.span, hint))
    for message, span, advice in faults:
        diagnostics.add(ruleset_diagnostics.FACES_SYNTAX, message, span, suggestion=advice)
    return not faults


def _declare(name: str, entry: Entry, declarations: Declarations, diagnostics: Diagnostics | None) -> bool:
    """Declare a roll and return True, or return False if it cannot be read.

    The reason is reported if there are `diagnostics`. It may be that it uses a roll that is not declared yet.
    """
    assert isinstance(entry.value, Mapping)
    body = entry.value.get("is")
    assert isinstance(body, Scalar)
    given = _read_names(entry)
    try:
        declarations.functions[name] = RollFunction(given, declarations.read_dice(body.text, names=given))
    except DiceError as error:
        if diagnostics is not None:
            span = body.position(error.start, max(1, error.end - error.start))
            hint = f"write `{error.suggestion}`" if error.suggestion else error.help
            diagnostics.add(language_codes.DICE_NOTATION, error.message, span, suggestion=hint)
        return False
    return True
