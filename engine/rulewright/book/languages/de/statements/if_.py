"""German for `if`."""

from __future__ import annotations

from rulewright.book.languages.de.declension import Case
from rulewright.book.languages.de.interfaces import StepVoice
from rulewright.language.checked_steps import Step

NOMINATIVE, GENITIVE, DATIVE, ACCUSATIVE = Case


def describe_block(at: StepVoice, step: Step, condition: str, blocks: list[str]) -> str:
    """Return the sentence of the step with its nested steps, after its condition if there is one."""
    lead = f"wenn {condition}, und wenn " if condition else "wenn "
    text = f"{lead}{at.say.fact(step.action.condition)}{at.open_block(blocks[0])}"
    return text + (f" Sonst{at.open_block(blocks[1])}" if len(blocks) > 1 else "")
