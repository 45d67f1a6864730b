"""Steps of rows are laid over each other step by step, and lints and signatures of texts know them."""

from __future__ import annotations

from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from rulewright import Ruleset
from rulewright.authoring.sign_texts import build_signature, build_waiting, list_waiting
from rulewright.book.parts.rule_summaries import build_describer
from rulewright.ruleset.lints.unused import lint
from rulewright.ruleset.prose.prose_lint import lint_words
from rulewright.ruleset.queries.lookup import find_node
from rulewright.ruleset.schema.json_schema import build_fragment_schema
from rulewright.ruleset.translation.source_texts import is_sayable
from rulewright.source.diagnostics.collector import Diagnostics
from tests.card_duel import FILES, MANIFEST, load_duel
from tests.language.inline import checked, sound
from tests.ruleset.stacks import load, write

DUEL = FILES["duel"]


def list_steps(ruleset: Ruleset, row: str) -> list[str]:
    return [step.id for step in ruleset.procedures[f"cards.{row}.effect"].body.steps if not step.woven]


def lay(cells: str) -> Ruleset:
    """Return the duel with other cells of the card `gamble`."""
    return sound(DUEL, f"tables: {{cards: {{rows: {{gamble: {{{cells}}}}}}}}}\n", manifest=MANIFEST)


GAIN = "gain: {who: player, hearts: 1}"
EDITS = {
    f"effect: [{{before: lost, id: x, {GAIN}}}]": ["luck", "x", "lost", "won"],
    f"effect: [{{after: luck, id: x, {GAIN}}}, {{after: luck, id: y, {GAIN}}}]": ["luck", "x", "y", "lost", "won"],
    f"effect: [{{replace: won, id: x, {GAIN}}}]": ["luck", "lost", "x"],
    "effect: [{delete: lost}]": ["luck", "won"],
    "effect: [{id: won, before: lost}]": ["luck", "won", "lost"],
    "effect: [{id: luck, roll: 1d20}]": ["luck", "lost", "won"],
    "power: 9": ["luck", "lost", "won"],
}


@pytest.mark.parametrize("cells", EDITS)
def test_an_upper_layer_changes_steps_one_by_one(cells: str) -> None:
    assert list_steps(lay(cells), "gamble") == EDITS[cells]


@pytest.mark.parametrize("cells", ["effect: {delete: true}", "effect: []"])
def test_an_upper_layer_takes_all_steps_of_a_row(cells: str) -> None:
    assert "cards.gamble.effect" not in lay(cells).procedures


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ("effect: [{delete: lots}]", "there is no inherited step `lots`"),
        ("effect: [{id: won}]", "this does not change the step `won`"),
        (f"effect: [{{before: lost, id: won, {GAIN}}}]", "there is already a step `won`"),
    ],
)
def test_an_edit_that_cannot_be_made_is_reported(cells: str, message: str) -> None:
    _, diagnostics = checked(DUEL, f"tables: {{cards: {{rows: {{gamble: {{{cells}}}}}}}}}\n", manifest=MANIFEST)
    assert [each.message for each in diagnostics] == [message]


def test_house_rules_are_named_as_the_origin_of_a_step() -> None:
    path, _ = find_node(load_duel("card-duel"), "cards.gamble.effect.luck")
    assert path == ("tables", "cards", "rows", "gamble", "effect", "luck")
    (changed,) = load_duel("card-duel").resolved.history.find_origins((*path, "roll"))[-1:]
    assert (changed.layer, changed.operation, changed.value) == ("cookbook/card-duel@1.0.0", "changes", "1d8")


def stack(folder: Path, *changes: str) -> tuple[Ruleset | None, list[str]]:
    """Return an edition that stacks two overlays of the steps of `gamble`, and the codes of what is wrong with it."""
    write(folder, "base", DUEL, manifest="players: 2\nstart: game\nlanguage: 1")
    for name, change in zip(("high", "fog"), changes, strict=True):
        write(folder, name, f"tables: {{cards: {{rows: {{gamble: {{effect: [{change}]}}}}}}}}\n")
    write(folder, "table", "", manifest="extends: my/base@1\noverlays: [my/high, my/fog]")
    ruleset, diagnostics = load(folder)
    return ruleset, [each.code.id for each in diagnostics]


def test_overlays_that_change_one_step_are_in_conflict(tmp_path: Path) -> None:
    assert stack(tmp_path, "{id: luck, roll: 1d8}", "{id: luck, roll: 1d20}") == (None, ["overlays-meet"])


def test_overlays_that_change_several_steps_are_not(tmp_path: Path) -> None:
    ruleset, diagnostics = stack(tmp_path, "{id: luck, roll: 1d8}", f"{{after: won, id: x, {GAIN}}}, {{delete: lost}}")
    assert diagnostics == []
    assert ruleset is not None
    assert list_steps(ruleset, "gamble") == ["luck", "won", "x"]


def test_a_column_of_steps_that_nothing_runs_is_reported() -> None:
    idle = DUEL.replace("{id: act, do: played.effect, with: {player: player, foe: foe}}", f"{{id: act, {GAIN}}}")
    ruleset = sound(idle.partition("examples:")[0], manifest=MANIFEST)
    diagnostics = Diagnostics()
    lint(ruleset, diagnostics)
    assert "nothing runs the steps in the column `effect` of `cards`" in [each.message for each in diagnostics]
    known = Diagnostics()
    lint(load_duel(), known)
    assert not list(known)


