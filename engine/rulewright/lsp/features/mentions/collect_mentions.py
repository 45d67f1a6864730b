"""The mentions of all names in the rules of an edition.

They are collected file by file. What was collected before is used again for a file whose text, expressions and looked
up names are the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count

from rulewright.base.incremental.traces import Traces
from rulewright.language.expressions.word_notes import FileReadings, Readings, ScalarReading
from rulewright.language.schema_shapes import Shape
from rulewright.lsp.features.mentions.expression_mentions import iterate_expression_mentions
from rulewright.lsp.features.mentions.known_names import Leads, NameDigests, NameResolver, list_facts, write_ranks
from rulewright.lsp.features.mentions.mention import Mention, Mentions, Path
from rulewright.lsp.features.mentions.written_mentions import (
    group_by_procedure,
    iterate_mentions,
    list_shaped_files,
    resolve_nouns,
)
from rulewright.ruleset.cache.tracked_declarations import TrackedEntries, name_series
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.nodes import Mapping as MappingNode

_NUMBERS = count(1)


@dataclass(frozen=True, slots=True, eq=False)
class _Written:
    """The mentions that are written in a file, outside of expressions."""

    mentions: tuple[Mention, ...]
    places: Mapping[str, Path]
    """The paths of the names that the file declares, by the position of the declaration."""
    has_nouns: bool
    counts: Leads
    is_ambiguous: bool
    number: int = field(default_factory=_NUMBERS.__next__)
    """A number that no others of this process have."""


def collect_mentions(ruleset: Ruleset, readings: Readings, texts: Mapping[str, str], traces: Traces) -> Mentions:
    """Return every mention in the rules.

    `readings` are those of the check that built the ruleset, and `texts` are the texts of all files by their names in
    spans. `traces` has what was collected before.
    """
    return Mentions(*_Collection(ruleset, readings, texts, traces).collect())


class _Collection:
    """The collection of the mentions in one state of the rules."""

    def __init__(self, ruleset: Ruleset, readings: Readings, texts: Mapping[str, str], traces: Traces) -> None:
        self._ruleset = ruleset
        self._readings = readings.group_by_file()
        self._traces = traces
        self._digests = NameDigests(("mentions", name_series(ruleset.resolved.layers)))
        self._facts = self._digests.track("facts", list_facts(ruleset), plain=True)
        self._texts = self._digests.track("texts", texts, plain=True)
        self._read = self._digests.track("readings", {file: each.key for file, each in self._readings.items()})
        spans = {file: " ".join(map(str, each.list_spans())) for file, each in self._readings.items()}
        self._spans = self._digests.track("spans", spans)

    def collect(self) -> tuple[dict[str, tuple[Mention, ...]], Mapping[str, tuple[ScalarReading, ...]]]:
        """Return the mentions by file, in order, and the readings of each file."""
        layers = self._ruleset.resolved.layers
        files = {file.span.file: (file, shape) for layer in layers for file, shape in list_shaped_files(layer)}
        written = {name: self._fetch_written(*file, None) for name, file in files.items()}
        leads = self._digests.track("leads", _rank_sections(written))
        ambiguous = [name for name, each in written.items() if each.is_ambiguous]
        written |= {name: self._fetch_written(*files[name], leads) for name in ambiguous}
        places = self._list_places(written)
        nouns: dict[Path, list[Path]] = {}
        if any(each.has_nouns for each in written.values()):
            nouns = group_by_procedure(places.values())
        tracked = self._digests.track("places", places), self._digests.track("nouns", nouns)
        numbers = self._digests.track("written", {name: str(each.number) for name, each in written.items()})
        results = {name: self._fetch_all(name, each, numbers, *tracked) for name, each in sorted(written.items())}
        return results, _ReadingsByFile(self._readings)

    def _fetch_written(self, file: MappingNode, shape: Shape, leads: TrackedEntries | None) -> _Written:
        """Return the mentions in a file outside of expressions.

        Without `leads`, ambiguous references in it have yet to be resolved.
        """
        name = file.span.file

        def compute() -> _Written:
            _ = self._texts.get(name), self._spans.get(name)
            read = self._readings[name].list_spans() if name in self._readings else ()
            names = NameResolver(self._facts, read=read, leads=leads)
            mentions = tuple(iterate_mentions(file, shape, names))
            declared = [each for each in mentions if each.declares]
            places = {each.path[3] if each.path[0] == "@" else str(each.span): each.path for each in declared}
            has_nouns = any(each.form == "noun" for each in mentions)
            return _Written(mentions, places, has_nouns, names.counts, names.is_ambiguous)

        return self._traces.fetch(("written mentions", name, leads is None), self._digests, compute)

    def _fetch_all(
        self, name: str, written: _Written, numbers: TrackedEntries, places: TrackedEntries, nouns: TrackedEntries
    ) -> tuple[Mention, ...]:
        """Return all mentions in a file, in order."""

        def compute() -> tuple[Mention, ...]:
            _ = numbers.get(name), self._read.get(name)
            # The first mention of a name at a position counts.
            results = {(each.span, each.path): each for each in reversed([*resolve_nouns(written.mentions, nouns)])}
            names = NameResolver(self._facts)
            for reading in self._readings[name].list_last() if name in self._readings else ():
                for mention in iterate_expression_mentions(reading, places, names):
                    results.setdefault((mention.span, mention.path), mention)
            return tuple(sorted(results.values(), key=lambda each: each.span))

        return self._traces.fetch(("all mentions", name), self._digests, compute)

    def _list_places(self, written: Mapping[str, _Written]) -> dict[str, Path]:
        """Return the path of each declared name by its position."""
        places = {place: path for each in written.values() for place, path in each.places.items()}
        # Expectations at the end of a procedure record its parameters and steps at the position of the whole procedure.
        procedures = self._ruleset.procedures
        named = [path for path in places.values() if path[0] == "procedures" and path[2:] and path[1] in procedures]
        return places | {f"{procedures[path[1]].span} {path[-1]}": path for path in named}


def _rank_sections(written: Mapping[str, _Written]) -> dict[str, str]:
    """Return the ranks of the sections that references under each key refer to in all files, as texts."""
    totals: Leads = {}
    for each in written.values():
        for key, counts in each.counts.items():
            totals.setdefault(key, Counter()).update(counts)
    return {key: write_ranks(counts) for key, counts in totals.items()}


class _ReadingsByFile(Mapping[str, tuple[ScalarReading, ...]]):
    """The last readings of the scalars in each file."""

    def __init__(self, readings: Mapping[str, FileReadings]) -> None:
        self._readings = readings

    def __getitem__(self, file: str) -> tuple[ScalarReading, ...]:
        return self._readings[file].attached

    def __iter__(self) -> Iterator[str]:
        return iter(self._readings)

    def __len__(self) -> int:
        return len(self._readings)
