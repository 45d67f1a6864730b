"""What callers get wrong is told in words of theirs: what was given, what is wanted, and nothing of the machine."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from rulewright import Game, GameError, Ruleset, RulewrightError, load_ruleset
from rulewright.ai import bots
from rulewright.engine.game.saves import open_save
from rulewright.engine.state.faults import RulesFault
from rulewright.source.diagnostics.collector import DiagnosticError
from tests.language.inline import sound

MANIFEST = "{ruleset: test/inline, version: 1.0.0, title: Bids, rounding: truncate, players: 1..4, start: game}"
NUMBERS = """
state:
  player: {type: player, means: Whose turn it is.}
procedures:
  game:
    title: A game
    steps:
      - {id: bid, choose: {who: player, number: {from: 1, to: 5}}}
      - {id: again, choose: {who: player, number: {from: 1, to: 5}}}
      - {id: over, finish: {winners: [player]}}
"""


@pytest.fixture(scope="module")
def bids() -> Ruleset:
    return sound(NUMBERS, manifest=MANIFEST)


@pytest.mark.parametrize(("given", "taken"), [(0, "1"), (1, "2"), (4, "5"), ("1", "1"), ("5", "5"), ("#1", "1")])
def test_a_number_is_an_index_and_a_text_an_id(bids: Ruleset, given: int | str, taken: str) -> None:
    game = Game(bids)
    game.choose(given)
    assert game.record[0].to_data() == ["choose", taken]


def test_an_option_is_taken_whatever_its_id_looks_like(bids: Ruleset) -> None:
    game = Game(bids)
    assert game.decision is not None
    game.choose(game.decision.options[2])
    assert game.record[0].to_data() == ["choose", "3"]


@pytest.mark.parametrize("given", [5, -1])
def test_a_number_beyond_the_options_is_no_id(bids: Ruleset, given: int) -> None:
    """There is an option whose id is 5, and none with the index 5."""
    game = Game(bids)
    with pytest.raises(GameError, match="a number is an index, from 0 to 4") as error:
        game.choose(given)
    assert ('whose id is 5, pass the text "5"' in str(error.value)) == (given == 5)
    assert game.record == ()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"players": "2"}, "is for 1 to 4 players, not '2'; give a whole number such as 1"),
        ({"players": True}, "is for 1 to 4 players, not True; give a whole number"),
        ({"players": 7}, "is for 1 to 4 players, not 7$"),
        ({"options": ["fast"]}, "`options` must be a mapping from settings to choices"),
        ({"options": {1: "fast"}}, "there is no option 1"),
        ({"ruleset": "pig/classic"}, "a game is created with a ruleset from `load_ruleset`, not 'pig/classic'"),
    ],
)
def test_a_game_says_what_it_wants(bids: Ruleset, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=message):
        Game(**{"ruleset": bids, **arguments})


@pytest.mark.parametrize("name", ["random", "mcts:5"])
def test_a_bot_takes_a_game_or_its_state(name: str) -> None:
    ruleset = load_ruleset("classics/kuhn-poker@1.0")
    game = Game(ruleset, seed=4)
    one, other = (bots.make(name, ruleset, seed=1, seat=1) for _ in range(2))
    assert one(game) == other(game.state)
    while game.decision is not None:
        game.choose(one(game))
    for over in (game, game.state):
        with pytest.raises(RulewrightError, match=r"^no decision is pending, so the bot has nothing to choose$"):
            one(over)
    elsewhere = Game(load_ruleset("classics/tic-tac-toe@1.0"))
    with pytest.raises(RulewrightError, match=r"^the game has other rules than classics/kuhn-poker@1\.0\.0, for which"):
        one(elsewhere)


def test_options_of_the_same_value_share_an_id() -> None:
    """The error lists the id once, and the id takes the first of these options, which all do the same."""
    rules = load_ruleset("cookbook/drafting", rules=[Path(__file__).parents[2] / "site/docs/cookbook/drafting"])
    game = Game(rules, players=2, seed=1)
    with pytest.raises(GameError, match=r"the options are: bread, cheese, pie, lemonade$"):
        game.choose("water")
    assert game.decision is not None
    assert [option.id for option in game.decision.options[:3]] == ["bread"] * 3
    states = []
    for option in ("bread", 0, 2):
        again = game.clone()
        again.choose(option)
        states.append(again.to_json())
    assert states[0] == states[1] == states[2]


def test_one_number_of_players_is_no_range() -> None:
    with pytest.raises(GameError, match=r"^Kuhn Poker is for 2 players, not 3$"):
        Game(load_ruleset("classics/kuhn-poker@1.0"), players=3)


def test_an_amount_of_one_is_singular() -> None:
    """The unit of the field is the plural of a term."""
    game = Game(load_ruleset("classics/kuhn-poker@1.0"), seed=4)
    for option in ("bet", "bet"):
        game.choose(option)
    gains = [line for line in game.story() if " gains " in line]
    assert gains[0] == "Player 1 gains 1 chip and now has 1."
    assert gains[-1].startswith("Player 1 gains 4 chips")


def test_a_placeholder_with_blanks_is_singular_too() -> None:
    rules = """
