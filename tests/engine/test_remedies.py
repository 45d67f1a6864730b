"""What is proposed where inherited examples fail can be followed, all of it at once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from rulewright.authoring.apply_fixes import Finding, FixResult
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.schema.edition_reference import parse_reference
from rulewright.source.diagnostics.formats import render
from rulewright.testing.check_edition import check_edition
from rulewright.testing.edition_check import EditionCheck

BASE = """\
numbers:
  wage: {is: 4, means: What a day pays.}
  fee: {is: 1, means: What a day costs.}
  limit: {is: 4, means: What a lucky roll is at least.}
kinds:
  player: {fields: {coin: int}}
  hand: {fields: {boss: player}}
formulas: {rent: {is: 3, means: What a room costs.}}
tables:
  tools:
    columns: {price: int}
    rows: {axe: {price: 3}, saw: {price: 2}}
procedures:
  day:
    title: A day
    means: Somebody works.
    given: {who: player}
    steps: [{id: paid, gain: {who: who, coin: wage}}, {id: left, pay: {who: who, coin: fee}}]
  gift:
    title: A gift
    means: Somebody gets a gift.
    given: {who: player}
    steps: [{id: got, gain: {who: who, coin: 9}}]
  hire:
    title: A new hand
    means: Somebody hires.
    given: {who: player}
    steps: [{id: hired, create: hand, with: {boss: who}, when: who.coin + wage > 3}]
  luck:
    title: Luck
    means: Somebody is lucky.
    steps: [{id: die, roll: 1d6}, {id: more, roll: 1d6, when: die >= limit}]
whenever:
  tithe: {gains: player.coin, when: amount > 8, then: [{id: given, pay: {who: player, coin: 1}}]}
examples:
  a: {title: A, value: wage, expect: 4}
  b: {title: B, value: wage + fee, expect: 5}
  c: {title: C, value: fee, expect: 1}
  d: {title: D, of: day, given: {who: 1}, expect: {who.coin: 3, wage: 4}}
  f: {title: F, of: rent, expect: 3}
  h: {title: H, of: hire, given: {who: 1}, expect: {count(hands): 1, "hands[1].boss": 1}}
  t: {title: T, value: "tools[axe].price", expect: 3}
  u: {title: U, value: sum(t.price for t in tools), expect: 5}
  x: {title: X, of: luck, dice: [4, 2], expect: {more: 2}}
  w: {title: W, of: gift, given: {who: 1}, expect: {who.coin: 8}}
faq:
  lucky: {question: "Who is lucky?", answer: "{numbers.limit}.", about: numbers.limit, example: x}
  both: {question: "What does a day pay?", answer: "{numbers.wage}.", about: numbers.wage, example: [a, b]}
  some: {question: "What does a day cost?", answer: "{numbers.fee}.", about: numbers.fee, example: [b, c]}
stories: {tale: {title: A tale, example: x}}
pages:
  work:
    title: Work
    letter: W
    about: Earning.
    sections:
      pay:
        title: Pay
        text: You are paid.
        show: [examples.a, examples.b, examples.x, stories.tale, procedures.day]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    house = "numbers: {wage: {is: 6}}\n"
    for name, extends, text in (("base", "", BASE), ("house", "extends: work/base\n", house)):
        (tmp_path / name).mkdir()
        manifest = f"ruleset: work/{name}\nversion: 1.0.0\ntitle: Work\nstatus: draft\nplayers: 1\n{extends}"
        (tmp_path / name / "ruleset.yaml").write_text(manifest)
        (tmp_path / name / "rules.yaml").write_text(text)
    return tmp_path


def checked(folder: Path) -> EditionCheck:
    catalogue = Catalogue([folder])
    return check_edition(catalogue, catalogue.find(parse_reference("work/house")))


def house(folder: Path, rules: str) -> None:
    (folder / "house" / "rules.yaml").write_text(rules, encoding="utf-8")


def fix(folder: Path) -> tuple[int, str]:
    """Apply all fixes as `check --fix --yes` does; how many were made, and the house rules afterwards."""
    file = folder / "house" / "rules.yaml"

    def check() -> Finding:
        edition_check = checked(folder)
        return list(edition_check.diagnostics), frozenset(["work/house"] if edition_check.sound else [])

    def write(texts: Mapping[str, str]) -> None:
        for name, text in texts.items():
            assert Path(name).parent == file.parent
            Path(name).write_text(text, encoding="utf-8")

    made = FixResult(check, [folder / "house"], lambda diagnostic, changed: "yes", write).run()
    return made, file.read_text(encoding="utf-8")


