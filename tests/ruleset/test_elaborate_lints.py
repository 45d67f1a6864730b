"""What is sound and yet suspicious: values that nothing uses, conditions that never change."""

from __future__ import annotations

from inspect import getsource
from pathlib import Path
from typing import Any, ClassVar

import pytest

from rulewright.language.checked_steps import Step
from rulewright.language.expressions.evaluator import Evaluate
from rulewright.language.expressions.typed_ast import Items, Typed, map_methods_by_kind
from rulewright.language.schema_shapes import Member, Steps, expression, required
from rulewright.language.statement import CheckedStep
from rulewright.language.types import PLAYER, ListOf
from rulewright.ruleset.lints import run_lints
from rulewright.ruleset.prose.prose_lint import lint_words
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.formats import text
from tests.ir.test_sample_statements import Sample, add_statements, read
from tests.language.garden import procedure
from tests.language.inline import sound
from tests.source.goldens import assert_golden

FOLDER = Path(__file__).parent / "goldens" / "lints"


def lint_steps(steps: str) -> str:
    """Return what the lints say of the steps of a procedure."""
    diagnostics = Diagnostics()
    run_lints(sound(procedure(steps)), diagnostics)
    return text.render([d for d in diagnostics if d.code.id in ("unused-value", "fixed-condition")])


