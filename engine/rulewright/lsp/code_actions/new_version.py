"""Code action: continue a released edition whose gameplay has changed as a new version."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.authoring.release_lock import list_next_versions
from rulewright.lsp.features.available_actions import FIX, ActionRequest, CodeAction, is_at
from rulewright.ruleset.layers.source_edits import build_removal
from rulewright.ruleset.lints.lock import LOCK_BROKEN
from rulewright.source.diagnostics.diagnostic import Edit
from rulewright.source.files.unsaved_texts import build_file_key
from rulewright.source.source_map import SOURCES

PLACE = 12


def offered(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield the action that makes the edition of a manifest a draft of the next version, without a lock.

    There is none if the rules of the edition have changed since they were checked.
    """
    for good in request.workspace.list_good(request.path):
        broken = [each for each in request.workspace.list_errors(good) if each.code is LOCK_BROKEN]
        manifest = good.ruleset.resolved.manifest
        if not broken or not request.workspace.is_current(good) or not is_at(request, broken[0].span):
            continue
        name = manifest.span.file
        text = request.workspace.texts.get_text(str(request.path))
        if text is None or build_file_key(name) != build_file_key(request.path):
            continue
        SOURCES.remember(name, text)
        removal = build_removal(manifest, broken[0].span)
        if removal is not None:
            version = list_next_versions(good.edition.version)[0]
            changes = {"version": version, "status": "draft"}
            edits = [Edit(manifest.entries[key].value.span, value) for key, value in changes.items()]
            title = f"Continue as version {version}, a draft to be released"
            yield CodeAction(title, (*edits, removal), broken[0], preferred=True, kind=FIX)
