"""Names that a step binds, such as the variable of a loop: their definition, their references and their renaming."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from rulewright.authoring.sign_texts import map_texts
from rulewright.lsp.features.completion import complete
from rulewright.lsp.features.definitions import find_definitions, find_references
from rulewright.lsp.features.hover import describe_at
from rulewright.lsp.features.outline import search_symbols
from rulewright.lsp.features.rename import RenameError, rename
from rulewright.lsp.features.workspace import Workspace
from rulewright.ruleset.prose.stale_texts import is_signed
from rulewright.ruleset.prose.text_signature import compute_signature
from rulewright.source.diagnostics.diagnostic import apply_edits
from tests.studio.garden import BASE

COOKBOOK = Path(__file__).resolve().parents[2] / "site" / "docs" / "cookbook"
LOCALS = """\
procedures:
  watering:
    title: A watering
    names: {drops: the drops, asked: the one asked}
    steps:
      - {id: drops, roll: 1d6}
      - id: all
        for_each: sower
        in: players
        steps:
          - {id: more, set: {sower.seeds: "sower.seeds + drops + count(p for p in players if p == sower)"}}
      - id: again
        for_each: sower
        in: players
        steps:
          - {id: less, set: {sower.seeds: "max(0, sower.seeds - 1)"}}
      - {id: bids, choose: {who: players, as: asked, number: {from: 0, to: asked.seeds}}, into: asked.seeds}
  giving:
    title: A gift
    steps: [{id: best, let: first(p for p in players if p.seeds > 3)}]
    gives: {winner: best, price: 3}
  sale:
    title: A sale
    steps:
      - id: sold
        do: giving
      - {id: paid, gain: {who: sold.winner, seeds: sold.price}, when: sold.winner}
      - id: drawn
        roll: 2d6
tables:
  sizes: {title: Sizes, columns: {wide: int}, rows: {small: {wide: 1}, large: {wide: 3}}}
overviews:
  widths: {title: Widths, rows: {size: sizes}, values: {twice: size.wide + size.wide}}
whenever:
  thanks:
    gains: player.seeds
    as: {player: gainer}
    means: Nobody keeps too many seeds.
    then:
      - {id: kept, set: {gainer.seeds: "min(gainer.seeds, 99)"}, when: amount > 0}
"""
"""Steps, an overview and an event that bind names: each of two loops has its own `sower`."""


@pytest.fixture
def bound(tmp_path: Path) -> tuple[Workspace, Path]:
    (tmp_path / "ruleset.yaml").write_text(BASE.replace("start: game", "start: watering"), encoding="utf-8")
    file = tmp_path / "rules.yaml"
    kinds = "kinds:\n  player:\n    fields:\n      seeds: {type: count, default: 9, means: What is in hand.}\n"
    file.write_text(LOCALS + kinds, encoding="utf-8")
    workspace = Workspace([tmp_path])
    (edition,) = workspace.list_editions(file)
    assert not workspace.check_edition(edition).diagnostics.errors
    return workspace, file


def spot(text: str, mark: str) -> tuple[int, int]:
    """Return the line and the column of the `|` of `mark` in a text, counted from 1."""
    before = text[: text.index(mark.replace("|", "")) + mark.index("|")]
    return before.count("\n") + 1, len(before.split("\n")[-1]) + 1


BOUND = [
    (
        [
            "for_each: |sower\n        in: players\n        steps:\n          - {id: more",
            'set: {|sower.seeds: "sower.seeds +',
            ': "|sower.seeds + drops',
            "p == |sower",
        ],
        [],
    ),
    (
        [
            "for_each: |sower\n        in: players\n        steps:\n          - {id: less",
            'set: {|sower.seeds: "max',
            "max(0, |sower",
        ],
        [],
    ),
    (["as: |asked", "to: |asked.seeds", "into: |asked.seeds"], ["|asked: the one"]),
    (["{id: |drops", "seeds + |drops"], ["|drops: the drops"]),
    (["{|size: sizes", "twice: |size", "+ |size.wide"], []),
    (["{player: |gainer", "set: {|gainer", "min(|gainer"], []),
]
"""The marks of each name's declaration and of its uses in expressions, and those of its nouns."""


