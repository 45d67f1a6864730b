"""The references in the rules of an edition: every declaration of a name, in any layer, and every use.

Every name has a path, as in `why`: section, id, and the part of the entry. The path of a name that is bound within an
entry, such as by a step, is `@`, the section and id of the entry, the position of its declaration, and the name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar

from rulewright.language.declarations import GAME_KIND, ROW_NAME
from rulewright.language.expressions import typed_ast as t
from rulewright.language.expressions import untyped_ast
from rulewright.language.expressions.untyped_ast import Syntax
from rulewright.language.expressions.word_notes import ScalarReading
from rulewright.language.schema_shapes import POSITIONS, ByForm, Leaf, ListOf, MapOf, Record, Shape, Steps
from rulewright.language.statement import by_role
from rulewright.language.types import ListOf as Listed
from rulewright.language.types import RecordOf, Row
from rulewright.ruleset.editions.edition import list_words_files
from rulewright.ruleset.layers.layer import Layer
from rulewright.ruleset.layers.value_origins import find_steps_path
from rulewright.ruleset.prose.placeholders import Placeholder, parse_parts
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.canonical_form import choose_form
from rulewright.ruleset.schema.model import MANIFEST, build_rules_shape, step_shape
from rulewright.ruleset.schema.schema_path import FACE, find_member
from rulewright.ruleset.schema.translation_schema import REVIEWED, STEP_WORDS, build_words_shape
from rulewright.ruleset.section import load_sections
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Node, Scalar
from rulewright.source.nodes import Sequence as SequenceNode
from rulewright.source.span import Span
from rulewright.source.yaml.yaml_reader import read_file

Path = tuple[str, ...]

Form = Literal["key", "expression", "words", "reference", "type", "edition", "noun"]
"""The form of a mention: a key, an expression, a placeholder, a path, a type, an edition, or a key of `names:`."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A declaration of, or a reference to, the entry at `path`. A declaration (`declares`) belongs to its layer."""

    span: Span
    path: Path
    form: Form
    declares: bool = False
    under: str = ""
    """The key above a reference, with a leading dot if the reference includes its section."""
    sure: bool = True
    """Whether the name is unique, so that the reference is unambiguous."""


@dataclass(frozen=True, slots=True, eq=False)
class Mentions:
    """All mentions in a ruleset, by file and by path."""

    by_file: Mapping[str, tuple[Mention, ...]]
    by_path: Mapping[Path, tuple[Mention, ...]]
    readings: Mapping[str, tuple[ScalarReading, ...]] = field(default_factory=dict)
    """The readings of the expressions in each file."""

    def find_at(self, file: str, line: int, column: int) -> Mention | None:
        """Return the shortest mention at a position, counted from 1, or None.

        A position just after a mention counts.
        """
        place = (line, column)
        value = [
            each
            for each in self.by_file.get(file, ())
            if (each.span.line, each.span.column) <= place <= (each.span.end_line, each.span.end_column)
        ]
        return min(value, key=lambda each: each.span.end_column - each.span.column, default=None)


FileMentions = dict[MappingNode, tuple[Any, "Leads", Any, tuple[Mention, ...]]]
"""The mentions of files: all names, what keys lead to in the file, what its mentions depend on besides, and these."""

Leads = dict[str, Counter[str]]
"""The sections that references under a key refer to, counted for unique names."""


