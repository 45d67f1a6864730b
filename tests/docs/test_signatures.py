"""The page on signatures shows what statements import as the code defines it. `UPDATE_GOLDENS=1` writes it anew."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from pathlib import Path
from textwrap import wrap
from typing import Any

from tests.source.goldens import assert_golden

CONTRIBUTING = Path(__file__).resolve().parents[2] / "site" / "docs" / "contributing"
INTRODUCTION = """\
# Signatures

For contributors who write a [statement](program.md#imports). This page lists the names that statements import, with
their parameters. The comment above a name is the first line of its docstring. `Check`, `Run` and `Lower` are the types
of the parameters `check`, `run` and `lower`, and the page shows their methods. A test compares this page with the code.
To update the page, run the test with `UPDATE_GOLDENS=1`:

```sh
UPDATE_GOLDENS=1 .venv/bin/pytest tests/docs/test_signatures.py
```
"""
WIDTH = 120


def list_imports() -> Iterator[tuple[str, list[str]]]:
    """Yield each module that the page on programs lists, with the names to import from it."""
    page = (CONTRIBUTING / "program.md").read_text(encoding="utf-8")
    for module, names in re.findall(r"^- `([a-z_.]+\.[a-z_.]+)`: (.*(?:\n  .*)*)$", page, re.MULTILINE):
        yield f"rulewright.{module}", re.findall(r"`(\w+)`", names)


def write_parameter(parameter: inspect.Parameter) -> str:
    """Return a parameter with its type and its default, as in code."""
    star = "*" if parameter.kind is parameter.VAR_POSITIONAL else ""
    written = f"{star}{parameter.name}: {parameter.annotation}"
    if parameter.default is parameter.empty:
        return written
    default = repr(parameter.default)
    return f"{written} = {'…' if default == '<factory>' else default}"


def write_signature(name: str, entity: Any) -> str:
    """Return a name with its parameters, on one line or several. The modules keep types as they are written."""
    signature = inspect.signature(entity)
    words = []
    for each in signature.parameters.values():
        if each.kind is each.KEYWORD_ONLY and "*" not in words:
            words.append("*")
        if each.name != "self":
            words.append(write_parameter(each))
    result = "" if signature.return_annotation in (None, "None") else f" -> {signature.return_annotation}"
    whole = ", ".join(each.replace(" ", "\0") for each in words)
    lines = wrap(f"{name}({whole}){result}", WIDTH, subsequent_indent="    ", break_long_words=False)
    return "\n".join(lines).replace("\0", " ")


def describe(name: str, entity: Any) -> str:
    """Return the lines of the page on one name."""
    if not callable(entity):
        return f"{name} = {entity!r}"
    comment = "".join(f"# {line}\n" for line in wrap((inspect.getdoc(entity) or "").splitlines()[0], WIDTH - 2))
    if isinstance(entity, type) and issubclass(entity, Enum):
        return comment + "\n".join(f"{name}.{each.name}" for each in entity)
    if getattr(entity, "_is_protocol", False):
        methods = [write_signature(f"{name.lower()}.{key}", getattr(entity, key)) for key in list_methods(entity)]
        return comment + ("\n".join(methods) or name)
    if inspect.signature(entity).parameters or not isinstance(entity, type):
        return comment + write_signature(name, entity)
    methods = [(key, each) for key, each in vars(entity).items() if key[0] != "_" and inspect.isfunction(each)]
    return f"{comment}{name}\n\n" + "\n\n".join(describe(f"{name.lower()}.{key}", each) for key, each in methods)


def list_methods(protocol: type) -> list[str]:
    """Return the public methods of an interface that the page shows. Those with docstrings are read in the code."""
    return [key for key, each in vars(protocol).items() if key[0] != "_" and callable(each) and not each.__doc__]


def test_the_page_shows_the_signatures() -> None:
    parts = [INTRODUCTION]
    for module, names in list_imports():
        text = "\n\n".join(describe(name, getattr(import_module(module), name)) for name in names)
        parts.append(f"## `{module}`\n\n```python\n{text}\n```\n")
    assert_golden("signatures.md", "\n".join(parts), folder=CONTRIBUTING)
