"""The words by which a reader looks for an entry of the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rulewright.source.nodes import Mapping, Node, Scalar, Sequence, follow_keys

_NAMES = ("title", "name", "plural", "question")
_TEXTS = ("also", "means", "about", "text", "answer", "search")
_SHORTEST = 3
"""The minimum length of a word that an entry must have, unless all words are shorter."""


@dataclass(frozen=True, slots=True)
class SearchWords:
    """The words of an entry: its `title`, if it has one, and `names` and `texts` without capitals."""

    title: str
    names: str
    texts: str

    def rank(self, query: str) -> int | None:
        """Return how well the entry fits: 0 by its id and names, and 1 by its texts too. None if it does not fit."""
        words = [word for word in query.split() if len(word) >= _SHORTEST] or query.split()
        if all(word in self.names for word in words):
            return 0
        return 1 if all(word in self.names or word in self.texts for word in words) else None


def read_search_words(rules: Mapping, path: tuple[str, ...], as_read: Callable[[str], str]) -> SearchWords:
    """Return the words of the entry at a path. `as_read` fills in the placeholders of a text.

    Steps of procedures have only their id.
    """
    node = follow_keys(rules, *path)
    names = [as_read(text) for key in _NAMES for text in _list_texts(node, key)]
    texts = [text for key in _TEXTS for text in _list_texts(node, key)]
    ids = path[-1].replace("_", " ")
    return SearchWords(
        names[0] if names else "", " ".join([path[-1], ids, *names]).casefold(), " ".join(texts).casefold()
    )


def _list_texts(node: Node | None, key: str) -> Iterator[str]:
    value = node.get(key) if isinstance(node, Mapping) else None
    for each in value.items if isinstance(value, Sequence) else (value,):
        if isinstance(each, Scalar):
            yield each.text
