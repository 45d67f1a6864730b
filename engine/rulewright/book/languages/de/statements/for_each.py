"""German for `for_each`."""

from __future__ import annotations

from rulewright.book.english.list_members import all_rows
from rulewright.book.languages.de.declension import EACH, Case
from rulewright.book.languages.de.interfaces import StepVoice
from rulewright.book.languages.de.member_nouns import find_gender
from rulewright.book.languages.de.nominals import (
    Looseness,
    format_each_of,
)
from rulewright.book.languages.de.sentence_parts import Sentence, is_known_as
from rulewright.language.checked_steps import Step
from rulewright.language.expressions.typed_ast import Objects
from rulewright.language.types import present

NOMINATIVE, GENITIVE, DATIVE, ACCUSATIVE = Case


def describe_block(at: StepVoice, step: Step, condition: str, blocks: list[str]) -> str:
    """Return the sentence of the step with its nested steps, after its condition if there is one."""
    return Sentence(_loop(at, step), stop=at.open_block(blocks[0])).say(condition)


def _loop(at: StepVoice, step: Step) -> str:
    """Return the start of a loop over a list, with the name of its member unless that is the noun for it."""
    action, say = step.action, at.say
    inner = action.source.type.inner
    whole = isinstance(action.source, Objects) or bool(all_rows(say, action.source))  # type: ignore[arg-type]
    member = say.words.member(inner)
    noun = say.bound(action.name, inner)
    called = "" if is_known_as(noun, member) else f" ({noun.say(NOMINATIVE)})"
    if whole and member is not None:
        return f"für {member.say(ACCUSATIVE, EACH)} der Reihe nach{called}"
    if whole:
        table = say.words.title("tables", present(inner).table)  # type: ignore[attr-defined]
        return f"für jede Zeile der Tabelle {table} der Reihe nach{called}"
    several = say.fit(say.phrase(action.source), Looseness.RELATIVE)
    say.use(several)
    each = format_each_of(find_gender(several, member), several, ACCUSATIVE)
    return f"für {each} nacheinander{called}"
