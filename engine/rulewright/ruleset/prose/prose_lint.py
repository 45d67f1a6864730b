"""Check texts: placeholders, literal numbers and terms, and references to rules."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from rulewright.base.incremental.traces import NoTraces
from rulewright.ruleset import prose_diagnostics as codes
from rulewright.ruleset.cache.clean_checks import CleanChecks
from rulewright.ruleset.prose.allowed_markup import lint_link, lint_markup
from rulewright.ruleset.prose.book_language import find_language
from rulewright.ruleset.prose.example_numbers import lint_example_numbers
from rulewright.ruleset.prose.example_texts import lint_example_texts
from rulewright.ruleset.prose.explained_rules import (
    find_rule_entry,
    is_there,
    list_internal_rules,
    list_rule_paths,
    suggest_paths,
)
from rulewright.ruleset.prose.literal_numbers import find_numbers, list_literals
from rulewright.ruleset.prose.placeholder_meaning import Circles, Nothing, RuleLink, resolve_placeholder
from rulewright.ruleset.prose.placeholders import Placeholder, Stray, build_placeholder_edits, parse_parts
from rulewright.ruleset.prose.row_texts import list_row_texts
from rulewright.ruleset.prose.stale_texts import Describe, lint_signature
from rulewright.ruleset.prose.text_walk import WordsAt, list_entries, list_manifest_words, list_words
from rulewright.ruleset.recovery.blame import point_at_removals
from rulewright.ruleset.section import find_rule, load_sections
from rulewright.ruleset.sections.pages import Page, Section
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Edit, RelatedSpan
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping, Scalar

if TYPE_CHECKING:
    from rulewright.ruleset.ruleset import Ruleset


def lint_words(
    ruleset: Ruleset,
    diagnostics: Diagnostics,
    *,
    describe: Describe | None = None,
    checks: CleanChecks | None = None,
) -> None:
    """Check every text of the ruleset, and add errors and warnings to `diagnostics`.

    All diagnostics about names that a layer removed, also earlier ones, get the position of the removal. `describe`
    returns the current lines of a rule by its path, for diagnostics of outdated texts. It is not used if there are
    errors in markup or endless texts. `checks` skips texts that are known to be good.
    """
    checks = CleanChecks(ruleset, NoTraces()) if checks is None else checks
    before = len(diagnostics.errors)
    entries = list(list_entries(ruleset))
    checks.run(("markup",), _lint_manifest, diagnostics)
    for entry in entries:
        checks.run(("markup", *entry), partial(_lint_each, entry, _lint_form), diagnostics)
    # After an error, rules are not described, because filling in a title could recurse forever.
    describe = describe if len(diagnostics.errors) == before else None
    for entry in entries:
        checks.run(("text", *entry), partial(_lint_each, entry, _lint_text), diagnostics)
    pages = tuple(ruleset.pages.values())
    _lint_letters(pages, diagnostics)
    for page in pages:
        if page.icon is not None and page.icon.text not in ruleset.declarations.terms:
            hint = suggest_name(page.icon.text, ruleset.declarations.terms)
            message = f"there is no term `{page.icon.text}`"
            diagnostics.add(codes.UNKNOWN_RULE, message, page.icon.span, suggestion=hint)
        for section in page.sections:
            lint = partial(_lint_section, section, describe)
            checks.run(("section", section.page, section.id), lint, diagnostics)
    for text in list_row_texts(ruleset):
        lint_signature(text, ruleset, diagnostics, describe)
    lint_example_texts(ruleset, diagnostics)
    if len(diagnostics):
        point_at_removals(diagnostics, ruleset.resolved)


def _lint_manifest(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    for words in list_manifest_words(ruleset):
        _lint_form(words, ruleset, diagnostics)


def _lint_each(
    entry: tuple[str, str],
    lint: Callable[[WordsAt, Ruleset, Diagnostics], None],
    ruleset: Ruleset,
    diagnostics: Diagnostics,
) -> None:
    """Run a lint of texts for each text of an entry."""
    for words in list_words(ruleset, *entry):
        lint(words, ruleset, diagnostics)


def _lint_form(words: WordsAt, ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Check the markup of a text, and its length with placeholders filled in."""
    lint_markup(words, ruleset, diagnostics)
    ruleset.get_or_make(Circles).lint(words, diagnostics)


