"""Explain failures of a whole line: a missing, misplaced or extra colon, and a key among items or texts."""

from __future__ import annotations

import re

from rulewright.source.diagnostics.diagnostic import Diagnostic, Edit, RelatedSpan
from rulewright.source.diagnostics.suggestions import Suggestion
from rulewright.source.yaml.syntax_failure import (
    SyntaxFailure,
    count_indentation,
    count_indentation_at,
    find_line_above,
    quote_text,
    quote_whole_value,
    shorten_text,
    verify_fix,
)
from rulewright.source.yaml.yaml_diagnostics import (
    EMPTY_KEY,
    INDENTATION,
    MISSING_COLON,
    SECOND_DOCUMENT,
    UNQUOTED_COLON,
)

_PLACEHOLDER = re.compile(r"\{[\w.]*\}")

_KEY_AND_VALUE = re.compile(r"[ ]*(?:- +)*(?:\"[^\"]*\"|'[^']*'|[^\s\"'\[\]{}#][^#\n]*?):[ ]+(?=\S)")


_INDENTATION = re.compile(r" *(?:- +)*")

_LAST_KEY = re.compile(r"( +)([a-z_]\w*)$")
"""A key before its colon, and the space before it."""

_DASH = re.compile(r"-(?=[A-Za-z_][^\n]*:(\s|$))")
_KEY_AND_TEXT = re.compile(r"([A-Za-z_]\w*):(?![\s/])([^\s:].*)")
_KEY = re.compile(r"[A-Za-z_]\w*")
_KEY_WITHOUT_COLON = re.compile(r"([a-z_][\w.]*) +(?:= *)?([^\s:#]+|[\[{\"'].*)")
"""A key and a value without a colon. The value is one word, or begins with a quote or bracket: several words may be
the continuation of the text above.
"""


def break_line(failure: SyntaxFailure, start: int) -> tuple[Edit, ...]:
    """Return the edit that puts a key at `start` on a line of its own, below the first key of its line.

    Empty if that does not help the parser.
    """
    before = failure.text[failure.places.find_line_start(start) : start]
    indentation = _INDENTATION.match(before)
    deep = indentation.end() if indentation is not None else 0
    return verify_fix(failure, (start - len(before) + len(before.rstrip()), start, f"\n{' ' * deep}"))


def explain_colon(failure: SyntaxFailure) -> Diagnostic | None:
    """Explain a colon at which no key can end, as in a text or after another key on the line, or return None."""
    if not failure.mentions("mapping values are not allowed"):
        return None
    value = _KEY_AND_VALUE.match(failure.before + ":")
    if value is not None and value.end() <= len(failure.before):
        start = failure.at - len(failure.before) + value.end()
        whole = failure.text[start : failure.places.find_line_end(start)]
        suggestion = "give each key a line of its own"
        if whole[0] not in "\"'[{":
            suggestion = f"put quotes around the text: {quote_text(whole)}"
            key = _LAST_KEY.search(failure.before, value.end())
            if key is not None:
                own_line = f"write `{key[2]}:` on a line of its own"
                if len(key[1]) > 1:
                    message = f"`{key[2]}:` follows a value on the same line"
                    edits = break_line(failure, failure.at - len(key[2]))
                    at = failure.at
                    return failure.build_diagnostic(UNQUOTED_COLON, message, at, at + 1, own_line, edits=edits)
                suggestion += f". If `{key[2]}` is a key, {own_line}"
        message = "this colon comes after a value that has already begun"
        bare = whole.rstrip()
        if bare.startswith("(") and bare.endswith(")"):
            end = start + len(bare)
            edits = verify_fix(failure, (start, start + 1, "{"), (end - 1, end, "}"))
            suggestion = "put braces around keys and their values, not brackets: `{…}`"
            return failure.build_diagnostic(
                UNQUOTED_COLON, message, failure.at, failure.at + 1, suggestion, edits=edits
            )
        is_text = whole[0] not in "\"'[{" and not {*"{}"} & {*_PLACEHOLDER.sub("", whole)}
        edits = verify_fix(failure, *quote_whole_value(failure.places, start)) if is_text else ()
        return failure.build_diagnostic(UNQUOTED_COLON, message, failure.at, failure.at + 1, suggestion, edits=edits)
    return _explain_later_colon(failure)


