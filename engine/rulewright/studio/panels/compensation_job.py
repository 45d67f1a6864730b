"""The background job of the Fair panel that looks for what evens out an advantage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rulewright.analysis.fairness.game_cache import GameCache, list_sizes
from rulewright.analysis.fairness.questions import advantage, compensation
from rulewright.analysis.simulation.run_simulation import Progress
from rulewright.analysis.simulation.stopping import refuse_stopped
from rulewright.analysis.simulation.workers import Helpers
from rulewright.ruleset.ruleset import Ruleset
from rulewright.studio.panels.background_job import Job

QUESTIONS = 2
"""The number of questions, which share their first sample."""


@dataclass(slots=True)
class _OneTable(GameCache):
    """The games with one number of players."""

    @property
    def sizes(self) -> Sequence[int]:
        """The smallest number of players."""
        return list_sizes(self.ruleset)[:1]

    @property
    def advantage_sizes(self) -> Sequence[int]:
        """The smallest number of players."""
        return self.sizes


def find_compensation(
    job: Job, ruleset: Ruleset, *, good: str, games: int, seed: str, options: Mapping[str, str]
) -> None:
    """Ask who has an advantage with the fewest players, and what evens it out, in games of one bot in every seat.

    Progress events count the games. The last one has the answers as `lines`, and as `change` the text of a rules file
    with the change that evens out the advantage, or an empty text. Raises `StoppedError` if the job is stopped, and
    `RulewrightError` if the rules fail in play.
    """
    played = 0

    def follow() -> Progress:
        before = played

        def report(done: int, _: int, __: float) -> None:
            nonlocal played
            refuse_stopped()
            played = before + done
            # The number of games depends on their results, so that only an upper limit is known.
            job.tell({"done": played, "of": max(most, played + 1), "words": "Looking for an advantage…"})

        return report

    most = (compensation.BUDGET + QUESTIONS) * games
    table = _OneTable(ruleset, good, good, games, seed, dict(options), (), Helpers(1), follow)
    answers = [answer for answer in (advantage.answer(table), compensation.answer(table)) if answer is not None]
    lines = [sentence for answer in answers for sentence in answer.sentences]
    change = next((answer.change for answer in answers if answer.change), "")
    job.tell(
        {
            "done": max(1, played),
            "of": max(1, played),
            "before": None,
            "after": None,
            "words": " ".join(lines),
            "lines": lines,
            "clear": False,
            "ref": ruleset.reference,
            "change": change,
        }
    )
