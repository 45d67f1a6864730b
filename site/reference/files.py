"""The files of an edition: the manifest, and every section of a rules file."""

from __future__ import annotations

from collections.abc import Iterator

from reference._markdown import code, joined, table
from rulewright.language.schema_shapes import POSITIONS, ByForm, Leaf, ListOf, MapOf, Member, Record, Shape, Steps
from rulewright.ruleset.schema.model import MANIFEST, build_rules_shape

INTRODUCTION = """\
# Files

An edition is a folder. Its manifest, `ruleset.yaml`, says what it is called and what it extends. Every other `.yaml`
file of the folder, in folders inside it too, holds any of the sections below; how you share them out is up to you.

In the tables, *words* are text for readers and may hold placeholders such as `{term}`; an *expression* is worked out
([Expressions](expressions.md)); *dice* are a roll ([Dice](dice.md)); *steps* are what a procedure does
([Steps](steps.md)); an *id* is lower case letters, figures and underscores. A key marked with a star must be there.
A dot leads from a mapping to a key inside it, and ‹id› stands for an id of your own.
"""

LAYERS = """\
## In an edition that extends another

You write only what differs, by the same keys. An entry of a mapping and a step of a list may also carry one of
{positions}: where it goes, that it takes the place of what is there, or that it goes away. `{{id: this, after: that}}`
alone moves a step that is there. In a list of words or names the same keys say what changes:
`{{id: this, after: that}}` adds or moves an entry, `{{id: this}}` adds it to the end, `{{replace: that, id: this}}` and
`{{delete: that}}` do as they say.
[Concepts](../explanation/layers.md#layers) tells how layers merge.
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
    return table(("key", "holds", "means"), rows) if rows else ""


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
