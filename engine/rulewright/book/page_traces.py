"""Pages that are reused from an earlier build as long as everything that they have read is the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from rulewright.base.incremental.traces import Key, Traces
from rulewright.book.languages.original_words import Answers, track_translation
from rulewright.book.pages.change_marks import ComparedEdition, Marks
from rulewright.book.pages.source_pages import SourceLine
from rulewright.book.style.rule_locations import RuleLocations
from rulewright.ruleset.cache.tracked_ruleset import RulesetDigests, TrackedRuleset
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.translation.translation import Translation

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")


class PageTraces:
    """The traces of the pages of one book. Without `traces`, every page is made, and nothing is recorded.

    `ruleset` is the ruleset that pages must read from. It notes what they read.
    """

    def __init__(self, ruleset: Ruleset, traces: Traces | None) -> None:
        self._traces = traces if traces is not None and traces.keeps("page") else None
        self.ruleset = ruleset
        if self._traces is not None:
            self.ruleset = view = TrackedRuleset(ruleset)
            self._digests = RulesetDigests(view, self._traces)

    def track(self, name: str, entries: Mapping[K, V]) -> Mapping[K, V]:
        """Return a mapping that pages share and that notes which of its entries they read."""
        return entries if self._traces is None else self._digests.track(f"book.{name}", entries)

    def track_places(self, places: RuleLocations, prefix: str = "") -> RuleLocations:
        """Return addresses that note which of them pages read. `prefix` distinguishes several addresses."""
        return RuleLocations(
            self.track(f"{prefix}homes", places.homes),
            self.track(f"{prefix}numbers", places.numbers),
            self.track(f"{prefix}unshown", dict.fromkeys(places.unshown)),
        )

    def track_marks(self, marks: Marks) -> Marks:
        """Return marks that note what pages read of them."""
        return marks if self._traces is None else _TrackedMarks(marks, self.track)

    def fetch(self, key: Key, compute: Callable[[], T]) -> T:
        """Return the result of `compute` from an earlier build if it is valid, and otherwise compute it.

        `compute` must depend only on `key`, on `ruleset` and on what is tracked.
        """
        return compute() if self._traces is None else self._traces.fetch(key, self._digests, compute)


class TranslationTraces(PageTraces):
    """The traces of the pages of a book in another language, which must read from `translation`."""

    def __init__(self, translation: Translation, traces: Traces | None) -> None:
        super().__init__(translation.ruleset, traces)
        self.translation = translation
        if isinstance(self.ruleset, TrackedRuleset):
            self.translation = track_translation(translation, self.ruleset, self._digests)


class _TrackedMarks(Marks):
    """Marks that note what a page reads of them, each answer by its own."""

    def __init__(self, whole: Marks, track: Callable[[str, Mapping[Any, Any]], Mapping[Any, Any]]) -> None:
        super().__init__(whole.item, whole.comparisons)
        self._read = track("marks", Answers(lambda method, *given: getattr(whole, method)(*given)))

    def view(self, path: str) -> dict[str, Any] | None:
        result: dict[str, Any] | None = self._read["view", path]
        return result

    def has_changed(self, path: str) -> bool:
        result: bool = self._read["has_changed", path]
        return result

    def list_places(self, path: str) -> list[SourceLine]:
        result: list[SourceLine] = self._read["list_places", path]
        return result

    def list_news(self) -> list[tuple[str, list[dict[str, object]]]]:
        result: list[tuple[str, list[dict[str, object]]]] = self._read["list_news",]
        return result

    def list_compared(self) -> list[ComparedEdition]:
        result: list[ComparedEdition] = self._read["list_compared",]
        return result

    def describe_previous(self) -> tuple[str, str]:
        result: tuple[str, str] = self._read["describe_previous",]
        return result

    def list_other_rulesets(self) -> tuple[Ruleset, ...]:
        """Return the other rulesets. Pages must read only the names of their terms and rows."""
        self._read["list_other_names",]
        return super().list_other_rulesets()