@pytest.mark.parametrize(("marks", "nouns"), BOUND)
def test_a_name_that_a_step_binds_leads_to_its_declaration_and_to_all_its_uses(
    bound: tuple[Workspace, Path], marks: list[str], nouns: list[str]
) -> None:
    workspace, file = bound
    places = [spot(LOCALS, mark) for mark in marks]
    for line, column in places:
        where = find_definitions(workspace, file, line, column)
        assert [(each.line, each.column) for each in where] == places[:1]
        uses = find_references(workspace, file, line, column)
        assert sorted((each.span.line, each.span.column) for each in uses) == sorted(
            [*places, *(spot(LOCALS, mark) for mark in nouns)]
        )
        assert [(each.span.line, each.span.column) for each in uses if each.declares] == places[:1]


@pytest.mark.parametrize(("marks", "nouns"), BOUND)
def test_a_name_that_a_step_binds_is_renamed_where_it_is_bound(
    bound: tuple[Workspace, Path], marks: list[str], nouns: list[str]
) -> None:
    workspace, file = bound
    for mark in marks:
        edits = rename(workspace, file, *spot(LOCALS, mark), "other")
        assert [(each.span.line, each.span.column) for each in edits] == sorted(
            spot(LOCALS, each) for each in (*marks, *nouns)
        )


FEAST = """\
procedures:
  watering: {title: A watering, steps: [{id: drops, let: 1}]}
  feast:
    title: A feast
    given: {eater: player}
    steps: [{id: eaten, set: {eater.seeds: eater.seeds * 2}}, {id: left, let: 100 - eater.seeds}]
    gives: {left: left}
examples:
  meal: {title: A meal, of: feast, given: {eater: {seeds: 7}}, expect: {eater.seeds: 14, left: 86}}
"""


@pytest.mark.parametrize(
    "marks",
    [
        [
            "{|eater: player",
            "{|eater.seeds: eater",
            ": |eater.seeds *",
            "- |eater",
            "{|eater: {seeds",
            "{|eater.seeds: 14",
        ],
        ["{id: |left", "left: |left", "|left: 86"],
    ],
)
def test_a_name_that_an_example_expects_is_renamed_there(tmp_path: Path, marks: list[str]) -> None:
    (tmp_path / "ruleset.yaml").write_text(BASE.replace("start: game", "start: watering"), encoding="utf-8")
    file = tmp_path / "rules.yaml"
    file.write_text(f"{FEAST}kinds: {{player: {{fields: {{seeds: count}}}}}}\n", encoding="utf-8")
    workspace = Workspace([tmp_path])
    (edition,) = workspace.list_editions(file)
    assert not workspace.check_edition(edition).diagnostics.errors
    places = sorted(spot(FEAST, mark) for mark in marks)
    for place in places:
        assert sorted((each.span.line, each.span.column) for each in find_references(workspace, file, *place)) == places
    edits = rename(workspace, file, *places[0], "other")
    assert [(each.span.line, each.span.column) for each in edits] == places


ASKING = """\
kinds: {player: {fields: {seeds: count}}}
procedures:
  watering:
    title: Watering
    steps:
      - id: all
        for_each: one
        in: players
        steps:
          - {id: few, choose: {who: one, number: {from: 0, to: 2}}, ask: How many?}
          - {id: used, gain: {who: one, seeds: few}}
      - {id: more, for_each: one, in: players, steps: [{id: given, gain: {who: one, seeds: 1}}]}
"""
GERMAN = "procedures: {watering: {names: {few: die Zahl, one: der Spieler}, steps: {few: {ask: Wie viele?}}}}\n"


