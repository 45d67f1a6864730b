"""What is known to have changed of a text's rules since it was signed, and that none of it is hidden."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.book.parts.rule_summaries import build_describer
from rulewright.cli.write_fixes import sign
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.prose.layer_changes import find_layer_changes

STEPS = "\n".join(f"      - {{id: s{number}, gain: {{who: who, coin: {number}}}}}" for number in range(1, 41))
BASE = f"""\
numbers: {{wage: {{is: 4, means: What a day pays.}}}}
kinds: {{player: {{fields: {{coin: int}}}}}}
exceptions:
  old: {{to: day.s5, when: who.coin > 90, means: The rich get nothing.}}
tables:
  jobs:
    columns: {{pay: int}}
    rows: {{smith: {{pay: 3}}, baker: {{pay: 2}}}}
procedures:
  day:
    title: A day
    means: Somebody works.
    given: {{who: player}}
    steps:
{STEPS}
      - id: late
        if: who.coin > 3
        then: [{{id: inner, gain: {{who: who, coin: wage}}}}]
  night:
    title: A night
    means: Somebody sleeps.
    given: {{who: player}}
    steps: [{{id: slept, gain: {{who: who, coin: 1}}}}]
pages:
  work:
    title: Work
    letter: W
    about: Earning.
    sections:
      pay: {{title: Pay, explains: [procedures.day, tables.jobs.pay], text: You are paid., reviewed: old}}
      part: {{title: Part, explains: [procedures.day.late], text: You are paid late., reviewed: old}}
      sleep: {{title: Sleep, explains: [procedures.night], text: You sleep., reviewed: old}}
"""
HOUSE = """\
procedures:
  day:
    title: A long day
    steps:
      - {id: s40, gain: {coin: 77}}
      - {id: inner, gain: {coin: wage + 1}}
      - {delete: s7}
      - {after: s39, id: tip, gain: {who: who, coin: 55}}
exceptions:
  young: {to: day.s38, when: who.coin < 2, means: The poor are spared.}
  old: {delete: true}
tables: {jobs: {rows: {cook: {pay: 9}}}}
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    for name, extends, text in (("base", "", BASE), ("house", "extends: work/base\n", HOUSE)):
        (tmp_path / name).mkdir()
        manifest = f"ruleset: work/{name}\nversion: 1.0.0\ntitle: Work\nstatus: draft\nplayers: 1\n{extends}"
        (tmp_path / name / "ruleset.yaml").write_text(manifest)
        (tmp_path / name / "rules.yaml").write_text(text)
    return tmp_path


def test_each_change_is_known_by_the_part_of_the_rule_it_is_made_to(rules: Path) -> None:
    ruleset = load_ruleset("work/house", rules=[rules])
    pay, part, sleep = ruleset.pages["work"].sections
    by = "by work/house@1.0.0"
    assert {each.path: (each.how, each.is_removed) for each in find_layer_changes(pay, ruleset)} == {
        "procedures.day.s40": (f"changed {by}", False),
        "procedures.day.inner": (f"changed {by}", False),
        "procedures.day.s7": (f"taken out {by}", True),
        "procedures.day.tip": (f"added {by}", False),
        "procedures.day.s38": (f"special case added {by}", False),
        "procedures.day.s5": (f"special case taken out {by}", False),
        "tables.jobs.cook": (f"added {by}", False),
    }
    assert [each.path for each in find_layer_changes(part, ruleset)] == ["procedures.day.inner"]
    assert find_layer_changes(sleep, ruleset) == []


def test_nothing_is_known_of_changes_in_the_layer_that_signed(rules: Path) -> None:
    ruleset = load_ruleset("work/base", rules=[rules])
    assert [find_layer_changes(section, ruleset) for section in ruleset.pages["work"].sections] == [[], [], []]


def test_of_what_is_inherited_nothing_is_told_beside_what_the_edition_did(rules: Path) -> None:
    own = "procedures: {day: {steps: [{id: s39, gain: {coin: 78}}]}}\n"
    for name, extends, text in (
        ("own", "work/house", own),
        ("idle", "work/house", "numbers: {wage: 5}\n"),
        ("over", "work/house", "procedures: {day: {steps: [{id: s2, gain: {coin: 22}}]}}\n"),
        ("stack", "work/house\noverlays: [work/over]", own),
    ):
        (rules / name).mkdir()
        manifest = f"ruleset: work/{name}\nversion: 1.0.0\ntitle: Work\nstatus: draft\nextends: {extends}\n"
        (rules / name / "ruleset.yaml").write_text(manifest)
        (rules / name / "rules.yaml").write_text(text)

    def list_changes(name: str) -> dict[str, str]:
        ruleset = load_ruleset(f"work/{name}", rules=[rules])
        return {each.path: each.how for each in find_layer_changes(ruleset.pages["work"].sections[0], ruleset)}

    assert list_changes("own") == {"procedures.day.s39": "changed by work/own@1.0.0"}
    # An overlay is no more inherited than what the edition says itself.
    by = {"procedures.day.s2": "changed by work/over@1.0.0", "procedures.day.s39": "changed by work/stack@1.0.0"}
    assert list_changes("stack") == by
    # Where nothing else can be the reason, what lies in between is.
    assert list_changes("idle") == list_changes("house") != {}


def test_the_whole_of_a_long_rule_is_shown_to_whoever_signs(rules: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sign(lambda: load_ruleset("work/house", rules=[rules]), ["work.pay"], build_describer, everything=True)
    changed, whole = capsys.readouterr().out.split("  The rules say:\n")
    assert "What changed since it was signed:" in changed
    assert "  procedures.day.s7 (taken out by work/house@1.0.0)\n" in changed
    for said in ("77", "55", "The poor are spared."):
        assert said in changed
        assert said in whole
    assert "…" not in whole
    assert "\n    (3) The player gains 3 coin.\n" in whole
