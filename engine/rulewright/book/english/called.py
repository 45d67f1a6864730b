"""What sentences call the values that are named while a procedure runs or a formula is worked out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rulewright.language.declarations import Formula
from rulewright.language.lowering import offers_of, questions
from rulewright.language.step import Procedure


@dataclass(frozen=True, slots=True)
class Called:
    """The rules' own words for names (`words`), and what is known of the steps that bind them.

    `clauses` say that what a name notes is so (`holds`), and that it is not (`fails`).
    `labels` are the words for what was chosen, by the slot of the choice; `chosen` are the slots of choices.
    """

    words: Mapping[str, str] = field(default_factory=dict)
    clauses: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    labels: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    chosen: frozenset[int] = frozenset()

    @classmethod
    def in_procedure(cls, procedure: Procedure) -> Called:
        """The names of one procedure."""
        labels = {
            step.slot: {offer.id: offer.label for offer in offers_of(ask) if offer.label}
            for step in procedure.steps()
            for ask in questions(step)
            if step.slot is not None
        }
        return cls(procedure.called, procedure.clauses, labels, frozenset(labels))

    @classmethod
    def in_formula(cls, formula: Formula) -> Called:
        """The parameters of one formula."""
        return cls(formula.called)


NOBODY = Called()
"""Where no name has words of its own."""
