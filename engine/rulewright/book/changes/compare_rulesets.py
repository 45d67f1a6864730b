"""The differences between two rulesets in sentences for players, ordered by importance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rulewright.book.changes.change import PLAYED, SECTIONS, ChangeLine, RuleChange, build_line, build_sentence_line
from rulewright.book.changes.compared_side import RulesetPair, Side, Teller
from rulewright.book.changes.sections import load_tellers
from rulewright.book.changes.sections.numbers import list_changed_numbers, mark_for_bots
from rulewright.book.changes.sections.texts import PLAIN
from rulewright.book.english.grammar import capitalize
from rulewright.book.english.naming import humanize
from rulewright.language.expressions.typed_ast import Typed
from rulewright.ruleset.queries.name_uses import list_procedure_expressions, list_rule_names, list_section_expressions
from rulewright.ruleset.queries.tree_difference import EDITION, Difference, compare_rules
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.section import load_sections
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence


def list_changes(before: Ruleset, after: Ruleset) -> list[RuleChange]:
    """Return the changes from `before` to `after`, in the order of the sections and then by importance.

    Numbers that changed only because another number did are included as well. Rules whose sections report nothing are
    left out.
    """
    pair = RulesetPair(Side(before), Side(after))
    grouped: dict[tuple[str, str], list[Difference]] = {rule: [] for rule in list_changed_numbers(pair)}
    for difference in compare_rules(before, after):
        grouped.setdefault(difference.rule, []).append(difference)
    order = list(SECTIONS)
    readers = before.get_or_make(Readers), after.get_or_make(Readers)
    results = [_change(pair, rule, group, readers) for rule, group in grouped.items()]
    return sorted(
        (change for change in results if change.lines), key=lambda change: (order.index(change.group), -change.weight)
    )


def _change(
    pair: RulesetPair, rule: tuple[str, str], group: list[Difference], readers: tuple[Readers, Readers]
) -> RuleChange:
    """Return the change of a rule, which is its section and id, from its differences.

    The change may have no lines. `group` is empty for a number that changed only because another one did.
    """
    section, identity = rule
    path = f"{section}.{identity}"
    whole = next((d for d in group if len(d.path) == 2 and d.what in ("added", "removed")), None)
    what: str = whole.what if whole is not None else "changed"
    if whole is not None:
        lines = list(find_teller(section).whole(pair.choose_side(what), identity, whole))
    else:
        lines = list(find_teller(section).lines(pair, identity, group))
        lines += _list_rest(pair, group, lines)
        if section == "terms" and lines and all(line.what == "renamed" for line in lines):
            what = "renamed"
    title = pair.choose_side(what).find_title(section, identity) if identity else "Order"
    sides = {"added": readers[1:], "removed": readers[:1]}.get(what, readers)
    bots = section in PLAYED and all(path in side.only_bots for side in sides)
    change_lines = tuple(dict.fromkeys(mark_for_bots(lines) if bots else lines))
    weight = weigh(section, what, change_lines, max(side.count(path) for side in sides))
    return RuleChange(section, identity, title, what, change_lines, bots, weight)


def _list_rest(pair: RulesetPair, group: list[Difference], lines: list[ChangeLine]) -> Iterator[ChangeLine]:
    """Yield lines for differences that no other line covers."""
    covered = [path for line in lines for path in line.covers]
    for difference in group:
        if not any(difference.path[: len(path)] == path for path in covered):
            yield build_fallback_line(pair, difference)


def find_teller(section: str) -> Teller:
    """Return the module that describes the changes of a section, or the plain one."""
    return load_tellers().get(section, PLAIN)


class Readers:
    """The readers of the rules of a ruleset, directly or through formulas."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._procedures = [
            self._find_reachable(list_procedure_expressions(each)) for each in ruleset.procedures.values()
        ]
        formulas = ruleset.declarations.formulas
        # Computed values and cells count, because readers see them.
        standing = [body.body for name, body in formulas.items() if not name.isidentifier()]
        played = self._find_reachable([*standing, *ruleset.declarations.parameters]).union(*self._procedures)
        expressions: list[Typed] = []
        for key, section in load_sections().items():
            if section.gameplay:
                played |= self._find_reachable(list_section_expressions(key, ruleset))
            else:
                expressions += list_section_expressions(key, ruleset)
        if ruleset.evaluate is not None:
            expressions.append(formulas[ruleset.evaluate].body)
        self.only_bots = frozenset((self._find_reachable(expressions) | {f"formulas.{ruleset.evaluate}"}) - played)
        """The paths of the rules that only bots or simulations use."""

    def count(self, path: str) -> int:
        """Return how many procedures read a rule."""
        return sum(path in reached for reached in self._procedures)

    def _find_reachable(self, result: Iterable[Typed]) -> set[str]:
        """Return the paths of the rules that the expressions read, directly or through formulas."""
        reached: set[str] = set()
        waiting = list(result)
        while waiting:
            new = set(list_rule_names(waiting, self._ruleset)) - reached
            reached |= new
            waiting = list(self._bodies(new))
        return reached

    def _bodies(self, paths: set[str]) -> Iterator[Typed]:
        """Yield the expressions of the formulas among `paths`."""
        for path in paths:
            section, _, name = path.partition(".")
            formula = self._ruleset.declarations.formulas.get(name) if section == "formulas" else None
            if formula is not None:
                yield formula.body


