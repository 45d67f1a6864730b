"""What the rulebook shows of a ruleset: the ids that pages, sections and rulings name."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.ruleset.elaborate.read import entries, items
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.section import rule_of
from rulewright.source.nodes import Node, Scalar


def named_by_pages(ruleset: Ruleset) -> Iterator[Scalar]:
    """Every rule that a section explains or shows, where it says so."""
    for _, page in entries(ruleset.resolved.rules.get("pages")):
        for _, section in entries(_of(page.value, "sections")):
            for key in ("explains", "show"):
                for item in items(_of(section.value, key)):
                    if isinstance(item, Scalar):
                        yield item


def shown(ruleset: Ruleset) -> set[str]:
    """The ids of everything that the rulebook's pages explain or show."""
    return {rule_of(item.text) for item in named_by_pages(ruleset)}


def _of(node: Node, key: str) -> Node | None:
    from rulewright.source.nodes import Mapping

    return node.get(key) if isinstance(node, Mapping) else None
