"""Decisions in the terminal that choose several elements of a list: elements are marked by number until enough are."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.engine.game.decision import Decision
from rulewright.engine.game.subset import Subset

LONG_LIST = 9
"""The maximum number of options in a single column, and the maximum number of combinations that are listed."""


class ElementMarks:
    """The marked elements of one decision. `match` returns the index of the label that an answer names, or None."""

    def __init__(
        self, decision: Decision, subset: Subset, match: Callable[[str, Sequence[Sequence[str]]], int | None]
    ) -> None:
        self._decision = decision
        self._subset = subset
        self._match = match
        self._marked: list[int] = []

    @classmethod
    def for_decision(
        cls, decision: Decision, match: Callable[[str, Sequence[Sequence[str]]], int | None]
    ) -> ElementMarks | None:
        """Return the marks of a decision, or None if its options are listed instead."""
        if decision.subset is None or len(decision.options) <= LONG_LIST:
            return None
        return cls(decision, decision.subset, match)

    @property
    def labels(self) -> Sequence[str]:
        """The labels of the elements, in order."""
        return self._subset.elements

    def describe_task(self) -> str:
        """Return how to answer."""
        none = self._decision.options[-1]
        nothing = f", or type `{none.id}` for {none.label}" if none.id == "none" else ""
        what = f"{self._subset.describe_count()} of these {len(self.labels)}{', in order' * self._subset.in_order}"
        done = f"press Enter on an empty line when you are done{nothing}"
        return f"mark {what}: type their numbers, such as `1 2`, and {done}"

    def read(self, answer: str) -> int | str:
        """Mark or unmark the elements that an answer names. An empty answer chooses the marked ones.

        The answer may also be the id or the label of an option. Returns the index of the chosen option, or a message
        about the marks or the mistake. After a mistake, the marks are unchanged.
        """
        if not answer:
            chosen = self._subset.find(self._marked)
            return self._describe_marks() if chosen is None else chosen
        words = answer.replace(",", " ").split()
        if words and all(word.isdecimal() for word in words):
            wrong = [word for word in words if not 1 <= int(word[:9]) <= len(self.labels)]
            if wrong:
                return f"there is no element {wrong[0]}: the numbers are 1 to {len(self.labels)}"
            for word in dict.fromkeys(words):
                self._toggle(int(word) - 1)
            return self._describe_marks()
        element = self._match(answer, [(label,) for label in self.labels])
        if element is not None:
            self._toggle(element)
            return self._describe_marks()
        option = self._match(answer, [(option.id, option.label) for option in self._decision.options])
        return f"none of these is `{answer}`; {self.describe_task()}" if option is None else option

    def _toggle(self, element: int) -> None:
        """Mark an element, or remove its mark."""
        if element in self._marked:
            self._marked.remove(element)
        else:
            self._marked.append(element)

    def _describe_marks(self) -> str:
        """Return which elements are marked, and what to do next."""
        places = self._marked if self._subset.in_order else sorted(self._marked)
        named = ", ".join(f"{place + 1}. {self.labels[place]}" for place in places) or "nothing"
        size, low, high = len(self._marked), self._subset.at_least, self._subset.at_most
        if size < low:
            rest = f"mark {low - size} more"
        elif size > high:
            rest = f"these are {size - high} too many: type the number of a marked element to unmark it"
        else:
            rest = "press Enter to choose this, or type more numbers; a marked number typed again is unmarked"
        return f"marked: {named}; {rest}"
