"""Code lenses, one module each: clickable lines above an entry.

A lens is a module with `PLACE`, its position in the row, `title(good, section, id)`, which returns the words above an
entry or None, and `begin(clicked)`, which reads its inputs and returns the remaining work.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import Protocol, cast

from rulewright.base.lazy import compute_once
from rulewright.base.plugins import PluginFolder, attempt, report_failure
from rulewright.lsp.features.code_lens import Lens, LensTarget, Work
from rulewright.lsp.features.edition_states import Good
from rulewright.lsp.features.symbol_at import get_document
from rulewright.lsp.features.workspace import Workspace
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.span import Span

FOLDER = PluginFolder(__name__, "the lens", PLACE=int, title=FunctionType, begin=FunctionType)


class LensKind(Protocol):
    """The interface of a code lens module."""

    PLACE: int

    def title(self, good: Good, section: str, id: str, /) -> str | None: ...

    def begin(self, clicked: LensTarget, /) -> Work: ...


@compute_once
def load_kinds() -> Mapping[str, LensKind]:
    """Return every kind of lens by its name, in the order of their positions."""
    results = {name: cast(LensKind, module) for name, module in FOLDER.iterate_working()}
    return dict(sorted(results.items(), key=lambda item: (item[1].PLACE, item[0])))


def list_lenses(workspace: Workspace, path: Path) -> list[Lens]:
    """Return the lenses of a file, from the last checked state of its edition. Empty if there is none."""
    good = next(iter(workspace.list_good(path)), None)
    node = get_document(workspace, path)
    if good is None or not isinstance(node, MappingNode):
        return []
    entries = [("", "", Span.for_file(str(path)))]
    for section, entry in node.entries.items():
        if isinstance(entry.value, MappingNode):
            entries += [(section, name, each.key.span) for name, each in entry.value.entries.items()]
    return [
        Lens(name, title, span, section, identity)
        for section, identity, span in entries
        for name, kind in load_kinds().items()
        if (title := _title(name, kind, good, section, identity)) is not None
    ]


def _title(name: str, kind: LensKind, good: Good, section: str, identity: str) -> str | None:
    given = f"`{section}.{identity}` of {good.edition.id}"
    return attempt(f"the lens `{name}`", given, partial(kind.title, good, section, identity), report_failure)