BAD = {
    "unused_roll": "- {id: face, roll: 1d6}",
    "unused_choice": "- {id: c, choose: {who: p, from: [a, b]}}",
    "unused_let": "- {id: x, let: 3}\n- {id: y, set: {x: 4}}",
    "set_and_never_read": "- {id: x, set: {storm: true}}",
    "fixed_condition": "- {id: x, set: {turn: turn + 1}, when: goal > 3}",
    "fixed_if": "- {id: x, if: false, then: [{id: y, set: {turn: turn + 1}}]}",
    "fixed_when_of_if": "- {id: x, if: turn > 3, when: goal > 3, then: [{id: y, set: {turn: turn + 1}}]}",
    "fixed_when_and_if": "- {id: x, if: goal > 3, when: goal > 3, then: [{id: y, set: {turn: turn + 1}}]}",
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_suspicious_is_told(name: str) -> None:
    said = lint_steps(BAD[name])
    assert_golden(f"{name}.txt", said, folder=FOLDER)
    assert said.startswith("warning[")


@pytest.mark.parametrize(
    "steps",
    [
        "- {id: face, roll: 1d6}\n- {id: x, set: {turn: turn + face}}",
        "- {id: c, choose: {who: p, from: [a, b]}}\n- {id: x, set: {turn: turn + 1}, when: c == a}",
        "- {id: x, let: 3}\n- {id: y, set: {turn: turn + x}}",
        "- {id: x, set: {turn: turn + 1}, when: turn > goal}",
    ],
)
def test_what_is_used_is_not(steps: str) -> None:
    assert lint_steps(steps) == ""


def test_players_read_a_value_that_its_log_prints() -> None:
    rules = "state: {day: {type: int, log: LOG}}\nprocedures: {main: {steps: [{id: x, set: {day: 3}}]}}\n"
    for log, codes in (('"Day {self.day} begins"', []), ('"A day begins"', ["unused-value"])):
        diagnostics = Diagnostics()
        run_lints(sound(rules.replace("LOG", log)), diagnostics)
        assert [each.code.id for each in diagnostics if each.code.id == "unused-value"] == codes


class Accept(Sample):
    """Has a player as its result, and runs steps."""

    name = "sample_accept"
    result = PLAYER
    more: ClassVar[dict[str, Member]] = {"run": required(Steps("The steps."))}

    def check(self, node: Any, check: Any) -> CheckedStep:
        who = check.check_value(node.get(self.name), PLAYER)
        return CheckedStep((who,), binds=PLAYER, blocks=(check.block(node.get("run"), check.scope),))

    def lower(self, step: Step, lower: Any) -> None:
        lower.bind(step.action[0])
        lower.block(step.blocks[0])


class Note(Sample):
    """Has a player as its result, and changes a name of the procedure, too."""

    name = "sample_note"
    result = PLAYER
    more: ClassVar[dict[str, Member]] = {"noting": required(expression("The name."))}

    def check(self, node: Any, check: Any) -> CheckedStep:
        who, noted = (check.check_value(node.get(key), PLAYER) for key in (self.name, "noting"))
        return CheckedStep((who, noted.slot), binds=PLAYER)

    def lower(self, step: Step, lower: Any) -> None:
        who, slot = step.action
        lower.bind(who)
        lower.bind(who, slot=slot)


class End(Sample):
    """Has a player as its result, who wins the game."""

    name = "sample_end"
    result = PLAYER

    def lower(self, step: Step, lower: Any) -> None:
        lower.bind(step.action[0])
        lower.finish(Items(ListOf(PLAYER), (step.action[0],)))


@pytest.mark.parametrize(
    "steps",
    [
        "{id: bet, sample_accept: p, run: [{id: x, gain: {who: p, score: 1}}]}",
        "{id: noted, let: p}, {id: bet, sample_note: p, noting: noted}, {id: x, gain: {who: noted, score: 1}}",
        "{id: bet, sample_end: p}",
    ],
)
def test_a_step_that_does_more_than_name_its_result_may_stay(steps: str, monkeypatch: pytest.MonkeyPatch) -> None:
    add_statements(monkeypatch, Accept, Note, End)
    source = f"procedures: {{main: {{given: {{p: player}}, steps: [{steps}]}}}}\n"
    source += "kinds: {player: {fields: {score: count}}}\n"
    diagnostics = Diagnostics()
    run_lints(read(source), diagnostics)
    assert not [each for each in diagnostics if each.code.id == "unused-value"]


@pytest.mark.parametrize(
    "steps",
    [
        "- {id: card, draw: pack, when: pack.left > 0}\n- {id: last, set: {top: card}}",
        "- {id: more, if: pack.left > 0, then: [{id: x, set: {turn: turn + 1}}]}",
        "- {id: on, repeat: {while: pack.left > 1, at_most: 3, steps: [{id: x, set: {turn: turn + 1}}]}}",
    ],
)
def test_a_condition_on_the_cards_left_is_not_fixed(steps: str) -> None:
    cards = (
        "tables: {suits: {columns: {worth: int}, rows: {red: {worth: 1}, blue: {worth: 2}}}}\n"
        "decks: {pack: {of: suits}}\n"
        "state: {turn: int, top: optional suits}\n"
        "procedures: {main: {steps: [" + ", ".join(line.removeprefix("- ") for line in steps.split("\n")) + "]}}\n"
    )
    diagnostics = Diagnostics()
    run_lints(sound(cards), diagnostics)
    assert not [each for each in diagnostics if each.code.id == "fixed-condition"]


def test_every_node_that_asks_a_game_is_marked_so() -> None:
    nodes: list[type[Typed]] = [Typed]
    for node in nodes:
        nodes += node.__subclasses__()
    methods = map_methods_by_kind(Evaluate)
    asks = {node for node, work in methods.items() if "assert self.world is not None" in getsource(work)}
    assert asks
    assert asks == {node for node in nodes if node.READS_GAME and node in methods}


@pytest.mark.parametrize(
    "uses",
    [
        "numbers: {lonely: 3, other: lonely + 1}\n",
        "numbers: {lonely: 3}\ntables: {t: {columns: {n: int}, rows: {a: {n: lonely}}}}\n",
        "numbers: {lonely: 3}\nkinds: {player: {fields: {score: {type: count, default: lonely}}}}\n",
        "numbers: {lonely: 3}\nformulas: {f: {given: {n: int}, is: n + lonely}}\n",
    ],
)
def test_a_number_is_used_wherever_a_figure_leans_on_it(uses: str) -> None:
    diagnostics = Diagnostics()
    run_lints(sound(uses), diagnostics)
    assert not any("`numbers.lonely`" in d.message for d in diagnostics)
    run_lints(sound("numbers: {lonely: 3}\n"), diagnostics)
    assert any("`numbers.lonely`" in d.message for d in diagnostics)


DICE = """\
dice:
  dK: {faces: [1, 1, 2]}
  dL: 3..5
  burning: {is: 4d6! +2}
  hits: {given: x, is: 2 if x > 3 else 0}
"""


def told_of_dice(rules: str) -> str:
    """Return what the lints say of the dice that rules declare."""
    diagnostics = Diagnostics()
    run_lints(sound(rules), diagnostics)
    return text.render([d for d in diagnostics if d.code.id == "unused-declaration" and "`dice." in d.message])


def rolling(roll: str) -> str:
    return f'{DICE}procedures: {{main: {{steps: [{{id: s, roll: "{roll}"}}]}}}}\n'


def test_dice_that_nothing_rolls_are_told() -> None:
    said = told_of_dice(rolling("2d6"))
    assert_golden("unused_dice.txt", said, folder=FOLDER)
    assert said.count("warning[") == 4


def test_dice_are_used_by_whatever_cannot_be_read_without_them() -> None:
    assert told_of_dice(rolling("{hits(1dLkh1 + 2dK) + burning}")) == ""
    # `burning` is here the name of a roll that was just made.
    assert "`dice.burning`" in told_of_dice(rolling("{1d6 as burning: burning + hits(dL + dK)}"))
    table = "tables: {t: {roll: 1dL, rows: {a: 3-4, b: 5}}}\n"
    assert "`dice.dL`" not in told_of_dice(rolling("2d6") + table)
    text = "dice: {one: {is: 1d6 +1}, two: {is: one + one}}\nprocedures: {main: {steps: [{id: s, roll: '{two}'}]}}\n"
    assert told_of_dice(text) == ""


def test_dice_of_rules_without_procedures_are_for_the_table() -> None:
    assert told_of_dice(DICE) == ""


PHRASES = {
    "phrase_of_a_value_in_two": 'f: {given: {a: int}, is: a + 1, wording: {if_true: "so", if_false: "not so"}}',
    "phrase_of_a_truth_in_one": 'f: {given: {a: int}, is: a > 1, wording: "a large {given.a}"}',
    "phrase_with_nothing_given": 'f: {given: {all: int}, is: all + 1, wording: "one more than {given.al}"}',
    "phrase_with_no_such_term": 'f: {given: {a: int}, is: a + 1, wording: "one more {shovel} than {given.a}"}',
}


@pytest.mark.parametrize("name", PHRASES)
def test_phrases_that_say_nothing_are_told(name: str) -> None:
    diagnostics = Diagnostics()
    run_lints(sound(f"formulas:\n  {PHRASES[name]}\nnumbers: {{start: {{is: 3, means: Three.}}}}\n"), diagnostics)
    sentence = text.render([d for d in diagnostics if d.code.id in ("phrase-form", "unknown-placeholder")])
    assert_golden(f"{name}.txt", sentence, folder=FOLDER)
    assert sentence.startswith("error[")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("'{given.who} draws {given.number:tree}'", "`{given.number:tree}` cannot choose a noun"),
        ("'{given.hwo} draws'", "has no parameter `hwo`"),
        ("'{given.who} draws {given.number} {tree.plural}'", ""),
    ],
)
def test_a_clause_for_running_steps_has_no_other_placeholders_than_its_parameters(words: str, message: str) -> None:
    source = "terms: {tree: {name: tree, plural: trees, means: A tree.}}\nkinds: {player: {fields: {score: int}}}\n"
    form = "{given: {who: player, number: int}}"
    clauses = [
        f"tables: {{acts: {{columns: {{act: {{wording: {words}, steps: {form}}}}}, rows: {{dig: {{}}}}}}}}\n",
        f"procedures: {{p: {{wording: {words}, given: {{who: player, number: int}}, steps: [SAY]}}}}\n",
    ]
    say = "{id: x, gain: {who: who, score: number}}"
    for clause in clauses:
        diagnostics = Diagnostics()
        run_lints(sound(source + clause.replace("SAY", say)), diagnostics)
        found = [each.message for each in diagnostics if each.code.id == "unknown-placeholder"]
        assert [message in each for each in found] == ([True] if message else [])