def _lint_text(words: WordsAt, ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Check the placeholders of a text, and its literal numbers and terms if it must have none."""
    _lint_placeholders(words, ruleset, diagnostics)
    if words.is_figureless:
        lint = lint_example_numbers if words.path[0] == "examples" else lint_numbers
        lint(words, ruleset, diagnostics)
    if words.is_prose:
        _lint_terms(words, ruleset, diagnostics)


def _lint_placeholders(words: WordsAt, ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report stray braces, invalid placeholders, and all placeholders in a text in which they are not filled in."""
    scalar = words.scalar
    for part in parse_parts(scalar.text):
        if isinstance(part, Stray):
            what = "opens a placeholder that is never closed" if part.text == "{" else "closes no open placeholder"
            hint = f"write `{part.text * 2}` for a literal brace"
            message = f"`{part.text}` {what}"
            diagnostics.add(codes.UNKNOWN_PLACEHOLDER, message, scalar.position(part.start), suggestion=hint)
        elif isinstance(part, Placeholder):
            span = scalar.position(part.start, len(part.body))
            if words.is_unfilled:
                diagnostics.add(
                    codes.PLACEHOLDER_IN_WORD, f"`{{{part.body}}}` would appear unchanged in the text", span
                )
                continue
            placeholder = resolve_placeholder(part.body, ruleset, span=span)
            if isinstance(placeholder, Nothing):
                at = scalar.position(part.start + placeholder.offset, placeholder.length)
                diagnostics.add(codes.UNKNOWN_PLACEHOLDER, placeholder.message, at, suggestion=placeholder.suggestion)
            elif isinstance(placeholder, RuleLink) and ".".join(words.path[:2]) not in list_internal_rules(ruleset):
                lint_link(f"{placeholder.section}.{placeholder.id}", span, ruleset, diagnostics)


_BEFORE_NOUN = re.compile(
    r"\b(?:an?|the|your|their|its|his|her|our|each|every|no|any|all|both|this|that|these|those|one|two|three|\d+)\s+$",
    re.IGNORECASE,
)
"""Pattern of text after which a word is a noun, and not a verb such as `retreat`."""


def _lint_terms(words: WordsAt, ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report the terms of the game that a text contains as plain words, each with the placeholder to write instead.

    A word in lower case may also be an ordinary word. It is reported only where it is surely a noun.
    """
    terms = ruleset.get_or_make(_TermWords)
    for part in list_literals(words.scalar):
        for result in terms.pattern.finditer(part.text):
            if result[0].islower() and not _BEFORE_NOUN.search(part.text, 0, result.start()):
                continue
            span = words.scalar.position(part.start + result.start(), len(result[0]))
            message = f"`{result[0]}` is a game term, but is not written as a placeholder"
            placeholder = f"{{{terms.placeholders[result[0]]}}}"
            hint = f"write `{placeholder}`"
            if result[0].islower():
                # It may be an adjective, as in "a square tile".
                hint += f", or `{{'{result[0]}'}}` if it is an ordinary word here"
            edits: tuple[Edit, ...] = ()
            if result[0] in terms.exact:
                edits = build_placeholder_edits(words.scalar, part.start + result.start(), result[0], placeholder)
            diagnostics.add(codes.LITERAL_TERM, message, span, suggestion=hint, edits=edits)


class _TermWords:
    """The names, plurals and synonyms of all terms.

    `placeholders` has the placeholder for each word, without braces. Other grammatical forms are not included. A word
    of several terms belongs to the first. `exact` are the words that their placeholder prints, and that belong to one
    term. `pattern` matches any of the words as a whole word, longest first, or nothing without terms.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.placeholders: dict[str, str] = {}
        owners: dict[str, set[str]] = {}
        printed: set[str] = set()
        for term in ruleset.declarations.terms.values():
            for word, placeholder in ((term.name, term.id), (term.plural, f"{term.id}.plural")):
                self.placeholders.setdefault(word, placeholder)
                printed.add(word)
            for word in term.also:
                self.placeholders.setdefault(word, term.id)
            for word in (term.name, term.plural, *term.also):
                owners.setdefault(word, set()).add(term.id)
        self.exact = frozenset(word for word in printed if len(owners[word]) == 1)
        either = "|".join(map(re.escape, sorted(self.placeholders, key=len, reverse=True)))
        self.pattern = re.compile(rf"(?<![\w'’-])(?:{either})(?![\w-])" if either else r"(?!)")

    @property
    def content(self) -> object:
        """The words with their placeholders, and those that their placeholders print."""
        return self.placeholders, self.exact


def _lint_letters(pages: tuple[Page, ...], diagnostics: Diagnostics) -> None:
    """Report each page with the letter of an earlier page."""
    seen: dict[str, Page] = {}
    for page in pages:
        first = seen.setdefault(page.letter, page)
        if first is not page:
            message = f"`{page.id}` has the letter {page.letter}, and so does `{first.id}`"
            related = (RelatedSpan(first.span, f"`{first.id}` is here"),)
            diagnostics.add(codes.SAME_LETTER, message, page.span, related=related)


def _lint_section(section: Section, describe: Describe | None, ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report rules that a section explains or shows, but that are unknown or that no page can show.

    If there are none, checks the signature of its text.
    """
    known = ruleset.pages[section.page] is not None
    for path in section.explains:
        if not is_there(path.text, ruleset) and not _is_outdated(path, ruleset):
            known = False
            hint = suggest_name(path.text, suggest_paths(path.text, ruleset))
            diagnostics.add(codes.UNKNOWN_RULE, f"there is no rule `{path.text}`", path.span, suggestion=hint)
    for path in section.show:
        if find_rule_entry(path.text, ruleset) is None:
            known = False
            fit = [each for each in list_rule_paths(ruleset) if load_sections()[each.partition(".")[0]].on_pages]
            hint = suggest_name(path.text, fit)
            diagnostics.add(codes.UNKNOWN_RULE, f"there is no rule `{path.text}`", path.span, suggestion=hint)
        elif not load_sections()[path.text.partition(".")[0]].on_pages:
            known = False
            message = f"no page can show `{path.text}`: it has no printable form"
            fits = ", ".join(f"`{key}`" for key, each in load_sections().items() if each.on_pages)
            hint = f"remove it, and describe it in the text; only entries of {fits} can be shown"
            diagnostics.add(codes.NOT_SHOWN, message, path.span, suggestion=hint)
        elif path.text in list_internal_rules(ruleset) and ruleset.resolved.is_own(path.span):
            message = f"`{path.text}` is internal, so the book leaves it out"
            hint = "remove it here, or remove its `internal: true`"
            diagnostics.add(codes.INTERNAL_RULE, message, path.span, suggestion=hint)
    if known and section.explains:
        lint_signature(section, ruleset, diagnostics, describe)


def _is_outdated(path: Scalar, ruleset: Ruleset) -> bool:
    """Return whether an inherited text explains a part of a rule that an upper layer removed, which is no error."""
    return not ruleset.resolved.is_own(path.span) and find_rule_entry(find_rule(path.text), ruleset) is not None


def lint_numbers(words: WordsAt, ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report every literal number in a text: an error in digits or with a named value, a warning for other words."""
    about = _about(words, ruleset)
    for number in find_numbers(words.scalar, find_language(ruleset)):
        message = f"the number `{number.written}` is typed into the text"
        known = sorted(ruleset.get_or_make(map_known_numbers).get(number.value, []), key=lambda name: name != about)
        hint = _hint(number.written, known, spelled=number.is_spelled)
        # A word such as `two` is often no number of the rules: "two equal rolls".
        code = codes.LITERAL_WORD if number.is_spelled and not known else codes.LITERAL_FIGURE
        diagnostics.add(code, message, number.span, suggestion=hint)


def _about(words: WordsAt, ruleset: Ruleset) -> str:
    """Return the path that an answer or a ruling is about, or empty for other texts."""
    entry = find_rule_entry(".".join(words.path[:2]), ruleset)
    about = entry.value.get("about") if entry is not None and isinstance(entry.value, Mapping) else None
    return about.text if isinstance(about, Scalar) else ""


def _hint(written: str, lines: list[str], *, spelled: bool) -> str:
    """Return a hint for a literal number: the placeholders in `lines`, which have its value, or how to keep it."""
    form = f":{'Words' if written[0].isupper() else 'words'}" if spelled else ""
    either = " or ".join(f"`{{{name}{form}}}`" for name in lines)
    apart = f"if it is not a number of the rules, write `{{'{written}'}}`"
    if lines:
        return f"if it is this number, write {either}; {apart}"
    return apart if spelled else f"{codes.LITERAL_FIGURE.fix.removesuffix('.')}; {apart}"


def map_known_numbers(ruleset: Ruleset) -> dict[str, list[str]]:
    """Return the placeholders of every named number, without braces, by its value in digits or dice notation."""
    from rulewright.dice.ast import Roll
    from rulewright.dice.format_notation import format_roll

    results: dict[str, list[str]] = {}
    for number in ruleset.declarations.numbers.values():
        written = format_roll(number.value) if isinstance(number.value, Roll) else str(number.value)
        results.setdefault(written, []).append(f"numbers.{number.id}")
    return results
