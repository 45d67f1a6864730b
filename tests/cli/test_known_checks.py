"""A check that found nothing is known until something it has read changes: by content, by no path, time or Python."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulewright.base.resources import find_resource
from rulewright.cli.commands import check as command
from rulewright.cli.known_checks import KnownCheck
from rulewright.cli.main import main
from rulewright.ruleset.cache import cache_folder, fingerprint, stored_results
from rulewright.ruleset.cache.stored_results import StoredResult

BASE = """\
ruleset: test/base
version: 1.0.0
title: Base
about: A game.
"""
OVER = """\
ruleset: test/over
version: 1.0.0
title: Over
about: The same with more.
extends: test/base@1
"""
RULES = """\
numbers: {goal: {is: 3, means: How many points win.}}
procedures: {game: {title: The game, gives: {all: points}, steps: [{id: points, let: goal + 1}]}}
examples: {one: {title: One, value: goal, expect: 3}}
"""
MORE = """\
numbers: {more: {is: 4, means: How many more.}}
procedures: {sum: {title: The sum, gives: {all: whole}, steps: [{id: whole, let: goal + more}]}}
examples: {both: {title: Both, of: sum, expect: {all: 7}}}
"""
WORDS = "numbers: {goal: {means: So viele Punkte gewinnen.}}\n"

Run = Callable[..., tuple[int, str, int]]


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return two editions, one over the other, with a translation and an icon."""
    monkeypatch.setenv(cache_folder.VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setenv("RULEWRIGHT_RULES", "")
    root = tmp_path / "rules"
    files = {
        "base/ruleset.yaml": BASE,
        "base/rules.yaml": RULES,
        "over/ruleset.yaml": OVER,
        "over/rules.yaml": MORE,
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


@pytest.fixture
def run(rules: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that checks, and returns the exit code, everything printed, and how many were checked anew."""
    anew: list[str] = []
    before = command.check_unless_known

    def check(*args: Any, **more: Any) -> object:
        checked = before(*args, **more)
        anew.extend([] if isinstance(checked, KnownCheck) else [checked.edition.id])
        return checked

    monkeypatch.setattr(command, "check_unless_known", check)

    def work(*more: str, folder: Path = rules) -> tuple[int, str, int]:
        anew.clear()
        code = main(["check", "test/base", "test/over", "--rules", str(folder), *more])
        printed = capsys.readouterr()
        return code, printed.out + printed.err, len(anew)

    return work


def test_a_second_check_says_the_same_and_does_nothing(run: Run) -> None:
    code, output, anew = run()
    assert (code, anew) == (0, 2)
    assert run() == (code, output, 0)


def test_whatever_changes_is_seen_though_the_clock_stands_still(run: Run, rules: Path) -> None:
    run()
    path = rules / "base" / "rules.yaml"
    status = path.stat()
    path.write_text(RULES.replace("expect: 3", "expect: 4"), encoding="utf-8")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    code, output, anew = run()
    assert (code, anew) == (1, 2)
    assert "error[example-failed]" in output
    assert run()[2] == 2, "what is wrong is found each time"
    path.write_text(RULES, encoding="utf-8")
    assert run()[::2] == (0, 0), "and what was right before is right again"


@pytest.mark.parametrize(
    ("name", "text", "anew"),
    [
        ("base/more.yaml", "numbers: {new: {is: 1, means: New.}}\n", 2),
        ("base/ruleset.yaml", BASE.replace("A game.", "Another game."), 2),
        ("over/rules.yaml", "numbers: {more: {is: 5, means: How many more.}}\n", 1),
        ("over/words/de.yaml", WORDS, 1),
        ("base/words/de.yaml", WORDS, 1),
        ("over/icons/stray.svg", "<svg/>", 1),
        ("icons/stray.svg", "<svg/>", 2),
        ("base/fair.json", "{}", 1),
    ],
)
def test_each_kind_of_file_counts(run: Run, rules: Path, name: str, text: str, anew: int) -> None:
    run()
    (rules / name).parent.mkdir(exist_ok=True)
    (rules / name).write_text(text, encoding="utf-8")
    assert run()[2] >= anew


def test_an_edition_on_its_own_leaves_the_other_known(run: Run, rules: Path) -> None:
    run()
    (rules / "over" / "more.yaml").write_text("numbers: {new: {is: 1, means: New.}}\n", encoding="utf-8")
    assert run()[2] == 1


def test_another_copy_of_the_rules_is_known(run: Run, rules: Path, tmp_path: Path) -> None:
    _, output, _ = run()
    copy = tmp_path / "elsewhere" / "copied"
    shutil.copytree(rules, copy)
    shutil.rmtree(rules)
    assert run(folder=copy) == (0, output, 0)


def test_the_program_counts_by_its_content(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(cache_folder.VARIABLE, str(tmp_path / "cache"))

    def digest(package: Path, python: str) -> str:
        monkeypatch.setattr(sys, "version", python)
        monkeypatch.setattr(fingerprint, "_list_roots", lambda: [package])
        for each in (fingerprint.digest_program, fingerprint.identify_program):
            each.cache_clear()
        return fingerprint.digest_program()

    for name in ("one", "two"):
        (tmp_path / name / "inner").mkdir(parents=True)
        (tmp_path / name / "inner" / "part.py").write_text("x = 1\n", encoding="utf-8")
        (tmp_path / name / "__pycache__").mkdir()
        (tmp_path / name / "__pycache__" / f"{name}.pyc").write_bytes(name.encode())
    first = digest(tmp_path / "one", "3.11")
    assert digest(tmp_path / "two", "3.12") == first
    (tmp_path / "two" / "inner" / "part.py").write_text("x = 2\n", encoding="utf-8")
    assert digest(tmp_path / "two", "3.12") != first
    for each in (fingerprint.digest_program, fingerprint.identify_program):
        each.cache_clear()


@pytest.mark.parametrize("spoil", [lambda data: data[:-9], lambda data: b"foreign", lambda data: data[:50] + b"[]"])
def test_a_spoilt_file_is_passed_over(run: Run, tmp_path: Path, spoil: Callable[[bytes], bytes]) -> None:
    code, output, _ = run()
    for path in (tmp_path / "cache").iterdir():
        path.write_bytes(spoil(path.read_bytes()))
    assert run() == (code, output, 2)


def test_a_stored_result_of_another_format_is_passed_over(rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for content in (b"[]", b"{}", b'{"files": [[7, "x", "y"]], "result": 1}', b'{"files": 3}', b"\xff"):
        monkeypatch.setattr(stored_results, "read", lambda _, content=content: content)
        assert StoredResult(["check"], [rules], []).find() is None


def test_what_changes_during_a_check_is_not_stored(rules: Path) -> None:
    path = rules / "base" / "rules.yaml"

    def result() -> StoredResult:
        return StoredResult(["some"], [rules], [path])

    begun = result()
    assert begun.find() is None
    path.write_text("numbers: {}\n", encoding="utf-8")
    begun.store([], 1)
    begun = result()
    assert begun.find() is None
    begun.store([str(rules / "base" / "ruleset.yaml")], 1)
    assert result().find() == 1


def test_without_a_cache_everything_is_checked(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache_folder.VARIABLE, "off")
    assert run()[2] == run()[2] == 2


def test_work_on_the_rulesets_needs_them(run: Run) -> None:
    run()
    code, output, anew = run("--numbers")
    assert (code, anew) == (0, 2)
    assert "no number" in output


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache_folder.VARIABLE, str(tmp_path / "cache"))
    return


@pytest.mark.usefixtures("shipped")
def test_sources_are_checked_against_known_editions(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = tmp_path / "rules"
    shutil.copytree(find_resource("rules"), rules)
    assert main(["check", "--rules", str(rules)]) == 0
    output = capsys.readouterr().out
    assert main(["check", "--rules", str(rules)]) == 0
    assert capsys.readouterr().out == output
    # A folder that has only sources counts, too.
    more = tmp_path / "more"
    more.mkdir()
    (more / "sources.yaml").write_text("sources: 3\n", encoding="utf-8")
    monkeypatch.setenv("RULEWRIGHT_RULES", str(more))
    assert main(["check", "--rules", str(rules)]) == 1
    assert "sources.yaml" in capsys.readouterr().err
    monkeypatch.delenv("RULEWRIGHT_RULES")
    (sources, *_) = sorted(rules.rglob("sources*.yaml"))
    text = sources.read_text(encoding="utf-8")
    sources.write_text(text.replace("procedures.", "procedures.no_such_", 1), encoding="utf-8")
    assert main(["check", "--rules", str(rules)]) == 1
    assert "there is no rule `procedures.no_such_" in capsys.readouterr().err
