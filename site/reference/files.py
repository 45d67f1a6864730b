"""The files of an edition: the manifest, and every section of a rules file."""

from __future__ import annotations

from reference._markdown import code, joined, table
from reference._shapes import keys, means, type_of
from rulewright.language.shape import POSITIONS, MapOf, Record, Shape
from rulewright.ruleset.schema.model import MANIFEST, rules_shape

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
[Concepts](../concepts.md#layers) tells how layers merge.
"""


def page() -> str:
    """The page."""
    sections = [
        joined(f"## {code(name + ':')}", member.shape.doc, _short(member.shape), _keys(_inside(member.shape)))
        for name, member in rules_shape().members.items()
    ]
    positions = ", ".join(code(f"{position}:") for position in POSITIONS)
    return joined(
        INTRODUCTION,
        joined("## `ruleset.yaml`", MANIFEST.doc, _keys(MANIFEST)),
        *sections,
        LAYERS.format(positions=positions),
    )


def _inside(shape: Shape) -> Shape:
    """What each entry of a section is."""
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
