"""A run of all fairness questions over one cache of games."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import fspath
from pathlib import Path
from typing import Any

from rulewright.analysis.fairness.answer import Answer
from rulewright.analysis.fairness.game_cache import GAMES, POSITIONS, GameCache, choose_players, list_sizes
from rulewright.analysis.fairness.questions import FOLDER, FairnessQuestion, load_questions
from rulewright.analysis.fairness.saved_game_cache import PEOPLE, SavedGameCache
from rulewright.analysis.fairness.strong_players import find_strong_players
from rulewright.analysis.simulation.run_simulation import Progress, begin_run
from rulewright.analysis.simulation.simulation_report import keep_finite
from rulewright.analysis.simulation.workers import Helpers
from rulewright.base.errors import RulewrightError
from rulewright.base.plugins import Failure, ProcessSignal
from rulewright.ruleset.queries.fairness_results import FORMAT
from rulewright.ruleset.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """A question with its answer, the good and the weaker bot, and about how many seconds the missing games take."""

    question: FairnessQuestion
    answer: Answer
    players: tuple[str, str]
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class QuestionFailure:
    """A question that raised an exception, with the reason as text. A `RulewrightError` is `expected`."""

    question: FairnessQuestion
    why: str
    expected: bool = False


def ask(
    ruleset: Ruleset,
    *,
    good: str = "",
    lesser: str = "",
    games: int | None = None,
    seed: int | str = 0,
    options: Mapping[str, str] | None = None,
    rules: Sequence[str | Path] = (),
    other: Ruleset | None = None,
    positions: int = POSITIONS,
    workers: int = 1,
    progress: Callable[[], Progress | None] = lambda: None,
    unanswered: list[QuestionFailure] | None = None,
) -> Iterator[QuestionResult]:
    """Yield the answer to every question, each as soon as it is complete.

    The answers do not depend on the number of `workers`. A question that does not apply to the rules yields nothing.
    Ctrl+C ends the current question early. The function then yields its answer from the games played so far and raises
    `KeyboardInterrupt`.

    Args:
        ruleset: The rules to examine.
        good: The bot that plays well. Without one, bots race for the strongest that is affordable.
        lesser: The weaker bot.
        games: The number of games in each sample, and of paired games with the `other` rules. By default, it is
            `GAMES`, and questions about advantages take up to `MOST_SAMPLES` samples of short games.
        seed: The random seed that all samples share.
        options: The settings of the game.
        rules: Folders in which worker processes look for rulesets.
        other: A second ruleset to compare with.
        positions: The maximum number of positions of a game to solve exactly. 0 never solves it.
        workers: The number of worker processes.
        progress: Returns a new progress callback for each sample, or None.
        unanswered: Receives the questions that fail, unless all fail with a `RulewrightError`. Without this list, the
            function raises every failure.

    Raises:
        RulewrightError: For fewer than one game, a negative `positions`, an unknown bot or setting, or rules that fail
            in play.
    """
    if games is not None and games < 1:
        raise RulewrightError("the number of games must be at least 1")
    if positions < 0:
        raise RulewrightError("the number of positions must not be negative")
    with Helpers(workers) as helpers:
        table = GameCache(
            ruleset,
            *choose_players(ruleset, good, lesser),
            GAMES if games is None else games,
            seed,
            dict(options or {}),
            rules,
            helpers,
            progress,
            other,
            positions,
            grows=games is None,
        )
        if not good:
            _race_for_players(table, lesser)
        # Reported here, a wrong bot or setting is one error, and not one of each question.
        for bot in dict.fromkeys((table.good, table.lesser)):
            begin_run(ruleset, policies=(bot,) * table.fewest, seed=seed, options=table.options, rules=table.folders)
        yield from _ask_all(table, unanswered)


def ask_saved(table: SavedGameCache, unanswered: list[QuestionFailure] | None = None) -> Iterator[QuestionResult]:
    """Yield the answer of saved games of people to every question, each as soon as it is complete.

    A question that they cannot answer yields the reason. Plays no game, and starts no process. `unanswered` and the
    exceptions are those of `ask`.
    """
    return _ask_all(table, unanswered)


def _ask_all(table: GameCache, unanswered: list[QuestionFailure] | None) -> Iterator[QuestionResult]:
    """Yield the answers to all questions from the games of the table, as `ask` does."""
    answers, first = 0, None
    for question in load_questions():
        try:
            if question.not_from_saves and not table.plays:
                answer: Answer | None = Answer(
                    (f"Saved games cannot answer this question, because {question.not_from_saves}.",)
                )
            else:
                answer = question.answer(table)
        except ProcessSignal:
            raise
        except (Exception, SystemExit) as error:
            if unanswered is None:
                raise
            part = f"the question `{question.id}` ({FOLDER.name_file(question.id)})"
            expected = isinstance(error, RulewrightError)
            first = first or (error if expected else None)
            why = f"{part}: {error}" if expected else str(Failure(part, table.ruleset.reference, error))
            unanswered.append(QuestionFailure(question, why, expected))
            continue
        if answer is not None:
            answers += 1
            yield QuestionResult(question, answer, (table.good, table.lesser), table.estimate_seconds(answer.missing))
        if table.interrupted:
            raise KeyboardInterrupt
    if first is not None and not answers and unanswered and all(each.expected for each in unanswered):
        raise first  # the rules fail in every game


def _race_for_players(table: GameCache, lesser: str) -> None:
    """Let bots race for the players of the table, and set its `race`, `good` and `lesser`.

    The players stay the same if no race is possible. Ctrl+C ends the race and sets `interrupted`. Raises
    `RulewrightError` if the rules fail in play.
    """
    try:
        table.race = find_strong_players(
            table.ruleset,
            games=table.games,
            seed=table.seed,
            options=table.options,
            positions=table.positions,
            largest=max(table.advantage_sizes),
        )
    except KeyboardInterrupt:
        table.interrupted = True
    if table.race is not None:
        table.good, table.lesser = table.race.best, lesser or table.race.lesser


def to_saved_data(table: SavedGameCache, question_results: Sequence[QuestionResult]) -> dict[str, Any]:
    """Return the answers of saved games as JSON data, like `to_data`, with `saves` in place of the seed."""
    saved = table.saved
    data = to_data(table.ruleset, question_results, seed=table.seed, games=table.games)
    del data["seed"]
    return data | {
        "players": [PEOPLE],
        "sizes": [*table.sizes],
        "saves": {
            "folder": fspath(saved.folder),
            "games": len(saved.games),
            "people": len({each for game in saved.games for each in game.people.seats} - {None}),
            "unnamed": sum(None in game.people.seats for game in saved.games),
            "left": len(saved.left),
            "unfinished": len(saved.unfinished),
            "refused": [{"file": each.file, "reason": each.reason} for each in saved.refused],
        },
    }


def to_data(
    ruleset: Ruleset, question_results: Sequence[QuestionResult], *, seed: int | str, games: int
) -> dict[str, Any]:
    """Return the answers and the settings of their run as JSON data.

    The data is enough to display the answers again without playing a game.
    """
    return {
        "format": FORMAT,
        "ruleset": ruleset.reference,
        "title": ruleset.title,
        "digest": ruleset.digest,
        "seed": seed,
        "games": games,
        "players": [*(question_results[0].players if question_results else choose_players(ruleset))],
        "sizes": [*list_sizes(ruleset)],
        "answers": [
            {
                "question": each.question.id,
                "title": each.question.title,
                "for_designers": each.question.for_designers,
                "says": list(each.answer.sentences),
                "figures": [
                    {
                        "figure": metric.id,
                        "title": metric.title,
                        "value": metric.value,
                        "interval": keep_finite(metric.interval),
                        "share": metric.share,
                        **({"points": True} if metric.points else {}),
                    }
                    for metric in each.answer.metrics
                ],
                "commands": list(each.answer.commands),
                "missing": each.answer.missing,
                **({"change": each.answer.change} if each.answer.change else {}),
            }
            for each in question_results
        ],
    }
