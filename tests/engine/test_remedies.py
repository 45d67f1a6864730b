"""What is proposed where inherited examples fail can be followed, all of it at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.schema.edition_reference import parse_reference
from rulewright.testing.check_edition import check_edition
from rulewright.testing.edition_check import EditionCheck

BASE = """\
numbers: {wage: {is: 4, means: What a day pays.}, fee: {is: 1, means: What a day costs.}}
kinds: {player: {fields: {coin: int}}}
procedures:
  day:
    title: A day
    means: Somebody works.
    given: {who: player}
    steps: [{id: paid, gain: {who: who, coin: wage}}, {id: left, pay: {who: who, coin: fee}}]
examples:
  a: {title: A, value: wage, expect: 4}
  b: {title: B, value: wage + fee, expect: 5}
  c: {title: C, value: fee, expect: 1}
  d: {title: D, of: day, given: {who: 1}, expect: {who.coin: 3, wage: 4}}
faq:
  both: {question: "What does a day pay?", answer: "{numbers.wage}.", about: numbers.wage, example: [a, b]}
  some: {question: "What does a day cost?", answer: "{numbers.fee}.", about: numbers.fee, example: [b, c]}
pages:
  work:
    title: Work
    letter: W
    about: Earning.
    sections:
      pay: {title: Pay, text: You are paid., show: [examples.a, examples.b, examples.c, examples.d, procedures.day]}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    house = "numbers: {wage: {is: 6}}\n"
    for name, extends, text in (("base", "", BASE), ("house", "extends: work/base\n", house)):
        (tmp_path / name).mkdir()
        manifest = f"ruleset: work/{name}\nversion: 1.0.0\ntitle: Work\nstatus: draft\nplayers: 1\n{extends}"
        (tmp_path / name / "ruleset.yaml").write_text(manifest)
        (tmp_path / name / "rules.yaml").write_text(text)
    return tmp_path


def checked(folder: Path) -> EditionCheck:
    catalogue = Catalogue([folder])
    return check_edition(catalogue, catalogue.find(parse_reference("work/house")))


def proposed(folder: Path, example: str) -> str:
    """Return the rules that are proposed to leave out an example that fails."""
    (found,) = (each for each in checked(folder).diagnostics.errors if each.message.startswith(f"`{example}`"))
    return (found.suggestion or "").partition("delete the example:\n")[2].partition("what happened")[0]


@pytest.mark.parametrize("example", ["a", "b"])
def test_what_is_proposed_of_one_example_leaves_the_others_alone(folder: Path, example: str) -> None:
    before = {each.message for each in checked(folder).diagnostics.errors}
    rules = {"numbers": {"wage": {"is": 6}}, **yaml.safe_load(proposed(folder, example))}
    (folder / "house" / "rules.yaml").write_text(yaml.safe_dump(rules))
    after = checked(folder)
    assert {each.message for each in after.diagnostics.errors} == {m for m in before if f"`{example}`" not in m}
    assert after.ruleset is not None
    (section,) = after.ruleset.pages["work"].sections
    assert {f"examples.{name}" for name in "abcd"} - {path.text for path in section.show} == {f"examples.{example}"}


def laid_over(rules: dict[str, Any], more: dict[str, Any]) -> None:
    """Write what is proposed into rules: of lists, all that goes."""
    for key, value in more.items():
        if isinstance(value, dict):
            laid_over(rules.setdefault(key, {}), value)
        elif key == "show":
            rules[key] = [*rules.get(key, ()), *value]
        elif key != "example":
            rules[key] = value


