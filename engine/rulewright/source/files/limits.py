"""How large and how deep a file may be."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What a reader of one file accepts, so that a hostile or broken file is refused before it costs anything."""

    bytes: int = 1024 * 1024
    """The size of the file in UTF-8."""
    edition: int = 2 * 1024 * 1024
    """The size of all rules files of an edition, those of the layers below it included: seven times what is shipped."""
    depth: int = 64
    """Mappings and lists inside one another."""
    nodes: int = 100_000
    """Mappings, lists, keys and values together."""
    digits: int = 1_000
    """The digits of one whole number."""
    errors: int = 100
    """Errors reported for one file before its reader gives up."""


DEFAULT_LIMITS = Limits()
