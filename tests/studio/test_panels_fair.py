"""Games before and after, played beside the text: the same that `simulate --compare` plays, until it is clear."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from rulewright.ai.bots import list_names
from rulewright.analysis.simulation.metrics import Metric, compute_seat_edge
from rulewright.analysis.simulation.paired_comparison import Move
from rulewright.base.confidence_intervals import compute_wilson_interval
from rulewright.base.errors import RulewrightError
from rulewright.studio.panels.fair import describe_lack, describe_leading_seat, describe_seats
from tests.studio.conftest import RULES
from tests.studio.desk import Table

Printed = Callable[..., Any]


def ended(table: Table, job: str) -> list[Mapping[str, Any]]:
    """Return everything that was told of a job, once it is over."""
    table.wait_for(job)
    told = [each for each in table.told if each["id"] == job]
    assert told[-1]["ended"]
    assert "error" not in told[-1], told[-1]
    return told[:-1]


def until(table: Table, job: str) -> None:
    """Run the jobs until something is told of one, which is to go on; one that ends says so, too."""
    assert table.desk.jobs.scheduler.run_until(lambda: any(each["id"] == job for each in table.told))
    assert "ended" not in table.told[-1]


def test_it_plays_the_same_games_as_the_command_line_and_stops_when_it_is_clear(table: Table, printed: Printed) -> None:
    assert not table.ask("play", "pigs/rules.yaml")["stale"]
    # Whatever is written before and meanwhile, it is played to its end by the rules as they were last without errors.
    table.write("pigs/rules.yaml", "numbers: {goal: [\n")
    begun = table.ask("fair", "pigs/rules.yaml", bots=["random"], budget={"games": 2000})
    assert begun["stale"]
    table.write("pigs/rules.yaml", "numbers: {goal: 51}\n")
    assert (begun["before"], begun["after"]) == ("house/herd@1.0.0", "house/pigs@0.1.0")
    assert begun["policies"] == ["random", "random"]
    assert begun["played"].startswith("`random` plays every seat: it picks an option at random, each with the same")
    assert begun["bots"] == list_names()
    last = ended(table, begun["job"])[-1]
    assert last["clear"]
    assert 40 <= last["done"] < 2000
    table.write("pigs/rules.yaml", RULES)
    text = printed(
        *("simulate", "house/herd", "--compare", "house/pigs", "--players", "random,random"),
        *("--games", str(last["done"])),
    )
    assert json.loads(json.dumps(last["data"]["moves"])) == text["moves"]
    moved = [each["title"] for each in text["moves"] if each["moved"]]
    assert moved
    assert all(title in last["words"] for title in moved)
    assert any(last["difference"].startswith(f"{title}, ") for title in moved)
    assert set(last["before"]) == set(last["after"])
    assert last["before"]["ref"] == "house/herd@1.0.0"
    assert list(table.desk.scratch.glob("fair-*")) == []


def test_without_an_edition_below_it_tells_of_the_one_alone(table: Table, printed: Printed) -> None:
    begun = table.ask("fair", "pig/classic-1.0/pig.yaml", bots=["random"], budget={"games": 60}, seed="7")
    last = ended(table, begun["job"])[-1]
    text = printed("simulate", "pig/classic@1.0", "--games", "60", "--seed", "7", "--players", "random,random")
    assert (last["before"], last["done"], last["clear"]) == (None, 60, False)
    seats = {each["id"]: each["value"] for each in last["data"]["after"] if each["id"].startswith("seat.")}
    assert seats == {f"seat.{each['seat']}": each["wins"] / 60 for each in text["wins_by_seat"]}


@pytest.mark.parametrize(
    ("games", "low", "high", "words"),
    [
        (20, -0.1, 0.319, "20 games are too few to tell whether a seat has an advantage. About 190 more games"),
        (2000, -0.01, 0.031, "In 2,000 games, no seat wins more than 3.1 percentage points more or less often than"),
    ],
)
def test_so_few_games_claim_nothing(games: int, low: float, high: float, words: str) -> None:
    assert describe_seats(games, (low, high)).startswith(words)


@pytest.mark.parametrize(
    ("games", "width", "words"),
    [
        (20, 0.22, "20 pairs of games are too few to tell whether these rules change the balance between the seats. "),
        (20, 0.0, "20 pairs of games are too few to tell"),
        (2000, 0.03, ""),
    ],
)
def test_so_few_pairs_of_games_claim_nothing(games: int, width: float, words: str) -> None:
    move = Move("seat.1", "wins of seat 1", 0.5, 0.5, 0.0, (-width, width), 1.0, 1.0, share=True)
    lack = describe_lack([move], games)
    assert lack.startswith(words)
    assert ("About 80 more would show a change of 10 percentage points" in lack) == (width == 0.22)
    assert describe_lack([replace(move, chance=0.0, adjusted=0.0)], games) == ""
    assert describe_lack([], games) == ""


@pytest.mark.parametrize(
    ("wins", "words"),
    [
        ((79, 21), "Seat 1 has an advantage: it wins 79% of 100 games, where an even share is 50%. "),
        ((41, 5, 44), "Seat 2 has a disadvantage: it wins only 6% of 90 games, where an even share is 33%. "),
    ],
)
def test_the_seat_that_wins_more_is_named(wins: tuple[int, ...], words: str) -> None:
    games = sum(wins)
    leading_seat = describe_leading_seat(make_metrics(wins, games), games)
    assert leading_seat is not None
    assert leading_seat.startswith(words)


def test_equal_seats_have_no_leader() -> None:
    assert describe_leading_seat(make_metrics((50, 50), 100), 100) is None


def make_metrics(wins: tuple[int, ...], games: int) -> dict[str, Metric]:
    """Return the metrics of games in which the seats have won so often."""
    shares = [
        Metric(f"seat.{seat}", "wins", won / games, compute_wilson_interval(won, games), share=True)
        for seat, won in enumerate(wins, 1)
    ]
    return {each.id: each for each in (*shares, compute_seat_edge(wins, games))}


def test_it_stops_when_it_is_told_to_and_for_another_that_goes_on(table: Table) -> None:
    table.write("pigs/rules.yaml", "rulings: {}\n")
    endless: dict[str, Any] = {"bots": ["random"], "budget": {"games": 1_000_000, "seconds": 600}}
    first = table.ask("fair", "pigs/rules.yaml", **endless)
    until(table, first["job"])
    second = table.ask("fair", "pigs/rules.yaml", **endless)
    assert all(each["done"] < 1_000_000 for each in ended(table, first["job"]))
    until(table, second["job"])
    assert table.desk.jobs.stop(second["job"])
    assert ended(table, second["job"])
    assert list(table.desk.scratch.glob("fair-*")) == []


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"bots": ["nobody"]}, "nobody"),
        ({"bots": ["random"] * 11}, "too many"),
        ({"bots": [3]}, "names"),
        ({"budget": {"games": -1}}, "of 1 or more"),
        ({"budget": 3}, "budget"),
        ({"options": {"none": "x"}}, "none"),
    ],
)
def test_what_cannot_be_played_is_refused_before_anything_is(table: Table, more: dict[str, Any], message: str) -> None:
    with pytest.raises(RulewrightError, match=message):
        table.ask("fair", "pigs/rules.yaml", **more)
    assert table.told == []


def test_a_look_says_whether_the_game_is_the_same_and_starts_nothing(table: Table) -> None:
    begun = table.ask("fair", "pigs/rules.yaml", bots=["random"], budget={"games": 20})

    def look() -> str:
        seen = table.ask("fair", "pigs/rules.yaml", peek=True)
        assert "job" not in seen
        return str(seen["game"])

    assert look() == begun["game"]
    table.write("pigs/rules.yaml", f"# A comment.\n{RULES}")
    assert look() == begun["game"]
    table.write("pigs/rules.yaml", RULES.replace("goal: 50", "goal: 51"))
    assert look() != begun["game"]
    assert table.desk.jobs.find(begun["job"]) is not None


def test_an_answer_has_the_version_of_the_text_that_it_is_of(table: Table) -> None:
    for text in (RULES, f"# A comment.\n{RULES}"):
        table.write("pigs/rules.yaml", text)
        answer = table.ask("try", "pigs/rules.yaml", "An outing")
        assert answer["version"] == table.files.version("pigs/rules.yaml")[1]


EDGE = """\
kinds: {player: {fields: {coins: count}}}
procedures:
  game:
    steps:
      - {id: each, for_each: p, in: players, steps: [{id: say, choose: {who: p, from: [yes, "no"]}}]}
      - {id: luck, roll: 1d100}
      - id: won
        when: luck <= 70 + 10 * (first(players).coins - last(players).coins)
        finish: {winners: [first(players)]}
      - {id: lost, finish: {winners: [last(players)]}}
