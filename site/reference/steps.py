"""The steps: the keys of each, an example from a shipped game, and its sentence in the rulebook."""

from __future__ import annotations

from functools import cache
from itertools import chain
from pathlib import Path
from textwrap import dedent

from reference._markdown import code, fenced, joined, table
from reference.files import keys, type_of
from rulewright.base.resources import find_resource
from rulewright.language.checked_steps import Step
from rulewright.language.lowering import asks_player, has_chance
from rulewright.language.statement import Statement, load_statements
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.model import step_shape

INTRODUCTION = """\
# Steps

This reference is for designers. It lists all steps with their keys. [Find the right step](../design/steps.md) lists
the steps by task.

A procedure runs its steps in order. Every step has an `id`, which is unique in its procedure, and exactly one of the
keys below. Later steps use the id to read the result of the step (a roll, a choice, a new object).
"""

LONGEST = 8
"""Lines an example may have."""


def page() -> str:
    """Return the page."""
    own = {key for verb in load_statements().values() for key in verb.keys}
    every = {key: member for key, member in step_shape().members.items() if key not in own}
    rows = [
        (code(key) + ("\\*" if member.required else ""), type_of(member.shape), member.shape.doc)
        for key, member in every.items()
    ]
    return joined(
        INTRODUCTION,
        "## Keys of every step",
        table(("key", "value", "meaning"), rows),
        *(_verb(verb) for verb in load_statements().values()),
    )


def _verb(verb: Statement) -> str:
    rows = []
    for key, member in verb.keys.items():
        rows.append((code(key) + ("\\*" if member.required else ""), type_of(member.shape), member.shape.doc))
        rows += [(code(path), type_of(shape), shape.doc) for path, shape, _ in keys(member.shape, f"{key}.")]
    return joined(
        f"## {code(verb.name + ':')}",
        f"{verb.summary} {_stops(verb.name)}",
        fenced("- " + verb.example, "yaml"),
        table(("key", "value", "meaning"), rows),
        _shown(verb.name),
    )


def _stops(verb: str) -> str:
    """Return for what the game pauses at a step of the verb, as far as its examples show."""
    steps = [step for _, step, _ in _find(verb)]
    said = {
        "The game pauses here for a player's decision.": any(asks_player(step) for step in steps),
        "The game pauses here for a chance event.": any(has_chance(step) for step in steps),
    }
    return " ".join(sentence for sentence, holds in said.items() if holds)


def _shown(verb: str) -> str:
    """Return the shortest example of this verb, as it is written and as the rulebook says it."""
    from rulewright.book.parts.step_sentences import StepWriter
    from rulewright.book.style.text_style import Style

    found = min(_find(verb), key=lambda entry: (entry[2].count("\n"), len(entry[2])), default=None)
    if found is None:
        return ""
    ruleset, step, written = found
    said = StepWriter(ruleset.procedures[step.procedure], Style(ruleset)).sentence(step)
    return joined(
        f"As written in {code(ruleset.reference)}, step {code(step.rule)}:",
        fenced(written, "yaml"),
        "As the rulebook says it:",
        "\n".join("> " + line for line in said.splitlines()),
    )


def _find(verb: str) -> list[tuple[Ruleset, Step, str]]:
    """Return the steps with this verb of the shipped rules, or if they have none, those of the cookbook's recipes."""
    return _examples(_shipped()).get(verb) or _examples(_recipes(verb)).get(verb, [])


@cache
def _examples(rulesets: tuple[Ruleset, ...]) -> dict[str, list[tuple[Ruleset, Step, str]]]:
    """Return the steps of these rules that are short enough to be shown, by verb."""
    found: dict[str, list[tuple[Ruleset, Step, str]]] = {}
    for ruleset in rulesets:
        for step in chain.from_iterable(procedure.iterate_steps() for procedure in ruleset.procedures.values()):
            written = _written(step)
            if written and written.count("\n") < LONGEST and step.rule == f"{step.procedure}.{step.id}":
                found.setdefault(step.verb.name, []).append((ruleset, step, written))
    return found


@cache
def _shipped() -> tuple[Ruleset, ...]:
    from rulewright.ruleset.editions.catalogue import Catalogue
    from rulewright.ruleset.load_ruleset import load_edition

    catalogue = Catalogue([find_resource("rules")])
    loaded = (load_edition(catalogue, edition)[0] for edition in catalogue.list_editions())
    return tuple(ruleset for ruleset in loaded if ruleset is not None)


@cache
def _recipes(verb: str) -> tuple[Ruleset, ...]:
    """Return the recipes of the cookbook in which the verb is written."""
    from rulewright.ruleset.editions.catalogue import Catalogue
    from rulewright.ruleset.load_ruleset import load_edition

    folder = Path(__file__).resolve().parents[1] / "docs" / "cookbook"
    named = {path.parent.name for path in folder.glob("*/*.yaml") if f"{verb}:" in path.read_text(encoding="utf-8")}
    catalogue = Catalogue([folder, find_resource("rules")])
    found = [each for each in catalogue.list_editions() if each.ruleset.removeprefix("cookbook/") in named]
    loaded = (load_edition(catalogue, edition)[0] for edition in found)
    return tuple(ruleset for ruleset in loaded if ruleset is not None)


def _written(step: Step) -> str:
    """Return the lines of the file that a step is written in; nothing where several layers have a part in it."""
    lines = Path(step.span.file).read_text(encoding="utf-8").splitlines()
    first, last = step.span.line - 1, step.span.end_line - (step.span.end_column <= 1)
    text = dedent("\n".join(lines[first:last]))
    return text.rstrip() if text.lstrip().startswith("- ") else ""
