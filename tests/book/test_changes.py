"""What changed, in sentences: each kind of difference by itself, then whatever differs between the shipped editions."""

from __future__ import annotations

import re
from itertools import permutations
from pathlib import Path

import pytest

from rulewright.book.changes.change import RuleChange, SentenceParts
from rulewright.book.changes.change import build_line as line_of
from rulewright.book.changes.compare_rulesets import list_changes, select_gameplay
from rulewright.book.style.rule_locations import step_numbers
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.queries.tree_difference import compare_rules
from rulewright.ruleset.ruleset import Ruleset
from tests.book.garden import steps, write_garden
from tests.breadth import some

HOUSE = "ruleset: house/garden\nversion: 0.1.0\nextends: garden/small@1\ntitle: House Garden\nstatus: draft\n"
OWN_STEPS = ("- {id: sow, pay: {who: player, seed: 1}}", "- {id: rinse, gain: {who: player, water: 2}}")


def compared(tmp_path: Path, rules: str, manifest: str = HOUSE) -> list[RuleChange]:
    """Return the changes from the garden to the garden with `rules` laid over it."""
    write_garden(tmp_path, steps(*OWN_STEPS))
    house = tmp_path / "house"
    house.mkdir()
    (house / "ruleset.yaml").write_text(manifest, encoding="utf-8")
    (house / "rules.yaml").write_text(rules, encoding="utf-8")
    before, after = (load_ruleset(name, rules=[tmp_path]) for name in ("garden/small", "house/garden"))
    return list_changes(before, after)


PLAYED = {
    "numbers: {harvest: 4}": ["4 instead of 3."],
    "numbers: {rain: 3d6}": ["3d6 (3 to 18, 10.5 on average) instead of 2d6 +1 (3 to 13, 8 on average)."],
    "numbers: {frost: {is: 2, means: How cold it gets.}}": ["2. How cold it gets."],
    # The faces 1 to 4 are equally likely: three of four, then two of four.
    "tables: {weather: {rows: {dry: {on: 1-2}, wet: {on: 3-4}}}}": [
        "Dry: on 1 to 2 instead of on 1 to 3: 75 % → 50 %.",
        "Pouring rain: on 3 to 4 instead of on 4: 25 % → 50 %.",
    ],
    "tables: {weather: {rows: {dry: {on: 2-4}, wet: {on: 1}}}}": [
        "Dry: on 2 to 4 instead of on 1 to 3: still 75 %.",
        "Pouring rain: on 1 instead of on 4: still 25 %.",
    ],
    "tables: {weather: {rows: {dry: {rain: 1d8}}}}": [
        "Dry, Rain: 1d8 (1 to 8, 4.5 on average) instead of 1d6 (1 to 6, 3.5 on average)."
    ],
    "tables: {sizes: {rows: {bush: {price: 3}, tree: {needs: sprout}}}}": [
        "Bush, Price: 3 instead of 2.",
        "Tree, Needs: Sprout instead of Bush.",
    ],
    "tables: {sizes: {rows: {grove: {price: 9, needs: tree}}}}": ["Grove is new: Price 9, Needs Tree."],
    "tables: {sizes: {rows: {sprout: {before: tree, price: 2}}}}": [
        "Sprout, Price: 2 instead of 1.",
        "Order of the rows: Bush, Sprout, Tree instead of Sprout, Bush, Tree.",
    ],
    "tables: {sizes: {columns: {shade: int}, rows: {sprout: {shade: 0}, bush: {shade: 1}, tree: {shade: 4}}}}": [
        "Column “Shade” is new: Sprout 0, Bush 1, Tree 4."
    ],
    "dice: {dW: {faces: 1..5}}\ntables: {weather: {rows: {wet: {on: 4-5}}}}": [
        "Faces: 1, 2, 3, 4, 5 instead of 1, 2, 3, 4.",
        "Dry: on 1 to 3 instead of on 1 to 3: 75 % → 60 %.",
        "Pouring rain: on 4 to 5 instead of on 4: 25 % → 40 %.",
    ],
    "kinds: {bed: {fields: {fenced: bool}}}": ["Fenced is new: yes or no."],
    "kinds: {bed: {fields: {size: {default: bush}}}}": [
        "Size: one of Sizes, starting as Bush instead of one of Sizes, starting as Sprout."
    ],
    "state: {season: {default: 2}}": ["a number, starting at 2 instead of a number, starting at 1."],
    "state: {frost: {type: count, means: Nights of frost.}}": ["Nights of frost. A number, never below 0."],
    "options: {shade: {default: full}}": ["Unless agreed otherwise: Full shade instead of Half shade."],
    "options: {shade: {choices: {bare: No shade}}}": ["A choice is new: No shade."],
    "decks: {catalogue: {of: weather}}": ["2 cards from Weather instead of 3 cards from Sizes."],
    "procedures: {tend: {steps: [{id: sow, pay: {seed: 2}}]}}": [
        "Step 1, now: The player pays 2 Seeds. Before: The player pays 1 Seed."
    ],
    "procedures: {tend: {steps: [{after: sow, id: weed, gain: {who: player, seed: 3}}]}}": [
        "Step 2 is new: The player gains 3 Seeds."
    ],
    "procedures: {tend: {steps: [{delete: rinse}]}}": ["Former step 2 is gone: The player gains 2 Water."],
}

