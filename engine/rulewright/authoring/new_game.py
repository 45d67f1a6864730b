"""Create a new game that is small, valid and playable."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rulewright.base.errors import RulewrightError

ABOUT = "A game that has only just been started."
"""The introduction of a new game, which its author replaces."""

MANIFEST = """\
# The name of your game, and the number of players.
ruleset: {name}/first
version: 0.1.0
language: 1
title: {title}
about: {about}
status: draft           # a release locks it once it is finished
players: 2..4
start: game
evaluate: standing
"""

RULES = """\
# A small game to change: players take turns rolling, may roll again, and the first to reach the goal wins.
terms:
  points: {name: Point, plural: Points, means: What everybody collects.}

numbers:
  goal: {is: 20, means: The points with which a game is won.}
  bust: {is: 1, means: The second roll that loses the first.}
  rounds: {is: 50, means: The rounds after which a game is over.}

kinds:
  player:
    fields:
      points: {type: count, means: What a player has collected.}

procedures:
  game:
    title: A game
    means: Players take turns until one of them is at the goal.
    steps:
      - id: rounds
        repeat:
          at_most: rounds
          steps:
            - id: turns
              for_each: player
              in: players
              steps:
                - {id: turn, do: turn, with: {player: player}}
                - {id: won, finish: {winners: [player]}, when: player.points >= goal}
      - {id: nobody, finish: {winners: []}}
  turn:
    title: A turn
    means: "A player rolls, and may roll once more. A second roll of {numbers.bust} loses the first."
    given: {player: player}
    names: {die: roll, decision: decision, more: second roll}
    steps:
      - {id: die, roll: 1d6, by: player}
      - {id: decision, choose: {who: player, from: [stop, again]}, ask: Roll again?}
      - id: stopped
        when: decision == stop
        steps:
          - {id: kept, gain: {who: player, points: die}}
      - id: pushed
        when: decision == again
        steps:
          - {id: more, roll: 1d6, by: player}
          - {id: taken, gain: {who: player, points: die + more}, when: more != bust}

formulas:
  standing:
    given: {who: player}
    is: who.points
    means: How well a player stands. Bots go by it.

examples:
  a_good_roll:
    title: A good roll
    of: turn
    dice: [6]
    choose: [stop]
    expect: {player.points: 6}
  a_lost_roll:
    title: A lost roll
    of: turn
    dice: [6, 1]
    choose: [again]
    expect: {player.points: 0}
"""


def build_new_game(name: str, title: str) -> Mapping[str, str]:
    """Return the texts of a new game's files by name. Raises `RulewrightError` if the name is not valid for a game."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise RulewrightError(f"`{name}` is not a valid name for a game: use lowercase letters, digits and hyphens")
    quoted = title.replace("\\", "\\\\").replace('"', '\\"')
    return {"ruleset.yaml": MANIFEST.format(name=name, about=ABOUT, title=f'"{quoted}"'), "rules.yaml": RULES}
