"""The recipe of cards that act: a game whose cards bring steps, and house rules that change them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from rulewright import Ruleset, load_ruleset

COOKBOOK = Path(__file__).parents[1] / "site" / "docs" / "cookbook"
FILES = {name: (COOKBOOK / name / "rules.yaml").read_text(encoding="utf-8") for name in ("duel", "card-duel")}
MANIFEST = "{ruleset: test/duel, version: 1.0.0, language: 1, title: Duel, players: 2, start: game}"


@cache
def load_duel(name: str = "duel") -> Ruleset:
    """Return the game (`duel`) or the house rules (`card-duel`)."""
    return load_ruleset(f"cookbook/{name}", rules=[COOKBOOK])
