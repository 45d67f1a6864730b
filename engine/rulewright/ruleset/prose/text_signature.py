"""Compute the signature of a text: the digest of the rules that the text depends on.

These are the rules in `explains:` (entries, or their steps, rows, columns, fields and choices). What the text shows by
placeholder, by link or below itself does not count, because it is generated and cannot be outdated. Texts and looks of
rules do not count either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulewright.language.schema_shapes import Record
from rulewright.language.triggers import TIMINGS
from rulewright.ruleset.elaborate.table_heads import find_table_head
from rulewright.ruleset.prose.explained_rules import find_rule_entry, find_steps_in, list_special_cases, step_of
from rulewright.ruleset.prose.placeholders import Placeholder, parse_parts
from rulewright.ruleset.schema.digest import compute_digest, to_plain
from rulewright.ruleset.schema.model import step_shape
from rulewright.ruleset.section import find_part, find_rule, load_sections
from rulewright.ruleset.sections.pages import Section
from rulewright.source.nodes import Node

if TYPE_CHECKING:
    from rulewright.ruleset.ruleset import Ruleset


DIGITS = 12
"""The length of a signature."""
_FIRST = "ghijklmnopqrstuv"


def compute_signature(section: Section, ruleset: Ruleset) -> str:
    """Return the signature of a section's text under the current rules."""
    return compute_reviewed_digest(
        (path.text for path in section.explains), ruleset, text_facts=collect_facts(section, ruleset)
    )


def compute_reviewed_digest(paths: Iterable[str], ruleset: Ruleset, *, text_facts: TextFacts | None = None) -> str:
    """Return the digest of the parts of these rules that a reader of the text would notice, `DIGITS` characters long.

    `text_facts` is what the reader sees besides the words, by default nothing. An exception counts with its step.
    Paths that do not exist count as empty, and the order of `paths` does not matter.
    """
    facts = _Facts(ruleset, text_facts or TextFacts())
    data = {path: facts.of(path) for path in sorted(set(paths))}
    lists = [path for path in facts.facts.lists if find_rule_entry(path, ruleset) is not None]
    return _collect_words(compute_digest([data, lists] if lists else data)[:DIGITS])


def _collect_words(hexadecimal: str) -> str:
    """Return a hexadecimal digest with its first digit replaced by a letter.

    Otherwise YAML could read digits around an `e` as a number.
    """
    return _FIRST[int(hexadecimal[0], 16)] + hexadecimal[1:]


