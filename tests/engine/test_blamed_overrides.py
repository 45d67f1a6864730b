"""An inherited example that fails points at what the layer above changed and its run read, and at nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.schema.edition_reference import parse_reference
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.testing.check_edition import check_edition

BASE = """\
numbers:
  wage: {is: 3, means: What a day pays.}
  rent: {is: 1, means: What a night costs.}
  two_rents: {is: rent + rent, means: Both of them.}
  bonus: {is: 2, means: What a good day adds.}
tables:
  jobs:
    title: Jobs
    columns: {pay: int, tip: int}
    rows: {cook: {pay: 3, tip: 1}, clerk: {pay: 4, tip: 0}}
kinds:
  player: {fields: {coin: {type: count, means: The purse.}, job: {type: optional jobs, means: The work.}}}
formulas:
  pay: {given: {who: player}, is: 'jobs[who.job].pay if who.job else wage', means: What somebody earns.}
state: {day: {type: count, means: The day.}}
procedures:
  day:
    title: Day
    means: Everybody works.
    given: {who: player}
    steps:
      - {id: work, do: pay_day, with: {who: who}}
      - {id: sleep, when: who.coin > 90, pay: {who: who, coin: rent}}
  pay_day:
    title: Pay day
    means: Somebody is paid.
    given: {who: player}
    steps:
      - {id: paid, gain: {who: who, coin: pay(who)}}
      - {id: extra, when: day == 7, gain: {who: who, coin: bonus}}
examples:
  first: {title: First, of: day, expect: {who.coin: 3}}
  as_cook: {title: As a cook, of: day, given: {who: {job: cook}}, expect: {who.coin: 3}}
  rich: {title: Rich, of: day, given: {players: [{coin: 95}]}, expect: {who.coin: 97}}
