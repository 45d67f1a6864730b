"""Maps: a value for each row of a table, read, changed, kept, told and shown, on every machine alike."""

from __future__ import annotations

import pytest

from rulewright.engine.game.snapshot import take_snapshot, view
from rulewright.engine.narration.log import NarrationLog
from rulewright.engine.state.faults import RulesFault
from rulewright.engine.state.game_state import State
from rulewright.engine.state.state_json import from_json, to_json
from rulewright.engine.state.tree_interpreter import Interpreter
from rulewright.language.step_cost import StepCosts
from rulewright.ruleset.ruleset import Ruleset
from rulewright.testing.run_examples import run_examples
from tests.engine import machines
from tests.engine.machines import Table, field, named, of_two, show_state
from tests.language.inline import checked, sound

MARKET = """\
terms: {player: {name: Player, means: Who trades.}}
tables:
  goods:
    columns: {worth: int}
    rows: {wood: {title: Wood, worth: 1}, brick: {title: Brick, worth: 2}, ore: {title: Ore, worth: 5}}
  lots: {rows: {north: {title: North Lot}, south: {title: South Lot}}}
kinds:
  player:
    fields:
      stock: {type: map of goods to count, default: {wood: 2, ore: 1}}
      luck: map of goods to int
  stall: {fields: {goods: map of goods to count, keeper: player}}
state:
  holder: map of lots to optional player
  open: map of goods to bool
  next_good: {type: goods, default: brick}
  asked: {type: map of lots to goods, default: {north: ore, south: wood}}
procedures:
  main:
    given: {p: player}
    steps: STEPS
"""

WOOD, BRICK, ORE = 0, 1, 2


def market(steps: str) -> Ruleset:
    return sound(MARKET.replace("STEPS", f"[{steps}]"))


def carried_out(steps: str) -> State:
    """Return the state after these steps, which come to the same on every machine."""
    return machines.carried_out(market(steps))


def test_a_map_starts_as_it_is_declared_and_holds_0_for_the_rest() -> None:
    state = carried_out("{id: a, let: 'p.stock[wood]'}, {id: b, let: 'p.luck[ore]'}, {id: c, let: 'holder[north]'}")
    assert field(state, 1, "player", "stock") == (2, 0, 1)
    assert (named(state, "a"), named(state, "b"), named(state, "c")) == (2, 0, None)


def test_set_changes_one_row_whether_written_or_known_in_play_only() -> None:
    state = carried_out(
        '{id: a, set: {"p.stock[wood]": 7, "p.stock[next_good]": 4, "holder[south]": p, "open[ore]": true}}'
    )
    assert field(state, 1, "player", "stock") == (7, 4, 1)
    assert field(state, 2, "player", "stock") == (2, 0, 1)
    assert field(state, 0, "game", "holder") == (None, 1)
    assert field(state, 0, "game", "open") == (False, False, True)


def test_two_rows_may_be_swapped() -> None:
    state = carried_out('{id: a, set: {"p.stock[wood]": "p.stock[ore]", "p.stock[ore]": "p.stock[wood]"}}')
    assert field(state, 1, "player", "stock") == (1, 0, 2)


def test_gain_and_pay_of_a_row_and_of_one_row_twice() -> None:
    state = carried_out(
        '{id: a, gain: {who: p, "stock[brick]": 3, "stock[next_good]": 2}}, {id: b, pay: {who: p, "stock[wood]": 2}}'
    )
    assert field(state, 1, "player", "stock") == (0, 5, 1)


def test_a_map_of_another_place_may_be_put_in_whole_and_stays_what_it_was() -> None:
    state = carried_out(
        "{id: kept, let: p.stock}, {id: a, set: {p.stock: {ore: 9}}}, {id: same, let: kept == p.stock},"
        '{id: b, set: {"kept[wood]": 5}}, {id: c, set: {"next(p, players).stock": kept}}'
    )
    assert field(state, 1, "player", "stock") == (0, 0, 9)
    assert field(state, 2, "player", "stock") == (5, 0, 1)
    assert named(state, "same") is False


