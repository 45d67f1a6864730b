"""Sentences use the rules' own words for calls, options and definitions. Terms have capitals where one begins."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.book.parts.example_runs import build_example_view
from rulewright.book.parts.formula_sentences import describe_formula
from rulewright.book.parts.step_sentences import StepWriter
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.text_style import Style, UnlinkedStyle
from rulewright.engine.narration.plain_names import Names
from rulewright.engine.narration.rich_text import TextPart, strip_count, to_text
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.ruleset import Ruleset
from rulewright.testing.run_examples import run_example
from tests.book.garden import steps, write_garden
from tests.language.inline import sound

LOW = ("Bed", "Plant", "Seed", "Water", "Walls")
"""The terms of the garden that this file writes in lower case."""

REST = """\
  rest:
    title: Rest
    given: {player: player, time: int}
    WORDING
    names: {time: length of it}
    steps:
      - {id: nap, gain: {who: player, water: time}}
exceptions:
"""


def lowered(rules: str) -> str:
    for name in LOW:
        for key in ("name", "plural"):
            rules = rules.replace(f"{key}: {name}", f"{key}: {name.lower()}")
    return rules


def low_garden(folder: Path) -> Ruleset:
    return load_ruleset("garden/small", rules=[write_garden(folder, lowered(steps()))])


def write_steps(rules: str, folder: Path) -> str:
    ruleset = load_ruleset("garden/small", rules=[write_garden(folder, rules)])
    return StepWriter(ruleset.procedures["tend"], Style(ruleset)).all().strip()


@pytest.mark.parametrize(
    ("wording", "expected"),
    [
        ("", "Follow the steps under “Rest” for the player, with 2 as the length of it."),
        ('wording: "{given.player} rests"', "The player rests, with 2 as the length of it."),
        ('wording: "{given.player} rests for {given.time}"', "The player rests for 2."),
    ],
)
def test_a_call_is_said_in_the_words_of_its_procedure(wording: str, expected: str, tmp_path: Path) -> None:
    """What the words do not mention is added, so that the sentence says as much as without them."""
    rules = steps("- {id: nap, do: rest, with: {player: player, time: 2}}")
    assert expected in write_steps(rules.replace("exceptions:\n", REST.replace("WORDING", wording)), tmp_path)


CHOICE = "- {id: way, choose: {who: player, from: {flee: {label: Run away}, stay: {label: Stand}}}}"
NAMES = "    names: {flee: {if_true: the player flees, if_false: the player stays}}\n    steps:\n"


CALLS = """\
kinds: {player: {fields: {coins: count, purse: count}}}
procedures:
  pay: {given: {who: player, less: int}, wording: "{given.who} pays", steps: [{id: paid, pay: {who: who, coins: less}}]}
  main:
    given: {who: player}
    steps:
      - {id: paid, do: pay, with: {who: who, less: "min(who.coins, 4 + max(p.purse + 2 * p.coins for p in players))"}}
