"""Other figures in a ruleset: a layer written nowhere, laid over it as house rules are. Sweeps lay several."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from rulewright.ruleset.layers.layer import Layer
from rulewright.ruleset.pipeline import ruleset_of_layers
from rulewright.ruleset.reference import argument
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.validate import validate
from rulewright.source.diagnostics.collected import DiagnosticError, Diagnostics
from rulewright.source.diagnostics.diagnostic import Code, Diagnostic
from rulewright.source.diagnostics.suggest import did_you_mean
from rulewright.source.nodes import Mapping, Node, Scalar
from rulewright.source.nodes import Sequence as SequenceNode
from rulewright.source.yaml.reader import read_text

Value: TypeAlias = tuple[str, str]
"""A path in the rules and what is to stand there, as it is written: `("numbers.goal", "50")`."""

UNKNOWN_PATH = Code(
    "unknown-path",
    "A path at which the rules have nothing",
    "A figure can be varied only where there is one: elsewhere, nothing would change.",
    "Name a figure as the rules nest it: `numbers.<number>` or `tables.<table>.rows.<row>.<column>`.",
)
IDLE_VALUE = Code(
    "idle-value",
    "A value that changes nothing that is played",
    "Games with other words, or with the same figure written otherwise, are the same games.",
    "Vary a figure, a die, or a formula: whatever belongs to the play.",
)
_FIRST = "is"
"""The key of the value where a number or measure is written in full."""


def with_values(ruleset: Ruleset, values: Sequence[Value]) -> Ruleset:
    """`ruleset` with other figures in it. What says the same already is left alone.

    Raises `DiagnosticError` for a path at which there is nothing, for values that change nothing that is played, and
    for whatever house rules with these figures would be refused for.
    """
    values = [value for value in values if not stands(ruleset, value)]
    if not values:
        return ruleset
    made = laid_over(ruleset, _written(ruleset, values))
    if made.digest == ruleset.digest:
        path, text = values[0]
        raise DiagnosticError([Diagnostic(IDLE_VALUE, f"`{text}` for `{path}` changes no game", argument(path).span)])
    return made


def laid_over(ruleset: Ruleset, text: str) -> Ruleset:
    """`ruleset` with the text of a rules file over it, as a layer of house rules would lie.

    Raises `DiagnosticError` for whatever such house rules would be refused for.
    """
    found = Diagnostics()
    node = read_text(text, "<values>")
    top = ruleset.resolved.layers[-1].manifest
    manifest = replace(top, entries={key: entry for key, entry in top.entries.items() if key != "locked"})
    validate(node, "rules", found, overlay=True)
    found.raise_if_errors()
    assert isinstance(node, Mapping)
    layer = Layer(f"{ruleset.reference}+", Path("<values>"), manifest, (node,))
    stage = ruleset_of_layers([*ruleset.resolved.layers, layer])
    Diagnostics(stage.found).raise_if_errors()
    made = stage.made
    assert made is not None
    return made


def stands(ruleset: Ruleset, value: Value) -> bool:
    """Whether the rules say so already. Raises `DiagnosticError` for a path at which there is nothing."""
    node = at(ruleset, value[0])
    inner = node.get(_FIRST) if isinstance(node, Mapping) else node
    return isinstance(inner, Scalar) and inner.text.strip() == value[1].strip()


def at(ruleset: Ruleset, path: str) -> Node:
    """What the rules have at a path. Raises `DiagnosticError` where that is nothing."""
    node: Node = ruleset.resolved.rules
    offset = 0
    for part in path.split("."):
        inner = dict(_members(node))
        if part not in inner:
            where = f"`{path[: offset - 1]}` has" if offset else "the rules have"
            hint = did_you_mean(part, inner) if part else None
            span = argument(path).position(offset, max(1, len(part)))
            raise DiagnosticError([Diagnostic(UNKNOWN_PATH, f"{where} no `{part}`", span, suggestion=hint)])
        node = inner[part]
        offset += len(part) + 1
    return node


def _members(node: Node) -> Iterator[tuple[str, Node]]:
    """What can be named in a node: the keys of a mapping, the ids of steps."""
    if isinstance(node, Mapping):
        yield from ((key, entry.value) for key, entry in node.entries.items())
    elif isinstance(node, SequenceNode):
        for item in node.items:
            identity = item.get("id") if isinstance(item, Mapping) else None
            if isinstance(identity, Scalar):
                yield identity.text, item


def _written(ruleset: Ruleset, values: Sequence[Value]) -> str:
    """The rules file that puts the values in their places: in flow style, each as it was typed."""
    tree: dict[str, Any] = {}
    for path, text in values:
        inner = tree
        parts = path.split(".")
        if isinstance(at(ruleset, path), Mapping) and _FIRST in dict(_members(at(ruleset, path))):
            parts.append(_FIRST)
        for part in parts[:-1]:
            inner = inner.setdefault(part, {})
        inner[parts[-1]] = typed = _typed(text)
        around = path.rpartition(".")[0]
        if around and isinstance(at(ruleset, around), SequenceNode) and not isinstance(typed, dict):
            message = f"`{path}` is no figure, but a step that has some"
            raise DiagnosticError([Diagnostic(UNKNOWN_PATH, message, argument(path).span)])
    laid = _overlaid(tree, ruleset.resolved.rules)
    return yaml.safe_dump(laid, default_flow_style=None, sort_keys=False, allow_unicode=True, width=1000)


def _overlaid(tree: Any, below: Node | None) -> Any:
    """The values in `tree`, as an overlay has them: where the rules `below` have a list, each goes by its id."""
    if not isinstance(tree, dict):
        return tree
    inside = {} if below is None else dict(_members(below))
    made = {name: _overlaid(inner, inside.get(name)) for name, inner in tree.items()}
    return [{"id": name, **inner} for name, inner in made.items()] if isinstance(below, SequenceNode) else made


def _typed(text: str) -> Any:
    """A value as YAML reads it, so that what is written says the same again."""
    node = read_text(f"value: {text}\n", "<value>")
    inner = node.get("value") if isinstance(node, Mapping) else None
    return inner.plain() if inner is not None else text


MOST_VALUES = 1_000
"""Combinations of values that one sweep may have."""

BAD_SWEEP = Code(
    "bad-sweep",
    "A sweep that cannot be read",
    "A sweep names a figure in the rules, and the values it is to have.",
    "Write `numbers.<number>=50,100,150`, or `=50..150 step 25`. "
    "Figures that only change together are written `a&b=1&6,2&5`.",
)
_RANGE = re.compile(r"\s*(-?\d{1,9})\s*\.\.\s*(-?\d{1,9})(?:\s+step\s+(\d{1,9}))?\s*")
_OUTSIDE_BRACKETS = r"{}(?![^\[({{]*[\])}}])"


@dataclass(frozen=True, slots=True)
class Sweep:
    """Figures that change together, and the values they take: for each turn, one of each."""

    paths: tuple[str, ...]
    turns: tuple[tuple[str, ...], ...]


def parse_sweep(text: str) -> Sweep:
    """The sweep written in `text`. Raises `DiagnosticError` with the code `bad-sweep`.

    >>> parse_sweep("numbers.goal=50..60 step 5").turns
    (('50',), ('55',), ('60',))
    """
    key, equals, values = text.partition("=")
    paths = tuple(part.strip() for part in key.split("&"))
    if not equals or not all(paths):
        _refuse(text, 0, len(key) or 1, "this names no figure" if equals else "this says no values")
    whole = _RANGE.fullmatch(values)
    if whole is not None and len(paths) == 1:
        first, last, step = int(whole[1]), int(whole[2]), int(whole[3] or 1)
        if first > last or step == 0 or (last - first) // step >= MOST_VALUES:
            _refuse(text, len(key) + 1, len(values), f"`{values.strip()}` is no range of 1 to {MOST_VALUES:,} values")
        return Sweep(paths, tuple((str(value),) for value in range(first, last + 1, step)))
    turns: list[tuple[str, ...]] = []
    for value in _split(values, ","):
        parts = tuple(part.strip() for part in _split(value, "&"))
        if len(parts) != len(paths) or not all(parts):
            wanted = "a value" if len(paths) == 1 else f"{len(paths)} values, with `&` between them"
            _refuse(text, len(key) + 1, len(values) or 1, f"`{value.strip()}` is not {wanted}")
        if parts in turns:
            _refuse(text, len(key) + 1, len(values), f"`{value.strip()}` is written twice")
        turns.append(parts)
    return Sweep(paths, tuple(turns))


def combinations(sweeps: Sequence[Sweep]) -> list[tuple[Value, ...]]:
    """Every combination of the turns of all sweeps. Raises `DiagnosticError` where they are too many, or meet."""
    paths = [path for sweep in sweeps for path in sweep.paths]
    twice = next((path for path in paths if paths.count(path) > 1), None)
    if twice is not None:
        _refuse(twice, 0, len(twice), f"`{twice}` is varied twice")
    found: list[tuple[Value, ...]] = []
    for chosen in product(*(sweep.turns for sweep in sweeps)):
        pairs = zip(sweeps, chosen, strict=True)
        found.append(tuple(pair for sweep, turn in pairs for pair in zip(sweep.paths, turn, strict=True)))
        if len(found) > MOST_VALUES:
            _refuse("&".join(paths), 0, 1, f"these are more than {MOST_VALUES:,} combinations")
    return found


def _split(text: str, sign: str) -> list[str]:
    return re.split(_OUTSIDE_BRACKETS.format(sign), text)


def _refuse(text: str, offset: int, length: int, message: str) -> None:
    raise DiagnosticError([Diagnostic(BAD_SWEEP, message, argument(text).position(offset, length))])
