"""Which examples lean on nothing that is in doubt or wrong, so that they can be run although other rules cannot."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from rulewright.ruleset.digest import plain
from rulewright.ruleset.doubts.doubt import TOKEN, Doubt, tokens_of
from rulewright.ruleset.doubts.places import Places
from rulewright.ruleset.layers.history import Path
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.section import sections
from rulewright.ruleset.sections.examples import Example
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.nodes import Mapping

_SPECIAL = "exceptions"
"""The section whose entries say themselves what they change."""


def runnable(ruleset: Ruleset, doubt: Doubt, errors: Iterable[Diagnostic]) -> Iterator[Example]:
    """The examples that can be run: nothing they lead to is in doubt, and no error stands in it.

    What an example leads to is found by the words that the rules are written in, which is more than enough: those of
    the example, and those that every game is set up from.
    """
    rules = ruleset.resolved.rules
    wrong: set[Path] = set(doubt.places)
    places = Places(rules)
    for error in errors:
        stands = places.find(error.span)
        if stands is not None and len(stands[0]) > 1:
            wrong.add(stands[0][:2])
    if any(sections()[section].of_every_game for section, _ in wrong if section in sections()):
        return
    words = _words(rules)
    of_word: defaultdict[str, list[Path]] = defaultdict(list)
    for section, name in words:
        of_word[name].append((section, name))
    for path, found in words.items():
        if path[0] == _SPECIAL:
            for word in found & {name for section, name in words if section == "procedures"}:
                words["procedures", word].add(path[1])
    always = [word for path, found in words.items() if sections()[path[0]].of_every_game for word in found]
    for example in ruleset.examples.values():
        reached: set[str] = set()
        waiting = [*tokens_of(example.node), *always]
        touched: set[Path] = {("examples", example.id)}
        while waiting:
            word = waiting.pop()
            if word in reached:
                continue
            reached.add(word)
            for path in of_word[word]:
                touched.add(path)
                waiting += words[path]
        if reached.isdisjoint(doubt.names) and touched.isdisjoint(wrong):
            yield example


def _words(rules: Mapping) -> dict[Path, set[str]]:
    """The words that every entry is written in, by section and id; words and looks of the book left out."""
    found: dict[Path, set[str]] = {}
    for section, entry in rules.entries.items():
        declared = sections()[section]
        if not declared.gameplay or not isinstance(entry.value, Mapping):
            continue
        for name, inner in entry.value.entries.items():
            shape = declared.entry
            found[section, name] = {word for text in _texts(plain(inner.value, shape)) for word in TOKEN.findall(text)}
    return found


def _texts(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield key
            yield from _texts(value)
    elif isinstance(data, list):
        for value in data:
            yield from _texts(value)
