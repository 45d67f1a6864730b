"""Rulesets with one fault each: a name, which is also the name of its golden message.

A ruleset is a layer, or several: the first, and those laid over it.
"""

from __future__ import annotations

BASE = """\
numbers: {goal: 100, start: {is: 5, means: What everybody starts with.}}
tables:
  weather: {roll: 1d6, rows: {rain: 1-2, sun: 3-6}}
  sizes:
    columns: {price: int, needs: list of sizes}
    rows: {small: {price: 1}, middling: {price: 3, needs: [small]}, large: {price: 7}}
kinds:
  player: {fields: {score: count}}
  tree: {fields: {height: int, owner: optional player}}
options: {mode: {choices: {calm: Calm, wild: Wild}, default: calm}}
procedures:
  tend:
    given: {t: tree, p: player}
    steps:
      - {id: look, roll: weather}
      - id: good
        when: look == sun
        steps:
          - {id: grown, set: {t.height: t.height + 1}}
          - {id: joy, gain: {who: p, score: 1}}
      - id: loop
        repeat:
          at_most: 3
          steps:
            - {id: prune, set: {t.height: t.height - 1}}
"""

OVERLAYS: dict[str, str] = {
    # override-without-effect
    "same_number": "numbers: {goal: 100}\n",
    "same_number_in_long_form": "numbers: {goal: {is: 100}}\n",
    "same_cell": "tables: {sizes: {rows: {middling: {price: 3}}}}\n",
    "same_list": "tables: {sizes: {rows: {middling: {needs: [small]}}}}\n",
    "same_faces": "tables: {weather: {rows: {rain: 1-2}}}\n",
    "same_step": "procedures: {tend: {steps: [{id: grown, set: {t.height: t.height + 1}}]}}\n",
    "step_replaced_by_itself": "procedures: {tend: {steps: [{replace: joy, gain: {who: p, score: 1}}]}}\n",
    "row_replaced_by_itself": "tables: {sizes: {rows: {large: {replace: true, price: 7}}}}\n",
    "step_without_changes": "procedures: {tend: {steps: [{id: grown}]}}\n",
    "nothing_of_a_table": "tables: {sizes: {}}\n",
    "nothing_of_a_section": "tables: {}\n",
    "moved_to_where_it_stands": "tables: {sizes: {rows: {middling: {after: small}}}}\n",
    "step_moved_to_where_it_stands": "procedures: {tend: {steps: [{id: joy, after: grown}]}}\n",
    # override-of-nothing
    "remove_what_is_not_there": "numbers: {gaol: {delete: true}}\n",
    "replace_what_is_not_there": "tables: {sizes: {rows: {larg: {replace: true, price: 9}}}}\n",
    "beside_what_is_not_there": "tables: {sizes: {rows: {huge: {after: larg, price: 9}}}}\n",
    "beside_itself": "tables: {sizes: {rows: {huge: {after: huge, price: 9}}}}\n",
    "change_of_no_step": "procedures: {tend: {steps: [{id: gorwn, set: {t.height: 3}}]}}\n",
    "change_of_no_step_at_all_like_it": "procedures: {tend: {steps: [{id: water, set: {t.height: 3}}]}}\n",
    "remove_no_step": "procedures: {tend: {steps: [{delete: gorwn}]}}\n",
    "after_no_step": "procedures: {tend: {steps: [{after: lok, id: water, set: {t.height: 3}}]}}\n",
    "replace_no_step": "procedures: {tend: {steps: [{replace: gorwn, set: {t.height: 3}}]}}\n",
    "step_removed_before": (
        "procedures: {tend: {steps: [{delete: joy}, {after: joy, id: water, set: {t.height: 3}}]}}\n"
    ),
    "new_step_without_id": "procedures: {tend: {steps: [{after: look, set: {t.height: 3}}]}}\n",
    "move_no_step": "procedures: {tend: {steps: [{id: jyo, before: grown}]}}\n",
    "move_no_step_at_all_like_it": "procedures: {tend: {steps: [{id: water, before: grown}]}}\n",
    "move_beside_no_step": "procedures: {tend: {steps: [{id: joy, before: gorwn}]}}\n",
    # already-there
    "step_added_twice": "procedures: {tend: {steps: [{after: look, id: joy, set: {t.height: 3}}]}}\n",
    "step_renamed_to_another": "procedures: {tend: {steps: [{replace: joy, id: prune, set: {t.height: 3}}]}}\n",
    # contradictory-order
    "between_the_wrong_way": "tables: {sizes: {rows: {huge: {after: large, before: small, price: 9}}}}\n",
    "each_before_the_other": ("tables: {sizes: {rows: {a: {before: b, price: 8}, b: {before: a, price: 9}}}}\n"),
    "round_in_a_circle": (
        "tables: {sizes: {rows: {a: {after: b, price: 8}, b: {after: c, price: 9}, c: {after: a, price: 9}}}}\n"
    ),
    "step_placed_twice": "procedures: {tend: {steps: [{after: look, before: joy, id: w, set: {t.height: 3}}]}}\n",
    "step_moved_beside_itself": "procedures: {tend: {steps: [{id: joy, after: joy}]}}\n",
    "step_moved_into_itself": "procedures: {tend: {steps: [{id: good, before: joy}]}}\n",
    "step_moved_twice": "procedures: {tend: {steps: [{id: joy, before: grown}, {id: joy, after: loop}]}}\n",
    "steps_each_before_the_other": "procedures: {tend: {steps: [{id: look, after: loop}, {id: loop, after: look}]}}\n",
    # what an upper layer leaves behind
    "row_still_needed": "tables: {sizes: {rows: {small: {delete: true}}}}\n",
    "step_still_read": "procedures: {tend: {steps: [{delete: look}]}}\n",
    "choice_still_default": "options: {mode: {choices: {calm: {delete: true}}}}\n",
    "verb_added_to_a_verb": "procedures: {tend: {steps: [{id: joy, roll: 1d6}]}}\n",
}

