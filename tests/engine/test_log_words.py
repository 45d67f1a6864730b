"""Whole logs of every game, and of games as the rules leave open to play them, are told as people would tell them."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from rulewright import Game, load_ruleset
from rulewright.engine.narration.events import format_story
from tests.breadth import some, times
from tests.site.test_phrases import PATTERNS

_EVERY = [
    *(f"fuzzy-knights/{edition}" for edition in ("normal@0.1", "medium@0.1", "normal@0.2", "normal@1.0")),
    *("pig/classic", "classics/yacht", "classics/connect-four", "classics/tic-tac-toe", "classics/oware"),
    *(f"classics/{game}" for game in ("liars-dice", "kuhn-poker", "leduc-poker", "goofspiel", "hex", "backgammon")),
    "classics/checkers",
]
GAMES = some(_EVERY, [name for name in _EVERY if name not in ("fuzzy-knights/normal@0.1", "fuzzy-knights/normal@0.2")])
"""The words of the drafts of the largest game are those of its newest edition, or of the medium one."""

MARKS = {
    **PATTERNS,
    "an id": r"\w_\w|\b[a-z]+\.[a-z]",
    "several that do what one does": r"\b(?:[02-9]|[1-9]\d+) \w+s (?:comes|leaves|goes|takes|is|has)\b",
    "one that does what several do": r"\b1 \w+ (?:come|leave|go|take|are|have)\b",
    "more than one, with the verb of one": r"^(?:\[\d+, \d+\]|\w+) and (?:\[\d+, \d+\]|\w+) (?:is|has|comes|leaves)\b",
    "one, counted as several": r"(?<![\d,.])1 (?:heroes|mercenaries|monsters|items|mines|coins|resources|squads)\b",
    "an article before a plural": r"\ba (?:ramparts|Fortifications|mercenaries)\b",
    "a side of a battle, which nobody at the table sees": r"\bSide of\b|^\d+ monsters ",
    "a place that is a number": r"\bdiscs\b|’s place\b",
    "an option by its id": r"chooses (?!none\.)[a-z]+\.$",
    "a placeholder": r"[{}]",
    "no end of the sentence": r"[^.!?)]$",
    "two ends of a sentence": r"[.!?][.!?]$",
}


@pytest.fixture(scope="module")
def sentences() -> dict[str, list[str]]:
    """Return every sentence told of random games of each edition, or of as much of them as a person would read."""
    return {name: [text for seed in range(1, times(1, 2) + 1) for text in _sentences(name, seed)] for name in GAMES}


def _sentences(name: str, seed: int) -> tuple[str, ...]:
    rules = load_ruleset(name)
    game = Game(rules, players=2, seed=seed)
    chooser = Random(seed)
    for _ in range(times(500, 900)):
        if (decision := game.decision) is None:
            break
        game.choose(chooser.choice(decision.options))
    return tuple(event.text for event in game.log if event.text) + format_story(rules, game.log)


@pytest.mark.parametrize("what", MARKS)
@pytest.mark.parametrize("name", GAMES)
def test_no_line_of_a_log_is_a_machines(name: str, what: str, sentences: dict[str, list[str]]) -> None:
    lines = sorted({line for line in sentences[name] if re.search(MARKS[what], line)})
    assert not lines, lines[:5]


def test_the_games_tell_of_battles_and_of_choices(sentences: dict[str, list[str]]) -> None:
    """What the marks are looked for in is there to be found."""
    for name in (name for name in GAMES if name.startswith("fuzzy-knights/")):
        assert any(line.endswith("takes the field.") for line in sentences[name]), name
        assert any(re.fullmatch(r"The squad of \d+ \(the monsters\) falls\.", line) for line in sentences[name]), name
        assert any(re.fullmatch(r"Day \d+ begins\.", line) for line in sentences[name]), name
    assert "It is Player 2’s turn." in sentences["pig/classic"]
    assert "Player 1 chooses: Roll." in sentences["pig/classic"]
    assert "Disc 1 falls into slot 3." in sentences["classics/connect-four"]


@pytest.mark.parametrize(
    ("what", "line"),
    [
        ("several that do what one does", "6 monsters comes into play."),
        ("a side of a battle, which nobody at the table sees", "Side of Player 1 comes into play."),
        ("a place that is a number", "Player 1’s discs is now 14."),
        ("an option by its id", "Player 1 chooses roll."),
        ("an article before a plural", "City of Player 1 at [1, 1] now has a ramparts."),
        ("an id", "Player 1 chooses go_on."),
    ],
)
def test_each_mark_finds_what_it_is_for(what: str, line: str) -> None:
    assert re.search(MARKS[what], line)


HATBOX = """\
terms: {hat: {name: Hat, means: What one wears.}}
tables: {hats: {columns: {price: int}, rows: {bowler: {price: 1}, beret: {price: 2}}}}
kinds: {player: {fields: {hand: {type: optional hats, seen_by: self, wording: hand, means: The card held.}}}}
state: {used: {type: list of hats, wording: used hats, means: What was drawn before.}}
decks: {box: {title: The hatbox, of: hats, discard: used}}
procedures:
  game:
    title: Hats
    steps:
      - id: rounds
        repeat:
          at_most: 3
          steps:
            - {id: card, draw: box, seen_by: first(players)}
            - {id: kept, set: {used: "used + [card]"}}
      - {id: end, finish: {winners: players}}
"""


def test_a_deck_that_few_may_see_is_shuffled_and_goes_by_its_title(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(
        "ruleset: test/hats\nversion: 1.0.0\ntitle: Hats\nplayers: 2\nstart: game\n", encoding="utf-8"
    )
    (tmp_path / "rules.yaml").write_text(HATBOX, encoding="utf-8")
    game = Game(load_ruleset("test/hats", rules=tmp_path), players=2, seed=1)
    while game.decision is not None:
        game.choose(0)
    texts = [event.text for event in game.log_for(2)]
    assert "The hatbox is shuffled." in texts
    assert not [text for text in texts if "deck." in text]
