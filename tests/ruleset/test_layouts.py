"""Layouts: what `board:` says is read in its order, and what is not there is told of with what was meant."""

from __future__ import annotations

import pytest

from rulewright.ruleset.sections.board import DisplayLayout
from tests.language.inline import checked, sound

RULES = """\
terms:
  barn: {name: Barn, means: Where hay is.}
  man: {name: Man, plural: Men, means: Who works.}
kinds:
  player: {fields: {score: count, spots: list of int, done: list of jobs}}
  man: {term: man, plural: men, fields: {owner: player, age: int, job: jobs}}
tables:
  jobs:
    columns: {pay: int, edges: list of ways}
    rows: {mow: {pay: 1, edges: [up, out, up]}, milk: {pay: 2, edges: []}, rest: {pay: 0, edges: [out]}}
  ways: {rows: {up: {}, out: {}}}
  fields: {grid: {columns: 2, rows: 2}}
state: {hay: map of jobs to count}
board:
"""


def layouts(written: str) -> dict[str, DisplayLayout]:
    return dict(sound(RULES + written).layouts)


def faults(written: str) -> list[tuple[str, str, str | None]]:
    return [(each.code.id, each.message, each.suggestion) for each in checked(RULES + written)[1].errors]


def test_layouts_are_read_in_their_order() -> None:
    layouts_ = layouts(
        "  fields: {turned: true, title: Meadow}\n"
        "  jobs: {pictures: {mow: barn}, places: [[mow, .], [., milk]], round: true}\n"
        "  man: {show: [job, age], picture: job, places: [[3, 4], [1, 2]], marks: spots, die: age,"
        " sides: edges, turns: age}\n"
        "  player: {hide: [score], sheet: [done]}\n"
    )
    assert list(layouts_) == ["fields", "jobs", "man", "player"]
    assert (layouts_["fields"].is_rotated, layouts_["fields"].title) == (True, "Meadow")
    assert layouts_["jobs"].pictures == {"mow": "barn"}
    assert layouts_["jobs"].places == (("mow", None), (None, "milk"))
    assert layouts_["jobs"].round
    man = layouts_["man"]
    assert (man.show, man.picture, man.marks, man.die) == (("job", "age"), "job", "spots", "age")
    assert (man.sides, man.turns) == ("edges", "age")
    assert man.places == (("3", "4"), ("1", "2"))
    assert (layouts_["player"].show, layouts_["player"].hide, layouts_["player"].sheet) == (None, ("score",), ("done",))


@pytest.mark.parametrize(
    ("written", "code", "message", "meant"),
    [
        ("  mn: {hide: [age]}", "unknown-type", "there is no kind or table `mn`", "man"),
        ("  man: {hide: [agge]}", "unknown-field", "`man` has no field `agge`", "age"),
        ("  man: {show: [ag]}", "unknown-field", "`man` has no field `ag`", "age"),
        ("  player: {sheet: [doen]}", "unknown-field", "`player` has no field `doen`", "done"),
        ("  man: {grows: true}", "bad-layout", "`man` is not a board, so it cannot grow", "give the layout"),
        ("  jobs: {grows: true}", "bad-layout", "`jobs` is not a board, so it cannot grow", "give the layout"),
        ("  jobs: {show: [pay]}", "bad-layout", "`jobs` is a table, so it has no fields", None),
        ("  man: {pictures: {mow: barn}}", "bad-layout", "`man` is not a table, so it has no rows", None),
        ("  jobs: {pictures: {mwo: barn}}", "unknown-row", "`jobs` has no row `mwo`", "mow"),
        ("  jobs: {pictures: {mow: brn}}", "unknown-name", "there is no term `brn`", "barn"),
        ("  jobs: {places: [[mow, mlk]]}", "unknown-row", "`jobs` has no row `mlk`", "milk"),
        ("  jobs: {places: [[mow], [mow]]}", "bad-layout", "`mow` has two places", None),
        ("  man: {places: [[a]]}", "bad-layout", "`a` is not a number, but the spaces of a kind are numbers", None),
        ("  man: {places: [[1]], marks: spot}", "unknown-field", "`player` has no field `spot`", "spots"),
        ("  man: {places: [[1]], marks: score}", "wrong-type", "`score` is a number, not a list of numbers", None),
        ("  man: {picture: age}", "wrong-type", "`age` is a number, not a row of a table", None),
        ("  man: {sides: edges}", "bad-layout", "`man` has no `picture`, whose row has the sides", "picture: tile"),
        ("  jobs: {sides: edges}", "bad-layout", "`jobs` has no `picture`, whose row has the sides", "picture: tile"),
        ("  man: {picture: job, sides: edgse}", "unknown-field", "`jobs` has no column `edgse`", "edges"),
        ("  man: {picture: job, sides: pay}", "wrong-type", "`pay` is a number, not a list of rows or numbers", None),
        ("  man: {picture: job, sides: edges, turns: job}", "wrong-type", "`job` is a row of jobs, not a number", None),
        ("  man: {turns: age}", "bad-layout", "`man` has no `sides` to turn", "sides: sides"),
        ("  man: {die: job}", "wrong-type", "`job` is a row of jobs, not a number", None),
    ],
)
def test_what_is_not_there_is_told_of(written: str, code: str, message: str, meant: str | None) -> None:
    ((found, diagnostics, suggestion),) = faults(written + "\n")
    assert found == code
    assert diagnostics.startswith(message)
    assert suggestion is None if meant is None else meant in str(suggestion)
