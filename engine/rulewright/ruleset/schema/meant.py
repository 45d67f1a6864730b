"""What was meant where a list stands in place of a mapping, or a mapping in place of a list; with the edits for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulewright.source.diagnostics.diagnostic import Edit
from rulewright.source.nodes import Mapping, Node, Scalar
from rulewright.source.nodes import Sequence as List
from rulewright.source.source_map import SOURCES
from rulewright.source.span import Span

Meant = tuple[str | None, tuple[Edit, ...]]
"""What to do, and the edits that do it."""

_DASH = re.compile(r"(\s*)-(\s+)$")
_MOST_LINES = 1_000


def mapping_meant(written: List) -> Meant:
    """A list where a mapping belongs: `- key: value` for `key: value`, or bare names."""
    items = written.items
    if not items:
        return "write `{}`, or leave the key out", ()
    if all(isinstance(item, Mapping) and "id" in item for item in items):
        first = items[0]
        assert isinstance(first, Mapping)
        named = first.get("id")
        name = named.text if isinstance(named, Scalar) else "name"
        return f"an id is the key here: write `{name}:` in place of `- id: {name}`", ()
    if all(isinstance(item, Mapping) for item in items):
        keys = [key for item in items if isinstance(item, Mapping) for key in item.entries]
        edits = tuple(_without_dashes(items)) if len(set(keys)) == len(keys) else ()
        example = f": `{keys[0]}:` in place of `- {keys[0]}:`" if keys else ""
        return f"leave out the dashes{example}", edits if len(edits) == len(items) else ()
    if isinstance(items[0], Scalar) and re.fullmatch(r"[a-z_]\w*", items[0].text):
        return f"write each as a key, with a colon and what belongs to it: `{items[0].text}: …`", ()
    return None, ()


def steps_meant(written: Mapping) -> Meant:
    """A mapping where steps belong: one step without its dash, or steps by their ids."""
    own = written.get("id")
    if isinstance(own, Scalar):
        return f"begin the step with a dash: `- id: {own.text}`", tuple(_as_an_item(written))
    if written.entries and all(isinstance(entry.value, Mapping) for entry in written.entries.values()):
        name = next(iter(written.entries))
        edits = [edit for key in written.entries for edit in _as_a_step(written, key)]
        hint = f"begin each step with `- id:`, such as `- id: {name}`"
        return hint, tuple(edits) if len(edits) == len(written.entries) else ()
    return "begin each step with `- id:`", ()


def _without_dashes(items: Sequence[Node]) -> Iterator[Edit]:
    for item in items:
        before = _before(item)
        if before is not None and _DASH.fullmatch(before) and not _is_flow(item):
            column = before.index("-") + 1
            yield Edit(_at(item.span.file, item.span.line, column, column + 1), " ")


def _as_an_item(step: Mapping) -> Iterator[Edit]:
    """A dash before the first line of a block, and two spaces before each further one."""
    file, first = step.span.file, step.span.line
    last = max(entry.value.span.end_line for entry in step.entries.values())
    if _is_flow(step) or (_before(step) or "").strip() or last - first > _MOST_LINES:
        return
    yield Edit(_at(file, first, step.span.column, step.span.column), "- ")
    for line in range(first + 1, last + 1):
        text = SOURCES.line(file, line)
        if text and text.strip():
            yield Edit(_at(file, line, 1, 1), "  ")


def _as_a_step(steps: Mapping, name: str) -> Iterator[Edit]:
    entry = steps.entries[name]
    key, value = entry.key.span, entry.value
    if (_before(entry.key) or "").strip() or _is_flow(steps) or not isinstance(value, Mapping) or "id" in value:
        return
    if value.span.line == key.line and _is_flow(value) and value.entries:
        yield Edit(_at(key.file, key.line, key.column, value.span.column + 1), f"- {{id: {name}, ")
    elif value.span.line > key.line and value.span.column == key.column + 2:
        line = SOURCES.line(key.file, key.line) or ""
        colon = line.find(":", key.end_column - 1)
        if colon >= 0:
            yield Edit(_at(key.file, key.line, key.column, colon + 2), f"- id: {name}")


def _before(node: Node) -> str | None:
    line = SOURCES.line(node.span.file, node.span.line)
    return None if line is None else line[: node.span.column - 1]


def _is_flow(node: Node) -> bool:
    line = SOURCES.line(node.span.file, node.span.line) or ""
    return line[node.span.column - 1 : node.span.column] in ("{", "[")


def _at(file: str, line: int, column: int, end: int) -> Span:
    return Span(file, line, column, line, end)