"""


def test_a_call_in_own_words_defines_each_letter_once() -> None:
    sentence = StepWriter((ruleset := sound(CALLS)).procedures["main"], UnlinkedStyle(ruleset)).all()
    assert sentence.count("</var> is the smaller of these") == 1
    assert "<var>B</var>" not in sentence


@pytest.mark.parametrize(
    ("names", "when", "expected"),
    [
        ("", "way == flee", "If the choice is “Run away”, "),
        (NAMES, "way == flee", "If the player flees, "),
        (NAMES, "way != flee", "If the player stays, "),
        (NAMES, "way == stay", "If the choice is “Stand”, "),
    ],
)
def test_an_option_that_was_taken_is_an_act(names: str, when: str, expected: str, tmp_path: Path) -> None:
    rules = steps(CHOICE, f"- {{id: done, set: {{season: 2}}, when: {when}}}")
    head, _, rest = rules.partition("  tend:\n")
    rest = rest.replace("    steps:\n", names, 1) if names else rest
    assert expected in write_steps(f"{head}  tend:\n{rest}", tmp_path)


def test_a_choice_of_something_is_an_act(tmp_path: Path) -> None:
    chosen = "- {id: pick, choose: {who: player, one_of: beds, or_none: true}}"
    rules = steps(chosen, "- {id: done, set: {season: 2}, when: not pick}")
    assert "If no pick was chosen, " in write_steps(rules, tmp_path / "without")
    head, _, rest = rules.partition("  tend:\n")
    names = "    names: {pick: {noun: choice, if_true: the player picks one, if_false: the player walks on}}\n"
    rest = rest.replace("    steps:\n", f"{names}    steps:\n", 1)
    assert "If the player walks on, " in write_steps(f"{head}  tend:\n{rest}", tmp_path / "with")


def test_a_definition_may_be_in_the_rules_own_words(tmp_path: Path) -> None:
    text = "  most: {is: 'max(season, 2)', means: 'The most.', text: 'Count the seasons, but no fewer than a pair.'}\n"
    rules = steps().replace("formulas:\n", f"formulas:\n{text}", 1)
    ruleset = load_ruleset("garden/small", rules=[write_garden(tmp_path, rules)])
    title, means, text = describe_formula("most", Style(ruleset))
    assert (title, means, text) == ("Most (the most)", "", "Count the seasons, but no fewer than a pair")


@pytest.mark.parametrize(
    ("text", "inside", "expected"),
    [
        ("{bed.plural} grow.", False, "Beds grow."),
        ("{bed.plural} that grow", True, "beds that grow"),
        ("It ends. {plant.plural} stay. A {seed} does not.", False, "It ends. Plants stay. A seed does not."),
        ("“{seed.plural}!” - {bed}", False, "“Seeds!” - bed"),
        ("One:\n\n- {seed}\n- a {bed}", False, "One:\n\n- Seed\n- a bed"),
        ("All, {bed} or not", False, "All, bed or not"),
    ],
)
def test_a_term_has_a_capital_where_a_sentence_begins(text: str, inside: bool, expected: str, tmp_path: Path) -> None:
    assert fill(text, Style(low_garden(tmp_path)), inside=inside) == expected


@pytest.mark.parametrize(
    ("label", "inside", "alone"),
    [
        ("{bed} of {self.owner}", "the bed of Player 1", "Bed of Player 1"),
        ("{bed}", "the bed", "Bed"),
        ("{bed} {self.wet}", "bed 0", "bed 0"),
        ("Bed of {self.owner}", "Bed of Player 1", "Bed of Player 1"),
    ],
)
def test_a_thing_with_a_noun_for_its_label_has_an_article(label: str, inside: str, alone: str, tmp_path: Path) -> None:
    """A name such as `bed 3` has none. An option shows the label without its article."""
    rules = lowered(steps("- {id: s, set: {bed.tenant: player}}"))
    rules = rules.replace("    term: bed\n", f'    term: bed\n    label: "{label}"\n')
    example = "  one: {title: One, of: tend, given: {bed: {owner: 1}}, expect: {'1': 1}}\n"
    ruleset = load_ruleset("garden/small", rules=[write_garden(tmp_path, rules + example)])
    finished = run_example(ruleset, ruleset.examples["one"]).finished
    assert finished is not None
    names = Names.for_state(finished.state)
    bed = next(number for number in names.say.objects if names.say.find_kind(number) == "bed")
    assert to_text(names.say.render_entity("bed", bed)) == inside
    assert names.name_entity("bed", bed) == alone


@pytest.mark.parametrize(
    ("noun", "counted"),
    [("number of seeds", "seeds"), ("number of ", ""), ("numbers of seeds", ""), ("seeds", "")],
)
def test_the_noun_of_a_number_says_what_is_counted(noun: str, counted: str) -> None:
    """So that a log reads `There are 6 seeds.`."""
    assert to_text(strip_count((TextPart(noun),))) == counted


@pytest.mark.parametrize(("starts", "line"), [("1", "There are 2 Seeds."), ("0", "The number of Seeds becomes 1.")])
def test_a_counted_number_is_told_as_a_count(starts: str, line: str, tmp_path: Path) -> None:
    rules = steps("- {id: sum, let: 9}", "- {id: more, set: {sum: season + 1}}")
    head, _, rest = rules.partition("  tend:\n")
    rest = rest.replace("    steps:\n", '    names: {sum: "number of {seed.plural}"}\n    steps:\n', 1)
    given = f"bed: {{owner: 1}}, season: {starts}"
    example = f"  one: {{title: One, of: tend, given: {{{given}}}, expect: {{sum: {int(starts) + 1}}}}}\n"
    ruleset = load_ruleset("garden/small", rules=[write_garden(tmp_path, f"{head}  tend:\n{rest}{example}")])
    texts = [each.text for each in build_example_view(ruleset.examples["one"], UnlinkedStyle(ruleset)).happened]
    assert line in texts


def test_the_plural_of_a_term_agrees_with_its_verb_in_the_log(tmp_path: Path) -> None:
    rules = steps("- {id: more, set: {season: season + 1}}").replace("season: {", 'season: {wording: "{seed.plural}", ')
    example = "  one: {title: One, of: tend, given: {bed: {owner: 1}, season: 2}, expect: {season: 3}}\n"
    ruleset = load_ruleset("garden/small", rules=[write_garden(tmp_path, rules + example)])
    texts = [each.text for each in build_example_view(ruleset.examples["one"], UnlinkedStyle(ruleset)).happened]
    assert "The Seeds are now 3." in texts


def test_a_result_that_only_own_words_use_has_no_name(tmp_path: Path) -> None:
    rules = steps(
        "- {id: face, roll: 1d6}", '- {id: grown, text: "So much it grows.", set: {season: season + face}}'
    ).replace("    steps:\n", "    names: {face: face}\n    steps:\n", 1)
    assert write_steps(rules, tmp_path).startswith("(1) Roll 1d6. (2) So much it grows. ")
    assert "Roll 1d6 for the face." in write_steps(rules.replace('text: "So much it grows.", ', ""), tmp_path)


def test_a_field_of_an_object_that_is_true_or_false_is_a_clause(tmp_path: Path) -> None:
    """The log uses the clauses, too, unless the field has sentences of its own for the log."""
    clauses = 'watered: {type: bool, wording: {if_true: "{self} got a drink", if_false: "{self} is thirsty"}}'
    rules = steps(
        "- {id: dry, gain: {who: player, water: 1}, when: not bed.watered}", "- {id: drink, set: {bed.watered: true}}"
    ).replace("watered: bool", clauses)
    written = write_steps(rules, tmp_path)
    assert "If the Bed is thirsty, the player gains 1 Water." in written
    assert "Note that the Bed got a drink." in written
    example = "  one: {title: One, of: tend, given: {bed: {owner: 1}}, expect: {bed.watered: true}}\n"
    ruleset = load_ruleset("garden/small", rules=[write_garden(tmp_path, rules + example)])
    texts = [each.text for each in build_example_view(ruleset.examples["one"], UnlinkedStyle(ruleset)).happened]
    assert any(text.endswith(" got a drink.") for text in texts)


DEEDS = """\
tables:
  deeds:
    title: Deeds
    columns: {act: {WORDING steps: {given: {owner: player, other: player}, names: {owner: worker}}}}
    rows:
      dig: {act: [{id: dug, set: {owner.score: 1}}]}
      rest: {}
