"""Which rules play asks for, and which only bots and simulations do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.language.expression.typed import Typed
from rulewright.ruleset.queries.names_read import named, of_procedure, of_section
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.section import sections


class Readers:
    """Who reads the rules of a ruleset, whether by themselves or by a formula that they work out."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._procedures = [self._reached(of_procedure(each)) for each in ruleset.procedures.values()]
        formulas = ruleset.declarations.formulas
        # What a thing is worth, and what stands in a cell, is there for whoever looks.
        standing = [body.body for name, body in formulas.items() if "." in name]
        played = self._reached([*standing, *ruleset.declarations.figures]).union(*self._procedures)
        judged: list[Typed] = []
        for key, section in sections().items():
            if section.gameplay:
                played |= self._reached(of_section(key, ruleset))
            else:
                judged += of_section(key, ruleset)
        if ruleset.evaluate is not None:
            judged.append(formulas[ruleset.evaluate].body)
        self.only_bots = frozenset((self._reached(judged) | {f"formulas.{ruleset.evaluate}"}) - played)
        """The paths of what bots judge by or simulations measure, and no rule of play asks for."""

    def count(self, path: str) -> int:
        """How many procedures read a rule."""
        return sum(path in reached for reached in self._procedures)

    def _reached(self, found: Iterable[Typed]) -> set[str]:
        reached: set[str] = set()
        waiting = list(found)
        while waiting:
            new = set(named(waiting, self._ruleset)) - reached
            reached |= new
            waiting = list(self._bodies(new))
        return reached

    def _bodies(self, paths: set[str]) -> Iterator[Typed]:
        for path in paths:
            section, _, name = path.partition(".")
            formula = self._ruleset.declarations.formulas.get(name) if section == "formulas" else None
            if formula is not None:
                yield formula.body
