"""What each verb does, to the letter, on every machine."""

from __future__ import annotations

import pytest

from rulewright.dice.parser.notation import parse
from rulewright.engine.state.game_state import OVER
from tests.engine.scripts import FIRST, LARGE_TREE, SECOND, SMALL_TREE, carry_out, sampled

# -- expressions ------------------------------------------------------------------------------

EXPRESSIONS = [
    ("previous(next(p)).score + n", 6),
    ("count(q for q in players if previous(q) == p) + n", 4),
    ("(previous(last(sizes)) or sizes.large).price + n", 4),
    ("list((next(x.size) or x.size).price + n for x in trees)", (10, 10)),
    ("list(y.price for x in trees for y in sizes if y == previous(x.size) and n > 1)", (1,)),
    ("next(n, [1, n, 5])", 5),
    ("previous(n, [1, n, 5])", 1),
    ("previous(n + 1, [1, n, 5])", 5),
    ("previous(1, [1, n, 5])", 5),
    ("previous(n, list(x.height for x in trees if x.height > 10))", 3),
    ("list(x for x in sizes if n > 1 by -x)", ("large", "small")),
    ("list(x for x in trees if n > 1 by -x.size)", (LARGE_TREE, SMALL_TREE)),
    ("distinct([n, 1, 3, 1, n + 1])", (3, 1, 4)),
    ("distinct([[n], [1], [3], [1, n]])", ((3,), (1,), (1, 3))),
    ("distinct(x.owner for x in trees + trees if n > 1)", (FIRST, None)),
    ("sum(distinct([n, 1, 3]))", 4),
    ("count(distinct(x for x in [n, 3, 4] if x > 3))", 1),
    ("flatten([[n, 1], [], [2]])", (3, 1, 2)),
    ("[n, 1, 3, 1, n + 1] - [1, n, 9]", (3, 1, 4)),
    ("[[n], [1], [3], [1, n], [3]] - [3]", ((1,), (3,), (1, 3), (3,))),
    ("[n, 1] + n - [1, 1]", (3, 3)),
    ("list(x.owner for x in trees + trees if n > 1) - [p, none, none]", (FIRST,)),
    ("count(trees - trees)", 0),
    ("sum(flatten([x, n] for x in [1, 2]))", 9),
    ("flatten(list(x.height for x in trees if x.height > y + n) for y in [1, 2, 3])", (5, 9, 9, 9)),
    ("first(n, trees)", (SMALL_TREE, LARGE_TREE)),
    ("first(n - 2, trees)", (SMALL_TREE,)),
    ("last(n - 2, list(x.height for x in trees))", (9,)),
    ("first(n - 4, trees) + last(n - 5, trees)", ()),
    ("last(2, first(n, [1, 2, 3, 4]))", (2, 3)),
    ("sum(x.height * y for x in trees for y in [1, n])", 56),
    ("count(x for x in trees for y in trees if x.height + n > y.height)", 3),
    ("list(x.height + y for x in trees for y in [n, x.height] if y > 3)", (10, 18)),
    ("last(y for x in trees for y in sizes if x.size < y) == large", True),
    ("max(x.height - y for x in trees for y in [20, 9 + n])", -3),
]


@pytest.mark.parametrize(("written", "value"), EXPRESSIONS)
def test_an_expression_comes_to_its_value(written: str, value: object) -> None:
    # What is chosen is not known beforehand, so nothing is worked out before the game.
    steps = f"- {{id: n, choose: {{who: p, number: {{from: 1, to: 9}}}}}}\n- {{id: came, let: '{written}'}}"
    assert carry_out(steps, [3])["came"] == value


# -- loops over lists -------------------------------------------------------------------------


def test_for_each_goes_over_the_list_as_it_was_at_the_start() -> None:
    ended = carry_out(
        "- {id: seen, let: 0}\n"
        "- id: loop\n  for_each: x\n  in: trees\n  steps:\n"
        "    - {id: new, create: tree}\n    - {id: counted, set: {seen: seen + 1}}"
    )
    assert (ended["seen"], len(ended.trees)) == (2, 4)


