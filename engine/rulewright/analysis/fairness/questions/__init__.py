"""The questions of `fair`, one module each.

A question is a module with `PLACE`, by which questions are ordered, `TITLE`, as one would ask it, and
`answer(table) -> Answer`, which has the games played that it needs, or None where there is nothing to ask. One whose
answer names rules by their ids says `FOR_DESIGNERS`: readers of the book are shown it where they ask for such things.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import FunctionType
from typing import Protocol, cast

from rulewright.analysis.fairness.answer import Answer
from rulewright.analysis.fairness.game_cache import GameCache
from rulewright.base.plugins import Broken, PluginFolder

FOLDER = PluginFolder(__name__, "the question", PLACE=int, TITLE=str, answer=FunctionType)

_LAST = 1_000


class _Answers(Protocol):
    def __call__(self, table: GameCache, /) -> Answer | None: ...


@dataclass(frozen=True, slots=True)
class FairnessQuestion:
    """One question: the name of its file, its place, how one asks it, who answers, and for whom."""

    id: str
    place: int
    title: str
    answer: _Answers
    for_designers: bool


def load_questions() -> list[FairnessQuestion]:
    """Return every question, in the order of their places. The last ones are those that cannot be loaded, and raise."""
    found = []
    for name, module in FOLDER.load_all().items():
        if isinstance(module, Broken):
            found.append(FairnessQuestion(name, _LAST, name, module.fail, True))
            continue
        designers = getattr(module, "FOR_DESIGNERS", False)
        found.append(FairnessQuestion(name, module.PLACE, module.TITLE, cast(_Answers, module.answer), designers))
    return sorted(found, key=lambda question: question.place)
