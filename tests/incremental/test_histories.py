"""After any history of edits, a workspace answers as one just opened, in this process and in another."""

from __future__ import annotations

import gc
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import _lru_cache_wrapper
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import pytest

from rulewright.authoring.example_odds import weigh_odds
from rulewright.base.incremental.latest_results import LatestResults
from rulewright.base.incremental.traces import NoTraces, Traces
from rulewright.lsp.features.workspace import Workspace
from rulewright.ruleset.cache.cache_folder import VARIABLE
from rulewright.ruleset.cache.stored_traces import open_traces
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.source.diagnostics.formats import render
from rulewright.testing.check_edition import check_edition
from tests.breadth import THOROUGH, spread, times
from tests.incremental.histories import (
    CHECKOUT,
    COOKBOOK,
    RULES,
    SMALL,
    Editions,
    Folder,
    Project,
    compare,
    list_answers,
    read_folder,
)


def read_recipes(*names: str) -> Folder:
    return {path: text for name in names for path, text in read_folder(COOKBOOK / name, name).items()}


def read_classics(*names: str) -> Folder:
    return {path: text for name in names for path, text in read_folder(RULES / "classics" / name, name).items()}


@dataclass(frozen=True)
class World:
    """Editions to begin with, and how many edits of them are made: usually, and when thorough in each of some parts.

    A part takes a few minutes. Its history is that of its number.
    """

    read: Callable[[], Folder]
    usual: int
    thorough: int
    parts: int


WORLDS = {
    "a small game": World(lambda: read_folder(SMALL), 12, 200, 4),
    "dice": World(
        lambda: read_recipes("table-pig", "medals", "sprint", "fair-sprint", "latecomers", "knockout"), 3, 100, 4
    ),
    "classics": World(
        lambda: read_classics("goofspiel-1.0", "kuhn-poker-1.0", "leduc-poker-1.0", "hex-1.0"), 3, 200, 2
    ),
    "house rules": World(lambda: read_recipes("shrine"), 1, 50, 4),
    "overlays": World(lambda: read_recipes("gems", "market-day", "market-and-gems"), 0, 25, 8),
}


def list_parts(name: str) -> list[int]:
    """Return the numbers of the histories of a world, which begin at 1."""
    world = WORLDS[name]
    return list(range(1, world.parts + 1)) if THOROUGH else [1][: world.usual]


def make_history(name: str, seed: int, root: Path, edits: int) -> Iterator[tuple[Project, int]]:
    """Yield a project after each of some random edits, with a number for the choice of places to ask about."""
    chance = random.Random(f"{name} {seed}")
    start = WORLDS[name].read()
    opened = [path for path in start if path.endswith(".yaml") and chance.randrange(4)]
    project, editions = Project(root, start, opened), Editions(start)
    states, sound = [start], [start]
    for _ in range(edits):
        # Most edits begin where there are no errors, because errors hide much. Some take back earlier ones.
        pick = chance.randrange(10)
        base = states[-1] if pick < 4 else chance.choice(sound[-3:]) if pick < 8 else chance.choice(states)
        states.append(base if pick == 9 else editions.edit(base, chance))
        project.move_to(states[-1], save=chance.randrange(8) == 0)
        yield project, chance.randrange(1 << 30)
        if not any(project.workspace.list_errors(good) for good in project.workspace.list_sound()):
            sound.append(states[-1])


@pytest.mark.parametrize(("name", "seed"), [(name, seed) for name in WORLDS for seed in list_parts(name)])
def test_a_history_of_edits_leaves_no_trace_in_answers(name: str, seed: int, tmp_path: Path) -> None:
    edits = times(WORLDS[name].usual, WORLDS[name].thorough)
    for project, number in make_history(name, seed, tmp_path, edits):
        answers = list_answers(project.desk, project.files, random.Random(number))
        again = list_answers(project.open_again(random.Random(number)), project.files, random.Random(number))
        assert compare(answers, again) == [], project.files


RUN = """
import json, random, sys
from pathlib import Path
from tests.incremental.histories import list_answers, open_files
root, typed, files, number = json.loads(sys.stdin.read())
desk = open_files(Path(root), typed, random.Random(number))
print(json.dumps(list(list_answers(desk, files, random.Random(number)))))
"""


def test_another_process_with_other_hashes_answers_the_same(tmp_path: Path) -> None:
    (*_, (project, number)) = make_history("a small game", 2, tmp_path, times(3, 30))
    typed = {path: project.files[path] for path in project.opened if path in project.files}
    here = list_answers(project.desk, project.files, random.Random(number))
    answers = json.loads(json.dumps(list(here)))
    for seed in spread(["1", "2", "3"], 1):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": f"{CHECKOUT / 'engine'}:{CHECKOUT}"}
        given = json.dumps([str(tmp_path), typed, project.files, number])
        command = [sys.executable, "-c", RUN]
        run = subprocess.run(command, input=given, env=environment, capture_output=True, text=True, check=True)
        assert compare(answers, json.loads(run.stdout)) == []


