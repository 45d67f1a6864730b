"""Names that errors have made uncertain, and the diagnostics and examples that do not depend on them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulewright.base.lazy import compute_once
from rulewright.language.language_diagnostics import (
    UNKNOWN_FIELD,
    UNKNOWN_NAME,
    UNKNOWN_PROCEDURE,
    UNKNOWN_ROW,
    UNKNOWN_TYPE,
)
from rulewright.language.schema_shapes import POSITIONS, ByForm, ListOf, MapOf, Record, Shape, Steps
from rulewright.ruleset.layers.value_origins import Path
from rulewright.ruleset.prose_diagnostics import UNKNOWN_PLACEHOLDER, UNKNOWN_RULE
from rulewright.ruleset.recovery.span_index import SpanIndex, SpanMatch
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.ruleset_diagnostics import BAD_DEFAULT, OVERRIDE_OF_NOTHING, UNKNOWN_REFERENCE
from rulewright.ruleset.schema.digest import to_plain
from rulewright.ruleset.schema.model import build_rules_shape, step_shape
from rulewright.ruleset.schema.schema_path import find_member
from rulewright.ruleset.section import NAMES, STEP_NAMES, load_sections
from rulewright.ruleset.sections.examples import Example
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
"""A word in the text of rules."""

Find = Callable[[Mapping, Span], SpanMatch | tuple[Path, None]]

Lost = frozenset[tuple[str, str]]
"""Names that were left out, each with its section, or, inside an entry, with the path of the entry."""


@dataclass(frozen=True, slots=True)
class TaintedNames:
    """Names whose declaration has errors, so that their meaning is unknown.

    `names` may be used in rules. `words`, such as terms and pages, are used only in texts, so they can only cause
    errors about unknown names. `places` are entries with errors.
    """

    names: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    places: frozenset[Path] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.names or self.words or self.places)

    def with_names(self, names: Iterable[str]) -> TaintedNames:
        """Return a copy that includes these names."""
        return replace(self, names=self.names | frozenset(names))

    def with_lost(self, lost: Iterable[tuple[str, str]]) -> TaintedNames:
        """Return a copy that includes names that were left out, as in `Lost`.

        Keys of the schema inside an entry are ignored. Entries that are called like one, and names of sections without
        gameplay, are added to `words`, all others to `names`.
        """
        names, words = set(self.names), set(self.words)
        for path, name in lost:
            section, inside, _ = path.partition(".")
            if name in _vocabulary():
                if not inside and name not in load_sections():
                    words.add(name)
                continue
            known = load_sections().get(section)
            if known is not None and not known.gameplay:
                words.add(name)
                continue
            names.add(name)
            if section == "kinds":
                names.add(f"{name}s")  # the default plural
        return replace(self, names=frozenset(names), words=frozenset(words))

    def with_faults(self, faults: Iterable[Diagnostic], files: Sequence[Mapping]) -> TaintedNames:
        """Return a copy that includes the entries with these errors, and all names that they declare.

        Errors that are not inside an entry of `files` are ignored.
        """
        places: set[Path] = set()
        lost: list[tuple[str, str]] = []
        find = _finder()
        for fault in faults:
            for file in files:
                path, _ = find(file, fault.span)
                if len(path) > 1:
                    places.add(path[:2])
                    section = file.entries[path[0]].value
                    assert isinstance(section, Mapping)
                    lost += list_lost_names(path[0], section.entries[path[1]])
        return replace(self.with_lost(lost), places=self.places | places)

    def with_broken_entries(self, faults: Iterable[Diagnostic], rules: Mapping) -> TaintedNames:
        """Return a copy that includes the entries of `rules` with these errors, but not the names that they declare."""
        find = _finder()
        paths = (find(rules, fault.span)[0] for fault in faults)
        return replace(self, places=self.places | {path[:2] for path in paths if len(path) > 1})

    def with_dependents(self, faults: Sequence[Diagnostic], files: Sequence[Mapping]) -> TaintedNames:
        """Return a copy that includes the entries with errors that follow from tainted names: a deck of a lost table.

        What uses such an entry may fail to find it, so the names of these entries are among `words`. Sections with
        steps are left out, because an error in a step takes no name away.
        """
        find, result = _finder(), self
        while True:
            names = {
                path[1]
                for fault in faults
                if result._touches(fault, files, find)
                for path in (find(file, fault.span)[0] for file in files)
                if len(path) > 1 and path[0] not in _STEPS
            }
            if names <= result.words:
                return result
            result = replace(result, words=result.words | names)

    def select_certain(self, diagnostics: Iterable[Diagnostic], files: Sequence[Mapping]) -> Iterator[Diagnostic]:
        """Yield the diagnostics that do not follow from tainted names. `files` are the rules they were found in."""
        find = _finder()
        for diagnostic in diagnostics:
            if not self or not self._touches(diagnostic, files, find):
                yield diagnostic

    def _touches(self, diagnostic: Diagnostic, files: Sequence[Mapping], find: Find) -> bool:
        """Return whether a tainted name is in the value that a diagnostic is about, or in its path."""
        doubted = self.names | self.words if diagnostic.code in _LEADS_NOWHERE else self.names
        for file in files:
            path, innermost = find(file, diagnostic.span)
            if innermost is not None:
                # A key may be an expression, such as `p.score` or `stock[wood]`, so it is split into words.
                names = {*path, *(token for key in path for token in TOKEN.findall(key)), *list_tokens(innermost)}
                return not names.isdisjoint(doubted)
        return False


def _finder() -> Find:
    """Return a function that finds a span in some rules. Its result for no match is `((), None)`.

    It builds one index per mapping and keeps it.
    """
    known: dict[int, tuple[Mapping, SpanIndex]] = {}

    def find(rules: Mapping, span: Span) -> SpanMatch | tuple[Path, None]:
        if id(rules) not in known:
            known[id(rules)] = (rules, SpanIndex(rules))  # keep the mapping alive, so that its id stays unique
        return known[id(rules)][1].find(span) or ((), None)

    return find


def remove_faulty_entries(file: Mapping, faults: Iterable[Span]) -> tuple[Mapping, Lost]:
    """Return a copy of a file without the entries that have errors, and the names lost with them.

    Each name comes with its section. An error outside an entry removes its whole section. Sections left empty are
    removed, too. An error in `names` removes only that noun, because nothing but texts depends on it.
    """
    lost: set[tuple[str, str]] = set()
    removed: set[Path] = set()
    places = SpanIndex(file)
    for fault in faults:
        result = places.find(fault)
        if result is None or not (path := result[0]):
            continue
        if noun := _find_noun(path):
            file = _remove_noun(file, noun)
        else:
            removed.add(path[:2] if path[0] in load_sections() else path[:1])
    entries: dict[str, Entry] = {}
    for section, entry in file.entries.items():
        saved: dict[str, Entry] = {}
        if isinstance(entry.value, Mapping) and (section,) not in removed:
            saved = {key: inner for key, inner in entry.value.entries.items() if (section, key) not in removed}
            for key, inner in entry.value.entries.items():
                lost |= set(list_lost_names(section, inner)) if key not in saved else set()
        elif (section,) in removed:
            lost |= set(list_lost_names(section, entry))
            for inner in entry.value.entries.values() if isinstance(entry.value, Mapping) else ():
                lost.add((section, inner.key.text))
        if saved:
            entries[section] = Entry(entry.key, Mapping(saved, entry.value.span))
    return Mapping(entries, file.span), frozenset(lost)


def _find_noun(path: Path) -> Path:
    """Return the path of the noun in `names` that a path leads into, or an empty path."""
    shape: Shape = build_rules_shape()
    for place, key in enumerate(path):
        if shape is NAMES or shape is STEP_NAMES:
            return path[: place + 1]
        shape = find_member(shape, key)
    return ()


def _remove_noun(node: Mapping, path: Path) -> Mapping:
    """Return a copy without the noun at a path, or without `names` if it is the only one or there is no such noun."""
    key, *inner = path
    if key not in node.entries:
        return node
    entries = dict(node.entries)
    value = entries[key].value
    remaining = _remove_noun(value, tuple(inner)) if inner and isinstance(value, Mapping) else None
    if remaining is None or not remaining.entries:
        del entries[key]
    else:
        entries[key] = Entry(entries[key].key, remaining)
    return Mapping(entries, node.span)


def list_lost_names(section: str, entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield every name that an entry may declare, as in `Lost`: its key, inner keys, ids of steps, plurals of kinds."""
    yield section, entry.key.text
    yield from ((f"{section}.{entry.key.text}", name) for name in _list_declared(entry.value))


