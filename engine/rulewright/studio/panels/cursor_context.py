"""What the cursor means: the edition, the thing in it, and how both stand while somebody writes on."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulewright.base.errors import RulewrightError
from rulewright.book.changes.compared_side import Side
from rulewright.book.english.naming import humanize
from rulewright.dice.ast import Roll
from rulewright.lsp.features.find_references import Path as RulePath
from rulewright.lsp.features.hover import roll_at
from rulewright.lsp.features.outline import find_rule_around
from rulewright.lsp.features.symbol_at import find_meaning, find_symbol
from rulewright.lsp.features.typing_context import ITEM, find_context
from rulewright.lsp.features.workspace import EditionStanding, Good, Workspace
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
from rulewright.source.nodes import Node, Sequence
from rulewright.source.span import Span
from rulewright.studio.panels.panel import Desk, PanelRequest


@dataclass(frozen=True, slots=True, eq=False)
class At:
    """What a panel answers about.

    `good` is the edition as it was when it was last without errors, `lower` the one that it is compared with, if there
    is one. `errors` are those that are in it now: then what is shown is stale. `named` is the path of what is
    named at the cursor, `inside` that of what is written around it (nothing where there is none), `way` the keys that
    lead to the scalar there, and `roll` the dice that stand there.
    """

    desk: Desk
    good: Good
    lower: Good | None
    errors: tuple[Diagnostic, ...]
    named: RulePath
    inside: RulePath
    way: tuple[str, ...]
    roll: Roll | None

    @property
    def ruleset(self) -> Ruleset:
        """The edition, sound."""
        return self.good.ruleset

    @property
    def below(self) -> Ruleset | None:
        """The rules that it is compared with."""
        return self.lower.ruleset if self.lower is not None else None

    @property
    def edition(self) -> Edition:
        """Its manifest and folder."""
        return self.good.edition

    def of(self, *wanted: str) -> RulePath:
        """Return what is named, or else written around the cursor, if it is of one of these sections."""
        return next((path for path in (self.named, self.inside) if len(path) > 1 and path[0] in wanted), ())

    def head(self, path: RulePath) -> dict[str, Any]:
        """Return what every answer begins with.

        The edition, the thing it is about, and whether the rules are as they were.
        """
        return {
            "ref": self.edition.id,
            "thing": describe_entry(self.desk, self.good, path),
            "stale": bool(self.errors),
            "diagnostics": build_diagnostics_data(self.desk, self.errors),
        }


def look(desk: Desk, asked: PanelRequest, *, below: bool = False) -> At:
    """Return what the cursor means.

    Raises `DiagnosticError` for an edition that was never without errors, `RulewrightError` where no edition reads the
    file.

    The edition `below` is looked up only where it is wanted: it takes a check of its own.
    """
    path = desk.files.place(asked.path) if asked.path else None
    with desk.workspace() as workspace, _as_on_disk(workspace, path):
        edition, standing = _edition(workspace, path, asked.ref)
        assert standing.sound is not None
        named: RulePath = ()
        inside: RulePath = ()
        way: RulePath = ()
        roll = None
        if path is not None:
            place = path, asked.line, asked.column
            found = find_meaning(workspace, *place)
            named = found.mention.path if found is not None else ()
            inside = _around(workspace, *place)
            at = find_symbol(workspace, *place)
            way = at.way if at is not None and not at.is_key else ()
            rolled = roll_at(workspace, *place)
            roll = rolled[0] if rolled is not None else None
            way = way if rolled is not None and rolled[1] else ()
        lower = _below(workspace, edition) if below else None
    return At(desk, standing.sound, lower, standing.errors, named, inside, way, roll)


def _around(workspace: Workspace, path: Path, line: int, column: int) -> RulePath:
    """Return what is written around a place, also in a file that cannot be read: then by the keys above it alone."""
    found = find_rule_around(workspace, path, line, column)
    if len(found) > 1:
        return found
    text = workspace.texts.get_text(path) or ""
    lines = text.split("\n")
    end = len(lines[line - 1]) + 1 if line <= len(lines) else column
    above = find_context(text, line, end)
    return above.way[:2] if above is not None and len(above.way) > 1 and ITEM not in above.way[:2] else found


@contextmanager
def _as_on_disk(workspace: Workspace, path: Path | None) -> Iterator[None]:
    """Have a file at hand as somebody has it open, so that places of it are known though its rules were read before."""
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
    """Return the edition of a file, or the one called `ref`, and its state.

    If several editions read the file, it is the first that has ever been valid. If none has, raises `DiagnosticError`
    with the errors of the first; raises `RulewrightError` if no edition reads the file, or it is abstract.
    """
    catalogue = workspace.get_catalogue()
    reading = workspace.list_editions(path) if path is not None else list(catalogue.list_editions())
    fitting = [each for each in reading if ref in (None, each.id, each.ruleset)] or [
        each for each in catalogue.list_editions() if ref in (each.id, each.ruleset)
    ]
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
    wanted = f"no edition is called `{ref}`" if ref is not None else "no edition reads this file"
    raise RulewrightError(f"{wanted}: rules are read from a folder with a `ruleset.yaml`; `rulewright new` creates one")


def _below(workspace: Workspace, edition: Edition) -> Good | None:
    """Return what an edition is compared with.

    What it extends, or, where that is no game by itself, what its readers know already: the edition it follows, or the
    version before it.
    """
    catalogue = workspace.get_catalogue()
    found: list[Edition] = []
    for reference in (edition.extends, edition.follows):
        if reference is not None:
            with suppress(DiagnosticError):
                found.append(catalogue.find(reference))
    older = [
        each for each in catalogue.list_editions() if each.ruleset == edition.ruleset and each.version < edition.version
    ]
    for each in (*found, *sorted(older, key=lambda each: each.version)[-1:]):
        sound = workspace.check_standing(each).sound
        if sound is not None:
            return sound
    return None


# -- how answers name things and places --------------------------------------------------


def describe_entry(desk: Desk, good: Good, path: RulePath) -> dict[str, Any] | None:
    """Return a thing by its path, with its title and where it is written; None where there is none."""
    if not path or path[0] in ("", "@"):
        return None
    span = find_written_span(good, path)
    at = place(desk, good.ruleset, span) if span is not None else None
    return {"path": ".".join(path), "title": find_title(good.ruleset, path), "at": at}


def find_written_span(good: Good, path: RulePath) -> Span | None:
    """Return where the uppermost layer that says anything of a thing says it."""
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
    """Return where the edition's own files say something at a path, or, where they say less, nearest to it."""
    files = good.ruleset.resolved.layers[-1].files
    for length in range(len(path), 1, -1):
        for file in files:
            node = follow(file, path[:length])
            if node is not None:
                return _beginning(file, path[:length]) or node.span
    return None