terms: {chip: {name: Chip, plural: Chips, means: Money.}}
kinds: {player: {fields: {bank: {type: count, unit: "{ chip.plural }"}}}}
procedures: {game: {steps: [{id: one, gain: {who: first(players), bank: 1}}]}}
"""
    assert Game(sound(rules, manifest=MANIFEST), seed=1).story()[0] == "Player 1 gains 1 Chip and now has 1."


@pytest.mark.parametrize(("reference", "full"), [("goofspiel", "classics/goofspiel"), ("pig@1.0", "pig/classic")])
def test_half_a_reference_is_completed(reference: str, full: str) -> None:
    with pytest.raises(DiagnosticError, match=f"did you mean `{full}`"):
        load_ruleset(reference)


@pytest.mark.parametrize("reference", [None, 7, Path("pig"), ["pig/classic"]])
def test_a_reference_is_a_text(reference: Any) -> None:
    with pytest.raises(RulewrightError, match=r"a ruleset reference must be a string such as 'game/edition@1.0', not"):
        load_ruleset(reference)


@pytest.mark.parametrize("rules", [7, {"house"}, [1], None])
def test_folders_are_folders(rules: Any) -> None:
    with pytest.raises(RulewrightError, match="`rules` must be a folder or a list of folders, not"):
        load_ruleset("pig/classic", rules=rules)


@pytest.mark.parametrize("kind", [str, Path])
def test_one_folder_needs_no_list(kind: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "house").mkdir()
    monkeypatch.chdir(tmp_path)
    assert load_ruleset("pig/classic@1.0", rules=kind("house")).name == "pig/classic"
    with pytest.raises(RulewrightError, match="the folder `hose` does not exist"):
        load_ruleset("pig/classic@1.0", rules=kind("hose"))


def test_what_players_are_told_names_no_place_of_the_machine(tmp_path: Path, checkout: Path) -> None:
    """A server may pass these messages on: no file of the rules, no folder of the saves."""
    game = Game(load_ruleset("pig/classic@1.0"))
    (tmp_path / "spoilt.json").write_text("{}", encoding="utf-8")
    texts = []
    for wrong in (
        lambda: game.choose("pass"),
        lambda: game.choose(9),
        lambda: Game.load(tmp_path / "spoilt.json", game.ruleset),
        lambda: Game.load(tmp_path / "nowhere.json", game.ruleset),
        lambda: open_save(tmp_path / "spoilt.json"),
        lambda: Game.load_text(game.save_text(), load_ruleset("classics/yacht@1.0")),
    ):
        with pytest.raises(GameError) as error:
            wrong()
        texts.append(str(error.value))
    fault = RulesFault(next(iter(game.ruleset.steps.values())), "there is nothing to choose from")
    texts.append(str(fault))
    for text in texts:
        assert not re.search(r"[/\\]\S*\.(yaml|json)|-->", text), text
        assert str(tmp_path) not in text
        assert str(checkout) not in text
    assert texts[0].startswith("Player 1 cannot choose `pass` at `game.move`")
    assert "roll, hold" in texts[0]
    assert fault.diagnostic is not None
    assert fault.diagnostic.span.file.endswith(".yaml")
