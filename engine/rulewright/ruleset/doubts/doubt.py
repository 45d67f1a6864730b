"""What is in doubt because something that declares it has a fault, and what may be said in spite of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from rulewright.language.codes import UNKNOWN_FIELD, UNKNOWN_NAME, UNKNOWN_PROCEDURE, UNKNOWN_ROW, UNKNOWN_TYPE
from rulewright.language.shape import POSITIONS, ByForm, ListOf, MapOf, Record, Shape, Steps
from rulewright.ruleset.codes import BAD_DEFAULT, OVERRIDE_OF_NOTHING, UNKNOWN_REFERENCE
from rulewright.ruleset.layers.history import Path
from rulewright.ruleset.schema.model import rules_shape, step_shape
from rulewright.ruleset.section import sections
from rulewright.ruleset.word_codes import UNKNOWN_PLACEHOLDER, UNKNOWN_RULE
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.nodes import Entry, Mapping, Node, Scalar
from rulewright.source.nodes import Sequence as SequenceNode
from rulewright.source.span import Span

_LEADS_NOWHERE = (
    BAD_DEFAULT,
    OVERRIDE_OF_NOTHING,
    UNKNOWN_FIELD,
    UNKNOWN_NAME,
    UNKNOWN_PLACEHOLDER,
    UNKNOWN_PROCEDURE,
    UNKNOWN_REFERENCE,
    UNKNOWN_ROW,
    UNKNOWN_RULE,
    UNKNOWN_TYPE,
)
TOKEN = re.compile(r"[^\W\d]\w*")
"""A word, as rules are written in."""

Lost = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Doubt:
    """Names of which nobody knows what they mean, as long as what declares them is not mended.

    `names` mean something to the rules; those in `words` are only told of, as terms and pages are, so that nothing but
    a name that leads nowhere can come of them. `places` are entries that hold faults.
    """

    names: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    places: frozenset[Path] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.names or self.words or self.places)

    def missing(self, names: Iterable[str]) -> Doubt:
        """In doubt of these names too."""
        return replace(self, names=self.names | frozenset(names))

    def losing(self, lost: Iterable[tuple[str, str]]) -> Doubt:
        """In doubt of the names that were left out too, each given with its section."""
        names, words = set(self.names), set(self.words)
        for section, name in lost:
            if name in _vocabulary():
                continue
            known = sections().get(section)
            if known is not None and not known.gameplay:
                words.add(name)
                continue
            names.add(name)
            if section == "kinds":
                names.add(f"{name}s")  # what all objects of a kind are called, where it does not say
        return replace(self, names=frozenset(names), words=frozenset(words))

    def about(self, faults: Iterable[Diagnostic], files: Sequence[Mapping]) -> Doubt:
        """In doubt of the entries that hold faults too, and of whatever these declare."""
        places: set[Path] = set()
        lost: list[tuple[str, str]] = []
        for fault in faults:
            for file in files:
                path = path_to(file, fault.span)
                if path is not None and len(path) > 1:
                    places.add(path[:2])
                    section = file.entries[path[0]].value
                    assert isinstance(section, Mapping)
                    lost += ((path[0], name) for name in declared(section.entries[path[1]]))
        return replace(self.losing(lost), places=self.places | places)

    def broken(self, faults: Iterable[Diagnostic], rules: Mapping) -> Doubt:
        """In doubt too of the entries of `rules` that hold faults, told or not: what leans on them cannot be run."""
        paths = (path_to(rules, fault.span) for fault in faults)
        return replace(self, places=self.places | {path[:2] for path in paths if path is not None and len(path) > 1})

    def sure(self, found: Iterable[Diagnostic], files: Sequence[Mapping]) -> Iterator[Diagnostic]:
        """Those that are no consequence of what is in doubt; `files` are where they were found."""
        for diagnostic in found:
            if not self or not self._touches(diagnostic, files):
                yield diagnostic

    def _touches(self, diagnostic: Diagnostic, files: Sequence[Mapping]) -> bool:
        doubted = self.names | self.words if diagnostic.code in _LEADS_NOWHERE else self.names
        for file in files:
            path = path_to(file, diagnostic.span)
            if path is not None:
                innermost = _innermost(file, diagnostic.span)
                tokens = set(path) if innermost is None else {*path, *tokens_of(innermost)}
                return not tokens.isdisjoint(doubted)
        return False


def without_faults(file: Mapping, faults: Iterable[Span]) -> tuple[Mapping, Lost]:
    """A file without the entries that have faults, and the names lost with them, each with its section."""
    lost: set[tuple[str, str]] = set()
    gone: set[Path] = set()
    for fault in faults:
        path = path_to(file, fault)
        if path:
            gone.add(path[:2] if path[0] in sections() else path[:1])
    entries: dict[str, Entry] = {}
    for section, entry in file.entries.items():
        kept: dict[str, Entry] = {}
        if isinstance(entry.value, Mapping) and (section,) not in gone:
            kept = {key: inner for key, inner in entry.value.entries.items() if (section, key) not in gone}
            lost |= {
                (section, name)
                for key, inner in entry.value.entries.items()
                if key not in kept
                for name in declared(inner)
            }
        elif (section,) in gone:
            lost |= {(section, name) for name in declared(entry)}
        if kept:
            entries[section] = Entry(entry.key, Mapping(kept, entry.value.span))
    return Mapping(entries, file.span), frozenset(lost)


def declared(entry: Entry) -> Iterator[str]:
    """Every name that an entry may declare: its keys at every depth, the ids of its steps and plurals of its kinds."""
    yield entry.key.text
    yield from _declared(entry.value)


def _declared(node: Node) -> Iterator[str]:
    if isinstance(node, Mapping):
        for key, entry in node.entries.items():
            yield key
            if key in ("id", "plural") and isinstance(entry.value, Scalar):
                yield entry.value.text
            yield from _declared(entry.value)
    elif isinstance(node, SequenceNode):
        for item in node.items:
            yield from _declared(item)


def tokens_of(node: Node) -> Iterator[str]:
    """Every word written in a node."""
    if isinstance(node, Scalar):
        yield from TOKEN.findall(node.text)
    elif isinstance(node, SequenceNode):
        for item in node.items:
            yield from tokens_of(item)
    else:
        for key, entry in node.entries.items():
            yield key
            yield from tokens_of(entry.value)


def path_to(node: Node, span: Span) -> Path | None:
    """The keys on the way to the innermost value in `node` that holds `span`; steps count by their ids."""
    if isinstance(node, Scalar):
        return () if node.span.holds(span) else None
    if isinstance(node, Mapping):
        for key, entry in node.entries.items():
            if entry.key.span.holds(span):
                return (key,)
            if (inner := path_to(entry.value, span)) is not None:
                return (key, *inner)
            if entry.key.span.file == entry.value.span.file and entry.span.holds(span):
                return (key,)
        return () if node.span.file == span.file and node.span.holds(span) else None
    for item in node.items:
        if (inner := path_to(item, span)) is not None:
            named = item.get("id") if isinstance(item, Mapping) else None
            return (named.text, *inner) if isinstance(named, Scalar) else inner
    return () if node.span.holds(span) else None


def _innermost(node: Node, span: Span) -> Node | None:
    """The scalar that holds `span`, or else the innermost mapping; of a key, what stands after it."""
    if isinstance(node, Scalar):
        return node if node.span.holds(span) else None
    if isinstance(node, Mapping):
        for entry in node.entries.values():
            if entry.key.span.holds(span):
                return entry.value
            if (found := _innermost(entry.value, span)) is not None:
                return found
            if entry.key.span.file == entry.value.span.file and entry.span.holds(span):
                return entry.value
    else:
        for item in node.items:
            if (found := _innermost(item, span)) is not None:
                # What is said at the id of a step is said of the step.
                named = item.get("id") if isinstance(item, Mapping) else None
                return item if named is found else found
    return node if node.span.holds(span) else None


@lru_cache(maxsize=1)
def _vocabulary() -> frozenset[str]:
    """The keys of the model itself, which no entry declares."""
    found = set(POSITIONS)

    def look(shape: Shape | None) -> None:
        match shape:
            case Record(members=members):
                for key, member in members.items():
                    if key not in found:
                        found.add(key)
                        look(member.shape)
            case MapOf(inner=inner) | ListOf(inner=inner):
                look(inner)
            case Steps():
                found.update(step_shape().members)
            case ByForm():
                for form in (shape.scalar, shape.sequence, shape.mapping):
                    look(form)

    look(rules_shape())
    return frozenset(found)
