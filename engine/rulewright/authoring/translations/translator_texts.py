"""The texts of a translation as a translator sees them: the original, the translation, and whether it is outdated."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from rulewright.authoring.translations.prose_lines import join_prose
from rulewright.language.schema_shapes import ListOf
from rulewright.ruleset.elaborate.node_readers import make_title
from rulewright.ruleset.schema.translation_schema import find_text_shape
from rulewright.ruleset.translation.source_texts import Path, list_source_texts
from rulewright.ruleset.translation.translation import TranslatedText, Translation, is_form
from rulewright.ruleset.translation.translation_signatures import compute_signatures, find_unit

_PARTS = frozenset(
    {"also", "if_false", "if_true", "label", "names", "noun", "one", "several", "title", "unit", "wording"}
)
"""Keys in paths that say nothing about the thing that a noun is for."""


@dataclass(frozen=True, slots=True)
class TranslatorText:
    """A text to translate. Each paragraph is on one line, and so is each item of a list.

    `translated` is empty without a translation. It `is_outdated` if its entry has changed since it was signed.
    """

    path: Path
    original: str
    translated: str
    is_outdated: bool


def list_translator_texts(translation: Translation) -> dict[str, TranslatorText]:
    """Return the texts by address, in the order of the rules.

    These are all texts of the rules, and the words that only this language has, each after the texts of its entry.
    A phrase that is one text in the translation and one for each case in the rules, or the reverse, is as translated.
    """
    originals = dict(list_source_texts(translation.original))
    for path in translation.texts:
        if path not in originals and is_form(path, translation.original):
            originals[path] = _describe_form(path, translation, originals)
    order = {unit: place for place, unit in enumerate(dict.fromkeys(path[:2] for path in originals))}
    prefixes = {path[:depth] for path in translation.texts for depth in range(1, len(path))}
    current = compute_signatures(translation)
    outdated = {name for name, signed in translation.reviewed.items() if current.get(name, signed.text) != signed.text}
    return {
        ".".join(path): TranslatorText(
            path,
            text if isinstance(find_text_shape(path), ListOf) else join_prose(text),
            join_text(translation.texts.get(path)),
            is_outdated=path in translation.texts and find_unit(path) in outdated,
        )
        for path, text in sorted(originals.items(), key=lambda each: order[each[0][:2]])
        if text and (path in translation.texts or not (path in prefixes or find_prefix(path, translation.texts)))
    }


def join_text(text: TranslatedText | None) -> str:
    """Return a translated text as a translator sees it, or empty for None."""
    if text is None:
        return ""
    if text.is_list:
        return "\n".join(re.sub(r"\s*\n\s*", " ", line.text.strip()) for line in text.lines)
    return join_prose(text.lines[0].text.strip())


def find_prefix(path: Path, texts: Collection[Path]) -> Path | None:
    """Return a path among `texts` that the given one continues, or None. Only one of the two can have a text."""
    return next((path[:depth] for depth in range(1, len(path)) if path[:depth] in texts), None)


def _describe_form(path: Path, translation: Translation, originals: dict[Path, str]) -> str:
    """Return what English has in place of a word that only the translation has."""
    declared = translation.original.declarations
    if path[0] == "terms":
        return declared.terms[path[1]].name
    parent = originals.get(path[:-1])
    return parent or make_title(next(part for part in reversed(path) if part not in _PARTS))