def collect_mentions(ruleset: Ruleset, readings: Iterable[ScalarReading], known: FileMentions) -> Mentions:
    """Return every mention in the rules. `readings` are those of the check that built the ruleset.

    `known` has the mentions of files from an earlier state of the rules, and gets those that were different then.
    """
    # A scalar may be checked several times, but only its last reading counts.
    last = {reading.scalar.span: reading for reading in readings}
    names = _Names(ruleset, last.keys())
    written = list(_collect_written(ruleset, names, known))
    places = {each.path[3] if each.path[0] == "@" else str(each.span): each.path for each in written if each.declares}
    results = {(each.span, each.path): each for each in reversed([*resolve_nouns(written, places.values())])}
    # Expectations at the end of a procedure record its parameters and steps at the position of the whole procedure.
    named = [path for path in places.values() if path[0] == "procedures" and path[2:] and path[1] in ruleset.procedures]
    places |= {f"{ruleset.procedures[path[1]].span} {path[-1]}": path for path in named}
    read: dict[str, list[ScalarReading]] = {}
    for reading in last.values():
        read.setdefault(reading.scalar.span.file, []).append(reading)
        for mention in _read(reading, places, names):
            results.setdefault((mention.span, mention.path), mention)
    by_file: dict[str, list[Mention]] = {}
    by_path: dict[Path, list[Mention]] = {}
    for mention in sorted(results.values(), key=lambda each: each.span):
        by_file.setdefault(mention.span.file, []).append(mention)
        by_path.setdefault(mention.path, []).append(mention)
    return Mentions(_frozen(by_file), _frozen(by_path), _frozen(read))


def resolve_nouns(mentions: Iterable[Mention], declared: Iterable[Path]) -> Iterator[Mention]:
    """Yield mentions, and in place of each noun, a mention of every name in its procedure that it belongs to.

    `declared` has the paths of all names. A noun without a name is left out.
    """
    named: dict[Path, list[Path]] = {}
    for path in declared:
        owner = path[1:3] if path[0] == "@" else path[:2]
        named.setdefault((*owner, path[-1]), []).append(path)
    for mention in mentions:
        if mention.form != "noun":
            yield mention
        else:
            owner_and_name = (*mention.path[:2], mention.path[-1])
            yield from (replace(mention, path=path) for path in named.get(owner_and_name, ()))


def _collect_written(ruleset: Ruleset, names: _Names, known: FileMentions) -> Iterator[Mention]:
    """Yield the mentions in the files of all layers, without those in expressions. `known` is updated on the way."""
    files = [each for layer in ruleset.resolved.layers for each in _list_files(layer)]
    before, current = dict(known), names.list_all()
    known.clear()
    totals: Leads = {}
    for file, shape in files:
        listed, leads, needs, mentions = before.get(file) or (None, {}, None, ())
        if listed != current:
            needs, names.leads = None, {}
            for _ in _walk(file, shape, (), "", names):
                pass  # this counts
            leads = names.leads
        known[file] = current, leads, needs, mentions
        for key, counts in leads.items():
            totals.setdefault(key, Counter()).update(counts)
    names.leads, names.is_counting = totals, False
    read: dict[str, set[Span]] = {}
    for span in names.read:
        read.setdefault(span.file, set()).add(span)
    for file, shape in files:
        _, leads, needs, mentions = known[file]
        now = totals, read.get(file.span.file, set())
        if needs != now:
            mentions = tuple(_walk(file, shape, (), "", names))
            known[file] = current, leads, now, mentions
        yield from mentions


def iterate_translated_mentions(ruleset: Ruleset) -> Iterator[Mention]:
    """Yield the mentions in the translations of every layer. Unreadable files are skipped."""
    names = _Names(ruleset, ())
    for layer in ruleset.resolved.layers:
        for path in list_words_files(layer.folder, Diagnostics()).values():
            try:
                node = read_file(path)
            except DiagnosticError:
                continue
            for mention in _walk(node, build_words_shape(), (), "", names):
                yield replace(mention, declares=False)
            signed = node.get(REVIEWED) if isinstance(node, MappingNode) else None
            for name, entry in signed.entries.items() if isinstance(signed, MappingNode) else ():
                if (named := names.resolve_reference(name, REVIEWED, REVIEWED)) is not None:
                    yield Mention(entry.key.position(name.rfind(named[-1]), len(named[-1])), named, "reference")


Key = TypeVar("Key")
Each = TypeVar("Each")


def _frozen(result: Mapping[Key, list[Each]]) -> dict[Key, tuple[Each, ...]]:
    return {key: tuple(each) for key, each in result.items()}


