"""Answers from saved games of people. Every count is worked out a second time, from the plan of the games."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jsonschema import Draft202012Validator

from rulewright import Game, load_ruleset
from rulewright.analysis.fairness.ask_questions import QuestionResult, ask_saved, to_saved_data
from rulewright.analysis.fairness.questions import load_questions
from rulewright.analysis.fairness.questions.waiting import FEWEST_TIMED, list_waits
from rulewright.analysis.fairness.saved_game_cache import SavedGameCache
from rulewright.analysis.fairness.saved_games import SavedGames, read_saved_games
from rulewright.base.errors import RulewrightError
from rulewright.cli.main import main
from rulewright.engine.game.json_contracts import CONTRACTS
from rulewright.ruleset.ruleset import Ruleset
from tests.analysis.test_fairness import shop

MANIFEST = "{ruleset: test/race, version: 1.0.0, title: A race, players: 2..3, start: game, evaluate: standing}\n"
RULES = """\
kinds: {player: {fields: {points: count}}}
state: {starter: player, turn: int}
options: {side: {title: Side, choices: {usual: Usual, other: Other}, default: usual}}
formulas:
  standing: {given: {who: player}, is: who.points}
  most: {is: max(p.points for p in players)}
measures: {turns: {is: turn, per: turn, title: Turns}}
procedures:
  game:
    title: A race
    steps:
      - {id: lot, roll: 1d2}
      - {id: one, set: {starter: first(players)}, when: lot == 1}
      - {id: two, set: {starter: "next(first(players), players)"}, when: lot == 2}
      - id: rounds
        repeat:
          at_most: 3
          steps:
            - {id: go, ask: Run or rest?, choose: {who: starter, from: [run, rest, sleep]}}
            - {id: gain, when: go == run, set: {starter.points: starter.points + 1}}
            - id: after
              for_each: p
              in: list(p for p in players if p != starter)
              steps:
                - {id: reply, ask: And you?, choose: {who: p, from: [run, rest]}}
                - {id: also, when: reply == run, set: {p.points: p.points + 1}}
            - {id: tick, set: {turn: turn + 1}}
      - {id: tie, finish: {winners: []}, when: not any(p.points < most() for p in players)}
      - {id: end, finish: {winners: "list(p for p in players if p.points == most())"}}
