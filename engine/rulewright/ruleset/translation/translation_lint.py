"""Check the translations of an edition, and measure how much is translated."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path as File

from rulewright.base.incremental.traces import NoTraces, Traces
from rulewright.ruleset.cache.clean_checks import CleanChecks
from rulewright.ruleset.layers.resolve_layers import lay
from rulewright.ruleset.prose.book_language import PLANNER, WORDS, list_missing_messages
from rulewright.ruleset.prose.explained_rules import list_internal_rules
from rulewright.ruleset.prose.prose_lint import lint_words
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.translation.source_texts import Path, list_source_texts
from rulewright.ruleset.translation.translation import TranslatedText, Translation, is_form, read_translations
from rulewright.ruleset.translation.translation_diagnostics import (
    TRANSLATION_OF_NOTHING,
    TRANSLATION_OUTDATED,
    UNFINISHED_LANGUAGE,
    UNTRANSLATED,
)
from rulewright.ruleset.translation.translation_signatures import compute_signatures, list_unsigned
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping
from rulewright.source.span import Span

MOST = 20
"""The maximum number of missing texts listed for each promise; further ones are only counted."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many of an edition's texts are translated into a language, and how many entries are not signed."""

    language: str
    translations: int
    texts: int
    unsigned: int

    def __str__(self) -> str:
        signed = f", {self.unsigned} entries not signed" if self.unsigned else ""
        return f"in {self.language}: {self.translations:,} of {self.texts:,} texts{signed}"


def measure_coverage(ruleset: Ruleset) -> list[Coverage]:
    """Return the coverage of each language for which the edition has a file. Languages with errors are left out.

    Reads the files in every call. Nothing is reported.
    """
    there = list_source_texts(ruleset)
    return [
        Coverage(
            each.language.english, sum(path in each.texts for path in there), len(there), len(list(list_unsigned(each)))
        )
        for each in read_translations(ruleset, Diagnostics())
    ]


def lint_translations(ruleset: Ruleset, diagnostics: Diagnostics, *, traces: Traces | None = None) -> list[Translation]:
    """Check the edition's translations in every language for which it has a file, and return them.

    Adds errors to `diagnostics`.

    Reads the files, and builds the ruleset again in each language. `traces` has the texts that are known to be good.
    """
    translations = read_translations(ruleset, diagnostics)
    for translation in translations:
        _lint_language(translation, diagnostics)
        _lint_places(translation, diagnostics)
        _lint_words(translation, diagnostics, NoTraces() if traces is None else traces)
        _lint_signatures(translation, diagnostics)
        _lint_promises(translation, diagnostics)
    return translations


def open_checks(translation: Translation, traces: Traces) -> CleanChecks:
    """Return the checks of a translated ruleset, the same ones for the same traces. Builds the ruleset on first use."""
    return translation.get_or_make(_make_checks, traces)


def _make_checks(translation: Translation, traces: Traces) -> CleanChecks:
    return CleanChecks(translation.ruleset, traces)


def _lint_language(translation: Translation, diagnostics: Diagnostics) -> None:
    """Report what the folder of the language lacks, at the edition's file."""
    language = translation.language
    span = translation.files[-1].node.span
    if language.lacking:
        keys = ", ".join(f"`{key}`" for key in language.lacking)
        diagnostics.add(UNFINISHED_LANGUAGE, f"`languages/{language.tag}/{WORDS}` lacks {keys}", span)
    missing = list_missing_messages(language)
    if missing:
        first = ", ".join(f"“{text}”" for text in missing[:3])
        message = f"`messages` of `languages/{language.tag}/{WORDS}` lacks {len(missing)} texts, such as {first}"
        diagnostics.add(UNFINISHED_LANGUAGE, message, span)
    if not language.has_planner:
        message = f"`languages/{language.tag}/` has no `{PLANNER}`, so its book has no sentences for steps and examples"
        diagnostics.add(UNFINISHED_LANGUAGE, message, span)


