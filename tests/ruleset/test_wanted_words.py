"""Words that sentences need are asked for, and words for names that are not there are reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.book.parts.step_sentences import StepWriter
from rulewright.book.style.text_style import Style
from rulewright.ruleset.lints import run_lints
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import apply_edits
from tests.book.garden import steps, write_garden
from tests.language.inline import sound


def lint_garden(folder: Path, rules: str) -> list[str]:
    """Return the codes and messages of a garden's words."""
    diagnostics = Diagnostics()
    run_lints(load_ruleset("garden/small", rules=[write_garden(folder, rules)]), diagnostics)
    return [f"{d.code.id}: {d.message}" for d in diagnostics if d.code.id in ("words-wanted", "unused-words")]


def test_a_formula_of_two_things_needs_words_where_a_step_uses_it(tmp_path: Path) -> None:
    used = steps("- {id: part, let: 'share(season, 2)'}", "- {id: given_out, gain: {who: player, seed: part}}")
    assert lint_garden(tmp_path, used) == ["words-wanted: sentences cannot express `share` with its parameters"]


def test_the_hint_says_where_the_words_of_a_result_belong(tmp_path: Path) -> None:
    rules = steps("- {id: seeds_left, let: season}", "- {id: paid, gain: {who: player, seed: seeds_left}}")
    diagnostics = Diagnostics()
    run_lints(load_ruleset("garden/small", rules=[write_garden(tmp_path, rules)]), diagnostics)
    hints = [each.suggestion for each in diagnostics if each.code.id == "words-wanted"]
    assert hints == ["add `names: {seeds_left: …}` to the procedure `tend`, beside its `steps:`"]


def test_a_formula_with_words_needs_no_more(tmp_path: Path) -> None:
    used = steps("- {id: part, let: 'yield_of(bed, 2)'}", "- {id: given_out, gain: {who: player, seed: part}}")
    assert lint_garden(tmp_path, used) == []


def test_a_truth_value_of_the_game_needs_clauses(tmp_path: Path) -> None:
    rules = steps("- {id: dry, gain: {who: player, water: 1}, when: not gate_open}")
    rules = rules.replace("state:\n", "state:\n  gate_open: {type: bool, means: Whether the gate is open.}\n")
    assert lint_garden(tmp_path, rules) == ["words-wanted: sentences cannot express that `gate_open` is true"]
    text = rules.replace(
        "means: Whether the", "wording: {if_true: the gate is open, if_false: the gate is shut}, means: Whether the"
    )
    assert lint_garden(tmp_path, text) == []


def test_a_map_of_owners_and_a_preposition_need_nouns(tmp_path: Path) -> None:
    rules = steps("- {id: at, let: season}", "- {id: paid, gain: {who: player, seed: at}}")
    board = "tables:\n  plots: {grid: {columns: 2, rows: 2}}\n"
    rules = rules.replace("tables:\n", board)
    rules = rules.replace(
        "state:\n", "state:\n  marks: {type: map of plots to optional player, means: Whose each is.}\n"
    )
    expected = "words-wanted: sentences have no noun for one value of `marks`, such as “owner of the …”"
    assert lint_garden(tmp_path, rules) == [expected, "words-wanted: sentences have no noun for `at`"]
    worded = rules.replace("optional player, means", "optional player, wording: owner of the mark, means")
    worded = worded.replace("    gives:", "    names: {at: number of the season}\n    gives:", 1)
    assert lint_garden(tmp_path, worded) == []
    assert lint_garden(tmp_path, worded.replace("optional player, wording", "int, unit: points, wording")) == []


@pytest.mark.parametrize("name", ["bad", "lost"])
def test_words_for_what_is_not_there(name: str, tmp_path: Path) -> None:
    rules = steps().replace(
        "    given: {player: player, bed: bed}\n",
        f"    given: {{player: player, bed: bed}}\n    names: {{{name}: plot}}\n",
    )
    assert lint_garden(tmp_path, rules) == [f"unused-words: `tend` has nothing called `{name}`"]


def test_words_for_a_name_are_what_sentences_say(tmp_path: Path) -> None:
    rules = steps("- {id: rest, let: season + 1}", "- {id: paid, gain: {who: player, seed: rest}}")
    rules = rules.replace(
        "    gives: {size: bed.size}\n",
        "    gives: {size: bed.size}\n    names: {rest: 'number of {seed.plural} left over'}\n",
    )
    ruleset = load_ruleset("garden/small", rules=[write_garden(tmp_path, rules)])
    assert (
        StepWriter(ruleset.procedures["tend"], Style(ruleset))
        .all()
        .strip()
        .startswith("(1) The number of Seeds left over is season plus 1. (2) The player gains the Seeds left over.")
    )


