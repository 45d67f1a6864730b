"""Steps by themselves, and what examples begin with and come to, have the names of things as they are."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

from rulewright.book.changes.compared_side import Side
from rulewright.book.changes.sections.procedures import Heads
from rulewright.book.parts.example_runs import build_example_view
from rulewright.book.style.text_style import UnlinkedStyle
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.ruleset import Ruleset
from tests.book.garden import steps, write_garden
from tests.hostile_names import NAMES, written

STEPS = (
    "- {id: one, if: bed.size == tree, then: [{id: a, set: {season: 1}}], else: [{id: b, set: {season: 2}}]}",
    "- {id: group, when: bed.size == tree, steps: [{id: c, set: {season: 3}}]}",
    "- {id: bare, steps: [{id: d, set: {season: 4}}]}",
    "- {id: every, for_each: other, in: list(b for b in beds if b.size == tree), steps: [{id: e, set: {season: 5}}]}",
    "- {id: grown, set: {bed.size: tree}}",
    '- {id: own, text: "All of this:", steps: [{id: f, set: {season: 6}}]}',
)
TWO = (*NAMES, "Do this", "What: Otherwise: so")


class Reader(HTMLParser):
    """The text of some HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = ""
        self.feed(html)
        self.close()

    def handle_data(self, data: str) -> None:
        self.text += data


def garden(folder: Path, name: str, more: str = "") -> Ruleset:
    """Return the game, with a row and a field of this name."""
    quoted = '"' + written(name).replace("\\", "\\\\").replace('"', '\\"') + '"'
    rules = steps(*STEPS).replace("tree: {price: 5, needs: bush}", f"tree: {{price: 5, needs: bush, title: {quoted}}}")
    rules = rules.replace("watered: bool", f"watered: {{type: bool, wording: {quoted}}}")
    chosen = "  grand: {given: {whole: int}, is: sizes.tree, means: Which one of them. It is grand.}\n"
    rules = rules.replace("formulas:\n", f"formulas:\n{chosen}")
    return load_ruleset("garden/small", rules=[write_garden(folder, rules + more)])


@pytest.mark.parametrize("name", TWO)
def test_what_a_step_says_without_those_inside_it(name: str, tmp_path: Path) -> None:
    ruleset = garden(tmp_path, name)
    heads = Heads(Side(ruleset), ruleset.procedures["tend"])
    assert heads.head("one") == f"If the Bed’s size is {name} … Otherwise …"
    assert heads.head("one", ["b"]) == f"If the Bed’s size is {name} … Otherwise: (1) Set season to 2."
    assert heads.head("group") == f"If the Bed’s size is {name}, do what stands inside this step."
    assert heads.head("group", ["c"]) == f"If the Bed’s size is {name}: (1) Set season to 3."
    assert heads.head("bare") == "Do what stands inside this step."
    assert heads.head("every") == f"For each of the Beds whose size is {name}, in turn …"
    assert heads.head("grown") == f"The Bed’s size is now {name}."
    assert heads.head("own") == "All of this …"


@pytest.mark.parametrize("name", NAMES)
def test_what_an_example_begins_with_and_comes_to(name: str, tmp_path: Path) -> None:
    given = "given: {players: [{seed: 5}], bed: {owner: 1, size: tree, watered: true}}"
    expect = "{bed.size: tree, 'list(b.size for b in beds)': [tree]}"
    more = f"  one: {{title: One, of: tend, {given}, until: one, expect: {expect}}}\n"
    more += "  two: {title: Two, value: grand(2), expect: tree}\n"
    ruleset = garden(tmp_path, name, more)
    one, two = (build_example_view(ruleset.examples[each], UnlinkedStyle(ruleset)) for each in ("one", "two"))
    assert Reader(one.given[-1]).text.endswith(f" 1, {name}, {name}")
    assert Reader(one.results[0]).text == f"The Bed’s size is {name}."
    assert [Reader(each).text for each in two.results] == [f"Which one of them (whole: 2): {name}."]