@dataclass(frozen=True, slots=True)
class _Facts:
    """The selection of the relevant facts of a rule. `facts` is visible to the reader anyway."""

    ruleset: Ruleset
    facts: TextFacts

    def of(self, path: str) -> Any:
        """Return the relevant facts of the rule or part at `path` as plain data, or an empty list if it does not exist.

        Facts that the text shows by placeholders are left out, because their new values appear in the text.
        """
        rule, part = find_rule(path), find_part(path)
        entry = find_rule_entry(rule, self.ruleset)
        if entry is None:
            return []
        section, _, identity = rule.partition(".")
        if section == "procedures":
            return self._procedure(identity, entry.value, part)
        result = to_plain(entry.value, _shape_of(section))
        match section:
            case "numbers":
                return self._number(identity, result)
            case "tables":
                return self._table(identity, result, part)
            case "kinds":
                return _entry(result, load_sections()[section].parts, part) if part else result
            case "options":
                return self._option(rule, result, part)
            case "samples":
                return self._sample(result, part)
            case "decks":
                return {} if rule in self.facts.whole else result
        return result

    def _procedure(self, identity: str, rule: Node, part: tuple[str, ...]) -> Any:
        """Return a procedure or a step of it, with its exceptions and triggers. Empty if there is no such step."""
        special = _shape_of("exceptions")
        cases = list_special_cases(identity, self.ruleset)
        if not part:
            cases_said = [to_plain(case, special) for _, case in cases]
            return [to_plain(rule, _shape_of("procedures")), *cases_said, *self._list_triggers(identity, None)]
        step = step_of(rule, part[0]) if len(part) == 1 else None
        if step is None:
            return []
        inside = find_steps_in(step)
        cases_said = [to_plain(case, special) for to, case in cases if to in inside]
        return [to_plain(step, step_shape(step)), *cases_said, *self._list_triggers(identity, inside)]

    def _list_triggers(self, identity: str, inside: set[str] | None) -> list[Any]:
        """Return the triggers that apply in a procedure, each as its id, its timing, and its event and condition.

        `inside` has the ids of the steps to include, or is None for the whole procedure. If the procedure has the steps
        of a trigger, that trigger is then included. The steps of the triggers are covered by the texts about them, like
        those of other procedures. Empty if the procedure is unknown.
        """
        procedure = self.ruleset.procedures.get(identity)
        if procedure is None:
            return []
        result = dict.fromkeys([identity, *procedure.touched] if inside is None else ())
        for step in procedure.iterate_steps():
            if step.touched and (inside is None or step.id in inside):
                result.update(dict.fromkeys(step.touched))
        triggers = self.ruleset.declarations.triggers
        entries = ((each, find_rule_entry(f"whenever.{each}", self.ruleset)) for each in result if each in triggers)
        return [
            [each, triggers[each].timing, _select_events(to_plain(entry.value, _shape_of("whenever")))]
            for each, entry in entries
            if entry is not None
        ]

    def _number(self, identity: str, result: Any) -> Any:
        """Return the relevant facts of a number: only its type if the text shows its value."""
        number = self.ruleset.declarations.numbers.get(identity)
        return str(number.type) if number is not None and f"numbers.{identity}" in self.facts.figures else result

    def _table(self, identity: str, results: dict[str, Any], part: tuple[str, ...]) -> Any:
        """Return a table, a row, a column or a cell, without the cells that the text shows.

        Empty if there is no such part.

        The cell of a column of steps has the exceptions and triggers of these steps. Of a table that the text shows as
        a whole, only the types of its columns are returned, and whether it has a roll.
        """
        rows = dict(results.get("rows") or ())
        columns = dict(results.get("columns") or ())
        if part:
            row, column = rows.get(part[0]), columns.get(part[0])
            if row is not None and len(part) > 1 and f"{identity}.{part[0]}.{part[1]}" in self.ruleset.procedures:
                return self._steps_of_row(f"{identity}.{part[0]}.{part[1]}", [row.get(part[1]), columns[part[1]]])
            if row is not None:
                return self._row(identity, part[0], row) if len(part) == 1 else row.get(part[1])
            return [column, [[name, cells.get(part[0])] for name, cells in rows.items()]] if column else []
        if f"tables.{identity}" in self.facts.whole:
            return [bool(results.get("roll")), sorted(columns.items())]
        return {**results, "rows": [[name, self._row(identity, name, row)] for name, row in rows.items()]}

    def _steps_of_row(self, identity: str, steps: list[Any]) -> list[Any]:
        """Return the steps of a row, which include the form of their column, with their exceptions and triggers."""
        cases = [to_plain(case, _shape_of("exceptions")) for _, case in list_special_cases(identity, self.ruleset)]
        return [*steps, *cases, *self._list_triggers(identity, None)]

    def _row(self, identity: str, name: str, row: dict[str, Any]) -> dict[str, Any]:
        prefix = f"tables.{identity}.{name}."
        return {key: cell for key, cell in row.items() if prefix + key not in self.facts.figures}

    def _option(self, rule: str, results: dict[str, Any], part: tuple[str, ...]) -> Any:
        """Return a setting, without its choices if the text shows them. Of a choice, return whether there is one."""
        choices = [name for name, _ in results.get("choices") or ()]
        if part:
            return results.get("default") if part == ("default",) else part[0] in choices
        return (
            {key: value for key, value in results.items() if key != "choices"} if rule in self.facts.whole else results
        )

    def _sample(self, results: dict[str, Any], part: tuple[str, ...]) -> Any:
        """Return the game's settings, without the seed and the bots, which are shown below the text."""
        played = {key: results.get(key) for key in load_sections()["samples"].settings}
        return played.get(part[0]) if part else played


