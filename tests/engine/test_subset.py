"""Decisions that choose several elements of a list: which elements, and which option a selection is."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from itertools import combinations, permutations
from pathlib import Path

import jsonschema
import pytest

from rulewright import Game, GameError
from rulewright.engine.game.json_contracts import build_decision_schema
from rulewright.engine.game.subset import Subset, find_elements
from rulewright.engine.state.game_state import State
from rulewright.engine.state.machine import Machine
from rulewright.language.operations import list_subsets
from tests.engine.machines import Table
from tests.language.inline import MANIFEST, sound

PHRASES = Path(__file__).parents[2] / "engine/rulewright/export/js/phrases.js"
TWO = MANIFEST.replace("1..4", "2, start: game")
SIZES = [(many, low, high) for many in range(1, 7) for low in range(many + 1) for high in range(max(low, 1), many + 1)]


@pytest.mark.parametrize(("many", "low", "high"), SIZES)
def test_elements_and_options_are_those_of_every_selection(many: int, low: int, high: int) -> None:
    items = tuple("abcdef"[:many])
    options = list_subsets(items, low, high)
    assert find_elements(options) == (items, low, high)
    assert find_elements((*options, None)) == (items, low, high)
    subset = Subset(items, low, high)
    for size in range(many + 1):
        for chosen in combinations(range(many), size):
            index = subset.find(chosen[::-1])
            if low <= size <= high:
                assert index is not None
                assert options[index] == tuple(items[place] for place in chosen)
            else:
                assert index is None
    with pytest.raises(GameError, match=f"from 0 to {many - 1}"):
        subset.find([many])


@pytest.mark.parametrize(("many", "low", "high"), SIZES)
def test_elements_and_options_are_those_of_every_sequence(many: int, low: int, high: int) -> None:
    items = tuple("abcdef"[:many])
    options = list_subsets(items, low, high, in_order=True)
    assert len(set(options)) == len(options)
    assert find_elements((*options, None), in_order=True) == (items, low, high)
    subset = Subset(items, low, high, in_order=True)
    for size in range(many + 1):
        for chosen in permutations(range(many), size):
            index = subset.find(chosen)
            assert (index is not None) is (low <= size <= high)
            assert index is None or options[index] == tuple(items[place] for place in chosen)
    assert subset.find([0, 0]) is None


def test_a_sequence_is_asked_for_and_kept_in_every_machine() -> None:
    source = re.sub("(at_most: [23])", r"\1, in_order: true", HANDS)
    steps = "      - {id: kept, set: {player.hand: 'pass + (any or [])'}}\n"
    ruleset = sound(source.replace('"[[pass[one]], player.hand]"', "'[player.hand, pass]'") + steps, manifest=TWO)
    for seed in range(4):
        assert Table(ruleset).play(lambda machine: (_begin(machine), "game", ()), seed) == "over"
    game = Game(ruleset)
    decision = game.decision
    assert decision is not None
    jsonschema.validate(decision.to_json(), build_decision_schema())
    assert decision.subset == Subset(("One", "Two", "Three", "Four", "Five", "Six"), 3, 3, in_order=True)
    assert decision.to_json()["subset"]["in_order"] is True
    game.choose("five+one+three")
    game.choose("two+one")
    game.choose("one")
    assert "chooses Five, One and Three" in str(game.story())


GROUPS = """
      - {id: run, choose: {who: player, some_of: player.hand, at_least: 3, at_most: 4,
          such_that: "all(c.rank < first(it).rank + count(it) for c in it if last(it))"}}
      - {id: all_, choose: {who: players, as: p, some_of: p.hand, at_most: 2, in_order: true, or_none: storm,
          such_that: "none(c for c in it if c in run) and ((first(it) or one) > (last(it) or one) or not any(it))"}}
      - {id: kept, set: {player.hand: "run + (all_[player] or [])"}}
