"""The diagnostics: an index of all codes, and a page for each group with the reason and the solution."""

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

This reference is for designers. It lists the code of each message from `rulewright check`. Each code links to its
explanation. An error makes rules unusable, and a warning does not. [Fix errors with check](../tools/check.md) shows
how to read a message.

`rulewright check --format json` prints messages as data. `--format sarif` and `--format github` are for code hosts.
"""

WITHOUT_CODES = ("rulewright.__main__", "rulewright.book", "rulewright.cli")
"""Packages that declare no codes and may need other packages."""

GROUPS = {
    "rulewright.source": "Files and YAML",
    "rulewright.language": "Expressions, steps and dice",
    "rulewright.ir": "Expressions, steps and dice",
    "rulewright.ruleset": "Layers, names, tables and settings",
    "rulewright.ruleset.schema": "The structure of rules files",
    "rulewright.ruleset.lints.lock": "Finding and releasing editions",
    "rulewright.ruleset.editions": "Finding and releasing editions",
    "rulewright.ruleset.schema.edition_reference": "Finding and releasing editions",
    "rulewright.ruleset.prose": "Texts and pictures of the book",
    "rulewright.ruleset.translation": "Texts and pictures of the book",
    "rulewright.ruleset.prose_diagnostics": "Texts and pictures of the book",
    "rulewright.ruleset.editions.icons": "Texts and pictures of the book",
    "rulewright.engine": "Examples and games",
    "rulewright.testing": "Examples and games",
    "rulewright.analysis": "Simulations",
    "rulewright.training": "Simulations",
    "rulewright.authoring": "Spreadsheets",
    "rulewright.authoring.translations": "Texts and pictures of the book",
}
"""The topic of the codes that a module declares, by the longest prefix of its name, in the order of the pages."""

_DECLARED = re.compile(r"= Code\(\s*\"([a-z0-9-]+)\"")


GUIDES = {
    "bad-given": ("Start a run from another situation", "tools/check.md#start-a-run-from-another-situation"),
    "endless-loop": ("Choose how a loop ends", "design/steps.md#choose-how-a-loop-ends"),
    "words-wanted": ("Make your sentences read well", "design/text.md#make-your-sentences-read-well"),
}
"""The title and address of the guide that shows the solution of a code."""


def pages() -> dict[str, str]:
    """Return the index, and the page of each group."""
    groups: dict[str, list[Code]] = {title: [] for title in dict.fromkeys(GROUPS.values())}
    every = codes()
    homes = _homes()
    for found in every:
        groups[_group(homes[found.id])].append(found)
    made = {title: found for title, found in groups.items() if found}
    index = joined(INTRODUCTION, *(_overview(*each) for each in made.items()), "Next: [Commands](commands.md).")
    return {"diagnostics.md": index} | {_path(title): _chapter(title, found) for title, found in made.items()}


def _path(title: str) -> str:
    return f"diagnostics/{re.sub('[^a-z]+', '-', title.lower())}.md"


def _overview(title: str, found: list[Code]) -> str:
    """Return a table of the codes of a group. Editors link to the code in it."""
    rows = [(f'<span id="{each.id}"></span>[{code(each.id)}]({_path(title)}#{each.id})', each.title) for each in found]
    return joined(f"## {title}", table(("code", "problem"), rows))


def _chapter(title: str, found: list[Code]) -> str:
    about = "This reference is for designers. It explains each message with its reason and its solution."
    return joined(f"# {title}", about, *(_entry(each) for each in found), "Next: [all diagnostics](../diagnostics.md).")


def _group(module: str) -> str:
    """Return the topic of the codes of a module."""
    return GROUPS[max((name for name in GROUPS if f"{module}.".startswith(f"{name}.")), key=len)]


def _homes() -> dict[str, str]:
    """Return the name of the module that declares each code."""
    declared = {}
    for name, module in list(sys.modules.items()):
        if name.startswith("rulewright.") and any(isinstance(value, Code) for value in vars(module).values()):
            declared.update(dict.fromkeys(_DECLARED.findall(inspect.getsource(module)), name))
    return declared


def codes() -> list[Code]:
    """Return every code of the program, sorted by id."""
    package = importlib.import_module("rulewright")
    for module in pkgutil.walk_packages(package.__path__, "rulewright."):
        if not module.name.startswith(WITHOUT_CODES):
            importlib.import_module(module.name)
    return [CODES[name] for name in sorted(CODES)]


def _entry(found: Code) -> str:
    severity = "" if found.severity == "error" else " This is a warning."
    guide = f" [{GUIDES[found.id][0]}](../../{GUIDES[found.id][1]}) shows how." if found.id in GUIDES else ""
    return joined(
        f"## {code(found.id)}", f"**{found.title}.**{severity} {found.why}", f"**Solution.** {found.fix}{guide}"
    )
