"""Codes of diagnostics about translations."""

from __future__ import annotations

from rulewright.source.diagnostics.diagnostic import Code

UNKNOWN_LANGUAGE = Code(
    "unknown-language",
    "A language that the book does not support",
    "A page must be entirely in one language, but the book's own headings and buttons are not available in this one.",
    "Begin the language with a folder in `rulewright/book/languages/`, or name the file after a supported language.",
)
UNFINISHED_LANGUAGE = Code(
    "unfinished-language",
    "A language of the book that is not complete",
    "A page must be entirely in one language, so the book is not made in this one yet.",
    "Add what is missing to the folder of the language. `rulewright/book/languages/de/` shows all of it.",
    severity="warning",
)
TRANSLATION_OF_NOTHING = Code(
    "translation-of-nothing",
    "A translation of a text that does not exist",
    "A translation file has the same structure as the rules, but the rules have no text here.",
    "Check the spelling, or remove it.",
)
TRANSLATION_OUTDATED = Code(
    "translation-outdated",
    "A translation of a text that has changed",
    "Readers of the other language would see the old rule.",
    "Compare it with the current text, correct it if needed, and sign it with `check --sign`.",
    severity="warning",
)
UNTRANSLATED = Code(
    "untranslated",
    "A text that is missing in another language",
    "The edition promises a complete translation of this part (`complete:`).",
    "Translate it, or remove the part from `complete:`.",
    severity="warning",
)
