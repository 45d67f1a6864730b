"""Code actions: override a value in house rules that extend the edition. They start with the same value."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lsp.features.available_actions import ActionRequest, CodeAction, has_path, load_texts
from rulewright.lsp.features.symbol_at import SymbolAt, find_meaning
from rulewright.lsp.features.workspace import Good
from rulewright.ruleset.layers.source_edits import build_value_edit
from rulewright.ruleset.layers.value_origins import Path
from rulewright.ruleset.section import load_sections
from rulewright.source.files.unsaved_texts import build_file_key
from rulewright.source.nodes import Mapping, Scalar

PLACE = 50


def offered(asked: ActionRequest) -> Iterator[CodeAction]:
    """Yield an action for each open edition that can override the value in the range, or that of the name there.

    Skips editions that override it already, that are released, or that have changed since they were checked.
    """
    workspace = asked.workspace
    home = workspace.texts.find_home(asked.path)
    opened = {
        build_file_key(each) for file in workspace.texts.opened.values() if (each := workspace.texts.find_home(file))
    }
    for good in workspace.list_good(asked.path) if home is not None else ():
        top = good.ruleset.resolved.layers[-1]
        own = build_file_key(top.folder)
        if own not in opened or good.edition.status == "released" or not workspace.is_current(good):
            continue
        elsewhere = home is not None and own != build_file_key(home)
        for what, way, text in (*(_list_value(asked) if elsewhere else ()), *_list_named(asked, good)):
            if not any(has_path(file, way) for file in top.files):
                load_texts(workspace, top)
                edit = build_value_edit(top, way, text)
                if edit is not None:
                    yield CodeAction(f"Override {what} in {top.ruleset}", (edit,), value=text)


def _list_value(asked: ActionRequest) -> Iterator[tuple[str, Path, str]]:
    """Yield what the value in the range is called in a title, with its path and its text, if it can be overridden."""
    at = asked.symbol
    # A signature is computed, so another value of it is never right.
    if at is None or at.is_key or at.way[-1] == "reviewed" or len(at.way) < 2 or at.way[0] not in load_sections():
        return
    text = _write(asked, at)
    if text is not None:
        yield "this", at.way, text


def _list_named(asked: ActionRequest, good: Good) -> Iterator[tuple[str, Path, str]]:
    """Yield the name, the path and the text of the value of the entry whose name is in the range.

    Only for an inherited entry with a single value.
    """
    meaning = find_meaning(asked.workspace, asked.path, asked.place.line, asked.place.column)
    path = meaning.mention.path if meaning is not None else ()
    section = good.ruleset.resolved.rules.get(path[0]) if len(path) == 2 and path[0] in load_sections() else None
    value = section.get(path[1]) if isinstance(section, Mapping) else None
    way = path
    if isinstance(value, Mapping):
        way, value = (*path, "is"), value.get("is")
    if isinstance(value, Scalar) and not good.ruleset.resolved.is_own(value.span):
        yield f"`{path[1]}`", way, value.raw or value.text


def _write(asked: ActionRequest, at: SymbolAt) -> str | None:
    """Return the YAML text of the value to override, or of the whole list that contains it.

    None if the list is not on one line, or has mappings.
    """
    if at.listed is None:
        return at.scalar.raw or at.scalar.text
    span, text = at.listed.span, asked.workspace.texts.get_text(str(asked.path))
    if text is None or span.line != span.end_line or any(isinstance(item, Mapping) for item in at.listed.items):
        return None
    return text.split("\n")[span.line - 1][span.column - 1 : span.end_column - 1]
