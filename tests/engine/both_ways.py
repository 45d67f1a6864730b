"""The same games as WebAssembly and as Python, counted: what they must have in common."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rulewright.analysis.simulation import shard as shards
from rulewright.analysis.simulation.shard import Shard, ShardResult
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import DiagnosticError

ANYBODY = ("random", "random")


def played(
    ruleset: Ruleset,
    *,
    rows: bool,
    policies: Sequence[str] = ANYBODY,
    options: Sequence[tuple[str, str]] = (),
    numbers: range = range(3, 11),
    coverage: bool = False,
) -> ShardResult | str:
    """Return some games, or the fault that ended them."""
    games = ("any seed", numbers.start, numbers.stop)
    shard = Shard(
        *(ruleset.reference, ruleset.digest_of_counts, (), tuple(policies), tuple(options), *games),
        rows=rows,
        coverage=coverage,
    )
    try:
        return shards.play_games(ruleset, shard)
    except DiagnosticError as fault:
        return "; ".join(f"{each.code} {each.message}" for each in fault.diagnostics)


def same_as_python(
    ruleset: Ruleset,
    monkeypatch: pytest.MonkeyPatch,
    *,
    policies: Sequence[str] = ANYBODY,
    options: Sequence[tuple[str, str]] = (),
    numbers: range = range(3, 11),
) -> str:
    """Return whether games end in a fault, which is then told alike.

    Else they are counted alike, together and one by one.
    """
    texts = []
    for rows in (False, True):
        inside = played(ruleset, rows=rows, policies=policies, options=options, numbers=numbers)
        with monkeypatch.context() as without:
            without.setattr(shards, "is_available", lambda: False)
            outside = played(ruleset, rows=rows, policies=policies, options=options, numbers=numbers)
        if isinstance(inside, str) or isinstance(outside, str):
            assert inside == outside
            texts.append("fault")
        else:
            assert inside.counts.to_plain() == outside.counts.to_plain()
            assert inside.rows == outside.rows
            texts.append("counts")
    return texts[0]
