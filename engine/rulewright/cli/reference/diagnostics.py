"""Every diagnostic code: what it says, why it is a fault, and what to do."""

from __future__ import annotations

import importlib
import pkgutil

from rulewright.cli.reference._markdown import code, joined
from rulewright.source.diagnostic import CODES, Code

INTRODUCTION = """\
# Diagnostics

What `rulewright` finds wrong in rules it says with a code, a place, what is wrong, why, and what to do. An error makes
the rules unusable; a warning does not. `rulewright check --format json` gives the same as data, `--format sarif` and
`--format github` for the places that read these.
"""


WITHOUT_CODES = ("rulewright.__main__", "rulewright.book", "rulewright.cli")
"""Parts that declare none, and may need what is not installed."""


def page() -> str:
    """The page."""
    return joined(INTRODUCTION, *(_entry(found) for found in codes()))


def codes() -> list[Code]:
    """Every code of the program, by id; each is declared beside the check that raises it."""
    package = importlib.import_module("rulewright")
    for module in pkgutil.walk_packages(package.__path__, "rulewright."):
        if not module.name.startswith(WITHOUT_CODES):
            importlib.import_module(module.name)
    return [CODES[name] for name in sorted(CODES)]


def _entry(found: Code) -> str:
    severity = "" if found.severity == "error" else " This is a warning."
    return joined(f"## {code(found.id)}", f"**{found.title}.**{severity} {found.why}", f"What to do: {found.fix}")
