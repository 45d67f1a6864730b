"""Whatever is done to sound rules, they are sound or explained: nothing else ever comes of checking them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright import load_ruleset
from rulewright.engine.python_backend.compiler import PythonMachine
from rulewright.ruleset.lints import run_lints
from tests.breadth import times
from tests.language.inline import checked

WORDS = st.sampled_from(
    [
        *(
            "",
            "none",
            "true",
            "1",
            "-1",
            "0",
            "x",
            "2d6",
            "999999999d6",
            "players",
            "player",
            "p",
            "game",
            "self",
            "a b",
        ),
        *(
            "max(",
            "sum(x for x in players)",
            "x.y.z",
            "first(players)",
            "mean(1d6)",
            "1-6",
            "10..100 step 10",
            "list of",
        ),
        *("optional player", "one of [a, b]", "battle", "hero", "coin", "options.items", "items == cards", "[1, none]"),
        *(
            "each(9, 9d9)",
            "next(p, players)",
            "1 / 0",
            "n / n",
            "'",
            "🎲",
            "{",
            "}",
            "a.b",
            "stop",
            "d6",
            "rank",
            "title",
        ),
    ]
)
VALUES = WORDS | st.integers(-3, 200) | st.booleans() | st.none() | st.lists(WORDS, max_size=2)
MORE = VALUES | st.dictionaries(WORDS.filter(bool), VALUES, max_size=2)


@cache
def shipped(reference: str) -> Any:
    """Return the resolved rules of an edition, as plain data; without words, which are checked elsewhere."""
    rules = load_ruleset(reference).resolved.rules.to_plain()
    return {key: value for key, value in rules.items() if key not in ("pages", "terms", "examples", "rulings")}


def places(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path to every node below `node`."""
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in items:
        yield (*path, key)
        yield from places(value, (*path, key))


def put(node: Any, path: tuple[Any, ...], change: Any) -> Any:
    """Return `node` with what lies at `path` changed: removed, renamed, or replaced by a value."""
    head, *rest = path
    if rest:
        inner = put(node[head], tuple(rest), change)
        if isinstance(node, list):
            return [inner if place == head else item for place, item in enumerate(node)]
        return {key: inner if key == head else value for key, value in node.items()}
    what, value = change
    if isinstance(node, list):
        kept = [item for place, item in enumerate(node) if place != head]
        return kept if what == "remove" else [*kept[:head], value if what == "put" else node[head], *kept[head:]]
    if what == "remove":
        return {key: item for key, item in node.items() if key != head}
    name = str(value) if what == "rename" and isinstance(value, str) and value else head
    return {
        name if key == head else key: value if key == head and what == "put" else item for key, item in node.items()
    }


CHANGES = st.tuples(st.sampled_from(["put", "put", "remove", "rename"]), MORE)


@settings(max_examples=times(20, 40))
@given(st.data())
def test_changed_rules_are_sound_or_explained(data: st.DataObject) -> None:
    reference = data.draw(st.sampled_from(["pig/classic@1.0", "fuzzy-knights/normal@1.0"]))
    rules = shipped(reference)
    for _ in range(data.draw(st.integers(1, 3))):
        rules = put(rules, data.draw(st.sampled_from(list(places(rules)))), data.draw(CHANGES))
        if not rules:
            return
    ruleset, diagnostics = checked(json.dumps(rules, ensure_ascii=False))
    for fault in diagnostics:
        assert fault.message
        assert fault.span.file
    if ruleset is not None and not diagnostics.errors:
        run_lints(ruleset, diagnostics)
        PythonMachine(ruleset)
