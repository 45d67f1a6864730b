"""The result of a comparison of two rulesets: changed rules, with a line for each difference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from rulewright.ruleset.layers.value_origins import Path
from rulewright.ruleset.queries.tree_difference import EDITION
from rulewright.ruleset.section import load_sections

SECTIONS = {EDITION: "The game"} | {
    key: section.title for key, section in sorted(load_sections().items(), key=lambda item: item[1].report)
}
"""The title of each section, in the order of a report: the rules of play first, and texts last."""

PLAYED = frozenset(key for key, section in load_sections().items() if section.gameplay)
"""The sections of rules. All other sections contain only texts and appearance."""

SHORT = 110
"""The maximum combined length of the old and the new value for a single sentence."""


_ENDS = (".", "!", "?", "…", "”")


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """One difference of a rule.

    `label` is the part of the rule (empty for the whole rule), `before` and `after` are its two versions (empty for a
    missing one), and `sentence` describes the difference. `words` is true if play is not affected. `covers` are the
    paths that it describes.
    """

    what: str
    label: str
    before: str
    after: str
    sentence: str
    words: bool
    covers: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleChange:
    """The change of one rule with its `section` and id, its title, and a line for each difference.

    `what` is `added`, `removed`, `changed` or `renamed`. `words` is true if play is not affected, and `bots` if only
    bots and simulations use the rule. Changes with a higher `weight` are more noticeable to players.
    """

    section: str
    id: str
    title: str
    what: str
    lines: tuple[ChangeLine, ...]
    bots: bool = False
    weight: int = 0

    def to_data(self) -> list[Any]:
        """Return the change as JSON data, which `from_data` reads. It is without the paths that its lines cover."""
        lines = [[line.what, line.label, line.before, line.after, line.sentence, line.words] for line in self.lines]
        return [self.section, self.id, self.title, self.what, lines, self.bots, self.weight]

    @staticmethod
    def from_data(data: Sequence[Any]) -> RuleChange:
        """Return the change in the data of `to_data`."""
        section, identity, title, what, lines, bots, weight = data
        return RuleChange(section, identity, title, what, tuple(ChangeLine(*line) for line in lines), bots, weight)

    @property
    def words(self) -> bool:
        """Whether only words or looks differ."""
        return all(line.words for line in self.lines)

    @property
    def played(self) -> bool:
        """Whether the game plays differently."""
        return self.section in PLAYED and not self.words

    @property
    def group(self) -> str:
        """The section of the report that lists it."""
        return "measures" if self.bots else self.section

    @property
    def sentences(self) -> tuple[str, ...]:
        """The sentences of its lines."""
        return tuple(line.sentence for line in self.lines)

    @property
    def path(self) -> str:
        """The rule's path: `tables.prices`."""
        return f"{self.section}.{self.id}"


@dataclass(frozen=True, slots=True)
class SentenceParts:
    """A sentence, and the lists in it: the items of each, and how the list is written out."""

    text: str
    lists: tuple[tuple[tuple[str, ...], str], ...] = ()


def build_line(
    what: str,
    label: str,
    before: str | SentenceParts,
    after: str | SentenceParts,
    *,
    covers: Iterable[Path],
    words: bool = False,
    note: str = "",
) -> ChangeLine:
    """Return the line of a difference with its sentence. In both texts, each run of white space becomes one space.

    `what` is the type of the difference, such as `changed`, and `label` the name of the changed part. `covers` are the
    paths that the line reports, and `words` says that only wording differs. `note` is an additional remark. Without
    one, a change in a single list is a sentence about added and removed items. For a change between equal texts, the
    sentence says that only the way of writing differs.
    """
    old, new = (side if isinstance(side, SentenceParts) else SentenceParts(side) for side in (before, after))
    before, after = _plain(old.text), _plain(new.text)
    shorter = _lists_match(old, new) if what == "changed" and before != after and not note else None
    if shorter is not None:
        sentence = end_sentence(f"{f'{label}, now' if label else 'Now'}: {shorter}")
    else:
        sentence = _sentence(what, label, before, after, note)
    return ChangeLine(what, label, before, after, sentence, words, tuple(covers))


def _lists_match(old: SentenceParts, new: SentenceParts) -> str | None:
    """Return the new text with its list replaced by the added and removed items in brackets, or None.

    It is None unless the texts differ in a single list, whose old and new items overlap.
    """
    before, after = _plain(old.text), _plain(new.text)
    for items, written in map(_plain_list, new.lists):
        for former, formerly in map(_plain_list, old.lists):
            if items == former or not set(items) & set(former):
                continue
            if before.count(formerly) != 1 or after.count(written) != 1:
                continue
            if before.replace(formerly, "") == after.replace(written, ""):
                return after.replace(written, f"[{'; '.join(_moves(former, items))}]")
    return None


def _moves(former: tuple[str, ...], items: tuple[str, ...]) -> Iterator[str]:
    """Yield the added, removed and replaced items of a list in words, with one `…` for each run of unchanged items."""
    for what, first, last, start, end in SequenceMatcher(None, former, items, autojunk=False).get_opcodes():
        old_items, there = "; ".join(former[first:last]), "; ".join(items[start:end])
        match what:
            case "equal":
                yield "…"
            case "insert":
                yield f"new: {there}"
            case "delete":
                yield f"no more: {old_items}"
            case _:
                yield f"now: {there}; before: {old_items}"


def _plain_list(results: tuple[tuple[str, ...], str]) -> tuple[tuple[str, ...], str]:
    items, written = results
    return tuple(map(_plain, items)), _plain(written)


def build_sentence_line(
    what: str, sentence: str, *, covers: Iterable[Path], words: bool = False, label: str = ""
) -> ChangeLine:
    """Return a line that has nothing but its sentence."""
    before, after = {"added": ("", sentence), "removed": (sentence, "")}.get(what, ("", ""))
    return ChangeLine(what, label, before, after, sentence, words, tuple(covers))


def _plain(text: str) -> str:
    return " ".join(text.split())


def _sentence(what: str, label: str, before: str, after: str, note: str) -> str:
    """Return what readers see of a difference, as one sentence, or as two for long texts.

    An empty `label` is left out. Every `what` other than `added` and `removed` is a change. A change between equal
    texts is said to differ only in how it is written. A `note` comes last, and keeps a change in one sentence.
    """
    tail = f": {note}" if note else ""
    match what:
        case "added":
            return end_sentence(f"{label} is new: {after}{tail}" if label else f"New: {after}{tail}")
        case "removed":
            return end_sentence(f"{label} is gone: {before}{tail}" if label else f"Gone: {before}{tail}")
    head = f"{label}: " if label else ""
    if before == after:
        return end_sentence(f"{head}written differently, with the same result: {after}")
    if note or (len(before) + len(after) <= SHORT and not any(text.endswith(_ENDS) for text in (before, after))):
        return end_sentence(f"{head}{after} instead of {before}{tail}")
    return f"{f'{label}, now' if label else 'Now'}: {end_sentence(after)} Before: {end_sentence(before)}"


def end_sentence(sentence: str) -> str:
    """Return the sentence with a full stop, unless it ends with a mark of its own."""
    return sentence if sentence.endswith(_ENDS) else f"{sentence}."
