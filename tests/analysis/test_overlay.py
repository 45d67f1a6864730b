"""Other figures in a ruleset: as house rules would have them, and refused as those are."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import Ruleset, RulewrightError, load_ruleset
from rulewright.analysis.simulation.run_simulation import simulate
from rulewright.analysis.simulation.sweep import combine_values, parse_sweep
from rulewright.ruleset.overlay import find_node, with_values
from rulewright.source.nodes import Scalar

FIELDS = "fuzzy-knights/normal@1.0"
HOUSE_RULES = Path(__file__).resolve().parents[1] / "house_rules"


@pytest.fixture(scope="module")
def pig() -> Ruleset:
    return load_ruleset("pig/classic@1.0")


def test_values_are_what_house_rules_say(pig: Ruleset, tmp_path: Path) -> None:
    house = tmp_path / "short"
    house.mkdir()
    (house / "ruleset.yaml").write_text(
        "ruleset: house/short\nversion: 1.0.0\nextends: pig/classic@1.0\ntitle: Short\nstatus: draft\n"
    )
    (house / "rules.yaml").write_text("numbers: {goal: {is: 30}, die: {is: 1d8}}\n")
    written = load_ruleset("house/short", rules=[tmp_path])
    overlay = with_values(pig, [("numbers.goal", "30"), ("numbers.die", "1d8")])
    assert overlay.digest == written.digest
    assert simulate(overlay, games=30).to_plain() == simulate(written, games=30).to_plain()


def test_what_stands_already_changes_nothing(pig: Ruleset) -> None:
    assert with_values(pig, [("numbers.goal", "100")]) is pig
    assert with_values(pig, [("numbers.goal", "100"), ("numbers.bust", "2")]).declarations.numbers["goal"].value == 100


def test_cells_rows_and_steps_can_be_varied(pig: Ruleset) -> None:
    rules = load_ruleset(FIELDS)
    overlay = with_values(
        rules,
        [
            ("tables.settlement_tiers.rows.villa.cost", "12"),
            ("tables.guardian_check.rows.capture", "10-50"),
            ("tables.guardian_check.rows.fight", "60-100"),
        ],
    )
    assert overlay.declarations.tables["settlement_tiers"].rows["villa"].cells["cost"] == 12
    assert overlay.declarations.tables["guardian_check"].rows["fight"].faces == (60, 70, 80, 90, 100)
    bold = with_values(pig, [("procedures.game.steps.turns.repeat.steps.dare.then.luck.else.grown.set.pot", "pot + 2")])
    assert bold.digest != pig.digest


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (("numbers.gaol", "3"), "did you mean `goal`?"),
        (("nmbers.goal", "3"), "did you mean `numbers`?"),
        (("numbers.goal.is.it", "3"), "has no `it`"),
        (("numbers.", "3"), "`numbers` has no ``"),
        (("numbers.goal", "gaol"), "nothing here is called `gaol`"),
        (("numbers.goal", "1d6"), "dice have no value"),
        (("procedures.game.steps.turns", "1"), "is not a number but a step that contains numbers"),
        (("procedures.game.steps", "1"), "must be a list"),
        (("numbers.goal", "[1"), "<value>"),
    ],
)
def test_what_the_rules_would_refuse_is_refused(pig: Ruleset, value: tuple[str, str], message: str) -> None:
    with pytest.raises(RulewrightError) as error:
        with_values(pig, [value])
    assert message in str(error.value)


def test_a_table_must_still_have_every_face() -> None:
    with pytest.raises(RulewrightError, match="covers 60"):
        with_values(load_ruleset(FIELDS), [("tables.guardian_check.rows.capture", "10-50")])


def test_sweeps_are_read() -> None:
    assert parse_sweep("a.b=1, 2,3").turns == (("1",), ("2",), ("3",))
    assert parse_sweep("a=-2..4 step 3").turns == (("-2",), ("1",), ("4",))
    assert parse_sweep("a=[1, 2],[3]").turns == (("[1, 2]",), ("[3]",))
    assert parse_sweep("a&b=10-60&70-100,10-70&80-100").turns == (("10-60", "70-100"), ("10-70", "80-100"))
    turns = combine_values([parse_sweep("a=1,2"), parse_sweep("b&c=3&4,5&6")])
    assert turns[1] == (("a", "1"), ("b", "5"), ("c", "6"))
    assert len(turns) == 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("numbers.goal", "gives no values"),
        ("=3", "names no number"),
        ("a=", "is not a value"),
        ("a=1,,2", "is not a value"),
        ("a&b=1", "is not 2 values"),
        ("a=5..1", "is not a range"),
        ("a=1..9 step 0", "is not a range"),
        ("a=1..999999", "is not a range"),
    ],
)
def test_sweeps_that_cannot_be_read_are_refused(text: str, message: str) -> None:
    with pytest.raises(RulewrightError, match=message):
        parse_sweep(text)


def test_a_figure_is_varied_once() -> None:
    with pytest.raises(RulewrightError, match="appears in two sweeps"):
        combine_values([parse_sweep("a=1,2"), parse_sweep("a=3")])


def test_figures_are_varied_where_overlays_meet_that_know_nothing_of_one_another() -> None:
    stack = load_ruleset("house/long-table", rules=[HOUSE_RULES])
    overlay = with_values(stack, [("numbers.fog_cost", "2")])
    assert overlay.digest != stack.digest
    varied = find_node(overlay, "numbers.fog_cost.is")
    assert isinstance(varied, Scalar)
    assert varied.text == "2"