class _Names:
    """The names that rules can refer to."""

    def __init__(self, ruleset: Ruleset, read: Collection[Span]) -> None:
        self.ruleset = ruleset
        self.read = read
        """The spans of scalars with a reading, which contains their references."""
        self.leads: Leads = {}
        self.is_counting = True
        """Whether unambiguous references are added to `leads`."""
        self.led_to: tuple[Path, ...] = ()
        """The entries that the current entry refers to, and to which its `given` belongs."""
        self.in_step = False
        """Whether the current node is inside a step."""
        self.owners: tuple[Path, ...] = ()
        """The entries that the current step refers to, and to which the names in its mappings belong."""
        self.declared = ruleset.declarations
        self.ids: dict[str, list[str]] = {}
        for section, entry in ruleset.resolved.rules.entries.items():
            if isinstance(entry.value, MappingNode):
                for name in entry.value.entries:
                    self.ids.setdefault(name, []).append(section)

    def resolve_reference(self, written: str, key: str, section: str) -> Path | None:
        """Return the path that a reference in a section refers to, or None.

        `key` is the key above it. If several entries have the name, the result is in the section that the key refers to
        elsewhere. While `is_counting`, an unambiguous reference is added to `leads`.
        """
        head, *rest = written.split(".")
        if head in self.ruleset.resolved.rules and rest:
            return self.resolve_within(head, rest)
        owners = self.ids.get(head, [])
        if key == by_role("call").name and rest and written not in self.declared.procedures:
            # The row is an expression, whose names have mentions of their own.
            having = [table.id for table in self.declared.tables.values() if rest[-1] in table.steps]
            return ("tables", having[0], "columns", rest[-1]) if having else None
        if not owners:
            return None
        if len(owners) == 1 and self.is_counting:
            self.leads.setdefault(key, Counter())[owners[0]] += 1
        # If several entries have this name, choose the section that this key usually refers to.
        likely = self.leads.get(key, Counter())
        played = _is_played(section)
        best = max(owners, key=lambda each: (likely[each], each == f"{key}s", _is_played(each) is played))
        if rest:
            best = next((each for each in owners if self.resolve_within(each, [head, *rest]) is not None), best)
        return self.resolve_within(best, [head, *rest])

    def list_all(self) -> object:
        """Return all names that mentions depend on. Two rulesets with the same names have the same mentions."""
        declared = self.declared
        return (
            self.ids,
            [*self.ruleset.resolved.rules.entries],
            [*declared.terms],
            [*declared.decks],
            [*declared.options],
            {name: ([*each.rows], [*each.columns], [*each.steps.values()]) for name, each in declared.tables.items()},
            {name: [*each.fields] for name, each in declared.kinds.items()},
            {name: [*each.parameters] for name, each in declared.procedures.items()},
            {name: [*each.parameters] for name, each in declared.formulas.items()},
        )

    def list_steps_columns(self, table: str) -> Collection[str]:
        """Return the columns of steps of a table, or nothing if there is no such table."""
        return self.declared.tables[table].steps if table in self.declared.tables else ()

    def resolve_within(self, section: str, parts: list[str]) -> Path | None:
        """Return the path of an entry or of a part of it, or None if the section has no such entry.

        `parts` are the name of the entry and, if any, that of the part, whose existence is not checked.
        """
        if parts[0] not in self.ids or section not in self.ids[parts[0]]:
            return None
        if len(parts) == 1:
            return (section, parts[0])
        table = self.declared.tables.get(parts[0]) if section == "tables" else None
        if table is not None and len(parts) > 2 and parts[1] in table.rows and parts[2] in table.steps:
            return (section, parts[0], "rows", *parts[1:])
        if table is not None:
            return (section, parts[0], "rows" if parts[1] in table.rows else "columns", parts[1])
        kind = self.declared.kinds.get(parts[0]) if section == "kinds" else None
        if kind is not None:
            return (section, parts[0], "fields" if parts[1] in kind.fields else "derived", parts[1])
        declared = load_sections().get(section)
        key = next((each for each in (declared.parts if declared else ()) if each != "steps"), None)
        return (section, parts[0], *([key] if key else []), parts[1])

    def resolve_given(self, name: str, owners: Iterable[Path]) -> Path | None:
        """Return the path of a parameter of one of these procedures or formulas, or None."""
        for section, owner, *_ in owners:
            procedure, formula = self.declared.procedures.get(owner), self.declared.formulas.get(owner)
            takes = {
                "procedures": procedure.parameters if procedure is not None else {},
                "formulas": formula.parameters if formula is not None else {},
            }
            if name in takes.get(section, {}):
                return (section, owner, "given", name)
        return None

    def resolve_argument(self, name: str) -> Path | None:
        """Return the path of a key in a mapping of a step: a parameter or a field.

        None if it is unknown or ambiguous.
        """
        for section, owner, *rest in self.owners:
            signature = self.declared.procedures.get(owner) if section == "procedures" else None
            if signature is not None and name in signature.parameters:
                return (section, owner, "given", name)
            column = self.declared.tables[owner].steps.get(rest[-1]) if section == "tables" and rest else None
            if column is not None and name in column.parameters:
                return (section, owner, "columns", column.id, "steps", "given", name)
            kind = self.declared.kinds.get(owner) if section == "kinds" else None
            if kind is not None and name in kind.fields:
                return (section, owner, "fields", name)
        owners = [kind.id for kind in self.declared.kinds.values() if name in kind.fields]
        if len(owners) == 1:
            return ("state", name) if owners[0] == GAME_KIND else ("kinds", owners[0], "fields", name)
        return None

    def resolve_kind(self, name: str) -> Path | None:
        """Return the path of the entry that a word in a type names, such as a kind or a table, or None."""
        known = (
            section
            for section in self.ids.get(name, ())
            if section in load_sections() and load_sections()[section].types
        )
        return next(((section, name) for section in known), None)

    def resolve_placeholder(self, body: str) -> Path | None:
        """Return the path that a placeholder refers to, or None."""
        head, *rest = body.split(":")[0].strip().split(".")
        if head in self.declared.terms and (not rest or rest[0] in ("plural", "icon")):
            return ("terms", head)
        if head in self.ruleset.resolved.rules and rest:
            return self.resolve_within(head, rest)
        if head in self.declared.tables and rest:
            return self.resolve_within("tables", [head, *rest])
        return None


