"""Finding one thing of a ruleset by its id, or saying which are near."""

from __future__ import annotations

from rulewright.dice.tree import Constant, Roll
from rulewright.language.codes import UNKNOWN_PROCEDURE
from rulewright.language.declarations import Table
from rulewright.language.step import Procedure
from rulewright.language.types import DICE
from rulewright.ruleset.codes import UNKNOWN_REFERENCE
from rulewright.ruleset.elaborate.read import constant, entries
from rulewright.ruleset.history import Path
from rulewright.ruleset.merge_steps import located, walk
from rulewright.ruleset.reference import argument
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostic import Code
from rulewright.source.diagnostics import DiagnosticError, Diagnostics
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence
from rulewright.source.suggest import did_you_mean


def procedure(ruleset: Ruleset, identity: str) -> Procedure:
    """A procedure by its id. Raises `DiagnosticError`, with the nearest, if there is none."""
    found = ruleset.procedures.get(identity.removeprefix("procedures."))
    if found is None:
        hint = did_you_mean(identity, ruleset.procedures)
        known = f"{ruleset.reference} has {', '.join(ruleset.procedures)}"
        _refuse(UNKNOWN_PROCEDURE, f"there is no procedure `{identity}`", identity, hint or known)
    assert found is not None
    return found


def table(ruleset: Ruleset, identity: str) -> Table:
    """A table by its id. Raises `DiagnosticError`, with the nearest, if there is none."""
    found = ruleset.declarations.tables.get(identity.removeprefix("tables."))
    if found is None:
        hint = did_you_mean(identity, ruleset.declarations.tables)
        known = f"{ruleset.reference} has {', '.join(ruleset.declarations.tables)}"
        _refuse(UNKNOWN_REFERENCE, f"there is no table `{identity}`", identity, hint or known)
    assert found is not None
    return found


def rolled(ruleset: Ruleset, text: str) -> tuple[Roll, Table | None]:
    """What `text` rolls: a roll table of the ruleset, or dice worked out from its figures (`1dP`, `towns.large.roll`).

    Raises `DiagnosticError` for anything else.
    """
    found = ruleset.declarations.tables.get(text.removeprefix("tables."))
    if found is not None and found.roll is not None:
        return found.roll, found
    diagnostics = Diagnostics()
    _, value = constant(argument(text), ruleset.declarations, diagnostics, expected=DICE)
    diagnostics.raise_if_errors()
    return (Constant(value) if isinstance(value, int) else value), None


def node(ruleset: Ruleset, identity: str) -> tuple[Path, Node]:
    """The resolved node of an id such as `tables.guests.rows.late`, `guests`, or `procedures.visit.check`.

    The section may be left out where only one has the id; a step is reached through its procedure.
    Raises `DiagnosticError`, with the nearest ids, if there is none.
    """
    parts = identity.split(".")
    rules = ruleset.resolved.rules
    sections = {name: dict(entries(entry.value)) for name, entry in rules.entries.items()}
    if parts[0] not in sections:
        owners = [name for name, found in sections.items() if parts[0] in found]
        if len(owners) != 1:
            known = [f"{section}.{name}" for section, found in sections.items() for name in found]
            hint = did_you_mean(identity, [*known, *(name for found in sections.values() for name in found)])
            several = f"`{identity}` is in {' and in '.join(owners)}" if owners else f"there is no `{identity}`"
            _refuse(UNKNOWN_REFERENCE, several, identity, f"name it `{owners[0]}.{identity}`" if owners else hint)
        parts = [owners[0], *parts]
    found: Node = rules
    path: Path = ()
    for part in parts:
        inner, steps = _child(found, part)
        if inner is None:
            hint = did_you_mean(part, _names(found))
            _refuse(UNKNOWN_REFERENCE, f"`{'.'.join(path)}` has no `{part}`", identity, hint)
        assert inner is not None
        path = (*path, *steps, part)
        found = inner
    return path, found


def _child(found: Node, part: str) -> tuple[Node | None, Path]:
    if isinstance(found, Mapping) and part in found:
        return found.get(part), ()
    for key in ("rows", "fields", "derived", "sections"):
        inner = found.get(key) if isinstance(found, Mapping) else None
        if isinstance(inner, Mapping) and part in inner:
            return inner.get(part), (key,)
    steps = found.get("steps") if isinstance(found, Mapping) else found
    way: Path = ("steps",) if isinstance(found, Mapping) else ()
    for own, step in located(steps, way) if isinstance(steps, Sequence) else ():
        if own[-1] == part:
            return step, own[:-1]
    return None, ()


def _names(found: Node) -> list[str]:
    if isinstance(found, Mapping):
        names = list(found.entries)
        for key in ("rows", "fields", "derived", "sections"):
            inner = found.get(key)
            names += list(inner.entries) if isinstance(inner, Mapping) else []
        steps = found.get("steps")
    else:
        names, steps = [], found
    for step in walk(steps) if isinstance(steps, Sequence) else ():
        named = step.get("id")
        names.append(named.text if isinstance(named, Scalar) else "")
    return names


def _refuse(code: Code, message: str, written: str, hint: str | None) -> None:
    diagnostics = Diagnostics()
    diagnostics.add(code, message, argument(written).span, suggestion=hint)
    raise DiagnosticError(diagnostics)
