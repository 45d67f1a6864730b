"""Compiled code from the cache: the same code as compiling anew, and only where nobody else can have written it."""

from __future__ import annotations

import marshal
import os
import stat
from pathlib import Path

import pytest

from rulewright import load_ruleset
from rulewright.play.compile import code
from rulewright.play.compile.code import code_of
from rulewright.play.compile.compiler import Compiled
from rulewright.ruleset.cache import folder

LONG = "answer = 42\n" + "# and so on\n" * code.SMALL

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="code is kept only where files have owners")


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for the cache."""
    monkeypatch.setenv(folder.VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources that were compiled."""
    seen: list[str] = []
    real = code._compiled

    def watched(source: str, file: str) -> object:
        seen.append(source)
        return real(source, file)

    monkeypatch.setattr(code, "_compiled", watched)
    return seen


def test_the_same_source_is_compiled_once(kept: Path, compiled: list[str]) -> None:
    first, second = code_of(LONG, "<rules>"), code_of(LONG, "<rules>")
    assert first == second
    assert compiled == [LONG]


def test_another_letter_or_another_name_is_compiled_anew(kept: Path, compiled: list[str]) -> None:
    for source, file in ((LONG, "<a>"), (LONG, "<b>"), (LONG.replace("42", "43"), "<a>")):
        assert code_of(source, file).co_filename == file
    assert len(compiled) == 3


def test_a_small_program_has_no_file(kept: Path) -> None:
    code_of("answer = 42", "<rules>")
    assert not kept.exists()


@pytest.mark.parametrize("content", [b"", b"\xff\xff", marshal.dumps("no code")], ids=["empty", "broken", "another"])
def test_what_is_no_code_is_passed_over(content: bytes, kept: Path, compiled: list[str]) -> None:
    code_of(LONG, "<rules>")
    (path,) = kept.iterdir()
    folder.write(path.stem, content)
    namespace: dict[str, object] = {}
    exec(code_of(LONG, "<rules>"), namespace)
    assert namespace["answer"] == 42
    assert len(compiled) == 2


@pytest.mark.parametrize("harm", ["writable by others", "of another user"])
def test_what_somebody_else_may_have_written_is_not_run(
    harm: str, kept: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code_of(LONG, "<rules>")
    (path,) = kept.iterdir()
    if harm == "writable by others":
        path.chmod(path.stat().st_mode | stat.S_IWGRP)
    else:
        mine = os.geteuid()
        monkeypatch.setattr(os, "geteuid", lambda: mine + 1)
    code_of(LONG, "<rules>")
    assert len(compiled) == 2


def test_a_program_from_the_cache_traces_faults_to_the_same_lines(kept: Path, compiled: list[str]) -> None:
    rules = load_ruleset("fuzzy-knights/normal@1.0")
    anew, again = Compiled(rules), Compiled(rules)
    assert len(compiled) == 1
    assert again.source == anew.source
    lines = [[*program._namespace["start_battle"].__code__.co_lines()] for program in (anew, again)]
    assert lines[0] == lines[1]