def _list_declared(node: Node) -> Iterator[str]:
    """Yield all keys in a node, and the texts of `id` and `plural`."""
    if isinstance(node, Mapping):
        for key, entry in node.entries.items():
            yield key
            if key in ("id", "plural") and isinstance(entry.value, Scalar):
                yield entry.value.text
            yield from _list_declared(entry.value)
    elif isinstance(node, SequenceNode):
        for item in node.items:
            yield from _list_declared(item)


def list_tokens(node: Node) -> Iterator[str]:
    """Yield every word in a node, and every key as a whole. A word may occur more than once."""
    if isinstance(node, Scalar):
        yield from TOKEN.findall(node.text)
    elif isinstance(node, SequenceNode):
        for item in node.items:
            yield from list_tokens(item)
    else:
        for key, entry in node.entries.items():
            yield key
            yield from list_tokens(entry.value)


@compute_once
def _vocabulary() -> frozenset[str]:
    """Return the keys of the schema itself, which no entry declares. Computed once."""
    results = set(POSITIONS)

    def look(shape: Shape | None) -> None:
        match shape:
            case Record(members=members):
                for key, member in members.items():
                    if key not in results:
                        results.add(key)
                        look(member.shape)
            case MapOf(inner=inner) | ListOf(inner=inner):
                look(inner)
            case Steps():
                results.update(step_shape().members)
            case ByForm():
                for form in shape.forms:
                    look(form)

    look(build_rules_shape())
    return frozenset(results)


