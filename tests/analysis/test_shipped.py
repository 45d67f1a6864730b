"""The odds of what is shipped: by hand where that can be, and against many sampled runs of the compiled machine."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from math import sqrt
from random import Random
from typing import Any

import pytest

from rulewright import Ruleset, load_ruleset
from rulewright.analysis.odds import procedure_odds as module
from rulewright.analysis.odds.procedure_odds import ProcedureOdds, ProcedureSetting, compute_procedure_odds
from rulewright.cli.main import main
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.python_backend.compiler import PythonMachine
from rulewright.engine.state.game_state import DECISION, State
from rulewright.language.declarations import PLAYER_KIND
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.testing.starting_position import PositionBuilder
from tests.analysis.enumerator import given_node
from tests.breadth import some, times

NORMAL, MEDIUM, PIG = "fuzzy-knights/normal@1.0", "fuzzy-knights/medium@0.1", "pig/classic@1.0"
RUNS = times(1000, 2000)
"""Enough for the statistic to notice a loaded die; more of them notice a smaller bias."""

Pick = Callable[[State, Random, Ruleset], int]


@cache
def loaded(reference: str) -> Ruleset:
    return load_ruleset(reference)


def odds(reference: str, procedure: str, *text: str, given: str = "", **settings: Any) -> ProcedureOdds:
    return compute_procedure_odds(
        loaded(reference), procedure, text, setting=ProcedureSetting(given=given_node(given), **settings)
    )


def chances(reference: str, procedure: str, text: str, **settings: Any) -> dict[str, Fraction]:
    distribution = odds(reference, procedure, text, **settings)
    assert distribution.exact
    return dict(distribution.answers[0].chances)


# -- by hand ----------------------------------------------------------------------------------------


def percent(**rows: str) -> dict[str, Fraction]:
    return {row: Fraction(chance) / 100 for row, chance in rows.items()}


@pytest.mark.parametrize("reference", [NORMAL, MEDIUM])
def test_rarity(reference: str) -> None:
    expected = percent(common="70", uncommon="21", rare="6.3", epic="1.89", legendary="0.81")
    assert chances(reference, "determine_rarity", "rarity") == expected
    assert chances(reference, "visit_item", "card_rarity.rarity") == expected
    assert chances(reference, "visit_item", "rolled_rarity.rarity", options={"items": "dice_only"}) == expected


def test_item_types() -> None:
    assert chances(NORMAL, "visit_item", "rolled_type", options={"items": "dice_only"}) == percent(
        main_hand="40", off_hand="40", amulet="20"
    )
    # The deck holds the types in the same proportions.
    assert chances(NORMAL, "visit_item", "card.type") == percent(main_hand="40", off_hand="40", amulet="20")
    assert chances(MEDIUM, "visit_item", "rolled_type", options={"items": "dice_only"}) == percent(
        main_hand="20", off_hand="40", amulet="40"
    )


def test_caches() -> None:
    one = {n: Fraction(1, 6) for n in range(1, 7)}
    two = Counter(a + b for a in range(1, 7) for b in range(1, 7))
    expected = {str(n): Fraction(7, 10) * one.get(n, 0) + Fraction(3, 10) * Fraction(two[n], 36) for n in range(1, 13)}
    assert chances(NORMAL, "visit_resource", "coin") == expected
    assert chances(NORMAL, "visit_resource", "hero.owner.coin") == expected


@pytest.mark.parametrize(
    ("tier", "dice", "bonus"), [("encampment", 1, 0), ("villa", 1, 2), ("estate", 2, 3), ("castle", 3, 4)]
)
def test_guardians_by_tier(tier: str, dice: int, bonus: int) -> None:
    totals = Counter({0: 1})
    for _ in range(dice):
        totals = Counter({n + face: 0 for n in totals for face in range(1, 7)}) + Counter(
            n + face for n, many in totals.items() for face in range(1, 7) for _ in range(many)
        )
    expected = {str(n + bonus): Fraction(3 * many, 10 * 6**dice) for n, many in totals.items()}
    probabilities = chances(NORMAL, "visit_mine", "guardians", given=f"settlements: [{{tier: {tier}}}]")
    assert probabilities == {"none": Fraction(7, 10)} | expected


def test_daily_token_placement() -> None:
    probabilities = chances(NORMAL, "roll_for_token", "find")
    assert probabilities == percent(none="50", resource="20", monster="20", item="10")
    probabilities = chances(MEDIUM, "roll_for_token", "find")
    assert probabilities == percent(none="50", resource="25", monster="12.5", item="12.5")


# -- against sampled runs ------------------------------------------------------------------------------


def at_random(state: State, random: Random, ruleset: Ruleset) -> int:
    return random.randrange(len(state.options))


def strike_with(choice: Callable[[Sequence[int]], int]) -> Pick:
    def pick(state: State, random: Random, ruleset: Ruleset) -> int:
        if ruleset.steps[state.frame[0]].id == "strike":
            sizes = [len(option) for option in state.options]
            return sizes.index(choice(sizes))
        return at_random(state, random, ruleset)

    return pick


def greatest(state: State, random: Random, ruleset: Ruleset) -> int:
    """Return the greatest number or the longest list; of anything else, the first."""
    options = state.options
    if ruleset.steps[state.frame[0]].id in ("strike", "size", "welcomed", "bribed"):
        return options.index(max(options, key=lambda option: option if isinstance(option, int) else len(option)))
    return 0


def simulated(
    ruleset: Ruleset, procedure: str, given: str, read: Callable[[State], Any], pick: Pick, runs: int = RUNS
) -> Counter[str]:
    """Return how often each answer came in so many runs."""
    machine = PythonMachine(ruleset, sampling=True)
    diagnostics = Diagnostics()
    start, arguments = PositionBuilder(machine, given_node(given), diagnostics).set_up(
        procedure, None, {}, ruleset.procedures[procedure].span
    )
    diagnostics.raise_if_errors()
    random = Random(procedure + given)
    counts: Counter[str] = Counter()
    start.generator = Generator(procedure + given, "test")
    for _ in range(runs):
        state = start.clone()
        state.generator = start.generator
        machine.begin(state, procedure, arguments)
        while state.mode == DECISION:
            state.apply(pick(state, random, ruleset))
        counts[format_value(read(state))] += 1
    return counts


def format_value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def deviation(expected: dict[str, Fraction], counts: Counter[str]) -> float:
    """Return how many standard deviations Pearson's chi-square lies above what it should be.

    Source: Wilson and Hilferty, "The distribution of chi-square", PNAS 17 (1931). Rare answers are counted as one.
    """
    runs = counts.total()
    assert set(counts) <= set(expected)
    often = {key: float(chance) * runs for key, chance in expected.items() if float(chance) * runs >= 5}
    cells = [(counts[key], expected) for key, expected in often.items()]
    rest = runs - sum(often.values())
    if rest > 1e-9:
        cells.append((runs - sum(counts[key] for key in often), max(rest, 5.0)))
    freedom = len(cells) - 1
    if freedom == 0:
        return 0.0
    statistic = sum((came - expected) ** 2 / expected for came, expected in cells)
    scale = 2 / (9 * freedom)
    return float(((statistic / freedom) ** (1 / 3) - (1 - scale)) / sqrt(scale))


def test_the_statistic_notices_a_loaded_die() -> None:
    fair = {str(face): Fraction(1, 6) for face in range(1, 7)}
    random = Random(1)
    assert abs(deviation(fair, Counter(str(random.randint(1, 6)) for _ in range(RUNS)))) < 4
    assert deviation(fair, Counter(str(max(1, random.randint(0, 6))) for _ in range(RUNS))) > 4


def coins(state: State) -> int:
    place = state.machine.layout.places[PLAYER_KIND, "coin"]
    value: int = state.objects[1][place]
    return value


def given_back(place: int) -> Callable[[State], Any]:
    return lambda state: state.given[place]


def alive(kind: str) -> Callable[[State], int]:
    return lambda state: len(state.live[state.machine.layout.kinds[kind]])


def held(kind: str, field: str) -> Callable[[State], Any]:
    """Return a field of the first object of a kind."""

    def read(state: State) -> Any:
        layout = state.machine.layout
        entity = state.objects[state.live[layout.kinds[kind]][0]]
        assert entity is not None
        return entity[layout.places[kind, field]]

    return read


def token(state: State) -> int:
    """Return which token has come, if any: 1, 2, 4, or 0."""
    return alive("resource")(state) + 2 * alive("monster")(state) + 4 * alive("item_token")(state)


def owned(state: State) -> bool:
    return held("mine", "owner")(state) is not None


def joined(state: State) -> int:
    """Return the mercenaries of all who are still there."""
    layout = state.machine.layout
    heroes = [state.objects[number] for number in state.live[layout.kinds["hero"]]]
    return sum(hero[layout.places["hero", "mercenaries"]] for hero in heroes if hero is not None)


MINE = "any(m.owner for m in mines)"
JOINED = "sum(h.mercenaries for h in heroes)"
TOKEN = "count(resources) + 2 * count(monsters) + 4 * count(item_tokens)"
ARMED = "{mercenaries: 4}"
HERO_WITH_ITEM = """
heroes: [{}]
items: [{type: main_hand, rarity: epic, bearer: heroes.1, worn: true}, {type: amulet, rarity: common, bearer: heroes.1}]
attacker: {player: 1, heroes: [heroes.1], units: 5}
defender: {units: 14}
"""
SIEGE = """
players: [{}, {}]
settlements: [{owner: 2, tier: estate, ramparts: palisade}]
attacker: {player: 1, heroes: [{}], units: 9}
defender: {player: 2, settlement: settlements.1, units: 2}
"""
CASES: list[tuple[str, str, str, str, Callable[[State], Any], list[str], Pick]] = [
    ("visit_resource", "", "coin", "coin", coins, [], at_random),
    ("visit_item", "", "first(i.rarity for i in items)", "rarity", held("item", "rarity"), [], at_random),
    ("visit_item", "", "first(i.type for i in items)", "item type", held("item", "type"), [], at_random),
    ("determine_rarity", "", "rarity", "rarity alone", given_back(0), [], at_random),
    *(
        ("visit_mine", f"settlements: [{{tier: {tier}}}]\nhero: {ARMED}", "coin", tier, coins, [], at_random)
        for tier in ("encampment", "castle")
    ),
    *(
        ("visit_mine", f"settlements: [{{tier: {tier}}}]\nhero: {ARMED}", MINE, f"{tier}, taken", owned, [], at_random)
        for tier in ("villa", "estate")
    ),
    ("visit_monsters", f"tokens: [{{}}]\nhero: {ARMED}", "coin", "one token", coins, [], at_random),
    (
        "visit_monsters",
        "tokens: [{}, {}]\nhero: {}",
        "count(monsters)",
        "two tokens",
        alive("monster"),
        ["most"],
        greatest,
    ),
    ("battle", HERO_WITH_ITEM, "won", "items, random", given_back(0), [], at_random),
    ("battle", HERO_WITH_ITEM, "won", "items, most", given_back(0), ["strike=most"], strike_with(max)),
    ("battle", SIEGE, "won", "siege, least", given_back(0), ["strike=least"], strike_with(min)),
    ("battle", SIEGE, "count(squads)", "siege, random", alive("squad"), [], at_random),
    ("visit_monsters", "tokens: [{}]\nhero: {}", JOINED, "mercenaries", joined, ["most"], greatest),
    ("roll_for_token", "", TOKEN, "tokens", token, [], at_random),
]


FEW = [
    *("coin", "rarity", "item type", "encampment", "villa, taken", "two tokens", "items, most", "siege, least"),
    *("mercenaries", "tokens"),
]
SAMPLED = some(CASES, [case for case in CASES if case[3] in FEW])
"""Every procedure, with the ways to choose that fit it. Other tiers, and more chances, are the same steps at length."""


@pytest.mark.parametrize(
    ("procedure", "given", "asked", "read", "policies", "pick"),
    [(p, g, a, r, policies, k) for p, g, a, _, r, policies, k in SAMPLED],
    ids=[f"{case[0]}: {case[3]}" for case in SAMPLED],
)
def test_sampled_runs_agree(
    procedure: str, given: str, asked: str, read: Callable[[State], Any], policies: list[str], pick: Pick
) -> None:
    expected = chances(NORMAL, procedure, asked, given=given, policies=policies)
    assert sum(expected.values()) == 1
    assert abs(deviation(expected, simulated(loaded(NORMAL), procedure, given, read, pick))) < 4.5


def test_pig_as_it_is_played() -> None:
    """Its pot has no bound, so that its odds are sampled: the interval holds what other runs come to."""
    given = "players: [{score: 90}, {score: 80}]"
    odds = compute_procedure_odds(
        loaded(PIG), "game", ["winners"], setting=ProcedureSetting(given=given_node(given)), most=2000
    )
    assert not odds.exact
    low, high = odds.answers[0].get_interval("Player 1") or (0.0, 0.0)
    assert high - low <= 0.02
    counts = simulated(loaded(PIG), "game", given, lambda state: state.winners == (1,), at_random, runs=6000)
    share = counts["yes"] / counts.total()
    assert low - 0.025 < share < high + 0.025


def test_the_same_seed_draws_the_same_sample() -> None:
    setting = ProcedureSetting(given=given_node("players: [{score: 90}, {score: 80}]"))
    pig = loaded(PIG)
    one, same, other = (
        compute_procedure_odds(pig, "game", ["winners"], setting=setting, most=50, precision=0.1, seed=seed)
        .answers[0]
        .chances
        for seed in (1, 1, 2)
    )
    assert one == same
    assert one != other


def test_a_sample_that_is_cut_short_is_none_too_precise(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["odds", "pig/classic@1.0", "game", "winners", "--most", "50", "--precision", "0.1"]
    assert main(arguments) == 0
    assert "stopped early" not in capsys.readouterr().out
    monkeypatch.setattr(module, "MOST_STOPS", 1_000)
    assert main(arguments) == 0
    assert re.search(r"stopped early: an interval is 0\.\d+ wide, but 0\.1 was requested", capsys.readouterr().out)
    assert main([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["precise"] is False


def test_options_of_the_game_are_those_that_are_asked_for() -> None:
    """`representative` rolls spread wider, so that five against nine is won more often by luck."""
    given = "attacker: {player: 1, units: 5}\ndefender: {units: 9}"
    names = {name for name in loaded(NORMAL).declarations.options if "roll" in name}
    for name in names:
        found = [
            chances(NORMAL, "battle", "won", given=given, options={name: choice}, policies=["least"])
            for choice in loaded(NORMAL).declarations.options[name].choices
        ]
        assert found[0] != found[1]
    assert names
