"""Rulings, with the numbers they are cited by."""

from __future__ import annotations

from rulewright.book.pages.page import PageWriter
from rulewright.book.parts.templates import render
from rulewright.book.style.places import RULINGS
from rulewright.book.style.words import fill


def show(page: PageWriter, identity: str) -> str:
    """A ruling."""
    found = page.rulings[identity]
    ruling = found.ruling
    return render(
        "ruling.j2",
        id=page.fragment(f"rulings.{identity}"),
        number=found.number,
        question=fill(ruling.question, page.html),
        source=fill(ruling.source, page.html),
        ruling=fill(ruling.ruling, page.html),
        because=fill(ruling.because, page.html),
        about=page.rule_link(ruling.about),
        folded=page.file != RULINGS,
    )
