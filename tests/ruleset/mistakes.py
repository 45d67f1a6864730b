"""What designers get wrong in a folder of theirs: one mistake each, under the name of its golden message.

House rules over an edition are one file, `rules.yaml`, whole. The others change one place of a copy of Pig, or two: the
file, what stands there, and what stands there by mistake. What is called `released_…` is a released edition.
"""

from __future__ import annotations

MANIFEST = """\
ruleset: house/mine
version: 0.1.0
extends: fuzzy-knights/normal@1.0
title: Mine
about: Our table's rules.
"""

HOUSE: dict[str, str] = {
    "older_names_of_keys": """\
measures:
  age: {is: day - 1, over: day, title: Age, means: How many days are over.}
  riches: {is: max(p.coin for p in players), over: day, title: Riches, means: The most coins of a player.}
""",
    "second_verb_of_a_step_that_others_read": "procedures: {hero_turn: {steps: [{id: prowlers, remove: hero}]}}\n",
    "only_key_without_a_blank": "numbers:\n  hero_cost:7\n",
    "curly_quotes_between_braces": "terms: {luck: {name: Luck, means: “Luck, of course”}}\n",
    "rest_of_a_division_in_letters": """\
procedures:
  end_of_turn: {steps: [{before: homeless, id: tax, when: day mod 7 == 0, gain: {who: player, coin: hero_cost}}]}
""",
    "step_after_none_that_is_like_it": """\
procedures:
  end_of_turn: {steps: [{after: grown_up, id: tax, gain: {who: player, coin: hero_cost}}]}
""",
    "one_number_or_another": "numbers: {most_heroes: 2 or 3}\n",
    "ruling_with_the_figure_it_is_about": """\
rulings:
  cost:
    about: numbers.starting_coins
    question: What does everybody start with?
    source: Nothing.
    because: It does.
    ruling: With 5 of them.
""",
    "line_a_level_too_high": """\
tables:
  settlement_tiers:
    rows:
      castle:
        cost: 30
      income: 7
""",
    "line_a_level_too_high_by_half": """\
tables:
  settlement_tiers:
    rows:
      castle:
        cost: 30
       income: 7
""",
    "line_a_level_too_low": """\
numbers:
  day_limit: 90
    longest_game: 90000
""",
    "section_below_another": """\
numbers:
  day_limit: 90
  tables:
    guardian_check:
      rows: {capture: 10-90, fight: 100}
""",
    "rows_left_out": """\
tables:
  settlement_tiers:
    castle: {cost: 30}
""",
    "colon_left_out": """\
numbers:
  day_limit 90
  longest_game: 90000
""",
    "colon_of_a_block_left_out": """\
numbers
  day_limit: 90
""",
    "comma_left_out": """\
tables:
  settlement_tiers:
    rows:
      castle: {cost: 30 income: 7}
""",
    "comma_left_out_between_items": """\
tables:
  settlement_tiers:
    rows:
      castle: {cost: 30, base_roll: 6d6 +18 needs: villa}
""",
    "bracket_left_open": """\
tables:
  settlement_tiers:
    rows:
      castle: {cost: 30, income: 7
      villa: {income: 3}
""",
    "bracket_closed_on_a_later_line": """\
terms: {coin: {name: Coin, search: [money, cash
numbers: {day_limit: 90}]}}
""",
    "bracket_closed_by_another": """\
terms: {coin: {name: Coin, search: [money, cash}}
""",
    "tab": "numbers:\n\tday_limit: 90\n",
    "tab_after_the_colon": "numbers:\n  day_limit:\t6\n",
    "list_for_a_mapping": """\
numbers:
  - day_limit: 90
  - longest_game: 90000
""",
    "list_of_rows": """\
tables:
  guardian_check:
    rows:
      - capture: 10-60
      - fight: 70-100
""",
    "mapping_for_a_list": """\
procedures:
  daybreak:
    steps:
      id: tithe
      after: incomes
      for_each: player
      in: players
      steps:
        - {id: tithes, gain: {who: player, coin: 1}}
""",
    "key_twice": """\
numbers:
  day_limit: 90
  longest_game: 90000
  day_limit: 80
""",
    "section_twice": """\
numbers:
  day_limit: 90
tables:
  settlement_tiers: {rows: {castle: {cost: 30}}}
numbers:
  longest_game: 90000
""",
    "order_word_misspelt": """\
procedures:
  daybreak:
    steps:
      - {id: feast, afer: incomes, for_each: one, in: players, steps: [{id: ate, gain: {who: one, coin: 1}}]}
""",
    "order_word_in_another_language_of_ours": """\
procedures:
  daybreak:
    steps:
      - {id: feast, insert_after: incomes, for_each: one, in: players, steps: [{id: ate, gain: {who: one, coin: 1}}]}
""",
    "order_after_nothing": """\
procedures:
  daybreak:
    steps:
      - {id: feast, after: income, for_each: one, in: players, steps: [{id: ate, gain: {who: one, coin: 1}}]}
""",
    "delete_without_true": "numbers: {monsters_per_coin: delete}\n",
    "delete_what_is_needed": "numbers: {monsters_per_coin: {delete: true}}\n",
    "row_misspelt": "tables: {settlement_tiers: {rows: {castel: {cost: 30}}}}\n",
    "column_misspelt": "tables: {settlement_tiers: {rows: {castle: {costs: 30}}}}\n",
    "table_misspelt": "tables: {settlement_tier: {rows: {castle: {cost: 30}}}}\n",
    "number_misspelt": "numbers: {day_limits: 6}\n",
    "procedure_misspelt": """\
procedures:
  daybraek:
    steps:
      - {delete: upkeeps}
""",
    "section_misspelt": "number: {day_limit: 90}\n",
    "rows_misspelt": "tables: {settlement_tiers: {row: {castle: {cost: 30}}}}\n",
    "dice_misspelt": "tables: {settlement_tiers: {rows: {castle: {base_roll: 6D}}}}\n",
    "dice_of_no_such_die": "tables: {settlement_tiers: {rows: {castle: {base_roll: 6dK +18}}}}\n",
    "text_for_a_number": "tables: {settlement_tiers: {rows: {castle: {cost: thirty}}}}\n",
    "number_with_a_unit": "numbers: {day_limit: 90 coins}\n",
    "yes_for_true": "numbers: {day_limit: {replace: yes, is: 90, means: How long it lasts.}}\n",
    "gap_in_a_table": "tables: {guardian_check: {rows: {capture: 10-50}}}\n",
    "overlap_in_a_table": "tables: {guardian_check: {rows: {capture: 10-80}}}\n",
    "row_as_a_list": """\
tables:
  wind:
    title: The wind
    columns: {cost: int, name: text}
    rows: {north: [3, cold], south: {cost: 2, name: warm}}
""",
    "row_without_its_cells": """\
tables:
  ramparts:
    rows:
      moat: {tier: castle}
""",
    "row_replaced_without_its_cells": "tables: {settlement_tiers: {rows: {castle: {replace: true, cost: 30}}}}\n",
    "reference_misspelt": """\
tables:
  settlement_tiers:
    rows:
      castle: {needs: vila}
""",
    "step_without_id": """\
procedures:
  daybreak:
    steps:
      - {after: incomes, do: pay_upkeep, with: {player: player}}
""",
    "verb_misspelt": """\
procedures:
  daybreak:
    steps:
      - id: feast
        after: incomes
        for_each: player
        in: players
        steps:
          - {id: ate, gian: {who: player, coin: 1}}
""",
    "field_misspelt": """\
procedures:
  daybreak:
    steps:
      - id: feast
        after: incomes
        for_each: player
        in: players
        steps:
          - {id: ate, gain: {who: player, coins: 1}}
""",
    "expression_misspelt": """\
formulas:
  income: {is: sum(s.teir.income for s in player.settlements) + 0}
""",
    "expression_with_one_equals": """\
formulas:
  income: {is: 5 if player.coin = 0 else 3}
""",
    "expression_with_a_bracket_too_few": """\
formulas:
  income: {is: sum(s.tier.income for s in player.settlements + 3}
""",
    "same_value_again": "numbers: {day_limit: 100}\n",
    "placeholder_of_nothing": """\
rulings:
  our_mines:
    about: procedures.visit_mine
    question: Who guards a {mien}?
    source: It does not say.
    ruling: Nobody.
    because: We like it so.
""",
    "placeholder_without_quotes": """\
numbers:
  day_limit: {is: 90, means: {day} of the end}
""",
    "colon_in_a_text": """\
rulings:
  our_mines:
    about: procedures.visit_mine
    question: Mines: who guards them?
    source: It does not say.
    ruling: Nobody.
    because: We like it so.
""",
    "brace_left_open_in_a_text": """\
rulings:
  our_mines:
    about: procedures.visit_mine
    question: "Who guards a {mine?"
    source: It does not say.
    ruling: Nobody.
    because: We like it so.
""",
    "about_nothing": """\
rulings:
  our_mines:
    about: procedures.visit_mines
    question: Who guards them?
    source: It does not say.
    ruling: Nobody.
    because: We like it so.
""",
    "quote_left_open": """\
numbers:
  day_limit: {is: 90, means: "The {day} after which it ends.}
  longest_game: 90000
""",
}

