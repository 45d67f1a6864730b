"""The bot `trained`, which plays like `greedy` but evaluates positions with learned weights (`rulewright train`)."""

from __future__ import annotations

from rulewright.ai.bots.greedy import estimate_cost, inside, make

__all__ = ["CANDIDATES", "HELP", "JUDGES", "estimate_cost", "inside", "make"]

HELP = "looks one decision ahead and evaluates positions with learned weights (see `rulewright train`)"
JUDGES = True
CANDIDATES = ("trained",)
