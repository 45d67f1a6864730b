"""Differences between two rulesets in sentences a player understands, with the odds that moved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from rulewright.book.describe import describer
from rulewright.dice.bounds import mean
from rulewright.dice.distribution import distribution
from rulewright.dice.text import text
from rulewright.dice.tree import Roll
from rulewright.language.declarations import Table
from rulewright.play.names import Names
from rulewright.ruleset.difference import Difference, differences, renamed_terms
from rulewright.ruleset.elaborate.tables import said
from rulewright.ruleset.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one rule: its `section` and id, its title, and a sentence for each difference.

    `what` is `added`, `removed`, `changed` or `renamed`; `words` says that the game plays as before.
    """

    section: str
    id: str
    title: str
    what: str
    sentences: tuple[str, ...]
    words: bool


def changes(before: Ruleset, after: Ruleset) -> list[Change]:
    """The changes from `before` to `after`, rule by rule, in the order of the sections."""
    grouped: dict[tuple[str, str], list[Difference]] = {}
    for difference in differences(before, after):
        grouped.setdefault(difference.rule, []).append(difference)
    renamed = renamed_terms(before, after)
    writer = _Writer(before, after)
    found = []
    for (section, identity), group in grouped.items():
        if section == "terms" and identity in renamed:
            old, new = renamed[identity]
            found.append(Change(section, identity, new, "renamed", (f"{old} is now called {new}.",), True))
            continue
        whole = next((d for d in group if len(d.path) == 2), None)
        what = whole.what if whole is not None and whole.what in ("added", "removed") else "changed"
        title = writer.title(section, identity, before if what == "removed" else after)
        sentences = tuple(dict.fromkeys(writer.sentences(section, identity, what, group)))
        found.append(Change(section, identity, title, what, sentences, all(d.words for d in group)))
    return found


class _Writer:
    """Writes the sentences of one comparison."""

    def __init__(self, before: Ruleset, after: Ruleset) -> None:
        self.before = before
        self.after = after
        self.names = Names(after)
        self.describe = {"removed": describer(before), "added": describer(after), "changed": describer(after)}

    def title(self, section: str, identity: str, ruleset: Ruleset) -> str:
        """What readers call a rule."""
        declared, names = ruleset.declarations, Names(ruleset)
        match section:
            case "tables" if identity in declared.tables:
                return names.words(declared.tables[identity].title)
            case "procedures" if identity in ruleset.procedures:
                return names.procedure(identity)
            case "terms" if identity in declared.terms:
                return declared.terms[identity].name
            case "options" if identity in declared.options:
                return names.words(declared.options[identity].title)
            case "examples" if identity in ruleset.examples:
                return names.words(ruleset.examples[identity].title)
        return identity.replace("_", " ").capitalize()

    def sentences(self, section: str, identity: str, what: str, group: list[Difference]) -> Iterator[str]:
        """A sentence for each difference of one rule."""
        if what in ("added", "removed"):
            yield from self._whole(section, identity, what)
            return
        if section == "tables":
            before, after = self.before.declarations.tables[identity], self.after.declarations.tables[identity]
            yield from self._rows(before, after)
        for difference in group:
            if section == "tables" and "rows" in difference.path:
                continue
            yield self._leaf(section, identity, difference)

    def _whole(self, section: str, identity: str, what: str) -> Iterator[str]:
        if section in ("procedures", "tables", "numbers", "options", "formulas", "decks", "kinds"):
            yield self.describe[what](f"{section}.{identity}")

    def _rows(self, before: Table, after: Table) -> Iterator[str]:
        for row in after.rows.values():
            title = self.names.words(row.title)
            old = before.rows.get(row.id)
            if old is None:
                yield f"{title} is new: {self._cells(after, row.id)}."
                continue
            if old.faces != row.faces and before.roll is not None and after.roll is not None:
                yield (
                    f"{title} on {_faces(after, row.id)} instead of {_faces(before, row.id)}: "
                    f"{_percent(_chance(before, row.id))} → {_percent(_chance(after, row.id))}."
                )
            for column in after.columns:
                was, now = old.cells.get(column), row.cells.get(column)
                if column in before.columns and was != now:
                    said_before, said_after = self._value(was), self._value(now)
                    yield f"{title}, {column.replace('_', ' ')}: {said_after} instead of {said_before}."
        for row in before.rows.values():
            if row.id not in after.rows:
                yield f"{Names(self.before).words(row.title)} is gone."

    def _cells(self, table: Table, row: str) -> str:
        parts = [f"on {_faces(table, row)}, {_percent(_chance(table, row))}"] if table.rows[row].faces else []
        cells = table.rows[row].cells.items()
        parts += [f"{column.replace('_', ' ')} {self._value(value)}" for column, value in cells if value is not None]
        return ", ".join(parts) or "nothing more"

    def _value(self, value: object) -> str:
        if isinstance(value, Roll):
            return f"{text(value)} (mean {_decimal(mean(value))})"
        if isinstance(value, tuple):
            return ", ".join(self._value(item) for item in value) or "nothing"
        return "none" if value is None else str(value).replace("_", " ")

    def _leaf(self, section: str, identity: str, difference: Difference) -> str:
        place = ".".join(part for part in difference.path[2:] if part not in ("steps", "is"))
        where = f"{place}: " if place else ""
        match difference.what:
            case "added":
                return f"{where}new: {difference.after}."
            case "removed":
                return f"{where}gone, which was: {difference.before}."
            case "moved":
                return f"{where}another order: {difference.after}."
        if section == "numbers" and not difference.words:
            before, after = self.before.declarations.numbers[identity], self.after.declarations.numbers[identity]
            return f"{self._value(after.value)} instead of {self._value(before.value)}."
        return f"{where}{difference.after} instead of {difference.before}."


def _faces(table: Table, row: str) -> str:
    assert table.roll is not None
    return said(table.rows[row].faces, tuple(distribution(table.roll).outcomes))


def _chance(table: Table, row: str) -> Fraction:
    assert table.roll is not None
    odds = distribution(table.roll)
    return sum((odds.probability(face) for face in table.rows[row].faces), Fraction(0))


def _percent(chance: Fraction) -> str:
    return f"{_decimal(chance * 100)} %"


def _decimal(value: Fraction) -> str:
    return f"{float(value):.2f}".rstrip("0").rstrip(".")
