"""Hover texts: the description of a name, its value, its origin, and its English sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rulewright.book.parts.rule_summaries import build_describer
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.text_style import Style
from rulewright.dice.ast import Roll
from rulewright.dice.dice_error import DiceError
from rulewright.language.declarations import Table
from rulewright.language.expressions.typed_ast import Constant, Typed
from rulewright.language.expressions.untyped_ast import Syntax
from rulewright.language.expressions.word_notes import ScalarReading
from rulewright.language.schema_shapes import Leaf, Shape
from rulewright.language.types import Unknown
from rulewright.lsp.features import odds_hover
from rulewright.lsp.features.edition_states import Good
from rulewright.lsp.features.mentions.mention import Path as RulePath
from rulewright.lsp.features.symbol_at import Meaning, SymbolAt, find_meaning, find_symbol, is_words, map_lines
from rulewright.lsp.features.workspace import Workspace
from rulewright.ruleset.elaborate.node_readers import read_text
from rulewright.ruleset.layers.provenance import trace_provenance
from rulewright.ruleset.queries.lookup import find_node as node_of
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.edition_reference import parse_reference
from rulewright.ruleset.section import load_sections
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.files.unsaved_texts import build_file_key
from rulewright.source.nodes import Mapping, Node, Scalar, follow_keys
from rulewright.source.span import Span

_SIGNATURE = (
    "The signature of a text: a code for the rules that an author last compared it with. "
    "It is not written by hand, but by signing the text."
)
MOST_VALUES = 8
MOST_LINES = 16


@dataclass(frozen=True, slots=True)
class Hover:
    """A hover text, in Markdown, and its range in the file."""

    text: str
    span: Span


def describe_at(workspace: Workspace, path: Path, line: int, column: int) -> Hover | None:
    """Return the hover text of a position, counted from 1, or None if there is none."""
    named = find_meaning(workspace, path, line, column)
    parts: list[list[str]] = []
    span: Span | None = None
    if named is not None:
        what = named.mention.path
        parts.append(list(_describe(named) if what[0] else _edition(workspace, what[1], named.span)))
        span = named.span
    at = find_symbol(workspace, path, line, column)
    good = next(iter(workspace.list_good(path)), None)
    if at is not None:
        if at.is_key and (text := _key(at.way[-1], at)):
            parts.append(text)
        if not at.is_key and at.way[-1:] == ("reviewed",):
            parts.append([_SIGNATURE])
        if not at.is_key and at.way[-1:] == ("choose",) and (option := describe_option(at.scalar.text)):
            parts.append([option])
        if not at.is_key and good is not None:
            if is_words(at.shape) and "{" in at.scalar.text:
                parts.append(["Reads:", "", *(f"> {each}" for each in render_words(at.scalar.text, good.ruleset))])
            rolled = _dice(at.scalar.text, at.shape, good.ruleset)
            if rolled is not None and named is None:
                parts.append(odds_hover.describe_roll(rolled))
        if span is None:
            span = at.scalar.span
    result = _expression(workspace, path, line, column)
    if result is not None and (named is None or named.mention.form == "expression"):
        text, there = result
        if text:
            parts.append(text)
        elif at is not None and good is not None and len(at.way) > 1:
            # A literal number explains itself, but not what it is for.
            node = _node(good.ruleset, at.way[:2])
            parts.append([*_head(good.ruleset, at.way[:2], node), *_history(good.ruleset, at.way)])
        span = span or there
    markdown = "\n\n".join("\n".join(part) for part in parts if part)
    return Hover(markdown, span) if markdown and span is not None else None


def describe_option(written: str) -> str:
    """Return what an entry of a script such as `#2` means, or "" for any other entry."""
    number = written.removeprefix("#")
    if number == written or not number.isdecimal():
        return ""
    return f"`{written}` is option number {number} of those that the step offers, in their order."


def render_words(words: str, ruleset: Ruleset) -> list[str]:
    """Return words as readers read them, line by line."""
    return fill(words.strip(), Style(ruleset)).splitlines()


def describe_entry(good: Good, path: RulePath) -> list[str]:
    """Return a description of an entry in one or two lines, for completions."""
    return list(_head(good.ruleset, path, _node(good.ruleset, path)))


def _describe(named: Meaning) -> Iterator[str]:
    """Yield the lines about a name: what it is, its odds, the sentences of the book, and its origins in the layers.

    Of a name that only a procedure has, it yields the type where a step declares it.
    """
    path, ruleset = named.mention.path, named.good.ruleset
    if path[0] == "@":
        procedure = ruleset.procedures.get(path[2]) if named.mention.declares else None
        if procedure is not None:
            slots = [slot for slot, name in procedure.names.items() if name == path[-1]]
            kinds = {str(procedure.types[slot]) for slot in slots if slot in procedure.types}
            yield from (f"`{path[-1]}` is {kind}" for kind in kinds if len(kinds) == 1)
        return
    node = _node(ruleset, path)
    yield from _head(ruleset, path, node)
    if path[0] == "tables" and len(path) == 2:
        yield from _below(odds_hover.describe_table(ruleset.declarations.tables[path[1]]))
    value = _roll(ruleset, path)
    if value is not None:
        yield from _below(odds_hover.describe_roll(value))
    text = _sentence(ruleset, path)
    if text:
        yield ""
        yield from (f"> {line}  " for line in text[:MOST_LINES])
    if node is not None:
        yield from _history(ruleset, path)


def _edition(workspace: Workspace, written: str, at: Span) -> Iterator[str]:
    """Yield the lines about a referenced edition: its title, status, description and folder.

    Empty if it does not exist.
    """
    try:
        edition = workspace.get_catalogue().find(parse_reference(Scalar(written, written, at)))
    except DiagnosticError:
        return
    yield f"**`{edition.id}`**: edition, “{edition.title}”, {edition.status}"
    about = read_text(edition.manifest.get("about"))
    if about:
        yield from ("", about)
    yield ""
    yield f"in {edition.folder}"


def _below(lines: list[str]) -> list[str]:
    return ["", *lines] if lines else []


def _head(ruleset: Ruleset, path: RulePath, node: Node | None) -> Iterator[str]:
    """Yield the line with the name, kind and title of an entry, and lines with its value and description."""
    section = load_sections().get(path[0])
    one = section.one if section is not None else "value"
    within = f", of the {one} `{path[1]}`" if len(path) > 2 else ""
    kind = {2: one, 3: "step" if path[0] == "procedures" else "part"}.get(len(path)) or path[2].removesuffix("s")
    if _is_in_cell(path):
        kind = "step" if len(path) > 5 else "steps"
    title = ""
    if isinstance(node, Mapping):
        title = read_text(node.get("title")) or read_text(node.get("name"))
    yield f"**{path[-1]}**: {kind}{within}" + (f", “{' '.join(render_words(title, ruleset))}”" if title else "")
    means = read_text(node.get("means")) if isinstance(node, Mapping) else ""
    number = ruleset.declarations.numbers.get(path[1]) if path[0] == "numbers" else None
    if number is not None and not isinstance(number.value, Roll):
        yield f"is **{number.value}**"
    if means:
        yield ""
        yield " ".join(render_words(means, ruleset))


def _node(ruleset: Ruleset, path: RulePath) -> Node | None:
    try:
        return node_of(ruleset, ".".join(path))[1]
    except DiagnosticError:
        return None


def _roll(ruleset: Ruleset, path: RulePath) -> Roll | None:
    """Return the dice of a number, or None for other entries."""
    if path[0] == "numbers" and (number := ruleset.declarations.numbers.get(path[1])) is not None:
        return number.value if isinstance(number.value, Roll) else None
    return None


def _sentence(ruleset: Ruleset, path: RulePath) -> list[str]:
    """Return the sentences of a step or a formula as the book shows them.

    Empty for other entries, and if the rules have errors, so that the book has no sentence.
    """
    is_step = (path[0] == "procedures" and len(path) == 3) or _is_in_cell(path)
    if not is_step and not (path[0] == "formulas" and len(path) == 2):
        return []
    if _is_in_cell(path):
        path = (*path[:2], *path[3:])
    if path[0] == "procedures" and path[1] not in ruleset.procedures:
        return []
    try:
        return list(build_describer(ruleset)(".".join(path)))
    except (DiagnosticError, KeyError, AssertionError):  # rules with errors have no sentences
        return []


def _is_in_cell(path: RulePath) -> bool:
    """Return whether a path is that of the steps of a row, or of one of them."""
    return path[0] == "tables" and path[2:3] == ("rows",) and len(path) > 4


def _history(ruleset: Ruleset, path: RulePath) -> Iterator[str]:
    """Yield the lines about the origins of the values at `path`, after an empty line, as `why` reports them.

    At most `MOST_VALUES` changed values are listed. If no layer changed any, one line has the layer that defines them.
    Empty if the path names nothing.
    """
    try:
        way, result = node_of(ruleset, ".".join(path))
    except DiagnosticError:
        return
    values = trace_provenance(ruleset.resolved, way, result)
    changed = [value for value in values if len(value.origins) > 1]
    if not changed:
        yield ""
        yield f"`{ruleset.resolved.find_layer(result.span)}` defines it ({_place(ruleset, way, result.span)})"
        return
    yield ""
    for value in changed[:MOST_VALUES]:
        below = ".".join(value.path[len(way) :])
        for origin in value.origins:
            text = "" if origin.operation == "removes" else f" {_short(origin.value)}"
            place = _place(ruleset, value.path, origin.span)
            yield f"- {f'`{below}` ' if below else ''}`{origin.layer}` {origin.operation}{text} ({place})"
    if len(changed) > MOST_VALUES:
        yield f"- … and {len(changed) - MOST_VALUES} more"


def _place(ruleset: Ruleset, path: RulePath, span: Span) -> str:
    """Return the file, from the folder of its layer, and the line at which a value begins, which is that of its key."""
    layer = ruleset.resolved.layers[-1]
    for each in ruleset.resolved.layers:
        if each.name == ruleset.resolved.find_layer(span):
            layer = each
    file = next((each for each in layer.files if each.span.file == span.file), None)
    node = follow_keys(file, *path[:-1])
    begins = node.find_key_span(path[-1]) if isinstance(node, Mapping) and path[-1] in node else span
    name = Path(span.file)
    return f"{name.relative_to(layer.folder).as_posix() if file is not None else name.name}:{begins.line}"


def _short(value: str, most: int = 60) -> str:
    line = " ".join(value.split())
    return f"`{line if len(line) <= most else line[: most - 1] + '…'}`"


def _key(name: str, at: SymbolAt) -> list[str]:
    """Return the description of a key from the schema, or nothing if it has none."""
    shape = at.shape
    values = (
        f" One of {', '.join(f'`{each}`' for each in shape.values)}."
        if isinstance(shape, Leaf) and shape.values
        else ""
    )
    return [f"`{name}:` {at.doc}{values}"] if at.doc else []


def _dice(written: str, shape: Shape, ruleset: Ruleset) -> Roll | None:
    """Return the roll of a scalar that consists of dice notation only, or None.

    None also for a text without digits, for a roll with a single result, and for one whose odds take too long to
    compute.
    """
    if not isinstance(shape, Leaf) or shape.format not in ("dice", "value", "expression"):
        return None
    if not any(character.isdigit() for character in written):
        return None
    try:
        roll = ruleset.declarations.read_dice(written.strip().strip("{}"))
    except DiceError:
        return None
    return roll if odds_hover.describe_mean(roll) is not None else None


def roll_at(workspace: Workspace, path: Path, line: int, column: int) -> tuple[Roll, bool] | None:
    """Return the roll at a position, and whether it is the whole scalar or just a part of an expression.

    None if there is none, or no usable state of the rules. A whole scalar whose roll has a single result, or odds that
    take too long to compute, does not count, except as part of an expression.
    """
    at = find_symbol(workspace, path, line, column)
    good = next(iter(workspace.list_good(path)), None)
    if at is not None and not at.is_key and good is not None:
        rolled = _dice(at.scalar.text, at.shape, good.ruleset)
        if rolled is not None:
            return rolled, True
    result = _part_at(workspace, path, line, column)
    if result is not None and isinstance(result[2], Constant) and isinstance(result[2].value, Roll):
        return result[2].value, False
    return None


def _expression(workspace: Workspace, path: Path, line: int, column: int) -> tuple[list[str], Span] | None:
    """Return the lines about the part of an expression at a position, and its span, or None.

    There are no lines about a number that is written as such.
    """
    result = _part_at(workspace, path, line, column)
    if result is None:
        return None
    reading, node, typed, here = result
    written = reading.scalar.text[node.start : node.end]
    if isinstance(typed, Constant) and typed.name is None and written.strip("-").isdecimal():
        return [], here
    lines = [f"`{written}` is {typed.type}"]
    if isinstance(typed, Constant) and isinstance(typed.value, Roll) and written != reading.scalar.text.strip():
        lines += ["", *odds_hover.describe_roll(typed.value)]
    return lines, here


def _part_at(
    workspace: Workspace, path: Path, line: int, column: int
) -> tuple[ScalarReading, Syntax, Typed, Span] | None:
    """Return the shortest typed part of an expression at a position: the reading, both trees and the current span.

    None if there is none.
    """
    result = find_reading(workspace, path, line, column)
    if result is None:
        return None
    reading, moved_by = result
    best: tuple[int, Syntax, Typed, Span] | None = None
    for node, typed in reading.parts:
        span = reading.scalar.position(node.start, max(1, node.end - node.start))
        inside = (span.line, span.column) <= (line - moved_by, column) <= (span.end_line, span.end_column)
        if inside and not isinstance(typed.type, Unknown) and (best is None or node.end - node.start <= best[0]):
            best = node.end - node.start, node, typed, span
    if best is None:
        return None
    _, node, typed, span = best
    here = Span(span.file, span.line + moved_by, span.column, span.end_line + moved_by, span.end_column)
    return reading, node, typed, here


def find_reading(workspace: Workspace, path: Path, line: int, column: int) -> tuple[ScalarReading, int] | None:
    """Return the reading of the expression at a position, and by how many lines it has moved since, or None."""
    key = build_file_key(path)
    for good in workspace.list_good(path):
        named = good.files.get(key)
        then = map_lines(workspace, good, key).map_back(line)
        if named is None or then is None:
            continue
        for reading in good.mentions.readings.get(named, ()):
            span = reading.scalar.span
            if (span.line, span.column) <= (then, column) <= (span.end_line, span.end_column):
                return reading, line - then
    return None


__all__ = ["Hover", "Table", "describe_at", "describe_entry", "find_reading", "render_words", "roll_at"]
