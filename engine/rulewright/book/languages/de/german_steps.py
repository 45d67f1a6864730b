"""German for the steps of a procedure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NoReturn

from rulewright.base.plugins import Failure, attempt
from rulewright.book.english.grammar import capitalize, strip_list_marks
from rulewright.book.english.naming import NameWords
from rulewright.book.languages.de.german_writer import GermanWriter
from rulewright.book.languages.de.statements import FOLDER, load_sentences
from rulewright.book.languages.missing_words import MissingWordsError
from rulewright.book.parts.only_steps import keep_blocks, open_block
from rulewright.book.parts.step_sentences import (
    fill_own_words,
    find_sentence_condition,
    list_sentences,
    list_taken,
    list_used_slots,
)
from rulewright.book.parts.step_words import list_changed_slots
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.text_style import Style
from rulewright.language.checked_steps import Block, Procedure, Step, find_placement
from rulewright.language.expressions.typed_ast import BROKEN, Typed
from rulewright.language.lowering import find_result
from rulewright.ruleset.prose.explained_rules import list_public_triggers
from rulewright.ruleset.translation.translation import Translation

_COMMAS = re.compile(r",+(?=\s*(?:[.:;)\],]|$|<ul|</li>|<ol))")


def strip_clause_commas(text: str) -> str:
    """Return a text without the commas that close a clause at the end of a sentence."""
    return _COMMAS.sub("", text)


def _list_presence(procedure: Procedure) -> dict[int, str]:
    """Return what sentences say of an optional result that is there, by its slot, from the modules of statements."""
    words = {name: getattr(module, "PRESENCE", "") for name, module in load_sentences().items()}
    return {
        slot: words[step.verb.name]
        for step in procedure.iterate_steps()
        for slot in step.slots
        if words.get(step.verb.name)
    }


class GermanSteps:
    """Writer of the steps of one procedure. Methods raise `MissingWordsError` if German has no words for a step."""

    def __init__(self, translation: Translation, procedure: Procedure, style: Style) -> None:
        self.translation = translation
        self.procedure = procedure
        self.style = style
        self.say = self.writer_of(procedure)
        self.refills: set[str] = set()
        self.taken = list_taken(procedure)
        self.used = list_used_slots(procedure, self.say.called)
        self.changed = list_changed_slots(procedure)

    def writer_of(self, procedure: Procedure) -> GermanWriter:
        """Return a writer with the names of a procedure."""
        called = replace(NameWords.in_procedure(procedure), presence=_list_presence(procedure))
        return GermanWriter(self.translation, self.style, called, ("procedures", procedure.id))

    def title(self) -> str:
        """Return the title of the procedure in quotation marks."""
        title = self.say.words.require("procedures", self.procedure.id, "title")
        return f"„{self.style.escape(fill(title, Style(self.style.ruleset)))}“"

    def all(self) -> str:
        """Return all steps as a list."""
        applying = list_public_triggers(self.procedure.touched, self.translation.ruleset)
        if applying or self.procedure.id in self.translation.ruleset.declarations.triggers:
            raise MissingWordsError(what="triggers")
        self.refills.clear()
        return strip_clause_commas(self.block(self.procedure.body))

    def open_block(self, block: str) -> str:
        """Return nested steps after a colon, and before it the definitions of the letters in the sentence so far."""
        return f"{self.say.where_before()}{open_block(block)}"

    def block(self, block: Block) -> str:
        """Return the steps of a block as a list."""
        return self.style.steps([(step.rule, self.sentence(step, special)) for step, special in list_sentences(block)])

    def sentence(self, step: Step, special: Iterable[Step] = ()) -> str:
        """Return one step with its nested steps and its special cases.

        Raises `MissingWordsError` for a step that triggers apply to, and for what German or the translation has no
        words for.
        """
        if list_public_triggers(step.touched, self.translation.ruleset):
            raise MissingWordsError(what="triggers")
        sentence = self._verb(step, find_sentence_condition(step, self.taken, self.say.always))
        placed = find_placement(step)
        if placed is not None and "text" not in step.words:
            sentence += f" {capitalize(self._verb(placed, None))}"
        return capitalize(strip_list_marks(sentence)) + "".join(self._special_cases(list(special)))

    def _verb(self, step: Step, when: Typed | None) -> str:
        """Return the sentence of a step with its condition, its nested steps and the definitions of its letters.

        If the rules word the step themselves, the result is their text with the nested steps, and `when` is ignored.
        Raises `MissingWordsError` for what German or the translation has no words for.
        """
        blocks = [self.block(block) for block in step.blocks]
        if "text" in step.words:
            return fill_own_words(self._text(step, "text"), blocks, self.style)
        for key in ("ask", "none"):
            if key in step.words:
                self._text(step, key)
        condition = "" if when is None else self.say.fact(when)
        return f"{self._describe(step, condition, blocks)}{self.say.where()}"

    def _describe(self, step: Step, condition: str, blocks: list[str]) -> str:
        """Return the sentence that the module for the statement of a step writes.

        Raises `MissingWordsError`, with the failure of the module if there is one.
        """
        name = step.verb.name
        module = load_sentences().get(name)
        if module is None:
            raise MissingWordsError(what=f"the statement `{name}`")

        def work() -> str:
            if step.blocks:
                text = keep_blocks(module.describe_block(self, step, condition, blocks), blocks)
            else:
                text = module.describe(self, step).say(condition)
            assert isinstance(text, str), "the sentence is no text"
            return text

        def report(failure: Failure) -> NoReturn:
            raise MissingWordsError(what=f"the statement `{name}`", failure=failure) from failure.error

        file = f"{module.__name__.replace('.', '/')}.py"
        text = attempt(f"{FOLDER.kind} `{name}` ({file})", f"`{self.procedure.id}`", work, report)
        assert text is not None
        return text

    def _text(self, step: Step, key: str) -> str:
        return self.say.words.require("procedures", self.procedure.id, "steps", step.id, key)

    def _special_cases(self, steps: list[Step]) -> Iterator[str]:
        """Yield a text for each special case, with its condition and its replacement steps, after a space."""
        instead = {step.id.removesuffix(".instead"): step for step in steps if step.id.endswith(".instead")}
        for step in steps:
            if step.id.endswith(".instead"):
                continue
            blocks = instead[step.id].blocks if step.id in instead else ()
            means = self.say.words.fill(self.say.words.require("exceptions", step.id, "means"))
            condition = self.say.fact(find_result(step) or BROKEN)
            done = [self.block(block) for block in blocks]
            then = "Tu stattdessen dies:" if done else "Dann entfällt dieser Schritt."
            label = self.translation.language.translate("Special case")
            sentence = f"{means} Das gilt, wenn {condition}.{self.say.where()} {then}{''.join(done)}"
            yield f" {self.style.special(f'{label}.', strip_list_marks(sentence))}"
