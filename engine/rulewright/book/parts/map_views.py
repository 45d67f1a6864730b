"""Pictures of what stands where, ready for a template."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MapView:
    """One moment of a board: when it was (empty where nothing moved), and the drawing."""

    when: str
    drawing: str


@dataclass(frozen=True, slots=True)
class LegendView:
    """One kind of piece: its picture and its name."""

    picture: str
    name: str


@dataclass(frozen=True, slots=True)
class MapsView:
    """The boards of one run, and what their pictures mean. `owned` says whether any piece bears its player's seat."""

    maps: tuple[MapView, ...]
    legend: tuple[LegendView, ...]
    owned: bool
