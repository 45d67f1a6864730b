"""Edits of one mapping in a file: entries that are replaced, removed and added. All other text stays as it is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from rulewright.ruleset.layers.source_edits import find_extent, find_last_line
from rulewright.source.diagnostics.diagnostic import Edit
from rulewright.source.nodes import Entry, Node, Scalar, is_flow
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.source_map import SOURCES
from rulewright.source.span import Span
from rulewright.source.yaml.flow_style import quote_text

Additions = Mapping[str | None, Sequence[tuple[str, str]]]
"""New entries, each a key and a value as YAML, by the existing key that they follow. None stands for the beginning."""


def build_entry_edits(
    mapping: MappingNode, *, removed: Collection[str] = (), added: Additions | None = None, is_block: bool = False
) -> list[Edit]:
    """Return the edits that remove and add entries of a mapping, in the order of the text.

    A comment above a removed entry stays. If all entries of a mapping that is not in braces are removed and none is
    added, empty braces take their place. With `is_block`, the values that are added are lines of their own, indented by
    two spaces, of which each begins with a line break. Removed keys must be keys of the mapping, and so must those that
    others follow. A key that others follow cannot be removed.
    """
    added = added or {}
    entries = list(mapping.entries.values())
    if is_flow(mapping) or not entries:
        return list(_edit_flow(mapping, entries, removed, added))
    remaining = [entry for entry in entries if entry.key.text not in removed]
    if not remaining and not added:
        span = find_extent(mapping)
        return [Edit(span, "{}")]
    return list(_edit_block(entries, removed, added, is_block=is_block))


def _edit_flow(
    mapping: MappingNode, entries: Sequence[Entry], removed: Collection[str], added: Additions
) -> Iterator[Edit]:
    """Yield the edits that remove and add entries of a mapping that is in braces or empty."""
    span, file = mapping.span, mapping.span.file
    remaining = [place for place, entry in enumerate(entries) if entry.key.text not in removed]
    first = remaining[0] if remaining else len(entries)
    ahead = [_join(added.get(None, ()))] if added.get(None) else []
    if not remaining:
        ahead += [_join(new) for key, new in added.items() if key is not None]
    if ahead:
        text = ", ".join(ahead) + (", " if remaining else "")
        yield Edit(Span(file, span.line, span.column + 1, span.line, span.column + 1), text)
    for place, entry in enumerate(entries):
        key, end = entry.key.span, find_extent(entry.value)
        if entry.key.text in removed:
            if place < first:
                # Delete up to the next key, so that no comma is left in front of that key.
                following = entries[place + 1].key.span if place + 1 < len(entries) else None
                line, column = (
                    (following.line, following.column) if following is not None else (end.end_line, end.end_column)
                )
                yield Edit(Span(file, key.line, key.column, line, column), "")
            else:
                before = find_extent(entries[place - 1].value)
                yield Edit(Span(file, before.end_line, before.end_column, end.end_line, end.end_column), "")
        elif new := added.get(entry.key.text):
            yield Edit(Span(file, end.end_line, end.end_column, end.end_line, end.end_column), f", {_join(new)}")


def _edit_block(
    entries: Sequence[Entry], removed: Collection[str], added: Additions, *, is_block: bool
) -> Iterator[Edit]:
    """Yield the edits that remove and add entries of a mapping with an entry per line."""
    file, indent = entries[0].key.span.file, " " * (entries[0].key.span.column - 1)

    def format_lines(new: Iterable[tuple[str, str]]) -> list[str]:
        return [
            f"{indent}{key}:{_indent(value, indent)}" if is_block and value[:1] == "\n" else f"{indent}{key}: {value}"
            for key, value in new
        ]

    def find_end(line: int) -> int:
        return len(SOURCES.find_line(file, line) or "") + 1

    def insert(line: int, new: Iterable[tuple[str, str]]) -> Edit:
        return Edit(
            Span(file, line, find_end(line), line, find_end(line)), "".join(f"\n{each}" for each in format_lines(new))
        )

    # The first line of a file is never an entry, because the mapping is in a section.
    if added.get(None):
        yield insert(entries[0].key.span.line - 1, added[None])
    for entry in entries:
        above, last = entry.key.span.line - 1, find_last_line(entry.value)
        if entry.key.text in removed:
            # Start at the end of the line above, so that text can still be inserted at the end of the last line.
            yield Edit(Span(file, above, find_end(above), last, find_end(last)), "")
        elif new := added.get(entry.key.text):
            yield insert(last, new)


def _join(new: Iterable[tuple[str, str]]) -> str:
    return ", ".join(f"{key}: {value}" for key, value in new)


def _indent(lines: str, indent: str) -> str:
    return lines.replace("\n", f"\n{indent}  ")


def build_value_edit(value: Node, written: str) -> Edit:
    """Return the edit that writes a value in place of another one, as YAML on one line.

    A text stays in double quotes if it was, and a text in single quotes or in a block keeps its style if it can.
    """
    return Edit(find_extent(value), written)


def write_like(node: Node | None, text: str, written: str) -> str:
    """Return a text as YAML in the style of the text that it replaces. In double quotes if it cannot be so written.

    `written` is the result in place of a plain or folded text, and of anything else.
    """
    if not isinstance(node, Scalar) or node.style == "plain":
        return written
    if node.style == "single" and text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    if node.style == "literal" and _fits_block(text):
        line = SOURCES.find_line(node.span.file, node.span.line + 1) or ""
        indent = " " * (len(line) - len(line.lstrip(" ")))
        return "|-" + "".join(f"\n{indent}{each}" if each else "\n" for each in text.split("\n"))
    return quote_text(text) if node.style != "folded" else written


def _fits_block(text: str) -> bool:
    """Return whether a text can be a block, without spaces that nobody sees and special characters."""
    lines = text.split("\n")
    return (
        bool(lines[0])
        and bool(lines[-1])
        and not text.startswith((" ", "\t"))
        and all(line.isprintable() and line == line.rstrip() for line in lines)
    )


def join_insertions(edits: Iterable[Edit]) -> list[Edit]:
    """Return the edits with those that insert at the same place joined to one, in their order."""
    joined: dict[Span, Edit] = {}
    others: list[Edit] = []
    for edit in edits:
        span = edit.span
        if (span.line, span.column) != (span.end_line, span.end_column):
            others.append(edit)
        elif span in joined:
            joined[span] = Edit(span, joined[span].text + edit.text)
        else:
            joined[span] = edit
    return [*joined.values(), *others]
