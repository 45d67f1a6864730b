"""What is told of rules, rows and options, against the logs of the same games."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from rulewright import Game, Ruleset, load_ruleset
from rulewright.ai import bots
from rulewright.analysis.simulation import shard
from rulewright.analysis.simulation.metrics import Metric
from rulewright.analysis.simulation.run_simulation import begin_run, simulate
from rulewright.analysis.simulation.simulation_page import render_page
from rulewright.analysis.simulation.simulation_report import report, select_common, summarize
from rulewright.base.confidence_intervals import compute_mean_interval
from rulewright.cli import simulation_output
from rulewright.cli.simulation_output import format_means, report_text

GAMES = 30
RULES = """\
terms: {gem: {name: Gem, means: What is found.}}
kinds: {player: {fields: {gem: count}}}
state: {turn: int}
dice: {d2: {faces: 1..2, means: A coin.}}
tables:
  find: {title: "Finding a {gem}", roll: d2, rows: {one: 1, nothing: 2}}
procedures:
  game:
    title: A walk
    steps:
      - id: turns
        repeat:
          while: turn < 4
          at_most: 4
          steps:
            - id: everybody
              for_each: who
              in: players
              steps:
                - {id: way, choose: {who: who, from: [dig, rest]}}
                - {id: found, roll: find, when: way == dig}
                - {id: kept, gain: {who: who, gem: 1}, when: way == dig and found == one}
            - {id: later, set: {turn: turn + 1}}
      - id: richest
        when: any(p.gem > 0 for p in players)
        finish: {winners: "list(p for p in players if p.gem == max(q.gem for q in players))"}
      - {id: nobody, finish: {winners: []}}
measures:
  gems: {is: sum(p.gem for p in players), per: turn, title: "{gem.plural} found"}
"""
MANIFEST = """\
ruleset: test/dig
version: 1.0.0
title: Digging
status: draft
rounding: truncate
players: 2..3
start: game
"""


@pytest.fixture(scope="module")
def dig(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    folder = tmp_path_factory.mktemp("rules") / "dig"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(MANIFEST)
    (folder / "rules.yaml").write_text(RULES)
    return load_ruleset("test/dig", rules=[folder.parent])


def played(ruleset: Ruleset) -> list[Game]:
    """Return the same games, as a person is shown them."""
    games = []
    for number in range(GAMES):
        game = Game(ruleset, players=2, seed=f"0/{number}")
        policies = [bots.make("random", ruleset, seed=f"0/{number}", seat=seat) for seat in (1, 2)]
        while (decision := game.decision) is not None:
            game.choose(policies[decision.player - 1](game.state))
        games.append(game)
    return games


def test_an_answer_is_counted_by_what_was_offered_and_not_by_the_result(tmp_path: Path) -> None:
    """Several players answer with a list, but each of them chooses one object. Each of two cards drawn counts."""
    rules = """\
kinds: {player: {fields: {gem: count}}, stone: {fields: {size: int}}}
tables: {colours: {rows: {red: {}, blue: {}, green: {}}}}
decks: {bag: {of: colours}}
procedures:
  game:
    title: A walk
    steps:
      - {id: small, create: stone}
      - {id: large, create: stone}
      - {id: picked, choose: {who: "list(p for p in players if p.gem == 0)", one_of: stones}}
      - {id: many, choose: {who: "list(p for p in players if p.gem == 0)", some_of: stones, at_least: 1}}
      - {id: hand, draw: bag, count: 2}
      - {id: over, finish: {winners: []}}
"""
    (tmp_path / "ruleset.yaml").write_text(MANIFEST)
    (tmp_path / "rules.yaml").write_text(rules)
    ruleset = load_ruleset("test/dig", rules=[tmp_path])
    run = begin_run(ruleset, coverage=True)
    data = report(ruleset, run.shard, simulate(ruleset, games=GAMES, coverage=True), 1.0)
    picked, many = data["options"]
    assert [(each["option"], each["label"]) for each in picked["options"]] == [("any", "Whichever")]
    assert {each["option"] for each in many["options"]} == {"1 of them", "2 of them"}
    assert data["rows"]["colours"]["times"] == 2 * GAMES


def test_what_holds_whatever_happens_hides_no_step_and_records_are_told_in_words(tmp_path: Path) -> None:
    rules = RULES.replace("from: [dig, rest]", 'one_of: "list(offer(who, f, 2) for f in find)"').replace(
        "when: way == dig", "when: way.what == one"
    )
    rules += "records: {offer: {parts: {who: player, what: find, price: int}}}\n"
    rules += "whenever: {tithe: {gains: player.gem, when: amount > 5, then: [{id: due, pay: {who: player, gem: 1}}]}}\n"
    (tmp_path / "ruleset.yaml").write_text(MANIFEST)
    (tmp_path / "rules.yaml").write_text(rules)
    ruleset = load_ruleset("test/dig", rules=[tmp_path])
    run = begin_run(ruleset, coverage=True)
    data = report(ruleset, run.shard, simulate(ruleset, games=GAMES, coverage=True), 1.0)
    kept = data["steps"]["game.kept"]
    assert kept > 0
    assert [rule for rule in data["never_fired"] if rule in ("game.kept", "tithe.due")] == ["tithe.due"]
    assert len(set(data["never_fired"])) == len(data["never_fired"])
    [question] = data["options"]
    assert {line["label"] for line in question["options"]} == {"One, 2", "Nothing, 2"}


MOVES = """\
tables:
  lanes: {columns: {worth: int}, rows: {left: {worth: 3}, right: {worth: 2}}}
  spaces: {grid: {columns: 2, rows: 1}}