@pytest.mark.parametrize("stops", [False, True])
def test_for_each_passes_over_objects_that_have_left(stops: bool) -> None:
    ask = "    - {id: ask, choose: {who: p, from: [a, b]}}\n" if stops else ""
    ended = carry_out(
        "- {id: new, create: tree, with: {height: 20}}\n"
        "- {id: seen, let: 0}\n"
        "- id: loop\n  for_each: x\n  in: trees\n  steps:\n"
        f"{ask}"
        "    - {id: felled, remove: list(o for o in trees if o.height == 9)}\n"
        "    - {id: counted, set: {seen: seen + x.height}}",
        ["a", "a"] if stops else [],
    )
    assert ended["seen"] == 25


def test_for_each_goes_over_numbers_and_rows_too() -> None:
    ended = carry_out(
        "- {id: total, let: 0}\n"
        "- {id: l1, for_each: n, in: '[3, 4, 3]', steps: [{id: a, set: {total: total + n}}]}\n"
        "- {id: l2, for_each: row, in: sizes, steps: [{id: b, set: {total: total * row.price}}]}"
    )
    assert ended["total"] == 70


def test_the_name_of_a_loop_may_be_used_again_after_it() -> None:
    ended = carry_out(
        "- {id: total, let: 0}\n"
        "- {id: l1, for_each: n, in: '[1, 2]', steps: [{id: a, set: {total: total + n}}]}\n"
        "- {id: l2, for_each: n, in: '[10, 20]', steps: [{id: b, set: {total: total + n}}]}"
    )
    assert ended["total"] == 33


# -- loops with a condition -----------------------------------------------------------------------

ROUND = "{id: counted, set: {rounds: rounds + 1}}"
ASK = "{id: ask, choose: {who: p, from: [on, off]}}"


@pytest.mark.parametrize(
    ("condition", "rounds"),
    [
        ("at_most: 3", 3),
        ("at_most: 0", 0),
        ("at_most: 3 - 5", 0),
        ("while: rounds < 2, at_most: 9", 2),
        ("until: rounds >= 2, at_most: 9", 2),
        ("until: rounds == 0, at_most: 9", 0),
        ("while: rounds < 5, at_most: 2", 2),
        ("at_most: 4 - rounds", 4),
        ("ends_within: 4 - rounds, while: rounds < 3", 3),
    ],
)
@pytest.mark.parametrize("stops", [False, True])
def test_the_condition_is_asked_before_every_round_and_the_bound_once(condition: str, rounds: int, stops: bool) -> None:
    steps = f"[{ASK}, {ROUND}]" if stops else f"[{ROUND}]"
    ended = carry_out(
        f"- {{id: rounds, let: 0}}\n- {{id: loop, repeat: {{{condition}, steps: {steps}}}}}", ["on"] * rounds * stops
    )
    assert ended["rounds"] == rounds


@pytest.mark.parametrize("bound", ["at_most", "while: true, ends_within"])
@pytest.mark.parametrize("stops", [False, True])
def test_a_bound_is_not_read_through_none_after_a_round_removed_its_object(bound: str, stops: bool) -> None:
    asking = f"{ASK}, " if stops else ""
    last = "{id: out, stop: loop, when: turn == 2}"
    steps = f"[{asking}{{id: gone, set: {{p.friend: none, turn: turn + 1}}}}, {last}]"
    loop = f"- {{id: loop, when: p.friend, repeat: {{{bound}: p.friend.score, steps: {steps}}}}}"
    ended = carry_out(f"- {{id: met, set: {{p.friend: p}}}}\n{loop}", ["on", "on"] if stops else [])
    assert ended["turn"] == 2


