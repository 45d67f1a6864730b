"""Every example shipped holds, on both back ends, and one that does not says what came instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.base.incremental.traces import Traces
from rulewright.engine.state import faults
from rulewright.engine.state.faults import MOST_IN_EXAMPLES, Allowance
from rulewright.ruleset.cache.clean_checks import CleanChecks
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.diagnostics.formats import render
from rulewright.testing.check_edition import check_edition
from rulewright.testing.example_verdict import ExampleJudge, ExampleVerdict
from rulewright.testing.procedure_run import RunStoppedError
from rulewright.testing.procedure_run import run as carry_out
from rulewright.testing.run_examples import run_example, run_examples
from tests.language.inline import sound
from tests.source.goldens import assert_golden

GOLDENS = Path(__file__).parent / "goldens"


@pytest.mark.parametrize("reference", ["fuzzy-knights/normal@1.0", "pig/classic@1.0"])
def test_every_example_holds(reference: str) -> None:
    runs = run_examples(load_ruleset(reference))
    assert runs
    for run in runs:
        assert run.holds, render("text", run.problems)
        assert run.expectations or run.example.claims, f"{run.example.id} expects nothing, so it cannot fail"


GAME = """\
kinds: {player: {fields: {coin: count}}, cat: {fields: {age: int}}}
procedures:
  pay_day:
    given: {who: player}
    steps:
      - {id: wage, roll: 2d6 +1}
      - {id: paid, gain: {who: who, coin: wage}}
  part:
    given: {pet: cat}
    steps: [{id: gone, remove: pet}]
  pick:
    given: {who: player}
    steps:
      - {id: alone, choose: {who: who, one_of: list(p for p in players if p == who)}}
      - {id: both, choose: {who: who, from: {stay: {label: Stay}, go: {label: Go}}}}
examples:
"""


@pytest.mark.parametrize(
    ("example", "message"),
    [
        ("{title: T, of: pay_day, dice: [7], expect: {who.coin: 9}}", "`who.coin` should be 9 but is 8"),
        ("{title: T, of: pay_day, dice: [7], expect: {who.coyn: 8}}", "did you mean `coin`"),
        ("{title: T, of: pay_day, dice: [], expect: {who.coin: 8}}", "rolls 2d6 +1, but `dice:` lists no results"),
        ("{title: T, of: pay_day, dice: [13], expect: {who.coin: 8}}", "the sum of the dice must be from 2 to 12"),
        ("{title: T, of: pay_day, dice: [[7, 1]], expect: {who.coin: 8}}", "7 is not a face of d6"),
        ("{title: T, of: pay_day, dice: [7], until: wages.paid, expect: {who.coin: 0}}", "did you mean `paid`?"),
        ("{title: T, of: payday, dice: [7], expect: {who.coin: 8}}", "did you mean `pay_day`"),
        ("{title: T, value: 2d6 +1 + 1d6, expect: 3d6 +2}", "should be 🎲 3d6 +2 but is 🎲 3d6 +1"),
        ("{title: T, roll: 1d6 +2, dice: [3], expect: 6}", "should be 6 but is 5"),
        (
            "{title: T, of: part, expect: {pet.age: 3}}",
            "`pet.age` reads an object that has left the game by the end of the run",
        ),
        (
            "{title: T, of: pay_day, dice: [7, 8], expect: {who.coin: 8}}",
            "`it`: no roll is left for the last result under `dice:`: `8`",
        ),
        (
            "{title: T, of: pick, choose: [stay, go], expect: {who.coin: 0}}",
            "remove `go` under `choose:`; a decision with a single option is skipped, and takes no choice",
        ),
        (
            '{title: T, of: pick, choose: ["#1", "#3"], expect: {who.coin: 0}}',
            "a decision with a single option is skipped, and takes no choice",
        ),
        ('{title: T, of: pick, choose: ["who", stay], expect: {who.coin: 0}}', "A decision with a single option is"),
        ("{title: T, expect: 6}", "none of `of`, `value`, `roll`"),
    ],
)
def test_an_example_that_fails_says_what_came(tmp_path: Path, example: str, message: str) -> None:
    folder = tmp_path / "wages"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(
        "ruleset: wages/plain\nversion: 1.0.0\ntitle: Wages\nstatus: draft\nplayers: 1..2\n"
    )
    (folder / "rules.yaml").write_text(GAME + f"  it: {example}\n")
    catalogue = Catalogue([tmp_path])
    [edition] = catalogue.list_editions()
    checked = check_edition(catalogue, edition)
    assert not checked.sound
    assert message in render("text", checked.diagnostics)


LONG = """\
procedures:
  main:
    steps:
      - {id: n, let: 0}
      - {id: often, repeat: {at_most: 1000, steps: [{id: more, set: {n: n + 1}}]}}
