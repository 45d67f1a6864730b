"""A mention of a name in the rules, and all mentions in the rules of an edition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from rulewright.base.lazy import lazy_property
from rulewright.language.expressions.word_notes import ScalarReading
from rulewright.source.span import Span

Path = tuple[str, ...]
"""The path of a name, as in `why`: section, id, and the part of the entry.

The path of a name that is bound within an entry, such as by a step, is `@`, the section and id of the entry, the
position of its declaration, and the name.
"""

Form = Literal["key", "expression", "words", "reference", "type", "edition", "noun"]
"""The form of a mention: a key, an expression, a placeholder, a path, a type, an edition, or a key of `names:`."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A declaration of, or a reference to, the entry at `path`. A declaration (`declares`) belongs to its layer."""

    span: Span
    path: Path
    form: Form
    declares: bool = False
    under: str = ""
    """The key above a reference, with a leading dot if the reference includes its section."""
    sure: bool = True
    """Whether the name is unique, so that the reference is unambiguous."""


@dataclass(frozen=True, eq=False)
class Mentions:
    """All mentions in a ruleset by file, in order of files and positions. Also the readings of each file's expressions.

    If an expression was read several times, only its last reading counts.
    """

    by_file: Mapping[str, tuple[Mention, ...]]
    readings: Mapping[str, tuple[ScalarReading, ...]] = field(default_factory=dict)

    @lazy_property
    def by_path(self) -> Mapping[Path, tuple[Mention, ...]]:
        """Return the mentions of each name by its path."""
        results: dict[Path, list[Mention]] = {}
        for mentions in self.by_file.values():
            for mention in mentions:
                results.setdefault(mention.path, []).append(mention)
        return {path: tuple(each) for path, each in results.items()}

    def find_at(self, file: str, line: int, column: int) -> Mention | None:
        """Return the shortest mention at a position, counted from 1, or None.

        A position just after a mention counts.
        """
        place = (line, column)
        value = [
            each
            for each in self.by_file.get(file, ())
            if (each.span.line, each.span.column) <= place <= (each.span.end_line, each.span.end_column)
        ]
        return min(value, key=lambda each: each.span.end_column - each.span.column, default=None)
