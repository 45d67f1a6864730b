"""A copy of the checkout to add files to: programs that run from it are the engine with what was added."""

from __future__ import annotations

import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SHARED = ("grammar", "docs_templates", "rules", "site", "mkdocs.yml", "pyproject.toml")


def copy_checkout(folder: Path, *, copied: tuple[str, ...] = ("engine",)) -> Path:
    """Copy what may be added to into `folder`, and link to the rest.

    What Python has compiled goes along: it holds for a file of the same size and time of change, and to compile the
    engine anew takes longer than most of what the copy is asked. (`*.pyc.*` is what another worker is writing.)
    """
    for name in copied:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("*.pyc.*"))
    for name in SHARED:
        if name not in copied:
            (folder / name).symlink_to(ROOT / name)
    return folder
