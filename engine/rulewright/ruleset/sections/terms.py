"""The words of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.language.declarations import Term
from rulewright.language.schema_shapes import ListOf, MapOf, Record, optional, required, words
from rulewright.ruleset.elaborate.node_readers import called, entries, items, text, title
from rulewright.ruleset.section import BookPage, RulesSection
from rulewright.ruleset.sections.pages import SEARCH
from rulewright.source.nodes import Mapping

if TYPE_CHECKING:
    from rulewright.ruleset.elaborate.elaboration import Elaboration


TERM = Record(
    "A word of the game.",
    members={
        "name": required(words("The word.")),
        "plural": optional(words("Its plural, where it is not the word with an s.")),
        "icon": optional(words("An emoji.")),
        "means": optional(words("What it is, in one sentence.")),
        "forms": optional(
            MapOf(
                "Other forms of the word, by name: with `{dative: Wölfen}`, texts may say `{wolf.dative}`.",
                inner=words("The word in this form."),
                cosmetic=True,
            )
        ),
        "also": optional(ListOf("Other words readers may look for.", inner=words("A word."), cosmetic=True)),
        "search": SEARCH,
    },
    short="name",
)


def _declare(work: Elaboration) -> None:
    for identity, entry in entries(work.rules.get("terms")):
        node = entry.value
        assert isinstance(node, Mapping)
        name = text(node.get("name")) or title(identity)
        work.declarations.terms[identity] = Term(
            identity,
            name,
            text(node.get("plural")) or f"{name}s",
            text(node.get("icon")),
            text(node.get("means")),
            entry.span,
            tuple(text(item) for item in items(node.get("also"))),
            called(node.get("forms")),
            tuple(text(item) for item in items(node.get("search"))),
        )


TERMS = RulesSection(
    key="terms",
    place=10,
    doc="The words of the game.",
    entry=TERM,
    one="term",
    sort="word",
    gameplay=False,
    declare=_declare,
    prose=("means",),
    bookkeeping=("search",),
    unfilled=("name", "plural", "icon", "also", "forms.*"),
    untranslated=("icon",),
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
