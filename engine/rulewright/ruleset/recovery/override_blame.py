"""Attribute errors in a lower layer to the overrides of the top layer that cause them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from rulewright.language.schema_shapes import ByForm, Shape, Steps
from rulewright.ruleset.layers.layer import ResolvedRules
from rulewright.ruleset.layers.value_origins import Origin, Path
from rulewright.ruleset.recovery.span_index import SpanIndex, SpanMatch
from rulewright.ruleset.recovery.tainted import TOKEN
from rulewright.ruleset.schema.model import StepShape, build_rules_shape, step_shape
from rulewright.ruleset.schema.schema_path import find_member
from rulewright.ruleset.section import load_sections
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic, RelatedSpan
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Node, Scalar, follow_keys
from rulewright.source.span import Span

MOST_POINTED = 3
"""The maximum number of overrides in a diagnostic."""

MOST_STEPS = 6
"""The maximum number of dependencies between an error and the override that causes it."""

_WORKED_OUT = ("numbers", "formulas")
"""Sections whose values are computed from other names."""

_OVERRIDES = ("changes", "replaces", "adds")
_OF_STEPS = (*_OVERRIDES, "removes", "moves")
"""Operations on a step that have an effect wherever its procedure runs."""

_SCHEMA_WORDS = ("columns", "default", "derived", "fields", "is", "on", "rows")
"""Keys on the paths of overrides that are neither ids nor names of columns."""

_FOLLOWED = (
    "decks",
    "exceptions",
    "formulas",
    "kinds",
    "numbers",
    "options",
    "procedures",
    "state",
    "tables",
    "whenever",
)
"""Sections whose reads are recorded during a run."""


@dataclass(slots=True)
class Reads:
    """The paths that a run read, each with the time of its last read. A later read has a larger number.

    Paths are those of numbers, formulas, exceptions, decks and settings; values of the game (`("state", "day")`);
    fields and derived values of a kind (`("kinds", "bed", "owner")`), and created kinds; tables that were rolled on or
    sorted, and cells (`("tables", "prices", "wood", "price")`); procedures and steps that ran (`("procedures", "tend",
    "watered")`); conditions of steps that were evaluated, with `"when"` at the end. `nearest` has the paths that the
    failed check read itself, and the step at which a run stopped.
    """

    last: dict[Path, int] = field(default_factory=dict)
    nearest: set[Path] = field(default_factory=set)
    time: int = 0

    def note(self, path: Path) -> None:
        """Record that `path` is read now."""
        self.time += 1
        self.last[path] = self.time


def point_at_overrides(diagnostics: Diagnostics, resolved: ResolvedRules) -> None:
    """Add to each error in a lower layer the positions of overrides in the top layer that may cause it.

    The lower layer is correct by itself, so the fix belongs in the top layer. Overrides are found by the names in the
    error's source text, then by the names that these are computed from. For an example, its procedure counts too.
    """
    if len(resolved.layers) > 1 and len(diagnostics) and resolved.history.origins:
        overrides = Overrides(resolved)
        diagnostics.replace([overrides.add_overrides(each) for each in diagnostics])


Override = tuple[Path, Origin]
"""The path of a value, and the operation of the top layer on it."""


class Overrides:
    """The changes of the top layer, by name."""

    def __init__(self, resolved: ResolvedRules) -> None:
        self.resolved = resolved
        self.top = resolved.layers[-1].name
        self.changed: dict[Path, list[Override]] = {}
        self.of_play: list[Override] = []
        for path, origins in resolved.history.origins.items():
            # The layers below are valid without the top layer, so only its overrides can be the cause.
            if origins[-1].layer != self.top or origins[-1].operation not in _OF_STEPS:
                continue
            if _is_played(path):
                self.of_play.append((path, origins[-1]))
            if origins[-1].operation in _OVERRIDES:
                for length in (2, 4):
                    self.changed.setdefault(path[:length], []).append((path, origins[-1]))
        self._places: SpanIndex | None = None
        self._called: dict[str, list[Path]] = {}
        for path in _name(resolved.rules):
            self._called.setdefault(path[-1], []).append(path)

    def add_overrides(self, diagnostic: Diagnostic) -> Diagnostic:
        """Return a copy of the diagnostic with the overrides of the top layer that may cause it as related positions.

        They are found by the names in its source text. The diagnostic itself is returned if it is in the top layer or
        there are none.
        """
        if self.resolved.find_layer(diagnostic.span) == self.top:
            return diagnostic
        for names in self._starts(diagnostic):
            result = self._nearest(names, of_play=self._is_of_play(diagnostic))
            if result:
                return _with_notes(diagnostic, result)
        return diagnostic

    def list_words(self, causes: Iterable[Override]) -> frozenset[str]:
        """Return the words in overrides, and the last key of the path of each."""
        names = {path[-1] for path, _ in causes}
        files = {file.span.file: SpanIndex(file) for file in self.resolved.layers[-1].files}
        for _, origin in causes:
            place = files[origin.span.file].find(origin.span) if origin.span.file in files else None
            names.update(() if place is None else _words(place[1]))
        return frozenset(names)

    def find_causes(self, read: Reads, example: MappingNode) -> list[Override]:
        """Return the overrides that the run of an example read, the most likely cause of its failure first.

        Those read by the failed check itself come before others, and later reads before earlier ones. New names come
        last, because only other overrides can have led to them. Removed names that the example has in its text are
        causes, too, because it may be unable to run without them.
        """
        times = _Times(self.resolved.rules, read)
        results = [
            (not _is_new_name(path, origin), *when, path, origin)
            for path, origin in self.of_play
            if (when := times.of(path, origin)) is not None
        ]
        results.sort(key=lambda each: each[:3], reverse=True)
        causes = [(path, origin) for *_, path, origin in results]
        words = frozenset(_words(example))
        removals = [each for each in self.of_play if each[1].operation == "removes" and each[0][-1] in words]
        return [*causes, *(each for each in removals if each not in causes)]

    def _is_of_play(self, diagnostic: Diagnostic) -> bool:
        """Return whether the error is in gameplay, which texts cannot affect."""
        result = self._place(diagnostic)
        return bool(result) and (
            result[0] == "examples" or (result[0] in load_sections() and load_sections()[result[0]].gameplay)
        )

    def _place(self, diagnostic: Diagnostic) -> Path:
        result = self._find(diagnostic.span)
        return result[0] if result is not None else ()

    def _find(self, span: Span) -> SpanMatch | None:
        if self._places is None:
            self._places = SpanIndex(self.resolved.rules)
        return self._places.find(span)

    def _starts(self, diagnostic: Diagnostic) -> Iterator[list[str]]:
        """Yield lists of names to search for, in order of preference.

        The first has the names at the error. For an example, its procedure and the names in that follow.
        """
        result = self._find(diagnostic.span)
        path, node = result if result is not None else ((), None)
        yield list(dict.fromkeys([*path[-1:], *(_words(node) if node is not None else ())]))
        if path[:1] == ("examples",) and len(path) > 1:
            example = follow_keys(self.resolved.rules, *path[:2])
            subject = example.get("of") if isinstance(example, MappingNode) else None
            if isinstance(subject, Scalar):
                procedure = follow_keys(self.resolved.rules, "procedures", subject.text)
                yield [subject.text]
                yield list(dict.fromkeys(_words(procedure))) if procedure is not None else []

    def _nearest(self, names: Sequence[str], *, of_play: bool) -> list[Override]:
        """Return the overrides of these names, or else of the names that they are computed from.

        Follows at most `MOST_STEPS` levels. `of_play` restricts it to overrides that affect play. Empty if there are
        none.
        """
        seen: set[Path] = set()
        for _ in range(MOST_STEPS):
            paths = [path for name in names for path in self._called.get(name, ()) if path not in seen]
            if not paths:
                break
            seen.update(paths)
            results = [
                override
                for path in paths
                for override in self.changed.get(path, ())
                if not of_play or _is_played(override[0])
            ]
            if results:
                return results
            inside = [
                follow_keys(self.resolved.rules, *path) for path in paths if path[0] in _WORKED_OUT or len(path) > 2
            ]
            names = list(dict.fromkeys(word for node in inside if node is not None for word in _words(node)))
        return []


class _Times:
    """The time at which a run last read each path of the rules."""

    def __init__(self, rules: MappingNode, read: Reads) -> None:
        self.rules = rules
        self.read = Reads(dict(read.last), set(read.nearest))
        self._work_out(read)
        self.below: dict[Path, list[Path]] = {}
        for path in self.read.last:
            for length in range(1, len(path) + 1):
                self.below.setdefault(path[:length], []).append(path)

    def _work_out(self, read: Reads) -> None:
        """Record, for each value that was read, the values it was computed from at load time.

        Changes `self.read`, in which these get the time of the value, unless they have a later one.
        """
        for start, time in read.last.items():
            waiting, seen = [start], {start}
            while waiting:
                path = waiting.pop()
                self.read.last[path] = max(time, self.read.last.get(path, 0))
                if start in read.nearest:
                    self.read.nearest.add(path)
                for word in self._words_in(path):
                    named = ("numbers", word)
                    if named not in seen and follow_keys(self.rules, *named) is not None:
                        seen.add(named)
                        waiting.append(named)

    def _words_in(self, path: Path) -> Iterator[str]:
        """Yield the words in a number, a cell of a table or a field of a kind. Nothing for other paths."""
        node = None
        match path:
            case ("numbers", _):
                node = follow_keys(self.rules, *path)
            case ("tables", table, row, column):
                node = follow_keys(self.rules, "tables", table, "rows", row, column)
            case ("kinds", kind, name):
                node = follow_keys(self.rules, "kinds", kind, "fields", name)
        if node is not None:
            yield from _words(node)

    def of(self, path: Path, origin: Origin) -> tuple[bool, int] | None:
        """Return whether the failed check read the overridden path itself, and the time of its last read.

        None if the run did not read it. Sections whose reads are not recorded count as read at time 0 if they affect
        every game.
        """
        if path[0] in ("exceptions", "whenever") and origin.operation == "removes":
            return False, 0  # no run reads a removed entry
        if path[0] not in _FOLLOWED:
            return (False, 0) if path[0] in load_sections() and load_sections()[path[0]].of_every_game else None
        results = [each for each in self._as_noted(path, origin) if each in self.read.last]
        if not results:
            return None
        return not self.read.nearest.isdisjoint(results), max(self.read.last[each] for each in results)

    def _as_noted(self, path: Path, origin: Origin) -> Iterable[Path]:
        """Return the paths under which a run records reads of `path`.

        Empty if the operation cannot affect reads of it.
        """
        if origin.operation not in _OVERRIDES and path[0] not in ("procedures", "tables"):
            return ()
        match path:
            case ("tables", table, "rows", _) if origin.operation in ("removes", "moves"):
                return (("tables", table),)
            case ("tables", table, "rows", row, column, *_):
                cell = ("tables", table, row, column)
                return (cell, ("tables", table)) if column == "on" else (cell,)
            case ("tables", table, "rows", row):
                return (("tables", table), *self.below.get(("tables", table, row), ()))
            case ("tables", table, "columns", column, *_):
                return [each for each in self.below.get(path[:2], ()) if each[3:] == (column,)]
            case ("tables", table):
                return self.below.get(path, ())
            case ("kinds", kind, _, name, *_):
                return (("kinds", kind, name), ("kinds", kind))
            case ("kinds", kind):
                return self.below.get(path, ())
            case ("procedures", procedure, *_):
                steps = _steps_on(path)
                if not steps or origin.operation == "removes":
                    return (("procedures", procedure),)
                own = ("procedures", procedure, steps[-1])
                return ((*own, "when"),) if path[-1] == "when" else (own,)
        return (path[:2],)


def _is_new_name(path: Path, origin: Origin) -> bool:
    """Return whether a layer adds something that the rules below cannot refer to, such as a number or a field."""
    if origin.operation != "adds" or path[0] in ("exceptions", "whenever"):
        return False
    return len(path) <= 2 or path[0] == "kinds" or (path[0] == "tables" and path[2] == "columns")


def _with_notes(diagnostic: Diagnostic, overrides: Iterable[Override]) -> Diagnostic:
    """Return a copy of the diagnostic with the first `MOST_POINTED` overrides as related positions, without duplicates.

    The diagnostic itself is returned if there are no new positions.
    """
    known = {related.span for related in diagnostic.related}
    notes: dict[object, RelatedSpan] = {}
    for path, origin in overrides:
        if origin.span not in known:
            notes.setdefault(origin.span, RelatedSpan(origin.span, describe_override(path, origin)))
    if not notes:
        return diagnostic
    return replace(diagnostic, related=(*diagnostic.related, *list(notes.values())[:MOST_POINTED]))


def describe_override(path: Path, origin: Origin) -> str:
    """Return a note for the position of an override: what its layer does there."""
    if path[0] == "numbers" and len(path) > 1:
        return f"the value of `{path[1]}` comes from here: `{origin.layer}` {origin.operation} it"
    if len(path) == 1:
        return f"`{origin.layer}` {origin.operation} the section `{path[0]}`"
    if origin.operation == "removes":
        return f"`{origin.layer}` removes `{path[-1]}` from `{path[1]}`"
    return f"`{origin.layer}` {origin.operation} this in `{path[1]}`"


def name_override(path: Path, origin: Origin) -> str:
    """Return an override as the subject of a sentence, such as `` deleting `pay_day.paid` ``.

    It is named by the ids on its path. A changed value is named alone.
    """
    ids = [*path[1:2], *_steps_on(path)[-1:]] if path[0] == "procedures" else list(path[1:])
    name = f"`{'.'.join(key for key in ids if key not in _SCHEMA_WORDS) or path[0]}`"
    doing = {"adds": "adding ", "removes": "deleting ", "moves": "moving "}
    return doing.get(origin.operation, "") + name


def _is_played(path: Path) -> bool:
    """Return whether the value at a path is gameplay and not just text."""
    return all(not shape.cosmetic for shape, _ in _shapes(path))


def _steps_on(path: Path) -> list[str]:
    """Return the ids of the steps on a path, outermost first."""
    return [key for shape, key in _shapes(path) if isinstance(shape, StepShape)]


def _shapes(path: Path) -> Iterator[tuple[Shape, str]]:
    """Yield the schema of the value at each key on a path, with that key."""
    shape: Shape = build_rules_shape()
    for key in path:
        steps = shape if isinstance(shape, Steps) or not isinstance(shape, ByForm) else shape.steps
        shape = step_shape() if isinstance(steps, Steps) else find_member(shape, key)
        yield shape, key


def _name(rules: MappingNode) -> Iterator[Path]:
    """Yield the paths of everything that expressions and steps can name: entries, or the parts of a kind.

    Skips examples.
    """
    for section, entry in rules.entries.items():
        if section == "examples" or not isinstance(entry.value, MappingNode):
            continue
        for name, named in entry.value.entries.items():
            if section != "kinds":
                yield (section, name)
            elif isinstance(named.value, MappingNode):
                for part, inner in named.value.entries.items():
                    if isinstance(inner.value, MappingNode):
                        yield from ((section, name, part, key) for key in inner.value.entries)


def _words(node: Node) -> Iterator[str]:
    """Yield the words in the keys and values of a node, except in texts for readers.

    A word may occur more than once.
    """
    if isinstance(node, Scalar):
        yield from TOKEN.findall(node.text)
    elif isinstance(node, MappingNode):
        for key, entry in node.entries.items():
            if key not in _TOLD:
                yield from TOKEN.findall(key)
                yield from _words(entry.value)
    else:
        for item in node.items:
            yield from _words(item)


_TOLD = ("title", "means", "wording", "names", "label", "ask", "text", "about", "log")
