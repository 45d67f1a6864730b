"""One file for each house rule: the files of a layer merge like layers, and clash only where both say one thing."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from rulewright.authoring.sign_texts import rewrite_text
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.layers.source_edits import build_value_edit
from rulewright.ruleset.load_ruleset import load_edition
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.edition_reference import parse_reference
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import apply_edits
from rulewright.source.diagnostics.formats import text
from tests.ruleset.bad_rulesets import BASE
from tests.ruleset.stacks import write

NEW = "gain: {who: p, score: 2}"


def house(folder: Path, files: dict[str, str], *, base: str = BASE) -> tuple[Ruleset | None, Diagnostics]:
    """Return the house rules of `files`, by name, over a base; and what is said of them."""
    write(folder, "base", base, manifest="rounding: truncate\nplayers: 1..4")
    write(folder, "house", "")
    for name, rules in files.items():
        (folder / "house" / f"{name}.yaml").write_text(rules)
    catalogue = Catalogue([folder])
    return load_edition(catalogue, catalogue.find(parse_reference("my/house@1")))


def in_any_order(folder: Path, *rules: str) -> list[tuple[Ruleset | None, Diagnostics]]:
    """Return the same files under names that give them every order."""
    houses = []
    for number, order in enumerate(permutations(rules)):
        place = folder / str(number)
        place.mkdir()
        houses.append(house(place, {f"file{name}": one for name, one in enumerate(order)}))
    return houses


def steps(*changes: str) -> str:
    return f"procedures: {{tend: {{steps: [{', '.join(changes)}]}}}}\n"


MERGING: dict[str, tuple[tuple[str, ...], Any]] = {
    "two steps beside different ones": (
        (steps(f"{{after: look, id: early, {NEW}}}"), steps(f"{{after: loop, id: late, {NEW}}}")),
        ["look", "early", "good", "grown", "joy", "loop", "prune", "late"],
    ),
    "a step beside one of another file": (
        (steps(f"{{after: look, id: early, {NEW}}}"), steps(f"{{after: early, id: later, {NEW}}}")),
        ["look", "early", "later", "good", "grown", "joy", "loop", "prune"],
    ),
    "different keys of one step": (
        (steps("{id: joy, gain: {score: 3}}"), steps("{id: joy, when: p.score < 5}")),
        ["look", "good", "grown", "joy", "loop", "prune"],
    ),
    "a nested step, and the one it lies in": (
        (steps("{id: joy, gain: {score: 3}}"), steps("{id: good, when: look == rain}")),
        ["look", "good", "grown", "joy", "loop", "prune"],
    ),
    "a step in a block that another file changes": (
        (steps(f"{{after: joy, id: more, {NEW}}}"), steps("{id: good, when: look == rain}"), steps("{delete: grown}")),
        ["look", "good", "joy", "more", "loop", "prune"],
    ),
    "a step beside one that is deleted": (
        (steps("{delete: joy}"), steps(f"{{after: joy, id: more, {NEW}}}")),
        ["look", "good", "grown", "more", "loop", "prune"],
    ),
    "a step beside one that is moved": (
        (steps("{id: joy, after: loop}"), steps(f"{{after: joy, id: more, {NEW}}}")),
        ["look", "good", "grown", "loop", "prune", "joy", "more"],
    ),
    "a step beside one that replaces another": (
        (steps(f"{{replace: joy, id: glee, {NEW}}}"), steps(f"{{after: glee, id: more, {NEW}}}")),
        ["look", "good", "grown", "glee", "more", "loop", "prune"],
    ),
    "more of a step that another file adds": (
        (steps(f"{{after: look, id: early, {NEW}}}"), steps("{id: early, when: p.score < 5}")),
        ["look", "early", "good", "grown", "joy", "loop", "prune"],
    ),
}


@pytest.mark.parametrize("rules", [case[0] for case in MERGING.values()], ids=MERGING)
def test_files_that_touch_one_procedure_merge(rules: tuple[str, ...], tmp_path: Path) -> None:
    expected = next(order for written, order in MERGING.values() if written is rules)
    houses = in_any_order(tmp_path, *rules)
    for ruleset, diagnostics in houses:
        assert not diagnostics.errors, text.render(diagnostics)
        assert ruleset is not None
        assert [step.id for step in ruleset.procedures["tend"].iterate_steps()] == expected
    assert len({ruleset.digest for ruleset, _ in houses if ruleset is not None}) == 1


SHARED = (
    "kinds: {tree: {fields: {age: int}}}\ntables: {sizes: {rows: {huge: {after: large, price: 9}}}}\n",
    "kinds: {tree: {fields: {fruit: int}}}\ntables: {sizes: {rows: {small: {price: 2}}}}\n"
    "options: {mode: {default: wild}}\n",
    "tables: {sizes: {rows: {middling: {price: 4}}, columns: {weight: optional int}}}\n"
    "options: {mode: {title: Mode}}\n",
)


def test_files_share_kinds_tables_and_options(tmp_path: Path) -> None:
    for ruleset, diagnostics in in_any_order(tmp_path, *SHARED):
        assert not diagnostics.errors, text.render(diagnostics)
        assert ruleset is not None
        assert {"height", "owner", "age", "fruit"} == set(ruleset.declarations.kinds["tree"].fields)
        rows = ruleset.resolved.rules.to_plain()["tables"]["sizes"]["rows"]
        assert {row: cells["price"] for row, cells in rows.items()} == {
            "small": 2,
            "middling": 4,
            "large": 7,
            "huge": 9,
        }
        assert ruleset.resolved.rules.to_plain()["options"]["mode"]["default"] == "wild"


CLASHES = {
    "one number": ("numbers: {goal: 5}\n", "numbers: {goal: 6}\n"),
    "one number said alike": ("numbers: {goal: 5}\n", "numbers: {goal: 5}\n"),
    "one cell": (
        "tables: {sizes: {rows: {small: {price: 2}}}}\n",
        "tables: {sizes: {rows: {small: {price: 4}}}}\n",
    ),
    "a row deleted and changed": (
        "tables: {sizes: {rows: {large: {delete: true}}}}\n",
        "tables: {sizes: {rows: {large: {price: 4}}}}\n",
    ),
    "one key of a step": (steps("{id: joy, when: p.score < 5}"), steps("{id: joy, when: p.score < 6}")),
    "one key of a step, one of them in its block": (
        steps("{id: joy, when: p.score < 5}"),
        steps("{id: good, steps: [{id: joy, when: p.score < 6}]}"),
    ),
    "a step replaced and changed": (steps(f"{{replace: joy, {NEW}}}"), steps("{id: joy, when: p.score < 6}")),
    "a step deleted and changed": (steps("{delete: joy}"), steps("{id: joy, when: p.score < 6}")),
    "a block deleted and changed in it": (steps("{delete: good}"), steps("{id: joy, when: p.score < 6}")),
    "one gap": (steps(f"{{after: look, id: a, {NEW}}}"), steps(f"{{after: look, id: b, {NEW}}}")),
    "one new step": (steps(f"{{after: look, id: a, {NEW}}}"), steps(f"{{after: loop, id: a, {NEW}}}")),
    "rows at one place": (
        "tables: {sizes: {rows: {huge: {after: large, price: 9}}}}\n",
        "tables: {sizes: {rows: {giant: {after: large, price: 8}}}}\n",
    ),
    "a step moved twice": (steps("{id: joy, after: loop}"), steps("{id: joy, after: look}")),
}


@pytest.mark.parametrize("rules", CLASHES.values(), ids=CLASHES)
def test_files_clash_at_one_place_and_both_are_named(rules: tuple[str, str], tmp_path: Path) -> None:
    for ruleset, diagnostics in in_any_order(tmp_path, *rules):
        assert ruleset is None
        [fault] = diagnostics.errors
        places = {Path(span.file).name for span in (fault.span, *(note.span for note in fault.related))}
        assert {"file0.yaml", "file1.yaml"} <= places, text.render(diagnostics)


def test_what_one_file_begins_another_goes_on_with(tmp_path: Path) -> None:
    """Also of what is new in the layer, and in an edition that extends none."""
    first = (
        "procedures:\n  rest:\n    given: {p: player}\n    steps:\n"
        "      - {id: sleep, gain: {who: p, score: 1}}\n      - {id: wake, gain: {who: p, score: 1}}\n"
    )
    second = "procedures: {rest: {title: Rest, steps: [{after: sleep, id: dream, gain: {who: p, score: 7}}]}}\n"
    for ruleset, diagnostics in in_any_order(tmp_path, first, second):
        assert not diagnostics.errors, text.render(diagnostics)
        assert ruleset is not None
        assert [step.id for step in ruleset.procedures["rest"].iterate_steps()] == ["sleep", "dream", "wake"]
    alone = tmp_path / "alone"
    alone.mkdir()
    write(alone, "base", BASE, manifest="rounding: truncate\nplayers: 1..4")
    (alone / "base" / "first.yaml").write_text(first)
    (alone / "base" / "second.yaml").write_text(second)
    catalogue = Catalogue([alone])
    ruleset, diagnostics = load_edition(catalogue, catalogue.find(parse_reference("my/base@1")))
    assert not diagnostics.errors, text.render(diagnostics)
    assert ruleset is not None
    assert [step.id for step in ruleset.procedures["rest"].iterate_steps()] == ["sleep", "dream", "wake"]


def test_a_file_of_comments_is_not_empty_and_takes_a_first_entry(tmp_path: Path) -> None:
    comments = "# What we play differently:\n#\n#   numbers: {apples: 3}\n\n"
    ruleset, diagnostics = house(tmp_path, {"rules": comments})
    assert list(diagnostics) == []
    assert ruleset is not None
    edit = build_value_edit(ruleset.resolved.layers[-1], ("numbers", "apples", "is"), "4")
    assert edit is not None
    written = apply_edits(comments, [edit])
    assert written.startswith(
        "# What we play differently:\n#\n#   numbers: {apples: 3}\n\nnumbers:\n  apples:\n    is: 4\n"
    )
    assert [each.code.id for each in house(tmp_path, {"rules": " \n\n"})[1]] == ["empty-rules-file"]


SAME = """\
pages:
  play:
    title: Play
    icon: score
    letter: P
    sections:
      first:
        title: First
        text: "One.\\nTwo."
      second:
        title: Second
        text: Three. # as ever
      third:
        title: Third
        text: Four.
"""


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("third", "text: Four.", "text: |-\n          One.\n          Two."),
        ("second", "text: Three. # as ever", 'text: "One.\\nTwo." # as ever'),
    ],
)
def test_a_text_that_another_one_equals_is_rewritten_where_it_stands(
    tmp_path: Path, name: str, before: str, after: str
) -> None:
    ruleset, diagnostics = house(tmp_path, {"rules": SAME})
    assert ruleset is not None, text.render(diagnostics)
    written = rewrite_text(f"play.{name}", "One.\nTwo.", ruleset, lambda file: Path(file).read_text())
    assert written == (str(tmp_path / "house" / "rules.yaml"), SAME.replace(before, after))
