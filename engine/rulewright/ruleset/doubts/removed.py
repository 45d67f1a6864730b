"""Says of a name that leads nowhere which layer took away what it led to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from rulewright.language.codes import UNKNOWN_NAME, UNKNOWN_PROCEDURE, UNKNOWN_ROW, UNKNOWN_TYPE
from rulewright.ruleset.codes import BAD_DEFAULT, STILL_NEEDED, UNKNOWN_REFERENCE
from rulewright.ruleset.layers.history import Origin, Path
from rulewright.ruleset.layers.resolved import Resolved
from rulewright.ruleset.word_codes import UNKNOWN_PLACEHOLDER, UNKNOWN_RULE
from rulewright.source.diagnostics.collected import Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic, Related
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence
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
"""Places that a message points at."""

_NAME = re.compile(r"`(?:\w+\.)*(\w+)`")


def point_at_removals(diagnostics: Diagnostics, resolved: Resolved) -> frozenset[str]:
    """Add to each name that leads nowhere the place where a layer removed what is called so; gives these names.

    The name stands in a lower layer, which its reader did not write; what has to be mended is the layer above. What is
    missed in several places is told once. All of them are in doubt: whatever else speaks of them leads nowhere too.
    """
    origins = resolved.history.origins
    gone = {path[-1]: found[-1] for path, found in origins.items() if found[-1].operation == "removes"}
    missed = frozenset(name for each in diagnostics for name in _removed_names(each, gone)) if gone else frozenset()
    if missed:
        diagnostics.replace(_told_once(list(diagnostics), gone, resolved.rules))
    return missed


def _told_once(found: list[Diagnostic], gone: dict[str, Origin], rules: Mapping) -> Iterator[Diagnostic]:
    """What was removed and is missed in one place is told there; what is missed in several, where it is removed."""
    missed: dict[tuple[str, ...], list[Diagnostic]] = {}
    for each in found:
        missed.setdefault(_removed_names(each, gone), []).append(each)
    told: set[tuple[str, ...]] = set()
    for each in found:
        named = _removed_names(each, gone)
        if not named or len({other.span for other in missed[named]}) == 1:
            yield _pointed(each, gone, rules)
        elif named not in told:
            told.add(named)
            yield _still_needed(named[0], gone[named[0]], missed[named], rules)


def _still_needed(name: str, removal: Origin, missed: list[Diagnostic], rules: Mapping) -> Diagnostic:
    places = list(dict.fromkeys(each.span for each in missed))
    message = f"`{name}` is deleted, and still needed in {len(places)} places"
    notes = tuple(Related(span, _needed(_path_to(rules, span) or ())) for span in places[:MOST_RELATED])
    suggestion = f"say in a file of `{removal.layer}` what holds in these places instead, or keep `{name}`"
    return Diagnostic(STILL_NEEDED, message, removal.span, notes, suggestion)


def _needed(path: Path) -> str:
    """What a note says of a place that needs what is gone."""
    said = f"it is needed at `{'.'.join(path)}`" if path else "it is needed here"
    if path[:1] == ("examples",):
        said += f"; or leave the example out with `examples: {{{path[1]}: {{delete: true}}}}`"
    return said


def _removed_names(diagnostic: Diagnostic, gone: dict[str, Origin]) -> tuple[str, ...]:
    if diagnostic.code not in _LEADS_NOWHERE:
        return ()
    return tuple(name for name in dict.fromkeys(_NAME.findall(diagnostic.message)) if name in gone)


def _pointed(diagnostic: Diagnostic, gone: dict[str, Origin], rules: Mapping) -> Diagnostic:
    named = _removed_names(diagnostic, gone)
    notes = tuple(Related(gone[name].span, f"`{gone[name].layer}` removes `{name}` here") for name in named)
    if not notes:
        return diagnostic
    advice = _advice(named[0], gone[named[0]].layer, _path_to(rules, diagnostic.span) or ())
    return replace(diagnostic, related=(*diagnostic.related, *notes), suggestion=advice, edits=())


def _advice(name: str, layer: str, path: Path) -> str:
    at = f" at `{'.'.join(path)}`" if path else ""
    advice = f"say in a file of `{layer}` what holds{at} instead"
    if path[:1] == ("examples",):
        advice += f", leave the example out with `examples: {{{path[1]}: {{delete: true}}}}`"
    return f"{advice}, or keep `{name}`"


def _path_to(node: Node, span: Span) -> Path | None:
    """The path of the value in which `span` is written; a plain list is one value, since layers replace it whole."""
    if isinstance(node, Scalar):
        return () if node.span.holds(span) else None
    if isinstance(node, Mapping):
        for key, entry in node.entries.items():
            inner = () if entry.key.span.holds(span) else _path_to(entry.value, span)
            if inner is not None:
                return (key, *inner)
        return None
    return next((found for item in node.items if (found := _path_to_item(item, span)) is not None), None)


def _path_to_item(item: Node, span: Span) -> Path | None:
    inner = _path_to(item, span)
    named = item.get("id") if isinstance(item, Mapping) else None
    if inner is None or isinstance(item, Sequence):
        return inner
    return (named.text, *inner) if isinstance(named, Scalar) else ()
