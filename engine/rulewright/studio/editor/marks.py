"""What an editor shows beside the letters: colours by what a word means, and what dice come to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from rulewright.dice.errors import DiceError
from rulewright.ruleset.layers.origins import Path as RulePath
from rulewright.ruleset.section import sections
from rulewright.source.files.unsaved import key_of_file
from rulewright.source.span import Span
from rulewright.studio.editor import odds
from rulewright.studio.editor.pointing import moves
from rulewright.studio.editor.workspace import Good, Workspace

SORTS = ("class", "enum", "enumMember", "property", "variable", "function", "method", "event", "parameter", "macro")
"""The sorts of words, by the names that editors have colours for."""

_COLOUR = {"struct": "class", "number": "variable", "word": "macro"}
"""What those go by that editors have no colour of their own for."""

_OF_PART = {"rows": "enumMember", "choices": "enumMember", "given": "parameter"}


@dataclass(frozen=True, slots=True)
class Mark:
    """A word, the sort of what it means, and whether it declares that."""

    span: Span
    sort: str
    declares: bool


@dataclass(frozen=True, slots=True)
class Hint:
    """A short word behind a place of a file, and more of it."""

    line: int
    column: int
    text: str
    more: str


def marks(workspace: Workspace, path: Path) -> list[Mark]:
    """The words of a file that mean something, in order, none inside another."""
    good = next(iter(workspace.good(path)), None)
    named = good.files.get(key_of_file(path)) if good is not None else None
    if good is None or named is None:
        return []
    moved = moves(workspace, good, key_of_file(path))
    found: list[Mark] = []
    for mention in good.mentions.by_file.get(named, ()):
        span, sort = moved.now(mention.span), _sort(mention.path)
        if span is None or sort is None or span.line != span.end_line:
            continue
        if found and (found[-1].span.line, found[-1].span.end_column) > (span.line, span.column):
            continue
        found.append(Mark(span, sort, mention.declares))
    return found


def _sort(path: RulePath) -> str | None:
    if path[0] == "@":
        return "parameter"
    if len(path) == 3:
        return "event"
    if len(path) > 3:
        return _OF_PART.get(path[2], "property")
    section = sections().get(path[0])
    return _COLOUR.get(section.sort, section.sort) or None if section is not None else None


def hints(workspace: Workspace, path: Path, first: int, last: int) -> list[Hint]:
    """What dice come to on average, and how often the rows of roll tables come up, between two lines of a file."""
    good = next(iter(workspace.good(path)), None)
    key = key_of_file(path)
    named = good.files.get(key) if good is not None else None
    if good is None or named is None:
        return []
    moved = moves(workspace, good, key)
    found = {}
    for span, text, more in (*_dice(good, named), *_rows(good, key)):
        here = moved.now(span)
        if here is not None and first <= here.line <= last:
            found[here] = Hint(here.end_line, here.end_column, text, more)
    return [found[span] for span in sorted(found)]


def _dice(good: Good, named: str) -> Iterator[tuple[Span, str, str]]:
    for reading in good.mentions.readings.get(named, ()):
        written = reading.scalar.text
        if not any(letter.isdigit() for letter in written):
            continue
        try:
            roll = good.ruleset.declarations.read_dice(written.strip().strip("{}"))
        except DiceError:  # a number, or an expression with names in it
            continue
        mean = odds.mean_of(roll)
        if mean is not None:
            yield reading.scalar.span, f"⌀ {mean}", "\n".join(odds.told(roll))


def _rows(good: Good, key: str) -> Iterator[tuple[Span, str, str]]:
    for table in good.ruleset.declarations.tables.values():
        found = odds.odds_of(table.roll) if table.roll is not None else None
        for row in table.rows.values() if found is not None else ():
            on_a_line = row.span.line == row.span.end_line and key_of_file(row.span.file) == key
            if found is not None and row.faces and on_a_line:
                chance = sum((found.probability(face) for face in row.faces), Fraction(0))
                yield row.span, f"{odds.number(100 * chance)} %", f"how often `{row.id}` comes up"
