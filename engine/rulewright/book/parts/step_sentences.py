"""English for checked steps, through one template for each type of statement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NoReturn

from rulewright.base.incremental.traces import NoTraces
from rulewright.base.plugins import Failure, attempt
from rulewright.book.english.expression_english import English
from rulewright.book.english.grammar import (
    capitalize,
    strip_list_marks,
)
from rulewright.book.english.naming import NameWords, humanize
from rulewright.book.english.own_cells import inline_own_cells
from rulewright.book.english.step_phrases.back_references import refer_back
from rulewright.book.english.step_phrases.drawn_cards import find_taker
from rulewright.book.english.step_phrases.loop_exits import ends_with_game, find_exit
from rulewright.book.parts.only_steps import (
    OnlyStep,
    find_only_step,
    fits_sentence,
    follow,
    is_single,
    keep_blocks,
    open_block,
)
from rulewright.book.parts.step_words import COMMA, SAID, StepWords, list_changed_slots
from rulewright.book.parts.template_loader import find_failed_line, render
from rulewright.book.parts.trigger_sentences import describe_notes, describe_procedure_triggers
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.rule_locations import is_listed
from rulewright.book.style.text_style import Style
from rulewright.language.checked_steps import PLACED, Block, Procedure, Step, find_placement
from rulewright.language.expressions.typed_ast import (
    BROKEN,
    Comparison,
    Constant,
    Invoke,
    Local,
    Logic,
    Not,
    Present,
    Typed,
)
from rulewright.language.lowering import find_result, list_asks, list_offers, list_operations
from rulewright.language.operations import Each
from rulewright.language.statement import list_expressions
from rulewright.language.types import Boolean, present
from rulewright.ruleset.cache.clean_checks import CleanChecks
from rulewright.ruleset.prose.explained_rules import list_internal_rules
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.diagnostics.internal_failures import PART_FAILED


class StepWriter:
    """Writer of the steps of one procedure."""

    joins = True
    """Whether the only step of a block may be part of the sentence of the outer step."""

    def __init__(self, procedure: Procedure, style: Style) -> None:
        """Prepare to write the steps of `procedure`, in which the cells of its own row are replaced by their values."""
        procedure = inline_own_cells(procedure, style.ruleset.declarations)
        self.procedure = procedure
        self.style = style
        self.english = English(style, NameWords.in_procedure(procedure))
        self.taken = list_taken(procedure)
        self.exits: dict[Step, Step] = {}
        """The step that ends a loop, by the step of the loop, if the sentence of the loop says when it ends."""
        self.lists = 0
        """How many blocks have become lists so far."""
        self.words = StepWords(procedure, self.english, list_used_slots(procedure, self.english.called))

    def all(self) -> str:
        """Return all steps as a list, after a sentence about the trigger if the procedure has one."""
        self.words.refills.clear()
        return describe_procedure_triggers(self.procedure, self.style, self.block(self.procedure.body))

    def block(self, block: Block) -> str:
        """Return the steps of a block as a list. Special cases are part of the step that they modify."""
        return self._list(list_sentences(block))

    def _list(self, steps: Iterable[tuple[Step, list[Step]]]) -> str:
        """Return steps as a list, each with its special cases."""
        self.lists += 1
        return self.style.steps([(step.rule, self.sentence(step, special)) for step, special in steps])

    def step(self, identity: str) -> str:
        """Return the step with this id, including nested steps and special cases, or an empty string."""
        blocks = [self.procedure.body, *(block for step in self.procedure.iterate_steps() for block in step.blocks)]
        result = ((step, special) for block in blocks for step, special in list_sentences(block) if step.id == identity)
        return next((self.sentence(step, special) for step, special in result), "")

    def sentence(self, step: Step, special: Iterable[Step] = ()) -> str:
        """Return one step with its nested steps, its special cases and the triggers that apply to it.

        Raises `DiagnosticError` if the template of a step fails.
        """
        verb = self._verb(step, find_sentence_condition(step, self.taken, self.english.always))
        placed = find_placement(step)
        if placed is not None and "text" not in step.words and find_taker(step) is None:
            verb += f" {capitalize(self._verb(placed, None))}"
        cases = "".join(self._special_cases(list(special)))
        # A printed card does not repeat the triggers that apply to every card like it.
        touched = step.touched if self.procedure.cell is None else ()
        return capitalize(strip_list_marks(verb)) + cases + describe_notes(touched, self.style)

    def _verb(self, step: Step, when: Typed | None) -> str:
        """Return the sentence of a step, with its condition, its nested steps and the definitions of its letters.

        If the rules word the step themselves, the result is their text with the nested steps, and `when` is ignored.
        Raises `DiagnosticError` if the template of a step fails.
        """
        # Nested steps are rendered first, because every sentence defines its own letters before the next one begins.
        blocks = [self._inside(step, block) for block in step.blocks]
        if "text" in step.words:
            return fill_own_words(step.words["text"], blocks, self.style)
        condition = None if when is None else "so" if self.words.is_answer(step, when) else self.english.fact(when)
        text = self._render(
            step,
            step=step,
            action=step.action,
            say=self.english,
            style=self.style,
            naming=self.english.naming,
            when=None if condition is None else f"{condition}{SAID}",
            blocks=blocks,
            title=self.title(),
            opens=open_block,
            leaves=lambda *, alone: self._describe_exit(step, alone=alone),
            follows=lambda block, words="", condition=None: follow(block, self._refer_back(step, words, condition)),
            **self.words.list_values(step),
        ).strip()
        if condition is not None and SAID not in text:
            text = render("steps/when.j2", condition=f"{condition}{SAID}", sentence=text)
        before, _, after = text.partition(f"{SAID}{COMMA}")
        if when is not None and condition is not None and after and all(isinstance(each, OnlyStep) for each in blocks):
            text = f"{before}{COMMA}{refer_back(self.english, step, when, condition, after)}"
        text = text.replace(SAID, "")
        one = is_single(text, self.style.ruleset) and not text.endswith("”")
        where = self.english.where(", where " if one else " Here ")
        if not where:
            return text
        return f"{text.removesuffix('.')}{where}." if one else f"{text}{where}."

    def _inside(self, step: Step, block: Block) -> str:
        """Return a block of nested steps, which is an `OnlyStep` if it fits into the sentence of `step`."""
        inner = list(list_sentences(block))
        leaving = find_exit(step, inner) if self.joins and "text" not in step.words and len(inner) > 1 else None
        if leaving is not None:
            inner = [each for each in inner if each[0] is not leaving]
            self.exits[step] = leaving
        loops = any(isinstance(each, Each) for each in list_operations(step))
        takes = self.joins and step.words.get("text", ":").rstrip().endswith(":")
        only = find_only_step(inner, loops=loops) if takes else None
        refills = frozenset(self.words.refills)
        if only is None:
            return self._list(inner) if leaving is not None else self.block(block)
        lists, self.words.joining = self.lists, True
        text = self.sentence(only)
        self.words.joining = False
        if self.lists > lists or not fits_sentence(text, self.style.ruleset):
            self.words.refills.intersection_update(refills)
            return self._list(inner) if leaving is not None else self.block(block)
        return OnlyStep(text, lambda words: self.style.only_step(only.rule, words))

    def _render(self, at: Step, /, **values: Any) -> str:
        """Return the text of the template of a step's statement. Raises `DiagnosticError` at the step if it fails."""
        template = f"statements/{at.verb.name}.j2"

        def report(failure: Failure) -> NoReturn:
            line = find_failed_line(template, failure.error)
            message = str(failure if line is None else replace(failure, given=f"line {line}"))
            raise DiagnosticError([Diagnostic(PART_FAILED, message, at.span)]) from failure.error

        def work() -> str:
            return keep_blocks(render(template, **values), values["blocks"])

        text = attempt(f"the template `{template}` of `{at.verb.name}`", "", work, report)
        assert text is not None
        return text

    def _refer_back(self, step: Step, words: str, condition: Typed | None) -> Callable[[str], str]:
        """Return the function that puts pronouns into the sentence of a nested step after a condition."""
        return lambda text: text if condition is None else refer_back(self.english, step, condition, words, text)

    def _describe_exit(self, step: Step, *, alone: bool) -> str:
        """Return when a loop ends within a round, `until …`, or an empty string if its sentence does not say so.

        If `alone`, nothing else limits the loop.
        """
        leaving = self.exits.get(step)
        if leaving is None:
            return "until the game ends" if alone and ends_with_game(step) else ""
        when = find_sentence_condition(leaving, self.taken, self.english.always) or BROKEN
        called = self.english.called
        now = {slot: words.replace("was", "is") for slot, words in called.presence.items()}
        return self.style.only_step(
            leaving.rule, f"until {self.english.among(replace(called, presence=now)).fact(when)}"
        )

    def title(self) -> str:
        """Return the title of the procedure, without links."""
        return self.style.escape(fill(format_title(self.procedure), Style(self.style.ruleset)))

    def _special_cases(self, steps: list[Step]) -> Iterable[str]:
        """Yield a text for each special case, with its condition and its replacement steps."""
        instead = {step.id.removesuffix(".instead"): step for step in steps if step.id.endswith(".instead")}
        for step in steps:
            if step.id.endswith(".instead"):
                continue
            other = instead.get(step.id)
            blocks = [self._inside(other, block) for block in other.blocks] if other is not None else []
            only = len(blocks) == 1 and isinstance(blocks[0], OnlyStep)
            yield strip_list_marks(
                render(
                    "steps/special_case.j2",
                    style=self.style,
                    means=fill(step.words.get("text", ""), self.style),
                    condition=self.english.condition(find_result(step) or BROKEN),
                    instead="".join(blocks),
                    only=only,
                )
            )


