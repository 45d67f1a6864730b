"""Links on the verb of a call: `the player travels`, which leads to the rule for travelling."""

from __future__ import annotations

import re
from collections.abc import Callable

from rulewright.ruleset.prose.placeholders import Literal, parse_parts

_BEGINS, _ENDS = "\ue002", "\ue003"
"""Private characters around the words of a call that become a link."""
_SMALL_WORDS = frozenset(("a", "an", "and", "as", "at", "for", "from", "in", "of", "on", "the", "to", "with"))
_ACTION = re.compile(rf"^(\s*(?:the \w+ )?)(.*?)((?:\s+(?:{'|'.join(_SMALL_WORDS)}))*\s*)$", re.DOTALL)
"""The words of a call between its subject and the articles and prepositions before a placeholder."""
_MARKED = re.compile(f"{_BEGINS}(.*?){_ENDS}", re.DOTALL)


def mark_action(words: str) -> str:
    """Return the rules' own words for a call with marks around the verb, which is in the first words of their own."""
    result, done = "", False
    for part in parse_parts(words):
        text = part.text if isinstance(part, Literal) else f"{{{getattr(part, 'body', '')}}}"
        match = _ACTION.match(text) if isinstance(part, Literal) and not done else None
        if match is not None and not _SMALL_WORDS.issuperset(match[2].split()):
            text, done = f"{match[1]}{_BEGINS}{match[2]}{_ENDS}{match[3]}", True
        result += text
    return result


def strip_marks(text: str) -> str:
    """Return a text without the marks."""
    return _MARKED.sub(r"\1", text)


def link_action(text: str, link: Callable[[str], str]) -> str:
    """Return a text in which the words between the marks are a link."""
    return _MARKED.sub(lambda match: link(match[1]), text)
