"""A small game of gardens that uses every verb and every kind of expression once."""

from __future__ import annotations

from pathlib import Path

from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.ruleset import Ruleset

MANIFEST = """\
ruleset: garden/small
version: 1.0.0
title: A Small Garden
status: draft
about: Grow what you can.
rounding: truncate
players: 2..4
"""

RULES = """\
terms:
  bed: {name: Bed, icon: 🌱, means: "Where a {plant} grows."}
  plant: {name: Plant, also: [Herb], means: What you grow.}
  seed: {name: Seed, means: "What a {plant} grows from."}
  water: {name: Water, plural: Water, means: "What a {plant} drinks."}
  walls: {name: Walls, plural: Walls, means: "What keeps a {bed} warm."}
dice:
  dW: {faces: 1..4, means: The weather die.}
numbers:
  harvest: {is: 3, means: "{seed.plural} for a ripe {plant}."}
  rain: {is: 2d6 +1, means: How much it rains.}
tables:
  weather:
    title: Weather
    roll: 1dW
    columns: {rain: dice}
    rows:
      dry: {on: 1-3, rain: 1d6}
      wet: {on: 4, rain: 2d6 +1, title: Pouring rain}
  sizes:
    title: Sizes
    columns: {price: int, needs: optional sizes}
    rows:
      sprout: {price: 1}
      bush: {price: 2, needs: sprout}
      tree: {price: 5, needs: bush}
kinds:
  player:
    fields: {seed: count, water: count}
  bed:
    term: bed
    fields:
      owner: player
      tenant: optional player
      size: {type: sizes, default: sprout}
      watered: bool
      rested: {type: bool, wording: "ready for a new {plant}"}
      wet: {type: int, wording: "{water} in the ground"}
      walls: {type: optional sizes, wording: "{walls}"}
    derived:
      worth: {is: self.size.price * 2, means: What it is worth.}
      plants: list(p for p in plants if p.bed == self)
      bare:
        is: none(p for p in plants if p.bed == self)
        wording: free of {plant.plural}
        means: Whether nothing grows on it.
  plant:
    term: plant
    fields: {bed: bed}
state:
  season: {type: int, default: 1, means: The season.}
  raining: {type: bool, means: Whether it rains.}
options:
  shade:
    title: Shade
    choices: {half: Half shade, full: Full shade}
    default: half
    may_change: vote
decks:
  catalogue: {title: Catalogue, of: sizes}
  shelf: {title: Shelf, of: sizes, ordered: true}
  satchel: {title: Satchel, of: sizes, ordered: true, each: player}
formulas:
  finest: {is: max(b.size for b in beds), means: "The finest {bed}."}
  share: {given: {whole: int, of: int}, is: "whole / max(1, of)", means: A fair share.}
  yield_of:
    given: {bed: bed, many: int}
    is: bed.size.price / max(1, many)
    means: A yield.
    wording: what {given.bed} yields to {given.many} gardeners
  thrives:
    given: {bed: bed, by: player}
    is: bed.owner == by and bed.watered
    means: Whether it thrives.
    wording:
      if_true: "{given.bed} thrives under {given.by}"
      if_false: "{given.bed} withers, whatever {given.by} does"
procedures:
  tend:
    title: Tending a {bed}
    means: What a player does with a {bed}.
    given: {player: player, bed: bed}
    gives: {size: bed.size}
    steps:
STEPS
exceptions:
  desert:
    to: tend.last
    when: options.shade == full
    means: In full shade nothing is left.
    instead:
      - {id: nothing, set: {bed.watered: false}}
pages:
  growing:
    title: Growing
    icon: plant
    letter: G
    about: How {plant.plural} grow.
    sections:
      tending:
        title: Tending a {bed}
        explains: [procedures.tend]
        text: |
          Mind your {bed}. A ripe {plant} brings {numbers.harvest} {seed.plural}.
        show: [tables.weather, tables.sizes, procedures.tend, options.shade, examples.fair]
        notes:
          thirst: {kind: tip, text: "{plant.plural} drink {water}."}
      selling:
        title: Selling
        text: A {sizes.tree} costs {sizes.tree.price}, and it pours on {weather.wet.on}.
examples:
  fair: {title: A fair share, value: "share(19, 2)", expect: 9}
"""

LAST = "- {id: last, set: {bed.watered: true}}"


def steps(*lines: str) -> str:
    """Return the rules with these steps, and a last one that a special case belongs to."""
    return RULES.replace("STEPS\n", "".join(f"      {line}\n" for line in (*lines, LAST)))


def write_garden(folder: Path, rules: str | None = None, manifest: str = MANIFEST) -> Path:
    """Write the game into `folder`, and return the folder of rules."""
    home = folder / "garden" / "small"
    home.mkdir(parents=True, exist_ok=True)
    (home / "ruleset.yaml").write_text(manifest, encoding="utf-8")
    (home / "garden.yaml").write_text(rules if rules is not None else steps(), encoding="utf-8")
    return folder


def garden(folder: Path, *lines: str) -> Ruleset:
    """Return the game with these steps in its procedure `tend`."""
    return load_ruleset("garden/small", rules=[write_garden(folder, steps(*lines))])