def _beginning(file: MappingNode, path: RulePath) -> Span | None:
    """Return the key that an entry stands under: where a reader looks for it."""
    around = follow(file, path[:-1])
    return around.find_key_span(path[-1]) if isinstance(around, MappingNode) and path[-1] in around else None


def find_title(ruleset: Ruleset, path: RulePath) -> str:
    """Return what readers call a thing, and a part of it behind that."""
    section = load_sections().get(path[0])
    if len(path) < 2:
        return section.title if section is not None else humanize(path[0])
    whole = Side(ruleset).find_title(path[0], path[1])
    return whole if len(path) == 2 else f"{whole}: {humanize(path[-1])}"


def find_node(ruleset: Ruleset, path: RulePath) -> Node | None:
    """Return what lies at a path, by the keys that lead there, or by the names that readers of the rules give it."""
    node = follow(ruleset.resolved.rules, path)
    if node is None and len(path) > 1 and path[0] in ruleset.resolved.rules:
        with suppress(DiagnosticError):
            node = node_of(ruleset, ".".join(path))[1]
    return node


def follow(node: Node | None, path: RulePath) -> Node | None:
    """Return where keys lead; of steps, their ids alone count, however deep they lie."""
    for key in path:
        if isinstance(node, Sequence):
            node = find(node, key)
        elif isinstance(node, MappingNode):
            node = node.get(key)
        else:
            return None
    return node


def place(desk: Desk, ruleset: Ruleset, span: Span) -> dict[str, Any] | None:
    """Return a place in a file as the page knows it; None where the file is not in sight."""
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
    """Return diagnostics as data, each with what the page calls its file."""
    found = []
    for each in diagnostics:
        named = desk.files.named(each.span.file) if os.path.isabs(each.span.file) else None
        found.append({**as_data(each), "path": named.path if named is not None else None})
    return found


# -- what the page asks besides ----------------------------------------------------------


def read_texts(more: Mapping[str, Any], key: str) -> dict[str, str]:
    """Return a mapping of words, such as what is given. Raises `RulewrightError` for anything else."""
    held = more.get(key) or {}
    if not isinstance(held, Mapping) or not all(isinstance(each, str) for pair in held.items() for each in pair):
        raise RulewrightError(f"`{key}` must be a mapping from names to strings")
    return dict(held)


def read_list(more: Mapping[str, Any], key: str) -> list[Any]:
    """Return a list. Raises `RulewrightError` for anything else."""
    held = more.get(key) or []
    if not isinstance(held, list):
        raise RulewrightError(f"`{key}` must be a list")
    return held


def number(more: Mapping[str, Any], key: str) -> int | None:
    """Return a whole number from 1 on, or nothing. Raises `RulewrightError` for anything else."""
    held = more.get(key)
    if held is None or held == "":
        return None
    if not isinstance(held, int) or isinstance(held, bool) or held < 1:
        raise RulewrightError(f"`{key}` must be a whole number of 1 or more")
    return held


def read_word(more: Mapping[str, Any], key: str) -> str:
    """Return a text, empty where there is none. Raises `RulewrightError` for anything else."""
    held = more.get(key) or ""
    if not isinstance(held, str):
        raise RulewrightError(f"`{key}` must be a string")
    return held
