"""The folders in which rulesets are looked for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from rulewright.errors import RulewrightError
from rulewright.resources import resource
from rulewright.ruleset.editions.packages import packaged
from rulewright.ruleset.editions.zipped import is_zip, opened
from rulewright.ruleset.reference import argument
from rulewright.source.diagnostics.collected import DiagnosticError
from rulewright.source.diagnostics.diagnostic import Code, Diagnostic
from rulewright.source.diagnostics.suggest import did_you_mean

VARIABLE = "RULEWRIGHT_RULES"
"""The environment variable that names folders, separated as in `PATH`."""

FOLDER_MISSING = Code(
    "folder-missing",
    "A folder of rules that is not there",
    "Rules that were asked for would be left out without a word, or others taken in their place.",
    "Check the name; a relative one begins in the folder the command is run in.",
)


Folders = str | Path | Sequence[str | Path]
"""A folder of rules, or a zip of one, or several of them, the first one first."""


def folders_of(rules: Folders) -> list[Path]:
    """The folders that a caller names. Raises `RulewrightError` for what names none."""
    if isinstance(rules, str | os.PathLike):
        return [Path(rules)]
    # What is no sequence, a set for one, has no first.
    if not isinstance(rules, Sequence) or not all(isinstance(folder, str | os.PathLike) for folder in rules):
        raise RulewrightError(f"`rules` is a folder, or a list of folders, not {rules!r}")
    return [Path(folder) for folder in rules]


def search_path(extra: Sequence[Path] = ()) -> list[Path]:
    """The folders to look in, the first one first: `extra`, `$RULEWRIGHT_RULES`, `./rules`, those shipped with the
    program, those of installed packages.

    A folder that comes up twice is kept in its first place. Raises `DiagnosticError` if one that was named, in `extra`
    or in the environment, is neither a folder nor a zip of one.
    """
    named = [_existing(Path(folder), "") for folder in extra]
    listed = os.environ.get(VARIABLE, "").split(os.pathsep)
    named += [_existing(Path(folder), f", which ${VARIABLE} names") for folder in listed if folder]
    found: dict[Path, Path] = {}
    for folder in (*named, Path("rules"), resource("rules"), *packaged()):
        if os.path.isdir(folder):
            found.setdefault(folder.resolve(), folder)
    return list(found.values())


def _existing(folder: Path, origin: str) -> Path:
    # `os.path` says no to a name that cannot be one, where `Path` raises.
    if os.path.isdir(folder):
        return folder
    if os.path.isfile(folder) and is_zip(folder):
        return opened(folder)
    problem = "is a file, and neither a folder nor a zip" if os.path.exists(folder) else "does not exist"
    message = f"the folder `{folder}`{origin}, {problem}" if origin else f"the folder `{folder}` {problem}"
    suggestion = did_you_mean(folder.name, _folders_beside(folder))
    raise DiagnosticError([Diagnostic(FOLDER_MISSING, message, argument(str(folder)).span, suggestion=suggestion)])


def _folders_beside(folder: Path) -> list[str]:
    try:
        return [entry.name for entry in folder.parent.iterdir() if entry.is_dir()]
    except (OSError, ValueError):
        return []
