"""The section `terms:`, the vocabulary of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.language.declarations import Term
from rulewright.language.schema_shapes import ListOf, MapOf, Record, optional, required, words
from rulewright.ruleset.elaborate.node_readers import iterate_entries, list_items, make_title, read_names, read_text
from rulewright.ruleset.section import BookPage, RulesSection
from rulewright.ruleset.sections.pages import SEARCH
from rulewright.source.nodes import Mapping

if TYPE_CHECKING:
    from rulewright.ruleset.elaborate.elaboration import Elaboration


TERM = Record(
    "A term of the game.",
    members={
        "name": required(words("The word.")),
        "plural": optional(words("The plural (default: the term with an s).")),
        "icon": optional(words("An emoji.")),
        "means": optional(words("A definition in one sentence.")),
        "forms": optional(
            MapOf(
                "Other grammatical forms, by name: with `{dative: Wölfen}`, texts can use `{wolf.dative}`.",
                inner=words("The word in this form."),
                cosmetic=True,
            )
        ),
        "also": optional(ListOf("Synonyms that readers may search for.", inner=words("A word."), cosmetic=True)),
        "search": SEARCH,
    },
    short="name",
)


def _declare(work: Elaboration) -> None:
    """Declare every term. Without a name or a plural of its own, it has those that English derives."""
    for identity, entry in iterate_entries(work.rules.get("terms")):
        node = entry.value
        assert isinstance(node, Mapping)
        name = read_text(node.get("name")) or make_title(identity)
        work.declarations.terms[identity] = Term(
            identity,
            name,
            read_text(node.get("plural")) or f"{name}s",
            read_text(node.get("icon")),
            read_text(node.get("means")),
            entry.span,
            tuple(read_text(item) for item in list_items(node.get("also"))),
            read_names(node.get("forms")),
            tuple(read_text(item) for item in list_items(node.get("search"))),
        )


TERMS = RulesSection(
    key="terms",
    place=10,
    doc="The words with a special meaning in the game: their names, plurals, icons and meanings.",
    entry=TERM,
    one="term",
    sort="word",
    gameplay=False,
    declare=_declare,
    alone=True,
    prose=("means",),
    bookkeeping=("search",),
    unfilled=("name", "plural", "icon", "also", "forms.*"),
    untranslated=("icon",),
    title="Words",
    heading="name",
    labels={"means": "What it is", "also": "Also called"},
    guide="design/text.md",
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
