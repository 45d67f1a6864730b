"""The packages of the engine and the modules in each, with what their docstrings say first."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from reference._markdown import code, joined, table

INTRODUCTION = """# Packages

This reference is for contributors. It lists the packages of `engine/rulewright/`, the lowest layer first, and the
purpose of each module. A package imports only from packages above it on this page. `pyproject.toml` declares the
layers under `[tool.layers]`, and a test checks them.
"""

ENGINE = Path(__file__).resolve().parents[2] / "engine" / "rulewright"


def page() -> str:
    """Return the page."""
    return joined(INTRODUCTION, *(part for name in packages() for part in _sections(ENGINE / name)))


def packages() -> tuple[str, ...]:
    """Return the names of the packages, the lowest layer first."""
    return tuple(name for layer in layers() for name in layer if (ENGINE / name).is_dir())


def layers() -> list[list[str]]:
    """Return the layers that pyproject.toml declares, the lowest first."""
    with (ENGINE.parents[1] / "pyproject.toml").open("rb") as file:
        declared: list[list[str]] = tomllib.load(file)["tool"]["layers"]["packages"]
    return declared


def _sections(folder: Path) -> Iterator[str]:
    name = folder.relative_to(ENGINE).as_posix()
    modules = sorted(path for path in folder.glob("*.py") if path.name != "__init__.py")
    yield f"{'###' if '/' in name else '##'} {name}\n\n{_docstring(folder / '__init__.py')}"
    if modules:
        yield table(["module", "what it does"], [[code(path.name), _first_sentence(path)] for path in modules])
    for inner in sorted(path.parent for path in folder.glob("*/__init__.py")):
        yield from _sections(inner)


@cache
def _docstring(path: Path) -> str:
    return ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""


def _first_sentence(path: Path) -> str:
    return _docstring(path).partition("\n\n")[0].replace("<", "&lt;")
