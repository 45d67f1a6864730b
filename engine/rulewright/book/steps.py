"""Checked steps → English, through one template for each verb."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rulewright.book.english.changes import change
from rulewright.book.english.english import English
from rulewright.book.english.grammar import capital
from rulewright.book.english.naming import pretty
from rulewright.book.step_numbers import is_listed
from rulewright.book.style import Style
from rulewright.book.templates import render
from rulewright.book.words import fill
from rulewright.language.expression.typed import Invoke, Local, Logic, Not, Typed
from rulewright.language.step import Block, Procedure, Step
from rulewright.language.types import INTEGER, present
from rulewright.language.verb import expressions


class StepWriter:
    """Writes the steps of one procedure."""

    def __init__(self, procedure: Procedure, style: Style) -> None:
        self.procedure = procedure
        self.style = style
        self.english = English(style)
        self.used = {
            part.slot for node in _all_expressions(procedure) for part in node.walk() if isinstance(part, Local)
        }

    def all(self) -> str:
        """Every step, as a list."""
        return self.block(self.procedure.body)

    def block(self, block: Block) -> str:
        """The steps of a block, as a list; special cases stand with the step they are an exception to."""
        special: list[Step] = []
        items: list[tuple[str, str]] = []
        for step in block.steps:
            if not is_listed(step):
                special.append(step)
                continue
            items.append((step.rule, self.sentence(step, special)))
            special = []
        return self.style.steps(items)

    def sentence(self, step: Step, special: Iterable[Step] = ()) -> str:
        """One step, with everything inside it and its special cases."""
        when = own_condition(step)
        verb = self._verb(step, when)
        # A verb with steps of its own says its condition itself.
        if when is not None and not step.blocks:
            verb = render("steps/when.j2", condition=self.english.condition(when), sentence=verb)
        return capital(verb) + "".join(self._special_cases(list(special)))

    def _verb(self, step: Step, when: Typed | None) -> str:
        if "text" in step.words:
            return fill(step.words["text"], self.style) + "".join(self.block(block) for block in step.blocks)
        return render(
            f"verbs/{step.verb.name}.j2",
            step=step,
            action=step.action,
            say=self.english,
            naming=self.english.naming,
            when=None if when is None else self.english.condition(when),
            blocks=[self.block(block) for block in step.blocks],
            name=self._name(step),
            ask=fill(step.words["ask"], self.style) if "ask" in step.words else "",
            title=self.title(),
            changes=lambda changes: [change(self.english, target, value) for target, value in changes],
            parameters=list(self.style.ruleset.procedures[step.action.procedure].parameters)
            if step.verb.name == "do"
            else [],
            amounts=[
                self.english.naming.amount(
                    self.english.value(amount),
                    target.field,
                    simple=isinstance(amount, Local) and "." not in amount.name,
                    kind=target.kind,
                )
                for target, amount in getattr(step.action, "amounts", ())
            ],
            labels=lambda offers: [
                (fill(offer.label, self.style) if offer.label else self.english.naming.choice(offer.id), offer.when)
                for offer in offers
            ],
        ).strip()

    def title(self) -> str:
        """What readers call the procedure, without links."""
        return self.style.escape(fill(title_of(self.procedure), Style(self.style.ruleset)))

    def _name(self, step: Step) -> str:
        """The name that later steps use for this step's result; empty if none does."""
        if step.slot is None:
            return ""
        last = step.slot + len(getattr(step.action, "gives", ()) or (1,))
        if not self.used & set(range(step.slot, last)):
            return ""
        if step.binds is not None and present(step.binds) == INTEGER:
            return self.english.value(Local(step.binds, step.slot, step.id))
        return self.style.name(pretty(step.id))

    def _special_cases(self, steps: list[Step]) -> Iterable[str]:
        instead = {step.id.removesuffix(".instead"): step for step in steps if step.id.endswith(".instead")}
        for step in steps:
            if step.id.endswith(".instead"):
                continue
            blocks = instead[step.id].blocks if step.id in instead else ()
            yield render(
                "steps/special_case.j2",
                style=self.style,
                means=fill(step.words.get("text", ""), self.style),
                condition=self.english.condition(step.action.value),
                instead=[self.block(block) for block in blocks],
            )


def title_of(procedure: Procedure) -> str:
    """The title of a procedure, with its placeholders."""
    return procedure.words.get("title") or pretty(procedure.id).capitalize()


def own_condition(step: Step) -> Typed | None:
    """The condition a designer wrote for the step, without those that its special cases add."""
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
    """A condition, or nothing where it only says that a special case does not hold."""
    match operand:
        case Not(operand=Local(name=name)) if name in exceptions:
            return []
        case Logic(operator="and", operands=operands):
            return [part for inner in operands for part in _without(inner, exceptions)]
    return [operand]


def formulas_used(procedure: Procedure) -> list[str]:
    """The formulas and derived fields the steps use, in order of first use."""
    found: dict[str, None] = {}
    for node in _all_expressions(procedure):
        for part in node.walk():
            if isinstance(part, Invoke):
                found.setdefault(part.formula)
    return list(found)


def _all_expressions(procedure: Procedure) -> Iterable[Typed]:
    for step in procedure.steps():
        if step.when is not None:
            yield step.when
        yield from expressions(step.action)
    yield from procedure.gives.values()
