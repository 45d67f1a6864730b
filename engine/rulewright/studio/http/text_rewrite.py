"""Saving of a new wording for a text of the book, which must not add errors to the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from rulewright.authoring.release_checks import list_obstacles
from rulewright.authoring.sign_texts import rewrite_text
from rulewright.lsp.code_actions import list_actions
from rulewright.lsp.features.available_actions import FIX, CodeAction
from rulewright.lsp.features.workspace import Workspace
from rulewright.ruleset.editions.edition import Edition
from rulewright.source.diagnostics.diagnostic import Diagnostic, Edit, apply_edits
from rulewright.studio.http.project import Project
from rulewright.studio.storage.http_errors import RefusedError


def prepare_text(studio: Project, edition: Edition, name: str, text: str, fixes: Sequence[str]) -> dict[str, str]:
    """Return the files that give a text its new wording, by path, with the content that each would have.

    `fixes` are the titles of the fixes that the user has chosen for the errors of this wording. Changes no file. Raises
    `RefusedError` if the edition has no rules file, if a fix is unknown, and if errors are left. The latter has the
    titles of the possible `fixes` for the first error.
    """
    folder = studio.folder
    with studio.desk.workspace() as workspace:
        known = {each.edition.id: each for each in workspace.check_file(edition.path)}
    current = known[edition.id].ruleset
    rewritten = rewrite_text(name, text, current, lambda file: folder.read(folder.find_name(Path(file))).text)
    if rewritten is None:
        raise RefusedError(409, "there is no rules file for the text: create one, such as rules.yaml")
    texts = {rewritten[0]: rewritten[1]}
    # A workspace of its own has the new wording as unsaved text.
    draft = studio.open_workspace()
    with draft.turn:
        draft.texts.put(Path(rewritten[0]), rewritten[1])
        own = next(each for each in draft.list_editions(edition.path) if each.id == edition.id)
        left = list(fixes)
        while errors := list_obstacles(draft.check_edition(own).diagnostics):
            offers = [each for error in errors for each in _list_fixes(studio, draft, error)]
            chosen = next((each for each in offers if left and each.title == left[0]), None)
            if chosen is None:
                raise _build_refusal(errors[0], list(_list_fixes(studio, draft, errors[0])))
            left.pop(0)
            for file, edits in _group_by_file(chosen.edits).items():
                texts[file] = apply_edits(draft.texts.get_text(file) or "", edits)
                draft.texts.put(Path(file), texts[file])
    return {folder.find_name(Path(file)): text for file, text in texts.items()}


def _list_fixes(studio: Project, draft: Workspace, error: Diagnostic) -> Iterator[CodeAction]:
    """Yield the fixes of an error that change only files of the folder, the preferred one first."""
    files = studio.desk.files
    actions = list_actions(draft, Path(error.span.file), error.span, [error])
    for each in sorted(actions, key=lambda action: not action.preferred):
        named = [files.named(edit.span.file) for edit in each.edits]
        if each.kind == FIX and named and all(file is not None and not file.readonly for file in named):
            yield each


def _group_by_file(edits: Sequence[Edit]) -> dict[str, list[Edit]]:
    results: dict[str, list[Edit]] = {}
    for each in edits:
        results.setdefault(each.span.file, []).append(each)
    return results


def _build_refusal(error: Diagnostic, fixes: Sequence[CodeAction]) -> RefusedError:
    hint = f" {error.suggestion[:1].upper()}{error.suggestion[1:]}." if error.suggestion and not fixes else ""
    words = f"Nothing was saved: {error.message}. {error.code.why}{hint}"
    return RefusedError(409, words, {"fixes": [each.title for each in fixes]})