@pytest.mark.parametrize("stops", [False, True])
def test_a_loop_is_entered_once_and_its_when_asked_once(stops: bool) -> None:
    steps = (
        f"[{ASK}, {ROUND}, {{id: off, set: {{storm: true}}}}]"
        if stops
        else f"[{ROUND}, {{id: off, set: {{storm: true}}}}]"
    )
    ended = carry_out(
        f"- {{id: rounds, let: 0}}\n- {{id: loop, when: not storm, repeat: {{at_most: 3, steps: {steps}}}}}\n"
        f"- {{id: again, when: not storm, for_each: x, in: trees, steps: [{{id: never, set: {{rounds: 99}}}}]}}",
        ["on"] * 3 * stops,
    )
    assert ended["rounds"] == 3


@pytest.mark.parametrize("stops", [False, True])
def test_a_loop_in_a_loop_begins_anew(stops: bool) -> None:
    inner = f"[{ASK}, {ROUND}]" if stops else f"[{ROUND}]"
    ended = carry_out(
        "- {id: rounds, let: 0}\n"
        "- id: outer\n  for_each: x\n  in: trees\n  steps:\n"
        f"    - {{id: inner, repeat: {{at_most: 2, steps: {inner}}}}}",
        ["on"] * 4 * stops,
    )
    assert ended["rounds"] == 4


@pytest.mark.parametrize("stops", [False, True])
def test_what_a_round_passes_over_is_none_in_that_round(stops: bool) -> None:
    ask = "    - {id: ask, choose: {who: p, from: [a, b]}}\n" if stops else ""
    ended = carry_out(
        "- {id: found, let: 0}\n"
        "- id: loop\n  for_each: n\n  in: '[1, 2]'\n  steps:\n"
        f"{ask}"
        "    - {id: odd, let: n, when: n == 1}\n"
        "    - {id: roll, do: give, with: {n: n}, when: n == 1}\n"
        "    - {id: counted, set: {found: found + 1}, when: odd}\n"
        "    - {id: counted_too, set: {found: found + 10}, when: roll.same}\n",
        ["a", "a"] if stops else [],
        before="  give: {given: {n: int}, gives: {same: n}, steps: []}\n",
    )
    assert ended["found"] == 11


# -- stop and finish -------------------------------------------------------------------------------

COUNT = """\
  count:
    given: {least: int}
    gives: {sum: total, last: seen}
    steps:
      - {id: total, let: 0}
      - {id: seen, let: 0}
      - id: outer
        for_each: x
        in: trees
        steps:
          - id: inner
            repeat:
              at_most: 5
              steps:
                - {id: more, set: {total: total + 1, seen: x.height}}
                - {id: enough, stop: true, when: total >= least}
"""


@pytest.mark.parametrize(("least", "last"), [(1, 5), (5, 5), (6, 9), (10, 9), (99, 9)])
def test_a_stop_in_a_loop_in_a_loop_ends_the_procedure_and_no_more(least: int, last: int) -> None:
    ended = carry_out(
        f"- {{id: c, do: count, with: {{least: {least}}}}}\n- {{id: after, set: {{turn: 7}}}}", before=COUNT
    )
    assert (ended["c.sum"], ended["c.last"], ended["turn"]) == (min(least, 10), last, 7)


def test_a_stop_ends_the_procedure_that_was_begun_with() -> None:
    ended = carry_out(
        "- {id: loop, for_each: x, in: trees, steps: [{id: end, stop: true, when: x.height == 5}]}\n"
        "- {id: never, set: {turn: 7}}",
        gives="{at: turn}",
    )
    assert (ended.state.mode, ended["turn"], ended["at"]) == (OVER, 0, 0)


def test_finish_ends_everything() -> None:
    ended = carry_out(
        "- {id: other, do: end, with: {p: p}}\n- {id: never, set: {turn: 7}}",
        before="  end: {given: {p: player}, steps: [{id: won, finish: {winners: [p]}, when: not storm}]}\n",
    )
    assert (ended.state.winners, ended.state.stack, ended["turn"]) == ((FIRST,), [], 0)


# -- special cases -----------------------------------------------------------------------------------


def special(*cases: str) -> str:
    return "exceptions:\n" + "".join(f"  {case}\n" for case in cases)


