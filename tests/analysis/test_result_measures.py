"""Measures that ask who has won, who decided first, and the ranks, held against games counted by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from rulewright.ai import bots
from rulewright.analysis.simulation import shard as shards
from rulewright.analysis.simulation.metrics import list_metrics
from rulewright.analysis.simulation.play_expectations import format_evidence, judge
from rulewright.analysis.simulation.run_simulation import simulate
from rulewright.analysis.simulation.shard import seat_policies
from rulewright.base.confidence_intervals import compute_wilson_interval
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.game.script import draw_outcome
from rulewright.engine.python_backend.compiler import compile_ruleset
from rulewright.engine.state.game_state import CHANCE, OVER
from rulewright.language.declarations import FIRST_PLAYER
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.formats import text
from rulewright.testing.validate_expectations import check_expectations
from tests.language.inline import checked, sound

MANIFEST = "{ruleset: test/inline, version: 1.0.0, title: Inline, players: 2..4, start: game, evaluate: standing}"
GAME = """
kinds: {player: {fields: {points: count, begins: bool}}}
state: {turn: count}
formulas:
  standing: {given: {who: player}, is: who.points}
procedures:
  game:
    steps:
      - {id: lot, roll: 1d6}
      - {id: starts, let: "first(players) if lot <= 2 else last(players)"}
      - {id: noted, set: {starts.begins: true}}
      - id: rounds
        repeat:
          at_most: 3
          steps:
            - {id: counted, set: {turn: turn + 1}}
            - id: each
              for_each: p
              in: list(q for q in players by (0 if q == starts else 1))
              steps:
                - {id: way, choose: {who: p, from: [risk, hold]}}
                - {id: die, roll: 1d4, when: way == risk}
                - {id: gained, gain: {who: p, points: "(die or 2)"}}
      - {id: end, finish: {winners: "list(p for p in players if p.points >= 7)"}}
measures:
  first_wins: {is: first_player in winners, title: The first player wins}
  begun_right: {is: "first_player and first_player.begins"}
  shared: {is: count(winners)}
  rank_of_first: {is: "rank(first_player or first(players))"}
  so_far: {is: count(winners), per: turn}
  known: {is: "(0 if first_player == none else 1)", per: turn}