WORDS = {
    "terms: {bed: {name: Patch}}": ["Bed is now called Patch."],
    "terms: {bed: {icon: 🪴}}": ["Picture: potted plant instead of seedling."],
    'terms: {bed: {means: "Where any {plant} grows."}}': [
        "What it is, now: Where any Plant grows. Before: Where a Plant grows."
    ],
    "tables: {weather: {title: The sky}}": ["Title: The sky instead of Weather."],
    "tables: {sizes: {rows: {tree: {title: Old tree}}}}": ["Name of a row: Old tree instead of Tree."],
    "options: {shade: {choices: {half: Some shade}}}": ["A choice: Some shade instead of Half shade."],
    "numbers: {rain: {means: How wet it gets.}}": [
        "Described as, now: How wet it gets. Before: How much it rains.",
    ],
    "numbers: {harvest: 2 + 1}": ["written differently, with the same result: 3."],
    "procedures: {tend: {title: Minding a {bed}}}".replace("Minding a {bed}", '"Minding a {bed}"'): [
        "Title: Minding a Bed instead of Tending a Bed."
    ],
    "pages: {growing: {sections: {tending: {title: Care}}}}": ["Heading of “Care”: Care instead of Tending a Bed."],
    "pages: {growing: {sections: {selling: {delete: true}}}}": [
        "Section “Selling” is gone: A Tree costs 5, and it pours on 4."
    ],
    "pages: {growing: {sections: {tending: {notes: {thirst: {text: Mind the {water}.}}}}}}".replace(
        "Mind the {water}.", '"Mind the {water}."'
    ): ["Note of “Tending a Bed”, now: Mind the Water. Before: Plants drink Water."],
    "examples: {fair: {title: Fair shares}}": ["Title: Fair shares instead of A fair share."],
}


@pytest.mark.parametrize("rules", PLAYED)
def test_a_change_of_the_game_is_said_in_these_sentences(tmp_path: Path, rules: str) -> None:
    comparison = compared(tmp_path, rules)
    assert [sentence for change in comparison for sentence in change.sentences] == PLAYED[rules]
    assert select_gameplay(comparison) == comparison


@pytest.mark.parametrize("rules", WORDS)
def test_a_change_of_words_is_told_apart(tmp_path: Path, rules: str) -> None:
    comparison = compared(tmp_path, rules)
    assert [sentence for change in comparison for sentence in change.sentences] == WORDS[rules]
    assert select_gameplay(comparison) == []


def test_a_figure_that_leans_on_another_is_told_where_it_moves(tmp_path: Path) -> None:
    leaning = steps(*OWN_STEPS).replace("tree: {price: 5,", "tree: {price: harvest + 2,")
    write_garden(tmp_path, leaning)
    house = tmp_path / "house"
    house.mkdir()
    (house / "ruleset.yaml").write_text(HOUSE, encoding="utf-8")
    (house / "rules.yaml").write_text("numbers: {harvest: 7}", encoding="utf-8")
    changes = list_changes(*(load_ruleset(name, rules=[tmp_path]) for name in ("garden/small", "house/garden")))
    assert {(c.section, c.id): c.sentences for c in changes} == {
        ("numbers", "harvest"): ("7 instead of 3.",),
        ("tables", "sizes"): ("Tree, Price: 9 instead of 5.",),
    }


