"""What a text shows of the rules without saying it: by placeholder, by a link, or by what stands below it.

What is shown is worked out anew whenever the book is, so it cannot go stale in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulewright.ruleset.sections.pages import Section
from rulewright.ruleset.words.placeholders import Placeholder, parts

if TYPE_CHECKING:
    from rulewright.ruleset.ruleset import Ruleset

_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_FEWEST = 2
"""Named by a text, so many of a table's rows are a list of them; one alone is an example."""


@dataclass(frozen=True, slots=True)
class Noticed:
    """What a reader sees of the rules beside a text's own words.

    `figures` are the paths of values that stand in it by placeholder (`numbers.harvest`, `tables.sizes.tree.price`),
    `whole` those of rules that a reader is led to or finds below (`tables.sizes`), and `lists` those of the tables and
    settings of which the text names every row or choice: it would no longer do so if there were another.
    """

    figures: frozenset[str] = frozenset()
    whole: frozenset[str] = frozenset()
    lists: tuple[str, ...] = ()


def noticed(section: Section, ruleset: Ruleset) -> Noticed:
    """What the text of a section and its notes show."""
    bodies = [
        part.body
        for words in (section.title, section.text, *(note.text for note in section.notes))
        for part in parts(words)
        if isinstance(part, Placeholder)
    ]
    shown = [path.text for path in section.show]
    named = [name for body in bodies for name in _named(body)]
    tables = ruleset.declarations.tables
    return Noticed(
        frozenset(_figures(named, ruleset)),
        frozenset(path for path in (*named, *shown) if path.count(".") == 1),
        (
            *(f"tables.{table.id}" for table in tables.values() if _lists(named, table.id, table.rows)),
            *(
                f"options.{option.id}"
                for option in ruleset.declarations.options.values()
                if _lists(named, f"options.{option.id}", option.choices)
            ),
        ),
    )


def _named(body: str) -> list[str]:
    """The names in a placeholder: itself, or each name of its expression."""
    return _NAME.findall(body[1:]) if body.startswith("=") else [body.partition(":")[0].rstrip()]


def _figures(named: Iterable[str], ruleset: Ruleset) -> Iterable[str]:
    for name in named:
        head, _, rest = name.partition(".")
        if name in ruleset.declarations.numbers:  # inside an expression a number goes by its id
            yield f"numbers.{name}"
        elif head == "numbers":
            yield name
        elif head in ruleset.declarations.tables and "." in rest:
            yield f"tables.{name}"


def _lists(named: Iterable[str], prefix: str, known: Iterable[str]) -> bool:
    wanted = {f"{prefix}.{name}" for name in known}
    return len(wanted) >= _FEWEST and wanted <= {".".join(name.split(".")[: prefix.count(".") + 2]) for name in named}
