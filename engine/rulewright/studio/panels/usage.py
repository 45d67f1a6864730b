"""Search for the nearest procedure that uses a rule, such as the one that rolls on a table."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from rulewright.lsp.features.edition_states import Good
from rulewright.lsp.features.mentions.mention import Mention, Mentions
from rulewright.lsp.features.mentions.mention import Path as RulePath
from rulewright.ruleset.section import load_sections

PLAYED = ("procedures", "whenever")
"""The sections with entries that run."""


def find_nearest_procedure(good: Good, path: RulePath) -> str:
    """Return the procedure with the shortest chain of uses to a rule, or "" if there is none.

    Of several, return the one declared first.
    """
    order = {name: place for place, name in enumerate(good.ruleset.procedures)}
    seen = {path[:2]}
    reached = [path[:2]] if len(path) > 1 else []
    while reached:
        users = dict.fromkeys(user for each in reached for user in _users(good.mentions, each))
        results = [user[1] for user in users if user[0] in PLAYED and user[1] in order]
        if results:
            return min(results, key=order.__getitem__)
        reached = [user for user in users if user not in seen and _plays(user[0])]
        seen |= set(reached)
    return ""


def _users(mentions: Mentions, path: RulePath) -> Iterator[RulePath]:
    """Yield the entries that mention a rule or a part of it."""
    for named, value in mentions.by_path.items():
        if named[:2] == path:
            for each in value:
                user = _around(mentions, each) if not each.declares else ()
                if user and user != path:
                    yield user


def _around(mentions: Mentions, mention: Mention) -> RulePath:
    """Return the path of the entry that contains a mention, the last one declared before it in the file."""
    begun = [each for each in mentions.by_file[mention.span.file] if each.declares and len(each.path) == 2]
    place = bisect_right(begun, mention.span, key=lambda each: each.span)
    return begun[place - 1].path if place else ()


def _plays(section: str) -> bool:
    known = load_sections().get(section)
    return known is not None and known.gameplay
