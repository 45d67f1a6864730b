"""The files of an edition: the manifest, and every section of a rules file."""

from __future__ import annotations

from collections.abc import Iterator

from reference._markdown import code, joined, table
from rulewright.language.schema_shapes import POSITIONS, ByForm, Leaf, ListOf, MapOf, Member, Record, Shape, Steps
from rulewright.ruleset.schema.model import MANIFEST, build_rules_shape

INTRODUCTION = """\
# Files

This reference is for designers. It lists every key of rules files. An edition is a folder. Its manifest,
`ruleset.yaml`, contains its name and the edition that it extends. All other `.yaml` files in the folder and its
subfolders contain sections, in any order.

| in the tables | means |
|---|---|
| *words* | text for readers, with placeholders such as `{term}` ([Write text with placeholders](../design/text.md)) |
| *expression* | a calculation ([Expressions](expressions.md)) |
| *dice* | a roll ([Dice](dice.md)) |
| *steps* | steps of a procedure ([Steps](steps.md)) |
| *id* | lower-case letters, digits and underscores |
| ‹id› | an id that you choose |
| \\* | a required key |
| `a.b` | the key `b` inside the mapping `a` |
"""

LAYERS = """\
## In an edition that extends another

Write only the differences, with the same keys. An entry of a mapping or a step may also have one of {positions}. These
keys set its position, replace an inherited entry, or delete it. `{{id: this, after: that}}` alone moves an
inherited step. In a list of texts or names, `{{id: this, after: that}}` adds or moves an entry, and `{{id: this}}`
adds it at the end. `{{replace: that, id: this}}` replaces an entry, and `{{delete: that}}` deletes it.
[Layer house rules](../design/layers.md#know-how-layers-merge) shows how layers merge.
"""


def page() -> str:
    """Return the page."""
    sections = [
        joined(f"## {code(name + ':')}", member.shape.doc, _short(member.shape), _keys(_inside(member.shape)))
        for name, member in build_rules_shape().members.items()
    ]
    positions = ", ".join(code(f"{position}:") for position in POSITIONS)
    return joined(
        INTRODUCTION,
        joined("## `ruleset.yaml`", MANIFEST.doc, _keys(MANIFEST)),
        *sections,
        LAYERS.format(positions=positions),
    )


def _inside(shape: Shape) -> Shape:
    """Return what each entry of a section is."""
    return shape.inner if isinstance(shape, MapOf) else shape


def _short(shape: Shape) -> str:
    inner = _inside(shape)
    entry = f"Each entry: {inner.doc[:1].lower()}{inner.doc[1:]}" if inner.doc else ""
    if isinstance(inner, Record) and inner.short:
        return f"{entry} `‹id›: …` alone is short for `‹id›: {{{inner.short}: …}}`."
    return entry


def _keys(shape: Shape) -> str:
    rows = [(code(path) + ("\\*" if must else ""), type_of(inner), means(inner)) for path, inner, must in keys(shape)]
    return table(("key", "value", "meaning"), rows) if rows else ""


def keys(shape: Shape, path: str = "") -> Iterator[tuple[str, Shape, bool]]:
    """Yield every key below `shape`, with what stands there and whether it must."""
    match shape:
        case Record():
            for key, member in shape.members.items():
                yield from _member(f"{path}{f'‹{shape.others}›' if key == '*' else key}", member)
        case MapOf() if isinstance(shape.inner, Record):
            yield from keys(shape.inner, f"{path}‹id›.")
        case ByForm(mapping=Shape() as mapping):
            yield from keys(mapping, path)


def _member(path: str, member: Member) -> Iterator[tuple[str, Shape, bool]]:
    yield path, member.shape, member.required
    yield from keys(member.shape, f"{path}.")


def type_of(shape: Shape) -> str:
    """Return what stands there, in a word or two."""
    match shape:
        case Leaf(values=values) if values:
            return " or ".join(map(code, values))
        case Leaf(format=name):
            return {"flag": "`true` or `false`", "integer": "number", "name": "id", "label": "words"}.get(name, name)
        case Steps():
            return "steps"
        case ListOf():
            return f"list of {_plain(shape.inner)}"
        case MapOf():
            return f"‹id›: {_plain(shape.inner)}"
        case ByForm():
            forms = [form for form in (shape.scalar, shape.sequence, shape.mapping) if form is not None]
            return " or ".join(dict.fromkeys(map(type_of, forms)))
        case Record():
            return "mapping"
    return "anything"


def _plain(shape: Shape) -> str:
    return "mapping" if isinstance(shape, Record) else type_of(shape)


def means(shape: Shape) -> str:
    """Return what the key is for, and its short form."""
    if isinstance(shape, Record) and shape.short:
        return f"{shape.doc} Short for `{{{shape.short}: …}}` where it is not a mapping."
    return shape.doc
