"""Every figure of fuzzy-knights/medium@0.1, written down a second time by hand from the source, and its odds."""

from __future__ import annotations

import pytest

from rulewright import Ruleset, load_ruleset
from tests.rules.figures import column, deck_shares, dice_shares, faces, number, numbered


@pytest.fixture(scope="module")
def medium() -> Ruleset:
    return load_ruleset("fuzzy-knights/medium@0.1")


FACES = {
    "guardian_check": {"capture": "10-80", "fight": "90-100"},
    "cache_size": {"small": "10-70", "large": "80-100"},
    "item_types": {"main_hand": "10-20", "off_hand": "30-60", "amulet": "70-100"},
    "rarity_check": {"failure": "10-70", "success": "80-100"},
    "token_chance": {"nothing": "10-50", "token": "60-100"},
    "token_type": {"resource": "1-2", "item": "3-3", "monster": "4-4"},
    "tie_break": {"rejected": "10-50", "carried": "60-100"},
    "coin_toss": {"rejected": "1-1", "carried": "2-2"},
    "monster_interaction": {"hard_fight": "10-10", "fight": "20-70", "bribe": "80-90", "defect": "100-100"},
}

COLUMNS = {
    ("token_sorts", "each"): [3, 4, 4, 3],
    ("guardian_quantity", "roll"): ["1d6", "1d6 +2", "2d6 +3", "3d6 +4"],
    ("cache_reward", "coins"): ["1d6 +1", "2d6 +2"],
    ("main_hand_rarity", "roll"): ["1d6 +2", "1d6 +3", "2d6 +3", "3d6 +3", "4d6 +5"],
    ("off_hand_rarity", "roll"): ["1d6", "1d6 +1", "2d6", "2d6 +3", "3d6 +5"],
    ("amulet_rarity", "roll"): ["1d6", "1d6 +1", "1d6 +2", "2d6", "2d6 +3"],
    ("monster_interaction", "quantity"): ["4d6", "2d6", "2d6", "1d6 +3"],
    ("settlement_tiers", "cost"): [5, 10, 15, 25],
    ("settlement_tiers", "income"): [1, 2, 4, 6],
    ("settlement_tiers", "needs"): [None, "encampment", "villa", "estate"],
    ("ramparts", "cost"): [5, 15],
    ("ramparts", "needs"): [None, "palisade"],
    ("ramparts", "tier"): [None, "castle"],
}

NUMBERS = {
    "mine_capture_reward": 1,
    "mine_income": 1,
    "hero_cost": 5,
    "hero_upkeep": 1,
    "mercenary_cost": 2,
    "starting_coins": 5,
    "anchor_roll": "1d6",
    "tile_cost": 1,
    "pickup_cost": 1,
    "day_limit": 100,
    "bribe_cost": 3,
    "monsters_per_coin": 2,
    "hero_movement": "1d10 +10",
    "engagement_cost": 1,
    "fainting_share": 2,
    "city_base_roll": "3d3 +9",
    "city_income": 2,
    "mercenary_camp_cost": 5,
    "first_token_day": 2,
    "siege_roll": 15,
    "siege_rest": 15,
    "most_squads": 5,
    "most_mercenary_squads": 3,
    "monster_squads": 2,
    "hero_base_roll": "2d6 +6",
    "mercenary_base_roll": "1d6",
}


@pytest.mark.parametrize("table", FACES)
def test_faces(medium: Ruleset, table: str) -> None:
    assert faces(medium, table) == FACES[table]


@pytest.mark.parametrize(("table", "name"), COLUMNS)
def test_columns(medium: Ruleset, table: str, name: str) -> None:
    assert column(medium, table, name) == COLUMNS[table, name]


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers(medium: Ruleset, name: str) -> None:
    assert number(medium, name) == NUMBERS[name]


def test_the_deck_has_the_proportions_of_the_type_table(medium: Ruleset) -> None:
    assert len(medium.declarations.decks["item_deck"].cards) == 20
    assert deck_shares(medium) == dice_shares(medium, "item_types")


def test_settings_start_as_ruled(medium: Ruleset) -> None:
    defaults = {option.id: option.default for option in medium.declarations.options.values()}
    assert defaults == {
        "items": "cards",
        "rolls": "individual",
        "attacker": "engager",
        "placement": "random",
        "max_days": "unlimited",
        "alliances": "free",
        "votes": "open",
        "councils": "open",
        "finds": "may",
        "sieges": "all",
        "foundings": "all",
        "ties": "die",
    }
    assert medium.declarations.options["items"].may_change == "vote"
    assert medium.declarations.rounding == "truncate"


def test_rulings_are_there_with_reasons(medium: Ruleset) -> None:
    assert numbered(medium) == {1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14}
    for ruling in medium.rulings.values():
        assert all((ruling.question, ruling.source, ruling.ruling, ruling.because)), ruling.id


def test_words(medium: Ruleset) -> None:
    terms = medium.declarations.terms
    assert (terms["settlement"].name, terms["settlement"].plural) == ("city", "cities")
    assert (terms["armory"].name, terms["coin"].name, terms["coin"].icon) == ("armory", "resource", "💰")
    assert terms["kings_purse"].name == "king's purse"
    titles = {row.id: row.title for row in medium.declarations.tables["ramparts"].rows.values()}
    assert titles == {"palisade": "Ramparts", "fortifications": "Fortifications"}


def test_no_tier_and_no_ramparts_add_to_a_roll(medium: Ruleset) -> None:
    assert list(medium.declarations.tables["settlement_tiers"].columns) == ["cost", "income", "needs"]
    assert list(medium.declarations.tables["ramparts"].columns) == ["cost", "needs", "tier"]
    assert "most_heroes" not in medium.declarations.numbers
