"""What a ruleset expects of its play, held against a game of one toss whose odds are known in full."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rulewright.analysis.simulation.metrics import compute_seat_edge, find_metric
from rulewright.analysis.simulation.metrics import list_metrics as figures_of
from rulewright.analysis.simulation.play_expectations import (
    FIRST_LOOK,
    ExpectationReport,
    build_command,
    judge,
    report_judgement,
)
from rulewright.analysis.simulation.run_simulation import simulate
from rulewright.book.changes.compare_rulesets import list_changes
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.queries.lookup import find_node
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.edition_reference import parse_reference
from rulewright.ruleset.sections.expect_play import GAMES
from rulewright.source.diagnostics.collector import Diagnostic
from rulewright.source.diagnostics.formats import text
from rulewright.testing.check_edition import check_edition
from tests.analysis.coin import written
from tests.source.goldens import assert_golden

GOLDENS = Path(__file__).parent / "goldens" / "expectations"


def loaded(folder: Path, expected: str, **game: Any) -> Ruleset:
    """Return the game of one toss, with what is expected of it."""
    return load_ruleset("test/toss", rules=[written(folder, f"expect_play:\n  it: {{{expected}}}\n", **game)])


def verdicts(judged: ExpectationReport) -> dict[str, str]:
    return {each.bounds.written: each.verdict for each in judged.evidence}


# -- the figures, where the truth is known -------------------------------------------------------


@pytest.mark.parametrize(
    ("draws", "first", "wanted", "verdict"),
    [
        (0, 5, "seat_edge: at most 6 %", "holds"),  # a fair coin: no edge at all
        (0, 10, "seat_edge: at most 40 %", "missed"),  # the first seat always wins: 50 % above its share
        (0, 10, "seat_edge: 49..50 %", "holds"),
        (0, 0, "seat_edge: at least 49 %", "holds"),  # never
        (0, 7, "seat_edge: 15..25 %", "holds"),  # 70 % and 30 %
        (2, 4, "seat_edge: at most 6 %", "holds"),  # 40 % each, which is an even share of what is won
        (2, 4, "draws: 15 %..25 %", "holds"),
        (2, 4, "draws: at most 10 %", "missed"),
        (0, 5, "draws: at most 1 %", "holds"),
        (0, 5, "unfinished: at most 1 %", "holds"),
        (0, 5, "decisions: at most 0", "holds"),  # nobody is asked anything
        (0, 5, "decisions: at least 1", "missed"),
        (0, 5, "face: 5.2..5.8", "holds"),
        (0, 5, "face: at least 6", "missed"),
        (0, 5, "face: -3..-1", "missed"),
        (0, 5, "measures.draws: 2.5..3.5", "holds"),  # a measure called as a figure of every game is
    ],
)
def test_what_is_known_of_a_toss_is_found(tmp_path: Path, draws: int, first: int, wanted: str, verdict: str) -> None:
    judgement = judge(loaded(tmp_path, f"{wanted}, games: 4000, seed: 3", draws=draws, first=first))
    assert list(verdicts(judgement).values()) == [verdict]
    assert not judgement.interrupted


def test_what_lies_on_the_bound_cannot_be_told(tmp_path: Path) -> None:
    """Nine of ten tosses are decided, three times for the first seat: its edge is exactly 15 %."""
    judgement = judge(loaded(tmp_path, "seat_edge: at most 15 %, games: 3000", draws=1, first=3))
    [evidence] = judgement.evidence
    assert (evidence.verdict, evidence.games) == ("open", 3000)
    assert evidence.metric.interval[0] < 0.15 < evidence.metric.interval[1]


def test_more_is_played_only_where_it_is_not_known(tmp_path: Path) -> None:
    rules = loaded(tmp_path, "draws: at most 5 %, face: 5.4..5.6, seed: 1")
    by_text = {each.bounds.written: each.games for each in judge(rules).evidence}
    assert by_text["draws"] == FIRST_LOOK
    # Half of the interval is 1.96 * 2.87 / sqrt(games), and has to be below 0.1.
    assert 2 * FIRST_LOOK < by_text["face"] <= GAMES


def test_no_more_is_played_than_is_allowed(tmp_path: Path) -> None:
    judgement = judge(loaded(tmp_path, "face: 5.4..5.6, draws: at most 50 %, games: 30"))
    assert {each.games for each in judgement.evidence} == {30}
    assert verdicts(judgement) == {"face": "open", "draws": "holds"}


def test_two_who_want_the_same_games_share_them(tmp_path: Path) -> None:
    expected = "one: {draws: at most 1 %}, two: {face: 5..6}, three: {players: 3, draws: at most 1 %}"
    rules = load_ruleset("test/toss", rules=[written(tmp_path, f"expect_play: {{{expected}}}\n")])
    told: list[tuple[str, int]] = []
    judgement = judge(rules, progress=lambda each: lambda done, games, seconds: told.append((each.id, done)))
    assert {each.expectation.id for each in judgement.evidence} == {"one", "two", "three"}
    assert {name for name, _ in told} == {"one", "three"}


@pytest.mark.parametrize("workers", [1, 2])
def test_the_evidence_is_what_simulate_shows(tmp_path: Path, workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "rulewright.analysis.simulation.workers.PATIENCE", 0.0
    )  # no matter how quick: others help from here on
    rules = loaded(tmp_path, "with: [greedy, random], options: {side: other}, seed: 7, seat_edge: at most 9 %", first=7)
    [evidence] = judge(rules, rules=[tmp_path], workers=workers).evidence
    counts = simulate(rules, games=evidence.games, policies=["greedy", "random"], seed=7, options={"side": "other"})
    assert evidence.metric == figures_of(counts, rules)["seat_edge"]
    assert build_command(evidence, rules, rules=[tmp_path]) == (
        f"rulewright simulate test/toss@1.0.0 --games {FIRST_LOOK} --players greedy,random --seed=7 "
        f"--option side=other --rules {tmp_path}"
    )


def test_nothing_expected_is_nothing_played(tmp_path: Path) -> None:
    rules = load_ruleset("test/toss", rules=[written(tmp_path)])
    assert judge(rules) == ExpectationReport()


# -- the edge of a seat --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wins", "games", "edge"),
    [
        ([500, 500], 1000, Fraction(0)),
        ([1000, 0], 1000, Fraction(1, 2)),
        ([300, 300], 1000, Fraction(0)),  # draws are nobody's edge
        ([1000, 1000], 1000, Fraction(0)),  # nor is a victory of all
        ([60, 20, 20], 100, Fraction(60, 100) - Fraction(1, 3)),
        ([20, 20, 60, 0], 100, Fraction(60, 100) - Fraction(1, 4)),
        ([0, 45, 45], 90, Fraction(1, 3)),
        ([7], 10, Fraction(0)),
    ],
)
def test_an_edge_is_counted_from_an_even_share(wins: list[int], games: int, edge: Fraction) -> None:
    figure = compute_seat_edge(wins, games)
    assert figure.value == pytest.approx(float(edge))
    assert figure.interval[0] <= figure.value <= figure.interval[1] <= 1


def test_nothing_is_known_of_no_games() -> None:
    assert (compute_seat_edge([0, 0], 0).value, compute_seat_edge([0, 0], 0).interval) == (0.0, (0.0, 1.0))


@pytest.mark.parametrize("chances", [(0.5, 0.5, 0.0), (0.45, 0.35, 0.2), (0.8, 0.1, 0.1)])
def test_the_interval_of_an_edge_misses_no_more_than_one_in_twenty(chances: tuple[float, float, float]) -> None:
    edge, missed, draw = abs(chances[0] - chances[1]) / 2, 0, random.Random(5)
    for _ in range(400):
        came = draw.choices(range(3), chances, k=200)
        low, high = compute_seat_edge([came.count(0), came.count(1)], 200).interval
        missed += not low <= edge <= high
    assert missed <= 0.05 * 400 + 2 * (0.05 * 0.95 * 400) ** 0.5


def test_simulations_know_the_new_figures_by_name(tmp_path: Path) -> None:
    rules = loaded(tmp_path, "draws: at most 5 %")
    metrics = figures_of(simulate(rules, games=10), rules)
    assert [find_metric(metrics, name).share for name in ("seat_edge", "unfinished")] == [True, True]


# -- interrupts and faults ------------------------------------------------------------------------


def test_an_interrupt_tells_what_was_played(tmp_path: Path) -> None:
    expected = "expect_play:\n  one: {face: 5.45..5.55}\n  two: {seed: 2, draws: at most 1 %}\n"
    rules = load_ruleset("test/toss", rules=[written(tmp_path, expected)])

    def stop(done: int, games: int, seconds: float) -> None:
        if games > FIRST_LOOK // 2 and done > games // 2:
            raise KeyboardInterrupt

    judgement = judge(rules, progress=lambda expectation: stop)
    [evidence] = judgement.evidence
    assert judgement.interrupted
    assert (evidence.expectation.id, evidence.verdict) == ("one", "open")
    assert FIRST_LOOK // 2 < evidence.games < FIRST_LOOK
    # What is not known for want of time is nobody's fault.
    assert report_judgement(judgement, rules) == []
    counts = simulate(rules, games=evidence.games, policies=["random"] * 2)
    assert figures_of(counts, rules)["measures.face"] == evidence.metric


def test_rules_that_cannot_be_carried_out_are_told_of(tmp_path: Path) -> None:
    broken = written(tmp_path, "expect_play: {it: {face: 5..6}}\n") / "toss" / "rules.yaml"
    faulty = "{id: none_left, choose: {who: player, one_of: list(p for p in players if p.score > 0)}}"
    broken.write_text(broken.read_text().replace("- {id: toss, roll", f"- {faulty}\n      - {{id: toss, roll"))
    rules = load_ruleset("test/toss", rules=[tmp_path])
    judgement = judge(rules)
    assert judgement.evidence == []
    assert [each.code.id for each in report_judgement(judgement, rules)] == ["rules-fault"]


# -- layers ---------------------------------------------------------------------------------------


def test_what_is_expected_is_inherited_merged_and_no_gameplay(tmp_path: Path) -> None:
    base = "expect_play:\n  fair: {seat_edge: at most 6 %, draws: at most 1 %, games: 2000}\n  face: {face: 5..6}\n"
    written(tmp_path, base)
    written(tmp_path, name="plain")
    above = "expect_play: {fair: {draws: at most 2 %, face: 4..7}, face: {delete: true}, new: {draws: at most 3 %}}\n"
    written(tmp_path, above, name="above", extends="test/toss@1")
    rules = {name: load_ruleset(f"test/{name}", rules=[tmp_path]) for name in ("toss", "plain", "above")}
    by_name = {
        name: [(each.written, each.text) for each in it.bounds] for name, it in rules["above"].expectations.items()
    }
    assert by_name == {
        "fair": [("seat_edge", "at most 6 %"), ("draws", "at most 2 %"), ("face", "4..7")],
        "new": [("draws", "at most 3 %")],
    }
    assert rules["above"].expectations["fair"].games == 2000
    # What is missed above is told where it is wanted, wherever that is.
    spans = [each.span.file for each in rules["above"].expectations["fair"].bounds]
    assert [Path(path).parent.name for path in spans] == ["toss", "above", "above"]
    assert len({each.digest for each in rules.values()}) == 1
    assert len({each.digest_of_counts for each in rules.values()}) == 1
    assert rules["toss"].digest_of_all != rules["plain"].digest_of_all
    assert ".".join(find_node(rules["above"], "expect_play.fair.draws")[0]) == "expect_play.fair.draws"


def test_a_comparison_tells_what_is_expected_otherwise(tmp_path: Path) -> None:
    base = "fair: {seat_edge: at most 6 %, draws: at most 1 %, games: 2000}, old: {face: 5..6}"
    fair = "seat_edge: at most 3 %, draws: {delete: true}, measures.draws: 2..4, games: 30, with: [greedy, random]"
    above = f"fair: {{{fair}}}, old: {{delete: true}}, new: {{means: So., players: 3, decisions: at least 4}}"
    written(tmp_path, f"expect_play: {{{base}}}\n")
    written(tmp_path, f"expect_play: {{{above}}}\n", name="above", extends="test/toss@1")
    before, after = (load_ruleset(f"test/{name}", rules=[tmp_path]) for name in ("toss", "above"))
    changes = list_changes(before, after)
    assert not any(each.played for each in changes)
    assert {(each.id, each.what): each.sentences for each in changes if each.section == "expect_play"} == {
        ("fair", "changed"): (
            "Played by: greedy, random instead of random.",
            "Seat edge: at most 3 % instead of at most 6 %.",
            "Cards drawn is new: 2 to 4.",
            "Draws is gone: at most 1 %.",
        ),
        ("old", "removed"): ("The face 5 to 6.",),
        ("new", "added"): ("Decisions at least 4.",),
    }


def test_a_changed_cell_of_a_matrix_is_told(tmp_path: Path) -> None:
    written(tmp_path, "expect_play: {skill: {beats: {greedy: {random: at least 60 %}}}}\n")
    above = "{skill: {beats: {greedy: {random: at least 70 %, mcts:2: at least 50 %}}}}"
    written(tmp_path, f"expect_play: {above}\n", name="above", extends="test/toss@1")
    before, after = (load_ruleset(f"test/{name}", rules=[tmp_path]) for name in ("toss", "above"))
    [change] = [each for each in list_changes(before, after) if each.section == "expect_play"]
    assert change.sentences == (
        "Greedy against random: at least 70 % instead of at least 60 %.",
        "Greedy against mcts:2 is new: at least 50 %.",
    )


def test_a_figure_of_an_expectation_can_be_taken_back(tmp_path: Path) -> None:
    written(tmp_path, "expect_play: {fair: {seat_edge: at most 6 %, face: 5..6}}\n")
    written(tmp_path, "expect_play: {fair: {face: {delete: true}}}\n", name="above", extends="test/toss@1")
    [fair] = load_ruleset("test/above", rules=[tmp_path]).expectations.values()
    assert [each.written for each in fair.bounds] == ["seat_edge"]


# -- what check says ------------------------------------------------------------------------------


def faults(folder: Path, name: str = "toss") -> list[Diagnostic]:
    """Return what `check` finds without playing."""
    catalogue = Catalogue([folder])
    return list(check_edition(catalogue, catalogue.find(parse_reference(f"test/{name}"))).diagnostics)


def assert_told(name: str, diagnostics: list[Diagnostic], folder: Path) -> None:
    assert diagnostics
    assert_golden(f"{name}.txt", text.render(diagnostics).replace(f"{folder}/", ""), folder=GOLDENS)


BAD: dict[str, str] = {
    "no_figure": "it: {with: greedy}",
    "unknown_figure": "it: {seat_egde: at most 3 %, days: 15..40}",
    "unknown_setting": "it: {palyers: 2, draws: at most 3 %}",
    "unknown_measure": "it: {measures.fcae: 1..3}",
    "unknown_bot": "it: {with: greedi, draws: at most 3 %}",
    "unlike_any_bot": "it: {with: [random, 7], draws: at most 3 %}",
    "bot_without_setting": "it: {with: 'greedy:3', draws: at most 3 %}",
    "unknown_option": "it: {options: {sied: other, side: usaul}, draws: at most 3 %}",
    "too_many_players": "it: {players: 999999999999, seat_edge: at most 3 %}",
    "no_players": "it: {players: -1, draws: at most 3 %}",
    "no_bots": "it: {with: [], draws: at most 3 %}",
    "players_besides_a_list": "it: {with: [greedy, random], players: 3, draws: at most 3 %}",
    "no_games": "it: {games: 0, draws: at most 3 %}",
    "too_many_games": "it: {games: 10000001, draws: at most 3 %}",
    "share_without_percent": "it: {draws: at most 0.03}",
    "percent_of_a_mean": "it: {face: 3..8 %}",
    "no_bound": "it: {face: about 5}",
    "bound_of_another_spelling": "it: {face: <= 5, decisions: 5-8, draws: max 3%, measures.draws: between 2 and 4}",
    "nothing_written": "it: {face: }",
    "reversed": "it: {face: 8..3}",
    "more_than_all": "it: {draws: at most 103 %}",
    "exactly": "it: {face: 5..5}",
    "never": "it: {draws: at most 0 %}",
    "long": f"it: {{face: at most {'9' * 400}}}",
    "list": "it: {face: [3, 8]}",
    "matrix": "it: {beats: {greedy: {greedy: at least 60 %, randon: at least 60 %, random: at least 0.6}}}",
    "matrix_of_three": "it: {players: 3, beats: {greedy: {random: at least 60 %}}}",
    "unnamed": "{seat_edge: at most 3 %, with: greedy}",
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_judged_is_explained(tmp_path: Path, name: str) -> None:
    what = BAD[name] if name == "unnamed" else f"{{{BAD[name]}}}"
    assert_told(name, faults(written(tmp_path, f"expect_play: {what}\n")), tmp_path)


def test_who_plays_alone_has_no_edge(tmp_path: Path) -> None:
    manifest = written(tmp_path, "expect_play: {it: {seat_edge: at most 3 %}}\n") / "toss" / "ruleset.yaml"
    manifest.write_text(manifest.read_text().replace("2..3", "1..3"))
    assert_told("edge_of_one", faults(tmp_path), tmp_path)


def test_a_ruleset_without_whole_games_expects_nothing_of_them(tmp_path: Path) -> None:
    manifest = written(tmp_path, "expect_play: {it: {draws: at most 3 %}}\n") / "toss" / "ruleset.yaml"
    manifest.write_text(manifest.read_text().replace("start: game\n", ""))
    assert_told("no_start", [each for each in faults(tmp_path) if each.code.id == "bad-expectation"], tmp_path)


def test_a_measure_that_is_gone_is_missed_where_it_is_expected(tmp_path: Path) -> None:
    written(tmp_path, "expect_play: {it: {face: 5..6}}\n")
    written(tmp_path, "measures: {face: {delete: true}}\n", name="above", extends="test/toss@1")
    assert_told("measure_gone", faults(tmp_path, "above"), tmp_path)


SOUND = ["at most 3", "at least 2.5", "-4..-1", "0..0.5", "  at most   3 ", "3 .. 8"]


@pytest.mark.parametrize("bound", SOUND)
def test_what_can_be_judged_is_sound(tmp_path: Path, bound: str) -> None:
    assert faults(written(tmp_path, f"expect_play: {{it: {{face: {bound}}}}}\n")) == []


@pytest.mark.parametrize(
    ("name", "expected", "game"),
    [
        ("missed", "seat_edge: at most 3 %, with: random, means: So.", {"first": 8}),
        ("open", "seat_edge: at most 15 %, games: 300", {"draws": 1, "first": 3}),
    ],
)
def test_what_does_not_hold_is_told_where_it_is_wanted(
    tmp_path: Path, name: str, expected: str, game: dict[str, int]
) -> None:
    rules = loaded(tmp_path, expected, **game)
    assert_told(name, report_judgement(judge(rules), rules), tmp_path)
