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
    "When the rule changes, the text would go on saying the old figure.",
    "Use a placeholder, such as `{numbers.…}`, `{table.row.column}` or `{= expression}`.",
)
LITERAL_TERM = Code(
    "literal-term",
    "A word of the game written out",
    "An edition that renames the term would still show the old word here, and readers get no link.",
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
    "The rule it explains has changed since somebody last read the two side by side.",
    "Read the text against the rule with `check --sign`, mend it where it needs it, and sign it.",
    severity="warning",
)
TEXT_UNREVIEWED = Code(
    "text-unreviewed",
    "Text that nobody has bound to its rule",
    "A released edition promises that its text and its rules say the same.",
    "Read the text against the rules it explains with `check --sign`, and sign it.",
    severity="warning",
)
PHRASE_FORM = Code(
    "phrase-form",
    "A phrase that does not fit what it says",
    "A value is said as a noun, a truth value as two clauses: one that holds, one that fails.",
    "Write the phrase in the form the message asks for.",
)
WORDS_WANTED = Code(
    "words-wanted",
    "Words that sentences need",
    "The rulebook says every step in English; by its id alone this could only be said as a program would.",
    "Add `said:`, as the message shows.",
    severity="warning",
)
UNUSED_WORDS = Code(
    "unused-words",
    "Words for a name that is not there",
    "Under `names:` stand words for parameters, steps, choices or columns; no sentence would use these.",
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
    "A text may lead to the book's own pages and rules, and elsewhere by `https:`; anything else is no link.",
    "Name a page (`pages.battle`), a section (`pages.battle.siege`) or a rule, or write an `https://` address.",
)
PLACEHOLDER_IN_WORD = Code(
    "placeholder-in-word",
    "A word of the game with a placeholder in it",
    "Placeholders are filled in with these words; in them nothing is filled in, so that readers would see the braces.",
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
    "They say what a layer below says by a rule, and this layer says it by another: readers would be told the old one.",
    "Say the words anew beside it; if they are still true, say them again as they are.",
    severity="warning",
)
