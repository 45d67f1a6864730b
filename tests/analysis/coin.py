"""A game of one toss whose odds are known in full: of ten faces, some draw, some let the first seat win, others not.

With `draws` and `first` of ten faces, the first seat wins `first / 10`, the other `(10 - draws - first) / 10`, and the
edge of either is half of the difference. `face` is from 1 to 10, 5.5 on average.
"""

from __future__ import annotations

from pathlib import Path

MANIFEST = """\
ruleset: test/{name}
version: 1.0.0
title: A toss
status: draft
"""
GAME = """\
players: 2..3
start: game
evaluate: standing
"""
RULES = """\
numbers:
  draws: {{is: {draws}, means: The faces that nobody wins by.}}
  first: {{is: {first}, means: The faces that the first seat wins by.}}
kinds: {{player: {{fields: {{score: count}}}}}}
state: {{player: player, face: int}}
options:
  side: {{title: Side, choices: {{usual: Usual, other: Other}}, default: usual}}
formulas: {{standing: {{given: {{who: player}}, is: who.score}}}}
measures:
  face: {{is: face, title: The face}}
  draws: {{is: 3, title: Cards drawn}}
procedures:
  game:
    title: A toss
    steps:
{asked}      - {{id: toss, roll: 1d10}}
      - {{id: seen, set: {{face: toss}}}}
      - {{id: drawn, finish: {{winners: []}}, when: toss <= draws}}
      - id: turned
        when: options.side == other
        steps:
          - {{id: over, set: {{player: "next(player, players)"}}}}
      - {{id: won, finish: {{winners: [player]}}, when: toss <= draws + first}}
      - {{id: lost, finish: {{winners: ["next(player, players)"]}}}}
"""
ASKED = "      - {id: wait, choose: {who: player, from: [go, on]}}\n"


def written(
    folder: Path,
    expected: str = "",
    *,
    name: str = "toss",
    draws: int = 0,
    first: int = 5,
    extends: str = "",
    asks: bool = False,
) -> Path:
    """Return the folder of rulesets, with a game in it that expects so much.

    Or, with `extends`, rules that do so alone. Nobody decides anything, unless it `asks` what does not matter.
    """
    home = folder / name
    home.mkdir(parents=True, exist_ok=True)
    below = f"extends: {extends}\n" if extends else GAME
    home.joinpath("ruleset.yaml").write_text(MANIFEST.format(name=name) + below)
    rules = "" if extends else RULES.format(draws=draws, first=first, asked=ASKED if asks else "")
    home.joinpath("rules.yaml").write_text(rules + expected)
    return folder
