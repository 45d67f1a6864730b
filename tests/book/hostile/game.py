"""A small game with text in every field that takes any, and that text replaced by what a test puts there."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rulewright.language.schema_shapes import ByForm, Leaf, ListOf, MapOf, Record, Shape, Steps
from rulewright.ruleset.schema.model import MANIFEST, build_rules_shape, step_shape
from rulewright.source.yaml.yaml_reader import read_text
from tests.book.garden import steps

MORE = """\
kinds:
  player:
    means: Who plays.
    fields:
      seed: {type: count, wording: seed, unit: "{seed}", log: {if_true: Seed is there, if_false: Seed is gone}}
      done: {type: bool, wording: {if_true: is done, if_false: is busy}, log: Something is done}
  bed:
    means: A bed.
    label: Bed of {self.size}
    log: {comes: A bed is dug, goes: A bed is gone}
  spot:
    label: {bed: "Spot at {self.bed}"}
    wording: {one: spot, several: spots}
    fields: {bed: {type: optional bed, means: Where it is.}}
tables:
  tools:
    title: Tools
    about: What digs.
    columns:
      note: text
      price: int
      keen:
        type: bool
        given: {who: player}
        default: "true"
        names: {who: gardener}
        means: Whether it digs well
        wording: {if_true: it digs well, if_false: it digs badly}
      use: {type: int, given: {who: player}, default: 1, wording: the use of it}
    names: {price: worth}
    headings: {price: Worth}
    rows: {spade: {title: A spade, note: for all that grows, price: 1}}
  pairs:
    every: {left: tools, right: tools}
    row_title: Two tools
  charms:
    columns:
      effect:
        steps:
          given: {who: player}
          names: {sun: sky, warm: {noun: state of the air, if_true: the air is warm, if_false: the air is cold}}
    rows:
      noon:
        effect:
          - {id: sun, roll: weather}
          - {id: warm, let: true}
          - {id: grown, gain: {who: who, seed: 1}, when: warm}
decks:
  kit: {title: Kit, of: tools}
board:
  bed: {title: Beds}
measures:
  seeds: {is: "sum(p.seed for p in players)", per: "sum(p.water for p in players)", title: Seeds, means: How many.}
state:
  season: {wording: the season, unit: seasons, log: It is another season}
  calm: {type: bool, wording: {if_true: calm, if_false: windy}, log: {if_true: It is calm, if_false: It is windy}}
options:
  shade: {means: How much of it.}
procedures:
  game:
    title: A whole game
    wording: the players play
    names: {luck: sky, dry: {noun: state of the soil, if_true: the soil is dry, if_false: the soil is wet}}
    means: The game.
    steps:
      - id: turns
        repeat:
          at_most: 3
          steps:
            - id: everybody
              for_each: player
              in: players
              steps:
                - id: act
                  choose: {who: player, from: {dig: {label: Dig}, rest: {label: Rest}}, or_none: true}
                  ask: Dig
                  none: Nothing
            - {id: luck, roll: weather, text: Look at the sky.}
            - {id: dry, let: true}
            - {id: crops, let: "[crop(season)]"}
            - {id: first_crop, let: "sum(c.seeds for c in crops)"}
            - {id: poured, set: {dry: false}}
            - {id: dug, create: spot, log: A spot is dug}
            - {id: told, say: Everybody hears it}
            - {id: charm, draw: {one_of: charms}}
            - {id: charmed, do: charm.effect, with: {who: first(players)}}
            - {id: pair, draw: {one_of: pairs}}
        title: A turn
      - {id: done, finish: {winners: players}}
records:
  crop:
    means: What a bed brings.
    label: "{self.seeds} seeds"
    wording: {one: crop, several: crops}
    names: {seeds: seeds of it}
    parts: {seeds: int}
whenever:
  sudden:
    title: A gust
    means: Whoever digs stirs the air.
    names: {gust: wind, lucky: {noun: state of the gardener, if_true: luck is there, if_false: luck is gone}}
    creates: spot
    then:
      - {id: gust, let: count(beds)}
      - {id: lucky, let: true}
overviews:
  costs:
    title: Costs
    about: What they cost.
    rows: {size: optional sizes}
    values: {price: {title: Price, is: size.price if size else 0}}
    without: Without any
samples:
  start: {title: The start, text: How it begins., until: game.turns}
setups:
  opening:
    title: Set up
    text: So it begins.
    until: game.turns
    components: {carts: {title: Carts, note: two each}}
stories:
  round: {title: A round, text: What came of it., example: played}
terms:
  bed: {forms: {oblique: bed}}
