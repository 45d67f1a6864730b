"""Check that rules cover every sentence of a game's sources, in every edition that has the source.

The sources themselves are not stored. The file `sources.yaml`, beside the editions of a game, has a digest of each
sentence, paraphrases the statements in them, and names the rules, rulings, questions or examples that cover each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from rulewright.ruleset.editions.edition import MANIFEST, walk
from rulewright.ruleset.elaborate.node_readers import iterate_entries, list_items, read_text
from rulewright.ruleset.prose.explained_rules import find_rule_entry, is_there, suggest_paths
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.schema_path import join_alternatives
from rulewright.ruleset.schema.validator import validate
from rulewright.ruleset.section import find_rule
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics
from rulewright.source.diagnostics.diagnostic import Code
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Node, Scalar
from rulewright.source.span import Span
from rulewright.source.yaml.yaml_reader import read_file

SOURCES = "sources.yaml"
DEPTH = 3

UNKNOWN_SOURCE = Code(
    "unknown-source",
    "A source statement with an invalid reference",
    "Readers could not look up the statement.",
    "Check the spelling of the source, the edition and the rule, and the numbers of the sentences.",
)
NOT_CARRIED = Code(
    "source-not-carried",
    "A source sentence that no rule covers",
    "The edition would silently leave out part of its source.",
    "Add an entry that names the rule that covers the sentence; if there is none, write the rule or a ruling.",
)
NOT_LOOKED_INTO = Code(
    "source-not-looked-into",
    "A source that could not be checked against its edition",
    "Errors in an edition can hide the rules that cover sentences of the source.",
    "Fix the other errors of that edition, and check again.",
    severity="warning",
)

_FEW = 3
"""The maximum number of sources or editions that a message names."""

_RANGE = re.compile(r"(\d{1,6})(?:\s*-\s*(\d{1,6}))?")


@dataclass(frozen=True, slots=True)
class Source:
    """A source. `sentences` are the digests of its sentences, in order."""

    id: str
    editions: tuple[str, ...]
    sentences: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class SourceStatement:
    """A statement: the numbers of its sentences by source, and the rules that cover it by edition."""

    id: str
    statements: Mapping[str, tuple[int, ...]]
    carriers: Mapping[str, tuple[Scalar, ...]]


def list_sources_files(paths: Sequence[Path]) -> Iterator[Path]:
    """Yield every `sources.yaml` in some folders and up to `DEPTH` levels below, except in folders of editions.

    Unreadable folders are skipped.
    """
    unread = Diagnostics()
    for path in paths:
        for folder, names in walk(path, unread, depth=DEPTH):
            if SOURCES in names and MANIFEST not in names:
                yield folder / SOURCES


def check_sources(
    paths: Sequence[Path],
    rulesets: Mapping[str, Ruleset],
    names: set[str],
    *,
    unsound: Set[str] = frozenset(),
) -> Diagnostics:
    """Return the diagnostics of the sources below `paths`, including those of unreadable files.

    Editions are named with their version, as in `game/edition@1.0.0`. Sources may shorten the version. Copies of the
    same file are checked once.

    Args:
        paths: The folders to search.
        rulesets: The rulesets to check against, by edition. Other editions are not checked.
        names: All editions that exist.
        unsound: Editions that have errors and so cannot be checked against. Reported once per file.
    """
    sources = Diagnostics()
    seen: list[object] = []
    for path in list_sources_files(paths):
        try:
            node = read_file(path)
        except DiagnosticError as error:
            sources.extend(error.diagnostics)
            continue
        plain = node.to_plain()
        if plain in seen:
            continue  # a copy of the same file in another folder
        seen.append(plain)
        if validate(node, "sources", sources, overlay=False) and isinstance(node, MappingNode):
            _check(node, rulesets, names, unsound, sources)
    return sources


def _check(
    node: MappingNode, rulesets: Mapping[str, Ruleset], names: set[str], unsound: Set[str], diagnostics: Diagnostics
) -> None:
    """Report what is wrong in a file of sources, and the sentences that no rule covers in one of their editions.

    Editions with errors are reported as not checked.
    """
    sources = dict(_sources(node, names, diagnostics))
    statements = list(_statements(node, sources, names, diagnostics))
    for statement in statements:
        for edition, carriers in statement.carriers.items():
            if edition in rulesets:
                for carrier in carriers:
                    _require(carrier, edition, rulesets[edition], diagnostics)
    waiting = [source for source in sources.values() if any(edition in unsound for edition in source.editions)]
    if waiting:
        editions = dict.fromkeys(edition for source in waiting for edition in source.editions if edition in unsound)
        against = f"{_some(editions)}, which {'has' if len(editions) == 1 else 'have'} errors"
        message = (
            f"{_some(source.id for source in waiting)} {'was' if len(waiting) == 1 else 'were'} not checked against"
        )
        diagnostics.add(NOT_LOOKED_INTO, f"{message} {against}", waiting[0].span)
    for source in sources.values():
        for edition in (each for each in source.editions if each in rulesets):
            covered = {
                place for each in statements if edition in each.carriers for place in each.statements.get(source.id, ())
            }
            missing = [place for place in range(1, len(source.sentences) + 1) if place not in covered]
            if missing:
                message = f"nothing in `{edition}` covers {_describe(missing)} of `{source.id}`"
                diagnostics.add(NOT_CARRIED, message, source.span)


def _require(carrier: Scalar, edition: str, ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report a rule that should cover a sentence and that an edition does not have."""
    path = carrier.text
    parts = path.split(".")
    if parts[0] == "pages" and len(parts) == 3:
        page = find_rule_entry(find_rule(path), ruleset)
        sections = page.value.get("sections") if page is not None and isinstance(page.value, MappingNode) else None
        if isinstance(sections, MappingNode) and parts[2] in sections.entries:
            return
    elif is_there(path, ruleset):
        return
    hint = suggest_name(path, suggest_paths(path, ruleset))
    diagnostics.add(UNKNOWN_SOURCE, f"there is no rule `{path}` in `{edition}`", carrier.span, suggestion=hint)


