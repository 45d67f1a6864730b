"""The diagnostics about PO files."""

from __future__ import annotations

from rulewright.source.diagnostics.diagnostic import Code

PO_SYNTAX = Code(
    "po-syntax",
    "A PO file that cannot be read",
    "A misplaced quotation mark or a missing line would put a translation at the wrong text.",
    "Open the file in a translation editor, or check it with `msgfmt --check`.",
)
PO_HEADER = Code(
    "po-header",
    "A PO file for another language or in another encoding",
    "The header of a PO file names its language and its encoding, and translators' tools rely on both.",
    "Correct the header, or read the file that belongs to this language.",
)
PO_PROJECT = Code(
    "po-project",
    "A PO file for another ruleset",
    "Texts of another ruleset may have the same addresses and other meanings.",
    "Check that this is the right file.",
    severity="warning",
)
PO_UNKNOWN = Code(
    "po-unknown",
    "An entry of a PO file for a text that does not exist",
    "The address in `msgctxt` says which text an entry translates, and the rules have no text there.",
    "Export the translation again, and let your tool merge the old file into the new one.",
    severity="warning",
)
PO_OUTDATED = Code(
    "po-outdated",
    "An entry of a PO file for a text that has changed",
    "The entry translates an older text, so readers of the other language would see the old rule.",
    "Export the translation again, and let your tool merge the old file into the new one.",
    severity="warning",
)
PO_CONFLICT = Code(
    "po-conflict",
    "Two entries of a PO file that exclude each other",
    "A text has one translation, and a phrase is either one text or one for each case.",
    "Keep one of the entries, and clear or delete the other.",
)
