"""Records: values of several parts, made, read, compared, chosen, kept, told and shown, on every machine alike."""

from __future__ import annotations

import jsonschema

from rulewright.engine.game.json_contracts import build_snapshot_schema
from rulewright.engine.game.script import list_option_ids
from rulewright.engine.game.snapshot import take_snapshot, view
from rulewright.engine.narration.log import NarrationLog
from rulewright.engine.narration.option_labels import label_options
from rulewright.engine.narration.plain_names import Names
from rulewright.engine.state.game_state import State
from rulewright.engine.state.state_json import from_json, to_json
from rulewright.engine.state.state_keys import holds_objects
from rulewright.engine.state.tree_interpreter import Interpreter
from rulewright.integrations.observation import ObservationEncoder
from rulewright.ir.program import build_program
from rulewright.ir.program_text import format_layout, format_routine
from rulewright.language.lowering import find_option_type
from rulewright.ruleset.ruleset import Ruleset
from rulewright.testing.run_examples import run_examples
from tests.engine import machines
from tests.engine.machines import Table, field, named, of_two, show_state
from tests.language.inline import sound

MARKET = """\
tables:
  goods:
    columns: {worth: int}
    rows: {wood: {title: Wood, worth: 1}, brick: {title: Brick, worth: 2}, ore: {title: Ore, worth: 5}}
records:
  offer:
    means: What somebody gives for a good.
    parts: {buyer: player, good: goods, price: int, through: optional stall}
  step: {label: "{self.good} for {self.price}", parts: {good: goods, price: int}}
kinds:
  player: {fields: {coin: int, made: list of offer, hint: {type: optional step, seen_by: self}}}
  stall: {fields: {number: int}}
state:
  best: optional offer
  log: list of step
  next_step: {type: step, default: {good: brick, price: 3}}
formulas:
  better: {given: {one: offer, other: offer}, is: one.price - other.price}
procedures:
  main:
    given: {p: player}
    steps: STEPS
"""


def market(steps: str) -> Ruleset:
    return sound(MARKET.replace("STEPS", f"[{steps}]"))


def carried_out(steps: str) -> State:
    """Return the state after these steps, which come to the same on every machine."""
    return machines.carried_out(market(steps))


def test_a_record_is_made_read_and_compared_part_by_part() -> None:
    state = carried_out(
        "{id: a, let: 'offer(p, ore, 2 + 2, none)'}, {id: price, let: a.price + a.good.worth},"
        "{id: same, let: 'a == offer(p, ore, 4, none)'}, {id: other, let: 'a == offer(p, ore, 5, none)'},"
        "{id: by_part, let: {buyer: p, good: ore}, type: offer}, {id: gap, let: 'better(a, by_part)'}"
    )
    assert named(state, "a") == (1, "ore", 4, None)
    assert (named(state, "price"), named(state, "same"), named(state, "other")) == (9, True, False)
    assert (named(state, "by_part"), named(state, "gap")) == ((1, "ore", 0, None), 4)


def test_lists_of_records_are_written_part_by_part_wherever_a_value_is() -> None:
    ruleset = sound(
        MARKET.replace(
            "log: list of step", "log: {type: list of step, default: [{good: ore, price: 2}, 'step(wood, 1)']}"
        )
        .replace("made: list of offer", "made: list of offer, seen: {type: list of step, default: [{good: brick}]}")
        .replace(
            "STEPS",
            "[{id: a, let: [{good: ore, price: 4}], type: list of step},"
            " {id: b, set: {log: [{good: wood}, {price: 3, good: ore}]}}]",
        )
    )
    game, player = (ruleset.declarations.kinds[kind].fields for kind in ("game", "player"))
    assert (game["log"].default, player["seen"].default) == ((("ore", 2), ("wood", 1)), (("brick", 0),))
    state = machines.carried_out(ruleset)
    assert (named(state, "a"), field(state, 0, "game", "log")) == ((("ore", 4),), (("wood", 0), ("ore", 3)))


