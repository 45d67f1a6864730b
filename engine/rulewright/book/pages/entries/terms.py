"""Views of terms, rulings and settings."""

from __future__ import annotations

from rulewright.book.pages.page import PageWriter
from rulewright.book.parts.template_loader import render
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.rule_locations import RULINGS


def show_terms(page: PageWriter, identity: str) -> str:
    """Return a term with its meaning."""
    term = page.ruleset.declarations.terms[identity]
    return page.value(f"terms.{identity}", page.html.escape(term.title), "", fill(term.means, page.html))


def show_rulings(page: PageWriter, identity: str) -> str:
    """Return a ruling with the number by which it is cited."""
    result = page.rulings[identity]
    ruling = result.ruling
    return render(
        "ruling.j2",
        page.language,
        id=page.fragment(f"rulings.{identity}"),
        number=result.number,
        question=fill(ruling.question, page.html),
        source=fill(ruling.source, page.html),
        ruling=fill(ruling.ruling, page.html),
        because=fill(ruling.because, page.html),
        about=page.rule_link(ruling.about),
        folded=page.file != RULINGS,
    )


def show_options(page: PageWriter, identity: str) -> str:
    """Return a setting with its choices."""
    option = page.ruleset.declarations.options[identity]
    return render(
        "option.j2",
        page.language,
        id=page.fragment(f"options.{identity}"),
        title=page.escaped(option.title),
        means=fill(option.means, page.html),
        choices=[(fill(words, page.html), choice == option.default) for choice, words in option.choices.items()],
        may_change=option.may_change,
    )
