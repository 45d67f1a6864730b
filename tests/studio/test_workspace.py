"""What is typed is checked over the disk, only what it changes is done again, and a broken file hides nothing."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from rulewright.base.resources import find_resource
from rulewright.lsp.features.workspace import Workspace
from rulewright.lsp.lsp_positions import Encoding, LspPosition, TextLines
from rulewright.ruleset.layers.layer import Layer
from rulewright.ruleset.lints import load_lints
from rulewright.ruleset.pipeline import PassResult, build_ruleset_from_layers
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.span import Span
from rulewright.testing import inherited_examples

RULES = find_resource("rules")
LINTS = len(list(load_lints())) + 1
"""Each of the lints, and what is looked at of translations."""
GAMES = {
    "base": "ruleset: house/base\nversion: 1.0.0\ntitle: Base\nabout: A.\n",
    "over": "ruleset: house/over\nversion: 1.0.0\nextends: house/base@1\ntitle: Over\nabout: B.\n",
    "apart": "ruleset: house/apart\nversion: 1.0.0\ntitle: Apart\nabout: C.\n",
}
NUMBERS = {
    "base": "numbers: {width: {is: 3, means: How wide.}, area: {is: width * 2, means: How large.}}\n",
    "over": "numbers: {width: 4}\n",
    "apart": "numbers: {depth: {is: 1, means: How deep.}}\n",
}


@pytest.fixture
def games(tmp_path: Path) -> Path:
    for name, manifest in GAMES.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "ruleset.yaml").write_text(manifest, encoding="utf-8")
        (tmp_path / name / "rules.yaml").write_text(NUMBERS[name], encoding="utf-8")
    return tmp_path


def opened(root: Path, *names: str) -> Workspace:
    workspace = Workspace([root])
    for name in names:
        path = root / name / "rules.yaml"
        workspace.texts.put(path, path.read_text(encoding="utf-8"))
    workspace.settle()
    workspace.work.clear()
    return workspace


def codes(workspace: Workspace) -> list[str]:
    return sorted(code for found in workspace.settle().diagnostics.values() for code in errors(found))


def errors(diagnostics: Sequence[Diagnostic]) -> list[str]:
    return [each.code.id for each in diagnostics if each.severity == "error"]


def test_a_change_has_only_its_own_layer_read_and_only_what_stands_on_it_checked(games: Path) -> None:
    workspace = opened(games, "base", "over", "apart")
    workspace.texts.put(games / "over" / "rules.yaml", "numbers: {width: 5}\n")
    assert codes(workspace) == []
    assert workspace.work == {"files of a layer": 1, "rules": 1, "lint": LINTS, "words": 1, "all": 1}
    workspace.work.clear()
    workspace.texts.put(games / "base" / "rules.yaml", NUMBERS["base"] + "# said\n")
    assert codes(workspace) == []
    assert workspace.work == {"files of a layer": 1, "rules": 2, "lint": 2 * LINTS, "words": 2, "all": 2}


def test_what_somebody_writes_comes_before_what_stands_on_it(games: Path) -> None:
    workspace = opened(games, "base")
    assert workspace.is_whole()
    workspace.texts.put(games / "base" / "rules.yaml", NUMBERS["base"].replace("width * 2", "gaol * 2"))
    *_, shown = [found for found in workspace.run_checks(near=True) if found is not None]
    assert [Path(file).parent.name for file in shown.diagnostics if errors(shown.diagnostics[file])] == ["base"]
    assert workspace.work["all"] == 1, "and not what stands on it"
    assert not workspace.is_whole()
    assert codes(workspace) == ["unknown-name"]
    assert workspace.work["all"] == 2
    assert workspace.is_whole()


def test_nothing_is_done_where_nothing_changed(games: Path) -> None:
    workspace = opened(games, "base", "over")
    workspace.texts.put(games / "base" / "rules.yaml", NUMBERS["base"])
    workspace.texts.put(games / "base" / "rules.yaml", NUMBERS["base"].replace("\n", "\r\n"))
    workspace.settle()
    assert not workspace.work


def test_the_edition_below_is_built_once_while_examples_fail(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[int] = []

    def build(layers: Sequence[Layer]) -> PassResult[Ruleset]:
        built.append(len(layers))
        return build_ruleset_from_layers(layers)

    monkeypatch.setattr(inherited_examples, "build_ruleset_from_layers", build)
    base, over = games / "base" / "rules.yaml", games / "over" / "rules.yaml"
    example = "examples: {wide: {title: Wide, value: width, expect: 3}}\n"
    base.write_text(NUMBERS["base"] + example, encoding="utf-8")
    workspace = opened(games, "over")
    assert codes(workspace) == ["example-failed"]
    for width in (5, 6):
        workspace.texts.put(over, f"numbers: {{width: {width}}}\n")
        assert codes(workspace) == ["example-failed"]
    assert built == [1]
    workspace.texts.put(over, "numbers: {area: 6}\n")
    assert codes(workspace) == []
    workspace.texts.put(over, NUMBERS["over"])
    workspace.texts.put(base, NUMBERS["base"] + example.replace("3", "9"))
    assert codes(workspace) == ["example-failed", "example-failed"]
    assert built == [1, 1]


def test_what_is_typed_below_shows_in_what_lies_above(games: Path) -> None:
    workspace = opened(games, "over")
    assert codes(workspace) == []
    workspace.texts.put(games / "base" / "rules.yaml", NUMBERS["base"].replace("width: {is", "breadth: {is"))
    assert codes(workspace) == ["unknown-name"]
    workspace.texts.drop(games / "base" / "rules.yaml")
    assert codes(workspace) == []


def test_a_file_that_is_nowhere_on_disk_yet_counts(games: Path) -> None:
    workspace = opened(games, "apart")
    workspace.texts.put(games / "apart" / "more.yaml", "numbers: {height: {is: gaol, means: How high.}}\n")
    assert codes(workspace) == ["unknown-name"]
    (games / "fresh").mkdir()
    manifest = GAMES["apart"].replace("apart", "fresh").replace("1.0.0", "1")
    workspace.texts.put(games / "fresh" / "ruleset.yaml", manifest)
    assert len(codes(workspace)) == 2


def test_a_file_that_cannot_be_read_takes_no_answer_away(games: Path) -> None:
    workspace = opened(games, "base", "over", "apart")
    path = games / "over" / "rules.yaml"
    before = workspace.list_good(path)[0].ruleset
    assert before.declarations.numbers["area"].value == 8
    workspace.texts.put(path, "numbers: {width: [\n")
    assert len(codes(workspace)) == 1
    diagnostics = workspace.settle().diagnostics
    assert [Path(file).parent.name for file in diagnostics if errors(diagnostics[file])] == ["over"]
    assert workspace.list_good(path)[0].ruleset.declarations.numbers["area"].value in (6, 8)
    assert workspace.list_good(games / "apart" / "rules.yaml")[0].ruleset.declarations.numbers["depth"].value == 1
    manifest = games / "over" / "ruleset.yaml"
    workspace.texts.put(manifest, GAMES["over"].replace("version:", "version"))
    assert codes(workspace)
    assert workspace.list_good(path), "what is known of a folder outlives its manifest"
    workspace.texts.put(manifest, GAMES["over"])
    workspace.texts.put(path, NUMBERS["over"])
    assert codes(workspace) == []


def test_a_change_between_two_parts_is_taken_in(games: Path) -> None:
    workspace = opened(games, "base", "over")
    path = games / "base" / "rules.yaml"
    workspace.texts.put(path, NUMBERS["base"].replace("width * 2", "gaol * 2"))
    begun = workspace.run_checks()
    next(begun)
    workspace.texts.put(path, NUMBERS["base"])
    assert codes(workspace) == []


def test_a_text_that_is_none_of_rules_changes_nothing(games: Path) -> None:
    workspace = opened(games, "base", "over")
    workspace.texts.put(games / "compose.yaml", "services: {}\n")
    assert codes(workspace) == []
    assert not workspace.work


def test_somebody_else_changes_a_file(games: Path) -> None:
    workspace = opened(games, "over")
    below = games / "base" / "rules.yaml"
    below.write_text("numbers: {area: {is: gaol, means: How large.}}\n", encoding="utf-8")
    workspace.texts.note_change(below)
    assert codes(workspace) == ["unknown-name"]


@pytest.mark.parametrize(("encoding", "units"), [("utf-8", 4), ("utf-16", 2), ("utf-32", 1)])
def test_columns_are_counted_as_the_editor_does(encoding: Encoding, units: int) -> None:
    lines = TextLines("a: 🏰 b\nc", encoding)
    assert lines.find_range(Span("", 1, 4, 1, 5)).end == LspPosition(0, 3 + units)
    assert lines.find_column(LspPosition(0, 3 + units)) == (1, 5)
    for character in range(3, 3 + units):
        assert lines.find_column(LspPosition(0, character)) == (1, 4), "no place within a character"
    assert lines.find_column(LspPosition(0, 99)) == (1, 7)
    assert lines.find_column(LspPosition(99, 99)) == (2, 2)
    assert lines.position(99, 99) == LspPosition(1, 1)


def test_shipped_rules_are_checked_where_they_lie(tmp_path: Path) -> None:
    shutil.copytree(RULES / "pig", tmp_path / "rules" / "pig")
    path = tmp_path / "rules" / "pig" / "classic-1.0" / "pig.yaml"
    workspace = Workspace([tmp_path])
    workspace.texts.put(path, path.read_text(encoding="utf-8").replace("pot + face", "pot + fase"))
    diagnostics = workspace.settle().diagnostics
    assert errors(diagnostics[str(path)]) == ["unknown-name"]


class Watched:
    """A lock that tells when another thread than its first owner asks for it."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self.asked = threading.Event()
        self._first = threading.get_ident()

    def __enter__(self) -> None:
        if threading.get_ident() != self._first:
            self.asked.set()
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


@pytest.mark.parametrize("name", ["mentions", "search_words"])
def test_a_thread_that_waits_for_its_turn_holds_no_value_that_others_wait_for(games: Path, name: str) -> None:
    workspace = opened(games, "base")
    turn = Watched()
    good = replace(workspace.list_sound()[0], turn=turn)
    read: list[object] = []
    with turn:
        other = threading.Thread(target=lambda: read.append(getattr(good, name)), daemon=True)
        other.start()
        turn.asked.wait()
        here = getattr(good, name)  # with the value's lock in the other thread, both would wait for ever
    other.join()
    assert read == [here]
    assert read[0] is here