WANTED = {
    "a result that a step reads": (
        ["- {id: seeds_left, let: season}", "- {id: paid, gain: {who: player, seed: seeds_left}}"],
        "",
        ["sentences have no noun for `seeds_left`"],
    ),
    "a result that no step reads": (["- {id: seeds_left, let: season}"], "", []),
    "a result with words": (
        ["- {id: seeds_left, let: season}", "- {id: paid, gain: {who: player, seed: seeds_left}}"],
        "    names: {seeds_left: number of Seeds left}\n",
        [],
    ),
    "a formula that a formula uses": (
        ["- {id: part, let: doubled(season)}", "- {id: paid, gain: {who: player, seed: part}}"],
        "",
        ["sentences cannot express `half_of` with its parameters"],
    ),
    "options that are chosen at the same time": (
        ["- {id: play, choose: {who: players, from: [hold_back, go]}}"],
        "",
        ["sentences have no noun for the option `hold_back`"],
    ),
    "a kind and a record": (
        ["- {id: made, create: tool_shed}", "- {id: one, let: 'seed_bag(2)'}"],
        "",
        ["sentences have no noun for `tool_shed`", "sentences have no noun for `seed_bag`"],
    ),
}


@pytest.mark.parametrize("what", WANTED)
def test_words_are_asked_for_where_an_id_would_be_read(what: str, tmp_path: Path) -> None:
    lines, names, expected = WANTED[what]
    rules = steps(*lines).replace("    gives:", f"{names}    gives:", 1)
    rules = rules.replace("formulas:\n", FORMULAS)
    rules = rules.replace("kinds:\n", "records: {seed_bag: {parts: {many: int}}}\nkinds:\n  tool_shed: {}\n")
    texts = [each.removeprefix("words-wanted: ") for each in lint_garden(tmp_path, rules)]
    always = ["sentences have no noun for `tool_shed`", "sentences have no noun for `seed_bag`"]
    assert texts == (expected if expected == always else [*always, *expected])


FORMULAS = """\
formulas:
  half_of: {given: {n: int}, is: n / 2}
  doubled: {given: {n: int}, is: half_of(n) * 4}
"""


def test_a_name_of_several_procedures_is_reported_once_with_all_of_them(tmp_path: Path) -> None:
    steps = "{given: {by: player, rival: player}, steps: [{id: paid, finish: {winners: [by, rival]}}]}"
    rules = "procedures:\n" + "".join(f"  {name}: {steps}\n" for name in ("move", "push", "pull"))
    rules += f"  jump: {steps[:-1]}, names: {{by: mover}}}}\n"
    (tmp_path / "ruleset.yaml").write_text("ruleset: test/by\nversion: 1.0.0\ntitle: By\nplayers: 2\n")
    (tmp_path / "rules.yaml").write_text(rules)
    diagnostics = Diagnostics()
    run_lints(load_ruleset("test/by", rules=tmp_path), diagnostics)
    expected = [each for each in diagnostics if each.code.id == "words-wanted"]
    assert [each.message for each in expected] == ["sentences have no noun for `by`"]
    where = "the procedures `move`, `push` and `pull`, beside their `steps:`"
    assert expected[0].suggestion == f"add `names: {{by: …}}` to {where}"


@pytest.mark.parametrize(
    ("options", "fixed"),
    [
        ("[dry_bed, wet]", "{dry_bed: {label: Dry bed}, wet: {label: Wet}}"),
        ("{dry_bed: season > 1, wet: true}", "{dry_bed: {when: season > 1, label: Dry bed}, wet: true}"),
        ("{dry_bed: {when: season > 1}, wet: true}", "{dry_bed: {label: Dry bed, when: season > 1}, wet: true}"),
    ],
)
def test_an_option_without_a_label_gets_one(options: str, fixed: str, tmp_path: Path) -> None:
    rules = steps(f"- {{id: way, choose: {{who: player, from: {options}}}, ask: Which?}}")
    file = write_garden(tmp_path, rules)
    diagnostics = Diagnostics()
    run_lints(load_ruleset("garden/small", rules=[file]), diagnostics)
    (warning,) = (each for each in diagnostics if each.code.id == "words-wanted")
    assert "`dry_bed`" in warning.message
    assert warning.suggestion == "give it a label, as in `from: {dry_bed: {label: Dry bed}}`"
    (edit,) = warning.edits
    mended = apply_edits(Path(edit.span.file).read_text(encoding="utf-8"), warning.edits)
    assert f"from: {fixed}" in mended


ALL = "{id: all, for_each: rival, in: players, steps: [{id: won, gain: {who: rival, coins: 1}}]}"


@pytest.mark.parametrize(
    ("given", "steps", "asked"),
    [
        ("{who: player}", "{id: won, gain: {who: who, coins: 1}}", []),
        ("{active_player: player}", "{id: won, gain: {who: active_player, coins: 1}}", []),
        ("{who: player, rival: player}", "{id: won, gain: {who: rival, coins: 1}}", ["who"]),
        ("{who: player}", ALL, ["who"]),
    ],
)
def test_a_parameter_needs_a_noun_unless_it_goes_by_that_of_its_kind(given: str, steps: str, asked: list[str]) -> None:
    diagnostics = Diagnostics()
    source = "kinds: {player: {fields: {coins: count}}}\nprocedures:\n"
    run_lints(sound(f"{source}  main: {{given: {given}, steps: [{steps}]}}\n"), diagnostics)
    wanted = [each.message for each in diagnostics if each.code.id == "words-wanted"]
    assert wanted == [f"sentences have no noun for `{name}`" for name in asked]
