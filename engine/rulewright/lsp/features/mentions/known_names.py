"""The names that rules can refer to, and what each of them refers to.

`list_facts` puts everything that mentions depend on into one mapping of short texts, such as the rows of each table.
Lookups in it can be recorded, so that the mentions of a file are collected again only if one comes out otherwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping
from typing import Any, cast

from rulewright.base.incremental.reads import Read
from rulewright.language.declarations import GAME_KIND
from rulewright.language.statement import by_role
from rulewright.lsp.features.mentions.mention import Path
from rulewright.ruleset.cache.tracked_declarations import DECLARED, TrackedEntries
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.section import load_sections
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.span import Span

Fact = tuple[str, ...]
"""What is known about a name: the section of a declaration or another word for it, and the name or names."""

Leads = dict[str, Counter[str]]
"""The sections that references under a key refer to, counted for unique names."""

_MISSING = "\0"


class NameDigests:
    """The digests of what the collection of mentions looks up (`DigestSource`). That of a text is the text itself."""

    def __init__(self, series: Hashable) -> None:
        self.series = series
        self._mappings: dict[str, Mapping[Any, Any]] = {}
        self._plain: set[str] = set()

    def track(self, name: str, entries: Mapping[Any, Any], *, plain: bool = False) -> TrackedEntries:
        """Return a view of a mapping of plain data that notes reads under `name`.

        It is `plain` if it does not depend on lookups in others.
        """
        self._mappings[name] = entries
        if plain:
            self._plain.add(name)
        return TrackedEntries(name, entries)

    def get_digest(self, read: Read) -> str:
        _, name, key = cast("tuple[str, str, Hashable]", read)
        value = self._mappings[name].get(key, _MISSING)
        return value if isinstance(value, str) else repr(value)

    def is_plain(self, read: Read) -> bool:
        return cast("tuple[str, str, Hashable]", read)[1] in self._plain


def list_facts(ruleset: Ruleset) -> dict[Hashable, str]:
    """Return everything that mentions depend on. Two rulesets with the same facts have the same mentions."""
    declared = ruleset.declarations
    facts: dict[Hashable, str] = {}
    owners: dict[str, list[str]] = {}
    for section, entry in ruleset.resolved.rules.entries.items():
        facts["section", section] = ""
        if isinstance(entry.value, MappingNode):
            for name in entry.value.entries:
                owners.setdefault(name, []).append(section)
    for name, sections in owners.items():
        facts["owners", name] = " ".join(sections)
    for declarations in DECLARED:
        for name in getattr(declared, declarations):
            facts[declarations, name] = ""
    for name, deck in declared.decks.items():
        if deck.is_owned:
            facts["decks with owners", name] = ""
    for name, table in declared.tables.items():
        facts["tables", name] = " ".join(table.columns)
        facts["rows", name] = " ".join(table.rows)
        facts["steps", name] = " ".join(table.steps)
        for key, column in table.steps.items():
            facts.setdefault(("steps column", key), name)
            facts["parameters of steps", name, key] = " ".join((column.id, *column.parameters))
    having: dict[str, list[str]] = {}
    for kind in declared.kinds.values():
        facts["kinds", kind.id] = " ".join(kind.named_fields)
        for name in kind.named_fields:
            having.setdefault(name, []).append(kind.id)
    for name, kinds in having.items():
        facts["field", name] = " ".join(kinds)
    for name, signature in declared.procedures.items():
        facts["procedures", name] = " ".join(signature.parameters)
    for name, formula in declared.formulas.items():
        facts["formulas", name] = " ".join(formula.parameters)
    return facts


class NameResolver:
    """The names that rules can refer to, by `facts`.

    Ambiguous references are resolved by `leads`, which has the ranks of sections by key, or else by the counts so far.
    """

    def __init__(
        self,
        facts: Mapping[Hashable, str],
        *,
        read: Collection[Span] = frozenset(),
        leads: Mapping[Hashable, str] | None = None,
    ) -> None:
        self._facts = facts
        self._leads = leads
        self.read = read
        """The spans of scalars with a reading, which contains their references."""
        self.counts: Leads = {}
        """The sections that unambiguous references have referred to so far."""
        self.is_ambiguous = False
        """Whether an ambiguous reference was resolved so far."""
        self.led_to: tuple[Path, ...] = ()
        """The entries that the current entry refers to, and to which its `given` belongs."""
        self.in_step = False
        """Whether the current node is inside a step."""
        self.owners: tuple[Path, ...] = ()
        """The entries that the current step refers to, and to which the names in its mappings belong."""

    def has(self, *fact: str) -> bool:
        """Return whether something is known, such as a table of a name: `has("tables", "weapons")`."""
        return fact in self._facts

    def list_words(self, *fact: str) -> list[str]:
        """Return the names that belong to a fact, such as the columns of a table. Empty if there is none."""
        return self._facts.get(fact, "").split()

    def find_steps_table(self, column: str) -> str | None:
        """Return the first table with this column of steps, or None."""
        return self._facts.get(("steps column", column))

    def resolve_reference(self, written: str, key: str, section: str) -> Path | None:
        """Return the path that a reference in a section refers to, or None.

        `key` is the key above it. If several entries have the name, the result is in the section that the key refers to
        elsewhere. Counts an unambiguous reference.
        """
        head, *rest = written.split(".")
        if rest and self.has("section", head):
            return self.resolve_within(head, rest)
        if rest and self.has("decks with owners", rest[-1]):
            # The owner is an expression, whose names have mentions of their own.
            return ("decks", rest[-1])
        owners = self.list_words("owners", head)
        if key == by_role("call").name and rest and not self.has("procedures", written):
            # The row is an expression, whose names have mentions of their own.
            having = self.find_steps_table(rest[-1])
            return ("tables", having, "columns", rest[-1]) if having is not None else None
        if not owners:
            return None
        best = owners[0]
        if len(owners) == 1:
            self.counts.setdefault(key, Counter())[best] += 1
        else:
            # If several entries have this name, choose the section that this key usually refers to.
            self.is_ambiguous = True
            leads = self._leads
            likely = read_ranks(leads.get(key, "")) if leads is not None else self.counts.get(key, Counter())
            played = is_played(section)
            best = max(owners, key=lambda each: (likely[each], each == f"{key}s", is_played(each) is played))
        if rest:
            best = next((each for each in owners if self.resolve_within(each, [head, *rest]) is not None), best)
        return self.resolve_within(best, [head, *rest])

    def resolve_within(self, section: str, parts: list[str]) -> Path | None:
        """Return the path of an entry or of a part of it, or None if the section has no such entry.

        `parts` are the name of the entry and, if any, that of the part, whose existence is not checked.
        """
        if section not in self.list_words("owners", parts[0]):
            return None
        if len(parts) == 1:
            return (section, parts[0])
        if section == "tables" and self.has("tables", parts[0]):
            is_row = parts[1] in self.list_words("rows", parts[0])
            if len(parts) > 2 and is_row and parts[2] in self.list_words("steps", parts[0]):
                return (section, parts[0], "rows", *parts[1:])
            return (section, parts[0], "rows" if is_row else "columns", parts[1])
        if section == "kinds" and self.has("kinds", parts[0]):
            is_field = parts[1] in self.list_words("kinds", parts[0])
            return (section, parts[0], "fields" if is_field else "derived", parts[1])
        declared = load_sections().get(section)
        key = next((each for each in (declared.parts if declared else ()) if each != "steps"), None)
        return (section, parts[0], *([key] if key else []), parts[1])

    def resolve_given(self, name: str, owners: Iterable[Path]) -> Path | None:
        """Return the path of a parameter of one of these procedures or formulas, or else of a deck, or None."""
        for section, owner, *_ in owners:
            if section in ("procedures", "formulas") and name in self.list_words(section, owner):
                return (section, owner, "given", name)
        return ("decks", name) if self.has("decks", name) else None

    def resolve_argument(self, name: str) -> Path | None:
        """Return the path of a key in a mapping of a step: a parameter or a field.

        None if it is unknown or ambiguous.
        """
        for section, owner, *rest in self.owners:
            if section == "procedures" and name in self.list_words(section, owner):
                return (section, owner, "given", name)
            if section == "tables" and rest:
                column, *parameters = self.list_words("parameters of steps", owner, rest[-1]) or [""]
                if name in parameters:
                    return (section, owner, "columns", column, "steps", "given", name)
            if section == "kinds" and name in self.list_words(section, owner):
                return (section, owner, "fields", name)
        owners = self.list_words("field", name)
        if len(owners) == 1:
            return ("state", name) if owners[0] == GAME_KIND else ("kinds", owners[0], "fields", name)
        return None

    def resolve_kind(self, name: str) -> Path | None:
        """Return the path of the entry that a word in a type names, such as a kind or a table, or None."""
        known = (
            section
            for section in self.list_words("owners", name)
            if section in load_sections() and load_sections()[section].types
        )
        return next(((section, name) for section in known), None)

    def resolve_placeholder(self, body: str) -> Path | None:
        """Return the path that a placeholder refers to, or None."""
        head, *rest = body.split(":")[0].strip().split(".")
        if self.has("terms", head) and (not rest or rest[0] in ("plural", "icon")):
            return ("terms", head)
        if rest and self.has("section", head):
            return self.resolve_within(head, rest)
        if rest and self.has("tables", head):
            return self.resolve_within("tables", [head, *rest])
        return None


def is_played(section: str) -> bool:
    """Return whether the entries of a section decide how the game is played."""
    return section in load_sections() and load_sections()[section].gameplay


def write_ranks(counts: Mapping[str, int]) -> str:
    """Return the rank of each count as a text, the lowest first. Equal counts have the same rank.

    Few changes of the rules change the ranks.
    """
    ranks = {number: rank for rank, number in enumerate(sorted(set(counts.values())), start=1)}
    return " ".join(f"{name} {ranks[number]}" for name, number in sorted(counts.items()))


def read_ranks(text: str) -> Counter[str]:
    """Return the ranks in a text of `write_ranks`. A missing name has the rank 0."""
    words = text.split()
    return Counter(dict(zip(words[::2], map(int, words[1::2]), strict=True)))
