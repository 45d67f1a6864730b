"""Codes of diagnostics about prose: placeholders, markup, links, phrases and review."""

from __future__ import annotations

from rulewright.source.diagnostics.diagnostic import Code

UNKNOWN_PLACEHOLDER = Code(
    "unknown-placeholder",
    "A placeholder that means nothing",
    "The text would have a gap there.",
    "Check the spelling; write `{{` and `}}` for literal braces.",
)
LITERAL_FIGURE = Code(
    "literal-figure",
    "A number or dice written into text",
    "When the rule changes, the text would still show the old number.",
    "Use a placeholder, such as `{numbers.…}`, `{table.row.column}` or `{= expression}`.",
)
LITERAL_WORD = Code(
    "literal-word",
    "A number word in a text that no named number has as its value",
    "If the rules have this number without a name, the text would still show it after a change.",
    "Give the number a name and use its placeholder, or write the word as a literal, such as `{'two'}`.",
    severity="warning",
)
EXAMPLE_NUMBER = Code(
    "example-number",
    "A number in an example's text that the example does not have",
    "Readers compare the text with what the example shows.",
    "Write the text again so that it fits the example.",
    severity="warning",
)
LITERAL_TERM = Code(
    "literal-term",
    "A game term written as plain text instead of a placeholder",
    "An edition that renames the term would still show the old word here, and readers would not get a link.",
    "Use the term's placeholder.",
    severity="warning",
)
UNKNOWN_RULE = Code(
    "unknown-rule",
    "A rule that does not exist",
    "Pages refer to the rules that they show and explain by path, such as `procedures.battle`.",
    "Check the spelling.",
)
NOT_SHOWN = Code(
    "not-shown",
    "A rule that no page can show",
    "Rules under `show:` are printed below the text, but this kind of rule has no printable form.",
    "Remove it, and describe it in the text.",
)
INTERNAL_RULE = Code(
    "internal-rule",
    "A text that shows or links to an internal rule that no section explains",
    "The book leaves out rules with `internal: true`, so readers would get to a page for designers.",
    "Explain the rule in a section that names it under `explains:`, or leave the link out.",
    severity="warning",
)
SAME_LETTER = Code(
    "same-letter",
    "Two pages with the same letter",
    "Sections are cited by the letter of their page and their number; `M.2` would mean two sections.",
    "Give one of the pages another letter.",
)
TEXT_OUTDATED = Code(
    "text-outdated",
    "A text whose rule has changed",
    "The rule has changed since the text was last compared with it.",
    "Compare the text with the rule with `check --sign`, correct it if needed, and sign it.",
    severity="warning",
)
TEXT_UNREVIEWED = Code(
    "text-unreviewed",
    "A text that is not signed",
    "A released edition promises that its texts and its rules agree.",
    "Compare the text with the rules it explains with `check --sign`, and sign it.",
    severity="warning",
)
PHRASE_FORM = Code(
    "phrase-form",
    "A phrase in the wrong form",
    "A value needs a noun; a boolean needs two clauses, one for true and one for false.",
    "Write the phrase in the form the message asks for.",
)
WORDS_WANTED = Code(
    "words-wanted",
    "Missing words for generated sentences",
    "The rulebook describes every step in English, and an id alone reads like a program.",
    "Add `wording:`, as the message shows.",
    severity="warning",
)
UNUSED_WORDS = Code(
    "unused-words",
    "Words for a name that does not exist",
    "`names:` takes nouns for parameters, steps, choices and columns; no sentence would use these.",
    "Check the spelling, or leave the words out.",
)
MARKUP_NOT_KEPT = Code(
    "markup-not-kept",
    "Markup that the book does not support",
    "For security, only the supported markup is rendered; readers would see anything else as source text.",
    "Write `**bold**`, `*italic*`, `` `code` ``, `[words](target)`, a list or a table, or leave the marks out.",
    severity="warning",
)
BAD_LINK = Code(
    "bad-link",
    "A link that leads nowhere",
    "A text may link to pages and rules of the book, and to external `https:` addresses.",
    "Name a page (`pages.battle`), a section (`pages.battle.siege`) or a rule, or write an `https://` address.",
)
PLACEHOLDER_IN_WORD = Code(
    "placeholder-in-word",
    "A placeholder inside a text that is itself inserted",
    "Such a text is inserted unchanged, so readers would see the braces.",
    "Write the word out.",
)
ENDLESS_WORDS = Code(
    "endless-words",
    "A text that contains itself",
    "A placeholder inserts a title, and then the placeholders of that title are filled in: this would never end.",
    "Replace one of the placeholders by words.",
)
WORDS_OUTDATED = Code(
    "words-outdated",
    "Words that describe an overridden rule",
    "The inherited words describe a rule that this layer changes, so readers would see the old rule.",
    "Write the words again next to the change; repeat them unchanged if they are still correct.",
    severity="warning",
)
