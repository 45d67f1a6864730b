"""The rules as their designers wrote them, on one page for each layer, and links from rules to source lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rulewright.book.changes.edition_history import PublishedEdition
from rulewright.book.parts.template_loader import render
from rulewright.book.style.content_security import FILES
from rulewright.book.style.minify import minify_page
from rulewright.book.style.sanitizer import sanitize
from rulewright.book.style.text_style import escape
from rulewright.ruleset.layers.provenance import trace_provenance
from rulewright.ruleset.layers.resolve_layers import Layer, ResolvedRules
from rulewright.ruleset.prose.explained_rules import find_rule_entry

FOLDER = "source"
"""Folder of these pages in the site."""

ROOT = "../"
"""Relative path from a page of a book to the root of the site."""


@dataclass(frozen=True, slots=True)
class SourceLine:
    """The source line of a part of a rule, as text for readers (`text`) and as an address."""

    text: str
    href: str


class Sources:
    """The source lines of one edition's rules."""

    def __init__(self, item: PublishedEdition) -> None:
        self.ruleset = item.ruleset
        self.resolved: ResolvedRules = item.ruleset.resolved

    def list_places(self, path: str) -> list[SourceLine]:
        """Return the first line of a rule in each layer that defines a part of it, from the lowest layer up.

        The list is empty if there is no such rule.
        """
        entry = find_rule_entry(path, self.ruleset)
        if entry is None:
            return []
        section, _, identity = path.partition(".")
        first: dict[str, tuple[str, int]] = {}
        spans = [(self.resolved.find_layer(entry.key.span), entry.key.span)]
        for value in trace_provenance(self.resolved, (section, identity), entry.value):
            spans += [(origin.layer, origin.span) for origin in value.origins]
        for layer, span in spans:
            there = first.get(layer)
            if there is None or (span.file == there[0] and span.line < there[1]):
                first[layer] = (span.file, span.line)
        places = []
        for each in self.resolved.layers:
            if each.name in first:
                file, line = first[each.name]
                name = _name(each, Path(file))
                text = f"{each.folder.name}/{name}, line {line}"
                places.append(SourceLine(escape(text), f"{ROOT}{FOLDER}/{name_page(each)}#{build_anchor(name, line)}"))
        return places


def render_source_pages(published: Iterable[PublishedEdition]) -> dict[str, str]:
    """Return a page for each layer of the editions, by path in the site. The function reads the source files."""
    layers: dict[str, Layer] = {}
    for item in published:
        for layer in item.ruleset.resolved.layers:
            layers.setdefault(layer.name, layer)
    return {f"{FOLDER}/{name_page(layer)}": _page(layer) for layer in layers.values()}


def name_page(layer: Layer) -> str:
    """Return the file name of a layer's page."""
    return layer.name.replace("/", "-").replace("@", "-") + ".html"


def build_anchor(file: str, line: int) -> str:
    """Return the anchor of a line."""
    return f"{file.replace('/', '-')}-{line}"


def _page(layer: Layer) -> str:
    """Read the files of a layer and return their page. Raises `OSError` if one cannot be read."""
    paths = {layer.manifest.span.file, *(file.span.file for file in layer.files)}
    files = []
    for path in sorted(Path(path) for path in paths):
        name = _name(layer, path)
        lines = path.read_text(encoding="utf-8").splitlines()
        files.append((name, [(build_anchor(name, at), escape(text)) for at, text in enumerate(lines, start=1)]))
    return minify_page(sanitize(render("source.html.j2", policy=FILES, name=escape(layer.name), files=files)))


def _name(layer: Layer, path: Path) -> str:
    """Return the path of a file within its layer, or its plain name if it is elsewhere."""
    folder = layer.folder
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.name