@pytest.mark.parametrize(
    ("cases", "turn"),
    [
        (["e: {to: main.plain, when: storm, means: M}"], 1),
        (["e: {to: main.plain, when: not storm, means: M}"], 0),
        (["e: {to: main.plain, when: not storm, instead: [{id: i, set: {turn: 5}}], means: M}"], 5),
        (
            [
                "e: {to: main.plain, when: not storm, instead: [{id: i, set: {turn: 5}}], means: M}",
                "f: {to: main.plain, when: turn >= 0, instead: [{id: j, set: {turn: 6}}], means: M}",
            ],
            5,
        ),
        (
            [
                "e: {to: main.plain, when: storm, instead: [{id: i, set: {turn: 5}}], means: M}",
                "f: {to: main.plain, when: turn >= 0, instead: [{id: j, set: {turn: 6}}], means: M}",
            ],
            6,
        ),
    ],
)
def test_the_first_special_case_that_holds_takes_the_place_of_its_step(cases: list[str], turn: int) -> None:
    assert carry_out("- {id: plain, set: {turn: 1}}", more=special(*cases))["turn"] == turn


@pytest.mark.parametrize("holds", [False, True])
def test_a_special_case_holds_only_where_its_step_would_be_done(holds: bool) -> None:
    condition = "not storm" if holds else "storm"
    more = special("e: {to: main.plain, when: t.height > 0, instead: [{id: i, set: {turn: 5}}], means: M}")
    assert carry_out(f"- {{id: plain, set: {{turn: 1}}, when: {condition}}}", more=more)["turn"] == (5 if holds else 0)


@pytest.mark.parametrize("holds", [False, True])
def test_what_a_step_binds_is_none_where_a_special_case_holds(holds: bool) -> None:
    more = special(f"e: {{to: main.face, when: {'not storm' if holds else 'storm'}, means: M}}")
    ended = carry_out(
        "- {id: face, roll: 1d6}\n- {id: used, set: {turn: face or 100}}", [] if holds else [4], more=more
    )
    assert (ended["face"], ended["turn"]) == ((None, 100) if holds else (4, 4))


def test_a_special_case_in_a_loop_is_asked_in_every_round() -> None:
    more = special("e: {to: main.plain, when: n == 2, instead: [{id: i, set: {turn: turn + 100}}], means: M}")
    ended = carry_out("- {id: l, for_each: n, in: '[1, 2, 3]', steps: [{id: plain, set: {turn: turn + n}}]}", more=more)
    assert ended["turn"] == 104


def test_a_special_case_may_end_the_procedure() -> None:
    more = special("e: {to: main.plain, when: not storm, instead: [{id: end, stop: true}], means: M}")
    assert carry_out("- {id: plain, set: {turn: 1}}\n- {id: never, set: {turn: 2}}", more=more)["turn"] == 0


def test_a_special_case_of_a_loop_takes_the_place_of_the_whole_loop() -> None:
    more = special("e: {to: main.loop, when: not storm, instead: [{id: i, set: {turn: 5}}], means: M}")
    assert carry_out("- {id: loop, repeat: {at_most: 3, steps: [{id: x, set: {turn: 1}}]}}", more=more)["turn"] == 5


# -- set, gain, pay --------------------------------------------------------------------------------


def test_two_places_may_be_swapped() -> None:
    ended = carry_out("- {id: a, let: 1}\n- {id: b, let: 2}\n- {id: swap, set: {a: b, b: a}}")
    assert (ended["a"], ended["b"]) == (2, 1)


def test_all_is_worked_out_before_anything_changes_hands() -> None:
    ended = carry_out("- {id: x, set: {t.height: turn + 1, turn: t.height}}")
    assert (ended.field(SMALL_TREE, "tree", "height"), ended["turn"]) == (1, 5)
    ended = carry_out("- {id: g, gain: {who: t, height: t.height}}\n- {id: q, pay: {who: t, height: 3}}")
    assert ended.field(SMALL_TREE, "tree", "height") == 7


def test_what_is_told_of_a_new_object_is_what_it_was_made_with() -> None:
    ended = carry_out("- {id: new, create: tree, with: {height: 3}}\n- {id: grown, set: {new.height: 9}}")
    (*_, made), (*_, before, after) = ended.events
    assert 3 in made
    assert 9 not in made
    assert (before, after) == (3, 9)