records: {move: {parts: {one: optional lanes, other: optional lanes, to: optional spaces, far: bool}}}
procedures:
  game:
    steps:
      - id: each
        for_each: who
        in: players
        steps:
          - id: way
            choose:
              who: who
              one_of: "[move(left, none, none, true), move(none, left, none, true), move(left, right, c1r1, false)]"
      - {id: over, finish: {winners: []}}
"""


def test_parts_of_records_that_are_none_or_one_of_many_alike_are_named(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(MANIFEST)
    (tmp_path / "rules.yaml").write_text(MOVES)
    ruleset = load_ruleset("test/dig", rules=[tmp_path])
    run = begin_run(ruleset, coverage=True)
    data = report(ruleset, run.shard, simulate(ruleset, games=GAMES, coverage=True), 1.0)
    [question] = data["options"]
    assert {line["option"]: line["label"] for line in question["options"]} == {
        "left/none/none/True": "Left, none, none, True",
        "none/left/none/True": "none, Left, none, True",
        "left/right/any/False": "Left, Right, False",
    }


def test_details_are_those_of_the_logs(dig: Ruleset) -> None:
    run = begin_run(dig, coverage=True)
    counts = simulate(dig, games=GAMES, coverage=True)
    data = report(dig, run.shard, counts, 1.0)
    games = played(dig)
    fired = Counter(event.rule for game in games for event in game.log)
    assert {rule: times for rule, times in data["steps"].items() if times} == fired
    rows = Counter(
        dig.declarations.tables["find"].by_face[event.details[1]]
        for game in games
        for event in game.log
        if event.rule.endswith("found")
    )
    assert {row: each["times"] for row, each in data["rows"]["find"]["rows"].items()} == rows
    assert data["rows"]["find"]["title"] == "Finding a Gem"
    assert {each["rule"]: each["games"] for each in data["decided_by"]} == Counter(g.log[-1].rule for g in games)
    [question] = data["options"]
    for line in question["options"]:
        took, others = [0, 0], [0, 0]
        for game in games:
            assert game.result is not None
            for seat in (1, 2):
                own = [e.details[1] for e in game.log if e.verb == "choose" and e.details[0] == seat]
                group = took if line["option"] in own else others
                group[0] += 1
                group[1] += seat in game.result.winners
        assert [line["takers"]["seats"], line["takers"]["wins"]] == took
        assert [line["others"]["seats"], line["others"]["wins"]] == others


def test_titles_of_measures_are_filled_in(dig: Ruleset) -> None:
    data = report(dig, begin_run(dig).shard, simulate(dig, games=3), 1.0)
    assert data["measures"]["gems"]["title"] == "Gems found"
    assert [point["at"] for point in data["series"]["gems"]] == [0, 1, 2, 3, 4]
    gems = simulate(dig, games=3).measures["gems"]
    assert data["series"]["gems"][-1]["mean"] * 3 == pytest.approx(sum(gems.elements()))


def test_a_summary_needs_no_list_of_games() -> None:
    values = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5]
    summary = summarize(Counter(values))
    assert (summary["least"], summary["median"], summary["most"]) == (1, sorted(values)[len(values) // 2], 9)
    assert summary["mean"] == round(sum(values) / len(values), 4)


def test_what_decided_games_is_known_without_watching_every_step(dig: Ruleset) -> None:
    assert simulate(dig, games=20).decided == simulate(dig, games=20, coverage=True).decided


def test_a_curve_ends_where_few_games_go_on() -> None:
    moments = [{"at": at, "games": games} for at, games in ((0, 40), (1, 21), (2, 4), (3, 3), (4, 1))]
    assert [each["at"] for each in select_common(moments)] == [0, 1, 2]
    assert select_common([]) == []


def test_a_page_shows_what_is_seldom_taken_where_it_is_asked_for(dig: Ruleset) -> None:
    """Where a number is asked for there may be a hundred options: all are on the page, most behind a line to open."""
    data = report(dig, begin_run(dig, coverage=True).shard, simulate(dig, games=20, coverage=True), 1.0)
    [question] = data["options"]
    assert "<details>" not in render_page(data)
    line = question["options"][0]
    question["options"] = [{**line, "label": f"option {number}", "times": 1} for number in range(30)]
    shown, folded = render_page(data).split("<details>")
    assert "22 more, seldom taken" in folded
    assert "option 7<" in shown
    assert "option 8<" not in shown
    assert "option 29<" in folded
    text = "\n".join(report_text(data))
    assert "option 7 " in text
    assert "option 8 " not in text
    assert "and 22 more options, taken 22 times" in text
    group = {"wins": 19_100, "seats": 19_100, "interval": (0.98, 1.0)}
    question["options"] = [{**line, "takers": group, "others": group, "difference": None}]
    assert "of 19100 100% (98%-100%) of 19100" in "\n".join(report_text(data))


def test_figures_of_any_size_stand_apart() -> None:
    small = {"mean": 4.5, "interval": (4.0, 5.0), "least": 1, "median": 4, "most": 9}
    large = {"mean": 1e6, "interval": (0.0, 2e6), "least": 1_000_000, "median": 1_000_000, "most": 1_000_000}
    head, first, second = format_means("measures", [("rounds", small), ("points", large)])
    assert second.split()[-3:] == ["1,000,000"] * 3
    assert first.split()[-3:] == ["1", "4", "9"]
    assert len(head) == len(first) == len(second)
    assert " 1,000,000.00  (0.00 to 2,000,000.00) " in second
    assert format_means("measures", [("rounds", small)])[0].endswith("mean  interval              least median   most")


def test_one_game_has_no_interval() -> None:
    alone = Metric("decisions", "decisions", 122.0, compute_mean_interval(1, 122, 122**2), share=False)
    text = "\n".join(simulation_output.sweep_text("Pig", [((("numbers.goal", "50"),), "", 1, {"decisions": alone})]))
    assert "122.00  (needs two games)" in text
    assert "inf" not in text
    [*_, line] = format_means("measures", [("decisions", summarize(Counter([122])))])
    assert "122.00  (needs two games) " in line


def test_what_several_are_asked_at_once_is_counted_for_each() -> None:
    """In Goofspiel, both players bid each of their thirteen cards once."""
    counts = simulate(load_ruleset("classics/goofspiel"), games=4, coverage=True)
    assert sorted(counts.taken.values()) == [4 * 2] * 13
    data = report(
        load_ruleset("classics/goofspiel"),
        begin_run(load_ruleset("classics/goofspiel"), coverage=True).shard,
        counts,
        1.0,
    )
    assert not [line for line in report_text(data) if "of them" in line]


@pytest.mark.parametrize("reference", ["classics/liars-dice", "classics/kuhn-poker"])
def test_what_few_may_see_is_counted_too(reference: str) -> None:
    counts = simulate(load_ruleset(reference), games=4, coverage=True)
    assert sum(counts.taken.values()) >= counts.decisions > 0


CHANGES = """\
tables: {card: {title: Card, rows: {king: {title: King}, queen: {title: Queen}}}}
kinds:
  player: {fields: {hand: {type: optional card, seen_by: self}, gem: int, more: int}}
