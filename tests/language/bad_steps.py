"""Steps with one fault each: a name, which is also the name of its golden message, and the steps of `main`."""

from __future__ import annotations

from tests.language.garden import GARDEN, procedure

BAD: dict[str, str] = {
    # unknown-verb
    "verb_misspelt": "- {id: x, rol: 1d6}",
    "verb_missing": "- {id: x, when: storm}",
    "two_verbs": "- {id: x, roll: 1d6, let: 3}",
    # step-key, step-shape
    "key_of_no_verb": "- {id: x, roll: 1d6, wiht: {p: p}}",
    "key_of_another_verb": "- {id: x, let: 3, in: trees}",
    "key_that_is_missing": "- {id: x, for_each: e, steps: []}",
    "prompt_without_a_question": "- {id: x, gain: {who: p, score: 1}, ask: How much?}",
    "label_of_none_without_a_question": "- {id: x, roll: 1d6, none: Pass}",
    "count_below_zero": "- {id: x, roll: 1d6, count: -1}",
    "at_most_below_zero": "- {id: x, choose: {who: p, some_of: trees, at_most: -1}}",
    "choose_without_form": "- {id: x, choose: {who: p}}",
    "options_as_a_list_of_mappings": "- {id: x, choose: {who: p, from: [{id: up, label: Up}]}}",
    "choose_in_two_forms": "- {id: x, choose: {who: p, from: [a, b], one_of: trees}}",
    "at_least_without_some_of": "- {id: x, choose: {who: p, one_of: trees, at_least: 1}}",
    "in_order_without_some_of": "- {id: x, choose: {who: p, one_of: trees, in_order: true}}",
    "such_that_without_some_of": "- {id: x, choose: {who: p, one_of: trees, such_that: any(it)}}",
    "such_that_about_one": "- {id: x, choose: {who: p, some_of: trees, such_that: it.height > 1}}",
    "choose_by_a_field_of_those_asked": "- {id: x, choose: {who: players, number: {from: 0, to: score}}}",
    "choose_by_a_field_of_no_one_named": "- {id: x, choose: {who: p, number: {from: 0, to: score}}}",
    "numbers_the_wrong_way_round": "- {id: x, choose: {who: p, number: {from: 4, to: 1}}}",
    "more_at_least_than_at_most": "- {id: x, choose: {who: p, some_of: trees, at_least: goal, at_most: 2}}",
    "more_combinations_than_a_choice_may_offer": "- {id: x, choose: {who: p, some_of: '[1] + [2]', at_most: 1}}\n"
    "- {id: y, choose: {who: p, some_of: '[1, 2, 3, 4, 5, 6, 7, 8, 9]', in_order: true}}",
    "option_offered_twice": "- {id: x, choose: {who: p, from: [a, b, a]}}",
    "nothing_offered": "- {id: x, choose: {who: p, from: []}}",
    "gain_without_who": "- {id: x, gain: {score: 1}}",
    "gain_by_the_game": "- {id: x, gain: {turn: t.height}}",
    "pay_by_the_game": "- {id: x, pay: {turn: goal - 1}}",
    "gain_of_nothing": "- {id: x, gain: {who: p}}",
    "set_of_nothing": "- {id: x, set: {}}",
    "while_and_until": "- {id: x, repeat: {while: storm, until: storm, at_most: 2, steps: []}}",
    "put_nowhere": "- {id: x, put: {cards: sizes.small}}",
    "put_in_two_places": "- {id: x, put: {cards: sizes.small, into: seeds, onto: seeds}}",
    "put_onto_a_deck_without_order": "- {id: x, put: {cards: sizes.small, onto: seeds}}",
    "put_into_no_deck": "- {id: x, put: {cards: sizes.small, into: seed}}",
    "put_what_is_no_card": "- {id: x, put: {cards: turn, into: seeds}}",
    "reshuffle_without_order": "- {id: x, reshuffle: seeds}",
    "reshuffle_with_no_cards": "- {id: x, reshuffle: seeds, adding: trees}",
    "roll_one_in_order": "- {id: x, roll: 1d6, in_order: true}",
    "roll_as_many_as_is_no_number": "- {id: x, roll: 1d6, count: storm}",
    "draw_one_in_order": "- {id: x, draw: seeds, in_order: true}",
    "draw_as_many_as_is_no_number": "- {id: x, draw: seeds, count: storm}",
    # duplicate-step, shadowed-name, unreachable-step
    "two_steps_of_one_id": "- {id: x, set: {turn: 1}}\n- {id: y, steps: [{id: x, set: {turn: 2}}]}",
    "step_called_like_a_number": "- {id: goal, let: 3}",
    "step_called_like_a_table": "- {id: sizes, let: 3}",
    "step_called_like_all_of_a_kind": "- {id: trees, let: 3}",
    "step_called_like_state": "- {id: turn, let: 3}",
    "step_called_like_a_word": "- {id: none, let: 3}",
    "step_called_like_dice": "- {id: d6, let: 3}",
    "step_called_like_a_parameter": "- {id: t, let: 3}",
    "loop_called_like_a_loop": "- {id: x, for_each: e, in: trees, steps: [{id: y, for_each: e, in: trees, steps: []}]}",
    "result_before_its_step": "- {id: x, roll: 1d6, when: x > 2}",
    "result_inside_its_step": "- {id: loop, for_each: e, in: trees, steps: [{id: x, set: {turn: loop.best}}]}",
    "result_into_no_place": "- {id: x, roll: 1d6, into: 3 + 4}",
    "result_of_another_type": "- {id: x, roll: 1d6, into: t.owner}",
    "result_that_may_be_none": "- {id: x, draw: {one_of: '[p, t.owner]'}, into: t.size}",
    "result_or_none": "- {id: x, choose: {who: p, one_of: '[1, 2]', or_none: true}, into: turn}",
    "no_result_to_place": "- {id: x, set: {turn: 1}, into: turn}",
    "fact_about_the_place_forgotten": (
        "- {id: group, when: t.owner, steps: ["
        "{id: x, choose: {who: p, one_of: players, or_none: true}, into: t.owner}, "
        "{id: y, set: {turn: t.owner.score}}]}"
    ),
    "fact_forgotten_by_a_round": (
        "- id: group\n  when: t.owner\n  steps:\n    - id: loop\n      for_each: q\n      in: players\n      steps:\n"
        "        - {id: y, set: {turn: t.owner.score}}\n"
        "        - {id: x, choose: {who: p, one_of: players, or_none: true}, into: t.owner}"
    ),
    "stopped_by_nothing": "- {id: end, stop: false}",
    "stopped_loop_elsewhere": (
        "- {id: rounds, repeat: {at_most: 2, steps: []}}\n"
        "- {id: each, for_each: x, in: trees, steps: [{id: end, stop: rounds, when: storm}]}"
    ),
    "stopped_loop_misspelt": "- {id: rounds, repeat: {at_most: 2, steps: [{id: end, stop: round, when: storm}]}}",
    "stopped_block": "- {id: group, if: storm, then: [{id: end, stop: group}]}",
    "after_the_end_of_a_loop": (
        "- {id: rounds, repeat: {at_most: 2, steps: [{id: end, stop: rounds}, {id: x, set: {turn: 1}}]}}"
    ),
    "endless_though_an_inner_loop_asks": (
        "- id: rounds\n  repeat:\n    steps:\n"
        "      - id: each\n        for_each: q\n        in: players\n        steps:\n"
        "          - {id: end, stop: each, when: storm}\n          - {id: c, choose: {who: q, from: [a, b]}}"
    ),
    "after_a_stop": "- {id: end, stop: true}\n- {id: x, set: {turn: 1}}",
    "after_two_ends": (
        "- {id: ask, if: storm, then: [{id: a, stop: true}], else: [{id: b, finish: {winners: []}}]}\n"
        "- {id: x, set: {turn: 1}}"
    ),
    # not-changeable
    "set_a_number": "- {id: x, set: {goal: 1}}",
    "set_a_parameter": "- {id: x, set: {p: p}}",
    "set_what_was_rolled": "- {id: face, roll: 1d6}\n- {id: x, set: {face: 6}}",
    "set_a_derived_field": "- {id: x, set: {t.worth: 1}}",
    "set_a_cell": "- {id: x, set: {sizes.small.price: 1}}",
    "set_a_sum": '- {id: x, set: {"turn + 1": 1}}',
    "set_a_settled_option": "- {id: x, set: {options.board: narrow}}",
    "set_an_unknown_field": "- {id: x, set: {t.hieght: 1}}",
    # endless-loop, recursion
    "endless": "- {id: x, repeat: {while: storm, steps: [{id: y, set: {turn: 1}}]}}",
    "endless_though_some_rounds_ask": (
        "- {id: x, repeat: {steps: [{id: y, choose: {who: p, from: [a, b]}, when: storm}, {id: z, let: y == a}]}}"
    ),
    "endless_with_one_option": "- {id: x, repeat: {while: storm, steps: [{id: y, choose: {who: p, from: [a]}}]}}",
    "as_good_as_endless": "- {id: x, repeat: {at_most: 1000000000, steps: [{id: y, set: {turn: 1}}]}}",
    # unknown-procedure, arguments
    "unknown_procedure": "- {id: x, do: tned, with: {t: t}}",
    "argument_missing": "- {id: x, do: tend}",
    "argument_unknown": "- {id: x, do: tend, with: {t: t, water: 3}}",
    "argument_of_the_wrong_type": "- {id: x, do: tend, with: {t: p}}",
    "argument_may_be_none": "- {id: x, do: tend, with: {t: maybe}}",
    "field_missing_in_create": "- {id: x, create: nest}",
    "field_unknown_in_create": "- {id: x, create: tree, with: {hieght: 3}}",
    "as_of_one_player": "- {id: x, choose: {who: p, as: q, from: [a, b]}}",
    "choose_by_trees": "- {id: x, choose: {who: trees, from: [a, b]}}",
    "choose_by_a_name_in_reach": "- {id: x, choose: {who: players, as: t, from: [a, b]}}",
    "choose_by_the_name_of_the_step": "- {id: x, choose: {who: players, as: x, from: [a, b]}}",
    "by_player_of_a_tree": "- {id: x, choose: {who: players, from: [a, b]}}\n- {id: y, let: 'x[t]'}",
    "choose_by_who_may_be_none": "- {id: x, choose: {who: [p.friend], as: q, one_of: '[q]'}}",
    "by_tree_of_some": "- {id: x, choose: {who: [p], from: [a, b]}}\n- {id: y, let: 'x[t]'}",
    "by_nobody_of_some": "- {id: x, choose: {who: [p], from: [a, b]}}\n- {id: y, let: 'x[p.friend]'}",
    "by_player_of_some": ("- {id: x, choose: {who: [p], number: {from: 1, to: 2}}}\n- {id: y, set: {turn: 'x[p]'}}"),
    "by_player_of_a_copy": "- {id: x, choose: {who: [p], from: [a, b]}}\n- {id: y, let: x}\n- {id: z, let: 'y[p]'}",
    # not-hidden
    "show_what_everybody_sees": "- {id: x, show: {what: t.height, to: p}}",
    "show_an_object_without_secrets": "- {id: x, show: {what: t, to: p}}",
    "show_a_number": "- {id: x, show: {what: turn + 1, to: p}}",
    "show_what_may_be_none": "- {id: x, show: {what: p.friend.secret, to: p}}",
    "shown_to_a_tree": "- {id: x, show: {what: p.secret, to: t}}",
    "show_a_secret_misspelt": "- {id: x, show: {what: p.secert, to: p}}",
    "roll_seen_by_a_tree": "- {id: x, roll: 1d6, seen_by: t}",
    "choice_seen_by_a_name_misspelt": "- {id: x, choose: {who: p, from: [a, b]}, seen_by: noboby}",
    "draw_seen_by_nobody_s_key": "- {id: x, draw: seeds, seenby: p}",
    # unknown-type, unknown-name
    "unknown_kind": "- {id: x, create: bush}",
    "create_a_player": "- {id: x, create: player}",
    "unknown_type_of_let": "- {id: x, let: none, type: optional teer}",
    "unknown_deck": "- {id: x, draw: sedes}",
    # wrong-type
    "let_of_an_empty_list": "- {id: x, let: []}",
    "let_of_none": "- {id: x, let: none}",
    "let_of_a_mean": "- {id: x, let: mean(1d6)}",
    "let_of_a_record": "- {id: y, do: tend, with: {t: t}}\n- {id: x, let: y}",
    "part_misspelt": "- {id: y, do: tend, with: {t: t}}\n- {id: x, let: y.heihgt}",
    "roll_on_no_roll_table": "- {id: x, roll: sizes}",
    "roll_counted_without_braces": '- {id: x, roll: "count(5d10 >= 7)"}',
    "roll_divided_without_braces": "- {id: x, roll: 2d6 / 2}",
    "roll_repeated_without_braces": "- {id: x, roll: 6 times 1d6}",
    "roll_used_twice_without_braces": "- {id: x, roll: '1d20 as x: x + x'}",
    "roll_counted_and_a_figure": '- {id: x, roll: "count(5d10 >= 7) + goal"}',
    "roll_with_a_figure_in_braces": '- {id: x, roll: "{count(5d10 >= 7) + goal}"}',
    "roll_against_a_figure": '- {id: x, roll: "count(5d10 >= goal)"}',
    "roll_against_a_figure_in_braces": '- {id: x, roll: "{count(5d10 >= goal)}"}',
    "roll_counted_and_paid": '- {id: x, gain: {who: p, score: "count(5d10 >= 7) + goal"}}',
    "roll_of_a_thing": "- {id: x, roll: t}",
    "rolled_by_a_tree": "- {id: x, roll: 1d6, by: t}",
    "remove_a_number": "- {id: x, remove: turn}",
    "remove_a_player": "- {id: x, remove: p}",
    "remove_what_may_be_none": "- {id: x, remove: maybe}",
    "gain_for_a_number": "- {id: x, gain: {who: turn, score: 1}}",
    "gain_for_somebody_who_may_be_none": "- {id: x, gain: {who: p.friend, score: 1}}",
    "gain_of_an_unknown_field": "- {id: x, gain: {who: p, scroe: 1}}",
    "gain_of_a_friend": "- {id: x, gain: {who: p, friend: 1}}",
    "gain_of_yes": "- {id: x, gain: {who: p, score: true}}",
    "gain_of_a_list": "- {id: x, gain: {who: p, score: [1, 2]}}",
    "asked_of_a_tree": "- {id: x, choose: {who: t, from: [a, b]}}",
    "one_of_a_number": "- {id: x, choose: {who: p, one_of: turn}}",
    "for_each_of_a_number": "- {id: x, for_each: e, in: turn, steps: []}",
    "finished_by_a_tree": "- {id: x, finish: {winners: [t]}}",
    "set_to_another_type": "- {id: x, set: {t.height: t}}",
    "set_to_what_may_be_none": "- {id: x, set: {t.size: t.size.grows}}",
    "condition_is_a_number": "- {id: x, set: {turn: 1}, when: turn}",
    "list_of_two_types": "- {id: x, let: [1, p]}",
    "name_seen_only_inside": "- {id: g, steps: [{id: y, let: 3}]}\n- {id: x, set: {turn: y}}",
    "ambiguous_name": "- {id: small, let: t.size}\n- {id: x, let: t.size == small}",
    # expressions in their places
    "syntax_in_a_condition": "- {id: x, set: {turn: 1}, when: storm && storm}",
    "syntax_in_an_amount": '- {id: x, gain: {who: p, score: "2 +"}}',
    "column_in_a_block_scalar": "- id: x\n  set:\n    turn: >-\n      1 +\n      tunr",
}