def test_the_number_of_a_sentence_chooses_no_noun() -> None:
    source = "terms: {tree: {name: tree, plural: trees, means: A tree.}}\nprocedures:\n"
    source += "  p: {given: {n: int}, steps: [{id: x, say: '{given.number:tree} fall', with: {number: n}}]}\n"
    diagnostics = Diagnostics()
    run_lints(sound(source), diagnostics)
    (fault,) = [each for each in diagnostics if each.code.id == "unknown-placeholder"]
    assert "`{tree.plural}: {given.number}`" in str(fault.suggestion)


def test_two_clauses_for_running_steps_are_one_too_many() -> None:
    words = "{if_true: yes, if_false: no}"
    diagnostics = Diagnostics()
    run_lints(
        sound(f"tables: {{acts: {{columns: {{act: {{wording: {words}, steps: {{}}}}}}, rows: {{dig: {{}}}}}}}}\n"),
        diagnostics,
    )
    assert "phrase-form" in [each.code.id for each in diagnostics]


def test_two_layers_that_take_the_place_of_one_thing_say_which_comes_first() -> None:
    base = "kinds: {player: {fields: {score: count}}}\nstate: {turn: int}\n"
    base += "procedures: {p: {given: {who: player}, steps: [{id: won, gain: {who: who, score: 1}}]}}\n"
    base += "whenever: {one: {gains: player.score, instead: [{id: x, set: {turn: turn + 1}}]}}\n"
    upper = "whenever: {two: {gains: player.score, instead: [{id: y, set: {turn: turn + 2}}]}}\n"
    by_where = {}
    for where in ("", "before: one, "):
        diagnostics = Diagnostics()
        run_lints(sound(base, upper.replace("gains", f"{where}gains")), diagnostics)
        by_where[where] = text.render([d for d in diagnostics if d.code.id == "whenever-order"])
    assert_golden("whenever_without_an_order.txt", by_where[""], folder=FOLDER)
    assert by_where["before: one, "] == ""


