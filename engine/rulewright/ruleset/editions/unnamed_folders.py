"""Diagnostics for folders given by the user: without a ruleset, or in place of a reference."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from rulewright.ruleset.editions.edition import CALLED, MANIFEST, RULES_FILES, Edition, walk
from rulewright.ruleset.editions.edition_diagnostics import NO_RULES_HERE
from rulewright.ruleset.editions.zip_archives import is_zip
from rulewright.ruleset.schema.edition_reference import BAD_REFERENCE, make_argument_node
from rulewright.ruleset.schema.schema_path import join_alternatives
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic

DEPTH = 3
"""The number of levels of subfolders in which editions are searched for."""


def is_rules_folder(text: str) -> bool:
    """Return whether a text is the path of an existing folder or zip."""
    try:
        return os.path.isdir(text) or (os.path.isfile(text) and is_zip(Path(text)))
    except ValueError:
        return False


def report_empty_folder(folder: Path) -> Diagnostic:
    """Return the diagnostic for a folder without a ruleset.

    If the folder has rules files but no manifest, the suggestion contains a manifest to write.
    """
    rules = find_rules_without_manifest(folder)
    advice = None
    if rules is not None:
        advice = (
            f"there is no `{MANIFEST}` beside `{rules}`, and every ruleset needs one. Create it:\n"
            f"ruleset: house/my-rules\nversion: 0.1.0\nextends: game/edition@1.0\ntitle: My rules\nstatus: draft"
        )
    return Diagnostic(
        NO_RULES_HERE, f"there is no ruleset in `{folder}`", make_argument_node(str(folder)).span, (), advice
    )


def find_rules_without_manifest(folder: Path) -> Path | None:
    """Return the first rules file in a folder, or up to `DEPTH` levels below.

    None if there are no rules files or the folder cannot be read, or if there is a manifest or a file that is meant
    to be one.
    """
    there = [(inside, names) for inside, names in walk(folder, Diagnostics(), depth=DEPTH)]
    if any(name.lower() in CALLED for _, names in there for name in names):
        return None
    rules = (inside / name for inside, names in there for name in names if name.endswith(RULES_FILES))
    return next(rules, None)


def explain_folder_reference(folder: str, editions: Sequence[Edition]) -> Diagnostic:
    """Return the diagnostic for a folder given in place of a reference.

    It suggests the first of `editions`, which are those in the folder. If there are none, it says that the folder has
    no ruleset.
    """
    if not editions:
        return report_empty_folder(Path(folder))
    alternatives = join_alternatives((f"`{edition.id}`" for edition in editions), word="and")
    return Diagnostic(
        BAD_REFERENCE,
        f"`{folder}` is a folder, but a reference has the form `game/edition`",
        make_argument_node(folder).span,
        suggestion=f"the folder contains {alternatives}: write `{editions[0].ruleset} --rules {folder}`",
    )
