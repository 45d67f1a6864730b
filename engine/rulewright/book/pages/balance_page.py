"""The page of how the game plays, from saved results of games between bots."""

from __future__ import annotations

from typing import Any

from rulewright.analysis.fairness.answer import FEWEST_GAMES, InBook
from rulewright.analysis.fairness.questions import load_questions
from rulewright.book.pages.page import PageWriter
from rulewright.book.style.text_style import escape
from rulewright.engine.narration.redaction import analyze_sight
from rulewright.ruleset.ruleset import Ruleset

MOST_OPEN = 8
"""Maximum number of metrics that an answer shows unfolded."""


def select_trusted(report: dict[str, Any], ruleset: Ruleset) -> list[dict[str, Any]]:
    """Return the answers in the saved results `report` that a book may show, as the `InBook` of each question says.

    Answers from played games need at least `FEWEST_GAMES` games with each number of players, and a game without hidden
    information, because bots that guess never bluff. Questions that are not answered yet, that the rules leave without
    an answer, or that no longer exist, are left out.
    """
    holds = {InBook.EXACT}
    fewest, most = ruleset.players
    # Older results are of the smallest table only, and do not list its size.
    everybody = fewest == most or "sizes" in report
    if report["games"] >= FEWEST_GAMES and everybody and analyze_sight(ruleset).everything:
        holds.add(InBook.PLAYED)
    trusted = {question.id for question in load_questions() if question.in_book in holds}
    answered = (each for each in report["answers"] if not each.get("missing") and (each["figures"] or each["commands"]))
    return [each for each in answered if each["question"] in trusted]


def render_balance_page(writer: PageWriter, report: dict[str, Any]) -> str:
    """Return the page of answers, with their sentences, metrics, charts and commands.

    `report` holds saved results with the answers that `select_trusted` returned. The page escapes all texts in it.
    """
    return writer.generated(
        "plays.md.j2",
        games=f"{report['games']:,}",
        seed=escape(str(report["seed"])),
        digest=escape(report["digest"]),
        players=[escape(bot) for bot in report["players"]],
        stale=report["digest"] != writer.ruleset.digest,
        answers=[_answer(each) for each in report["answers"]],
    )


def _answer(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer, which has at least one sentence, as data for the template."""
    first, *more = (_sentence(each) for each in answer["says"])
    return {
        "id": f"plays-{answer['question']}",
        "title": escape(answer["title"]),
        "workshop": answer["for_designers"],
        "first": first,
        "more": more,
        "figures": [_build_metric(each) for each in answer["figures"]],
        "open": len(answer["figures"]) <= MOST_OPEN,
        "commands": [escape(each) for each in answer["commands"]],
    }


def _sentence(text: str) -> str:
    """Return a sentence as HTML, with text between backquotes as code."""
    # Backquotes are escaped, too, so the text is split first.
    pieces = map(escape, text.split("`"))
    return "".join(f"<code>{piece}</code>" if place % 2 else piece for place, piece in enumerate(pieces))


def _build_metric(metric: dict[str, Any]) -> dict[str, Any]:
    """Return a metric as data for the template. `between` is None without an interval."""
    share, interval, points = metric["share"], metric["interval"], metric.get("points", False)
    return {
        "title": escape(metric["title"]),
        "value": _render(metric["value"], share=share, points=points),
        "between": [_render(end, share=share, points=points) for end in interval] if interval else None,
        "share": share and not points,
        "at": metric["value"],
        "around": interval,
    }


def _render(value: float, *, share: bool, points: bool) -> str:
    if points:
        return f"{100 * value:.1f}\N{NO-BREAK SPACE}points"
    return f"{100 * value:.1f}\N{NO-BREAK SPACE}%" if share else f"{value:,.1f}"
