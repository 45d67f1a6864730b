"""The symbols of a file and of an edition, and the foldable ranges of a file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from rulewright.lsp.features.mentions.mention import Path as RulePath
from rulewright.lsp.features.symbol_at import get_document, map_span
from rulewright.lsp.features.workspace import Workspace
from rulewright.ruleset.layers.step_tree import find_id
from rulewright.ruleset.section import load_sections
from rulewright.source.nodes import Entry, Mapping, Node, Scalar, Sequence
from rulewright.source.span import Span

_MOST = 60
"""The maximum length of a symbol's detail in characters."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """A named symbol in a file. `sort` is the sort of its section or part, and `key` the span of its name."""

    name: str
    detail: str
    sort: str
    span: Span
    key: Span
    inside: tuple[Symbol, ...] = ()


def list_symbols(workspace: Workspace, path: Path) -> list[Symbol]:
    """Return the sections of a file, with their entries and the parts of those."""
    node = get_document(workspace, path)
    if not isinstance(node, Mapping):
        return []
    return [_symbol(entry, _sort(name), tuple(_entries(entry.value, name))) for name, entry in node.entries.items()]


def build_outline(workspace: Workspace, path: Path) -> list[Symbol]:
    """Return the symbols of a file, with shortened details and filled-in placeholders."""
    good = next(iter(workspace.list_good(path)), None)

    def short(symbol: Symbol) -> Symbol:
        words = good.as_read(symbol.detail) if good is not None else symbol.detail
        words = words if len(words) <= _MOST else f"{words[: _MOST - 1]}…"
        return replace(symbol, detail=words, inside=tuple(short(each) for each in symbol.inside))

    return [short(each) for each in list_symbols(workspace, path)]


def _entries(node: Node, section: str) -> Iterator[Symbol]:
    """Yield the symbols of a section's entries, with their parts and steps inside. Empty for an unknown section."""
    declared = load_sections().get(section)
    if declared is None or not isinstance(node, Mapping):
        return
    for entry in node.entries.values():
        inner: list[Symbol] = []
        for part in declared.parts:
            value = entry.value.get(part) if isinstance(entry.value, Mapping) else None
            if isinstance(value, Mapping):
                inner += [_symbol(each, part, tuple(_cells(each.value))) for each in value.entries.values()]
            elif isinstance(value, Sequence):
                inner += _steps(value)
        yield _symbol(entry, declared.sort, tuple(inner))


def _cells(row: Node) -> Iterator[Symbol]:
    """Yield the cells of a row that have steps."""
    for entry in row.entries.values() if isinstance(row, Mapping) else ():
        if isinstance(entry.value, Sequence) and (inside := tuple(_list_nested(entry.value))):
            yield _symbol(entry, "cell", inside)


def _steps(node: Sequence) -> Iterator[Symbol]:
    """Yield the symbols of steps, with the steps inside them. A step without an id is named `…`."""
    for step in node.items:
        if isinstance(step, Mapping):
            named = step.get("id")
            inside = tuple(each for entry in step.entries.values() for each in _list_nested(entry.value))
            key = named.span if isinstance(named, Scalar) else step.span
            title = step.get("title")
            yield Symbol(find_id(step) or "…", _text(title), "step", step.span, key, inside)


def _list_nested(node: Node) -> Iterator[Symbol]:
    """Yield the symbols of the steps in a value. A list without ids is no list of steps."""
    if isinstance(node, Sequence):
        if any(isinstance(item, Mapping) and "id" in item for item in node.items):
            yield from _steps(node)
    elif isinstance(node, Mapping):
        for entry in node.entries.values():
            yield from _list_nested(entry.value)


def _symbol(entry: Entry, sort: str, inside: tuple[Symbol, ...] = ()) -> Symbol:
    value = entry.value
    title = value.get("title") or value.get("name") if isinstance(value, Mapping) else value
    return Symbol(entry.key.text, _text(title), sort, entry.span, entry.key.span, inside)


def _text(node: Node | None) -> str:
    return " ".join(node.text.split()) if isinstance(node, Scalar) else ""


