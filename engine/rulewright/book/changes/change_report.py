"""A comparison to be read, as text or Markdown, and as data, with the odds that moved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from rulewright.analysis.odds.odds_changes import OddsChange
from rulewright.base.number_format import format_percent
from rulewright.book.changes.change import PLAYED, SECTIONS, RuleChange
from rulewright.book.changes.change_summary import LONG, build_headline, describe_counts, summarize
from rulewright.book.parts.odds_examples import describe_question
from rulewright.book.style.text_style import Style
from rulewright.engine.narration.plain_names import Names
from rulewright.ruleset.ruleset import Ruleset


def build_odds_data(moved: OddsChange) -> dict[str, Any]:
    """Return the changed odds of one expression as JSON data, with chances as reduced fractions such as `1/6`.

    `before` and `after` map the id of every answer to its chance.
    """
    return {
        "example": moved.example.id,
        "procedure": moved.example.of,
        "expression": moved.expression,
        "before": {answer: str(chance) for answer, chance in moved.before.items()},
        "after": {answer: str(chance) for answer, chance in moved.after.items()},
    }


def report_odds(ruleset: Ruleset, moved: Sequence[OddsChange], *, markdown: bool) -> Iterator[str]:
    """Yield a heading, and then the question of each entry in `moved` with the lines of its changed answers."""
    yield f"\n{'## ' if markdown else ''}Changed odds{chr(10) if markdown else ''}"
    for title, answers in describe_odds(ruleset, moved):
        yield f"- **{title}**" if markdown else f"  ~ {title}"
        yield from (f"    {'- ' if markdown else ''}{answer}" for answer in answers)


def describe_odds(ruleset: Ruleset, moved: Sequence[OddsChange]) -> Iterator[tuple[str, list[str]]]:
    """Yield the question of each entry in `moved`, and a line such as `yes: 20 % → 30 %` for each changed answer."""
    names, style = Names(ruleset), Style(ruleset)
    for each in moved:
        question, _ = describe_question(each.expression, each.example, style)
        answers = []
        for answer in each.answers:
            was, now = (format_percent(of.get(answer, Fraction(0))) for of in (each.before, each.after))
            answers.append(f"{each.words[answer]}: {was} → {now}")
        yield f"{names.format_words(each.example.title)}: {question}", answers


def as_data(change: RuleChange) -> dict[str, Any]:
    """Return one change as JSON data."""
    return {
        "section": change.section,
        "id": change.id,
        "title": change.title,
        "what": change.what,
        "sentences": list(change.sentences),
        "words": change.words,
        "differences": [
            {
                "what": line.what,
                "label": line.label,
                "before": line.before,
                "after": line.after,
                "sentence": line.sentence,
                "words": line.words,
            }
            for line in change.lines
        ],
    }


def build_summary_data(rule_changes: Sequence[RuleChange]) -> dict[str, Any]:
    """Return the numbers of changes, and the most noticeable ones."""
    short = summarize(rule_changes)
    return {"played": short.played, "others": short.others, "first": [change.path for change in short.first]}


def report(
    before: Ruleset, after: Ruleset, rule_changes: Sequence[RuleChange], *, markdown: bool, brief: bool = False
) -> Iterator[str]:
    """Yield the lines of a comparison: a summary if it is long or `brief`, and the full list unless `brief`.

    It is long with more than `LONG` changes. The first line names both rulesets. A line says if nothing differs, or if
    the two play alike.
    """
    yield f"{'# ' if markdown else ''}From {before.reference} to {after.reference}"
    if not rule_changes:
        alike = ": the two play alike" if before.digest == after.digest else " that a player would notice"
        yield f"\nNothing differs{alike}."
    elif before.digest == after.digest:
        yield "\nThe two play alike."
    if rule_changes and (brief or len(rule_changes) > LONG):
        yield from _in_short(rule_changes, markdown=markdown)
    if not brief:
        yield from _in_full(rule_changes, markdown=markdown)


def _in_short(rule_changes: Sequence[RuleChange], *, markdown: bool) -> Iterator[str]:
    """Yield the numbers of changes by kind, and the most noticeable ones."""
    short = summarize(rule_changes)
    item, heading, end = ("- ", "## ", "\n") if markdown else ("  ", "", "")
    yield f"\n{heading}In short{end}"
    yield f"{item}{describe_counts(short)}."
    for kind in short.kinds:
        yield f"{item}{kind.title}: {kind.text}"
    if short.first:
        yield f"\n{heading}What a player notices first{end}"
        for place, change in enumerate(short.first, start=1):
            yield f"{'' if markdown else '  '}{place}. {build_headline(change)}"


def _in_full(rule_changes: Sequence[RuleChange], *, markdown: bool) -> Iterator[str]:
    """Yield a heading for each section, and below it each change with its sentences. Changes are sorted by section."""
    group = ""
    for change in rule_changes:
        if change.group != group:
            group = change.group
            yield f"\n{'## ' if markdown else ''}{SECTIONS[group]}{chr(10) if markdown else ''}"
        mark = {"added": "+", "removed": "-"}.get(change.what, "~")
        what = {"renamed": "goes by another name"}.get(change.what, change.what)
        words = ", in words only" if change.words and change.section in PLAYED and not change.bots else ""
        yield f"- **{change.title}** {what}{words}" if markdown else f"  {mark} {change.title}, {what}{words}"
        for sentence in change.sentences:
            yield f"    {'- ' if markdown else ''}{sentence}"
