"""Explain entries, sections and items with the wrong indentation or dashes, and build edits that fix them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from rulewright.language.schema_shapes import POSITIONS, ByForm, MapOf, Record, Shape, Steps
from rulewright.language.statement import find_statements
from rulewright.ruleset.schema.json_schema import ID_PATTERN
from rulewright.ruleset.schema.schema_diagnostics import MISSING_KEY, UNKNOWN_KEY
from rulewright.ruleset.schema.schema_path import FACE, ShapedNode, join_alternatives
from rulewright.ruleset.section import load_sections
from rulewright.source.diagnostics.diagnostic import Diagnostic, Edit, RelatedSpan
from rulewright.source.diagnostics.suggestions import Suggestion
from rulewright.source.nodes import Entry, Mapping, Node, Scalar, is_flow
from rulewright.source.nodes import Sequence as List
from rulewright.source.source_map import SOURCES
from rulewright.source.span import Span

_FEW = 4
"""The maximum number of entries that a message names."""

_FACES = "on"
"""The key whose value a row in short form gives: its faces."""

_STEP = 2
"""The default number of spaces per level of indentation."""


def explain_outdented(node: Mapping, faults: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics, with one for all entries of a mapping that belong below one of its keys, such as `rows`.

    It replaces the diagnostics of these entries, and may have edits that indent them. The new diagnostics come last.
    Without unknown keys, all are returned unchanged. `node` is the whole file.
    """
    outdented = list(faults)
    unknown = {
        fault.span for fault in outdented if fault.code is UNKNOWN_KEY and not isinstance(fault.suggestion, Suggestion)
    }
    if not unknown:
        return outdented
    for name, entry in _owners(node):
        owner, body = entry.value, _body(name)
        assert isinstance(owner, Mapping)
        own = tuple(load_sections()[name].entry.members)
        strays = [each for key, each in owner.entries.items() if key not in own and key not in POSITIONS]
        if not strays or not all(each.key.span in unknown and _may_be_one(name, each.value) for each in strays):
            continue
        if any(each.key.text in load_sections()["terms"].entry.members for each in strays):
            continue  # these are keys of a term, not misplaced fields or rows
        moved_spans = {each.key.span for each in strays}
        below = owner.entries.get(body)
        if below is not None and _is_empty(below.value):
            moved_spans |= {below.key.span, below.value.span}
        elif below is None:
            # The missing body key is part of the same mistake, so it is not reported separately.
            outdented = [each for each in outdented if each.code is not MISSING_KEY or each.span != entry.key.span]
        outdented = [each for each in outdented if each.span not in moved_spans]
        outdented.append(_describe(entry, strays, below, body, own, tuple(_edits(owner, strays, below, body))))
    return outdented


def _owners(node: Mapping) -> Iterator[tuple[str, Entry]]:
    """Yield every entry of a section whose entries have a body key, such as `rows`, with the section's name.

    Entries that are not mappings are skipped.
    """
    for section, entry in node.entries.items():
        if section in load_sections() and _body(section) and isinstance(entry.value, Mapping):
            for inner in entry.value.entries.values():
                if isinstance(inner.value, Mapping):
                    yield section, inner


def _body(section: str) -> str:
    return load_sections()[section].entry.body or ""


def _may_be_one(section: str, node: Node) -> bool:
    """Return whether a value could be an entry below the body key.

    A row in short form is only its faces. Raises `KeyError` if the section has no body key.
    """
    body = load_sections()[section].entry.members[_body(section)].shape
    inner = body.inner if isinstance(body, MapOf) else None
    if not isinstance(node, Scalar) or not isinstance(inner, Record):
        return isinstance(node, Mapping) or not isinstance(inner, Record)
    return inner.short is not None and (inner.short != _FACES or FACE.fullmatch(node.text.strip()) is not None)


