"""The conversion of YAML text to nodes, the only one in the program.

PyYAML provides events with positions. `node_builder.py` makes nodes of them, and refuses anchors, aliases, tags, merge
keys and duplicate keys. `core_schema.py` defines the values of unquoted scalars (YAML 1.2 core). The C parser is used
if it is installed, and the pure Python parser gives the same nodes.
"""

from __future__ import annotations

import os
import re
from dataclasses import astuple
from itertools import islice
from typing import TYPE_CHECKING, Any

from rulewright.base.incremental.known_values import get_value
from rulewright.base.incremental.latest_results import keep_latest
from rulewright.source.diagnostics.collector import Diagnostic, DiagnosticError, Diagnostics
from rulewright.source.files.safe_read import DEFAULT_LIMITS, ReadLimits, check_size, normalize_text, read_bytes_as_text
from rulewright.source.nodes import Node
from rulewright.source.source_map import SOURCES
from rulewright.source.span import TextPlaces
from rulewright.source.yaml import character_rules
from rulewright.source.yaml.node_builder import DocumentBuilder, GaveUpError
from rulewright.source.yaml.syntax_explanations import explain, explain_escape
from rulewright.source.yaml.yaml_diagnostics import KEY_WITHOUT_VALUE

if TYPE_CHECKING:
    from collections.abc import Iterator

_BEYOND_UNICODE = re.compile(r"\\U(?!000|0010)[0-9a-fA-F]{8}")


def read_file(path: str | os.PathLike[str], *, limits: ReadLimits = DEFAULT_LIMITS) -> Node:
    """Return the document in a YAML file. Spans contain the file name as given in `path`.

    Raises `DiagnosticError` with all diagnostics if the file is unreadable or invalid. Nodes of unchanged text come
    from a cache.
    """
    text, file = read_bytes_as_text(path, limits=limits), os.fspath(path)
    SOURCES.remember(file, text)
    return read_once(text, file, limits)


def read_text(text: str, file: str, *, limits: ReadLimits = DEFAULT_LIMITS) -> Node:
    """Return the document in a text. Spans contain `file` as the file name.

    Raises `DiagnosticError` with all diagnostics if the text is too long or invalid.
    """
    check_size(len(text.encode("utf-8", errors="surrogatepass")), file, limits)
    text = normalize_text(text)
    SOURCES.remember(file, text)
    return _read(text, file, limits)


def read_unlisted(text: str, file: str, *, limits: ReadLimits = DEFAULT_LIMITS) -> Node:
    """Return the document in a part of a file. Messages still quote the original text of the file.

    Raises `DiagnosticError` if the part is invalid.
    """
    return _read(text, file, limits)


def _read(text: str, file: str, limits: ReadLimits) -> Node:
    """Return the document in a text. Raises `DiagnosticError` with all errors.

    Forbidden characters, directives and merge conflicts are reported first, without any errors that they cause.
    """
    places = TextPlaces(text, file)
    diagnostics = Diagnostics()
    character_rules.check_characters(places, diagnostics, limit=limits.errors)
    character_rules.check_directives(places, diagnostics)
    character_rules.check_conflicts(places, diagnostics, limit=limits.errors)
    diagnostics.raise_if_errors()  # the parser would report the same problems less clearly
    builder = DocumentBuilder(places, diagnostics, limits)
    root = _build(builder, places, diagnostics)
    if root is None or diagnostics.errors:
        left_over = Diagnostics()
        character_rules.check_left_over(places, left_over, limit=limits.errors)
        left_over.raise_if_errors()  # these explain why the file cannot be read
        raise DiagnosticError(sorted(diagnostics, key=lambda d: d.span))
    return root


@keep_latest(lambda text, file, limits: file)
def read_once(text: str, file: str, limits: ReadLimits) -> Node:
    """Return the document in a text, the same nodes for the same text: while one file is edited, most do not change.

    Raises `DiagnosticError` if the text is invalid.
    """
    node: Node = get_value(["nodes", text, file, *astuple(limits)], lambda: _read(text, file, limits))
    return node


def _build(builder: DocumentBuilder, places: TextPlaces, diagnostics: Diagnostics) -> Node | None:
    """Return the root of the document, or None if it is empty or unreadable, which `diagnostics` then explains.

    Also reports tabs and unusual characters. If the parser stops at a line with such a character, only that is
    reported.
    """
    import yaml

    try:
        for event in _parse_events(places.text):
            builder.take(event)
        character_rules.check_tabs(places, builder.scalars, diagnostics, limit=builder.limits.errors)
        character_rules.check_unseen(places, builder.scalars, diagnostics, limit=builder.limits.errors)
        return builder.finish()
    except GaveUpError:
        return None
    except yaml.MarkedYAMLError as error:
        fault = explain(error, places, last_scalar=builder.last_scalar, bracket=builder.bracket)
    except (OverflowError, ValueError):  # the pure Python parser, for an escape beyond the last Unicode character
        match = _BEYOND_UNICODE.search(places.text)
        if match is None:
            raise
        fault = explain_escape(places, match.start())
    unseen = Diagnostics()
    character_rules.check_unseen(places, builder.scalars, unseen, limit=builder.limits.errors)
    here = [each for each in unseen if each.span.line == fault.span.line]
    diagnostics.extend(each for each in unseen if each not in here)
    if here:
        diagnostics.extend(here)  # the parser's error is a consequence of these
    else:
        _give_up_on(fault, diagnostics)
    return None


def _give_up_on(fault: Diagnostic, diagnostics: Diagnostics) -> None:
    """Add a syntax error, and remove diagnostics at the same position, which are its consequences.

    If the parser failed inside a text that needs quotes, keep that diagnostic and drop the syntax error.
    """
    cut = [d for d in diagnostics if d.code is KEY_WITHOUT_VALUE and d.edits and d.span.line == fault.span.line]
    if any(_covers_fault(each, fault) for each in cut):
        return
    saved = [d for d in diagnostics if not (d.span.line == fault.span.line and _covers_fault(fault, d))]
    diagnostics.replace([*saved, fault])


def _covers_fault(fault: Diagnostic, other: Diagnostic) -> bool:
    return fault.span.column <= other.span.column < fault.span.end_column


def _parse_events(text: str) -> Iterator[Any]:
    """Yield the parser's events. Raises `yaml.MarkedYAMLError` at invalid YAML, after the events before it.

    Since PyYAML 6.0.4, the C parser has a limit on nesting, and fails before it has reported less deeply nested nodes.
    The function then continues with the Python parser, which has no limit, so that the limit of this dialect applies.
    """
    import yaml

    count = 0
    try:
        for event in yaml.parse(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            count += 1
            yield event
    except yaml.MarkedYAMLError as error:
        if "nesting depth" not in (error.problem or ""):
            raise
        yield from islice(yaml.parse(text, yaml.SafeLoader), count, None)