def test_all_that_is_proposed_can_be_taken_together(folder: Path) -> None:
    assert [each.code.id for each in checked(Path(folder)).diagnostics.errors] == ["example-failed"] * 4
    rules: dict[str, Any] = {"numbers": {"wage": {"is": 6}}}
    for name in "abd":
        laid_over(
            rules, yaml.safe_load(proposed(folder, name)) if name != "d" else {"examples": {"d": {"delete": True}}}
        )
    assert "both: {example: [b]}  # `{delete: true}` if you delete `b` as well" in proposed(folder, "a")
    assert "# and `{delete: examples.b}`, `{delete: examples.d}`, if you delete those as well" in proposed(folder, "a")
    rules["pages"]["work"]["sections"]["pay"]["show"].append({"delete": "examples.d"})
    rules["faq"] = {"both": {"delete": True}, "some": {"example": ["c"]}}
    (folder / "house" / "rules.yaml").write_text(yaml.safe_dump(rules))
    after = checked(folder)
    assert [each.message for each in after.diagnostics.errors] == []
    assert after.ruleset is not None
    (section,) = after.ruleset.pages["work"].sections
    assert [path.text for path in section.show] == ["examples.c", "procedures.day"]


def test_what_happened_is_told_once_of_each_example(folder: Path) -> None:
    told = [each.suggestion or "" for each in checked(folder).diagnostics.errors if "`d`" in each.message]
    assert [("what happened:\n" in each, "delete: true" in each) for each in told] == [(True, True), (False, False)]
    assert told[1] == "see the log of `who.coin` above"


def test_a_step_of_ones_own_that_cannot_be_carried_out_is_to_be_guarded(folder: Path) -> None:
    twice = "d: {title: D, of: day, given: {who: 1}, expect: {who.coin: 3, wage: 4}}"
    base = BASE.replace("coin: int", "coin: count").replace(twice, f"{twice}\n  {twice.replace('d:', 'e:', 1)}")
    (folder / "base" / "rules.yaml").write_text(base)

    def said(step: str) -> list[str]:
        (folder / "house" / "rules.yaml").write_text(f"procedures: {{day: {{steps: [{{before: paid, {step}}}]}}}}\n")
        found = [each for each in checked(folder).diagnostics.errors if each.code.id == "rules-fault"]
        assert all("house" in each.span.file for each in found)
        return [each.suggestion or "" for each in found]

    # Once, whatever examples come to it; and what is proposed mends them all.
    (advice,) = said("id: tax, pay: {who: who, coin: wage - 1}")
    assert advice.startswith("guard the step: `when: who.coin >= (wage - 1)`. The same step also stops `e`.\n")
    assert said("id: tax, when: who.coin >= (wage - 1), pay: {who: who, coin: wage - 1}") == []
    (advice,) = said("id: tax, when: fee == 1, pay: {who: who, coin: fee}")
    assert advice.startswith("guard the step: `when: (fee == 1) and who.coin >= fee`")
    (advice,) = said("id: tax, set: {who.coin: who.coin - 1}")
    assert advice.startswith("guard the step with `when:`. The same")


def test_what_fails_below_already_is_told_as_it_is_told_there(folder: Path) -> None:
    base = folder / "base" / "rules.yaml"
    base.write_text(base.read_text().replace("value: fee, expect: 1", "value: fee, expect: 2"))
    catalogue = Catalogue([folder])
    (below,) = check_edition(catalogue, catalogue.find(parse_reference("work/base"))).diagnostics.errors
    told = {each.about: each for each in checked(folder).diagnostics.errors}
    assert below.about == "c"
    assert told["c"] == below, "nothing of it is for the house rules to leave out"
    assert ["but it fails in" in (told[name].suggestion or "") for name in "ab"] == [True, True]


def test_the_message_of_an_inherited_example_names_the_edition_that_has_it(folder: Path) -> None:
    (folder / "house" / "rules.yaml").write_text(
        "numbers: {wage: {is: 6}}\nexamples: {own: {title: Own, value: wage, expect: 4}}\n"
    )
    said = [each.message for each in checked(folder).diagnostics.errors]
    assert "`a` should be 4 but is 6 (an example of work/base@1.0.0)" in said
    assert "`own` should be 4 but is 6" in said