PARTS = (
    "  tend:\n    given: {t: tree}\n    gives: {height: t.height}\n"
    "    steps: [{id: grown, set: {t.height: t.height + 1}}]\n"
)


def deeds(cell: str, *steps: str, form: str = "given: {p: player}", more: str = "") -> str:
    """Return rules with a table `deeds` whose row `dig` has `cell`, and a procedure with `steps`."""
    lines = "".join(f"      - {step}\n" for step in steps)
    main = f"procedures:\n  main:\n    given: {{p: player, d: deeds, maybe: optional deeds}}\n    steps:\n{lines}"
    columns = f"    columns: {{toil: int, act: {{steps: {{{form}}}}}}}\n"
    table = f"  deeds:\n{columns}    rows:\n      dig: {{toil: 2{cell}}}\n      rest: {{toil: 0}}\n"
    return GARDEN.replace("kinds:\n", f"{table}kinds:\n", 1) + (main if steps else "") + more


DIG = ", act: [{id: dug, gain: {who: p, score: self.toil}}]"

ROWS: dict[str, str] = {
    "result_into_a_list": procedure("- {id: x, draw: seeds, into: bed}").replace(
        "storm: bool", "storm: bool, bed: list of sizes"
    ),
    "row_with_a_column_of_no_name": deeds(DIG, "{id: x, do: d.acts, with: {p: p}}"),
    "row_that_may_be_none": deeds(DIG, "{id: x, do: maybe.act, with: {p: p}}"),
    "row_of_a_table_without_steps": deeds(DIG, "{id: s, let: sizes.small}", "{id: x, do: s.act, with: {p: p}}"),
    "row_that_is_a_player": deeds(DIG, "{id: x, do: p.act, with: {p: p}}"),
    "row_steps_without_an_argument": deeds(DIG, "{id: x, do: d.act}"),
    "row_steps_with_an_argument_too_many": deeds(DIG, "{id: x, do: d.act, with: {p: p, self: d}}"),
    "row_steps_read_as_a_value": deeds(DIG, "{id: x, let: d.act}"),
    "row_steps_with_a_value": deeds(", act: 3"),
    "row_steps_in_a_column_of_values": deeds(DIG).replace("toil: 0", "toil: [{id: x, set: {turn: 1}}]"),
    "row_steps_that_run_those_of_any_row": deeds(", act: [{id: x, do: self.act, with: {p: p}}]"),
    "row_steps_with_a_parameter_self": deeds(", act: [{id: x, set: {turn: 1}}]", form="given: {self: player}"),
    "row_steps_with_an_unknown_cell": deeds(", act: [{id: x, gain: {who: p, score: self.tiol}}]"),
    "row_steps_that_nothing_may_lack": deeds(DIG, form="given: {p: player}, every_row: true"),
    "row_steps_without_their_result": deeds(
        DIG, form="given: {p: player}, gives: {much: int}, default: [{id: much, let: 1}]"
    ),
    "row_without_the_steps_that_give": deeds(
        ", act: [{id: much, let: 1}]", form="given: {p: player}, gives: {much: int}"
    ),
    "row_steps_with_another_result": deeds(
        ", act: [{id: much, let: 'true'}]", form="given: {p: player}, gives: {much: optional int}"
    ),
    "row_steps_by_default_for_combined_rows": GARDEN.replace(
        "kinds:\n",
        "  pairs:\n    every: {one: sizes, other: sizes}\n"
        "    columns: {act: {steps: {default: [{id: x, set: {turn: 1}}]}}}\nkinds:\n",
        1,
    ),
    "exception_to_a_step_that_a_row_lacks": deeds(
        DIG, more="exceptions: {e: {to: deeds.dig.act.dgu, when: storm, means: M}}\n"
    ),
}
"""Whole rulesets in which the steps of a table's rows are at fault."""

