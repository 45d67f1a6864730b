"""Sharing of house rules as a link or zip archive, and import of shared rules."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import Any

from starlette.responses import Response

from rulewright.authoring.link_summary import build_table_difference, list_changes
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.edition import MANIFEST, Edition
from rulewright.ruleset.editions.icons import COVER, FOLDER
from rulewright.studio.http.json_api import Body
from rulewright.studio.http.project import Project
from rulewright.studio.http.project_listing import list_files
from rulewright.studio.http.starting_points import describe_opened
from rulewright.studio.storage.file_content import read
from rulewright.studio.storage.http_errors import RefusedError
from rulewright.studio.storage.safe_paths import check_name, check_writable
from rulewright.studio.storage.share_bundle import Bundle, build_fragment, parse_fragment, read_zip, zip_bundle

PLAY = "play"
"""The member of a link with the data for the play page of a published book."""

_RULESET = re.compile(r"^ruleset:.*$", re.MULTILINE)
_SCHEMA = re.compile(r"\A# yaml-language-server: \$schema=[^\n]*\n")


def share(studio: Project, body: Body) -> Any:
    """Answer `GET /api/share` with the link fragment of an edition, the address of its zip archive, and its base.

    The base is the first layer outside the folder, or "". `shown` is a shorter fragment, by which a published book
    displays the rules but cannot play them. `plays` is true if the full one makes them playable, and otherwise `why`
    has the reason as a clause. Raises `RefusedError` if there is no such edition or a file cannot be shared.
    """
    bundle = _bundle(studio, body.get("ref"))
    more, why = _more(studio, body.get("ref"))
    return {
        "fragment": build_fragment(bundle, more),
        "shown": build_fragment(bundle, {key: content for key, content in more.items() if key != PLAY}),
        "zip": f"/api/share.zip?ref={bundle.ref}",
        "base": bundle.base,
        "plays": PLAY in more,
        "why": why,
    }


def share_zip(studio: Project, body: Body) -> Any:
    """Answer `GET /api/share.zip` with a zip archive of an edition. Raises `RefusedError`."""
    bundle = _bundle(studio, body.get("ref"))
    name = re.sub(r"[^a-z0-9.]+", "-", bundle.ref.lower()) or "rules"
    headers = {"Content-Disposition": f'attachment; filename="{name}.zip"'}
    return Response(zip_bundle(bundle), media_type="application/zip", headers=headers)


def take(studio: Project, body: Body) -> Any:
    """Answer `POST /api/take` by importing rules from a link or zip archive into a new folder.

    The answer has the new edition and the file to open. The import overwrites no file. Raises `RefusedError` for
    invalid rules or names, and if the folder exists.
    """
    data = body.get("zip")
    bundle = read_zip(data) if isinstance(data, bytes) else parse_fragment(str(body.get("fragment") or ""))
    folder = check_name(body.get("folder"))
    studio.folder.refuse_taken(folder)
    files = _place_files(bundle)
    with studio.open_scratch() as scratch:
        files = _rename_layers(studio, scratch / "taken", files, PurePosixPath(folder).name)
    texts: dict[str, tuple[str, str | None]] = {f"{folder}/{path}": (text, None) for path, text in files.items()}
    studio.folder.put(texts, f"{folder} imported")
    return describe_opened(studio, folder)


def _bundle(studio: Project, ref: object) -> Bundle:
    """Return an edition with all its base layers inside the folder.

    Raises `RefusedError` if there is no such edition, or for a file that an import would refuse.
    """
    with studio.desk.workspace() as workspace:
        edition = studio.find_edition(workspace, ref)
        chain = studio.chain(workspace, edition)
        layers = [each for each in chain if studio.is_own(each.folder)]
        base = next((each.id for each in chain if not studio.is_own(each.folder)), "")
    files: dict[str, str] = {}
    for layer in layers:
        home = layer.folder.name if layer.folder != studio.root else layer.edition
        while any(path.startswith(f"{home}/") for path in files):
            home += "-below"
        for path in [*list_files(layer), *_drawings(layer)]:
            content = read(path)
            if content is not None:
                name = path.relative_to(layer.folder).as_posix()
                # Remove the schema path, which is valid only in this folder. Refuse files here that an import would
                # refuse.
                files[check_writable(f"{home}/{name}")] = _SCHEMA.sub("", content.text)
    return Bundle(files, edition.id, edition.title, base)


def _more(studio: Project, ref: object) -> tuple[dict[str, Any], str]:
    """Return the additional data of a link, which lists the changes and makes the rules playable.

    The data is empty unless the edition and its published base are valid and up to date. A failing example does not
    matter, because it has no effect on play. If the rules are not playable, a clause says why. Raises `RefusedError` if
    there is no such edition.
    """
    with studio.desk.workspace() as workspace:
        edition = studio.find_edition(workspace, ref)
        lowest = next((each for each in studio.chain(workspace, edition) if not studio.is_own(each.folder)), None)
        standing = workspace.check_standing(edition)
        base = workspace.check_standing(lowest) if lowest is not None else None
    if base is None or lowest is None:
        return {}, "they extend no edition whose book is published"
    if standing.sound is None or not standing.current:
        return {}, "they have errors"
    if base.sound is None or not base.current:
        return {}, f"{lowest.id} has errors"
    results: dict[str, Any] = {"changes": list_changes(base.sound.ruleset, standing.sound.ruleset)}
    play = build_table_difference(base.sound.ruleset, standing.sound.ruleset)
    if isinstance(play, str):
        return results, play
    return {**results, PLAY: play}, ""


def _drawings(layer: Edition) -> list[Path]:
    return [*sorted(layer.folder.glob(f"{FOLDER}/*.svg")), *layer.folder.glob(COVER)]


def _place_files(bundle: Bundle) -> dict[str, str]:
    """Return the files with their paths in the new folder. The files of a single edition move to its top level.

    Files outside the folders of all editions are left out.
    """
    folders = bundle.list_folders()
    # Drop files outside the folders of all editions.
    tops = [each for each in folders if not any(each != other and _within(each, other) for other in folders)]
    if len(tops) > 1 or not tops[0]:
        return {path: text for path, text in bundle.files.items() if any(_within(path, top) for top in tops)}
    return {path.removeprefix(f"{tops[0]}/"): text for path, text in bundle.files.items() if _within(path, tops[0])}


def _within(path: str, folder: str) -> bool:
    return not folder or path.startswith(f"{folder}/")


def _rename_layers(studio: Project, result: Path, files: dict[str, str], name: str) -> dict[str, str]:
    """Return the files without layers that exist here already, with an unused name for the uppermost edition.

    Writes the files below `result` to read them. Raises `RefusedError` if no unused name is available.
    """
    for path, text in files.items():
        target = result / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    brought = Catalogue([result])
    there = {each.id for each in studio.read_catalogue().list_editions()}
    known = {each.id for each in brought.list_editions()}
    below = {
        reference.ruleset
        for each in brought.list_editions()
        for reference in (*each.overlays, *((each.extends,) if each.extends else ()))
    }
    results = dict(files)
    for edition in brought.list_editions():
        if edition.id not in there:
            continue
        home = edition.folder.relative_to(result).as_posix()
        own = f"{home}/" if home != "." else ""
        if edition.ruleset in below and len(known) > 1:
            results = {path: text for path, text in results.items() if not path.startswith(own)}
            continue
        new = f"house/{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')}"
        if any(each.partition("@")[0] == new for each in there) or not re.fullmatch(r"house/[a-z][a-z0-9-]*", new):
            raise RefusedError(409, f"{edition.id} already exists here; choose another folder name")
        results[f"{own}{MANIFEST}"] = _RULESET.sub(f"ruleset: {new}", results[f"{own}{MANIFEST}"], count=1)
    return results
