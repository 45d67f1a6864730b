"""One of the two rulesets of a comparison with its own phrases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.book.changes.change import ChangeLine, SentenceParts
from rulewright.book.english.expression_english import English
from rulewright.book.english.field_phrases import FieldWriter
from rulewright.book.english.grammar import capitalize
from rulewright.book.english.naming import humanize
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.text_style import Style
from rulewright.language import types as t
from rulewright.language.declarations import GAME_KIND, Field
from rulewright.ruleset.prose.placeholders import Literal, Part, Placeholder, parse_parts
from rulewright.ruleset.queries.tree_difference import Difference
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.section import ID, load_sections
from rulewright.source.nodes import Mapping, Node, Scalar


class _ListCollector(Style):
    """Plain text, which remembers the lists that were written."""

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(ruleset)
        self.lists: list[tuple[tuple[str, ...], str]] = []

    def parts(self, items: Sequence[str]) -> str:
        written = super().parts(items)
        self.lists.append((tuple(items), written))
        return written


class Side:
    """One ruleset, in plain words."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.style = _ListCollector(ruleset)
        self.english = English(self.style)
        self.naming = self.english.naming
        self.holding = FieldWriter(self.english)
        self.declared = ruleset.declarations

    def render(self, say: Callable[[], str]) -> SentenceParts:
        """Return a rendered text, with the lists in it."""
        self.style.lists.clear()
        text = say()
        return SentenceParts(text, tuple(self.style.lists))

    def render_words(self, text: str | Node | None) -> str:
        """Return words on one line, with placeholders filled in and references to parameters in angle brackets.

        The result is empty for None and for a node that is not a scalar.
        """
        if isinstance(text, Scalar):
            text = text.text
        if isinstance(text, str):
            text = "".join(map(_name, parse_parts(text)))
        return " ".join(fill(text, self.style).split()) if isinstance(text, str) else ""

    def find_node(self, section: str, identity: str) -> Mapping:
        """Return the resolved rule, or an empty mapping if there is no such rule or if it is not a mapping."""
        rules = self.ruleset.resolved.rules
        entries = rules.get(section)
        result = entries.get(identity) if isinstance(entries, Mapping) else None
        return result if isinstance(result, Mapping) else Mapping({}, rules.span)

    def render_value(self, value: Any, kind: t.Type) -> str:
        """Return a value. Dice also have their range."""
        return self.holding.value(value, kind)

    def type(self, kind: t.Type) -> str:
        """Return a type as its possible values."""
        return self.holding.type(kind)

    def render_field(self, field: Field) -> str:
        """Return the type and the initial value of a field."""
        return self.holding.field(field)

    def find_title(self, section: str, identity: str) -> str:
        """Return the title of a rule, or else its id in words.

        A kind has the noun that sentences use for it, and a section whose rules are named by id keeps the plain id.
        """
        if section == "kinds" and identity in self.declared.kinds:
            # The name of a kind is its term, or else its name in sentences.
            return "The game" if identity == GAME_KIND else capitalize(self.naming.kind(identity))
        heading = load_sections()[section].heading if section in load_sections() else ""
        if heading == ID:
            return identity
        return capitalize(self.render_words(self.find_node(section, identity).get(heading)) or humanize(identity))


@dataclass(frozen=True, slots=True, eq=False)
class RulesetPair:
    """The two rulesets of a comparison."""

    before: Side
    after: Side

    def choose_side(self, what: str) -> Side:
        """Return the old side for `removed`, and otherwise the new one."""
        return self.before if what == "removed" else self.after


@dataclass(frozen=True, slots=True)
class Teller:
    """A describer of changes: `lines` for a rule on both sides, and `whole` for a rule on only one side."""

    lines: Callable[[RulesetPair, str, list[Difference]], Iterable[ChangeLine]]
    whole: Callable[[Side, str, Difference], Iterable[ChangeLine]]


def _name(part: Part) -> str:
    """Return a part of a text as written, with references to parameters in angle brackets."""
    if isinstance(part, Literal) and part.text in ("{", "}"):
        return part.text * 2
    if not isinstance(part, Placeholder):
        return part.text
    of, _, name = part.body.partition(".")
    return f"⟨{humanize(name)}⟩" if of in ("given", "self") and name else f"{{{part.body}}}"