MANIFESTS: dict[str, str] = {
    "extends_misspelt": MANIFEST.replace("fuzzy-knights/normal", "fuzzy-knights/normall"),
    "extends_of_no_version": MANIFEST.replace("@1.0", "@3.0"),
    "extends_left_out": MANIFEST.replace("extends: fuzzy-knights/normal@1.0\n", ""),
    "extends_key_misspelt": MANIFEST.replace("extends:", "extend:"),
    "version_as_a_number": MANIFEST.replace("0.1.0", "0.1"),
    "no_folder_in_the_name": MANIFEST.replace("house/mine", "mine"),
    "status_of_no_kind": MANIFEST + "status: finished\n",
}

PIG: dict[str, tuple[str, ...]] = {
    "step_a_level_too_high": (
        "pig.yaml",
        "                - {id: face, roll: die}\n",
        "              - {id: face, roll: die}\n",
    ),
    "key_a_level_too_high": (
        "pig.yaml",
        "              ask: Roll once more, or hold?",
        "            ask: Roll once more, or hold?",
    ),
    "key_a_level_too_low": ("pig.yaml", "  goal: {is: 100,", "    goal: {is: 100,"),
    "else_a_level_too_high": ("pig.yaml", "                  else:\n", "                else:\n"),
    "section_a_level_too_low": ("pig.yaml", "kinds:\n", "  kinds:\n"),
    "dash_left_out": ("pig.yaml", "            - id: dare\n", "              id: dare\n"),
    "blank_after_the_dash_left_out": ("pig.yaml", "            - id: dare\n", "            -id: dare\n"),
    "blank_after_the_colon_left_out": ("pig.yaml", "name: pot", "name:pot"),
    "comma_missing": ("pig.yaml", "{type: count, unit: points, means", "{type: count, unit: points means"),
    "brace_missing": ("pig.yaml", "set: {pot: pot + face}}", "set: {pot: pot + face}"),
    "two_steps_of_one_id": ("pig.yaml", "{id: bank,", "{id: grown,"),
    "rule_of_no_name": ("pig.yaml", "when: player.score >= goal", "when: player.score >= gaol"),
    "option_of_no_name": ("pig.yaml", "if: move == roll", "if: move == rol"),
    "type_of_no_name": ("pig.yaml", "player: {type: player,", "player: {type: palyer,"),
    "type_wrong": ("pig.yaml", "set: {pot: pot + face}", "set: {pot: player}"),
    "truth_for_a_number": ("pig.yaml", "when: player.score >= goal", "when: player.score"),
    "verb_unknown": ("pig.yaml", "gain: {who: player, score: pot}", "bribe: {who: player, score: pot}"),
    "verb_by_another_word": ("pig.yaml", "gain: {who: player, score: pot}", "earn: {who: player, score: pot}"),
    "two_verbs": (
        "pig.yaml",
        "{id: grown, set: {pot: pot + face}}",
        "{id: grown, set: {pot: pot + face}, gain: {who: player, score: 1}}",
    ),
    "key_of_a_verb_misspelt": (
        "pig.yaml",
        "choose: {who: player, from: [roll, hold]}",
        "choose: {who: player, form: [roll, hold]}",
    ),
    "die_of_no_faces": ("pig.yaml", "die: {is: 1d6,", "die: {is: 1d0,"),
    "die_as_a_word": ("pig.yaml", "die: {is: 1d6,", "die: {is: a die,"),
    "example_of_another_result": ("pig.yaml", "expect: {pot: 0,", "expect: {pot: 6,"),
    "example_with_too_few_dice": ("pig.yaml", "dice: [6, 1]", "dice: [6]"),
    "example_of_no_procedure": (
        "pig.yaml",
        "    title: One roll too many\n    of: game",
        "    title: One roll too many\n    of: gme",
    ),
    "example_with_a_face_too_high": ("pig.yaml", "dice: [6, 1]", "dice: [7, 1]"),
    "start_of_no_name": ("ruleset.yaml", "start: game", "start: gme"),
    "players_as_a_word": ("ruleset.yaml", "players: 2..10", "players: two to ten"),
    "language_of_a_newer_program": ("ruleset.yaml", "language: 1", "language: 2"),
    "rounding_of_no_kind": ("ruleset.yaml", "rounding: truncate", "rounding: trunc"),
    "title_left_out": ("ruleset.yaml", "title: Pig\n", ""),
    "manifest_with_a_tab": ("ruleset.yaml", "title: Pig", "title:\tPig"),
    "page_shows_a_kind": ("book/pig.yaml", "show: [examples.greed,", "show: [examples.greed, kinds.player,"),
    "page_shows_nothing": ("book/pig.yaml", "show: [examples.greed,", "show: [examples.gred,"),
    "key_twice_alike": (
        "pig.yaml",
        "\nkinds:\n",
        "  goal: {is: 100, means: The score that wins the race.}     # to be sure\n\nkinds:\n",
    ),
    "key_twice_alike_in_braces": ("pig.yaml", "Points banked so far.}", "Points banked so far., type: count}"),
    "fields_left_out": ("pig.yaml", "    fields:\n      score: {", "    score: {"),
    "several_rows_left_out": (
        "pig.yaml",
        "numbers:\n",
        "tables:\n  sizes: {title: Sizes, columns: {n: int}, small: {n: 1}, large: {n: 2}}\n\nnumbers:\n",
    ),
    "rows_beside_their_key": (
        "pig.yaml",
        "numbers:\n",
        "tables:\n  sizes:\n    title: Sizes\n    columns: {n: int}\n    rows:\n    small: {n: 1}\n"
        "    # the other one\n    large:\n      n: 2\n\nnumbers:\n",
    ),
    "faces_before_their_rows": (
        "pig.yaml",
        "numbers:\n",
        "tables:\n  weather: {title: Weather, roll: 1d6, rows: {1-6: rain}}\n\nnumbers:\n",
    ),
    "figure_with_commas": ("pig.yaml", "goal: {is: 100,", "goal: {is: 10,000,"),
    "figure_as_a_share": ("pig.yaml", "goal: {is: 100,", "goal: {is: 100%,"),
    "figure_in_curly_quotes": ("pig.yaml", "goal: {is: 100,", "goal: {is: “100”,"),
    "figure_left_out": (
        "pig.yaml",
        "goal: {is: 100, means: The score that wins the race.}",
        "goal:",
    ),
    "equals_for_a_colon": (
        "pig.yaml",
        "goal: {is: 100, means: The score that wins the race.}",
        "goal = 100",
    ),
    "brackets_for_braces": (
        "pig.yaml",
        "{is: 1, means: The face that empties the pot and ends the turn.}",
        "(is: 1, means: The face that empties the pot and ends the turn.)",
    ),
    "given_of_no_field": ("pig.yaml", "      players: [{score: 95}]", "      players: [{scores: 95}]"),
    "board_too_small": (
        "pig.yaml",
        "numbers:\n",
        "tables:\n  board: {title: The board, grid: {columns: 0, rows: 3}}\n\nnumbers:\n",
    ),
    "drawing_that_is_none": ("icons/pot.svg", "</svg>", ""),
    "drawing_of_nothing": ("icons/purse.svg", "", '<svg viewBox="0 0 24 24"><path d="M4 4h9"/></svg>'),
    "link_to_nowhere": ("book/pig.yaml", "part of your {score}, for", "part of your [score](javascript:score), for"),
    "markup_of_the_web": ("book/pig.yaml", "**Roll** the die", "<b>Roll</b> the die"),
    "figure_in_a_text": ("book/pig.yaml", "A {pot} grows", "A {pot} of 50 grows"),
    "number_word_in_a_text": (
        "words/de.yaml",
        "Die Punkte, die auf dem Spiel stehen.",
        "Die vierzig Punkte, die auf dem Spiel stehen.",
    ),
    "term_in_a_text": ("book/pig.yaml", "A {pot} grows", "A pot grows"),
    "text_of_another_rule": ("book/pig.yaml", "reviewed: h34864a75035", "reviewed: h34864a75036"),
    "two_pages_of_one_letter": (
        "book/sample.yaml",
        "samples:\n",
        "pages:\n  more: {title: More of it, letter: P, about: What else there is., sections: {}}\nsamples:\n",
    ),
    "term_of_another": ("pig.yaml", "name: pot", 'name: "{score}"'),
    "title_of_itself": ("book/pig.yaml", "title: Your turn", 'title: "{pages.pig.turn}"'),
    "sample_of_too_many": ("book/sample.yaml", "    seed: 11\n", "    seed: 11\n    players: 30\n"),
    "setup_of_a_game_without_a_board": (
        "book/sample.yaml",
        "samples:\n",
        "setups:\n  opening: {title: The table, until: game.passed}\nsamples:\n",
    ),
    "setup_until_a_misspelt_step": (
        "book/sample.yaml",
        "samples:\n",
        "setups:\n  opening: {title: The table, until: game.pased}\nsamples:\n",
    ),
    "story_of_a_misspelt_example": (
        "book/sample.yaml",
        "samples:\n",
        "stories:\n  greedy: {title: One too many, example: gred}\nsamples:\n",
    ),
    "answer_that_its_example_does_not_show": (
        "book/sample.yaml",
        "samples:\n",
        "faq:\n  even:\n    question: Is anybody ahead?\n    about: formulas.standing\n"
        "    answer: Not at first.\n    example: greed\nsamples:\n",
    ),
    "answer_that_cites_another_section": (
        "book/sample.yaml",
        "samples:\n",
        "faq:\n  bust:\n    question: When is everything lost?\n    about: numbers.bust\n    section: pig.goal\n"
        "    answer: When you roll the bust face.\n    example: greed\nsamples:\n",
    ),
    "sample_in_two_files": ("pig.yaml", "numbers:\n", "samples:\n  first_turns: {seed: 12}\n\nnumbers:\n"),
    "sample_in_two_files_alike": (
        "pig.yaml",
        "numbers:\n",
        "samples:\n  first_turns: {title: The first turns, seed: 11, until: game.passed}\n\nnumbers:\n",
    ),
    "words_of_no_name": (
        "pig.yaml",
        "    given: {who: player}\n",
        "    given: {who: player}\n    names: {whom: judged player}\n",
    ),
    "words_left_out": (
        "book/sample.yaml",
        "samples:\n",
        "formulas:\n  grown_by: {given: {a: int, b: int}, is: a + b, means: Both together.}\n"
        "procedures:\n  grow:\n    title: It grows\n    means: It grows.\n    given: {amount: int}\n"
        "    steps: [{id: grown, set: {pot: 'grown_by(pot, amount)'}}]\nsamples:\n",
    ),
    "example_with_a_choice_too_few": ("pig.yaml", "choose: [roll, roll]", "choose: [roll]"),
    "example_with_a_choice_that_is_none": ("pig.yaml", "choose: [roll, roll]", "choose: [roll, fold]"),
    "example_that_stops_nowhere": ("pig.yaml", "until: lost", "until: last"),
    "example_that_never_comes_there": ("pig.yaml", "    dice: [5]\n", "    dice: [5]\n    until: lost\n"),
    "score_below_zero": (
        "book/sample.yaml",
        "samples:\n",
        "procedures:\n  fine:\n    title: A fine\n    means: Somebody pays.\n    given: {who: player}\n"
        "    steps: [{id: paid, pay: {who: who, score: 1}}]\n"
        "examples:\n  broke: {title: Nothing left, of: fine, given: {who: 1}}\nsamples:\n",
    ),
    "released_without_a_lock": ("ruleset.yaml", 'locked: "4272b7be114ab9b0"\n', ""),
    "released_and_changed": ("ruleset.yaml", "players: 2..10", "players: 2..9"),
    "released_and_unread": ("book/pig.yaml", "        reviewed: h34864a75035\n", ""),
}