"""


@dataclass(frozen=True)
class Played:
    """A finished game: the seat that decided first, the winners, the points and the seat that began."""

    first: int
    winners: tuple[int, ...]
    points: tuple[int, ...]
    began: int


def play_by_hand(ruleset: Ruleset, policies: tuple[str, ...], games: int) -> Iterator[Played]:
    """Play the games of `simulate`, decision by decision."""
    machine = compile_ruleset(ruleset)
    for number in range(games):
        seats, seed = seat_policies(policies, number), f"0/{number}"
        state, dice, first = machine.empty(len(seats), options={}), Generator(f"0/{number}", "dice"), None
        players = [bots.make(name, ruleset, seed=seed, seat=seat) for seat, name in enumerate(seats, 1)]
        machine.begin(state, "game", ())
        while state.mode != OVER:
            if state.mode == CHANCE:
                state.apply_outcome(draw_outcome(state.roll, dice).value)
                continue
            first = state.who if first is None else first
            state.apply(players[state.who - FIRST_PLAYER](state))
        place = machine.layout.places["player", "points"], machine.layout.places["player", "begins"]
        every = [state.objects[FIRST_PLAYER + seat] for seat in range(len(seats))]
        assert first is not None
        yield Played(
            first - FIRST_PLAYER,
            tuple(each - FIRST_PLAYER for each in state.winners or ()),
            tuple(each[place[0]] for each in every),
            next(seat for seat, each in enumerate(every) if each[place[1]]),
        )


@pytest.mark.parametrize("inside", [True, False])
@pytest.mark.parametrize("rows", [True, False])
@pytest.mark.parametrize("policies", [("random",) * 2, ("random",) * 3, ("greedy", "random"), ("greedy",) * 3])
def test_results_are_those_counted_by_hand(
    policies: tuple[str, ...], rows: bool, inside: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not inside:
        monkeypatch.setattr(shards, "is_available", lambda: False)
    ruleset, games = sound(GAME, manifest=MANIFEST), 60
    counts = simulate(ruleset, games=games, policies=list(policies), coverage=rows)
    played = [*play_by_hand(ruleset, policies, games)]
    assert {each.first for each in played} == {0, len(policies) - 1}  # the lot decides, and not the seat
    assert all(each.first == each.began for each in played)
    wins = [each.first in each.winners for each in played]
    assert 0 < sum(wins) < games
    assert counts.measures["first_wins"] == Counter(map(int, wins))
    assert counts.measures["begun_right"] == {1: games}
    assert counts.measures["shared"] == Counter(len(each.winners) for each in played)
    ranks = [1 if each.first in each.winners else 1 + len(each.winners) for each in played]
    assert counts.measures["rank_of_first"] == Counter(ranks)
    # Nobody has won before the end, and the first player is known from the first decision on.
    assert {moment: sums[0] for moment, sums in counts.series["so_far"].items()} == dict.fromkeys((1, 2, 3), 0)
    assert {moment: sums[0] for moment, sums in counts.series["known"].items()} == dict.fromkeys((1, 2, 3), games)
    metric = list_metrics(counts, ruleset)["measures.first_wins"]
    assert (metric.value, metric.share) == (sum(wins) / games, True)
    assert metric.interval == compute_wilson_interval(sum(wins), games)


PAYOFF = "{ruleset: test/inline, version: 1.0.0, title: Inline, players: 2..4, start: game, payoff: standing}"


def test_players_are_ranked_by_payoff_where_the_rules_have_one() -> None:
    ranks = "".join(f"  rank_{word}: {{is: 'rank({word}(players))'}}\n" for word in ("first", "last"))
    # The player of the call has the name that the count inside `rank` would use.
    ranks += "  ranks: {is: sum(rank(rival) for rival in players)}\n"
    ruleset = sound(GAME + ranks, manifest=PAYOFF)
    policies = ("random",) * 3
    counts = simulate(ruleset, games=40, policies=list(policies))
    played = [*play_by_hand(ruleset, policies, 40)]
    assert len({each.points for each in played}) > 5
    every = [[1 + sum(other > own for other in each.points) for own in each.points] for each in played]
    assert counts.measures["rank_first"] == Counter(each[0] for each in every)
    assert counts.measures["rank_last"] == Counter(each[-1] for each in every)
    assert counts.measures["ranks"] == Counter(map(sum, every))


def test_rules_keep_their_own_names() -> None:
    own = GAME.replace("state: {turn: count}", "state: {turn: count, winners: count, rank: count}")
    own = own[: own.index("measures:")] + "measures: {mine: {is: winners + rank}, first: {is: count(players)}}"
    ruleset = sound(own, manifest=MANIFEST)
    assert simulate(ruleset, games=3, policies=["random"] * 2).measures["mine"] == {0: 3}


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("first_player.points", "this may be none"),
        ("first_plaer in winners", "first_player"),
        ("rank(first_player)", "player is needed here, but this may be none"),
        ("rank()", "`rank` takes a player; it is given 0 values"),
        ("rank(3)", "is needed here, but this is"),
        ("rnk(first(players))", "`rank`"),
        ("winners", "a number is needed here, but this is a list (a player)"),
    ],
)
def test_faults_are_explained(written: str, message: str) -> None:
    _, diagnostics = checked(f"{GAME}  bad: {{is: {written}}}\n", manifest=MANIFEST)
    assert message in text.render(diagnostics)


def test_names_of_the_result_are_for_measures_only() -> None:
    _, diagnostics = checked(GAME.replace("is: who.points", "is: count(winners)"), manifest=MANIFEST)
    assert "nothing here is called `winners`" in text.render(diagnostics)
    _, diagnostics = checked(GAME + "  bad: {is: 1, per: count(winners)}\n", manifest=MANIFEST)
    assert "nothing here is called `winners`" in text.render(diagnostics)


def wanting(expected: str) -> Ruleset:
    return sound(f"{GAME}expect_play: {{it: {{{expected}, games: 800}}}}\n", manifest=MANIFEST)


@pytest.mark.parametrize(
    ("wanted", "verdict"),
    [("first_wins: 1 %..99 %", "holds"), ("first_wins: at most 20 %", "missed"), ("shared: 0..2", "holds")],
)
def test_the_share_of_the_first_player_is_a_target(wanted: str, verdict: str) -> None:
    [evidence] = judge(wanting(wanted)).evidence
    assert evidence.verdict == verdict
    assert ("%" in format_evidence(evidence)) == evidence.metric.share == wanted.startswith("first_wins")


@pytest.mark.parametrize(
    ("wanted", "expected_text"),
    [
        ("first_wins: at most 0.5", "`first_wins` is a share, so its bounds are in percent"),
        ("shared: at most 5 %", "`shared` is not a share"),
    ],
)
def test_bounds_of_a_share_are_in_percent(wanted: str, expected_text: str) -> None:
    diagnostics = Diagnostics()
    check_expectations(wanting(wanted), diagnostics)
    assert expected_text in text.render(diagnostics)


def test_a_matrix_says_who_should_beat_whom() -> None:
    cells = "greedy: {random: at least 1 %, mcts:2: at most 1 %}, random: {greedy: at most 99 %}"
    ruleset = wanting(f"beats: {{{cells}}}")
    by_pair = {each.bounds.pair: each for each in judge(ruleset).evidence}
    assert [*by_pair] == [("greedy", "random"), ("greedy", "mcts:2"), ("random", "greedy")]
    for (first, second), each in ((pair, each) for pair, each in by_pair.items() if pair):
        counts = simulate(ruleset, games=each.games, policies=[first, second])
        wins, losses = counts.wins_by_policy[first], counts.wins_by_policy[second]
        assert each.metric.value == wins / (wins + losses)
        assert each.metric.interval == compute_wilson_interval(wins, wins + losses)
    assert [each.verdict for each in by_pair.values()] == ["holds", "missed", "holds"]
    assert by_pair["greedy", "random"].metric.title == "greedy against random"
