"""Codes of diagnostics about the form of a file: its keys and the types of values."""

from __future__ import annotations

from rulewright.source.diagnostics.diagnostic import Code

UNKNOWN_KEY = Code(
    "unknown-key",
    "A key that means nothing here",
    "A misspelt key that is passed over in silence is a rule that does not hold.",
    "Check the spelling and the indentation: a key belongs to the key above it.",
)
MISSING_KEY = Code(
    "missing-key",
    "A key that has to be there",
    "The rule is not complete without it, and it has no default.",
    "Add it.",
)
WRONG_SHAPE = Code(
    "wrong-shape",
    "A value of another form than its place needs",
    "Every key has one type: text, a number, a list or a mapping.",
    "Write it in the form that is asked for.",
)
BAD_ID = Code(
    "bad-id",
    "An id that is not one",
    "Ids are used as names in expressions and in addresses, so they have one simple form.",
    "Write an id in small letters, digits and `_`, beginning with a letter: `long_road`.",
)
BAD_VALUE = Code(
    "bad-value",
    "A value that is not one of those possible",
    "The place takes one of a few values; any other would be passed over in silence.",
    "Write one of the values that are possible.",
)
BAD_VERSION = Code(
    "bad-version",
    "A version that cannot be read",
    "Versions are compared, so each has the same three numbers: major.minor.patch.",
    "Write it as `1.0.0`, or `1.0.0-draft.2` for what comes before it.",
)
NO_LAYER_BELOW = Code(
    "no-layer-below",
    "A change to a layer that is not there",
    "`before`, `after`, `replace` and `delete` speak about the edition below, and this edition extends none.",
    "Write the entry itself in its place, or let the edition extend another with `extends:` in ruleset.yaml.",
)
