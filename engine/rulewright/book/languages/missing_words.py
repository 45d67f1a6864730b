"""The reason why a planner has no sentence for a rule."""

from __future__ import annotations


class MissingWordsError(Exception):
    """A sentence that a language cannot say: a text at `path` is missing, or the planner has no words for it.

    `path` is that of a text of the rules, or empty if the planner itself has no words for `what`.
    """

    def __init__(self, path: tuple[str, ...] = (), what: str = "") -> None:
        self.path = path
        self.what = what
        super().__init__(".".join(path) or what)
