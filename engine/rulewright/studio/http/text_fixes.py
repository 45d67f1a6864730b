"""Application of the fixes that diagnostics propose for an edition."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulewright.authoring.apply_fixes import Answer, Finding, FixResult, Texts
from rulewright.authoring.example_odds import weigh_odds
from rulewright.book.parts.rule_summaries import build_describer
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.files.unsaved_texts import build_file_key, replace_files
from rulewright.studio.http.json_api import Body
from rulewright.studio.http.project import Project
from rulewright.studio.storage.file_content import read
from rulewright.studio.storage.http_errors import RefusedError
from rulewright.testing.check_edition import check_edition


def fix(studio: Project, body: Body) -> Any:
    """Answer `POST /api/fix` with the edits that `check --fix --yes` would make, as whole texts.

    With `write`, the handler writes the edits, which must equal those of the previous answer. The user therefore gets
    exactly the edits that the page showed. Each edit names the file version it replaces, so it cannot overwrite newer
    changes. Raises `RefusedError` if there is no such edition, or if the rules have changed since.
    """
    with studio.desk.workspace() as workspace:
        edition = studio.find_edition(workspace, body.get("ref"))
    ref = edition.id
    typed: dict[str, str] = {}
    words: list[str] = []
    versions: dict[str, str | None] = {}

    def check() -> Finding:
        catalogue = Catalogue(studio.read_catalogue().paths)
        again = next((each for each in catalogue.list_editions() if each.id == ref), edition)
        checked = check_edition(catalogue, again, describer=build_describer, weigh=weigh_odds)
        return list(checked.diagnostics), frozenset([again.id] if checked.sound else [])

    def agree(diagnostic: Diagnostic, changed: Texts) -> Answer:
        """Accept a fix, and remember its message and the versions of the files that it changes."""
        words.append(diagnostic.message)
        for file in changed:
            if file not in versions:
                content = read(studio.desk.files.place(studio.folder.find_name(_real(file))))
                versions[file] = content.version if content is not None else None
        return "yes"

    def write(texts: Mapping[str, str]) -> None:
        typed.update({build_file_key(file): text for file, text in texts.items()})
        left.update(texts)

    def refuse(diagnostic: Diagnostic, why: str) -> None:
        if diagnostic.message in words:
            words.remove(diagnostic.message)

    left: dict[str, str] = {}
    # Every check reads this mapping again, as an overlay over the disk.
    with replace_files(typed):
        result = FixResult(check, [edition.folder], agree, write, refuse).run()
    edits = []
    for file, text in left.items():
        path = studio.folder.find_name(_real(file))
        before = read(studio.desk.files.place(path))
        if before is None or before.text != text:
            edits.append({"path": path, "base": versions.get(file), "text": text})
    if "write" in body:
        if body["write"] != edits:
            raise RefusedError(409, "the rules have changed since: request the fixes again")
        texts = {str(each["path"]): (str(each["text"]), each["base"]) for each in edits}
        studio.folder.put(texts, f"{result} change{'s' if result != 1 else ''} that diagnostics propose")
    return {"edits": edits, "made": result, "words": words[:result]}


def _real(file: str) -> Path:
    return Path(os.path.realpath(file))