# -- one change, one diagnostic ------------------------------------------------------------


def test_a_changed_number_is_reported_once_where_it_is_changed(folder: Path) -> None:
    (diagnostic,) = checked(folder).diagnostics.errors
    assert diagnostic.code.id == "example-failed"
    assert diagnostic.message == "`wage` contradicts 3 inherited examples: “A”, “B” and “D”"
    assert (Path(diagnostic.span.file), diagnostic.span.line, diagnostic.span.column) == (
        folder / "house" / "rules.yaml",
        1,
        22,
    )
    assert diagnostic.examples == ("a", "b", "d")
    assert [each.message for each in diagnostic.related] == [
        "`a`: the result should be 4 but is 6 (an example of work/base@1.0.0)",
        "`b`: the result should be 5 but is 7 (an example of work/base@1.0.0)",
        "`d`: `who.coin` should be 3 but is 5 (an example of work/base@1.0.0)",
    ]
    assert all("base" in each.span.file for each in diagnostic.related)
    assert json.loads(render("json", [diagnostic]))[0]["examples"] == ["a", "b", "d"]


def test_its_fix_restates_all_examples_in_the_house_rules(folder: Path) -> None:
    restated = """\
numbers: {wage: {is: 6}}

examples:
  a: {expect: 6}
  b: {expect: 7}
  d: {expect: {who.coin: 5, wage: 6}}
"""
    assert fix(folder) == (1, restated)
    assert checked(folder).sound
    assert fix(folder) == (0, restated)


def test_what_is_restated_follows_the_number(folder: Path) -> None:
    fix(folder)
    text = (folder / "house" / "rules.yaml").read_text(encoding="utf-8")
    house(folder, text.replace("is: 6", "is: 8"))
    (diagnostic,) = checked(folder).diagnostics.errors
    assert (diagnostic.span.line, diagnostic.examples) == (1, ("a", "b", "d")), "it is the number that has changed"
    assert fix(folder)[1] == text.replace("7", "9").replace("5", "7").replace("6", "8")


def test_examples_are_restated_where_the_house_rules_have_others(folder: Path) -> None:
    follows = folder / "house" / "follows.yaml"
    follows.write_text("examples:\n  a:\n    title: Ours   # with a comment\n", encoding="utf-8")
    assert fix(folder) == (1, "numbers: {wage: {is: 6}}\n")
    assert follows.read_text(encoding="utf-8") == (
        "examples:\n  a:\n    title: Ours   # with a comment\n    expect: 6\n"
        "  b: {expect: 7}\n  d: {expect: {who.coin: 5, wage: 6}}\n"
    )


def test_what_is_restated_in_vain_is_fixed_where_it_is(folder: Path) -> None:
    house(folder, "examples: {a: {expect: 6}, d: {expect: {who.coin: 5, wage: 6}}}\n")
    (diagnostic,) = checked(folder).diagnostics.errors
    assert diagnostic.message == "2 examples are restated, but the rules lead to other results: “A” and “D”"
    assert (Path(diagnostic.span.file).parent.name, diagnostic.span.line, diagnostic.examples) == (
        "house",
        1,
        ("a", "d"),
    )
    fix(folder)
    assert checked(folder).sound
    house(
        folder,
        "numbers: {fee: 2}\nexamples: {a: {expect: 6}, b: {expect: 6}, c: {expect: 2}, d: {expect: {who.coin: 2}}}\n",
    )
    assert (
        fix(folder)[1] == "numbers: {fee: 2}\nexamples: {b: {expect: 6}, c: {expect: 2}, d: {expect: {who.coin: 2}}}\n"
    )


def test_each_changed_line_is_reported_with_its_own_examples(folder: Path) -> None:
    house(folder, "numbers:\n  wage: 6\n  fee: 2\n")
    diagnostics = checked(folder).diagnostics.errors
    assert [(each.span.line, each.examples) for each in diagnostics] == [(2, ("a",)), (3, ("b", "c", "d"))]
    # `b` reads both numbers, and `fee` last.
    assert "the value of `wage` comes from here: `work/house@1.0.0` changes it" in [
        each.message for each in diagnostics[1].related
    ]
    made, text = fix(folder)
    assert made == 2
    assert checked(folder).sound
    assert "b: {expect: 8}" in text