examples:
  first: {title: T, of: main, expect: {n: 1000}}
  second: {title: T, of: main, expect: {n: 1000}}
  third: {title: T, of: main, expect: {n: 1000}}
"""


def test_examples_have_so_many_operations_together_and_the_one_too_many_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ruleset = sound(LONG)
    assert [run.holds for run in run_examples(ruleset)] == [True, True, True]
    one = Allowance()
    run_example(ruleset, ruleset.examples["first"], one)
    spent_branches = MOST_IN_EXAMPLES - one.left
    told = 1_001 * faults.TOLD
    assert 2_000 * 4 < spent_branches - told < 2_002 * 16, "a loop and a step in it, in each of 1,000 rounds"
    monkeypatch.setattr(faults, "MOST_IN_EXAMPLES", 5 * spent_branches // 2)
    *sound_ones, last = run_examples(ruleset)
    assert [run.holds for run in sound_ones] == [True, True]
    [problem] = last.problems
    assert_golden("long_examples.txt", render("text", [problem]), folder=GOLDENS)
    assert problem.message.startswith("`third`: `main.")
    assert f"all examples together have reached the limit of {5 * spent_branches // 2:,} operations" in problem.message
    assert problem.span.line in (4, 5)


def test_what_examples_work_out_by_themselves_counts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    large = "sum(sum(a * b for a in [1, 2, 3, 4, 5, 6, 7, 8, 9]) for b in [1, 2, 3, 4, 5, 6, 7, 8, 9])"
    entries = "".join(f"  e{each}: {{title: T, value: '{large}', expect: 2025}}\n" for each in range(5))
    ruleset = sound(f"examples:\n{entries}  rolled: {{title: T, roll: 2d6, dice: [[3, 4]], expect: 7}}\n")
    assert [run.holds for run in run_examples(ruleset)] == [True] * 6
    one = Allowance()
    run_example(ruleset, ruleset.examples["e0"], one)
    spent_branches = MOST_IN_EXAMPLES - one.left
    assert 9 * 9 * 3 < spent_branches < 9 * 9 * 8 + 2_000
    monkeypatch.setattr(faults, "MOST_IN_EXAMPLES", 4 * spent_branches)
    runs = run_examples(ruleset)
    assert [run.holds for run in runs] == [True] * 4 + [False] * 2
    assert {problem.code.id for run in runs for problem in run.problems} == {"long-examples"}
    assert [problem.message.partition(":")[0] for run in runs for problem in run.problems] == ["`e4`", "`rolled`"]


def test_whether_a_roll_may_come_to_what_is_written_counts_by_its_dice() -> None:
    entries = (
        "few: {title: T, roll: 2d6, dice: [7], expect: 7}, many: {title: T, roll: 900d6, dice: [3150], expect: 3150}"
    )
    ruleset = sound(f"examples: {{{entries}}}\nprocedures: {{main: {{steps: [{{id: x, roll: 900d6}}]}}}}\n")
    by_name = {}
    for name in ("few", "many"):
        left = Allowance()
        assert run_example(ruleset, ruleset.examples[name], left).holds
        by_name[name] = MOST_IN_EXAMPLES - left.left
    assert by_name["few"] < 1_100
    assert by_name["many"] > 5_000
    left = Allowance()
    carry_out(ruleset, "main", dice=[3150], allowance=left)
    assert MOST_IN_EXAMPLES - left.left > 4_000


def test_a_run_has_so_many_operations_and_what_is_told_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = sound(LONG)
    monkeypatch.setattr(faults, "MOST_IN_A_RUN", 100 * faults.TOLD)
    with pytest.raises(RunStoppedError, match="a run may take at most 20,000 operations") as caught:
        carry_out(ruleset, "main")
    assert [each.code.id for each in caught.value.diagnostics] == ["runs-on"]
    assert 80 < len(caught.value.moments) < 100, "what had happened until then is told"
    monkeypatch.setattr(faults, "MOST_IN_A_RUN", 1_100 * faults.TOLD)
    assert carry_out(ruleset, "main").values["n"] == 1_000


def test_the_odds_of_all_examples_have_so_many_branches_together(monkeypatch: pytest.MonkeyPatch) -> None:
    mosts: list[int] = []

    def weigh(_: object, __: object, most: int) -> tuple[list[Diagnostic], int]:
        mosts.append(most)
        return [], 40

    monkeypatch.setattr(faults, "MOST_BRANCHES_IN_EXAMPLES", 100)
    ruleset = sound(LONG)
    judge = ExampleJudge(CleanChecks(ruleset, Traces()))
    verdicts = [ExampleVerdict(example, None, frozenset(), None) for example in ruleset.examples.values()] * 2
    weighed = [judge.weigh(each, weigh) for each in verdicts]
    assert mosts == [100, 60, 20]
    problems = [problem for each in weighed if each.run is not None for problem in each.run.problems]
    assert {problem.code.id for problem in problems} == {"long-examples"}
