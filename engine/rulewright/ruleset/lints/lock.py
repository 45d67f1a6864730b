"""Check that the gameplay of a released edition has not changed."""

from __future__ import annotations

from rulewright.ruleset.elaborate.node_readers import read_text
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Code

NOT_LOCKED = Code(
    "not-locked",
    "A released edition without a lock",
    "Players, saved games and simulations rely on a released edition staying the same.",
    "Lock it with `rulewright release`.",
)
LOCK_BROKEN = Code(
    "lock-broken",
    "A released edition whose gameplay has changed",
    "Saved games and simulation results of this version would no longer match its rules.",
    "Give the changed rules a new version, or undo the change.",
)


def lint(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report a released edition that is not locked, or whose gameplay digest differs from its lock.

    Drafts are not checked.
    """
    if ruleset.status != "released":
        return
    manifest = ruleset.resolved.manifest
    name = ruleset.reference
    locked = manifest.get("locked")
    if locked is None:
        span = manifest.entries["status"].value.span
        message = f"{name} is released, but not locked"
        diagnostics.add(NOT_LOCKED, message, span, suggestion=f"run `rulewright release {name}`")
    elif read_text(locked) != ruleset.digest:
        message = f"{name} was released and locked, but its rules now play differently"
        hint = (
            "copy the folder, raise `version:` in the copy and release it; or, to see what changed, "
            "compare the rules with the released version: `rulewright diff`. A lock is never updated silently"
        )
        diagnostics.add(LOCK_BROKEN, message, locked.span, suggestion=hint)
