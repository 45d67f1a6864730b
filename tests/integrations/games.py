"""The games that other libraries' conformance tests play."""

from __future__ import annotations

from typing import Any

from tests.breadth import some

_EVERY: dict[str, dict[str, Any]] = {
    "classics/tic-tac-toe@1.0": {},
    "classics/kuhn-poker@1.0": {},
    "classics/leduc-poker@1.0": {},
    "classics/goofspiel@1.0": {},
    "classics/liars-dice@1.0": {},
    "classics/hex@1.0": {},
    "classics/dominoes@1.0": {},
    "classics/euchre@1.0": {"options": {"length": "one_deal"}},
    "classics/nine-mens-morris@1.0": {},
    "classics/reversi@1.0": {},
    # Players at random go on for long: so many stops see every kind of move.
    "classics/oware@1.0": {"horizon": 60},
    "classics/checkers@1.0": {"horizon": 60},
    "classics/chess@1.0": {"horizon": 60},
    "classics/backgammon@1.0": {"horizon": 60},
    "pig/classic@1.0": {},
    # Sixty stops see the setup and a few turns.
    "fuzzy-knights/normal@1.0": {"options": {"max_days": "hundred"}, "horizon": 60},
}
_FEW = ["classics/tic-tac-toe@1.0", "classics/kuhn-poker@1.0", "classics/goofspiel@1.0", "pig/classic@1.0"]
"""A plain one, two with secrets, of which one is played at the same time, and one with dice."""

GAMES = {name: _EVERY[name] for name in some(list(_EVERY), [*_FEW, "fuzzy-knights/normal@1.0"])}