def test_a_name_is_renamed_where_it_is_translated(tmp_path: Path) -> None:
    """A step has texts and a noun there. The noun of two loops cannot be renamed with one of them."""
    (tmp_path / "ruleset.yaml").write_text(BASE.replace("start: game", "start: watering"), encoding="utf-8")
    file, words = tmp_path / "rules.yaml", tmp_path / "words" / "de.yaml"
    words.parent.mkdir()
    words.write_text(GERMAN, encoding="utf-8")
    file.write_text(ASKING, encoding="utf-8")
    workspace = Workspace([tmp_path])
    (edition,) = workspace.list_editions(file)
    assert not workspace.check_edition(edition).diagnostics.errors
    edits = rename(workspace, file, *spot(ASKING, "id: |few"), "number")
    translated = [each for each in edits if each.span.file == str(words)]
    assert apply_edits(GERMAN, translated) == GERMAN.replace("few", "number")
    with pytest.raises(RenameError, match="serves several names `one`"):
        rename(workspace, file, *spot(ASKING, "for_each: |one"), "sower")


GEESE = """\
terms: {egg: {name: Egg, plural: Eggs, means: What geese lay.}}
kinds: {player: {fields: {egg: {type: count, means: "The {egg.plural} of a player."}, other: count}}}
procedures:
  watering:
    title: Laying
    steps: [{id: all, for_each: goose, in: players, steps: [{id: laid, gain: {who: goose, egg: 2, other: goose.egg}}]}]
"""


SIGNED = f"""\
{GEESE}pages:
  geese:
    title: Geese
    letter: G
    about: Geese.
    sections:
      laying: {{title: Laying, text: Geese lay., explains: [procedures.watering], reviewed: SIGN}}
      other: {{title: Other, text: Geese do not lay., explains: [procedures.watering], reviewed: g00000000000}}
"""


