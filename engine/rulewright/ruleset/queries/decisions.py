"""The decisions of a ruleset, for those who depend on few of them: their steps by name, and the types of answers."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.language.lowering import answer_type, asks_player, list_asks
from rulewright.language.types import Type
from rulewright.ruleset.ruleset import Ruleset


class DecisionSteps:
    """The numbers of the steps that ask players, by full name, `procedure.step`, and by id.

    To depend only on the steps with one name, call `Ruleset.get_part`.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.numbers: dict[str, list[int]] = {}
        self._rules: dict[str, list[str]] = {}
        for number, step in ruleset.steps.items():
            for name in dict.fromkeys((step.rule, step.id)) if asks_player(step) else ():
                self.numbers.setdefault(name, []).append(number)
                self._rules.setdefault(name, []).append(step.rule)

    @property
    def parts(self) -> Mapping[str, object]:
        """The full names of the steps with each name, without the numbers, which change when others are added."""
        return self._rules


class AnswerTypes:
    """The types of the answers to all decisions of a ruleset, each once."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.types = tuple(
            dict.fromkeys(answer_type(ask) for step in ruleset.steps.values() for ask in list_asks(step))
        )

    @property
    def content(self) -> tuple[Type, ...]:
        """What digests compare: those who read the types depend on nothing else of the steps."""
        return self.types
