"""German for `steps`."""

from __future__ import annotations

from rulewright.book.languages.de.declension import Case
from rulewright.book.languages.de.interfaces import StepVoice
from rulewright.language.checked_steps import Step

NOMINATIVE, GENITIVE, DATIVE, ACCUSATIVE = Case


def describe_block(at: StepVoice, step: Step, condition: str, blocks: list[str]) -> str:
    """Return the sentence of the step with its nested steps, after its condition if there is one."""
    return f"{f'wenn {condition}' if condition else 'tu dies'}{at.open_block(blocks[0])}"
