"""The edition and rule under the cursor, valid even while the text has errors."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from rulewright.base.errors import RulewrightError
from rulewright.book.changes.compared_side import Side
from rulewright.book.english.naming import humanize
from rulewright.dice.ast import Roll
from rulewright.lsp.features.edition_states import EditionStanding, Good
from rulewright.lsp.features.hover import roll_at
from rulewright.lsp.features.mentions.mention import Path as RulePath
from rulewright.lsp.features.outline import find_rule_around
from rulewright.lsp.features.symbol_at import find_meaning, find_symbol
from rulewright.lsp.features.typing_context import ITEM, find_context
from rulewright.lsp.features.workspace import Workspace
from rulewright.ruleset.editions.edition import Edition
from rulewright.ruleset.layers.step_tree import find
from rulewright.ruleset.queries.lookup import find_node as node_of
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.section import load_sections
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.diagnostics.formats.json import as_data
from rulewright.source.files.unsaved_texts import build_file_key
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Node, Scalar, Sequence
from rulewright.source.span import Span
from rulewright.studio.panels.panel import Desk, PanelRequest


@dataclass(frozen=True, slots=True, eq=False)
class At:
    """The context for a panel's answer.

    `good` is the last valid state of the edition, and `lower` that of the edition to compare it with. If the current
    text has `errors`, the answer is stale. `named` is the path of the rule mentioned at the cursor, `inside` the path
    of the rule around the cursor. Both may be empty. `way` has the keys that lead to the scalar at the cursor, and
    `roll` is the dice expression there. `version` is that of the text with the cursor, which
    is in `file`.
    """

    desk: Desk
    good: Good
    lower: Good | None
    errors: tuple[Diagnostic, ...]
    named: RulePath
    inside: RulePath
    way: tuple[str, ...]
    roll: Roll | None
    version: str
    file: Path | None = None

    @property
    def ruleset(self) -> Ruleset:
        """The last valid ruleset of the edition."""
        return self.good.ruleset

    @property
    def below(self) -> Ruleset | None:
        """The ruleset to compare with, or None."""
        return self.lower.ruleset if self.lower is not None else None

    @property
    def edition(self) -> Edition:
        """The edition with its manifest and folder."""
        return self.good.edition

    def of(self, *sections: str) -> RulePath:
        """Return the rule at the cursor, or else around it, that belongs to one of these sections.

        The path is empty if there is none.
        """
        return next((path for path in (self.named, self.inside) if len(path) > 1 and path[0] in sections), ())

    def head(self, path: RulePath) -> dict[str, Any]:
        """Return the fields that every answer begins with.

        They have the edition, the version of the text with the cursor, the rule at `path`, whether errors make the
        answer stale, the errors as `diagnostics`, and where a higher layer changes the entry around the cursor.
        """
        return {
            "ref": self.edition.id,
            "version": self.version,
            "thing": describe_entry(self.desk, self.good, path),
            "stale": bool(self.errors),
            "diagnostics": build_diagnostics_data(self.desk, self.errors),
            "changed_at": self._find_change(),
        }

    def _find_change(self) -> dict[str, Any] | None:
        """Return the location in the uppermost layer of the entry around the cursor, or None if the cursor is there."""
        span = find_written_span(self.good, self.inside[:2]) if len(self.inside) > 1 else None
        if span is None or self.file is None or build_file_key(span.file) == build_file_key(self.file):
            return None
        return place(self.desk, self.ruleset, span)


def look(desk: Desk, request: PanelRequest, *, below: bool = False) -> At:
    """Return the context at the cursor.

    The edition to compare with requires a check of its own, so it is included only if `below` is true. Raises
    `DiagnosticError` for an edition that has never been valid, and `RulewrightError` if no edition reads the file or it
    is abstract.
    """
    path = desk.files.place(request.path) if request.path else None
    with desk.workspace() as workspace, _as_on_disk(workspace, path):
        edition, standing = _edition(workspace, path, request.ref)
        assert standing.sound is not None
        named: RulePath = ()
        inside: RulePath = ()
        way: RulePath = ()
        roll = None
        if path is not None:
            place = path, request.line, request.column
            meaning = find_meaning(workspace, *place)
            named = meaning.mention.path if meaning is not None else ()
            inside = find_around(workspace, *place)
            at = find_symbol(workspace, *place)
            way = at.way if at is not None and not at.is_key else ()
            rolled = roll_at(workspace, *place)
            roll = rolled[0] if rolled is not None else None
            way = way if rolled is not None and rolled[1] else ()
        lower = _below(workspace, edition) if below else None
        text = workspace.texts.get_text(path) if path is not None else None
    version = sha256((text or "").encode("utf-8", "surrogatepass")).hexdigest()
    return At(desk, standing.sound, lower, standing.errors, named, inside, way, roll, version, path)


def find_around(workspace: Workspace, path: Path, line: int, column: int) -> RulePath:
    """Return the path of the rule around a position, counted from 1.

    If no entry is found, the keys above the position count. Empty if there is neither.
    """
    rule_around = find_rule_around(workspace, path, line, column)
    if len(rule_around) > 1:
        return rule_around
    text = workspace.texts.get_text(path) or ""
    lines = text.split("\n")
    end = len(lines[line - 1]) + 1 if line <= len(lines) else column
    above = find_context(text, line, end)
    return above.way[:2] if above is not None and len(above.way) > 1 and ITEM not in above.way[:2] else rule_around


@contextmanager
def _as_on_disk(workspace: Workspace, path: Path | None) -> Iterator[None]:
    """Open the file in the workspace until the context ends.

    Positions in the file are then known even if the workspace read its rules earlier.
    """
    text = workspace.texts.get_text(path) if path is not None else None
    if path is None or text is None or build_file_key(path) in workspace.texts.typed:
        yield
        return
    workspace.texts.put(path, text)
    try:
        yield
    finally:
        workspace.texts.drop(path)


def _edition(workspace: Workspace, path: Path | None, ref: str | None) -> tuple[Edition, EditionStanding]:
    """Return the edition that reads a file, or the one called `ref`, and its state.

    If several editions read the file, return the first that has ever been valid. If none has, raise `DiagnosticError`
    with the errors of the first. If the manifest is broken, return the last valid edition of the folder. Raises
    `RulewrightError` if no edition reads the file, or if it is abstract.
    """
    catalogue = workspace.get_catalogue()
    fitting = list_fitting(workspace, path, ref)
    errors: tuple[Diagnostic, ...] = ()
    for edition in fitting[: 1 if path is None else None]:
        standing = workspace.check_standing(edition)
        if standing.sound is not None:
            return edition, standing
        errors = errors or standing.errors
    home = workspace.texts.find_home(path) if path is not None else None
    if not fitting and home is not None:
        own = build_file_key(home)
        broken = [each for each in catalogue.list_broken() if build_file_key(each.folder) == own]
        errors = tuple(fault for each in broken for fault in each.diagnostics)
        before = workspace.find_last_sound(home)
        if before is not None and errors:
            return before.edition, EditionStanding(before, False, errors)
    if errors:
        raise DiagnosticError(errors)
    if fitting:
        raise RulewrightError(f"{fitting[0].id} is abstract and cannot be played on its own")
    raise make_unread_error(ref)


def list_fitting(workspace: Workspace, path: Path | None, ref: str | None) -> list[Edition]:
    """Return the editions that read a file and are called `ref`, or else all that are called so."""
    every = workspace.get_catalogue().list_editions()
    reading = workspace.list_editions(path) if path is not None else every
    return [each for each in reading if ref in (None, each.id, each.ruleset)] or [
        each for each in every if ref in (each.id, each.ruleset)
    ]


def make_unread_error(ref: str | None) -> RulewrightError:
    """Return the error for a file that no edition reads, or for a name that no edition has."""
    problem = f"no edition is called `{ref}`" if ref is not None else "no edition reads this file"
    return RulewrightError(
        f"{problem}: rules are read from a folder with a `ruleset.yaml`; `rulewright new` creates one"
    )


def _below(workspace: Workspace, edition: Edition) -> Good | None:
    """Return the valid state of the edition to compare with, or None.

    This is the first valid one of the extended edition, the followed edition and the previous version.
    """
    catalogue = workspace.get_catalogue()
    editions: list[Edition] = []
    for reference in (edition.extends, edition.follows):
        if reference is not None:
            with suppress(DiagnosticError):
                editions.append(catalogue.find(reference))
    older = [
        each for each in catalogue.list_editions() if each.ruleset == edition.ruleset and each.version < edition.version
    ]
    for each in (*editions, *sorted(older, key=lambda each: each.version)[-1:]):
        sound = workspace.check_standing(each).sound
        if sound is not None:
            return sound
    return None


# -- how answers name things and places --------------------------------------------------


def describe_entry(desk: Desk, good: Good, path: RulePath) -> dict[str, Any] | None:
    """Return the title and location of the rule at a path, or None if there is none."""
    if not path or path[0] in ("", "@"):
        return None
    span = find_written_span(good, path)
    at = place(desk, good.ruleset, span) if span is not None else None
    return {"path": ".".join(path), "title": find_title(good.ruleset, path), "at": at}


def find_written_span(good: Good, path: RulePath) -> Span | None:
    """Return the span of a rule in the uppermost layer that mentions it, or None."""
    layers = good.ruleset.resolved.layers
    order = {layer.name: place for place, layer in enumerate(layers)}
    declared = [each.span for each in good.mentions.by_path.get(path, ()) if each.declares]
    if declared:
        return max(declared, key=lambda span: order.get(good.ruleset.resolved.find_layer(span), 0))
    for layer in reversed(layers):
        for file in layer.files:
            node = follow(file, path)
            if node is not None:
                return node.span
    node = find_node(good.ruleset, path)
    return node.span if node is not None else None


def find_own_span(good: Good, path: RulePath) -> Span | None:
    """Return the span of the key or list item at a path in the edition's own files, or of its nearest parent.

    The section is no such parent. Return None if the files contain no part of the rule, and for a section's path.
    """
    files = good.ruleset.resolved.layers[-1].files
    for length in range(len(path), 1, -1):
        for file in files:
            node = follow(file, path[:length])
            if node is not None:
                return _find_beginning(file, path[:length]) or node.span
    return None


def find_part_span(good: Good, path: RulePath) -> Span | None:
    """Return the span of a value in the uppermost layer that has it: of a scalar, or else of the key of an entry.

    If no file has the value, such as a generated row, return the span of the nearest part around it, or None.
    """
    for length in range(len(path), 1, -1):
        for layer in reversed(good.ruleset.resolved.layers):
            for file in layer.files:
                node = follow(file, path[:length])
                if node is not None:
                    whole = length == len(path) and isinstance(node, Scalar)
                    return node.span if whole else _find_beginning(file, path[:length]) or node.span
    return None


def _find_beginning(file: MappingNode, path: RulePath) -> Span | None:
    """Return the span of the key of an entry, at which a reader looks for it."""
    around = follow(file, path[:-1])
    return around.find_key_span(path[-1]) if isinstance(around, MappingNode) and path[-1] in around else None


def find_title(ruleset: Ruleset, path: RulePath) -> str:
    """Return the display title of a section, a rule, or a part of a rule."""
    section = load_sections().get(path[0])
    if len(path) < 2:
        return section.title if section is not None else humanize(path[0])
    whole = Side(ruleset).find_title(path[0], path[1])
    return whole if len(path) == 2 else f"{whole}: {humanize(path[-1])}"


def find_node(ruleset: Ruleset, path: RulePath) -> Node | None:
    """Return the node at a path of keys or of display names, or None."""
    node = follow(ruleset.resolved.rules, path)
    if node is None and len(path) > 1 and path[0] in ruleset.resolved.rules:
        with suppress(DiagnosticError):
            node = node_of(ruleset, ".".join(path))[1]
    return node


def follow(node: Node | None, path: RulePath) -> Node | None:
    """Return the node that keys lead to, or None. Step ids match at any depth of a sequence."""
    for key in path:
        if isinstance(node, Sequence):
            node = find(node, key)
        elif isinstance(node, MappingNode):
            node = node.get(key)
        else:
            return None
    return node


def place(desk: Desk, ruleset: Ruleset, span: Span) -> dict[str, Any] | None:
    """Return the location of a span as data for the page, or None if the page does not have the file."""
    named = desk.files.named(span.file)
    if named is None:
        return None
    return {
        "path": named.path,
        "line": span.line,
        "column": span.column,
        "layer": ruleset.resolved.find_layer(span),
        "readonly": named.readonly,
    }


def build_diagnostics_data(desk: Desk, diagnostics: tuple[Diagnostic, ...]) -> list[dict[str, Any]]:
    """Return diagnostics as data, each with the page's `path` for its file or None."""
    diagnostics_data = []
    for each in diagnostics:
        named = desk.files.named(each.span.file) if os.path.isabs(each.span.file) else None
        diagnostics_data.append({**as_data(each), "path": named.path if named is not None else None})
    return diagnostics_data


