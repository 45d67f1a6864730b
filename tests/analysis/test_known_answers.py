"""Small games with known answers, which invite a false claim: an advantage, or none, that is easy to miss."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from rulewright import load_ruleset
from rulewright.analysis.fairness.dependent_games import group_games
from rulewright.analysis.fairness.game_cache import SeatResults
from rulewright.analysis.fairness.joint_model import compute_seat_chance
from rulewright.analysis.fairness.questions.advantage import Advantage, measure_advantages
from rulewright.analysis.fairness.setup_differences import find_differences
from rulewright.analysis.fairness.strong_players import find_strong_players
from rulewright.base.significance import LEVEL
from rulewright.cli.main import main
from tests.analysis import inline_games
from tests.analysis.test_untrue_claims import ask, join_sentences
from tests.language.inline import sound

MANIFEST = "{{ruleset: test/inline, version: 1.0.0, title: Inline, players: {players}, start: game{more}}}"

BEGIN = """
procedures:
  game:
    steps:
"""
TALK = '      - {id: each, for_each: p, in: players, steps: [{id: say, choose: {who: p, from: [yes, "no"]}}]}\n'
"""Every player makes a decision without consequences."""

LOTTERY = "      - {id: lot, draw: {one_of: players}}\n      - {id: by_lot, finish: {winners: [lot]}}\n"

SEAT = (
    BEGIN
    + TALK
    + """\
      - {id: luck, roll: 1d100}
      - {id: won, finish: {winners: [first(players)]}, when: luck <= 55}
      - {id: lost, finish: {winners: [last(players)]}}
"""
)

LAST_SEAT_FIRST = (
    BEGIN
    + """\
      - {id: a, choose: {who: last(players), from: [yes, "no"]}}
      - {id: b, choose: {who: first(players), from: [yes, "no"]}}
      - {id: luck, roll: 1d100}
      - {id: won, finish: {winners: [last(players)]}, when: luck <= 60}
      - {id: lost, finish: {winners: [first(players)]}}
"""
)

ORDER_OF_FOUR = (
    "state: {a: player}"
    + BEGIN
    + """\
      - {id: begins, draw: {one_of: players}}
      - {id: put, set: {a: begins}}
      - id: round
        repeat:
          at_most: 4
          steps:
            - {id: go, choose: {who: a, from: [x, y]}}
            - {id: passed, set: {a: "next(a, players)"}}
      - {id: luck, roll: 1d9}
      - {id: won, finish: {winners: "list(p for p in players if next(p, players) == a)"}, when: luck < 3}
"""
    + LOTTERY
)

CROWN = (
    "kinds: {player: {fields: {crowned: bool}}}"
    + BEGIN
    + """\
      - {id: heir, draw: {one_of: players}}
      - {id: crown, set: {heir.crowned: true}}
"""
    + TALK
    + """\
      - {id: luck, roll: 1d100}
      - {id: won, finish: {winners: [heir]}, when: luck <= 25}
"""
    + LOTTERY
)

ACE = (
    """
tables: {ranks: {rows: {ace: {}, king: {}, queen: {}, jack: {}}}}
kinds: {card: {fields: {owner: player, rank: ranks}}}
"""
    + BEGIN
    + """\
      - id: deal
        for_each: p
        in: players
        steps: [{id: rank, draw: {one_of: ranks}}, {id: put, create: card, with: {owner: p, rank: rank}}]
"""
    + TALK
    + """\
      - {id: luck, roll: 1d100}
      - id: aces
        when: count(c for c in cards if c.rank == ranks.ace) == 1 and luck <= 40
        finish: {winners: "list(p for p in players if any(c.rank == ranks.ace and c.owner == p for c in cards))"}
"""
    + LOTTERY
)

GOLD = (
    "kinds: {player: {fields: {gold: count}}}"
    + BEGIN
    + """\
      - {id: deal, for_each: p, in: players, steps: [{id: lot, roll: 3d6}, {id: put, set: {p.gold: lot}}]}
"""
    + TALK
    + """\
      - {id: luck, roll: 1d100}
      - id: won
        when: luck <= 50 + 2 * (first(players).gold - last(players).gold)
        finish: {winners: [first(players)]}
      - {id: lost, finish: {winners: [last(players)]}}
