"""Write JSON Schema files for editors, including the ids that an edition inherits, and link rules files to them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from rulewright.ruleset.editions.edition import MANIFEST, list_rules_files, list_words_files, walk
from rulewright.ruleset.elaborate.node_readers import iterate_entries, read_text
from rulewright.ruleset.layers.step_tree import list_ids
from rulewright.ruleset.prose.source_coverage import list_sources_files
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema import json_schema
from rulewright.ruleset.schema.json_schema import Schema, build_diagnostics_schema, build_fragment_schema
from rulewright.ruleset.section import list_part_keys
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.files.atomic_write import ChangedError, replace_texts, write_text
from rulewright.source.files.safe_read import read_bytes_as_text
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Node, Sequence

_LINE = re.compile(r"# yaml-language-server: \$schema=[^\n]*(?:\n|\Z)")


@dataclass(frozen=True, slots=True)
class SchemaKind:
    """A kind of document with its name, a description, and the function that builds its schema."""

    name: str
    means: str
    make: Callable[[], json_schema.Schema]

    @property
    def file(self) -> str:
        """The name of the schema file."""
        return f"{self.name}.schema.json"

    def format_text(self) -> str:
        """Return the schema as indented JSON text."""
        return json.dumps(self.make(), ensure_ascii=False, indent=2) + "\n"


KINDS: Mapping[str, SchemaKind] = {
    kind.name: kind
    for kind in (
        SchemaKind("manifest", "ruleset.yaml, the manifest of an edition", json_schema.build_manifest_schema),
        SchemaKind("rules", "any other rules file of an edition", json_schema.build_fragment_schema),
        SchemaKind(
            "sources",
            "sources.yaml, the passages of the sources and the rules based on them",
            json_schema.build_sources_schema,
        ),
        SchemaKind(
            "words", "words/de.yaml, the words of an edition in another language", json_schema.build_words_schema
        ),
        SchemaKind("resolved", "the rules of an edition with all its layers merged", json_schema.build_resolved_schema),
        SchemaKind("diagnostics", "the output of `check --format json`", build_diagnostics_schema),
    )
}
"""All kinds of documents with a schema, by name."""


def format_rules_schema(ruleset: Ruleset) -> str:
    """Return the text of the schema of rules that extend `ruleset`. It lists the inherited ids."""
    return json.dumps(build_inherited_schema(ruleset), ensure_ascii=False, indent=2) + "\n"


def write_schemas(folder: Path, *, over: Ruleset | None = None) -> list[Path]:
    """Write all schemas into `folder`, which is created if needed, and return the files.

    If `over` is given, the schema of rules lists the ids of that ruleset.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for kind in KINDS.values():
        path = folder / kind.file
        write_text(path, format_rules_schema(over) if over is not None and kind.name == "rules" else kind.format_text())
        written.append(path)
    return written


def annotate(folder: Path, schemas: Path) -> list[Path]:
    """Let the first line of every file of every edition in `folder` name its schema in the folder `schemas`.

    An existing line is updated. Nothing else changes.

    Returns:
        The files that changed.

    Raises:
        DiagnosticError: A folder cannot be read, after the other files were changed; or a file cannot be read, after
            only the files before it were changed.
        OSError: A file cannot be written, after the files before it were changed.
    """
    diagnostics = Diagnostics()
    changed = []
    for path, kind in _files(folder, diagnostics):
        if _annotate(path, schemas / kind.file):
            changed.append(path)
    diagnostics.raise_if_errors()
    return changed


def _annotate(path: Path, schema: Path) -> bool:
    """Set the schema comment in the first line of a file. Return whether that changed the file.

    Tries again if another program changes the file meanwhile. Raises `DiagnosticError` if the file cannot be read.
    """
    while True:
        before = read_bytes_as_text(path)
        named = _LINE.match(before)
        after = build_schema_line(path, schema) + before[named.end() if named else 0 :]
        if before == after:
            return False
        with suppress(ChangedError):  # the file changed in the meantime, so try again
            replace_texts({path: (before, after)})
            return True


def build_schema_line(path: Path, schema: Path) -> str:
    """Return the first line of the file `path` that names its schema for the YAML language server."""
    relative = Path(os.path.relpath(schema.resolve(), path.parent.resolve())).as_posix()
    return f"# yaml-language-server: $schema={quote(relative)}\n"


def _files(folder: Path, diagnostics: Diagnostics) -> list[tuple[Path, SchemaKind]]:
    """Return the sources files of a folder, and all files of all editions in it, each with its kind of schema.

    Reports folders that cannot be read.
    """
    files = [(path, KINDS["sources"]) for path in list_sources_files([folder])]
    for inside, names in walk(folder, diagnostics):
        if MANIFEST in names:
            files.append((inside / MANIFEST, KINDS["manifest"]))
            files += [(path, KINDS["rules"]) for path in list_rules_files(inside, diagnostics)]
            files += [(path, KINDS["words"]) for path in list_words_files(inside, diagnostics).values()]
    return files


_NAMES_A_STEP = ("id", "before", "after", "replace", "delete")


def build_inherited_schema(ruleset: Ruleset) -> Schema:
    """Return the schema of a rules file that extends `ruleset`, with the inherited ids for completion.

    It accepts exactly the same files as the schema of any rules file.
    """
    schema: Schema = build_fragment_schema()
    sections: dict[str, Any] = {}
    for section, written in schema["properties"].items():
        inherited = {
            name: {**written["additionalProperties"], **_describe_inherited(ruleset, entry.value)}
            for name, entry in iterate_entries(ruleset.resolved.rules.get(section))
            if isinstance(written.get("additionalProperties"), dict)
        }
        sections[section] = {**written, "properties": inherited} if inherited else written
    return {**schema, "title": f"{schema['title']}, over {ruleset.reference}", "properties": sections}


def _describe_inherited(ruleset: Ruleset, node: Node) -> Schema:
    """Return the schema of an inherited entry: a description, and the ids in it."""
    layer = ruleset.resolved.find_layer(node.span)
    if not isinstance(node, MappingNode):
        return {"description": f"Inherited from {layer}."}
    words = read_text(node.get("title")) or read_text(node.get("name")) or read_text(node.get("means"))
    results: dict[str, Any] = {}
    for key in list_part_keys():
        names = [name for name, _ in iterate_entries(node.get(key))]
        if names:
            results[key] = {"properties": {name: {} for name in names}}
    steps = node.get("steps")
    if isinstance(steps, Sequence) and (ids := list(list_ids(steps))):
        # The listed ids are suggestions; a new step may have any id.
        known = {"anyOf": [{"enum": ids}, {}]}
        results["steps"] = {"items": {"properties": dict.fromkeys(_NAMES_A_STEP, known)}}
    text = f"{words} (inherited from {layer})" if words else f"Inherited from {layer}."
    return {"description": text, **({"properties": results} if results else {})}
