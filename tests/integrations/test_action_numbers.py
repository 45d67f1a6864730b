"""Numbers of actions: each means the same option in every game, and options without one are described."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rulewright import Ruleset
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.narration.plain_names import build_option_id
from rulewright.engine.state.faults import RulesFault
from rulewright.integrations.action_numbering import Actions, OutsideRangeError, list_questions
from rulewright.integrations.numeric_game import GameSetting, NumericGame
from rulewright.ir.analyses.option_ranges import NumberRange, ObjectRange, RowRange, SubsetRange, find_option_ranges
from rulewright.language.lowering import find_option_type
from tests.breadth import some, times
from tests.engine.random_rules import MANIFEST, a_game_of, rulesets
from tests.language.inline import checked, sound

_CLASSICS = {
    "connect-four": 7,
    "hex": 121,
    "checkers": 64 + 4,
    "oware": 12,
    "goofspiel": 13,
    "liars-dice": 12 + 13,
    "yacht": 2**5 + 12,
    "tic-tac-toe": 9,
    "backgammon": 7 + 3 * 30,
    "kuhn-poker": 6,
    "leduc-poker": 3,
}
_MANIFEST = MANIFEST.replace("players: 2", "players: 2..3")


def game_of(steps: list[Any], **more: Any) -> Ruleset:
    """Return rules for two or three players with these steps in a loop, each a decision of `player`."""
    for number, step in enumerate(steps):
        step.setdefault("id", f"s{number}")
        if "choose" in step:
            step["choose"].setdefault("who", "player")
    before = more.pop("before", [])
    loop = {"id": "turns", "repeat": {"at_most": 12, "steps": steps}}
    passed = {"id": "passed", "set": {"player": "next(player, players)"}}
    rules = {
        **more,
        "state": {**more.get("state", {}), "player": "player"},
        "procedures": {
            **more.get("procedures", {}),
            "game": {"steps": [*before, {**loop, "repeat": {**loop["repeat"], "steps": [*steps, passed]}}]},
        },
    }
    return sound(yaml.safe_dump(rules, sort_keys=False), manifest=_MANIFEST)


def without_order(label: str) -> str:
    """Return a label with the elements of a subset in alphabetical order."""
    step, _, option = label.partition(": ")
    return f"{step}: {'+'.join(sorted(option.split('+')))}"


def label_all(match: NumericGame) -> list[str]:
    """Return the labels of all options of a decision, whatever their numbers."""
    step = match.state.machine.step(match.state)
    assert step is not None
    return [f"{step.id}: {build_option_id(option, find_option_type(step))}" for option in match.state.options]


def play_games(setting: GameSetting, *, games: int, moves: int = 200) -> dict[int, str]:
    """Play at random, compare the meaning of each number with what it meant before, and return the meanings."""
    meanings: dict[int, str] = {}
    for seed in range(games):
        match, random, dice = setting.start(), Random(seed), Generator(seed, "dice")
        match.roll_on(dice)
        for _ in range(moves):
            if match.player is None:
                break
            places = setting.actions.list_legal(match.state)
            labels = {number: without_order(match.label(number)) for number in places}
            if next(iter(places)) < setting.actions.shared:
                assert len(set(labels.values())) == len(labels), "no two numbers mean the same option"
                every = {without_order(label) for label in label_all(match)}
                assert every == set(labels.values()), "no option is without a number"
                for number, label in labels.items():
                    assert meanings.setdefault(number, label) == label
            match.choose(random.choice(list(places)), dice=dice)
    return meanings


@pytest.mark.parametrize("name", _CLASSICS)
def test_all_options_of_the_classics_have_numbers_of_their_own(name: str) -> None:
    setting = GameSetting.for_ruleset(f"classics/{name}@1.0")
    assert setting.actions.shared == setting.actions.count == _CLASSICS[name]
    meanings = play_games(setting, games=times(6, 60))
    assert len(set(meanings.values())) == len(meanings)
    assert len(meanings) > setting.actions.count / 3


_KNIGHTS = ["fuzzy-knights/normal@1.0", "fuzzy-knights/normal@0.2", "fuzzy-knights/medium@0.1"]


@pytest.mark.parametrize("reference", some(_KNIGHTS, _KNIGHTS[:1]))
def test_options_that_the_rules_do_not_fix_come_after_those_that_they_fix(reference: str) -> None:
    setting = GameSetting.for_ruleset(reference, horizon=150)
    assert setting.actions.count == setting.actions.shared + 512
    meanings = play_games(setting, games=times(4, 20))
    assert len(meanings) > 20


_HOUSES = [
    f"house/{name}"
    for name in ("boots", "fog", "high-keep", "paid-shrine", "turning-anchor", "long-table", "citadel", "hundred-coins")
]


@pytest.mark.parametrize("house", some(_HOUSES, ["house/paid-shrine"]))
def test_numbers_mean_the_same_in_house_rules(house: str, checkout: Path) -> None:
    folders = [checkout / "tests" / "house_rules", checkout / "rules"]
    setting = GameSetting.for_ruleset(house, rules=folders, horizon=80)
    assert play_games(setting, games=times(2, 10))


def test_connect_four_is_seven_columns_in_all_adapters() -> None:
    pytest.importorskip("pettingzoo")
    openspiel = pytest.importorskip("rulewright.integrations.openspiel")
    from gymnasium import spaces

    from rulewright.integrations import gymnasium, pettingzoo

    seven = spaces.Discrete(7)
    env = pettingzoo.env("classics/connect-four@1.0")
    assert env.action_space("player_0") == seven
    assert gymnasium.make_vec("classics/connect-four@1.0", games=2).single_action_space == seven
    assert openspiel.load_game("classics/connect-four@1.0").num_distinct_actions() == 7
    env.reset(seed=1)
    while env.match.player is not None:
        labels = {number: env.match.label(number) for number in env.match.list_legal()}
        assert labels == {number: f"drop: slot-{number + 3}" for number in labels}, "objects 1 and 2 are players"
        full = [slot for slot in range(7) if not env.last()[0]["action_mask"][slot]]
        env.step(min(labels) if len(full) < 3 else max(labels))


_CARDS = {
    "tables": {
        "cards": {
            "rows": {f"{suit}{rank}": {} for suit in ("clubs", "hearts", "spades", "diamonds") for rank in range(1, 14)}
        },
    },
    "decks": {"pack": {"of": "cards"}},
    "kinds": {"player": {"fields": {"hand": "list of cards"}}},
}
_DEAL = {
    "id": "deal",
    "repeat": {
        "at_most": 13,
        "steps": [
            {
                "id": "each",
                "for_each": "one",
                "in": "players",
                "steps": [{"id": "dealt", "draw": "pack"}, {"id": "held", "set": {"one.hand": "one.hand + [dealt]"}}],
            }
        ],
    },
}


def test_cards_and_pairs_of_cards_have_numbers_of_their_own() -> None:
    rules = game_of(
        [
            {"id": "card", "choose": {"one_of": "player.hand"}},
            {"id": "pair", "choose": {"some_of": "player.hand", "at_least": 2, "at_most": 2}},
        ],
        before=[_DEAL],
        **_CARDS,
    )
    setting = GameSetting.for_ruleset(rules)
    # A hand may hold a card twice as far as the analysis can tell, so pairs of equal cards have numbers too.
    assert setting.actions.shared == setting.actions.count == 52 + 52 * 53 // 2
    meanings = play_games(setting, games=8)
    assert len(meanings) > 500


def test_three_of_fifty_two_cards_are_too_many() -> None:
    choose = {"some_of": "player.hand", "at_least": 3, "at_most": 3}
    rules = game_of([{"id": "three", "choose": choose}], before=[_DEAL], **_CARDS)
    setting = GameSetting.for_ruleset(rules, most_options=286)
    assert setting.actions.shared == 0
    assert setting.actions.count == 286


_MANY = {
    "tables": {"board": {"grid": {"columns": 3, "rows": 3}}, "lots": {"columns": {"low": "int"}, "rows": {}}},
    "records": {"move": {"parts": {"from": "board", "to": "optional board", "fast": "bool"}}},
    "kinds": {
        "piece": {"fields": {"at": "board", "steps": {"type": "count", "default": 2}}},
        "mark": {"fields": {"size": "int"}},
    },
    "state": {"total": {"type": "count", "default": 1}},
}
_MANY["tables"]["lots"]["rows"] = {"a": {"low": 2}, "b": {"low": 4}}
_PIECES = {
    "id": "pieces",
    "for_each": "spot",
    "in": "list(b for b in board if b.row == 1)",
    "steps": [{"id": "laid", "create": "piece", "with": {"at": "spot"}}],
}


def every_kind_of_option() -> Ruleset:
    """Return rules with a decision for each kind of range."""
    steps = [
        {"id": "roll", "roll": "1d6"},
        {"id": "truth", "choose": {"one_of": "[true, false]"}},
        {"id": "number", "choose": {"number": {"from": "roll - 1", "to": "roll + 2"}}},
        {"id": "capped", "choose": {"number": {"from": 0, "to": "min(total, 5)"}}},
        {"id": "more", "set": {"total": "total * 2 + number"}},
        {"id": "low", "choose": {"one_of": "list(d.low / 2 for d in lots)", "or_none": True}},
        {"id": "piece", "choose": {"one_of": "pieces"}},
        {"id": "went", "set": {"piece.steps": "roll"}},
        {"id": "steps", "choose": {"one_of": "list(p.steps for p in pieces)"}},
        {
            "id": "move",
            "choose": {"one_of": "list(move(piece.at, b, b.row == 2) for b in board) + [move(piece.at, none, false)]"},
        },
        {"id": "some", "choose": {"some_of": "list(p for p in pieces if p.steps > 1)", "at_least": 0}},
        {"id": "repeated", "choose": {"some_of": "[piece, first(pieces) or piece, piece]", "at_most": 2}},
        {"id": "mark", "create": "mark", "with": {"size": "roll"}},
        {"id": "marked", "choose": {"one_of": "marks"}},
    ]
    return game_of(steps, before=[_PIECES], **_MANY)


def test_every_kind_of_range_is_numbered() -> None:
    rules = every_kind_of_option()
    setting = GameSetting.for_ruleset(rules)
    sizes = {rules.steps[number].id: len(each.numbers) for number, each in setting.actions.fixed.items()}
    assert sizes == {
        "truth": 2,
        "number": 9,  # 0 to 8
        "capped": 6,
        "low": 3,  # 1, 2 and none
        "piece": 3,
        "steps": 6,  # 1 to 6, with the first value 2 among them
        "move": 9 * 10 * 2,
        "some": 2**3,
        "repeated": 1 + 3 + 6,
    }
    meanings = play_games(setting, games=40)
    assert len(meanings) > 60
    # Marks appear while the game runs, so that these options are numbered by their index.
    assert setting.actions.count == setting.actions.shared + 512


def test_the_runtime_numbers_them_alike() -> None:
    """Also with features, and in games of which the set-up creates objects between others."""
    pytest.importorskip("pettingzoo")
    from tests.integrations.side_by_side import play

    play(every_kind_of_option(), games=4, steps=150, seed=5, players=3, most_options=16, option_features=True)
    play("classics/yacht@1.0", games=2, steps=60, seed=1)
    play("classics/backgammon@1.0", games=2, steps=60, seed=1)


def test_objects_that_appear_later_have_no_numbers_of_their_own() -> None:
    create = {"id": "another", "create": "piece", "with": {"at": "c1r1"}}
    setup = {"set_up": {"steps": [_PIECES, {"id": "rolled", "roll": "1d6"}]}}
    later = {"set_up": {"steps": [_PIECES, {"id": "rolled", "roll": "1d6"}, create]}}
    call = {"id": "call", "do": "set_up"}
    ask = {"id": "which", "choose": {"one_of": "pieces"}}
    more = {name: _MANY[name] for name in ("tables", "records", "kinds")}

    def count(before: list[Any], steps: list[Any], procedures: Mapping[str, Any]) -> int:
        return GameSetting.for_ruleset(game_of(steps, before=before, procedures=procedures, **more)).actions.shared

    assert count([call], [dict(ask)], setup) == 3
    assert count([{**call, "when": "any(players)"}], [dict(ask)], setup) == 3
    assert count([call], [dict(ask)], later) == 0
    assert count([_PIECES], [dict(ask), dict(create)], {}) == 0
    assert count([call], [dict(ask), {**call, "id": "again"}], setup) == 0


def test_a_removed_object_leaves_its_number_to_no_other() -> None:
    steps = [
        {"id": "which", "choose": {"one_of": "pieces"}},
        {"id": "gone", "remove": "which", "when": "count(pieces) > 2"},
    ]
    more = {name: _MANY[name] for name in ("tables", "records", "kinds")}
    setting = GameSetting.for_ruleset(game_of(steps, before=[_PIECES], **more))
    match = setting.start()
    assert match.list_legal() == [0, 1, 2]
    match.choose(1)
    assert match.list_legal() == [0, 2]


def test_an_option_outside_of_its_range_is_an_error() -> None:
    """No rules are known for which the analysis is wrong, so one of its answers is forged."""
    setting = GameSetting.for_ruleset("classics/connect-four@1.0")
    (drop,) = setting.actions.fixed
    known = setting.actions.fixed[drop]
    fewer = replace(known, numbers={value: at for value, at in known.numbers.items() if at != 3})
    forged = replace(setting, actions=Actions({drop: fewer}, 7, 7))
    with pytest.raises(
        OutsideRangeError, match=r"option 4 of game\.drop is not among the options that the rules allow"
    ):
        forged.start().list_legal()


def test_the_runtime_reports_an_option_outside_of_its_range() -> None:
    pytest.importorskip("numpy")
    from rulewright.integrations import vector_games

    setting = GameSetting.for_ruleset("classics/connect-four@1.0")
    (drop,) = setting.actions.fixed
    known = setting.actions.fixed[drop]
    fewer = replace(known, options=replace(known.options, values=known.options.values[:3]))
    forged = replace(setting, actions=Actions({drop: fewer}, 7, 7))
    with pytest.raises(OutsideRangeError, match=r"option 4 of game\.drop is not among"):
        vector_games.Batch(forged, 2).reset(1)


@settings(max_examples=times(10, 400), deadline=None)
@given(rulesets(), st.integers(0, 2**16))
def test_no_option_of_random_rules_is_outside_of_its_range(source: str, seed: int) -> None:
    ruleset, diagnostics = checked(a_game_of(source), manifest=MANIFEST, shapes=False)
    assume(ruleset is not None and not diagnostics.errors)
    assert ruleset is not None
    try:
        setting = GameSetting.for_ruleset(ruleset, horizon=60, most_options=100_000)
    except RulesFault:
        return
    for game in range(3):
        random, dice = Random(seed + game), Generator(seed + game, "dice")
        match = setting.start()
        try:
            match.roll_on(dice)
            while match.player is not None:
                match.choose(random.choice(match.list_legal()), dice=dice)
        except RulesFault:
            continue


def test_ranges_are_those_of_the_rules() -> None:
    rules = every_kind_of_option()
    ranges = {rules.steps[number].id: found for number, found in find_option_ranges(rules).items()}
    assert ranges["number"] == NumberRange(0, 8)
    assert ranges["piece"] == ObjectRange("piece")
    assert ranges["some"] == SubsetRange(ObjectRange("piece"), 0, None, repeats=False)
    assert ranges["repeated"] == SubsetRange(ObjectRange("piece"), 0, 2, repeats=True)
    cards = game_of([{"id": "card", "choose": {"one_of": "player.hand"}}], before=[_DEAL], **_CARDS)
    assert list(find_option_ranges(cards).values()) == [RowRange("cards")]
    assert {step.number for step in list_questions(rules)} == set(find_option_ranges(rules))


def test_subsets_are_numbered_in_the_order_of_the_combinatorial_number_system() -> None:
    """The runtime computes these numbers, so their order is part of what both implement."""
    setting = GameSetting.for_ruleset("classics/yacht@1.0")
    known = next(each for each in setting.actions.fixed.values() if each.order is not None)
    dice = list(known.order or ())
    expected = [
        tuple(dice[place] for place in each)
        for size in range(6)
        for each in sorted(combinations(range(5), size), key=lambda own: sum(2**place for place in own))
    ]
    assert list(known.numbers) == expected
    assert known.find(tuple(reversed(expected[-1]))) == known.first + 31
    assert known.find((dice[0], 10**6)) is None


def test_records_are_numbered_by_their_parts_in_order() -> None:
    rules = every_kind_of_option()
    setting = GameSetting.for_ruleset(rules)
    known = next(each for number, each in setting.actions.fixed.items() if rules.steps[number].id == "move")
    board = list(rules.declarations.tables["board"].rows)
    assert list(known.numbers) == list(product(board, [*board, None], [False, True]))


# -- features ----------------------------------------------------------------------------------------


def test_features_describe_options_without_numbers() -> None:
    rules = every_kind_of_option()
    setting = GameSetting.for_ruleset(rules, option_features=True)
    features = setting.features
    assert features is not None
    assert (features.rows, features.width) == (512, 2), "a mark is its index and its size"
    match, dice = setting.start(), Generator(1, "dice")
    match.roll_on(dice)
    seen = 0
    while match.player is not None:
        described = features.encode(match.state)
        if match.list_legal()[0] >= setting.actions.shared:
            sizes = [match.state.objects[mark][1] for mark in match.state.options]
            assert described == [[float(place), float(size)] for place, size in enumerate(sizes, start=1)]
            seen += len(described) > 1
        else:
            assert described == []
        match.choose(match.list_legal()[-1], dice=dice)
    assert seen > 2


def test_features_hide_what_the_deciding_player_may_not_see() -> None:
    mark = {"id": "mark", "create": "mark", "with": {"size": 9, "owner": "next(player, players)"}}
    fields = {"owner": "player", "size": {"type": "int", "seen_by": "self.owner"}}
    ask = {"id": "which", "choose": {"one_of": "marks"}}
    rules = game_of([mark, ask], kinds={"mark": {"fields": fields}})
    setting = GameSetting.for_ruleset(rules, players=2, option_features=True)
    assert setting.features is not None
    match = setting.start()
    # The single mark of the first turn is chosen without a question.
    assert match.player == 1
    described = [each[:3] for each in setting.features.encode(match.state)]
    assert described == [[1.0, 1.0, 9.0], [2.0, 2.0, 0.0]]


def test_features_are_in_the_observations_of_adapters() -> None:
    pytest.importorskip("pettingzoo")
    pytest.importorskip("pyspiel")
    import numpy as np

    from rulewright.integrations import gymnasium, openspiel, pettingzoo

    reference, options = "fuzzy-knights/normal@1.0", {"max_days": "hundred"}
    env = pettingzoo.env(reference, options=options, most_options=40, option_features=True)
    envs = gymnasium.make_vec(reference, games=1, options=options, most_options=40, option_features=True)
    env.reset(seed=3)
    observations, infos = envs.reset(seed=3)
    space, shown = envs.single_observation_space, 0
    for _ in range(120):
        seen = env.last()[0]
        assert env.observation_space(env.agent_selection).contains(seen)
        np.testing.assert_array_equal(observations["option_features"][0], seen["option_features"])
        shown += bool(seen["option_features"].any())
        action = int(seen["action_mask"].argmax())
        env.step(action)
        observations, _, _, _, infos = envs.step(np.array([action]))
    assert shown > 3
    assert infos["player"].shape == (1,)
    assert space["option_features"].shape == (40, envs.batch.setting.features.width)
    game = openspiel.load_game(reference, options=options, most_options=40, option_features=True)
    observer = game.make_py_observer()
    state = game.new_initial_state()
    random = Random(1)
    told = 0
    while told < 3:
        action = random.choice(state.legal_actions())
        if not state.is_chance_node():
            observer.set_from(state, state.current_player())
            told += bool(observer.dict["option_features"].any()) == (action >= game.setting.actions.shared)
        state.apply_action(action)


def test_games_without_such_options_have_no_features() -> None:
    pytest.importorskip("pettingzoo")
    from rulewright.integrations import pettingzoo

    env = pettingzoo.env("classics/connect-four@1.0", option_features=True)
    assert env.setting.features is None
    assert set(env.observation_space("player_0")) == {"observation", "action_mask"}
