"""The public names of the Python package, from their docstrings."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from enum import Enum
from importlib.resources import files
from typing import Any

from reference._markdown import code, fenced, joined
from rulewright.integrations.numeric_game import GameSetting

INTRODUCTION = """\
# Python

This reference is for programmers. It lists all stable names: those in `import rulewright`, the types of their results,
and the modules for bots, simulations, saves, exports and agents. [What is stable](../project/stability.md) says how
long this interface stays the same. Everything else may change in any version. `rulewright.__version__` is the version
as a string.
"""

LONGEST = 88
"""Characters a signature may have on one line."""

ALSO = {
    "rulewright.engine.game.decision": ("Decision", "Subject", "Option", "Chance", "Result"),
    "rulewright.engine.game.subset": ("Subset",),
    "rulewright.engine.narration.events": ("Event", "Weight"),
    "rulewright.engine.game.record": ("ChoiceEntry", "ChanceEntry"),
    "rulewright.base.errors": ("MissingExtraError",),
    "rulewright.engine.game.saves": ("stops",),
    "rulewright.engine.game.save_migration": ("migrate_save", "Migration"),
    "rulewright.export.write_export": ("write_export",),
    "rulewright.export.example_data": ("build_example_data", "build_sample_data"),
    "rulewright.ai.bots": ("list_names", "get_help", "make", "SeatedBot"),
    "rulewright.analysis.simulation.run_simulation": ("simulate",),
    "rulewright.analysis.simulation.game_counts": ("Counts",),
    "rulewright.integrations.game_encoder": ("GameEncoder",),
    "rulewright.source.diagnostics.collector": ("DiagnosticError",),
    "rulewright.dice.dice_error": ("DiceError",),
}
"""What the names of the package hand out or raise, and its other doors, by module."""

RESULTS_ALONE = {"Counts"}
"""The classes of which only the attributes are for others, and not the methods with which they are filled."""

ADAPTERS = {"pettingzoo": "env", "gymnasium": "make_vec", "vector_games": "make", "openspiel": "load_game"}
"""The modules of `rulewright.integrations` that others begin with, each with its function."""


def page() -> str:
    """Return the page."""
    package = importlib.import_module("rulewright")
    own = [_entry(name, getattr(package, name), "rulewright") for name in sorted(package.__all__) if name[0] != "_"]
    also = [
        _entry(name, getattr(importlib.import_module(module), name), module)
        for module, names in ALSO.items()
        for name in names
    ]
    return joined(INTRODUCTION, *own, *also, *(_adapter(*each) for each in ADAPTERS.items()), _setting())


def _setting() -> str:
    """Return the settings that the adapters pass on."""
    head = fenced(_heading("GameSetting.for_ruleset", GameSetting.for_ruleset), "python")
    return joined(
        f"## {code('GameSetting.for_ruleset')}",
        head,
        "The adapters take these arguments as `settings`.",
        _words(GameSetting.for_ruleset),
    )


def _adapter(module: str, name: str) -> str:
    """Return a module that needs libraries which need not be here: it is read, and not imported."""
    file = files("rulewright") / "integrations" / f"{module}.py"
    tree = ast.parse(file.read_text(encoding="utf-8"))
    function = next(each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name == name)
    gives = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    head = f"from rulewright.integrations import {module}\n\n{module}.{name}({ast.unparse(function.args)}){gives}"
    docs = [_examples(inspect.cleandoc(ast.get_docstring(each) or "")) for each in (tree, function)]
    return joined(f"## {code(f'{module}.{name}')}", fenced(head, "python"), *docs)


def _entry(name: str, thing: Any, module: str) -> str:
    head = fenced(f"from {module} import {name}\n\n{_heading(name, thing)}", "python")
    members = [
        joined(f"### {code(f'{name}.{member}')}", fenced(_heading(member, value), "python"), _words(value))
        for member, value in _members(thing)
    ]
    return joined(f"## {code(name)}", head, _words(thing), *members)


def _members(thing: Any) -> Iterator[tuple[str, Any]]:
    """Yield the public methods and properties of a class that say what they are for, as they stand in it."""
    if not inspect.isclass(thing) or thing.__name__ in RESULTS_ALONE:
        return
    for name, value in vars(thing).items():
        if not name.startswith("_") and inspect.getdoc(value) and _is_member(value):
            yield name, value


def _is_member(value: Any) -> bool:
    return isinstance(value, property | classmethod | staticmethod) or inspect.isfunction(value)


def _heading(name: str, thing: Any) -> str:
    if isinstance(thing, property):
        return f"{name}: {_annotation(thing)}"
    if isinstance(thing, classmethod | staticmethod):
        thing = thing.__func__
    if not callable(thing):
        return name
    if inspect.isclass(thing) and issubclass(thing, Enum):
        return f"{name}: {', '.join(thing.__members__)}"
    try:
        signature = inspect.signature(thing)
    except ValueError:
        return name
    said = f"{name}{signature}"
    return (said if len(said) <= LONGEST else _over_lines(name, signature)).replace("'", "")


def _over_lines(name: str, signature: inspect.Signature) -> str:
    """Return a signature with each parameter on a line of its own."""
    lines: list[str] = []
    starred = False
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            lines, starred = [*lines, "*"], True
        lines.append(str(parameter))
    body = "".join(f"    {line},\n" for line in lines)
    gives = "" if signature.return_annotation in (None, "None") else f" -> {signature.return_annotation}"
    return f"{name}(\n{body}){gives}"


def _annotation(thing: property) -> str:
    return str((thing.fget.__annotations__ if thing.fget else {}).get("return", ""))


def _words(thing: Any) -> str:
    """Return the docstring; examples in it are set as code."""
    return _examples(inspect.getdoc(thing) or "")


def _examples(text: str) -> str:
    return re.sub(r"(?m)(^>>> .*\n?(?:^.+\n?)*)", lambda found: fenced(found[0], "pycon"), text)
