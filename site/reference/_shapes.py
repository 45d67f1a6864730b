"""Shapes of the model, told in words."""

from __future__ import annotations

from collections.abc import Iterator

from reference._markdown import code
from rulewright.language.shape import ByForm, Leaf, ListOf, MapOf, Member, Record, Shape, Steps


def keys(shape: Shape, path: str = "") -> Iterator[tuple[str, Shape, bool]]:
    """Every key below `shape`, with what stands there and whether it must."""
    match shape:
        case Record():
            for key, member in shape.members.items():
                yield from _member(f"{path}{'‹column›' if key == '*' else key}", member)
        case MapOf() if isinstance(shape.inner, Record):
            yield from keys(shape.inner, f"{path}‹id›.")
        case ByForm(mapping=Shape() as mapping):
            yield from keys(mapping, path)


def _member(path: str, member: Member) -> Iterator[tuple[str, Shape, bool]]:
    yield path, member.shape, member.required
    yield from keys(member.shape, f"{path}.")


def type_of(shape: Shape) -> str:
    """What stands there, in a word or two."""
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
    """What the key is for, and its short form."""
    if isinstance(shape, Record) and shape.short:
        return f"{shape.doc} Short for `{{{shape.short}: …}}` where it is not a mapping."
    return shape.doc
