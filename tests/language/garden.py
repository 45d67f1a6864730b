"""A small game about a garden, that tests add to."""

from __future__ import annotations

GARDEN = """\
dice: {dP: 10..100 step 10}
numbers: {goal: 100, bonus: 1d6}
tables:
  weather: {roll: 1d6, rows: {rain: 1-2, sun: 3-6}}
  sizes:
    columns: {price: int, roll: dice, grows: optional sizes}
    rows: {small: {price: 1, roll: 1d6, grows: large}, large: {price: 7, roll: 2d6}}
kinds:
  player: {fields: {score: count, friend: optional player, secret: {type: int, seen_by: self}}}
  tree:
    fields: {owner: optional player, size: {type: sizes, default: small}, height: int}
    derived: {worth: self.height * self.size.price}
  nest: {fields: {tree: tree}}
state: {turn: int, storm: bool}
options:
  mode: {choices: {calm: Calm, wild: Wild}, default: calm, may_change: vote}
  board: {choices: {wide: Wide, narrow: Narrow}, default: wide}
decks: {seeds: sizes}
"""

GIVEN = "p: player, t: tree, n: int, maybe: optional tree, size: sizes, some: list of tree, sure: bool, dice: dice"
"""Parameters of the formula that an expression under test is put in."""


def probe(expression: str) -> str:
    """Return rules with a formula that is `expression`, in quotes."""
    quoted = expression.replace("'", "''")
    formulas = f"  twice: {{given: {{n: int}}, is: n * 2}}\n  probe:\n    given: {{{GIVEN}}}\n    is: '{quoted}'\n"
    return f"{GARDEN}formulas:\n{formulas}"


def procedure(steps: str, *, more: str = "", before: str = "") -> str:
    """Return rules with a procedure `main` whose steps are `steps`, lines of a YAML list; `more` are sections after it.

    `before` are procedures before it.
    """
    lines = "".join(f"      {line}\n" for line in steps.strip("\n").split("\n"))
    given = "    given: {p: player, t: tree, maybe: optional tree}\n"
    return f"{GARDEN}procedures:\n{before}  main:\n{given}    steps:\n{lines}{more}"
