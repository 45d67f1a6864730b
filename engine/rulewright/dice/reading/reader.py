"""Reads notation by the tables that lark makes of the grammar, and builds rolls while it reads.

lark's own loop makes a token and a node of a tree for everything it reads, which for a roll of a few characters costs
several times the roll's odds. The loop here follows the same tables with nothing in between: one pattern for each
state finds the next word, and a rule that has been read calls what it stands for. Rules that only pass on what is
below them, of which a number has one for every level of binding, are passed in one step.

What cannot be read is left to lark, which knows how to say what it expected.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from re import Match
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lark import Lark
    from lark.grammar import Rule

Word = Match[str]
"""A word of the text, as rules are handed it: `said` is what it says, and `place` where it stands."""

_END = "$END"


def said(word: Word) -> str:
    """What a word says, without the blanks before it."""
    return word[word.lastgroup]  # type: ignore[index]


def place(word: Word) -> tuple[int, int]:
    """Where a word stands in the text: its first character, and the one behind its last."""
    return word.span(word.lastgroup)  # type: ignore[arg-type]


class UnreadableError(Exception):
    """The text does not follow the grammar."""


# A rule that is read whole: how many symbols, its name, what makes its value, and which symbols that is made of.
_Read = tuple[int, str, Callable[..., Any] | None, tuple[int, ...] | None]


class Reader:
    """Reads texts by the grammar of `lark`, an LALR parser; `meaning` has a method for the name of every rule.

    Rules that repeat must be written with recursion to the left: names made by lark mean nothing to `meaning`.
    """

    def __init__(self, lark: Lark, meaning: type) -> None:
        table = lark.parser.parser._parse_table
        self._start: int = table.start_states["start"]
        self._last: int = table.end_states["start"]
        patterns = {terminal.name: terminal.pattern.to_regexp() for terminal in lark.terminals}
        order = [
            terminal.name
            for terminal in sorted(
                lark.terminals,
                key=lambda each: (-each.priority, -each.pattern.max_width, -len(each.pattern.value), each.name),
            )
        ]
        rules: dict[Rule, _Read] = {}
        # What is next in each state: a state to go on in, or a rule that has been read whole.
        self._next: dict[int, dict[str, int | _Read]] = {}
        for state, actions in table.states.items():
            found: dict[str, int | _Read] = {}
            for symbol, (action, target) in actions.items():
                if str(action) == "Shift":
                    found[symbol] = target
                else:
                    if target not in rules:
                        rules[target] = _read(target, meaning)
                    found[symbol] = rules[target]
            self._next[state] = found
        self._find = {
            state: _pattern([name for name in order if name in actions], patterns, _END in actions)
            for state, actions in self._next.items()
            if any(name in patterns or name == _END for name in actions)
        }
        # Where reading goes on when a symbol is read above a state, by the word that follows; filled when first needed.
        self._passed: dict[tuple[int, str, str], int] = {}

    def read(self, text: str, meaning: object) -> Any:
        """What `text` comes to in `meaning`. Raises `UnreadableError`, and whatever the methods of `meaning` raise."""
        following, find, passed = self._next, self._find, self._passed
        state = self._start
        states = [state]
        values: list[Any] = []
        position = 0
        while True:
            word = find[state](text, position)
            if word is None:
                raise UnreadableError
            kind: str = word.lastgroup or _END
            step = following[state].get(kind)
            while type(step) is tuple:
                size, name, make, chosen = step
                if size == 1:
                    if make is not None:
                        values[-1] = make(meaning, values[-1])
                    del states[-1]
                else:
                    taken = values[-size:]
                    del states[-size:], values[-size:]
                    if chosen is not None:
                        taken = [taken[each] for each in chosen]
                    values.append(taken[0] if make is None else make(meaning, *taken))
                below = states[-1]
                way = (below, name, kind)
                if way in passed:
                    state = passed[way]
                else:
                    state = passed[way] = self._pass(*way)
                if state == self._last:
                    return values[0]
                states.append(state)
                step = following[state].get(kind)
            if step is None:
                raise UnreadableError  # where a word may come here after other rules only
            state = step  # type: ignore[assignment]
            states.append(state)
            values.append(word)
            position = word.end()

    def _pass(self, below: int, name: str, kind: str) -> int:
        """The state above `below` once `name` is read, after all rules that only pass it on."""
        while True:
            state = self._next[below][name]
            assert type(state) is int
            step = self._next[state].get(kind)
            if type(step) is not tuple or step[0] != 1 or step[2] is not None or state == self._last:
                return state
            name = step[1]


def _read(rule: Rule, meaning: type) -> _Read:
    size = len(rule.expansion)
    chosen = tuple(at for at, symbol in enumerate(rule.expansion) if not getattr(symbol, "filter_out", False))
    # A rule marked with `?` passes on what is below it, where that is one thing.
    passes = rule.alias is None and rule.options.expand1 and len(chosen) == 1
    make = None if passes else getattr(meaning, rule.alias or rule.origin.name)
    return size, rule.origin.name, make, None if len(chosen) == size else chosen


def _pattern(names: list[str], patterns: dict[str, str], end: bool) -> Callable[[str, int], Word | None]:
    """What finds the next word of one of these kinds, after any blanks; no kind at all is the end of the text."""
    kinds = [f"(?P<{name}>{patterns[name]})" for name in names]
    return re.compile(rf"\s*(?:{'|'.join([*kinds, *([chr(92) + 'Z'] if end else [])])})").match
