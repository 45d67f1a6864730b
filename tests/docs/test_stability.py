"""What integrators may build on is what it was: public names with their parameters, and the members of every schema."""

from __future__ import annotations

import importlib
import inspect
import json
from enum import Enum
from pathlib import Path
from typing import Any

from reference.python import ALSO, _members

import rulewright
from rulewright.engine.game.json_contracts import CONTRACTS
from tests.source.goldens import assert_golden

GOLDENS = Path(__file__).parent / "goldens"


def surface() -> list[str]:
    """Return every public name with its parameters, a line each."""
    entities = {name: getattr(rulewright, name) for name in rulewright.__all__ if name != "__version__"}
    entities |= {
        name: getattr(importlib.import_module(module), name) for module, names in ALSO.items() for name in names
    }
    lines = []
    for name, entity in sorted(entities.items()):
        lines.append(f"{name}{parameters(entity)}")
        for member, value in _members(entity):
            inner = value.__func__ if isinstance(value, classmethod | staticmethod) else value
            lines.append(f"{name}.{member}{'' if isinstance(inner, property) else parameters(inner)}")
    return lines


def parameters(entity: Any) -> str:
    """Return the names of parameters, with a `?` for those that may be left out."""
    if isinstance(entity, type) and issubclass(entity, Exception):
        return ""
    if isinstance(entity, type) and issubclass(entity, Enum):
        return f"({', '.join(f'{each.name}={each.value}' for each in entity)})"
    known = [p for p in inspect.signature(entity).parameters.values() if p.name not in ("self", "cls")]
    lines = []
    for each in known:
        star = "*" if each.kind is each.KEYWORD_ONLY else ""
        lines.append(f"{star}{each.name}{'?' if each.default is not each.empty else ''}")
    return f"({', '.join(lines)})"


def test_public_names_are_those_that_were_promised() -> None:
    """A line that goes or changes breaks what others have built; the statement of what is stable says when it may."""
    assert_golden("names.txt", "\n".join(surface()) + "\n", folder=GOLDENS)


def test_contracts_are_those_that_were_promised() -> None:
    schemas = {name: contract.make(None) for name, contract in CONTRACTS.items()}
    assert_golden("contracts.json", json.dumps(schemas, indent=1) + "\n", folder=GOLDENS)


def test_the_version_is_a_text() -> None:
    assert rulewright.__version__
    assert "__version__" in dir(rulewright)
    assert rulewright.__version__[0].isdigit()


def test_every_public_name_is_in_the_reference() -> None:
    from reference.python import page

    written = page()
    for line in surface():
        assert f"`{line.partition('(')[0]}`" in written, line