def test_an_object_may_be_made_with_some_fields_and_defaults_for_the_others() -> None:
    ended = carry_out("- {id: new, create: tree, with: {height: 3, owner: p.friend}}\n- {id: bare, create: tree}")
    assert ended.trees == (SMALL_TREE, LARGE_TREE, 5, 6)
    assert [ended.field(5, "tree", name) for name in ("owner", "size", "height")] == [None, "small", 3]
    assert [ended.field(6, "tree", name) for name in ("owner", "size", "height")] == [None, "small", 0]


def test_what_has_left_is_no_longer_among_its_kind_and_its_number_is_not_used_again() -> None:
    ended = carry_out("- {id: gone, remove: t}\n- {id: new, create: tree}\n- {id: n, let: count(trees)}")
    assert (ended.trees, ended["n"], ended.state.objects[SMALL_TREE]) == ((LARGE_TREE, 5), 2, None)


# -- choices ------------------------------------------------------------------------------------------


def test_a_choice_stops_with_all_that_may_be_chosen() -> None:
    ended = carry_out(
        "- {id: a, choose: {who: p, from: {x: true, y: storm, z: {when: t.height > 1}}}}\n"
        "- {id: b, choose: {who: p, one_of: trees, or_none: true}}\n"
        "- {id: c, choose: {who: p, some_of: trees, at_least: 1}}\n"
        "- {id: e, choose: {who: p, number: {from: 2, to: 4}}}",
        ["z", None, (LARGE_TREE,), 3],
    )
    assert ended.stops == [
        ("a", ("x", "z")),
        ("b", (SMALL_TREE, LARGE_TREE, None)),
        ("c", ((SMALL_TREE,), (LARGE_TREE,), (SMALL_TREE, LARGE_TREE))),
        ("e", (2, 3, 4)),
    ]
    assert [ended[name] for name in "abce"] == ["z", None, (LARGE_TREE,), 3]


def test_a_choice_with_one_option_is_made_by_itself_and_recorded() -> None:
    ended = carry_out(
        "- {id: a, choose: {who: p, from: {x: true, y: storm}}}\n"
        "- {id: b, choose: {who: p, one_of: 'list(x for x in trees if x.height > 5)'}}\n"
        "- {id: c, choose: {who: p, one_of: 'list(x for x in trees if storm)', or_none: true}}\n"
        "- {id: e, choose: {who: 'next(p, players)', number: {from: 2, to: 2}}}"
    )
    assert ended.stops == []
    assert [ended[name] for name in "abce"] == ["x", LARGE_TREE, None, 2]
    assert [event[1:] for event in ended.events] == [(FIRST, "x"), (FIRST, LARGE_TREE), (FIRST, None), (SECOND, 2)]


# -- rolls and draws -----------------------------------------------------------------------------------


def test_a_roll_on_a_table_is_a_row_and_a_roll_of_dice_a_number() -> None:
    ended = carry_out("- {id: a, roll: weather}\n- {id: b, roll: bonus + 2}\n- {id: c, roll: weather}", [2, 5, 3])
    assert [ended[name] for name in "abc"] == ["rain", 5, "sun"]
    assert [roll for _, roll in ended.stops] == [parse("1d6"), parse("1d6 + 2"), parse("1d6")]


def test_a_deck_gives_each_card_once_and_is_then_whole_again() -> None:
    ended = carry_out(
        "- {id: a, draw: seeds}\n- {id: b, draw: seeds}\n- {id: c, draw: seeds}", ["large", "small", "large"]
    )
    assert [cards for _, cards in ended.stops] == [("small", "large"), ("small",), ("small", "large")]
    assert ended.state.objects[0][ended.state.machine.layout.places["game", "deck.seeds"]] == ("small",)


def test_a_draw_of_a_list_takes_nothing_away() -> None:
    ended = carry_out("- {id: a, draw: {one_of: trees}}\n- {id: b, draw: {one_of: trees}}", [SMALL_TREE, SMALL_TREE])
    assert [options for _, options in ended.stops] == [(SMALL_TREE, LARGE_TREE)] * 2


