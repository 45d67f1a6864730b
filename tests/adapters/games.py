"""The games that other libraries' conformance tests play."""

from __future__ import annotations

from typing import Any

GAMES: dict[str, dict[str, Any]] = {
    "classics/tic-tac-toe@1.0": {},
    "classics/kuhn-poker@1.0": {},
    "classics/goofspiel@1.0": {},
    "pig/classic@1.0": {},
    # Players at random go on for long: sixty stops see the setup and a few turns.
    "fuzzy-knights/normal@1.0": {"options": {"max_days": "hundred"}, "horizon": 60},
}
