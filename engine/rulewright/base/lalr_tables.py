"""The stored parser tables that lark builds from the dice grammar, because building them takes longer than any roll.

`grammar/dice.tables.json` has the tables and the digest of their grammar. If the grammar has changed, they are built
again, so that edits take effect at once. `python -m rulewright.base.lalr_tables` writes the file.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from rulewright.base.lalr_parser import Tables
from rulewright.base.lazy import compute_once
from rulewright.base.resources import find_resource

if TYPE_CHECKING:
    from lark import Lark
    from lark.grammar import Rule

START, END = "start", "$END"


def _grammar() -> str:
    return (find_resource("grammar") / "dice.lark").read_text(encoding="utf-8")


@compute_once
def build_parser() -> Lark:
    """Return lark's own parser for the grammar, which reports errors in a text."""
    from lark import Lark

    return Lark(_grammar(), parser="lalr", lexer="contextual")


def load_tables() -> Tables:
    """Return the stored tables of the grammar, or new ones if it has changed. New ones are not stored."""
    saved = find_resource("grammar") / "dice.tables.json"
    if saved.is_file():
        tables: Tables = json.loads(saved.read_text(encoding="utf-8"))
        if tables["grammar"] == _digest():
            return tables
    return build_tables()


def _digest() -> str:
    return hashlib.sha256(_grammar().encode()).hexdigest()


def build_tables() -> Tables:
    """Return the tables that lark makes of the grammar. Their numbering depends only on the grammar."""
    lark = build_parser()
    table: Any = lark.parser.parser._parse_table
    order = sorted(
        lark.terminals, key=lambda each: (-each.priority, -each.pattern.max_width, -len(each.pattern.value), each.name)
    )
    rules = sorted({t for actions in table.states.values() for a, t in actions.values() if not _goes_on(a)}, key=_key)
    first = table.start_states[START]
    numbers = {first: 0}
    for state in (waiting := [first]):
        actions = table.states[state]
        for symbol in sorted(actions):
            action, target = actions[symbol]
            if _goes_on(action) and target not in numbers:
                numbers[target] = len(numbers)
                waiting.append(target)
    return {
        "grammar": _digest(),
        "start": 0,
        "last": numbers[table.end_states[START]],
        "words": [(each.name, each.pattern.to_regexp()) for each in order if each.name not in lark.ignore_tokens],
        "rules": [_rule(rule) for rule in rules],
        "states": [
            {
                symbol: numbers[target] if _goes_on(action) else -1 - rules.index(target)
                for symbol, (action, target) in sorted(table.states[state].items())
            }
            for state in numbers
        ],
    }


def _goes_on(action: object) -> bool:
    return str(action) == "Shift"


def _key(rule: Rule) -> tuple[str, list[str]]:
    return rule.origin.name, [symbol.name for symbol in rule.expansion]


def _rule(rule: Rule) -> tuple[int, str, str | None, list[int] | None]:
    """Return a rule as data: its number of symbols, its name, its semantic action, and the places of the values for it.

    The action is None if a single value is passed on, and the places are None if the action takes all values.
    """
    size = len(rule.expansion)
    chosen = [at for at, symbol in enumerate(rule.expansion) if not getattr(symbol, "filter_out", False)]
    # A rule marked with `?` passes on a single child.
    passes = rule.alias is None and rule.options.expand1 and len(chosen) == 1
    method = None if passes else rule.alias or rule.origin.name
    return size, rule.origin.name, method, None if len(chosen) == size else chosen


if __name__ == "__main__":
    (find_resource("grammar") / "dice.tables.json").write_text(
        json.dumps(build_tables(), indent=None), encoding="utf-8"
    )
