"""Every override does something, or says what it should have done; and what `check` advises works when followed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.book.parts.rule_summaries import build_describer
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.layers.source_edits import build_value_edit
from rulewright.ruleset.prose.example_texts import list_example_texts
from rulewright.ruleset.prose.text_signature import compute_signature
from rulewright.ruleset.schema.edition_reference import parse_reference
from rulewright.source.diagnostics.diagnostic import apply_edits
from rulewright.source.diagnostics.formats import render
from rulewright.testing.check_edition import check_edition

BASE = """\
numbers: {wage: {is: 3, means: What a day pays.}}
kinds: {player: {fields: {coin: {type: count, means: The purse.}}}}
procedures:
  pay_day:
    title: Pay day
    means: Somebody is paid.
    given: {who: player}
    steps:
      - {id: paid, gain: {who: who, coin: wage}}
      - {id: again, gain: {who: who, coin: 1}}
examples:
  first_day: {title: The first day, of: pay_day, expect: {who.coin: 4}}
  second_day: {title: The second day, of: pay_day, given: {players: [{coin: 4}]}, expect: {who.coin: 8}}
pages:
  work:
    title: Work
    letter: W
    about: Earning.
    sections:
      wages:
        title: Wages
        explains: [procedures.pay_day]
        reviewed: b5e7e40fd8a3
        text: On pay day you are paid.
        show: [procedures.pay_day, examples.first_day, examples.second_day]
"""


def check(folder: Path, house: str, base: str = BASE) -> str:
    """Return what is said of house rules over `base`."""
    for name, extends, text in (("base", "", base), ("house", "extends: work/base\n", house)):
        (folder / name).mkdir(exist_ok=True)
        manifest = f"ruleset: work/{name}\nversion: 1.0.0\ntitle: Work\nstatus: draft\nplayers: 1\n{extends}"
        (folder / name / "ruleset.yaml").write_text(manifest)
        (folder / name / "rules.yaml").write_text(text)
    catalogue = Catalogue([folder])
    checked = check_edition(catalogue, catalogue.find(parse_reference("work/house")))
    return render("text", checked.diagnostics)


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ("{replace: paid, id: paid, gain: {who: who, coin: wage}}", "`paid` already has this value"),
        ("{replace: paid, gain: {who: who, coin: wage}}", "`paid` already has this value"),
        ("{id: paid, delete: true}", "to delete the step, write `delete: paid`"),
        ("{id: paid, gain: {coin: wage}}", "gain.coin is wage already"),
        ("{id: piad, gain: {coin: 2}}", "did you mean `paid`"),
        ("{delete: piad}", "did you mean `paid`"),
    ],
)
def test_a_step_that_is_not_changed_is_reported(tmp_path: Path, steps: str, message: str) -> None:
    assert message in check(tmp_path, f"procedures: {{pay_day: {{steps: [{steps}]}}}}\n")


def test_the_advice_for_inherited_texts_and_examples_can_be_followed(tmp_path: Path) -> None:
    changed = "numbers: {wage: {is: 5}}\nprocedures: {pay_day: {steps: [{id: again, gain: {coin: 2}}]}}\n"
    messages = check(tmp_path, changed)
    assert "`first_day`: `who.coin` should be 4 but is 7" in messages
    restated = "first_day: {expect: {who.coin: 7}}", "second_day: {expect: {who.coin: 11}}"
    assert all(each in messages for each in restated)
    [reviewed] = re.findall(
        r"`pages: {work: {sections: {wages: {(reviewed: \w+)}}}}` in a file of `work/house@1", messages
    )
    followed = f"""\