"""

ROUNDS = 3
PEOPLE = ["ann", "bob", "cat", "dan", "eve"]

Plan = tuple[int, int, int]
"""Who starts (1 or 2), how often the starter runs, at first, and how often the other one runs, at last."""

PLANS: list[Plan] = [*product((1, 2), range(4), range(4))][:30]
"""Thirty games of two players, all different."""


def load(folder: Path, rules: str = RULES, manifest: str = MANIFEST) -> Ruleset:
    home = folder / "race"
    home.mkdir(parents=True, exist_ok=True)
    home.joinpath("ruleset.yaml").write_text(manifest)
    home.joinpath("rules.yaml").write_text(rules)
    return load_ruleset("test/race", rules=folder)


def play(ruleset: Ruleset, plan: Plan, *, seed: int = 0, decisions: int = 2 * ROUNDS, **options: str) -> Game:
    """Play a game as planned, or its first decisions."""
    game = Game(ruleset, players=2, seed=seed, options=options, stop_at_chance=True)
    starter, early, late = plan
    game.resolve(starter)
    for number in range(decisions):
        turn, second = divmod(number, 2)
        runs = turn >= ROUNDS - late if second else turn < early
        game.choose("run" if runs else "rest")
    return game


def find_winner(plan: Plan) -> int | None:
    """Return the seat that wins a planned game, from 1, without playing it."""
    starter, early, late = plan
    return None if early == late else starter if early > late else 3 - starter


def seats_of(number: int) -> list[str]:
    return [PEOPLE[number % 5], PEOPLE[(number + 1 + number // 5 % 4) % 5]]


def estimate(scores: Sequence[tuple[int, int]], holders: Sequence[int], numbers: Sequence[int]) -> float:
    """Return what the holder, a seat from 0, wins of these games between equally strong people, by a regression.

    `numbers` are those of the games, which say who played.
    """
    columns = [[0.5 - holder for holder in holders]]
    people = [seats_of(number) for number in numbers]
    columns += [
        [0.5 if seats[0] == person else -0.5 if seats[1] == person else 0.0 for seats in people] for person in PEOPLE
    ]
    ahead = np.array([(one - other) / 2 for one, other in scores])
    effect = np.linalg.lstsq(np.array(columns).T, ahead, rcond=None)[0][0]
    return float(np.mean(scores) + effect / 2)


def write_people(save: Path, **data: Any) -> Path:
    path = save.with_name(f"{save.stem}.people.json")
    path.write_text(json.dumps({"version": 1, **data}))
    return path


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rules")
    load(folder)
    return folder


@pytest.fixture(scope="module")
def ruleset(rules: Path) -> Ruleset:
    return load_ruleset("test/race", rules=rules)


@pytest.fixture(scope="module")
def thirty(ruleset: Ruleset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_all(tmp_path_factory.mktemp("thirty"), ruleset, PLANS)


@pytest.fixture(scope="module")
def many(ruleset: Ruleset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_all(tmp_path_factory.mktemp("many"), ruleset, PLANS * 5)


@pytest.fixture
def saves(thirty: Path, tmp_path: Path) -> Path:
    """Return a folder with the thirty games, to add others to."""
    return Path(shutil.copytree(thirty, tmp_path / "saves"))


def save_all(folder: Path, ruleset: Ruleset, plans: Sequence[Plan]) -> Path:
    for number, plan in enumerate(plans):
        save = folder / f"{number:03}.json"
        play(ruleset, plan, seed=number).save(save)
        write_people(save, seats=seats_of(number))
    return folder


def read(folder: Path, ruleset: Ruleset, **options: str) -> SavedGames:
    return read_saved_games(folder, ruleset, options=options)


def open_table(folder: Path, ruleset: Ruleset, **options: str) -> SavedGameCache:
    return SavedGameCache.open(ruleset, read(folder, ruleset, **options), options=options, rules=())


def ask(folder: Path, ruleset: Ruleset) -> dict[str, QuestionResult]:
    return {each.question.id: each for each in ask_saved(open_table(folder, ruleset))}


def text_of(result: QuestionResult) -> str:
    return " ".join(result.answer.sentences).replace("\N{NO-BREAK SPACE}", " ")


def values_of(result: QuestionResult) -> dict[str, float]:
    return {metric.id.removesuffix(".of.2"): metric.value for metric in result.answer.metrics}


def test_thirty_games_are_counted_as_they_were_played(thirty: Path, ruleset: Ruleset) -> None:
    table = open_table(thirty, ruleset)
    counts = table.play_good_bots(2).counts
    winners = [find_winner(plan) for plan in PLANS]
    assert (counts.games, counts.draws, counts.unfinished) == (30, winners.count(None), 0)
    assert counts.wins_by_seat == [winners.count(1), winners.count(2)]
    assert counts.lengths == {2 * ROUNDS: 30}
    runs = sum(times for (_, option), times in counts.taken.items() if option == "run")
    assert runs == sum(early + late for _, early, late in PLANS)
    assert [row.winning_seats for row in table.play_good_bots(2, rows=True).rows] == [
        () if winner is None else (winner,) for winner in winners
    ]


def test_too_few_games_say_how_many_more_are_needed(thirty: Path, ruleset: Ruleset) -> None:
    answers = ask(thirty, ruleset)
    for question in ("advantage", "length", "options", "lead"):
        assert text_of(answers[question]) == (
            "With 2 players, in 30 games of 5 people: Not known yet: this takes at least 100 games, which is 70 more."
        )
        assert answers[question].answer.missing == 70


def test_answers_of_many_games_are_those_of_the_plan(many: Path, ruleset: Ruleset) -> None:
    plans = PLANS * 5
    answers = ask(many, ruleset)
    won = [(plan, winner) for plan in plans if (winner := find_winner(plan)) is not None]
    numbers = [number for number, plan in enumerate(plans) if find_winner(plan) is not None]
    scores = [(int(winner == 1), int(winner == 2)) for _, winner in won]
    starters = [plan[0] - 1 for plan, _ in won]
    expected = [estimate(scores, holders, numbers) for holders in ([0] * len(won), [1] * len(won), starters)]
    advantage = values_of(answers["advantage"])
    assert [advantage["seat.1"], advantage["seat.2"], advantage["order.1"]] == pytest.approx(expected)
    assert "in 150 games of 5 people" in text_of(answers["advantage"])
    length = values_of(answers["length"])
    assert length["draws"] == pytest.approx(sum(find_winner(plan) is None for plan in plans) / 150)
    assert length["decisions"] == 6

    def is_behind(plan: Plan) -> bool:
        _, early, late = plan
        for turn in range(ROUNDS):
            first, second = min(early, turn), max(0, late - (ROUNDS - turn))
            if (first < second) if early > late else (second < first):
                return True
        return False

    behind = sum(is_behind(plan) for plan, _ in won) / len(won)
    assert 0 < behind < 1
    assert values_of(answers["lead"])["behind"] == pytest.approx(behind)


def test_options_that_nobody_takes_are_named(many: Path, ruleset: Ruleset) -> None:
    text = text_of(ask(many, ruleset)["options"])
    assert "Players never took these options, which up to 2.5 % of the answers may do: Sleep (Run or rest?)." in text


def test_payoffs_are_those_of_the_people(tmp_path: Path) -> None:
    ruleset = load(tmp_path / "rules", manifest=MANIFEST.replace("evaluate", "payoff"))
    folder = tmp_path / "saves"
    folder.mkdir()
    found = values_of(ask(save_all(folder, ruleset, PLANS * 5), ruleset)["advantage"])
    scores = [(early, late) if starter == 1 else (late, early) for starter, early, late in PLANS * 5]
    assert found["seat.1"] == pytest.approx(estimate(scores, [0] * 150, range(150)))


def test_prices_are_those_that_people_paid(tmp_path: Path) -> None:
    ruleset = load_ruleset("test/shop", rules=shop(tmp_path, weight=1))
    folder = tmp_path / "saves"
    folder.mkdir()
    bought = 0
    for number in range(40):
        game = Game(ruleset, players=2, seed=number)
        while game.decision is not None:
            # The tax comes before the next decision after the second purchase of a day, and hides what that gains.
            bought += game.decision.player == 1
            game.choose("sword")
        game.save(folder / f"{number}.json")
    prices = ask(folder, ruleset)["prices"]
    assert values_of(prices) == {"shop.sword.paid": 3, "shop.sword.worth": 5}
    text = text_of(prices)
    assert text.startswith("With 2 players, in 40 games of people without an id: A sword: 3.0 coins on average over ")
    assert f" over {bought:,} purchases" in text


def test_games_with_other_numbers_of_players_are_told_apart(thirty: Path, ruleset: Ruleset, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(thirty, tmp_path / "saves"))
    game = Game(ruleset, players=3, stop_at_chance=True)
    game.resolve(1)
    for option in ("run", "rest", "rest") * ROUNDS:
        game.choose(option)
    game.save(folder / "three.json")
    table = open_table(folder, ruleset)
    assert [*table.sizes] == [2, 3]
    assert table.play_good_bots(3).counts.wins_by_seat == [1, 0, 0]
    text = text_of(ask(folder, ruleset)["length"])
    assert "With 3 players, in 1 game of people without an id: Not known yet" in text
    assert "These are 31 games of 5 people and of others without an id, played to the end." in text_of(
        ask(folder, ruleset)["people"]
    )


def test_people_are_not_everybody(thirty: Path, ruleset: Ruleset) -> None:
    result = ask(thirty, ruleset)
    keys = [key for key, each in result.items() if "not everybody" in text_of(each)]
    assert keys == ["people"]
    assert text_of(result["people"]).startswith("These are 30 games of 5 people, played to the end. Those who play ")
    assert text_of(result["people"]).count(".") == 3


def test_each_question_of_bots_gives_its_reason_in_one_line(many: Path, ruleset: Ruleset) -> None:
    answers = ask(many, ruleset)
    refused = {
        key for key, each in answers.items() if text_of(each).startswith("Saved games cannot answer this question")
    }
    assert refused == {"players", "compensation", "perfect", "skill", "rolls", "decisions"}
    assert refused == {each.id for each in load_questions() if each.not_from_saves}
    for question in refused:
        assert len(answers[question].answer.sentences) == 1
        assert " because it" in text_of(answers[question])


def test_a_game_that_somebody_left_is_no_draw(saves: Path, ruleset: Ruleset) -> None:
    for name, plan, decisions in (("early", (1, 1, 1), 3), ("late", (2, 2, 2), 6)):
        save = saves / f"{name}.json"
        play(ruleset, plan, seed=77, decisions=decisions).save(save)
        write_people(save, seats=["ann", "zoe"], left=[{"seat": 2, "decision": decisions - 1}])
    table = open_table(saves, ruleset)
    counts = table.play_good_bots(2).counts
    assert (counts.games, counts.draws) == (30, sum(find_winner(plan) is None for plan in PLANS))
    text = text_of(ask(saves, ruleset)["people"])
    assert "30 games of 5 people" in text
    assert "Somebody left 2 more games, after 2 to 5 decisions. Nobody knows" in text


def test_a_game_that_goes_on_is_counted_apart(saves: Path, ruleset: Ruleset) -> None:
    play(ruleset, (1, 0, 0), seed=78, decisions=5).save(saves / "half.json")
    saved = read(saves, ruleset)
    assert ([each.name for each in saved.unfinished], len(saved.games)) == (["half.json"], 30)
    assert "1 game (half.json) is not over yet." in text_of(ask(saves, ruleset)["people"])


def truncate(save: Path) -> None:
    save.write_bytes(save.read_bytes()[:-40])


def edit(save: Path) -> None:
    save.write_text(save.read_text().replace('"players": 2', '"players": 3'))


def forge(save: Path) -> None:
    """Change a choice, with a check that fits."""
    from rulewright.engine.game.save_format import read_save, save_text

    data = read_save(save)
    data["record"][1] = ["choose", "sleep" if data["record"][1][1] == "run" else "run"]
    save.write_text(save_text(data))


def play_under_changed_rules(save: Path) -> None:
    ruleset = load(save.parent / "changed", RULES.replace("at_most: 3", "at_most: 3 + 0").replace("1d2", "1d4"))
    game = Game(ruleset, players=2, seed=1)
    while game.decision is not None:
        game.choose(0)
    game.save(save)


def play_with_another_setting(save: Path) -> None:
    ruleset = load(save.parent / "same")
    play(ruleset, (1, 2, 0), seed=79, side="other").save(save)


def repeat_another(save: Path) -> None:
    shutil.copy(save.parent / "003.json", save)


def repeat_the_beginning(save: Path) -> None:
    play(load(save.parent / "same"), PLANS[3], seed=3, decisions=4).save(save)


WRONG: dict[str, tuple[Callable[[Path], object], str]] = {
    "truncated": (truncate, "new.json is damaged: it is not complete JSON"),
    "edited": (edit, "new.json was changed after it was saved"),
    "forged": (forge, "new.json is damaged: replaying its moves does not give the saved state"),
    "foreign": (lambda save: save.write_text('{"chess": []}'), "new.json is not a Rulewright save"),
    "binary": (lambda save: save.write_bytes(b"\xff\xfe\x00"), "new.json is not a save: it is not text"),
    "empty": (lambda save: save.write_text(""), "new.json is not a Rulewright save"),
    "other rules": (play_under_changed_rules, "but its rules have changed since"),
    "other setting": (play_with_another_setting, "new.json was played with other settings: --option side=other"),
    "repeated": (repeat_another, "new.json is the same game as 003.json, or an earlier save of it"),
    "earlier": (repeat_the_beginning, "new.json is the same game as 003.json, or an earlier save of it"),
    "gone": (
        lambda save: (write_people(save, seats=["a", "b"]), save.unlink()),
        "new.people.json is about a save that is not here: new.json",
    ),
    "no JSON": (lambda save: save.with_name("new.people.json").write_text("{"), "new.people.json is not about the"),
    "no version": (
        lambda save: save.with_name("new.people.json").write_text('{"seats": ["a", "b"]}'),
        "new.people.json is not about the people of a game: a key is missing or unknown",
    ),
    "later version": (lambda save: write_people(save, version=2, seats=["a", "b"]), "`version` has an invalid value"),
    "unknown key": (lambda save: write_people(save, seats=["a", "b"], mood="good"), "a key is missing or unknown"),
    "seats": (lambda save: write_people(save, seats=["a"]), "new.people.json has 1 seats, but the game has 2"),
    "seconds": (
        lambda save: write_people(save, seats=["a", "b"], seconds=[1]),
        "new.people.json has the seconds of 1 decisions, but the game has 6",
    ),
    "mark": (
        lambda save: write_people(save, seats=["a", "b"], marks=[{"decision": 7, "word": "dull"}]),
        "new.people.json names decision 7, but the game has 6",
    ),
    "unprintable": (
        lambda save: write_people(save, seats=["a", "b"], marks=[{"decision": 1, "word": "\x1b[2J"}]),
        "new.people.json has a mark with characters that cannot be printed",
    ),
    "left seat": (
        lambda save: write_people(save, seats=["a", "b"], left=[{"seat": 3, "decision": 1}]),
        "new.people.json names a seat that left, but the game has only 2",
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_file_is_named_and_the_others_count(wrong: str, saves: Path, ruleset: Ruleset) -> None:
    spoil, reason = WRONG[wrong]
    save = saves / "new.json"
    play(ruleset, (1, 3, 1), seed=80).save(save)
    assert len(read(saves, ruleset).games) == 31
    spoil(save)
    saved = read(saves, ruleset)
    assert len(saved.games) == 30
    (refusal,) = saved.refused
    assert reason in refusal.reason
    assert refusal.file == ("new.people.json" if wrong == "gone" else "new.json")


def test_the_same_game_by_other_people_is_another_game(saves: Path, ruleset: Ruleset) -> None:
    shutil.copy(saves / "003.json", saves / "new.json")
    write_people(saves / "new.json", seats=["x", "y"])
    assert len(read(saves, ruleset).games) == 31


def test_a_setting_asks_about_its_games(saves: Path, ruleset: Ruleset) -> None:
    play(ruleset, (1, 2, 0), seed=79, side="other").save(saves / "new.json")
    saved = read(saves, ruleset, side="other")
    assert ([each.name for each in saved.games], len(saved.refused)) == (["new.json"], 30)
    with pytest.raises(RulewrightError, match="there is usual, other"):
        read(saves, ruleset, side="none")


def test_waits_are_the_seconds_of_the_others(saves: Path, ruleset: Ruleset) -> None:
    save = saves / "000.json"
    write_people(save, seats=["a", "b"], seconds=[1, 2, 4, 8, 16, 32])
    (timed,) = (each for each in read(saves, ruleset).games if each.people.seconds)
    assert list_waits(timed) == [2, 4, 8, 16]
    waiting = ask(saves, ruleset)["waiting"]
    assert text_of(waiting).startswith(
        "With 2 players, in 30 games of 7 people, 1 with times: Not known yet: this takes"
    )
    assert waiting.answer.missing == FEWEST_TIMED - 1


def test_two_decisions_in_a_row_are_no_wait(tmp_path: Path) -> None:
    ruleset = load_ruleset("test/shop", rules=shop(tmp_path, weight=1))
    game = Game(ruleset, players=2)
    while game.decision is not None:
        game.choose(next(option for option in game.decision.options if option.id in ("jewel", "left")))
    game.save(tmp_path / "game.json")
    write_people(tmp_path / "game.json", seats=["a", "b"], seconds=[1] * 80)
    (saved,) = read(tmp_path, ruleset).games
    # On each of 20 days, both players make two decisions.
    assert list_waits(saved) == [2] * (2 * 19)


def test_times_of_enough_games_are_summed_up(saves: Path, ruleset: Ruleset) -> None:
    for number in range(30):
        # Every decision takes as many seconds, except in the last game.
        seconds = [90.0 if number == 29 else 10.0 + number % 3] * 6
        write_people(saves / f"{number:03}.json", seats=seats_of(number), seconds=seconds)
    waiting = ask(saves, ruleset)["waiting"]
    mean = (sum(10 + number % 3 for number in range(29)) + 90) / 30
    assert values_of(waiting) == pytest.approx({"minutes": mean / 10, "wait": mean})
    assert "4 of 120 waits are longer than a minute." in text_of(waiting)


def test_marks_are_named_with_their_decision(saves: Path, ruleset: Ruleset) -> None:
    for number in range(3):
        marks = [{"decision": 2, "word": "dull"}, {"decision": 4, "word": "dull"}, {"decision": 5, "word": "tense"}]
        write_people(saves / f"{number:03}.json", seats=seats_of(number), marks=marks[: number + 1])
    assert text_of(ask(saves, ruleset)["marks"]) == (
        "“dull” was marked 5 times in 3 games, most often at “And you?” (5). “tense” was marked 1 time in 1 game, most "
        "often at “Run or rest?” (1). The marks are from 30 games of 5 people."
    )


def test_without_times_and_marks_nothing_is_said_of_them(thirty: Path, ruleset: Ruleset) -> None:
    assert not {"waiting", "marks"} & ask(thirty, ruleset).keys()


def test_the_schema_accepts_what_is_read(ruleset: Ruleset) -> None:
    schema = Draft202012Validator(CONTRACTS["people"].make(None))
    whole = {
        "version": 1,
        "seats": ["ann", None],
        "seconds": [1.5, 2],
        "marks": [{"decision": 1, "word": "dull"}],
        "left": [{"seat": 1, "decision": 0}],
    }
    schema.validate(whole)
    schema.validate({"version": 1, "seats": [None]})
    assert not schema.is_valid(whole | {"seconds": [-1]})


def run(*arguments: object) -> int:
    return main([str(each) for each in ("fair", "test/race", *arguments)])


def test_the_command_answers_and_warns(
    saves: Path, rules: Path, ruleset: Ruleset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (saves / "new.json").write_text("{}")
    page = tmp_path / "page.html"
    assert run("--from", saves, "--rules", rules, "--report", page, "--json") == 0
    out, err = capsys.readouterr()
    report = json.loads(out)
    assert report["saves"] == {
        "folder": str(saves),
        "games": 30,
        "people": 5,
        "unnamed": 0,
        "left": 0,
        "unfinished": 0,
        "refused": [{"file": "new.json", "reason": "new.json is not a Rulewright save"}],
    }
    assert report["sizes"] == [2]
    assert err == "warning: new.json is not a Rulewright save\n"
    assert f"saved games of people in {saves}" in page.read_text()
    assert "<li>new.json is not a Rulewright save</li>" in page.read_text()
    assert run("--from", saves, "--rules", rules) == 0
    out, _ = capsys.readouterr()
    assert "to answer it" not in out
    assert f"see it: rulewright fair test/race@1.0.0 --from {saves} --rules {rules}" in out
    data = to_saved_data(open_table(saves, ruleset), [])
    assert data["saves"] == report["saves"]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("--players=greedy", "--from plays no games, so leave out --players"),
        ("--games=50", "--from plays no games, so leave out --games"),
        ("--seed=4", "--from plays no games, so leave out --seed"),
        ("--workers=2", "--from plays no games, so leave out --workers"),
        ("--positions=0", "--from plays no games, so leave out --positions"),
        ("--compare=test/race", "leave out --compare"),
        ("--edition=even", "leave out --edition"),
        ("--keep", "leave out --keep"),
    ],
)
def test_options_of_bots_are_refused_with_a_reason(
    given: str, why: str, thirty: Path, rules: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run("--from", thirty, "--rules", rules, given)
    assert why in capsys.readouterr().err


def test_a_folder_without_such_games_is_an_error(
    tmp_path: Path, rules: Path, ruleset: Ruleset, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--from", tmp_path / "gone", "--rules", rules) == 1
    assert "gone' cannot be read: No such file or directory" in capsys.readouterr().err
    play(ruleset, (1, 0, 0), decisions=2).save(tmp_path / "half.json")
    assert run("--from", tmp_path, "--rules", rules) == 1
    assert "no game in" in capsys.readouterr().err


def test_no_game_is_played_and_no_process_started(
    many: Path, ruleset: Ruleset, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise AssertionError("nothing is played")

    for name in (
        "game_cache.begin_run",
        "game_cache.turn_rolls",
        "game_cache.play_games",
        "setup_differences.begin_games",
    ):
        monkeypatch.setattr(f"rulewright.analysis.fairness.{name}", fail)
    monkeypatch.setattr("rulewright.analysis.simulation.workers.open_processes", fail)
    assert len(ask(many, ruleset)) > 10


def test_a_question_that_plays_other_games_fails_alone(thirty: Path, ruleset: Ruleset) -> None:
    table = open_table(thirty, ruleset)
    for asked in (
        lambda: table.play(("greedy", "greedy")),
        lambda: table.play_results(2, careless=1),
        lambda: table.vary_rolls(("people",) * 2, replays=1),
        lambda: table.play_rows(ruleset, 2, 0, 1),
    ):
        with pytest.raises(RulewrightError, match="games that nobody has played"):
            asked()
