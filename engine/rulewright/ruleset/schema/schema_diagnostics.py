"""Codes of diagnostics about the form of a file: its keys and the types of values."""

from __future__ import annotations

from rulewright.source.diagnostics.diagnostic import Code

UNKNOWN_KEY = Code(
    "unknown-key",
    "A key that means nothing here",
    "If a misspelt key were silently ignored, the rule would have no effect.",
    "Check the spelling and the indentation: a key belongs to the less indented key above it.",
)
MISSING_KEY = Code(
    "missing-key",
    "A required key that is missing",
    "The rule is not complete without it, and it has no default.",
    "Add it.",
)
WRONG_SHAPE = Code(
    "wrong-shape",
    "A value of the wrong type",
    "Every key has one type: text, a number, a list or a mapping.",
    "Write a value of the required type.",
)
BAD_ID = Code(
    "bad-id",
    "An invalid id",
    "Ids are used as names in expressions and in addresses, so they have one simple form.",
    "Use lower-case letters, digits and `_`, starting with a letter: `long_road`.",
)
BAD_VALUE = Code(
    "bad-value",
    "A value that is not among the possible ones",
    "This key takes one of a few values; any other value would have no effect.",
    "Write one of the possible values.",
)
BAD_VERSION = Code(
    "bad-version",
    "A version that cannot be read",
    "Versions are compared, so each has the same three numbers: major.minor.patch.",
    "Write it as `1.0.0`, or as `1.0.0-draft.2` for a pre-release.",
)
NO_LAYER_BELOW = Code(
    "no-layer-below",
    "A change to a base edition that does not exist",
    "`before`, `after`, `replace` and `delete` refer to the base edition, but this edition extends none.",
    "Write the entry itself at its position, or name a base edition with `extends:` in ruleset.yaml.",
)
