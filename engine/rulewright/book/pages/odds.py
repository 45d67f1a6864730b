"""The page of odds: every roll that the book shows, with its chart and its figures. It is what prints."""

from __future__ import annotations

from rulewright.book.pages.page import PageWriter
from rulewright.book.parts.odds import HEIGHT, WIDTH, bar_views
from rulewright.book.parts.rolls import Shown
from rulewright.book.parts.templates import render
from rulewright.book.style.places import GENERATED, ODDS


def odds_page(writer: PageWriter) -> str:
    """Every roll of the book, from the lowest mean to the highest."""
    about = "Every roll of these rules: what can come up, and how likely each of it is."
    rolls = sorted(writer.rolls.all(), key=lambda shown: (_mean(shown), shown.text))
    entries = [
        {
            "id": shown.id,
            "dice": writer.html.dice(shown.roll),
            "name": writer.html.escape(shown.text.replace("*", "×")),
            "odds": shown.odds,
            "bars": bar_views(shown.odds),
            "exact": shown.odds.denominator < 10**9,
            "used": [(file, writer.html.escape(title)) for file, title in writer.rolls.used[shown.id].items()],
        }
        for shown in rolls
    ]
    body = render("odds.md.j2", about=about, entries=entries, width=WIDTH, height=HEIGHT)
    return writer.finished(GENERATED[ODDS].title, about, body, wide=True)


def _mean(shown: Shown) -> float:
    total = sum((bar.least + bar.greatest) * bar.count for bar in shown.odds.bars)
    return total / (2 * shown.odds.denominator)