formulas:
  share: {names: {whole: all of it}, text: a part of it}
  standing: {given: {who: player}, is: who.seed}
pages:
  growing: {sections: {tending: {aid: [Water it.]}, pictured: {title: Pictures, show: [setups.opening, stories.round]}}}
rulings:
  sky:
    about: procedures.tend
    question: Which sky?
    source: Nothing is said.
    ruling: The one above.
    because: There is one.
faq:
  dry: {question: Dry?, answer: Then water., about: procedures.game, example: played}
weights:
  learned: {means: What pays., terms: {seeds: {is: who.seed, worth: 2, means: Seeds in hand.}}}
expect_play:
  season: {means: It ends., with: random, draws: at most 100 %}
examples:
  played: {title: Played, text: A round., of: game, choose: [dig, rest], until: luck, dice: [1]}
"""

WITHOUT_TEXT = {"examples.*.policy.*", "examples.*.expect_odds.*"}
"""What the model calls words and the rules read as data."""


def rules() -> dict[str, Any]:
    """Return the rules of the game, as data."""
    text = steps().replace("      - {id: last", "      - {id: last, title: The end, text: Water it.", 1)
    return _merged(read_text(text, "garden.yaml").to_plain(), read_text(MORE, "more.yaml").to_plain())


def _merged(below: Any, above: Any) -> Any:
    if not isinstance(below, dict) or not isinstance(above, dict):
        return above
    return {**below, **{key: _merged(below[key], value) if key in below else value for key, value in above.items()}}


MANIFEST_DATA = {
    "ruleset": "garden/small",
    "version": "1.0.0",
    "title": "A Small Garden",
    "about": "Grow what you can.",
    "for": "anyone",
    "takes": "an hour",
    "date": "2020-01-01",
    "status": "draft",
    "evaluate": "standing",
    "rounding": "truncate",
    "players": "2..4",
    "start": "game",
}


def texts(node: Any, shape: Shape | None, change: Callable[[str, str], str], at: str = "") -> Any:
    """Return the data with each text changed; `change` gets its field, such as `terms.*.name`, and what it was."""
    if isinstance(shape, ByForm):
        listed = shape.steps if isinstance(node, list) and isinstance(node[0], dict) and shape.steps else shape.sequence
        shape = {str: shape.scalar, list: listed, dict: shape.mapping}.get(type(node), shape.scalar)
    if isinstance(shape, Record) and not isinstance(node, dict) and shape.short:
        return texts({shape.short: node}, shape, change, at)
    match shape, node:
        case Leaf(format="words" | "label"), str() if at not in WITHOUT_TEXT:
            return change(at, node)
        case Leaf(format="value"), str() if at.endswith(".note"):
            return change(at, node)
        case Record(members=members), dict():
            return {
                key: texts(value, (members.get(key) or members["*"]).shape, change, f"{at}.{key}".strip("."))
                for key, value in node.items()
            }
        case MapOf(inner=inner), dict():
            return {key: texts(value, inner, change, f"{at}.*") for key, value in node.items()}
        case ListOf(inner=inner), list():
            return [texts(value, inner, change, f"{at}.*") for value in node]
        case Steps(), list():
            return [texts(value, step_shape(), change, "step") for value in node]
    return node


def fields(shape: Shape | None = None, at: str = "") -> Iterator[str]:
    """Yield every field of rules files that takes text."""
    match shape:
        case None:
            yield from fields(MANIFEST)
            yield from fields(build_rules_shape())
            yield from fields(step_shape(), "step")
        case Leaf(format="words" | "label"):
            yield at
        case Record(members=members):
            for key, member in members.items():
                yield from fields(member.shape, f"{at}.{key}".strip("."))
        case MapOf(inner=inner) | ListOf(inner=inner):
            yield from fields(inner, f"{at}.*")
        case ByForm(scalar=scalar, sequence=sequence, mapping=mapping):
            for form in (scalar, sequence, mapping):
                yield from fields(form, at) if form is not None else ()


def write(folder: Path, change: Callable[[str, str], str], *, version: str = "1.0.0") -> Path:
    """Return the game in `folder`, with each text changed."""
    home = folder / "garden" / f"small-{version}"
    home.mkdir(parents=True)
    manifest = texts({**MANIFEST_DATA, "version": version}, MANIFEST, change)
    (home / "ruleset.yaml").write_text(json.dumps(manifest, ensure_ascii=False), encoding="utf-8")
    sentences = texts(rules(), build_rules_shape(), change)
    (home / "garden.yaml").write_text(json.dumps(sentences, ensure_ascii=False, indent=1), encoding="utf-8")
    return folder
