"""The stored parser tables of a grammar, because lark takes longer to build them than to read most texts.

`grammar/NAME.tables.json` has the tables of `grammar/NAME.lark` and the digest of the grammar. If the grammar has
changed, they are built again, so that edits take effect at once. `python -m rulewright.base.lalr_tables` writes the
files.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulewright.base.lalr_parser import Tables
from rulewright.base.lazy import lazy_property
from rulewright.base.resources import find_resource

if TYPE_CHECKING:
    from lark import Lark
    from lark.grammar import Rule
    from lark.lexer import TerminalDef

END = "$END"


class Grammar:
    """A grammar file with its start symbols."""

    def __init__(self, name: str, *starts: str) -> None:
        self.name = name
        self._starts = starts

    @lazy_property
    def lark(self) -> Lark:
        """Lark's own parser for the grammar, which reports errors in a text."""
        from lark import Lark

        starts = list(self._starts)
        return Lark(self._text, parser="lalr", lexer="contextual", start=starts, edit_terminals=_end_keyword)

    @lazy_property
    def _text(self) -> str:
        return (find_resource("grammar") / f"{self.name}.lark").read_text(encoding="utf-8")

    @property
    def file(self) -> Path:
        """The file with the stored tables."""
        return find_resource("grammar") / f"{self.name}.tables.json"

    def load_tables(self) -> Tables:
        """Return the stored tables of the grammar, or new ones if it has changed. New ones are not stored."""
        if self.file.is_file():
            tables: Tables = json.loads(self.file.read_text(encoding="utf-8"))
            if tables["grammar"] == self._digest():
                return tables
        return self.build_tables()

    def _digest(self) -> str:
        return hashlib.sha256(self._text.encode()).hexdigest()

    def build_tables(self) -> Tables:
        """Return the tables that lark makes of the grammar. Their numbering depends only on the grammar."""
        table: Any = self.lark.parser.parser._parse_table
        rules = sorted(
            {t for actions in table.states.values() for a, t in actions.values() if not _goes_on(a)}, key=_key
        )
        waiting = [table.start_states[start] for start in self._starts]
        numbers = {state: number for number, state in enumerate(waiting)}
        for state in waiting:
            actions = table.states[state]
            for symbol in sorted(actions):
                action, target = actions[symbol]
                if _goes_on(action) and target not in numbers:
                    numbers[target] = len(numbers)
                    waiting.append(target)
        order = sorted(
            self.lark.terminals,
            key=lambda each: (-each.priority, -each.pattern.max_width, -len(each.pattern.value), each.name),
        )
        ignored = self.lark.ignore_tokens
        return {
            "grammar": self._digest(),
            "ends": {
                start: (numbers[first], numbers[table.end_states[start]]) for start, first in table.start_states.items()
            },
            "spaces": "|".join(each.pattern.to_regexp() for each in order if each.name in ignored),
            "words": [(each.name, each.pattern.to_regexp()) for each in order if each.name not in ignored],
            "rules": [_rule(rule) for rule in rules],
            "states": [
                {
                    symbol: numbers[target] if _goes_on(action) else -1 - rules.index(target)
                    for symbol, (action, target) in sorted(table.states[state].items())
                }
                for state in numbers
            ],
        }


DICE = Grammar("dice", "start")

EXPRESSIONS = Grammar("expression", "expression", "type")


def _end_keyword(word: TerminalDef) -> None:
    """Change a keyword so that it does not end within a longer word, and comes before other patterns that match it."""
    from lark.lexer import PatternRE

    if word.pattern.type == "str" and word.pattern.value.isalpha():
        word.pattern = PatternRE(f"{word.pattern.value}(?![A-Za-z_0-9])")
        word.priority += 1


def _goes_on(action: object) -> bool:
    return str(action) == "Shift"


def _key(rule: Rule) -> tuple[str, list[str]]:
    return rule.origin.name, [symbol.name for symbol in rule.expansion]


def _rule(rule: Rule) -> tuple[int, str, str | None, list[int | None] | None]:
    """Return a rule as data: its number of symbols, its name, its semantic action, and the places of the values for it.

    The action is None if a single value is passed on. The places are None if the action takes all values. A place is
    None for an optional value that is absent.
    """
    places = iter(range(len(rule.expansion)))
    empty = rule.options.empty_indices or [False] * len(rule.expansion)
    all_places = [None if absent else next(places) for absent in empty]
    chosen = [at for at in all_places if at is None or not getattr(rule.expansion[at], "filter_out", False)]
    # A rule marked with `?` passes on a single child.
    passes = rule.alias is None and rule.options.expand1 and len(chosen) == 1
    method = None if passes else rule.alias or rule.origin.name
    size = len(rule.expansion)
    return size, rule.origin.name, method, None if chosen == list(range(size)) else chosen


if __name__ == "__main__":
    for grammar in (DICE, EXPRESSIONS):
        grammar.file.write_text(json.dumps(grammar.build_tables(), indent=None), encoding="utf-8")
