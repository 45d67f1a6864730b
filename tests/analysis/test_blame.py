"""Which figure leaves so little to better play: found where it is known beforehand."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from rulewright import Ruleset, RulewrightError, load_ruleset
from rulewright.analysis.simulation.sensitivity import LARGER, MANY, SMALLER, STEADY, Search, list_changes, search
from rulewright.analysis.simulation.sweep import combine_values, parse_sweep
from rulewright.dice.bounds import compute_mean, compute_variance
from rulewright.dice.parser.notation import parse
from rulewright.ruleset.overlay import with_values
from tests.engine.test_planner import MANIFEST
from tests.language.inline import sound

NOISY = """
kinds: {player: {fields: {score: int, luck: int}}}
numbers:
  noise: {is: 1d9 -5}
  gain: {is: 2}
  waste: {is: 7}
formulas:
  standing: {given: {who: player}, is: who.score}
  best: {is: max(p.score + p.luck for p in players)}
procedures:
  game:
    steps:
      - id: moves
        for_each: one
        in: players
        steps:
          - {id: done, choose: {who: one, from: [nothing, work]}}
          - {id: worked, set: {one.score: one.score + gain}, when: done == work}
          - {id: luck, roll: noise}
          - {id: lucky, set: {one.luck: luck}}
      - {id: end, finish: {winners: "list(p for p in players if p.score + p.luck == best)"}}
"""
"""Who works wins, but for the noise; nothing is ever wasted."""


def searched(ruleset: Ruleset, *bots: str, **more: int) -> Search:
    return [*search(ruleset, *bots, **more)][-1]


def known() -> Fraction:
    """Return the part of decided games that whoever always works wins against somebody who does in half of them."""
    won = lost = 0
    for works, one, other in product((0, 2), range(9), range(9)):
        won += 2 + one > works + other
        lost += 2 + one < works + other
    return Fraction(won, won + lost)


def test_the_dice_are_to_blame_that_drown_what_is_done() -> None:
    search_result = searched(sound(NOISY, manifest=MANIFEST), "greedy", "random", deals=25)
    assert search_result.sure
    assert search_result.as_it_is.played == 25 * MANY
    low, high = search_result.as_it_is.interval
    assert low < known() < high
    figures = [(change.figure, change.does) for change, _ in search_result.to_blame]
    assert figures[0] == ("numbers.noise", STEADY)
    assert {*figures} <= {("numbers.noise", STEADY), ("numbers.noise", SMALLER), ("numbers.gain", LARGER)}
    steady = search_result.to_blame[0][1]
    # Both decide alike in half of the games, and those are drawn.
    assert steady.share == 1
    assert steady.one_seat == 0


def test_games_that_become_too_long_are_left() -> None:
    pig = load_ruleset("pig/classic@1.0")
    search_result = searched(pig, "greedy", "random", deals=1)
    assert search_result.endless
    assert all(change.does != SMALLER or "sides" not in change.figure for change, _ in search_result.left)


def test_it_is_the_same_for_any_number_of_workers() -> None:
    pig = load_ruleset("pig/classic@1.0")
    one, two = (searched(pig, "greedy", "planner:4", deals=2, workers=workers) for workers in (1, 2))
    assert one == two


def test_what_is_known_so_far_is_not_sure() -> None:
    steps = [each.sure for each in search(sound(NOISY, manifest=MANIFEST), "greedy", "random", deals=1)]
    assert steps == [False] * (len(steps) - 1) + [True]


@pytest.mark.parametrize("reference", ["pig/classic@1.0", "fuzzy-knights/normal@1.0", "classics/yacht@1.0"])
def test_every_change_can_be_typed(reference: str) -> None:
    for change in list_changes(load_ruleset(reference)):
        sweep = parse_sweep(change.sweep)
        assert combine_values([sweep]) == [change.values]


@pytest.mark.parametrize("reference", ["pig/classic@1.0", "fuzzy-knights/normal@1.0", "classics/yacht@1.0"])
def test_steady_dice_keep_their_mean(reference: str) -> None:
    """As near as halves go, and every change is one that house rules can write, or that they would be refused for."""
    ruleset = load_ruleset(reference)
    before = {number.id: number.value for number in ruleset.declarations.numbers.values()}
    seen = 0
    for change in list_changes(ruleset):
        name = change.figure.removeprefix("numbers.")
        if change.does == STEADY and name in before:
            (written,) = (text for _, text in change.values)
            assert abs(compute_mean(parse(written)) - compute_mean(before[name])) <= Fraction(1, 4)
            assert compute_variance(parse(written)) <= min(Fraction(1, 4), compute_variance(before[name]))
            assert with_values(ruleset, change.values).declarations.numbers[name].value == parse(written)
            seen += 1
    assert seen or reference == "classics/yacht@1.0"


def test_no_deal_is_refused() -> None:
    with pytest.raises(RulewrightError, match="must be at least 1"):
        searched(sound(NOISY, manifest=MANIFEST), "greedy", "random", deals=0)


def test_a_ladder_names_what_is_to_blame(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And it is silent where every rung wins enough."""
    from rulewright.cli.main import main

    (tmp_path / "noisy").mkdir()
    (tmp_path / "noisy" / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    (tmp_path / "noisy" / "rules.yaml").write_text(NOISY, encoding="utf-8")
    arguments = ["ladder", "test/inline", "--rules", str(tmp_path), "--players", "random,greedy", "--games", "300"]
    assert main([*arguments, "--sensitivity", "30"]) == 0
    output = capsys.readouterr().out
    assert "The number responsible is numbers.noise. With it steady, better play wins often enough." in output
    assert "see it: rulewright simulate test/inline@1.0.0 --players greedy,random --sweep" in output
    assert main(["ladder", "pig/classic", "--players", "random,greedy", "--games", "20", "--sensitivity", "1"]) == 0
    assert "there is no weak step to explain" in capsys.readouterr().out
