"""`rulewright diff`: what changed between two rulesets, in words."""

from __future__ import annotations

import argparse
import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rulewright.cli.options import add_rules_option

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulewright.book.changes.change import Change
    from rulewright.cli.example_odds import Moved
    from rulewright.ruleset.ruleset import Ruleset

HELP = "tell in words what changed between two rulesets, with the odds that moved"
EXAMPLE = """\
rulewright diff pig/classic@1.0 pig/classic@1.0 --brief
rulewright diff pig/classic@1.0 house/my-house-rules --rules my-house-rules --markdown"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("before", metavar="REF", help="the ruleset to compare with")
    parser.add_argument("after", metavar="REF", help="the ruleset that is compared")
    parser.add_argument(
        "--gameplay", action="store_true", help="leave out what changes no game: words, examples, pages"
    )
    parser.add_argument(
        "--brief", action="store_true", help="tell only how much changed, and what a player notices first"
    )
    parser.add_argument("--markdown", action="store_true", help="print Markdown")
    parser.add_argument("--json", action="store_true", help="print data")
    add_rules_option(parser)


def run(args: argparse.Namespace) -> int:
    """Compare and print."""
    from rulewright.book.changes.compare import changes, only_gameplay
    from rulewright.cli.example_odds import moved_odds
    from rulewright.ruleset.load import load_ruleset

    before, after = (load_ruleset(reference, rules=args.rules) for reference in (args.before, args.after))
    found = changes(before, after)
    if args.gameplay:
        found = only_gameplay(found)
    moved = [] if args.brief else list(moved_odds(before, after))
    if args.json:
        data = {
            "before": before.reference,
            "after": after.reference,
            "same_gameplay": before.digest == after.digest,
            "summary": _summary_data(found),
            "changes": [] if args.brief else [_data(change) for change in found],
            "odds": [_odds_data(each) for each in moved],
        }
        print(json.dumps(data, ensure_ascii=False, indent=2))
    else:
        print("\n".join(_report(before, after, found, markdown=args.markdown, brief=args.brief)))
        if moved:
            print("\n".join(_odds_report(after, moved, markdown=args.markdown)))
    return 0


def _odds_data(moved: Moved) -> dict[str, Any]:
    return {
        "example": moved.example.id,
        "procedure": moved.example.of,
        "expression": moved.expression,
        "before": {answer: str(chance) for answer, chance in moved.before.items()},
        "after": {answer: str(chance) for answer, chance in moved.after.items()},
    }


def _odds_report(ruleset: Ruleset, moved: list[Moved], *, markdown: bool) -> Iterator[str]:
    """The odds of whole procedures that moved, by the examples that speak of them."""
    from rulewright.book.parts.chances import asked_in_words
    from rulewright.book.style.style import Style
    from rulewright.cli.chart import percent
    from rulewright.play.telling.names import Names

    names, style = Names(ruleset), Style(ruleset)
    yield f"\n{'## ' if markdown else ''}Odds that moved{chr(10) if markdown else ''}"
    for each in moved:
        asked, _ = asked_in_words(each.expression, each.example, style)
        title = f"{names.words(each.example.title)}: {asked}"
        yield f"- **{title}**" if markdown else f"  ~ {title}"
        for answer in each.answers:
            was, now = (percent(of.get(answer, Fraction(0))) for of in (each.before, each.after))
            yield f"    {'- ' if markdown else ''}{each.words[answer]}: {was} → {now}"


def _data(change: Change) -> dict[str, Any]:
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


def _summary_data(found: list[Change]) -> dict[str, Any]:
    from rulewright.book.changes.summary import summary

    short = summary(found)
    return {"played": short.played, "others": short.others, "first": [change.path for change in short.first]}


def _report(before: Ruleset, after: Ruleset, found: list[Change], *, markdown: bool, brief: bool) -> Iterator[str]:
    from rulewright.book.changes.summary import LONG

    yield f"{'# ' if markdown else ''}From {before.reference} to {after.reference}"
    if not found:
        alike = ": the two play alike" if before.digest == after.digest else " that a player would notice"
        yield f"\nNothing differs{alike}."
    elif before.digest == after.digest:
        yield "\nThe two play alike."
    if found and (brief or len(found) > LONG):
        yield from _in_short(found, markdown=markdown)
    if not brief:
        yield from _in_full(found, markdown=markdown)


def _in_short(found: list[Change], *, markdown: bool) -> Iterator[str]:
    """How many changes of what kind, and what a player notices first."""
    from rulewright.book.changes.summary import headline, summary

    short = summary(found)
    item, heading, end = ("- ", "## ", "\n") if markdown else ("  ", "", "")
    yield f"\n{heading}In short{end}"
    play = "1 rule plays" if short.played == 1 else f"{short.played} rules play"
    yield f"{item}{play} differently; {short.others} more {'differs' if short.others == 1 else 'differ'} in words only."
    for kind in short.kinds:
        yield f"{item}{kind.title}: {kind.text}"
    if short.first:
        yield f"\n{heading}What a player notices first{end}"
        for place, change in enumerate(short.first, start=1):
            yield f"{'' if markdown else '  '}{place}. {headline(change)}"


def _in_full(found: list[Change], *, markdown: bool) -> Iterator[str]:
    from rulewright.book.changes.change import PLAYED, SECTIONS

    group = ""
    for change in found:
        if change.group != group:
            group = change.group
            yield f"\n{'## ' if markdown else ''}{SECTIONS[group]}{chr(10) if markdown else ''}"
        mark = {"added": "+", "removed": "-"}.get(change.what, "~")
        what = {"renamed": "goes by another name"}.get(change.what, change.what)
        words = ", in words only" if change.words and change.section in PLAYED and not change.bots else ""
        yield f"- **{change.title}** {what}{words}" if markdown else f"  {mark} {change.title}, {what}{words}"
        for sentence in change.sentences:
            yield f"    {'- ' if markdown else ''}{sentence}"