"""
)

DEBT = (
    "kinds: {player: {fields: {debt: count}}}"
    + BEGIN
    + """\
      - {id: deal, for_each: p, in: players, steps: [{id: owed, roll: 1d1000}, {id: put, set: {p.debt: owed}}]}
"""
    + TALK
    + """\
      - {id: luck, roll: 1d100}
      - id: won
        when: luck <= 25
        finish: {winners: "list(p for p in players if p.debt == min(q.debt for q in players))"}
"""
    + LOTTERY
)

CANCELLED = (
    "kinds: {player: {fields: {gold: count}}}"
    + BEGIN
    + """\
      - {id: pay, gain: {who: first(players), gold: 3}}
"""
    + TALK
    + """\
      - {id: luck, roll: 1d5}
      - {id: coin, roll: 1d2}
      - id: won
        when: luck < first(players).gold or (luck == first(players).gold and coin == 1)
        finish: {winners: [first(players)]}
      - {id: lost, finish: {winners: [last(players)]}}
"""
)

ONE_SIZE = (
    BEGIN
    + TALK
    + """\
      - {id: luck, roll: 1d100}
      - {id: won, finish: {winners: [last(players)]}, when: count(p for p in players) == SIZE and luck <= 20}
"""
    + LOTTERY
)

TEAMS = (
    BEGIN
    + TALK
    + """\
      - {id: luck, roll: 1d2}
      - {id: won, finish: {winners: "[first(players), next(next(first(players), players), players)]"}, when: luck == 1}
      - {id: lost, finish: {winners: "[next(first(players), players), last(players)]"}}
"""
)

DRAWN = BEGIN + TALK + "      - {id: luck, roll: 1d6}\n      - {id: over, finish: {winners: []}}\n"

NOBODY = "No significant advantage"


@pytest.mark.parametrize(
    ("rules", "players", "begins"),
    [
        (SEAT, "2", r"Whoever sits in seat 1 and decides first wins 5\d"),
        (LAST_SEAT_FIRST, "2", r"Whoever sits in seat 2 and decides first wins (5|6)\d"),
        (ORDER_OF_FOUR, "4", r"Whoever decides last wins (3|4)\d"),
        (CROWN, "3", r"Whoever begins with “crowned” wins (4|5)\d"),
        (CROWN, "5", r"Whoever begins with “crowned” wins (3|4)\d"),
        (ACE, "2", r"Whoever begins with the most Ace \(Card\) wins (6|7)\d"),
        (GOLD, "2", r"Whoever begins with 3 more gold than the other player wins 5\d.* \(estimated\)"),
        (DEBT, "4", r"Whoever begins with the least debt wins 4\d"),
        (DEBT, "6", r"Whoever begins with the least debt wins 3\d"),
        (CANCELLED, "2", NOBODY),
        (TEAMS, "4", NOBODY),
        (DRAWN, "3", "These games show no advantage, because all players have the same result in each of them."),
        (ONE_SIZE.replace("SIZE", "5"), "5..6", r"Whoever sits in seat 5 wins (3|4)\d"),
        (ONE_SIZE.replace("SIZE", "6"), "6", r"Whoever sits in seat 6 wins 3\d"),
    ],
)
def test_what_decides_is_named_and_nothing_else(rules: str, players: str, begins: str) -> None:
    ruleset = sound(rules, manifest=MANIFEST.format(players=players, more=""))
    first = ask("advantage", ruleset, games=1_600).sentences[0].replace("\N{NO-BREAK SPACE}", " ")
    assert re.search(f": {begins}", first), first
    assert "Also significant" not in first


@pytest.mark.parametrize(
    ("reference", "players", "known"),
    [
        ("classics/euchre", 4, {"values.player.hand.rank.jack.most", "values.player.hand.suit.hearts.more"}),
        ("classics/dominoes", 2, {"values.player.hand.high.most", "values.player.hand.high.more"}),
    ],
)
def test_the_cards_of_a_hand_are_asked_about_by_their_columns(reference: str, players: int, known: set[str]) -> None:
    differences = find_differences(load_ruleset(reference), players, seed=0, games=100, options={})
    assert known <= {each.id for each in differences}
    assert len(differences) <= 30


def test_an_advantage_with_five_players_only_is_found_there_and_nowhere_else() -> None:
    ruleset = sound(ONE_SIZE.replace("SIZE", "5"), manifest=MANIFEST.format(players="2..6", more=""))
    parts = ask("advantage", ruleset, games=400).sentences
    assert [NOBODY in each for each in parts] == [True, True, True, False, True]


FAIRLOT = (
    "state: {lucky: optional player}"
    + BEGIN
    + """\
      - {id: draws, draw: {one_of: players}}
      - {id: put, set: {lucky: draws}}
