"""The states of an edition in an editor: what a check has found, and what requests are answered from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar, overload

from rulewright.base.incremental.traces import Traces
from rulewright.base.lazy import lazy_property
from rulewright.language.expressions.word_notes import Readings
from rulewright.lsp.features.expected_type import Keys, by_keys
from rulewright.lsp.features.mentions.collect_mentions import collect_mentions
from rulewright.lsp.features.mentions.mention import Mentions
from rulewright.ruleset.editions.edition import Edition
from rulewright.ruleset.queries.search_words import SearchWords, read_search_words
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.testing.edition_check import EditionCheck

if TYPE_CHECKING:
    from rulewright.book.style.text_style import Style

T = TypeVar("T")

Key = tuple[object, ...]
"""The key of a check: each folder it reads, with its change counters."""


@dataclass(frozen=True, slots=True, eq=False)
class EditionState:
    """The state of an edition with its diagnostics, complete if `whole` and otherwise so far."""

    key: Key
    checked: EditionCheck
    whole: bool


class lazy_in_turn(lazy_property[T]):  # noqa: N801 (used like `lazy_property`)
    """A lazy property of an object with a `turn`, which is taken first.

    A thread that has its turn may wait for the value, so a thread that makes the value must not wait for its turn.
    """

    @overload
    def __get__(self, instance: None, owner: type) -> lazy_property[T]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: Any, owner: type) -> lazy_property[T] | T:
        if instance is None:
            return self
        with instance.turn:
            value: T = super().__get__(instance, owner)
        return value


@dataclass(frozen=True, eq=False)
class Good:
    """The last usable state of an edition.

    It has the ruleset, the readings of its expressions, and for each file its key and text. `traces` and `turn` are
    those of the workspace.
    """

    edition: Edition
    ruleset: Ruleset
    readings: Readings
    texts_by_file: Mapping[MappingNode, tuple[str, str]]
    traces: Traces
    turn: AbstractContextManager[Any]

    @lazy_property
    def texts(self) -> Mapping[str, str]:
        """Return the texts that the files had, by `build_file_key`."""
        return dict(self.texts_by_file.values())

    @lazy_in_turn
    def mentions(self) -> Mentions:
        """Return the mentions of names in the rules."""
        texts = {file.span.file: text for file, (_, text) in self.texts_by_file.items()}
        return collect_mentions(self.ruleset, self.readings, texts, self.traces)

    @lazy_property
    def _style(self) -> Style:
        from rulewright.book.style.text_style import Style

        return Style(self.ruleset)

    def as_read(self, words: str) -> str:
        """Return a text of the rules on one line, with its placeholders filled in."""
        if "{" not in words:
            return words
        from rulewright.book.style.fill_placeholders import fill

        return " ".join(fill(words, self._style).split())

    @lazy_in_turn
    def search_words(self) -> Mapping[tuple[str, ...], SearchWords]:
        """Return the words of all declared entries, by path."""
        rules = self.ruleset.resolved.rules
        return {path: read_search_words(rules, path, self.as_read) for path in self.mentions.by_path}

    @lazy_property
    def keys(self) -> Keys:
        """Return the types of expressions under each key."""
        return by_keys(self.ruleset.resolved.layers, self.readings)

    @lazy_property
    def files(self) -> Mapping[str, str]:
        """Return the names of the edition's files in spans, by `build_file_key`."""
        return {key: file.span.file for file, (key, _) in self.texts_by_file.items()}


@dataclass(frozen=True, slots=True, eq=False)
class EditionStanding:
    """The last valid state of an edition, or None if there was none.

    `current` says whether it is the current state. `errors` are the current errors otherwise.
    """

    sound: Good | None
    current: bool
    errors: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class WorkspaceReport:
    """The diagnostics of each file, by its name in diagnostics. `whole` is true if no checks remain.

    `editions` are the ids of the editions that have a problem. A problem that no edition has is not among them.
    """

    diagnostics: Mapping[str, Sequence[Diagnostic]]
    whole: bool
    editions: Mapping[Diagnostic, Sequence[str]] = field(default_factory=dict)