examples: {{first_day: {{delete: true}}, second_day: {{expect: {{who.coin: 11}}, SIGNATURE}}}}
pages: {{work: {{sections: {{wages: {{show: [{{delete: examples.first_day}}], {reviewed}}}}}}}}}
"""
    # The title of the example was written for the other result.
    [signature] = re.findall(
        r"sign it: `(reviewed: \w+)`", check(tmp_path, changed + followed.replace(", SIGNATURE", ""))
    )
    assert check(tmp_path, changed + followed.replace("SIGNATURE", signature)) == ""


ASKED = BASE[BASE.index("kinds:") : BASE.index("examples:")].replace(
    "gain: {who: who, coin: wage}", "choose: {who: who, number: {from: 0, to: 3}}, ask: How much?"
)
"""A payment in which a player is asked, without a number."""


@pytest.mark.parametrize(
    ("step", "fault_count"),
    [
        ("{id: paid, choose: {delete: true}, let: '1'}", 0),
        ("{id: paid, choose: {delete: true}, let: '1', ask: {delete: true}}", 0),
        ("{id: paid, choose: {delete: true}, let: '1', none: Nothing}", 1),
        ("{id: again, ask: Why?}", 1),
    ],
)
def test_the_words_of_a_question_that_a_layer_removes_may_stay(tmp_path: Path, step: str, fault_count: int) -> None:
    house = f"procedures: {{pay_day: {{steps: [{step}]}}}}\n"
    assert check(tmp_path, house, ASKED).count("asks no player") == fault_count
    assert check(tmp_path, house, ASKED).count("error[") == fault_count


def test_an_inherited_example_with_a_new_choice_is_to_be_compared(tmp_path: Path) -> None:
    base = f"{ASKED.replace('to: 3', 'to: most')}numbers: {{most: {{is: 0, means: The limit.}}}}\n"
    base += "examples: {none: {title: Nothing to choose, of: pay_day, expect: {who.coin: 1}}}\n"
    changed = "numbers: {most: 3}\nexamples: {none: {choose: [2]%s}}\n"
    message = "[text-outdated]: the inherited title of `examples.none`"
    assert message in check(tmp_path, changed % "", base)
    assert message not in check(tmp_path, changed % ", title: Something to choose", base)


def test_what_explains_parts_of_what_is_gone_misses_the_whole(tmp_path: Path) -> None:
    base = "options: {pace: {title: Pace, choices: {slow: Slowly, fast: Fast}, default: slow, means: How.}}\n"
    base += "pages: {work: {sections: {tale: {title: T, text: So.}}}}\n"
    text = "explains: [options.pace.fast, options.pace.default], show: [options.pace]"
    (tmp_path / "tale").mkdir()
    (tmp_path / "tale" / "ruleset.yaml").write_text(
        "ruleset: work/tale\nversion: 1.0.0\ntitle: Tale\nstatus: draft\nextends: work/house\n"
    )
    (tmp_path / "tale" / "rules.yaml").write_text("options: {pace: {delete: true}}\n")
    assert "error[" not in check(tmp_path, base.replace("text: So.", f"text: So., {text}"))
    catalogue = Catalogue([tmp_path])
    checked = check_edition(catalogue, catalogue.find(parse_reference("work/tale")))
    said = render("text", checked.diagnostics)
    assert said.count("error[") == 1
    assert "`pace` is deleted, but still needed in 3 places" in said


@pytest.mark.parametrize(
    ("house", "gone"),
    [
        ("numbers: {wage: {delete: true}}\n", "wage"),
        ("procedures: {pay_day: {delete: true}}\nexamples: {first_day: {delete: true}}\n", "pay_day"),
        ("procedures: {pay_day: {steps: [{delete: paid}, {after: paid, id: more, stop: true}]}}\n", "paid"),
    ],
)
def test_where_something_is_missed_the_layer_that_removed_it_is_named(tmp_path: Path, house: str, gone: str) -> None:
    messages = check(tmp_path, house)
    if gone == "pay_day":  # missed in several places, and told once, where it is deleted
        assert messages.count("error[still-needed]") == 1
        assert "error[still-needed]: `pay_day` is deleted, but still needed in 2 places" in messages
        assert "house/rules.yaml:1:" in messages.partition("= note")[0]
        return
    note = messages.partition("`work/house@1.0.0` removes ")[2].partition("error[")[0]
    assert note.startswith((f"`{gone}` here", "it here")), messages
    assert "house/rules.yaml:1:" in note, messages


def test_the_old_word_for_delete_is_mended_by_machine(tmp_path: Path) -> None:
    house = "examples: {first_day: {remove: true}}\nprocedures: {pay_day: {steps: [{remove: again}]}}\n"
    assert check(tmp_path, house).count("error[remove-for-delete]") == 2
    catalogue = Catalogue([tmp_path])
    edition_check = check_edition(catalogue, catalogue.find(parse_reference("work/house"))).diagnostics
    edits = [edit for fault in edition_check.errors for edit in fault.edits]
    assert [(edit.span.line, edit.span.column, edit.text) for edit in edits] == [(1, 24, "delete"), (2, 33, "delete")]


def test_a_fault_below_names_the_override_that_it_comes_from(tmp_path: Path) -> None:
    [said] = check(tmp_path, "numbers: {wage: 2d6}\n").split("error[")[1:]
    place, _, note = said.partition("= note: ")
    assert said.startswith("wrong-type]: a number is needed")
    assert "base/rules.yaml:" in place
    assert "`work/house@1.0.0` changes" in note
    assert "house/rules.yaml:1:17\n" in note


@pytest.mark.parametrize(
    ("house", "fault", "column"),
    [
        ("numbers: {wage: 0 - 5}\n", "rules-fault]: `wage` contradicts 2 inherited examples", 17),
        ("numbers: {wage: 5}\n", "example-failed]: `wage` contradicts 2 inherited examples", 17),
        (
            "procedures: {pay_day: {steps: [{id: again, gain: {coin: 2}}]}}\n",
            "example-failed]: `pay_day.again` contradicts 2 inherited examples",
            57,
        ),
    ],
)
def test_a_fault_in_examples_below_is_at_the_override_that_it_comes_from(
    tmp_path: Path, house: str, fault: str, column: int
) -> None:
    [said] = check(tmp_path, house).split("error[")[1:]
    place, _, note = said.partition("= note: ")
    assert said.startswith(f"{fault}: “The first day” and “The second day”\n")
    assert f"house/rules.yaml:1:{column}\n" in place
    assert "(an example of work/base@1.0.0)" in note
    assert "base/rules.yaml:" in note


def test_what_nothing_above_touches_has_no_such_note(tmp_path: Path) -> None:
    messages = check(
        tmp_path, "numbers: {wage: 5}\nexamples: {mine: {title: Mine, of: pay_day, expect: {who.coin: 4}}}\n"
    )
    own = [part for part in messages.split("error[") if part.startswith("example-failed]: `mine`")]
    assert own
    assert all("changes it" not in part for part in own)


def test_a_circle_that_an_override_closes_is_shown_where_it_is_closed(tmp_path: Path) -> None:
    messages = check(tmp_path, "numbers: {wage: 2 * wage}\n")
    assert "error[recursion]" in messages
    assert "house/rules.yaml:1:17" in messages
    assert "base/rules.yaml" not in messages.partition("error[recursion]")[2].partition("= why")[0]


@pytest.mark.parametrize(("written", "warned"), [("10-20", True), ("30-20", True), ("20 - 10", False), ("-5", False)])
def test_a_figure_that_looks_like_a_range_is_doubted(tmp_path: Path, written: str, warned: bool) -> None:
    assert ("warning[range-as-figure]" in check(tmp_path, f"numbers: {{wage: {written}}}\n")) is warned


def test_a_number_that_is_spelled_out_is_to_be_written_in_figures(tmp_path: Path) -> None:
    messages = check(tmp_path, "numbers: {wage: ten}\n")
    assert "nothing here is called `ten`" in messages
    assert "this is a number (`int`): write `10`" in messages
    assert "error[" not in check(tmp_path, "numbers: {ten: 10, wage: ten - 7}\n")


def test_lists_that_were_expected_and_came_are_told_as_lists(tmp_path: Path) -> None:
    expected = "{'list(p.coin for p in players)': [4, 0]}"
    messages = check(tmp_path, f"examples: {{mine: {{title: Mine, of: pay_day, expect: {expected}}}}}\n")
    assert "should be [4, 0] but is [4]" in messages


def test_what_a_changed_rule_says_now_is_told_to_its_end(tmp_path: Path) -> None:
    """The house adds its change at the end of a long formula."""
    terms = " + ".join(f"count(p for p in players if p.coin > {number})" for number in range(10, 22))
    catalogue = Catalogue([tmp_path])
    check(tmp_path, f"formulas: {{wealth: {{is: {terms} + 77}}}}\n")
    base = (tmp_path / "base" / "rules.yaml").read_text()
    formula = f"formulas: {{wealth: {{is: {terms}, means: Wealth.}}}}\n"
    base = base.replace("numbers:", formula + "numbers:", 1).replace("[procedures.pay_day]", "[formulas.wealth]", 1)
    (tmp_path / "base" / "rules.yaml").write_text(base)
    edition = catalogue.find(parse_reference("work/house"))
    described = check_edition(catalogue, edition, describer=build_describer).diagnostics
    (said,) = (each.help for each in described if each.code.id == "text-outdated")
    assert "… (" not in said
    assert "77" in said.partition("What changed:")[2]


def test_a_new_section_goes_to_the_rules_file(tmp_path: Path) -> None:
    check(tmp_path, "numbers: {wage: {is: 5}}\n")
    (tmp_path / "house" / "examples.yaml").write_text("examples: {second_day: {delete: true}}\n", encoding="utf-8")
    catalogue = Catalogue([tmp_path])
    ruleset = check_edition(catalogue, catalogue.find(parse_reference("work/house"))).ruleset
    assert ruleset is not None
    layer = ruleset.resolved.layers[-1]
    for path, file in (("pages", "work"), "rules.yaml"), (("examples", "first_day", "title"), "examples.yaml"):
        edit = build_value_edit(layer, path, "New")
        assert edit is not None
        assert Path(edit.span.file).name == file


TOLD = BASE.replace("title: The first day,", "title: Four coins, text: Four in all.,")


@pytest.mark.parametrize(
    ("added", "keys"),
    [
        ("", ["title", "text"]),
        (", title: Six coins, text: Six in all.", []),
        (", title: Four coins", ["text"]),  # said again, it counts as read
        (", title: Five coins", ["text"]),
    ],
)
def test_an_inherited_text_that_says_a_replaced_number_is_no_error(tmp_path: Path, added: str, keys: list[str]) -> None:
    restated = "examples: {first_day: {expect: {who.coin: 6}%s}, second_day: {expect: {who.coin: 10}}}\n"
    messages = check(tmp_path, "numbers: {wage: {is: 5, means: Pay of a day.}}\n" + restated % added, TOLD)
    wrong = ["the title of `first_day` says"] if "Five" in added or "Four" in added else []
    matches = re.findall(r"(\w+)\[example-number\]: (the .*? says)", messages)
    assert matches == [
        *[("warning", each) for each in wrong],
        *[("warning", f"the inherited {key} of `first_day` still says") for key in keys],
    ]
    assert messages.count("rules.yaml:2:43") == len(keys)
    assert "error" not in messages
    assert "already" not in messages


def test_a_signed_text_of_an_example_says_no_replaced_number(tmp_path: Path) -> None:
    restated = "examples: {first_day: {expect: {who.coin: 6}%s}, second_day: {expect: {who.coin: 10}}}\n"
    house = f"numbers: {{wage: {{is: 5, means: Pay of a day.}}}}\n{restated}"
    assert "example-number" in check(tmp_path, house % "", TOLD)
    catalogue = Catalogue([tmp_path])
    ruleset = check_edition(catalogue, catalogue.find(parse_reference("work/house"))).ruleset
    assert ruleset is not None
    (text,) = (each for each in list_example_texts(ruleset) if each.id == "first_day")
    signed = house % f", reviewed: {compute_signature(text, ruleset)}"
    assert "example-number" not in check(tmp_path, signed, TOLD)
    assert "example-number" in check(tmp_path, signed.replace("who.coin: 6", "who.coin: 7"), TOLD)


COUNTED = """\
terms: {mine: {name: Mine, means: What pays.}, coin: {name: Coin, means: What it pays.}}
numbers: {wage: {is: 1, means: What a mine pays.}}
kinds:
  player: {fields: {coin: {type: count, means: The purse.}}}
  mine: {term: mine, fields: {owner: player}}