@pytest.mark.parametrize("seed", range(3, times(4, 7)))
def test_checks_with_results_on_disk_say_the_same_as_without(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    for project, _ in make_history("a small game", seed, tmp_path / "rules", times(6, 100)):
        project.move_to(project.files, save=True)
        project.workspace.settle()  # so that the next edit begins where there are no errors
        for edition in Catalogue([project.root]).list_editions():
            with open_traces(edition.id) as traces:
                said = [check_on_disk(project.root, edition.id, each) for each in (traces, NoTraces())]
            assert said[0] == said[1], project.files


def check_on_disk(root: Path, name: str, traces: Traces) -> str:
    """Check an edition as `rulewright check` does, and return what is said of it."""
    catalogue = Catalogue([root])
    edition = next(each for each in catalogue.list_editions() if each.id == name)
    return str(render("json", check_edition(catalogue, edition, weigh=weigh_odds, traces=traces).diagnostics))


COMMITS = 300
"""How many commits are replayed at most."""

PARTS = 60
"""How many parts they are replayed in when thorough. Each begins with the commit that ends the one before."""

REPLAYED = ["rules"] if THOROUGH else ["rules/pig", "rules/classics/hex-1.0", "rules/classics/kuhn-poker-1.0"]
"""The folders whose history is replayed."""


def call_git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(
    not (CHECKOUT / ".git").exists() or shutil.which("git") is None, reason="the history of the rules is not here"
)
@pytest.mark.parametrize("part", range(times(1, PARTS)))
def test_the_history_of_the_shipped_rules_can_be_replayed(part: int, tmp_path: Path) -> None:
    commits = call_git("log", "--reverse", "--format=%H", "--", *REPLAYED).split()[-COMMITS:]
    if len(commits) < 2:
        pytest.skip("the history of the rules is not here")
    edited = Workspace([tmp_path])
    first, last = (len(commits) * each // PARTS for each in (part, part + 1))
    for commit in commits[max(0, first - 1) : last] if THOROUGH else spread(commits, 3):
        listed = call_git("ls-tree", "-r", "--name-only", commit, "--", *REPLAYED).splitlines()
        for path in sorted(path for path in tmp_path.rglob("*") if path.is_file()):
            if str(path.relative_to(tmp_path)) not in listed:
                path.unlink()
                edited.texts.note_change(path)
        for name in listed:
            path, text = tmp_path / name, call_git("show", f"{commit}:{name}")
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
                edited.texts.note_change(path)
        assert check_all(edited, tmp_path) == check_all(Workspace([tmp_path]), tmp_path), commit


def check_all(workspace: Workspace, root: Path) -> dict[str, str]:
    """Check every edition below a folder, and return what is said of it."""
    catalogue = workspace.get_catalogue()
    broken = {str(each.folder): render("json", each.diagnostics) for each in catalogue.list_broken()}
    editions = [each for each in catalogue.list_editions() if each.folder.is_relative_to(root)]
    return {**broken, **{each.id: render("json", workspace.check_edition(each).diagnostics) for each in editions}}


SHARED = (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType)
"""The types of objects that belong to the program."""


def count_objects(workspace: Workspace) -> int:
    """Return how many objects a workspace holds, apart from those that caches of the process hold."""
    modules = [module for name, module in sys.modules.items() if name.startswith("rulewright.")]
    for each in (each for module in modules for each in vars(module).values()):
        if isinstance(each, _lru_cache_wrapper | LatestResults):
            each.cache_clear()
    gc.collect()
    seen, waiting = {id(workspace)}, [workspace]
    while waiting:
        referred: list[Any] = [each for each in gc.get_referents(waiting.pop()) if not isinstance(each, SHARED)]
        waiting += [each for each in referred if id(each) not in seen]
        seen.update(map(id, referred))
    return len(seen)


def test_a_workspace_grows_with_its_rules_and_not_with_the_edits(tmp_path: Path) -> None:
    start = {path: text for path, text in read_folder(SMALL).items() if path.startswith("base/")}
    project = Project(tmp_path, start, list(start))
    held = 0
    for number in range(times(300, 1_000)):
        rules = start["base/rules.yaml"].replace("goal: {is: 6", f"goal: {{is: {6 + number // 10}")
        game = "\n" * (number % 60) + start["base/game.yaml"]  # everything moves
        manifest = start["base/ruleset.yaml"].replace("1.0.0", f"1.{number // 5}.0")
        project.move_to({**start, "base/rules.yaml": rules, "base/game.yaml": game, "base/ruleset.yaml": manifest})
        project.workspace.settle()
        held = count_objects(project.workspace) if number == 49 else held
    assert count_objects(project.workspace) < 1.2 * held
