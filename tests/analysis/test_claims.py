"""Examples that expect odds: what can be claimed, what holds, and what is said where it does not."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from rulewright import load_ruleset
from rulewright.analysis.odds.expected_odds import weigh
from rulewright.cli.main import main
from rulewright.ruleset.sections.examples import Claim, read_claims
from rulewright.source.diagnostics.formats import text
from rulewright.testing.run_examples import run_example
from tests.analysis.enumerator import given_node
from tests.language.inline import checked, sound

RULES = """
tables:
  prizes: {{roll: 1d6, rows: {{nothing: 1-3, small: 4-5, big: 6}}}}
procedures:
  fair:
    given: {{p: player}}
    steps:
      - {{id: die, roll: 2d6}}
      - {{id: prize, roll: prizes}}
      - {{id: high, let: die > 7}}
      - {{id: move, choose: {{who: p, from: [stay, go]}}}}
      - {{id: moved, let: move == go}}
examples:
  one: {{title: One, of: fair, {}}}
"""


def problems(written: str) -> str:
    """Return everything that is wrong with an example, as it is printed."""
    ruleset, diagnostics = checked(RULES.format(written))
    assert not diagnostics.errors, text.render(diagnostics)
    assert ruleset is not None
    example = ruleset.examples["one"]
    ran = run_example(ruleset, example)
    if ran.holds:
        ran.problems.extend(weigh(ruleset, example).problems)
    return text.render(ran.problems)


@pytest.mark.parametrize(
    "claims",
    [
        "{high: 15/36}",
        "{high: 41.7 %}",  # 41.666… is rounded to it
        "{high: 42 %}",
        "{high: 40-45%}",
        "{prize: {nothing: 50 %, small: 33.3 %, big: 1/6}}",
        "{die: {mean: 7}}",
        "{die: {mean: 6.5-7.5, 2: 1/36, 13: 0 %}}",
        "{die: {mean: 7/1}, high: {no: 21/36, yes: 15/36}}",
        "{moved: 50 %}",
        "{die % 2 == 0: 1/2}",
    ],
)
def test_what_holds(claims: str) -> None:
    assert problems(f"expect_odds: {claims}") == ""


def test_policies_and_choices() -> None:
    assert problems("policy: [take:go], expect_odds: {moved: 100 %}") == ""
    assert problems("policy: [move=first], expect_odds: {moved: 0 %}") == ""
    assert problems("choose: [go], expect_odds: {moved: 1/1}") == ""


@pytest.mark.parametrize(
    ("written", "parts"),
    [
        ("expect_odds: {high: 50 %}", ["the chance of `high` should be 50 % but is 41.67 %", "no: 58.33 %"]),
        ("expect_odds: {high: 42-45 %}", ["should be 42-45 % but is 41.67 %"]),
        ("expect_odds: {prize: {big: 20 %}}", ["the chance of `big` as `prize` should be 20 % but is 16.67 %"]),
        ("expect_odds: {die: {mean: 7.2}}", ["the mean of `die` should be 7.2 but is 7"]),
        ("expect_odds: {prize: {bigg: 20 %}}", ["never has the answer `bigg`", "did you mean `big`?"]),
        ("expect_odds: {prize: {mean: 2}}", ["never has a mean"]),
        ("expect_odds: {hihg: 20 %}", ["nothing here is called `hihg`", "did you mean `high`"]),
        ("policy: [bset], expect_odds: {high: 20 %}", ["there is no policy `bset`; did you mean `best`?"]),
        ("expect_odds: {high: about half}", ["expects invalid odds: `about half`", "write a probability as `70 %`"]),
        ("expect_odds: {high: 60-40 %}", ["expects invalid odds: `60-40 %`"]),
        ("expect_odds: {high: 1/0}", ["expects invalid odds: `1/0`"]),
        ("expect_odds: {high: 15/36}, dice: [3]", ["which is about every run", "split it into two examples"]),
        ("policy: [best]", ["has `policy`, which is only for odds", "add `expect_odds:`"]),
    ],
)
def test_what_does_not_hold(written: str, parts: list[str]) -> None:
    diagnostics = problems(written)
    for part in parts:
        assert part in diagnostics, diagnostics


def test_odds_that_are_too_large_are_no_example() -> None:
    rules = """