def test_a_table_with_steps_is_not_shown_in_another_language() -> None:
    assert not is_sayable(load_duel(), "cards")


WORDED = DUEL.replace("columns:\n      power", "columns:\n      note: optional text\n      power").replace(
    "{steps: {given: {player: player, foe: player}}}", "{steps: {given: {player: player, foe: player}, text: note}}"
)


def list_outdated(rules: str) -> list[str]:
    diagnostics = Diagnostics()
    ruleset = sound(rules, manifest=MANIFEST)
    lint_words(ruleset, diagnostics, describe=build_describer(ruleset))
    return [each.message for each in diagnostics if each.code.id == "text-outdated"]


def signed(rules: str) -> str:
    """Return the rules with the signature of the card `potion` that they ask for."""
    ruleset = sound(rules, manifest=MANIFEST)
    assert list_waiting(ruleset) == ["tables.cards.potion"]
    waiting = build_waiting("tables.cards.potion", ruleset, build_describer(ruleset))
    assert waiting.text == "Drink it."
    assert waiting.explained[0].lines == ("(1) The player gains 3 Hearts.",)
    edit = build_signature("tables.cards.potion", ruleset)
    assert edit is not None
    return rules.replace("reviewed: unread", f"reviewed: {edit.text.rpartition(' ')[2]}")


def test_a_text_is_outdated_once_the_steps_or_the_cells_that_they_read_have_changed() -> None:
    rules = WORDED.replace("potion:\n", "potion:\n        note: Drink it.\n        reviewed: unread\n")
    said = ["the text of `tables.cards.potion` may be out of date: its rules have changed since an author compared it"]
    assert list_outdated(rules) == said
    good = signed(rules)
    assert list_outdated(good) == []
    assert list_outdated(good.replace("copies: 3", "copies: 5")) == []
    assert list_outdated(good.replace("power: 3", "power: 5")) == said
    assert list_outdated(good.replace("{id: healed, gain: {who: player,", "{id: healed, gain: {who: foe,")) == said
    special = "exceptions: {e: {to: cards.potion.effect.healed, when: foe.hearts > 2, means: Not then.}}\n"
    assert list_outdated(good + special) == said


def test_a_column_of_texts_must_hold_texts() -> None:
    for written, said in (("power", "`power` is a number, not text"), ("noet", "cards has no column `noet`")):
        _, diagnostics = checked(WORDED.replace("text: note", f"text: {written}"), manifest=MANIFEST)
        assert [each.message for each in diagnostics] == [said]


def test_the_schema_takes_steps_in_cells_and_edits_of_lists() -> None:
    def is_valid(cell: object) -> bool:
        rules = {"tables": {"cards": {"rows": {"one": {"effect": cell}}}}}
        return Draft202012Validator(build_fragment_schema()).is_valid(rules)

    for cell in (3, ["a", "b"], [{"id": "a", "after": "b"}], [{"delete": "a"}], [{"id": "a", "roll": "1d6"}], []):
        assert is_valid(cell)
    assert is_valid([{"id": "Big one"}])
    for cell in ([{"id": "a", "rol": "1d6"}], [{"roll": "1d6"}], {"id": "a"}):
        assert not is_valid(cell)


PAIRS = """\
tables:
  sizes: {columns: {price: int}, rows: {small: {price: 1}, large: {price: 7}}}
  pairs:
    every: {one: sizes, other: sizes}
    columns: {act: {steps: {}}}
    rows: {small_large: {act: [{id: sum, set: {turn: self.one.price + self.other.price}}]}}
state: {turn: int}
procedures: {main: {given: {p: pairs}, steps: [{id: x, do: p.act}]}}
"""


def test_a_combined_row_may_bring_steps() -> None:
    assert "pairs.small_large.act" in sound(PAIRS).procedures
    named_like_a_part = PAIRS.replace("{act: {steps: {}}}", "{one: {steps: {}}}").replace("act: [", "one: [")
    _, diagnostics = checked(named_like_a_part.replace("p.act", "p.one"))
    assert {each.code.id for each in diagnostics} == {"bad-combination", "name-clash", "unknown-procedure"}


def test_a_mistake_in_steps_that_rows_share_is_reported_once() -> None:
    steps = "{id: x, set: {trun: 1}}"
    shared = PAIRS.replace("    every: {one: sizes, other: sizes}\n", "")
    shared = shared.partition("    rows: {small_large")[0].replace("{steps: {}}", f"{{steps: {{default: [{steps}]}}}}")
    shared += "    rows: {a: {}, b: {}}\nstate: {turn: int}\n" + PAIRS.partition("turn: int}\n")[2]
    assert [each.code.id for each in checked(shared)[1]] == ["unknown-name"]
    idle, diagnostics = sound(shared.replace(steps, "{id: x, let: 1}")), Diagnostics()
    lint(idle, diagnostics)
    assert [each.message for each in diagnostics if "uses `x`" in each.message] == ["nothing in `pairs.a.act` uses `x`"]
