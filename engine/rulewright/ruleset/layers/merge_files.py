"""Merge the files of one layer, which must not set the same value twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulewright.base.incremental.latest_results import keep_latest
from rulewright.language.schema_shapes import POSITIONS, ByForm, ListOf, MapOf, Record, Shape, Steps, find_inner_shape
from rulewright.ruleset import ruleset_diagnostics
from rulewright.ruleset.layers.list_edits import is_edited
from rulewright.ruleset.layers.source_edits import build_removal
from rulewright.ruleset.layers.value_origins import Path
from rulewright.ruleset.schema.canonical_form import choose_form, expand_short_forms
from rulewright.ruleset.schema.model import build_rules_shape, step_shape
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Edit, RelatedSpan
from rulewright.source.nodes import Entry, Mapping, Node, Scalar
from rulewright.source.nodes import Sequence as SequenceNode
from rulewright.source.span import Span

_ENTRY = 2
"""The length of a path that leads to an entry: section and id."""


@dataclass(frozen=True, slots=True, eq=False)
class MergedFiles:
    """All files as one mapping. `shared` has the entries, as section and id, that several files contribute to."""

    rules: Mapping
    shared: frozenset[Path]


def unite(files: Sequence[Mapping], span: Span, diagnostics: Diagnostics) -> MergedFiles:
    """Return the files of a layer as one mapping, and the entries that several of them have.

    A value that two files set is reported to `diagnostics`, and the value of the earlier file is used. `span` is that
    of the result if there are no files. The files are not changed.
    """
    sections: dict[str, Entry] = {}
    shared: set[Path] = set()
    for file in files:
        rules = _expand(file)
        union = _Union(diagnostics, file)
        for section, entry in rules.entries.items():
            there = sections.get(section)
            if there is None:
                sections[section] = _copy_entry(entry)
                continue
            if isinstance(there.value, Mapping) and isinstance(entry.value, Mapping):
                shared.update((section, key) for key in entry.value.entries if key in there.value.entries)
            sections[section] = union.section(there, entry)
    return MergedFiles(Mapping(sections, files[0].span if files else span), frozenset(shared))


@keep_latest(lambda file: file.span.file)
def _expand(file: Mapping) -> Mapping:
    """Return a file with its short forms expanded.

    Cached, so that a file shared by several editions, or left alone while another one changes, is expanded only once.
    """
    rules = expand_short_forms(file, build_rules_shape())
    assert isinstance(rules, Mapping)
    return rules


def _copy_entry(entry: Entry) -> Entry:
    """Return a section's entry with a mapping of its own, to which further files can be added in place."""
    if not isinstance(entry.value, Mapping):
        return entry
    return Entry(entry.key, Mapping(dict(entry.value.entries), entry.value.span))


def list_entries(rules: Mapping) -> set[Path]:
    """Return every entry of a rules file as a pair of section and id. Sections that are not mappings are ignored."""
    return {
        (section, key)
        for section, entry in rules.entries.items()
        if isinstance(entry.value, Mapping)
        for key in entry.value.entries
    }