procedures:
  long:
    steps:
      - {id: total, let: 0}
      - id: rounds
        repeat:
          until: total < 0
          ends_within: 1000000
          steps: [{id: die, roll: 1d6}, {id: added, set: {total: total + die}}]
examples:
  one: {title: One, of: long, expect_odds: {total: {mean: 3}}}
"""
    ruleset = sound(rules)
    sentence = text.render(weigh(ruleset, ruleset.examples["one"]).problems)
    assert "the exact odds are too large to compute" in sentence
    assert "start from a smaller position" in sentence


@pytest.mark.parametrize(
    ("written", "low", "high"),
    [
        ("70 %", "0.695", "0.705"),
        ("6.3%", "0.0625", "0.0635"),
        ("60-65 %", "0.6", "0.65"),
        ("7/10", "0.7", "0.7"),
    ],
)
def test_what_a_claim_allows(written: str, low: str, high: str) -> None:
    (claim,) = read_claims(given_node(f"won: {written}"))
    assert isinstance(claim, Claim)
    assert (claim.low, claim.high) == (Fraction(low), Fraction(high))


def test_check_says_what_came(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "house").mkdir()
    manifest = "ruleset: house/odds\nversion: 1.0.0\ntitle: Odds\nstatus: draft\nextends: pig/classic@1.0\n"
    (tmp_path / "house" / "ruleset.yaml").write_text(manifest)
    procedure = (
        "procedures:\n  short: {title: Short, steps: [{id: number, roll: 1d6}]}\n"
        "examples: {sixes: {title: Sixes, of: short, expect_odds: {number: {6: CHANCE}}}}\n"
    )
    for chance, code in (("1/6", 0), ("1/5", 1)):
        (tmp_path / "house" / "rules.yaml").write_text(procedure.replace("CHANCE", chance))
        assert main(["check", "house/odds", "--rules", str(tmp_path)]) == code
    assert "should be 1/5 but is 16.67 %" in capsys.readouterr().err


@pytest.mark.parametrize("edition", ["normal@1.0", "normal@0.2", "normal@0.1", "medium@0.1"])
def test_every_shipped_example_of_odds_holds(edition: str) -> None:
    ruleset = load_ruleset(f"fuzzy-knights/{edition}")
    examples = [example for example in ruleset.examples.values() if example.claims]
    assert "rarity_odds" in [example.id for example in examples]
    for example in examples:
        assert text.render(weigh(ruleset, example).problems) == ""


def test_house_rules_may_move_the_odds_of_what_they_lie_over(tmp_path: Path) -> None:
    """The edition that claims odds is held to them; so is what lies directly over one that is abstract."""
    manifest = "ruleset: test/{}\nversion: 1.0.0\ntitle: Test\nstatus: {}\n{}\n"
    rules = (
        "numbers: {spot: {is: 6, means: What is hoped for.}}\n"
        "procedures:\n"
        "  short: {title: Short, steps: [{id: number, roll: 1d6}, {id: hit, let: number >= spot}]}\n"
        "examples: {sixes: {title: Sixes, of: short, expect_odds: {hit: 1/6}}}\n"
    )
    base = "players: 1..2\nrounding: truncate"
    for name, status, below, text_of in (
        ("core", "abstract", base, rules),
        ("direct", "draft", "extends: test/core", "procedures: {short: {title: Shorter}}\n"),
        ("moved", "draft", "extends: test/core", "numbers: {spot: 5}\n"),
        ("house", "draft", "extends: test/direct", "numbers: {spot: 5}\n"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "ruleset.yaml").write_text(manifest.format(name, status, below))
        (tmp_path / name / "rules.yaml").write_text(text_of)
    codes = {name: main(["check", f"test/{name}", "--rules", str(tmp_path)]) for name in ("direct", "moved", "house")}
    assert codes == {"direct": 0, "moved": 1, "house": 0}