"""


Blamed = dict[tuple[str, ...], list[str]]


def check(folder: Path, house: str) -> Blamed:
    """Return what house rules over `BASE` change that contradicts examples, and what else these have read of it."""
    for name, extends, text in (("base", "", BASE), ("house", "extends: work/base\n", house)):
        (folder / name).mkdir(exist_ok=True)
        manifest = f"ruleset: work/{name}\nversion: 1.0.0\ntitle: Work\nstatus: draft\nplayers: 1\n{extends}"
        (folder / name / "ruleset.yaml").write_text(manifest)
        (folder / name / "rules.yaml").write_text(text)
    catalogue = Catalogue([folder])
    checked = check_edition(catalogue, catalogue.find(parse_reference("work/house")))
    assert all("/house/" in each.span.file for each in checked.diagnostics.errors)
    return {each.examples: [each.message.split("`")[1], *_others(each)] for each in checked.diagnostics.errors}


def _others(diagnostic: Diagnostic) -> list[str]:
    notes = [note.message for note in diagnostic.related if "/house/" in note.span.file]
    return [re.findall(r"(?:value of|in|from|section) `(\w+)`", note)[0] for note in notes]


@pytest.mark.parametrize(
    ("house", "blamed"),
    [
        # Through a nested `do` and a formula.
        ("numbers: {wage: 5}", {("first", "rich"): ["wage"]}),
        ("numbers: {wage: 5, rent: 2, bonus: 9}", {("first",): ["wage"], ("rich",): ["rent", "wage"]}),
        (
            "numbers: {wage: two_rents + 5, rent: 4}",
            {("first",): ["wage", "rent"], ("rich",): ["rent", "wage"]},
        ),
        ("tables: {jobs: {rows: {cook: {pay: 8}, clerk: {pay: 9}}}}", {("as_cook",): ["jobs.cook.pay"]}),
        ("tables: {jobs: {rows: {cook: {pay: 8, tip: 9}}}}\nnumbers: {bonus: 7}", {("as_cook",): ["jobs.cook.pay"]}),
        (
            # The step `extra` was come to, and not carried out.
            "procedures:\n  day: {steps: [{id: sleep, pay: {coin: 2}}]}\n"
            "  pay_day: {steps: [{id: extra, gain: {coin: 9}}]}",
            {("rich",): ["day.sleep"]},
        ),
        (
            "procedures: {pay_day: {steps: [{delete: paid}]}}",
            {("first", "as_cook", "rich"): ["pay_day.paid"]},
        ),
        # Nothing below knows of a new number: it is the new step that reads it.
        (
            "numbers: {tip: {is: 2, means: A tip.}}\n"
            "procedures: {pay_day: {steps: [{after: paid, id: more, gain: {who: who, coin: tip}}]}}",
            {("first", "as_cook", "rich"): ["pay_day.more", "tip"]},
        ),
        # No layer below has a section for dice.
        ("numbers: {wage: 5}\ndice: {dC: {faces: [3, 3], means: A coin.}}", {("first", "rich"): ["wage", "dice"]}),
    ],
)
def test_overrides_that_the_run_read_are_named(tmp_path: Path, house: str, blamed: Blamed) -> None:
    assert check(tmp_path, house) == blamed


PAID = "procedures: {pay_day: {steps: [{id: paid, gain: {coin: 5}}, {id: extra, when: day == 8}]}}"
SLEPT = "procedures: {day: {steps: [{id: sleep, when: who.coin > 80}]}}\nnumbers: {wage: 4}"


@pytest.mark.parametrize(("house", "blamed"), [(PAID, "pay_day.paid"), (SLEPT, "wage")])
def test_a_change_that_is_harmless_alone_is_not_blamed(tmp_path: Path, house: str, blamed: str) -> None:
    """The run reads the condition last, but passes only without the other change."""
    assert {names[0] for names in check(tmp_path, house).values()} == {blamed}


def test_what_is_only_told_is_never_at_fault(tmp_path: Path) -> None:
    page = "pages: {day: {title: Day, letter: D, about: Morning., sections: {}}}\n"
    words = "procedures: {day: {means: Everybody toils.}, pay_day: {title: Pay}}\nnumbers: {wage: {is: 5, means: Pay.}}"
    assert check(tmp_path, page + words) == {("first", "rich"): ["wage"]}


@pytest.mark.parametrize(
    ("house", "blamed"),
    [
        ("numbers: {hero_cost: 7}", {("armed_at_once", "first_hero"): 1}),
        (
            "numbers: {hero_upkeep: 2}\ntables: {settlement_tiers: {rows: {villa: {cost: 11}}}}\n"
            "pages: {daybreak: {about: Morning.}}",
            {("upkeep_of_two", "an_unpaid_hero", "first_income_first"): 1, ("growing",): 2},
        ),
    ],
)
def test_overrides_of_a_large_game_are_told_apart(
    tmp_path: Path, house: str, blamed: dict[tuple[str, ...], int]
) -> None:
    manifest = "ruleset: house/own\nversion: 1.0.0\nextends: fuzzy-knights/normal@1.0\ntitle: Own\nstatus: draft\n"
    (tmp_path / "ruleset.yaml").write_text(manifest)
    (tmp_path / "rules.yaml").write_text(house)
    catalogue = Catalogue([tmp_path, Path("rules")])
    checked = check_edition(catalogue, catalogue.find(parse_reference("house/own")))
    assert all(str(tmp_path) in each.span.file for each in checked.diagnostics.errors)
    assert {each.examples: each.span.line for each in checked.diagnostics.errors} == blamed


@pytest.mark.parametrize(("house", "is_shown"), [("day % 7 == 0", True), ("who.coin < 90", False)])
def test_a_value_of_the_game_that_an_example_does_not_give_is_told(
    tmp_path: Path, house: str, *, is_shown: bool
) -> None:
    check(tmp_path, f"procedures: {{pay_day: {{steps: [{{id: extra, when: {house}}}]}}}}")
    catalogue = Catalogue([tmp_path])
    edition_check = check_edition(catalogue, catalogue.find(parse_reference("work/house"))).diagnostics.errors
    note = "`day` is 0 here, because the examples do not set it: `given: {day: …}`"
    assert {note in each.help for each in edition_check} == {is_shown}