class _Union:
    """An accumulator that adds the content of one `file` to that of the files before it."""

    def __init__(self, diagnostics: Diagnostics, file: Mapping) -> None:
        self.diagnostics = diagnostics
        self.file = file

    def section(self, there: Entry, entry: Entry) -> Entry:
        """Return a section with the entries of one more file.

        If the section is a plain map, they are added to `there` in place, and it is returned itself. Values that both
        have and that cannot be merged are reported.
        """
        name = entry.key.text
        shape, known, new = find_inner_shape(build_rules_shape(), name), there.value, entry.value
        match shape, known, new:
            case MapOf(), Mapping(entries=dict() as entries), Mapping() if not (
                _whole(known, shape) or _whole(new, shape)
            ):
                for key, each in new.entries.items():
                    first = entries.get(key)
                    entries[key] = each if first is None else self._join(first, each, shape.inner, (name, key))
                return there
        return self._join(there, entry, shape, (name,))

    def _join(self, first: Entry, second: Entry, shape: Shape, path: Path) -> Entry:
        return Entry(first.key, self.node(first, second, shape, path))

    def mapping(self, first: Mapping, second: Mapping, shape: Record | MapOf, path: Path) -> Mapping:
        """Return the keys of both mappings, those of `first` first. A key of both has the merged value."""
        entries = dict(first.entries)
        for key, entry in second.entries.items():
            there = entries.get(key)
            if there is None:
                entries[key] = entry
            else:
                entries[key] = self._join(there, entry, find_inner_shape(shape, key), (*path, key))
        return Mapping(entries, first.span)

    def node(self, first: Entry, second: Entry, shape: Shape, path: Path) -> Node:
        """Return the merged value of a key that both files have.

        If the values cannot be merged, or an entire entry occurs twice, reports a clash and returns the value of
        `first`.
        """
        if (
            len(path) == _ENTRY
            and isinstance(first.value, Mapping)
            and first.value.to_plain() == second.value.to_plain()
        ):
            return self._clash(first, second, path)  # one diagnostic for the whole entry
        if isinstance(shape, ByForm):
            inner = choose_form(shape, first.value)
            if inner is not None and inner is choose_form(shape, second.value, first.value):
                return self.node(first, second, inner, path)
            return self._clash(first, second, path)
        whole = _whole(first.value, shape) or _whole(second.value, shape)
        match shape, first.value, second.value:
            case ((Record() | MapOf()), Mapping() as one, Mapping() as other) if not whole:
                return self.mapping(one, other, shape, path)
            case Steps(), SequenceNode() as one, SequenceNode() as other:
                return self._steps(one, other, path)
            case ListOf(), SequenceNode() as one, SequenceNode() as other if is_edited(one) or is_edited(other):
                return SequenceNode((*one.items, *other.items), one.span)
        if type(shape) is Shape and isinstance(first.value, Mapping) and isinstance(second.value, Mapping):
            return self.mapping(first.value, second.value, MapOf(inner=Shape()), path)
        return self._clash(first, second, path)

    def _clash(self, first: Entry, second: Entry, path: Path) -> Node:
        """Report that two files set the same value, with an edit that deletes the second one if both are equal.

        Returns the value of the first.
        """
        related = (RelatedSpan(first.key.span, "it is also set here"),)
        message = f"two files of one edition define `{'.'.join(path)}`"
        hint: str | None = None
        edits: tuple[Edit, ...] = ()
        if first.value.to_plain() == second.value.to_plain():
            removed = build_removal(self.file, second.key.span)
            hint, edits = "delete one of the two, which are the same", (removed,) if removed is not None else ()
        self.diagnostics.add(
            ruleset_diagnostics.DECLARED_TWICE, message, second.key.span, related=related, suggestion=hint, edits=edits
        )
        return first.value

    def _steps(self, first: SequenceNode, second: SequenceNode, path: Path) -> SequenceNode:
        """Return the steps of both files.

        Edits of the same step are combined, and steps that are placed come first, so that the order of the files does
        not matter.
        """
        items: list[Node] = list(first.items)
        known = {_find_step(item): place for place, item in enumerate(items) if _find_step(item) is not None}
        for item in second.items:
            place = known.get(_find_step(item))
            there = items[place] if place is not None else None
            if place is None or not isinstance(there, Mapping) or not isinstance(item, Mapping):
                items.append(item)
                continue
            rest = Mapping({key: entry for key, entry in item.entries.items() if key != "id"}, item.span)
            items[place] = self.mapping(there, rest, step_shape(there), (*path, str(_find_step(item))))
        return SequenceNode(tuple(_in_turn(items)), first.span)


def _in_turn(items: Sequence[Node]) -> Iterator[Node]:
    """Yield items in the order in which they can be applied: placed ones, then changes, replacements and deletions.

    The deletion of a step that is also placed comes first, and so does the replacement of a step by one beside which
    others are placed.
    """
    added = {_text(item, "id") for item in items if _is(item, "before") or _is(item, "after")}
    anchors = {_text(item, word) for item in items for word in ("before", "after")}

    def turn(item: Node) -> int:
        """Return the place of an item in the order."""
        if _is(item, "delete"):
            return 0 if _text(item, "delete") in added else 4
        if _is(item, "replace"):
            return 0 if _text(item, "id") in anchors else 3
        return 1 if _is(item, "before") or _is(item, "after") else 2

    yield from sorted(items, key=turn)


def _is(item: Node, word: str) -> bool:
    return isinstance(item, Mapping) and word in item


def _text(item: Node, key: str) -> str | None:
    value = item.get(key) if isinstance(item, Mapping) else None
    return value.text if isinstance(value, Scalar) else None


def _find_step(item: Node) -> str | None:
    """Return the id of a step that an item declares or changes in its position, or None for one that is placed."""
    return None if any(_is(item, word) for word in POSITIONS) else _text(item, "id")


def _whole(node: Node, shape: Shape) -> bool:
    """Return whether a node replaces or deletes its entry, so that another file cannot add to it."""
    known = shape.members if isinstance(shape, Record) else {}
    return isinstance(node, Mapping) and any(word in node and word not in known for word in ("delete", "replace"))