def test_texts_that_are_signed_stay_signed_if_a_name_of_their_rules_changes(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(BASE.replace("start: game", "start: watering"), encoding="utf-8")
    file = tmp_path / "rules.yaml"

    def list_outdated(written: str) -> list[str]:
        file.write_text(written, encoding="utf-8")
        (checked,) = Workspace([tmp_path]).check_file(file)
        assert checked.ruleset is not None
        return [name for name, text in map_texts(checked.ruleset).items() if not is_signed(text, checked.ruleset)]

    assert list_outdated(SIGNED) == ["geese.laying", "geese.other"]
    (checked,) = Workspace([tmp_path]).check_file(file)
    assert checked.ruleset is not None
    signature = compute_signature(map_texts(checked.ruleset)["geese.laying"], checked.ruleset)
    rules = SIGNED.replace("SIGN", signature)
    assert list_outdated(rules) == ["geese.other"]
    workspace = Workspace([tmp_path])
    workspace.check_file(file)
    edits = rename(workspace, file, *spot(rules, "id: |laid"), "hatched")
    renamed = apply_edits(rules, edits)
    assert "id: hatched" in renamed
    assert signature not in renamed
    assert list_outdated(renamed) == ["geese.other"]


@pytest.mark.parametrize("name", ["golden_egg", "other"])
def test_a_field_that_has_its_words_from_a_term_is_renamed_with_it(tmp_path: Path, name: str) -> None:
    (tmp_path / "ruleset.yaml").write_text(BASE.replace("start: game", "start: watering"), encoding="utf-8")
    file = tmp_path / "rules.yaml"
    file.write_text(GEESE, encoding="utf-8")
    workspace = Workspace([tmp_path])
    workspace.check_file(file)
    edits = rename(workspace, file, *spot(GEESE, "{|egg: {name"), name)
    alone = GEESE.replace("{egg: {name", f"{{{name}: {{name").replace("{egg.plural", f"{{{name}.plural")
    # Where a field has the new name already, the other field stays.
    assert apply_edits(GEESE, edits) == (alone if name == "other" else re.sub(r"\begg\b", name, GEESE))


@pytest.mark.parametrize(
    ("house", "table"), [("walled-towns", "board"), ("pentominoes", "shapes"), ("pentominoes", "ways")]
)
def test_a_table_is_renamed_where_rules_go_through_all_of_its_rows(tmp_path: Path, house: str, table: str) -> None:
    folder = shutil.copytree(COOKBOOK / house, tmp_path / house)
    file = folder / "rules.yaml"
    text = file.read_text(encoding="utf-8")
    workspace = Workspace([tmp_path])
    workspace.check_file(file)
    edits = rename(workspace, file, *spot(text, f"\n  |{table}:"), "others")
    renamed = apply_edits(text, edits)
    assert len(re.findall(r"\bothers\b", renamed)) == len(edits) >= 3
    assert not re.search(rf"\b(in|of|on): {table}\b|\bfor \w+ in {table}\b|count\({table}\)", renamed)


@pytest.mark.parametrize(
    ("mark", "new", "message"),
    [
        ("p == |sower", "drops", "`drops` is already in use here"),
        ("p == |sower", "p", "`p` would clash with the variable of a `for` in an expression that uses `sower`"),
        ("when: |amount", "plus", "`amount` is not declared in any file of these rules"),
    ],
)
def test_a_name_that_a_step_binds_gets_no_name_that_means_something_else(
    bound: tuple[Workspace, Path], mark: str, new: str, message: str
) -> None:
    with pytest.raises(RenameError) as refused:
        rename(*bound, *spot(LOCALS, mark), new)
    assert message in str(refused.value)


def test_a_name_that_a_step_binds_is_found_after_an_edit_above_it(bound: tuple[Workspace, Path]) -> None:
    workspace, file = bound
    text = "# Names.\n" + file.read_text(encoding="utf-8").replace("roll: 1d6", "roll: 1d8")
    for checked in (False, True):
        workspace.texts.put(file, text)
        if checked:
            workspace.check_file(file)
        where = find_definitions(workspace, file, *spot(text, "max(0, |sower"))
        assert [(each.line, each.column) for each in where] == [spot(text, BOUND[1][0][0])]


@pytest.mark.parametrize("mark", ["seeds: sold.|price", "when: sold.win|ner", "when: |sold"])
def test_a_part_of_a_result_leads_to_its_step(bound: tuple[Workspace, Path], mark: str) -> None:
    where = find_definitions(*bound, *spot(LOCALS, mark))
    assert [(each.line, each.column) for each in where] == [spot(LOCALS, "- id: |sold")]


@pytest.mark.parametrize(("step", "offered"), [("do: giving\n", False), ("roll: 2d6\ntables", True)])
def test_only_a_single_result_is_put_into_a_place(bound: tuple[Workspace, Path], step: str, offered: bool) -> None:
    workspace, file = bound
    head, _, rest = step.partition("\n")
    text = file.read_text(encoding="utf-8").replace(step, f"{head}\n        i\n{rest}")
    workspace.texts.put(file, text)
    at = spot(text, f"{head}\n        i|\n")
    assert ("into" in {each.label for each in complete(workspace, file, *at)}) is offered


def test_the_name_of_the_choosing_player_is_offered_in_its_step_only(bound: tuple[Workspace, Path]) -> None:
    workspace, file = bound
    text = file.read_text(encoding="utf-8")
    for mark, offered in (("to: |asked.seeds", True), ("into: |asked", True), ("sower.seeds + |drops", False)):
        assert ("asked" in {each.label for each in complete(workspace, file, *spot(text, mark))}) is offered, mark


@pytest.mark.parametrize(
    ("step", "keys", "others", "shared"),
    [
        ("roll: 2d6", {"count", "when", "into"}, {"choose", "among", "with", "steps"}, ("count", "rolls to make")),
        ("do: giving", {"with", "when"}, {"roll", "among", "count"}, ("with", "parameter")),
        ("title: Fresh", {"roll", "do", "when", "draw"}, {"among", "count", "with"}, None),
    ],
)
def test_a_step_is_offered_the_keys_of_its_statement(
    bound: tuple[Workspace, Path], step: str, keys: set[str], others: set[str], shared: tuple[str, str] | None
) -> None:
    workspace, file = bound
    text = file.read_text(encoding="utf-8").replace(
        "    steps:\n", f"    steps:\n      - {step}\n        i\n        id: new\n", 1
    )
    workspace.texts.put(file, text)
    offers = {each.label: each for each in complete(workspace, file, *spot(text, "        i|\n        id: new"))}
    assert offers.keys() >= keys
    assert not offers.keys() & others
    if shared is not None:
        assert shared[1] in offers[shared[0]].more


def test_a_search_for_symbols_leaves_out_the_names_of_loops(bound: tuple[Workspace, Path]) -> None:
    workspace, file = bound
    workspace.texts.put(file, file.read_text(encoding="utf-8"))
    assert [each.name for each in search_symbols(workspace, "drops")] == ["drops"]
    assert not list(search_symbols(workspace, "sower"))


def test_names_that_share_a_noun_are_not_renamed_one_without_the_other(bound: tuple[Workspace, Path]) -> None:
    workspace, file = bound
    text = file.read_text(encoding="utf-8").replace("names: {", "names: {sower: the sower, ")
    workspace.texts.put(file, text)
    workspace.check_file(file)
    with pytest.raises(RenameError, match="one noun under `names:` serves several names `sower`"):
        rename(workspace, file, *spot(text, "p == |sower"), "other")


def test_a_procedure_that_is_looked_ahead_at_is_found(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(BASE.replace("start: game", "start: watering"), encoding="utf-8")
    file = tmp_path / "rules.yaml"
    text = """\
state: {total: {type: int, means: The sum.}}
formulas:
  good: {is: "after(add(2), total > 2) and after(clear, total == 0)", means: Whether it is good.}
procedures:
  add: {given: {many: int}, steps: [{id: a, set: {total: total + many}}]}
  clear: {steps: [{id: c, set: {total: 0}}]}
  watering: {steps: [{id: w, do: add, when: good, with: {many: 1}}, {id: o, do: clear}]}
"""
    file.write_text(text, encoding="utf-8")
    workspace = Workspace([tmp_path])
    (edition,) = workspace.list_editions(file)
    assert not workspace.check_edition(edition).diagnostics.errors
    for name, marks in (
        ("add", ["after(|add", "|add: {given", "do: |add"]),
        ("clear", ["after(|clear", "|clear: {", "do: |clear"]),
    ):
        places = {spot(text, mark) for mark in marks}
        for mark in marks:
            references = find_references(workspace, file, *spot(text, mark))
            assert {(each.span.line, each.span.column) for each in references} == places, name


@pytest.mark.parametrize("typed", ["sower.held[|", "sower.held[|]", "sower.held[s|]", "all_held[large] + all_held[|]"])
def test_the_key_of_a_map_is_offered_the_rows_of_its_table(tmp_path: Path, typed: str) -> None:
    (tmp_path / "ruleset.yaml").write_text(BASE.replace("start: game", "start: watering"), encoding="utf-8")
    file = tmp_path / "rules.yaml"
    kinds = "kinds: {player: {fields: {seeds: count, held: map of sizes to count}}}\n"
    text = f"{LOCALS}{kinds}state: {{all_held: map of sizes to count}}\n"
    file.write_text(text, encoding="utf-8")
    workspace = Workspace([tmp_path])
    (edition,) = workspace.list_editions(file)
    assert not workspace.check_edition(edition).diagnostics.errors
    text = text.replace("max(0, sower.seeds - 1)", typed.replace("|", ""))
    workspace.texts.put(file, text)
    at = spot(text, f'less, set: {{sower.seeds: "{typed}')
    offered = [each.label for each in sorted(complete(workspace, file, *at), key=lambda each: each.rank)]
    assert offered[:2] == ["small", "large"]


@pytest.mark.parametrize(
    ("mark", "expected"),
    [("for_each: sow|er", "`sower` is a player"), ("as: ask|ed", "`asked` is a player")],
)
def test_hover_says_the_type_of_a_name_where_a_step_declares_it(
    bound: tuple[Workspace, Path], mark: str, expected: str
) -> None:
    workspace, file = bound
    hover = describe_at(workspace, file, *spot(file.read_text(encoding="utf-8"), mark))
    assert hover is not None
    assert hover.text == expected
