"""A small game and rules laid over it, open in an editor: what the tests of single answers look at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.studio.client import Editor, at

BASE = """\
ruleset: garden/base
version: 1.0.0
title: Garden
about: Grow things.
players: 2
start: game
rounding: truncate
"""
RULES = """\
# A garden.
# In two lines.
terms:
  plant: {name: Plant, plural: Plants, icon: 🌱, means: "It grows, and pays in {seed.plural}."}
  seed: {name: Seed, plural: Seeds, icon: 🌰, means: What everything is paid with.}

numbers:
  price: {is: 3, means: What a {PLANT} costs.}
  luck: {is: 2d6 +1, means: The dice of luck.}

tables:
  weather:
    title: Weather
    roll: 1d6
    rows: {sun: 1-4, rain: 5-6}
  beds:
    title: Beds
    columns: {size: int}
    rows: {small: {size: 1}, large: {size: 4}}

kinds:
  player:
    fields:
      seeds: {type: count, default: 9, means: What is in hand.}
  plant:
    term: plant
    fields:
      owner: {type: player, means: Whose it is.}
      bed: {type: beds, means: Where it grows.}

state:
  player: {type: player, means: Whose turn it is.}

procedures:
  game:
    title: A game
    steps:
      - {id: grow, do: planting, with: {who: player}}
      - {id: sky, roll: weather}
      - {id: fortune, roll: luck, when: sky == sun}
      - {id: over, finish: {winners: [player]}}
  planting:
    title: Planting a {PLANT}
    given: {who: player}
    steps:
      - {id: paid, pay: {who: who, seeds: price}, when: who.seeds >= price}
      - {id: grown, create: plant, with: {owner: who, bed: small}}

formulas:
  worth:
    given: {who: player}
    is: who.seeds + count(plants) * price
    means: What somebody has.

examples:
  first:
    title: 🌱 first
    of: planting
    given: {who: 1, players: [{seeds: 4}]}
    until: grown
    expect: {count(plants): 1}

pages:
  all:
    title: All
    icon: plant
    letter: A
    sections:
      buy:
        title: Buy {plant.plural}
        explains: [numbers.price, procedures.planting]
        text: "🌱 A {PLANT} costs {numbers.price} {seed.plural}."
"""
RULES = RULES.replace("{PLANT}", "{plant}").replace("What a {plant} costs.", '"What a {plant} costs."')
OVER = "ruleset: garden/mine\nversion: 1.0.0\nextends: garden/base@1\ntitle: Mine\nabout: Dear.\n"
MINE = """\
numbers: {price: 5}
procedures:
  planting:
    steps:
      - {after: paid, id: sung, stop: true, when: who.seeds > 7}
"""


class Garden:
    """The two editions in an editor."""

    def __init__(self, root: Path, **of_editor: Any) -> None:
        for name, manifest, rules in (("base", BASE, RULES), ("mine", OVER, MINE)):
            (root / name).mkdir()
            (root / name / "ruleset.yaml").write_text(manifest, encoding="utf-8")
            (root / name / "rules.yaml").write_text(rules, encoding="utf-8")
        self.base, self.mine = root / "base" / "rules.yaml", root / "mine" / "rules.yaml"
        self.editor = Editor(root, **of_editor)
        self.editor.open(self.base)
        self.editor.open(self.mine)
        self.editor.checked()

    def ask(self, what: str, mark: str, *, into: int = 0, nth: int = 0, **more: Any) -> Any:
        return self.editor.ask(f"textDocument/{what}", {**at(self.base, RULES, mark, into=into, nth=nth), **more})

    def hover(self, mark: str, *, into: int = 0, nth: int = 0) -> str:
        answer = self.ask("hover", mark, into=into, nth=nth)
        return answer["contents"]["value"] if answer else ""

    def do(self, command: str, path: Path, section: str, name: str) -> dict[str, Any]:
        """Return the whole answer to a command."""
        asked = {"command": f"rulewright.{command}", "arguments": [path.as_uri(), section, name]}
        return self.editor.answer("workspace/executeCommand", asked)

    def offered(self, path: Path, text: str) -> dict[str, dict[str, Any]]:
        """Return what is offered at the `|` of a text, by its label."""
        whole = text.replace("|", "", 1)
        self.editor.type(path, whole)
        place = at(path, text, "|")
        return {each["label"]: each for each in self.editor.ask("textDocument/completion", place)["items"]}


def actions(garden: Garden, path: Path, text: str, mark: str, *, into: int = 0) -> list[dict[str, Any]]:
    place = at(path, text, mark, into=into)["position"]
    asked = {"textDocument": {"uri": path.as_uri()}, "range": {"start": place, "end": place}}
    code_actions: list[dict[str, Any]] = garden.editor.ask(
        "textDocument/codeAction", {**asked, "context": {"diagnostics": []}}
    )
    return code_actions


def apply_edits(text: str, edits: list[dict[str, Any]]) -> str:
    """Return a text after the edits of the protocol."""
    lines = [line.encode("utf-16-le") for line in text.split("\n")]
    for edit in sorted(edits, key=lambda each: (each["range"]["start"]["line"], each["range"]["start"]["character"]))[
        ::-1
    ]:
        start, end = edit["range"]["start"], edit["range"]["end"]
        head = lines[start["line"]][: 2 * start["character"]]
        tail = lines[end["line"]][2 * end["character"] :]
        new = (head + edit["newText"].encode("utf-16-le") + tail).decode("utf-16-le").split("\n")
        lines[start["line"] : end["line"] + 1] = [line.encode("utf-16-le") for line in new]
    return "\n".join(line.decode("utf-16-le") for line in lines)
