"""Merge an upper layer over a lower one.

Mappings merge by key at every level. Scalars and plain lists replace. Steps and other ordered entries are addressed by
id. An override without effect is reported with both positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulewright.language.schema_shapes import POSITIONS, ByForm, ListOf, MapOf, Record, Shape, Steps, find_inner_shape
from rulewright.ruleset import ruleset_diagnostics
from rulewright.ruleset.layers.conflicts import SIGNATURE, is_signature, report_clashes
from rulewright.ruleset.layers.list_edits import is_edit, is_edited, merge_list
from rulewright.ruleset.layers.merge_log import MergeLog, describe_node, is_same
from rulewright.ruleset.layers.ordering import Placement, place
from rulewright.ruleset.layers.step_edits import merge_steps
from rulewright.ruleset.layers.value_origins import Path, ValueHistory
from rulewright.ruleset.schema.canonical_form import choose_form
from rulewright.ruleset.section import load_sections, matches_pattern
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import RelatedSpan
from rulewright.source.nodes import Entry, Mapping, Node, Scalar, Sequence


class Merge:
    """The merge of one layer over the layers below. Changes and errors go to `log`."""

    def __init__(self, log: MergeLog) -> None:
        self.log = log
        self.again: set[Path] = set()

    def merge_node(self, lower: Node, upper: Node, shape: Shape, path: Path) -> Node:
        """Return `upper` merged over `lower`, both of the schema `shape`, and record the changes at `path`.

        Mappings, steps and lists of edits are merged. Any other value of `upper` replaces the one of `lower`. Edits
        of a missing list are reported, and `lower` is returned.
        """
        if isinstance(shape, ByForm):
            inner = choose_form(shape, upper, lower)
            if inner is not None and inner is choose_form(shape, lower):
                return self.merge_node(lower, upper, inner, path)
            return self._replace(lower, upper, path)
        match shape, lower, upper:
            case ((Record() | MapOf()), Mapping(), Mapping()):
                return self.merge_mapping(lower, upper, shape, path)
            case Steps(), Sequence(), Sequence():
                return merge_steps(self.log, self.merge_mapping, lower, upper, path)
            case ListOf(), _, Sequence() if is_edited(upper):
                if isinstance(lower, Sequence):
                    return merge_list(self.log, lower, upper, path)
                self.log.report_nothing_there(path, upper, Mapping({}, lower.span))
                return lower
        if type(shape) is Shape and isinstance(lower, Mapping) and isinstance(upper, Mapping):
            return self.merge_mapping(lower, upper, MapOf(inner=Shape()), path)
        return self._replace(lower, upper, path)

    def _replace(self, lower: Node, upper: Node, path: Path) -> Node:
        """Record the replacement of a value, and return the new value.

        An equal value is reported, unless it may be repeated because something that it describes has changed.
        """
        if is_same(lower, upper) and not any(path[: len(said_again)] == said_again for said_again in self.again):
            self.log.report(
                ruleset_diagnostics.OVERRIDE_WITHOUT_EFFECT,
                f"{'.'.join(path)} is {describe_node(lower)} already",
                upper,
                (RelatedSpan(lower.span, "inherited from here"),),
                path=path,
            )
        self.log.record(path, "changes", lower, upper)
        return upper

    def merge_mapping(self, lower: Mapping, upper: Mapping, shape: Record | MapOf, path: Path) -> Mapping:
        """Return two mappings merged by key, with the span of `lower`, and record the changes at `path`.

        New keys of `upper` go to the position that they ask for, or to the end. Overrides that do nothing, have nothing
        to override, or replace another key are reported to the log.
        """
        if path and not upper.entries:
            related = (RelatedSpan(lower.span, "inherited from here"),)
            self.log.report(
                ruleset_diagnostics.OVERRIDE_WITHOUT_EFFECT, f"this does not change {'.'.join(path)}", upper, related
            )
        self.again |= set(_is_repeated(lower, upper, path))
        if self._signs_another_text(lower, upper, path):
            self.again.add((*path, SIGNATURE))
        entries: dict[str, Entry] = dict(lower.entries)
        placements: list[Placement] = []
        moved: list[Placement] = []
        for key, entry in upper.entries.items():
            inner = find_inner_shape(shape, key)
            directives, value = split_positions(entry.value, inner)
            below = lower.entries.get(key)
            if "delete" in directives:
                if below is None:
                    self.log.report_nothing_there((*path, key), entry.key, lower)
                    self.log.touch("removes", (*path, key), entry.value)
                else:
                    self.log.record((*path, key), "removes", below.value, entry.value)
                    del entries[key]
                continue
            anchors: dict[str, Scalar] = {word: directives[word] for word in ("before", "after") if word in directives}
            if "replace" in directives:
                target = directives["replace"]
                if target.text not in ("true", key):
                    self.log.report(
                        ruleset_diagnostics.OVERRIDE_OF_NOTHING,
                        f"`{key}` can only replace the inherited `{key}`",
                        target,
                    )
                elif below is None:
                    self.log.report_nothing_there((*path, key), entry.key, lower)
                elif is_same(below.value, value):
                    self._replace(below.value, value, (*path, key))
                self.log.record((*path, key), "replaces", below.value if below else None, value)
                entries[key] = Entry(entry.key, self.arrange_entries(value, inner))
            elif below is None:
                self.log.record((*path, key), "adds", None, value, inner)
                self._note_appended(value, inner, (*path, key))
                entries[key] = Entry(entry.key, self.arrange_entries(value, inner))
            else:
                if anchors:
                    self.log.record((*path, key), "moves", below.value, entry.value)
                if not (anchors and isinstance(value, Mapping) and not value.entries):
                    entries[key] = Entry(below.key, self.merge_node(below.value, value, inner, (*path, key)))
            if anchors:
                if _is_ordered_by_rule(shape):
                    self.log.record_places(path, key, anchors, entry.value)
                placements.append(Placement(key, anchors, entry.value.span))
                if below is not None and isinstance(value, Mapping) and not value.entries:
                    moved.append(placements[-1])
        if _is_ordered_by_rule(shape):
            placed = {placement.key for placement in placements}
            new = [key for key in upper.entries if key in entries and key not in lower and key not in placed]
            entries = {key: entries[key] for key in self.log.in_order(path, entries, new)}
        if placements:
            order = place(list(entries), placements, self.log.diagnostics)
            self._refuse_idle(moved, order, list(entries), placements, lower, path)
            entries = {key: entries[key] for key in order}
        return Mapping(entries, lower.span)

    def _signs_another_text(self, lower: Mapping, upper: Mapping, path: Path) -> bool:
        """Return whether `upper` signs an entry with a value that it, or a layer below, changed.

        An equal signature then confirms another text, so it may be repeated.
        """
        return (
            SIGNATURE in upper
            and is_signature((*path, SIGNATURE))
            and any(
                key in upper or self.log.history.find_origins((*path, key)) for key in lower.entries if key != SIGNATURE
            )
        )

    def _note_appended(self, value: Node, shape: Shape, path: Path) -> None:
        """Record the entries of a new section or list as if each had been appended separately."""
        if isinstance(value, Mapping) and isinstance(shape, MapOf) and _is_ordered_by_rule(shape):
            new = [key for key, entry in value.entries.items() if not split_positions(entry.value, shape.inner)[0]]
            self.log.in_order(path, value.entries, new)

    def _refuse_idle(
        self,
        moved: list[Placement],
        order: list[str],
        before: list[str],
        placements: list[Placement],
        lower: Mapping,
        path: Path,
    ) -> None:
        """Report entries that are moved to the position that they have already.

        Args:
            moved: The placements that only move an entry of `lower`.
            order: The keys after all placements.
            before: The keys before any placement.
            placements: All placements, including `moved`.
            lower: The mapping below.
            path: The path of the mapping.
        """
        for placement in moved:
            others = [other for other in placements if other is not placement]
            if place(before, others, Diagnostics()) == order:
                there = lower.entries[placement.key]
                message = f"`{placement.key}` is already there"
                related = (RelatedSpan(there.key.span, "it is here"),)
                node = Mapping({}, placement.span)
                self.log.report(
                    ruleset_diagnostics.OVERRIDE_WITHOUT_EFFECT, message, node, related, path=(*path, placement.key)
                )

    def arrange_entries(self, node: Node, shape: Shape) -> Node:
        """Return a node that is new in this layer, with its entries in the positions they ask for.

        The position keys are removed at every level. `delete` and `replace` are reported, because nothing is there to
        change. A node that stays as it is is returned itself.
        """
        if isinstance(shape, ByForm):
            inner = choose_form(shape, node)
            return node if inner is None else self.arrange_entries(node, inner)
        if isinstance(node, Sequence) and isinstance(shape, (Steps, ListOf)):
            return self._arranged_list(node, shape)
        if not isinstance(node, Mapping) or not isinstance(shape, (Record, MapOf)):
            return node
        entries: dict[str, Entry] = {}
        placements: list[Placement] = []
        for key, entry in node.entries.items():
            inner = find_inner_shape(shape, key)
            directives, value = split_positions(entry.value, inner)
            for word in ("delete", "replace"):
                if word in directives:
                    self.log.report_nothing_there((key,), entry.key, Mapping({}, node.span))
            anchors: dict[str, Scalar] = {word: directives[word] for word in ("before", "after") if word in directives}
            if anchors:
                placements.append(Placement(key, anchors, entry.value.span))
            arranged = self.arrange_entries(value, inner)
            entries[key] = entry if arranged is entry.value else Entry(entry.key, arranged)
        if not placements and all(entries[key] is entry for key, entry in node.entries.items()):
            return node
        order = place(list(entries), placements, self.log.diagnostics) if placements else list(entries)
        return Mapping({key: entries[key] for key in order}, node.span)

    def _arranged_list(self, node: Sequence, shape: Steps | ListOf) -> Sequence:
        """Return a list that is new in this layer, with the edits among its items applied to the other items.

        Such edits come from other files of the same layer. Reports edits that clash or cannot be applied. Without
        edits, `node` itself is returned.
        """
        if isinstance(shape, Steps):
            changes = [item for item in node.items if isinstance(item, Mapping) and any(p in item for p in POSITIONS)]
        else:
            changes = [item for item in node.items if isinstance(item, Mapping) and is_edit(item)]
        if not changes:
            return node
        own = Sequence(tuple(item for item in node.items if item not in changes), node.span)
        above = Sequence(tuple(changes), node.span)
        # A separate log, because the addition of the list is already recorded.
        log = MergeLog(self.log.layer, ValueHistory(), self.log.diagnostics)
        if isinstance(shape, Steps):
            arranged = merge_steps(log, self.merge_mapping, own, above, ())
        else:
            arranged = merge_list(log, own, above, ())
        report_clashes(log.touches, (), self.log.diagnostics)
        return arranged


def _is_repeated(lower: Mapping, upper: Mapping, path: Path) -> Iterator[Path]:
    """Yield the paths of texts that `upper` may repeat unchanged, because it changes what they describe."""
    section = load_sections().get(path[0]) if path else None
    if section is not None and section.retold and len(path) == 2 and not upper.entries.keys() <= set(section.retold):
        yield from ((*path, key) for key in section.retold)
    for pattern, keys in section.worded.items() if section is not None else ():
        played = pattern.rpartition(".")[2]
        above, below = upper.get(played), lower.get(played)
        if above is None or (below is not None and is_same(below, above)):
            continue
        if matches_pattern(pattern, (*path[2:], played)):
            yield from ((*path, key) for key in keys)


def split_positions(node: Node, shape: Shape) -> tuple[dict[str, Scalar], Node]:
    """Return the placement keys of an entry (`before`, `after`, `replace`, `delete`), and the entry without them.

    The node itself is returned, and no keys, if it has none, or if the schema has keys of these names or no order.
    """
    if not isinstance(node, Mapping) or (isinstance(shape, Record) and any(p in shape.members for p in POSITIONS)):
        return {}, node
    if isinstance(shape, MapOf) and not shape.ordered:
        return {}, node
    results = {
        key: entry.value for key, entry in node.entries.items() if key in POSITIONS and isinstance(entry.value, Scalar)
    }
    if not results:
        return {}, node
    rest = {key: entry for key, entry in node.entries.items() if key not in results}
    return results, replace(node, entries=rest)


def _is_ordered_by_rule(shape: Record | MapOf) -> bool:
    """Return whether the order of the entries affects play, as the order of rows does."""
    return isinstance(shape, MapOf) and shape.ranked and shape.ordered