def _sources(node: MappingNode, names: set[str], diagnostics: Diagnostics) -> Iterator[tuple[str, Source]]:
    """Yield the sources of a file by id. Unknown editions are reported and left out."""
    for identity, entry in iterate_entries(node.get("sources")):
        assert isinstance(entry.value, MappingNode)
        editions = tuple(_editions(list_items(entry.value.get("editions")), names, diagnostics))
        yield (
            identity,
            Source(identity, editions, tuple(read_text(entry.value.get("sentences")).split()), entry.key.span),
        )


def _statements(
    node: MappingNode, sources: Mapping[str, Source], names: set[str], diagnostics: Diagnostics
) -> Iterator[SourceStatement]:
    """Yield the statements of a file.

    Reports unknown sources and editions, invalid numbers, and editions without a rule.
    """
    for identity, entry in iterate_entries(node.get("statements")):
        value = entry.value
        assert isinstance(value, MappingNode)
        places: dict[str, tuple[int, ...]] = {}
        editions = list(_editions(list_items(value.get("also_in")), names, diagnostics))
        for name, inner in iterate_entries(value.get("found")):
            source = sources.get(name)
            if source is None:
                hint = suggest_name(name, sources)
                diagnostics.add(UNKNOWN_SOURCE, f"there is no source `{name}`", inner.key.span, suggestion=hint)
                continue
            places[name] = tuple(_places(inner.value, source, diagnostics))
            editions += source.editions
        usual = tuple(each for each in list_items(value.get("carried_by")) if isinstance(each, Scalar))
        carriers = dict.fromkeys(editions, usual)
        for _, inner in iterate_entries(value.get("besides")):
            for edition in _editions([inner.key], names, diagnostics):
                carriers[edition] = tuple(each for each in list_items(inner.value) if isinstance(each, Scalar))
        for edition, carrying in carriers.items():
            if not carrying:
                diagnostics.add(NOT_CARRIED, f"no rule in `{edition}` has the id `{identity}`", entry.key.span)
        yield SourceStatement(identity, places, carriers)


def _editions(named: Sequence[Node], names: set[str], diagnostics: Diagnostics) -> Iterator[str]:
    """Yield the editions that references mean, which may be several for one reference. Reports unknown ones."""
    for node in named:
        if isinstance(node, Scalar):
            editions = [edition for edition in names if edition == node.text or edition.startswith(f"{node.text}.")]
            yield from editions
            if not editions:
                hint = suggest_name(node.text, names)
                diagnostics.add(UNKNOWN_SOURCE, f"there is no edition `{node.text}`", node.span, suggestion=hint)


def _places(node: Node, source: Source, diagnostics: Diagnostics) -> Iterator[int]:
    """Yield the numbers of sentences in a text such as `1-3, 7`. Those that a source does not have are reported."""
    for part in read_text(node).split(","):
        match = _RANGE.fullmatch(part.strip())
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if 1 <= first <= last <= len(source.sentences):
            yield from range(first, last + 1)
        else:
            message = (
                f"`{part.strip()}` is not a sentence number among the "
                f"{len(source.sentences)} sentences of `{source.id}`"
            )
            diagnostics.add(UNKNOWN_SOURCE, message, node.span)


def _some(names: Iterable[str]) -> str:
    """Return a short list of names as text."""
    quoted = [f"`{name}`" for name in names]
    return join_alternatives(
        quoted if len(quoted) <= _FEW else [*quoted[: _FEW - 1], f"{len(quoted) - _FEW + 1} more"], word="and"
    )


def _describe(places: list[int]) -> str:
    """Return a short list of sentence numbers as text."""
    numbers = ", ".join(str(place) for place in places[:12])
    more = f" and {len(places) - 12} more" if len(places) > 12 else ""
    return f"sentence{'s' if len(places) > 1 else ''} {numbers}{more}"
