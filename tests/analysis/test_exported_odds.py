"""Odds worked out by a module in JavaScript, beside Python's: the same fractions, and samples that agree with them."""

from __future__ import annotations

import json
import shutil
import subprocess
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulewright import Ruleset, load_ruleset
from rulewright.analysis.odds.expected_odds import weigh
from rulewright.analysis.odds.odds_data import export_odds
from rulewright.analysis.odds.policies import by_what_is_offered, list_names
from rulewright.base.confidence_intervals import compute_wilson_interval
from rulewright.export.what_if_parameters import build_parametric_interface, open_parameters
from rulewright.ruleset.overlay import with_values
from tests.language.inline import sound

HOST = Path(__file__).parent / "hosts" / "odds.mjs"
REFERENCE = "fuzzy-knights/normal@1.0"
RULES = """
tables:
  prizes: {roll: 1d6, rows: {nothing: 1-3, small: 4-5, big: 6}}
numbers: {wanted: 6, mine: 2d6}
kinds: {player: {fields: {points: count}}}
procedures:
  fair:
    given: {p: player}
    steps:
      - {id: die, roll: mine}
      - {id: prize, roll: prizes}
      - {id: high, let: die > 7}
      - {id: move, choose: {who: p, from: [stay, go, run]}}
      - {id: how_many, choose: {who: p, number: {from: 1, to: 3}}}
      - {id: paid, gain: {who: p, points: how_many}}
  again:
    steps:
      - {id: last, let: 0}
      - id: rolling
        repeat:
          until: last == 1 or last == wanted
          ends_within: 1000000
          steps:
            - {id: die, roll: 1d6}
            - {id: noted, set: {last: die}}
  how_long:
    steps:
      - {id: rolls, let: 0}
      - {id: last, let: 0}
      - id: rolling
        repeat:
          until: last == wanted
          ends_within: 1000000
          steps:
            - {id: die, roll: 1d6}
            - {id: noted, set: {last: die, rolls: rolls + 1}}
examples:
  alike:
    title: A
    of: fair
    expect_odds: {die: {7: 1/6}, prize: {big: 1/6}, high: 15/36, move: {go: 1/3}, points: {mean: 2}}
  first: {title: B, of: fair, policy: [first], expect_odds: {move: {stay: 100 %}, how_many: {mean: 1}}}
  extremes: {title: C, of: fair, policy: [most, move=take:run], expect_odds: {move: {run: 100 %}, how_many: {mean: 3}}}
  seats: {title: D, of: fair, policy: [least, "1=take:go"], expect_odds: {move: {go: 100 %}, how_many: {mean: 1}}}
  loop: {title: E, of: again, expect_odds: {last: {1: 50 %, 6: 50 %}}}
  scripted: {title: F, of: fair, choose: [go], expect_odds: {move: {go: 100 %}}}
  ahead: {title: G, of: fair, policy: [best], expect_odds: {how_many: {mean: 3}}}
"""
LONG = "  long: {title: H, of: how_long, expect_odds: {rolls: {mean: 6}}}\n"


def exported(ruleset: Ruleset, folder: Path) -> str:
    odds = export_odds(ruleset)
    made = open_parameters(ruleset, odds.ends)
    folder.mkdir()
    (folder / "rules.wasm").write_bytes(made.module_info.code)
    data = build_parametric_interface(made) | {"odds": list(odds.data)}
    (folder / "rules.json").write_text(json.dumps(data), encoding="utf-8")
    return str(folder)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Any:
    whole = tmp_path_factory.mktemp("odds")

    @cache
    def folder(name: str) -> str:
        ruleset = load_ruleset(name) if "/" in name else sound(RULES + (LONG if name == "long" else ""))
        return exported(ruleset, whole / name.replace("/", "-"))

    return folder


@cache
def published(folder: str) -> dict[str, Any]:
    """Return the odds with every figure as it is."""
    return in_node(folder, {})


