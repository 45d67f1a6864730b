"""What a translated book reads of the rules in English."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from functools import partial
from typing import Any, TypeVar, TypeVarTuple

from rulewright.base.incremental.reads import Memo, note_read
from rulewright.book.english.naming import Naming
from rulewright.book.style.text_style import Style
from rulewright.language.declarations import Term
from rulewright.language.types import Type
from rulewright.ruleset.cache.tracked_declarations import WHOLE, TrackedEntries
from rulewright.ruleset.cache.tracked_ruleset import RulesetDigests, TrackedRuleset
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.translation.source_texts import Path
from rulewright.ruleset.translation.translation import Translation

T = TypeVar("T")
Keys = TypeVarTuple("Keys")

_ORIGINAL = "book.original"
"""The name for reads of the original words."""

_TEXTS = "words.texts"
"""The name for reads of translated texts."""


class OriginalWords:
    """The terms and types that sentences in other languages take from the rules in English, as `Naming` has them."""

    def __init__(self, translation: Translation) -> None:
        naming = Naming(Style(translation.original))
        self._ask: Callable[..., Any] = lambda method, *given: getattr(naming, method)(*given)

    def word(self, identity: str) -> Term | None:
        """Return the term with this id, or None."""
        return self._ask("word", identity)  # type: ignore[no-any-return]

    def countable(self, identity: str) -> Term | None:
        """Return the term whose objects a number with this id counts, or None."""
        return self._ask("countable", identity)  # type: ignore[no-any-return]

    def kind_term(self, kind: str) -> Term | None:
        """Return the term for a kind, or None."""
        return self._ask("kind_term", kind)  # type: ignore[no-any-return]

    def field_type(self, kind: str, name: str) -> Type | None:
        """Return the type of a field without its optionality, or None if there is no such field."""
        return self._ask("field_type", kind, name)  # type: ignore[no-any-return]

    def is_counted(self, kind: str, name: str) -> bool:
        """Return whether a field holds the number of something."""
        return self._ask("is_counted", kind, name)  # type: ignore[no-any-return]


class Answers(Mapping[Any, Any]):
    """The result of a function for any arguments, as a mapping by the arguments. Each is computed once."""

    def __init__(self, answer: Callable[..., Any]) -> None:
        self._answer = answer
        self._known: dict[Hashable, Any] = {}

    def __getitem__(self, key: tuple[Hashable, ...]) -> Any:
        if key not in self._known:
            self._known[key] = self._answer(*key)
        return self._known[key]

    def __contains__(self, key: object) -> bool:
        return True

    def __iter__(self) -> Iterator[Any]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


class _TrackedWords(OriginalWords):
    """Words that note which of them are read."""

    def __init__(self, answers: Mapping[Any, Any]) -> None:
        self._ask = lambda *question: answers[question]


class TrackedTranslation(Translation):
    """A translation that notes what is read of it.

    `answers` are those of `OriginalWords`, and of the two methods about the original. To read the original in another
    way is to read the whole.
    """

    whole: Translation
    words: OriginalWords
    _answers: Mapping[Any, Any]
    _memo: Memo

    def __init__(
        self, whole: Translation, view: TrackedRuleset, digests: RulesetDigests, answers: Mapping[Any, Any]
    ) -> None:
        digests.track(_TEXTS, {path: [line.text for line in each.lines] for path, each in whole.texts.items()})
        values = {
            "whole": whole,
            "ruleset": view,
            "language": whole.language,
            "files": whole.files,
            "texts": TrackedEntries(_TEXTS, whole.texts),
            "reviewed": whole.reviewed,
            "complete": whole.complete,
            "words": _TrackedWords(answers),
            "_answers": answers,
            "_memo": Memo(),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def original(self) -> Ruleset:
        """The rules in English, as a read of the whole."""
        note_read(WHOLE)
        return self.whole.original

    def get_or_make(self, make: Callable[[Translation, *Keys], T], *which: *Keys) -> T:
        return self._memo.get((make, *which), lambda: make(self, *which))

    def list_paths(self) -> Collection[Path]:
        result: Collection[Path] = self._answers["list_paths",]
        return result

    def list_heading_terms(self, table: str) -> list[str]:
        result: list[str] = self._answers["list_heading_terms", table]
        return result


def track_translation(translation: Translation, view: TrackedRuleset, digests: RulesetDigests) -> TrackedTranslation:
    """Return a translation that notes what is read of it. `view` is that of its ruleset, and `digests` are the view's.

    From now on, the digests include those of the original words and of the translated texts.
    """
    words = translation.get_or_make(OriginalWords)
    answers = digests.track(_ORIGINAL, Answers(partial(_ask_original, translation, words)))
    return TrackedTranslation(translation, view, digests, answers)


def _ask_original(translation: Translation, words: OriginalWords, method: str, *given: str) -> Any:
    """Return the answer of a method of a translation or of its original words, as a value with a digest."""
    if method == "list_paths":
        return dict.fromkeys(translation.list_paths())
    return getattr(translation if method == "list_heading_terms" else words, method)(*given)


def read_original(translation: Translation) -> OriginalWords:
    """Return the words that a translated book takes from the rules in English."""
    if isinstance(translation, TrackedTranslation):
        return translation.words
    return translation.get_or_make(OriginalWords)