_SPECIAL = "exceptions"
"""The section with entries that name the step they change."""


_STEPS = frozenset(("procedures", _SPECIAL, "whenever"))
"""The sections that contain steps, besides tables with columns of steps."""


def list_runnable(ruleset: Ruleset, doubt: TaintedNames, errors: Iterable[Diagnostic]) -> Iterator[Example]:
    """Yield the examples that can run: none of their dependencies is tainted or has an error.

    Dependencies are overestimated by the words in the rules. They are all words reachable from the example and from the
    sections that set up every game. If an error is in such a section, no example is yielded. If there are triggers, and
    an error in a section with steps, no example of a procedure is.
    """
    rules = ruleset.resolved.rules
    wrong: set[Path] = set(doubt.places)
    errors = list(errors)
    places = SpanIndex(rules, {error.span.file for error in errors})
    for error in errors:
        position = places.find(error.span)
        if position is not None and len(position[0]) > 1:
            wrong.add(position[0][:2])
    if any(load_sections()[section].of_every_game for section, _ in wrong if section in load_sections()):
        return
    words = _words(rules)
    of_word: defaultdict[str, list[Path]] = defaultdict(list)
    for section, name in words:
        of_word[name].append((section, name))
    for path, result in words.items():
        if path[0] == _SPECIAL:
            for place in [place for place in words if place[0] in ("procedures", "tables") and place[1] in result]:
                words[place].add(path[1])
    always = [word for path, result in words.items() if load_sections()[path[0]].of_every_game for word in result]
    # Where triggers apply is known only if all steps are valid.
    tables = ruleset.declarations.tables
    with_steps = {path for path in wrong if path[0] == "tables" and path[1] in tables and tables[path[1]].steps}
    unwoven = "whenever" in rules and (with_steps or not _STEPS.isdisjoint(section for section, _ in wrong))

    def reach(waiting: list[str], reached: set[str], touched: set[Path]) -> None:
        while waiting:
            word = waiting.pop()
            if word in reached:
                continue
            reached.add(word)
            for path in of_word[word]:
                touched.add(path)
                waiting += words[path]

    # The setup is the same for all examples, so its dependencies are computed once.
    reached_always: set[str] = set()
    touched_always: set[Path] = set()
    reach(always, reached_always, touched_always)
    for example in ruleset.examples.values():
        if unwoven and example.of in ruleset.procedures:
            continue
        reached, touched = reached_always.copy(), {*touched_always, ("examples", example.id)}
        reach(list(list_tokens(example.node)), reached, touched)
        if reached.isdisjoint(doubt.names) and touched.isdisjoint(wrong):
            yield example


def _words(rules: Mapping) -> dict[Path, set[str]]:
    """Return the words in each gameplay entry, by section and id. Texts are left out.

    Raises `KeyError` for an unknown section.
    """
    results: dict[Path, set[str]] = {}
    for section, entry in rules.entries.items():
        declared = load_sections()[section]
        if not declared.gameplay or not isinstance(entry.value, Mapping):
            continue
        for name, inner in entry.value.entries.items():
            shape = declared.entry
            results[section, name] = {
                word for text in _texts(to_plain(inner.value, shape)) for word in TOKEN.findall(text)
            }
    return results


def _texts(data: Any) -> Iterator[str]:
    """Yield all keys and texts in plain data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield key
            yield from _texts(value)
    elif isinstance(data, list):
        for value in data:
            yield from _texts(value)
