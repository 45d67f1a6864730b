"""Edits after which answers once depended on what had been checked before."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulewright.lsp.features.definitions import find_references
from tests.incremental.histories import SMALL, Folder, Project, compare, list_answers, read_folder

Edit = Callable[[dict[str, str]], None]


@pytest.fixture
def valley(tmp_path: Path) -> Project:
    """Return the small game and the rules over it, all of them open and checked."""
    files = read_folder(SMALL)
    project = Project(tmp_path, files, [path for path in files if path.endswith(".yaml")])
    list(list_answers(project.desk, files, random.Random(0)))
    return project


def make_edit(project: Project, edit: Edit) -> Folder:
    """Make an edit, and return the diagnostics by file, which must be those of a new workspace."""
    files = dict(project.files)
    edit(files)
    project.move_to(files, save=True)
    for seed in range(2):
        answers = dict(list_answers(project.desk, files, random.Random(seed), places=4))
        again = list_answers(project.open_again(random.Random(seed)), files, random.Random(seed), places=4)
        assert compare(answers.items(), again) == []
    diagnostics = answers["diagnostics"]
    return {
        str(Path(file).relative_to(project.root)): [each["code"] for each in diagnostics[file]] for file in diagnostics
    }


@pytest.mark.parametrize("path", ["hill/icons/nothing.svg", "hill/icons/seed.svg"])
def test_the_first_drawing_of_an_edition_is_noticed(valley: Project, path: str) -> None:
    assert path in make_edit(valley, lambda files: files.update({path: "<svg"}))


def test_the_drawings_of_another_place_count_after_a_move(tmp_path: Path) -> None:
    files = {str(Path("one", path)): text for path, text in read_folder(SMALL).items() if path[:4] in ("base", "hill")}
    files["two/icons/seed.svg"] = "<svg"
    project = Project(tmp_path, files, [path for path in files if path.endswith(".yaml")])
    assert make_edit(project, lambda files: None) == {}

    def move(files: dict[str, str]) -> None:
        for path in [path for path in files if path.startswith("one/hill/")]:
            files[path.replace("one", "two", 1)] = files.pop(path)

    project.opened += [path.replace("one", "two", 1) for path in project.opened if path.startswith("one/hill/")]
    assert make_edit(project, move) == {"two/icons/seed.svg": ["bad-icon"]}


def test_a_section_named_like_a_table_is_noticed(valley: Project) -> None:
    table = "tables:\n  setups:\n    title: Ups\n    columns: {size: int}\n    rows: {small: {size: 1}}\n"
    page = valley.files["base/book/pages.yaml"].replace("{charms.stone.worth}.", "{setups.small.size}.")
    make_edit(valley, lambda files: files.update({"base/more.yaml": table, "base/book/pages.yaml": page}))
    make_edit(valley, lambda files: files.update({"base/empty.yaml": "setups: {}\n"}))


def test_no_reference_leads_to_the_question_of_odds(valley: Project) -> None:
    path = valley.root / "base" / "rules.yaml"
    text = valley.files["base/rules.yaml"].partition("days:")[0]
    place = path, text.count("\n") + 1, len(text.rpartition("\n")[2]) + 1
    references = find_references(valley.workspace, *place)
    assert len(references) > 5
    assert {Path(each.span.file).is_relative_to(valley.root) for each in references} == {True}
    make_edit(valley, lambda files: files.update({"flood/rules.yaml": files["flood/rules.yaml"] + "\n"}))
    assert find_references(valley.workspace, *place) == references


@pytest.mark.parametrize("turn", [list, reversed])
def test_whether_titles_are_nested_too_deep_does_not_depend_on_their_order(valley: Project, turn: Any) -> None:
    titles = [*(f"T {{tables.t{number + 1}}}" for number in range(44)), "End"]
    tables = [
        f"  t{number}: {{title: '{title}', columns: {{size: int}}, rows: {{small: {{size: 1}}}}}}\n"
        for number, title in enumerate(titles)
    ]
    text = "".join(["tables:\n", *turn(tables)])
    diagnostics = make_edit(valley, lambda files: files.update({"base/more.yaml": text}))["base/more.yaml"]
    assert diagnostics.count("endless-words") == 3