procedures:
  game:
    title: A game
    steps:
      - {id: who, draw: {one_of: players}}
      - {id: hidden, set: {who.hand: king}}
      - {id: two, set: {who.gem: 1, who.more: 2}}
      - {id: shown, show: {what: who.hand, to: everybody}}
      - id: each
        for_each: one
        in: players
        steps: [{id: again, set: {one.hand: queen, one.gem: 3}}]
      - {id: ask, choose: {who: who, from: [a, b]}}
      - {id: done, finish: {winners: "[who]"}}
"""


@pytest.mark.parametrize("inside", [True, False])
def test_a_step_counts_as_often_as_it_is_carried_out(
    inside: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many fields it changes, and whatever is noted of who has seen them."""
    (tmp_path / "ruleset.yaml").write_text(MANIFEST)
    (tmp_path / "rules.yaml").write_text(CHANGES)
    ruleset = load_ruleset("test/dig", rules=[tmp_path])
    if not inside:
        monkeypatch.setattr(shard, "find_native_bots", lambda *_: None)
    counts = shard.play_games(ruleset, replace(begin_run(ruleset, coverage=True).shard, last=5)).counts
    fired = {ruleset.steps[number].id: times for number, times in counts.steps.items()}
    assert fired == {"who": 5, "hidden": 5, "two": 5, "shown": 5, "again": 10, "ask": 5, "done": 5}
