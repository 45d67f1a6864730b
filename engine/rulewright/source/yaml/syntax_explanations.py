"""From the YAML parser's complaint to a sentence about what its author most likely did.

Both of PyYAML's parsers complain at the same places in other words, so only what their words have in common is looked
at, and the text around the place decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from rulewright.source.diagnostics.diagnostic import Diagnostic, Edit, Related
from rulewright.source.diagnostics.suggestions import Meant
from rulewright.source.span import TextPlaces
from rulewright.source.yaml.character_rules import TAB
from rulewright.source.yaml.syntax_failure import (
    Change,
    Failure,
    in_quotes,
    indentation,
    indentation_at,
    line_above,
    mending,
    quoted_whole,
    short,
)
from rulewright.source.yaml.unquoted_values import Place, cut_values, cut_values_between_brackets
from rulewright.source.yaml.yaml_diagnostics import (
    EMPTY_KEY,
    INDENTATION,
    MISSING_COLON,
    MISSING_COMMA,
    RESERVED_CHARACTER,
    SECOND_DOCUMENT,
    SYNTAX,
    TEXT_AFTER_VALUE,
    UNCLOSED_BRACKET,
    UNCLOSED_QUOTE,
    UNKNOWN_ESCAPE,
    UNQUOTED_COLON,
    UNQUOTED_PLACEHOLDER,
)

_PLACEHOLDER = re.compile(r"\{[\w.]*\}")
_PLACEHOLDER_BEFORE = re.compile(r"\{[^{}:,\n]*\}[ ]*$")
_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]{0,2}|u[0-9a-fA-F]{0,4}|U[0-9a-fA-F]{0,8}|[^\n])")
_BLANKS = re.compile(r"[ \t]*")
_CLOSERS = {"[": "]", "{": "}"}
_INDENTING_TABS = re.compile(r"(?m)^ *\t[ \t]*(?=\S)")
_VALUE_AND_KEY = re.compile(r"(?s)(?P<value>.*\S)\s+(?P<key>[A-Za-z_][\w.]*)\s*")
_ONE_VALUE = re.compile(r"[\w.+-]+( *[+-] *\w+)*")

_GOES_ON = re.compile(r"\w")
_CLOSED_LATER = {quote: re.compile(rf"[^\"']*{quote}\s*") for quote in "\"'"}
"""What goes on with a text whose quote was closed too soon."""

_IS_KEY = re.compile(r"""["']?[A-Za-z_][\w.-]*["']? *:(?!\S)""")
_IS_ITEM = re.compile(r"""("[^"]*"|'[^']*'|[^"']*|[\[{].*)\s*$""")
"""What may be an item of a list in brackets."""

_APOSTROPHE = re.compile(r"(?<=\w)'(?=\w)")

MOST_TABS = 1_000
"""Tabs that one edit writes as spaces."""

MOST_APOSTROPHES = 5
"""Apostrophes in one text that one edit writes twice."""


def tab(failure: Failure) -> Diagnostic | None:
    """Return a tab before or where the parser stopped."""
    line = failure.places.line_start(failure.at)
    blanks = _BLANKS.match(failure.text, line)
    first = failure.text.find("\t", line, blanks.end() if blanks else line)
    if first >= 0:
        edits = mending(failure, *_without_tabs(failure.text))
        return failure.diagnostic(TAB, "a tab cannot indent a line", first, first + 1, edits=edits)
    if failure.char == "\t":
        edits = mending(failure, (failure.at, failure.at + 1, " "))
        return failure.diagnostic(TAB, "a tab cannot separate two things", failure.at, failure.at + 1, edits=edits)
    return None


def _without_tabs(text: str) -> Iterator[Change]:
    """Two spaces for each tab that indents a line."""
    for match in islice(_INDENTING_TABS.finditer(text), MOST_TABS):
        start, end = match.span()
        yield start, end, match.group().replace("\t", "  ")


def placeholder(failure: Failure) -> Diagnostic | None:
    """Return a text without quotes that begins with `{word}`: YAML read a mapping and stumbled over what follows."""
    place = failure.since if failure.says("end of stream") else failure.at
    start = failure.places.line_start(place)
    match = _PLACEHOLDER_BEFORE.search(failure.text[start:place])
    if match is None or not failure.text[place : place + 1].strip() or failure.text[place] in ",]}":
        return None
    whole = failure.text[start + match.start() : failure.places.line_end(place)]
    if failure.bracket is not None:
        whole = _up_to_the_end_of_an_item(whole)
    suggestion = f"put quotes around the whole text: {in_quotes(whole)}"
    word = match.group().rstrip()
    begin = start + match.start()
    message = f"a text that begins with `{short(word)}` needs quotes"
    edits = mending(failure, *quoted_whole(failure.places, begin)) if failure.bracket is None else ()
    return failure.diagnostic(UNQUOTED_PLACEHOLDER, message, begin, begin + len(word), suggestion, edits=edits)


def quote(failure: Failure) -> Diagnostic | None:
    """Return a quote without end, or an escape that does not exist."""
    if "quoted scalar" not in failure.context and "double-quoted" not in failure.context:
        return None
    if failure.says("unexpected end of stream", "unexpected document"):
        message = "the quote that opens here is never closed"
        return failure.diagnostic(UNCLOSED_QUOTE, message, failure.since, failure.since + 1)
    if failure.says("escape", "hex"):
        start = failure.text.rfind("\\", failure.since, failure.at + 1)
        return impossible_escape(failure.places, start)
    return None


def impossible_escape(places: TextPlaces, start: int) -> Diagnostic:
    """Return the diagnostic for the escape whose backslash is at `start`."""
    match = _ESCAPE.match(places.text, start)
    written = match.group() if match else "\\"
    span = places.span(start, start + len(written))
    return Diagnostic(UNKNOWN_ESCAPE, f"`{written}` is not an escape", span)


def reserved(failure: Failure) -> Diagnostic | None:
    """Return a text that begins with a character YAML keeps for itself."""
    is_name = "anchor" in failure.context or "alias" in failure.context or "tag" in failure.context
    line = failure.places.line_start(failure.at)
    if failure.text[line : line + 1] == "%":
        start = line
    elif is_name:
        start = failure.since
    elif failure.says("cannot start any token", "keys are not allowed"):
        start = failure.at
    else:
        return None
    if (place := _unquoted_place(failure)) is not None:
        return place
    whole = failure.text[start : failure.places.line_end(start)]
    message = f"a text that begins with {failure.text[start : start + 1]} needs quotes"
    edits = mending(failure, *quoted_whole(failure.places, start)) if failure.bracket is None else ()
    return failure.diagnostic(RESERVED_CHARACTER, message, start, start + 1, f"write {in_quotes(whole)}", edits=edits)


def bracket(failure: Failure) -> Diagnostic | None:
    """Brackets and braces: not closed, closed by the other kind, or without a comma between two items."""
    is_flow = "flow" in failure.context
    opening = failure.since if is_flow and failure.text[failure.since : failure.since + 1] in _CLOSERS else None
    if opening is None:
        opening = failure.bracket if is_flow else None
    if opening is None:
        return None
    bracket = failure.text[opening]
    related = failure.related(opening, "opened here")
    if failure.char and failure.char in "]}" and failure.char != _CLOSERS[bracket]:
        message = f"`{bracket}` cannot be closed by `{failure.char}`"
        return failure.diagnostic(UNCLOSED_BRACKET, message, failure.at, failure.at + 1, None, related)
    opening_line = failure.text[failure.places.line_start(opening) : opening]
    is_same_line = "\n" not in failure.text[opening : failure.at]
    is_inside = is_same_line or indentation(failure.before + failure.char) > indentation(opening_line + bracket)
    if not failure.text[failure.at :].strip() or not is_inside:
        message = f"the `{bracket}` that opens here is never closed"
        comment = _swallowed(failure.text, opening, _CLOSERS[bracket])
        if comment is not None:
            advice = "put quotes around the text that holds the `#`, or move the comment behind the bracket"
            note = failure.related(comment, f"a comment begins here, and the `{_CLOSERS[bracket]}` is part of it")
            return failure.diagnostic(UNCLOSED_BRACKET, message, opening, opening + 1, advice, note)
        ending = () if not failure.char.strip() else (failure.related(failure.at, "read on until here"),)
        suggestion, edits = _closed(failure, opening)
        return failure.diagnostic(UNCLOSED_BRACKET, message, opening, opening + 1, suggestion, *ending, edits=edits)
    if failure.char == ",":
        message = "there is nothing before this comma"
        edits = mending(failure, (failure.at, failure.at + 1, ""))
        return failure.diagnostic(SYNTAX, message, failure.at, failure.at + 1, "delete the comma", related, edits=edits)
    if failure.char == ":" and failure.text[: failure.at].rstrip()[-1:] in ("[", "{", ","):
        return failure.diagnostic(EMPTY_KEY, "there is no key before this `:`", failure.at, failure.at + 1)
    return _missing_comma(failure, bracket, related)


def _missing_comma(failure: Failure, bracket: str, related: Related) -> Diagnostic:
    """Two things side by side: the second is a key, most often, and without a comma it went on with the first."""
    at, end = failure.at, failure.at + 1
    if (place := _unquoted_place(failure, related)) is not None:
        return place
    if (inside := _quote_inside(failure)) is not None:
        return inside
    if failure.char != ":":
        message = f"a comma or `{_CLOSERS[bracket]}` is missing before this"
        after = len(failure.text[:at].rstrip())
        item = _up_to_the_end_of_an_item(failure.after)
        # Right behind a closing quote and before a letter, no comma is meant.
        is_apart = after < at or failure.text[after - 1] not in "\"'"
        is_item = is_apart and (_IS_KEY if bracket == "{" else _IS_ITEM).match(item)
        edits = mending(failure, (after, after, ",")) if is_item else ()
        return failure.diagnostic(MISSING_COMMA, message, at, end, None, related, edits=edits)
    start = failure.last_scalar
    pair = _VALUE_AND_KEY.fullmatch(failure.text, start, at) if start is not None else None
    if pair is None or start is None:
        message = "a comma is missing before the key of this colon, or quotes around the text that holds it"
        return failure.diagnostic(MISSING_COMMA, message, at, end, None, related)
    key = pair["key"]
    value = pair["value"]
    if _ONE_VALUE.fullmatch(value):
        after = pair.end("value")
        edits = mending(failure, (after, after, ","))
        message = f"a comma is missing before `{key}`"
        suggestion = f"write a comma after `{short(value)}`: `{short(value)}, {key}: …`"
        return failure.diagnostic(
            MISSING_COMMA, message, pair.start("key"), pair.end("key"), suggestion, related, edits=edits
        )
    message = f"a comma is missing before `{key}`, or quotes around the text that holds its colon"
    said = " ".join(value.split())
    suggestion = f"if `{key}` is a key, write a comma before it; if the colon is part of the text, put that into quotes"
    note = failure.related(start, f"`{short(said)}` begins here")
    return failure.diagnostic(MISSING_COMMA, message, pair.start("key"), pair.end("key"), suggestion, note)


def _quote_inside(failure: Failure) -> Diagnostic | None:
    """Return a text in quotes that goes on behind a quote inside it: an apostrophe, or a word in quotes of its own."""
    start = failure.last_scalar
    if start is None or "\n" in failure.text[start : failure.at]:
        return None
    end = start + len(failure.text[start : failure.at].rstrip()) - 1
    quote, rest = failure.text[end], _up_to_the_end_of_an_item(failure.after)
    if quote not in "\"'" or end == start or failure.text[start] != quote or _IS_KEY.match(rest):
        return None
    if not (_GOES_ON.match(rest) if end == failure.at - 1 else _CLOSED_LATER[quote].fullmatch(rest)):
        return None
    message = f"the text in quotes ends here, and `{short(failure.after)}` follows it"
    related = failure.related(start, "the text begins here")
    if quote == '"':
        suggestion = 'write `\\"` for each quote inside the text, or put the text into single quotes'
        return failure.diagnostic(TEXT_AFTER_VALUE, message, end, end + 1, suggestion, related)
    suggestion = "write an apostrophe inside single quotes twice, or put the text into double quotes"
    inner = _APOSTROPHE.finditer(failure.text, end + 1, failure.places.line_end(end))
    doubled: list[Change] = [(end, end + 1, "''")]
    edits = mending(failure, *doubled)
    for found in islice(inner, MOST_APOSTROPHES):
        doubled.append((found.start(), found.end(), "''"))
        edits = edits or mending(failure, *doubled)
    return failure.diagnostic(TEXT_AFTER_VALUE, message, end, end + 1, suggestion, related, edits=edits)


def _unquoted_place(failure: Failure, *related: Related) -> Diagnostic | None:
    """Return a value between braces or brackets, such as `stock[good]`, that has brackets of its own and no quotes."""
    start, end = failure.places.line_start(failure.at), failure.places.line_end(failure.at)
    found = list(cut_values(failure.text, start, end))
    # The parser stops at the bracket, or at a sign behind it with which no text begins.
    if not any(first < failure.at < last for first, last in found):
        return None
    # All of the line are mended together, or of the section: with some of them the text could still not be read.
    further = list(cut_values_between_brackets(failure.text, end))
    edits = mending(failure, *_quoted(failure, found)) or mending(failure, *_quoted(failure, [*found, *further]))
    whole = failure.text[slice(*found[0])]
    message = f"`{short(whole)}` needs quotes here: between brackets or braces, `[` begins a list"
    suggestion = f"write {in_quotes(whole)}"
    return failure.diagnostic(MISSING_COMMA, message, *found[0], suggestion, *related, edits=edits)


def _quoted(failure: Failure, found: list[Place]) -> Iterator[Change]:
    for start, end in found:
        yield start, end, f'"{failure.text[start:end]}"'


def _closed(failure: Failure, opening: int) -> tuple[str | None, tuple[Edit, ...]]:
    """Return what closes a bracket at the end of its line, where nothing of what it holds comes later."""
    end = failure.places.line_end(opening)
    line = failure.text[opening:end]
    if "#" in line or line.rstrip()[-1:] in (",", "[", "{", ":"):
        return None, ()
    open_: list[str] = []
    for char in line:
        if char in _CLOSERS:
            open_.append(_CLOSERS[char])
        elif open_ and char == open_[-1]:
            open_.pop()
    closers = "".join(reversed(open_))
    at = opening + len(line.rstrip())
    edits = mending(failure, (at, at, closers))
    return (f"write `{closers}` at the end of the line" if edits else None), edits


def _swallowed(text: str, opening: int, closer: str) -> int | None:
    """Where a comment begins, on the line of a bracket, that holds the bracket's other half."""
    end = text.find("\n", opening)
    line = text[opening : len(text) if end < 0 else end]
    found = re.search(r"(?<=\s)#", line)
    return opening + found.start() if found is not None and closer in line[found.start() :] else None


def misplaced(failure: Failure) -> Diagnostic | None:
    """Return a thing that cannot begin where it does."""
    at = failure.at
    if failure.says("entries are not allowed"):
        message = "a list cannot begin on the line of its key"
        suggestion = "put each `- ` on a line of its own below the key, or write [a, b]"
        return failure.diagnostic(SYNTAX, message, at, at + 1, suggestion)
    if failure.says("unexpected ':'"):
        message = "this colon is neither the end of a key nor part of a text"
        suggestion = "put a space after it, or quotes around the text that holds it"
        return failure.diagnostic(UNQUOTED_COLON, message, at, at + 1, suggestion)
    if failure.context.endswith("block scalar"):
        header = failure.text[failure.since : failure.since + 1]
        message = f"nothing but a comment can follow `{header}` on its line"
        suggestion = "begin the text on the next line, indented; or put a text that begins so into quotes"
        return failure.diagnostic(SYNTAX, message, at, at + 1, suggestion)
    if failure.says("node content") and failure.char and failure.char in ",]}":
        message = f"a text that begins with {failure.char} needs quotes"
        return failure.diagnostic(RESERVED_CHARACTER, message, at, at + 1, f"write {in_quotes(failure.after)}")
    return None


def after_a_value(failure: Failure) -> Diagnostic | None:
    """Something on the line of a value that was complete."""
    before = failure.before.rstrip()[-1:]
    if not failure.is_after_a_value or not before or before not in "\"']}":
        return None
    end = failure.at + len(failure.after)
    if before in "\"'" and failure.last_scalar is not None and "\n" in failure.text[failure.last_scalar : failure.at]:
        message = "this follows a text in quotes that began on another line"
        related = failure.related(failure.last_scalar, "the text begins here; was its quote meant to close sooner?")
        advice = "close the quote of the text where it ends"
        return failure.diagnostic(TEXT_AFTER_VALUE, message, failure.at, end, advice, related)
    if (inside := _quote_inside(failure)) is not None:
        return inside
    suggestion: str | None = f"delete the `{failure.char}`" if failure.after in (",", "]", "}") else None
    message = f"`{short(failure.after)}` follows the end of a value"
    return failure.diagnostic(TEXT_AFTER_VALUE, message, failure.at, end, suggestion)


def _up_to_the_end_of_an_item(text: str) -> str:
    """Return the beginning of a text up to the comma or bracket that ends an item of a list or mapping in brackets."""
    depth = 0
    for index, char in enumerate(text):
        if depth == 0 and char in ",]}":
            return text[:index]
        depth += (char in "[{") - (char in "]}")
    return text


_KEY_AND_VALUE = re.compile(r"[ ]*(?:- +)*(?:\"[^\"]*\"|'[^']*'|[^\s\"'\[\]{}#][^#\n]*?):[ ]+(?=\S)")


_DASH = re.compile(r"-(?=[A-Za-z_][^\n]*:(\s|$))")
_KEY_AND_TEXT = re.compile(r"([A-Za-z_]\w*):(?![\s/])([^\s:].*)")
_KEY = re.compile(r"[A-Za-z_]\w*")
_KEY_WITHOUT_COLON = re.compile(r"([a-z_][\w.]*) +(?:= *)?([^\s:#]+|[\[{\"'].*)")
"""A key and one value, or one that begins with a quote or bracket: longer words may go on with the text above."""


def colon(failure: Failure) -> Diagnostic | None:
    """Return a colon where no key can end: a second one on the line, or one in the middle of a text."""
    if not failure.says("mapping values are not allowed"):
        return None
    value = _KEY_AND_VALUE.match(failure.before + ":")
    if value is not None and value.end() <= len(failure.before):
        start = failure.at - len(failure.before) + value.end()
        whole = failure.text[start : failure.places.line_end(start)]
        suggestion = "give each key a line of its own"
        if whole[0] not in "\"'[{":
            suggestion = f"put quotes around the text: {in_quotes(whole)}"
        message = "this colon comes after a value that has already begun"
        bare = whole.rstrip()
        if bare.startswith("(") and bare.endswith(")"):
            end = start + len(bare)
            edits = mending(failure, (start, start + 1, "{"), (end - 1, end, "}"))
            suggestion = "put braces around keys and their values, not brackets: `{…}`"
            return failure.diagnostic(UNQUOTED_COLON, message, failure.at, failure.at + 1, suggestion, edits=edits)
        is_text = whole[0] not in "\"'[{" and not {*"{}"} & {*_PLACEHOLDER.sub("", whole)}
        edits = mending(failure, *quoted_whole(failure.places, start)) if is_text else ()
        return failure.diagnostic(UNQUOTED_COLON, message, failure.at, failure.at + 1, suggestion, edits=edits)
    return _colon_on_a_later_line(failure)


def _colon_on_a_later_line(failure: Failure) -> Diagnostic | None:
    """Return a text without quotes was still going on when a line with a key came."""
    here = failure.places.line_start(failure.at)
    depth = indentation(failure.before)
    above = line_above(failure.places, here)
    owner = above
    while owner is not None and indentation_at(failure.places, owner) >= depth:
        owner = line_above(failure.places, owner)
    key_start = here + depth
    key = short(failure.text[key_start : failure.at])
    if owner is not None:
        line = failure.text[owner : failure.places.line_end(owner)]
        if _KEY_AND_VALUE.match(line):
            message = f"`{key}:` is indented below a key that already has a text as its value"
            suggestion = "align it with the key it should follow; if it goes on with the text, put that into quotes"
            related = failure.related(owner + indentation(line), "the key above")
            edits = mending(failure, (here, key_start, " " * indentation(line)))
            return failure.diagnostic(INDENTATION, message, key_start, failure.at, suggestion, related, edits=edits)
    if above is None:
        return None
    return _missing_colon_at(failure, above)


def missing_colon(failure: Failure) -> Diagnostic | None:
    """Return a line among keys that is no key."""
    if not failure.says("could not find expected ':'"):
        return None
    return _missing_colon_at(failure, failure.places.line_start(failure.since))


def _missing_colon_at(failure: Failure, line_start: int) -> Diagnostic:
    line = failure.text[line_start : failure.places.line_end(line_start)]
    start = line_start + indentation(line)
    written = line.strip()
    message = f"`{short(written)}` has no colon after it"
    glued = _KEY_AND_TEXT.fullmatch(written)
    if glued is not None:
        meant = f"{glued[1]}: {glued[2]}"
        message = f"the colon in `{short(written)}` has no blank after it, so it ends no key"
        hint = Meant(f"put a blank after the colon: `{short(meant)}`", written, [meant])
        return failure.diagnostic(MISSING_COLON, message, start, start + len(written), hint)
    if _KEY.fullmatch(written) and _opens_a_block(failure, line_start):
        hint = Meant(f"put a colon after the key: `{short(written)}:`", written, [f"{written}:"])
        return failure.diagnostic(MISSING_COLON, message, start, start + len(written), hint)
    pair = _KEY_WITHOUT_COLON.fullmatch(written)
    if pair is None:
        return failure.diagnostic(MISSING_COLON, message, start, start + len(written))
    meant = f"{pair[1]}: {pair[2]}"
    suggestion = Meant(f"put a colon after the key: `{short(meant)}`", written, [meant])
    return failure.diagnostic(MISSING_COLON, message, start, start + len(written), suggestion)


def _opens_a_block(failure: Failure, line_start: int) -> bool:
    """Whether the next line is indented further, and so belongs to this one."""
    end = failure.places.line_end(line_start)
    following = re.compile(r"\n(?:[ ]*(?:#[^\n]*)?\n)*([ ]*)(?=\S)").match(failure.text, end)
    return following is not None and len(following[1]) > indentation_at(failure.places, line_start)


def line_out_of_place(failure: Failure) -> Diagnostic | None:
    """Return a line that begins where none can."""
    if not failure.is_after_a_value or failure.before.strip():
        return None
    at, end = failure.at, failure.at + len(failure.after)
    here = failure.places.line_start(at)
    above = line_above(failure.places, here)
    if above is not None and failure.text.startswith("...", above):
        return failure.diagnostic(SECOND_DOCUMENT, "a second document begins here; a file holds one", at, end)
    if failure.char == ":":
        return failure.diagnostic(EMPTY_KEY, "there is no key before this `:`", at, at + 1)
    depth = len(failure.before)
    is_item = failure.after.startswith("- ") or failure.after == "-"
    block = failure.places.span(failure.since, failure.since).column - 1 if failure.context else None
    if block == depth and is_item != ("collection" in failure.context):
        message = "a list item cannot stand among keys" if is_item else "a key cannot stand among list items"
        related = failure.related(failure.since, "these begin here")
        suggestion, edits = _among_others(failure, here, depth)
        return failure.diagnostic(INDENTATION, message, at, end, suggestion, related, edits=edits)
    above_it = above
    columns: list[int] = []
    while above is not None:
        column = indentation_at(failure.places, above)
        columns = [*columns, column] if not columns or column < columns[-1] else columns
        above = line_above(failure.places, above)
    deeper = [column for column in columns if column > depth]
    shallower = [column for column in columns if column < depth]
    near = sorted([*deeper[-1:], *shallower[:1]])
    spaces = " or ".join(str(column) for column in near)
    suggestion = f"indent it by {spaces} spaces, as lines above are" if near else None
    message = f"this line is indented by {depth} spaces, and nothing above it is"
    related_above: tuple[Related, ...] = ()
    if above_it is not None:
        column = indentation_at(failure.places, above_it)
        related_above = (failure.related(above_it + column, f"the line above is indented by {column}"),)
    # What begins a line is a key of the whole file: what is indented above it is out of place.
    fits = [edits for column in near if depth and (edits := mending(failure, (here, at, " " * column)))]
    if not fits and above_it is not None and (strayed := _line_above_out_of_place(failure, above_it)) is not None:
        return strayed
    edits = fits[0] if len(fits) == 1 else ()
    return failure.diagnostic(INDENTATION, message, at, end, suggestion, *related_above, edits=edits)


def _line_above_out_of_place(failure: Failure, above: int) -> Diagnostic | None:
    """Return the line above, if it is the one that is out of place: indented as this one is, it would fit."""
    depth, column = len(failure.before), indentation_at(failure.places, above)
    edits = mending(failure, (above, above + column, " " * depth)) if column != depth else ()
    if not edits:
        return None
    message = f"this line is indented by {column} spaces, and what comes after it by {depth}"
    related = failure.related(failure.at, "the line after it")
    suggestion = f"indent it by {depth} spaces too, if they belong together"
    start, end = above + column, failure.places.line_end(above)
    return failure.diagnostic(INDENTATION, message, start, end, suggestion, related, edits=edits)


def _among_others(failure: Failure, here: int, depth: int) -> tuple[str | None, tuple[Edit, ...]]:
    """Return what to do about a key among list items, or an item among keys."""
    at = failure.at
    if _DASH.match(failure.text, at):
        edits = mending(failure, (at + 1, at + 1, " "))
        return f"put a blank after the dash: `- {short(failure.after[1:])}`", edits
    if failure.after.startswith("-"):
        return None, ()
    within = depth + 2
    edits = mending(failure, (here, at, " " * within))
    return (
        f"indent it by {within} spaces if it belongs to the item above, or less if it belongs to what holds the list",
        edits,
    )


# The order matters: what stands first explains more.
_ATTEMPTS: tuple[Callable[[Failure], Diagnostic | None], ...] = (
    tab,
    placeholder,
    quote,
    reserved,
    colon,
    missing_colon,
    line_out_of_place,
    bracket,
    misplaced,
    after_a_value,
)


def _with_sure_edits(failure: Failure, diagnostic: Diagnostic) -> Diagnostic:
    """Return the diagnostic without its edits where the parser would stop at the place all the same."""
    places = failure.places
    changes = [
        (places.offset(e.span.line, e.span.column), places.offset(e.span.end_line, e.span.end_column), e.text)
        for e in diagnostic.edits
    ]
    if not changes or mending(failure, *changes):
        return diagnostic
    suggestion = None if diagnostic.suggestion is None else str(diagnostic.suggestion)
    return replace(diagnostic, suggestion=suggestion, edits=())


def explain(error: Any, places: TextPlaces, *, last_scalar: int | None, bracket: int | None) -> Diagnostic:
    """Return the diagnostic for a `yaml.MarkedYAMLError`.

    `last_scalar` and `bracket` are the offsets of the last scalar read and of the innermost open bracket.
    """
    mark = error.problem_mark or error.context_mark
    at = min(mark.index, len(places.text)) if mark is not None else 0
    since = error.context_mark.index if error.context_mark is not None else at
    failure = Failure(places, error.problem or "", error.context or "", at, min(since, at), last_scalar, bracket)
    for attempt in _ATTEMPTS:
        if diagnostic := attempt(failure):
            return _with_sure_edits(failure, diagnostic)
    what = f"{failure.context}: {failure.problem}" if failure.context else failure.problem
    return failure.diagnostic(SYNTAX, f"this cannot be read as YAML ({what})", at, at + 1)
