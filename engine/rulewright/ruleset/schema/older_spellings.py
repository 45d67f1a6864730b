"""The version of the language, and keys as they were spelled in older versions.

A key that has been renamed declares its older names (`Member.formerly`). Rules in an older version are read with the
new names, and each older name gets a warning with the edits that rewrite it. Digests use the oldest name of a key, so
that a new name leaves them unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from rulewright.base.incremental.latest_results import keep_latest
from rulewright.language.schema_shapes import ByForm, ListOf, MapOf, Record, Shape
from rulewright.language.statement import load_statements
from rulewright.ruleset.schema.model import StepShape, step_shape
from rulewright.ruleset.schema.schema_path import ShapedNode, find_older_names
from rulewright.ruleset.schema.validator import Kind, get_shape
from rulewright.source.diagnostics.diagnostic import Code, Diagnostic, Edit
from rulewright.source.nodes import Entry, Mapping, Node, Scalar
from rulewright.source.nodes import Sequence as SequenceNode

LANGUAGE = 1
"""The version of the language that this program reads. A manifest without `language` has version 0."""

OLDER_SPELLING = Code(
    "older-spelling",
    "A key with a name of an older version of the language",
    "Older names are read only in editions whose manifest does not say `language: 1`.",
    "Let `rulewright check --fix` rewrite it.",
    severity="warning",
)
NEWER_LANGUAGE = Code(
    "newer-language",
    "An edition in a newer version of the language",
    "A newer version may have keys that this program does not know, or may read a key differently.",
    "Install a newer version of Rulewright.",
)


@dataclass(frozen=True, slots=True)
class OlderKey:
    """A key with an older name, as written, and its new name."""

    key: Scalar
    name: str


def read_language(manifest: Node) -> int:
    """Return the version of the language in a manifest, or 0 if it has none that can be read."""
    written = manifest.get("language") if isinstance(manifest, Mapping) else None
    value = written.value if isinstance(written, Scalar) else None
    return value if isinstance(value, int) else 0


def check_language(manifest: Node) -> Iterator[Diagnostic]:
    """Yield an error if a manifest has a version of the language that this program does not know."""
    written = manifest.get("language") if isinstance(manifest, Mapping) else None
    if isinstance(written, Scalar) and read_language(manifest) not in range(LANGUAGE + 1):
        message = f"this program reads version {LANGUAGE} of the language, but the edition has version {written.text}"
        yield Diagnostic(NEWER_LANGUAGE, message, written.span)


@keep_latest(lambda node, kind: (node.span.file, kind))
def rename_older_keys(node: Mapping, kind: Kind) -> tuple[Mapping, tuple[OlderKey, ...]]:
    """Return a file of that kind with the new names of all keys, and the keys that had an older name, in order.

    A key stays as it is if its new name is already there. Spans stay those of the source. Returns `node` itself if it
    has no older names. Cached, so that a file has the same node in every edition that reads it.
    """
    if not _has_any(node, _older_names(kind)):
        return node, ()
    keys: list[OlderKey] = []
    renamed = _rename(ShapedNode(node, get_shape(kind)), keys)
    return (renamed, tuple(keys)) if keys and isinstance(renamed, Mapping) else (node, ())


def report_older_keys(keys: Sequence[OlderKey]) -> Iterator[Diagnostic]:
    """Yield a warning for each older name in a file, at its first use, with the edits that rewrite all of its uses."""
    uses: dict[tuple[str, str], list[Scalar]] = {}
    for each in keys:
        uses.setdefault((each.key.text, each.name), []).append(each.key)
    for (older, name), written in uses.items():
        times = f" ({len(written)} times in this file)" if len(written) > 1 else ""
        message = f"`{older}` is now written `{name}`{times}"
        edits = tuple(Edit(key.span, name) for key in written)
        yield Diagnostic(OLDER_SPELLING, message, written[0].span, suggestion=f"write `{name}`", edits=edits)


@cache
def _older_names(kind: Kind) -> frozenset[str]:
    """Return all older names of keys in files of that kind, at any position."""
    names: set[str] = set()
    seen: set[int] = set()
    waiting: list[Shape] = [get_shape(kind)]
    if kind == "rules":
        waiting.append(step_shape())
        waiting += [member.shape for statement in load_statements().values() for member in statement.keys.values()]
    while waiting:
        shape = waiting.pop()
        if id(shape) in seen:
            continue
        seen.add(id(shape))
        names.update(find_older_names(shape))
        match shape:
            case Record():
                waiting += [member.shape for member in shape.members.values()]
            case MapOf(inner=inner) | ListOf(inner=inner):
                waiting.append(inner)
            case ByForm():
                waiting += shape.forms
    return frozenset(names)


def _has_any(node: Node, names: frozenset[str]) -> bool:
    """Return whether any mapping in a node has one of these keys."""
    match node:
        case Mapping(entries=entries):
            return not names.isdisjoint(entries) or any(_has_any(entry.value, names) for entry in entries.values())
        case SequenceNode(items=items):
            return any(_has_any(item, names) for item in items)
    return False


def _rename(place: ShapedNode, keys: list[OlderKey]) -> Node:
    """Return a copy of a node with the new names of keys, and append the keys with an older name to `keys`."""
    node = place.node
    if isinstance(node, SequenceNode):
        items = tuple(_rename(place.descend(number), keys) for number in range(len(node.items)))
        return SequenceNode(items, node.span)
    if not isinstance(node, Mapping):
        return node
    older = find_older_names(place.shape)
    entries: dict[str, Entry] = {}
    for key, entry in node.entries.items():
        name = older.get(key, key)
        if name != key and name not in node.entries:
            keys.append(OlderKey(entry.key, name))
            entry = Entry(replace(entry.key, text=name, value=name, raw=name), entry.value)
            key = name
        entries[key] = entry
    renamed = Mapping(entries, node.span)
    # The statement of a step is known only by its new name.
    shape = step_shape(renamed) if isinstance(place.shape, StepShape) else place.shape
    inside = ShapedNode(renamed, shape, place.key, place.in_list)
    return Mapping(
        {key: Entry(entry.key, _rename(inside.descend(key), keys)) for key, entry in entries.items()}, node.span
    )
