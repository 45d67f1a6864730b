"""Code action: override a value in house rules that extend the edition. It starts with the same value."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lsp.features.available_actions import ActionRequest, CodeAction, has_path, load_texts
from rulewright.lsp.features.symbol_at import SymbolAt
from rulewright.ruleset.layers.source_edits import build_value_edit
from rulewright.ruleset.section import load_sections
from rulewright.source.files.unsaved_texts import build_file_key
from rulewright.source.nodes import Mapping

PLACE = 50


def offered(asked: ActionRequest) -> Iterator[CodeAction]:
    """Yield an action for each open edition that extends this one and does not yet override the value.

    Skips editions that are released, or that have changed since they were checked.
    """
    workspace, at = asked.workspace, asked.symbol
    home = workspace.texts.find_home(asked.path)
    # A signature is computed, so another value of it is never right.
    if at is None or at.is_key or at.way[-1] == "reviewed" or home is None or len(at.way) < 2:
        return
    if at.way[0] not in load_sections():
        return
    opened = {
        build_file_key(each) for file in workspace.texts.opened.values() if (each := workspace.texts.find_home(file))
    }
    for good in workspace.list_good(asked.path):
        top = good.ruleset.resolved.layers[-1]
        own = build_file_key(top.folder)
        if own == build_file_key(home) or own not in opened or good.edition.status == "released":
            continue
        if not workspace.is_current(good) or any(has_path(file, at.way) for file in top.files):
            continue
        load_texts(workspace, top)
        text = _write(asked, at)
        edit = build_value_edit(top, at.way, text) if text is not None else None
        if text is not None and edit is not None:
            yield CodeAction(f"Override this in {top.ruleset}", (edit,), value=text)


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