"""
ALONE = "ruleset: house/edge\nversion: 0.1.0\ntitle: Edge\nstatus: draft\nplayers: 2\nstart: game\n"


def test_a_change_that_evens_out_an_advantage_is_found(table: Table) -> None:
    """Seat 1 wins 70 %, and each coin of the other player takes 10 points away."""
    table.write("edge/ruleset.yaml", ALONE)
    table.write("edge/rules.yaml", EDGE)
    begun = table.ask("fair", "edge/rules.yaml", even=True, bots=["random"], budget={"games": 1000})
    assert begun["after"] == "house/edge@0.1.0"
    told = ended(table, begun["job"])
    assert all(each["done"] < each["of"] for each in told[:-1]), "no other report ends the progress"
    last = told[-1]
    assert last["done"] == last["of"]
    assert last["ref"] == "house/edge@0.1.0"
    assert last["words"] == " ".join(last["lines"])
    assert "Whoever sits in seat 1 and decides first wins " in last["lines"][0]
    assert "With 2 more “coins” for the other player at the start" in last["words"]
    assert "set: {compensated.coins: compensated.coins + 2}" in last["change"]


def test_a_fair_game_needs_no_change(table: Table) -> None:
    table.write("edge/ruleset.yaml", ALONE)
    table.write("edge/rules.yaml", EDGE.replace("70", "50"))
    begun = table.ask("fair", "edge/rules.yaml", even=True, bots=["random"], budget={"games": 100})
    last = ended(table, begun["job"])[-1]
    assert "No significant advantage" in last["words"]
    assert last["change"] == ""
