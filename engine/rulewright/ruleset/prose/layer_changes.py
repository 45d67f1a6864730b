"""Changes that upper layers made to the rules of a text since it was signed in a lower layer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulewright.ruleset.layers.value_origins import Origin, Path
from rulewright.ruleset.prose.explained_rules import find_rule_entry, find_steps_in, list_parts, step_of
from rulewright.ruleset.prose.text_signature import collect_facts
from rulewright.ruleset.schema.edition_reference import parse_reference
from rulewright.ruleset.section import find_part, find_rule, load_sections
from rulewright.ruleset.sections.pages import Section
from rulewright.source.nodes import Mapping, Node, Scalar

if TYPE_CHECKING:
    from rulewright.ruleset.ruleset import Ruleset

_DONE = {"adds": "added", "replaces": "replaced", "moves": "moved", "removes": "taken out"}


@dataclass(frozen=True, slots=True)
class LayerChange:
    """A change of an entry or of a part, such as `procedures.battle.rounds`; `how` describes it.

    `is_removed` is whether it no longer exists.
    """

    path: str
    how: str
    is_removed: bool = False


def find_layer_changes(section: Section, ruleset: Ruleset) -> list[LayerChange]:
    """Return the changes that layers above the signature made to the rules that a text explains or lists.

    If the edition or its overlays made any, changes inherited from the extended edition are left out. Changes in the
    layer of the signature itself are not known. Of several changes of the same rule or part, the last is returned.
    Empty if there are none or the text is not signed.
    """
    if section.reviewed is None:
        return []
    order = [layer.name for layer in ruleset.resolved.layers]
    above = order[order.index(ruleset.resolved.find_layer(section.reviewed.span)) + 1 :]
    inherited = order[: _find_extended(ruleset) + 1]
    explained = (*(path.text for path in section.explains), *collect_facts(section, ruleset).lists)
    for layers in ([name for name in above if name not in inherited], above):
        results = {
            each.path: each
            for path, origin in _changes(layers, ruleset)
            for each in _describe(path, origin, ruleset)
            if any(_is_about(one, path, each, ruleset) for one in explained)
        }
        if results:
            return list(results.values())
    return []


def _find_extended(ruleset: Ruleset) -> int:
    """Return the index of the layer that the top layer extends, or -1 if it extends none.

    Raises `DiagnosticError` if the reference is invalid.
    """
    layers = ruleset.resolved.layers
    extends = layers[-1].manifest.get("extends")
    if not isinstance(extends, Scalar):
        return -1
    below = parse_reference(extends)
    return max((place for place, layer in enumerate(layers[:-1]) if below.matches(layer.name)), default=-1)


def _changes(above: Iterable[str], ruleset: Ruleset) -> Iterator[tuple[Path, Origin]]:
    """Yield the changes that these layers made to gameplay and to what illustrates it, each with its path.

    Changes to texts are left out.
    """
    for path, origins in ruleset.resolved.history.origins.items():
        section = load_sections().get(path[0])
        member = section.entry.members.get(path[2]) if section is not None and len(path) > 2 else None
        is_shown_section = section is not None and (section.gameplay or section.illustrates)
        if section is None or not is_shown_section or (member is not None and member.shape.cosmetic):
            continue
        yield from ((path, origin) for origin in origins if origin.layer in above)


def _describe(path: Path, origin: Origin, ruleset: Ruleset) -> Iterator[LayerChange]:
    """Yield the changes of entries or parts that an origin means.

    An exception means a change of its step, a trigger one of its procedure and each place where it applies, and a
    whole section one of each entry. An entry that no longer exists is `gone`.
    """
    how = f"{_DONE.get(origin.operation, 'changed')} by {origin.layer}"
    if len(path) == 1:
        for key in _entries(ruleset.resolved.rules.get(path[0])):
            yield from _describe((*path, key), origin, ruleset)
        return
    if path[0] == "exceptions":
        for to in dict.fromkeys(_exception_to(path[1], ruleset)):
            yield LayerChange(f"procedures.{to}", f"special case {how}")
        return
    if path[0] == "whenever":
        for where in _applies_at(path[1], ruleset):
            yield LayerChange(f"procedures.{where}", f"`whenever.{path[1]}` {how}")
        return
    rule = ".".join(path[:2])
    entry = find_rule_entry(rule, ruleset)
    if entry is None:
        yield LayerChange(rule, how, is_removed=True)
        return
    parts = list_parts(path[0], entry.value)
    place = max((place for place, key in enumerate(path) if place > 2 and key in parts), default=0)
    if len(path) > 3 and origin.operation == "removes" and path[-1] not in parts and _holds_parts(path[:-1]):
        yield LayerChange(f"{rule}.{path[-1]}", how, is_removed=True)
    elif place:
        whole = place == len(path) - 1
        yield LayerChange(f"{rule}.{path[place]}", how if whole else f"changed by {origin.layer}")
    else:
        yield LayerChange(rule, how if len(path) == 2 else f"changed by {origin.layer}")


def _holds_parts(path: Path) -> bool:
    """Return whether the children at a path are named parts, such as steps or rows."""
    known = load_sections()[path[0]].parts
    return path[-1] in known or path[0] == "procedures"


def _exception_to(identity: str, ruleset: Ruleset) -> Iterator[str]:
    """Yield the step that an exception is for, from the merged rules or from the last layer that had it.

    Yields nothing if no layer says so.
    """
    value = [ruleset.resolved.rules, *(file for layer in reversed(ruleset.resolved.layers) for file in layer.files)]
    for rules in value:
        case = _entries(rules.get("exceptions")).get(identity)
        to = case.get("to") if isinstance(case, Mapping) else None
        if isinstance(to, Scalar):
            yield to.text
            return


def _applies_at(identity: str, ruleset: Ruleset) -> Iterator[str]:
    """Yield the procedure of a trigger, and all procedures and steps where it applies.

    They are given as paths without their section. A procedure comes before its steps.
    """
    yield identity
    for procedure in ruleset.procedures.values():
        if identity in procedure.touched:
            yield procedure.id
        yield from (step.rule for step in procedure.iterate_steps() if identity in step.touched)


def _is_about(explained: str, path: Path, change: LayerChange, ruleset: Ruleset) -> bool:
    """Return whether a change at `path` affects the rule or part that a text explains.

    `change` is the change as described for the reader. A change of the whole entry affects every part, and a change of
    a part the whole entry.
    """
    rule, part = find_rule(explained), find_part(explained)
    if find_rule(change.path) != rule:
        return False
    if not part or not find_part(change.path) or part[0] in path[2:]:
        return True
    entry = find_rule_entry(rule, ruleset)
    if entry is None:
        return True
    if path[:1] == ("tables",):
        # A change of a whole row affects every column.
        return len(path) == 4 and part[0] in _entries(_entries(entry.value).get("columns"))
    step = step_of(entry.value, part[0])
    return step is not None and find_part(change.path)[0] in find_steps_in(step)


def _entries(node: Node | None) -> dict[str, Node]:
    return {key: entry.value for key, entry in node.entries.items()} if isinstance(node, Mapping) else {}