procedures:
  pay_day:
    title: Pay day
    means: Somebody is paid.
    given: {who: player}
    steps: [{id: paid, gain: {who: who, coin: wage * count(mines)}}]
examples:
  two: {title: "TITLE", of: pay_day, given: {mines: [{owner: 1}, {owner: 1}]}, expect: {who.coin: 2}}
"""


@pytest.mark.parametrize(
    ("title", "code"),
    [
        ("Two {mine.plural}", "text-outdated"),
        ("Pay for two {mine.plural}", "text-outdated"),
        ("Two {coin.plural}", "example-number"),
        ("Two for {mine.plural}", "example-number"),
        ("Two", "example-number"),
    ],
)
def test_a_number_of_given_objects_is_not_the_replaced_number(title: str, code: str, tmp_path: Path) -> None:
    house = "numbers: {wage: {is: 3, means: The pay of a mine.}}\nexamples: {two: {expect: {who.coin: 6}}}\n"
    messages = check(tmp_path, house, COUNTED.replace("TITLE", title))
    assert re.findall(r"^warning\[([\w-]+)\]", messages, re.MULTILINE) == [code]


@pytest.mark.parametrize(
    ("steps", "fixed"),
    [
        ("[{id: bonus, gain: {who: who, coin: 1}}]", "{after: again, id: bonus, gain"),
        ("\n      - id: bonus\n        gain: {who: who, coin: 1}", "- after: again\n        id: bonus\n        gain"),
        # Several keep their order.
        (
            "[{id: bonus, gain: {who: who, coin: 1}}, {id: bonus_two, gain: {who: who, coin: 1}}]",
            "{after: again, id: bonus_two",
        ),
    ],
)
def test_a_new_step_without_a_place_goes_after_the_last_one(tmp_path: Path, steps: str, fixed: str) -> None:
    house = f"procedures:\n  pay_day:\n    steps: {steps}\n"
    check(tmp_path, house)
    catalogue = Catalogue([tmp_path])
    edition_check = check_edition(catalogue, catalogue.find(parse_reference("work/house"))).diagnostics.errors
    assert {each.suggestion for each in edition_check} == {"to add a new step, write `after: again`, or another step"}
    after = apply_edits(house, [edit for each in edition_check for edit in each.edits])
    assert fixed in after
    assert "there is no inherited step" not in check(tmp_path, after)
