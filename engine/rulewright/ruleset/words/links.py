"""Where the links in words may lead: to a rule or page of the book, and by `https:` to the world."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulewright.ruleset.words.explained import rule_entry, rule_paths
from rulewright.ruleset.words.meaning import page_titles
from rulewright.source.diagnostics.suggest import did_you_mean

if TYPE_CHECKING:
    from rulewright.ruleset.ruleset import Ruleset

_ABROAD = re.compile(r"https://[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d{1,5})?(?:[/?#][^\s<>\"'`{}|\\^]*)?")
_FILE = re.compile(r"([a-z][a-z0-9_-]*)\.md(?:#([a-z][a-z0-9_-]*))?")


@dataclass(frozen=True, slots=True)
class Abroad:
    """An address elsewhere; only `https:` is one."""

    address: str


@dataclass(frozen=True, slots=True)
class Home:
    """A place in the book, by its path: `pages.battle`, `pages.battle.siege`, `tables.prices`."""

    path: str


@dataclass(frozen=True, slots=True)
class Nowhere:
    """No place that a link may lead to: why, and what to write instead."""

    message: str
    suggestion: str


def destination(target: str, ruleset: Ruleset) -> Abroad | Home | Nowhere:
    """Where a link with this target leads."""
    if _ABROAD.fullmatch(target):
        return Abroad(target)
    file = _FILE.fullmatch(target)
    path = f"pages.{file[1]}" + (f".{file[2]}" if file[2] else "") if file else target
    pages = {f"pages.{name}" for name in page_titles(ruleset)}
    if path in pages or (path.count(".") == 1 and rule_entry(path, ruleset) is not None):
        return Home(path)
    if file or path.partition(".")[0] in ("pages", *ruleset.resolved.rules.entries):
        hint = did_you_mean(path, [*sorted(pages), *rule_paths(ruleset)])
        return Nowhere(f"there is no `{path}` in the book to lead to", hint or "name a page or rule that is there")
    return Nowhere(
        f"`{target}` is neither a place in the book nor an address with `https:`",
        "write the path of a page or rule, such as `pages.…`, or an address that begins with `https://`",
    )
