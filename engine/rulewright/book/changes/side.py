"""One of the two rulesets of a comparison, and how it says what it says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.book.changes.change import Told
from rulewright.book.english.english import English
from rulewright.book.english.grammar import article, capital
from rulewright.book.english.naming import pretty
from rulewright.book.style.style import Style, mean_of, range_of
from rulewright.book.style.words import fill, value_words
from rulewright.dice.tree import Constant, Roll
from rulewright.language import types as t
from rulewright.language.declarations import GAME_KIND, Field
from rulewright.language.expression.typed import If, Items, Present, Variable
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.section import ID, sections
from rulewright.ruleset.words.placeholders import Literal, Part, Placeholder, parts
from rulewright.source.nodes import Mapping, Node, Scalar


class _Listing(Style):
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
        self.style = _Listing(ruleset)
        self.english = English(self.style)
        self.naming = self.english.naming
        self.declared = ruleset.declarations

    def told(self, say: Callable[[], str]) -> Told:
        """What is said, with the lists in it."""
        self.style.lists.clear()
        text = say()
        return Told(text, tuple(self.style.lists))

    def words(self, text: str | Node | None) -> str:
        """Words with their placeholders filled, on one line; what they are said of is named between angles."""
        if isinstance(text, Scalar):
            text = text.text
        if isinstance(text, str):
            text = "".join(map(_named, parts(text)))
        return " ".join(fill(text, self.style).split()) if isinstance(text, str) else ""

    def node(self, section: str, identity: str) -> Mapping:
        """The resolved rule; an empty one if there is none."""
        rules = self.ruleset.resolved.rules
        entries = rules.get(section)
        found = entries.get(identity) if isinstance(entries, Mapping) else None
        return found if isinstance(found, Mapping) else Mapping({}, rules.span)

    def value(self, value: Any, kind: t.Type) -> str:
        """A value; of dice also what they come to."""
        if value is None:
            return "none"
        if isinstance(value, Roll) and not isinstance(value, Constant):
            return f"{self.style.dice(value)} ({range_of(value)}, {mean_of(value)} on average)"
        return value_words(value, kind, self.style)

    def type(self, kind: t.Type) -> str:
        """A type, as what may stand there."""
        match kind:
            case t.Integer():
                return "a number"
            case t.Text():
                return "words"
            case t.Dice():
                return "a roll"
            case t.Choice(ids=ids):
                return "one of " + ", ".join(self.naming.choice(identity) for identity in ids)
            case t.Row(table=table):
                return f"one of {self.naming.table(table)}"
            case t.Thing(kind=name):
                return article(self.naming.kind(name))
            case t.RecordOf(name=name):
                return article(self.naming.record(name))
            case t.Optional(inner=inner):
                return f"{self.type(inner)}, or none"
            case t.ListOf(inner=t.Thing(kind=name)):
                return f"any number of {self.naming.kind(name, several=True)}"
            case t.ListOf(inner=t.RecordOf(name=name)):
                return f"any number of {self.naming.record(name, several=True)}"
            case t.ListOf(inner=inner):
                return f"a list, each {self.type(inner)}"
            case t.MapOf(table=table, inner=inner):
                return f"{self.type(inner)} for each row of {self.naming.table(table)}"
        return str(kind)

    def field(self, field: Field) -> str:
        """What a field holds: its type, and what it starts as."""
        below = ", never below 0" if field.minimum == 0 else ""
        usual = self.type(field.type) + below + self._hidden(field)
        nothing = (None, 0, False, (), "")
        empty = isinstance(field.type, t.MapOf) and all(each in nothing for each in field.default)
        if not field.has_default or empty or field.default in nothing:
            return usual
        return f"{usual}, at first {self.value(field.default, field.type)}"

    def _hidden(self, field: Field) -> str:
        """Who alone may see what a field holds; nothing, where everybody may."""
        match field.seen_by:
            case None:
                return ""
            case Items(items=()):
                return ", seen by nobody"
            case Items(items=(Variable(type=t.Thing(kind=kind)),)):
                return f", seen only by the {self.naming.kind(kind)} whose it is"
            case Items(items=(one,)) | If(condition=Present(operand=one)) | one:
                return f", seen only by {self.english.value(one)}"

    def title(self, section: str, identity: str) -> str:
        """What readers call a rule."""
        if section == "kinds" and identity in self.declared.kinds:
            # A kind is called by its term, or as sentences call it.
            return "The game" if identity == GAME_KIND else capital(self.naming.kind(identity))
        heading = sections()[section].heading if section in sections() else ""
        if heading == ID:
            return identity
        return self.words(self.node(section, identity).get(heading)) or pretty(identity).capitalize()


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """The two rulesets of a comparison."""

    before: Side
    after: Side

    def side(self, what: str) -> Side:
        """The one that has what was `removed`, or what is there now."""
        return self.before if what == "removed" else self.after


def _named(part: Part) -> str:
    """A part of words as it was written, or the name of what they are said of between angles."""
    if isinstance(part, Literal) and part.text in ("{", "}"):
        return part.text * 2
    if not isinstance(part, Placeholder):
        return part.text
    of, _, name = part.body.partition(".")
    return f"⟨{pretty(name)}⟩" if of in ("given", "self") and name else f"{{{part.body}}}"