def test_lists_of_records_are_built_sorted_searched_and_gone_through() -> None:
    state = carried_out(
        "{id: all, let: 'list(step(g, 10 - g.worth) for g in goods)'},"
        "{id: cheapest, let: 'first(s for s in all by s.price)'},"
        "{id: there, let: 'step(brick, 8) in all'},"
        "{id: each, for_each: s, in: all, steps:"
        " [{id: kept, set: {log: 'log + [s]', p.coin: p.coin + s.price}}]},"
        "{id: fewer, set: {log: 'list(s for s in log if s != next_step and s.good != wood)'}}"
    )
    assert named(state, "all") == (("wood", 9), ("brick", 8), ("ore", 5))
    assert named(state, "cheapest") == ("ore", 5)
    assert named(state, "there") is True
    assert field(state, 1, "player", "coin") == 22
    assert field(state, 0, "game", "log") == (("brick", 8), ("ore", 5))


def test_a_part_that_may_be_none_is_known_once_it_was_asked_for() -> None:
    state = carried_out(
        "{id: s, create: stall, with: {number: 7}}, {id: a, set: {best: 'offer(p, wood, 1, s)'}},"
        "{id: found, let: 'best.through.number if best and best.through else 0'},"
        "{id: gone, set: {best: none}}, {id: nothing, let: 'best.price if best else 0 - 1'}"
    )
    assert (named(state, "found"), named(state, "nothing")) == (7, -1)


def at_question(steps: str) -> State:
    ruleset = market(steps)
    assert Table(ruleset).play(of_two, 3) == "over"
    machine = Interpreter(ruleset)
    state = machine.empty(2)
    machine.begin(state, "main", (1,))
    return state


def test_records_may_be_chosen_each_by_an_id_and_a_label_of_its_own() -> None:
    state = at_question("{id: take, choose: {who: p, one_of: 'list(step(g, g.worth) for g in goods)', or_none: true}}")
    step = state.machine.step(state)
    assert step is not None
    assert list_option_ids(state, step) == ["wood/1", "brick/2", "ore/5", "none"]
    labels = label_options(state.options, find_option_type(step), Names.for_state(state))
    assert labels[:3] == ["Wood for 1", "Brick for 2", "Ore for 5"]


def test_several_records_may_be_chosen() -> None:
    state = at_question("{id: take, choose: {who: p, some_of: 'list(step(g, g.worth) for g in goods)', at_most: 2}}")
    step = state.machine.step(state)
    assert step is not None
    assert list_option_ids(state, step)[-1] == "brick/2+ore/5"


def test_a_part_that_is_none_is_left_out_of_a_label_with_the_words_before_it() -> None:
    label = '"{self.good} for {self.price} through {self.through} of {self.buyer}"'
    parts = "good: goods, price: optional int, through: optional goods, buyer: optional player"
    market = MARKET.replace('step: {label: "{self.good} for {self.price}", parts: {good: goods, price: int}}', "STEP")
    steps = "[{id: x, choose: {who: p, one_of: OFFERS}}, {id: y, let: x}]"
    offers = "'[play(wood, none, none, none), play(wood, 3, none, p), play(ore, none, brick, none)]'"
    rules = market.replace("  log: list of step\n  next_step: {type: step, default: {good: brick, price: 3}}\n", "")
    rules = rules.replace("hint: {type: optional step, seen_by: self}", "hint: int").replace("STEPS", steps)
    expected = {
        f"label: {label}, ": ["Wood", "Wood for 3 of Player 1", "Ore through Brick"],
        "": ["play (good Wood)", "play (good Wood, price 3, buyer Player 1)", "play (good Ore, through Brick)"],
    }
    for own, labels in expected.items():
        ruleset = sound(rules.replace("STEP", f"play: {{{own}parts: {{{parts}}}}}").replace("OFFERS", offers))
        machine = Interpreter(ruleset)
        state = machine.empty(2)
        machine.begin(state, "main", (1,))
        step = machine.step(state)
        assert step is not None
        assert label_options(state.options, find_option_type(step), Names.for_state(state)) == labels


