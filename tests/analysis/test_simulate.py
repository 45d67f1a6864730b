"""Simulations: the same counts however they are played, and figures that agree with what is known."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright import Game, Ruleset, RulewrightError, load_ruleset
from rulewright.analysis.simulation import shard as playing
from rulewright.analysis.simulation.game_counts import Counts
from rulewright.analysis.simulation.run_simulation import simulate
from rulewright.analysis.simulation.shard import Shard, play, play_games, seat_policies
from rulewright.base.confidence_intervals import Z, compute_wilson_interval
from rulewright.cli.main import main


@pytest.fixture(scope="module")
def pig() -> Ruleset:
    return load_ruleset("pig/classic@1.0")


@pytest.mark.parametrize(
    ("policies", "games", "coverage"),
    [(["greedy", "random"], 150, True), (["greedy", "random"], 3_000, False), (["random"] * 2, 30_000, False)],
)
def test_counts_are_the_same_for_any_number_of_workers(
    pig: Ruleset, policies: list[str], games: int, coverage: bool
) -> None:
    settings = {"games": games, "policies": policies, "seed": 5, "coverage": coverage}
    alone = simulate(pig, **settings).to_plain()  # type: ignore[arg-type]
    assert simulate(pig, workers=2, **settings).to_plain() == alone  # type: ignore[arg-type]
    assert simulate(pig, **settings) == simulate(pig, **settings)  # type: ignore[arg-type]
    assert simulate(pig, **settings) != simulate(pig, **{**settings, "seed": "other"})  # type: ignore[arg-type]
    with ThreadPoolExecutor(3) as threads:
        assert simulate(pig, executor=threads, **settings).to_plain() == alone  # type: ignore[arg-type]


def test_shards_add_up_in_any_order(pig: Ruleset) -> None:
    shards = [
        Shard(pig.reference, pig.digest_of_counts, (), ("random",) * 3, (), "s", n, n + 7) for n in range(0, 35, 7)
    ]
    whole = simulate(pig, games=35, policies=["random"] * 3, seed="s").to_plain()
    Random(1).shuffle(shards)
    total = Counts(3, {"random": 0})
    for shard in shards:
        total += play_games(pig, shard).counts
    assert total.to_plain() == whole


def test_counts_are_the_same_read_back_from_json(pig: Ruleset) -> None:
    counts = simulate(pig, games=40, policies=["greedy", "random"], coverage=True)
    assert Counts.from_json(json.loads(json.dumps(counts.to_json()))).to_plain() == counts.to_plain()


def test_another_seed_gives_other_games(pig: Ruleset) -> None:
    assert simulate(pig, games=50, seed=1).to_plain() != simulate(pig, games=50, seed=2).to_plain()


def test_a_game_of_a_simulation_is_the_game_its_seed_gives(pig: Ruleset) -> None:
    """Sampling on the spot rolls the same dice as a game that stops at every chance."""
    counts = simulate(pig, games=1, policies=["random", "random"], seed="x")
    from rulewright.ai import bots

    game = Game(pig, players=2, seed="x/0")
    policies = [bots.make("random", pig, seed="x/0", seat=seat) for seat in (1, 2)]
    decisions = 0
    while (decision := game.decision) is not None:
        game.choose(policies[decision.player - 1](game.state))
        decisions += 1
    assert counts.decisions == decisions
    assert game.result is not None
    assert counts.wins_by_seat[game.result.winners[0] - 1] == 1


def test_everybody_sits_everywhere() -> None:
    assert [seat_policies("abc", number) for number in range(4)] == [
        ("a", "b", "c"),
        ("b", "c", "a"),
        ("c", "a", "b"),
        ("a", "b", "c"),
    ]


def test_looking_ahead_beats_chance(pig: Ruleset) -> None:
    counts = simulate(pig, games=200, policies=["greedy", "random"], seed=1)
    assert counts.wins_by_policy["greedy"] >= 190


def test_a_worker_with_other_rules_refuses(pig: Ruleset) -> None:
    with pytest.raises(RulewrightError, match="other rules or measures"):
        play(Shard(pig.reference, "0" * 16, (), ("random", "random"), (), "0", 0, 1))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"policies": ["random"]}, "2 to 10 players, not 1"),
        ({"policies": ["random", "gredy"]}, "did you mean `greedy`"),
        ({"policies": ["random", "greedy:9"]}, "takes no setting"),
        ({"games": 0}, "at least one game"),
        ({"options": {"pace": "slow"}}, "no option pace"),
    ],
)
def test_settings_that_do_not_fit_are_refused(pig: Ruleset, settings: dict[str, object], message: str) -> None:
    with pytest.raises(RulewrightError, match=message):
        simulate(pig, **settings)  # type: ignore[arg-type]


@given(trials=st.integers(1, 500), data=st.data())
def test_the_interval_is_where_the_score_test_does_not_refuse(trials: int, data: st.DataObject) -> None:
    """The Wilson interval's ends solve |p̂ - p| = z √(p (1 - p) / n), by definition."""
    successes = data.draw(st.integers(0, trials))
    low, high = compute_wilson_interval(successes, trials)
    share = float(Fraction(successes, trials))
    assert 0 <= low <= share <= high <= 1
    for end in (low, high):
        if 0 < end < 1:
            assert abs(abs(share - end) - Z * (end * (1 - end) / trials) ** 0.5) < 1e-9