def _is_played(section: str) -> bool:
    return section in load_sections() and load_sections()[section].gameplay


# -- mentions in files of a layer --------------------------------------------------------


def _list_files(layer: Layer) -> list[tuple[MappingNode, Shape]]:
    """Return the files of a layer with their shapes."""
    return [(layer.manifest, MANIFEST), *((file, build_rules_shape()) for file in layer.files)]


def _walk(node: Node, shape: Shape | None, path: Path, key: str, known: _Names) -> Iterator[Mention]:
    """Yield the mentions in a node of this shape. `path` is the position of the node, and `key` the key above it."""
    if isinstance(shape, ByForm):
        # Steps of an upper layer may only move or delete others, which a plain list could do as well.
        is_steps = shape.steps is not None and path[4:] in [(name,) for name in known.list_steps_columns(path[1])]
        shape = shape.steps if is_steps and isinstance(node, SequenceNode) else choose_form(shape, node)
    match shape, node:
        case Record(short=str(short), members=members), Scalar() | SequenceNode():
            yield from _walk(node, members[short].shape, path, key, known)
        case Record() | MapOf(), MappingNode():
            yield from _entries(node, shape, path, known)
        case ListOf(inner=inner), SequenceNode():
            for item in node.items:
                yield from _walk(item, inner, path, key, known)
        case ListOf(inner=inner), Scalar():
            yield from _walk(node, inner, path, key, known)
        case Steps(), SequenceNode():
            for item in node.items:
                if isinstance(item, MappingNode):
                    yield from _step(item, path, known)
        case Leaf(format="words" | "label"), Scalar():
            yield from _placeholders(node, known)
        case Leaf(binds=True), Scalar():
            yield _bind(node, path)
        case Leaf(format="edition"), Scalar() if path != ("ruleset",):
            yield Mention(_place(node), ("", node.text.strip()), "edition")
        case Leaf(format="reference"), Scalar():
            yield from _reference(node, key, path, known)
        case Leaf(format="loop"), Scalar(value=str()):
            yield Mention(_place(node), (*path[:2], node.text), "key")
        case Leaf(format="type"), Scalar():
            yield from _type(node, known)
        case Leaf(format="expression"), Scalar() if node.span not in known.read:
            for section, names in (("tables", known.declared.tables), ("decks", known.declared.decks)):
                if node.text in names:
                    yield Mention(_place(node), (section, node.text), "reference")
                    break


