"""Saying the value at a place anew in house rules that lie above it: the value itself, to be changed there."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lsp.features.available_actions import Action, Asked, recall, said
from rulewright.lsp.features.symbol_at import Pointed
from rulewright.ruleset.layers.source_edits import value_set
from rulewright.ruleset.section import sections
from rulewright.source.files.unsaved_texts import key_of_file
from rulewright.source.nodes import Mapping

PLACE = 50


def offered(asked: Asked) -> Iterator[Action]:
    """Yield the value in each open edition that lies above, and does not say it yet."""
    workspace, at = asked.workspace, asked.pointed
    home = workspace.texts.home(asked.path)
    if at is None or at.is_key or home is None or len(at.way) < 2 or at.way[0] not in sections():
        return
    opened = {key_of_file(each) for file in workspace.texts.opened.values() if (each := workspace.texts.home(file))}
    for good in workspace.good(asked.path):
        top = good.ruleset.resolved.layers[-1]
        own = key_of_file(top.folder)
        if own == key_of_file(home) or own not in opened or good.edition.status == "released":
            continue
        if not workspace.is_current(good) or any(said(file, at.way) for file in top.files):
            continue
        recall(workspace, top)
        text = _written(asked, at)
        edit = value_set(top, at.way, text) if text is not None else None
        if edit is not None:
            yield Action(f"Change this in {top.ruleset}: say it there, and change what it says", (edit,))


def _written(asked: Asked, at: Pointed) -> str | None:
    """Return what is to be said anew: the value, or all of a list that it stands in.

    None where that is no single line.
    """
    if at.listed is None:
        return at.scalar.raw or at.scalar.text
    span, text = at.listed.span, asked.workspace.texts.text(str(asked.path))
    if text is None or span.line != span.end_line or any(isinstance(item, Mapping) for item in at.listed.items):
        return None
    return text.split("\n")[span.line - 1][span.column - 1 : span.end_column - 1]
