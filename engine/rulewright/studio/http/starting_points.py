"""Starting points for new rules, from an empty game to editions, examples and cookbook recipes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import inf
from pathlib import Path
from typing import Any

import yaml

from rulewright.authoring.house_rules_starter import write_starting_point
from rulewright.authoring.new_game import build_new_game
from rulewright.authoring.schema_files import annotate, write_schemas
from rulewright.base.resources import find_resource
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.edition import MANIFEST, Edition, list_rules_files, list_words_files
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.files.safe_read import read_bytes_as_text
from rulewright.studio.http.example_list import list_startable, load_startable
from rulewright.studio.http.json_api import Body
from rulewright.studio.http.project import Project
from rulewright.studio.storage.http_errors import RefusedError
from rulewright.studio.storage.safe_paths import check_name

_PATIENCE = 1.5
"""The seconds that the page waits for examples before it shows the rest."""

UNWRITTEN = re.compile(r"[\x00-\x1f\x7f-\x9f\ufeff\ufffe\uffff\ud800-\udfff]")
"""Characters that YAML does not allow, including lone surrogates."""

_RULESET = re.compile(r"^ruleset:.*$", re.MULTILINE)
_TITLE = re.compile(r"^title:.*$", re.MULTILINE)


def list_starts(studio: Project, body: Body) -> Any:
    """Answer `GET /api/starts` with groups of starting points.

    `whole` is true if the examples of every edition are included. With `wait`, the handler waits until they are;
    otherwise it waits 1.5 seconds at most.
    """
    catalogue = studio.read_catalogue()
    examples = studio.examples
    whole = examples.ask(catalogue, patience=inf if body.get("wait") else _PATIENCE)
    nothing = {
        "id": "nothing",
        "title": "Your own game",
        "words": "A small game to build on: two to four players, one die, one decision and a goal.",
    }
    editions = [
        {"id": f"edition:{each.id}", "title": each.title or each.id, "words": _about(each)}
        for each in list_startable(catalogue)
    ]
    recipes = [
        {"id": f"recipe:{each.folder.name}", "title": each.title or each.id, "words": _about(each)}
        for each in _recipes().list_editions()
    ]
    listed = [
        {"title": f"Examples from {each.title or each.id}", "starts": examples.known.get(each.id, [])}
        for each in list_startable(catalogue)
    ]
    groups = [
        {"title": "From scratch", "starts": [nothing]},
        {"title": "House rules for an edition", "starts": editions},
        {"title": "From the cookbook", "starts": recipes},
        *(group for group in listed if group["starts"]),
    ]
    return {"groups": [group for group in groups if group["starts"]], "whole": whole}


def start(studio: Project, body: Body) -> Any:
    """Answer `POST /api/start` by creating a folder from a starting point, as one undo step.

    The starting point `change:REF` is that of an edition, with the text of `rules` as its change.

    The answer has the new edition and the file to open. Raises `RefusedError` for an unknown starting point, an invalid
    name or title, and if the folder exists. Errors of the edition to start from pass through.
    """
    folder = check_name(body.get("folder"))
    title = (
        " ".join(str(body.get("title") or "").split())[:200]
        or folder.rpartition("/")[2].replace("-", " ").replace("_", " ").title()
    )
    if UNWRITTEN.search(title):
        raise RefusedError(400, "the title contains a character that a rules file cannot store: remove it")
    kind, _, named = str(body.get("id")).partition(":")
    place = studio.folder.place(folder)
    studio.folder.refuse_taken(folder)
    with studio.open_scratch() as scratch:
        result = scratch / place.name
        if kind == "nothing":
            _write(result, build_new_game(_name(place.name), title), None)
        elif kind in ("edition", "change"):
            _over(studio, result, named, title, str(body.get("rules") or "") if kind == "change" else "")
        elif kind == "example":
            edition, _, example = named.partition(":")
            _from_example(studio, result, edition, example, title)
        elif kind == "recipe":
            _recipe(studio, result, named, title)
        else:
            raise RefusedError(404, "there is no such starting point")
        return bring(studio, result, folder, f"{folder} begun")


def bring(studio: Project, result: Path, folder: str, words: str) -> dict[str, Any]:
    """Copy the rules, pictures and texts of a temporary folder to `folder` as one undo step called `words`.

    Its schemas are copied outside the history. Return the new edition and the file to open. Raises `RefusedError`, also
    for a file that exists.
    """
    files = {
        f"{folder}/{path.relative_to(result).as_posix()}": (read_bytes_as_text(path), None)
        for path in sorted(result.rglob("*"))
        if path.is_file() and path.suffix in (".yaml", ".yml", ".svg", ".md", ".txt")
    }
    studio.folder.put(files, words)
    for path in sorted((result / "schema").glob("*.json")):
        studio.folder.put_beside(f"{folder}/schema/{path.name}", path.read_bytes())
    return describe_opened(studio, folder)


def describe_opened(studio: Project, folder: str) -> dict[str, Any]:
    """Return the uppermost edition in a new folder, None if there is none, and the file to open first."""
    with studio.desk.workspace() as workspace:
        here = studio.root / folder
        there = [each for each in studio.list_editions(workspace) if each.folder.is_relative_to(here)]
        below = {layer.id for each in there for layer in studio.chain(workspace, each)[1:]}
    edition = next((each for each in there if each.id not in below), None)
    inside = edition.folder if edition is not None else here
    files = list_rules_files(inside, Diagnostics())
    named = {path.name: path for path in reversed(files)}
    # The user learns more from prepared examples or rules than from an empty file.
    first = named.get("examples.yaml") or named.get("rules.yaml") or (files[0] if files else inside / MANIFEST)
    return {"ref": edition.id if edition is not None else None, "open": studio.folder.find_name(first)}


def _over(studio: Project, result: Path, ref: str, title: str, rules: str = "") -> Ruleset:
    """Write house rules that extend an edition, with the text of a change, and return the edition's ruleset."""
    ruleset = load_startable(studio.read_catalogue(), ref)
    write_starting_point(result, ruleset, extends=ruleset.reference, title=title, rules=rules)
    return ruleset


