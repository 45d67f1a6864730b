"""What a shared link adds to house rules: a summary of the changes, and a binary delta for the play page.

A published book has a WebAssembly module, data and a play page for its own edition (`play_data.py`). A link to house
rules has the byte differences from these and a checksum of the result, so that the book plays the house rules, and
notices if it was built from another version.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from rulewright.authoring.what_if_modules import build_book_parameters
from rulewright.book.play_page.byte_delta import Delta, compute_delta
from rulewright.book.play_page.play_data import build_linked_table
from rulewright.export.write_export import build_module_and_data
from rulewright.ruleset.queries.tree_difference import EDITION, compare_rules
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.section import load_sections

MOST_CHANGES = 40
"""The maximum number of changed entries named in a link, which keeps it to a few hundred characters."""

MOST_LETTERS = 40_000
"""The maximum length of the delta as JSON, before compression, which halves it.

Programs for mail and chat truncate long links, so the delta is optional.
"""


def list_changes(base: Ruleset, ruleset: Ruleset) -> list[str]:
    """Return up to `MOST_CHANGES` entries in which `ruleset` differs from `base`, gameplay first.

    Each is a path such as `numbers.goal`, with `+` in front if it is new and `-` if it was removed.
    """
    results: dict[str, None] = {}
    for each in sorted(compare_rules(base, ruleset), key=lambda difference: difference.words):
        section, entry = each.rule
        if section == EDITION or section not in load_sections() or not entry:
            continue
        whole = len(each.path) == 2
        sign = "+" if whole and each.before is None else "-" if whole and each.after is None else ""
        results.setdefault(f"{sign}{section}.{entry}")
    return list(results)[:MOST_CHANGES]


def build_table_difference(base: Ruleset, ruleset: Ruleset) -> dict[str, Any] | str:
    """Return the delta that turns the play page of `base` into one for house rules.

    Keys: `on` is the digest of the base, `sum` the SHA-256 of the house rules' module, data and page, concatenated. The
    others are the deltas of these three (`book/play_page/byte_delta.py`). Returns a clause that says why there is none
    if the gameplay is the same, if either has no procedure for a whole game, or if the delta exceeds `MOST_LETTERS`.
    """
    if base.digest == ruleset.digest:
        return f"they play exactly like {base.reference}"
    if base.start is None or ruleset.start is None:
        return f"{'they have' if base.start is not None else f'{base.reference} has'} no procedure for a whole game"
    parts, (module, data, texts) = ruleset.get_or_make(_parts), base.get_or_make(_parts)
    # A published page has its links to steps before the closing brace, so the brace is not part of the delta's base.
    there = module, data, texts.removesuffix(b"}")
    difference: dict[str, Delta] = {
        name: compute_delta(*each) for name, *each in zip(("wasm", "data", "table"), there, parts, strict=True)
    }
    letters = len(json.dumps(difference, ensure_ascii=False, separators=(",", ":")))
    if letters > MOST_LETTERS:
        return (
            f"they differ from {base.reference} in more than fits into a link: "
            f"{letters:,} characters, and {MOST_LETTERS:,} is the limit"
        )
    return {"on": base.digest, "sum": hashlib.sha256(b"".join(parts)).hexdigest(), **difference}


def _parts(ruleset: Ruleset) -> tuple[bytes, bytes, bytes]:
    """Return the module, data and play page as `rulewright book` publishes them, without links to steps in the book."""
    varying = build_book_parameters(ruleset)
    module, data = build_module_and_data(ruleset) if varying is None else varying.played
    return module, data.encode(), build_linked_table(ruleset).encode()