def test_logs_name_every_part_or_say_the_label() -> None:
    state = carried_out(
        "{id: a, set: {best: 'offer(p, ore, 4, none)'}}, {id: b, set: {log: 'log + [step(ore, 2)]'}},"
        "{id: c, let: 'offer(p, wood, 1, none)'}"
    )
    chronicle = NarrationLog(state.machine.ruleset, state.machine.layout, state.machine.empty(2).objects)
    assert [event.text for event in chronicle.read(state.events or [])] == [
        "Best is now offer (buyer Player 1, good Ore, price 4).",
        "Ore for 2 is now in the log.",
    ]


def test_snapshots_views_saves_and_observations_hold_records() -> None:
    state = carried_out("{id: a, set: {best: 'offer(p, ore, 4, none)', log: '[step(wood, 1), next_step]'}}")
    ruleset = state.machine.ruleset
    snapshot = take_snapshot(state)
    best = {"buyer": "player-1", "good": "ore", "price": 4, "through": None}
    assert snapshot["values"]["best"] == best
    assert snapshot["values"]["log"] == [{"good": "wood", "price": 1}, {"good": "brick", "price": 3}]
    jsonschema.validate(snapshot, build_snapshot_schema(ruleset))
    by_name = {each["name"]: each["value"] for each in view(state, 1)["values"]}
    assert by_name["Next step"] == "Brick for 3"
    assert show_state(from_json(state.machine, to_json(state))) == show_state(state)
    eyes = ObservationEncoder(ruleset, players=2, most_objects=4)
    empty = state.machine.empty(2)
    assert len(eyes.encode(state, 0)) == len(eyes.encode(empty, 0))


def test_what_only_some_may_see_is_made_up_anew_part_by_part() -> None:
    state = carried_out("{id: a, set: {p.hint: 'step(ore, 2)'}}")
    assert "hint" in take_snapshot(state, 1)["objects"]["player"][0]["fields"]
    assert "hint" not in take_snapshot(state, 2)["objects"]["player"][0]["fields"]


def test_examples_give_and_expect_records() -> None:
    rules = MARKET.replace("STEPS", "[{id: a, when: best, set: {p.made: 'p.made + [best]', best: none}}]") + (
        "examples:\n  more:\n    title: More\n    of: main\n"
        "    given: {p: 2, players: [{}, {}], best: {buyer: 2, good: ore, price: 3}, log: [{good: wood, price: 1}]}\n"
        '    expect: {"players[2].made": [{buyer: 2, good: ore, price: 3, through: none}], count(log): 1,'
        ' "log[1]": {good: wood, price: 1}, "players[2].made[1].price": 3}\n'
    )
    (run,) = run_examples(sound(rules))
    assert run.holds, run.problems.errors


def test_programs_write_records_and_how_large_they_are() -> None:
    ruleset = market("{id: a, let: 'offer(p, ore, 4, none)'}, {id: b, set: {p.coin: a.price}}")
    program = build_program(ruleset)
    assert "offer(buyer = %p, good = 'ore, price = 4, through = none)" in format_routine(program, "main")
    assert "write $1.coin := %a.price" in format_routine(program, "main") or "%a.price" in format_routine(
        program, "main"
    )
    layout = format_layout(program)
    assert "next_step: step, good: 3 values; price: ±10^18" in layout


def test_objects_in_records_are_found_where_positions_are_compared() -> None:
    declared = market("{id: a, let: 1}").declarations
    assert holds_objects(declared.records["offer"].type)
    assert not holds_objects(declared.records["step"].type)


def test_a_layer_writes_a_list_of_records_anew() -> None:
    below = MARKET.replace("log: list of step", "log: {type: list of step, default: [{good: ore, price: 2}]}")
    ruleset = sound(
        below.replace("STEPS", "[{id: a, let: 1}]"),
        "state: {log: {default: [{good: wood, price: 1}, 'step(ore, 3)']}}\n",
    )
    assert ruleset.declarations.kinds["game"].fields["log"].default == (("wood", 1), ("ore", 3))


def test_a_layer_adds_a_part_and_a_default_part_by_part() -> None:
    below = MARKET.replace("STEPS", "[{id: a, let: next_step}, {id: b, set: {p.coin: a.price}}]")
    ruleset = sound(below, "records: {step: {parts: {last: bool}}}\nstate: {next_step: {default: {price: 9}}}\n")
    assert ruleset.declarations.kinds["game"].fields["next_step"].default == ("brick", 9, False)
