"""German for `say`."""

from __future__ import annotations

from rulewright.book.english.grammar import capitalize, end_sentence
from rulewright.book.languages.de.declension import Case
from rulewright.book.languages.de.interfaces import StepVoice
from rulewright.book.languages.de.sentence_parts import Sentence
from rulewright.book.style.fill_placeholders import fill
from rulewright.language.checked_steps import Step
from rulewright.ruleset.prose.placeholders import Placeholder, parse_parts


def describe(at: StepVoice, step: Step) -> Sentence:
    """Return the sentence of the step."""
    text = ""
    for part in parse_parts(step.action.text):
        head, _, name = part.body.partition(".") if isinstance(part, Placeholder) else ("", "", "")
        if head == "given" and name in step.action.given:
            text += at.say.within(step.action.given[name], Case.NOMINATIVE)
        else:
            text += fill(f"{{{part.body}}}" if isinstance(part, Placeholder) else part.text, at.say.style)
    return Sentence("verkünde:", f"„{end_sentence(capitalize(text))}“", stop="")
