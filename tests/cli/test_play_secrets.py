"""People at one screen, and what only some of them may see."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from rulewright.cli.main import main

MANIFEST = """\
ruleset: test/peeking
version: 0.1.0
title: Peeking
status: draft
players: 3
start: game
"""

TILES = """\
state: {player: {type: player, means: Whose turn it is.}}
tables:
  faces: {title: Faces, rows: {sun: {}, moon: {}}}
terms:
  tile: {name: Tile, means: What lies face down.}
kinds:
  player: {fields: {mark: {type: count, means: What they have marked.}}}
  tile:
    term: tile
    seen_by: nobody
    label: tile {self.place}
    fields: {place: {type: int, seen_by: everybody}, face: faces}
"""

PEEK = """\
procedures:
  game:
    title: Peeking
    steps:
      - id: laid
        for_each: row
        in: faces
        steps:
          - {id: tile, create: tile, with: {place: row.rank, face: row}}
      - {id: which, choose: {who: player, one_of: tiles}, ask: Which do you look at?}
      - {id: peek, show: {what: which.face, to: player}}
      - {id: one, choose: {who: player, from: [left, right]}, ask: Which way?}
      - {id: two, choose: {who: "next(player, players)", from: [left, right]}, ask: And you?}
      - {id: again, choose: {who: player, from: [left, right]}, ask: And now?}
      - {id: over, finish: {winners: []}}
"""

SIMULTANEOUS = """\
procedures:
  game:
    title: At once
    steps:
      - id: hands
        choose: {who: players, as: one, from: [rock, paper]}
        ask: Rock or paper?
      - {id: after, choose: {who: player, from: [left, right]}, ask: And now?}
      - {id: over, finish: {winners: []}}
"""

ROUND = """\
procedures:
  game:
    title: Round
    steps:
      - id: turns
        for_each: one
        in: players
        steps:
          - {id: side, choose: {who: one, from: [left, right]}, ask: Which way?}
      - {id: over, finish: {winners: []}}
"""


def played(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], rules: Path, steps: str, *answers: str
) -> str:
    folder = rules / "peeking"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    (folder / "rules.yaml").write_text(TILES + steps, encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(answers) + "\n"))
    arguments = ["play", "test/peeking", "--rules", str(rules), "--players", "human,human,human"]
    assert main(arguments) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def test_who_peeked_cannot_go_back_and_peek_elsewhere(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = played(monkeypatch, capsys, tmp_path, PEEK, "", "1", "undo", "left", "", "undo", "", "right", "", "quit")
    assert "a secret that another player has seen since then cannot be undone" in out
    assert out.count("> undone") == 1, "a choice that showed nothing can be taken back"
    assert "moon" not in out.lower()


def test_choices_that_were_laid_open_cannot_be_taken_back(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    answers = ("", "rock", "", "undo", "", "paper", "", "rock", "", "rock", "", "undo", "quit")
    out = played(monkeypatch, capsys, tmp_path, SIMULTANEOUS, *answers)
    assert out.count("> undone") == 1, "the first had not been laid open yet"
    assert out.count("a secret that another player has seen since then cannot be undone") == 1


def test_after_going_back_everybody_is_told_what_was_chosen_instead(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    answers = ("", "left", "", "left", "", "undo", "", "undo", "", "right", "", "left", "", "quit")
    out = played(monkeypatch, capsys, tmp_path, ROUND, *answers)
    assert "Player 1 chooses: Right." in out.rpartition("The screen is for Player 3")[2]


def test_people_see_what_is_theirs_before_they_first_choose(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\nn1f3\n\nquit\n"))
    assert main(["play", "classics/liars-dice", "--players", "human,human", "--seed", "5"]) == 0
    _, one, two = capsys.readouterr().out.split("The screen is for")
    assert "ie of Player 1 (3)" in one
    assert "ie of Player 2 (6)" not in one
    assert "ie of Player 2 (6)" in two
    assert "ie of Player 1 (3)" not in two


SEALED = """\
procedures:
  game:
    title: Sealed
    steps:
      - {id: hands, choose: {who: players, as: one, from: [rock, paper]}, ask: Rock or paper?, seen_by: nobody}
      - {id: after, choose: {who: player, from: [left, right]}, ask: And now?}
      - {id: more, choose: {who: players, as: one, from: [in, out]}, ask: In or out?, seen_by: nobody}
      - {id: over, finish: {winners: []}}
"""


def test_hidden_choices_of_several_players_are_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    (tmp_path / "rules.yaml").write_text(TILES + SEALED, encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO("rock\nleft\nin\n"))

    def play(players: str) -> list[str]:
        assert main(["play", "test/peeking", "--rules", str(tmp_path), "--players", players, "--seed", "1"]) == 0
        return [
            line.strip("> ") for line in capsys.readouterr().out.splitlines() if re.search("chose|chooses|over", line)
        ]

    bots = play("random,random,random")
    every = "Player 1, Player 2 and Player 3 have chosen."
    assert bots[0] == bots[2] == every
    assert "Player 1 chooses" in bots[1]
    assert bots[3:] == ["The game is over, and nobody has won."]
    # The reader has chosen openly, as far as the reader goes, and sees what the others did before the next question.
    assert play("human,random,random") == [
        "Player 1 chooses: Rock.",
        "Player 2 and Player 3 have chosen.",
        "Player 1 chooses: Left.",
        "Player 1 chooses: In.",
        "Player 2 and Player 3 have chosen.",
        "The game is over, and nobody has won.",
    ]
