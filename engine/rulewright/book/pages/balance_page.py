"""The page of how the game plays: what games between bots came to, kept beside the rules."""

from __future__ import annotations

from typing import Any

from rulewright.book.pages.page import PageWriter
from rulewright.book.style.text_style import escape
from rulewright.engine.narration.redaction import analyze_sight
from rulewright.engine.python_backend.compiler import compile_ruleset
from rulewright.engine.state.game_state import DECISION
from rulewright.ruleset.ruleset import Ruleset

MOST_OPEN = 8
"""Figures that stand open; more are there for who opens them."""

LEAST_GAMES = 100
"""Games below which a book shows no answer that was played for."""

WORKED_OUT = frozenset({"perfect"})
"""Questions that are answered exactly, without games between bots."""

OF_ONE_TABLE = frozenset({"course", "ends", "lead", "length", "options", "prices", "rolls", "rules"})
"""Questions that are asked of the fewest players who can play, and of no other number."""


def select_trusted(kept: dict[str, Any], ruleset: Ruleset) -> list[dict[str, Any]]:
    """Return the answers that a book may show.

    What was worked out may always be shown. What was played for needs enough games, between bots that see all there
    is: those that guess never bluff. An answer about one number of players needs a game that takes no other; one about
    seats needs a game in which nothing is left to chance before the first decision, so that seats are the order of
    turns. An answer to any other question (luck and skill, above all: it compares a bot with a poor one) is left out.
    """
    played = kept["games"] >= LEAST_GAMES and analyze_sight(ruleset).everything
    fewest, most = ruleset.players
    holds = set(WORKED_OUT)
    if played and fewest == most:
        holds |= OF_ONE_TABLE
    if played and ruleset.start is not None and compile_ruleset(ruleset).new_game(fewest).mode == DECISION:
        holds.add("seats")
    return [each for each in kept["answers"] if each["question"] in holds]


def render_balance_page(writer: PageWriter, kept: dict[str, Any]) -> str:
    """Return every answer in whole sentences, with its figures, their pictures, and what plays the games again.

    `kept` is what `fairness_results` found, with the answers that may be shown. Nothing in it is trusted: it is text.
    """
    return writer.generated(
        "plays.md.j2",
        games=f"{kept['games']:,}",
        seed=escape(str(kept["seed"])),
        digest=escape(kept["digest"]),
        players=[escape(bot) for bot in kept["players"]],
        stale=kept["digest"] != writer.ruleset.digest,
        answers=[_answer(each) for each in kept["answers"]],
    )


def _answer(answer: dict[str, Any]) -> dict[str, Any]:
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
    """Return a sentence as HTML: what stands between backquotes is something to type."""
    pieces = escape(text).split("`")
    return "".join(f"<code>{piece}</code>" if place % 2 else piece for place, piece in enumerate(pieces))


def _build_metric(figure: dict[str, Any]) -> dict[str, Any]:
    share, interval = figure["share"], figure["interval"]
    return {
        "title": escape(figure["title"]),
        "value": _render(figure["value"], share=share),
        "between": [_render(end, share=share) for end in interval] if interval else None,
        "share": share,
        "at": figure["value"],
        "around": interval,
    }


def _render(value: float, *, share: bool) -> str:
    return f"{100 * value:.1f}\N{NO-BREAK SPACE}%" if share else f"{value:,.1f}"
