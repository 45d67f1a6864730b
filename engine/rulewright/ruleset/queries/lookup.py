"""Find an entry of a ruleset by its id, or suggest similar ones."""

from __future__ import annotations

from rulewright.language.checked_steps import Procedure
from rulewright.language.declarations import Table
from rulewright.language.language_diagnostics import UNKNOWN_PROCEDURE
from rulewright.ruleset.elaborate.node_readers import iterate_entries
from rulewright.ruleset.layers.step_tree import iterate_steps, walk
from rulewright.ruleset.layers.value_origins import Path
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.ruleset_diagnostics import UNKNOWN_REFERENCE
from rulewright.ruleset.schema.edition_reference import make_argument_node
from rulewright.ruleset.schema.schema_path import join_alternatives
from rulewright.ruleset.section import list_part_keys
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics
from rulewright.source.diagnostics.diagnostic import Code
from rulewright.source.diagnostics.suggestions import find_nearest, suggest_name
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence

SEVERAL_OF_A_NAME = Code(
    "several-of-a-name",
    "A name with several meanings",
    "Entries of two sections may have the same name, but a lookup must find exactly one.",
    "Name the section too.",
)

MOST_NAMES = 6
"""The maximum number of ids listed when none is similar."""


def find_procedure(ruleset: Ruleset, identity: str) -> Procedure:
    """Return a procedure by its id, with or without `procedures.`.

    Raises `DiagnosticError` if there is none, with similar ids or else all ids as a hint.
    """
    procedure = ruleset.procedures.get(identity.removeprefix("procedures."))
    if procedure is None:
        hint = suggest_name(identity, ruleset.procedures)
        known = f"{ruleset.reference} has {', '.join(ruleset.procedures)}"
        _refuse(UNKNOWN_PROCEDURE, f"there is no procedure `{identity}`", identity, hint or known)
    assert procedure is not None
    return procedure


def find_table(ruleset: Ruleset, identity: str) -> Table:
    """Return a table by its id, with or without `tables.`.

    Raises `DiagnosticError` if there is none, with similar ids or else all ids as a hint.
    """
    table = ruleset.declarations.tables.get(identity.removeprefix("tables."))
    if table is None:
        hint = suggest_name(identity, ruleset.declarations.tables)
        known = f"{ruleset.reference} has {', '.join(ruleset.declarations.tables)}"
        _refuse(UNKNOWN_REFERENCE, f"there is no table `{identity}`", identity, hint or known)
    assert table is not None
    return table


def find_node(ruleset: Ruleset, identity: str) -> tuple[Path, Node]:
    """Return the path and node of an id such as `tables.guests.rows.late`, `guests`, or `procedures.visit.check`.

    The section may be omitted if only one besides `board` has the id, and keys such as `rows` and `steps` may be
    omitted too. An id of a trigger means the trigger, and not the procedure with its steps. The path is always
    complete. Raises `DiagnosticError` with suggestions if nothing or more than one node matches.
    """
    rules = ruleset.resolved.rules
    parts = identity.split(".")
    owners = [section for section, entry in rules.entries.items() if parts[0] in dict(iterate_entries(entry.value))]
    ways = [parts] if parts[0] in rules else [[section, *parts] for section in owners]
    if not ways:
        known = [
            f"{section}.{name}" for section, entry in rules.entries.items() for name, _ in iterate_entries(entry.value)
        ]
        hint = suggest_name(identity, [*known, *(name.partition(".")[2] for name in known)])
        all_there_is = f"`rulewright show {ruleset.reference}` lists everything in the ruleset"
        _refuse(UNKNOWN_REFERENCE, f"there is no `{identity}`", identity, hint or all_there_is)
    ends = [_follow(rules, way) for way in ways]
    results = [(path, there) for path, there, missing in ends if not missing]
    if len(results) == 2 and parts[0] in ruleset.declarations.triggers:
        # A trigger's steps are a procedure with the same id; prefer the trigger.
        results = [(path, there) for path, there in results if path[0] == "whenever"] or results
    if len(results) > 1:
        # Entries of `board:` have the names of kinds, or of the game, and describe only how these look.
        results = [(path, there) for path, there in results if path[0] != "board"]
    if len(results) > 1:
        whole = [way for way, (_, _, missing) in zip(ways, ends, strict=True) if not missing]
        message = f"`{identity}` is {join_alternatives((f'in {way[0]}' for way in whole), word='and')}"
        _refuse(
            SEVERAL_OF_A_NAME, message, identity, "name it " + join_alternatives(f"`{'.'.join(way)}`" for way in whole)
        )
    if not results:
        _refuse(UNKNOWN_REFERENCE, *_nowhere(ways, ends, identity))
    return results[0]


