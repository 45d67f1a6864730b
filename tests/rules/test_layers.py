"""An edition states what differs: how much of each repeats core or another edition."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.repetition import EDITIONS, repetition

MOST = 0.25


@pytest.mark.parametrize("edition", [name for name in EDITIONS if name != "core"])
def test_at_most_a_quarter_repeats_another_edition(checkout: Path, edition: str) -> None:
    own, repeated = repetition(checkout / "rules" / "fuzzy-knights", edition)
    assert len(repeated) <= MOST * len(own), "\n".join(f"{'.'.join(path)}: {value}" for path, value in sorted(repeated))
