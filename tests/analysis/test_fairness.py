"""Questions about fairness, asked of games whose answers are known by hand."""

from __future__ import annotations

import json
import shlex
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from rulewright import load_ruleset
from rulewright.analysis.fairness import game_cache
from rulewright.analysis.fairness.answer import FEWEST_GAMES, format_effect, format_mean, format_share
from rulewright.analysis.fairness.ask_questions import ask, to_data
from rulewright.analysis.fairness.questions import load_questions
from rulewright.analysis.fairness.questions.change import describe_change
from rulewright.analysis.fairness.questions.length import find_quantile
from rulewright.analysis.simulation.paired_comparison import Move
from rulewright.base.errors import RulewrightError
from rulewright.cli.commands.fair import format_answers
from rulewright.cli.main import main
from tests.analysis.coin import written
from tests.analysis.inline_games import HUNT

BIDS = """\
kinds: {player: {fields: {bid: count, round: count}}}
state: {day: int}
formulas:
  standing: {given: {who: player}, is: who.bid}
  most: {is: max(p.bid for p in players)}
tables:
  weather: {roll: 1d6, rows: {rain: 1-3, sun: 4-6}}
measures:
  bids: {is: sum(p.bid for p in players), per: day, title: All bids}
procedures:
  game:
    title: Bids
    steps:
      - id: days
        repeat:
          at_most: 4
          steps:
            - {id: sky, roll: weather}
            - id: each
              for_each: p
              in: players
              steps:
                - id: bid
                  ask: How much do you bid?
                  choose: {who: p, from: [high, low]}
                - {id: rise, set: {p.bid: p.bid + 1}, when: bid == high}
            - {id: next, set: {day: day + 1}}
            - {id: storm, set: {day: day + 10}, when: day > 99}
      - {id: tie, finish: {winners: []}, when: not any(p.bid < most() for p in players)}
      - {id: end, finish: {winners: "list(p for p in players if p.bid == most())"}}
"""

SHIPPED = {
    *(
        "advantage",
        "change",
        "compensation",
        "course",
        "decisions",
        "ends",
        "lead",
        "length",
        "options",
        "perfect",
        "players",
        "prices",
        "rolls",
        "rules",
        "skill",
    ),
}
"""The questions of `fair`. A plug-in may add others, which may return None whenever they like."""

NOT_ALWAYS = {"advantage", "change", "compensation", "decisions", "ends", "perfect", "players", "prices"}
"""Questions that are asked where there is something to ask."""

TOSSES = """\
kinds: {player: {fields: {points: count}}}
state: {day: int, whose: player}
formulas:
  standing: {given: {who: player}, is: who.points}
  most: {is: max(p.points for p in players)}
measures:
  days: {is: day, per: day, title: Days}
procedures:
  game:
    title: Best of three
    steps:
      - {id: begin, for_each: p, in: players, steps: [{id: its, set: {whose: p}}]}
      - id: days
        repeat:
          at_most: 3
          steps:
            - {id: toss, roll: 1d2}
            - id: each
              for_each: p
              in: players
              steps:
                - {id: point, set: {p.points: p.points + 1}, when: (toss == 1) == (p == first(players))}
            - {id: next, set: {day: day + 1}}
            - {id: wait, choose: {who: whose, from: [go, on]}}
      - {id: end, finish: {winners: "list(p for p in players if p.points == most())"}}
"""


def answers(folder: Path, name: str = "toss", **options: Any) -> dict[str, dict[str, Any]]:
    ruleset = load_ruleset(f"test/{name}", rules=folder)
    options = {"good": "greedy", "lesser": "random"} | options
    answers_ = list(ask(ruleset, rules=(folder,), **options))
    data = to_data(ruleset, answers_, seed=0, games=options["games"])
    return {each["question"]: each for each in data["answers"]}


def figures(answer: dict[str, Any], players: int = 2) -> dict[str, Any]:
    """Return the figures of one number of players."""
    sized = (figure["figure"].rpartition(f".of.{players}") for figure in answer["figures"])
    by_id = {figure["figure"]: figure for figure in answer["figures"]}
    return {name: by_id[name + size] for name, size, rest in sized if size and not rest}


