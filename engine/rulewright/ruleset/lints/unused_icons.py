"""Check icons: each must be valid and belong to a term or a row."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from rulewright.ruleset.editions.icons import (
    BAD_ICON,
    COVER_ID,
    UNKNOWN_ICON,
    find_icons,
    find_stray_drawings,
    list_drawable,
)
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.suggestions import find_nearest, suggest_name
from rulewright.source.span import Span


def lint(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report invalid icons of terms, rows and the cover, and icon files with a name that no term or row has.

    In a folder that editions share, an unknown name is only reported if it resembles one without an icon.
    """
    icons = find_icons(ruleset)
    for identity, icon in icons.items():
        if icon.fault is not None:
            about = "the cover" if identity == COVER_ID else f"the drawing of `{identity}`"
            diagnostics.add(BAD_ICON, f"{about} cannot be shown: {icon.fault}", icon.span)
    wanting = [name for name in list_drawable(ruleset) if name not in icons]
    for path, is_shared in find_stray_drawings(ruleset):
        hint = suggest_name(path.stem, _alike(path.stem, wanting) if is_shared else wanting)
        # A folder may be shared with other editions, so report only a name similar to one that still lacks an icon.
        if hint is not None or not is_shared:
            message = f"`{path.name}` is not named after a term or a row of a table"
            # Without the type `Suggestion`, no edit is offered: the fix is to rename the file.
            text = f"{hint}" if hint is not None else None
            diagnostics.add(UNKNOWN_ICON, message, Span(os.fspath(path), 1, 1, 1, 1), suggestion=text)


def _alike(stem: str, names: Iterable[str]) -> Iterator[str]:
    """Yield the names that `stem` may mean.

    Rows of a table share a prefix, so for a row such as `table.row` only the row's own name is compared.
    """
    _, is_row, own = stem.rpartition(".")
    for name in names:
        row = name.rpartition(".")[2]
        if not is_row or row in (name, own) or find_nearest(own, [row]):
            yield name