def _entries(node: MappingNode, shape: Record | MapOf, path: Path, known: _Names) -> Iterator[Mention]:
    """Yield the mentions in a mapping, in its keys and its values."""
    section = load_sections().get(path[0]) if path else None
    led_to = known.led_to
    if len(path) == 2:
        known.led_to = tuple(_list_targets(node, shape, path[0], known))
    for name, entry in node.entries.items():
        own = (*path, name)
        if shape is STEP_WORDS:
            yield Mention(_place(entry.key), (*_find_owner(path), name), "key")
        elif len(path) == 1 or (len(path) == 3 and section is not None and path[2] in section.parts):
            face = FACE.fullmatch(name) is not None and isinstance(entry.value, Scalar)
            named = entry.value if face and isinstance(entry.value, Scalar) else entry.key
            own = (*path, named.text)
            yield Mention(_place(named), own, "key", declares=True)
        elif _declares_part(path, name, known):
            yield Mention(_place(entry.key), own, "key", declares=True)
        elif len(path) == 3 and path[2] == "names":
            yield Mention(_place(entry.key), own, "noun")
        elif len(path) == 3 and path[2] == "given":
            if (given := known.resolve_given(name, led_to)) is not None:
                yield Mention(_place(entry.key), given, "key")
        elif len(path) == 3 and path[2] == "options" and name in known.declared.options:
            yield Mention(_place(entry.key), ("options", name), "key")
            if isinstance(entry.value, Scalar):
                yield Mention(_place(entry.value), ("options", name, "choices", entry.value.text), "key")
        elif known.in_step and isinstance(shape, MapOf) and entry.key.span not in known.read:
            meant = known.resolve_argument(name)
            if meant is not None:
                yield Mention(_place(entry.key), meant, "key")
        elif isinstance(shape, MapOf) and shape.binds:
            yield _bind(entry.key, path)
        elif name in POSITIONS and isinstance(entry.value, Scalar) and name in ("before", "after") and len(path) > 1:
            yield Mention(_place(entry.value), (*path[:-1], entry.value.text), "key")
        inner = find_member(shape, name)
        yield from _walk(entry.value, inner, own, name, known)


def _bind(name: Scalar, path: Path) -> Mention:
    """Return the declaration of a name of which the entry at the beginning of `path` has the expressions."""
    return Mention(_place(name), ("@", *path[:2], str(name.span), name.text), "key", declares=True)


def _declares_part(path: Path, name: str, known: _Names) -> bool:
    """Return whether a key at `path` declares a parameter, or the steps of a row."""
    if len(path) == 4 and path[0] == "tables":
        return name in known.list_steps_columns(path[1])
    return (path[2:] == ("given",) and _is_played(path[0])) or path[4:] == ("steps", "given")


def _list_targets(node: MappingNode, shape: Record | MapOf, section: str, known: _Names) -> Iterator[Path]:
    """Yield the entries that an entry refers to with its own keys, such as the procedure of an example."""
    for name, entry in node.entries.items():
        inner = find_member(shape, name)
        if isinstance(entry.value, Scalar) and isinstance(inner, Leaf) and inner.format == "reference":
            reference = known.resolve_reference(entry.value.text, name, section)
            if reference is not None:
                yield reference


