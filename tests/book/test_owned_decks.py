"""What the book says of a deck that each player has: among the components, in sentences, and in lists of changes."""

from __future__ import annotations

import re
from pathlib import Path

from rulewright.book.changes.compare_rulesets import list_changes
from rulewright.book.languages.de.german_steps import GermanSteps
from rulewright.book.style.text_style import Style
from rulewright.cli.main import main
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.translation.translation import read_translations
from rulewright.source.diagnostics.collector import Diagnostics
from tests.language.inline import sound

MANIFEST = """\
ruleset: house/pots
version: 1.0.0
title: Pots
about: A game with pots.
status: draft
players: 2
start: game
"""
RULES = """\
tables:
  pots: {title: Pots, columns: {start: int}, rows: {red: {start: 7}, blue: {start: 3}}}
kinds:
  player: {fields: {used: {type: list of pots, wording: used pots, means: What was used.}}}
decks:
  pile: {title: Pile, of: pots, copies: start, each: player, discard: used, ordered: true}
procedures:
  game:
    title: Game
    steps: [{id: all, for_each: one, in: players, steps: [{id: own, do: turn, with: {player: one}}]}]
  turn:
    title: Turn
    given: {player: player}
    steps:
      - {id: pot, draw: player.pile}
      - {id: below, put: {cards: pot, under: player.pile}}
      - {id: mixed, reshuffle: player.pile, removing: pots.red, adding: player.used}
      - {id: rest, let: player.pile.left}
      - {id: more, set: {player.used: player.pile.cards}, when: rest > 3}
"""
GERMAN = """\
decks: {pile: {title: Vorrat}}
procedures: {turn: {title: Zug, names: {pot: Topf (m), rest: Rest (m)}}, game: {title: Spiel}}
tables: {pots: {title: Töpfe, rows: {red: {title: Rot}, blue: {title: Blau}}}}
kinds: {player: {fields: {used: {wording: Ablage (f)}}}}
"""


def written(tmp_path: Path) -> Path:
    folder = tmp_path / "pots"
    (folder / "words").mkdir(parents=True)
    (folder / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    (folder / "rules.yaml").write_text(RULES, encoding="utf-8")
    (folder / "words" / "de.yaml").write_text(GERMAN, encoding="utf-8")
    return tmp_path


def test_the_german_of_a_deck_names_its_owner(tmp_path: Path) -> None:
    (translation,) = read_translations(load_ruleset("house/pots", rules=[written(tmp_path)]), Diagnostics())
    steps = GermanSteps(translation, translation.ruleset.procedures["turn"], Style(translation.ruleset)).all()
    assert steps.split(" (")[1:] == [
        "1) Zieh eine Karte vom Stapel „Vorrat“ des Spielers; sie ist der Topf. Ist der Stapel leer, so mische zuerst "
        "die Ablage des Spielers zu einem neuen.",
        "2) Lege den Topf unter den Stapel „Vorrat“ des Spielers.",
        "3) Nimm „Rot“ aus dem Stapel „Vorrat“ des Spielers und mische ihn zusammen mit der Ablage des Spielers.",
        "4) Der Rest ist die Zahl der Karten im Stapel „Vorrat“ des Spielers.",
        "5) Wenn der Rest größer als 3 ist, ist die Ablage des Spielers nun die Karten im Stapel „Vorrat“ des "
        "Spielers.",
    ]


def test_a_deck_of_each_player_is_among_the_components(tmp_path: Path) -> None:
    site = tmp_path / "site"
    assert main(["book", "build", "house/pots", "--rules", str(written(tmp_path)), "--output", str(site)]) == 0
    words = re.sub(r"<[^>]+>|\s+", " ", (site / "house-pots-1.0" / "index.html").read_text(encoding="utf-8"))
    assert re.search(r"10 +cards +Pile, 10 for each player", words)


def test_changes_of_a_deck_say_how_many_cards_each_player_has() -> None:
    rules = RULES[: RULES.index("procedures:")] + "procedures: {}\n"
    filled = rules.replace("ordered: true", "ordered: true, filled_by_rules: true")
    ((sentence,),) = (change.sentences for change in list_changes(sound(rules), sound(filled)))
    rest = "10 cards from Pots for each player; cards can be put on top or at the bottom; an empty deck is made of the"
    assert sentence == f"Now: some of {rest} used pots. Before: {rest} used pots."
