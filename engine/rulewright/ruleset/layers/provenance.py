"""The origin of each value of a rule, for the command `why` and the book's list of sources."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rulewright.ruleset.layers.resolve_layers import ResolvedRules
from rulewright.ruleset.layers.value_origins import Origin, Path
from rulewright.source.nodes import Mapping, Node, Scalar


@dataclass(frozen=True, slots=True)
class Provenance:
    """A value and all changes to it, lowest layer first."""

    path: Path
    value: str
    origins: tuple[Origin, ...]


def trace_provenance(resolved: ResolvedRules, path: Path, node: Node) -> list[Provenance]:
    """Return the provenance of every value at and below `path`, `node` being the value there.

    Values that upper layers removed come last, with the text `(removed)`. A moved entry also has a line for its
    position.
    """
    provenance = list(_below(resolved, path, node))
    present = {each.path for each in provenance}
    for removed, origins in resolved.history.origins.items():
        inside = removed[: len(path)] == path and removed not in present
        if inside and origins[-1].operation == "removes":
            provenance.append(Provenance(removed, "(removed)", _name(resolved, origins)))
    return provenance


def trace_removed(resolved: ResolvedRules, identity: str) -> list[Provenance]:
    """Return the provenance of removed values by name. Empty if none matches.

    A path matches if it ends in the last part of `identity` and contains all other parts, such as `visit.check`, in
    any order.
    """
    *within, last = identity.split(".")
    return [
        Provenance(path, "(removed)", _name(resolved, origins))
        for path, origins in resolved.history.origins.items()
        if origins[-1].operation == "removes" and path[-1] == last and all(part in path[:-1] for part in within)
    ]


def _below(resolved: ResolvedRules, path: Path, node: Node) -> Iterator[Provenance]:
    """Yield the provenance of each value at and below `path`, and of the position of a moved one.

    A list is a single value, unless mappings are among its items.
    """
    moves = [origin for origin in resolved.history.find_origins(path) if origin.operation == "moves"]
    if moves:
        yield Provenance(path, "(its place)", _name(resolved, moves))
    if isinstance(node, Mapping) and node.entries:
        for key, entry in node.entries.items():
            yield from _below(resolved, (*path, key), entry.value)
    elif not isinstance(node, (Mapping, Scalar)) and any(isinstance(item, Mapping) for item in node.items):
        for place, item in enumerate(node.items, start=1):
            named = item.get("id") if isinstance(item, Mapping) else None
            key = named.text if isinstance(named, Scalar) else str(place)
            yield from _below(resolved, (*path, key), item)
    else:
        first = Origin(resolved.find_layer(node.span), "defines", node.span, node)
        yield Provenance(path, first.value, _name(resolved, list(resolved.history.find_origins(path))) or (first,))


def _name(resolved: ResolvedRules, origins: list[Origin]) -> tuple[Origin, ...]:
    """Return the origins, each with the name of its layer filled in."""
    return tuple(replace(o, layer=o.layer or resolved.find_layer(o.span)) for o in origins)
