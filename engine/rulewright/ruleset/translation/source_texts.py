"""All texts of a ruleset that a translation needs, including titles that English derives from ids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.language.schema_shapes import ByForm, Leaf, ListOf, MapOf, Record, Shape
from rulewright.language.types import TEXT
from rulewright.ruleset.elaborate.node_readers import iterate_entries, make_title
from rulewright.ruleset.elaborate.placement_rows import NOUNS
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.translation_schema import EDITION, OPTIONS, build_step_words, build_words_shape
from rulewright.ruleset.section import ID, load_sections
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Node, Scalar, Sequence
from rulewright.source.span import Span

Path = tuple[str, ...]
"""The path of a text: `("tables", "prices", "rows", "wood", "title")`."""


def list_source_texts(ruleset: Ruleset) -> Mapping[Path, str]:
    """Return every text by path, in the order of the rules. The lines of a list are joined to one text. Cached."""
    return ruleset.get_or_make(_originals)


def _originals(ruleset: Ruleset) -> dict[Path, str]:
    """Return every text by path, in the order of the rules, also those that English derives from ids. Not cached."""
    shape = build_words_shape()
    result = dict(iterate_texts(ruleset.resolved.manifest, shape.members[EDITION].shape, (EDITION,)))
    implied: dict[Path, dict[Path, str]] = {}
    for path, text in _list_implied(ruleset):
        implied.setdefault(path[:2], {})[path] = text
    for key, section in ruleset.resolved.rules.entries.items():
        inner = shape.members[key].shape if key in shape.members else None
        for identity, entry in iterate_entries(section.value) if isinstance(inner, MapOf) else ():
            assert isinstance(inner, MapOf)
            own = implied.get((key, identity), {})
            result |= {path: text for path, text in own.items() if len(path) == 3}
            result |= {path: text for path, text in iterate_texts(entry.value, inner.inner, (key, identity)) if text}
            result |= {path: text for path, text in own.items() if path not in result}
    return result


def list_source_spans(ruleset: Ruleset) -> dict[Path, Span]:
    """Return where each text is written, and where each entry begins. Texts that English derives from ids are missing.

    Not cached.
    """
    shape = build_words_shape()
    manifest = ruleset.resolved.manifest
    spans: dict[Path, Span] = {(EDITION,): manifest.span}
    places: list[tuple[Node, Shape, Path]] = [(manifest, shape.members[EDITION].shape, (EDITION,))]
    for key, section in ruleset.resolved.rules.entries.items():
        inner = shape.members[key].shape if key in shape.members else None
        for identity, entry in iterate_entries(section.value) if isinstance(inner, MapOf) else ():
            assert isinstance(inner, MapOf)
            spans[key, identity] = entry.key.span
            places.append((entry.value, inner.inner, (key, identity)))
    for node, entry_shape, path in places:
        spans |= {place: lines[0].span for place, lines in iterate_leaves(node, entry_shape, path) if lines}
    return spans


def iterate_texts(node: Node, shape: Shape, path: Path) -> Iterator[tuple[Path, str]]:
    """Yield the path and text of each leaf below a node of that schema."""
    for place, text in iterate_leaves(node, shape, path):
        yield place, "\n".join(item.text.strip() for item in text)


def iterate_leaves(node: Node, shape: Shape, path: Path) -> Iterator[tuple[Path, tuple[Scalar, ...]]]:
    """Yield the path and nodes of each text below `node`: one scalar, or the scalars of a list.

    `path` is the path of `node`, with which all paths begin. Parts that do not fit `shape` are skipped.
    """
    if shape is build_step_words() and isinstance(node, Sequence):
        for step in iterate_steps(node):
            yield from _iterate_step(step, path)
        return
    match shape, node:
        case ByForm(scalar=Shape() as scalar), Scalar():
            yield from iterate_leaves(node, scalar, path)
        case ByForm(mapping=Shape() as mapping), MappingNode():
            yield from iterate_leaves(node, mapping, path)
        case Leaf(), Scalar():
            yield path, (node,)
        case ListOf(), Sequence():
            yield path, tuple(item for item in node.items if isinstance(item, Scalar))
        case Record(members=members), MappingNode():
            for key, entry in node.entries.items():
                if key in members:
                    yield from iterate_leaves(entry.value, members[key].shape, (*path, key))
        case MapOf(inner=inner), MappingNode():
            for key, entry in node.entries.items():
                yield from iterate_leaves(entry.value, inner, (*path, key))


def iterate_steps(node: Node) -> Iterator[MappingNode]:
    """Yield every step in a list of steps, however deeply it is nested, in the order written."""
    match node:
        case Sequence(items=items):
            for item in items:
                yield from iterate_steps(item)
        case MappingNode(entries=entries):
            if isinstance(entries["id"].value if "id" in entries else None, Scalar):
                yield node
            for entry in entries.values():
                yield from iterate_steps(entry.value)


def find_options(step: MappingNode) -> MappingNode | None:
    """Return the options of a step that offers some with labels, or None."""
    choice = step.get("choose")
    offered = choice.get("from") if isinstance(choice, MappingNode) else None
    return offered if isinstance(offered, MappingNode) else None


def _iterate_step(step: MappingNode, path: Path) -> Iterator[tuple[Path, tuple[Scalar, ...]]]:
    identity = step.entries["id"].value
    assert isinstance(identity, Scalar)
    inner = build_step_words().inner
    assert isinstance(inner, Record)
    for key in inner.members:
        text = step.get(key)
        if isinstance(text, Scalar):
            yield (*path, identity.text, key), (text,)
    offered = find_options(step)
    for option, entry in offered.entries.items() if offered is not None else ():
        label = entry.value.get("label") if isinstance(entry.value, MappingNode) else None
        if isinstance(label, Scalar):
            yield (*path, identity.text, OPTIONS, option), (label,)


def _list_implied(ruleset: Ruleset) -> Iterator[tuple[Path, str]]:
    """Yield the path and text of each text that English derives from an id if the rules do not have it.

    Other languages cannot do that. The plurals of all terms are included, even if the rules have them, and the labels
    for choosing nothing that statements bring.
    """
    shape = build_words_shape()
    for key, section in load_sections().items():
        inner = shape.members[key].shape if key in shape.members else None
        entry_shape = inner.inner if isinstance(inner, MapOf) else None
        if section.heading in ("", ID) or not isinstance(entry_shape, Record):
            continue
        if section.heading in entry_shape.members:
            for identity, entry in iterate_entries(ruleset.resolved.rules.get(key)):
                if not isinstance(entry.value, MappingNode) or section.heading not in entry.value:
                    yield (key, identity, section.heading), make_title(identity)
    labels = {step.rule: step.words["none"] for step in ruleset.steps.values() if "none" in step.words}
    for identity, entry in iterate_entries(ruleset.resolved.rules.get("procedures") if labels else None):
        for node in iterate_steps(entry.value):
            step = str(node.entries["id"].value.to_plain())
            if (label := labels.get(f"{identity}.{step}")) is not None:
                yield ("procedures", identity, "steps", step, "none"), label
    terms = ruleset.declarations.terms.values()
    for term in terms:
        yield ("terms", term.id, "plural"), term.plural
    named = {term.id for term in terms} | {term.plural.casefold().replace(" ", "_") for term in terms}
    for table in ruleset.declarations.tables.values():
        if table.has_places:
            continue  # the generated spaces of a board have no titles to translate
        written = dict(iterate_entries(ruleset.resolved.rules.get("tables")))[table.id].value
        rows = written.get("rows") if isinstance(written, MappingNode) else None
        heads = {
            name for name, _ in iterate_entries(written.get("headings") if isinstance(written, MappingNode) else None)
        }
        # Nothing shows the computed columns of placements.
        computed = NOUNS if table.placements is not None else {}
        for column in table.columns:
            if column not in named and column not in heads and column not in computed:
                yield ("tables", table.id, "headings", column), make_title(column)
        for identity, entry in iterate_entries(rows):
            if not isinstance(entry.value, MappingNode) or "title" not in entry.value:
                yield ("tables", table.id, "rows", identity, "title"), make_title(identity)


def is_sayable(ruleset: Ruleset, table: str) -> bool:
    """Return whether everything in a table can be translated. Cells with text, expressions or steps cannot."""
    declared = ruleset.declarations.tables[table]
    return TEXT not in declared.columns.values() and not declared.steps and not declared.formulas