@pytest.mark.parametrize(
    ("rules", "name", "examples"),
    [
        ("procedures: {day: {steps: [{id: left, pay: {coin: fee + 1}}]}}\n", "`day.left`", ("d",)),
        ("procedures: {day: {steps: [{delete: left}]}}\n", "deleting `day.left`", ("d",)),
        (
            "procedures: {day: {steps: [{after: paid, id: more, gain: {who: who, coin: 1}}]}}\n",
            "adding `day.more`",
            ("d",),
        ),
        (
            "numbers: {tip: 2}\nprocedures: {day: {steps: [{after: paid, id: more, gain: {who: who, coin: tip}}]}}\n",
            "adding `day.more`",
            ("d",),
        ),
        ("formulas: {rent: {is: 2}}\n", "`rent`", ("f",)),
        ("whenever: {tithe: {delete: true}}\n", "deleting `tithe`", ("w",)),
        ("tables: {tools: {rows: {axe: {price: 5}}}}\n", "`tools.axe.price`", ("t", "u")),
    ],
)
def test_a_change_of_any_kind_is_named(folder: Path, rules: str, name: str, examples: tuple[str, ...]) -> None:
    house(folder, rules)
    diagnostics = checked(folder).diagnostics.errors
    assert [(each.message.partition(" contradicts")[0], each.examples) for each in diagnostics] == [(name, examples)]
    fix(folder)
    assert checked(folder).sound


def test_a_removed_row_is_reported_with_the_examples_that_name_it(folder: Path) -> None:
    house(folder, "tables: {tools: {rows: {axe: {delete: true}}}}\n")
    (diagnostic,) = checked(folder).diagnostics.errors
    assert diagnostic.message.startswith("deleting `tools.axe` contradicts 2 inherited examples")
    assert (diagnostic.span.line, diagnostic.examples) == (1, ("t", "u"))
    assert fix(folder)[1].endswith("examples:\n  u: {expect: 2}\n")
    (diagnostic,) = checked(folder).diagnostics.errors
    assert (diagnostic.code.id, diagnostic.examples, diagnostic.edits) == ("unknown-row", ("t",), ())


def test_what_no_changed_entry_explains_is_reported_at_the_example(folder: Path) -> None:
    base = folder / "base" / "rules.yaml"
    base.write_text(BASE.replace("faq:", "  r: {title: R, value: 5 / 2, expect: 2}\nfaq:"), encoding="utf-8")
    for name, rounding in (("base", "down"), ("house", "up")):
        manifest = folder / name / "ruleset.yaml"
        manifest.write_text(f"{manifest.read_text(encoding='utf-8')}rounding: {rounding}\n", encoding="utf-8")
    house(folder, "numbers: {wage: 6}\n")
    diagnostics = checked(folder).diagnostics.errors
    assert [(each.examples, Path(each.span.file).parent.name) for each in diagnostics] == [
        (("a", "b", "d"), "house"),
        (("r",), "base"),
    ]
    assert diagnostics[1].message == "`r`: the result should be 2 but is 3 (an example of work/base@1.0.0)"
    fix(folder)
    assert checked(folder).sound


def test_an_expectation_of_what_is_gone_is_dropped(folder: Path) -> None:
    house(folder, "procedures: {hire: {steps: [{id: hired, when: who.coin + wage > 4}]}}\n")
    (diagnostic,) = checked(folder).diagnostics.errors
    assert diagnostic.examples == ("h",)
    assert fix(folder)[1].endswith('h: {expect: {count(hands): 0, "hands[1].boss": {delete: true}}}\n')
    assert checked(folder).sound


# -- examples that only their author can restate ---------------------------------------------


def test_a_script_that_no_longer_fits_is_not_restated(folder: Path) -> None:
    house(folder, "numbers: {limit: 5}\n")
    (diagnostic,) = checked(folder).diagnostics.errors
    assert diagnostic.code.id == "dice-script"
    assert diagnostic.message == (
        "`limit` contradicts the inherited example “X” (`x`): no roll is left for the last result under `dice:`: `2`"
    )
    assert diagnostic.edits == ()
    advice = (diagnostic.suggestion or "").partition("change `x` in work/house, or delete it:\n")[2]
    assert advice.endswith("\nremove `2` under `dice:`")
    house(folder, "numbers: {limit: 5}\n" + advice.removesuffix("remove `2` under `dice:`"))
    after = checked(folder)
    assert after.sound
    assert after.ruleset is not None
    (section,) = after.ruleset.pages["work"].sections
    assert [path.text for path in section.show] == ["examples.a", "examples.b", "procedures.day"]
    assert "tale" not in after.ruleset.stories
    assert "lucky" not in after.ruleset.faq


