"""A workspace that opens rules in which nothing was found before: known at once, by content, and never for others."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.lsp.features.semantic_tokens import list_tokens
from rulewright.lsp.features.workspace import Workspace

MANIFEST = "ruleset: a/known\nversion: 1.0.0\ntitle: Known\nabout: Of verdicts.\nplayers: 2\n"
TEXT = """\
state: {score: int}
numbers:
  goal: {is: 6, means: The number of points that wins the game.}
procedures:
  reach:
    title: Reach the goal
    steps:
      - {id: points, roll: 2d6 + goal}
      - {id: scored, set: {score: score + points}}
pages:
  play: {title: Play, letter: P, sections: {reach: {title: Reach, show: [procedures.reach]}}}
examples:
  most: {title: The most, of: reach, dice: [12], expect: {points: 12 + goal}}
"""
WRONG = TEXT.replace("12 + goal}", "13 + goal}")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    return lay(tmp_path / "home", TEXT)


def lay(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    (folder / "rules.yaml").write_text(text, encoding="utf-8")
    return folder


def opened(folder: Path, text: str | None = None) -> Workspace:
    path = folder / "rules.yaml"
    workspace = Workspace([folder])
    workspace.texts.put(path, path.read_text(encoding="utf-8") if text is None else text)
    return workspace


def codes(workspace: Workspace) -> list[str]:
    report = workspace.settle()
    assert report.whole
    return sorted(each.code.id for found in report.diagnostics.values() for each in found)


def test_what_was_clean_is_known_when_its_rules_are_built_and_checked_again_later(home: Path) -> None:
    first = opened(home)
    assert codes(first) == []
    assert first.work["example"] == 1
    assert not first.is_unfinished
    second = opened(home)
    assert codes(second) == []
    assert second.is_whole()
    assert second.is_unfinished
    assert second.work["example"] == second.work["lint"] == 0
    *_, last = second.finish_checks()
    assert last is not None
    assert not last.diagnostics
    assert not second.is_unfinished
    assert second.work["example"] == 1


def test_a_request_is_answered_as_after_the_whole_check(home: Path) -> None:
    first = opened(home)
    assert codes(first) == []
    second = opened(home)
    assert codes(second) == []
    path = home / "rules.yaml"
    tokens = [list(list_tokens(each, path)) for each in (first, second)]
    assert any(each.span.line == 13 for each in tokens[0]), "names in examples are marked"
    assert tokens[0] == tokens[1]
    assert not second.is_unfinished


def test_a_copy_elsewhere_is_known_and_any_other_text_is_not(home: Path, tmp_path: Path) -> None:
    assert codes(opened(home)) == []
    assert (copy := opened(lay(tmp_path / "copy", TEXT)))
    assert codes(copy) == []
    assert copy.is_unfinished
    typed = opened(home, WRONG)
    assert codes(typed) == ["example-failed"]
    assert not typed.is_unfinished
    changed = opened(lay(tmp_path / "changed", WRONG))
    assert codes(changed) == ["example-failed"]
    (home / "more.yaml").write_text("numbers: {other: {is: 2 * gaol, means: Another.}}\n", encoding="utf-8")
    added = opened(home)
    assert codes(added) != []
    assert not added.is_unfinished


def test_an_edit_replaces_what_was_left_and_is_checked_whole(home: Path) -> None:
    assert codes(opened(home)) == []
    workspace = opened(home)
    assert codes(workspace) == []
    for text, expected in ((WRONG, ["example-failed"]), (TEXT, [])):
        workspace.texts.put(home / "rules.yaml", text)
        assert codes(workspace) == expected
        assert not workspace.is_unfinished


def test_a_damaged_cache_counts_as_empty(home: Path, tmp_path: Path) -> None:
    assert codes(opened(home)) == []
    for file in (tmp_path / "cache").rglob("*"):
        if file.is_file():
            file.write_bytes(b'{"files": 3')
    workspace = opened(home)
    assert codes(workspace) == []
    assert not workspace.is_unfinished