"""
    + TALK
    + "      - {id: over, finish: {winners: [draws]}}\n"
)


def test_the_whole_report_on_a_game_that_a_lot_decides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The lot that set-up draws wins every game, and no decision changes anything, with any number of players."""
    tmp_path.joinpath("ruleset.yaml").write_text(MANIFEST.format(players="2..6", more="")[1:-1].replace(", ", "\n"))
    tmp_path.joinpath("rules.yaml").write_text(FAIRLOT)
    words = ["fair", "test/inline", "--games", "100", "--players", "mcts:2,random", "--rules", str(tmp_path)]
    assert main(words) == 0
    text = " ".join(capsys.readouterr().out.split())
    for players, more in ((2, "50"), (3, "66.7"), (4, "75"), (5, "80"), (6, "83.3")):
        source = (
            rf"With {players} players, in 100 games of `mcts:2`: Whoever is named by “lucky” wins 100 % \(.*?\) of 100"
        )
        assert re.search(rf"{source} games with winners and losers, which is {more} percentage points more", text)
    assert "What would even it out?" not in text, "the seats are equal"
    assert "`mcts:2` wins both games in 0 %, `random` in 0 %, and in 100 % the same seat wins both" in text
    assert "The draw that decides most is Game, game.draws." in text
    assert re.search(r"The answer changes the result of no game: game\.say\.", text)


KINGMAKER = (
    "      - {id: king, choose: {who: last(players), from: [left, right]}}\n"
    + """\
      - {id: won, finish: {winners: [first(players)]}, when: king == left}
      - {id: lost, finish: {winners: ["next(first(players), players)"]}}
"""
)
STANDING = "kinds: {player: {fields: {points: count}}}\nformulas: {standing: {given: {who: player}, is: who.points}}"


def test_a_kingmaker_decides_among_the_others() -> None:
    """Seat 3 cannot win, and chooses which of the others does."""
    ruleset = sound(STANDING + BEGIN + KINGMAKER, manifest=MANIFEST.format(players=3, more=", evaluate: standing"))
    assert "Whoever sits in seat 3 and decides first wins 0 %" in join_sentences(
        ask("advantage", ruleset, good="greedy")
    )
    texts = join_sentences(ask("decisions", ruleset, good="greedy"))
    assert (
        "changes no result of the player who gives it, but decides among the others (kingmaking): game.king." in texts
    )
    assert "changes the result of no game" not in texts
    texts = join_sentences(ask("perfect", ruleset))
    assert "and the first of equally good ones, seat 1 wins every game. Another choice among equally good" in texts


CHATTY = "      - {id: talk, choose: {who: last(players), from: [this, that]}}\n" + KINGMAKER


def test_a_random_answer_changes_no_later_choice_between_equal_options() -> None:
    """`greedy` draws an option each time. What it says first has no effect on which one it draws next."""
    ruleset = sound(STANDING + BEGIN + CHATTY, manifest=MANIFEST.format(players=3, more=", evaluate: standing"))
    texts = join_sentences(ask("decisions", ruleset, good="greedy"))
    assert "The answer changes the result of no game: game.talk." in texts


@pytest.mark.parametrize("more", ["", ", evaluate: standing"])
def test_a_kingmaker_is_named_even_if_no_bot_gains_by_its_answers(more: str) -> None:
    """No bot wins more often than `random`, because the only player with a choice never wins."""
    ruleset = sound(STANDING + BEGIN + CHATTY, manifest=MANIFEST.format(players=3, more=more))
    race = find_strong_players(ruleset, games=100, seed=0, options={}, positions=0)
    assert race is not None
    assert race.best == "random"
    texts = join_sentences(ask("decisions", ruleset, race=race))
    assert "Not known, because no bot is known to play better than at random." in texts
    assert "but decides among the others (kingmaking): game.king." in texts
    assert "The answer changes the result of no game: game.talk." in texts


