"""Events: what happened, and which rule made it happen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


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
