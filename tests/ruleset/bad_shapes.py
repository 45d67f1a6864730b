"""One file of a wrong shape for each way to go wrong: a name, which is also the name of its golden message."""

from __future__ import annotations

# Files of an edition that stands alone.
BAD_RULES: dict[str, str] = {
    "colon_forgotten": "numbers:\n  hero_cost 6\n",
    "yes_for_true": "tables:\n  t: {grid: {columns: 3, rows: 3, diagonal: yes}}\n",
    "table_named_like_a_section": "tables: {board: {grid: {columns: wide, rows: 3}}}\n",
    "unknown_section": "tabels: {}\n",
    "unknown_section_unlike_any": "zzzzzz: {}\n",
    "section_of_the_manifest": "title: Pig\n",
    "unknown_key": "terms:\n  villa: {name: Villa, icn: 🏰}\n",
    "unknown_key_unlike_any": "numbers:\n  goal: {is: 100, zzzzzz: 1}\n",
    "unknown_key_of_an_example": "examples:\n  fight: {title: A fight, of: battle, zzzzzz: 1}\n",
    "unknown_key_of_a_step": "procedures:\n  turn:\n    steps:\n      - {id: throw, rol: 1d6}\n",
    "missing_key": "rulings:\n  guardians: {about: procedures.turn, question: How many?, source: It is silent.}\n",
    "missing_key_in_a_step": "procedures: {turn: {steps: [{id: call, choose: {from: [roll, hold]}}]}}\n",
    "steps_right_below_a_loop": "procedures: {turn: {steps: [{id: again, repeat: [{id: throw, roll: 1d6}]}]}}\n",
    "expression_in_place_of_ids": "procedures: {turn: {steps: [{id: call, choose: {who: player, from: tiles}}]}}\n",
    "choice_from_a_bare_list": "procedures: {turn: {steps: [{id: call, choose: [roll, hold]}]}}\n",
    "value_in_place_of_a_type": "kinds: {player: {fields: {score: 0}}}\n",
    "value_of_the_game_in_place_of_a_type": "state: {open: true}\n",
    "rows_as_a_list": "tables:\n  colours:\n    rows: [red, green]\n",
    "rows_as_a_list_with_ids": (
        "tables:\n  colours:\n    rows:\n"
        "    - {id: red, on: 1}\n    - {id: green}\n    - id: blue\n      on: 2\n    - id: grey\n"
    ),
    "change_in_place": "procedures: {turn: {steps: [{id: up, set: player.score += 1}]}}\n",
    "step_without_id_beside_its_name": (
        "procedures: {a: {steps: [{roll: 1d6}]}, b: {steps: [{id: roll_step, roll: 1d6}]}}\n"
    ),
    "statement_by_another_word": "procedures: {turn: {steps: [{id: over, win: {winners: []}}]}}\n",
    "step_without_id": "procedures:\n  turn:\n    steps:\n      - roll: 1d6\n        title: Roll\n",
    "step_without_verb": "procedures: {turn: {steps: [{id: throw, when: x > 1}]}}\n",
    "step_with_keys_of_two_statements": "procedures: {turn: {steps: [{id: throw, count: 2, in_order: true}]}}\n",
    "statement_without_value": "procedures: {turn: {steps: [{id: throw, roll: }]}}\n",
    "statement_with_a_mapping": "procedures: {turn: {steps: [{id: throw, roll: {dice: 1d6}}]}}\n",
    "step_as_text": "procedures: {turn: {steps: [roll 1d6]}}\n",
    "steps_as_a_mapping": "procedures:\n  turn:\n    steps:\n      throw: {roll: 1d6}\n",
    "list_at_the_top": "- terms\n- tables\n",
    "text_at_the_top": "Pig is a game of dice.\n",
    "section_without_value": "terms:\ntables:\n",
    "section_as_a_list": "terms: [villa, castle]\n",
    "number_as_words": "terms: {game: {name: 2048}}\n",
    "words_without_value": "terms: {game: {name: Pig, means: ~}}\n",
    "expression_without_value": "state: {turn_total: {type: int, default: null}}\n",
    "fraction_as_expression": "numbers: {half: 0.5}\n",
    "float_as_expression": "numbers: {goal: 10.0}\n",
    "power_as_expression": "numbers: {goal: {is: 1e3}}\n",
    "mapping_as_expression": "numbers: {goal: {is: {value: 100}}}\n",
    "mapping_as_cell": "tables: {costs: {rows: {villa: {cost: {coin: 1}}}}}\n",
    "quoted_integer": "examples: {x: {title: X, players: '2'}}\n",
    "float_as_integer": "examples: {x: {title: X, players: 2.0}}\n",
    "key_as_id": "terms: {Long Road: {name: road}}\n",
    "key_as_id_in_capitals": "procedures: {visitVilla: {steps: []}}\n",
    "key_as_id_beyond_repair": "terms: {⚔: {name: battle}}\n",
    "faces_as_row_id": "tables: {check: {roll: 1d6, rows: {1-3: capture, 4-6: fight}}}\n",
    "name_of_a_die": "dice: {Percentile: 10..100 step 10}\n",
    "step_id": "procedures: {turn: {steps: [{id: Throw Dice, roll: 1d6}]}}\n",
    "id_with_line_break": "procedures: {turn: {steps: [{id: \"throw\\n\", roll: 1d6}]}}\n",
    "value_not_among": "pages:\n  p:\n    title: P\n    letter: P\n    sections:\n      s:\n        title: S\n"
    "        notes: {n: {kind: tipp, text: T}}\n",
    "value_unlike_any": "options: {o: {choices: {a: A}, default: a, may_change: zzzzzz}}\n",
    "look_alike_id": "numbers: {g\u043eal_\u0441ount: 1}\n",
    "position_without_layer": "tables: {check: {rows: {fight: {after: capture, on: 1}}}}\n",
    "removal_without_layer": "procedures: {turn: {steps: [{delete: throw}]}}\n",
    "replacement_without_layer": "procedures: {turn: {steps: [{id: throw, replace: check, roll: 1d6}]}}\n",
    "several": "terms:\n  A: {nam: x}\n  b: 1\nnumbers: {c: [1]}\nzzz: 1\n",
}  # fmt: skip

