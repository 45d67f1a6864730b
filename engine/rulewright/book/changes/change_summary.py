"""The summary of a comparison: the numbers of changes by kind, and the most noticeable ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rulewright.book.changes.change import SECTIONS, RuleChange, end_sentence

FIRST = 5
"""The maximum number of changes in a summary."""

OF_A_KIND = 2
"""The maximum number of changes from the same section in a summary."""

LONG = 10
"""A comparison with more changes than this has a summary."""

_LENGTH = 140


@dataclass(frozen=True, slots=True)
class ChangeGroup:
    """How many changes a group of a report has, and how many of them are of each sort."""

    title: str
    added: int
    removed: int
    changed: int
    played: bool

    @property
    def text(self) -> str:
        """`3 new, 2 gone, 7 changed`."""
        parts = ((self.added, "new"), (self.removed, "gone"), (self.changed, "changed"))
        return ", ".join(f"{number} {word}" for number, word in parts if number)


@dataclass(frozen=True, slots=True)
class Summary:
    """A comparison in short. `played` rules play differently, the `others` only read so or serve bots.

    `examples` of the others are examples, which may have other values.
    """

    played: int
    others: int
    examples: int
    kinds: tuple[ChangeGroup, ...]
    first: tuple[RuleChange, ...]


def summarize(rule_changes: Sequence[RuleChange]) -> Summary:
    """Return the comparison `rule_changes` in short."""
    played = [change for change in rule_changes if change.played]
    examples = sum(change.section == "examples" for change in rule_changes)
    return Summary(
        len(played), len(rule_changes) - len(played), examples, tuple(_kinds(rule_changes)), tuple(_first(played))
    )


def describe_counts(short: Summary) -> str:
    """Return how many rules play differently, and what else differs, without a period."""
    parts = ["1 rule plays differently" if short.played == 1 else f"{short.played} rules play differently"]
    if short.examples:
        parts.append("1 example differs" if short.examples == 1 else f"{short.examples} examples differ")
    texts = short.others - short.examples
    if texts:
        parts.append(f"{texts} more {'differs' if texts == 1 else 'differ'} in words only")
    return "; ".join(parts)


def find_gist(change: RuleChange) -> str:
    """Return the sentence of the first line that affects play, or else of the first line, shortened if it is long.

    The change must have a line.
    """
    line = next((line for line in change.lines if not line.words), change.lines[0])
    text = line.sentence
    if len(text) <= _LENGTH:
        return text
    return f"{text[:_LENGTH].rsplit(' ', 1)[0].rstrip(',;:')} …"


def build_headline(change: RuleChange) -> str:
    """Return a change in one line: its title, its kind, and its gist."""
    fate = {"added": "new", "removed": "gone"}.get(change.what, "changed")
    return end_sentence(f"{change.title} ({fate}): {find_gist(change)}")


def _kinds(rule_changes: Iterable[RuleChange]) -> Iterable[ChangeGroup]:
    """Yield the numbers of changes of each section that has any, in the order of a report. Renaming is a change."""
    counted = Counter((change.group, change.what) for change in rule_changes)
    played = {change.group for change in rule_changes if change.played}
    for group, title in SECTIONS.items():
        added, removed = counted[group, "added"], counted[group, "removed"]
        changed = counted[group, "changed"] + counted[group, "renamed"]
        if added + removed + changed:
            yield ChangeGroup(title, added, removed, changed, group in played)


def _first(played: Sequence[RuleChange]) -> list[RuleChange]:
    """Return at most `FIRST` changes, by descending weight, with at most `OF_A_KIND` of each section."""
    first: list[RuleChange] = []
    for change in sorted(played, key=lambda change: -change.weight):
        if sum(other.section == change.section for other in first) < OF_A_KIND:
            first.append(change)
    return first[:FIRST]