def test_a_roll_may_be_of_a_number() -> None:
    assert [roll for _, roll in carry_out("- {id: a, roll: turn + 3}").stops] == [parse("3")]


@pytest.mark.parametrize("seed", range(5))
def test_dice_from_a_generator_fall_as_the_dice_alone_would(seed: int) -> None:
    from rulewright.dice.sampling.random_generator import Generator
    from rulewright.dice.sampling.roll_dice import total

    ended = sampled(
        "- {id: a, roll: 2d6 +1}\n- {id: n, let: 2}\n- {id: b, roll: 'each(n, 1d6)'}\n- {id: c, draw: {one_of: trees}}",
        seed,
    )
    generator = Generator(seed, "dice")
    assert [ended["a"], ended["b"]] == [total(parse("2d6 +1"), generator), total(parse("2d6"), generator)]
    assert ended["c"] == (SMALL_TREE, LARGE_TREE)[generator.draw_below(2)]


# -- procedures in procedures ----------------------------------------------------------------------------

PARTS = """\
  grow:
    given: {t: tree, by: int}
    gives: {height: t.height, grown: grown}
    steps:
      - {id: grown, let: by > 1}
      - {id: up, set: {t.height: t.height + by}}
  ask:
    given: {p: player}
    gives: {said: c}
    steps: [{id: c, choose: {who: p, from: [a, b]}}]
"""


def test_a_procedure_gives_back_what_it_says() -> None:
    ended = carry_out(
        "- {id: g, do: grow, with: {t: t, by: 2}}\n- {id: a, do: ask, with: {p: p}}\n"
        "- {id: x, let: g.height + (1 if a.said == b else 2)}",
        ["b"],
        before=PARTS,
    )
    assert (ended["g.height"], ended["g.grown"], ended["a.said"], ended["x"]) == (7, True, "b", 8)


def test_a_procedure_that_is_passed_over_gives_nothing() -> None:
    ended = carry_out(
        "- {id: g, do: grow, with: {t: t, by: 2}, when: storm}\n- {id: x, let: g.height or 0}", before=PARTS
    )
    assert (ended["g.height"], ended["x"]) == (None, 0)


def test_every_call_has_names_of_its_own() -> None:
    ended = carry_out(
        "- {id: l, for_each: n, in: '[1, 2]', steps: [{id: g, do: grow, with: {t: t, by: n}}]}", before=PARTS
    )
    assert ended.field(SMALL_TREE, "tree", "height") == 8


def test_events_name_the_rule_that_caused_them_in_the_order_they_came() -> None:
    ended = carry_out(
        "- {id: g, do: grow, with: {t: t, by: 2}}\n- {id: pay, pay: {who: p, score: 1}}\n- {id: gone, remove: t}\n"
        "- {id: face, roll: 1d6}\n- {id: over, finish: {winners: players}}",
        [6],
        before=PARTS,
    )
    assert [event[0] for event in ended.events] == [
        "main.g",
        "grow.up",
        "main.pay",
        "main.gone",
        "main.face",
        "main.over",
    ]
    assert ended.events[1:] == [
        ("grow.up", SMALL_TREE, "height", 5, 7),
        ("main.pay", FIRST, "score", 3, 2),
        ("main.gone", SMALL_TREE),
        ("main.face", parse("1d6"), 6),
        ("main.over", (FIRST, SECOND)),
    ]


# -- lists that formulas are given ---------------------------------------------------------------------

NUMBERS = str(list(range(1, 21)))
"""So many that a list is made a set before they are looked for in it."""