def find_rule_around(workspace: Workspace, path: Path, line: int, column: int) -> RulePath:
    """Return the path of the entry at a position, including its step or part.

    A position between two entries belongs to the one above, or else to the section. Empty outside of sections.
    """
    section = _last_before(list_symbols(workspace, path), line, column)
    if section is None:
        return ()
    entry = _last_before(section.inside, line, column)
    if entry is None:
        return (section.name,)
    rule_around: RulePath = (section.name, entry.name)
    inside = entry.inside
    while (part := _last_before(inside, line, column)) is not None and (line, column) <= _end(part):
        if part.sort == "step":
            rule_around = (*rule_around[: 5 if rule_around[0] == "tables" else 2], part.name)
        elif part.sort == "cell":
            rule_around = (*rule_around, part.name)
        else:
            rule_around = (*rule_around[:2], part.sort, part.name)
        inside = part.inside
    return rule_around


def _last_before(results: tuple[Symbol, ...] | list[Symbol], line: int, column: int) -> Symbol | None:
    before = [each for each in results if (each.span.line, each.span.column) <= (line, column)]
    return max(before, key=lambda each: (each.span.line, each.span.column), default=None)


def _end(symbol: Symbol) -> tuple[int, int]:
    return symbol.span.end_line, symbol.span.end_column


def search_symbols(workspace: Workspace, query: str) -> Iterator[Symbol]:
    """Yield the declarations in the editions of open files that fit, with the best first.

    A name fits if it contains the given letters in order. Other entries fit if their titles and texts have the words.
    """
    folded = query.casefold()
    letters = "".join(folded.split())
    spans: set[Span] = set()
    results: list[tuple[int, Symbol]] = []
    for path in list(workspace.texts.opened.values()):
        for good in workspace.list_good(path):
            for mention in (each for result in good.mentions.by_path.values() for each in result):
                if mention.path[0] == "@" or not mention.declares or mention.span in spans:
                    continue
                words = good.search_words[mention.path]
                rank = words.rank(folded)
                if rank is None and _has_letters(mention.path[-1], letters):
                    rank = 2
                if rank is None:
                    continue
                spans.add(mention.span)
                span = map_span(workspace, good, mention.span)
                if span is not None:
                    of = ".".join(mention.path[:-1])
                    detail = f"{of}: {words.title}" if words.title else of
                    results.append((rank, Symbol(mention.path[-1], detail, _sort(mention.path[0]), span, span)))
    # Entries of one rank keep their order.
    yield from (symbol for _, symbol in sorted(results, key=lambda each: each[0]))


def _sort(section: str) -> str:
    return load_sections()[section].sort if section in load_sections() else ""


def _has_letters(name: str, expected: str) -> bool:
    letters = iter(name.casefold())
    return all(letter in letters for letter in expected)


def list_folds(workspace: Workspace, path: Path) -> list[tuple[int, int, bool]]:
    """Return the foldable ranges of a file: first and last line, counted from 1, and whether it is a comment."""
    text = workspace.texts.get_text(path) or ""
    lines = text.split("\n")
    folds = {(start, end, True) for start, end in _comments(lines)}
    node = get_document(workspace, path)
    if node is not None:
        folds |= {(start, end, False) for start, end in _blocks(node, lines) if end > start}
    return sorted(folds)


def _blocks(node: Node, lines: list[str]) -> Iterator[tuple[int, int]]:
    """Yield the first and last line of each value, however deeply it is nested. They can be the same line."""
    match node:
        case Mapping():
            for entry in node.entries.values():
                yield entry.key.span.line, _last(entry.value.span, lines)
                yield from _blocks(entry.value, lines)
        case Sequence():
            for item in node.items:
                yield item.span.line, _last(item.span, lines)
                yield from _blocks(item, lines)


def _last(span: Span, lines: list[str]) -> int:
    """Return the number of the last line of a value that is not blank, counted from 1."""
    last = min(span.end_line, len(lines))
    if span.end_column <= 1 and last > span.line:
        last -= 1
    while last > span.line and not lines[last - 1].strip():
        last -= 1
    return last


def _comments(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Yield the first and last line of each comment that has several lines, counted from 1."""
    start: int | None = None
    for number, line in enumerate([*lines, ""], start=1):
        is_comment = line.lstrip().startswith("#")
        if is_comment and start is None:
            start = number
        elif not is_comment and start is not None:
            if number - 1 > start:
                yield start, number - 1
            start = None
