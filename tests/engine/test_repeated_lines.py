"""Equal events in a row are one line of the story, in Python, in the terminal, in German and in JavaScript."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from rulewright import Game, load_ruleset
from rulewright.cli.main import main
from rulewright.engine.narration.events import format_story
from rulewright.export.write_export import write_export
from rulewright.ruleset.translation.translation import read_translations
from rulewright.source.diagnostics.collector import Diagnostics

RULES = """\
terms: {card: {name: card, means: What is drawn.}}
tables: {cards: {rows: {oak: {title: Oak}, elm: {title: Elm}, ash: {title: Ash}, fir: {title: Fir}, yew: {title: Yew}}}}
decks: {pack: {of: cards}}
kinds: {player: {fields: {hand: {type: list of cards, seen_by: self, log: "", wording: hand, means: Held.}}}}
state: {turn: {type: count, log: "", means: Whose turn it is.}}
procedures:
  game:
    steps:
      - {id: ready, choose: {who: first(players), from: [ready, not_yet]}}
      - id: dealt
        for_each: one
        in: players
        steps: [{id: hand_out, draw: pack, count: 2, seen_by: one, into: one.hand}]
      - id: rounds
        repeat:
          at_most: 3
          steps:
            - {id: more, set: {turn: turn + 1}}
            - {id: told, say: The wind blows.}
      - {id: other, do: gust}
      - {id: again, for_each: who, in: players, steps: [{id: twice, choose: {who: first(players), from: [up, down]}}]}
      - {id: dice, for_each: one, in: players, steps: [{id: die, roll: 1d1}]}
      - {id: cups, for_each: one, in: players, steps: [{id: cup, roll: 1d1, seen_by: nobody}]}
      - {id: lots, for_each: one, in: players, steps: [{id: lot, draw: {one_of: cards}, seen_by: nobody}]}
      - {id: over, finish: {winners: []}}
  gust: {steps: [{id: blows, say: The wind blows.}]}
"""
MANIFEST = "ruleset: wood/small\nversion: 1.0.0\ntitle: Wood\nstatus: draft\nplayers: 2\nstart: game\n"
GERMAN = """\
terms: {card: {name: Karte, plural: Karten, forms: {gender: f}}}
tables: {cards: {rows: {oak: {title: Eiche}, elm: {title: Ulme}, ash: {title: Esche}, fir: {title: Tanne}}}}
procedures:
  game: {steps: {told: {say: Der Wind weht.}}}
  gust: {steps: {blows: {say: Der Wind weht.}}}
"""
SPECTATOR = (
    "Player 1 chooses: Ready.",
    "4 cards are drawn, face down.",
    "The wind blows. (3 times)",
    "The wind blows.",
    "Player 1 chooses: Up.",
    "Player 1 chooses: Up.",
    "🎲 1d1 comes to 1.",
    "🎲 1d1 comes to 1.",
    "🎲 1d1 is rolled, face down. (2 times)",
    "Lots are drawn, face down. (2 times)",
    "The game is over, and nobody has won.",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "rules" / "wood"
    (home / "words").mkdir(parents=True)
    for name, written in (("ruleset.yaml", MANIFEST), ("rules.yaml", RULES), ("words/de.yaml", GERMAN)):
        (home / name).write_text(written, encoding="utf-8")
    return home.parent


def play(game: Game) -> Game:
    while game.decision is not None:
        game.choose(0)
    return game


def test_equal_lines_of_one_procedure_are_one(folder: Path) -> None:
    game = play(Game(load_ruleset("wood/small", rules=folder), players=2, seed=1))
    assert game.story(seat=0) == SPECTATOR
    own = game.story(seat=1)
    assert own[3] == "2 cards are drawn, face down."
    assert own[4:] == SPECTATOR[2:]
    assert len(game.log_for(0)) > len(SPECTATOR) + 5


def test_lines_since_an_event_count_only_later_events(folder: Path) -> None:
    game = play(Game(load_ruleset("wood/small", rules=folder), players=2, seed=1))
    log = game.log_for(0)
    third = [number for number, event in enumerate(log) if event.text.startswith("A card")][2]
    assert format_story(game.ruleset, log, since=third)[0] == "2 cards are drawn, face down."


def test_a_german_story_joins_them(folder: Path) -> None:
    (german,) = read_translations(load_ruleset("wood/small", rules=folder), Diagnostics())
    told = play(Game(german.ruleset, players=2, seed=1)).story(seat=0)
    assert told[1:3] == ("4 Karten werden verdeckt gezogen.", "Der Wind weht. (3-mal)")


def test_the_terminal_joins_them(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builtins.input", lambda _: "1")
    assert main(["play", "wood/small", "--rules", str(folder), "--seed", "1", "--players", "random,human"]) == 0
    out = capsys.readouterr().out
    assert "The wind blows. (3 times)" in out
    assert "4 cards are drawn, face down." in out


def test_javascript_joins_them(folder: Path, tmp_path: Path) -> None:
    write_export(load_ruleset("wood/small", rules=folder), tmp_path / "export")
    program = tmp_path / "story.mjs"
    program.write_text(
        """\
const { load } = await import(new URL("./export/rules.js", import.meta.url));
const game = (await load()).newGame({ players: 2, seed: 1 });
while (game.decision !== null) game.choose(0);
console.log(JSON.stringify([0, 1, 2].map((seat) => game.story({ seat }))));
""",
        encoding="utf-8",
    )
    node = shutil.which("node")
    assert node is not None, "node is not installed: `make audits` installs it on Debian and Ubuntu"
    done = subprocess.run([node, program], capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr
    game = play(Game(load_ruleset("wood/small", rules=folder), players=2, seed=1))
    assert json.loads(done.stdout) == [[*game.story(seat=seat)] for seat in (0, 1, 2)]