def _step(item: MappingNode, path: Path, known: _Names) -> Iterator[Mention]:
    """Yield the mentions in a step. Names in its mappings belong to the entries that it refers to."""
    # Steps are identified by their ids alone, however deeply they are nested.
    for word in ("id", "before", "after", "replace", "delete"):
        named = item.get(word)
        if isinstance(named, Scalar) and isinstance(named.value, str):
            own = (*_find_owner(path), named.text)
            yield Mention(_place(named), own, "key", declares=word in ("id", "replace"))
    before = known.owners, known.in_step
    # Keys of the statement, such as `who:`, are not parameters.
    named_here = [
        result
        for name, entry in item.entries.items()
        if isinstance(entry.value, Scalar)
        and (result := _leads_to(entry.value, find_member(step_shape(item), name), name, path[0], known)) is not None
    ]
    known.owners, known.in_step = tuple(named_here), True
    for name, entry in item.entries.items():
        if name not in POSITIONS and name != "id":
            yield from _walk(entry.value, find_member(step_shape(item), name), _find_owner(path), name, known)
    known.owners, known.in_step = before


def _find_owner(path: Path) -> Path:
    """Return the path by which the steps at `path` are known: a procedure, or a cell of a table."""
    return find_steps_path(path) if path[0] == "tables" else path[:2]


def _leads_to(node: Scalar, shape: Shape | None, key: str, section: str, known: _Names) -> Path | None:
    """Return the path that a step refers to under a key, or None if the key takes no reference or refers to nothing."""
    shape = choose_form(shape, node) if isinstance(shape, ByForm) else shape
    leads = isinstance(shape, Leaf) and shape.format == "reference"
    return known.resolve_reference(node.text, key, section) if leads else None


def _placeholders(node: Scalar, known: _Names) -> Iterator[Mention]:
    """Yield the mentions in the placeholders of a text: of entries, of those around a part, and of counted terms."""
    for part in parse_parts(node.text):
        if isinstance(part, Placeholder) and (path := known.resolve_placeholder(part.body)) is not None:
            name = path[-1]
            start = part.body.find(name)
            if path[0] == "terms":
                name, start = path[1], 0
            if start >= 0:
                yield Mention(node.position(part.start + start, len(name)), path, "words")
            if len(path) > 2 and path[1] != name and (at := part.body.find(path[1])) >= 0:
                yield Mention(node.position(part.start + at, len(path[1])), path[:2], "words")
            counted = part.body.rpartition(":")[2].split()
            if ":" in part.body and counted and counted[-1] in known.declared.terms:
                at = part.body.rindex(counted[-1])
                yield Mention(node.position(part.start + at, len(counted[-1])), ("terms", counted[-1]), "words")


def _reference(node: Scalar, key: str, path: Path, known: _Names) -> Iterator[Mention]:
    """Yield the mention of what a scalar names and, if that is a part of an entry, also that of the entry."""
    reference = known.resolve_reference(node.text.strip(), key, path[0])
    if reference is None:
        return
    name = reference[-1]
    start = node.text.rfind(name)
    under = f".{key}" if node.text.strip().startswith(f"{reference[0]}.") else key
    if start >= 0:
        sure = under != key or len(known.ids.get(reference[1], ())) == 1
        yield Mention(node.position(start, len(name)), reference, "reference", under=under, sure=sure)
    if len(reference) > 2 and (at := node.text.find(reference[1])) >= 0 and at != start:
        yield Mention(node.position(at, len(reference[1])), reference[:2], "reference")


_WORD = re.compile(r"[^\W\d]\w*")


def _type(node: Scalar, known: _Names) -> Iterator[Mention]:
    for word in _WORD.finditer(node.text):
        path = known.resolve_kind(word.group())
        if path is not None:
            yield Mention(node.position(word.start(), len(word.group())), path, "type")


def _place(scalar: Scalar) -> Span:
    """Return the range of the text of a scalar, without its quotes."""
    return scalar.position(0, len(scalar.text)) if scalar.raw and scalar.text else scalar.span