def in_node(folder: str, change: dict[str, str], **limits: Any) -> dict[str, Any]:
    program = shutil.which("node")
    if program is None:
        pytest.fail("node is not installed: `make audits` installs it on Debian and Ubuntu", pytrace=False)
    jobs = json.dumps([{"folder": folder, "change": change, "limits": limits}])
    done = subprocess.run([program, HOST], input=jobs, capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr[:2000]
    data: dict[str, Any] = json.loads(done.stdout)[0]
    return data


def chances(answer: dict[str, Any]) -> dict[str, Fraction]:
    return {each["id"]: Fraction(int(each["ways"]), int(each["of"])) for each in answer["outcomes"]}


def same_as_python(data: dict[str, Any], ruleset: Ruleset) -> None:
    for identity, odds in data.items():
        weighed = weigh(ruleset, ruleset.examples[identity])
        assert weighed.odds is not None
        assert odds["exact"]
        assert weighed.odds.exact
        assert len(odds["answers"]) == len(weighed.odds.answers)
        for answer, expected in zip(odds["answers"], weighed.odds.answers, strict=True):
            assert answer["asked"] == expected.question.written
            assert chances(answer) == dict(expected.chances), identity
            assert list(chances(answer)) == list(expected.chances) or not expected.question.counts
            mean = None if expected.mean is None else pytest.approx(float(expected.mean), rel=1e-12)
            assert answer["mean"] == mean


def test_the_odds_of_the_shipped_books_are_the_same_fractions(folders: Any) -> None:
    ruleset = load_ruleset(REFERENCE)
    published_odds = published(folders(REFERENCE))
    assert set(published_odds) == {each.id for each in ruleset.examples.values() if each.claims}
    same_as_python(published_odds, ruleset)


def test_with_other_figures_they_are_those_of_house_rules(folders: Any) -> None:
    change = {"numbers.hero_base_roll": "3d6 +1", "tables.settlement_tiers.rows.castle.base_roll": "1d6"}
    ruleset = with_values(load_ruleset(REFERENCE), list(change.items()))
    node_result = in_node(folders(REFERENCE), change)
    same_as_python(node_result, ruleset)
    before = published(folders(REFERENCE))
    assert [name for name in node_result if node_result[name] != before[name]] == [
        "lone_hero",
        "hero_with_two",
        "mine_of_encampments",
        "mine_of_castles",
        "monster_odds",
    ]


def test_policies_loops_and_what_was_gained(folders: Any) -> None:
    node_result = in_node(folders("small"), {})
    assert set(node_result) == {"alike", "first", "extremes", "seats", "loop"}
    same_as_python(node_result, sound(RULES))
    # Fractions of geometric series: the loop comes back to where it was.
    assert chances(node_result["loop"]["answers"][0]) == {"1": Fraction(1, 2), "6": Fraction(1, 2)}


def test_what_is_too_large_is_sampled_with_intervals_that_hold(folders: Any) -> None:
    node_result = in_node(folders("long"), {}, most=300, precision=0.03)
    assert node_result["loop"]["exact"]
    long = node_result["long"]
    assert not long["exact"]
    assert long["samples"] >= 200
    (answer,) = long["answers"]
    first = answer["outcomes"][0]
    count = round(first["probability"] * long["samples"])
    assert first["interval"] == pytest.approx(list(compute_wilson_interval(count, long["samples"])), abs=1e-12)
    low, high = first["interval"]
    assert low < 1 / 6 < high <= low + 0.03
    assert abs(answer["mean"] - 6) < 0.5


def test_the_policies_that_are_exported_are_those_that_look_no_further_than_what_is_offered() -> None:
    # Each of them is asked for above, by an example; what would be left out is `greedy` and whoever seeks.
    assert {name for name in list_names() if by_what_is_offered(name)} == {"random", "first", "most", "least", "take"}
