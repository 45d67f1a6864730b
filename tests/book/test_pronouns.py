"""Pronouns after a condition, the end of a loop in its first sentence, and the nouns for one of a list."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.book.english.grammar import refer_to_object, refer_to_subject, single_out, strip_sort
from rulewright.book.parts.step_sentences import StepWriter
from rulewright.book.style.text_style import HtmlStyle, Style
from tests.book.garden import garden


@pytest.mark.parametrize(
    ("condition", "sentence", "said"),
    [
        ("the player has seeds", "the player sows one.", "they sow one."),
        ("the player has seeds", "the player is out.", "they are out."),
        ("the player has seeds", "the player carries water.", "they carry water."),
        ("the player has seeds", "the player goes home.", "they go home."),
        ("the player has seeds", "the player now has 1 seed.", "they now have 1 seed."),
        ("the player has seeds", "the player’s bed dries.", "their bed dries."),
        ("the player has seeds", "the player may dig.", "they may dig."),
        # Another verb would have to agree, another player is meant, or this one is mentioned again.
        ("the player has seeds", "the player sows one and leaves.", ""),
        ("the player has seeds", "the rival sows one.", ""),
        ("the player has seeds", "the player waters a bed of the player.", ""),
        ("the player beats the rival", "the player sows one.", ""),
        ("there are seeds", "the player sows one.", ""),
    ],
)
def test_the_subject_of_a_condition_is_not_named_again(condition: str, sentence: str, said: str) -> None:
    assert refer_to_subject(sentence, "the player", condition, ["the rival"], is_person=True) == said


@pytest.mark.parametrize(
    ("condition", "sentence", "said"),
    [
        ("the bed is dry", "the bed gains water.", "it gains water."),
        ("the bed is dry", "the bed’s owner loses.", "its owner loses."),
        ("the bed has it", "the bed gains water.", ""),
        ("the bed is dry", "the bed loses it.", ""),
    ],
)
def test_a_thing_is_it(condition: str, sentence: str, said: str) -> None:
    assert refer_to_subject(sentence, "the bed", condition, [], is_person=False) == said


@pytest.mark.parametrize(
    ("noun", "sentence", "said"),
    [
        ("the bed", "dig the bed.", "dig it."),
        ("the bed", "the bed is dry.", "it is dry."),
        ("the bed", "put seeds into the bed, and wait.", "put seeds into it, and wait."),
        ("the bed", "dig the bed of roses.", ""),
        ("the bed", "dig the bedrock.", ""),
        ("the bed", "dig the bed, then leave the bed.", ""),
        ("the bed", "give it the bed.", ""),
        ("the bed", "dig for the player and the bed.", ""),
        ("the bed", "the player digs; the bed is dry.", ""),
    ],
)
def test_what_a_condition_introduces_is_it(noun: str, sentence: str, said: str) -> None:
    assert refer_to_object(sentence, noun, several=False) == said


def test_several_things_are_them() -> None:
    assert refer_to_object("dig the beds.", "the beds", several=True) == "dig them."
    assert refer_to_object("give them the beds.", "the beds", several=True) == ""


def test_one_of_a_list_has_its_noun_unless_a_clause_follows() -> None:
    assert single_out("the players in turn order", "player", "players") == "player in turn order"
    assert single_out("the players who are left", "player", "players") == ""
    assert single_out("the beds", "player", "players") == ""


LOOP = (
    "- {id: rounds, repeat: {at_most: 3, steps: ["
    "{id: pick, choose: {who: player, one_of: beds, or_none: true}}, "
    "{id: enough, when: pick == none, stop: rounds}, "
    "{id: wet, CONDITION set: {pick.watered: true, season: 2}}]}}"
)


def test_a_loop_says_when_it_ends_if_nothing_else_happens_then(tmp_path: Path) -> None:
    ruleset = garden(tmp_path, LOOP.replace("CONDITION", "when: pick,"))
    procedure = ruleset.procedures["tend"]
    assert StepWriter(procedure, Style(ruleset)).step("rounds") == (
        "Repeat these steps until no pick is chosen, up to three times: "
        "(1) The player chooses a Bed, or none, as the pick. "
        "(2) If a pick was chosen, it is now watered; set season to 2."
    )
    said = StepWriter(procedure, HtmlStyle(ruleset, lambda path: None)).all()
    assert said.count('id="tend.enough"') == 1


def test_a_loop_with_more_to_do_after_its_end_keeps_the_step(tmp_path: Path) -> None:
    ruleset = garden(tmp_path, LOOP.replace("CONDITION", "").replace("pick.watered: true, ", ""))
    assert StepWriter(ruleset.procedures["tend"], Style(ruleset)).step("rounds") == (
        "Do this up to three times: (1) The player chooses a Bed, or none, as the pick. "
        "(2) If no pick was chosen, stop. (3) Set season to 2."
    )


@pytest.mark.parametrize(
    ("noun", "rest"),
    [
        ("the sort of token", "token"),
        ("the <var>kind of token</var>", "<var>token</var>"),
        ("the token", ""),
        ("the sorted tokens", ""),
    ],
)
def test_what_something_is_a_sort_of(noun: str, rest: str) -> None:
    assert strip_sort(noun) == rest
