"""The location of the data files of the program: in place in a checkout, inside the package in a wheel."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def find_resource(name: str) -> Path:
    """Return the folder `name` (`grammar`, `rules` or `docs_templates`) of this installation.

    A wheel carries the folders as package data. A checkout is read in place, so that an edit shows at once.
    """
    packed = _PACKAGE / "_data" / name
    return packed if packed.is_dir() else _PACKAGE.parents[1] / name


def find_languages() -> Path:
    """Return the folder of the book's languages besides English, with a folder for each."""
    return _PACKAGE / "book" / "languages"


@cache
def get_version() -> str:
    """Return the version of this installation, or `0+source` for a folder that is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("rulewright")
    except PackageNotFoundError:
        return "0+source"
