"""What a text is signed with: the digest of all that a reader of it would notice if it changed.

That is what the text is about, as `explains:` says (whole rules, or steps, rows, columns, fields and choices of one),
without what it shows by placeholder, link or below itself. Words and looks of rules count for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulewright.language.shape import Record
from rulewright.ruleset.digest import digest, plain
from rulewright.ruleset.schema.model import step_shape
from rulewright.ruleset.section import part_of, rule_of, sections
from rulewright.ruleset.sections.pages import Section
from rulewright.ruleset.words.explained import rule_entry, special_cases, step_of, steps_in
from rulewright.ruleset.words.noticed import Noticed, noticed
from rulewright.source.nodes import Node

if TYPE_CHECKING:
    from rulewright.ruleset.ruleset import Ruleset

DIGITS = 12
"""Characters that a text is signed with."""
_FIRST = "ghijklmnopqrstuv"


def signature(section: Section, ruleset: Ruleset) -> str:
    """What the text of a section is to be signed with, under these rules."""
    return reviewed_digest((path.text for path in section.explains), ruleset, shown=noticed(section, ruleset))


def reviewed_digest(paths: Iterable[str], ruleset: Ruleset, *, shown: Noticed | None = None) -> str:
    """The digest of these rules and parts of rules, as far as a reader notices them.

    `shown` is what a reader sees of them beside the words. Special cases count with the step they are an exception to.
    """
    facts = _Facts(ruleset, shown or Noticed())
    data = {path: facts.of(path) for path in sorted(set(paths))}
    lists = [path for path in facts.shown.lists if rule_entry(path, ruleset) is not None]
    return _written(digest([data, lists] if lists else data)[:DIGITS])


def _written(hexadecimal: str) -> str:
    """A digest that begins with a letter no digit of it has: as YAML, digits around one `e` would be a number."""
    return _FIRST[int(hexadecimal[0], 16)] + hexadecimal[1:]


@dataclass(frozen=True, slots=True)
class _Facts:
    """Says what counts of a rule. `shown` is what stands beside the text anyhow."""

    ruleset: Ruleset
    shown: Noticed

    def of(self, path: str) -> Any:
        """What counts of the rule or part at `path`; nothing, where there is no such thing."""
        rule, part = rule_of(path), part_of(path)
        entry = rule_entry(rule, self.ruleset)
        if entry is None:
            return []
        section, _, identity = rule.partition(".")
        if section == "procedures":
            return self._procedure(identity, entry.value, part)
        found = plain(entry.value, _shape_of(section))
        match section:
            case "numbers":
                return self._number(identity, found)
            case "tables":
                return self._table(identity, found, part)
            case "kinds":
                return _entry(found, sections()[section].parts, part) if part else found
            case "options":
                return self._option(rule, found, part)
            case "decks":
                return {} if rule in self.shown.whole else found
        return found

    def _procedure(self, identity: str, rule: Node, part: tuple[str, ...]) -> Any:
        special = _shape_of("exceptions")
        cases = special_cases(identity, self.ruleset)
        if not part:
            return [plain(rule, _shape_of("procedures")), *(plain(case, special) for _, case in cases)]
        step = step_of(rule, part[0]) if len(part) == 1 else None
        if step is None:
            return []
        inside = steps_in(step)
        return [plain(step, step_shape()), *(plain(case, special) for to, case in cases if to in inside)]

    def _number(self, identity: str, found: Any) -> Any:
        """A figure that is shown counts by its type alone: one that becomes a roll reads otherwise."""
        number = self.ruleset.declarations.numbers.get(identity)
        return str(number.type) if number is not None and f"numbers.{identity}" in self.shown.figures else found

    def _table(self, identity: str, found: dict[str, Any], part: tuple[str, ...]) -> Any:
        rows = dict(found.get("rows") or ())
        columns = dict(found.get("columns") or ())
        if part:
            row, column = rows.get(part[0]), columns.get(part[0])
            if row is not None:
                return self._row(identity, part[0], row) if len(part) == 1 else row.get(part[1])
            return [column, [[name, cells.get(part[0])] for name, cells in rows.items()]] if column else []
        if f"tables.{identity}" in self.shown.whole:
            return [bool(found.get("roll")), sorted(columns.items())]
        return {**found, "rows": [[name, self._row(identity, name, row)] for name, row in rows.items()]}

    def _row(self, identity: str, name: str, row: dict[str, Any]) -> dict[str, Any]:
        prefix = f"tables.{identity}.{name}."
        return {key: cell for key, cell in row.items() if prefix + key not in self.shown.figures}

    def _option(self, rule: str, found: dict[str, Any], part: tuple[str, ...]) -> Any:
        choices = [name for name, _ in found.get("choices") or ()]
        if part:
            return found.get("default") if part == ("default",) else part[0] in choices
        return {key: value for key, value in found.items() if key != "choices"} if rule in self.shown.whole else found


def _entry(found: dict[str, Any], keys: Iterable[str], part: tuple[str, ...]) -> Any:
    held: dict[str, Any] = {}
    for key in keys:
        held.update(dict(found.get(key) or ()))
    return held.get(part[0], []) if len(part) == 1 else []


def _shape_of(section: str) -> Record:
    return sections()[section].entry
