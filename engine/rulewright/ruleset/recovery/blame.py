"""Attribute errors to the layer that caused them by removing something, or by misspelling an inherited name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from rulewright.language.language_diagnostics import UNKNOWN_NAME, UNKNOWN_PROCEDURE, UNKNOWN_ROW, UNKNOWN_TYPE
from rulewright.ruleset.layers.layer import ResolvedRules
from rulewright.ruleset.layers.value_origins import Origin, Path
from rulewright.ruleset.prose_diagnostics import UNKNOWN_PLACEHOLDER, UNKNOWN_RULE
from rulewright.ruleset.ruleset_diagnostics import (
    BAD_DEFAULT,
    MISSING_CELL,
    OVERRIDE_OF_NOTHING,
    STILL_NEEDED,
    UNKNOWN_COLUMN,
    UNKNOWN_REFERENCE,
)
from rulewright.ruleset.schema.schema_diagnostics import MISSING_KEY
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic, Edit, RelatedSpan
from rulewright.source.diagnostics.suggestions import Suggestion, suggest_name
from rulewright.source.nodes import Entry, Mapping, Node, Scalar
from rulewright.source.nodes import Sequence as SequenceNode
from rulewright.source.source_map import SOURCES
from rulewright.source.span import Span

_LEADS_NOWHERE = (
    UNKNOWN_NAME,
    UNKNOWN_PLACEHOLDER,
    UNKNOWN_PROCEDURE,
    UNKNOWN_REFERENCE,
    UNKNOWN_ROW,
    UNKNOWN_RULE,
    UNKNOWN_TYPE,
    BAD_DEFAULT,
)
MOST_RELATED = 8
"""The maximum number of related positions in a diagnostic."""

_NAME = re.compile(r"\w+")


def point_at_removals(diagnostics: Diagnostics, resolved: ResolvedRules) -> frozenset[str]:
    """Add to each diagnostic about an unknown name the position at which a layer removed it, and return these names.

    Changes `diagnostics` in place. Such a diagnostic is in a lower layer, but the fix belongs in the layer that
    removed the name. A name that is missing in several positions gets one diagnostic at its removal. Empty if no such
    name was removed.
    """
    origins = resolved.history.origins
    removals = {path[-1]: result[-1] for path, result in origins.items() if result[-1].operation == "removes"}
    missed = (
        frozenset(name for each in diagnostics for name in _removed_names(each, removals)) if removals else frozenset()
    )
    if missed:
        diagnostics.replace(_report_once(list(diagnostics), removals, resolved.rules))
    return missed


def _report_once(diagnostics: list[Diagnostic], removals: dict[str, Origin], rules: Mapping) -> Iterator[Diagnostic]:
    """Yield the diagnostics, with those about removed names changed.

    A removed name that is needed in one position is reported there, and in several positions, once at its removal.
    `removals` has the removal of each name.
    """
    missed: dict[tuple[str, ...], list[Diagnostic]] = {}
    for each in diagnostics:
        missed.setdefault(_removed_names(each, removals), []).append(each)
    reported: set[tuple[str, ...]] = set()
    for each in diagnostics:
        named = _removed_names(each, removals)
        if not named or len({other.span for other in missed[named]}) == 1:
            yield _add_blame(each, removals, rules)
        elif named not in reported:
            reported.add(named)
            yield _report_still_needed(named[0], removals[named[0]], missed[named], rules)


def _report_still_needed(name: str, removal: Origin, missed: list[Diagnostic], rules: Mapping) -> Diagnostic:
    """Return the diagnostic at the removal of a name, in place of those at the positions that need it."""
    places = list(dict.fromkeys(each.span for each in missed))
    message = f"`{name}` is deleted, but still needed in {len(places)} places"
    notes = tuple(RelatedSpan(span, _label_use(_path_to(rules, span) or ())) for span in places[:MOST_RELATED])
    suggestion = f"replace it in these places in a file of `{removal.layer}`, or keep `{name}`"
    return Diagnostic(STILL_NEEDED, message, removal.span, notes, suggestion)


def _label_use(path: Path) -> str:
    """Return the label of a position that needs a removed name."""
    text = f"it is needed at `{'.'.join(path)}`" if path else "it is needed here"
    if path[:1] == ("examples",):
        text += f"; or delete the example with `examples: {{{path[1]}: {{delete: true}}}}`"
    return text


def _removed_names(diagnostic: Diagnostic, removals: dict[str, Origin]) -> tuple[str, ...]:
    if diagnostic.code not in _LEADS_NOWHERE:
        return ()
    return tuple(dict.fromkeys(name for name in _find_written(diagnostic.span) if name in removals))


def _find_written(span: Span) -> list[str]:
    """Return the names in the source text of a span."""
    lines = [SOURCES.find_line(span.file, number) or "" for number in range(span.line, span.end_line + 1)]
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return [name for line in lines for name in _NAME.findall(line)]


def _add_blame(diagnostic: Diagnostic, removals: dict[str, Origin], rules: Mapping) -> Diagnostic:
    """Return the diagnostic with the removals of the names that it is about. Itself if it is about none."""
    named = _removed_names(diagnostic, removals)
    notes = tuple(RelatedSpan(removals[name].span, f"`{removals[name].layer}` removes `{name}` here") for name in named)
    if not notes:
        return diagnostic
    advice = _advice(named[0], removals[named[0]].layer, _path_to(rules, diagnostic.span) or ())
    return replace(diagnostic, related=(*diagnostic.related, *notes), suggestion=advice, edits=())


def _advice(name: str, layer: str, path: Path) -> str:
    """Return the advice for a position that needs a removed name.

    For a value of an example, it may be deleted as well.
    """
    at = f" at `{'.'.join(path)}`" if path else ""
    advice = f"replace it{at} in a file of `{layer}`"
    if path[:1] == ("examples",):
        advice += f", delete the example with `examples: {{{path[1]}: {{delete: true}}}}`"
    return f"{advice}, or keep `{name}`"


def _path_to(node: Node, span: Span) -> Path | None:
    """Return the path of the value that contains `span`, or None if none does.

    Steps and other items are given by their `id`. A list of plain values counts as one value, since layers replace it
    as a whole.
    """
    if isinstance(node, Scalar):
        return () if node.span.contains(span) else None
    if isinstance(node, Mapping):
        for key, entry in node.entries.items():
            inner = () if entry.key.span.contains(span) else _path_to(entry.value, span)
            if inner is not None:
                return (key, *inner)
        return None
    return next((result for item in node.items if (result := _path_to_item(item, span)) is not None), None)


def _path_to_item(item: Node, span: Span) -> Path | None:
    """Return the path of the value in an item that contains `span`, or None if the item does not contain it.

    The path of a value in an item without an `id` is empty.
    """
    inner = _path_to(item, span)
    named = item.get("id") if isinstance(item, Mapping) else None
    if inner is None or isinstance(item, SequenceNode):
        return inner
    return (named.text, *inner) if isinstance(named, Scalar) else ()


INCOMPLETE = (MISSING_CELL, MISSING_KEY, OVERRIDE_OF_NOTHING, UNKNOWN_COLUMN)
"""The codes reported for a new entry that was meant as an override of an existing one."""


def point_at_likenesses(diagnostics: Diagnostics, resolved: ResolvedRules) -> None:
    """Replace the diagnostics of an incomplete new entry by one that suggests the inherited name it resembles.

    Errors elsewhere that point to the new entry are removed. Changes `diagnostics` in place, and does nothing if no
    entry resembles an inherited one.
    """
    if not any(each.code in INCOMPLETE for each in diagnostics):
        return
    results = list(diagnostics)
    for path, entry in _list_added(resolved):
        at = entry.key.span.to(entry.value.span)
        within = [each for each in results if each.code in INCOMPLETE and at.contains(each.span)]
        inherited = _list_inherited(resolved, path)
        hint = suggest_name(path[-1], inherited) if within else None
        if not isinstance(hint, Suggestion):
            continue
        likeness = hint.names[0]
        follows = [
            each
            for each in results
            if each.code is UNKNOWN_ROW
            and (path[-1] in _find_written(each.span) or any(at.contains(other.span) for other in each.related))
        ]
        place = results.index(within[0])
        results[place] = Diagnostic(
            OVERRIDE_OF_NOTHING,
            f"there is no inherited `{path[-1]}` to change, and the entry is incomplete as a new one",
            entry.key.span,
            (RelatedSpan(inherited[likeness].key.span, f"`{likeness}` is inherited from here"),),
            f"{hint} Or, if it is meant as a new entry: {within[0].message}",
            (Edit(entry.key.span, likeness),) if len(hint.names) == 1 else (),
        )
        reported = [*within[1:], *follows]
        results = [each for each in results if not any(each is other for other in reported)]
    diagnostics.replace(results)


def find_inherited_name(resolved: ResolvedRules, section: str, name: str) -> str | None:
    """Return a suggestion of the inherited name that an added entry's name resembles.

    None if no layer adds the entry or no inherited name is similar.
    """
    if not any(origin.operation == "adds" for origin in resolved.history.find_origins((section, name))):
        return None
    return suggest_name(name, _list_inherited(resolved, (section, name)))


def _list_added(resolved: ResolvedRules) -> Iterator[tuple[Path, Entry]]:
    """Yield the entries that a layer has added, with their paths. Sections and removed entries are left out."""
    for path, origins in resolved.history.origins.items():
        if len(path) > 1 and origins[-1].operation == "adds":
            entry = _entry(resolved.rules, path)
            if entry is not None:
                yield path, entry


def _entry(rules: Mapping, path: Path) -> Entry | None:
    """Return the entry at a path that leads through mappings only, or None if there is none."""
    node = rules
    for key in path[:-1]:
        entry = node.entries.get(key)
        if entry is None or not isinstance(entry.value, Mapping):
            return None
        node = entry.value
    return node.entries.get(path[-1])


def _list_inherited(resolved: ResolvedRules, path: Path) -> dict[str, Entry]:
    """Return the siblings of the entry at `path` that come from layers below its own, by key."""
    beside = _entry(resolved.rules, path[:-1])
    entries = beside.value.entries if beside is not None and isinstance(beside.value, Mapping) else {}
    own = resolved.history.find_origins(path)[-1].layer
    return {
        key: entry for key, entry in entries.items() if key != path[-1] and not _adds(resolved, (*path[:-1], key), own)
    }


def _adds(resolved: ResolvedRules, path: Path, layer: str) -> bool:
    return any(origin.operation == "adds" and origin.layer == layer for origin in resolved.history.find_origins(path))
