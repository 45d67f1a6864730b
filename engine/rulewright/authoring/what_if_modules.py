"""Modules with adjustable parameters for books, which must not import `analysis`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulewright.book.play_page.what_if_data import WhatIfModule
    from rulewright.ruleset.ruleset import Ruleset


def build_book_parameters(ruleset: Ruleset) -> WhatIfModule | None:
    """Return the module in which parameters of the rules can be changed, with its odds queries.

    Runs the examples to find the parameters that each of them reads. None if the ruleset has no adjustable parameters.
    """
    from rulewright.analysis.odds.odds_data import export_odds
    from rulewright.book.play_page.what_if_data import WhatIfModule
    from rulewright.engine.state.faults import Allowance
    from rulewright.export.what_if_parameters import build_parametric_interface, open_parameters
    from rulewright.source.nodes import Mapping
    from rulewright.testing.rule_dependencies import find_expectation_reads, find_reads

    odds = export_odds(ruleset)
    parameters = open_parameters(ruleset, odds.ends)
    if not parameters.figures:
        return None
    keys = {tuple(part for part in each.path.split(".") if part != "rows"): each.path for each in parameters.figures}
    examples = {}
    for example in ruleset.examples.values():
        read = find_reads(ruleset, example, Allowance())
        # The expected values of examples may read numbers as well.
        for entry in example.expect.entries.values() if isinstance(example.expect, Mapping) else ():
            read = find_expectation_reads(ruleset, example, read, entry.span)
        examples[example.id] = [keys[path] for path in read.last if path in keys]
    data = build_parametric_interface(parameters) | {"odds": list(odds.data)}
    return WhatIfModule(parameters.module_info.code, data, {each: read for each, read in examples.items() if read})