# -- request values -----------------------------------------------------------------------


def read_texts(more: Mapping[str, Any], key: str) -> dict[str, str]:
    """Return the mapping of names to texts at a key. Raises `RulewrightError` for any other value.

    The result is empty if there is no value.
    """
    value = more.get(key) or {}
    if not isinstance(value, Mapping) or not all(isinstance(each, str) for pair in value.items() for each in pair):
        raise RulewrightError(f"`{key}` must be a mapping from names to strings")
    return dict(value)


def read_list(more: Mapping[str, Any], key: str) -> list[Any]:
    """Return the list at a key, empty if there is no value. Raises `RulewrightError` for any other value."""
    value = more.get(key) or []
    if not isinstance(value, list):
        raise RulewrightError(f"`{key}` must be a list")
    return value


def number(more: Mapping[str, Any], key: str) -> int | None:
    """Return the positive integer at a key, None if there is no value. Raises `RulewrightError` for any other value."""
    value = more.get(key)
    if value is None or value == "":
        return None
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise RulewrightError(f"`{key}` must be a whole number of 1 or more")
    return value


def read_word(more: Mapping[str, Any], key: str) -> str:
    """Return the text at a key, empty if there is no value. Raises `RulewrightError` for any other value."""
    value = more.get(key) or ""
    if not isinstance(value, str):
        raise RulewrightError(f"`{key}` must be a string")
    return value
