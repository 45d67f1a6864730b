"""From a character of a scalar's text back to the character of the source it was read from."""

from __future__ import annotations

from functools import lru_cache

_BLANKS = " \t\n"
_ESCAPE_DIGITS = {"x": 2, "u": 4, "U": 8}


@lru_cache(maxsize=256)
def raw_offsets(raw: str, text: str, style: str) -> tuple[int, ...]:
    """For each character of `text`, and for its end, the offset in `raw`, the scalar as the file has it.

    The result has `len(text) + 1` items and never decreases.
    """
    if style in ("single", "double"):
        offsets = _quoted(raw, double=style == "double")
    elif style == "plain" and "\n" not in raw:
        offsets = list(range(len(text) + 1))
    else:
        offsets = _aligned(raw, text, block=style != "plain")
    if len(offsets) != len(text) + 1:  # not reached for anything the parser reads; a position must never crash
        offsets = [min(i, len(raw)) for i in range(len(text) + 1)]
    return tuple(offsets)


def raw_length(raw: str, offset: int, style: str) -> int:
    """How many characters of `raw` make the one character of the text that begins at `offset`: an escape takes more."""
    if style == "double" and raw[offset : offset + 1] == "\\":
        return 2 + _ESCAPE_DIGITS.get(raw[offset + 1], 0)
    if style == "single" and raw[offset : offset + 1] == "'":
        return 2
    return 1 if offset < len(raw) else 0


def _quoted(raw: str, *, double: bool) -> list[int]:
    """Read a quoted scalar again, keeping where each character came from."""
    end = len(raw) - 1  # the closing quote
    offsets: list[int] = []
    i = 1
    while i < end:
        char = raw[i]
        if char in _BLANKS:
            run = i
            while i < end and raw[i] in _BLANKS:
                i += 1
            breaks = [j for j in range(run, i) if raw[j] == "\n"]
            # Line folding: one break is read as a blank, each further break as a line break; blanks around go.
            offsets += (breaks[1:] or breaks) if breaks else range(run, i)
        elif double and char == "\\":
            if raw[i + 1] == "\n":  # a line continued: the break and the next line's indentation vanish
                i += 2
                extra = 0
                while i < end and raw[i] in _BLANKS:
                    extra += raw[i] == "\n"
                    i += 1
                offsets += [i - 1] * extra
                continue
            offsets.append(i)
            i += raw_length(raw, i, "double")
        else:
            offsets.append(i)
            i += raw_length(raw, i, "double" if double else "single")
    return [*offsets, end]


def _aligned(raw: str, text: str, *, block: bool) -> list[int]:
    """Walk text and source side by side. Folding changes blanks only, so every visible character is found exactly."""
    i = raw.find("\n") + 1 if block else 0  # a block scalar begins with its header: | or >, perhaps a comment
    indentation = _indentation(raw[i:], text) if block else 0
    i += indentation if raw[i : i + indentation].isspace() else 0
    offsets: list[int] = []
    for char in text:
        if char not in _BLANKS:
            while i < len(raw) and raw[i] != char:
                i += 1
        offsets.append(min(i, len(raw)))
        if i < len(raw) and raw[i] == char:
            i += 1
            if char == "\n" and raw[i : i + indentation].isspace():
                width = len(raw[i : i + indentation].split("\n")[0])
                i += width
    return [*offsets, min(i, len(raw))]


def _indentation(body: str, text: str) -> int:
    """The blanks before each line of a block scalar that are not part of its text."""
    written = next((line for line in body.split("\n") if line.strip()), "")
    kept = next((line for line in text.split("\n") if line.strip()), "")
    return max(0, (len(written) - len(written.lstrip(" "))) - (len(kept) - len(kept.lstrip(" "))))
