"""Find the rulesets that declare a die of a given name."""

from __future__ import annotations

from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.edition import Edition
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.nodes import Mapping


def list_rulesets_with_die(catalogue: Catalogue, name: str) -> list[str]:
    """Return the rulesets, as `game/edition`, that declare the die in any of their layers.

    Abstract editions, and those whose layers cannot be resolved, are left out.
    """
    having = (edition for edition in catalogue.list_editions() if edition.status != "abstract")
    return list(dict.fromkeys(edition.ruleset for edition in having if _has(catalogue, edition, name)))


def _has(catalogue: Catalogue, edition: Edition, name: str) -> bool:
    """Return whether a layer of an edition declares the die. False if its layers cannot be found."""
    try:
        layers = catalogue.chain(edition)
    except DiagnosticError:
        return False
    return any(_declares(catalogue, layer, name) for layer in layers)


def _declares(catalogue: Catalogue, layer: Edition, name: str) -> bool:
    sections = (rules.get("dice") for _, rules in catalogue.read_layer(layer).files)
    return any(isinstance(dice, Mapping) and name in dice for dice in sections)
