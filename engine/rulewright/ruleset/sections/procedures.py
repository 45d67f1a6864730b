"""The sections `procedures:` and `exceptions:`, steps to run, and special cases that replace a step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rulewright.language.schema_shapes import (
    Leaf,
    MapOf,
    Record,
    Steps,
    expression,
    optional,
    required,
    words,
)
from rulewright.ruleset.section import INTERNAL, STEP_NAMES, TYPE, RulesSection

if TYPE_CHECKING:
    from rulewright.language.checked_steps import Procedure
    from rulewright.ruleset.elaborate.elaboration import Elaboration


PROCEDURE = Record(
    "Steps that run in order.",
    members={
        "title": optional(words("The title for readers.")),
        "means": optional(words("When and why the procedure runs, in one sentence.")),
        "internal": INTERNAL,
        "wording": optional(
            Leaf(
                "The clause for a step that runs it, such as `{given.who} draws a card`. Without it, sentences use the"
                " title.",
                format="label",
                cosmetic=True,
            )
        ),
        "given": optional(MapOf("Its parameters: names and types.", inner=TYPE, ordered=True, ranked=True)),
        "gives": optional(MapOf("Its results.", inner=expression("The value."), ordered=True, ranked=True)),
        "names": optional(STEP_NAMES),
        "steps": required(Steps("The steps.")),
    },
)

EXCEPTION = Record(
    "An exception: if `when` is true, `instead` replaces a step.",
    members={
        "to": required(Leaf("The step that the exception replaces: `procedure.step`.", format="reference")),
        "when": required(expression("The condition under which the exception applies.")),
        "instead": optional(Steps("The steps to run instead (default: none).")),
        "means": required(words("The exception in words.")),
    },
)


def _read(work: Elaboration) -> Mapping[str, Procedure]:
    from rulewright.ruleset.elaborate.procedure_declarations import check_procedures

    return check_procedures(work.rules, work.declarations, work.diagnostics, work.known)


PROCEDURES = RulesSection(
    key="procedures",
    place=100,
    doc="What happens in the game, step by step, such as a turn or a battle.",
    entry=PROCEDURE,
    one="procedure",
    sort="method",
    gameplay=True,
    parts=("steps",),
    read=_read,
    at_once=True,
    prose=("means",),
    figureless=("title",),
    untranslated=("wording",),
    title="Procedures",
    heading="title",
    labels={"title": "Title", "means": "What for"},
    guide="design/steps.md",
    anchor="procedure-",
    folded="Step by step",
    printed=True,
    indexed=True,
    linked=True,
    report=10,
    gist="means",
    weight=(30, 60),
)

EXCEPTIONS = RulesSection(
    key="exceptions",
    place=110,
    doc="Exceptions: cases in which a step does not happen.",
    entry=EXCEPTION,
    one="exception",
    gameplay=True,
    ranked=True,
    prose=("means",),
    title="Special cases",
    labels={"means": "Said as"},
    anchor="special-",
    on_pages=False,
    report=20,
    gist="means",
    weight=(12, 24),
)
