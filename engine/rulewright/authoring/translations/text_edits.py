"""Write texts and signatures into a translation file. Comments, order and style of all other text stay as they are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from rulewright.authoring.sheets.entry_edits import join_insertions
from rulewright.authoring.translations.prose_lines import break_words, wrap_prose
from rulewright.base.errors import RulewrightError
from rulewright.ruleset.layers.source_edits import build_tree_edits, find_extent, format_tree, grow_tree
from rulewright.ruleset.schema.translation_schema import REVIEWED
from rulewright.ruleset.translation.source_texts import Path
from rulewright.ruleset.translation.translation import TranslatedText, Translation
from rulewright.source.diagnostics.diagnostic import Edit, apply_edits
from rulewright.source.files.safe_read import read_bytes_as_text
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Node, Scalar, Sequence, is_flow
from rulewright.source.source_map import SOURCES
from rulewright.source.yaml.core_schema import resolve
from rulewright.source.yaml.flow_style import quote_text, write_text

_WIDTH = 120
"""The maximum length of a line, if its words allow it."""

_LEVELS = 9
"""More levels than any text has, so that every new entry has a line of its own."""

_HEADER = re.compile(r"([|>])[-+]?(\s.*)?")
"""The first line of a block scalar without a number for its indentation, perhaps with a comment."""


def write_translation(
    translation: Translation, texts: Mapping[Path, TranslatedText], signatures: Mapping[str, str]
) -> tuple[str | None, str]:
    """Return the text of the edition's own translation file before and after texts and signatures are set in it.

    The first is None if there is no such file yet. `texts` are new or changed. Raises `RulewrightError` if the file is
    written in a way in which they cannot be added. Changes no file.
    """
    file = translation.own_file
    values = {(REVIEWED, name): signature for name, signature in signatures.items()}
    if file is None:
        tree = grow_tree({path: _write_value(text) for path, text in texts.items()} | values)
        return None, format_tree(tree, levels=_LEVELS, layout=_lay_out) + "\n"
    own = {path: text for path, text in translation.texts.items() if text.file is file}
    added: dict[Path, str] = {}
    for path, text in texts.items():
        if path not in own:
            # A short form in the way becomes a mapping, so its own text is written again.
            short = _find_short_form(path, file.written)
            within = (each for each in own if short and each[: len(short)] == short)
            added |= {each: _write_value(texts.get(each, own[each])) for each in within}
            added[path] = _write_value(text)
    edits = [
        edit
        for path, text in texts.items()
        if path in own and path not in added
        for edit in _replace(own[path], text, file.written, path)
    ]
    layer = file.layer.__class__(file.layer.name, file.layer.folder, file.layer.manifest, (file.written,))
    tree = grow_tree(added | values)
    grown = build_tree_edits(layer, tree, levels=_LEVELS, layout=_lay_out) if tree else ()
    if grown is None:
        raise RulewrightError(f"no texts can be added to {file.path} as it is written: add one of them by hand")
    before = read_bytes_as_text(file.path)
    return before, apply_edits(before, join_insertions([*edits, *grown]))


def _find_short_form(path: Path, node: Node | None) -> Path | None:
    """Return the beginning of a path at which a file has a text in place of a mapping, or None."""
    for depth, key in enumerate(path[:-1], start=1):
        node = node.get(key) if isinstance(node, MappingNode) else None
        if isinstance(node, Scalar):
            return path[:depth]
    return None


def _write_value(text: TranslatedText) -> str:
    """Return a text as YAML on one line."""
    lines = [write_text(line.text.strip()) for line in text.lines]
    return f"[{', '.join(lines)}]" if text.is_list else lines[0]


def _replace(old: TranslatedText, new: TranslatedText, root: MappingNode, path: Path) -> Iterator[Edit]:
    """Yield the edits that write a text in place of another one: of each line, or of a whole list."""
    if len(old.lines) == len(new.lines):
        pairs = zip(old.lines, new.lines, strict=True)
        for line, changed in pairs:
            if line.text.strip() != changed.text.strip():
                yield Edit(find_extent(line), _write_in_place(line, changed.text.strip(), _is_in_flow(root, path)))
        return
    node = _follow(root, path)
    assert node is not None
    yield Edit(find_extent(node), _write_value(new))


def _follow(root: MappingNode, path: Path) -> Node | None:
    """Return the value at a path, or the scalar that is short for it."""
    node: Node | None = root
    for key in path:
        if not isinstance(node, MappingNode):
            return node
        node = node.get(key)
    return node


def _is_in_flow(root: MappingNode, path: Path) -> bool:
    """Return whether the value at a path is in braces, or in brackets."""
    nodes = (_follow(root, path[:depth]) for depth in range(1, len(path) + 1))
    return any(isinstance(node, MappingNode | Sequence) and is_flow(node) for node in nodes)


def _write_in_place(old: Scalar, text: str, is_in_flow: bool) -> str:
    """Return a text as YAML in the style of the scalar that it replaces, if it can be so written."""
    span = old.span
    header, _, body = old.raw.partition("\n")
    if (match := _HEADER.fullmatch(header)) and old.style in ("literal", "folded") and _fits_block(text):
        first = next((line for line in body.split("\n") if line.strip()), "")
        indent = " " * (len(first) - len(first.lstrip(" ")))
        lines = _fold(text, indent) if match[1] == ">" else None
        if lines is None:
            header, lines = f"|{header[1:]}", wrap_prose(text, _WIDTH - len(indent)).split("\n")
        return "\n".join([header, *(f"{indent}{line}".rstrip() for line in lines)])
    if old.style == "single" and "\n" not in text and text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    value = quote_text(text) if old.style == "double" else write_text(text)
    head = (SOURCES.find_line(span.file, span.line) or "")[: span.column - 1]
    rest = (SOURCES.find_line(span.file, span.end_line) or "")[span.end_column - 1 :]
    return value if is_in_flow or rest.strip() else _lay_out(head, value)[len(head) :]


def _lay_out(head: str, value: str) -> str:
    """Return a value after the key and indentation in `head`: without quotes or as a block, if that is possible."""
    text = json.loads(value) if value.startswith('"') else value
    indent = " " * (len(head) - len(head.lstrip(" ")) + 2)
    if "\n" in text and _fits_block(text):
        lines = wrap_prose(text, _WIDTH - len(indent)).split("\n")
        return "\n".join([f"{head}|-", *(f"{indent}{line}".rstrip() for line in lines)])
    if len(head + value) > _WIDTH and (folded := _fold(text, indent)) and len(folded) > 1 and value[0] != "[":
        return "\n".join([f"{head}>-", *(f"{indent}{line}" for line in folded)])
    return head + (text if _is_plain(text) else value)


def _is_plain(text: str) -> bool:
    """Return whether a text needs no quotes outside of braces and brackets."""
    is_odd = ": " in text or " #" in text or text.endswith(":") or not text.isprintable()
    return text[:1].isalpha() and not is_odd and resolve(text, digits=1) == text


def _fits_block(text: str) -> bool:
    """Return whether a text, without spaces around it, can be a block scalar."""
    return all(line.isprintable() and line == line.rstrip() for line in text.split("\n"))


def _fold(text: str, indent: str) -> list[str] | None:
    """Return the lines of a folded block scalar, or None if they would be read as another text."""
    lines = break_words(text, _WIDTH - len(indent))
    return lines if _fits_block(text) and " ".join(lines) == text else None