# -- mentions in expressions --------------------------------------------------------------


def _read(reading: ScalarReading, places: Mapping[str, Path], known: _Names) -> Iterator[Mention]:
    """Yield the mentions in an expression. `places` has the path of each declaration by its position."""
    for node, typed in reading.parts:
        for start, length, path in _find_name(node, typed, reading, places, known):
            if reading.scalar.text[start : start + length] == path[-1] or path[0] == "kinds" or path[0] == "@":
                yield Mention(reading.scalar.position(start, length), path, "expression")


def _find_name(
    node: Syntax, typed: t.Typed, reading: ScalarReading, places: Mapping[str, Path], known: _Names
) -> Iterator[tuple[int, int, Path]]:
    """Yield the names in a part of an expression: offset, length and path."""
    match node:
        case untyped_ast.Name(text=text):
            if (path := _path(typed, text, reading, places, known)) is not None:
                yield node.start, len(text), path
        case untyped_ast.Field(name=name):
            path = _path(typed, name, reading, places, known)
            if path is not None:
                yield node.name_start, len(name), path
            # The left side of a dot may be something other than a value, such as a table or a deck.
            named = isinstance(typed, (t.Constant, t.CardCount, t.DeckCards))
            head = node.base.text if named and isinstance(node.base, untyped_ast.Name) else ""
            if path is not None and path[0] in ("tables", "decks") and head == path[1]:
                yield node.base.start, len(head), path[:2]
        case untyped_ast.Index(base=untyped_ast.Name(text=text) as base) if text in known.declared.tables:
            if isinstance(typed.type, Row):
                yield base.start, len(text), ("tables", text)
        case untyped_ast.Call(function=function) | untyped_ast.Aggregate(function=function):
            if function in known.declared.formulas:
                yield node.start, len(function), ("formulas", function)
            elif function in known.declared.records:
                yield node.start, len(function), ("records", function)
            elif (path := _path(typed, function, reading, places, known)) and path[0] == "procedures":
                yield node.start, len(function), path


def _path(typed: t.Typed, text: str, reading: ScalarReading, places: Mapping[str, Path], known: _Names) -> Path | None:
    """Return the path that a name in an expression refers to, or None. For an undeclared local, it begins with "@"."""
    declared = known.declared
    match typed:
        case t.After(procedure=procedure) if procedure == text:
            return ("procedures", procedure)
        case t.Constant(type=Row(table=table), name=str(name)) if table in declared.tables and name != ROW_NAME:
            return ("tables", table, "rows", name)
        case t.Constant(name=str(name)) if name in declared.numbers and text == name:
            return ("numbers", name)
        case t.Constant(type=Listed(inner=Row(table=table))) if text == table:
            return ("tables", table)
        case t.Invoke(formula=formula):
            kind, dot, derived = formula.partition(".")
            return ("kinds", kind, "derived", derived) if dot else ("formulas", formula)
        case t.Cell(table=table, column=column) if column in declared.tables[table].columns:
            return ("tables", table, "columns", column)
        case t.Lookup(table=table):
            return ("tables", table)
        case t.Objects(kind=kind):
            return ("kinds", kind)
        case t.CardCount(deck=deck) | t.DeckCards(deck=deck):
            return ("decks", deck)
        case t.Stored(kind=owner, field=name) if owner == GAME_KIND:
            section, _, option = name.rpartition(".")
            return (section or "state", option)
        case t.Stored(kind=owner, field=name):
            return ("kinds", owner, "fields", name)
        case t.PartOf(base=base, part=part) if isinstance(base.type, RecordOf):
            return ("records", base.type.name, "parts", part)
        case t.Local(name=name):
            bound = reading.scope.locals.get(name.partition(".")[0])
            if bound is not None and "." not in name:
                own = ("@", "", "", str(bound.span), name)
                return places.get(own[3]) or places.get(f"{own[3]} {name}", own)
    return None