def _explain_later_colon(failure: SyntaxFailure) -> Diagnostic | None:
    """Explain a line with a key that the parser reads as part of the unquoted text above it.

    If the text above is not the value of a key, it is probably a key without a colon, which is explained instead. None
    if there is no line above.
    """
    here = failure.places.find_line_start(failure.at)
    depth = count_indentation(failure.before)
    above = find_line_above(failure.places, here)
    owner = above
    while owner is not None and count_indentation_at(failure.places, owner) >= depth:
        owner = find_line_above(failure.places, owner)
    key_start = here + depth
    key = shorten_text(failure.text[key_start : failure.at])
    if owner is not None:
        line = failure.text[owner : failure.places.find_line_end(owner)]
        if _KEY_AND_VALUE.match(line):
            message = f"`{key}:` is indented below a key that already has a text as its value"
            suggestion = "align it with the key it should follow; if it continues the text, put the text in quotes"
            related = failure.build_related(owner + count_indentation(line), "the key above")
            edits = verify_fix(failure, (here, key_start, " " * count_indentation(line)))
            return failure.build_diagnostic(
                INDENTATION, message, key_start, failure.at, suggestion, related, edits=edits
            )
    if above is None:
        return None
    return _build_missing_colon(failure, above)


def explain_missing_colon(failure: SyntaxFailure) -> Diagnostic | None:
    """Explain a line among keys that has no colon, or return None."""
    if not failure.mentions("could not find expected ':'"):
        return None
    return _build_missing_colon(failure, failure.places.find_line_start(failure.since))


def _build_missing_colon(failure: SyntaxFailure, line_start: int) -> Diagnostic:
    """Return a diagnostic for a line without a colon that ends its key.

    It suggests the line with one, if it has a key.
    """
    line = failure.text[line_start : failure.places.find_line_end(line_start)]
    start = line_start + count_indentation(line)
    written = line.strip()
    message = f"`{shorten_text(written)}` has no colon after it"
    glued = _KEY_AND_TEXT.fullmatch(written)
    if glued is not None:
        correction = f"{glued[1]}: {glued[2]}"
        message = f"the colon in `{shorten_text(written)}` has no space after it, so it does not end a key"
        hint = Suggestion(f"put a space after the colon: `{shorten_text(correction)}`", written, [correction])
        return failure.build_diagnostic(MISSING_COLON, message, start, start + len(written), hint)
    if _KEY.fullmatch(written) and _opens_block(failure, line_start):
        hint = Suggestion(f"put a colon after the key: `{shorten_text(written)}:`", written, [f"{written}:"])
        return failure.build_diagnostic(MISSING_COLON, message, start, start + len(written), hint)
    pair = _KEY_WITHOUT_COLON.fullmatch(written)
    if pair is None:
        return failure.build_diagnostic(MISSING_COLON, message, start, start + len(written))
    correction = f"{pair[1]}: {pair[2]}"
    suggestion = Suggestion(f"put a colon after the key: `{shorten_text(correction)}`", written, [correction])
    return failure.build_diagnostic(MISSING_COLON, message, start, start + len(written), suggestion)


def _opens_block(failure: SyntaxFailure, line_start: int) -> bool:
    """Return whether the next line is indented further and so belongs to this one."""
    end = failure.places.find_line_end(line_start)
    following = re.compile(r"\n(?:[ ]*(?:#[^\n]*)?\n)*([ ]*)(?=\S)").match(failure.text, end)
    return following is not None and len(following[1]) > count_indentation_at(failure.places, line_start)


