"""The picture of a board with its size, and the position and outline of each space."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

TILE = 48
MARGIN = 24

CIRCLE = TILE * 0.6
"""The radius of a round space."""

Spot = tuple[float, float]

SQUARE: tuple[Spot, ...] = ((-TILE / 2, -TILE / 2), (TILE / 2, -TILE / 2), (TILE / 2, TILE / 2), (-TILE / 2, TILE / 2))


@dataclass(frozen=True, slots=True)
class BoardGeometry:
    """The picture of a board without its pieces.

    `places` are the centres of the spaces. Each space has `corners`, relative to its centre, or is a circle of the
    radius `CIRCLE` if there are none. `words` are texts with the position of their centre, `links` are lines between
    spaces.
    """

    width: float
    height: float
    places: Mapping[str, Spot]
    corners: tuple[Spot, ...]
    words: tuple[tuple[float, float, str], ...]
    links: tuple[tuple[str, str], ...]

    @property
    def round(self) -> bool:
        """Whether the spaces are circles."""
        return not self.corners

    def rotate(self) -> BoardGeometry:
        """Return the picture rotated clockwise by 90 degrees, with upright words."""
        return replace(
            self,
            width=self.height,
            height=self.width,
            places={tile: (self.height - y, x) for tile, (x, y) in self.places.items()},
            corners=tuple((-y, x) for x, y in self.corners),
            words=tuple((self.height - y + 4, x + 4, text) for x, y, text in self.words),
        )


def arrange_in_rows(rows: Sequence[Sequence[str | None]], *, rounded: bool = False) -> BoardGeometry:
    """Return the picture of rows of tiles without numbers at their edges.

    Each row begins at the left. None is a gap. `rounded` means circles in place of squares.
    """
    places = {
        tile: (TILE * (across + 0.5) + 4, TILE * (down + 0.5) + 4)
        for down, row in enumerate(rows)
        for across, tile in enumerate(row)
        if tile is not None
    }
    wide = max(map(len, rows), default=0)
    if rounded:
        apart = 2 * CIRCLE / TILE + 0.12
        places = {tile: ((x - 4) * apart + 4, (y - 4) * apart + 4) for tile, (x, y) in places.items()}
        return BoardGeometry(TILE * apart * wide + 8, TILE * apart * len(rows) + 8, places, (), (), ())
    return BoardGeometry(TILE * wide + 8, TILE * len(rows) + 8, places, SQUARE, (), ())
