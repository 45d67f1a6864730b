"""A small game with a fault and an endless game in it, each by one choice of an option, for tests of playouts."""

from __future__ import annotations

from pathlib import Path

MANIFEST = """\
ruleset: test/walk
version: 1.0.0
title: A walk
status: draft
rounding: truncate
players: 2..3
start: game
"""
PINNED = "simulations: {length: short}\n"
RULES = """\
kinds: {player: {fields: {score: count}}}
state: {turn: int, player: player}
options:
  length: {title: Length, choices: {short: Short, endless: Endless}, default: endless}
  trap: {title: Trap, choices: {away: Away, set: Set}, default: away}
  pace: {title: Pace, choices: {slow: Slow, fast: Fast}, default: slow}
procedures:
  game:
    title: A walk
    steps:
      - id: turns
        repeat:
          steps:
            - {id: move, choose: {who: player, from: [left, right]}}
            - {id: counted, set: {turn: turn + (2 if options.pace == fast else 1)}}
            - id: snare
              if: options.trap == set and turn > 4 and move == left
              then:
                - {id: caught, choose: {who: player, one_of: list(p for p in players if p.score > 0)}}
                - {id: moved, set: {player: caught}}
            - {id: passed, set: {player: "next(player, players)"}}
            - {id: over, finish: {winners: []}, when: options.length == short and turn >= 10}
"""
SOUND = RULES.replace("p.score > 0", "p.score >= 0")


def written(folder: Path, rules: str = RULES, *, manifest: str = MANIFEST + PINNED) -> Path:
    """Return the folder of rulesets, with this one in it."""
    (folder / "walk").mkdir(parents=True, exist_ok=True)
    (folder / "walk" / "ruleset.yaml").write_text(manifest)
    (folder / "walk" / "rules.yaml").write_text(rules)
    return folder
