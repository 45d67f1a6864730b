"""A small game whose expressions are drawn at random, said, and read back; and its states."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from rulewright.language.declarations import Scope
from rulewright.language.types import INTEGER, ByPlayer, Entity, ListOf, Optional, RecordOf, Row
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.ruleset import Ruleset

MANIFEST = """\
ruleset: orchard/small
version: 1.0.0
title: Orchard
status: draft
rounding: truncate
players: 2..4
"""

RULES = """\
terms:
  tree: {name: Tree, means: It grows.}
  bird: {name: Bird, means: It sings.}
  coin: {name: Coin, means: Money.}
  water: {name: Water, plural: Water, means: It is drunk.}
tables:
  sizes:
    title: Sizes
    columns: {price: int, shade: int}
    rows:
      small: {price: 2, shade: 5}
      middling: {price: 3, shade: 1}
      large: {price: 7, shade: 4}
  feed:
    title: Feed
    columns: {grains: int}
    rows:
      small: {grains: 4}
      middling: {grains: 0}
      large: {grains: 6}
kinds:
  player:
    fields: {coin: int, water: int, friend: optional player, crops: map of sizes to int}
    derived:
      trees: list(t for t in trees if t.owner == self)
      wood: list(t for t in trees if t.owner == self and t.ripe)
  tree:
    fields:
      owner: player
      gardener: optional player
      size: {type: sizes, default: small}
      fruit: int
      ripe: bool
    derived:
      worth: self.fruit + self.size.price
      old: self.fruit > 3
  bird:
    fields: {owner: player, tree: optional tree, age: int, noise: {type: dice, default: 1d4}}
records:
  bid: {parts: {bidder: player, amount: int, lot: sizes}}
state:
  season: int
  frost: map of sizes to int
  raining: bool
  windy: {type: bool, wording: {if_true: the wind blows, if_false: the air is still}}
decks:
  basket: {title: Basket, of: sizes}
options:
  weather:
    title: Weather
    choices: {calm: Calm, wild: Wild}
    default: calm
formulas:
  harvest:
    given: {tree: tree, hands: int}
    is: tree.fruit * hands
    wording: what {given.tree} yields to {given.hands} hands
  thrives:
    given: {tree: tree, by: player}
    is: tree.owner == by and tree.ripe
    wording: {if_true: "{given.tree} thrives under {given.by}", if_false: "{given.tree} withers under {given.by}"}
  reach:
    given: {of: player}
    is: list(t for t in trees if t.ripe and (t.owner == of or t.gardener == of))
    wording: the {tree.plural} in reach of {given.of}
  budget: {given: {of: player}, is: of.coin + of.water}
procedures:
  walk:
    given:
      {rival: player, oak: tree, guest: optional player, grove: list of tree, n: int, m: int, girth: sizes, tender: bid}
    steps: STEPS
"""

NAMES = {
    "rival": Entity("player"),
    "oak": Entity("tree"),
    "guest": Optional(Entity("player")),
    "grove": ListOf(Entity("tree")),
    "n": INTEGER,
    "m": INTEGER,
    "girth": Row("sizes"),
    "tender": RecordOf("bid", (("bidder", Entity("player")), ("amount", INTEGER), ("lot", Row("sizes")))),
    "pledges": ByPlayer(INTEGER),
}

SIZES = ("small", "middling", "large")
PRICE = {"small": 2, "middling": 3, "large": 7}
SHADE = {"small": 5, "middling": 1, "large": 4}
GRAINS = {"small": 4, "middling": 0, "large": 6}


def orchard(folder: Path, steps: str = "[{id: idle, set: {season: season}}]") -> Ruleset:
    """Return the game, with these steps in its procedure `walk`."""
    home = folder / "orchard" / "small"
    home.mkdir(parents=True, exist_ok=True)
    (home / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    (home / "orchard.yaml").write_text(RULES.replace("STEPS", steps), encoding="utf-8")
    return load_ruleset("orchard/small", rules=[folder])


def scope(ruleset: Ruleset) -> Scope:
    """Return the names an expression may use."""
    scope = Scope(ruleset.declarations)
    for name, kind in NAMES.items():
        scope = scope.with_variable(name, kind)
    return scope


class State:
    """A state: objects by number, each with its kind and fields, and the values of names. Number 0 is the game."""

    def __init__(self, random: Random) -> None:
        self.things: dict[int, dict[str, Any]] = {
            0: {
                "kind": "game",
                "season": random.randrange(4),
                "frost": tuple(random.randrange(4) for _ in SIZES),
                "raining": random.random() < 0.5,
                "windy": random.random() < 0.5,
                "deck.basket": random.sample(SIZES, random.randrange(4)),
                "options.weather": random.choice(("calm", "wild")),
            }
        }
        players = list(range(1, 1 + random.randint(2, 3)))
        for player in players:
            self.things[player] = {
                "kind": "player",
                "coin": random.randrange(5),
                "water": random.randrange(4),
                "friend": random.choice((None, *players)),
                "crops": tuple(random.randrange(5) for _ in SIZES),
            }
        trees = list(range(10, 10 + random.randint(1, 4)))
        for tree in trees:
            self.things[tree] = {
                "kind": "tree",
                "owner": random.choice(players),
                "gardener": random.choice((None, *players)),
                "size": random.choice(SIZES),
                "fruit": random.randrange(6),
                "ripe": random.random() < 0.5,
            }
        for bird in range(20, 20 + random.randrange(3)):
            self.things[bird] = {
                "kind": "bird",
                "owner": random.choice(players),
                "tree": random.choice((None, *trees)),
                "age": random.randrange(4),
            }
        self.names: dict[str, Any] = {
            "rival": random.choice(players),
            "oak": random.choice(trees),
            "guest": random.choice((None, *players)),
            "grove": tuple(random.sample(trees, random.randint(0, len(trees)))),
            "n": random.randrange(5),
            "m": random.randrange(5),
            "girth": random.choice(SIZES),
            "tender": (random.choice(players), random.randrange(5), random.choice(SIZES)),
            "pledges": tuple(random.randrange(5) for _ in players),
        }

    def objects(self, kind: str) -> tuple[int, ...]:
        """Return all of a kind, oldest first."""
        return tuple(number for number, entity in self.things.items() if entity["kind"] == kind)

    def read_field(self, entity: int, kind: str, name: str) -> Any:
        """Return a field of an object."""
        assert self.things[entity]["kind"] == kind
        return self.things[entity][name]

    def spend(self, operations: int) -> None:
        """Work is not counted here."""

    def hold(self, *what: object) -> None:
        """Nor is memory."""