def said_of(answer: dict[str, Any], players: int = 2) -> str:
    """Return what is said of one number of players, with plain spaces and without these players and their games."""
    says = [each.replace("\N{NO-BREAK SPACE}", " ").partition(": ") for each in answer["says"]]
    (text,) = (text for sizes, _, text in says if str(players) in sizes.partition(" player")[0])
    return text


@pytest.fixture(scope="module")
def bids(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = written(tmp_path_factory.mktemp("bids"), name="bids")
    folder.joinpath("bids", "rules.yaml").write_text(BIDS)
    return folder


@pytest.mark.parametrize(("first", "edge"), [(5, 0.0), (7, 0.2), (1, 0.4)])
def test_a_seat_has_the_edge_that_the_rules_give_it(tmp_path: Path, first: int, edge: float) -> None:
    advantage = answers(written(tmp_path, first=first), games=400, seed=1)["advantage"]
    known = figures(advantage)["seat.1"]
    assert known["interval"][0] <= first / 10 <= known["interval"][1]
    text = said_of(advantage)
    if edge:
        ahead = "1" if first > 5 else "2"
        assert text.startswith((f"Whoever sits in seat {ahead} wins", f"Whoever sits in seat {3 - int(ahead)} wins"))
        assert ("more than an even share" in text) == (f"seat {ahead} wins" in text)
    else:
        assert text.startswith("No significant advantage (the seats). One of more than ")


def test_what_other_rules_would_change_is_told_and_what_is_noise_is_not(tmp_path: Path) -> None:
    folder = written(tmp_path)
    for name, first in (("tilted", 8), ("alike", 5)):
        written(tmp_path, name=name, first=first)
    by_name = {
        name: answers(folder, games=400, other=load_ruleset(f"test/{name}", rules=folder))["change"]
        for name in ("tilted", "alike")
    }
    text = said_of(by_name["tilted"])
    assert "wins of seat 1, up from 5" in text
    assert "wins of seat 2, down from 4" in text or "wins of seat 2, down from 5" in text
    assert text.endswith(" 4 other statistics did not change significantly.")
    known = figures(by_name["tilted"])["change.seat.1"]
    assert known["interval"][0] <= 0.3 <= known["interval"][1]
    for players in (2, 3):
        assert said_of(by_name["alike"], players).startswith("In 400 pairs of games with the same dice, no statistic")
    assert "--compare test/tilted@1.0.0" in by_name["tilted"]["commands"][0]
    assert "change" not in answers(folder, games=10)


def test_a_change_that_too_few_games_leave_open_is_named(tmp_path: Path) -> None:
    other = load_ruleset("test/toss", rules=written(tmp_path))

    def describe(chance: float) -> list[str]:
        moves = [
            Move("decisions", "decisions", 8.0, 5.0, -3.0, (-5.0, -1.0), chance, 0.2, share=False),
            Move("seat.1", "wins of seat 1", 0.5, 0.5, 0.0, (-0.2, 0.2), 0.9, 1.0, share=True),
        ]
        return describe_change(moves, 20, other)

    assert describe(0.01)[1:] == ["More games would show whether this is a change: decisions, down from 8.0 to 5.0."]
    assert describe(0.4)[1:] == []


def test_a_toss_is_luck_and_nothing_else(tmp_path: Path) -> None:
    skill = answers(written(tmp_path, first=7, asks=True), games=200)["skill"]
    known = figures(skill)
    assert known["deals.seat"]["value"] == 1
    assert known["deals.both"]["value"] == known["deals.neither"]["value"] == 0
    assert "No significant difference: `greedy` wins 50 % (" in said_of(skill)
    assert known["wins"]["value"] == 0.5
    assert "decide these pairs only between these two bots" in said_of(skill)


@pytest.mark.parametrize("players", ["greedy", "random"])
def test_a_game_without_decisions_is_luck_alone(tmp_path: Path, players: str) -> None:
    folder = written(tmp_path)
    skill = answers(folder, games=100, good=players)["skill"]
    assert skill["says"] == [
        f"With 2 and 3 players, in 100 games of `{players}` each: Luck alone: nobody makes a decision."
    ]
    assert not skill["figures"]


def test_what_seat_and_dice_decide_bounds_what_can_be_won(tmp_path: Path) -> None:
    """Of ten tosses, two are drawn and five let the first seat win, whoever sits there."""
    folder = written(tmp_path, first=5, draws=2, asks=True)
    for seed in range(4):
        known = figures(answers(folder, games=100, seed=seed)["skill"])
        assert 2 * known["deals.open"]["value"] < 1
        # Of a deal that a seat wins twice each wins one game, and one that is drawn twice is half a win for each.
        assert known["wins"]["value"] == pytest.approx(1 / 2)


def test_where_the_seat_decides_nothing_no_bound_is_told(bids: Path) -> None:
    skill = answers(bids, "bids", games=400)["skill"]
    assert "only between these two bots" not in said_of(skill)


def test_who_bids_high_wins_both_games_of_a_deal(bids: Path) -> None:
    """One that always bids high never loses, and ties where another has four times in a row: one game in sixteen.

    A tie is half a win.
    """
    known = figures(answers(bids, "bids", games=400)["skill"])
    assert known["deals.neither"]["value"] == known["deals.seat"]["value"] == 0
    low, high = known["wins"]["interval"]
    assert low <= 31 / 32 <= high
    assert known["deals.both"]["value"] + known["deals.open"]["value"] == 1


def test_where_most_games_are_drawn_nothing_decides(tmp_path: Path) -> None:
    skill = answers(written(tmp_path, draws=8, first=1, asks=True), games=100)["skill"]
    assert "Most pairs include a game without a single winner, which says nothing about luck or skill." in said_of(
        skill
    )


def test_what_nobody_good_takes_is_told(bids: Path) -> None:
    options = answers(bids, "bids", games=400)["options"]
    assert options["says"][0].startswith("With 2 and 3 players, in 400 games of `greedy` each: At these decisions,")
    assert said_of(options, 3) == (
        "At these decisions, `greedy` takes the same option nearly always: High (How much do you bid?), 100 %. "
        "`greedy` takes these options hardly ever, which a stronger player may: "
        "Low (How much do you bid?), 0 %."
    )
    few = answers(bids, "bids", games=100)["options"]
    assert (
        said_of(few)
        == "`greedy` never took these options, which up to 3.7 % of the answers may do: Low (How much do you bid?)."
    )
    among_any = answers(bids, "bids", games=100, good="random")["options"]
    assert said_of(among_any).startswith("No such option is known: `random` takes more than one option")


def test_rules_that_do_nothing_are_named(bids: Path) -> None:
    text = said_of(answers(bids, "bids", games=100)["rules"])
    assert text.endswith(
        "never fired: game.end, game.storm. Every row of every table that is rolled on or drawn from came up."
    )
    assert "game.storm" in said_of(answers(bids, "bids", games=100, good="random")["rules"])


def test_the_course_of_a_game_is_that_of_its_measure(bids: Path) -> None:
    """Players who always bid high: as many more bids a day as there are players."""
    course = answers(bids, "bids", games=100)["course"]
    for players in (2, 3):
        known = {name: each["value"] for name, each in figures(course, players).items()}
        assert known == {f"bids.{day}": float(players * day) for day in range(5)}
        assert said_of(course, players) == f"All bids: from 0.0 to {4 * players}.0."


def test_who_leads_wins_as_often_as_in_the_best_of_three(tmp_path: Path) -> None:
    """After one toss, who leads loses by two others in a quarter of the games; after two, never where anybody leads."""
    folder = written(tmp_path, name="tosses")
    folder.joinpath("tosses", "rules.yaml").write_text(TOSSES)
    lead = answers(folder, "tosses", games=400)["lead"]
    known = figures(lead)
    assert [name for name in known if name.startswith("lead")] == ["lead.1", "lead.2", "lead.halfway"]
    assert known["lead.1"]["interval"][0] <= 3 / 4 <= known["lead.1"]["interval"][1]
    assert known["lead.2"]["value"] == 1
    assert known["behind"]["interval"][0] <= 1 / 4 <= known["behind"]["interval"][1]
    assert "The leader wins of the games that go on: at 1, 7" in said_of(lead)


def test_how_long_it_takes(bids: Path, tmp_path: Path) -> None:
    length = answers(bids, "bids", games=100)["length"]
    for players in (2, 3):
        assert said_of(length, players).startswith(
            f"Every game takes {4 * players} decisions; at most 3.7 % take more or fewer. 100 % of the games have no "
            "winner."
        )
        assert figures(length, players)["draws"]["value"] == 1
    tossed = answers(written(tmp_path), games=100)["length"]
    assert said_of(tossed).startswith(
        "Nobody makes a decision in these games. Every game had a winner; at most 3.7 % have none."
    )


def test_shared_wins_are_said_and_explained(tmp_path: Path) -> None:
    folder = written(tmp_path, name="shared")
    manifest = folder / "shared" / "ruleset.yaml"
    manifest.write_text(manifest.read_text().replace("2..3", "2").replace("evaluate: standing\n", ""))
    (folder / "shared" / "rules.yaml").write_text(
        "procedures:\n  game:\n    steps:\n      - {id: lot, roll: 1d2}\n"
        "      - {id: all, finish: {winners: players}, when: lot == 1}\n"
        "      - {id: one, finish: {winners: list(p for p in players if p == first(players))}}\n"
    )
    length = answers(folder, "shared", games=100, good="random")["length"]
    share = figures(length, 2)["shared"]["value"]
    assert 0.3 < share < 0.7
    assert f"{100 * share:.0f} % of the games end in a shared win. A shared win counts for" in said_of(length)


LARGE = """\
procedures:
  game:
    steps:
      - {id: lot, draw: {one_of: players}}
      - {id: lost, finish: {winners: []}, when: count(players) == 4}
      - {id: won, finish: {winners: [lot]}}
"""


def test_what_only_happens_at_a_large_table_is_said_of_it(tmp_path: Path) -> None:
    folder = written(tmp_path, name="large")
    manifest = folder / "large" / "ruleset.yaml"
    manifest.write_text(manifest.read_text().replace("2..3", "2..4").replace("evaluate: standing\n", ""))
    (folder / "large" / "rules.yaml").write_text(LARGE)
    answer = answers(folder, "large", games=100, good="random")
    assert "Every game had a winner" in said_of(answer["length"], 3)
    assert "100 % of the games have no winner." in said_of(answer["length"], 4)
    assert (
        said_of(answer["advantage"], 4)
        == "These games show no advantage, because all players have the same result in each of them."
    )
    assert said_of(answer["rules"], 3).startswith("1 of 3 rules that record events never fired: game.lost.")
    assert "game.won" in said_of(answer["rules"], 4)
    assert "The rule that ends the most of these is game.lost: 100 % of all games. Whether" in said_of(
        answer["ends"], 4
    )


def test_quantiles_are_those_of_the_sorted_values() -> None:
    from collections import Counter
    from math import ceil

    values = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3]
    for tenths in range(1, 11):
        assert find_quantile(Counter(values), tenths / 10) == sorted(values)[ceil(len(values) * tenths / 10) - 1]