def test_maps_are_gone_through_by_their_rows() -> None:
    state = carried_out(
        "{id: worth, let: 'sum(g.worth * p.stock[g] for g in goods)'},"
        "{id: some, let: 'list(g for g in goods if p.stock[g] > 0)'},"
        '{id: all, for_each: g, in: goods, steps: [{id: more, set: {"p.luck[g]": "p.stock[g] * 10"}}]},'
        '{id: wanted, let: "p.stock[asked[north]]"}'
    )
    assert named(state, "worth") == 7
    assert named(state, "some") == ("wood", "ore")
    assert field(state, 1, "player", "luck") == (20, 0, 10)
    assert named(state, "wanted") == 1


def test_an_object_may_hold_a_map_and_be_reached_through_one() -> None:
    state = carried_out(
        "{id: s, create: stall, with: {keeper: p, goods: {brick: 4}}},"
        '{id: h, set: {"holder[north]": s.keeper}},'
        '{id: lucky, when: "holder[north]", set: {"holder[north].luck[ore]": "s.goods[brick]"}}'
    )
    assert field(state, 1, "player", "luck") == (0, 0, 4)


def test_what_is_known_of_a_row_holds_until_it_may_have_changed() -> None:
    state = carried_out(
        '{id: h, set: {"holder[north]": p}}, {id: found, let: "sum(holder[l].stock[wood] for l in lots if holder[l])"}'
    )
    assert named(state, "found") == 2


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ('{id: a, pay: {who: p, "stock[next_good]": 1}}', "`stock[brick]` would be -1"),
        ('{id: a, set: {"p.stock[ore]": -3}}', "`stock[ore]` would be -3"),
        ("{id: a, set: {p.stock: {wood: 1, ore: 0 - 2}}}", "`stock` would be -2"),
        ("{id: a, create: stall, with: {keeper: p, goods: {ore: 0 - 5}}}", "`goods` would be -5"),
    ],
)
def test_no_row_of_counts_goes_below_zero(steps: str, message: str) -> None:
    ruleset = market(steps)
    assert Table(ruleset).play(of_two, 1) == "fault"
    machine = Interpreter(ruleset)
    with pytest.raises(RulesFault, match="would be") as fault:
        machine.begin(machine.empty(2), "main", (1,))
    assert fault.value.message == message


def test_a_unit_names_the_amount_and_the_row_what_it_is_for() -> None:
    rules = MARKET.replace("luck: map of goods to int", "luck: {type: map of goods to int, unit: clover}")
    steps = '{id: a, gain: {who: p, "luck[brick]": 3}}, {id: b, pay: {who: p, "luck[ore]": 1}}'
    ruleset = sound(rules.replace("STEPS", f"[{steps}]"))
    state = machines.carried_out(ruleset)
    chronicle = NarrationLog(state.machine.ruleset, state.machine.layout, state.machine.empty(2).objects)
    assert [event.text for event in chronicle.read(state.events or [])] == [
        "Player 1 gains 3 clover for Brick and now has 3.",
        "Player 1 pays 1 clover for Ore and has -1 left.",
    ]


def test_events_tell_the_row() -> None:
    state = carried_out(
        '{id: a, gain: {who: p, "stock[brick]": 3}}, {id: b, set: {"p.stock[ore]": 4, "holder[south]": p}},'
        '{id: c, pay: {who: p, "stock[brick]": 1}}'
    )
    chronicle = NarrationLog(state.machine.ruleset, state.machine.layout, state.machine.empty(2).objects)
    events = chronicle.read(state.events or [])
    assert [event.text for event in events] == [
        "Player 1 gains 3 Brick and now has 3.",
        "Player 1’s stock for Ore is now 4.",
        "The holder for South Lot is now Player 1.",
        "Player 1 pays 1 Brick and has 2 left.",
    ]
    assert events[0].data == {
        "object": "player-1",
        "field": "stock",
        "before": 0,
        "after": 3,
        "row": "brick",
    }
    assert chronicle.objects[1] == state.objects[1]