OTHERS: dict[str, str] = {
    "too_deep": (
        "procedures:\n  a:\n    steps:\n      - "
        + "".join(f"{{id: s{number}, steps: [" for number in range(18))
        + "{id: x, set: {turn: 1}}"
        + "]}" * 18
        + "\n"
    ),
    "recursion": (
        "procedures:\n  a: {steps: [{id: x, do: b}]}\n  b: {steps: [{id: x, do: c}]}\n  c: {steps: [{id: x, do: a}]}\n"
    ),
    "recursion_of_one": "procedures: {a: {steps: [{id: x, do: a}]}}\n",
    "look_ahead_at_a_decision": (
        'formulas: {good: {is: "after(grow, storm)"}}\n'
        "procedures:\n  grow: {steps: [{id: x, set: {turn: 1}}, {id: y, do: ask}]}\n"
        "  ask: {steps: [{id: z, choose: {who: first(players), from: [a, b]}}]}\n"
        "  main: {steps: [{id: x, when: good, set: {turn: 2}}]}\n"
    ),
    "look_ahead_at_itself": (
        'formulas: {good: {is: "after(grow, storm)"}}\n'
        "procedures:\n  grow: {steps: [{id: x, when: good, set: {turn: 1}}]}\n"
    ),
    "look_ahead_at_a_formula": (
        'formulas: {good: {is: "after(big, storm)"}, big: {is: turn > 2}}\n'
        "procedures:\n  grow: {steps: [{id: x, when: good, set: {turn: 1}}]}\n"
    ),
    "look_ahead_without_a_value": (
        'formulas: {good: {is: "after(grow, storm)"}}\n'
        "procedures:\n  grow: {given: {many: int}, steps: [{id: x, set: {turn: many}}]}\n"
    ),
    "recursion_through_a_special_case": (
        "procedures: {a: {steps: [{id: x, set: {turn: 1}}]}}\n"
        "exceptions: {e: {to: a.x, when: storm, instead: [{id: y, do: a}], means: M}}\n"
    ),
    "endless_though_it_does_what_may_stop_before_asking": (
        "procedures:\n"
        "  ask:\n    given: {p: player}\n    steps:\n"
        "      - {id: early, stop: true, when: storm}\n      - {id: c, choose: {who: p, from: [a, b]}}\n"
        "  main:\n    given: {p: player}\n    steps:\n"
        "      - {id: r, repeat: {steps: [{id: d, do: ask, with: {p: p}}]}}\n"
    ),
    "gives_a_record": (
        "procedures:\n  a: {gives: {n: turn}, steps: [{id: x, set: {turn: 1}}]}\n"
        "  b: {gives: {r: x}, steps: [{id: x, do: a}]}\n"
    ),
    "gives_a_mean": "procedures: {a: {gives: {m: mean(1d6)}, steps: [{id: x, set: {turn: 1}}]}}\n",
    "special_case_called_like_a_step": (
        "procedures: {a: {steps: [{id: x, set: {turn: 1}}]}}\nexceptions: {x: {to: a.x, when: storm, means: M}}\n"
    ),
    "no_rounding": "formulas: {half: {given: {n: int}, is: n / 2}}\n",
}
