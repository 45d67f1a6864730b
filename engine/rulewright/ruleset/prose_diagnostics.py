"""Codes of diagnostics about prose: placeholders, markup, links, phrases and review."""

from __future__ import annotations

from rulewright.source.diagnostics.diagnostic import Code

UNKNOWN_PLACEHOLDER = Code(
    "unknown-placeholder",
    "A placeholder that means nothing",
    "Readers would find a hole in the text.",
    "Check the spelling; write `{{` and `}}` for braces as such.",
)
LITERAL_FIGURE = Code(
    "literal-figure",
    "A number or dice written into text",
    "When the rule changes, the text would still show the old number.",
    "Use a placeholder, such as `{numbers.…}`, `{table.row.column}` or `{= expression}`.",
)
LITERAL_TERM = Code(
    "literal-term",
    "A word of the game written out",
    "An edition that renames the term would still show the old word here, and readers would not get a link.",
    "Use the term's placeholder.",
    severity="warning",
)
UNKNOWN_RULE = Code(
    "unknown-rule",
    "A rule that is not there",
    "The rulebook shows and explains rules by their path, such as `procedures.battle`.",
    "Check the spelling.",
)
NOT_SHOWN = Code(
    "not-shown",
    "A rule that no page can show",
    "What is shown is printed below a text, as tables and procedures are; a rule of this sort would be missing there.",
    "Leave it out, and say it in the text.",
)
SAME_LETTER = Code(
    "same-letter",
    "Two pages with one letter",
    "A section is cited by its page's letter and its place; `M.2` would be two sections.",
    "Give one of the pages another letter.",
)
TEXT_OUTDATED = Code(
    "text-outdated",
    "Text that was written for another rule",
    "The rule has changed since the text was last compared with it.",
    "Compare the text with the rule with `check --sign`, correct it if needed, and sign it.",
    severity="warning",
)
TEXT_UNREVIEWED = Code(
    "text-unreviewed",
    "Text that is not signed",
    "A released edition promises that its text and its rules say the same.",
    "Read the text against the rules it explains with `check --sign`, and sign it.",
    severity="warning",
)
PHRASE_FORM = Code(
    "phrase-form",
    "A phrase of the wrong form",
    "A value needs a noun; a boolean needs two clauses, one for true and one for false.",
    "Write the phrase in the form the message asks for.",
)
WORDS_WANTED = Code(
    "words-wanted",
    "Words that sentences need",
    "The rulebook describes every step in English, and an id alone reads like a program.",
    "Add `said:`, as the message shows.",
    severity="warning",
)
UNUSED_WORDS = Code(
    "unused-words",
    "Words for a name that is not there",
    "`names:` takes nouns for parameters, steps, choices and columns; no sentence would use these.",
    "Check the spelling, or leave the words out.",
)
MARKUP_NOT_KEPT = Code(
    "markup-not-kept",
    "Markup that the book does not keep",
    "Text is shown as text, so that nothing in it can change a page or run in it: readers would see the marks.",
    "Write `**bold**`, `*italic*`, `` `code` ``, `[words](target)`, a list or a table, or leave the marks out.",
    severity="warning",
)
BAD_LINK = Code(
    "bad-link",
    "A link that leads nowhere",
    "A text may link to the book's own pages and rules, and elsewhere with `https:`.",
    "Name a page (`pages.battle`), a section (`pages.battle.siege`) or a rule, or write an `https://` address.",
)
PLACEHOLDER_IN_WORD = Code(
    "placeholder-in-word",
    "A word of the game with a placeholder in it",
    "Placeholders insert these words as they are, so readers would see the braces.",
    "Write the word out.",
)
ENDLESS_WORDS = Code(
    "endless-words",
    "Words that name themselves",
    "A placeholder is filled in with a title, and the title's own placeholders in their turn: this would have no end.",
    "Write one of the names out.",
)
WORDS_OUTDATED = Code(
    "words-outdated",
    "Words that were written for what was there before",
    "The inherited words describe a rule that this layer changes: readers would see the old rule.",
    "Write the words again next to the change; repeat them unchanged if they are still true.",
    severity="warning",
)