def test_the_steps_of_an_else_have_the_numbers_of_the_book(tmp_path: Path) -> None:
    fork = "- {id: fork, if: player.seed > 2, then: [{id: sow, pay: {seed: 1, who: player}}], else: [{id: rinse, %s}]}"
    before, after = (
        load_ruleset("garden/small", rules=[write_garden(tmp_path / str(count), steps(fork % step))])
        for count in (2, 3)
        for step in [f"gain: {{who: player, seed: {count}}}"]
    )
    [change] = list_changes(before, after)
    assert change.sentences == ("Step 1.2, now: The player gains 3 Seeds. Before: The player gains 2 Seeds.",)
    numbers = step_numbers(after.procedures, {"tend": "G.1"})
    assert (numbers["tend.sow"], numbers["tend.rinse"]) == ("G.1.1.1", "G.1.1.2")


def test_a_step_that_only_moved_is_not_told_as_another_one(tmp_path: Path) -> None:
    before, after = (
        load_ruleset("garden/small", rules=[write_garden(tmp_path / name, steps(*lines))])
        for name, lines in (("there", OWN_STEPS), ("back", OWN_STEPS[::-1]))
    )
    [change] = list_changes(before, after)
    assert change.sentences == ("Step 1 moved, and is step 2 now: The player pays 1 Seed.",)


def test_a_step_that_is_put_inside_another_is_told_where_it_went(tmp_path: Path) -> None:
    inside = ("- {id: sow, pay: {who: player, seed: 1}}", "- {id: morning, steps: [" + OWN_STEPS[1][2:] + "]}")
    before, after = (
        load_ruleset("garden/small", rules=[write_garden(tmp_path / name, steps(*lines))])
        for name, lines in (("there", OWN_STEPS), ("back", inside))
    )
    [change] = list_changes(before, after)
    assert change.sentences == (
        "Step 2 is new: Do what stands inside this step.",
        "Step 2 moved, and is step 2.1 now: The player gains 2 Water.",
    )


LISTS = [
    (("a", "b"), ("a", "b", "c"), "[…; new: c]"),
    (("a", "b", "c"), ("a", "c"), "[…; no more: b; …]"),
    (("a", "b", "c"), ("a", "d", "c"), "[…; now: d; before: b; …]"),
    (("a", "b"), ("b", "a"), "[new: b; …; no more: b]"),
]


@pytest.mark.parametrize(("first", "then", "sentence"), LISTS)
def test_of_a_list_only_what_came_and_went_is_told(
    first: tuple[str, ...], then: tuple[str, ...], sentence: str
) -> None:
    def parts(items: tuple[str, ...], tail: str = ", or none") -> SentenceParts:
        written = f" [{'; '.join(items)}]"
        return SentenceParts(f"One of these:{written}{tail}", ((items, written),))

    found = line_of("changed", "Step 3", parts(first), parts(then), covers=[])
    assert found.sentence == f"Step 3, now: One of these: {sentence}, or none."
    assert (found.before, found.after) == (parts(first).text, parts(then).text)
    # Where more than the list differs, or nothing of it stayed, both are told whole.
    more = line_of("changed", "Step 3", parts(first), parts(then, ", or all"), covers=[])
    other = line_of("changed", "Step 3", parts(first), parts(("x", "y")), covers=[])
    assert "…" not in more.sentence + other.sentence
    assert "x; y" in other.sentence


def test_a_choice_that_is_added_is_told_alone(tmp_path: Path) -> None:
    def load(name: str, options: str) -> Ruleset:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "ruleset.yaml").write_text(HOUSE.replace("garden/small@1", "pig/classic@1"), encoding="utf-8")
        rules = f"procedures: {{game: {{steps: [{{id: move, choose: {{from: [{options}]}}}}]}}}}\n"
        (folder / "rules.yaml").write_text(rules, encoding="utf-8")
        return load_ruleset("house/garden", rules=folder)

    before, after = load("before", "roll, hold, nap, wait"), load("after", "roll, hold, nap, wait, rest")
    ((sentence,),) = (each.sentences for each in list_changes(before, after) if each.section == "procedures")
    assert sentence.endswith("[…; new: rest].")
    assert "hold;" not in sentence


def test_the_settings_of_a_game_count(tmp_path: Path) -> None:
    comparison = compared(tmp_path, "{}", HOUSE + "players: 2..5\nrounding: up\n")
    assert [sentence for change in comparison for sentence in change.sentences] == [
        "How many play: 2 to 5 instead of 2 to 4.",
        "What is left over by a division: rounded up instead of dropped.",
    ]
    assert select_gameplay(comparison) == comparison


