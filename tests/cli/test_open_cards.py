"""What `play` shows beside the board of a game: lists that lie open, and how many cards hidden decks have."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.cli.main import main
from tests.cli.test_play import answers

RULES = """\
tables:
  plaza: {title: Plaza, grid: {columns: 2, rows: 1}}
  cards: {rows: {ace: {}, king: {}, queen: {}}}
decks:
  heap: {title: The heap, of: cards}
  stack: {title: Own cards, of: cards, each: player}
kinds:
  player: {fields: {hand: {type: list of cards, seen_by: self, log: ""}}}
  stone: {fields: {at: plaza}}
state:
  display: {type: list of cards, wording: display}
  trail: {type: list of plaza, wording: trail}
  tasks: {type: list of cards, wording: tasks, log: ""}
procedures:
  game:
    title: A game
    steps:
      - {id: stone, create: stone, with: {at: c1r1}}
      - {id: shown, draw: heap}
      - {id: open, set: {display: display + shown, tasks: tasks + shown, trail: "[c1r1]"}}
      - {id: hands, for_each: p, in: players, steps: [{id: card, draw: p.stack, count: 1, seen_by: p, into: p.hand}]}
      - {id: way, choose: {who: first(players), from: [stay, go]}, ask: Do you go?}
      - {id: taken, set: {display: display - shown}}
      - {id: end, choose: {who: first(players), from: [stay, go]}, ask: And now?}
      - {id: over, finish: {winners: players}, when: way == go or end == go or any(tasks) or any(trail)}
"""


def play(rules: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return what is on the screen at the first question, at the second one, and after the command `table`."""
    manifest = "ruleset: test/open\nversion: 0.1.0\ntitle: Open\nstatus: draft\nplayers: 2\nstart: game\n"
    (folder / "ruleset.yaml").write_text(manifest)
    (folder / "rules.yaml").write_text(rules)
    answers(monkeypatch, "go", "table", "quit")
    assert main(["play", "test/open", "--rules", str(folder), "--players", "human,random", "--seed", "1"]) == 0
    first, _, rest = capsys.readouterr().out.partition("Do you go?")
    second, _, table = rest.partition("And now?")
    return [first, second, table]


def test_open_lists_are_shown_beside_the_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, table = play(RULES, tmp_path, monkeypatch, capsys)
    assert "  Display: " in first
    assert "Tasks" not in first, "the log does not mention them"
    assert "Trail" not in first, "the board shows it"
    assert "Display" not in second, "it is empty"
    assert "The heap" not in first + second
    assert "Tasks: " in table


@pytest.mark.parametrize("board", [True, False])
def test_the_number_of_cards_of_a_hidden_deck_is_shown(
    board: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = RULES if board else RULES.replace("grid: {columns: 2, rows: 1}", "rows: {c1r1: {}}")
    rules = rules.replace("{id: shown, draw: heap}", "{id: shown, draw: heap, seen_by: first(players)}")
    first, _, table = play(rules, tmp_path, monkeypatch, capsys)
    assert "Own cards 2 left" in first
    assert "The heap: 2 left" in table
    assert "Player 2: Hand hidden; Own cards 2 left" in table