WATCHED = """\
kinds: {player: {fields: {score: count}}, tree: {fields: {owner: player}}}
state: {turn: int, storm: bool}
procedures:
  p:
    given: {who: player, t: tree}
    steps:
      - {id: pick, gain: {who: who, score: 2}}
      - {id: fell, remove: t}
"""

ALONE: dict[str, str] = {
    "overview_without_columns": (
        "tables: {sizes: {columns: {n: int}, rows: {small: {n: 1}}}}\noverviews: {o: {title: O, rows: {s: sizes}}}\n"
    ),
    "layout_of_rows_that_a_kind_has_not": "kinds: {player: {fields: {n: int}}}\nboard: {player: {pictures: {n: n}}}\n",
    # faces
    "faces_gap": "tables: {t: {roll: 1d6, rows: {a: 1-2, b: 5}}}\n",
    "faces_gap_of_a_row_without_any": "tables: {t: {roll: 1d6, rows: {a: {title: A}, b: 5-6}}}\n",
    "faces_gap_of_percent": "dice: {dP: 10..100 step 10}\ntables: {t: {roll: 1dP, rows: {a: 10-70, b: 90-100}}}\n",
    "faces_overlap": "tables: {t: {roll: 1d6, rows: {a: 1-4, b: 3-6}}}\n",
    "faces_overlap_in_one_row": "tables: {t: {roll: 1d6, rows: {a: [1-4, 3], b: 5-6}}}\n",
    "faces_impossible": "tables: {t: {roll: 1d6, rows: {a: 1-3, b: 4-7}}}\n",
    "faces_impossible_of_percent": (
        "dice: {dP: 10..100 step 10}\ntables: {t: {roll: 1dP, rows: {a: 10-75, b: 80-100}}}\n"
    ),
    "faces_unreachable_row": "tables: {t: {roll: 1d6, rows: {a: 1-6, b: {title: Never}}}}\n",
    "faces_row_that_is_impossible": "tables: {t: {roll: 1d6, rows: {a: 1-6, b: 9}}}\n",
    "faces_backwards": "tables: {t: {roll: 1d6, rows: {a: 3-1, b: 4-6}}}\n",
    "faces_unreadable": "tables: {t: {roll: 1d6, rows: {a: low, b: 4-6}}}\n",
    "faces_without_a_roll": "tables: {t: {columns: {n: int}, rows: {a: {on: 1-2, n: 3}}}}\n",
    "die_unreadable": "dice: {dX: some}\n",
    "die_backwards": "dice: {dX: 6..1}\n",
    "die_name": "dice: {X: 1..6}\n",
    "die_too_large": "dice: {dX: 1..1000000000}\n",
    "roll_unreadable": "tables: {t: {roll: 2d, rows: {a: 1-6}}}\n",
    "roll_too_large": "tables: {t: {roll: 999999999d6, rows: {a: 1-6}}}\n",
    # tables
    "no_rows": "tables: {t: {columns: {n: int}, rows: {}}}\n",
    "no_rows_at_all": "tables: {t: {columns: {n: int}}}\n",
    "no_rows_to_roll_on": "tables: {t: {roll: 1d6}}\n",
    "cell_missing": "tables: {t: {columns: {n: int, m: int}, rows: {a: {n: 1}}}}\n",
    "cell_of_no_column": "tables: {t: {columns: {price: optional int}, rows: {a: {prise: 2}}}}\n",
    "cell_of_the_wrong_type": "tables: {t: {columns: {n: int}, rows: {a: {n: true}}}}\n",
    "cell_is_a_list": "tables: {t: {columns: {n: int}, rows: {a: {n: [1, 2]}}}}\n",
    "number_of_two_types": "numbers: {n: [1, true]}\n",
    "cell_below_zero": "tables: {t: {columns: {n: count}, rows: {a: {n: -1}}}}\n",
    "cell_names_no_row": "tables: {t: {columns: {next_one: t}, rows: {alpha: {next_one: alfa}}}}\n",
    "cell_of_the_state": "state: {turn: int}\ntables: {t: {columns: {n: int}, rows: {a: {n: turn}}}}\n",
    "column_of_no_type": "tables: {t: {columns: {n: itn}, rows: {a: {n: 1}}}}\n",
    "combination_of_no_table": "tables: {suits: {rows: {a: {}}}, cards: {every: {suit: suit}}}\n",
    "combination_of_too_many": "tables: {t: {every: {a: {from: 1, to: 99}, b: {from: 1, to: 99}}}}\n",
    "column_called_title": "tables: {t: {columns: {title: text}, rows: {a: {title: A}}}}\n",
    # numbers, formulas
    "number_of_the_state": "state: {turn: int}\nnumbers: {n: turn}\n",
    "number_like_a_range": "numbers: {n: 10-20}\n",
    "number_of_itself": "numbers: {n: n + 1}\n",
    "numbers_in_a_circle": "numbers: {a: b + 1, b: c + 1, c: a + 1}\n",
    "number_beyond_bounds": "numbers: {a: 999999999999999999, b: a * a * a * a}\n",
    "number_of_too_many_dice": "numbers: {a: 'each(1000000000, 1d6)'}\n",
    "circle_through_a_cell": "numbers: {a: t.x.n}\ntables: {t: {columns: {n: int}, rows: {x: {n: a + 1}}}}\n",
    "formula_of_itself": "formulas: {f: {given: {n: int}, is: f(n - 1)}}\n",
    "formulas_in_a_circle": "formulas: {f: {given: {n: int}, is: g(n)}, g: {given: {n: int}, is: f(n)}}\n",
    "derived_in_a_circle": "kinds: {tree: {fields: {h: int}, derived: {a: self.b, b: self.a}}}\n",
    "formulas_too_deep": (
        "formulas:\n  f0: {given: {n: int}, is: n}\n"
        + "".join(f"  f{k}: {{given: {{n: int}}, is: f{k - 1}(n)}}\n" for k in range(1, 101))
    ),
    "formulas_that_double": (
        "formulas:\n  f0: {given: {n: int}, is: n}\n"
        + "".join(f"  f{k}: {{given: {{n: int}}, is: f{k - 1}(n) + f{k - 1}(n)}}\n" for k in range(1, 20))
    ),
    # names
    "number_and_table": "numbers: {t: 3}\ntables: {t: {columns: {n: int}, rows: {a: {n: 1}}}}\n",
    "state_and_all_of_a_kind": "state: {trees: int}\nkinds: {tree: {}}\n",
    "kind_and_table": "kinds: {t: {}}\ntables: {t: {columns: {n: int}, rows: {a: {n: 1}}}}\n",
    "kind_called_like_a_type": "kinds: {dice: {}}\n",
    "kind_called_game": "kinds: {game: {fields: {n: int}}}\n",
    "field_and_derived": "kinds: {tree: {fields: {h: int}, derived: {h: self.h + 1}}}\n",
    "formula_called_like_a_function": "formulas: {max: {given: {n: int}, is: n}}\n",
    "number_called_none": "numbers: {none: 3}\n",
    "row_called_none": "tables: {t: {columns: {n: int}, rows: {none: {n: 1}}}}\n",
    "parameter_called_d6": "formulas: {f: {given: {d6: int}, is: d6 + 1}}\n",
    # kinds, options, decks, references
    "default_below_zero": "kinds: {player: {fields: {score: {type: count, default: -1}}}}\n",
    "default_of_the_wrong_type": "kinds: {player: {fields: {score: {type: count, default: true}}}}\n",
    "default_missing_for_players": "kinds: {tree: {}, player: {fields: {home: tree}}}\n",
    "default_missing_for_the_game": "tables: {t: {columns: {n: int}, rows: {a: {n: 1}}}}\nstate: {now: t}\n",
    "default_of_no_choice": "options: {mode: {choices: {calm: Calm, wild: Wild}, default: clam}}\n",
    "field_of_no_type": "kinds: {tree: {fields: {height: itn}}}\n",
    "deck_of_no_table": "tables: {cards: {columns: {n: int}, rows: {a: {n: 1}}}}\ndecks: {d: crads}\n",
    "deck_of_no_cards": "tables: {cards: {columns: {n: int}, rows: {a: {n: 0}}}}\ndecks: {d: {of: cards, copies: n}}\n",
    "deck_of_too_many": (
        "tables: {cards: {columns: {n: int}, rows: {a: {n: 1000000000}, b: {n: 1}}}}\n"
        "decks: {d: {of: cards, copies: n}}\n"
    ),
    "deck_without_the_column": (
        "tables: {cards: {columns: {copies: int}, rows: {a: {copies: 1}}}}\ndecks: {d: {of: cards, copies: copeis}}\n"
    ),
    "exception_to_no_step": (
        "procedures: {p: {steps: [{id: reward, set: {turn: 1}}]}}\nstate: {turn: int}\n"
        "exceptions: {e: {to: p.rewrad, when: turn > 3, means: M}}\n"
    ),
    "deck_discarded_nowhere": (
        "tables: {cards: {columns: {n: int}, rows: {a: {n: 1}}}}\nstate: {used: list of cards}\n"
        "decks: {d: {of: cards, discard: usde}}\n"
    ),
    "deck_discarded_as_something_else": (
        "tables: {cards: {columns: {n: int}, rows: {a: {n: 1}}}}\nstate: {used: int}\n"
        "decks: {d: {of: cards, discard: used}}\n"
    ),
    "deck_made_whole_in_two_ways": (
        "tables: {cards: {columns: {n: int}, rows: {a: {n: 1}}}}\nstate: {used: list of cards, out: list of cards}\n"
        "decks: {d: {of: cards, discard: used, held: out}}\n"
    ),
    # bad-grid, and what follows from none: nothing
    "board_of_a_radius_and_columns": (
        "tables:\n  b: {hexagons: {radius: 2, columns: 4}}\nstate: {here: {type: b, default: c3r3}}\n"
    ),
    "tile_that_is_none": "tables:\n  b: {hexagons: {radius: 2}}\nstate: {here: {type: b, default: c9r9}}\n",
    "directions_of_no_table": (
        "tables:\n  b: {grid: {columns: 2, rows: 2, directions: way}}\n  ways: {rows: {north: {}}}\n"
    ),
    "direction_that_is_none": (
        "tables:\n  b: {grid: {columns: 2, rows: 2, directions: ways}}\n  ways: {rows: {north: {}, northeast: {}}}\n"
    ),
    # whenever-…
    "whenever_of_nothing": f"{WATCHED}whenever: {{r: {{then: [{{id: x, set: {{turn: 1}}}}]}}}}\n",
    "whenever_of_two_things": f"{WATCHED}whenever: {{r: {{gains: turn, loses: turn, then: []}}}}\n",
    "whenever_without_steps": f"{WATCHED}whenever: {{r: {{gains: player.score}}}}\n",
    "whenever_at_two_times": f"{WATCHED}whenever: {{r: {{gains: player.score, just_before: [], then: []}}}}\n",
    "whenever_after_a_removal": f"{WATCHED}whenever: {{r: {{removes: tree, then: []}}}}\n",
    "whenever_instead_of_a_step": f"{WATCHED}whenever: {{r: {{does: p.fell, instead: []}}}}\n",
    "whenever_instead_of_a_procedure": f"{WATCHED}whenever: {{r: {{begins: p, instead: []}}}}\n",
    "whenever_of_an_unknown_kind": f"{WATCHED}whenever: {{r: {{removes: tere, just_before: []}}}}\n",
    "whenever_of_an_unknown_field": f"{WATCHED}whenever: {{r: {{gains: player.scroe, then: []}}}}\n",
    "whenever_of_a_field_of_a_kind_left_out": f"{WATCHED}whenever: {{r: {{gains: score, then: []}}}}\n",
    "whenever_of_an_unknown_step": f"{WATCHED}whenever: {{r: {{does: p.fel, then: []}}}}\n",
    "whenever_of_an_unknown_procedure": f"{WATCHED}whenever: {{r: {{ends: q, then: []}}}}\n",
    "whenever_told_of_what_has_a_name": (
        f"{WATCHED}whenever: {{r: {{gains: player.score, then: []}}}}\n".replace(
            "turn: int", "turn: int, player: player"
        )
    ),
    "whenever_renamed_to_what_has_a_name": (
        f"{WATCHED}whenever: {{r: {{gains: player.score, as: {{player: turn}}, then: []}}}}\n"
    ),
    "whenever_gains_no_number": f"{WATCHED}whenever: {{r: {{gains: storm, then: []}}}}\n",
    "whenever_a_map_changes": (
        f"{WATCHED}tables: {{goods: {{columns: {{n: int}}, rows: {{a: {{n: 1}}}}}}}}\n".replace(
            "turn: int", "turn: int, stock: map of goods to int"
        )
        + "whenever: {r: {changes: stock, then: []}}\n"
    ),
    "whenever_a_value_of_a_map_changes": (
        f"{WATCHED}tables: {{goods: {{columns: {{n: int}}, rows: {{a: {{n: 1}}}}}}}}\n".replace(
            "turn: int", "turn: int, stock: map of goods to int"
        )
        + "whenever: {r: {gains: 'stock[wood]', then: []}}\n"
    ),
    "whenever_a_value_of_no_map_changes": f"{WATCHED}whenever: {{r: {{gains: 'player.score[x]', then: []}}}}\n",
    "whenever_of_players_removed": f"{WATCHED}whenever: {{r: {{removes: player, just_before: []}}}}\n",
    "whenever_called_like_a_procedure": f"{WATCHED}whenever: {{p: {{gains: player.score, then: []}}}}\n",
    "whenever_with_an_unknown_name": (
        f"{WATCHED}whenever: {{r: {{gains: player.score, when: amuont > 2, then: [{{id: x, set: {{turn: 1}}}}]}}}}\n"
    ),
    "whenever_calling_what_is_not_told": (
        f"{WATCHED}whenever: {{r: {{gains: player.score, as: {{tree: oak}}, then: [{{id: x, set: {{turn: 1}}}}]}}}}\n"
    ),
    "whenever_it_never_happens": (
        f"{WATCHED}whenever: {{r: {{creates: tree, then: [{{id: x, set: {{turn: 1}}}}]}}}}\n"
    ),
    "whenever_in_a_circle": (
        f"{WATCHED}whenever:\n"
        "  tax: {gains: player.score, then: [{id: x, set: {turn: turn + 1}}]}\n"
        "  alms: {gains: turn, then: [{id: y, for_each: p, in: players, steps: [{id: z, gain: {who: p, score: 1}}]}]}\n"
    ),
    "procedures_that_double": (
        "state: {turn: int}\nprocedures:\n  p0: {steps: [{id: x, set: {turn: 1}}]}\n"
        + "".join(f"  p{k}: {{steps: [{{id: x, do: p{k - 1}}}, {{id: y, do: p{k - 1}}}]}}\n" for k in range(1, 49))
    ),
    "procedures_too_deep": (
        "state: {turn: int}\nprocedures:\n  p0: {steps: [{id: x, set: {turn: 1}}]}\n"
        + "".join(f"  p{k}: {{steps: [{{id: x, do: p{k - 1}}}]}}\n" for k in range(1, 53))
    ),
}

MANIFESTS: dict[str, str] = {
    "players_unreadable": "players: some",
    "players_with_a_hyphen": "players: 3-5",
    "players_backwards": "players: 4..2",
    "players_none": "players: 0",
    "start_with_nothing": "start: gaem",
    "start_with_something_given": "start: other",
}
"""Lines of a manifest, each with its fault."""
