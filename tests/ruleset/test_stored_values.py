"""Values that depend on nothing but their keys are computed once, as long as their task uses them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.base.incremental.known_values import find_value, get_value
from rulewright.ruleset.cache import cache_folder
from rulewright.ruleset.cache.stored_values import reuse_values


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty cache folder."""
    monkeypatch.setenv(cache_folder.VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


def compute(*keys: str, program: str = "one", task: str = "task") -> list[str]:
    """Return which values a run of a task has computed."""
    computed: list[str] = []
    with reuse_values([task], lambda: program):
        for key in keys:
            assert get_value(["kind", key], lambda key=key: computed.append(key) or {"of": key}) == {"of": key}
    return computed


def test_a_value_is_computed_once() -> None:
    assert compute("a", "b", "a") == ["a", "b"]
    assert compute("b", "a", "c") == ["c"]
    assert compute("c", "b", "a") == []


def test_a_value_that_was_not_used_is_dropped(folder: Path) -> None:
    compute("a", "b")
    assert compute("a") == []
    assert compute("a", "b") == ["b"]
    assert len(list(folder.iterdir())) == 1


def test_tasks_and_programs_share_nothing() -> None:
    compute("a")
    assert compute("a", task="other") == ["a"]
    assert compute("a", program="two") == ["a"]


def test_nothing_is_stored_if_the_program_changes_meanwhile() -> None:
    programs = iter(["one", "two"])
    with reuse_values(["task"], lambda: next(programs)):
        get_value(["kind", "a"], lambda: {"of": "a"})
    assert compute("a") == ["a"]


def test_without_a_task_nothing_is_stored(folder: Path) -> None:
    assert get_value(["kind", "a"], lambda: 1) == 1
    assert find_value(["kind", "a"]) is None
    assert not folder.exists()


def test_nothing_is_stored_of_a_run_that_fails() -> None:
    def fail() -> None:
        with reuse_values(["task"], lambda: "one"):
            get_value(["kind", "a"], lambda: {"of": "a"})
            get_value(["kind", "b"], lambda: 1 // 0)

    with pytest.raises(ZeroDivisionError):
        fail()
    assert compute("a") == ["a"]


@pytest.mark.parametrize("content", [b"", b"no archive", b"x\x9c\x8b\x8e\x05\x00\x01\x15\x00\xb9"])
def test_content_of_another_format_is_passed_over(content: bytes, folder: Path) -> None:
    compute("a")
    (path,) = folder.iterdir()
    cache_folder.write(path.stem, content)
    assert compute("a") == ["a"]
