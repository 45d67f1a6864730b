"""Generated pages, such as settings, reference, rulings, glossary, news and odds."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.book.english.grammar import pluralize
from rulewright.book.pages.change_marks import Marks
from rulewright.book.pages.page import PageWriter
from rulewright.book.pages.picture_legend import build_legend
from rulewright.book.parts.fields_text import list_dice, list_holders
from rulewright.book.parts.odds_charts import (
    HEIGHT,
    WIDTH,
    PageRoll,
    build_bar_views,
    describe_mean,
    describe_results,
    describe_usual,
)
from rulewright.book.parts.template_loader import render
from rulewright.book.search.search_index import list_names
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.rule_locations import GENERATED, LEGEND, NEWS, ODDS, name_file
from rulewright.book.style.text_style import Style, escape
from rulewright.language.declarations import Term
from rulewright.ruleset.elaborate.node_readers import iterate_entries as entries_of
from rulewright.ruleset.prose.book_language import ENGLISH
from rulewright.ruleset.prose.explained_rules import list_internal_rules
from rulewright.ruleset.prose.placeholder_meaning import NumberInWords, TermWord, resolve_placeholder
from rulewright.ruleset.prose.placeholders import Placeholder, parse_parts
from rulewright.ruleset.section import RulesSection
from rulewright.ruleset.sections.pages import Page


def render_settings_page(writer: PageWriter) -> str:
    """Return the page of all settings that the players may choose."""
    options = [writer.render_entry("options", identity) for identity in writer.ruleset.declarations.options]
    return writer.generated("settings.md.j2", options=options)


def render_reference_page(writer: PageWriter, paths: Iterable[str]) -> str:
    """Return the page of the procedures and tables in `paths`, which no page of the rules shows."""
    return writer.generated("reference.md.j2", shown=[writer.render_rule(path) for path in paths])


def render_holdings_page(writer: PageWriter) -> str:
    """Return the page of the fields of players, of the game and of all kinds, the parts of records, and the dice.

    The internal rules follow.
    """
    return writer.generated(
        "holdings.md.j2",
        holders=list(list_holders(writer.ruleset, writer.close)),
        dice=list(list_dice(writer.ruleset, writer.close)),
        internal=[writer.render_rule(path) for path in list_internal_rules(writer.ruleset)],
    )


def render_rulings_page(writer: PageWriter) -> str:
    """Return the page of all rulings, in the order of their numbers."""
    return writer.generated(
        "rulings.md.j2", rulings=[writer.render_entry("rulings", identity) for identity in writer.rulings]
    )


def render_glossary_page(writer: PageWriter, pages: tuple[Page, ...]) -> str:
    """Return the page of all terms by name, each with its picture, its meaning and the sections that use it.

    The legend of other pictures follows.
    """
    used = _uses(writer, pages)
    defined = {
        page.icon.text: (writer.places.homes[f"pages.{page.id}"], writer.html.escape(fill(page.title, writer.plain)))
        for page in pages
        if page.icon is not None
    }
    terms = sorted(writer.ruleset.declarations.terms.values(), key=lambda term: term.name.casefold())
    entries = [
        {
            "id": f"term-{term.id}",
            "icon": writer.html.picture(term),
            "name": writer.html.escape(term.title),
            "plural": writer.html.escape(term.plural) if _is_irregular(term, writer) else "",
            "also": [writer.html.escape(word) for word in list_names(term, writer.others)],
            "searched": _list_search_words(term, writer),
            "synonyms": writer.html.escape(
                ", ".join([*list_names(term, writer.others), *_list_rules_words(term, writer)])
            ),
            "defined": defined.get(term.id),
            "means": fill(term.means, writer.html),
            "used": used.get(term.id, []),
        }
        for term in terms
    ]
    return writer.generated("glossary.md.j2", entries=entries, legend=LEGEND, groups=build_legend(writer))


def _is_irregular(term: Term, writer: PageWriter) -> bool:
    """Return whether readers cannot guess the plural of a term."""
    return term.plural != term.name and (writer.language is not ENGLISH or term.plural != pluralize(term.name))


def render_section_page(writer: PageWriter, section: RulesSection) -> str:
    """Return the page of all entries of a section, in the order of the rules.

    It serves sections that have no page of their own design.
    """
    result = entries_of(writer.ruleset.resolved.rules.get(section.key))
    return writer.generated("entries.md.j2", entries=[writer.entry(section, identity) for identity, _ in result])


def _list_rules_words(term: Term, writer: PageWriter) -> tuple[str, ...]:
    """Return the search words of the rules for a term, which are in English."""
    return term.search if writer.language is ENGLISH else ()


def _list_search_words(term: Term, writer: PageWriter) -> str:
    """Return the search words of a term that the page does not show, such as the Unicode name of its icon."""
    read = list_names(term, writer.others)
    return writer.html.escape(" ".join(word for word in writer.searched(term) if word not in read))


def _uses(writer: PageWriter, pages: tuple[Page, ...]) -> dict[str, list[tuple[str, str, str]]]:
    """Map the id of each used term to the sections that use it, as address, number and title."""
    results: dict[str, list[tuple[str, str, str]]] = {}
    plain = Style(writer.ruleset)
    for page in pages:
        for section in page.sections:
            words = [section.title, section.text, *(note.text for note in section.notes)]
            place = (f"{name_file(page)}#{section.id}", section.number, writer.html.escape(fill(section.title, plain)))
            for term in dict.fromkeys(_terms_in(" ".join(words), writer)):
                results.setdefault(term, []).append(place)
    return results


def _terms_in(words: str, writer: PageWriter) -> list[str]:
    """Return the ids of the terms that placeholders in a text refer to, with repetitions."""
    meanings = [
        resolve_placeholder(part.body, writer.ruleset) for part in parse_parts(words) if isinstance(part, Placeholder)
    ]
    return [
        meaning.term.id
        for meaning in meanings
        if isinstance(meaning, TermWord | NumberInWords) and meaning.term is not None
    ]


def render_news_page(writer: PageWriter, marks: Marks) -> str:
    """Return the page of all rules that are new, removed or changed since the previous edition.

    There must be a previous edition.
    """
    since, compare = marks.describe_previous()
    about = f"Everything that is played or worded differently than in {since}."
    body = render("news.md.j2", since=escape(since), groups=marks.list_news(), compare=compare)
    return writer.finished(GENERATED[NEWS].title, about, body)


def render_odds_page(writer: PageWriter) -> str:
    """Return the page of all rolls in the book, from the lowest mean to the highest.

    Rolls whose results are all as likely have no chart, and come last. The page covers the pages that are finished
    when it is called, so call it after them.
    """
    language = writer.language
    title = writer.translate(GENERATED[ODDS].title)
    about = writer.translate("Every roll of these rules: what can come up, and how likely each of it is.")
    rolls = sorted(writer.rolls.all(), key=lambda roll: (_mean(roll), roll.text))
    entries = [
        {
            "id": roll.id,
            "dice": writer.html.dice(roll.roll),
            "name": writer.html.escape(roll.text.replace("*", "×")),
            "range": describe_results(roll, language),
            "mean": describe_mean(roll.odds, language),
            "bars": build_bar_views(roll.odds, language),
            "usual": describe_usual(roll.odds, language),
            "even": roll.odds.is_even,
            "exact": roll.odds.denominator < 10**9,
            "used": [(file, writer.html.escape(title)) for file, title in writer.rolls.used[roll.id].items()],
        }
        for roll in rolls
    ]
    even, uneven = ([entry for entry in entries if entry["even"] == answer] for answer in (True, False))
    texts = {"title": title, "about": about}
    body = render("odds.md.j2", language, **texts, entries=uneven, even=even, width=WIDTH, height=HEIGHT)
    return writer.finished(title, about, body, wide=True)


def _mean(roll: PageRoll) -> float:
    """Return the mean of a roll, computed from its bars. It is approximate if bars join several totals."""
    total = sum((bar.least + bar.greatest) * bar.count for bar in roll.odds.bars)
    return total / (2 * roll.odds.denominator)
