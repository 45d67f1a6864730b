"""Dice of the game's own, and the faces that rows of a roll table stand for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulewright.dice.tree import Die
from rulewright.language.declarations import Declarations
from rulewright.ruleset import codes
from rulewright.ruleset.elaborate.read import entries, items
from rulewright.source.diagnostics.collected import Diagnostics
from rulewright.source.nodes import Mapping, Node, Scalar

MOST_FACES = 1_000

_DIE = re.compile(r"\s*(-?\d+)\s*\.\.\s*(-?\d+)(?:\s+step\s+(\d+))?\s*")
_RANGE = re.compile(r"\s*(-?\d+)\s*(?:(?:-|–|\.\.)\s*(-?\d+))?\s*")


def declare_dice(rules: Mapping, declarations: Declarations, diagnostics: Diagnostics) -> None:
    """Declare every die."""
    for name, entry in entries(rules.get("dice")):
        node = entry.value
        assert isinstance(node, Mapping)
        faces = _die_faces(node.get("faces"), diagnostics)
        if not re.fullmatch(r"d[A-Z0-9][A-Za-z0-9]*", name):
            message = f"`{name}` is no name for a die"
            diagnostics.add(
                codes.FACES_SYNTAX,
                message,
                entry.key.span,
                suggestion="a die is called d and a capital or number: dP, d3",
            )
        elif faces:
            declarations.dice[name] = Die(faces, name)


def _die_faces(node: Node | None, diagnostics: Diagnostics) -> tuple[int, ...]:
    if isinstance(node, Scalar):
        match = _DIE.fullmatch(node.text)
        if match is None:
            diagnostics.add(codes.FACES_SYNTAX, f"`{node.text}` are no faces", node.span)
            return ()
        first, last, step = (int(part) if part else 1 for part in match.groups())
        if step < 1 or last < first or (last - first) // step >= MOST_FACES:
            message = f"a die has 1 to {MOST_FACES} faces, from the lowest up"
            diagnostics.add(codes.FACES_SYNTAX, message, node.span)
            return ()
        return tuple(range(first, last + 1, step))
    faces = []
    for item in items(node):
        if isinstance(item, Scalar) and type(item.value) is int:
            faces.append(item.value)
        else:
            diagnostics.add(codes.FACES_SYNTAX, "a face is a whole number", item.span)
    return tuple(sorted(faces))


def row_faces(node: Node | None, outcomes: Sequence[int], diagnostics: Diagnostics) -> tuple[int, ...]:
    """The outcomes of a table's roll that `on: …` names; a range takes in every outcome between its ends."""
    found: list[int] = []
    for item in items(node):
        match = _RANGE.fullmatch(item.text) if isinstance(item, Scalar) else None
        if match is None:
            diagnostics.add(codes.FACES_SYNTAX, "faces are written as `10`, `10-70`, or a list of these", item.span)
            continue
        first = int(match.group(1))
        last = int(match.group(2) or first)
        if last < first:
            message = f"{first} to {last} runs backwards"
            diagnostics.add(codes.FACES_SYNTAX, message, item.span, suggestion=f"write `{last}-{first}`")
            continue
        for end in {first, last}:
            if end not in outcomes:
                message = f"the roll never shows {end}; it shows {_listed(outcomes)}"
                diagnostics.add(codes.FACES_IMPOSSIBLE, message, item.span)
        found.extend(face for face in outcomes if first <= face <= last)
    return tuple(found)


def ranges(faces: Sequence[int], outcomes: Sequence[int]) -> list[tuple[int, int]]:
    """Faces as runs of neighbouring outcomes: (first, last) each."""
    places = {outcome: place for place, outcome in enumerate(outcomes)}
    runs: list[tuple[int, int]] = []
    for face in sorted(faces):
        if runs and places[face] == places[runs[-1][1]] + 1:
            runs[-1] = (runs[-1][0], face)
        else:
            runs.append((face, face))
    return runs


def _listed(outcomes: Sequence[int]) -> str:
    if len(outcomes) <= 12:
        return ", ".join(str(outcome) for outcome in outcomes)
    return f"{outcomes[0]} to {outcomes[-1]}"
