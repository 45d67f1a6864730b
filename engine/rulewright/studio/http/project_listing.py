"""Listing of a project folder, with its editions, their base layers and the changes in each file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rulewright.lsp.features.edition_states import Good
from rulewright.lsp.features.workspace import Workspace
from rulewright.ruleset.editions.edition import Edition, list_rules_files, list_words_files
from rulewright.ruleset.layers.value_origins import Origin
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.files.unsaved_texts import build_file_key
from rulewright.studio.http.json_api import Body, list_diagnostics
from rulewright.studio.http.project import Project
from rulewright.studio.storage.git_history import is_repository

_KINDS = {"adds": "added", "defines": "added", "removes": "removed"}
"""The page's names for the operations of a layer on lower layers. All other operations replace an entry."""


def list_project(studio: Project, _: Body) -> dict[str, Any]:
    """Return the data of the whole folder, including broken editions, files and undo steps.

    Checks every edition, and makes the files of base layers elsewhere readable for the page.
    """
    with studio.desk.workspace() as workspace:
        editions = studio.list_editions(workspace)
    rulesets = []
    for edition in editions:
        with studio.desk.workspace() as workspace:  # locks once per edition, so that panels can answer in between
            rulesets.append(_ruleset(studio, workspace, edition))
    with studio.desk.workspace() as workspace:
        broken = [
            {
                "ref": each.ruleset or _folder(studio, each.folder) or studio.root.name,
                "title": each.ruleset or each.folder.name,
                "status": "broken",
                "folder": _folder(studio, each.folder),
                "extends": None,
                "sound": False,
                "layers": [],
                "diagnostics": list_diagnostics(studio, each.diagnostics),
            }
            for each in workspace.get_catalogue().list_broken()
            if studio.is_own(each.folder)
        ]
    files = [{"path": name, "size": size} for name, size in studio.folder.list_files()]
    return {
        "name": studio.root.name,
        "uri": studio.root.as_uri(),
        "rulesets": [*rulesets, *broken],
        "files": files,
        "steps": studio.folder.describe_undo(),
        "git": is_repository(studio.root),
        "tour": not rulesets and not broken and not files,
    }


def _ruleset(studio: Project, workspace: Workspace, edition: Edition) -> dict[str, Any]:
    """Return the data of an edition. Checks its rules if they have changed."""
    known = {each.edition.id: each for each in workspace.check_file(edition.path)}
    good = known.get(edition.id)
    chain = studio.chain(workspace, edition)
    changes = _changes(good) if good is not None else {}
    return {
        "ref": edition.id,
        "title": edition.title or edition.id,
        "status": edition.status,
        "folder": _folder(studio, edition.folder),
        "extends": chain[1].id if len(chain) > 1 else None,
        "sound": workspace.is_sound(edition),
        "layers": [_layer(studio, layer, changes) for layer in chain],
    }


def _layer(studio: Project, layer: Edition, changes: Mapping[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """Return the data of a layer with its files. Makes files outside of the folder readable for the page."""
    own = studio.is_own(layer.folder)
    files = []
    for path in list_files(layer):
        named = studio.desk.files.named(path) if own else studio.name_outside_file(layer, path)
        if named is not None:
            text = changes.get(build_file_key(path), [])
            files.append({"path": named.path, "readonly": named.readonly, "uri": _uri(path), "changes": text})
    return {"ref": layer.id, "title": layer.title or layer.id, "editable": own, "files": files}


def list_files(edition: Edition) -> list[Path]:
    """Return the files of an edition, the manifest first."""
    diagnostics = Diagnostics()
    return [
        edition.path,
        *list_rules_files(edition.folder, diagnostics),
        *list_words_files(edition.folder, diagnostics).values(),
    ]


def _changes(good: Good) -> dict[str, list[dict[str, Any]]]:
    """Return the changes that each file of a ruleset makes to its base layers, sorted by line.

    The keys are file keys as `build_file_key` returns them.
    """
    results: dict[str, list[dict[str, Any]]] = {}
    for path, origins in good.ruleset.resolved.history.origins.items():
        # The lowest layer changes nothing.
        for origin in _above(origins):
            texts = {
                "path": ".".join(path),
                "kind": _KINDS.get(origin.operation, "replaced"),
                "title": path[-1].replace("_", " "),
                "line": origin.span.line,
            }
            results.setdefault(build_file_key(origin.span.file), []).append(texts)
    return {file: sorted(each, key=lambda one: int(one["line"])) for file, each in results.items()}


def _above(origins: Iterable[Origin]) -> list[Origin]:
    return [origin for origin in origins if origin.operation != "defines"]


def _folder(studio: Project, folder: Path) -> str:
    named = studio.desk.files.named(folder)
    return "" if named is None or named.path == "." else named.path


def _uri(path: Path) -> str:
    return path.absolute().as_uri()