def _from_example(studio: Project, result: Path, ref: str, identity: str, title: str) -> None:
    """Write house rules that extend an edition and begin with a copy of one of its examples.

    Raises `RefusedError` if there is no such example. `result` is the new folder.
    """
    ruleset = _over(studio, result, ref, title)
    example = ruleset.examples.get(identity)
    if example is None:
        raise RefusedError(404, f"{ruleset.reference} has no example `{identity}`")
    name = f"my_{identity}"
    while name in ruleset.examples:
        name += "_"
    body = yaml.safe_dump({"examples": {name: example.node.to_plain()}}, allow_unicode=True, sort_keys=False, width=110)
    text = f"# The example `{identity}` of {ruleset.reference}, as a starting point: extend it, or change it.\n"
    (result / "examples.yaml").write_text(text + body, encoding="utf-8")
    annotate(result, result / "schema")


def _recipe(studio: Project, result: Path, name: str, title: str) -> None:
    """Copy a cookbook recipe, with the recipes it extends, into the new folder `result`, under the folder's name.

    Raises `RefusedError` if there is no such recipe, or if the folder's name cannot be that of an edition.
    """
    recipes = _recipes()
    recipe = next((each for each in recipes.list_editions() if each.folder.name == name), None)
    if recipe is None:
        raise RefusedError(404, f"there is no recipe `{name}`")
    elsewhere = studio.read_catalogue()
    both = Catalogue([*recipes.paths, *elsewhere.paths])
    chain = both.chain(next(each for each in both.list_editions() if each.id == recipe.id))
    ours = {each.id for each in recipes.list_editions()}
    there = {each.id for each in elsewhere.list_editions()}
    needed = [each for each in chain[:-1] if each.id in ours and each.id not in there]
    texts = dict(_texts(recipe))
    quoted = title.replace("\\", "\\\\").replace('"', '\\"')
    manifest = _RULESET.sub(f"ruleset: house/{_name(result.name)}", texts[MANIFEST], count=1)
    texts[MANIFEST] = _TITLE.sub(lambda _: f'title: "{quoted}"', manifest, count=1)
    for layer in needed:
        texts |= {f"{layer.folder.name}/{path}": text for path, text in _texts(layer)}
    below = chain[-2] if len(chain) > 1 and chain[-2].status != "abstract" else None
    _write(result, texts, load_startable(both, below.id) if below is not None else None)


def _write(result: Path, texts: Mapping[str, str], below: Ruleset | None) -> None:
    """Write files and schemas into the new folder `result`. The schema of rules lists the ids of `below`.

    Raises `OSError` if a file cannot be written.
    """
    for name, text in texts.items():
        path = result / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    write_schemas(result / "schema", over=below)
    annotate(result, result / "schema")


def _texts(edition: Edition) -> Iterator[tuple[str, str]]:
    """Yield the name and text of the manifest, the rules and the translations of an edition."""
    diagnostics = Diagnostics()
    for path in (
        edition.path,
        *list_rules_files(edition.folder, diagnostics),
        *list_words_files(edition.folder, diagnostics).values(),
    ):
        yield path.relative_to(edition.folder).as_posix(), read_bytes_as_text(path)


def _recipes() -> Catalogue:
    return Catalogue([find_resource("site") / "docs" / "cookbook"])


def _about(edition: Edition) -> str:
    about = edition.manifest.get("about")
    text = " ".join(str(about.to_plain()).split()) if about is not None else ""
    return f"{edition.id}. {text}" if text else edition.id


def _name(folder: str) -> str:
    """Return a folder name as an edition name. Raises `RefusedError` if it cannot become one."""
    name = re.sub(r"[^a-z0-9]+", "-", folder.lower()).strip("-")
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise RefusedError(400, f"`{folder}` is not a valid name for an edition: use letters, digits and hyphens")
    return name
