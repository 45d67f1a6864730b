"""Resolve the paths of rules that texts explain and pages show, such as `procedures.battle` or a part of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.ruleset.elaborate.node_readers import iterate_entries, list_items
from rulewright.ruleset.layers.step_tree import find, list_ids, walk
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.section import find_part, find_rule, load_sections
from rulewright.source.nodes import Entry, Mapping, Node, Scalar, Sequence


def find_rule_entry(path: str, ruleset: Ruleset) -> Entry | None:
    """Return the merged entry at a path such as `procedures.battle`, or None if there is none."""
    section, _, identity = path.partition(".")
    result = ruleset.resolved.rules.get(section)
    return result.entries.get(identity) if isinstance(result, Mapping) else None


def is_there(path: str, ruleset: Ruleset) -> bool:
    """Return whether a path leads to an entry of the rules, a part of one, or a cell of a table."""
    entry = find_rule_entry(find_rule(path), ruleset)
    if entry is None:
        return False
    section, part = path.partition(".")[0], find_part(path)
    if not part:
        return True
    parts = list_parts(section, entry.value)
    if len(part) == 1:
        return part[0] in parts
    # The only paths deeper than a part are those of table cells.
    columns = [name for name, _ in iterate_entries(_get(entry.value, "columns"))]
    rows = [name for name, _ in iterate_entries(_get(entry.value, "rows"))]
    return section == "tables" and len(part) == 2 and part[0] in rows and part[1] in (*columns, "on")


def list_parts(section: str, rule: Node) -> list[str]:
    """Return the names of an entry's parts, such as steps, rows, columns, fields and choices, and of its settings.

    Empty if the section is unknown or its entries have no parts.
    """
    declared = load_sections().get(section)
    lines: list[str] = []
    for key in declared.parts if declared is not None else ():
        value = _get(rule, key)
        lines += list_ids(value) if isinstance(value, Sequence) else [name for name, _ in iterate_entries(value)]
    return [*lines, *(declared.settings if declared is not None else ())]


def step_of(rule: Node, identity: str) -> Mapping | None:
    """Return the step of a procedure with that id, at any depth, or None if there is none."""
    steps = _get(rule, "steps")
    return find(steps, identity) if isinstance(steps, Sequence) else None


def find_steps_in(step: Mapping) -> set[str]:
    """Return the ids of a step and of all steps in it."""
    return set(list_ids(Sequence((step,), step.span))) if walk(Sequence((step,), step.span)) else set()


def list_rule_paths(ruleset: Ruleset) -> list[str]:
    """Return the paths of all entries."""
    sections = ruleset.resolved.rules.entries.items()
    return [
        f"{name}.{key}" for name, entry in sections if isinstance(entry.value, Mapping) for key in entry.value.entries
    ]


class InternalRules:
    """The entries with `internal: true`, which the book leaves out.

    `paths` are their paths in the order of the rules, and `untold` those that no section explains, so that readers know
    nothing about them. A trigger counts as the procedure that it becomes.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.paths = tuple(_list_internal(ruleset))
        explained = {find_rule(item.text) for item in list_rules_on_pages(ruleset, "explains")} if self.paths else set()
        self.untold = frozenset(self.paths) - explained

    @property
    def content(self) -> object:
        """The paths."""
        return self.paths, sorted(self.untold)


def _list_internal(ruleset: Ruleset) -> Iterator[str]:
    for path in list_rule_paths(ruleset):
        entry = find_rule_entry(path, ruleset)
        internal = _get(entry.value, "internal") if entry is not None else None
        if isinstance(internal, Scalar) and internal.value is True:
            section, _, identity = path.partition(".")
            yield f"procedures.{identity}" if section == "whenever" else path


def list_internal_rules(ruleset: Ruleset) -> tuple[str, ...]:
    """Return the paths of the entries that the book leaves out. See `InternalRules`."""
    return ruleset.get_or_make(InternalRules).paths


def list_public_triggers(triggers: Iterable[str], ruleset: Ruleset) -> list[str]:
    """Return the triggers that the book does not leave out."""
    internal = list_internal_rules(ruleset)
    return [each for each in triggers if f"procedures.{each}" not in internal]


def suggest_paths(path: str, ruleset: Ruleset) -> list[str]:
    """Return candidates for an unknown path: all parts of its entry if that exists, or else all entries.

    They are not ranked.
    """
    rule = find_rule(path)
    entry = find_rule_entry(rule, ruleset)
    if entry is None:
        return list_rule_paths(ruleset)
    return [f"{rule}.{name}" for name in list_parts(path.partition(".")[0], entry.value)]


def list_special_cases(procedure: str, ruleset: Ruleset) -> list[tuple[str, Mapping]]:
    """Return the exceptions to steps of a procedure in order, each as the id of the step and its node.

    Empty if there are none.
    """
    special_cases = []
    for _, entry in iterate_entries(ruleset.resolved.rules.get("exceptions")):
        to = entry.value.get("to") if isinstance(entry.value, Mapping) else None
        if isinstance(to, Scalar) and to.text.rpartition(".")[0] == procedure:
            assert isinstance(entry.value, Mapping)
            special_cases.append((to.text.rpartition(".")[2], entry.value))
    return special_cases


def _get(rule: Node, key: str) -> Node | None:
    return rule.get(key) if isinstance(rule, Mapping) else None


def list_rules_on_pages(ruleset: Ruleset, *keys: str) -> Iterator[Scalar]:
    """Yield every path that a section explains or shows, as written. Paths may repeat, and may lead to nothing.

    With `keys`, yield only the paths under these keys of sections.
    """
    for _, page in iterate_entries(ruleset.resolved.rules.get("pages")):
        for _, section in iterate_entries(_of(page.value, "sections")):
            for key in keys or ("explains", "show"):
                for item in list_items(_of(section.value, key)):
                    if isinstance(item, Scalar):
                        yield item


def list_displayed_rules(ruleset: Ruleset) -> set[str]:
    """Return the paths of all entries that the pages explain or show, in whole or in part."""
    return {find_rule(item.text) for item in list_rules_on_pages(ruleset)}


def _of(node: Node, key: str) -> Node | None:
    from rulewright.source.nodes import Mapping

    return node.get(key) if isinstance(node, Mapping) else None
