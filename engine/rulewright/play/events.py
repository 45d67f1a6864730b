"""Events: what happened, and which rule made it happen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.language.step import Step
from rulewright.play.names import Names


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened.

    `rule` is the step that caused it, `procedure.step`; `verb` what kind of step it is; `details` are that verb's own
    (see its file); `text` says it in a sentence, or is empty where nothing is worth saying.
    """

    rule: str
    verb: str
    details: tuple[Any, ...]
    text: str


def event(raw: tuple[Any, ...], names: Names) -> Event:
    """The event behind what the machine recorded: `(step number, detail, …)`."""
    step: Step = names.ruleset.steps[raw[0]]
    return Event(step.rule, step.verb.name, raw[1:], step.verb.tell(step, raw[1:], names))
