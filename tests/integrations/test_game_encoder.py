"""Agents in a `Game`: what they observe and which option they take are as in the environments they have learned in."""

from __future__ import annotations

from random import Random

import pytest

from rulewright import Game, GameError, load_ruleset
from rulewright.engine.game.record import ChanceEntry
from rulewright.integrations.game_encoder import GameEncoder
from rulewright.integrations.numeric_game import GameSetting


@pytest.mark.parametrize(
    "reference", ["classics/kuhn-poker@1.0", "classics/dominoes@1.0", "classics/yacht@1.0", "fuzzy-knights/normal@1.0"]
)
def test_a_game_has_the_numbers_of_an_environment(reference: str) -> None:
    setting = GameSetting.for_ruleset(reference)
    encoder, chooser = GameEncoder(setting), Random(2)
    game, other = Game(setting.ruleset, seed=5, stop_at_chance=True), setting.start()
    for _ in range(60):
        if game.chance is not None:
            game.roll()
            entry = game.record[-1]
            assert isinstance(entry, ChanceEntry)
            other.come_up(entry.value)
            continue
        if game.decision is None:
            break
        for seat in range(1, game.players + 1):
            assert encoder.observe(game, seat) == setting.eyes.encode(other.state, seat - 1)
        options = encoder.list_options(game)
        assert list(options) == other.list_legal()
        assert all(encoder.find_action(game, option) == number for number, option in options.items())
        number = chooser.choice(list(options))
        assert other.label(number).endswith(f": {options[number].id}")
        game.choose(options[number])
        other.choose(number)
    assert len(game.record) > 3


def test_a_game_describes_its_options_as_an_environment() -> None:
    setting = GameSetting.for_ruleset("fuzzy-knights/normal@1.0", option_features=True)
    encoder, chooser = GameEncoder(setting), Random(2)
    game, seen = Game(setting.ruleset, seed=5), 0
    assert setting.features is not None
    for _ in range(60):
        if game.decision is None:
            break
        rows = encoder.describe_options(game)
        assert rows == setting.features.encode(game.state)
        seen += any(map(any, rows))
        game.choose(chooser.choice(game.decision.options))
    assert seen
    plain = GameEncoder(GameSetting.for_ruleset("fuzzy-knights/normal@1.0"))
    assert plain.describe_options(Game(setting.ruleset, seed=5)) == []


def test_every_order_of_a_selection_has_its_number() -> None:
    rules = load_ruleset("classics/yacht@1.0")
    game, encoder = Game(rules, seed=5), GameEncoder(GameSetting.for_ruleset(rules))
    assert game.decision is not None
    numbers = {encoder.find_action(game, option) for option in game.decision.options}
    assert numbers == set(encoder.list_options(game))


def test_a_game_with_another_setting_is_refused() -> None:
    rules = load_ruleset("pig/classic@1.0")
    encoder = GameEncoder(GameSetting.for_ruleset(rules, players=3))
    for game in (Game(rules), Game(load_ruleset("classics/oware@1.0"))):
        with pytest.raises(GameError, match=r"rules, players or settings than pig/classic@1\.0\.0 with 3 players"):
            encoder.list_options(game)
    with pytest.raises(GameError, match="`seat` must be from 1 to 3, not 0"):
        encoder.observe(Game(rules, players=3), 0)
