"""Dice notation: every form the grammar has, with what it rolls between and its mean, worked out by the engine."""

from __future__ import annotations

from reference._markdown import code, fenced, joined, table
from rulewright.dice.bounds import maximum, mean, minimum
from rulewright.dice.errors import DiceError
from rulewright.dice.parse import parse
from rulewright.resources import resource

INTRODUCTION = """\
# Dice

A roll is written the way players write it. The same notation stands in rules files, after `rulewright roll` and after
`rulewright odds`. Blanks do not matter, and the die symbol 🎲 may stand before any roll.
"""

FORMS: tuple[tuple[str, str, str], ...] = (
    ("constant", "7", "A number: a roll that always comes to the same."),
    ("single", "d6", "One die of six faces, 1 to 6."),
    ("pool", "2d6", "Several dice, added up. Dice of a ruleset's own, such as `dP`, go there where one is named."),
    ("added", "2d6 +6", "Rolls and numbers added; a number counts once."),
    ("taken", "2d6 - 1d4", "And taken away."),
    ("plus", "+ 2d6", "A plus before a roll changes nothing."),
    ("minus", "10 - d4", "A minus before a roll turns it round."),
    ("times", "(3 * 1d6) +2", "A roll times a number: rolled once, then multiplied. `2 * 3d6` is not `6d6`."),
    ("keep", "4d6kh3", "The highest three of four; `kl` keeps the lowest, `dh` and `dl` drop."),
    ("keep_single", "d6kh1", "The same of a single die."),
    ("function", "max(1d6, 1d8)", "All are rolled; the greatest counts, or the least with `min`."),
    (
        "compare",
        "5d6 +15 > 7d6 +21",
        "1 if it holds and 0 if not, so its mean is its chance. Also `>=`, `<`, `<=`, `==`, `!=`.",
    ),
    ("symbol", "🎲2d6", "The die symbol, for looks."),
)
"""Every form that is rolled: its name in the grammar, an example, and what it means."""

REFUSED: tuple[tuple[str, str], ...] = (
    ("chain", "1 < 2d6 < 5"),
    ("unsupported", "2d6 / 2"),
    ("keep", "4d6d1"),
    ("pool", "0d6"),
    ("single", "d%"),
)
"""Forms that are read only to be refused, with the reason."""


def page() -> str:
    """The page."""
    rows = []
    for _, example, means in FORMS:
        roll = parse(example)
        rows.append((code(example), means, f"{minimum(roll)} to {maximum(roll)}", str(mean(roll))))
    refused = [(code(example), _refusal(example)) for _, example in REFUSED]
    return joined(
        INTRODUCTION,
        table(("written", "means", "comes to", "mean"), rows),
        "## What is refused",
        "Where a notation could mean two things, it means none, and the answer says what to write instead.",
        table(("written", "answer"), refused),
        "## The grammar",
        fenced((resource("grammar") / "dice.lark").read_text(encoding="utf-8")),
    )


def _refusal(notation: str) -> str:
    try:
        parse(notation)
    except DiceError as error:
        hint = f" Write {code(error.suggestion)}." if error.suggestion else ""
        return f"{error.message}.{hint}"
    raise ValueError(f"{notation} is not refused")
