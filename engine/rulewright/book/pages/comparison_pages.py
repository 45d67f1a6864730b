"""The pages that compare two editions of a game, side by side or in sentences."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from rulewright.book.changes.change import SECTIONS, ChangeLine, RuleChange
from rulewright.book.changes.change_summary import LONG, find_gist, summarize
from rulewright.book.changes.edition_history import (
    Comparisons,
    PublishedEdition,
    build_address,
    build_fragment,
    select_in_play,
)
from rulewright.book.parts.template_loader import render
from rulewright.book.style.prose_html import format_front_matter
from rulewright.book.style.rule_locations import RuleLocations, find_places, list_book_pages
from rulewright.book.style.text_style import escape

ROOT = "../../"
"""Relative path from a comparison page to the root of the site."""


@dataclass(frozen=True, slots=True)
class LineView:
    """A changed line as HTML, ready for a template."""

    what: str
    label: str
    before: str
    after: str
    sentence: str
    words: bool

    @property
    def is_sentence_only(self) -> bool:
        """Whether the sentence alone is enough, because it repeats the side-by-side texts or there are none."""
        return not (self.before or self.after) or (not self.label and self.sentence == self.before + self.after)


@dataclass(frozen=True, slots=True)
class ChangeView:
    """A changed rule, with the id of its entry on the page, and its addresses in both books.

    `before` and `after` are empty if the book does not show the rule.
    """

    id: str
    title: str
    what: str
    words: bool
    lines: tuple[LineView, ...]
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class GroupView:
    """The changes of one section. `played` is the number of those that change gameplay."""

    id: str
    title: str
    changes: tuple[ChangeView, ...]
    played: int


_BETWEEN = re.compile(r"(?<=[.!?:])\s+")


def shorten_line(line: ChangeLine) -> str:
    """Return the sentence of a difference. For a text with new sentences, it has only these."""
    before = _BETWEEN.split(line.before)
    new = " ".join(each for each in _BETWEEN.split(line.after) if each not in before)
    if line.what != "changed" or not (line.before and new):
        return line.sentence
    return f"{line.label}: {new}" if line.label else new


def compare_pages(comparisons: Comparisons) -> dict[str, str]:
    """Return a page for every two editions of a game, from the earlier to the later one, by path."""
    places = {item.folder: find_places(item.ruleset, list_book_pages(item.ruleset)) for item in comparisons.published}
    return {
        f"{build_address(before, after)}/index.md": _page(comparisons, before, after, places)
        for before, after in comparisons.iterate_pairs()
    }


def _page(
    comparisons: Comparisons, before: PublishedEdition, after: PublishedEdition, places: dict[str, RuleLocations]
) -> str:
    """Return the page that compares two editions, as Markdown with front matter."""
    result = comparisons.compare(before, after)
    was, now = comparisons.build_title(before), comparisons.build_title(after)
    groups = []
    for section, title in SECTIONS.items():
        views = tuple(_change(c, before, after, places) for c in result if c.group == section)
        if views:
            groups.append(GroupView(f"in-{section}", title, views, sum(not view.words for view in views)))
    title = f"From {was} to {now}"
    body = render(
        "compare.md.j2",
        before={"title": escape(was), "href": f"{ROOT}{before.folder}/index.html"},
        after={"title": escape(now), "href": f"{ROOT}{after.folder}/index.html"},
        groups=groups,
        short=_in_short(result),
        changed=len(result),
        played=select_in_play(result),
        alike=before.ruleset.digest == after.ruleset.digest,
        home=f"{ROOT}index.html",
    )
    about = f"Every rule that changed from {was} to {now}, side by side and in sentences."
    return f"---\n{format_front_matter(title, about)}hide: [navigation, toc, footer]\n---\n\n{body.strip()}\n"


def _in_short(rule_changes: list[RuleChange]) -> dict[str, Any] | None:
    """Return `kinds`, the numbers of changes in each section, and `first`, the data of those that players notice first.

    Only sections in which the game plays differently count. Return None if there are at most `LONG` changes.
    """
    if len(rule_changes) <= LONG:
        return None
    short = summarize(rule_changes)
    first = [
        {"id": build_fragment(c), "title": escape(c.title), "what": c.what, "gist": escape(find_gist(c))}
        for c in short.first
    ]
    return {"kinds": [kind for kind in short.kinds if kind.played], "first": first}


def _change(
    change: RuleChange, before: PublishedEdition, after: PublishedEdition, places: dict[str, RuleLocations]
) -> ChangeView:
    """Return a change for the template, with the addresses of the rule in both books, if they show it."""
    return ChangeView(
        build_fragment(change),
        escape(change.title),
        change.what,
        change.words,
        tuple(build_line_view(line) for line in change.lines),
        find_rule_address(change.path, before, places[before.folder], ROOT),
        find_rule_address(change.path, after, places[after.folder], ROOT),
    )


def build_line_view(line: ChangeLine) -> LineView:
    """Return a changed line as HTML, with the differing words marked.

    If its sentence gives both texts one after the other, a single text with the marks replaces them.
    """
    text = mark_differences(line.before, line.after)
    sentence = escape(line.sentence)
    if text.both and line.what == "changed" and sentence.count("Before:"):
        label = f"{escape(line.label)}: " if line.label else ""
        sentence = f"{label}{text.both}"
    return LineView(line.what, escape(line.label), text.before, text.after, sentence, line.words)


def find_rule_address(path: str, item: PublishedEdition, places: RuleLocations, root: str) -> str:
    """Return the address of a rule in the built book of an edition, or an empty string if the book does not show it."""
    result = places.homes.get(path)
    if result is None:
        return ""
    file, hash_, fragment = result.partition("#")
    return f"{root}{item.folder}/{file.removesuffix('.md')}.html{hash_}{fragment}"


_WORDS = re.compile(r"\S+\s*")

FEWEST = 8
"""Minimum number of words for marking differences. In shorter texts they are obvious."""

ALIKE = 0.4
"""Minimum similarity of two texts for marking differences. Below it, marks would cover most words."""


@dataclass(frozen=True, slots=True)
class MarkedTexts:
    """HTML of the old text with deletions marked, of the new text with insertions marked, and of both in one.

    `both` is empty if the texts are too short or too different for marks.
    """

    before: str
    after: str
    both: str


def mark_differences(before: str, after: str) -> MarkedTexts:
    """Return two texts as HTML with their differences marked word by word.

    Return them without marks if either is shorter than `FEWEST` words, or if their similarity is below `ALIKE`.
    """
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if min(len(old), len(new)) < FEWEST or matcher.ratio() < ALIKE:
        return MarkedTexts(escape(before), escape(after), "")
    was, now, both = [], [], []
    for what, a, b, c, d in matcher.get_opcodes():
        old_words, new_words = "".join(old[a:b]), "".join(new[c:d])
        if what == "equal":
            saved = escape(old_words)
            was.append(saved)
            now.append(saved)
            both.append(saved)
            continue
        removed, added = _tag("del", old_words), _tag("ins", new_words)
        was.append(removed)
        now.append(added)
        both.append(removed + added if removed.endswith(" ") or not removed or not added else f"{removed} {added}")
    return MarkedTexts("".join(was), "".join(now), "".join(both))


def _tag(name: str, text: str) -> str:
    if not text.strip():
        return escape(text)
    # The mark does not cover the space after the last word.
    words = text.rstrip()
    return f"<{name}>{escape(words)}</{name}>{text[len(words) :]}"