def test_snapshots_views_and_saves_hold_maps() -> None:
    state = carried_out('{id: a, set: {"holder[south]": p}}')
    shown_by_name = take_snapshot(state)
    assert shown_by_name["objects"]["player"][0]["fields"]["stock"] == {"wood": 2, "brick": 0, "ore": 1}
    assert shown_by_name["values"]["holder"] == {"north": None, "south": "player-1"}
    values = view(state, 1)["players"][0]["values"]
    assert {"name": "Stock", "value": "Wood 2, Brick 0 and Ore 1"} in values
    assert show_state(from_json(state.machine, to_json(state))) == show_state(state)


def test_examples_give_and_expect_maps() -> None:
    rules = MARKET.replace("STEPS", '[{id: a, gain: {who: p, "stock[wood]": 1}}]') + (
        "examples:\n  more:\n    title: More\n    of: main\n"
        "    given: {p: 2, players: [{}, {stock: {wood: 4, brick: 1}}], holder: {north: 2}}\n"
        '    expect: {"players[2].stock": {wood: 5, brick: 1}, "players[1].stock[ore]": 1, "holder[north]": 2}\n'
    )
    (run,) = run_examples(sound(rules))
    assert run.holds, run.problems.errors


def test_a_round_that_changes_a_row_costs_by_the_rows_of_its_table() -> None:
    steps = '{id: all, for_each: p, in: players, steps: [{id: one, set: {"BIG[r1]": 1}}]}'
    costs = []
    for rows in (16, 1600):
        table = ", ".join(f"r{number}: {{}}" for number in range(1, rows + 1))
        rules = sound(
            f"tables: {{places: {{rows: {{{table}}}}}}}\nstate: {{big: map of places to int}}\n"
            f"procedures: {{main: {{steps: [{steps.replace('BIG', 'big')}]}}}}\n"
        )
        loop = next(step for step in rules.procedures["main"].iterate_steps() if step.id == "all")
        costs.append(StepCosts(rules.declarations, rules.procedures).round(loop))
    assert costs[1] - costs[0] == 99


def test_a_layer_changes_a_map_row_by_row() -> None:
    below = MARKET.replace("STEPS", "[{id: a, set: {p.stock: {wood: 1, brick: 2}}}]")
    upper = (
        "kinds: {player: {fields: {stock: {default: {brick: 3, ore: {delete: true}}}}}}\n"
        "tables: {goods: {rows: {gold: {title: Gold, worth: 9}}}}\n"
        "procedures: {main: {steps: [{id: a, set: {p.stock: {brick: 7}}}]}}\n"
    )
    ruleset = sound(below, upper)
    assert ruleset.declarations.kinds["player"].fields["stock"].default == (2, 3, 0, 0)
    machine = Interpreter(ruleset)
    state = machine.empty(2)
    machine.begin(state, "main", (1,))
    assert field(state, 1, "player", "stock") == (1, 7, 0, 0)


def test_a_layer_that_changes_no_row_is_told_so() -> None:
    below = MARKET.replace("STEPS", "[{id: a, set: {p.stock: {wood: 1}}}]")
    _, diagnostics = checked(below, "kinds: {player: {fields: {stock: {default: {wood: 2}}}}}\n")
    assert [fault.code.id for fault in diagnostics] == ["override-without-effect"]


def test_one_value_may_be_the_default_of_every_row() -> None:
    ruleset = sound(MARKET.replace("STEPS", "[{id: a, let: 1}]").replace("{wood: 2, ore: 1}", "4"))
    assert ruleset.declarations.kinds["player"].fields["stock"].default == (4, 4, 4)
