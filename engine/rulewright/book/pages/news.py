"""What is new in an edition: everything that is played differently than in the edition before it."""

from __future__ import annotations

from rulewright.book.editions.comparisons import page_of
from rulewright.book.pages.marks import ROOT, Marks
from rulewright.book.pages.page import PageWriter
from rulewright.book.parts.templates import render
from rulewright.book.style.places import GENERATED, NEWS
from rulewright.book.style.style import escape


def news_page(writer: PageWriter, marks: Marks) -> str:
    """Each rule that is new, gone or changed, with what changed. There must be an edition before this one."""
    assert marks.previous is not None
    since = marks.comparisons.title(marks.previous)
    about = f"Everything that is played differently than in {since}."
    compare = f"{ROOT}{page_of(marks.previous, marks.item)}/index.html"
    body = render("news.md.j2", since=escape(since), groups=marks.news(), compare=compare)
    return writer.finished(GENERATED[NEWS].title, about, body)
