"""Explanations of YAML syntax errors, which turn the parser's message into the author's most likely mistake.

Both of PyYAML's parsers fail at the same positions, but with different messages. The explanations use only the words
that both messages share, and decide by the text around the position.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from rulewright.source.diagnostics.diagnostic import Diagnostic, Edit, RelatedSpan
from rulewright.source.span import TextPlaces
from rulewright.source.yaml.character_rules import TAB
from rulewright.source.yaml.line_explanations import (
    break_line,
    explain_colon,
    explain_line_out_of_place,
    explain_missing_colon,
)
from rulewright.source.yaml.syntax_failure import (
    Change,
    SyntaxFailure,
    count_indentation,
    quote_text,
    quote_whole_value,
    shorten_text,
    verify_fix,
)
from rulewright.source.yaml.unquoted_values import Place, cut_values, cut_values_between_brackets
from rulewright.source.yaml.yaml_diagnostics import (
    EMPTY_KEY,
    MISSING_COMMA,
    RESERVED_CHARACTER,
    SYNTAX,
    TEXT_AFTER_VALUE,
    UNCLOSED_BRACKET,
    UNCLOSED_QUOTE,
    UNKNOWN_ESCAPE,
    UNQUOTED_COLON,
    UNQUOTED_PLACEHOLDER,
)

_PLACEHOLDER_BEFORE = re.compile(r"\{[^{}:,\n]*\}[ ]*$")
_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]{0,2}|u[0-9a-fA-F]{0,4}|U[0-9a-fA-F]{0,8}|[^\n])")
_BLANKS = re.compile(r"[ \t]*")
_CLOSERS = {"[": "]", "{": "}"}
_INDENTING_TABS = re.compile(r"(?m)^ *\t[ \t]*(?=\S)")
_FIRST_LINE = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*(?=[^\s#])")
"""The file as far as the first line with content, and its indentation."""
_VALUE_AND_KEY = re.compile(r"(?s)(?P<value>.*\S)\s+(?P<key>[A-Za-z_][\w.]*)\s*")
_ONE_VALUE = re.compile(r"[\w.+-]+( *[+-] *\w+)*")

_GOES_ON = re.compile(r"\w")
_CLOSED_LATER = {quote: re.compile(rf"[^\"']*{quote}\s*") for quote in "\"'"}
"""The rest of a text whose quote was closed too early."""

_IS_KEY = re.compile(r"""["']?[A-Za-z_][\w.-]*["']? *:(?!\S)""")
_IS_ITEM = re.compile(r"""("[^"]*"|'[^']*'|[^"']*|[\[{].*)\s*$""")
"""A possible item of a list in brackets."""

_APOSTROPHE = re.compile(r"(?<=\w)'(?=\w)")

_KEY_HERE = re.compile(r"[a-z_]\w*:(?=\s|$)")

MOST_TABS = 1_000
"""The maximum number of tabs that one fix replaces."""

MOST_APOSTROPHES = 5
"""The maximum number of apostrophes in one text that one fix doubles."""


def explain_tab(failure: SyntaxFailure) -> Diagnostic | None:
    """Explain a tab in the indentation of the line or at the position of the failure, or return None."""
    line = failure.places.find_line_start(failure.at)
    blanks = _BLANKS.match(failure.text, line)
    first = failure.text.find("\t", line, blanks.end() if blanks else line)
    if first >= 0:
        edits = verify_fix(failure, *_replace_tabs(failure.text))
        return failure.build_diagnostic(TAB, "a tab cannot indent a line", first, first + 1, edits=edits)
    if failure.char == "\t":
        edits = verify_fix(failure, (failure.at, failure.at + 1, " "))
        return failure.build_diagnostic(
            TAB, "a tab cannot separate two things", failure.at, failure.at + 1, edits=edits
        )
    return None


def _replace_tabs(text: str) -> Iterator[Change]:
    """Yield changes that replace each tab of an indentation with two spaces, or with none on the first line."""
    first = _FIRST_LINE.match(text)
    for match in islice(_INDENTING_TABS.finditer(text), MOST_TABS):
        start, end = match.span()
        is_first = first is not None and first.end() == end
        yield start, end, "" if is_first else match.group().replace("\t", "  ")


def explain_placeholder(failure: SyntaxFailure) -> Diagnostic | None:
    """Explain an unquoted text that begins with `{word}`, which YAML reads as a mapping, or return None."""
    place = failure.since if failure.mentions("end of stream") else failure.at
    start = failure.places.find_line_start(place)
    match = _PLACEHOLDER_BEFORE.search(failure.text[start:place])
    if match is None or not failure.text[place : place + 1].strip() or failure.text[place] in ",]}":
        return None
    whole = failure.text[start + match.start() : failure.places.find_line_end(place)]
    if failure.bracket is not None:
        whole = _cut_at_item_end(whole)
    suggestion = f"put quotes around the whole text: {quote_text(whole)}"
    word = match.group().rstrip()
    begin = start + match.start()
    message = f"a text that begins with `{shorten_text(word)}` needs quotes"
    edits = verify_fix(failure, *quote_whole_value(failure.places, begin)) if failure.bracket is None else ()
    return failure.build_diagnostic(UNQUOTED_PLACEHOLDER, message, begin, begin + len(word), suggestion, edits=edits)


def quote(failure: SyntaxFailure) -> Diagnostic | None:
    """Explain a quote without an end or an unknown escape, or return None."""
    if "quoted scalar" not in failure.context and "double-quoted" not in failure.context:
        return None
    if failure.mentions("unexpected end of stream", "unexpected document"):
        message = "the quote that opens here is never closed"
        return failure.build_diagnostic(UNCLOSED_QUOTE, message, failure.since, failure.since + 1)
    if failure.mentions("escape", "hex"):
        start = failure.text.rfind("\\", failure.since, failure.at + 1)
        return explain_escape(failure.places, start)
    return None


def explain_escape(places: TextPlaces, start: int) -> Diagnostic:
    """Return the diagnostic for an unknown escape with its backslash at `start`."""
    match = _ESCAPE.match(places.text, start)
    written = match.group() if match else "\\"
    span = places.build_span(start, start + len(written))
    return Diagnostic(UNKNOWN_ESCAPE, f"`{written}` is not an escape", span)


def explain_reserved_character(failure: SyntaxFailure) -> Diagnostic | None:
    """Explain an unquoted text that begins with a reserved character, or return None.

    If the character is part of a value such as `stock[good]` in brackets or braces, the explanation is for that value.
    """
    is_name = "anchor" in failure.context or "alias" in failure.context or "tag" in failure.context
    line = failure.places.find_line_start(failure.at)
    if failure.text[line : line + 1] == "%":
        start = line
    elif is_name:
        start = failure.since
    elif failure.mentions("cannot start any token", "keys are not allowed"):
        start = failure.at
    else:
        return None
    if (place := _explain_unquoted_value(failure)) is not None:
        return place
    whole = failure.text[start : failure.places.find_line_end(start)]
    message = f"a text that begins with {failure.text[start : start + 1]} needs quotes"
    edits = verify_fix(failure, *quote_whole_value(failure.places, start)) if failure.bracket is None else ()
    return failure.build_diagnostic(
        RESERVED_CHARACTER, message, start, start + 1, f"write {quote_text(whole)}", edits=edits
    )


def explain_bracket(failure: SyntaxFailure) -> Diagnostic | None:
    """Explain a failure inside brackets or braces, or return None for any other failure.

    The bracket may be unclosed or closed by the wrong one, or a comma, a key, an item or quotes may be missing.
    """
    is_flow = "flow" in failure.context
    opening = failure.since if is_flow and failure.text[failure.since : failure.since + 1] in _CLOSERS else None
    if opening is None:
        opening = failure.bracket if is_flow else None
    if opening is None:
        return None
    bracket = failure.text[opening]
    related = failure.build_related(opening, "opened here")
    if failure.char and failure.char in "]}" and failure.char != _CLOSERS[bracket]:
        message, closer = f"`{bracket}` cannot be closed by `{failure.char}`", _CLOSERS[bracket]
        edits = verify_fix(failure, (failure.at, failure.at, closer))
        suggestion = f"write `{closer}` before it" if edits else None
        return failure.build_diagnostic(
            UNCLOSED_BRACKET, message, failure.at, failure.at + 1, suggestion, related, edits=edits
        )
    opening_line = failure.text[failure.places.find_line_start(opening) : opening]
    is_same_line = "\n" not in failure.text[opening : failure.at]
    is_inside = is_same_line or count_indentation(failure.before + failure.char) > count_indentation(
        opening_line + bracket
    )
    if not failure.text[failure.at :].strip() or not is_inside:
        message = f"the `{bracket}` that opens here is never closed"
        comment = _find_comment_start(failure.text, opening, _CLOSERS[bracket])
        if comment is not None:
            advice = "put quotes around the text that contains the `#`, or move the comment after the bracket"
            note = failure.build_related(comment, f"a comment begins here, and the `{_CLOSERS[bracket]}` is part of it")
            return failure.build_diagnostic(UNCLOSED_BRACKET, message, opening, opening + 1, advice, note)
        ending = (
            () if not failure.char.strip() else (failure.build_related(failure.at, "the text was read up to here"),)
        )
        suggestion, edits = _close_bracket(failure, opening)
        return failure.build_diagnostic(
            UNCLOSED_BRACKET, message, opening, opening + 1, suggestion, *ending, edits=edits
        )
    if failure.char == ",":
        message = "there is nothing before this comma"
        edits = verify_fix(failure, (failure.at, failure.at + 1, ""))
        return failure.build_diagnostic(
            SYNTAX, message, failure.at, failure.at + 1, "delete the comma", related, edits=edits
        )
    if failure.char == ":" and failure.text[: failure.at].rstrip()[-1:] in ("[", "{", ","):
        return failure.build_diagnostic(EMPTY_KEY, "there is no key before this `:`", failure.at, failure.at + 1)
    return _explain_missing_comma(failure, bracket, related)


def _explain_missing_comma(failure: SyntaxFailure, bracket: str, related: RelatedSpan) -> Diagnostic:
    """Explain two adjacent items without a comma, or a text in brackets that needs quotes.

    The second item is usually a key that YAML joined with the first. `related` points to the opening `bracket`.
    """
    at, end = failure.at, failure.at + 1
    if (place := _explain_unquoted_value(failure, related)) is not None:
        return place
    if (inside := _quote_inside(failure)) is not None:
        return inside
    if failure.char != ":":
        message = f"a comma or `{_CLOSERS[bracket]}` is missing before this"
        after = len(failure.text[:at].rstrip())
        item = _cut_at_item_end(failure.after)
        # Between a closing quote and a letter, no comma is missing.
        is_apart = after < at or failure.text[after - 1] not in "\"'"
        is_item = is_apart and (_IS_KEY if bracket == "{" else _IS_ITEM).match(item)
        edits = verify_fix(failure, (after, after, ",")) if is_item else ()
        return failure.build_diagnostic(MISSING_COMMA, message, at, end, None, related, edits=edits)
    start = failure.last_scalar
    pair = _VALUE_AND_KEY.fullmatch(failure.text, start, at) if start is not None else None
    if pair is None or start is None:
        message = "either a comma is missing before the key of this colon, or quotes around the text that contains it"
        return failure.build_diagnostic(MISSING_COMMA, message, at, end, None, related)
    key = pair["key"]
    value = pair["value"]
    if _ONE_VALUE.fullmatch(value):
        after = pair.end("value")
        edits = verify_fix(failure, (after, after, ","))
        message = f"a comma is missing before `{key}`"
        suggestion = f"write a comma after `{shorten_text(value)}`: `{shorten_text(value)}, {key}: …`"
        return failure.build_diagnostic(
            MISSING_COMMA, message, pair.start("key"), pair.end("key"), suggestion, related, edits=edits
        )
    message = f"either a comma is missing before `{key}`, or quotes around the text that contains its colon"
    text = " ".join(value.split())
    suggestion = f"if `{key}` is a key, write a comma before it; if the colon is part of the text, quote the text"
    note = failure.build_related(start, f"`{shorten_text(text)}` begins here")
    return failure.build_diagnostic(MISSING_COMMA, message, pair.start("key"), pair.end("key"), suggestion, note)


def _quote_inside(failure: SyntaxFailure) -> Diagnostic | None:
    """Explain a quoted text that continues after a quote in it, such as an apostrophe, or return None."""
    start = failure.last_scalar
    if start is None or "\n" in failure.text[start : failure.at]:
        return None
    end = start + len(failure.text[start : failure.at].rstrip()) - 1
    quote, rest = failure.text[end], _cut_at_item_end(failure.after)
    if quote not in "\"'" or end == start or failure.text[start] != quote or _IS_KEY.match(rest):
        return None
    if not (_GOES_ON.match(rest) if end == failure.at - 1 else _CLOSED_LATER[quote].fullmatch(rest)):
        return None
    message = f"the text in quotes ends here, and `{shorten_text(failure.after)}` follows it"
    related = failure.build_related(start, "the text begins here")
    if quote == '"':
        suggestion = 'write `\\"` for each quote inside the text, or put the text in single quotes'
        return failure.build_diagnostic(TEXT_AFTER_VALUE, message, end, end + 1, suggestion, related)
    suggestion = "double an apostrophe inside single quotes (`''`), or put the text in double quotes"
    inner = _APOSTROPHE.finditer(failure.text, end + 1, failure.places.find_line_end(end))
    doubled: list[Change] = [(end, end + 1, "''")]
    edits = verify_fix(failure, *doubled)
    for result in islice(inner, MOST_APOSTROPHES):
        doubled.append((result.start(), result.end(), "''"))
        edits = edits or verify_fix(failure, *doubled)
    return failure.build_diagnostic(TEXT_AFTER_VALUE, message, end, end + 1, suggestion, related, edits=edits)


def _explain_unquoted_value(failure: SyntaxFailure, *related: RelatedSpan) -> Diagnostic | None:
    """Explain an unquoted value with brackets, such as `stock[good]`, inside brackets or braces, or return None.

    None if the failure is not inside such a value. The edits quote all of these values on the line, or in the section.
    `related` is added to the diagnostic.
    """
    start, end = failure.places.find_line_start(failure.at), failure.places.find_line_end(failure.at)
    results = list(cut_values(failure.text, start, end))
    # The parser stops at the bracket, or at a character after it that cannot begin a text.
    if not any(first < failure.at < last for first, last in results):
        return None
    # Fix all values on the line or in the section together, because the text stays unreadable if only some are fixed.
    further = list(cut_values_between_brackets(failure.text, end))
    edits = verify_fix(failure, *_quote_value(failure, results)) or verify_fix(
        failure, *_quote_value(failure, [*results, *further])
    )
    whole = failure.text[slice(*results[0])]
    message = f"`{shorten_text(whole)}` needs quotes here: between brackets or braces, `[` begins a list"
    suggestion = f"write {quote_text(whole)}"
    return failure.build_diagnostic(MISSING_COMMA, message, *results[0], suggestion, *related, edits=edits)


def _quote_value(failure: SyntaxFailure, places: list[Place]) -> Iterator[Change]:
    for start, end in places:
        yield start, end, f'"{failure.text[start:end]}"'


def _close_bracket(failure: SyntaxFailure, opening: int) -> tuple[str | None, tuple[Edit, ...]]:
    """Return the suggestion and edits to close a bracket at the end of its line, if that makes the text readable.

    The closing brackets may be on a later line, as when an editor wrote them and the line was broken before them.
    Otherwise it returns None and no edits.
    """
    begin, end = failure.places.find_line_start(opening), failure.places.find_line_end(opening)
    line = failure.text[begin:end]
    if "#" in line or line.rstrip()[-1:] in (",", "[", "{", ":"):
        return None, ()
    open_: list[str] = []
    for char in line:
        if char in _CLOSERS:
            open_.append(_CLOSERS[char])
        elif open_ and char == open_[-1]:
            open_.pop()
    closers = "".join(reversed(open_))
    at = begin + len(line.rstrip())
    edits = verify_fix(failure, (at, at, closers))
    if not edits and (later := re.compile(rf"{re.escape(closers)}[ \t]*$", re.MULTILINE).search(failure.text, end)):
        edits = verify_fix(failure, (at, at, closers), (later.start(), later.start() + len(closers), ""))
        if edits:
            return f"move `{closers}` to the end of this line", edits
    return (f"write `{closers}` at the end of the line" if edits else None), edits


def _find_comment_start(text: str, opening: int, closer: str) -> int | None:
    """Return the start of a comment on the line of a bracket that contains the closing bracket, or None."""
    end = text.find("\n", opening)
    line = text[opening : len(text) if end < 0 else end]
    match = re.search(r"(?<=\s)#", line)
    return opening + match.start() if match is not None and closer in line[match.start() :] else None


def explain_misplaced(failure: SyntaxFailure) -> Diagnostic | None:
    """Explain a list, a colon, a block scalar or a character that cannot begin at its position, or return None."""
    at = failure.at
    if failure.mentions("entries are not allowed"):
        message = "a list cannot begin on the line of its key"
        suggestion = "put each `- ` on a line of its own below the key, or write [a, b]"
        return failure.build_diagnostic(SYNTAX, message, at, at + 1, suggestion)
    if failure.mentions("unexpected ':'"):
        message = "this colon is neither the end of a key nor part of a text"
        suggestion = "put a space after it, or quotes around the text that contains it"
        return failure.build_diagnostic(UNQUOTED_COLON, message, at, at + 1, suggestion)
    if failure.context.endswith("block scalar"):
        header = failure.text[failure.since : failure.since + 1]
        message = f"nothing but a comment can follow `{header}` on its line"
        suggestion = "begin the text on the next line, indented, or put quotes around a text that begins like this"
        return failure.build_diagnostic(SYNTAX, message, at, at + 1, suggestion)
    if failure.mentions("node content") and failure.char and failure.char in ",]}":
        message = f"a text that begins with {failure.char} needs quotes"
        return failure.build_diagnostic(RESERVED_CHARACTER, message, at, at + 1, f"write {quote_text(failure.after)}")
    return None


def explain_after_value(failure: SyntaxFailure) -> Diagnostic | None:
    """Explain text on the same line after the end of a value in quotes or brackets, or return None."""
    before = failure.before.rstrip()[-1:]
    if not failure.is_after_a_value or not before or before not in "\"']}":
        return None
    end = failure.at + len(failure.after)
    if before in "\"'" and failure.last_scalar is not None and "\n" in failure.text[failure.last_scalar : failure.at]:
        message = "this follows a text in quotes that began on another line"
        related = failure.build_related(failure.last_scalar, "the text begins here; should its quote close earlier?")
        advice = "close the quote of the text where it ends"
        return failure.build_diagnostic(TEXT_AFTER_VALUE, message, failure.at, end, advice, related)
    if (inside := _quote_inside(failure)) is not None:
        return inside
    message = f"`{shorten_text(failure.after)}` follows the end of a value"
    if failure.bracket is None and _KEY_HERE.match(failure.text, failure.at) is not None:
        advice, edits = f"write `{shorten_text(failure.after)}` on a line of its own", break_line(failure, failure.at)
        return failure.build_diagnostic(TEXT_AFTER_VALUE, message, failure.at, end, advice, edits=edits)
    suggestion: str | None = f"delete the `{failure.char}`" if failure.after in (",", "]", "}") else None
    return failure.build_diagnostic(TEXT_AFTER_VALUE, message, failure.at, end, suggestion)


def _cut_at_item_end(text: str) -> str:
    """Return the text up to the comma or bracket that ends the current item in brackets."""
    depth = 0
    for index, char in enumerate(text):
        if depth == 0 and char in ",]}":
            return text[:index]
        depth += (char in "[{") - (char in "]}")
    return text


# The order matters, because earlier explanations are more specific.
_ATTEMPTS: tuple[Callable[[SyntaxFailure], Diagnostic | None], ...] = (
    explain_tab,
    explain_placeholder,
    quote,
    explain_reserved_character,
    explain_colon,
    explain_missing_colon,
    explain_line_out_of_place,
    explain_bracket,
    explain_misplaced,
    explain_after_value,
)


def _with_sure_edits(failure: SyntaxFailure, diagnostic: Diagnostic) -> Diagnostic:
    """Return the diagnostic without its edits if the parser would still fail with them before the next section.

    Its suggestion then becomes plain text, so that no edit is made from it.
    """
    places = failure.places
    changes = [
        (places.find_offset(e.span.line, e.span.column), places.find_offset(e.span.end_line, e.span.end_column), e.text)
        for e in diagnostic.edits
    ]
    if not changes or verify_fix(failure, *changes):
        return diagnostic
    suggestion = None if diagnostic.suggestion is None else str(diagnostic.suggestion)
    return replace(diagnostic, suggestion=suggestion, edits=())


def explain(error: Any, places: TextPlaces, *, last_scalar: int | None, bracket: int | None) -> Diagnostic:
    """Return the diagnostic for a `yaml.MarkedYAMLError`.

    `last_scalar` and `bracket` are the offsets of the last scalar and of the innermost open bracket. If there is no
    explanation, the diagnostic quotes the parser's message.
    """
    mark = error.problem_mark or error.context_mark
    at = min(mark.index, len(places.text)) if mark is not None else 0
    since = error.context_mark.index if error.context_mark is not None else at
    failure = SyntaxFailure(places, error.problem or "", error.context or "", at, min(since, at), last_scalar, bracket)
    for attempt in _ATTEMPTS:
        if diagnostic := attempt(failure):
            return _with_sure_edits(failure, diagnostic)
    what = f"{failure.context}: {failure.problem}" if failure.context else failure.problem
    return failure.build_diagnostic(SYNTAX, f"this cannot be read as YAML ({what})", at, at + 1)