@pytest.mark.parametrize(
    ("share", "text"),
    [(0, "0 %"), (1, "100 %"), (0.5, "50 %"), (0.0001, "less than 0.1 %"), (0.99999, "more than 99.9 %")],
)
def test_a_share_is_never_told_as_none_or_all_unless_it_is(share: float, text: str) -> None:
    assert format_share(share).replace("\N{NO-BREAK SPACE}", " ") == text


def test_a_negative_difference_has_a_minus_sign() -> None:
    assert format_effect(-0.1, (-0.2, 0.05)) == "\N{MINUS SIGN}10 percentage points (\N{MINUS SIGN}20 to 5)"
    assert format_mean(-0.5, (-1.25, 0.25), 2) == "\N{MINUS SIGN}0.50 (\N{MINUS SIGN}1.25 to 0.25)"


def test_every_figure_comes_again_by_its_command(
    tmp_path: Path, bids: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = answers(bids, "bids", games=100, good="random", seed=7)
    program, *words = shlex.split(answer["length"]["commands"][0])
    assert program == "rulewright"
    assert main([*words, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    for name, figure in figures(answer["length"]).items():
        assert data["figures"][name]["value"] == figure["value"]
        assert tuple(data["figures"][name]["interval"]) == tuple(figure["interval"])


def test_workers_change_nothing(bids: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rulewright.analysis.simulation import workers

    alone = answers(bids, "bids", games=100, good="random")
    monkeypatch.setattr(workers, "PATIENCE", 0.0)
    assert answers(bids, "bids", games=100, good="random", workers=2) == alone


@pytest.mark.parametrize(
    ("reference", "games"), [("classics/kuhn-poker", 100), ("classics/yacht", 5), ("pig/classic", 100)]
)
def test_every_question_is_answered_of_any_game(reference: str, games: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fair", reference, "--games", str(games)]) == 0
    output = capsys.readouterr().out
    assert ("Not known yet" in output) == (games < FEWEST_GAMES)
    questions = [question for question in load_questions() if question.id in SHIPPED]
    assert {question.id for question in questions} == SHIPPED
    for question in questions:
        asked = f"\n{question.title}\n" in output
        assert asked == (question.id != "change") or question.id in NOT_ALWAYS - {"change"}


SHOP = """\
kinds: {player: {fields: {coins: {type: count, default: 200}, might: count}}}
formulas: {standing: {given: {who: player}, is: who.coins + WEIGHT * who.might}}
measures: {might: {is: sum(p.might for p in players), title: Might}}
procedures:
  game:
    steps:
      - id: days
        repeat:
          at_most: 20
          steps:
            - {id: each, for_each: p, in: players, steps: [{id: visit, do: shop, with: {who: p}}]}
            - {id: tax, for_each: q, in: players, steps: [{id: due, pay: {who: q, coins: 1}}]}
      - {id: end, finish: {winners: "list(p for p in players if p.might == max(q.might for q in players))"}}
  shop:
    given: {who: player}
    title: The shop
    steps:
      - {id: wish, choose: {who: who, from: [sword, staff, jewel, none]}}
      - {id: sword, title: A sword, when: wish == sword, pay: {who: who, coins: 3}}
      - {id: sharp, when: wish == sword, gain: {who: who, might: 5}}
      - {id: staff, title: A staff, when: wish == staff, pay: {who: who, coins: 4}}
      - {id: crooked, when: wish == staff, gain: {who: who, might: 2}}
      - id: looked
        if: wish == jewel
        then:
          - {id: jewel, title: A jewel, pay: {who: who, coins: 2}}
          - {id: where, choose: {who: who, from: [left, right]}}
          - {id: put, gain: {who: who, might: 2}}
"""


def shop(folder: Path, weight: int) -> Path:
    made = written(folder, name="shop")
    made.joinpath("shop", "rules.yaml").write_text(SHOP.replace("WEIGHT", str(weight)))
    return made


def test_what_is_bought_has_its_price_and_its_worth(tmp_path: Path) -> None:
    prices = answers(shop(tmp_path, weight=1), "shop", games=40, good="random", lesser="random")["prices"]
    means = {name: figure["value"] for name, figure in figures(prices).items()}
    # The tax of each day is bought by nobody, and a jewel is worth nothing before it is put somewhere.
    assert means == {
        "shop.sword.paid": 3,
        "shop.sword.worth": 5,
        "shop.staff.paid": 4,
        "shop.staff.worth": 2,
        "shop.jewel.paid": 2,
        "shop.jewel.worth": 2,
    }
    text = said_of(prices)
    for what, value, verdict in (
        ("A sword", "5.0", "well worth it"),
        ("A staff", "2.0", "it pays off only later, or never"),
        ("A jewel", "2.0", "about the price paid"),
    ):
        (told,) = (each for each in text.split(". ") if each.startswith(what))
        assert told.endswith(f"with an immediate value of {value}; {verdict}")
    assert prices["says"][0].startswith("With 2 players, in 40 games of `random`: ")


def test_worth_is_told_in_what_is_paid_whatever_it_counts_for(tmp_path: Path) -> None:
    dear = shop(tmp_path, weight=3)
    metrics = figures(answers(dear, "shop", games=40, good="random", lesser="random")["prices"])
    assert (metrics["shop.sword.paid"]["value"], metrics["shop.sword.worth"]["value"]) == (3, 15)
    rules = dear / "shop" / "rules.yaml"
    rules.write_text(rules.read_text().replace("who.coins + 3", "3"))
    found_free = answers(dear, "shop", games=40, good="random", lesser="random")["prices"]
    assert "immediate value of 15.0 by `evaluate:`, which ignores coins." in said_of(found_free)


FINES = """\
kinds: {player: {fields: {coins: {type: count, default: 2000}, might: count}}}
formulas: {standing: {given: {who: player}, is: who.coins + who.might}}
procedures:
  game:
    steps:
      - {id: days, repeat: {at_most: 40, steps: [{id: each, for_each: p, in: players, steps: [
          {id: visit, do: market, with: {who: p}}]}]}}
      - {id: end, finish: {winners: "list(p for p in players if p.might == max(q.might for q in players))"}}
  market:
    given: {who: player}
    steps:
      - {id: wish, choose: {who: who, from: [sword, steal, bid, none]}}
      - {id: toll, pay: {who: who, coins: 7}}
      - {id: sword, title: A sword, when: wish == sword, pay: {who: who, coins: 3}}
      - {id: sharp, when: wish == sword, gain: {who: who, might: 5}}
      - {id: caught, when: wish == steal, roll: 1d6}
      - {id: fine, when: wish == steal and caught == 1, pay: {who: who, coins: 9}}
      - {id: unlucky, when: wish == steal, gain: {who: who, might: 1}}
      - if: wish == bid
        id: bidding
        then:
          - {id: amount, choose: {who: who, one_of: "[1, 2]"}}
          - {id: offer, title: An offer, pay: {who: who, coins: amount}}
          - {id: got, gain: {who: who, might: 2 * amount}}
"""


def test_a_payment_that_nobody_chose_is_no_purchase(tmp_path: Path) -> None:
    folder = written(tmp_path, name="fines")
    folder.joinpath("fines", "rules.yaml").write_text(FINES)
    metrics = figures(answers(folder, "fines", games=40, good="random", lesser="random")["prices"])
    assert {name.removesuffix(".of.2") for name in metrics} == {
        f"market.{step}.{what}" for step in ("sword", "offer") for what in ("paid", "worth")
    }
    # The toll of the visit is neither a part of the price, nor does it make a purchase worth less.
    means = {name.removesuffix(".of.2"): figure["value"] for name, figure in metrics.items()}
    assert (means["market.sword.paid"], means["market.sword.worth"]) == (3, 5)
    assert means["market.offer.worth"] == pytest.approx(2 * means["market.offer.paid"])


def test_nobody_is_asked_for_prices_where_nothing_is_bought(bids: Path) -> None:
    assert "prices" not in answers(bids, "bids", games=10)


@pytest.mark.parametrize(("reachable", "blamed"), [("true", "greedy"), ("false", "Nightfall")])
def test_what_leads_nowhere_is_told_from_who_finds_no_way(tmp_path: Path, reachable: str, blamed: str) -> None:
    # A walk costs first and wins with the leap after it: who looks one decision ahead never walks.
    folder = written(tmp_path, name="hunt")
    folder.joinpath("hunt", "rules.yaml").write_text(HUNT.replace("REACHABLE", reachable))
    ends = answers(folder, "hunt", games=100)["ends"]
    known = figures(ends)
    assert known["undecided.greedy"]["value"] == 1
    assert known["undecided.planner:8"]["value"] == (0 if blamed == "greedy" else 1)
    if blamed == "greedy":
        assert "wins 20 of 20 games. `greedy` plays too weakly to win" in said_of(ends)
    else:
        assert "The main cause is the rule Nightfall, game.night. It ends 100 % of all games, without" in said_of(ends)


def test_who_interrupts_has_what_was_played(
    bids: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real, runs = game_cache.iterate_steps, []

    def impatient(*arguments: Any, **options: Any) -> Any:
        runs.append(1)
        for place, rows in enumerate(real(*arguments, **options)):
            if len(runs) == 6 and place == 2:
                raise KeyboardInterrupt
            yield rows

    monkeypatch.setattr(game_cache, "iterate_steps", impatient)
    assert (
        main(["fair", "test/bids", "--rules", str(bids), "--games", "3200", "--players", "greedy,random", "--json"])
        == 130
    )
    data = json.loads(capsys.readouterr().out)
    *earlier, last = data["answers"]
    ours = ("advantage", "length", "ends", "lead")  # a plug-in may add questions between them
    assert [each["question"] for each in earlier if each["question"] in ours] == [*ours]
    assert last["question"] == "skill"
    assert 0 < figures(last)["wins"]["interval"][0] < 1
    assert last["says"][0].startswith("With 2 players, in 100 pairs of games ")


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.headings: list[str] = []
        self.sources: list[str] = []
        self.within = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.within = tag
        self.sources += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_data(self, data: str) -> None:
        if self.within == "h2" and data.strip():
            self.headings.append(data)


def test_the_page_shows_every_answer_and_asks_no_other_host(bids: Path, tmp_path: Path) -> None:
    report = tmp_path / "fair.html"
    assert (
        main(
            ["fair", "test/bids", "--rules", str(bids), "--games", "20", "--players", "greedy", "--report", str(report)]
        )
        == 0
    )
    page = _Page()
    page.feed(report.read_text(encoding="utf-8"))
    asked = NOT_ALWAYS - {"advantage", "decisions", "ends", "perfect"}  # these bids are always alike, and few
    added = {question.title for question in load_questions() if question.id not in SHIPPED}
    titles = [question.title for question in load_questions() if question.id in SHIPPED - asked]
    assert [heading for heading in page.headings if heading not in added] == titles
    assert page.sources == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--players", "greedy,random,random"], "takes at most two bots"),
        (["--games", "0"], "--games and --workers must be at least 1"),
        (["--players", "gredy"], "there is no bot `gredy`; did you mean `greedy`?"),
        (["--option", "side=none"], "side"),
    ],
)
def test_what_cannot_be_asked_is_told(
    tmp_path: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(["fair", "test/toss", "--rules", str(written(tmp_path)), *arguments])
    except SystemExit as stopped:
        code = int(stopped.code or 0)
    assert code in (1, 2)
    assert message in capsys.readouterr().err


def test_no_game_is_no_answer(tmp_path: Path) -> None:
    with pytest.raises(RulewrightError, match="must be at least 1"):
        answers(written(tmp_path), games=0)


def test_a_long_title_of_a_metric_keeps_its_number_of_players(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    figures = [
        {
            "figure": "x",
            "title": f"{'after the weaker player, ' * 3}{size} players",
            "value": value,
            "interval": (0, 1),
            "share": False,
        }
        for size, value in ((2, 1.0), (3, 1e300))
    ]
    answer = {"title": "T", "says": [], "figures": figures, "missing": 0, "commands": []}
    two, three = [line for line in format_answers({"answers": [answer], "games": 1}) if "after the weaker" in line]
    assert "… 2 players" in two
    assert "… 3 players" in three
    assert "1e+300" in three
    assert len(three) <= 80
