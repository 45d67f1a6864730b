"""Semantic tokens and inlay hints: the meaning of words, and the averages of dice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from rulewright.dice.dice_error import DiceError
from rulewright.lsp.features import odds_hover
from rulewright.lsp.features.edition_states import Good
from rulewright.lsp.features.hover import describe_option
from rulewright.lsp.features.symbol_at import map_lines
from rulewright.lsp.features.workspace import Workspace
from rulewright.ruleset.elaborate.node_readers import list_items
from rulewright.ruleset.elaborate.table_faces import describe_faces
from rulewright.ruleset.layers.value_origins import Path as RulePath
from rulewright.ruleset.section import load_sections
from rulewright.source.files.unsaved_texts import build_file_key
from rulewright.source.nodes import Mapping, Scalar
from rulewright.source.span import Span

SORTS = ("class", "enum", "enumMember", "property", "variable", "function", "method", "event", "parameter", "macro")
"""The token types, which are the names that editors have colours for."""

_COLOUR = {"struct": "class", "number": "variable", "word": "macro"}
"""The token types for sorts that editors have no colour for."""

_OF_PART = {"rows": "enumMember", "choices": "enumMember", "given": "parameter"}


@dataclass(frozen=True, slots=True)
class Mark:
    """A word, the sort of its meaning, and whether it is a declaration."""

    span: Span
    sort: str
    declares: bool


@dataclass(frozen=True, slots=True)
class Hint:
    """A short text after a position of a file, with a longer text as a tooltip."""

    line: int
    column: int
    text: str
    more: str


def list_tokens(workspace: Workspace, path: Path) -> list[Mark]:
    """Return the words of a file that name something, in order and without overlaps.

    Words in changed lines are left out. Empty if no edition reads the file.
    """
    good = next(iter(workspace.list_good(path)), None)
    named = good.files.get(build_file_key(path)) if good is not None else None
    if good is None or named is None:
        return []
    moved = map_lines(workspace, good, build_file_key(path))
    marks: list[Mark] = []
    for mention in good.mentions.by_file.get(named, ()):
        span, sort = moved.map_forward(mention.span), _sort(mention.path)
        if span is None or sort is None or span.line != span.end_line:
            continue
        if marks and (marks[-1].span.line, marks[-1].span.end_column) > (span.line, span.column):
            continue
        marks.append(Mark(span, sort, mention.declares))
    return marks


def _sort(path: RulePath) -> str | None:
    """Return the token type of the name at a path, or None if it has none."""
    if path[0] == "@":
        return "parameter"
    if len(path) == 3:
        return "event"
    if len(path) > 3:
        return _OF_PART.get(path[2], "property")
    section = load_sections().get(path[0])
    return _COLOUR.get(section.sort, section.sort) or None if section is not None else None


def list_hints(workspace: Workspace, path: Path, first: int, last: int) -> list[Hint]:
    """Return the inlay hints from line `first` to line `last` of a file, both included and counted from 1.

    They are the averages of dice, the chances and faces of the rows of roll tables, and the steps at which entries of
    an example's script are used. For these, the examples in the lines run, unless the rules have errors. Empty if no
    edition reads the file.
    """
    good = next(iter(workspace.list_good(path)), None)
    key = build_file_key(path)
    named = good.files.get(key) if good is not None else None
    if good is None or named is None:
        return []
    moved = map_lines(workspace, good, key)

    def near(span: Span) -> bool:
        here = moved.map_forward(span)
        return here is not None and first <= here.line <= last

    # Only valid rules can run.
    steps = () if workspace.list_errors(good) else _steps(good, key, near)
    results = {}
    for span, text, more in (*_dice(good, named), *_rows(good, key), *_faces(good, key), *steps):
        here = moved.map_forward(span)
        if here is not None and first <= here.line <= last:
            results[here] = Hint(here.end_line, here.end_column, text, more)
    return [results[span] for span in sorted(results)]


def _dice(good: Good, named: str) -> Iterator[tuple[Span, str, str]]:
    """Yield the span, mean and chart of each scalar in a file that is only dice notation.

    Leaves out rolls with a single result, and rolls whose odds take too long to compute.
    """
    for reading in good.mentions.readings.get(named, ()):
        written = reading.scalar.text
        if not any(letter.isdigit() for letter in written):
            continue
        try:
            roll = good.ruleset.declarations.read_dice(written.strip().strip("{}"))
        except DiceError:  # a number, or an expression with names in it
            continue
        mean = odds_hover.describe_mean(roll)
        if mean is not None:
            yield reading.scalar.span, f"⌀ {mean}", "\n".join(odds_hover.describe_roll(roll))


def _rows(good: Good, key: str) -> Iterator[tuple[Span, str, str]]:
    """Yield the span, chance and explanation of each row of a roll table that is on one line of a file."""
    for table in good.ruleset.declarations.tables.values():
        result = odds_hover.compute_odds(table.roll) if table.roll is not None else None
        for row in table.rows.values() if result is not None else ():
            on_a_line = row.span.line == row.span.end_line and build_file_key(row.span.file) == key
            if result is not None and row.faces and on_a_line:
                chance = sum((result.get_probability(face) for face in row.faces), Fraction(0))
                yield row.span, f"{odds_hover.number(100 * chance)} %", f"probability of `{row.id}`"


def _faces(good: Good, key: str) -> Iterator[tuple[Span, str, str]]:
    """Yield a hint for the `rows:` of each roll table in a file: all of its faces, or those without a row.

    It is the span, the text and an explanation. `key` is that of the file.
    """
    for table in good.ruleset.declarations.tables.values():
        result = odds_hover.compute_odds(table.roll) if table.roll is not None else None
        node = _resolve(good, "tables", table.id)
        span = node.find_key_span("rows") if node is not None and "rows" in node else None
        if result is None or span is None or build_file_key(span.file) != key:
            continue
        covered = {face for row in table.rows.values() for face in row.faces}
        outcomes = [int(outcome) for outcome in result.outcomes]
        missing = describe_faces([outcome for outcome in outcomes if outcome not in covered], outcomes)
        text = f"{missing} missing" if missing else f"all of {describe_faces(outcomes, outcomes)}"
        yield span, text, f"faces of `{table.id}` that belong to a row"


def _steps(good: Good, key: str, near: Callable[[Span], bool]) -> Iterator[tuple[Span, str, str]]:
    """Yield a hint for each entry of the scripts of examples in a file: the step that uses it.

    It is the span, the text and an explanation. `key` is that of the file. Runs each example with an entry that `near`
    selects, and skips the others.
    """
    from rulewright.lsp.features.scratch_run import list_steps

    for example in good.ruleset.examples.values():
        scripted = [each for part in ("dice", "choose") for each in list_items(example.node.get(part))]
        if not any(build_file_key(each.span.file) == key and near(each.span) for each in scripted):
            continue
        for part, steps in zip(("dice", "choose"), list_steps(good.ruleset, example.id), strict=True):
            for entry, rule in zip(list_items(example.node.get(part)), steps, strict=False):
                if build_file_key(entry.span.file) == key:
                    option = describe_option(entry.text) if part == "choose" and isinstance(entry, Scalar) else ""
                    yield (
                        entry.span,
                        rule.removeprefix(f"{example.of}."),
                        f"used by the step `{rule}`. {option}".strip(),
                    )


def _resolve(good: Good, section: str, id: str) -> Mapping | None:
    value = good.ruleset.resolved.rules.get(section)
    node = value.get(id) if isinstance(value, Mapping) else None
    return node if isinstance(node, Mapping) else None
