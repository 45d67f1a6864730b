"""Declare custom dice, read the faces of roll table rows, and check that these cover every outcome exactly once."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Mapping as ReadOnlyMapping

from rulewright.dice.ast import Die
from rulewright.language.declarations import Declarations, TableRow
from rulewright.ruleset import ruleset_diagnostics
from rulewright.ruleset.elaborate.named_rolls import declare_named_rolls
from rulewright.ruleset.elaborate.node_readers import iterate_entries, list_items
from rulewright.ruleset.layers.layer import Layer
from rulewright.ruleset.layers.source_edits import build_value_edit
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Edit, RelatedSpan
from rulewright.source.nodes import Entry, Mapping, Node, Scalar
from rulewright.source.span import Span

MOST_FACES = 1_000

# Python limits the number of digits that `int` converts.
_NUMBER = r"-?\d{1,1000}"
_DIE = re.compile(rf"\s*({_NUMBER})\s*\.\.\s*({_NUMBER})(?:\s+step\s+(\d{{1,1000}}))?\s*")
_RANGE = re.compile(rf"\s*({_NUMBER})\s*(?:(?:-|–|\.\.)\s*({_NUMBER}))?\s*")


def declare_dice(rules: Mapping, declarations: Declarations, diagnostics: Diagnostics) -> None:
    """Declare every custom die in `declarations.dice`, and every named roll.

    Invalid names and faces are reported. A die with such a name, or without any valid face, is left out. One that is
    also written like a named roll is reported and kept.
    """
    named: dict[str, Entry] = {}
    for name, entry in iterate_entries(rules.get("dice")):
        node = entry.value
        assert isinstance(node, Mapping)
        if "faces" not in node:
            named[name] = entry
            continue
        if "is" in node or "given" in node:
            message = f"`{name}` has `faces` as well as `is` or `given`"
            hint = "a die has `faces`; a named roll has `is`, and also `given` if it is made from another roll"
            diagnostics.add(ruleset_diagnostics.FACES_SYNTAX, message, entry.key.span, suggestion=hint)
        faces = _die_faces(node.get("faces"), diagnostics)
        if not re.fullmatch(r"d[A-Z0-9][A-Za-z0-9]*", name):
            message = f"`{name}` is not a valid name for a die"
            diagnostics.add(
                ruleset_diagnostics.FACES_SYNTAX,
                message,
                entry.key.span,
                suggestion="the name of a die is `d` and a capital letter or number: `dP`, `d3`",
            )
        elif faces:
            declarations.dice[name] = Die(faces, name)
    declare_named_rolls(named, declarations, diagnostics)


def _die_faces(node: Node | None, diagnostics: Diagnostics) -> tuple[int, ...]:
    """Return the faces of a die in ascending order. Invalid faces are reported and left out."""
    if isinstance(node, Scalar):
        match = _DIE.fullmatch(node.text)
        if match is None:
            diagnostics.add(ruleset_diagnostics.FACES_SYNTAX, f"`{node.text}` are not faces", node.span)
            return ()
        first, last, step = (int(part) if part else 1 for part in match.groups())
        if step < 1 or last < first or (last - first) // step >= MOST_FACES:
            message = f"a die must have 1 to {MOST_FACES} faces, with the lowest first"
            diagnostics.add(ruleset_diagnostics.FACES_SYNTAX, message, node.span)
            return ()
        return tuple(range(first, last + 1, step))
    faces = []
    for item in list_items(node):
        if isinstance(item, Scalar) and type(item.value) is int:
            faces.append(item.value)
        else:
            diagnostics.add(ruleset_diagnostics.FACES_SYNTAX, "a face must be a whole number", item.span)
    return tuple(sorted(faces))


def read_row_faces(node: Node | None, outcomes: Sequence[int], diagnostics: Diagnostics) -> tuple[int, ...]:
    """Return the outcomes of a table's roll that `on: …` names, in its order. A range includes every outcome in it.

    `outcomes` must be sorted. Invalid and impossible faces are reported and left out. An outcome that is named twice
    occurs twice.
    """
    numbers: list[int] = []
    for item in list_items(node):
        match = _RANGE.fullmatch(item.text) if isinstance(item, Scalar) else None
        if match is None:
            diagnostics.add(
                ruleset_diagnostics.FACES_SYNTAX, "faces are written as `10`, `10-70`, or a list of these", item.span
            )
            continue
        first = int(match.group(1))
        last = int(match.group(2) or first)
        if last < first:
            message = f"{first} to {last} runs backwards"
            diagnostics.add(ruleset_diagnostics.FACES_SYNTAX, message, item.span, suggestion=f"write `{last}-{first}`")
            continue
        for end in {first, last}:
            if not _comes_up(end, outcomes):
                message = f"the roll never shows {end}; it shows {_list(outcomes)}"
                diagnostics.add(ruleset_diagnostics.FACES_IMPOSSIBLE, message, item.span)
        numbers.extend(outcomes[bisect_left(outcomes, first) : bisect_right(outcomes, last)])
    return tuple(numbers)


def group_ranges(faces: Sequence[int], outcomes: Sequence[int]) -> list[tuple[int, int]]:
    """Return faces as runs of adjacent outcomes, sorted, each as (first, last) with both included.

    `outcomes` must be sorted.
    """
    runs: list[tuple[int, int]] = []
    after = -1
    for face in sorted(faces):
        place = bisect_left(outcomes, face)
        if runs and place == after:
            runs[-1] = (runs[-1][0], face)
        else:
            runs.append((face, face))
        after = place + 1
    return runs


def _comes_up(face: int, outcomes: Sequence[int]) -> bool:
    place = bisect_left(outcomes, face)
    return place < len(outcomes) and outcomes[place] == face


def _list(outcomes: Sequence[int]) -> str:
    if len(outcomes) <= 12:
        return ", ".join(str(outcome) for outcome in outcomes)
    return f"{outcomes[0]} to {outcomes[-1]}"


MOST_RELATED = 8
"""The maximum number of rows that a diagnostic points to."""


class Cover:
    """The assignment of a roll's outcomes to the rows of a table. Errors in `faulty` rows were reported before.

    `top` is the top layer: if it changed the faces of one row, the suggested fix changes the other rows.
    """

    def __init__(
        self,
        table: str,
        rows: ReadOnlyMapping[str, TableRow],
        outcomes: Sequence[int],
        node: Mapping,
        faulty: set[str],
        top: Layer | None,
    ) -> None:
        self.table = table
        self.rows = rows
        self.outcomes = tuple(outcomes)
        self.node = node
        self.faulty = faulty
        self.top = top
        self.top_files = {file.span.file for file in top.files} if top is not None else set()

    def check(self, diagnostics: Diagnostics) -> dict[int, str]:
        """Return the row of each outcome. Gaps, overlaps and rows without a face are reported.

        An outcome of several rows belongs to the first, and one without a row is left out.
        """
        by_face: dict[int, str] = {}
        doubled: dict[tuple[str, str], list[int]] = {}
        for row in self.rows.values():
            for face in row.faces:
                if face in by_face:
                    doubled.setdefault((by_face[face], row.id), []).append(face)
                by_face.setdefault(face, row.id)
        for (first, second), faces in doubled.items():
            self._overlap(first, second, faces, diagnostics)
        missing = [outcome for outcome in self.outcomes if outcome not in by_face]
        faceless = [row for row in self.rows.values() if not row.faces and row.id not in self.faulty]
        uncovered = describe_faces(missing, self.outcomes)
        hint = f"no row covers {uncovered}: write `on:` with its faces" if missing else None
        for row in faceless:
            message = f"`{row.id}` of {self.table} has no face, so it never comes up"
            diagnostics.add(ruleset_diagnostics.FACES_GAP, message, row.span, suggestion=hint)
        if missing and self.rows and not self.faulty and not faceless:
            self._gap(missing, by_face, diagnostics)
        return by_face

    def _overlap(self, first: str, second: str, faces: list[int], diagnostics: Diagnostics) -> None:
        """Report faces that two rows have, or one row twice.

        If one of the rows is not in the top layer, it should give way, and the suggestion leaves the faces out of it.
        """
        if first == second:
            message = f"`{first}` of {self.table} has {describe_faces(faces, self.outcomes)} twice"
            diagnostics.add(ruleset_diagnostics.FACES_OVERLAP, message, self._find_span(second))
            return
        verb = "belongs" if len(faces) == 1 else "belong"
        message = f"{describe_faces(faces, self.outcomes)} of {self.table} {verb} to `{first}` and to `{second}`"
        # The upper layer changed its row on purpose, so the other row should change.
        yielding = self._find_yielding(first, second)
        at, other = (second, first) if yielding != second else (first, second)
        related = (RelatedSpan(self._find_span(other), f"`{other}` has it here"),)
        edits: tuple[Edit, ...] = ()
        left = [face for face in self.rows[yielding].faces if face not in faces] if yielding is not None else []
        hint = None
        if yielding is not None and left:
            hint, edits = self._suggest_faces({yielding: left})
        diagnostics.add(
            ruleset_diagnostics.FACES_OVERLAP,
            message,
            self._find_span(at),
            related=related,
            suggestion=hint,
            edits=edits,
        )

    def _gap(self, missing: list[int], by_face: ReadOnlyMapping[int, str], diagnostics: Diagnostics) -> None:
        """Report outcomes without a row. The suggestion adds them to the rows beside them, if it is clear to which."""
        message = f"no row of {self.table} covers {describe_faces(missing, self.outcomes)}"
        # Rows may come from several layers; show all candidates.
        rivals = tuple(
            RelatedSpan(self._find_span(row.id), f"`{row.id}` has {describe_faces(row.faces, self.outcomes)}")
            for row in self.rows.values()
        )
        changed = [row for row in self._beside(missing, by_face) if self._is_own(row)]
        if all(self._is_own(row) for row in self.rows):
            changed = []
        at = self._find_span(changed[0]) if changed else self.node.find_key_span("rows")
        hint, edits = self._suggest_faces(self._find_takers(missing, by_face))
        diagnostics.add(
            ruleset_diagnostics.FACES_GAP,
            message,
            at,
            related=[each for each in rivals if each.span != at][:MOST_RELATED],
            suggestion=hint,
            edits=edits,
        )

    def _find_takers(self, missing: list[int], by_face: ReadOnlyMapping[int, str]) -> dict[str, list[int]]:
        """Return the rows that should take the missing faces, each with all its faces after that.

        Empty if that is not clear. A gap between two rows is for the one that the top layer did not change.
        """
        faces: dict[str, list[int]] = {}
        for first, last in group_ranges(missing, self.outcomes):
            run = [face for face in missing if first <= face <= last]
            beside = list(self._beside(run, by_face))
            row = beside[0] if len(set(beside)) == 1 else self._find_yielding(*beside) if len(beside) == 2 else None
            if row is None:
                return {}
            faces.setdefault(row, list(self.rows[row].faces)).extend(run)
        return faces

    def _beside(self, run: Sequence[int], by_face: ReadOnlyMapping[int, str]) -> Iterator[str]:
        """Yield the rows with the faces adjacent to each run of faces, below before above.

        A row may occur more than once.
        """
        places = {outcome: place for place, outcome in enumerate(self.outcomes)}
        for first, last in group_ranges(run, self.outcomes):
            for place in (places[first] - 1, places[last] + 1):
                if 0 <= place < len(self.outcomes) and self.outcomes[place] in by_face:
                    yield by_face[self.outcomes[place]]

    def _find_yielding(self, first: str, second: str) -> str | None:
        """Return the row that should change, the one not in the top layer, or None if both or neither is."""
        own = [self._is_own(first), self._is_own(second)]
        return None if own[0] == own[1] else (second if own[0] else first)

    def _is_own(self, row: str) -> bool:
        return self._find_span(row).file in self.top_files

    def _suggest_faces(self, faces: ReadOnlyMapping[str, Iterable[int]]) -> tuple[str | None, tuple[Edit, ...]]:
        """Return a hint with the new faces of these rows, and the edit that sets them in the top layer.

        The hint is None if there are no rows. There is an edit only for a single row, and only if the top layer can
        be edited.
        """
        texts = {row: _as_yaml(sorted(each), self.outcomes) for row, each in faces.items()}
        if not texts:
            return None, ()
        edits = [self._make_top_edit(row, text) for row, text in texts.items()]
        hint = "change the faces to " + ", ".join(f"`{row}: {text}`" for row, text in texts.items())
        # Two edits of one mapping may overlap, so only a single edit is offered.
        return hint, tuple(edit for edit in edits if edit is not None) if len(edits) == 1 else ()

    def _make_top_edit(self, row: str, text: str) -> Edit | None:
        """Return the edit that sets the faces of a row in the top layer, or None if that layer cannot be edited."""
        if self.top is None:
            return None
        path = ("tables", self.table, "rows", row)
        rows = self.node.get("rows")
        entry = rows.get(row) if isinstance(rows, Mapping) else None
        long = isinstance(entry, Mapping) and len(entry.entries) > 1 and self._is_own(row)
        return build_value_edit(self.top, (*path, "on") if long else path, text)

    def _find_span(self, row: str) -> Span:
        """Return the span of a row's faces, which may be in another layer than the row."""
        rows = self.node.get("rows")
        entry = rows.get(row) if isinstance(rows, Mapping) else None
        faces = entry.get("on") if isinstance(entry, Mapping) else None
        return self.rows[row].span if faces is None else faces.span


def describe_faces(faces: Sequence[int], outcomes: Sequence[int]) -> str:
    """Return faces as text: `10 to 70, 90`."""
    return ", ".join(str(a) if a == b else f"{a} to {b}" for a, b in group_ranges(faces, outcomes))


def _as_yaml(faces: Sequence[int], outcomes: Sequence[int]) -> str:
    runs = [str(a) if a == b else f"{a}-{b}" for a, b in group_ranges(faces, outcomes)]
    return runs[0] if len(runs) == 1 else f"[{', '.join(runs)}]"
