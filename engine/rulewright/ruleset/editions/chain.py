"""The layers that an edition stands on: those of what it extends, then those of each of its overlays, then itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.ruleset.editions.codes import EXTENDS_ITSELF, OVERLAY_OF_ANOTHER, OVERLAY_TWICE
from rulewright.ruleset.editions.edition import Edition
from rulewright.ruleset.reference import Reference
from rulewright.source.diagnostics.collected import DiagnosticError
from rulewright.source.diagnostics.diagnostic import Diagnostic, Related

Find = Callable[[Reference], Edition]
"""Finds the edition that a reference means."""

Link = tuple[Edition, Reference]
"""An edition, and what it is laid over or lays over that."""


def chain_of(edition: Edition, find: Find, way: Sequence[Link] = ()) -> list[Edition]:
    """The layers of an edition, from the lowest up to itself; what several of them share is there once.

    Raises `DiagnosticError` if one cannot be found, if an edition in the end extends itself, or if an overlay was
    written for layers that are not there.
    """
    links = list(way)
    base = [edition]
    while (below := base[-1].extends) is not None:
        links.append((base[-1], below))
        base.append(_found(below, find, links))
    layers: list[Edition] = []
    for place in range(len(base) - 1, -1, -1):
        part = base[place]
        for reference in part.overlays:
            leading = [*links[: len(way) + place], (part, reference)]
            overlay = _found(reference, find, leading)
            brought = chain_of(overlay, find, leading)
            _refuse_misfits(part, reference, brought, layers)
            layers += [layer for layer in brought if layer not in layers]
        layers.append(part)
    return layers


def _found(reference: Reference, find: Find, links: Sequence[Link]) -> Edition:
    found = find(reference)
    before = [edition for edition, _ in links]
    if found in before:
        raise DiagnosticError([_circle(links[before.index(found) :])])
    return found


def _circle(circle: Sequence[Link]) -> Diagnostic:
    """What is wrong with editions of which each extends the next, and the last one the first."""
    (first, reference), *others = circle
    related = tuple(Related(other.span, f"and this is what `{edition.id}` extends") for edition, other in others)
    message = f"`{first.id}` extends itself" + (f", by way of `{others[0][0].id}`" if others else "")
    return Diagnostic(EXTENDS_ITSELF, message, reference.span, related)


def _refuse_misfits(part: Edition, reference: Reference, brought: Sequence[Edition], layers: Sequence[Edition]) -> None:
    """Refuse an overlay of `part` that is there already, or that was written for something else than `layers`."""
    overlay = brought[-1]
    if overlay in layers:
        asked = [other.span for other in part.overlays if other is not reference and other.means(overlay.id)]
        related = tuple(Related(span, "it is laid here") for span in asked[:1])
        message = f"`{overlay.id}` lies among the layers already"
        raise DiagnosticError([Diagnostic(OVERLAY_TWICE, message, reference.span, related, "leave it out here")])
    base = brought[-2] if len(brought) > 1 else None
    # Either it stands on a layer that is there, or all it brings was written for what `part` extends.
    stands = base is not None and (
        base in layers or (bool(layers) and layers[0] in brought and _top(part, layers) in brought)
    )
    versions = {layer.ruleset: layer for layer in layers}
    rival = next((layer for layer in brought if versions.get(layer.ruleset, layer) is not layer), None)
    if stands and rival is None:
        return
    if overlay.extends is None:
        message = f"`{overlay.id}` is laid over nothing, so it is no overlay"
        hint = f"extend it instead: `extends: {overlay.ruleset}@{overlay.version}`"
        raise DiagnosticError([Diagnostic(OVERLAY_OF_ANOTHER, message, reference.span, suggestion=hint)])
    needed = rival or base or overlay
    there = versions.get(needed.ruleset) or (layers[-1] if layers else None)
    message = f"`{overlay.id}` was written for `{needed.id}`, and " + (
        f"here is `{there.id}`" if there else "nothing lies here"
    )
    related = (Related(overlay.extends.span, "this is what it needs"),)
    if part.extends is not None:
        related = (*related, Related(part.extends.span, "this is what is there"))
    hint = f"write `extends: {needed.ruleset}@{needed.version}`, or take an overlay that was written for what is there"
    raise DiagnosticError([Diagnostic(OVERLAY_OF_ANOTHER, message, reference.span, related, hint)])


def _top(part: Edition, layers: Sequence[Edition]) -> Edition | None:
    """The edition among `layers` that `part` itself extends."""
    below = part.extends
    return next((layer for layer in reversed(layers) if below is not None and below.means(layer.id)), None)