def _is_empty(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value is None


def _describe(
    owner: Entry, strays: Sequence[Entry], below: Entry | None, body: str, known: Sequence[str], edits: tuple[Edit, ...]
) -> Diagnostic:
    """Return the diagnostic for entries that belong below the key `body` of `owner`.

    `below` is that key, if it is there.
    """
    names = [f"`{each.key.text}`" for each in strays]
    alternatives = join_alternatives(
        names if len(names) <= _FEW else [*names[: _FEW - 1], f"{len(names) - _FEW + 1} more"], word="and"
    )
    one = len(strays) == 1
    message = f"{alternatives} {'is' if one else 'are'} among the keys of `{owner.key.text}`, not below `{body}:`"
    if below is None:
        related: tuple[RelatedSpan, ...] = ()
        it = "it" if one else "them"
        hint = f"if {'it belongs' if one else 'they belong'} there, write `{body}:` above and indent {it}"
    else:
        related = (RelatedSpan(below.key.span, f"`{body}` is here"),)
        hint = f"indent {'it' if one else 'them'} under `{body}:`"
    hint += f"; the keys here are {', '.join(f'`{key}`' for key in known)}"
    return Diagnostic(UNKNOWN_KEY, message, strays[0].key.span, related, hint, edits)


def _edits(node: Mapping, strays: Sequence[Entry], below: Entry | None, body: str) -> Iterator[Edit]:
    """Yield the edits that move all strays below their key.

    Args:
        node: The mapping with the strays.
        strays: The misplaced entries, in source order.
        below: The entry of the key that they belong to, or None if it must be added.
        body: The name of that key.

    Yields nothing if they are not adjacent, do not follow `below`, or share a line with something else, or if `node` is
    in braces and has the key.
    """
    entries = list(node.entries.values())
    first = entries.index(strays[0])
    if entries[first : first + len(strays)] != list(strays):
        return
    file, start = strays[0].key.span.file, strays[0].key.span
    opening = (SOURCES.find_line(file, node.span.line) or "")[node.span.column - 1 : node.span.column]
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
    lines = [line for line in range(start.line, last.end_line + 1) if (SOURCES.find_line(file, line) or "").strip()]
    if (SOURCES.find_line(file, start.line) or "")[: start.column - 1].strip():
        return
    for line in lines:
        opened = f"{' ' * (start.column - 1)}{body}:\n" if line == start.line and below is None else ""
        yield Edit(Span(file, line, 1, line, 1), opened + " " * inward)


def explain_followers(root: ShapedNode, faults: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics, with one for each section that contains another section by mistake, at any depth.

    It replaces all diagnostics from the nested section to the end of the mapping around it. If there are none there,
    the section is not reported. `root` is the whole file.
    """
    followers = list(faults)
    assert isinstance(root.node, Mapping)
    for section, entry in root.node.entries.items():
        if section not in load_sections():
            continue
        for around, inner in _sections(root.descend(section), section):
            # All later entries up to the end of the mapping may belong to either section.
            start, whole = inner.key.span, around.node.span
            own = Span(start.file, start.line, start.column, whole.end_line, whole.end_column)
            if any(own.contains(fault.span) for fault in followers):
                followers = [fault for fault in followers if not own.contains(fault.span)]
                followers.append(_report_nested(entry, around, inner))
                break
    return followers


def _sections(place: ShapedNode, section: str) -> Iterator[tuple[ShapedNode, Entry]]:
    """Yield the entries at or below a place in a section that are probably sections themselves, each after its mapping.

    They are recognized by their names and keys.
    """
    if isinstance(place.node, List):
        for number in range(len(place.node.items)):
            yield from _sections(place.descend(number), section)
    if not isinstance(place.node, Mapping) or is_flow(place.node):
        return
    for key, entry in place.node.entries.items():
        child = place.descend(key)
        if key in load_sections() and key != section and key not in _members(place.shape):
            # An entry may have the name of a section, such as a table `board`. Its keys tell the two apart.
            own = _members(child.shape)
            at_top = place.key is not None and place.key.text == section and isinstance(place.shape, MapOf)
            if _is_empty(entry.value) or (
                isinstance(entry.value, Mapping)
                and not any(name in own for name in entry.value.entries)
                and (at_top or _has_entries_of(key, entry.value))
            ):
                yield place, entry
                continue
        yield from _sections(child, section)


def _members(shape: Shape) -> Collection[str]:
    """Return the keys that a mapping with this schema has by name."""
    return getattr(shape.mapping if isinstance(shape, ByForm) else shape, "members", ())


def _has_entries_of(section: str, node: Mapping) -> bool:
    """Return whether an entry of a mapping has a key that only makes sense for an entry of the section."""
    known = load_sections()[section].entry.members
    values = [each.value for each in node.entries.values()]
    return any(isinstance(value, Mapping) and any(key in known for key in value.entries) for value in values)


def _report_nested(outer: Entry, around: ShapedNode, inner: Entry) -> Diagnostic:
    """Return the diagnostic for a section inside another one, with the edit that moves it out if that is certain.

    `outer` is the entry of the section around it, and `around` the mapping that has it as an entry.
    """
    name, span = inner.key.text, inner.key.span
    above = around.key or outer.key
    message = f"`{name}` is a separate section, but is below `{above.text}`"
    related = (RelatedSpan(above.span, f"`{above.text}` begins here"),)
    suggestion = f"give `{name}:` the same indentation as `{outer.key.text}:`"
    return Diagnostic(UNKNOWN_KEY, message, span, related, suggestion, tuple(_move_out(outer, around, inner)))


def _move_out(outer: Entry, around: ShapedNode, inner: Entry) -> Iterator[Edit]:
    """Yield the edits that move a nested section out, below an empty line, or nothing if it has later neighbours."""
    span = inner.key.span
    line = SOURCES.find_line(span.file, span.line) or ""
    assert isinstance(around.node, Mapping)
    entries = list(around.node.entries.values())
    # Of the mappings around it, the one with the section and all others must end with it.
    last = entries[-1] is inner and inner.value.span.end_line >= outer.value.span.end_line
    empty = isinstance(inner.value, Scalar)
    below = empty or inner.value.span.line > span.line
    at_top = around.node is outer.value
    if (last or (empty and at_top)) and below and entries[0] is not inner and not line[: span.column - 1].strip():
        start, end = outer.key.span.column, span.column
        for number in range(span.line, (span.line if empty else inner.value.span.end_line) + 1):
            text = SOURCES.find_line(span.file, number) or ""
            is_apart = number > span.line or not (SOURCES.find_line(span.file, number - 1) or "").strip()
            if text.strip() and not text[: end - 1].strip():
                yield Edit(Span(span.file, number, start, number, end), "" if is_apart else "\n")


Repair = tuple[str | None, tuple[Edit, ...]]
"""A hint and the edits that apply it; None if there is no hint."""

_DASH = re.compile(r"(\s*)-(\s+)$")
_MOST_LINES = 1_000


def repair_mapping(written: List, shape: Shape) -> Repair:
    """Return the hint and the edits for a list in place of a mapping, such as `- key: value` for `key: value`.

    The hint is None if the meaning is not clear. The edits are empty if the fix is not certain. If `shape`, the schema
    of the mapping, has a single key for steps, the hint is to write the list below it.
    """
    items = written.items
    holders = (
        [key for key, member in shape.members.items() if isinstance(member.shape, Steps)]
        if isinstance(shape, Record)
        else []
    )
    if len(holders) == 1:
        return f"write these steps one level deeper, below `{holders[0]}:`", ()
    if not items:
        return "write `{}`, or leave the key out", ()
    mappings = [item for item in items if isinstance(item, Mapping)]
    named = [item.get("id") for item in mappings if "id" in item]
    if len(named) == len(items):
        name = named[0].text if isinstance(named[0], Scalar) else "name"
        edits = tuple(edit for item in mappings for edit in _name_by_id(item))
        is_certain = len(edits) == len(items) and isinstance(shape, MapOf) and _are_ids(named, shape.ids)
        return f"the id is the key here: write `{name}:` in place of `- id: {name}`", edits if is_certain else ()
    if len(mappings) == len(items):
        keys = [key for item in mappings for key in item.entries]
        edits = tuple(_without_dashes(items)) if len(set(keys)) == len(keys) else ()
        example = f": `{keys[0]}:` in place of `- {keys[0]}:`" if keys else ""
        return f"leave out the dashes{example}", edits if len(edits) == len(items) else ()
    key = items[0].text if isinstance(items[0], Scalar) else ""
    is_key = isinstance(shape, MapOf) or key in getattr(shape, "members", {})
    if is_key and re.fullmatch(r"[a-z_]\w*", key):
        return f"write each item as a key with a value: `{key}: …`", tuple(_with_empty_entries(written, shape))
    return None, ()


def name_step(place: ShapedNode) -> Iterator[Edit]:
    """Yield the edit that names a step without an id after its statement, such as `id: roll_step`.

    The name differs from every id in the file, and from those for other steps without an id. Yields nothing for a step
    with an unknown or no statement, or whose first key is written after a `?`.
    """
    step, root = place.node, place
    assert isinstance(step, Mapping)
    chosen = find_statements(step.entries)
    if len(chosen) != 1:
        return
    first = next(iter(step.entries.values())).key
    if (_before(first) or "").rstrip().endswith("?"):
        return
    while root.parent is not None:
        root = root.parent
    others = list(_iterate_mappings(root.node))
    ids = {named.text for each in others if isinstance(named := each.get("id"), Scalar)}
    same = [each for each in others if "id" not in each and chosen[0].name in each]
    number = next(at for at, each in enumerate(same, 1) if each is step)
    name = f"{chosen[0].name}_step" + (f"_{number}" if number > 1 else "")
    while name in ids:
        name += "_new"
    at = first.span
    separator = ", " if is_flow(step) else "\n" + " " * (at.column - 1)
    yield Edit(Span(at.file, at.line, at.column, at.line, at.column), f"id: {name}{separator}")


def _iterate_mappings(node: Node) -> Iterator[Mapping]:
    """Yield a node, if it is a mapping, and all mappings in it, in the order of the file."""
    if isinstance(node, Mapping):
        yield node
        for entry in node.entries.values():
            yield from _iterate_mappings(entry.value)
    elif isinstance(node, List):
        for item in node.items:
            yield from _iterate_mappings(item)


def repair_steps(written: Mapping) -> Repair:
    """Return the hint and the edits for a mapping in place of steps: one step without its dash, or steps by id.

    The edits are empty if the fix is not certain.
    """
    own = written.get("id")
    if isinstance(own, Scalar):
        return f"start the step with a dash: `- id: {own.text}`", tuple(_as_an_item(written))
    if written.entries and all(isinstance(entry.value, Mapping) for entry in written.entries.values()):
        name = next(iter(written.entries))
        edits = [edit for key in written.entries for edit in _as_a_step(written, key)]
        hint = f"start each step with `- id:`, such as `- id: {name}`"
        return hint, tuple(edits) if len(edits) == len(written.entries) else ()
    return "start each step with `- id:`", ()


def _without_dashes(items: Sequence[Node]) -> Iterator[Edit]:
    """Yield an edit for the dash of each item that begins its line. Other items have none."""
    for item in items:
        before = _before(item)
        if before is not None and _DASH.fullmatch(before) and not is_flow(item):
            column = before.index("-") + 1
            yield Edit(_at(item.span.file, item.span.line, column, column + 1), " ")


def _name_by_id(item: Mapping) -> Iterator[Edit]:
    """Yield the edit that makes the id of a list item its key, if the id is on the line of the dash and comes first."""
    before, (first, *others) = _before(item), item.entries.values()
    if before is None or not _DASH.fullmatch(before) or first.key.text != "id" or not isinstance(first.value, Scalar):
        return
    if is_flow(item):
        end, content = (others[0].key.span, " {") if others else (_end_of(item), " {}")
    else:
        # Other keys are two columns to the right of the dash, so the new key is one.
        end, content = _end_of(first.value), "" if others else " {}"
    if end.line == item.span.line:
        span = _at(end.file, end.line, before.index("-") + 1, end.column)
        yield Edit(span, f" {first.value.text}:{content}")


def _with_empty_entries(written: List, shape: Shape) -> Iterator[Edit]:
    """Yield the edits that make names in one line entries without content, if the shape allows such entries."""
    if not isinstance(shape, MapOf) or not isinstance(shape.inner, Record) or not _are_ids(written.items, shape.ids):
        return
    is_optional = not any(member.required for member in shape.inner.members.values())
    if is_optional and is_flow(written) and written.span.line == written.span.end_line:
        names = (item.text for item in written.items if isinstance(item, Scalar))
        yield Edit(written.span, "{" + ", ".join(f"{name}: {{}}" for name in names) + "}")


def _are_ids(nodes: Sequence[Node | None], pattern: str = "") -> bool:
    """Return whether nodes are valid ids, all different. `pattern` is that of the ids if it is not the usual one."""
    names = {node.text for node in nodes if isinstance(node, Scalar) and re.fullmatch(pattern or ID_PATTERN, node.text)}
    return len(names) == len(nodes)


def _as_an_item(step: Mapping) -> Iterator[Edit]:
    """Yield edits that add a dash to the first line of a block, and indent the others by two spaces.

    Yields nothing for flow style, for a block that shares its line, and for more than `_MOST_LINES` lines.
    Raises `ValueError` if `step` has no entries.
    """
    file, first = step.span.file, step.span.line
    last = max(entry.value.span.end_line for entry in step.entries.values())
    if is_flow(step) or (_before(step) or "").strip() or last - first > _MOST_LINES:
        return
    yield Edit(_at(file, first, step.span.column, step.span.column), "- ")
    for line in range(first + 1, last + 1):
        text = SOURCES.find_line(file, line)
        if text and text.strip():
            yield Edit(_at(file, line, 1, 1), "  ")


def _as_a_step(steps: Mapping, name: str) -> Iterator[Edit]:
    """Yield the edit that makes an entry a step with its key as the id, or nothing if its layout does not allow it."""
    entry = steps.entries[name]
    key, value = entry.key.span, entry.value
    if (_before(entry.key) or "").strip() or is_flow(steps) or not isinstance(value, Mapping) or "id" in value:
        return
    if not _are_ids([entry.key]):
        return
    if value.span.line == key.line and is_flow(value) and value.entries:
        yield Edit(_at(key.file, key.line, key.column, value.span.column + 1), f"- {{id: {name}, ")
    elif value.span.line > key.line and value.span.column == key.column + 2:
        line = SOURCES.find_line(key.file, key.line) or ""
        colon = line.find(":", key.end_column - 1)
        if colon >= 0:
            yield Edit(_at(key.file, key.line, key.column, colon + 2), f"- id: {name}")


def _before(node: Node) -> str | None:
    line = SOURCES.find_line(node.span.file, node.span.line)
    return None if line is None else line[: node.span.column - 1]


def _end_of(node: Node) -> Span:
    """Return the empty span at the end of a node."""
    return _at(node.span.file, node.span.end_line, node.span.end_column, node.span.end_column)


def _at(file: str, line: int, column: int, end: int) -> Span:
    return Span(file, line, column, line, end)
