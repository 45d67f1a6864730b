"""Questions and answers: bound to a rule and to an example, and shown in the order of the book."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.book.rulebook import render_site
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.schema.edition_reference import parse_reference
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.testing.check_edition import check_edition
from rulewright.testing.rules_met import list_rules_met
from rulewright.testing.run_examples import run_examples
from tests.book.garden import LAST, steps, write_garden
from tests.book.shipped import shipped_pages
from tests.breadth import some

EXAMPLES = """\
  wet_day: {title: A wet day, of: tend, given: {bed: {}}, dice: [4, 2], expect: {bed.watered: true}}
  dear_tree: {title: A dear tree, value: sizes.tree.price, expect: 5}
"""

FAQ = """\
faq:
  half:
    question: What about the odd {seed}?
    answer: It is lost.
    about: formulas.share
    example: fair
  both:
    question: Does a {bed} stay wet?
    answer: Yes, {bed.plural} do.
    about: procedures.tend
    example: wet_day
  price:
    question: What does it cost?
    answer: "{sizes.tree.price}."
    about: tables.sizes
    example: dear_tree
"""

ROLL = "- {id: sky, roll: weather, by: player}", "- {id: more, roll: 'weather[sky].rain'}"


def rules(faq: str = FAQ) -> str:
    """Return the garden with these questions."""
    return steps(*ROLL) + EXAMPLES + faq


def pages(folder: Path, faq: str = FAQ) -> dict[str, str]:
    """Return its book."""
    return render_site(load_ruleset("garden/small", rules=[write_garden(folder, rules(faq))]))


def checked(folder: Path, faq: str) -> list[Diagnostic]:
    """Return what `check` says of it, the words that nobody signed and whatever else is no question left out."""
    catalogue = Catalogue([write_garden(folder, rules(faq))])
    edition_check = check_edition(catalogue, catalogue.find(parse_reference("garden/small"))).diagnostics
    first = rules("").count("\n")
    return [diagnostic for diagnostic in edition_check if diagnostic.span.line > first]


def test_questions_come_in_the_order_of_the_book_and_numbered(tmp_path: Path) -> None:
    page = pages(tmp_path)["faq.md"]
    matches = re.findall(r'^### <span class="rw-number">(Q\.\d)</span> (.*) \{ #(\S+) \}$', page, re.MULTILINE)
    assert matches == [
        ("Q.1", "Does a Bed stay wet?", "faq-both"),
        ("Q.2", "What does it cost?", "faq-price"),
        ("Q.3", "What about the odd Seed?", "faq-half"),
    ]
    assert re.findall(r"^## .*$", page, re.MULTILINE) == [
        "## Growing { #growing }",
        "## Procedures and tables { #reference }",
    ]


def test_an_answer_is_filled_and_leads_to_its_section(tmp_path: Path) -> None:
    page = pages(tmp_path)["faq.md"]
    assert re.search(r'Yes, <a class="rw-term" href="glossary.md#term-bed">.*Beds</a> do\.', page)
    assert '<a href="growing.md#tending">G.1 Tending a Bed</a>' in page


def test_an_example_is_linked_where_it_is_shown_and_shown_where_it_is_not(tmp_path: Path) -> None:
    site = pages(tmp_path)
    assert '<a href="growing.md#example-fair">Example: A fair share</a>' in site["faq.md"]
    assert 'id="example-fair"' not in site["faq.md"]
    assert 'id="example-wet_day"' in site["faq.md"]
    assert "1dW" in site["faq.md"]


def test_an_example_of_two_answers_is_shown_once(tmp_path: Path) -> None:
    again = "  again:\n    question: Again?\n    answer: Yes.\n    about: procedures.tend\n    example: wet_day\n"
    page = pages(tmp_path, FAQ + again)["faq.md"]
    assert page.count("<summary>Example: A wet day</summary>") == 1
    assert page.count('<a href="#example-wet_day">Example: A wet day</a>') == 1


def test_an_answer_cites_the_section_that_it_names(tmp_path: Path) -> None:
    named = FAQ.replace("    example: fair\n", "    example: fair\n    section: growing.tending\n")
    page = pages(tmp_path, named)["faq.md"].split("What about the odd Seed?")[1]
    assert page.index('<a href="growing.md#tending">G.1 Tending a Bed</a>') < page.index("Example:")


@pytest.mark.parametrize(
    ("section", "code", "message", "suggestion"),
    [
        ("growing.tendin", "unknown-reference", "there is no section `growing.tendin`", "growing.tending"),
        ("growing.selling", "unrelated-section", "does not explain `procedures.tend`", "`growing.tending`"),
    ],
)
def test_a_section_that_cannot_answer_is_reported(
    section: str, code: str, message: str, suggestion: str, tmp_path: Path
) -> None:
    named = FAQ.replace("    example: wet_day\n", f"    example: wet_day\n    section: {section}\n")
    (found,) = checked(tmp_path, named)
    assert found.code.id == code
    assert message in found.message
    assert suggestion in (found.suggestion or "")


def test_a_book_without_questions_has_no_such_page(tmp_path: Path) -> None:
    assert "faq.md" not in pages(tmp_path, "")
    assert "faq.md" not in pages(tmp_path, "")["index.md"]


def test_sound_questions_are_left_alone(tmp_path: Path) -> None:
    assert checked(tmp_path, FAQ) == []


@pytest.mark.parametrize(
    ("old", "new", "code", "message", "suggestion"),
    [
        ("example: fair", "example: fairy", "unknown-reference", "there is no example `fairy`", "did you mean `fair`?"),
        ("formulas.share", "formulas.shar", "unknown-reference", "there is no `formulas.shar`", "formulas.share"),
        ("about: tables.sizes", "about: tables.weather", "unproved-answer", "does not use `tables.weather`", None),
        ("about: procedures.tend", "about: formulas.share", "unproved-answer", "does not use `formulas.share`", None),
        ("It is lost", "All 3 are lost", "literal-figure", "the number `3` is typed into the text", "numbers.harvest"),
        ("It is lost", "The Seed is lost", "literal-term", "`Seed` is a game term", "{seed}"),
        ("It is lost", "The {sead} is lost", "unknown-placeholder", "nothing is called `sead`", "seed"),
    ],
)
def test_what_is_wrong_with_an_answer_is_told(
    old: str, new: str, code: str, message: str, suggestion: str | None, tmp_path: Path
) -> None:
    (diagnostic,) = checked(tmp_path, FAQ.replace(old, new, 1))
    assert diagnostic.code.id == code
    assert message in diagnostic.message
    assert suggestion is None or suggestion in (diagnostic.suggestion or "")


def test_the_rule_may_be_read_in_what_the_steps_work_out(tmp_path: Path) -> None:
    faq = "faq:\n  wet: {question: How wet?, answer: Very., about: tables.weather, example: wet_day}\n"
    assert checked(tmp_path, faq) == []


def test_whoever_leaves_an_example_out_is_told_of_the_question(tmp_path: Path) -> None:
    write_garden(tmp_path, rules())
    house = tmp_path / "garden" / "house"
    house.mkdir()
    (house / "ruleset.yaml").write_text(
        "ruleset: garden/house\nversion: 1.0.0\nextends: garden/small@1\ntitle: House\nstatus: draft\n"
    )
    step = LAST.removeprefix("- ").replace("true", "false")
    (house / "dry.yaml").write_text(f"procedures:\n  tend:\n    steps:\n      - {step}\n")
    catalogue = Catalogue([tmp_path])
    (edition_check,) = check_edition(catalogue, catalogue.find(parse_reference("garden/house"))).diagnostics.errors
    assert edition_check.code.id == "example-failed"
    assert "faq:\n  both: {delete: true}" in (edition_check.suggestion or "")


EDITIONS = ["normal@0.1", "medium@0.1", "normal@0.2", "normal@1.0"]


# An answer that nothing proves is a fault that keeps a book from being built, and all are built for other tests. Two
# are looked at here, in another way.
@pytest.mark.parametrize("edition", some(EDITIONS, ["medium@0.1", "normal@1.0"]))
def test_every_answer_of_every_edition_is_proved_by_examples_that_are_run_there(edition: str) -> None:
    rules = load_ruleset(f"fuzzy-knights/{edition}")
    runs = {run.example.id: run for run in run_examples(rules)}
    for question in rules.faq.values():
        assert question.examples, question.id
        for example in question.examples:
            run = runs[example.text]
            assert run.holds, (question.id, example.text)
            assert question.about.text in list_rules_met(rules, run), (question.id, example.text)


@pytest.mark.parametrize("edition", some(EDITIONS, ["medium@0.1", "normal@1.0"]))
def test_every_answer_of_every_edition_cites_a_section_that_explains_its_rule(edition: str) -> None:
    """A section may show a rule that the text of another section explains."""
    rules = load_ruleset(f"fuzzy-knights/{edition}")
    entries = shipped_pages(f"fuzzy-knights/{edition}")["faq.md"].split("\n### ")[1:]
    assert len(entries) == len(rules.faq)
    for entry in entries:
        question = re.search(r"\{ #faq-(\w+) \}", entry)
        cited = re.search(r'class="rw-answered"><a href="(\w+)\.md#(\w+)"', entry)
        assert question
        assert cited
        (section,) = (each for each in rules.pages[cited[1]].sections if each.id == cited[2])
        about = rules.faq[question[1]].about.text.split(".")[:2]
        assert about in [path.text.split(".")[:2] for path in section.explains], question[1]


def test_answers_differ_where_the_rules_do() -> None:
    """What is untrue behind walls is answered otherwise there."""
    normal, medium = (load_ruleset(f"fuzzy-knights/{edition}").faq for edition in ("normal@1.0", "medium@0.1"))
    for question in ("guest_of_an_ally", "monster_on_top", "as_it_stands"):
        assert normal[question].answer != medium[question].answer
    assert {example.text for example in medium["guest_of_an_ally"].examples} == {
        "guest_behind_the_walls",
        "guest_before_the_walls",
    }
