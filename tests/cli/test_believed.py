"""Files that somebody made up, or that could not be written: refused with what is wrong, and what was there stays."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulewright.base.resources import find_resource
from rulewright.cli.main import main

PIG = "pig/classic@1.0"
Change = Callable[[dict[str, Any]], Any]
FORGED: dict[str, Change] = {
    "fewer games than none": lambda c: c.update(games=-1),
    "half a game": lambda c: c.update(games=10.5),
    "games that are yes": lambda c: c.update(games=True),
    "games in words": lambda c: c.update(games="10"),
    "no games": lambda c: c.pop("games"),
    "a seat too many": lambda c: c["wins_by_seat"].append(1),
    "wins in words": lambda c: c.update(wins_by_seat=["5", "5"]),
    "counts that are a list": lambda c: c.update(measures=[]),
    "lengths of no number": lambda c: c.update(lengths=[["x", 1]]),
    "lengths counted in halves": lambda c: c.update(lengths=[[each, 0.5] for each, _ in c["lengths"]]),
    "a length told twice": lambda c: c["lengths"].append(c["lengths"][0]),
    "something nobody counts": lambda c: c.update(more=1),
}


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RULEWRIGHT_RULES", raising=False)


def gone_on_with(games: int) -> int:
    return main(["simulate", PIG, "--workers", "1", "--games", str(games), "--resume", "run.json", "--json"])


@pytest.mark.parametrize("sealed", [False, True], ids=["as it is", "with a digest of its own"])
@pytest.mark.parametrize("change", FORGED)
def test_counts_that_nobody_counted_are_refused(
    change: str, sealed: bool, capsys: pytest.CaptureFixture[str], runs: str
) -> None:
    data = json.loads(runs)
    FORGED[change](data["counts"])
    if sealed:
        payload = json.dumps([data["settings"], data["counts"]], sort_keys=True)
        data["check"] = hashlib.sha256(payload.encode()).hexdigest()
    forged = json.dumps(data)
    Path("run.json").write_text(forged)
    assert gone_on_with(12) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "error[no-run]" in err
    assert Path("run.json").read_text() == forged


def test_a_changed_figure_is_refused_and_the_file_as_it_was_is_not(
    capsys: pytest.CaptureFixture[str], runs: str
) -> None:
    data = json.loads(runs)
    data["counts"]["decisions"] += 1
    Path("run.json").write_text(json.dumps(data))
    assert gone_on_with(12) == 1
    assert "error[no-run]" in capsys.readouterr().err
    Path("run.json").write_text(runs)
    assert gone_on_with(12) == 0


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the file of ten games."""
    path = tmp_path_factory.mktemp("runs") / "run.json"
    assert main(["simulate", PIG, "--workers", "1", "--games", "10", "--resume", str(path), "--json"]) == 0
    return path.read_text()


def house() -> Path:
    """Return a copy of Pig, whose manifest is then harmed."""
    shutil.copytree(find_resource("rules") / "pig" / "classic-1.0", "mine/pig")
    return Path("mine/pig/ruleset.yaml")


def breaks(path: Path) -> None:
    path.write_text(path.read_text().replace("rounding: truncate", "rounding: sideways"))


def is_a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def is_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def leads_to_itself(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
@pytest.mark.parametrize("command", [["check"], ["show"], ["simulate", "--games", "2", "--workers", "1"]], ids=str)
@pytest.mark.parametrize("harm", [breaks, is_a_pipe, is_a_folder, leads_to_itself])
def test_what_is_shipped_is_not_taken_for_a_copy_that_cannot_be_read(
    harm: Callable[[Path], None], command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    harm(house())
    assert main([*command, "pig/classic", "--rules", "mine"]) != 0
    out, err = capsys.readouterr()
    assert "mine/pig" in err
    assert ": valid" not in out
    assert "A game of Pig" not in out


@pytest.mark.parametrize("name", ["more.YAML", "more.Yml", "more.YML"])
def test_a_rules_file_whose_name_ends_in_capitals_is_told(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    house().with_name(name).write_text("numbers: {more: {is: 1}}\n")
    assert main(["check", "pig/classic", "--rules", "mine"]) == 1
    err = capsys.readouterr().err
    assert "error[rules-file-name]" in err
    assert f"mine/pig/{name}" in err


FULL_DISK = """\
import resource, sys
from pathlib import Path
from rulewright.authoring.schema_files import annotate
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    annotate(Path("mine"), Path("schema"))
except OSError as error:
    sys.exit(f"stopped: {error.strerror}")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of what a process may write")
def test_rules_are_whole_though_there_is_no_room_to_annotate_them() -> None:
    house()
    rules = Path("mine/pig/pig.yaml")
    text = "# What follows is long.\n" * 170 + "numbers: {more: {is: 1}}\n"
    rules.write_text(text)
    done = subprocess.run([sys.executable, "-c", FULL_DISK], capture_output=True, text=True, check=False)
    assert done.stderr.startswith("stopped: ")
    assert rules.read_text() == text
    assert not list(Path("mine").rglob("*.part"))
