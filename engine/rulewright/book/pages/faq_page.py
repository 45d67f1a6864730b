"""The page of questions and answers, in the order of the book."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.book.pages.page import PageWriter
from rulewright.book.style.prose_html import render_prose
from rulewright.book.style.rule_locations import GENERATED, REFERENCE, RuleLocations, build_anchor, name_file
from rulewright.ruleset.prose.book_language import ENGLISH
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.faq import FaqQuestion
from rulewright.ruleset.sections.pages import Page, Section

LETTER = "Q"
"""The letter before the number of a question."""


@dataclass(frozen=True, slots=True)
class QuestionGroup:
    """The questions that one page of the book answers, each with the section that answers it."""

    id: str
    title: str
    questions: tuple[tuple[FaqQuestion, Section | None], ...]


def group_questions(ruleset: Ruleset, pages: tuple[Page, ...], places: RuleLocations) -> list[QuestionGroup]:
    """Return all questions, grouped by page and in the order of sections.

    Questions about rules that no section shows form a last group. Pages without questions have none.
    """
    homes = {f"{name_file(page)}#{section.id}": (page, section) for page in pages for section in page.sections}
    order = {home: place for place, home in enumerate(homes)}
    settled = {question: _home(question, places) for question in ruleset.faq.values()}
    questions = []
    for page in pages:
        here = [question for question, home in settled.items() if home in homes and homes[home][0] is page]
        if here:
            here.sort(key=lambda question: order[settled[question]])
            entries = tuple((question, homes[settled[question]][1]) for question in here)
            questions.append(QuestionGroup(page.id, page.title, entries))
    rest = tuple((question, None) for question, home in settled.items() if home not in homes)
    if rest:
        questions.append(QuestionGroup(REFERENCE.removesuffix(".md"), GENERATED[REFERENCE].title, rest))
    return questions


def _home(question: FaqQuestion, places: RuleLocations) -> str:
    """Return the file and fragment of the section that answers a question, or an empty text if there is none."""
    named = question.section
    return places.homes.get(f"pages.{named.text}" if named else f"sections.{question.about.text}", "")


def render_faq_page(writer: PageWriter, pages: tuple[Page, ...]) -> str:
    """Return the page of all questions, each with its answer, the section behind it, and its examples."""
    number = 0
    parts = []
    examples: set[str] = set()
    for group in group_questions(writer.ruleset, pages, writer.places):
        entries = []
        for question, section in group.questions:
            number += 1
            entries.append(_entry(question, section, f"{LETTER}.{number}", writer, examples))
        parts.append({"id": group.id, "title": writer.heading(group.title), "entries": entries})
    return writer.generated("faq.md.j2", groups=parts)


def _entry(
    question: FaqQuestion, section: Section | None, number: str, writer: PageWriter, examples: set[str]
) -> dict[str, object]:
    """Return a question as data for the template. Its examples are added to `examples`."""
    return {
        "id": build_anchor(f"faq.{question.id}"),
        "number": number,
        "question": writer.heading(question.question),
        "answer": render_prose(question.answer, writer.html),
        "searched": writer.escaped(", ".join(question.search)) if writer.language is ENGLISH else "",
        "rule": _rule(question, section, writer),
        # During editing, a question may name a deleted example. `check` reports that as `still-needed`.
        "examples": [
            _example(named.text, writer, examples)
            for named in question.examples
            if named.text in writer.ruleset.examples
        ],
    }


def _example(example: str, writer: PageWriter, examples: set[str]) -> dict[str, str]:
    """Return an example of a question as a link, or in full if no other page shows it and it is not in `examples` yet.

    Adds the example to `examples`. Either the `href` or the `body` of the result is empty.
    """
    href = writer.link(f"examples.{example}") or ""
    # An example that no other page shows appears here once.
    is_shown = href.startswith("#") and example not in examples
    examples.add(example)
    return {
        "href": "" if is_shown else href,
        "abroad": writer.html.abroad(href),
        "title": writer.escaped(writer.ruleset.examples[example].title),
        "body": writer.render_entry("examples", example) if is_shown else "",
    }


def _rule(question: FaqQuestion, section: Section | None, writer: PageWriter) -> str:
    if section is None:
        return writer.rule_link(question.about.text)
    href = writer.link(f"pages.{section.page}.{section.id}")
    return f'<a href="{href}">{section.number} {writer.escaped(section.title)}</a>'
