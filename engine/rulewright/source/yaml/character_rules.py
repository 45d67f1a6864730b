"""The rules of this YAML dialect for characters: which may occur at all, and which only inside text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import islice

from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Code, Edit, RelatedSpan
from rulewright.source.diagnostics.suggestions import describe_invisible
from rulewright.source.span import TextPlaces

CONTROL_CHARACTER = Code(
    "control-character",
    "An invisible character",
    "Control characters, lone surrogates and unusual line breaks make a file look different from its content.",
    "Delete the character, or write it as an escape such as \\u0007 inside double quotes.",
)
TAB = Code(
    "tab",
    "A tab outside of text",
    "The width of a tab depends on the editor, so lines that look aligned may not be. YAML forbids tabs as "
    "indentation.",
    "Use spaces; set the editor to write two spaces for the tab key in YAML files.",
)
DIRECTIVE = Code(
    "directive",
    "A YAML directive",
    "All rules files are read in the same way, so a line that would change how YAML is read is not allowed.",
    "Delete the line that starts with %.",
)

UNSEEN_CHARACTER = Code(
    "unseen-character",
    "An unusual space or an invisible character",
    "Only ordinary spaces separate keys and values, and a name with such a character is a different name. These "
    "characters often come from text copied from a web page or a word processor.",
    "Delete the character, or replace it with an ordinary space.",
)
MERGE_CONFLICT = Code(
    "merge-conflict",
    "A merge that was not finished",
    "Git puts both versions into the file if two people have changed the same lines.",
    "Keep one of the versions, or both in turn, and delete the lines with `<<<<<<<`, `=======` and `>>>>>>>`.",
)

# NEL and the two Unicode separators are ordinary characters in YAML 1.2 but line breaks in PyYAML (YAML 1.1), so
# line numbers would differ.
_FORBIDDEN = re.compile("[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_DIRECTIVE = re.compile(r"\A(?:[ \t]*(?:#[^\n]*)?\n)*+(%[^\n]*)")
_COMMENT_OR_TAB = re.compile(r"#[^\n]*|(?P<tab>\t+)")
_UNSEEN = re.compile("[\xa0\xad\u1680\u2000-\u200f\u202a-\u202f\u205f-\u2064\u3000]+")
_COMMENT_OR_UNSEEN = re.compile(f"#[^\n]*|(?P<unseen>{_UNSEEN.pattern})")
_CONFLICT = re.compile(r"(?m)^<{7}(?: [^\n]*)?$")
_CONFLICT_END = re.compile(r"(?m)^>{7}(?: [^\n]*)?$")
_LEFT_OVER = re.compile(r"(?m)^(?:(?:<{7}|>{7}|\|{7})(?: [^\n]*)?|={7})$")
_TABS = re.compile(r"\t+")
_CONTINUATION_TAB = re.compile(r"\n[ \t]*?(\t+)")

_NAMES = {
    0x00: "a NUL character",
    0x7F: "a DEL character",
    0x85: "the line break NEL (U+0085)",
    0x2028: "a line separator (U+2028)",
    0x2029: "a paragraph separator (U+2029)",
    0xFEFF: "a byte order mark inside the file (U+FEFF)",
}


def check_characters(places: TextPlaces, diagnostics: Diagnostics, *, limit: int) -> None:
    """Report each character that may not occur anywhere, even in a comment, up to `limit` of them."""
    for count, match in enumerate(_FORBIDDEN.finditer(places.text)):
        if count == limit:
            return
        point = ord(match.group())
        kind = "half of a surrogate pair" if 0xD800 <= point <= 0xDFFF else "a control character"
        name = _NAMES.get(point, f"{kind} (U+{point:04X})")
        diagnostics.add(CONTROL_CHARACTER, f"{name} is not allowed in a rules file", places.build_span(*match.span()))


def check_conflicts(places: TextPlaces, diagnostics: Diagnostics, *, limit: int) -> None:
    """Report each unresolved merge conflict that has a start and an end, up to `limit` of them."""
    starts = islice(_CONFLICT.finditer(places.text), limit) if "<<<<<<<" in places.text else ()
    for match in starts:
        end = _CONFLICT_END.search(places.text, match.end())
        if end is not None:
            related = (RelatedSpan(places.build_span(*end.span()), "the conflict ends here"),)
            message = "this file has an unresolved merge conflict"
            diagnostics.add(MERGE_CONFLICT, message, places.build_span(*match.span()), related=related)


def check_left_over(places: TextPlaces, diagnostics: Diagnostics, *, limit: int) -> None:
    """Report single marker lines of a merge conflict in an unreadable file, up to `limit` of them."""
    for match in islice(_LEFT_OVER.finditer(places.text), limit):
        message = f"this line is left over from a merge: `{match.group()[:7]}`"
        diagnostics.add(MERGE_CONFLICT, message, places.build_span(*match.span()))


def check_unseen(
    places: TextPlaces, scalars: Sequence[tuple[int, int, str]], diagnostics: Diagnostics, *, limit: int
) -> None:
    """Report each run of unusual spaces or zero-width characters outside of text and comments, up to `limit` of them.

    `scalars` are as in `check_tabs`. Keys count as outside of text. The diagnostics include a fix.
    """
    gap, stretches = 0, []
    if _UNSEEN.search(places.text) is None:
        return
    for start, end, style in scalars:
        stretches.append((gap, start))
        if style == "plain" and places.text[end : end + 1] == ":":
            stretches.append((start, end))
        gap = max(gap, end)
    stretches.append((gap, len(places.text)))
    outside = (match for start, end in stretches for match in _COMMENT_OR_UNSEEN.finditer(places.text, start, end))
    for match in islice((match for match in outside if match.lastgroup == "unseen"), limit):
        char = match.group()[0]
        message, hint = describe_invisible(char) or ("", "")
        span = places.build_span(*match.span())
        written = " " * len(match.group()) if unicodedata.category(char) == "Zs" else ""
        diagnostics.add(UNSEEN_CHARACTER, message, span, suggestion=hint, edits=(Edit(span, written),))


def check_directives(places: TextPlaces, diagnostics: Diagnostics) -> None:
    """Report a `%` line at the beginning of the file."""
    if match := _DIRECTIVE.match(places.text):
        word = match.group(1).split()[0]
        diagnostics.add(DIRECTIVE, f"the directive `{word}` is not allowed here", places.build_span(*match.span(1)))


def check_tabs(
    places: TextPlaces, scalars: Sequence[tuple[int, int, str]], diagnostics: Diagnostics, *, limit: int
) -> None:
    """Report each run of tabs that is neither part of a text nor in a comment, up to `limit` of them, with a fix.

    `scalars` are the (start, end, style) of all scalars in the order of the text. In a block scalar, a tab is text. In
    quotes, it is text unless it indents a line. Without quotes, every tab is an error.
    """
    if "\t" not in places.text:
        return
    for start, end in islice(_find_tabs(places.text, scalars), limit):
        line_start = places.find_line_start(start)
        use = "indent a line" if not places.text[line_start:start].strip() else "separate two things"
        indents = use == "indent a line"
        written = ("  " if indents else " ") * ((end - start) if indents else 1)
        diagnostics.add(
            TAB,
            f"a tab cannot {use}",
            places.build_span(start, end),
            edits=(Edit(places.build_span(start, end), written),),
        )


def _find_tabs(text: str, scalars: Sequence[tuple[int, int, str]]) -> Iterator[tuple[int, int]]:
    """Yield the range of each run of tabs that `check_tabs` reports."""
    gap = 0
    for start, end, style in scalars:
        yield from _find_tabs_between(text, gap, start)
        if style == "plain":
            yield from (match.span() for match in _TABS.finditer(text, start, end))
        elif style in ("single", "double"):
            yield from (match.span(1) for match in _CONTINUATION_TAB.finditer(text, start, end))
        gap = max(gap, end)
    yield from _find_tabs_between(text, gap, len(text))


def _find_tabs_between(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Return the tabs in a part of the text without scalars, in which `#` always begins a comment."""
    return (match.span() for match in _COMMENT_OR_TAB.finditer(text, start, end) if match.lastgroup == "tab")