def test_a_setting_that_only_one_side_has_is_told_in_plain_words(tmp_path: Path) -> None:
    option = "options: {pace: {title: Pace, choices: {slow: Slow, fast: Fast}, default: slow}}"
    bare = write_garden(tmp_path / "bare", option)
    pinned = write_garden(tmp_path / "pinned", option)
    manifest = next(pinned.rglob("ruleset.yaml"))
    manifest.write_text(manifest.read_text() + "simulations: {pace: fast}\n")
    before, after = (load_ruleset("garden/small", rules=[folder]) for folder in (bare, pinned))
    assert [change.sentences for change in list_changes(before, after)] == [
        ("Simulations are set to: Pace – Fast. Before, nothing was settled.",)
    ]
    assert [change.sentences for change in list_changes(after, before)] == [
        ("Simulations are set to: nothing any more. Before: Pace – Fast.",)
    ]


def test_records_are_told_by_their_parts(tmp_path: Path) -> None:
    sale = "records: {sale: {means: What is sold., parts: {seller: player, price: int, sure: bool}}}"
    parts = "{price: optional int, seller: player, to: player}"
    dear = f'records: {{sale: {{label: "for {{self.price}}", means: A sale., parts: {parts}}}}}'
    bare, before, after = (
        load_ruleset("garden/small", rules=[write_garden(tmp_path / name, rules)])
        for name, rules in (("bare", "terms: {bed: {name: Bed, means: Earth.}}"), ("there", sale), ("back", dear))
    )
    changes = {change.path: change.sentences for change in list_changes(bare, before)}
    assert changes["records.sale"] == (
        "What is sold. It is made of seller (a player), price (a number) and sure (yes or no).",
    )
    [change] = list_changes(before, after)
    assert sorted(change.sentences) == [
        "Order of its parts: price, seller and to instead of seller, price and sure.",
        "Price: a number, or none instead of a number.",
        "Sure is gone: yes or no.",
        "To is new: a player.",
        "What it is, now: A sale. Before: What is sold.",
        "What players call one: for ⟨price⟩ instead of by its parts.",
    ]


def test_labels_name_the_values_inside_values(tmp_path: Path) -> None:
    sizes = "tables: {sizes: {columns: {price: int}, rows: {small: {price: 1}}}}\n"
    pot = 'kinds: {{pot: {{means: A pot., label: "{}", fields: {{size: {{type: sizes, means: Its size.}}}}}}}}'
    before, after = (
        load_ruleset("garden/small", rules=[write_garden(tmp_path / name, sizes + pot.format(label))])
        for name, label in (("there", "Pot"), ("back", "Pot {self.size} for {self.size.price}"))
    )
    [change] = list_changes(before, after)
    assert "What players call one of them: Pot ⟨size⟩ for ⟨size price⟩ instead of Pot." in change.sentences


@pytest.mark.parametrize(
    ("rules", "sentences"),
    [
        ("board: {grid: {columns: 7}}", ["7 × 6 tiles instead of 6 × 6 tiles.", "Placements: 1,282 instead of 1,024."]),
        (
            "shapes: {rows: {x: {form: [.x, xx]}}}",
            ["X, Form, now: .x / xx. Before: .x. / xxx / .x.", "Placements: 1,108 instead of 1,024."],
        ),
        (
            "shapes: {rows: {x: {form: [x.x, .x., x.x]}}}",
            ["X, Form, now: x.x / .x. / x.x. Before: .x. / xxx / .x.", "16 placements cover other spaces."],
        ),
        ("ways: {placements: {turned: {delete: true}}}", ["Placements: 322 instead of 1,024."]),
    ],
)
def test_placements_are_counted_and_forms_are_shown(tmp_path: Path, rules: str, sentences: list[str]) -> None:
    house = HOUSE.replace("garden/small@1", "cookbook/pentominoes@1").replace("House Garden", "House Tiles")
    (tmp_path / "ruleset.yaml").write_text(house, encoding="utf-8")
    (tmp_path / "rules.yaml").write_text(f"tables: {{{rules}}}\n", encoding="utf-8")
    folders = [tmp_path, Path(__file__).parents[2] / "site" / "docs" / "cookbook"]
    before, after = (load_ruleset(name, rules=folders) for name in ("cookbook/pentominoes", "house/garden"))
    changes = list_changes(before, after)
    assert [line.sentence for change in changes if change.section == "tables" for line in change.lines] == sentences


def test_a_new_name_changes_nothing_that_speaks_of_it(tmp_path: Path) -> None:
    comparison = compared(tmp_path, "terms: {bed: {name: Patch}, water: {name: Rain, plural: Rain}}")
    assert [(change.path, change.what) for change in comparison] == [
        ("terms.bed", "renamed"),
        ("terms.water", "renamed"),
    ]