def test_coverage_names_what_never_fired(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "pig/classic", "--games", "20", "--coverage", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["never_fired"] == []
    assert data["steps"]["game.victory"] == 20 == data["games"]
    assert {"ruleset", "games", "seconds", "games_per_second", "draws", "wins", "measures"} <= set(data)


@pytest.mark.parametrize("coverage", [False, True])
def test_games_in_one_go_count_alike(pig: Ruleset, coverage: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random bots play fused programs; asked as any other bot is, they come to the same counts."""
    in_one_go = simulate(pig, games=60, policies=["random"] * 3, coverage=coverage).to_plain()
    monkeypatch.setattr("rulewright.analysis.simulation.shard.ANY", "nobody")
    assert simulate(pig, games=60, policies=["random"] * 3, coverage=coverage).to_plain() == in_one_go


def test_economies_in_one_go_count_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load_ruleset("fuzzy-knights/normal@1.0")
    in_one_go = simulate(rules, games=1, coverage=True)
    assert in_one_go.series["coins"]
    monkeypatch.setattr("rulewright.analysis.simulation.shard.ANY", "nobody")
    assert simulate(rules, games=1, coverage=True).to_plain() == in_one_go.to_plain()


@pytest.mark.parametrize("watched", [False, True])
@pytest.mark.parametrize(
    ("reference", "seats", "options"),
    [
        ("pig/classic", 3, {}),
        ("classics/kuhn-poker", 2, {}),
        ("classics/oware", 2, {}),
        ("fuzzy-knights/normal@1.0", 3, {"max_days": "hundred"}),
    ],
)
def test_games_come_to_the_same_as_webassembly_and_as_python(
    monkeypatch: pytest.MonkeyPatch, reference: str, seats: int, options: dict[str, str], watched: bool
) -> None:
    ruleset = load_ruleset(reference)
    games = Shard(
        *(reference, ruleset.digest_of_counts, (), ("random",) * seats, tuple(options.items()), "words 7", 5, 17),
        coverage=watched,
        rows=watched,
    )
    inside = play_games(ruleset, games)
    monkeypatch.setattr(playing, "is_available", lambda: False)
    outside = play_games(ruleset, games)
    assert inside.counts.to_plain() == outside.counts.to_plain()
    assert inside.rows == outside.rows


def test_it_says_that_games_would_be_played_faster(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from rulewright.cli.commands import simulate as command

    monkeypatch.setattr(command, "is_available", lambda: False)
    assert main(["simulate", "pig/classic", "--games", "5"]) == 0
    assert "pip install wasmtime" in capsys.readouterr().err