def check_templates(ruleset: Ruleset, checks: CleanChecks | None = None) -> Diagnostics:
    """Return a diagnostic for each failing template of a statement, at the first step that it cannot describe.

    `checks` are those of the ruleset. Procedures that have sentences according to them are skipped.
    """
    checks = CleanChecks(ruleset, NoTraces()) if checks is None else checks
    failing = Diagnostics()
    for procedure in ruleset.procedures:
        checks.run(("sentences", procedure), partial(_check_procedure, procedure), failing)
    first = {each.message: each for each in reversed(list(failing))}
    return Diagnostics(each for each in failing if first[each.message] is each)


def _check_procedure(identity: str, ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    try:
        StepWriter(ruleset.procedures[identity], Style(ruleset)).all()
    except DiagnosticError as error:
        diagnostics.extend(error.diagnostics)


def fill_own_words(words: str, blocks: list[str], style: Style) -> str:
    """Return the rules' own text for a step. If the text ends with a colon, the nested steps follow as a list."""
    inside = "".join(blocks)
    if blocks and words.rstrip().endswith(":"):
        return fill(words.rstrip().removesuffix(":"), style) + open_block(blocks[0] if len(blocks) == 1 else inside)
    return fill(words, style) + inside


def list_sentences(block: Block) -> Iterator[tuple[Step, list[Step]]]:
    """Yield the steps of a block that have sentences of their own, each with the special cases that come before it."""
    special: list[Step] = []
    for step in block.steps:
        if is_listed(step):
            yield step, special
            special = []
        elif not step.woven:
            special.append(step)


Option = tuple[int, str]
"""The slot of a choice, and the id of the option taken."""


def _option(condition: Typed) -> Option | None:
    """Return the option that a condition compares a choice with, or None for any other condition."""
    match condition:
        case Comparison(operator="==", left=Local(slot=slot), right=Constant(value=str(option))):
            return slot, option
    return None


def drop_implied(when: Logic, options: Iterable[tuple[Option, Typed]]) -> Typed:
    """Return a condition without the parts that are true because of an option that another part requires.

    `options` has those parts of a step, as in `list_taken`.
    """
    required = {_option(part) for part in when.operands}
    known = [part for option, part in options if option in required]
    left = tuple(part for part in when.operands if part not in known)
    return left[0] if len(left) == 1 else replace(when, operands=left)


def list_taken(procedure: Procedure) -> dict[Step, list[tuple[Option, Typed]]]:
    """Map each step to the conditions that are already true if a certain option was taken.

    Such a condition is that a noted name has a value, and the option is available only if it has one. The name must be
    noted in the same block before the choice, no step may change it, and the choice must be unconditional.
    """
    changed = list_changed_slots(procedure)
    results: dict[Step, list[tuple[Option, Typed]]] = {}
    for block in (procedure.body, *(block for step in procedure.iterate_steps() for block in step.blocks)):
        known: list[tuple[Option, Typed]] = []
        present_slots: set[int] = set()
        for step in block.steps:
            for inner in (step, *(each for inside in step.blocks for each in inside.walk())):
                results.setdefault(inner, []).extend(known)
            if step.slot is None:
                continue
            for offer in (offer for ask in list_asks(step) if step.when is None for offer in list_offers(ask)):
                parts = offer.when.operands if isinstance(offer.when, Logic) and offer.when.operator == "and" else ()
                for part in parts or (offer.when,):
                    match part:
                        case Present(operand=Local(slot=slot)) if slot in present_slots - changed:
                            known.append(((step.slot, offer.id), part))
            present_slots.add(step.slot)
    return results


def format_title(procedure: Procedure) -> str:
    """Return the title of a procedure, with its placeholders. Without a title, it is made from the id."""
    return procedure.words.get("title") or humanize(procedure.id).capitalize()


def find_sentence_condition(
    step: Step, options: Mapping[Step, list[tuple[Option, Typed]]], always: Callable[[Typed], bool]
) -> Typed | None:
    """Return the condition of a step without the parts that are always true, or None if nothing is left.

    A part is always true if it is true in every game, or if the option that the step requires implies it. `options` is
    from `list_taken`, and `always` says whether a condition is true in every game.
    """
    when = find_own_condition(step)
    if when is None or always(when):
        return None
    if not isinstance(when, Logic) or when.operator != "and":
        return when
    return drop_implied(when, options.get(step, ()))


def find_own_condition(step: Step) -> Typed | None:
    """Return the condition that the designer wrote for the step, without those of its special cases, or None."""
    if step.written is not None:
        return step.written
    if step.when is None or not step.exceptions:
        return step.when
    both = isinstance(step.when, Logic) and step.when.operator == "and"
    operands = step.when.operands if isinstance(step.when, Logic) and both else (step.when,)
    own = [part for operand in operands for part in _without(operand, step.exceptions)]
    if len(own) < 2:
        return own[0] if own else None
    assert isinstance(step.when, Logic)
    return replace(step.when, operands=tuple(own))


def _without(operand: Typed, exceptions: tuple[str, ...]) -> list[Typed]:
    """Return the parts of a condition, except those that only exclude a special case."""
    match operand:
        case Not(operand=Local(name=name)) if name in exceptions:
            return []
        case Logic(operator="and", operands=operands):
            return [part for inner in operands for part in _without(inner, exceptions)]
    return [operand]


def list_outcomes(procedure: Procedure, style: Style) -> list[tuple[str, str]]:
    """Return the results of a procedure, each as a name and a sentence. Plain names of its steps are left out."""
    english = English(style, NameWords.in_procedure(procedure))
    return [
        (english.naming.bare(name, english.called), _what_comes(value, english))
        for name, value in procedure.gives.items()
        if not (isinstance(value, Local) and value.name == name)
    ]


def _what_comes(value: Typed, english: English) -> str:
    if isinstance(present(value.type), Boolean):
        return f"Whether {english.condition(value)}"
    return capitalize(english.value(value))


def list_formulas(procedure: Procedure, ruleset: Ruleset) -> list[str]:
    """Return the ids of the formulas and derived fields that the steps use, in order of first use.

    Each is followed by those that it uses itself. Internal formulas are left out, and so is what only they use.
    """
    formulas: dict[str, None] = {}
    internal = list_internal_rules(ruleset)

    def add(node: Typed) -> None:
        for part in node.walk():
            if not isinstance(part, Invoke) or part.formula in formulas:
                continue
            if f"formulas.{part.formula}" not in internal:
                formulas[part.formula] = None
                add(ruleset.declarations.formulas[part.formula].body)

    for node in _all_expressions(procedure):
        add(node)
    return list(formulas)


def list_used_slots(procedure: Procedure, called: NameWords) -> set[int]:
    """Return the slots that the sentences about a procedure name, without those of expanded triggers.

    These are the ones that its results and its steps without a text of their own read, other than to say which option
    was chosen.
    """
    parts = [part for node in _all_expressions(procedure, worded=False) for part in node.walk()]
    read = Counter(part.slot for part in parts if isinstance(part, Local))
    picks = (called.find_pick(part) for part in parts if isinstance(part, Comparison))
    read.subtract(pick.slot for pick in picks if pick is not None)
    return {slot for slot, times in read.items() if times}


def _all_expressions(procedure: Procedure, *, worded: bool = True) -> Iterable[Typed]:
    """Yield the expressions of all steps and results of a procedure, without those of expanded triggers.

    Those of steps with a text of their own are left out unless `worded`.
    """
    for step in procedure.iterate_steps():
        if (step.woven and not step.id.endswith(PLACED)) or ("text" in step.words and not worded):
            continue
        if step.when is not None:
            yield step.when
        yield from list_expressions(step.action)
    yield from procedure.gives.values()
