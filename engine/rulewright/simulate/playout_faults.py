"""What went wrong in playouts → diagnostics that say what to type to see it again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from os import fspath
from pathlib import Path

from rulewright.ruleset.ruleset import Ruleset
from rulewright.simulate.playouts import Fault, Played, Playout
from rulewright.source.diagnostics.diagnostic import Code, Diagnostic

PLAYOUT_FAULT = Code(
    "playout-fault",
    "A random game that came to a step that cannot be carried out",
    "Players may do whatever they are offered, and whatever they do must lead on.",
    "Guard the step with `when:`, or change what leads to it.",
)
PLAYOUT_ENDLESS = Code(
    "playout-endless",
    "A random game that does not end",
    "A game that can go on for ever is one that nobody can finish, or simulate.",
    "Let the rules end it, or pin an option that does so in the manifest: `simulations: {option: choice}`.",
)
PLAYOUT_FAILED = Code(
    "playout-failed",
    "A random game that the program could not go on with",
    "Rules that are sound are carried out or at fault; this is a mistake in Rulewright itself.",
    "Report it, with the rules and the command that shows it again.",
)


def diagnostics(played: Played, ruleset: Ruleset, *, rules: Sequence[str | Path] = ()) -> list[Diagnostic]:
    """What went wrong, in the order of the games: for all that went wrong alike, the first game that came to it.

    `rules` are the folders the ruleset was looked for in, which seeing it again needs too.
    """
    in_order = sorted(played.faults.values(), key=lambda each: each[0].number)
    return [_diagnostic(fault, count, played, ruleset, rules) for fault, count in in_order]


def _diagnostic(fault: Fault, count: int, played: Played, ruleset: Ruleset, rules: Sequence[str | Path]) -> Diagnostic:
    rule = f"`{fault.rule or ruleset.start}`"
    match fault.kind:
        case "fault":
            code, message = PLAYOUT_FAULT, f"{rule}: {fault.message}"
        case "endless":
            code, message = (
                PLAYOUT_ENDLESS,
                f"a game has not ended after {fault.message} decisions, and stands at {rule}",
            )
        case "program":
            code, message = PLAYOUT_FAILED, f"{rule}: {fault.message}"
    span = fault.span or ruleset.procedures[ruleset.start or ""].span
    often, first = (f"{count:,} of {played.games:,} games came to this. ", "the first") if count > 1 else ("", "it")
    hint = f"{code.fix}\n{often}See {first} again:\n{command(fault.playout, ruleset, rules=rules)}"
    return Diagnostic(code, message, span, (), hint)


def command(playout: Playout, ruleset: Ruleset, *, rules: Sequence[str | Path] = ()) -> str:
    """What to type to see a game again."""
    words = ["rulewright", "play", ruleset.reference, "--players", ",".join(["random"] * playout.players)]
    words += ["--seed", playout.seed]
    for name, choice in playout.settings:
        words += ["--option", f"{name}={choice}"]
    for folder in rules:
        words += ["--rules", fspath(folder)]
    return shlex.join(words)
