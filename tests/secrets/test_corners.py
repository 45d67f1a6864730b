"""Secrets in corners: what has left the game, costs, entries of maps, and answers given together."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from rulewright import Game, Ruleset
from rulewright.export.write_export import write_export
from tests.language.inline import MANIFEST, sound
from tests.secrets.checking import CHECKED
from tests.secrets.looks import compare, looks, observed, setting_of
from tests.secrets.pairs import Pair
from tests.secrets.test_secrets import in_node

assert CHECKED, "guesses are checked"

RULES = """\
tables:
  suits:
    columns: {{copies: int, power: int}}
    rows: {{hearts: {{copies: 3, power: 2}}, spades: {{copies: 3, power: 4}}}}
decks: {{pack: {{of: suits, copies: copies}}}}
kinds:
  player:
    fields:
      pet: optional token
      stock: map of suits to int
      gold: {{type: int, default: 9}}
      bonus: {{type: int, seen_by: self}}
  token:
    seen_by: self.owner
    label: {{face: "token of {{self.face}}"}}
    fields: {{owner: {{type: player, seen_by: everybody}}, face: suits}}
  chest: {{fields: {{guard: token, worth: {{type: int, seen_by: self.guard.owner}}}}}}
state: {{player: player}}
procedures:
  game:
    steps:
      - {{id: other, let: "next(player, players)"}}
      - {{id: card, draw: pack, seen_by: player}}
{steps}
      - {{id: last, choose: {{who: other, from: [stay, leave]}}}}
      - {{id: end, finish: {{winners: players}}}}
"""

CORNERS: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    "what a name calls after it has left": (
        (
            "{id: laid, create: token, with: {owner: player, face: card}}",
            "{id: noted, let: laid}",
            "{id: gone, remove: laid}",
            "{id: again, set: {noted: noted}}",
        ),
        ("hearts",),
        ("spades",),
    ),
    "what a field held that has left": (
        (
            "{id: laid, create: token, with: {owner: player, face: card}}",
            "{id: kept, set: {player.pet: laid}}",
            "{id: gone, remove: laid}",
            "{id: lost, set: {player.pet: none}}",
        ),
        ("hearts",),
        ("spades",),
    ),
    "who sees through what has left": (
        (
            "{id: laid, create: token, with: {owner: other, face: hearts}}",
            "{id: made, create: chest, with: {guard: laid}}",
            "{id: gone, remove: laid}",
            "{id: filled, set: {made.worth: card.power}}",
        ),
        ("hearts",),
        ("spades",),
    ),
    "a cost that is worked out of a secret name": (
        ("{id: buy, choose: {who: other, from: [cheap, dear], costs: {gold: card.power}}}",),
        ("hearts",),
        ("spades",),
    ),
    "which entry of a map of the procedure has changed": (
        ("{id: held, let: player.stock}", "{id: more, set: {'held[card]': 4}}"),
        ("hearts",),
        ("spades",),
    ),
    "which object a secret has changed": (
        (
            "{id: left, create: token, with: {owner: player, face: hearts}}",
            "{id: right, create: token, with: {owner: player, face: hearts}}",
            "{id: mark, let: left if card == hearts else right}",
            "{id: turned, set: {mark.face: spades}}",
        ),
        ("hearts",),
        ("spades",),
    ),
    "dice that a hidden number is added to": (
        (
            "{id: noted, set: {player.bonus: card.power}}",
            "{id: fate, roll: 1d6 + player.bonus, seen_by: player}",
            "{id: kept, set: {player.bonus: fate}}",
        ),
        ("hearts", 7),
        ("spades", 7),
    ),
    "dice that stand to be rolled": (
        ("{id: fate, roll: 1d6 + card.power, seen_by: player}", "{id: kept, set: {player.bonus: fate}}"),
        ("hearts",),
        ("spades",),
    ),
    "what others chose together in secret": (
        (
            "{id: votes, choose: {who: players, from: [yes, no]}, seen_by: nobody}",
            "{id: count, let: count(list(v for v in votes if v == yes))}",
        ),
        ("hearts", "yes", "yes"),
        ("hearts", "no", "yes"),
    ),
}
"""Steps after which seat 2 cannot tell two ways to play apart, by what would tell."""


@cache
def rules(corner: str) -> Ruleset:
    steps = "\n".join(f"      - {step}" for step in CORNERS[corner][0])
    return sound(RULES.format(steps=steps), manifest=MANIFEST.replace("1..4}", "2, start: game}"))


def pair(corner: str, seat: int) -> Pair:
    """Return two games that differ only in what a seat may not see."""
    games = []
    for script in CORNERS[corner][1:]:
        game = Game(rules(corner), seed=0, stop_at_chance=True)
        for answer in script:
            game.choose(answer) if game.decision else game.resolve(answer)
        games.append(game)
    return Pair(seat, [(games[0], games[1])])


@pytest.mark.parametrize("corner", CORNERS)
def test_corners_tell_nothing(corner: str) -> None:
    setting = setting_of(rules(corner))
    for seat in (0, 2):
        ((one, other),) = pair(corner, seat).different
        compare(looks(one, seat, guesses=True), looks(other, seat, guesses=True), corner)
        compare(observed(setting, one, seat), observed(setting, other, seat), corner)


def test_corners_tell_nothing_in_javascript(tmp_path: Path) -> None:
    jobs = []
    for number, corner in enumerate(CORNERS):
        folder = tmp_path / f"corner-{number}"
        write_export(rules(corner), folder)
        jobs.append((rules(corner), folder, [pair(corner, seat) for seat in (0, 2)]))
    in_node(jobs)
