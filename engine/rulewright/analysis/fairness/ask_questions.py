"""All questions, asked one after the other at one table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulewright.analysis.fairness.answer import Answer
from rulewright.analysis.fairness.game_cache import POSITIONS, GameCache
from rulewright.analysis.fairness.questions import FairnessQuestion, load_questions
from rulewright.analysis.simulation.run_simulation import Progress
from rulewright.analysis.simulation.simulation_report import keep_finite
from rulewright.analysis.simulation.workers import Helpers
from rulewright.base.errors import RulewrightError
from rulewright.base.plugins import Failure
from rulewright.ruleset.queries.fairness_results import FORMAT
from rulewright.ruleset.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """A question with its answer."""

    question: FairnessQuestion
    answer: Answer


@dataclass(frozen=True, slots=True)
class QuestionFailure:
    """A question that raised an exception, and what to say of it."""

    question: FairnessQuestion
    why: str


def choose_players(ruleset: Ruleset, good: str = "", lesser: str = "") -> tuple[str, str]:
    """Return a good bot and a lesser one.

    Those that are named, or a good one that is quick, and one that knows nothing.
    """
    return (good or ("greedy" if ruleset.evaluate is not None else "random"), lesser or "random")


def ask(
    ruleset: Ruleset,
    *,
    good: str = "",
    lesser: str = "",
    games: int = 1_000,
    seed: int | str = 0,
    options: Mapping[str, str] | None = None,
    rules: Sequence[str | Path] = (),
    other: Ruleset | None = None,
    positions: int = POSITIONS,
    workers: int = 1,
    progress: Callable[[], Progress | None] = lambda: None,
    unanswered: list[QuestionFailure] | None = None,
) -> Iterator[QuestionResult]:
    """Ask every question, and give each answer as soon as it is known.

    `games` are played of every kind that a question needs, and as many pairs of them beside the `other` rules. A game
    of `positions` or fewer is solved besides. Answers are the same for any number of `workers`. Who interrupts gets the
    answer that was being worked out, by the games played until then, and no further one. Raises `RulewrightError` for
    bots and settings that there are not, and where the rules cannot be carried out; a question that raises something
    after the first answer, or that fails itself, is added to `unanswered` where that is given, and the next one asked.
    """
    if games < 1:
        raise RulewrightError("a question is answered by one game or more")
    if positions < 0:
        raise RulewrightError("a game has no fewer than 0 positions")
    with Helpers(workers) as helpers:
        table = GameCache(
            ruleset,
            *choose_players(ruleset, good, lesser),
            games,
            seed,
            dict(options or {}),
            rules,
            helpers,
            progress,
            other,
            positions,
        )
        answers = 0
        for question in load_questions():
            try:
                answer = question.answer(table)
            except Exception as error:
                if unanswered is None or (isinstance(error, RulewrightError) and not answers):
                    raise
                failure = Failure(f"the question `{question.id}`", ruleset.reference, error)
                why = str(error) if isinstance(error, RulewrightError) else str(failure)
                unanswered.append(QuestionFailure(question, why))
                continue
            if answer is not None:
                answers += 1
                yield QuestionResult(question, answer)
            if table.interrupted:
                raise KeyboardInterrupt


def to_data(
    ruleset: Ruleset, found: Sequence[QuestionResult], *, seed: int | str, games: int, good: str = "", lesser: str = ""
) -> dict[str, Any]:
    """Return answers to what was asked with these settings, as data.

    Enough to show them again without a game played.
    """
    return {
        "format": FORMAT,
        "ruleset": ruleset.reference,
        "title": ruleset.title,
        "digest": ruleset.digest,
        "seed": seed,
        "games": games,
        "players": [*choose_players(ruleset, good, lesser)],
        "answers": [
            {
                "question": each.question.id,
                "title": each.question.title,
                "for_designers": each.question.for_designers,
                "says": list(each.answer.sentences),
                "figures": [
                    {
                        "figure": figure.id,
                        "title": figure.title,
                        "value": figure.value,
                        "interval": keep_finite(figure.interval),
                        "share": figure.share,
                    }
                    for figure in each.answer.metrics
                ],
                "commands": list(each.answer.commands),
            }
            for each in found
        ],
    }