"""


def test_only_selections_with_a_property_are_offered_by_every_machine() -> None:
    head = HANDS.partition("      - {id: pass")[0].replace("{player: player}", "{player: player, storm: bool}")
    steps = GROUPS.replace("first(it).rank", "(first(it) or cards.one).rank")
    ruleset = sound(head + steps, manifest=TWO)
    for seed in range(4):
        assert Table(ruleset).play(lambda machine: (_begin(machine), "game", ()), seed) == "over"
    game = Game(ruleset)
    decision = game.decision
    assert decision is not None
    assert decision.subset is None
    runs = ["one+two+three", "two+three+four", "three+four+five", "four+five+six"]
    longer = ["one+two+three+four", "two+three+four+five", "three+four+five+six"]
    assert [option.id for option in decision.options] == runs + longer
    game.choose("two+three+four")
    decision = game.decision
    assert decision is not None
    assert [option.id for option in decision.options] == ["nothing", "five+one", "six+one", "six+five"]


def _begin(machine: Machine) -> State:
    state = machine.empty(2)
    state.objects[0][machine.layout.places["game", "player"]] = 1
    return state


def test_equal_elements_stay_separate() -> None:
    assert find_elements(list_subsets(("a", "a", "b"), 2, 2)) == (("a", "a", "b"), 2, 2)


HANDS = """
tables: {cards: {rows: {one: {}, two: {}, three: {}, four: {}, five: {}, six: {}}}}
kinds: {player: {fields: {hand: {type: list of cards, default: list(c for c in cards)}}}}
state: {player: player}
procedures:
  game:
    steps:
      - {id: pass, choose: {who: player, some_of: player.hand, at_least: 3, at_most: 3}}
      - {id: any, choose: {who: player, some_of: player.hand, at_most: 2, or_none: true}}
      - {id: one, choose: {who: player, one_of: player.hand}}
      - {id: lists, choose: {who: player, one_of: "[[pass[one]], player.hand]"}}
"""


def test_a_decision_says_of_which_elements_its_options_are_selections() -> None:
    source = HANDS.replace('"[[pass[one]], player.hand]"', '"[player.hand, pass]"')
    game = Game(sound(source, manifest=MANIFEST.replace("1..4", "2, start: game")))
    schema = build_decision_schema()
    expected = [("pass", (3, 3)), ("any", (0, 2)), ("one", None), ("lists", None)]
    for step, sizes in expected:
        decision = game.decision
        assert decision is not None
        assert decision.rule == f"game.{step}"
        written = decision.to_json()
        jsonschema.validate(written, schema)
        if sizes is None:
            assert decision.subset is None
            assert "subset" not in written
        else:
            assert decision.subset == Subset(("One", "Two", "Three", "Four", "Five", "Six"), *sizes)
            assert written["subset"]["elements"] == ["One", "Two", "Three", "Four", "Five", "Six"]
            index = decision.subset.find([4, 1] if sizes[0] == 0 else [4, 1, 2])
            assert index is not None
            assert decision.options[index].id in ("two+five", "two+three+five")
        game.choose(decision.options[1])


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
def test_a_page_finds_the_same_option() -> None:
    program = f"""
      import {{ subsetOf }} from {json.dumps(PHRASES.as_uri())};
      const choose = (items, size) => size === 0 ? [[]]
        : items.flatMap((first, at) => choose(items.slice(at + 1), size - 1).map((rest) => [first, ...rest]));
      const order = (items, size) => size === 0 ? [[]]
        : items.flatMap((first, at) => order(items.filter((_, other) => other !== at), size - 1)
          .map((rest) => [first, ...rest]));
      const found = [], say = {{ choice: (value) => [value] }};
      for (const [many, low, high] of {json.dumps(SIZES)}) {{
        const items = [..."abcdef"].slice(0, many), values = [];
        for (let size = low; size <= high; size += 1) values.push(...choose(items, size));
        const subset = subsetOf([...values, null], {{ list: "choice" }}, say);
        const sequences = [];
        for (let size = low; size <= high; size += 1) sequences.push(...order(items, size));
        const ordered = subsetOf([...sequences, null], {{ list: "choice" }}, say, true);
        if (String(ordered.elements) !== String(subset.elements) || !ordered.in_order) throw new Error("elements");
        for (const [at, each] of sequences.entries()) {{
          if (ordered.find(each.map((one) => items.indexOf(one))) !== at) throw new Error(each);
        }}
        const places = items.map((_, at) => at);
        const asked = places.flatMap((_, at) => choose(places, at));
        found.push([subset.elements, subset.at_least, subset.at_most, asked.map((each) => subset.find(each))]);
      }}
      console.log(JSON.stringify(found));
    """
    process = subprocess.run(["node", "--input-type=module", "-e", program], capture_output=True, text=True, check=True)
    for (many, low, high), (elements, least, most, places) in zip(SIZES, json.loads(process.stdout), strict=True):
        subset = Subset(tuple("abcdef"[:many]), low, high)
        assert (tuple(elements), least, most) == (subset.elements, low, high)
        assert places == [subset.find(each) for size in range(many) for each in combinations(range(many), size)]
