"""German for small rules that are written here: results, letters, maps, rounds and changes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.book.languages.de.german_steps import GermanSteps
from rulewright.book.languages.de.statements import load_sentences
from rulewright.book.languages.sentence_check import check_sentences
from rulewright.book.style.text_style import Style
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.translation.translation import read_translations
from rulewright.source.diagnostics.collector import Diagnostics

MANIFEST = """
ruleset: test/small
version: 1.0.0
language: 1
title: Small
status: draft
about: Nothing.
rounding: truncate
players: 2
start: game
"""

RULES = """
tables: {goods: {title: Goods, rows: {wood: {title: Wood}, wheat: {title: Wheat}}}}
records: {deal: {parts: {price: int, fair: bool}}}
kinds:
  player:
    fields:
      chips: {type: count, unit: chips, default: 4, wording: number of chips}
      coins: {type: count, unit: coins, default: 4, wording: number of coins}
      bid: {type: optional int, wording: bid}
      stock: {type: map of goods to count, wording: number of goods, default: {wood: 3}}
      sacks: {type: map of goods to count, wording: number of sacks, unit: sacks}
      offer: {type: deal, wording: offer, default: {price: 1, fair: true}}
      dry: {type: bool, wording: {if_true: "{self} is dry", if_false: "{self} got wet"}}
  cup:
    wording: {one: cup, several: cups}
    fields:
      full: {type: bool, wording: {if_true: "{self} is full", if_false: "{self} is empty"}}
procedures:
  sale:
    title: A sale
    steps: [{id: best, let: first(players).bid}]
    gives: {price: best, fee: 3}
  game:
    title: A game
    names: {sold: sale, one: player whose turn it is}
    steps:
      - {id: sold, do: sale}
      STEPS
      - {id: end, finish: {winners: []}}
"""

WORDS = """
complete: [procedures]
tables: {goods: {title: Waren, rows: {wood: {title: Holz}, wheat: {title: Weizen}}}}
kinds:
  player:
    fields:
      chips: {unit: Chips, wording: die Zahl der Chips}
      coins: {unit: Münzen, wording: die Zahl der Münzen}
      bid: {wording: das Gebot}
      stock: {wording: die Zahl der Waren}
      sacks: {unit: Säcke, wording: die Zahl der Säcke}
      offer: {wording: das Angebot}
      dry: {wording: {if_true: "{self} im Trockenen sitzt", if_false: "{self} nass geworden ist"}}
  cup:
    wording: {one: die Tasse, several: die Tassen}
    fields: {full: {wording: {if_true: "{self} voll ist", if_false: "{self} leer ist"}}}
procedures:
  sale: {title: Ein Verkauf, names: {best: das beste Gebot, price: der Preis, fee: die Gebühr}}
  game: {title: Eine Partie, names: {sold: der Verkauf, best: das Gebot, one: der Spieler am Zug}}