def test_a_record_that_nothing_uses_and_a_label_of_no_part_are_told() -> None:
    diagnostics = Diagnostics()
    run_lints(
        sound('records: {pair: {label: "{self.won}", parts: {one: int}}}\n' + procedure("- {id: s, stop: true}")),
        diagnostics,
    )
    matching_diagnostics = [d for d in diagnostics if d.code.id in ("unused-declaration", "unknown-placeholder")]
    messages = [d.message for d in matching_diagnostics if "pair" in d.message or "self" in d.message]
    assert sorted(messages) == ["a label cannot contain the placeholder `self.won`", "nothing uses `records.pair`"]


@pytest.mark.parametrize(
    "used",
    ["state: {best: optional pair}", "formulas: {made: {is: pair(3).one}}", "state: {all: list of pair}"],
)
def test_a_record_that_is_used_is_not_told(used: str) -> None:
    diagnostics = Diagnostics()
    rules = "records: {pair: {parts: {one: int}}}\nprocedures: {main: {steps: [{id: s, stop: true}]}}\n"
    run_lints(sound(f"{rules}{used}\n"), diagnostics)
    assert not [d for d in diagnostics if "records.pair" in d.message]


WORDED = """\
numbers: {wage: {is: 4, means: What a day pays.}}
kinds:
  player:
    fields: {coin: int}
    derived: {rich: {is: self.coin > wage, means: Whether they have more than a day pays., wording: rich}}
formulas:
  best: {is: max(p.coin for p in players), means: The most that anybody has., wording: the most of all}
  wealth: {is: sum(p.coin for p in players), wording: what there is}
"""
WORST = "formulas: {best: {is: min(p.coin for p in players)"


def outdated(*layers: str) -> str:
    """Return what is said of words that were written for another rule."""
    diagnostics = Diagnostics()
    run_lints(sound(WORDED, *layers), diagnostics)
    return text.render([d for d in diagnostics if d.code.id == "words-outdated"])


def test_words_that_a_layer_left_beside_a_rule_it_made_another_are_told() -> None:
    assert outdated() == ""
    said = outdated(WORST + "}}\n")
    assert_golden("words_outdated.txt", said, folder=FOLDER)
    assert "`formulas.best` has a new `is`, but still has the inherited `means` and `wording`" in said
    assert "formulas.wealth` has a new `is`, but still has the inherited `wording`" in outdated(
        "formulas: {wealth: {is: 3 * count(players)}}\n"
    )
    rich = "kinds: {player: {derived: {rich: {is: self.coin > 2 * wage}}}}\n"
    assert "`kinds.player.derived.rich` has a new `is`, but still has the inherited `means` and `wording`" in outdated(
        rich
    )
    # What is said in between is older than what is said on top.
    assert "a new `is`" in outdated("formulas: {best: {means: 'So much.'}}\n", WORST + "}}\n")


@pytest.mark.parametrize(
    "layers",
    [
        (WORST + ", means: The least that anybody has.}}\n",),
        (WORST + ", means: The most that anybody has.}}\n",),
        (WORST + ", means: The most that anybody has., wording: the most of all}}\n",),
        (WORST + "}}\n", "formulas: {best: {means: The least that anybody has.}}\n"),
        ("formulas: {best: {replace: true, is: 3}}\n",),
        ("numbers: {wage: {is: 5}}\n",),
        ("formulas: {best: {wording: the highest}}\n",),
    ],
)
def test_words_that_are_said_anew_or_again_are_not(layers: tuple[str, ...]) -> None:
    assert outdated(*layers) == ""


def test_words_are_said_again_only_beside_what_changed() -> None:
    warnings = sound(WORDED, "formulas: {best: {means: The most that anybody has.}}\n").warnings
    assert [each.code.id for each in warnings] == ["override-without-effect"]


PAID = """\
numbers: {wage: {is: 4, means: What a day pays.}}
examples: {pay: {title: Eight in two days, value: wage * 2, expect: 8}}
"""


def test_a_title_with_a_number_that_a_layer_replaced_is_told() -> None:
    diagnostics = Diagnostics()
    lint_words(sound(PAID, "numbers: {wage: {is: 5}}\nexamples: {pay: {expect: 10}}\n"), diagnostics)
    assert_golden("example_number.txt", text.render(diagnostics), folder=FOLDER)


SECRET = """
state: {secret: {type: count, seen_by: nobody, means: A number.}}
procedures:
  game:
    title: A game
    steps:
      - {id: made, roll: 1d6, seen_by: nobody, into: secret}
      - {id: seen, show: {what: secret, to: everybody}}
      - {id: over, finish: {winners: "players if secret > 3 else []"}}
"""


def test_a_value_of_the_game_may_be_hidden_shown_and_used() -> None:
    diagnostics = Diagnostics()
    run_lints(sound(SECRET), diagnostics)
    assert not [str(each) for each in diagnostics if each.code.id in ("part-failed", "unused-declaration")]
