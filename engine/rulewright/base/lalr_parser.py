"""The parser of dice notation, which runs lark's tables and builds rolls directly.

Lark's own loop creates a token and a tree node for everything it reads, which costs several times the odds of a short
roll. This loop runs the same tables without them: one pattern per state finds the next word, and a finished rule
calls its semantic action. Rules that only pass on a value, of which a number has one for every level of precedence,
are passed in one step.

Lark itself reports errors, because it knows which words were expected.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from re import Match
from typing import Any, TypedDict

Word = Match[str]
"""A token for semantic actions: `strip_word` returns its text, and `place` its position."""

_END = "$END"


class Tables(TypedDict):
    """The tables of a grammar, as plain data.

    `words` are the kinds of words with their patterns, in the order of matching. A rule has its number of symbols,
    its name, its semantic action (None if it passes on its value), and the symbols passed to it (None for all). A
    state has, for each symbol, the next state, or below 0 the finished rule, where -1 is the first. `grammar` is the
    digest of the grammar's text.
    """

    grammar: str
    start: int
    last: int
    words: list[tuple[str, str]]
    rules: list[tuple[int, str, str | None, list[int] | None]]
    states: list[dict[str, int]]


def strip_word(word: Word) -> str:
    """Return the text of a word, without the spaces before it."""
    return word[word.lastgroup]  # type: ignore[index]


def place(word: Word) -> tuple[int, int]:
    """Return the start and the end of a word in the text."""
    return word.span(word.lastgroup)  # type: ignore[arg-type]


class UnreadableError(Exception):
    """The text does not follow the grammar."""


# A reduction: the rule's number of symbols, its name, its semantic action, and the symbols passed to the action.
_Read = tuple[int, str, Callable[..., Any] | None, tuple[int, ...] | None]


class LalrParser:
    """A parser for the stored `tables` of a grammar. `meaning` has a method for the name of every rule.

    Repetition must be written as left recursion, because `meaning` has no methods for rules that lark generates.
    """

    def __init__(self, tables: Tables, meaning: type) -> None:
        self._start, self._last = tables["start"], tables["last"]
        rules: list[_Read] = [
            (
                size,
                name,
                None if method is None else getattr(meaning, method),
                None if chosen is None else tuple(chosen),
            )
            for size, name, method, chosen in tables["rules"]
        ]
        # In each state, the action for each symbol: a next state, or a reduction.
        self._next: list[dict[str, int | _Read]] = [
            {symbol: target if target >= 0 else rules[-target - 1] for symbol, target in actions.items()}
            for actions in tables["states"]
        ]
        self._find = _Patterns(tables["words"], self._next)
        # The next state after a rule, by state and next word, filled on demand.
        self._passed: dict[tuple[int, str, str], int] = {}

    def read(self, text: str, meaning: object) -> Any:
        """Return the value of `text` by the semantic actions `meaning`.

        Raises `UnreadableError`, and the exceptions of the semantic actions.
        """
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
                raise UnreadableError  # after those reductions, the state does not accept this word
            state = step  # type: ignore[assignment]
            states.append(state)
            values.append(word)
            position = word.end()

    def _pass(self, below: int, name: str, kind: str) -> int:
        """Return the state above `below` once the rule `name` is read, after all rules that only pass its value on.

        `kind` is the kind of the next word.
        """
        while True:
            state = self._next[below][name]
            assert type(state) is int
            step = self._next[state].get(kind)
            if type(step) is not tuple or step[0] != 1 or step[2] is not None or state == self._last:
                return state
            name = step[1]


class _Patterns(dict[int, Callable[[str, int], Word | None]]):
    """The patterns that find the next word in each state, after any spaces, compiled on first use.

    States with the same possible words share a pattern. No match group means the end of the text.
    """

    def __init__(self, words: list[tuple[str, str]], following: list[dict[str, int | _Read]]) -> None:
        super().__init__()
        self._words = words
        self._following = following
        self._made: dict[tuple[str, ...], Callable[[str, int], Word | None]] = {}

    def __missing__(self, state: int) -> Callable[[str, int], Word | None]:
        """Compile and store the pattern for a state. States with the same words share one."""
        actions = self._following[state]
        kinds = tuple(name for name, _ in self._words if name in actions)
        key = (*kinds, _END) if _END in actions else kinds
        if key not in self._made:
            results = [f"(?P<{name}>{pattern})" for name, pattern in self._words if name in kinds]
            results += [r"\Z"] if _END in actions else []
            self._made[key] = re.compile(rf"\s*(?:{'|'.join(results)})").match
        self[state] = self._made[key]
        return self[state]
