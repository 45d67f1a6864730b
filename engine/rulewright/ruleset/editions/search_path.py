"""The folders in which rulesets are searched for, including those of installed Python packages.

A package declares the module that contains its rules by an entry point:

    [project.entry-points."rulewright.rulesets"]
    my-games = "my_games.rules"

The module is a folder of the package. It is located without running its code, but its parent packages are imported.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from rulewright.base.errors import RulesetWarning, RulewrightError
from rulewright.base.plugins import ProcessSignal
from rulewright.base.resources import find_resource
from rulewright.ruleset.editions.zip_archives import is_zip, open_archive
from rulewright.ruleset.schema.edition_reference import make_argument_node
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.diagnostic import Code, Diagnostic
from rulewright.source.diagnostics.excerpt import quote_value
from rulewright.source.diagnostics.suggestions import suggest_name

VARIABLE = "RULEWRIGHT_RULES"
"""The environment variable with folders to search, separated as in `PATH`."""

FOLDER_MISSING = Code(
    "folder-missing",
    "A rules folder that does not exist",
    "Requested rules would be silently left out or replaced by others.",
    "Check the path; a relative path starts in the folder where the command runs.",
)


Folders = str | Path | Sequence[str | Path]
"""A folder of rules, a zip of one, or several of them in order of precedence."""


def list_folders(rules: Folders) -> list[Path]:
    """Return the folders in an argument `rules`: one for a single path, else all of a sequence, in its order.

    They need not exist. Raises `RulewrightError` if the argument is neither a path nor a sequence of paths. Sets are
    rejected, too.
    """
    # Unordered collections such as sets are rejected, because the order matters.
    named = rules if isinstance(rules, Sequence) and not isinstance(rules, str) else [rules]
    try:
        return [Path(folder) for folder in named]
    except TypeError:
        raise RulewrightError(f"`rules` must be a folder or a list of folders, not {quote_value(rules)}") from None


def search_path(extra: Sequence[Path] = ()) -> list[Path]:
    """Return the existing folders to search, in order of precedence.

    They are `extra`, `$RULEWRIGHT_RULES`, `./rules`, the rulesets that ship with the package, and those of installed
    packages. Zips are extracted to temporary folders. A folder that appears twice counts in its first position.
    Raises `DiagnosticError` if a folder in `extra` or in the environment variable is neither a folder nor a readable
    zip.
    """
    named = [_find_existing(Path(folder), "") for folder in extra]
    listed = os.environ.get(VARIABLE, "").split(os.pathsep)
    named += [_find_existing(Path(folder), f", which ${VARIABLE} names") for folder in listed if folder]
    results: dict[Path, Path] = {}
    for folder in (*named, Path("rules"), find_resource("rules"), *list_packaged_folders()):
        if os.path.isdir(folder):
            results.setdefault(folder.resolve(), folder)
    return list(results.values())


def _find_existing(folder: Path, origin: str) -> Path:
    """Return a folder, or the folder to which a zip is extracted. Raises `DiagnosticError` for anything else."""
    # For invalid names, `os.path` returns False and `Path` raises.
    if os.path.isdir(folder):
        return folder
    if os.path.isfile(folder) and is_zip(folder):
        return open_archive(folder)
    problem = "is neither a folder nor a zip" if os.path.exists(folder) else "does not exist"
    message = f"the folder `{folder}`{origin}, {problem}" if origin else f"the folder `{folder}` {problem}"
    suggestion = suggest_name(folder.name, _folders_beside(folder))
    raise DiagnosticError(
        [Diagnostic(FOLDER_MISSING, message, make_argument_node(str(folder)).span, suggestion=suggestion)]
    )


def _folders_beside(folder: Path) -> list[str]:
    try:
        return [entry.name for entry in folder.parent.iterdir() if entry.is_dir()]
    except (OSError, ValueError):
        return []


GROUP = "rulewright.rulesets"
"""The entry point group."""

PACKAGE_WITHOUT_RULES = Code(
    "package-without-rules",
    "A package whose rules folder is missing",
    "Its entry point names a module without a folder, so its rules are left out.",
    "Name a module that is a folder of the package, such as `my_games.rules`. Make sure that the package includes the "
    "files in it, for example with `package-data` of setuptools, and reinstall it. If the package is not yours, "
    "install another version or uninstall it.",
)


def list_packaged_folders() -> tuple[Path, ...]:
    """Return the folders of rules of installed packages, sorted by entry point name. Missing ones are left out."""
    return _find_packaged(tuple(sys.path))[0]


def report_skipped_packages() -> tuple[Diagnostic, ...]:
    """Return a diagnostic for each installed package whose folder of rules is missing."""
    return _find_packaged(tuple(sys.path))[1]


def warn_of_left_out(*, stacklevel: int) -> None:
    """Issue a `RulesetWarning` for each installed package whose folder of rules is missing."""
    for fault in report_skipped_packages():
        text = f"[{fault.code.id}] {fault.message}. Its rules are left out"
        warnings.warn(text, RulesetWarning, stacklevel=stacklevel + 1)


@lru_cache(maxsize=8)
def _find_packaged(path: tuple[str, ...]) -> tuple[tuple[Path, ...], tuple[Diagnostic, ...]]:
    """Return the folders of rules of the packages on `path`, and a diagnostic for each that is missing. Cached."""
    if not any(map(_names_the_group, path)):
        return (), ()
    # Importing this takes as long as loading a game from the cache, and is rarely needed.
    from importlib.metadata import entry_points

    results = sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value))
    folders: dict[Path, None] = {}
    faults: list[Diagnostic] = []
    for point in results:
        try:
            folders[
                find_module_folder(point.name, point.value, package=point.dist.name if point.dist is not None else "")
            ] = None
        except DiagnosticError as error:
            faults += error.diagnostics
    return tuple(folders), tuple(faults)


def _names_the_group(folder: str) -> bool:
    """Return whether any package in a folder of `sys.path` may have entry points of the group.

    An empty string is the current folder. False if the folder cannot be read.
    """
    try:
        with os.scandir(folder or ".") as listing:
            metadata = [entry.path for entry in listing if entry.name.endswith((".dist-info", ".egg-info"))]
    except OSError:
        return False
    return any(_holds_the_group(os.path.join(each, "entry_points.txt")) for each in metadata)


def _holds_the_group(path: str) -> bool:
    """Return whether a file declares entry points of the group. False if it cannot be read."""
    try:
        with open(path, encoding="utf-8") as file:
            return f"[{GROUP}]" in file.read()
    except (OSError, ValueError):
        return False


def find_module_folder(name: str, module: str, *, package: str) -> Path:
    """Return the folder of the module that an entry point names.

    Imports the parent packages of the module. Raises `DiagnosticError` if there is no such folder or an import fails.

    Args:
        name: The name of the entry point, for messages.
        module: The dotted name of the module.
        package: The name of the package with the entry point, or empty if it is unknown.
    """
    from importlib.util import find_spec

    try:
        spec = find_spec(module)
    except ProcessSignal:
        raise
    except (Exception, SystemExit):  # importing a parent package may do anything
        spec = None
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    for place in places:
        if os.path.isdir(place):
            return Path(place)
    whose = f"the package `{package}`" if package else "an installed package"
    message = (
        f"{whose} declares its rules in `{module}` (entry point `{name}` of `{GROUP}`), but there is no such folder"
    )
    raise DiagnosticError([Diagnostic(PACKAGE_WITHOUT_RULES, message, make_argument_node(module).span)])
