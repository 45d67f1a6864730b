"""A file of tests is run again exactly when something it can see has changed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import unchanged
from tests.unchanged import Inputs

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
QUICK = ("source/test_suggest.py", "ruleset/test_version.py")


@pytest.fixture(autouse=True)
def forget() -> None:
    unchanged.digest_of.cache_clear()


def in_another_run(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run the tests within a test: what whoever runs these asks of pytest is not asked of those."""
    by_name = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    return subprocess.run(command, cwd=ROOT, env=by_name, capture_output=True, text=True, check=False)


def sees(path: str, *modules: str) -> list[bool]:
    found = unchanged.closure({unchanged.name_of(TESTS / path)})
    return [module in found for module in modules]


def test_imports_are_followed_to_the_end() -> None:
    assert sees("dice/test_notation.py", "rulewright.dice.format_notation", "rulewright.dice.ast") == [True, True]
    assert sees("dice/test_notation.py", "rulewright.book.print.player_aid", "rulewright.engine.game.game") == [
        False,
        False,
    ]


def test_what_is_imported_by_name_counts() -> None:
    assert sees("engine/test_game.py", "rulewright.engine.game.game") == [True]
    assert sees("language/test_verbs.py", "rulewright.language.statements.choose") == [True]
    assert sees("cli/test_help.py", "rulewright.cli.commands.simulate", "rulewright.book.print.player_aid") == [
        True,
        True,
    ]


def test_who_starts_programs_sees_everything() -> None:
    assert sees("project/test_wheel.py", *unchanged.modules()).count(False) == 0


@pytest.mark.parametrize("path", QUICK)
def test_whatever_a_run_imports_was_foreseen(path: str, tmp_path: Path) -> None:
    """Python itself says what was imported."""
    said = tmp_path / "modules"
    program = (
        "import sys, pytest\n"
        f"code = pytest.main(['-q', '-p', 'no:cacheprovider', {str(TESTS / path)!r}])\n"
        f"open({str(said)!r}, 'w').write('\\n'.join(n for n in sys.modules if n.startswith('rulewright')))\n"
        "sys.exit(code)"
    )
    ran = in_another_run([sys.executable, "-c", program])
    assert ran.returncode == 0, ran.stdout[-2_000:]
    imported = set(said.read_text("utf-8").split()) & set(unchanged.modules())
    started = {unchanged.name_of(TESTS / path), "tests.conftest"}
    assert imported
    assert imported <= unchanged.closure(started)


@pytest.mark.parametrize(
    ("changed", "path", "differs"),
    [
        ("engine/rulewright/dice/ast.py", "dice/test_notation.py", True),
        ("engine/rulewright/book/print/player_aid.py", "dice/test_notation.py", False),
        ("engine/rulewright/book/print/player_aid.py", "book/test_aid.py", True),
        ("rules/pig/classic-1.0/ruleset.yaml", "dice/test_notation.py", True),
        ("tests/dice/test_notation.py", "dice/test_notation.py", True),
        ("tests/conftest.py", "dice/test_notation.py", True),
        ("engine/rulewright/book/print/player_aid.py", "site/test_links.py", False),
    ],
)
def test_the_key_follows_what_is_seen(
    changed: str, path: str, differs: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = Inputs(tmp_path).key(TESTS / path)
    digest_of = unchanged.digest_of
    monkeypatch.setattr(unchanged, "digest_of", lambda p: "another" if p == ROOT / changed else digest_of(p))
    assert (Inputs(tmp_path).key(TESTS / path) != before) is differs


def test_tests_of_the_site_see_the_site(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("one", encoding="utf-8")
    before = [Inputs(tmp_path).key(TESTS / path) for path in ("site/test_links.py", "dice/test_notation.py")]
    (tmp_path / "index.html").write_text("two", encoding="utf-8")
    unchanged.digest_of.cache_clear()
    after = [Inputs(tmp_path).key(TESTS / path) for path in ("site/test_links.py", "dice/test_notation.py")]
    assert [one != other for one, other in zip(before, after, strict=True)] == [True, False]


def test_what_passed_is_left_out_until_it_could_fail(tmp_path: Path) -> None:
    """A run with two workers, and one after it; then its key is not what it was, as after a change."""
    kept = tmp_path / "passed.json"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--unchanged={kept}"]

    def run_tests(workers: int = 0) -> str:
        tests = [f"-n{workers}", "tests/source/test_suggest.py"]
        ran = in_another_run([*command, *tests])
        assert ran.returncode in (0, 5), ran.stdout
        return ran.stdout

    assert "left out" not in run_tests(workers=2)
    assert list(json.loads(kept.read_text("utf-8"))) == ["tests/source/test_suggest.py"]
    assert "left out, as they passed before with the same inputs: 1" in run_tests()
    kept.write_text(json.dumps({"tests/source/test_suggest.py": "of another day"}), encoding="utf-8")
    assert " passed" in run_tests()


def test_a_thorough_run_goes_on_where_it_was_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYPOTHESIS_PROFILE", "thorough")
    kept, tests = tmp_path / "thorough.json", "tests/ruleset/test_version.py"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n0", f"--unchanged={kept}", tests]
    listed = in_another_run([*command, "--collect-only"]).stdout.split("\n\n")[0].splitlines()
    first = next(name for name in listed if "[" in name)
    chosen = first.rpartition("::")[2].partition("[")[0]
    kept.unlink(missing_ok=True)
    assert in_another_run([*command, "-k", chosen]).returncode == 0
    results = json.loads(kept.read_text("utf-8"))
    assert 1 < len(results) < len(listed)
    assert {name.partition("[")[0] for name in results} == {f"{tests}::{chosen}"}
    kept.write_text(json.dumps({**results, first: "failed at 0123456"}), encoding="utf-8")
    run = in_another_run(command)
    assert f"Tests left out, as they passed before with the same inputs: {len(results) - 1}" in run.stdout
    assert len(json.loads(kept.read_text("utf-8"))) == len(listed)
