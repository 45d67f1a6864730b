"""The JSON Schemas as files, and the line at the head of a rules file that leads an editor to them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from rulewright.ruleset.authoring.inherited_schema import inherited_schema
from rulewright.ruleset.editions.edition import MANIFEST, rules_files
from rulewright.ruleset.editions.folders import walk
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema import json_schema
from rulewright.ruleset.schema.diagnostics import diagnostics_schema
from rulewright.ruleset.sources import sources_files
from rulewright.source.diagnostics.collected import Diagnostics
from rulewright.source.files.reading import read_bytes_as_text
from rulewright.source.files.writing import write_text

_LINE = re.compile(r"# yaml-language-server: \$schema=[^\n]*(?:\n|\Z)")


@dataclass(frozen=True, slots=True)
class SchemaKind:
    """A kind of document that has a schema, what it is, and how to make the schema."""

    name: str
    means: str
    make: Callable[[], json_schema.Schema]

    @property
    def file(self) -> str:
        """What a file with this schema is called."""
        return f"{self.name}.schema.json"

    def text(self) -> str:
        """The schema as the text of a file."""
        return json.dumps(self.make(), ensure_ascii=False, indent=2) + "\n"


KINDS: Mapping[str, SchemaKind] = {
    kind.name: kind
    for kind in (
        SchemaKind("manifest", "ruleset.yaml, the manifest of an edition", json_schema.manifest_schema),
        SchemaKind("rules", "any other file of an edition, which may be laid over others", json_schema.fragment_schema),
        SchemaKind("sources", "sources.yaml, what sources say and what carries it", json_schema.sources_schema),
        SchemaKind("resolved", "the rules of an edition when all its layers are merged", json_schema.resolved_schema),
        SchemaKind("diagnostics", "what `check --format json` prints", diagnostics_schema),
    )
}
"""The schemas there are, by name."""


def rules_schema_text(ruleset: Ruleset) -> str:
    """The schema of rules laid over `ruleset`, which knows the ids it inherits, as the text of a file."""
    return json.dumps(inherited_schema(ruleset), ensure_ascii=False, indent=2) + "\n"


def write_schemas(folder: Path, *, over: Ruleset | None = None) -> list[Path]:
    """Write every schema into `folder`, which is made where it is missing, and return the files.

    That of rules knows the ids of `over`, where it is given.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for kind in KINDS.values():
        path = folder / kind.file
        write_text(path, rules_schema_text(over) if over is not None and kind.name == "rules" else kind.text())
        written.append(path)
    return written


def annotate(folder: Path, schemas: Path) -> list[Path]:
    """Let the first line of every file of every edition in `folder` name its schema in the folder `schemas`.

    A line that does so already is put right; nothing else changes but line breaks, which become line feeds. Returns the
    files that changed. Raises `DiagnosticError` if a file or folder cannot be read.
    """
    found = Diagnostics()
    changed = []
    for path, kind in _files(folder, found):
        before = read_bytes_as_text(path)
        named = _LINE.match(before)
        after = schema_line(path, schemas / kind.file) + before[named.end() if named else 0 :]
        if before != after:
            write_text(path, after)
            changed.append(path)
    found.raise_if_errors()
    return changed


def schema_line(path: Path, schema: Path) -> str:
    """The line at the head of `path` by which the YAML language server finds `schema`."""
    relative = Path(os.path.relpath(schema.resolve(), path.parent.resolve())).as_posix()
    return f"# yaml-language-server: $schema={quote(relative)}\n"


def _files(folder: Path, diagnostics: Diagnostics) -> list[tuple[Path, SchemaKind]]:
    files = [(path, KINDS["sources"]) for path in sources_files([folder])]
    for inside, names in walk(folder, diagnostics):
        if MANIFEST in names:
            files.append((inside / MANIFEST, KINDS["manifest"]))
            files += [(path, KINDS["rules"]) for path in rules_files(inside, diagnostics)]
    return files
