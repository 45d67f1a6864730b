"""Codes of diagnostics about translations."""

from __future__ import annotations

from rulewright.source.diagnostics.diagnostic import Code

UNKNOWN_LANGUAGE = Code(
    "unknown-language",
    "A language that the book does not speak",
    "A page is shown in a language only as a whole, headings and buttons among it, and the book has none in this one.",
    "Add the language to `docs_templates/languages/`, or call the file by the tag of one that is there.",
)
TRANSLATION_OF_NOTHING = Code(
    "translation-of-nothing",
    "A translation of something that does not exist",
    "A translation file repeats the structure of the rules, and the rules have no text here.",
    "Check the spelling, or leave it out.",
)
TRANSLATION_OUTDATED = Code(
    "translation-outdated",
    "A translation of words that have changed",
    "Readers of the other language would see the old rule.",
    "Compare it with the current words, correct it if needed, and sign it with `check --sign`.",
    severity="warning",
)
UNTRANSLATED = Code(
    "untranslated",
    "A text that is missing in another language",
    "The edition promises (`complete:`) that all of this is there.",
    "Translate it, or take back the promise.",
    severity="warning",
)
