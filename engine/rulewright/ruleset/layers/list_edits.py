"""Merge lists by edits of an upper layer: `{after: a, id: b}`, `{replace: a, id: b}`, `{delete: a}`."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.language.schema_shapes import EDIT_KEYS, POSITIONS
from rulewright.ruleset import ruleset_diagnostics
from rulewright.ruleset.layers.merge_log import MergeLog, describe_node, is_same
from rulewright.ruleset.layers.value_origins import Operation, Origin, Path
from rulewright.source.diagnostics.diagnostic import RelatedSpan
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping, Node, Scalar
from rulewright.source.nodes import Sequence as SequenceNode


def is_edited(node: Node) -> bool:
    """Return whether a list holds edits of the list below, and so does not replace it."""
    return isinstance(node, SequenceNode) and any(map(is_edit, node.items))


def is_edit(item: Node) -> bool:
    """Return whether an item of a list is an edit."""
    return isinstance(item, Mapping) and bool(item.entries) and item.entries.keys() <= EDIT_KEYS


def merge_list(log: MergeLog, lower: SequenceNode, upper: SequenceNode, path: Path) -> SequenceNode:
    """Return `lower` with the edits of `upper` applied, and record them in the history at `path`.

    Reports edits that cannot be applied or do nothing to `log`, and applies the rest. If an item of `upper` is not an
    edit, reports that and returns `lower`.
    """
    edits = [item for item in upper.items if isinstance(item, Mapping)]
    for item in upper.items:
        if not is_edit(item):
            hint = "write `{id: …}` to add it, or write the whole list without changes"
            message = f"this list changes the inherited list, so it cannot contain the element `{describe_node(item)}`"
            log.report(ruleset_diagnostics.OVERRIDE_OF_NOTHING, message, item, (), hint)
            return lower
    merged = _ListEdit(log, lower, path)
    # An edit waits until its anchor is in the list. Deletions come last, so that anchors still exist.
    waiting = sorted(edits, key=lambda item: "delete" in item)
    while waiting:
        ready = next((item for item in waiting if merged.knows_anchor(item)), waiting[0])
        waiting.remove(ready)
        merged.change(ready)
    if not log.history.find_origins(path):
        log.history.record(path, Origin("", "defines", lower.span, lower))
    result = SequenceNode(tuple(merged.items), lower.span)
    log.history.record(path, Origin(log.layer, "changes", upper.span, result))
    return result


class _ListEdit:
    """A list while edits are applied to it."""

    def __init__(self, log: MergeLog, lower: SequenceNode, path: Path) -> None:
        self.log = log
        self.lower = lower
        self.path = path
        self.items: list[Node] = list(lower.items)
        # The last entry inserted after each anchor, so that entries with the same anchor keep their source order.
        self.tails: dict[str, str] = {}

    def knows_anchor(self, edit: Mapping) -> bool:
        """Return whether the entry that `edit` is placed beside, replaces or deletes is in the list."""
        anchor = next((edit.get(word) for word in POSITIONS if word in edit), None)
        return anchor is None or (isinstance(anchor, Scalar) and bool(self._places(anchor.text)))

    def change(self, edit: Mapping) -> None:
        """Apply one edit to `items`, or report to `log` why that is impossible."""
        words = [word for word in POSITIONS if word in edit]
        own = edit.get("id")
        if len(words) > 1:
            message = f"an entry can be placed only once, but this has {' and '.join(f'`{word}`' for word in words)}"
            self.log.report(ruleset_diagnostics.CONTRADICTORY_ORDER, message, edit)
        elif words == ["delete"]:
            place = self._place(edit.get("delete"))
            if place is not None:
                self._touch("removes", self.items.pop(place), edit)
        elif not isinstance(own, Scalar):
            message = f"`{words[0] if words else 'id'}` gives a position, but no element"
            self.log.report(ruleset_diagnostics.OVERRIDE_OF_NOTHING, message, edit, (), "add `id:` with the entry")
        elif words == ["replace"]:
            place = self._place(edit.get("replace"))
            if place is not None and is_same(self.items[place], own):
                self._idle(f"it is `{own.text}` already", edit, self.items[place])
            elif place is not None and not self._is_there(own, edit):
                self._touch("removes", self.items[place], edit)
                self._touch("adds", own, edit)
                self.items[place] = own
        elif words:
            self._put(words[0], edit, own)
        elif not self._is_there(own, edit):
            self._touch("adds", own, edit)
            self.items.append(own)

    def _put(self, word: str, edit: Mapping, own: Scalar) -> None:
        """Insert an entry beside its anchor, or move it there.

        Reports an anchor that is missing, ambiguous or the entry itself, and an entry that occurs several times.
        Nothing changes then. A move that changes nothing is reported, too.
        """
        anchor = edit.get(word)
        if self._place(anchor) is None:
            return
        assert isinstance(anchor, Scalar)
        if anchor.text == own.text:
            self.log.report(ruleset_diagnostics.CONTRADICTORY_ORDER, f"`{own.text}` cannot come {word} itself", edit)
            return
        before = list(self.items)
        there = self._places(own.text)
        if len(there) > 1:
            self._several(own)
            return
        entry = self.items.pop(there[0]) if there else own
        beside = self.tails.get(anchor.text, anchor.text) if word == "after" else anchor.text
        [place] = self._places(beside)[:1]
        self.items.insert(place + (word == "after"), entry)
        if word == "after":
            self.tails[anchor.text] = own.text
        self._touch("moves" if there else "adds", own, edit)
        if there and all(one is other for one, other in zip(before, self.items, strict=True)):
            self._idle(f"`{own.text}` is already there", edit, entry)

    def _place(self, named: Node | None) -> int | None:
        """Return the index of the entry that `named` means, counted from 0.

        None if there is none or more than one, which is reported, or if `named` is not a scalar, which is not.
        """
        if not isinstance(named, Scalar):
            return None
        places = self._places(named.text)
        if len(places) == 1:
            return places[0]
        if places:
            self._several(named)
            return None
        known = [item.text for item in self.items if isinstance(item, Scalar)]
        related = (RelatedSpan(self.lower.span, "this is the inherited list"),)
        hint = suggest_name(named.text, known) or (
            f"there is {', '.join(f'`{one}`' for one in known)}" if known else ""
        )
        message = f"there is no `{named.text}` in the inherited list"
        self.log.report(
            ruleset_diagnostics.OVERRIDE_OF_NOTHING, message, named, related, hint, path=(*self.path, named.text)
        )
        return None

    def _several(self, named: Scalar) -> None:
        related = (RelatedSpan(self.lower.span, "this is the inherited list"),)
        message = f"`{named.text}` is in the inherited list more than once"
        self.log.report(ruleset_diagnostics.OVERRIDE_OF_NOTHING, message, named, related, "write the whole list")

    def _places(self, text: str) -> Sequence[int]:
        return [place for place, item in enumerate(self.items) if isinstance(item, Scalar) and item.text == text]

    def _is_there(self, own: Scalar, edit: Mapping) -> bool:
        """Return whether the list already has an entry that an edit adds.

        If so, reports it, unless the entry is contested.
        """
        there = self._places(own.text)
        if not there or (*self.path, own.text) in self.log.contested:
            return bool(there)
        related = (RelatedSpan(self.items[there[0]].span, "it is here"),)
        hint = f"to move it, give its position: `{{id: {own.text}, after: …}}`"
        self.log.report(ruleset_diagnostics.ALREADY_THERE, f"`{own.text}` is already in the list", edit, related, hint)
        return True

    def _idle(self, message: str, edit: Mapping, there: Node) -> None:
        related = (RelatedSpan(there.span, "it is here"),)
        own = edit.get("id")
        path = (*self.path, own.text) if isinstance(own, Scalar) else self.path
        self.log.report(ruleset_diagnostics.OVERRIDE_WITHOUT_EFFECT, message, edit, related, path=path)

    def _touch(self, operation: Operation, entry: Node, edit: Mapping) -> None:
        self.log.touch(operation, (*self.path, describe_node(entry)), edit)
