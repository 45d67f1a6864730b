"""What is said where an upper layer names a step that the steps below do not have."""

from __future__ import annotations

from rulewright.ruleset import codes
from rulewright.ruleset.layers.history import Origin, Path
from rulewright.ruleset.layers.log import MergeLog
from rulewright.ruleset.layers.step_tree import identities
from rulewright.source.diagnostics.diagnostic import Related
from rulewright.source.diagnostics.suggest import did_you_mean
from rulewright.source.nodes import Scalar, Sequence


def no_such_step(
    log: MergeLog, steps: Sequence, named: Scalar, path: Path, hint: str | None = None, *, otherwise: str = ""
) -> None:
    """Report that `steps`, which are those at `path`, have none called as `named` says.

    `hint` is what to do about it; without one the nearest are named, and where nothing is near, `otherwise` is said.
    """
    hint = hint or did_you_mean(named.text, identities(steps)) or otherwise
    related = (Related(steps.span, "these are the steps below"),)
    removal = _removal(log, path, named.text)
    if removal is not None:
        related = (Related(removal.span, f"`{removal.layer}` removes it here"),)
        hint = "name a step that is left, or use `replace:` to put another in its place"
    message, where = f"there is no step `{named.text}` below", (*path, named.text)
    log.report(codes.OVERRIDE_OF_NOTHING, message, named, related, hint, path=where)


def _removal(log: MergeLog, path: Path, identity: str) -> Origin | None:
    """What removed the step `identity` from the steps at `path`, or from a block among them."""
    for where, origins in log.history.origins.items():
        if where[: len(path)] == path and where[-1] == identity and origins[-1].operation == "removes":
            return origins[-1]
    return None
