"""What rows of a table bring as steps is done alike by every machine, and as a chain of conditions would do it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rulewright import Ruleset
from rulewright.engine import backends
from rulewright.engine.state.game_state import OVER, State
from rulewright.engine.state.machine import Machine, get_effort
from rulewright.language.declarations import FIRST_PLAYER
from rulewright.ruleset.queries.dice_needed import count_dice_needed
from tests.breadth import times
from tests.card_duel import load_duel
from tests.engine.machines import Table
from tests.language.inline import sound


def begin(machine: Machine) -> tuple[State, str, tuple[Any, ...]]:
    return machine.empty(2), "game", ()


@pytest.mark.parametrize("name", ["duel", "card-duel"])
def test_cards_act_alike_on_every_machine(name: str) -> None:
    table = Table(load_duel(name))
    for seed in range(times(4, 40)):
        table.play(begin, seed)
        table.sample(begin, seed)


def deeds(rows: str, steps: str, *, form: str = "given: {p: player}", more: str = "") -> Ruleset:
    """Return rules with a table of deeds whose rows are `rows`, and `steps` of a procedure of a player and a deed."""
    return sound(
        f"tables:\n  deeds:\n    columns: {{toil: int, act: {{steps: {{{form}}}}}}}\n    rows:\n{rows}"
        "kinds: {player: {fields: {score: int, luck: int}}}\n"
        f"procedures:\n  main:\n    given: {{p: player, d: deeds}}\n    steps:\n{steps}{more}"
    )


ROWS = """\
      dig: {toil: 2, act: [{id: dug, set: {p.score: p.score + self.toil}}]}
      sow: {toil: 5, act: [{id: sown, set: {p.score: p.score * 10 + self.rank}}, {id: more, set: {p.luck: self.toil}}]}
      rest: {toil: 0}
"""
CALL = "      - {id: done, do: d.act, with: {p: p}}\n"


def end(ruleset: Ruleset, deed: str) -> tuple[int, int]:
    """Return the score and the luck of a player after `main`, which is the same on every machine."""
    members = set(_ends(ruleset, deed))
    assert len(members) == 1
    return members.pop()


def _ends(ruleset: Ruleset, deed: str) -> Iterator[tuple[int, int]]:
    for name in backends.list_names():
        machine = backends.make(name, ruleset)
        state = machine.empty(1)
        state.events = []
        machine.begin(state, "main", (FIRST_PLAYER, deed))
        assert state.mode == OVER
        entity = state.objects[FIRST_PLAYER]
        assert entity is not None
        yield entity[machine.layout.places["player", "score"]], entity[machine.layout.places["player", "luck"]]


@pytest.mark.parametrize(("deed", "wanted"), [("dig", (2, 0)), ("sow", (2, 5)), ("rest", (0, 0))])
def test_the_row_decides_what_is_done_and_one_without_steps_does_nothing(deed: str, wanted: tuple[int, int]) -> None:
    assert end(deeds(ROWS, CALL), deed) == wanted


@pytest.mark.parametrize(
    "row", ["deeds.dig.act", "next(deeds.rest, deeds).act", "(d if p.score > 0 else deeds.dig).act"]
)
def test_any_expression_may_name_the_row(row: str) -> None:
    assert end(deeds(ROWS, f"      - {{id: done, do: '{row}', with: {{p: p}}}}\n"), "sow") == (2, 0)


def test_a_known_row_is_run_without_asking_which_it_is() -> None:
    ruleset = deeds(ROWS, "      - {id: done, do: deeds.dig.act, with: {p: p}}\n")
    assert ruleset.procedures["main"].body.steps[0].action.procedure == "deeds.dig.act"


def test_steps_give_results_and_rows_without_them_none() -> None:
    rows = (
        "      dig: {toil: 2, act: [{id: much, let: self.toil * 3}]}\n      rest: {toil: 0}\n"
        "      doze: {toil: 1, act: [{id: dozed, set: {p.luck: 1}}]}\n"
    )
    steps = CALL + "      - {id: kept, set: {p.score: done.much or 7}}\n"
    ruleset = deeds(rows, steps, form="given: {p: player}, gives: {much: optional int}")
    assert [end(ruleset, deed) for deed in ("dig", "rest", "doze")] == [(6, 0), (7, 0), (7, 1)]


def test_a_stop_ends_only_the_steps_of_the_row() -> None:
    rows = "      dig: {toil: 2, act: [{id: enough, stop: true, when: p.luck == 0}, {id: dug, set: {p.score: 9}}]}\n"
    steps = CALL + "      - {id: after, set: {p.luck: 4}}\n"
    assert end(deeds(rows, steps), "dig") == (0, 4)


def test_rows_without_steps_have_those_of_the_column() -> None:
    form = "given: {p: player}, default: [{id: usual, set: {p.score: self.toil + 100}}]"
    ruleset = deeds(ROWS, CALL, form=form)
    assert end(ruleset, "rest") == (100, 0)
    assert end(ruleset, "dig") == (2, 0)


EXCEPTION = (
    "exceptions: {e: {to: deeds.dig.act.dug, when: d_is_odd, instead: [{id: odd, set: {p.luck: 8}}], means: M}}\n"
)


def test_exceptions_and_triggers_name_a_step_of_a_row() -> None:
    instead = "instead: [{id: odd, set: {p.luck: 8}}]"
    special = f"exceptions: {{e: {{to: deeds.dig.act.dug, when: self.toil == 2, {instead}, means: M}}}}\n"
    assert end(deeds(ROWS, CALL, more=special), "dig") == (0, 8)
    trigger = "whenever: {t: {does: deeds.dig.act.dug, then: [{id: glad, set: {p.luck: p.luck + 3}}], means: M}}\n"
    assert end(deeds(ROWS, CALL, more=trigger), "dig") == (2, 3)
    assert end(deeds(ROWS, CALL, more=trigger), "sow") == (2, 5)
    every = "whenever: {t: {changes: player.score, then: [{id: glad, set: {player.luck: 1}}], means: M}}\n"
    assert end(deeds(ROWS, CALL, more=every), "dig") == (2, 1)


def test_a_call_costs_at_least_what_any_row_costs_and_needs_the_dice_of_each() -> None:
    ruleset = load_duel()
    effort = get_effort(ruleset)
    rows = [f"cards.{row}.effect" for row in ruleset.declarations.tables["cards"].rows]
    costs = [effort.estimate_procedure(each) for each in rows if each in ruleset.procedures]
    assert len(costs) == len(rows) - 1
    assert effort.estimate_procedure("cards.effect") > sum(costs)
    assert count_dice_needed(ruleset) == {"d6": 1}


def test_a_cell_may_be_a_row_of_another_table_with_such_a_column() -> None:
    ruleset = sound(
        "tables:\n"
        "  tools:\n    columns: {act: {steps: {given: {p: player}}}}\n"
        "    rows: {spade: {act: [{id: dug, set: {p.score: 5}}]}}\n"
        "  deeds:\n    columns: {tool: tools, act: {steps: {given: {p: player}}}}\n"
        "    rows: {dig: {tool: spade, act: [{id: used, do: deeds.dig.tool.act, with: {p: p}}]}}\n"
        "kinds: {player: {fields: {score: int, luck: int}}}\n"
        "procedures: {main: {given: {p: player, d: deeds}, steps: [{id: x, do: d.act, with: {p: p}}]}}\n"
    )
    assert end(ruleset, "dig") == (5, 0)
