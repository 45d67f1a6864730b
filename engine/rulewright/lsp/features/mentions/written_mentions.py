"""The mentions of names in the files of the rules, without those in expressions: in keys, references and texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from rulewright.language.schema_shapes import POSITIONS, ByForm, Leaf, ListOf, MapOf, Record, Shape, Steps
from rulewright.lsp.features.mentions.known_names import NameResolver, is_played, list_facts
from rulewright.lsp.features.mentions.mention import Mention, Path
from rulewright.ruleset.editions.edition import list_words_files
from rulewright.ruleset.layers.layer import Layer
from rulewright.ruleset.layers.value_origins import find_steps_path
from rulewright.ruleset.prose.placeholders import Placeholder, parse_parts
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.canonical_form import choose_form
from rulewright.ruleset.schema.model import MANIFEST, build_rules_shape, step_shape
from rulewright.ruleset.schema.schema_path import FACE, find_member
from rulewright.ruleset.schema.translation_schema import REVIEWED, build_step_words, build_words_shape
from rulewright.ruleset.section import load_sections
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Node, Scalar
from rulewright.source.nodes import Sequence as SequenceNode
from rulewright.source.span import Span
from rulewright.source.yaml.yaml_reader import read_file


def list_shaped_files(layer: Layer) -> list[tuple[MappingNode, Shape]]:
    """Return the files of a layer with their shapes."""
    return [(layer.manifest, MANIFEST), *((file, build_rules_shape()) for file in layer.files)]


def iterate_mentions(file: MappingNode, shape: Shape, names: NameResolver) -> Iterator[Mention]:
    """Yield the mentions in a file of this shape. Those of the form `noun` have no name yet: see `resolve_nouns`."""
    return _walk(file, shape, (), "", names)


def resolve_nouns(mentions: Iterable[Mention], named: Mapping[Path, Iterable[Path]]) -> Iterator[Mention]:
    """Yield mentions, and in place of each noun, a mention of every name in its procedure that it belongs to.

    `named` has the paths of all names as `group_by_procedure` returns them. A noun without a name is left out.
    """
    for mention in mentions:
        if mention.form != "noun":
            yield mention
        else:
            yield from (replace(mention, path=path) for path in named.get((*mention.path[:2], mention.path[-1]), ()))


def group_by_procedure(paths: Iterable[Path]) -> dict[Path, list[Path]]:
    """Return the paths of names by section, id and name, so that nouns can be resolved."""
    named: dict[Path, list[Path]] = {}
    for path in paths:
        owner = path[1:3] if path[0] == "@" else path[:2]
        named.setdefault((*owner, path[-1]), []).append(path)
    return named


def iterate_translated_mentions(ruleset: Ruleset) -> Iterator[Mention]:
    """Yield the mentions in the translations of every layer. Unreadable files are skipped."""
    names = NameResolver(list_facts(ruleset))
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


def _walk(node: Node, shape: Shape | None, path: Path, key: str, known: NameResolver) -> Iterator[Mention]:
    """Yield the mentions in a node of this shape. `path` is the position of the node, and `key` the key above it."""
    if isinstance(shape, ByForm):
        # Steps of an upper layer may only move or delete others, which a plain list could do as well.
        is_steps = shape.steps is not None and path[4:] in [(name,) for name in known.list_words("steps", path[1])]
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
            for section in ("tables", "decks"):
                if known.has(section, node.text):
                    yield Mention(_place(node), (section, node.text), "reference")
                    break


def _entries(node: MappingNode, shape: Record | MapOf, path: Path, known: NameResolver) -> Iterator[Mention]:
    """Yield the mentions in a mapping, in its keys and its values."""
    section = load_sections().get(path[0]) if path else None
    led_to = known.led_to
    if len(path) == 2:
        known.led_to = tuple(_list_targets(node, shape, path[0], known))
    for name, entry in node.entries.items():
        own = (*path, name)
        if shape is build_step_words():
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
        elif len(path) == 3 and path[2] == "options" and known.has("options", name):
            yield Mention(_place(entry.key), ("options", name), "key")
            if isinstance(entry.value, Scalar):
                yield Mention(_place(entry.value), ("options", name, "choices", entry.value.text), "key")
        elif known.in_step and isinstance(shape, MapOf) and entry.key.span not in known.read:
            symbol = known.resolve_argument(name)
            if symbol is not None:
                yield Mention(_place(entry.key), symbol, "key")
        elif isinstance(shape, MapOf) and shape.binds:
            yield _bind(entry.key, path)
        elif name in POSITIONS and isinstance(entry.value, Scalar) and name in ("before", "after") and len(path) > 1:
            yield Mention(_place(entry.value), (*path[:-1], entry.value.text), "key")
        inner = find_member(shape, name)
        yield from _walk(entry.value, inner, own, name, known)


def _bind(name: Scalar, path: Path) -> Mention:
    """Return the declaration of the name whose expressions are in the entry at the beginning of `path`."""
    return Mention(_place(name), ("@", *path[:2], str(name.span), name.text), "key", declares=True)


def _declares_part(path: Path, name: str, known: NameResolver) -> bool:
    """Return whether a key at `path` declares a parameter, or the steps of a row."""
    if len(path) == 4 and path[0] == "tables":
        return name in known.list_words("steps", path[1])
    return (path[2:] == ("given",) and is_played(path[0])) or path[4:] == ("steps", "given")


def _list_targets(node: MappingNode, shape: Record | MapOf, section: str, known: NameResolver) -> Iterator[Path]:
    """Yield the entries that an entry refers to with its own keys, such as the procedure of an example."""
    for name, entry in node.entries.items():
        inner = find_member(shape, name)
        if isinstance(entry.value, Scalar) and isinstance(inner, Leaf) and inner.format == "reference":
            reference = known.resolve_reference(entry.value.text, name, section)
            if reference is not None:
                yield reference


def _step(item: MappingNode, path: Path, known: NameResolver) -> Iterator[Mention]:
    """Yield the mentions in a step. NameResolver in its mappings belong to the entries that it refers to."""
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


def _leads_to(node: Scalar, shape: Shape | None, key: str, section: str, known: NameResolver) -> Path | None:
    """Return the path that a step refers to under a key, or None if the key takes no reference or refers to nothing."""
    shape = choose_form(shape, node) if isinstance(shape, ByForm) else shape
    leads = isinstance(shape, Leaf) and shape.format == "reference"
    return known.resolve_reference(node.text, key, section) if leads else None


def _placeholders(node: Scalar, known: NameResolver) -> Iterator[Mention]:
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
            if ":" in part.body and counted and known.has("terms", counted[-1]):
                at = part.body.rindex(counted[-1])
                yield Mention(node.position(part.start + at, len(counted[-1])), ("terms", counted[-1]), "words")


def _reference(node: Scalar, key: str, path: Path, known: NameResolver) -> Iterator[Mention]:
    """Yield the mention of what a scalar names and, if that is a part of an entry, also that of the entry."""
    written = node.text.strip()
    reference = known.resolve_reference(written, key, path[0])
    if reference is None:
        # A field of a kind that the entry refers to with another key, such as the discard pile of a deck.
        kinds = (each[1] for each in known.led_to if each[0] == "kinds" and known.has(*each))
        kind = next((each for each in kinds if written in known.list_words("kinds", each)), None)
        if kind is not None:
            yield Mention(_place(node), ("kinds", kind, "fields", written), "key")
        return
    name = reference[-1]
    start = node.text.rfind(name)
    under = f".{key}" if node.text.strip().startswith(f"{reference[0]}.") else key
    if start >= 0:
        sure = under != key or len(known.list_words("owners", reference[1])) == 1
        yield Mention(node.position(start, len(name)), reference, "reference", under=under, sure=sure)
    if len(reference) > 2 and (at := node.text.find(reference[1])) >= 0 and at != start:
        yield Mention(node.position(at, len(reference[1])), reference[:2], "reference")


_WORD = re.compile(r"[^\W\d]\w*")


def _type(node: Scalar, known: NameResolver) -> Iterator[Mention]:
    for word in _WORD.finditer(node.text):
        path = known.resolve_kind(word.group())
        if path is not None:
            yield Mention(node.position(word.start(), len(word.group())), path, "type")


def _place(scalar: Scalar) -> Span:
    """Return the range of the text of a scalar, without its quotes."""
    return scalar.position(0, len(scalar.text)) if scalar.raw and scalar.text else scalar.span
