"""Code actions: override a value in house rules that extend the edition. They start with the same value."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lsp.features.available_actions import ActionRequest, CodeAction, load_texts
from rulewright.lsp.features.edition_states import Good
from rulewright.lsp.features.symbol_at import SymbolAt, find_meaning
from rulewright.ruleset.layers.layer import Layer
from rulewright.ruleset.layers.source_edits import build_item_edit, build_value_edit, find_items
from rulewright.ruleset.layers.value_origins import Path, find_steps_path
from rulewright.ruleset.section import load_sections
from rulewright.source.diagnostics.diagnostic import Edit
from rulewright.source.files.unsaved_texts import build_file_key
from rulewright.source.nodes import Mapping, Scalar, follow_keys

PLACE = 50

_PLACES = ("id", "before", "after", "replace", "delete")
"""The keys of a step that say which step it is and where it goes. House rules need their own."""


def offered(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield an action for each open edition that can override the value of the name in the range, or the value there.

    Skips editions that override it already.
    """
    for good, is_own in list_extending(request):
        top = good.ruleset.resolved.layers[-1]
        load_texts(request.workspace, top)
        for what, text, edit in (*_override_named(request, good), *(() if is_own else _override_value(request, top))):
            if edit is not None:
                yield CodeAction(f"Override {what} in {top.ruleset}", (edit,), value=text)


def list_extending(request: ActionRequest) -> Iterator[tuple[Good, bool]]:
    """Yield the open editions that read the file, each with whether it is the file's own edition.

    Skips editions that are released, or that have changed since they were checked.
    """
    workspace = request.workspace
    home = workspace.texts.find_home(request.path)
    opened = {
        build_file_key(each) for file in workspace.texts.opened.values() if (each := workspace.texts.find_home(file))
    }
    for good in workspace.list_good(request.path) if home is not None else ():
        own = build_file_key(good.ruleset.resolved.layers[-1].folder)
        if own in opened and good.edition.status != "released" and workspace.is_current(good):
            yield good, home is not None and own == build_file_key(home)


Offer = tuple[str, str, Edit | None]
"""What a value is called in a title, its text, and the edit that overrides it, if any."""


def _override_value(request: ActionRequest, top: Layer) -> Iterator[Offer]:
    """Yield the offer for the value in the range, if it can be overridden."""
    at = request.symbol
    # A signature is computed, so overriding it with another value is never right.
    if at is None or at.is_key or at.way[-1] == "reviewed" or len(at.way) < 2 or at.way[0] not in load_sections():
        return
    text, rest = _write(request, at), at.way[at.in_step :]
    if text is None or (at.in_step and rest[0] in _PLACES) or _is_set(top, at.way, at.in_step):
        return
    if at.in_step:
        edit = build_item_edit(top, find_steps_path(at.way), at.way[at.in_step - 1], rest, text)
    else:
        edit = build_value_edit(top, at.way, text)
    yield "this", text, edit


def _is_set(layer: Layer, way: Path, in_step: int) -> bool:
    """Return whether a layer has a value at a path, which may lead into a step: see `SymbolAt.in_step`."""
    if not in_step:
        return any(follow_keys(file, *way) is not None for file in layer.files)
    steps = find_items(layer, find_steps_path(way), way[in_step - 1])
    return any(follow_keys(step, *way[in_step:]) is not None for step in steps)


def _override_named(request: ActionRequest, good: Good) -> Iterator[Offer]:
    """Yield the offer for the entry whose name is in the range. Only for an inherited entry with a single value."""
    meaning = find_meaning(request.workspace, request.path, request.place.line, request.place.column)
    path = meaning.mention.path if meaning is not None else ()
    section = good.ruleset.resolved.rules.get(path[0]) if len(path) == 2 and path[0] in load_sections() else None
    value = section.get(path[1]) if isinstance(section, Mapping) else None
    way = path
    if isinstance(value, Mapping):
        way, value = (*path, "is"), value.get("is")
    top = good.ruleset.resolved.layers[-1]
    if isinstance(value, Scalar) and not good.ruleset.resolved.is_own(value.span) and not _is_set(top, way, 0):
        text = value.raw or value.text
        yield f"`{path[1]}`", text, build_value_edit(top, way, text)


def _write(request: ActionRequest, at: SymbolAt) -> str | None:
    """Return the YAML text of the value to override, or of the whole list that contains it.

    None if the list is not on one line, or has mappings.
    """
    if at.listed is None:
        return at.scalar.raw or at.scalar.text
    span, text = at.listed.span, request.workspace.texts.get_text(str(request.path))
    if text is None or span.line != span.end_line or any(isinstance(item, Mapping) for item in at.listed.items):
        return None
    return text.split("\n")[span.line - 1][span.column - 1 : span.end_column - 1]
