"""Every diagnostic code: what it says, why it is a fault, and what to do."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import sys

from reference._markdown import code, joined, table
from rulewright.source.diagnostics.diagnostic import CODES, Code

INTRODUCTION = """\
# Diagnostics

What `rulewright` finds wrong in rules it says with a code, a place, what is wrong, why, and what to do. An error makes
the rules unusable; a warning does not. `rulewright check --format json` gives the same as data, `--format sarif` and
`--format github` for the places that read these.
"""


WITHOUT_CODES = ("rulewright.__main__", "rulewright.book", "rulewright.cli")
"""Parts that declare none, and may need what is not installed."""

GROUPS = {
    "rulewright.source": "Files and YAML",
    "rulewright.language": "Expressions, steps and dice",
    "rulewright.ir": "Expressions, steps and dice",
    "rulewright.ruleset": "Layers, names, tables and settings",
    "rulewright.ruleset.schema": "The shape of what is written",
    "rulewright.ruleset.lints.lock": "Finding and releasing editions",
    "rulewright.ruleset.editions": "Finding and releasing editions",
    "rulewright.ruleset.schema.edition_reference": "Finding and releasing editions",
    "rulewright.ruleset.prose": "The words and pictures of the book",
    "rulewright.ruleset.translation": "The words and pictures of the book",
    "rulewright.ruleset.prose_diagnostics": "The words and pictures of the book",
    "rulewright.ruleset.editions.icons": "The words and pictures of the book",
    "rulewright.engine": "Examples and games",
    "rulewright.testing": "Examples and games",
    "rulewright.analysis": "Simulations",
    "rulewright.training": "Simulations",
    "rulewright.authoring": "Spreadsheets",
}
"""What the codes that a part of the program declares are about, in the order of the page."""

_DECLARED = re.compile(r"= Code\(\s*\"([a-z0-9-]+)\"")


def page() -> str:
    """Return the page."""
    groups: dict[str, list[Code]] = {title: [] for title in dict.fromkeys(GROUPS.values())}
    every = codes()
    homes = _homes()
    for found in every:
        groups[_group(homes[found.id])].append(found)
    return joined(INTRODUCTION, _overview(groups), *(_chapter(*each) for each in groups.items() if each[1]))


def _overview(groups: dict[str, list[Code]]) -> str:
    """Return every code by what it is about, to jump to."""
    rows = [(title, " · ".join(f"[{code(each.id)}](#{each.id})" for each in found)) for title, found in groups.items()]
    return table(("about", "codes"), rows)


def _chapter(title: str, found: list[Code]) -> str:
    return joined(f"## {title}", *(_entry(each) for each in found))


def _group(module: str) -> str:
    """Return what the codes of a module are about: that of the longest name the module's begins with."""
    return GROUPS[max((name for name in GROUPS if f"{module}.".startswith(f"{name}.")), key=len)]


def _homes() -> dict[str, str]:
    """Return the module that declares each code: of those that know it, the one whose text makes it."""
    declared = {}
    for name, module in list(sys.modules.items()):
        if name.startswith("rulewright.") and any(isinstance(value, Code) for value in vars(module).values()):
            declared.update(dict.fromkeys(_DECLARED.findall(inspect.getsource(module)), name))
    return declared


def codes() -> list[Code]:
    """Return every code of the program, by id; each is declared beside the check that raises it."""
    package = importlib.import_module("rulewright")
    for module in pkgutil.walk_packages(package.__path__, "rulewright."):
        if not module.name.startswith(WITHOUT_CODES):
            importlib.import_module(module.name)
    return [CODES[name] for name in sorted(CODES)]


def _entry(found: Code) -> str:
    severity = "" if found.severity == "error" else " This is a warning."
    return joined(f"### {code(found.id)}", f"**{found.title}.**{severity} {found.why}", f"What to do: {found.fix}")
