"""English for triggers: the events that they watch and the steps at which they apply."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.book.english.expression_english import English
from rulewright.book.english.grammar import choose_article
from rulewright.book.english.naming import NameWords, humanize
from rulewright.book.parts.template_loader import render
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.text_style import Style
from rulewright.language.checked_steps import Procedure, Step
from rulewright.language.declarations import GAME_KIND, Trigger
from rulewright.language.triggers import AMOUNTS
from rulewright.language.types import Entity
from rulewright.ruleset.layers.value_origins import Path
from rulewright.ruleset.prose.explained_rules import list_public_triggers
from rulewright.ruleset.ruleset import Ruleset

_DONE = {"just_before": "just before", "instead": "instead", "then": "right after"}
"""Words for the time at which the steps of a trigger run."""


def describe_trigger_condition(trigger: Trigger, style: Style) -> str:
    """Return the event and the condition of a trigger as a clause, such as `whenever a Player gains Points, if …`."""
    english = English(style, NameWords.in_procedure(style.ruleset.procedures[trigger.id]))
    text = render(
        "steps/whenever.j2",
        trigger=trigger,
        whose=_whose(trigger, english),
        field=_field(trigger, english),
        place=_place(trigger, english),
        procedure=english.naming.procedure(trigger.procedure) if trigger.procedure else "",
        step=_step(trigger, style),
        condition=english.condition(trigger.condition) if trigger.condition is not None else "",
    )
    return " ".join(text.split()).replace(" ,", ",")


def _whose(trigger: Trigger, english: English) -> str:
    """Return the noun for the object of the event, with its parameter name if this differs from its kind.

    Empty for events of the game itself.
    """
    if trigger.kind in ("", GAME_KIND):
        return ""
    noun = choose_article(english.naming.kind(trigger.kind))
    given = english.style.ruleset.procedures[trigger.id].parameters
    called = next((name for name, kind in given.items() if kind == Entity(trigger.kind)), trigger.kind)
    other = called != trigger.kind and trigger.event not in ("begins", "ends", "does")
    return f"{noun} (the {english.style.name(humanize(called))})" if other else noun


def _field(trigger: Trigger, english: English) -> str:
    """Return the noun for the field that changes, or its unit if the event is a gain or loss.

    Empty for other events.
    """
    if not trigger.field:
        return ""
    naming = english.naming
    amount = trigger.event in AMOUNTS and trigger.kind != GAME_KIND
    return naming.unit(trigger.field, kind=trigger.kind) if amount else naming.field(trigger.kind, trigger.field)


def _place(trigger: Trigger, english: English) -> str:
    """Return the phrase for the field of the game that changes, or an empty string for fields of other kinds."""
    if trigger.kind != GAME_KIND:
        return ""
    declared = english.style.ruleset.declarations.kinds[GAME_KIND].fields[trigger.field]
    return english.at_end(english.naming.of_the_game(trigger.field, declared.type))


def describe_trigger(trigger: Trigger, style: Style) -> str:
    """Return a trigger as a sentence, which its steps can follow."""
    return f"{_describe_timing(trigger, style)}."


def _describe_timing(trigger: Trigger, style: Style) -> str:
    return f"{describe_trigger_condition(trigger, style)}, do this {_DONE[trigger.timing]}"


def describe_procedure_triggers(procedure: Procedure, style: Style, steps: str) -> str:
    """Return the steps of a procedure, with a sentence about its trigger before them.

    Sentences about the triggers that apply to the procedure follow the steps.
    """
    trigger = style.ruleset.declarations.triggers.get(procedure.id)
    lead = ""
    if trigger is not None:
        lead = style.special("Trigger:", f"{_describe_timing(trigger, style)}:")
    return f"{lead}{steps}{describe_notes(procedure.touched, style)}"


def list_applying_triggers(path: Path, ruleset: Ruleset) -> list[str]:
    """Return the triggers that apply to a procedure or to one of its steps, including nested steps.

    Each line is plain text with the rule and the trigger. The list is empty for other paths.
    """
    procedure = ruleset.procedures.get(path[1]) if path[:1] == ("procedures",) and len(path) > 1 else None
    if procedure is None:
        return []
    style, whole = Style(ruleset), len(path) == 2
    within = set()
    for step in procedure.iterate_steps():
        if whole or step.id == path[-1]:
            within |= {step.id, *(inner.id for block in step.blocks for inner in block.walk())}
    places = [(procedure.id, procedure.touched)] if whole else []
    places += [(step.rule, step.touched) for step in procedure.iterate_steps() if step.id in within]
    return [f"{rule}:{_describe_note(identity, style)}" for rule, touched in places for identity in touched]


def describe_notes(touched: Iterable[str], style: Style) -> str:
    """Return a sentence for each trigger that applies to a step, or to the start or end of a procedure.

    `touched` are the ids of these triggers, and internal ones are left out. A space comes before each sentence.
    """
    return "".join(_describe_note(each, style) for each in list_public_triggers(touched, style.ruleset))


def _describe_note(identity: str, style: Style) -> str:
    """Return the sentence that a trigger applies, with a space before it."""
    trigger = style.ruleset.declarations.triggers[identity]
    name = English(style).naming.procedure(identity)
    text = f"{describe_trigger_condition(trigger, style)}, carry it out {_DONE[trigger.timing]}."
    return f" {style.special(f'{name} applies here:', text)}"


def _step(trigger: Trigger, style: Style) -> str:
    """Return the name of the step that a trigger watches: its title, or its id as words. Empty without one."""
    if not trigger.step:
        return ""
    steps: list[Step] = list(style.ruleset.procedures[trigger.procedure].iterate_steps())
    words = next((step.words.get("title", "") for step in steps if step.id == trigger.step), "")
    return fill(words, style, inside=True) if words else style.name(humanize(trigger.step))
