"""Examples of sides that face each other, as pictures with words."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from rulewright.book.parts.example_runs import ExampleView, build_example_view
from rulewright.book.style.text_style import HtmlStyle
from rulewright.ruleset.lints import run_lints
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics

RULES = """
terms:
  crew: {name: Crew, means: Those who pull.}
  giant: {name: Giant, means: Pulls alone.}
kinds:
  rope_end: {fields: {player: optional player}}
  giant: {fields: {name: text}}
  crew:
    term: crew
    label: {giant: "a giant", many: "{crew} of {self.many}"}
    side: end
    fields: {end: rope_end, giant: optional giant, many: count}
procedures:
  pull:
    given: {loser: crew}
    steps:
      - {id: gone, remove: loser}
  wait:
    steps:
      - {id: nothing, let: 1}
examples:
  tug:
    title: A tug
    of: pull
    given:
      rope_ends: [{player: 1}, {}]
      crews: [{end: rope_ends.1, many: 3}, {end: rope_ends.2, many: 4}]
      loser: crews.2
    expect: {count(crews): 1}
  stand:
    title: A stand
    of: wait
    given: {giants: [{}], rope_ends: [{}], crews: [{end: rope_ends.1, giant: giants.1}]}
    expect: {count(crews): 1}
"""


def ruleset(folder: Path, rules: str = RULES) -> Ruleset:
    home = folder / "games" / "tug"
    home.mkdir(parents=True)
    manifest = "ruleset: games/tug\nversion: 1.0.0\ntitle: Tug\nstatus: draft\nplayers: 2..4\n"
    (home / "ruleset.yaml").write_text(manifest, encoding="utf-8")
    (home / "tug.yaml").write_text(rules, encoding="utf-8")
    return load_ruleset("games/tug", rules=[folder])


def view(folder: Path, example: str) -> ExampleView:
    loaded = ruleset(folder)
    return build_example_view(loaded.examples[example], HtmlStyle(loaded, lambda path: None))


def titles(drawing: str) -> list[str]:
    return [unescape(title) for title in re.findall(r"<title>(.*?)</title>", drawing)]


def test_both_sides_are_drawn_before_and_after_with_words_for_those_who_do_not_see_them(tmp_path: Path) -> None:
    maps = view(tmp_path, "tug").maps
    assert maps is not None
    assert [each.when for each in maps.maps] == ["Before", "After"]
    before, after = (titles(each.drawing) for each in maps.maps)
    assert before == [
        "Before: The first rope end, player 1: Crew of 3; The second rope end: Crew of 4",
        "Crew of 3",
        "Crew of 4",
    ]
    assert after == ["After: The first rope end, player 1: Crew of 3; The second rope end: nobody", "Crew of 3"]
    assert "× 3" in maps.maps[0].drawing
    assert maps.owned
    assert [entry.name for entry in maps.legend] == ["Crew"]


def test_what_is_drawn_is_not_said_again(tmp_path: Path) -> None:
    assert view(tmp_path, "tug").given == ("Loser: the second Crew",)


def test_one_that_is_made_of_another_thing_is_drawn_as_that_and_once_where_nothing_moves(tmp_path: Path) -> None:
    maps = view(tmp_path, "stand").maps
    assert maps is not None
    (only,) = maps.maps
    assert (only.when, titles(only.drawing)) == ("", ["Rope end: a giant", "a giant"])
    assert [entry.name for entry in maps.legend] == ["Giant"]
    assert not maps.owned


@pytest.mark.parametrize(
    ("written", "sentence"),
    [("side: ends", "`crew` has no field `ends`"), ("side: many", "`many` is .*, but a side must be an object")],
)
def test_a_side_is_a_field_that_is_there_and_a_thing(written: str, sentence: str, tmp_path: Path) -> None:
    diagnostics = Diagnostics()
    run_lints(ruleset(tmp_path, RULES.replace("side: end", written)), diagnostics)
    (error,) = diagnostics.errors
    assert re.search(sentence, error.message)
    assert error.span is not None
    assert error.span.line == RULES.splitlines().index("    side: end") + 1