@pytest.mark.parametrize("rules", ["numbers: {limit: 5}\n", "numbers:\n  limit: 5\n"])
def test_the_others_are_restated_beside_it(folder: Path, rules: str) -> None:
    base = folder / "base" / "rules.yaml"
    base.write_text(BASE.replace("faq:", "  y: {title: Y, value: limit, expect: 4}\nfaq:"), encoding="utf-8")
    house(folder, rules)
    (diagnostic,) = checked(folder).diagnostics.errors
    assert (diagnostic.code.id, diagnostic.examples) == ("example-failed", ("x", "y"))
    assert fix(folder) == (1, f"{rules}\nexamples:\n  y: {{expect: 5}}\n")
    (diagnostic,) = checked(folder).diagnostics.errors
    assert (diagnostic.code.id, diagnostic.examples) == ("dice-script", ("x",))


def test_a_fault_in_a_script_of_ones_own_is_reported_in_it(folder: Path) -> None:
    house(folder, "numbers: {limit: 5}\nexamples: {x: {dice: [6, 7]}}\n")
    (diagnostic,) = checked(folder).diagnostics.errors
    assert (Path(diagnostic.span.file).parent.name, diagnostic.span.line) == ("house", 2)


def test_a_step_of_ones_own_that_cannot_be_carried_out_is_to_be_guarded(folder: Path) -> None:
    twice = "d: {title: D, of: day, given: {who: 1}, expect: {who.coin: 3, wage: 4}}"
    base = BASE.replace("coin: int", "coin: count").replace(twice, f"{twice}\n  {twice.replace('d:', 'e:', 1)}")
    (folder / "base" / "rules.yaml").write_text(base)

    def list_helps(step: str) -> list[str]:
        (folder / "house" / "rules.yaml").write_text(f"procedures: {{day: {{steps: [{{before: paid, {step}}}]}}}}\n")
        errors = [each for each in checked(folder).diagnostics.errors if each.code.id == "rules-fault"]
        assert all("house" in each.span.file for each in errors)
        return [each.suggestion or "" for each in errors]

    # Once, whatever examples come to it; and what is proposed mends them all.
    (advice,) = list_helps("id: tax, pay: {who: who, coin: wage - 1}")
    assert advice.startswith("guard the step: `when: who.coin >= (wage - 1)`. The same step also stops `e`.\n")
    assert list_helps("id: tax, when: who.coin >= (wage - 1), pay: {who: who, coin: wage - 1}") == []
    (advice,) = list_helps("id: tax, when: fee == 1, pay: {who: who, coin: fee}")
    assert advice.startswith("guard the step: `when: (fee == 1) and who.coin >= fee`")
    (advice,) = list_helps("id: tax, set: {who.coin: who.coin - 1}")
    assert advice.startswith("guard the step with `when:`. The same")


def test_what_fails_below_already_is_told_as_it_is_told_there(folder: Path) -> None:
    base = folder / "base" / "rules.yaml"
    base.write_text(base.read_text().replace("value: fee, expect: 1", "value: fee, expect: 2"))
    catalogue = Catalogue([folder])
    (below,) = check_edition(catalogue, catalogue.find(parse_reference("work/base"))).diagnostics.errors
    by_examples = {each.examples: each for each in checked(folder).diagnostics.errors}
    assert below.examples == ("c",)
    assert by_examples.pop(("c",)) == below, "nothing of it is for the house rules to leave out"
    assert list(by_examples) == [("a", "b", "d")]


def test_a_contradiction_below_is_reported_once(folder: Path) -> None:
    (folder / "top").mkdir()
    manifest = (folder / "house" / "ruleset.yaml").read_text(encoding="utf-8").replace("work/base", "work/house")
    (folder / "top" / "ruleset.yaml").write_text(manifest.replace("ruleset: work/house", "ruleset: work/top"))
    (folder / "top" / "rules.yaml").write_text("numbers: {fee: 3}\n", encoding="utf-8")
    catalogue = Catalogue([folder])
    (below,) = checked(folder).diagnostics.errors
    edition_check = check_edition(catalogue, catalogue.find(parse_reference("work/top"))).diagnostics.errors
    assert edition_check[0] == below
    assert [(Path(each.span.file).parent.name, each.examples) for each in edition_check] == [
        ("house", ("a", "b", "d")),
        ("top", ("b", "c", "d")),
    ]


def test_an_example_of_ones_own_is_reported_where_it_is(folder: Path) -> None:
    house(folder, "numbers: {wage: {is: 6}}\nexamples: {own: {title: Own, value: wage, expect: 4}}\n")
    by_examples = {each.examples: each for each in checked(folder).diagnostics.errors}
    assert by_examples["own",].message == "`own`: the result should be 4 but is 6"
    assert (by_examples["own",].span.line, by_examples["own",].edits) == (2, ())