def test_games_without_a_winner_have_no_place_on_the_scale() -> None:
    texts = join_sentences(ask("skill", sound(DRAWN, manifest=MANIFEST.format(players=2, more="")), games=300))
    assert "Between `mcts:16` and `mcts:15`, no pair has one winner in each game." in texts


RACE = (
    STANDING
    + BEGIN
    + """\
      - id: each
        for_each: p
        in: players
        steps:
          - {id: way, choose: {who: p, from: [bad, good]}}
          - {id: luck, roll: 1d200}
          - {id: more, gain: {who: p, points: luck}}
          - {id: well, when: way == good, gain: {who: p, points: 100}}
      - {id: over, finish: {winners: "list(p for p in players if p.points == max(q.points for q in players))"}}
"""
)


@pytest.mark.parametrize("players", [3, 5])
def test_bots_race_with_an_odd_number_of_players(players: int) -> None:
    """The good way gains 100 points, which `greedy` sees."""
    ruleset = sound(RACE, manifest=MANIFEST.format(players=players, more=", evaluate: standing"))
    strong_players = find_strong_players(ruleset, games=100, seed=0, options={}, positions=0)
    assert strong_players is not None
    assert strong_players.seats == players
    first = strong_players.challenges[0]
    assert (first.first, first.second, first.is_won) == ("greedy", "random", True)
    assert strong_players.best == "greedy"


@pytest.mark.parametrize("players", [3, 5])
def test_equal_bots_tie_with_an_odd_number_of_players(players: int) -> None:
    ruleset = sound(inline_games.IDLE, manifest=MANIFEST.format(players=players, more=", evaluate: standing"))
    strong_players = find_strong_players(ruleset, games=100, seed=0, options={}, positions=0)
    assert strong_players is not None
    assert strong_players.best == "random"
    assert len(strong_players.ties) == len(strong_players.challenges) > 2


def test_the_best_bot_meets_a_rival_at_the_largest_table() -> None:
    """With two players, no bot can win. With six of them, a bot that looks two decisions ahead does."""
    rules = inline_games.HUNT.replace("REACHABLE", "count(q for q in players) == 6")
    ruleset = sound(rules, manifest=MANIFEST.format(players="2..6", more=", evaluate: standing"))
    strong_players = find_strong_players(ruleset, games=1_000, seed=0, options={}, positions=0, largest=6)
    assert strong_players is not None
    assert not [each for each in strong_players.challenges if each.is_won]
    assert strong_players.larger is not None
    size, again = strong_players.larger
    assert (size, again.second, again.is_won) == (6, strong_players.best, True)
    alone = find_strong_players(ruleset, games=1_000, seed=0, options={}, positions=0, largest=2)
    assert alone is not None
    assert alone.larger is None


# -- tests of seats --------------------------------------------------------------------------


def draw_winner(random: Random, players: int) -> tuple[int, ...]:
    winner = random.randrange(players)
    return tuple(int(seat == winner) for seat in range(players))


PARTNERS = [(1, 0, 1, 0), (0, 1, 0, 1)]
NEIGHBOURS = [(1, 1, 0, 0), (0, 0, 1, 1)]
THREE_TEAMS = [(1, 1, 0, 0, 0, 0), (0, 0, 1, 1, 0, 0), (0, 0, 0, 0, 1, 1)]


@pytest.mark.parametrize(
    ("draw", "games"),
    [
        (lambda random: draw_winner(random, 3), 20),
        (lambda random: draw_winner(random, 5), 20),
        (lambda random: draw_winner(random, 6), 25),
        (lambda random: draw_winner(random, 6), 100),
        (lambda random: random.choice(PARTNERS), 100),
        (lambda random: random.choice(NEIGHBOURS), 30),
        (lambda random: random.choice(THREE_TEAMS), 40),
    ],
)
def test_equal_seats_are_accused_in_about_5_percent(draw: Callable[[Random], tuple[int, ...]], games: int) -> None:
    """Of 400 samples. A test that takes partners for independent players accuses about 11 % of them."""
    random = Random(1)
    accused = sum(compute_seat_chance([draw(random) for _ in range(games)]) <= LEVEL for _ in range(400))
    assert accused <= 0.08 * 400


