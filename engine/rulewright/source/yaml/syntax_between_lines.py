"""Faults of syntax that only the lines around explain: colons too many or too few, and indentation."""

from __future__ import annotations

import re

from rulewright.source.diagnostics.diagnostic import Diagnostic, Related
from rulewright.source.diagnostics.edits import Edit
from rulewright.source.diagnostics.suggest import Meant
from rulewright.source.yaml.codes import EMPTY_KEY, SECOND_DOCUMENT
from rulewright.source.yaml.syntax_codes import (
    INDENTATION,
    MISSING_COLON,
    UNQUOTED_COLON,
)
from rulewright.source.yaml.syntax_failure import Failure, in_quotes, indentation, indentation_at, line_above, short
from rulewright.source.yaml.syntax_mending import mending, quoted_whole

_KEY_AND_VALUE = re.compile(r"[ ]*(?:- +)*(?:\"[^\"]*\"|'[^']*'|[^\s\"'\[\]{}#][^#\n]*?):[ ]+(?=\S)")


_DASH = re.compile(r"-(?=[A-Za-z_][^\n]*:(\s|$))")
_KEY_AND_TEXT = re.compile(r"([A-Za-z_]\w*):(?![\s/])([^\s:].*)")
_KEY = re.compile(r"[A-Za-z_]\w*")
_KEY_WITHOUT_COLON = re.compile(r"([a-z_][\w.]*) +(?:= *)?([^\s:#]+|[\[{\"'].*)")
"""A key and one value, or one that begins with a quote or bracket: longer words may go on with the text above."""


def colon(failure: Failure) -> Diagnostic | None:
    """A colon where no key can end: a second one on the line, or one in the middle of a text."""
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
        edits = mending(failure, *quoted_whole(failure.places, start)) if whole[0] not in "\"'[{" else ()
        return failure.diagnostic(UNQUOTED_COLON, message, failure.at, failure.at + 1, suggestion, edits=edits)
    return _colon_on_a_later_line(failure)


def _colon_on_a_later_line(failure: Failure) -> Diagnostic | None:
    """A text without quotes was still going on when a line with a key came."""
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
    """A line among keys that is no key."""
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
    """A line that begins where none can."""
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
    fits = [edits for column in near if (edits := mending(failure, (here, at, " " * column)))]
    if not fits and above_it is not None and (strayed := _line_above_out_of_place(failure, above_it)) is not None:
        return strayed
    edits = fits[0] if len(fits) == 1 else ()
    return failure.diagnostic(INDENTATION, message, at, end, suggestion, *related_above, edits=edits)


def _line_above_out_of_place(failure: Failure, above: int) -> Diagnostic | None:
    """The line above, if it is the one that is out of place: indented as this one is, it would fit."""
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
    """What to do about a key among list items, or an item among keys."""
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
