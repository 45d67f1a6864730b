"""API handlers for files and their history."""

from __future__ import annotations

import re
from typing import Any

from rulewright.studio.http.json_api import Body
from rulewright.studio.http.project import Project
from rulewright.studio.storage import git_history
from rulewright.studio.storage.file_content import Content
from rulewright.studio.storage.file_history import HistoryEntry
from rulewright.studio.storage.http_errors import RefusedError
from rulewright.studio.storage.project_folder import FileChange
from rulewright.studio.storage.safe_paths import check_name

MOST_EVENTS = 300
"""The maximum number of history entries in one response."""

_BEFORE = "before:"
"""The prefix of an entry's id for the version before it."""

_GIT = re.compile(r"git:([0-9a-f]{40,64}):(.+)")


def read(studio: Project, body: Body) -> Any:
    """Answer `GET /api/file` with the text, version and URI of a file, and whether it is read-only.

    The request gives its path or URI. Raises `RefusedError` if there is no such file or it cannot be read.
    """
    uri = body.get("uri")
    name = studio.name_uri(uri) if uri is not None and body.get("path") is None else body.get("path")
    content, readonly = studio.read_file(name)
    place = studio.desk.files.place(str(name))
    return {
        "path": name,
        "text": content.text,
        "version": content.version,
        "readonly": readonly,
        "uri": place.absolute().as_uri(),
    }


def save(studio: Project, body: Body) -> Any:
    """Answer `PUT /api/file` by writing a text in place of the version `base`.

    The answer has the new version and the possible undo and redo steps. Saves with the same `group` form one undo step.
    Raises `RefusedError` if the file is read-only, is invalid or no longer has the version `base`.
    """
    name, group = body.get("path"), body.get("group")
    studio.refuse_readonly(name)
    step = f"group:{group}" if isinstance(group, str) and group else ""
    with studio.folder.lock():
        version = studio.folder.save(name, body.get("text"), body.get("base"), step=step)
        return {"version": version, "steps": studio.folder.describe_undo()}


def rename(studio: Project, body: Body) -> Any:
    """Answer `POST /api/file/rename` by renaming a file. Raises `RefusedError`."""
    studio.refuse_readonly(body.get("path"))
    return {"version": studio.folder.rename(body.get("path"), body.get("to"), body.get("base"))}


def delete(studio: Project, body: Body) -> Any:
    """Answer `POST /api/file/delete` by deleting a file. Raises `RefusedError`."""
    studio.refuse_readonly(body.get("path"))
    studio.folder.delete(body.get("path"), body.get("base"))
    return {"version": None}


def list_history(studio: Project, body: Body) -> Any:
    """Answer `GET /api/history` with the changes of a file, or of all files if there is no path.

    Changes are in order from new to old, at most 300. For a single file, its first known version follows, unless a
    change created the file or changes were left out, and then its Git commits. Raises `RefusedError` for an invalid
    path.
    """
    path = body.get("path") or ""
    if path:
        check_name(path)
    with studio.folder.lock():
        every = studio.folder.history.of(path)
    lines = [
        {"id": each.id, "when": each.when, "words": each.words, "path": each.path, "source": each.source}
        for each in every[:MOST_EVENTS]
    ]
    if path and every and every[-1].before is not None and len(every) <= MOST_EVENTS:
        # No change created the first known version, so it has no entry of its own.
        first = every[-1]
        words = f"{path} as it was before"
        lines.append(
            {"id": f"{_BEFORE}{first.id}", "when": first.when, "words": words, "path": path, "source": "outside"}
        )
    commits = git_history.list_commits(studio.root, path) if path else []
    lines += [
        {
            "id": f"git:{each.id}:{each.path}",
            "when": each.when,
            "words": each.words,
            "path": path,
            "source": "git",
        }
        for each in commits
    ]
    return {"entries": lines}


def read_history_entry(studio: Project, body: Body) -> Any:
    """Answer `GET /api/history/entry` with the text of a file at that time, null if it did not exist.

    Raises `RefusedError` if the history no longer has the entry.
    """
    _, content = _then(studio, body)
    return {"text": None if content is None else content.text}


def restore(studio: Project, body: Body) -> Any:
    """Answer `POST /api/restore` by restoring an old content of a file in place of the version `base`.

    Raises `RefusedError`, also if the file did not exist at that time.
    """
    if "base" not in body:
        raise RefusedError(400, "`base` must be the version shown, or null if the file no longer exists")
    known, content = _then(studio, body)
    path = known.path if known is not None else check_name(body.get("path"))
    if content is None:
        raise RefusedError(
            409, f"{path} cannot be restored, because it did not exist then; to remove the file, delete it"
        )
    when = known.when[:16].replace("T", " ") if known is not None else "a commit"
    version = studio.folder.restore(path, content, body["base"], f"{path} as it was at {when}")
    return {"path": path, "version": version, "text": content.text}


def undo(studio: Project, body: Body) -> Any:
    """Answer `POST /api/undo` by undoing the last step, which may affect several files.

    The answer has the changed files with their texts, None for a deleted one. With `step`, the last step must have this
    id. Raises `RefusedError` if the step cannot be undone.
    """
    with studio.folder.lock():
        step, changed = studio.folder.undo(body.get("step"))
        return {"files": _texts(studio, changed), "words": step.words, "steps": studio.folder.describe_undo()}


def redo(studio: Project, body: Body) -> Any:
    """Answer `POST /api/redo` by redoing the step undone last.

    The answer has the changed files with their texts, None for a deleted one. With `step`, that step must have this id.
    Raises `RefusedError` if the step cannot be redone.
    """
    with studio.folder.lock():
        step, changed = studio.folder.redo(body.get("step"))
        return {"files": _texts(studio, changed), "words": step.words, "steps": studio.folder.describe_undo()}


def _then(studio: Project, body: Body) -> tuple[HistoryEntry | None, Content | None]:
    """Return the requested history entry, None for a Git commit, and the file content at that time.

    The content is None if the file did not exist. Raises `RefusedError` if there is no such entry or content.
    """
    identity = str(body.get("id"))
    committed = _GIT.fullmatch(identity)
    if committed is not None:
        data = git_history.read_content(studio.root, committed[1], committed[2])
        if data is None:
            raise RefusedError(404, "git has no such file in that commit")
        return None, Content(data)
    with studio.folder.lock():
        history = studio.folder.history
        known = history.find(identity.removeprefix(_BEFORE))
        version = None if known is None else known.before if identity.startswith(_BEFORE) else known.after
        content = history.contents.get(version) if version is not None else None
    if known is None or (version is not None and content is None):
        raise RefusedError(404, "that version is no longer kept")
    return known, content


def _texts(studio: Project, changed: list[FileChange]) -> list[dict[str, Any]]:
    """Return changed files as data. The text is None for a deleted file, and for a version that is no longer kept."""
    saved = studio.folder.history.contents
    results = []
    for each in changed:
        content = saved.get(each.version) if each.version is not None else None
        results.append({"path": each.path, "version": each.version, "text": content.text if content else None})
    return results
