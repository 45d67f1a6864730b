"""What a link says of house rules beside their files.

What they change, and what the table of a published book needs to be one for them.

A published book has the rules of its own edition as a module, data and a table (`play_data.py`). Of the house
rules laid over it the link has what differs from these, byte for byte, and the sum of what comes of it: whoever opens
it there plays by the house rules, and where the book is of another state, that is seen.
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
"""Entries that a link names. It is to be no more than some hundred letters longer for them."""

MOST_LETTERS = 40_000
"""What a link gives to the table of a book, in JSON before it is packed: half of it is left then. Whoever gives rules
away may leave it out, for programs for mail and chat cut long links."""


def list_changes(base: Ruleset, made: Ruleset) -> list[str]:
    """Return the entries in which house rules differ from what they stand on.

    `numbers.goal`, with `+` before what is new, and `-` before what is gone. What plays comes first, and of very many
    there are only the first.
    """
    found: dict[str, None] = {}
    for each in sorted(compare_rules(base, made), key=lambda difference: difference.words):
        section, entry = each.rule
        if section == EDITION or section not in load_sections() or not entry:
            continue
        whole = len(each.path) == 2
        sign = "+" if whole and each.before is None else "-" if whole and each.after is None else ""
        found.setdefault(f"{sign}{section}.{entry}")
    return list(found)[:MOST_CHANGES]


def build_table_difference(base: Ruleset, made: Ruleset) -> dict[str, Any] | None:
    """Return what makes the table of the base's book one for house rules.

    None for what plays alike, has no whole game, or differs by more than a link should hold.

    `on` is the digest of the base, `sum` the SHA-256 of the module, the data and the table of the house rules, one
    after the other; each of these is told by the base's (`book/play_page/byte_delta.py`).
    """
    if base.digest == made.digest or base.start is None or made.start is None:
        return None
    parts, (module, data, shown) = made.get_or_make(_parts), base.get_or_make(_parts)
    # A book says behind its table where it tells of steps, and only then closes the bracket.
    there = module, data, shown.removesuffix(b"}")
    told: dict[str, Delta] = {
        name: compute_delta(*each) for name, *each in zip(("wasm", "data", "table"), there, parts, strict=True)
    }
    if len(json.dumps(told, ensure_ascii=False, separators=(",", ":"))) > MOST_LETTERS:
        return None
    return {"on": base.digest, "sum": hashlib.sha256(b"".join(parts)).hexdigest(), **told}


def _parts(ruleset: Ruleset) -> tuple[bytes, bytes, bytes]:
    """Return the module, the data and the table as `rulewright book` publishes them.

    Where a book tells of steps is no part of it: at any table that is as the base's own book says.
    """
    varying = build_book_parameters(ruleset)
    module, data = build_module_and_data(ruleset) if varying is None else varying.played
    return module, data.encode(), build_linked_table(ruleset).encode()
