"""The reason why a planner has no sentence for a rule."""

from __future__ import annotations

from rulewright.base.errors import RulewrightError
from rulewright.base.plugins import Failure


class MissingWordsError(RulewrightError):
    """A sentence that a language cannot say: a text at `path` is missing, or the planner has no words for `what`.

    `path` is that of a text of the rules, or empty if the planner itself lacks the words. `failure` is that of the
    plug-in that should have written the sentence, if it has failed.
    """

    def __init__(self, path: tuple[str, ...] = (), what: str = "", failure: Failure | None = None) -> None:
        self.path = path
        self.what = what
        self.failure = failure
        super().__init__(".".join(path) or what)
