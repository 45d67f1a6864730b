"""The Changes panel, which describes an edition's changes to its base and their effect on odds, for a changelog."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulewright.analysis.odds.odds_changes import compare_odds
from rulewright.book.changes.change import PLAYED, ChangeLine, RuleChange
from rulewright.book.changes.change_report import (
    as_data,
    build_odds_data,
    build_summary_data,
    describe_odds,
    report,
    report_odds,
)
from rulewright.book.changes.change_summary import build_headline, describe_counts, summarize
from rulewright.book.changes.compare_rulesets import list_changes
from rulewright.book.pages.comparison_pages import build_line_view
from rulewright.ruleset.queries.tree_difference import EDITION
from rulewright.source.span import Span
from rulewright.studio.panels.cursor_context import At, find_own_span, find_written_span, look, place, read_word
from rulewright.studio.panels.panel import Desk, Panel, PanelRequest

MOST_BRANCHES = 20_000
"""The maximum number of branches of an example's odds on either side. Larger ones are left to `diff`."""


def answer(desk: Desk, request: PanelRequest) -> Mapping[str, Any]:
    """Return all differences from the base edition, each with the location that causes it, and the changed odds.

    The answer also has them as Markdown. Without a base edition, the lists are empty. Raises `RulewrightError` as
    `look` does.
    """
    at = look(desk, request, below=True)
    before, after = at.below, at.ruleset
    if before is None:
        words = "These rules extend no others, so there is nothing to compare them with."
        nothing: dict[str, Any] = {"before": None, "same_gameplay": False, "summary": None, "odds": [], "markdown": ""}
        return {**at.head(()), **nothing, "gist": words, "items": [], "balance": None}
    changes = list_changes(before, after)
    moved = list(compare_odds(before, after, most=MOST_BRANCHES))
    lines = list(report(before, after, changes, markdown=True))
    if moved:
        lines += report_odds(after, moved, markdown=True)
    balance = read_word(request.more, "balance")
    if balance:
        lines += ["\n## Balance\n", *(f"- {line}" for line in balance.splitlines())]
    return {
        **at.head(()),
        "before": before.reference,
        "same_gameplay": before.digest == after.digest,
        "gist": _gist(changes, alike=before.digest == after.digest),
        "summary": build_summary_data(changes),
        "items": [item for change in changes for item in _items(at, change)],
        "odds": [
            {**build_odds_data(each), "title": title, "lines": lines, "words": f"{title}: {'; '.join(lines)}"}
            for each, (title, lines) in zip(moved, describe_odds(after, moved), strict=True)
        ],
        "balance": {"words": balance} if balance else None,
        "markdown": "\n".join(lines) + "\n",
    }


def _gist(rule_changes: list[RuleChange], *, alike: bool) -> str:
    """Return what changes, with the differences that a player notices first if the list of all is longer."""
    if not rule_changes:
        return f"Nothing differs{': the two play alike' if alike else ' that a player would notice'}."
    short = summarize(rule_changes)
    listed = short.first[:2] if len(rule_changes) > 2 else ()
    first = " ".join(build_headline(change) for change in listed)
    return f"{describe_counts(short)}. {first}".strip()


def _items(at: At, change: RuleChange) -> Iterator[dict[str, Any]]:
    """Yield each difference of a change as data for the page."""
    data = as_data(change)
    for line, difference in zip(change.lines, data["differences"], strict=True):
        yield {
            "title": change.title,
            "section": change.section,
            "what": change.what,
            "words": line.sentence,
            "html": build_line_view(line).sentence,
            "path": change.path,
            "played": change.section in (*PLAYED, EDITION) and not line.words,
            "difference": difference,
            "place": _place(at, change, line),
        }


def _place(at: At, change: RuleChange, line: ChangeLine) -> dict[str, Any] | None:
    """Return the location in the edition's own files that causes a difference.

    For a removed rule, or a change that another rule causes, return the location of that rule. The result is None if
    there is no location or the page does not have the file.
    """
    span: Span | None = None
    for path in (*line.covers, (change.section, change.id)):
        if path[0] == EDITION:
            span = _in_manifest(at, path[-1])
        else:
            span = find_own_span(at.good, tuple(path))
        if span is not None:
            break
    span = span or find_written_span(at.good, (change.section, change.id))
    return place(at.desk, at.ruleset, span) if span is not None else None


def _in_manifest(at: At, key: str) -> Span | None:
    manifest = at.ruleset.resolved.layers[-1].manifest
    return manifest.find_key_span(key) if key in manifest else manifest.span


PANEL = Panel("Changes", 60, answer, guide="design/layers.md", command="diff")