@pytest.mark.parametrize(
    ("formula", "given", "left"),
    [
        (
            "list(n for n in NUMBERS if n not in taken)",
            "[2, 3, 3, 99]",
            tuple(n for n in range(1, 21) if n not in (2, 3)),
        ),
        ("list(n for n in NUMBERS if n in taken) + taken", "[5, 2, 5]", (2, 5, 5, 2, 5)),
        ("list(n for n in NUMBERS if n in list(t + n for t in taken if t in taken))", "[0, 4]", tuple(range(1, 21))),
        ("list(n for n in NUMBERS if n in taken)", "list(x.height for x in trees if x.height > 99)", ()),
    ],
)
def test_a_list_is_looked_into_as_it_was_given(formula: str, given: str, left: tuple[int, ...]) -> None:
    more = f"formulas:\n  rest: {{given: {{taken: list of int}}, is: '{formula.replace('NUMBERS', NUMBERS)}'}}\n"
    ended = carry_out(f"- {{id: left, let: 'rest({given})', type: list of int}}", more=more)
    assert ended["left"] == left


# -- states as data ------------------------------------------------------------------------------------

HUGE = "- {id: ask, choose: {who: p, from: [a, b]}}"


@pytest.mark.parametrize(
    "dice",
    ["each(3000, 2d6) - 1d4", "1d6 + 999999999999999999", "max(2d6, 1d8 * 3)", "sum(3 * x.size.roll for x in trees)"],
)
def test_dice_in_a_state_are_written_and_read_back(dice: str) -> None:
    from rulewright.engine.state.state_json import from_json, to_json

    ended = carry_out(f"- {{id: kept, let: '{dice}', type: dice}}\n{HUGE}")
    state = from_json(ended.state.machine, to_json(ended.state))  # type: ignore[arg-type]
    assert state.stack == ended.state.stack


# -- loops that are left early ---------------------------------------------------------------------

LEFT = [
    # One loop, with a choice in each round or without.
    ("- {id: l, for_each: x, in: '[1, 2, 3]', steps: [{id: out, stop: l, when: x == 2}, COUNT]}", "ASK", 1),
    ("- {id: l, repeat: {at_most: 9, steps: [{id: out, stop: l, when: n == 4}, COUNT]}}", "ASK", 4),
    ("- {id: l, repeat: {ends_within: 9, steps: [COUNT, {id: out, stop: l, when: n == 4}]}}", "ASK", 4),
    (
        "- {id: l, repeat: {while: true, at_most: 3, steps: [COUNT, {id: if, if: n == 2, then: [{id: o, stop: l}]}]}}",
        "",
        2,
    ),
    # The next round of the loop around it begins.
    (
        "- {id: l, for_each: x, in: '[1, 2, 3]', steps: [{id: k, for_each: y, in: '[1, 2]', steps: "
        "[{id: out, stop: k, when: y == x}, COUNT]}]}",
        "ASK",
        3,
    ),
    # The loop around it ends as well, with another one between them.
    (
        "- {id: l, for_each: x, in: '[1, 2, 3]', steps: [{id: m, repeat: {at_most: 2, steps: "
        "[{id: k, for_each: y, in: '[1, 2]', steps: [COUNT, {id: out, stop: l, when: n == 7}]}]}}]}",
        "ASK",
        7,
    ),
    (
        "- {id: l, for_each: x, in: '[1, 2, 3]', steps: [{id: m, repeat: {at_most: 2, steps: "
        "[{id: k, for_each: y, in: '[1, 2]', steps: [COUNT, {id: out, stop: m, when: n == 7}]}]}}]}",
        "ASK",
        11,
    ),
]


@pytest.mark.parametrize("stops", ["", "before", "after", "outside"])
@pytest.mark.parametrize(("steps", "ask", "rounds"), LEFT)
def test_a_loop_that_is_left_goes_on_after_it(steps: str, ask: str, rounds: int, stops: str) -> None:
    count = "{id: c, set: {n: n + 1}}"
    answers: list[str] = []
    if ask and stops in ("before", "after"):
        question = "{id: ask, choose: {who: p, from: [on, off]}}"
        count = f"{question}, {count}" if stops == "before" else f"{count}, {question}"
        answers = ["on"] * rounds
    steps = steps.replace("COUNT", count)
    if stops == "outside":
        # The loops are inside one with a choice, so they are run twice and have to begin again.
        steps = steps.removeprefix("- ")
        again = "{id: again, choose: {who: p, from: [on, off]}}, {id: zero, set: {n: 0}}"
        steps = f"- {{id: twice, repeat: {{at_most: 2, steps: [{again}, {steps}]}}}}"
        answers = ["on", "on"]
    ended = carry_out(f"- {{id: n, let: 0}}\n{steps}\n- {{id: end, set: {{turn: 10 + n}}}}", answers)
    assert ended["turn"] == 10 + rounds


