"""The modules with figures that may be others, for books, which stand beside the odds and cannot ask them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulewright.book.table.what_if import Varying
    from rulewright.ruleset.ruleset import Ruleset


def book_figures(ruleset: Ruleset) -> Varying | None:
    """The module of a ruleset in which figures may be others, with the odds it can be asked; None without figures."""
    from rulewright.book.table.what_if import Varying
    from rulewright.odds.exported import exported_odds
    from rulewright.play.examples.reads import of_expectation, reads
    from rulewright.play.export.what_if import interface_with_figures, opened
    from rulewright.play.machine.faults import Allowance
    from rulewright.source.nodes import Mapping

    odds = exported_odds(ruleset)
    made = opened(ruleset, odds.ends)
    if not made.figures:
        return None
    keys = {tuple(part for part in each.path.split(".") if part != "rows"): each.path for each in made.figures}
    examples = {}
    for example in ruleset.examples.values():
        read = reads(ruleset, example, Allowance())
        # What should come of it is worked out from figures, too.
        for entry in example.expect.entries.values() if isinstance(example.expect, Mapping) else ():
            read = of_expectation(ruleset, example, read, entry.span)
        examples[example.id] = [keys[path] for path in read.last if path in keys]
    data = interface_with_figures(made) | {"odds": list(odds.data)}
    return Varying(made.made.code, data, {each: read for each, read in examples.items() if read})
