"""Numbers to cite a step by: in the book, in what happened, and as addresses."""

from __future__ import annotations

import re
from pathlib import Path

from rulewright.book.rulebook import render_site
from rulewright.book.style.rule_locations import number_procedures, step_numbers
from rulewright.ruleset.load_ruleset import load_ruleset
from tests.book.garden import RULES, garden, steps, write_garden

TWO = "- {id: two, steps: [{id: one, set: {bed.watered: true}}, {id: more, set: {bed.watered: false}}]}"
BRANCH = (
    "- {id: dry, if: bed.watered, then: [{id: wet, set: {bed.watered: false}}], "
    "else: [{id: pour, set: {bed.watered: true}}]}"
)


def numbers(folder: Path, *lines: str) -> dict[str, str]:
    return step_numbers(garden(folder, *lines).procedures, {"tend": "G.1"})


def test_steps_are_counted_through_and_nested_ones_below_theirs(tmp_path: Path) -> None:
    assert numbers(tmp_path, TWO) == {
        "tend.two": "G.1.1",
        "tend.one": "G.1.1.1",
        "tend.more": "G.1.1.2",
        "tend.last": "G.1.2",
        # What a special case does instead belongs to the step it is an exception to.
        "tend.nothing": "G.1.2.1",
    }


def test_both_branches_of_a_step_are_counted_through_so_that_no_number_means_two_steps(tmp_path: Path) -> None:
    numbers_ = numbers(tmp_path, BRANCH)
    assert (numbers_["tend.wet"], numbers_["tend.pour"]) == ("G.1.1.1", "G.1.1.2")
    assert len(set(numbers_.values())) == len(numbers_)


def test_several_procedures_of_one_section_are_told_apart_by_letters(tmp_path: Path) -> None:
    procedures = dict(garden(tmp_path).procedures)
    procedures["again"] = procedures["tend"]
    cited = number_procedures([("tend", "G.1"), ("again", "G.1"), ("alone", "G.2")])
    assert cited == {"tend": "G.1a", "again": "G.1b", "alone": "G.2"}
    numbers_of_steps = step_numbers(procedures, {"tend": "G.1a", "again": "G.1b"})
    assert numbers_of_steps["tend.last"] == "G.1b.1"
    many = {str(place): procedures["tend"] for place in range(28)}
    letters = step_numbers(many, number_procedures((name, "G.2") for name in many))
    assert letters["tend.last"] == "G.2bb.1"


def test_each_step_bears_its_number_as_a_link_to_itself(tmp_path: Path) -> None:
    page = render_site(garden(tmp_path, TWO))["growing.md"]
    numbers_by_id = dict(re.findall(r'<li id="([^"]+)"><a class="rw-cite" href="#\1"[^>]*>([^<]+)</a>', page))
    (alone,) = re.findall(r'<span class="rw-only" id="([^"]+)">', page)  # it has no number within its sentence
    assert numbers_by_id == {step: number for step, number in numbers(tmp_path, TWO).items() if step != alone}
    assert 'Step by step <span class="rw-label__number">G.1</span>' in page


def test_what_no_section_shows_has_no_number(tmp_path: Path) -> None:
    rules = (
        steps(TWO)
        .replace("procedures.tend, options.shade", "options.shade")
        .replace("explains: [procedures.tend]", "explains: []")
    )
    assert rules != RULES
    write_garden(tmp_path, rules)
    site = render_site(load_ruleset("garden/small", rules=[tmp_path]))
    assert '<li id="tend.two">Do this' in site["reference.md"]
    assert not any('class="rw-cite"' in text for text in site.values())