# Files of an edition that extends another.
BAD_OVERLAYS: dict[str, str] = {
    "section_among_rows": (
        "tables:\n  check:\n    rows:\n      fight: 90-100\n      examples:\n        fallen: {dice: [90, 11]}\n"
    ),
    "section_among_keys": "tables:\n  check:\n    rows:\n      fight: 90\n    examples:\n      fallen: {dice: [90]}\n",
    "section_begun_among_rows": "tables:\n  check:\n    rows:\n      fight: 90-100\n      examples:\n",
    "overlay_old_remove": "terms: {villa: {remove: true}}\n",
    "overlay_old_remove_of_a_step": "procedures: {turn: {steps: [{remove: check}]}}\n",
    "overlay_old_remove_of_a_key": "examples: {first: {expect: {a.coin: {remove: true}}}}\n",
    "overlay_old_remove_of_a_cell": "tables: {check: {rows: {fight: {cost: {remove: true}}}}}\n",
    "overlay_remove_not_true": "terms: {villa: {delete: yes}}\n",
    "overlay_mapping_as_words": "terms: {villa: {name: {text: Villa}}}\n",
    "overlay_step_without_id": "procedures: {turn: {steps: [{after: check, roll: 1d6}]}}\n",
    "overlay_step_names_nothing": "procedures: {turn: {steps: [{roll: 1d6}]}}\n",
    "overlay_unknown_key": "tables: {check: {rows: {fight: 3}, rol: 1d6}}\n",
}

BAD_MANIFESTS: dict[str, str] = {
    "manifest_missing_keys": "title: Pig\n",
    "manifest_unknown_key": "ruleset: pig/classic\nversion: 1.0.0\ntitle: Pig\nrouding: down\n",
    "manifest_with_rules": "ruleset: pig/classic\nversion: 1.0.0\ntitle: Pig\nterms: {}\n",
    "manifest_short_version": "ruleset: pig/classic\nversion: 1.0\ntitle: Pig\n",
    "manifest_version_of_one_number": "ruleset: pig/classic\nversion: 2\ntitle: Pig\n",
    "manifest_bad_version": "ruleset: pig/classic\nversion: 1.0.x\ntitle: Pig\n",
    "manifest_bad_ruleset": "ruleset: pig\nversion: 1.0.0\ntitle: Pig\n",
    "manifest_ruleset_with_version": "ruleset: pig/classic@1.0.0\nversion: 1.0.0\ntitle: Pig\n",
    "manifest_bad_extends": "ruleset: pig/house\nversion: 1.0.0\ntitle: Pig\nextends: pig/classic@new\n",
    "manifest_bad_status": "ruleset: pig/classic\nversion: 1.0.0\ntitle: Pig\nstatus: relased\n",
}
