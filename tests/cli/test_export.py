"""`rulewright export` writes its files whole, says which, and says what stands in its way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.cli.main import main

FILES = ["rules.wasm", "rules.json", "rules.js", "rules.d.ts", "interface.md", "package.json"]


def test_it_says_what_it_has_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "deep" / "pig"
    assert main(["export", "pig/classic@1.0", str(folder)]) == 0
    assert capsys.readouterr().out.splitlines() == [str(folder / name) for name in FILES]
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)


def test_a_second_export_takes_the_place_of_the_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["export", "pig/classic@1.0", str(tmp_path)])
    (tmp_path / "mine.txt").write_text("kept", encoding="utf-8")
    capsys.readouterr()
    assert main(["export", "classics/tic-tac-toe", str(tmp_path), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["ruleset"] == "classics/tic-tac-toe@1.0.0"
    assert report["files"] == [(tmp_path / name).as_posix() for name in FILES]
    data = json.loads((tmp_path / "rules.json").read_text(encoding="utf-8"))
    assert (data["ruleset"], data["digest"]) == (report["ruleset"], report["digest"])
    assert (tmp_path / "mine.txt").read_text(encoding="utf-8") == "kept"


def test_a_file_in_the_way_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "out").write_text("a file", encoding="utf-8")
    assert main(["export", "pig/classic@1.0", str(tmp_path / "out")]) == 1
    error_text = capsys.readouterr().err
    assert "cannot write to " in error_text
    assert "Traceback" not in error_text


def test_what_is_not_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "pig/clasic", str(tmp_path / "out")]) == 1
    assert "pig/classic" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_package_of_ones_own_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "package.json").write_text('{"name": "mine"}', encoding="utf-8")
    assert main(["export", "pig/classic@1.0", str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines() == [str(tmp_path / name) for name in FILES[:-1]]
    assert (tmp_path / "package.json").read_text(encoding="utf-8") == '{"name": "mine"}'