# -- saved games that depend on each other ---------------------------------------------------

Sample = tuple[list[tuple[int, ...]], list[tuple[str, str]], list[int]]
"""The results of games, the people in the seats, and the number of the deal."""


def toss(random: Random, share: float) -> tuple[int, int]:
    return (1, 0) if random.random() < share else (0, 1)


def sit_ann_first(random: Random) -> Sample:
    """Ann, who wins 70 % of her games, always sits in seat 1."""
    return [toss(random, 0.7) for _ in range(100)], [("ann", "bob")] * 100, [*range(100)]


def sit_ann_first_mostly(random: Random) -> Sample:
    people = [("ann", "bob") if game % 5 else ("bob", "ann") for game in range(100)]
    return [toss(random, 0.7 if seats[0] == "ann" else 0.3) for seats in people], people, [*range(100)]


def play_in_couples(random: Random) -> Sample:
    """In each couple, one wins 80 %, who always has the same seat."""
    strong = [random.choice([0.2, 0.8]) for _ in range(25)]
    people = [(f"a{game // 4}", f"b{game // 4}") for game in range(100)]
    return [toss(random, strong[game // 4]) for game in range(100)], people, [*range(100)]


def play_deals_often(random: Random) -> Sample:
    """Return games in which each deal favours one seat and is played at six tables."""
    good = [random.choice([0.1, 0.9]) for _ in range(25)]
    people = [(f"a{game}", f"b{game}") for game in range(150)]
    return [toss(random, good[game // 6]) for game in range(150)], people, [game // 6 for game in range(150)]


def play_in_a_club(random: Random) -> Sample:
    """Eight people of different strength sit down anywhere."""
    people = [tuple(random.sample("abcdefgh", 2)) for _ in range(120)]
    scores = [toss(random, 0.5 + 0.06 * (ord(one) - ord(other))) for one, other in people]
    return scores, [(one, other) for one, other in people], [*range(120)]


def measure_first_seat(sample: Sample) -> Advantage:
    scores, people, deals = sample
    groups = group_games(people, deals)
    results = SeatResults(tuple(scores), are_payoffs=False, groups=groups.groups, held=groups.held)
    return next(each for each in measure_advantages((), results) if each.id == "seat.1")


@pytest.mark.parametrize(
    "play", [sit_ann_first, sit_ann_first_mostly, play_in_couples, play_deals_often, play_in_a_club]
)
def test_games_that_depend_on_each_other_accuse_no_seat(play: Callable[[Random], Sample]) -> None:
    """Taken as independent, they accuse a seat in 100, 73, 8, 28 and 6 of these samples."""
    seats = [measure_first_seat(play(Random(number))) for number in range(100)]
    assert sum(each.chance <= LEVEL for each in seats) <= 11
    assert sum(each.interval[0] <= 0.5 <= each.interval[1] for each in seats) >= 89


def test_a_seat_of_a_club_is_found_in_spite_of_the_people() -> None:
    def play(random: Random) -> Sample:
        _, people, deals = play_in_a_club(random)
        scores = [toss(random, 0.7 + 0.03 * (ord(one) - ord(other))) for one, other in people]
        return [*scores], people, deals

    assert sum(measure_first_seat(play(Random(number))).chance <= LEVEL for number in range(20)) >= 18


def test_games_are_grouped_by_people_and_by_deals() -> None:
    strangers = [(f"a{game}", f"b{game}") for game in range(30)]
    assert group_games(strangers, range(30)).groups == ()
    assert group_games([(None, None)] * 30, range(30)).groups == ()
    again = group_games([*strangers, ("a3", "c")], range(31))
    assert again.groups == (*range(30), 3)
    assert again.held == ()
    repeated = group_games(strangers, [*range(29), 0])
    assert (repeated.groups[0], repeated.groups[29]) == (0, 0)
    club = group_games([("ann", "bob"), ("bob", None), ("eve", "ann")], [1, 1, 2])
    assert club.groups == (0, 0, 2)
    assert club.held == ((0, None, 1), (1, 0, None))
