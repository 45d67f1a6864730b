"""Rules with `internal: true`, which the book leaves out."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.book.parts.step_sentences import StepWriter
from rulewright.book.parts.trigger_sentences import list_applying_triggers
from rulewright.book.rulebook import render_site
from rulewright.book.style.text_style import Style
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.prose.prose_lint import lint_words
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.diagnostics.formats import text as text_format
from tests.book.garden import write_garden
from tests.source.goldens import assert_golden

GOLDENS = Path(__file__).parents[1] / "ruleset" / "goldens" / "lints"

RULES = """\
terms: {point: {name: point, means: What players collect.}}
numbers: {step: {is: 4, means: Only for a formula., INTERNAL}}
kinds: {player: {fields: {score: {type: count, wording: "{point.plural}", means: What a player has.}}}}
tables:
  helper: {title: Helper, INTERNAL, columns: {worth: int}, rows: {oak: {worth: 1}, elm: {worth: 2}}}
  prices: {title: Prices, columns: {worth: int}, rows: {ash: {worth: 1}, fir: {worth: 2}}}
  grid: {title: Hidden grid, INTERNAL, grid: {columns: 2, rows: 2}}
formulas:
  gain: {is: "max(helper.oak.worth, inner) + step", means: What a player gains., INTERNAL, wording: the gain}
  inner: {is: prices.ash.worth + 1, means: An inner value., wording: the inner value}
procedures:
  game:
    title: A game
    means: Play on.
    steps:
      - id: each
        for_each: who
        in: players
        steps: [{id: turn, do: counting, with: {who: who}}, {id: rest, do: resting}]
      - {id: over, finish: {winners: []}}
  resting: {title: Resting, means: Nothing happens., steps: [{id: no, stop: true}]}
  counting:
    title: Counting
    means: A player counts.
    INTERNAL
    given: {who: player}
    wording: "{given.who} counts"
    steps:
      - {id: more, gain: {who: who, score: gain}}
      - {id: pause, do: resting}
whenever:
  ceiling:
    title: The ceiling
    means: Nobody has more.
    INTERNAL
    gains: player.score
    then: [{id: cut, set: {player.score: 8}}]
pages:
  play:
    title: Play
    letter: P
    about: What happens.
    sections:
      turn: {title: A turn, explains: [EXPLAINS], text: "TEXT", show: [procedures.game, tables.prices, tables.helper]}
"""
EVERYWHERE = ("Helper", "Hidden grid", "Counting", "The ceiling", "hat a player gains", "Only for a formula")
BOOK = (
    "aid.md",
    "board.html",
    "index-of-the-book.md",
    "index.md",
    "play-rules.md",
    "reference.md",
    "short.html",
    "whole.html",
)


def load(
    folder: Path, *, internal: str = "internal: true", explains: str = "procedures.game", text: str = "Play."
) -> Ruleset:
    key = f"    {internal}\n" if internal else ""
    rules = RULES.replace("    INTERNAL\n", key).replace(", INTERNAL", f", {internal}" if internal else "")
    manifest = "ruleset: garden/game\nversion: 1.0.0\ntitle: Garden\nstatus: draft\nplayers: 2..2\nstart: game\n"
    text = rules.replace("EXPLAINS", explains).replace("TEXT", text)
    return load_ruleset("garden/game", rules=write_garden(folder, text, manifest))


def test_the_book_leaves_out_internal_rules(tmp_path: Path) -> None:
    site = render_site(load(tmp_path, text="Play. A step is {numbers.step}."))
    for words in EVERYWHERE:
        assert not [file for file in BOOK if words in site.get(file, "")], words
        assert words in site["holdings.md"], words
    assert "board.html" not in site
    assert "An inner value" not in site["play-rules.md"]


@pytest.mark.parametrize("internal", [True, False])
def test_steps_do_not_mention_an_internal_trigger_that_applies_to_them(tmp_path: Path, internal: bool) -> None:
    ruleset = load(tmp_path, internal="internal: false")
    if internal:
        rules = tmp_path / "garden" / "small" / "garden.yaml"
        before, after = rules.read_text().split("whenever:")
        rules.write_text(f"{before}whenever:{after.replace('internal: false', 'internal: true', 1)}")
        ruleset = load_ruleset("garden/game", rules=[tmp_path])
    sentence = StepWriter(ruleset.procedures["counting"], Style(ruleset)).all()
    assert ("applies here" in sentence) is not internal
    paths = list_applying_triggers(("procedures", "counting"), ruleset)
    assert len(paths) == 1


def test_other_rules_are_in_the_book(tmp_path: Path) -> None:
    site = render_site(load(tmp_path, internal="", text="Play. A step is {numbers.step}."))
    for words in EVERYWHERE:
        assert [file for file in BOOK if words in site.get(file, "")], words
        assert words not in site["holdings.md"], words


def test_the_course_has_the_stages_within_an_internal_procedure(tmp_path: Path) -> None:
    aid = render_site(load(tmp_path))["aid.md"]
    assert aid.count("Resting") == 2


def test_links_lead_to_the_section_that_explains_a_rule(tmp_path: Path) -> None:
    rules = load(tmp_path, explains="procedures.game, tables.helper", text="Count by {tables.helper}.")
    site = render_site(rules)
    assert 'href="#turn"' in site["play-rules.md"]
    assert len(lint(rules)) == 1  # only for `show:`
    assert "holdings.md#table-helper" not in site["play-rules.md"]


@pytest.mark.parametrize("text", ["Count by {tables.helper}.", "Count by [a list](tables.helper)."])
def test_links_lead_to_the_page_for_designers(text: str, tmp_path: Path) -> None:
    rules = load(tmp_path, text=text)
    assert "holdings.md#table-helper" in render_site(rules)["play-rules.md"]
    sentence = text_format.render(lint(rules)).replace(str(tmp_path), "rules")
    assert_golden(f"internal_{'placeholder' if '{' in text else 'link'}.txt", sentence, folder=GOLDENS)


def lint(rules: Ruleset) -> list[Diagnostic]:
    diagnostics = Diagnostics()
    lint_words(rules, diagnostics)
    return [each for each in diagnostics if each.code.id == "internal-rule"]


def test_the_key_changes_no_gameplay(tmp_path: Path) -> None:
    assert load(tmp_path / "one").digest == load(tmp_path / "two", internal="").digest