End = tuple[Path, Node, list[str]]
"""The result of following a path: the path and node reached, and the parts that remain."""


def _follow(rules: Mapping, way: list[str]) -> End:
    """Return the complete path to the last node that exists on `way`, the node, and the parts missing after it."""
    result: Node = rules
    path: Path = ()
    for place, part in enumerate(way):
        inner, steps = _child(result, part)
        if inner is None:
            return path, result, way[place:]
        path = (*path, *steps, part)
        result = inner
    return path, result, []


def _nowhere(ways: list[list[str]], ends: list[End], identity: str) -> tuple[str, str, str | None]:
    """Return the message, the `identity` itself and the hint for paths that do not exist.

    `ends` has the last existing node of each of `ways`, and the missing parts after it. The hint has similar ids, or
    else the ids that do exist, or is None. Every suggestion is a valid id.
    """
    messages = []
    near: dict[str, None] = {}
    has: list[str] = []
    for way, (_, there, missing) in zip(ways, ends, strict=True):
        known = ".".join(way[: len(way) - len(missing)])
        messages.append(f"`{known}` has no `{missing[0]}`")
        has += [f"{known}.{name}" for name in _names(there) if name]
        near |= dict.fromkeys(f"{known}.{name}" for name in find_nearest(missing[0], _names(there)))
    hint = f"did you mean {join_alternatives(f'`{name}`' for name in near)}?" if near else None
    if hint is None and has:
        rest = ", …" if len(has) > MOST_NAMES else ""
        hint = f"there is {', '.join(f'`{name}`' for name in has[:MOST_NAMES])}{rest}"
    return " and ".join(messages), identity, hint


def _child(result: Node, part: str) -> tuple[Node | None, Path]:
    """Return the child of a node with a name, and the keys between both that may be omitted, such as `rows`.

    The child is None if there is none. Steps are found at any depth.
    """
    if isinstance(result, Mapping) and part in result:
        return result.get(part), ()
    for key in list_part_keys():
        inner = result.get(key) if isinstance(result, Mapping) else None
        if isinstance(inner, Mapping) and part in inner:
            return inner.get(part), (key,)
    steps = result.get("steps") if isinstance(result, Mapping) else result
    way: Path = ("steps",) if isinstance(result, Mapping) else ()
    for own, step in iterate_steps(steps, way) if isinstance(steps, Sequence) else ():
        if own[-1] == part:
            return step, own[:-1]
    return None, ()


def _names(result: Node) -> list[str]:
    """Return the names of the children that `_child` finds. A step without an id has an empty name."""
    if isinstance(result, Mapping):
        names = list(result.entries)
        for key in list_part_keys():
            inner = result.get(key)
            names += list(inner.entries) if isinstance(inner, Mapping) else []
        steps = result.get("steps")
    else:
        names, steps = [], result
    for step in walk(steps) if isinstance(steps, Sequence) else ():
        named = step.get("id")
        names.append(named.text if isinstance(named, Scalar) else "")
    return names


def _refuse(code: Code, message: str, written: str, hint: str | None) -> None:
    diagnostics = Diagnostics()
    diagnostics.add(code, message, make_argument_node(written).span, suggestion=hint)
    raise DiagnosticError(diagnostics)
