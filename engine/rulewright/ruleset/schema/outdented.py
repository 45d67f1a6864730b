"""Entries that stand beside the key they belong below: the rows of a table without `rows:`, or on the same level."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rulewright.language.shape import POSITIONS, MapOf, Record
from rulewright.ruleset.schema.codes import MISSING_KEY, UNKNOWN_KEY
from rulewright.ruleset.schema.place import FACE, either
from rulewright.ruleset.section import sections
from rulewright.source.diagnostics.diagnostic import Diagnostic, Edit, Related
from rulewright.source.diagnostics.suggest import Meant
from rulewright.source.nodes import Entry, Mapping, Node, Scalar
from rulewright.source.source_map import SOURCES
from rulewright.source.span import Span

_FEW = 4
"""Entries that a message names."""

_FACES = "on"
"""The key that a row in short stands for: the faces it shares out."""

_STEP = 2
"""Columns by which what belongs to a key is indented."""


def without_outdented(node: Mapping, faults: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The faults of a rules file, with one for all entries that stand beside their key, in place of one for each."""
    found = list(faults)
    unknown = {fault.span for fault in found if fault.code is UNKNOWN_KEY and not isinstance(fault.suggestion, Meant)}
    if not unknown:
        return found
    for name, entry in _owners(node):
        owner, body = entry.value, _body(name)
        assert isinstance(owner, Mapping)
        own = tuple(sections()[name].entry.members)
        strays = [each for key, each in owner.entries.items() if key not in own and key not in POSITIONS]
        if not strays or not all(each.key.span in unknown and _may_be_one(name, each.value) for each in strays):
            continue
        gone = {each.key.span for each in strays}
        below = owner.entries.get(body)
        if below is not None and _is_empty(below.value):
            gone |= {below.key.span, below.value.span}
        elif below is None:
            # That it is missing is said of the whole, and is the same mistake.
            found = [each for each in found if each.code is not MISSING_KEY or each.span != entry.key.span]
        found = [each for each in found if each.span not in gone]
        found.append(_told(entry, strays, below, body, own, tuple(_edits(owner, strays, below, body))))
    return found


def _owners(node: Mapping) -> Iterator[tuple[str, Entry]]:
    """Every entry of which a key says what it is made of, with its section."""
    for section, entry in node.entries.items():
        if section in sections() and _body(section) and isinstance(entry.value, Mapping):
            for inner in entry.value.entries.values():
                if isinstance(inner.value, Mapping):
                    yield section, inner


def _body(section: str) -> str:
    return sections()[section].entry.body or ""


def _may_be_one(section: str, node: Node) -> bool:
    """Whether a value can be that of an entry below the body: a row in short is its faces."""
    body = sections()[section].entry.members[_body(section)].shape
    inner = body.inner if isinstance(body, MapOf) else None
    if not isinstance(node, Scalar) or not isinstance(inner, Record):
        return isinstance(node, Mapping) or not isinstance(inner, Record)
    return inner.short is not None and (inner.short != _FACES or FACE.fullmatch(node.text.strip()) is not None)


def _is_empty(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value is None


def _told(
    owner: Entry, strays: Sequence[Entry], below: Entry | None, body: str, known: Sequence[str], edits: tuple[Edit, ...]
) -> Diagnostic:
    names = [f"`{each.key.text}`" for each in strays]
    said = either(names if len(names) <= _FEW else [*names[: _FEW - 1], f"{len(names) - _FEW + 1} more"], word="and")
    one = len(strays) == 1
    message = f"{said} {'stands' if one else 'stand'} among the keys of `{owner.key.text}`, not below `{body}:`"
    if below is None:
        related: tuple[Related, ...] = ()
        it = "it" if one else "them"
        hint = f"if {'it belongs' if one else 'they belong'} there, write `{body}:` above {it}, and {it} further in"
    else:
        related = (Related(below.key.span, f"`{body}` is here"),)
        hint = f"indent {'it' if one else 'them'}, so that {'it stands' if one else 'they stand'} below `{body}:`"
    hint += f"; the keys here are {', '.join(f'`{key}`' for key in known)}"
    return Diagnostic(UNKNOWN_KEY, message, strays[0].key.span, related, hint, edits)


def _edits(node: Mapping, strays: Sequence[Entry], below: Entry | None, body: str) -> Iterator[Edit]:
    """What brings all strays below their key; nothing where they do not stand together."""
    entries = list(node.entries.values())
    first = entries.index(strays[0])
    if entries[first : first + len(strays)] != list(strays):
        return
    file, start = strays[0].key.span.file, strays[0].key.span
    opening = (SOURCES.line(file, node.span.line) or "")[node.span.column - 1 : node.span.column]
    last = strays[-1].value.span
    if opening == "{":
        if below is None:
            yield Edit(Span(file, start.line, start.column, start.line, start.column), f"{body}: {{")
            yield Edit(Span(file, last.end_line, last.end_column, last.end_line, last.end_column), "}")
        return
    inward = _STEP
    if below is not None:
        if first == 0 or entries[first - 1] is not below:
            return
        if isinstance(below.value, Mapping) and below.value.entries:
            inward = below.value.span.column - below.key.span.column
            if below.value.span.line == below.key.span.line or inward < 1:
                return
    lines = [line for line in range(start.line, last.end_line + 1) if (SOURCES.line(file, line) or "").strip()]
    if (SOURCES.line(file, start.line) or "")[: start.column - 1].strip():
        return
    for line in lines:
        opened = f"{' ' * (start.column - 1)}{body}:\n" if line == start.line and below is None else ""
        yield Edit(Span(file, line, 1, line, 1), opened + " " * inward)
