"""Long lists of records in the terminal: first the place, then the rest."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from rulewright.cli.main import main

MANIFEST = "ruleset: a/b\nversion: 1.0.0\ntitle: B\nstatus: draft\nabout: C.\nplayers: 1\nstart: game\n"
RULES = """\
records:
  way: {parts: {turn: int, space: spaces}, label: "{self.space} by {self.turn}"}
tables:
  spaces: {title: Spaces, columns: {}, rows: {hill: {title: Hill}, pond: {title: Pond}, wood: {title: Wood}}}
procedures:
  game:
    title: A game
    means: A game.
    steps:
      - id: go
        choose: {who: first(players), one_of: "WAYS", or_none: true}
        none: Stay
      - {id: end, finish: {winners: players}}
"""
TURNS = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"
WAYS = f"list(way(n, s) for s in spaces for n in {TURNS} if n == 1 or s != spaces.wood)"


def play(folder: Path, monkeypatch: pytest.MonkeyPatch, *answers: str, ways: str = WAYS) -> None:
    (folder / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    (folder / "rules.yaml").write_text(RULES.replace("WAYS", ways), encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join([*answers, "quit"]) + "\n"))
    assert main(["play", "a/b", "--players", "human", "--rules", str(folder)]) == 0


@pytest.mark.parametrize(
    ("answers", "chosen"),
    [
        (["1", "2"], "Hill by 2"),
        (["2", "9"], "Pond by 9"),
        (["3"], "Wood by 1"),  # a group of one
        (["4"], "Stay"),
        (["none"], "Stay"),
        (["pond", "3"], "Pond by 3"),
        (["pond", "hill by 4"], "Hill by 4"),
        (["2", "", "1", "5"], "Hill by 5"),
        (["5/pond"], "Pond by 5"),
        (["mill", "9", "0", "1", "11", "1"], "Hill by 1"),
    ],
)
def test_a_player_chooses_the_place_first(
    answers: list[str],
    chosen: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    play(tmp_path, monkeypatch, *answers)
    out = capsys.readouterr().out
    assert "  1. Hill (10)\n  2. Pond (10)\n  3. Wood by 1\n  4. Stay\n" in out
    assert f"Player 1 chooses {chosen}." in out or f"Player 1 chooses: {chosen}." in out


def test_what_to_do_next_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    play(tmp_path, monkeypatch, "mill", "9", "2", "11")
    out = capsys.readouterr().out
    assert "> none of these is `mill`; choose one of these first" in out
    assert "> there is no 9: the numbers are 1 to 4\n" in out
    assert "> 1. Pond by 1 · 2. Pond by 2 · 3. Pond by 3" in out
    assert "10. Pond by 10; type the number of one, or press Enter to choose another group\n" in out
    assert "> there is no 11: the numbers are 1 to 10\n" in out


@pytest.mark.parametrize(
    "ways",
    [
        "list(way(n, s) for s in spaces for n in [1, 2, 3])",  # a short list
        f"list(way(n, spaces.hill) for n in {TURNS} + [11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21])",  # one group
    ],
)
def test_other_lists_are_shown_whole(
    ways: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    play(tmp_path, monkeypatch, "2", ways=ways)
    assert "Player 1 chooses Hill by 2." in capsys.readouterr().out