def test_what_is_known_after_a_loop_may_end_holds_in_the_rest_of_its_round() -> None:
    ended = carry_out(
        "- {id: n, let: 0}\n"
        "- id: l\n  for_each: x\n  in: trees\n  steps:\n"
        "    - {id: out, stop: l, when: not x.owner}\n    - {id: c, set: {n: x.owner.score}}"
    )
    assert ended["n"] == 3
    assert ("main.out",) in ended.events


# -- results that go straight into a place ---------------------------------------------------------

PLACES = [
    ("{id: x, roll: 1d6, into: turn}", [4], "turn", 4),
    ("{id: x, roll: 1d6, into: p.score}", [4], (FIRST, "player", "score"), 4),
    ("{id: x, roll: 1d6, into: n}", [2], "n", 2),
    ("{id: x, draw: seeds, into: t.size}", ["large"], (SMALL_TREE, "tree", "size"), "large"),
    (
        "{id: x, choose: {who: p, one_of: players, or_none: true}, into: t.owner}",
        [SECOND],
        (SMALL_TREE, "tree", "owner"),
        SECOND,
    ),
    (
        "{id: x, choose: {who: p, one_of: players, or_none: true}, into: t.owner}",
        [None],
        (SMALL_TREE, "tree", "owner"),
        None,
    ),
    (
        "{id: x, choose: {who: p, one_of: '[p]', or_none: false}, into: t.owner}",
        [],
        (SMALL_TREE, "tree", "owner"),
        FIRST,
    ),
    (
        "{id: x, choose: {who: p, one_of: players, or_none: turn < 2}, into: t.owner}",
        [None],
        (SMALL_TREE, "tree", "owner"),
        None,
    ),
    (
        "{id: x, choose: {who: p, one_of: '[p]', or_none: turn > 2}, into: t.owner}",
        [],
        (SMALL_TREE, "tree", "owner"),
        FIRST,
    ),
    ("{id: x, do: part, with: {q: p}, into: p.score}", [6], (FIRST, "player", "score"), 7),
    ("{id: x, roll: 1d6, into: turn, when: turn > 2}", [], "turn", 0),
    ("{id: x, do: part, with: {q: p}, into: turn, when: turn < 2}", [6], "turn", 7),
    ("{id: x, create: tree, into: last}", [], "last", 5),
]


@pytest.mark.parametrize(("step", "answers", "place", "value"), PLACES)
@pytest.mark.parametrize("looped", [False, True])
def test_a_result_goes_into_its_place(
    step: str, answers: list[object], place: object, value: object, looped: bool
) -> None:
    part = "  part: {given: {q: player}, gives: {far: n + 1}, steps: [{id: n, roll: 1d6}]}\n"
    steps = f"- {{id: loop, for_each: y, in: '[1]', steps: [{step}]}}" if looped else f"- {step}"
    before = "- {id: n, let: 0}\n- {id: last, let: none, type: optional tree}"
    steps = f"{before}\n{steps}\n- {{id: end, choose: {{who: p, from: [a, b]}}}}"
    ended = carry_out(steps, answers, before=part)
    assert (ended[place] if isinstance(place, str) else ended.field(*place)) == value


def test_a_trigger_on_the_place_of_a_result_applies() -> None:
    more = "whenever:\n  taller: {changes: tree.height, then: [{id: seen, set: {turn: turn + 100 * after + before}}]}\n"
    ended = carry_out("- {id: x, roll: 1d6, into: t.height}", [6], more=more)
    assert ended["turn"] == 605
    assert ("main.x", SMALL_TREE, "height", 5, 6) in ended.events
