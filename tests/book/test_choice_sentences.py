"""A choice is a sentence: its prompt is part of it, and so are the rules' own words for what a player then does."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.book.english.questions import embed_question
from rulewright.book.parts.step_sentences import StepWriter
from rulewright.book.style.text_style import Style
from rulewright.ruleset.load_ruleset import load_ruleset
from tests.book.garden import steps, write_garden
from tests.book.test_own_words import NAMES


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("Do you take the card?", "whether to take the card"),
        ("Where do you draw from?", "where to draw from"),
        ("To whom do you give your card?", "to whom to give their card"),
        ("Which card goes first?", "which card goes first"),
        ("How many march?", "how many march"),
        ("Do you pay more, or do you call it a lie?", "whether to pay more, or to call it a lie"),
        ("Does it deal with them?", ""),  # its verb would change
        ("Which side are you on?", ""),
        ("Which is best?", ""),
        ("And now, do you bet?", ""),
        ("It is late. Do you go?", ""),
        ("What now", ""),
    ],
)
def test_a_prompt_becomes_part_of_a_sentence_if_its_words_may_stay(prompt: str, expected: str) -> None:
    assert embed_question(prompt).words == expected


def say(step: str, folder: Path, names: str = "") -> str:
    rules = steps(step)
    rules = rules.replace("    steps:\n", names, 1) if names else rules
    ruleset = load_ruleset("garden/small", rules=[write_garden(folder, rules)])
    return StepWriter(ruleset.procedures["tend"], Style(ruleset)).block(ruleset.procedures["tend"].body).strip()


WAYS = "from: {flee: {label: Run away}, stay: {label: Stand}}"
BOTH = NAMES.replace("names: {", "names: {stay: {if_true: the player stays, if_false: the player flees}, ")


@pytest.mark.parametrize(
    ("choice", "names", "expected"),
    [
        (f"{WAYS}}}, ask: Do you run away?", "", "The player decides whether to run away."),
        (f"{WAYS}}}, ask: What now?", "", "What now? The player chooses “Run away” or “Stand”."),
        (f"{WAYS}}}, ask: What now?", BOTH, "The player either flees or stays."),
        ("one_of: beds}, ask: Which Bed do you dig?", "", "The player chooses which Bed to dig."),
        ("one_of: beds}, ask: Does it rain?", "", "Does it rain? The player chooses a Bed."),
        ("one_of: beds, or_none: true}, none: Dig no more", "", "The player chooses a Bed, or “Dig no more”."),
        ("one_of: beds, or_none: true}, none: No more", "", "The player chooses a Bed, or no more."),
    ],
)
def test_a_choice_reads_as_a_rulebook_says_it(choice: str, names: str, expected: str, tmp_path: Path) -> None:
    assert expected in say(f"- {{id: way, choose: {{who: player, {choice}}}", tmp_path, names)


@pytest.mark.parametrize(
    ("prompt", "noun", "expected"),
    [
        ("Which bed do you move first?", "the bed that moves first", True),
        ("Which bed do you move first?", "the bed that is moved first", True),
        ("Which bed do you take?", "the bed taken", True),
        ("Which bed do you take first?", "the bed taken", False),
        ("Which bed do you take?", "the target", False),
    ],
)
def test_a_name_says_what_the_prompt_asks(prompt: str, noun: str, expected: bool) -> None:
    assert embed_question(prompt).names(noun) is expected


def test_a_call_links_its_verb_to_the_rule(tmp_path: Path) -> None:
    class Linked(Style):
        def rule(self, path: str, text: str) -> str:
            return f"[{text}]({path})" if path.startswith("procedures.") else text

    rules = steps("- {id: nap, do: rest, with: {player: player, time: 2}}").replace(
        "exceptions:\n",
        "  rest:\n    title: Rest\n    given: {player: player, time: int}\n"
        '    wording: "{given.player} rests for {given.time}"\n'
        "    steps:\n      - {id: nap, gain: {who: player, water: time}}\nexceptions:\n",
    )
    ruleset = load_ruleset("garden/small", rules=[write_garden(tmp_path, rules)])
    assert "The player [rests](procedures.rest) for 2." in StepWriter(ruleset.procedures["tend"], Linked(ruleset)).all()


def test_the_answer_to_a_question_is_not_said_again(tmp_path: Path) -> None:
    choice = f"- {{id: way, choose: {{who: player, {WAYS}}}, ask: Do you flee?}}"
    names = "    names: {flee: {if_true: the player flees, if_false: the player stays}}\n    steps:\n"
    told = say(f"{choice}\n      - {{id: off, when: way == flee, set: {{bed.rested: true}}}}", tmp_path, names)
    assert "(1) The player decides whether to flee. (2) If so, the Bed is now ready" in told
