"""Whatever stands in a file, panels answer from rules that were sound, or say what is wrong: never with a traceback."""

from __future__ import annotations

import re

import pytest

from rulewright.base.errors import RulewrightError
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.studio.panels import load_panels
from rulewright.studio.panels.panel import PanelRequest
from tests.studio.conftest import MANIFEST, RULES
from tests.studio.desk import Table
from tests.studio.test_panels_read import served

WRITTEN = [
    "numbers:",
    *(RULES[:end] for end in range(67, len(RULES), 67)),
    RULES.replace(":", ""),
    "\x00",
    "é: [",
    "- a\n- b\n",
]
"""Rules as they are written from their beginning on, and what is no rules."""
QUIET = ("read", "try", "odds", "play", "changes")
"""The panels that begin no work of their own."""


@pytest.mark.parametrize("before", [True, False], ids=["once sound", "never sound"])
def test_every_panel_stands_whatever_is_written(table: Table, before: bool) -> None:
    if before:
        table.ask("odds", "pigs/rules.yaml")
    answered, refused = 0, []
    for text in WRITTEN:
        table.write("pigs/rules.yaml", text)
        line = text.count("\n") + 1
        column = len(text) - text.rfind("\n")
        for name in QUIET:
            try:
                answer = load_panels()[name].answer(table.desk, PanelRequest("pigs/rules.yaml", line, column))
            except RulewrightError as error:
                refused.append((name, text[-40:], str(error)))
            else:
                answered += 1
                assert answer["ref"] == "house/pigs@0.1.0"
                assert not answer["stale"] or answer["diagnostics"]
    assert answered > len(WRITTEN)
    assert all(said for _, _, said in refused)
    # What was sound once is there to answer from.
    assert bool(refused) is not before, refused


PAGE = """\
pages:
  herding:
    title: Herding
    icon: pot
    letter: H
    sections:
      all:
        title: All of it
        text: So it goes.
        %s: [%s]
"""


@pytest.mark.parametrize("names", ["explains", "show"])
@pytest.mark.parametrize("named", ["procedures.", "procedures.gam", "numbers.", "tables.", "examples.", "steps."])
def test_a_page_whose_section_names_what_is_half_written_is_read(table: Table, names: str, named: str) -> None:
    table.write("pigs/rules.yaml", RULES + PAGE % (names, named))
    answer = load_panels()["read"].answer(table.desk, PanelRequest("pigs/rules.yaml", RULES.count("\n") + 8, 10))
    assert answer["page"]
    assert served(table, answer["page"]).content


def test_questions_are_read_though_an_example_of_one_is_taken_away(table: Table) -> None:
    over = "fuzzy-knights/normal@1.0"
    table.write("pigs/ruleset.yaml", re.sub("extends: .*", f"extends: {over}", MANIFEST))
    example = next(question.examples[0].text for question in load_ruleset(over).faq.values() if question.examples)
    table.write("pigs/rules.yaml", f"examples:\n  {example}: {{delete: true}}\n")
    response = table.ask("read", "pigs/rules.yaml", page="faq")
    assert not response["stale"]
    assert served(table, response["page"]).content


def test_every_panel_stands_without_a_manifest_and_without_an_edition(table: Table) -> None:
    for manifest in ("", "ruleset: x\n", MANIFEST.replace("house/herd@1.0", "house/none@1.0")):
        table.write("pigs/ruleset.yaml", manifest)
        for name in load_panels():
            with pytest.raises(RulewrightError):
                table.ask(name, "pigs/rules.yaml")
    table.write("notes.yaml", "numbers: {a: 1}\n")
    for name in load_panels():
        with pytest.raises(RulewrightError, match="no edition reads this file"):
            table.ask(name, "notes.yaml")
        with pytest.raises(RulewrightError, match="no edition is called"):
            table.ask(name, "notes.yaml", ref="house/none@1.0.0")
    for name in load_panels():
        with pytest.raises(RulewrightError):
            table.ask(name, "herd/nothing.yaml")
