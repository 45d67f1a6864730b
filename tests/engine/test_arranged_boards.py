"""Boards whose layout lists their spaces, as a terminal draws them."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from rulewright.cli import board_display
from rulewright.cli.board_display import draw_arranged
from rulewright.cli.main import main
from rulewright.engine.boards.arranged_boards import list_arranged_boards
from rulewright.engine.game.game import Game
from rulewright.engine.narration.redaction import redact_value
from rulewright.ruleset.load_ruleset import load_ruleset

RULES = """\
tables:
  plots:
    title: Plots
    columns: {sunny: optional bool}
    rows: {hill: {title: Hill, sunny: true}, pond: {title: A very long pond}, wood: {title: Wood}, shed: {title: Shed}}
  crops: {title: Crops, columns: {}, rows: {corn: {title: Corn}}}
kinds:
  player: {fields: {}}
  gnome: {wording: {one: gnome, several: gnomes}, fields: {owner: player, plot: plots}}
state:
  berries: {type: map of plots to count, means: B., default: {hill: 12, shed: 3}}
  fence: {type: map of plots to optional player, means: F.}
  secret: {type: map of plots to count, means: S., seen_by: "[]", default: {pond: 7}}
procedures:
  game:
    title: A game
    means: A game.
    steps:
      - {id: own, set: {"fence[wood]": last(players)}}
      - {id: come, create: gnome, with: {owner: first(players), plot: hill}}
      - {id: hide, create: gnome, with: {owner: first(players), plot: shed}}
      - {id: go, choose: {who: first(players), from: [left, right]}}
board:
  plots: {LAYOUTplaces: [[., hill, pond], [wood]]}
"""

MANIFEST = "ruleset: a/b\nversion: 1.0.0\ntitle: B\nstatus: draft\nabout: C.\nplayers: 2\nstart: game\n"


def draw_game(ruleset: str, folder: Path | None = None, *choices: str) -> list[str]:
    """Return the arranged boards of a game as its first player sees them, after some choices."""
    game = Game(load_ruleset(ruleset) if folder is None else load_ruleset(ruleset, rules=folder), seed=1)
    for choice in choices:
        game.choose(choice)
    boards = list_arranged_boards(redact_value(game.state, 1))
    return [line for board in boards for line in draw_arranged(board)]


def write_rules(folder: Path, layout: str = "") -> Path:
    (folder / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    (folder / "rules.yaml").write_text(RULES.replace("LAYOUT", layout), encoding="utf-8")
    return folder


def test_rows_of_a_table_are_drawn_with_what_is_on_them(tmp_path: Path) -> None:
    lines = draw_game("a/b", write_rules(tmp_path))
    assert lines[:7] == [
        "                   +--------------+--------------+",
        "                   |Hill          |A very long p…|",
        "                   |12 G1*        |0             |",
        "    +--------------+--------------+--------------+",
        "    |Wood          |",
        "    |0 2           |",
        "    +--------------+",
    ]
    assert " ".join(lines[7:]).startswith("    G gnome · * sunny · a number is the owner's seat")


def test_a_rotated_board_is_drawn_as_it_lies(tmp_path: Path) -> None:
    assert draw_game("a/b", write_rules(tmp_path, "turned: true, "))[:9] == [
        "    +--------------+",
        "    |Wood          |",
        "    |0 2           |",
        "    +--------------+--------------+",
        "                   |Hill          |",
        "                   |12 G1*        |",
        "                   +--------------+",
        "                   |A very long p…|",
        "                   |0             |",
    ]


def test_houses_show_their_seeds() -> None:
    assert draw_game("classics/oware@1.0", None, "a1") == [
        "    +----+----+----+----+----+----+",
        "    |B6  |B5  |B4  |B3  |B2  |B1  |",
        "    |4   |4   |4   |4   |4   |4   |",
        "    +----+----+----+----+----+----+",
        "    |A1  |A2  |A3  |A4  |A5  |A6  |",
        "    |0   |5   |5   |5   |5   |4   |",
        "    +----+----+----+----+----+----+",
    ]


def test_columns_of_objects_have_their_names_and_the_marks_of_players() -> None:
    lines = draw_game("classics/connect-four@1.0", None, "slot-3", "slot-3")
    assert lines[0] == "     slot 1 slot 2 slot 3 slot 4 slot 5 slot 6 slot 7"
    assert lines[-5:] == [
        "    |2     |      |      |      |      |      |      |",
        "    +------+------+------+------+------+------+------+",
        "    |1     |      |      |      |      |      |      |",
        "    +------+------+------+------+------+------+------+",
        "    a number is the owner's seat",
    ]


def test_play_draws_them(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\nmap\nquit\n"))
    assert main(["play", "classics/oware@1.0", "--players", "human,random", "--seed", "3"]) == 0
    out = capsys.readouterr().out
    assert out.count("    |A1  |A2  |A3  |A4  |A5  |A6  |\n") == 3
    assert "Number of seeds:" not in out  # the board shows them


def test_a_narrow_terminal_cuts_titles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_display, "measure_width", lambda: 30)
    assert max(map(len, draw_game("a/b", write_rules(tmp_path))[:7])) <= 30