def explain_line_out_of_place(failure: SyntaxFailure) -> Diagnostic | None:
    """Explain a line that cannot begin with its indentation, or return None.

    Also explains a second document, a `:` without a key, and a line above that has the wrong indentation.
    """
    if not failure.is_after_a_value or failure.before.strip():
        return None
    at, end = failure.at, failure.at + len(failure.after)
    here = failure.places.find_line_start(at)
    above = find_line_above(failure.places, here)
    if above is not None and failure.text.startswith("...", above):
        message = "a second document begins here, but a file may contain only one"
        return failure.build_diagnostic(SECOND_DOCUMENT, message, at, end)
    if failure.char == ":":
        return failure.build_diagnostic(EMPTY_KEY, "there is no key before this `:`", at, at + 1)
    depth = len(failure.before)
    is_item = failure.after.startswith("- ") or failure.after == "-"
    block = failure.places.build_span(failure.since, failure.since).column - 1 if failure.context else None
    if block == depth and is_item != ("collection" in failure.context):
        message = "a list item cannot appear among keys" if is_item else "a key cannot appear among list items"
        others = "keys" if is_item else "list items"
        related = failure.build_related(failure.since, f"the {others} begin here")
        suggestion, edits = _suggest_alignment(failure, here, depth)
        return failure.build_diagnostic(INDENTATION, message, at, end, suggestion, related, edits=edits)
    if above is not None and (indented := _explain_first_line(failure, above, depth)) is not None:
        return indented
    above_it = above
    columns: list[int] = []
    has_like = False
    while above is not None:
        column = count_indentation_at(failure.places, above)
        has_like = has_like or column == depth
        columns = [*columns, column] if not columns or column < columns[-1] else columns
        above = find_line_above(failure.places, above)
    deeper = [column for column in columns if column > depth]
    shallower = [column for column in columns if column < depth]
    near = sorted([*deeper[-1:], *shallower[:1]])
    spaces = " or ".join(str(column) for column in near)
    suggestion = f"indent it by {spaces} spaces, like lines above it" if near else None
    lack = "which does not fit the line above it" if has_like else "but no line above it is"
    message = f"this line is indented by {depth} spaces, {lack}"
    related_above: tuple[RelatedSpan, ...] = ()
    if above_it is not None:
        column = count_indentation_at(failure.places, above_it)
        related_above = (failure.build_related(above_it + column, f"the line above is indented by {column}"),)
    # An unindented line is a key of the whole file, so the indented line above is misplaced.
    fits = [edits for column in near if depth and (edits := verify_fix(failure, (here, at, " " * column)))]
    if not fits and above_it is not None and (strayed := _explain_line_above(failure, above_it)) is not None:
        return strayed
    edits = fits[0] if len(fits) == 1 else ()
    return failure.build_diagnostic(INDENTATION, message, at, end, suggestion, *related_above, edits=edits)


def _explain_first_line(failure: SyntaxFailure, above: int, depth: int) -> Diagnostic | None:
    """Explain an indented first line, which makes every line to its left wrong. None if moving it would not help.

    `above` is the line above the one that cannot begin, whose indentation is `depth`. If only the first line cannot
    move, all lines from there move with it.
    """
    lines = [above]
    while (line := find_line_above(failure.places, lines[-1])) is not None:
        lines.append(line)
    column = count_indentation_at(failure.places, lines[-1])
    if column <= depth:
        return None
    first, *others = ((line, line + column, "") for line in reversed(lines))
    edits = verify_fix(failure, first) or verify_fix(failure, first, *others)
    if not edits:
        return None
    message = f"the first line is indented by {column} spaces, but the lines of a file begin at the left"
    start, end = lines[-1] + column, failure.places.find_line_end(lines[-1])
    return failure.build_diagnostic(INDENTATION, message, start, end, "delete the spaces at its beginning", edits=edits)


def _explain_line_above(failure: SyntaxFailure, above: int) -> Diagnostic | None:
    """Explain the line above if it is the one to move, to the indentation of this line. Otherwise return None."""
    depth, column = len(failure.before), count_indentation_at(failure.places, above)
    edits = verify_fix(failure, (above, above + column, " " * depth)) if column != depth else ()
    if not edits:
        return None
    message = f"this line is indented by {column} spaces, but the line after it by {depth}"
    related = failure.build_related(failure.at, "the line after it")
    suggestion = f"indent it by {depth} spaces too, if they belong together"
    start, end = above + column, failure.places.find_line_end(above)
    return failure.build_diagnostic(INDENTATION, message, start, end, suggestion, related, edits=edits)


def _suggest_alignment(failure: SyntaxFailure, here: int, depth: int) -> tuple[str | None, tuple[Edit, ...]]:
    """Return the suggestion and edits for a key among list items or an item among keys.

    `here` is the start of the line, and `depth` its indentation. None and no edits for an item that begins with a dash
    and a space. The edits are empty if they would not help.
    """
    at = failure.at
    if _DASH.match(failure.text, at):
        edits = verify_fix(failure, (at + 1, at + 1, " "))
        return f"put a space after the dash: `- {shorten_text(failure.after[1:])}`", edits
    if failure.after.startswith("-"):
        return None, ()
    within = depth + 2
    edits = verify_fix(failure, (here, at, " " * within))
    return (
        f"indent it by {within} spaces if it belongs to the item above, or less if it comes after the list",
        edits,
    )
