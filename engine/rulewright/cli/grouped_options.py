"""Long decisions in the terminal whose options are records: a player chooses one part first, such as the place."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.engine.game.decision import Decision
from rulewright.engine.narration.plain_names import Names
from rulewright.engine.state.game_state import State
from rulewright.language.lowering import find_option_type
from rulewright.language.types import Entity, RecordOf, Row, present

MOST_AT_ONCE = 20
"""The maximum number of options that are listed without groups."""

Match = Callable[[str, Sequence[Sequence[str]]], int | None]
"""Returns the index of the entry that an answer names, or None. The last name of an entry is its label."""


class GroupedOptions:
    """The options of one decision in groups. `match` returns the index of the label that an answer names, or None."""

    def __init__(self, decision: Decision, groups: Sequence[tuple[str, Sequence[int]]], match: Match) -> None:
        self._decision = decision
        self._groups = groups
        self._match = match
        self._open: Sequence[int] = ()

    @classmethod
    def for_decision(cls, decision: Decision, state: State, match: Match) -> GroupedOptions | None:
        """Return the groups of a decision, or None if its options are listed instead.

        The options of a group have the same value of a part that is a row or an object. This is the first such part of
        which there are at most two thirds as many values as options.
        """
        if decision.subset is not None or len(decision.options) <= MOST_AT_ONCE:
            return None
        kind = present(find_option_type(state.machine.ruleset.steps[state.frame[0]]))
        names = Names.for_state(state)
        for place, (_, type_) in enumerate(kind.parts if isinstance(kind, RecordOf) else ()):
            if not isinstance(present(type_), Row | Entity):
                continue
            groups: dict[str, list[int]] = {}
            for option in decision.options:
                own = option.label if option.value is None else names.format_value(option.value[place], type_)
                groups.setdefault(own, []).append(option.index)
            none = any(option.value is None for option in decision.options)
            if 1 + none < len(groups) <= len(decision.options) * 2 / 3:
                return cls(decision, list(groups.items()), match)
        return None

    @property
    def labels(self) -> Sequence[str]:
        """The label of each group with its number of options, or of its only option."""
        options = self._decision.options
        return [f"{name} ({len(group)})" if len(group) > 1 else options[group[0]].label for name, group in self._groups]

    def describe_task(self) -> str:
        """Return how to answer."""
        return "choose one of these first: the number in parentheses is how many options it has"

    def read(self, answer: str) -> int | str:
        """Open the group that an answer names, or choose the option that it names.

        In an open group, a number names one of its options, and an empty answer closes it. Returns the index of the
        chosen option, or what to do next.
        """
        options = self._decision.options
        if not answer:
            self._open = ()
            return self.describe_task()
        named = [(option.id, option.label) for option in options]
        choices = self._open or range(len(self._groups))
        if answer.isdecimal():
            number = int(answer[:9])
            if not 1 <= number <= len(choices):
                return f"there is no {number}: the numbers are 1 to {len(choices)}"
            return self._open[number - 1] if self._open else self._choose(number - 1)
        option = self._match(answer, named)
        if option is not None:
            return option
        group = self._match(answer, [(name,) for name, _ in self._groups])
        return f"none of these is `{answer}`; {self.describe_task()}" if group is None else self._choose(group)

    def _choose(self, place: int) -> int | str:
        """Return the only option of a group, or open the group and return its options."""
        _, group = self._groups[place]
        if len(group) == 1:
            return group[0]
        self._open = group
        listed = " · ".join(
            f"{number}. {self._decision.options[index].label}" for number, index in enumerate(group, start=1)
        )
        return f"{listed}; type the number of one, or press Enter to choose another group"
