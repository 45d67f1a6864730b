"""What `play` shows beside the board and the question: open lists, the cards left in decks, and what it is about."""

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


SOWING = """\
tables: {beds: {title: Beds, rows: {left: {title: Left bed}, right: {title: Right bed}}}}
state: {count: int}
procedures:
  game:
    title: A game
    steps:
      - {id: bed, choose: {who: first(players), one_of: "[beds.left, beds.right]"}, ask: Which bed?}
      - {id: first, do: sow, with: {at: bed}}
      - {id: second, do: sow, with: {at: bed}}
      - {id: over, finish: {winners: players}, when: count > 0}
  sow:
    title: Sow
    given: {at: beds}
    names: {at: bed to sow}
    steps:
      - {id: seeds, choose: {who: first(players), number: {from: 1, to: 3}}, ask: How many seeds?}
      - {id: sown, set: {count: count + seeds * at.rank}}
"""


def test_what_the_player_has_just_named_is_not_repeated_behind_the_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = "ruleset: test/sow\nversion: 0.1.0\ntitle: Sow\nstatus: draft\nplayers: 1\nstart: game\n"
    (tmp_path / "ruleset.yaml").write_text(manifest)
    (tmp_path / "rules.yaml").write_text(SOWING)
    answers(monkeypatch, "left", "2", "undo", "2", "3")
    assert main(["play", "test/sow", "--rules", str(tmp_path), "--players", "human"]) == 0
    text = capsys.readouterr().out
    questions = [line for line in text.splitlines() if "How many seeds?" in line]
    assert questions == [
        "Player 1: How many seeds?",
        "Player 1: How many seeds? (bed to sow: Left bed)",
        "Player 1: How many seeds? (bed to sow: Left bed)",
        "Player 1: How many seeds? (bed to sow: Left bed)",
    ]
