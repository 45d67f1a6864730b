"""Error recovery for a faulty YAML file, which reads all entries except the faulty ones."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass

from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.files.safe_read import read_bytes_as_text
from rulewright.source.nodes import Node
from rulewright.source.source_map import SOURCES
from rulewright.source.yaml.yaml_diagnostics import (
    MISSING_COMMA,
    TEXT_AFTER_VALUE,
    TOO_MANY_NODES,
    UNCLOSED_BRACKET,
    UNCLOSED_QUOTE,
)
from rulewright.source.yaml.yaml_reader import read_file, read_unlisted

MOST_ATTEMPTS = 20
"""The maximum number of attempts to read a file with fewer entries. Each attempt reads the whole file."""

_INDENT = re.compile(r"[ \t]*")
_BLANK = re.compile(r"\s*(#.*)?$")
_KEY = re.compile(r"([^\W\d]\w*)[\"']?\s*:")
_NAMED = re.compile(r"\bid:\s*[\"']?([^\W\d]\w*)")
_BEGINS = re.compile(r"\s*(?:- +)?([^\W\d]\w*)")
"""The first word of an entry, which is its key even if the colon is missing."""

_SECTION = re.compile(r"([^\W\d]\w*)")


@dataclass(frozen=True, slots=True)
class RecoveredFile:
    """The readable part of a file.

    It has the document (or None), the diagnostics, and the names of the lost entries, each with its section. Names
    inside an entry come with the path of that entry, such as `procedures.game`.
    """

    node: Node | None
    diagnostics: tuple[Diagnostic, ...] = ()
    lost: frozenset[tuple[str, str]] = frozenset()

    @property
    def hopeless(self) -> bool:
        """Whether it is unknown what the file declares."""
        return self.node is None and not self.lost


def recover_document(path: str | os.PathLike[str]) -> RecoveredFile:
    """Return the document in a YAML file, without its faulty entries.

    Positions are those of the complete file. The diagnostics leave out later errors that may be consequences of earlier
    ones: those in a section that already had an error, and those after an unclosed quote. If the file cannot be
    recovered, the result has no document.
    """
    try:
        return RecoveredFile(read_file(path))
    except DiagnosticError as error:
        first = error.diagnostics
    file = os.fspath(path)
    text = _read_faulty_text(path)
    if text is None or any(fault.code is TOO_MANY_NODES for fault in first):
        return RecoveredFile(None, first)  # leaving out a few entries would not help
    lines, result, lost = text.split("\n"), list(first), set[tuple[str, str]]()
    faults, sections = first, set[str]()
    for _ in range(MOST_ATTEMPTS):
        for line in {fault.span.line for fault in faults}:
            cut = _cut(lines, line - 1)
            lost |= cut
            sections |= {path.partition(".")[0] for path, _ in cut}
        if not any(not _BLANK.match(line) for line in lines):
            return RecoveredFile(None, tuple(result), frozenset(lost))
        try:
            return RecoveredFile(read_unlisted("\n".join(lines), file), tuple(result), frozenset(lost))
        except DiagnosticError as error:
            faults = error.diagnostics
            if any(fault.code in (TEXT_AFTER_VALUE, UNCLOSED_QUOTE) for fault in result):
                continue
            result += [
                fault
                for fault in faults
                if _find_section(lines, fault.span.line - 1) not in sections
                and not _is_of_bracket(fault, result, lines)
            ]
    return RecoveredFile(None, tuple(result))


def _is_of_bracket(fault: Diagnostic, earlier: Sequence[Diagnostic], lines: Sequence[str]) -> bool:
    """Return whether a fault is about the other end of a bracket that an earlier diagnostic is about."""
    brackets = [each for each in earlier if each.code in (UNCLOSED_BRACKET, MISSING_COMMA)]
    if any(note.span == fault.span for each in brackets for note in each.related):
        return True
    line = lines[fault.span.line - 1][fault.span.column - 1 :]
    return bool(brackets) and not line.strip(" ]}")


def _read_faulty_text(path: str | os.PathLike[str]) -> str | None:
    """Return the faulty text as read from the file, or as last read if the file is unreadable.

    None if the file is unreadable and `SOURCES` does not have its text.
    """
    try:
        return read_bytes_as_text(path)
    except DiagnosticError:
        return SOURCES.find_text(os.fspath(path))


def _cut(lines: list[str], at: int) -> set[tuple[str, str]]:
    """Clear the lines of the entry at line `at`, and return its keys and ids as `RecoveredFile` has them.

    `at` counts from 0. Clears the whole section if the line is its first, or if it has no other entry. The pair
    `(section, section)` is always included.
    """
    at = min(at, len(lines) - 1)
    top = _find_head_line(lines, at, 0)
    section = _find_section(lines, at)
    end = _end(lines, top, 0)
    inner = next((_indent(line) for line in lines[top + 1 : end] if not _BLANK.match(line)), 0)
    first, last = (top, end) if at == top or inner == 0 else (_find_head_line(lines, at, inner), _end(lines, at, inner))
    # A section without entries is removed with its last one.
    if not any(not _BLANK.match(line) for line in [*lines[top + 1 : first], *lines[last:end]]):
        first, last = top, end
    removed = lines[first:last]
    lines[first:last] = [""] * (last - first)
    lost, entry = {(section, section)}, ""
    for line in removed:
        begins = _BEGINS.match(line) if _indent(line) <= inner else None
        if begins is not None and begins[1] != section:
            entry = begins[1]
            lost.add((section, entry))
        within = f"{section}.{entry}"
        lost |= {(within, name) for name in (*_KEY.findall(line), *_NAMED.findall(line)) if name != entry}
    return lost


def _find_section(lines: list[str], at: int) -> str:
    match = _SECTION.match(lines[_find_head_line(lines, min(at, len(lines) - 1), 0)])
    return match[1] if match else ""


def _find_head_line(lines: list[str], at: int, depth: int) -> int:
    """Return the index of the first line of the block that contains line `at`.

    It is the nearest line, from `at` upwards, that has content and an indentation of at most `depth`, or else line 0.
    """
    while at > 0 and (_BLANK.match(lines[at]) or _indent(lines[at]) > depth):
        at -= 1
    return at


def _end(lines: list[str], at: int, depth: int) -> int:
    """Return the index of the line after the block that begins at line `at`.

    The other lines of the block are blank or indented by more than `depth`.
    """
    at += 1
    while at < len(lines) and (_BLANK.match(lines[at]) or _indent(lines[at]) > depth):
        at += 1
    return at


def _indent(line: str) -> int:
    return len(_INDENT.match(line)[0])  # type: ignore[index]