"""


def load_small(folder: Path, *steps: str) -> Ruleset:
    """Return small rules with a German translation, whose game has these steps after a sale."""
    (folder / "words").mkdir(parents=True)
    lines = "\n      ".join(f"- {step}" for step in steps)
    (folder / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    (folder / "rules.yaml").write_text(RULES.replace("STEPS", lines), encoding="utf-8")
    (folder / "words" / "de.yaml").write_text(WORDS, encoding="utf-8")
    return load_ruleset("test/small", rules=folder)


def write_game(folder: Path, *steps: str) -> str:
    """Return the German steps of the game of `load_small`."""
    ruleset = load_small(folder, *steps)
    (translation,) = read_translations(ruleset, Diagnostics())
    return GermanSteps(translation, ruleset.procedures["game"], Style(ruleset)).all()


def test_an_optional_part_of_a_result_is_there_or_not(tmp_path: Path) -> None:
    paid = '{id: paid, when: sold.price, gain: {who: "first(players)", chips: sold.price}}'
    free = '{id: free, when: not sold.price, gain: {who: "first(players)", chips: 1}}'
    text = write_game(tmp_path, paid, free)
    assert "Wenn der Verkauf einen Preis hat, erhält der erste aller Spieler so viele Chips, wie der Preis des" in text
    assert "Wenn der Verkauf keinen Preis hat, erhält der erste aller Spieler" in text


def test_a_unit_names_the_amount_of_an_entry_of_a_map(tmp_path: Path) -> None:
    got = '{id: got, gain: {who: "first(players)", "stock[wood]": 2, "sacks[wheat]": 3}}'
    assert "erhält 2 „Holz“ und 3 Säcke für „Weizen“." in write_game(tmp_path, got)


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        (
            "{id: a, when: one.dry, gain: {who: one, chips: 1}}",
            "Wenn der Spieler am Zug im Trockenen sitzt, erhält",
        ),
        ("{id: a, when: not one.dry, gain: {who: one, chips: 1}}", "Wenn der Spieler am Zug nass geworden ist, erhält"),
        ("{id: a, set: {one.dry: false}}", "Merke, dass der Spieler am Zug nass geworden ist."),
        ("{id: a, set: {one.dry: one.chips > 1}}", "ist, sitzt der Spieler am Zug im Trockenen, sonst nicht."),
        ("{id: a, create: cup, with: {full: false}}", "Füge eine neue Tasse hinzu: es gilt, dass sie leer ist."),
        ("{id: a, create: cup, with: {full: count(cups) > 1}}", "es gilt genau dann, dass sie voll ist, wenn"),
    ],
)
def test_a_field_of_an_object_that_is_true_or_false_is_a_clause(step: str, sentence: str, tmp_path: Path) -> None:
    text = write_game(tmp_path, "{id: turns, for_each: one, in: players, steps: [STEP]}".replace("STEP", step))
    assert sentence in text


PICK = '{id: pick, choose: {who: "first(players)", number: {from: 1, to: 3}, or_none: true}}'
USE = '{id: use, when: sold, gain: {who: "first(players)", chips: sold}}'


def test_the_module_of_a_statement_says_that_its_result_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = (PICK.replace("pick", "one"), USE.replace("sold", "one"))
    assert "Wenn ein Spieler am Zug gewählt wurde," in write_game(tmp_path / "chosen", *steps)
    monkeypatch.setattr(load_sentences()["choose"], "PRESENCE", "geboten wurde")
    assert "Wenn ein Spieler am Zug geboten wurde," in write_game(tmp_path / "bid", *steps)
    monkeypatch.delattr(load_sentences()["choose"], "PRESENCE")
    assert "Wenn es einen Spieler am Zug gibt," in write_game(tmp_path / "there", *steps)


USE_ONE = USE.replace("when: sold, ", "").replace("chips: sold", "chips: 1")
LOOSE = '"one.chips + 2 > (3 if one.coins > 3 else one.coins + one.chips) * 2"'
GAIN = '{id: a, gain: {who: one, chips: "min(one.coins, one.chips + 1)"}}'


@pytest.mark.parametrize(
    "step",
    [
        f"{{id: rich, if: {LOOSE}, then: [{GAIN}]}}",
        f"{{id: rich, when: {LOOSE}, steps: [{GAIN}]}}",
        f"{{id: rich, when: {LOOSE}, repeat: {{at_most: 2, steps: [{GAIN}]}}}}",
        f"{{id: rich, when: {LOOSE}, for_each: player, in: players, steps: [{GAIN}]}}",
    ],
    ids=["if", "steps", "repeat", "for_each"],
)
def test_letters_are_defined_before_the_nested_steps(step: str, tmp_path: Path) -> None:
    text = write_game(tmp_path, f"{{id: turns, for_each: one, in: players, steps: [{step}]}}")
    outer, _, inner = text.partition("Der Spieler am Zug erhält so viele Chips, wie A beträgt.")
    assert "wobei gilt: [A ist die Zahl der Chips des Spielers am Zug plus 2; B ist 3, wenn" in outer
    assert outer.endswith("; C ist B mal 2]: (1) ")
    assert inner.count("A für") == 1


def test_a_value_of_a_map_has_words(tmp_path: Path) -> None:
    turns = "{{id: turns, for_each: one, in: players, steps: [{}]}}"
    text = write_game(tmp_path / "read", turns.format("{id: a, gain: {who: one, chips: 'one.stock[wood]'}}"))
    assert "so viele Chips, wie seine Zahl der Waren für „Holz“ beträgt." in text
    text = write_game(tmp_path / "write", turns.format("{id: a, set: {'one.stock[wood]': 'one.stock[wood] + 2'}}"))
    assert "Erhöhe die Zahl der Waren des Spielers am Zug für „Holz“ um 2." in text
    gain = "{id: a, gain: {who: one, 'stock[wood]': 2, 'stock[wheat]': one.coins}}"
    text = write_game(tmp_path / "gain", turns.format(gain))
    assert "erhält 2 „Holz“ und so viel „Weizen“, wie seine Zahl der Münzen beträgt." in text


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ('{id: a, set: {"one.chips": one.offer.price}}', "a part of a record"),
        ("{id: a, if: one.offer.fair, then: [{id: b, finish: {winners: []}}]}", "a part of a record"),
    ],
)
def test_what_has_no_words_is_named_in_the_words_of_the_rules(step: str, words: str, tmp_path: Path) -> None:
    ruleset = load_small(tmp_path, f"{{id: turns, for_each: one, in: players, steps: [{step}]}}")
    (diagnostic,) = check_sentences(read_translations(ruleset, Diagnostics()))
    assert diagnostic.message == f"`procedures.game` has no sentences in German: Rulewright has no words for {words}"


def test_the_answer_of_one_player_has_words(tmp_path: Path) -> None:
    text = "{id: best, choose: {who: players, number: {from: 1, to: 3}}}"
    gain = "{id: turns, for_each: one, in: players, steps: [{id: a, gain: {who: one, chips: 'best[one]'}}]}"
    assert "so viele Chips, wie sein Gebot beträgt." in write_game(tmp_path, text, gain)


ROUNDS = {
    "at_most: 3": "Wiederhole dreimal:",
    "at_most: 1, while: first(players).chips > 3": "Wiederhole höchstens einmal, solange",
    "at_most: 20": "Wiederhole 20-mal:",
    "at_most: 3 if first(players).chips > 3 else 2": "Wiederhole dreimal, wenn die Zahl der Chips des ersten aller "
    "Spieler größer als 3 ist, sonst zweimal:",
}


@pytest.mark.parametrize("rounds", ROUNDS)
def test_a_loop_counts_its_rounds_in_words(rounds: str, tmp_path: Path) -> None:
    assert ROUNDS[rounds] in write_game(tmp_path, f"{{id: again, repeat: {{{rounds}, steps: [{USE_ONE}]}}}}")


CHANGES = {
    "one.coins + 1 if one.chips > 3 else 0": "Wenn die Zahl der Chips des Spielers am Zug größer als 3 ist, erhöhe die "
    "Zahl der Münzen des Spielers am Zug um 1; sonst setze die Zahl der Münzen des Spielers am Zug auf 0.",
    "one.coins if one.chips > 3 else 0": "Wenn die Zahl der Chips des Spielers am Zug höchstens 3 ist, setze die Zahl "
    "der Münzen des Spielers am Zug auf 0. (3)",
    "7 if one.chips > 3 else one.coins": "Wenn die Zahl der Chips des Spielers am Zug größer als 3 ist, setze die Zahl "
    "der Münzen des Spielers am Zug auf 7. (3)",
}


@pytest.mark.parametrize("value", CHANGES)
def test_a_change_begins_with_its_condition(value: str, tmp_path: Path) -> None:
    step = f"{{id: a, set: {{one.coins: {value}}}}}"
    assert CHANGES[value] in write_game(tmp_path, f"{{id: turns, for_each: one, in: players, steps: [{step}]}}")


def test_a_change_in_a_step_with_a_condition_has_its_own_last(tmp_path: Path) -> None:
    step = "{id: a, when: one.bid, set: {one.coins: 7 if one.chips > 3 else 0}}"
    text = write_game(tmp_path, f"{{id: turns, for_each: one, in: players, steps: [{step}]}}")
    assert re.search("Wenn der Spieler am Zug ein Gebot hat, .* 7, wenn .*, sonst 0", text)
