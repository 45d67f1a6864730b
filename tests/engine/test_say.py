"""The step `say`: the same sentence from every back end, for each seat, and in German."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import Game, load_ruleset
from rulewright.book.languages.de.planner import describe_steps
from rulewright.book.style.text_style import Style
from rulewright.engine.narration.events import Weight, format_story
from rulewright.ruleset.lints import run_lints
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.translation.translation import Translation, read_translations
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.formats import text
from tests.engine.machines import Table
from tests.ir.test_sample_statements import of_two
from tests.language.inline import MANIFEST, checked, sound
from tests.source.goldens import assert_golden

GOLDENS = Path(__file__).parents[1] / "ruleset" / "goldens" / "lints"
RULES = """\
terms: {coin: {name: Coin, plural: Coins, means: What is paid.}}
kinds:
  player: {fields: {purse: {type: count, seen_by: self}, score: count}}
procedures:
  game:
    names: {bid: bid, who: bidder}
    given: {}
    steps:
      - {id: all, for_each: who, in: players, steps: [{id: one, do: main, with: {who: who}}]}
      - {id: over, finish: {winners: []}}
  main:
    given: {who: player}
    names: {who: bidder, bid: bid}
    steps:
      - {id: bid, choose: {who: who, number: {from: 0, to: 3}}}
      - {id: passed, say: "nobody gets a {coin}!", when: bid == 0}
      - id: sold
        say: "{given.player} and {given.all} pay {given.price}"
        with: {player: who, all: players, price: bid}
      - {id: put, set: {who.purse: bid, who.score: bid}}
      - {id: hid, say: "{given.player} has {given.purse}", with: {player: who, purse: who.purse}}
"""
PLAYED = MANIFEST.replace("1..4}", "2, start: game}")


def play(ruleset: Ruleset) -> Game:
    game = Game(ruleset, players=2, seed=1)
    for answer in (0, 2):
        game.choose(answer)
    return game


def test_the_log_has_the_sentence() -> None:
    game = play(sound(RULES, manifest=PLAYED))
    events = [event for event in game.log if event.verb == "say"]
    assert [event.text for event in events] == [
        "Nobody gets a Coin!",
        "Player 1 and Player 1 and Player 2 pay 0.",
        "Player 1 has 0.",
        "Player 2 and Player 1 and Player 2 pay 2.",
        "Player 2 has 2.",
    ]
    assert {event.weight for event in events} == {Weight.NORMAL}
    assert events[1].data == {"player": "player-1", "all": ["player-1", "player-2"], "price": 0}
    assert "Nobody gets a Coin!" in format_story(game.ruleset, game.log)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_no_seat_reads_a_sentence_about_a_secret(seat: int) -> None:
    game = play(sound(RULES, manifest=PLAYED))
    events = [event for event in game.log_for(seat) if event.rule == "main.hid"]
    assert [(event.text, event.data) for event in events] == [("", {"player": f"player-{number}"}) for number in (1, 2)]


@pytest.mark.parametrize("seed", range(4))
def test_every_back_end_records_it(seed: int) -> None:
    assert Table(sound(RULES)).play(of_two, seed) == "over"


def test_the_sentence_is_no_gameplay() -> None:
    other = RULES.replace("nobody gets", "no player gets")
    assert sound(RULES, manifest=PLAYED).digest == sound(other, manifest=PLAYED).digest


@pytest.mark.parametrize("name", ["given.prise", "coins"])
def test_an_unknown_placeholder_is_reported(name: str) -> None:
    diagnostics = Diagnostics()
    run_lints(sound(RULES.replace("{given.price}", f"{{{name}}}")), diagnostics)
    matching_diagnostics = [each for each in diagnostics if each.code.id == "unknown-placeholder"]
    assert_golden(f"say_{name.replace('.', '_')}.txt", text.render(matching_diagnostics), folder=GOLDENS)


def test_a_value_that_is_always_none_is_reported() -> None:
    _, diagnostics = checked(RULES.replace("price: bid}", "price: none}"))
    assert [each.code.id for each in diagnostics.errors] == ["wrong-type"]


def translate(folder: Path) -> Translation:
    home = folder / "garden" / "words"
    home.mkdir(parents=True)
    (folder / "garden" / "ruleset.yaml").write_text(
        "ruleset: garden/small\nversion: 1.0.0\ntitle: Garden\nstatus: draft\nplayers: 2\nstart: game\n",
        encoding="utf-8",
    )
    (folder / "garden" / "rules.yaml").write_text(RULES, encoding="utf-8")
    (home / "de.yaml").write_text(
        """\
terms: {coin: {name: Münze, plural: Münzen, forms: {gender: f}}}
kinds: {player: {fields: {purse: {wording: die Börse}, score: {wording: die Punktzahl}}}}
procedures:
  main:
    names: {who: der Bieter, bid: das Gebot}
    steps:
      passed: {say: "niemand bekommt eine {coin}!"}
      sold: {say: "Je {given.price} zahlen {given.all} und {given.player}"}
      hid: {say: "{given.player} hat {given.purse}"}
""",
        encoding="utf-8",
    )
    (german,) = read_translations(load_ruleset("garden/small", rules=folder), Diagnostics())
    return german


def test_the_sentence_is_translated(tmp_path: Path) -> None:
    german = translate(tmp_path)
    texts = [event.text for event in play(german.ruleset).log if event.verb == "say"]
    assert texts[:2] == ["Niemand bekommt eine Münze!", "Je 0 zahlen Spieler 1 und Spieler 2 und Spieler 1."]


def test_the_book_announces_the_sentence(tmp_path: Path) -> None:
    german = translate(tmp_path)
    steps = describe_steps(german, german.ruleset.procedures["main"], Style(german.ruleset))
    assert "Wenn das Gebot 0 ist, verkünde: „Niemand bekommt eine Münze!“" in steps
    assert "Verkünde: „Der Bieter hat die Börse des Bieters.“" in steps