kinds: {player: {fields: {score: int}}}
procedures:
  main:
    given: {who: player, deed: deeds}
    names: {who: player, deed: deed}
    steps: [{id: done, do: DEED.act, with: {owner: who, other: who}}]
"""


@pytest.mark.parametrize(
    ("wording", "deed", "expected"),
    [
        ("", "deed", "Apply the act of the deed with the player as the worker and the player as the other."),
        ("'{given.owner} does {given.self} for {given.other}'", "deed", "The player does the deed for the player."),
        ("'{given.owner} does {given.self} for {given.other}'", "deeds.dig", "The player does Dig for the player."),
        ("'{given.owner} does it'", "deed", "The player does it, with the player as the other."),
    ],
)
def test_the_steps_of_a_row_are_run_in_the_words_of_their_column(wording: str, deed: str, expected: str) -> None:
    ruleset = sound(DEEDS.replace("WORDING", f"wording: {wording}," if wording else "").replace("DEED.", f"{deed}."))
    html = StepWriter(ruleset.procedures["main"], UnlinkedStyle(ruleset)).all()
    assert re.sub("<[^>]+>", "", html) == expected


@pytest.mark.parametrize(
    ("given", "terms", "expected"),
    [
        ("who: player", "", "The player gains 1 score."),
        ("who: player, rival: player", "", "The who gains 1 score."),
        ("who: player", "who: {name: hero, plural: heroes, means: One.}", "The hero gains 1 score."),
        ("who: player, it: cats", "", "The player gains 1 score."),
    ],
)
def test_the_only_object_of_a_kind_goes_by_its_noun(given: str, terms: str, expected: str) -> None:
    ruleset = sound(
        f"terms: {{{terms}}}\ntables: {{cats: {{rows: {{tom: {{}}}}}}}}\n"
        "kinds: {player: {fields: {score: int}}}\n"
        f"procedures: {{main: {{given: {{{given}}}, steps: [{{id: won, gain: {{who: who, score: 1}}}}]}}}}\n"
    )
    html = StepWriter(ruleset.procedures["main"], UnlinkedStyle(ruleset)).all()
    assert re.sub("<[^>]+>", "", html) == expected
