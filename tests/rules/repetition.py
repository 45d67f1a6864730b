"""How much of an edition's files repeats core or another edition."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import yaml

EDITIONS = ("core", "normal-0.1", "normal-0.2", "normal-1.0", "medium-0.1")

Leaf = tuple[tuple[str, ...], str]


def leaves(node: object, path: tuple[str, ...]) -> Iterator[Leaf]:
    """Every value with the keys that lead to it; an entry of a list is led to by its `id`, or by the step it names."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield from leaves(value, (*path, str(key)))
    elif isinstance(node, list) and any(isinstance(item, dict) for item in node):
        for item in node:
            name = next((str(item[key]) for key in ("id", "replace", "delete") if key in item), "")
            yield from leaves(item, (*path, name))
    else:
        yield path, str(node)


def stated(folder: Path) -> set[Leaf]:
    """Return what an edition's own files say, its manifest left out; the `id` of a step is a place and says nothing."""
    files = [file for file in folder.rglob("*.yaml") if file.name != "ruleset.yaml"]
    text = {leaf for file in files for leaf in leaves(yaml.safe_load(file.read_text()), ())}
    return {(path, value) for path, value in text if path[-1] != "id"}


def repetition(game: Path, edition: str) -> tuple[set[Leaf], set[Leaf]]:
    """Return what an edition states, and what of that core or another edition of the game states as well."""
    own = stated(game / edition)
    others = set[Leaf]().union(*(stated(game / other) for other in EDITIONS if other != edition))
    return own, own & others
