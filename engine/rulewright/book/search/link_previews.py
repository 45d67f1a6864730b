"""Previews of links: a short text about the target of each link of a page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.rule_locations import RuleLocations
from rulewright.book.style.text_style import Link, Style
from rulewright.ruleset.prose.explained_rules import find_rule_entry
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.section import load_sections
from rulewright.source.nodes import Mapping, Scalar

LONGEST = 220
"""The maximum length of a preview in characters. Longer ones are cut after a sentence or a word."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+")


class Previews:
    """The previews of the links of one page. Links are noted as they are made."""

    def __init__(self, ruleset: Ruleset, places: RuleLocations) -> None:
        self.ruleset = ruleset
        self.places = places
        self.plain = Style(ruleset)
        self.tells: Callable[[str], bool] = lambda path: True
        """Returns whether a rule may have a preview. In other languages, its texts must be translated."""
        self._targets: dict[str, str] = {}

    def wrap_linker(self, link: Link) -> Callable[[str], str | None]:
        """Return a linker like `link` that also records the target of every rule it links to."""

        def record_target(path: str) -> str | None:
            href = link(path)
            if href:
                self._targets.setdefault(href, path)
            return href

        return record_target

    def build_island(self, body: str) -> str:
        """Return a script element with the previews of the links in `body`, or an empty text if there are none."""
        results: dict[str, list[str]] = {}
        for href, path in self._targets.items():
            words = self._words(path) if f'href="{href}"' in body and self.tells(path) else None
            if words is not None:
                # Links use `.md` in Markdown but `.html` in HTML, so compare the names without suffixes.
                file, _, fragment = href.partition("#")
                results[f"{file.removesuffix('.md')}#{fragment}"] = [*words]
        if not results:
            return ""
        data = json.dumps(results, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
        return f'<script type="application/json" class="rw-previews">{data}</script>'

    def _words(self, path: str) -> tuple[str, str] | None:
        """Return the title and the description of a rule or term, or None if it has none."""
        section, _, identity = path.partition(".")
        if section == "terms":
            term = self.ruleset.declarations.terms[identity]
            return term.title, shorten_text(fill(term.means, self.plain))
        entry = find_rule_entry(path, self.ruleset)
        declared = load_sections().get(section)
        if entry is None or declared is None or not isinstance(entry.value, Mapping):
            return None
        text, title = _text(entry.value, declared.gist), _text(entry.value, declared.heading)
        if not title or not text:
            return None
        number = self.places.numbers.get(path, "")
        heading = fill(title, self.plain)
        return f"{number} {heading}" if number else heading, shorten_text(fill(text, self.plain))


def shorten_text(text: str) -> str:
    """Return as many whole sentences as fit into `LONGEST` characters, or else as many words and an ellipsis."""
    text = " ".join(text.split())
    saved = ""
    for sentence in _SENTENCE.split(text):
        if len(saved) + len(sentence) + 1 > LONGEST:
            break
        saved = f"{saved} {sentence}".strip()
    return saved or text[:LONGEST].rpartition(" ")[0] + " …"


def _text(node: Mapping, key: str) -> str:
    result = node.get(key)
    return result.text.strip() if isinstance(result, Scalar) else ""
