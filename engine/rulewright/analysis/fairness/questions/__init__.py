"""The questions of `fair`, one module each.

A question is a module with `PLACE`, `TITLE` and `answer(table) -> Answer | None`. `PLACE` orders the questions.
`TITLE` is the question in words. `answer` plays the games that it needs, and returns None if the question does not
apply. It raises `RulewrightError` if the rules fail in play. `IN_BOOK` says which books may show the answer (default:
`InBook.NEVER`). A question whose answer names rules by their ids sets `FOR_DESIGNERS`, and the book shows its answer
only on request. If saved games of people cannot answer the question, `NOT_FROM_SAVES` is the reason, as a clause.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from types import FunctionType
from typing import TYPE_CHECKING, Protocol, cast

from rulewright.analysis.fairness.answer import Answer, InBook
from rulewright.base.plugins import Broken, PluginError, PluginFolder

if TYPE_CHECKING:
    from rulewright.analysis.fairness.game_cache import GameCache

FOLDER = PluginFolder(__name__, "the question", PLACE=int, TITLE=str, answer=FunctionType)

_LAST = 1_000


class _Answers(Protocol):
    def __call__(self, table: GameCache, /) -> Answer | None: ...


@dataclass(frozen=True, slots=True)
class FairnessQuestion:
    """One question with its file name, its sort key, its title, the function that answers it, and who may see it.

    `not_from_saves` is the reason why saved games of people cannot answer it, or empty if they can.
    """

    id: str
    place: int
    title: str
    answer: _Answers
    for_designers: bool
    in_book: InBook
    not_from_saves: str = ""


def load_questions() -> list[FairnessQuestion]:
    """Return every question, sorted by `place`.

    Questions that failed to load come last, and their `answer` raises the error.
    """
    questions = []
    for name, module in FOLDER.load_all().items():
        if isinstance(module, Broken):
            questions.append(FairnessQuestion(name, _LAST, name, module.fail, True, InBook.NEVER))
            continue
        designers = getattr(module, "FOR_DESIGNERS", False)
        in_book = getattr(module, "IN_BOOK", InBook.NEVER)
        function = partial(_answer, name, cast(_Answers, module.answer))
        why = getattr(module, "NOT_FROM_SAVES", "")
        questions.append(FairnessQuestion(name, module.PLACE, module.TITLE, function, designers, in_book, why))
    return sorted(questions, key=lambda question: question.place)


def _answer(name: str, function: _Answers, table: GameCache) -> Answer | None:
    """Return the answer of a question. Raises `PluginError` if its module returns something else."""
    result = function(table)
    if result is not None and not isinstance(result, Answer):
        raise PluginError(f"{FOLDER.name_file(name)} must return an Answer or None, not {type(result).__name__}")
    return result