_OF_THE_EDITION = 50
"""The weight of manifest settings. Each section has its own weight: procedures weigh more than tables, and tables
more than formulas.
"""

_MOST = 10
"""The maximum number of readers or lines that add weight, so that long rules do not seem more important."""


def weigh(section: str, what: str, lines: tuple[ChangeLine, ...], readers: int) -> int:
    """Return the weight of a change, or 0 if the game plays as before.

    `what` is the fate of the whole rule, such as `added`, and `readers` is how many procedures read the rule.
    """
    played = [line for line in lines if not line.words]
    if not played or (section not in PLAYED and section != EDITION):
        return 0
    changed, whole = load_sections()[section].weight if section != EDITION else (_OF_THE_EDITION, _OF_THE_EDITION)
    own = whole if what in ("added", "removed") else changed
    return own + min(len(played), _MOST) + 2 * min(readers, _MOST)


_SILENT = ("is", "steps", "*")


def build_fallback_line(pair: RulesetPair, difference: Difference) -> ChangeLine:
    """Return a plain line for a difference: its path, its old and its new value, or that an order has changed."""
    parts = [humanize(part) for part in difference.path[2:] if part not in _SILENT]
    label = capitalize(", ".join(parts))
    covers = [difference.path]
    if difference.what == "moved":
        sentence = f"{label}: the order has changed." if label else "The order has changed."
        return build_sentence_line("changed", sentence, covers=covers, words=difference.words)
    before, after = (
        _plain(side, node) for side, node in ((pair.before, difference.before), (pair.after, difference.after))
    )
    return build_line(difference.what, label, before, after, covers=covers, words=difference.words)


def _plain(side: Side, node: Node | None) -> str:
    """Return a node as text on one line: words filled in, and ids made readable.

    An empty list is `nothing`. The result is "" for an empty mapping and for None.
    """
    match node:
        case Scalar(text=text):
            return side.render_words(text) if "{" in text or " " in text.strip() else humanize(text.strip())
        case Sequence(items=items):
            return ", ".join(_plain(side, item) for item in items) or "nothing"
        case Mapping(entries=entries):
            return "; ".join(f"{humanize(key)}: {_plain(side, entry.value)}" for key, entry in entries.items())
    return ""


def select_gameplay(changes: Iterable[RuleChange]) -> list[RuleChange]:
    """Return the changes that affect play. Of a mixed change, only the lines that affect play remain."""
    saved = (replace(change, lines=tuple(line for line in change.lines if not line.words)) for change in changes)
    return [change for change in saved if change.lines]
