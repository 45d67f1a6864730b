"""An edition states what differs: how much of each repeats core or another edition."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

EDITIONS = ("core", "normal-0.1", "normal-0.2", "normal-1.0", "medium-0.1")
MOST = 0.25


def leaves(node: object, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every value with the keys that lead to it; an entry of a list is led to by its `id`, or by the step it names."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield from leaves(value, (*path, str(key)))
    elif isinstance(node, list) and any(isinstance(item, dict) for item in node):
        for item in node:
            name = next((str(item[key]) for key in ("id", "replace", "remove") if key in item), "")
            yield from leaves(item, (*path, name))
    else:
        yield path, str(node)


def stated(folder: Path) -> set[tuple[tuple[str, ...], str]]:
    """What an edition's own files say, its manifest left out; the `id` of a step is a place and says nothing."""
    files = [file for file in folder.rglob("*.yaml") if file.name != "ruleset.yaml"]
    found = {leaf for file in files for leaf in leaves(yaml.safe_load(file.read_text()), ())}
    return {(path, value) for path, value in found if path[-1] != "id"}


@pytest.mark.parametrize("edition", [name for name in EDITIONS if name != "core"])
def test_at_most_a_quarter_repeats_another_edition(checkout: Path, edition: str) -> None:
    game = checkout / "rules" / "fuzzy-knights"
    own = stated(game / edition)
    others = set[tuple[tuple[str, ...], str]]().union(*(stated(game / other) for other in EDITIONS if other != edition))
    repeated = sorted(own & others)
    assert len(repeated) <= MOST * len(own), "\n".join(f"{'.'.join(path)}: {value}" for path, value in repeated)
