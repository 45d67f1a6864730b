"""Storage of solutions in the user's cache folder."""

from __future__ import annotations

import json
from typing import Any

from rulewright.ai.solving.policy_array import PolicyArray
from rulewright.ai.solving.solution import Solution
from rulewright.ruleset.cache import storage
from rulewright.ruleset.cache.fingerprint import build_key, is_program_unchanged
from rulewright.ruleset.ruleset import Ruleset

_BREAK = b"\n"


def _key(ruleset: Ruleset, players: int, options: dict[str, str]) -> str:
    return build_key("solution", ruleset.reference, ruleset.digest, str(players), json.dumps(sorted(options.items())))


def load_solution(ruleset: Ruleset, players: int, options: dict[str, str], size: int) -> Solution | None:
    """Return the stored solution of a game, or None if there is none or the file is malformed.

    `size` is the length in bytes of the keys of its positions.
    """
    data = storage.read(_key(ruleset, players, options))
    if data is None:
        return None
    head, _, rows = data.partition(_BREAK)
    try:
        text: dict[str, Any] = json.loads(head)
        choices = PolicyArray(rows, size)
        return Solution(
            players,
            int(text["positions"]),
            tuple(map(float, text["worth"])),
            tuple(map(float, text["wins"])),
            float(text["draws"]),
            0.0,
            choices,
        )
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None


def keep(ruleset: Ruleset, options: dict[str, str], solution: Solution) -> None:
    """Store the solution of a game without hidden information.

    Does nothing for other games, or if the program's files have changed since it started.
    """
    if not isinstance(solution.choices, PolicyArray) or not is_program_unchanged():
        return
    texts = {
        "positions": solution.positions,
        "worth": solution.values,
        "wins": solution.wins,
        "draws": solution.draws,
    }
    storage.write(_key(ruleset, solution.players, options), json.dumps(texts).encode() + _BREAK + solution.choices.data)