def _select_events(results: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in results.items() if key not in TIMINGS}


def _entry(results: dict[str, Any], keys: Iterable[str], part: tuple[str, ...]) -> Any:
    value: dict[str, Any] = {}
    for key in keys:
        value.update(dict(results.get(key) or ()))
    return value.get(part[0], []) if len(part) == 1 else []


def _shape_of(section: str) -> Record:
    return load_sections()[section].entry


_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_FEWEST = 2
"""The minimum number of rows that a text must name to count as a complete list."""


@dataclass(frozen=True, slots=True)
class TextFacts:
    """The facts of the rules that a reader sees in addition to a text's own words.

    `figures` are the paths of values in placeholders (`numbers.harvest`, `tables.sizes.tree.price`), and `whole`
    those of entries that are linked or shown below (`tables.sizes`). `lists` are the tables and settings of which the
    text names every row or choice, so that another one would make it incomplete.
    """

    figures: frozenset[str] = frozenset()
    whole: frozenset[str] = frozenset()
    lists: tuple[str, ...] = ()


def collect_facts(section: Section, ruleset: Ruleset) -> TextFacts:
    """Return the facts of the rules that a section shows.

    They are those that placeholders in its title, text and notes show, the entries in its `show`, and the tables and
    settings of which the placeholders name every row or choice.
    """
    bodies = [
        part.body
        for words in (section.title, section.text, *(note.text for note in section.notes))
        for part in parse_parts(words)
        if isinstance(part, Placeholder)
    ]
    paths = [path.text for path in section.show]
    named = [name for body in bodies for name in _collect_names(body)]
    return TextFacts(
        frozenset(_collect_numbers(named, ruleset)),
        frozenset(path for path in (*named, *paths) if path.count(".") == 1),
        (
            *_list_complete_tables(named, ruleset),
            *(
                f"options.{option.id}"
                for option in ruleset.declarations.options.values()
                if _lists(named, f"options.{option.id}", option.choices)
            ),
        ),
    )


def _collect_names(body: str) -> list[str]:
    """Return the names in a placeholder or in its expression."""
    return _NAME.findall(body[1:]) if body.startswith("=") else [body.partition(":")[0].rstrip()]


def _collect_numbers(named: Iterable[str], ruleset: Ruleset) -> Iterable[str]:
    """Yield the numbers and cells among names, as paths of the rules."""
    for name in named:
        head, _, rest = name.partition(".")
        if name in ruleset.declarations.numbers:  # expressions name numbers without their section
            yield f"numbers.{name}"
        elif head == "numbers":
            yield name
        elif head in ruleset.declarations.tables and "." in rest:
            yield f"tables.{name}"


def _list_complete_tables(named: Iterable[str], ruleset: Ruleset) -> list[str]:
    """Return the paths of the tables whose rows a text names completely, in the order of the rules."""
    heads = [find_table_head(ruleset, name) for name in dict.fromkeys(name.partition(".")[0] for name in named)]
    complete = {head.id for head in heads if head is not None and _lists(named, head.id, head.rows)}
    ordered = ruleset.declarations.tables if len(complete) > 1 else complete
    return [f"tables.{table}" for table in ordered if table in complete]


def _lists(named: Iterable[str], prefix: str, names: Iterable[str]) -> bool:
    paths = {f"{prefix}.{name}" for name in names}
    return len(paths) >= _FEWEST and paths <= {".".join(name.split(".")[: prefix.count(".") + 2]) for name in named}