FEW = ["fuzzy-knights/normal@0.1.1", "fuzzy-knights/normal@1.0.1", "classics/hex@1.0.0", "classics/yacht@1.0.0"]
"""The largest game's first edition and its last, and two small games that have nothing in common."""


@pytest.fixture(scope="module")
def editions(checkout: Path) -> dict[str, Ruleset]:
    """Return every shipped edition."""
    ids = [edition.id for edition in Catalogue([checkout / "rules"]).list_editions() if edition.status != "abstract"]
    return {each: load_ruleset(each, rules=[checkout / "rules"]) for each in some(ids, FEW)}


@pytest.fixture(scope="module")
def all_pairs(editions: dict[str, Ruleset]) -> dict[tuple[str, str], list[RuleChange]]:
    """Return what changed between any two of one game, or of one collection of games, either way."""
    pairs = [pair for pair in permutations(editions, 2) if len({each.partition("/")[0] for each in pair}) == 1]
    return {pair: list_changes(editions[pair[0]], editions[pair[1]]) for pair in pairs}


def test_nothing_differs_from_itself(editions: dict[str, Ruleset]) -> None:
    assert all(list_changes(ruleset, ruleset) == [] for ruleset in editions.values())


def test_nothing_that_differs_is_passed_over(
    editions: dict[str, Ruleset], all_pairs: dict[tuple[str, str], list[RuleChange]]
) -> None:
    for (before, after), pairs in all_pairs.items():
        lines = {(change.section, change.id): change.lines for change in pairs}
        for difference in compare_rules(editions[before], editions[after]):
            paths = [path for line in lines[difference.rule] if line.sentence for path in line.covers]
            assert any(difference.path[: len(path)] == path for path in paths), difference.path


def test_there_and_back_are_opposites(all_pairs: dict[tuple[str, str], list[RuleChange]]) -> None:
    opposite = {"added": "removed", "removed": "added"}
    for (before, after), pairs in all_pairs.items():
        back = {c.path: c for c in all_pairs[after, before]}
        assert {c.path: opposite.get(c.what, c.what) for c in pairs} == {path: c.what for path, c in back.items()}
        for change in pairs:
            there = sorted((line.before, line.after) for line in change.lines if line.what != "moved")
            here = sorted((line.after, line.before) for line in back[change.path].lines if line.what != "moved")
            assert there == here, change.path


def test_players_are_told_nothing_technical(all_pairs: dict[tuple[str, str], list[RuleChange]]) -> None:
    technical = re.compile(r"\w_\w|[{}]|\bNone\b|\bTrue\b|\bFalse\b|==|'\w+':|\s{2}|\.\.(?!\.)|, \.|: \.")
    for pairs in all_pairs.values():
        for change in pairs:
            for text in (change.title, *change.sentences):
                assert not technical.search(text), (change.path, text)


def test_no_expression_and_no_key_of_the_rules_is_told(
    editions: dict[str, Ruleset], all_pairs: dict[tuple[str, str], list[RuleChange]]
) -> None:
    keys = re.compile(
        r"\b(?:kind|text|title|means|given|(?<!these )steps|(?<!neither )is|when|do|to|instead): "
        r"|\b\w+\(\w+[ ,.)]|\bfor \w in\b"
    )
    for (before, after), pairs in all_pairs.items():
        claims = {
            claim.expression.text
            for ruleset in (editions[before], editions[after])
            for example in ruleset.examples.values()
            for claim in example.claims
            if not claim.expression.text.isidentifier()
        }
        for change in pairs:
            for text in (
                part for line in change.lines for part in (line.label, line.before, line.after, line.sentence)
            ):
                assert not keys.search(text), (change.path, text)
                assert not any(claim in text for claim in claims), (change.path, text)


def test_no_sentence_is_said_twice_of_one_rule(all_pairs: dict[tuple[str, str], list[RuleChange]]) -> None:
    for pairs in all_pairs.values():
        assert [c.path for c in pairs if len(set(c.sentences)) < len(c.sentences)] == []
        assert len({c.path for c in pairs}) == len(pairs)


def test_what_changed_says_something_else_on_either_side(all_pairs: dict[tuple[str, str], list[RuleChange]]) -> None:
    for pairs in all_pairs.values():
        for change in pairs:
            for line in change.lines:
                alike = line.before == line.after != ""
                assert not alike or "another way" in line.sentence, (change.path, line)
