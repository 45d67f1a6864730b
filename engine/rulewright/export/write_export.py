"""A ruleset as files that any engine can load."""

from __future__ import annotations

import json
from pathlib import Path

from rulewright.base.errors import RulewrightError
from rulewright.engine.game.game_settings import refuse_ruleset
from rulewright.export.conformance_vectors import build_vectors_schema, format_vectors
from rulewright.export.interface import build_interface
from rulewright.export.js_files import MODULE, read_js_file
from rulewright.export.wasm_module import build_module
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.excerpt import quote_value
from rulewright.source.files.atomic_write import describe_write_error, open_replacement, write_text

PACKAGE = "package.json"
"""The file that makes `rules.js` an ES module for Node before version 22."""


def build_module_and_data(ruleset: Ruleset) -> tuple[bytes, str]:
    """Return the module of a ruleset, and its interface data as JSON."""
    result, requests = build_module(ruleset)
    return result.code, json.dumps(
        build_interface(ruleset, result, requests), ensure_ascii=False, separators=(",", ":")
    ) + "\n"


def build_files(ruleset: Ruleset) -> dict[str, bytes | str]:
    """Return the files of an export by name: the module, its interface data, the JavaScript host and its reference.

    Compiles the ruleset. The same ruleset always has the same bytes.
    """
    module, data = build_module_and_data(ruleset)
    return {
        "rules.wasm": module,
        "rules.json": data,
        "rules.js": read_js_file(MODULE),
        "rules.d.ts": read_js_file("rules.d.ts"),
        "interface.md": read_js_file("interface.md"),
    }


def build_vectors_files(ruleset: Ruleset) -> dict[str, bytes | str]:
    """Return the files of the conformance suite by name. Raises `RulewrightError` as `build_vectors` does."""
    schema = json.dumps(build_vectors_schema(), indent=1) + "\n"
    return {"vectors.json": format_vectors(ruleset), "vectors.schema.json": schema}


def write_export(ruleset: Ruleset, folder: Path, *, vectors: bool = False) -> list[Path]:
    """Write the export of a ruleset into a folder, each file atomically, and return the files. Creates the folder.

    A `package.json` with other content is left alone. With `vectors`, the conformance vectors are written as well.
    Raises `RulewrightError` if an argument is not a ruleset or a folder, or if the vectors of a ruleset without `start`
    are asked for, and `OSError` if a file cannot be written.
    """
    refuse_ruleset(ruleset, "an export is made")
    if not isinstance(folder, str | Path):
        raise RulewrightError(f"an export folder must be named by a string or a Path, not {quote_value(folder)}")
    folder = Path(folder)
    files = build_files(ruleset)
    if vectors:
        files |= build_vectors_files(ruleset)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except ValueError as error:
        raise RulewrightError(describe_write_error(folder, error)) from None
    package, ours = folder / PACKAGE, read_js_file(PACKAGE)
    if not package.exists() or package.read_bytes() == ours.encode():
        files[PACKAGE] = ours
    written = []
    for name, content in files.items():
        place = folder / name
        if isinstance(content, str):
            write_text(place, content)
        else:
            with open_replacement(place) as file:
                file.write_bytes(content)
        written.append(place)
    return written
