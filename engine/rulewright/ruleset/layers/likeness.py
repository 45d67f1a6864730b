"""Entries that an upper layer adds, and most likely meant to change: their names are near to inherited ones."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.language.codes import UNKNOWN_ROW
from rulewright.ruleset.codes import MISSING_CELL, OVERRIDE_OF_NOTHING, UNKNOWN_COLUMN
from rulewright.ruleset.layers.history import Path
from rulewright.ruleset.layers.resolved import Resolved
from rulewright.ruleset.schema.codes import MISSING_KEY
from rulewright.source.diagnostics.collected import Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic, Edit, Related
from rulewright.source.diagnostics.suggest import Meant, did_you_mean
from rulewright.source.nodes import Entry, Mapping

INCOMPLETE = (MISSING_CELL, MISSING_KEY, OVERRIDE_OF_NOTHING, UNKNOWN_COLUMN)
"""What is said of something new that was written as a change of something old."""


def point_at_likenesses(diagnostics: Diagnostics, resolved: Resolved) -> None:
    """Say once of an entry that is new, not complete, and called nearly as an inherited one that its name is wrong."""
    if not any(each.code in INCOMPLETE for each in diagnostics):
        return
    found = list(diagnostics)
    for path, entry in _added(resolved):
        at = entry.key.span.to(entry.value.span)
        within = [each for each in found if each.code in INCOMPLETE and at.holds(each.span)]
        inherited = _inherited(resolved, path)
        hint = did_you_mean(path[-1], inherited) if within else None
        if not isinstance(hint, Meant):
            continue
        meant = hint.names[0]
        follows = [each for each in found if each.code is UNKNOWN_ROW and f"`{path[-1]}`" in each.message]
        place = found.index(within[0])
        found[place] = Diagnostic(
            OVERRIDE_OF_NOTHING,
            f"there is no `{path[-1]}` below to change, and as something new it is not complete",
            entry.key.span,
            (Related(inherited[meant].key.span, f"`{meant}` is inherited from here"),),
            f"{hint} Or, if it is to be new: {within[0].message}",
            (Edit(entry.key.span, meant),) if len(hint.names) == 1 else (),
        )
        gone = [*within[1:], *follows]
        found = [each for each in found if not any(each is other for other in gone)]
    diagnostics.replace(found)


def below(resolved: Resolved, section: str, name: str) -> str | None:
    """The inherited name that was meant by the name of something that an upper layer adds."""
    if not any(origin.operation == "adds" for origin in resolved.history.of((section, name))):
        return None
    return did_you_mean(name, _inherited(resolved, (section, name)))


def _added(resolved: Resolved) -> Iterator[tuple[Path, Entry]]:
    for path, origins in resolved.history.origins.items():
        if len(path) > 1 and origins[-1].operation == "adds":
            entry = _entry(resolved.rules, path)
            if entry is not None:
                yield path, entry


def _entry(rules: Mapping, path: Path) -> Entry | None:
    node = rules
    for key in path[:-1]:
        entry = node.entries.get(key)
        if entry is None or not isinstance(entry.value, Mapping):
            return None
        node = entry.value
    return node.entries.get(path[-1])


def _inherited(resolved: Resolved, path: Path) -> dict[str, Entry]:
    """The entries beside the one at `path` that the layers below its own have."""
    beside = _entry(resolved.rules, path[:-1])
    entries = beside.value.entries if beside is not None and isinstance(beside.value, Mapping) else {}
    own = resolved.history.of(path)[-1].layer
    return {
        key: entry for key, entry in entries.items() if key != path[-1] and not _adds(resolved, (*path[:-1], key), own)
    }


def _adds(resolved: Resolved, path: Path, layer: str) -> bool:
    return any(origin.operation == "adds" and origin.layer == layer for origin in resolved.history.of(path))
