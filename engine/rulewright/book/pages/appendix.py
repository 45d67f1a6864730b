"""The pages that follow those of the rules: settings, everything not shown elsewhere, rulings, glossary."""

from __future__ import annotations

from rulewright.book.finding.synonyms import names, synonyms
from rulewright.book.pages.page import PageWriter
from rulewright.book.parts.templates import render
from rulewright.book.style.places import file_of
from rulewright.book.style.style import Style
from rulewright.book.style.words import fill
from rulewright.language.declarations import Term
from rulewright.ruleset.words.meaning import Counted, TermWord, meaning
from rulewright.ruleset.words.pages import Page
from rulewright.ruleset.words.placeholders import Placeholder, parts


def settings_page(writer: PageWriter) -> str:
    """Every setting the players may agree on."""
    options = [writer.option(identity) for identity in writer.ruleset.declarations.options]
    about = "What the table may agree on before a game, and what holds if nobody says anything."
    return writer.finished("Settings", about, render("settings.md.j2", about=about, options=options))


def reference_page(writer: PageWriter, paths: tuple[str, ...]) -> str:
    """The procedures and tables that no page of the rules shows."""
    about = "What works behind the pages before: the procedures and tables that they only mention."
    shown = [writer.shown(path) for path in paths]
    return writer.finished("Behind the scenes", about, render("reference.md.j2", about=about, shown=shown))


def rulings_page(writer: PageWriter) -> str:
    """Every ruling, in the order of its number."""
    about = "Where the sources leave something open or contradict themselves: what holds, and why."
    rulings = [writer.ruling(identity) for identity in writer.rulings]
    return writer.finished("Rulings", about, render("rulings.md.j2", about=about, rulings=rulings))


def glossary_page(writer: PageWriter, pages: tuple[Page, ...]) -> str:
    """Every term: its picture, its meaning, and the sections that speak of it."""
    used = _uses(writer, pages)
    defined = {
        page.icon.text: (file_of(page), writer.html.escape(fill(page.title, writer.plain)))
        for page in pages
        if page.icon is not None
    }
    terms = sorted(writer.ruleset.declarations.terms.values(), key=lambda term: term.name.casefold())
    entries = [
        {
            "id": f"term-{term.id}",
            "icon": writer.html.picture(term),
            "name": writer.html.escape(term.name),
            "plural": writer.html.escape(term.plural) if term.plural != term.name else "",
            "also": [writer.html.escape(word) for word in names(term, writer.others)],
            "searched": _searched(term, writer),
            "defined": defined.get(term.id),
            "means": fill(term.means, writer.html),
            "used": used.get(term.id, []),
        }
        for term in terms
    ]
    about = "The words of the game, and where to read more about each."
    return writer.finished("Glossary", about, render("glossary.md.j2", about=about, entries=entries))


def _searched(term: Term, writer: PageWriter) -> str:
    """What else a term is searched for by, which would only be noise to read: its icon, and what Unicode calls that."""
    read = names(term, writer.others)
    return writer.html.escape(" ".join(word for word in synonyms(term, writer.others) if word not in read))


def _uses(writer: PageWriter, pages: tuple[Page, ...]) -> dict[str, list[tuple[str, str, str]]]:
    """For each term the sections that use it: address, number and title."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    plain = Style(writer.ruleset)
    for page in pages:
        for section in page.sections:
            words = [section.title, section.text, *(note.text for note in section.notes)]
            place = (f"{file_of(page)}#{section.id}", section.number, writer.html.escape(fill(section.title, plain)))
            for term in dict.fromkeys(_terms_in(" ".join(words), writer)):
                found.setdefault(term, []).append(place)
    return found


def _terms_in(words: str, writer: PageWriter) -> list[str]:
    meanings = [meaning(part.body, writer.ruleset) for part in parts(words) if isinstance(part, Placeholder)]
    return [found.term.id for found in meanings if isinstance(found, TermWord | Counted) and found.term is not None]
