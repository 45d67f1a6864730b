"""Codes of diagnostics about finding editions and chaining layers."""

from __future__ import annotations

from rulewright.source.diagnostics.diagnostic import Code

UNKNOWN_RULESET = Code(
    "unknown-ruleset",
    "A ruleset that is not there",
    "Editions are looked for in each `--rules DIR`, in `$RULEWRIGHT_RULES`, in `./rules`, among those shipped, and in "
    "those of installed packages.",
    "`rulewright list` shows every ruleset and where it was found.",
)
UNKNOWN_VERSION = Code(
    "unknown-version",
    "A version that is not there",
    "A game is played by one version of its rules; another one would be another game.",
    "`rulewright list` shows every version and where it was found.",
)
NO_RULES_HERE = Code(
    "no-rules-here",
    "A folder of rules that holds none",
    "The named rules do not exist, and checking something else instead would hide that.",
    "Name a folder that holds a `ruleset.yaml`, itself or some folders below; `rulewright new` writes one.",
)
ABSTRACT_EDITION = Code(
    "abstract-edition",
    "An edition that is not a game on its own",
    "It holds only what the editions that extend it share, so it cannot be played.",
    "Name an edition that extends it.",
)
SAME_EDITION_TWICE = Code(
    "same-edition-twice",
    "One version of an edition in two folders",
    "It would be ambiguous which of the two is meant.",
    "Give one of them another version, or a name of its own.",
)
OTHER_GAMEPLAY = Code(
    "other-gameplay",
    "Rules that are not those that were pinned",
    "A digest asks for exactly this gameplay, and the rules have changed since then or another copy was found first.",
    "Bring back the rules with that digest, or name the digest of the ones that are here once you have read them.",
)
SHADOWED_EDITION = Code(
    "shadowed-edition",
    "An edition that hides another of the same name and version",
    "Of two folders with one version of an edition the first on the search path counts, and the other is never read.",
    "Give the changed rules a name or a version of their own.",
    severity="warning",
)
OVERLAY_OF_ANOTHER = Code(
    "overlay-of-another",
    "An overlay that was written for something else",
    "It changes rules by their ids, and the edition it was written for is not below it here.",
    "Extend the edition that the overlay extends, or take another overlay.",
)
OVERLAY_TWICE = Code(
    "overlay-twice",
    "An overlay that is already a layer",
    "Laid over itself it would change nothing.",
    "Name it once.",
)
EXTENDS_ITSELF = Code(
    "extends-itself",
    "An edition that extends itself",
    "Layers extend each other, so there must be a lowest one.",
    "Let the lower one extend nothing, or another edition. House rules need a name of their own.",
)
EDITION_TOO_LARGE = Code(
    "edition-too-large",
    "An edition too large to be rules",
    "So much text is a mistake, or made by a program, and would cost time and memory before anyone could say so.",
    "Leave out what no rule needs; what one game does not use belongs in an edition of its own.",
)
EMPTY_RULES = Code(
    "empty-rules-file",
    "A rules file with nothing in it",
    "It changes nothing; an empty file may also be the trace of a failed save.",
    "Write rules into it, or delete it.",
    severity="warning",
)
