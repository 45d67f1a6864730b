"""The parser of dice notation and expressions, which runs lark's tables and builds values directly.

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

    `ends` has the first and the last state for each start symbol. `words` are the kinds of words with their patterns,
    in the order of matching, and `spaces` is the pattern of what may be between them. A rule has its number of
    symbols, its name, its semantic action (None if it passes on its value), and the symbols passed to it (None for
    all), where None is an optional symbol that is absent. A state has, for each symbol, the next state, or below 0 the
    finished rule, where -1 is the first. `grammar` is the digest of the grammar's text.
    """

    grammar: str
    ends: dict[str, tuple[int, int]]
    spaces: str
    words: list[tuple[str, str]]
    rules: list[tuple[int, str, str | None, list[int | None] | None]]
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


class SemanticActions:
    """The base of semantic actions, with a method for every rule of a grammar that does more than pass on a value.

    While one of them runs, `first` and `last` are the first and the last word of its rule.
    """

    __slots__ = ("first", "last")

    first: Word
    last: Word


class LalrParser:
    """A parser for the stored `tables` of a grammar. `actions` has its semantic actions.

    Repetition must be written as left recursion, because `actions` has no methods for rules that lark generates.
    """

    def __init__(self, tables: Tables, actions: type[SemanticActions]) -> None:
        self._ends = tables["ends"]
        rules = [_prepare(actions, *rule) for rule in tables["rules"]]
        # In each state, the action for each symbol: a next state, or a reduction.
        self._next: list[dict[str, int | _Read]] = [
            {symbol: target if target >= 0 else rules[-target - 1] for symbol, target in state.items()}
            for state in tables["states"]
        ]
        self._find = _Patterns(tables["spaces"], tables["words"], self._next)
        # The next state after a rule, by state and next word, filled on demand.
        self._passed: dict[tuple[int, str, str], int] = {}

    def read(self, text: str, actions: SemanticActions, start: str = "start") -> Any:
        """Return the value of `text` by its semantic actions. `start` is the symbol that it must be.

        Raises `UnreadableError`, and the exceptions of the semantic actions.
        """
        following, find, passed = self._next, self._find, self._passed
        state, last_state = self._ends[start]
        states = [state]
        values: list[Any] = []
        firsts: list[Word] = []  # the first word of each value
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
                        actions.first = firsts[-1]
                        values[-1] = make(actions, values[-1])
                    del states[-1]
                else:
                    children = values[-size:]
                    del states[-size:], values[-size:], firsts[1 - size :]
                    if chosen is not None:
                        children = [children[each] for each in chosen]
                    if make is None:
                        values.append(children[0])
                    else:
                        actions.first = firsts[-1]
                        values.append(make(actions, *children))
                below = states[-1]
                way = (below, name, kind)
                if way in passed:
                    state = passed[way]
                else:
                    state = passed[way] = self._pass(*way, last_state)
                if state == last_state:
                    return values[0]
                states.append(state)
                step = following[state].get(kind)
            if step is None:
                raise UnreadableError  # after those reductions, the state does not accept this word
            state = step  # type: ignore[assignment]
            states.append(state)
            values.append(word)
            firsts.append(word)
            actions.last = word
            position = word.end()

    def _pass(self, below: int, name: str, kind: str, last: int) -> int:
        """Return the state above `below` once the rule `name` is read, after all rules that only pass its value on.

        `kind` is the kind of the next word, and `last` the state in which the text is read.
        """
        while True:
            state = self._next[below][name]
            assert type(state) is int
            step = self._next[state].get(kind)
            if type(step) is not tuple or step[0] != 1 or step[2] is not None or state == last:
                return state
            name = step[1]


def _prepare(
    actions: type[SemanticActions], size: int, name: str, method: str | None, chosen: list[int | None] | None
) -> _Read:
    """Return the reduction of a rule in the tables."""
    make: Callable[..., Any] | None = None if method is None else getattr(actions, method)
    if chosen is None or None not in chosen:
        return size, name, make, None if chosen is None else tuple(each for each in chosen if each is not None)
    places = tuple(chosen)
    assert make is not None

    def make_with_absent(actions: SemanticActions, *values: Any) -> Any:
        return make(actions, *(None if each is None else values[each] for each in places))

    return size, name, make_with_absent, None


class _Patterns(dict[int, Callable[[str, int], Word | None]]):
    """The patterns that find the next word in each state, after any spaces, compiled on first use.

    States with the same possible words share a pattern. No match group means the end of the text.
    """

    def __init__(self, spaces: str, words: list[tuple[str, str]], following: list[dict[str, int | _Read]]) -> None:
        super().__init__()
        self._spaces = spaces
        self._words = words
        self._following = following
        self._scanners: dict[tuple[str, ...], Callable[[str, int], Word | None]] = {}

    def __missing__(self, state: int) -> Callable[[str, int], Word | None]:
        """Compile and store the pattern for a state. States with the same words share one."""
        actions = self._following[state]
        kinds = tuple(name for name, _ in self._words if name in actions)
        key = (*kinds, _END) if _END in actions else kinds
        if key not in self._scanners:
            results = [f"(?P<{name}>{pattern})" for name, pattern in self._words if name in kinds]
            results += [r"\Z"] if _END in actions else []
            self._scanners[key] = re.compile(rf"(?:{self._spaces})?(?:{'|'.join(results)})").match
        self[state] = self._scanners[key]
        return self[state]
