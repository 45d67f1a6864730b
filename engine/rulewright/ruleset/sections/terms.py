"""The words of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.language.shape import ListOf, Record, optional, required, words
from rulewright.ruleset.section import BookPage, RulesSection

if TYPE_CHECKING:
    from rulewright.ruleset.elaborate.elaboration import Elaboration


TERM = Record(
    "A word of the game.",
    members={
        "name": required(words("The word.")),
        "plural": optional(words("Its plural, where it is not the word with an s.")),
        "icon": optional(words("An emoji.")),
        "means": optional(words("What it is, in one sentence.")),
        "also": optional(ListOf("Other words readers may look for.", inner=words("A word."), cosmetic=True)),
    },
    short="name",
)


def _declare(work: Elaboration) -> None:
    from rulewright.ruleset.elaborate.words import declare_terms

    declare_terms(work.rules, work.declarations)


TERMS = RulesSection(
    key="terms",
    place=10,
    doc="The words of the game.",
    entry=TERM,
    one="term",
    gameplay=False,
    declare=_declare,
    prose=("means",),
    title="Words",
    heading="name",
    told={"means": "What it is", "also": "Also called"},
    anchor="term-",
    page=BookPage(
        file="glossary.md",
        title="Glossary",
        about="The words of the game, and where to read more about each.",
        place=70,
        on_front=60,
        in_menu=30,
    ),
    printed=True,
    report=110,
    gist="means",
)
