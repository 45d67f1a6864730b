"""Small games for `tests.language.inline`: a manifest, and rules that several tests share."""

from __future__ import annotations

MANIFEST = "{ruleset: test/inline, version: 1.0.0, title: Inline, players: 2, start: game, evaluate: standing}"

WAYS = """
procedures:
  game:
    steps:
      - id: each
        for_each: p
        in: players
        steps:
          - {id: way, ask: Which way?, choose: {who: p, from: [good, bad]}}
          - {id: point, gain: {who: p, points: 1}, when: way == good}
"""
"""The first steps of a game: every player takes the good way for a point, or the bad way. Other steps follow."""

HUNT = """\
kinds: {player: {fields: {steps: count, done: bool}}}
formulas: {standing: {given: {who: player}, is: 10 if who.done else 0 - who.steps}}
procedures:
  game:
    steps:
      - id: days
        repeat:
          at_most: 30
          steps:
            - id: each
              for_each: p
              in: players
              steps:
                - {id: go, choose: {who: p, from: [walk, rest]}}
                - {id: walked, when: go == walk, gain: {who: p, steps: 1}}
                - {id: leap, when: go == walk, choose: {who: p, from: [jump, wait]}}
                - {id: home, when: go == walk and leap == jump and REACHABLE, set: {p.done: true}}
                - {id: won, when: p.done, finish: {winners: [p]}}
      - {id: night, title: Nightfall, finish: {winners: []}}
"""
"""A walk costs first and wins with the leap after it, if `REACHABLE`. A bot that looks one decision ahead stays."""

IDLE = """
kinds: {player: {fields: {points: count}}}
formulas: {standing: {given: {who: player}, is: who.points}}
procedures:
  game:
    steps:
      - {id: each, for_each: p, in: players, steps: [{id: say, choose: {who: p, from: [yes, "no"]}}]}
      - {id: lot, draw: {one_of: players}}
      - {id: won, finish: {winners: [lot]}}
"""
"""Nothing depends on the choices."""