def _lint_places(translation: Translation, diagnostics: Diagnostics) -> None:
    """Report translations of texts that do not exist to `diagnostics`.

    Those of a lower layer are skipped if that layer has the entry.
    """
    there = list_source_texts(translation.original)
    for path, text in translation.texts.items():
        if path in there or is_form(path, translation.original) or _was_there(path, text, translation):
            continue
        place = next(depth for depth in range(1, len(path) + 1) if not _is_known(path[:depth], there))
        near = {known[place - 1] for known in there if known[: place - 1] == path[: place - 1] and len(known) >= place}
        key = _key(text, path[:place])
        message = f"the rules have no text at `{'.'.join(path[:place])}`"
        diagnostics.add(TRANSLATION_OF_NOTHING, message, key, suggestion=suggest_name(path[place - 1], near))


def _is_known(path: Path, there: Collection[Path]) -> bool:
    return any(known[: len(path)] == path for known in there)


def _was_there(path: Path, text: TranslatedText, translation: Translation) -> bool:
    """Return whether the lower layer that has this translation has the entry, which the edition removed or left out.

    Always false for the top layer. Merges the layers again up to that one.
    """
    layers = translation.original.resolved.layers
    place = layers.index(text.file.layer)
    if place == len(layers) - 1:
        return False
    node: object = lay(layers[: place + 1], Diagnostics()).rules
    for key in path[:-1]:
        node = node.get(key) if isinstance(node, Mapping) else None
    return isinstance(node, Mapping)


def _key(text: TranslatedText, path: Path) -> Span:
    node: object = text.file.node
    for key in path[:-1]:
        node = node.get(key) if isinstance(node, Mapping) else None
    return node.entries[path[-1]].key.span if isinstance(node, Mapping) else text.span


def _lint_words(translation: Translation, diagnostics: Diagnostics, traces: Traces) -> None:
    """Check placeholders, numbers, terms and markup in translated texts."""
    result = Diagnostics()
    lint_words(translation.ruleset, result, checks=open_checks(translation, traces))
    files = {File(file.path) for file in translation.files}
    diagnostics.extend(each for each in result if File(each.span.file) in files)


def _lint_signatures(translation: Translation, diagnostics: Diagnostics) -> None:
    """Report entries whose original has changed since they were signed.

    Also reports signatures in the top file without a translation.
    """
    signatures = compute_signatures(translation)
    top = translation.files[-1].path
    for name, signed in translation.reviewed.items():
        if name not in signatures:
            hint = suggest_name(name, signatures) or "leave it out"
            message = f"`{name}` is signed but not translated"
            if File(signed.span.file) == top:
                diagnostics.add(TRANSLATION_OF_NOTHING, message, signed.span, suggestion=hint)
        elif signed.text != signatures[name]:
            message = f"the text of `{name}` has changed since it was translated into {translation.language.english}"
            hint = f"`check --sign {translation.original.reference} {name}` shows both and signs it"
            diagnostics.add(TRANSLATION_OUTDATED, message, signed.span, suggestion=hint)


def _lint_promises(translation: Translation, diagnostics: Diagnostics) -> None:
    """Report missing texts below the paths in `complete`, and paths that have no texts.

    Of each path, the first `MOST` missing texts are named, and the others are counted. Internal entries need none.
    """
    internal = list_internal_rules(translation.original)
    there = list_source_texts(translation.original)
    for promise in translation.complete:
        path = tuple(promise.text.split("."))
        value = [known for known in there if known[: len(path)] == path]
        if not value:
            near = {".".join(known[:depth]) for known in there for depth in (1, 2)}
            message = f"the rules have no texts in `{promise.text}`"
            hint = suggest_name(promise.text, near)
            diagnostics.add(TRANSLATION_OF_NOTHING, message, promise.span, suggestion=hint)
        needed = (known for known in value if ".".join(known[:2]) not in internal)
        missing = [known for known in needed if known not in translation.texts]
        for known in missing[:MOST]:
            message = f"`{'.'.join(known)}` is missing in {translation.language.english}: “{_begin(there[known])}”"
            diagnostics.add(UNTRANSLATED, message, promise.span)
        if len(missing) > MOST:
            message = (
                f"{len(missing) - MOST} more texts of `{promise.text}` are missing in {translation.language.english}"
            )
            diagnostics.add(UNTRANSLATED, message, promise.span)


def _begin(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:60].rpartition(' ')[0]} …"
