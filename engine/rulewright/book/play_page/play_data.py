"""The data file of the Play page of an edition with its rules and their display.

It is a script, because a page opened from disk cannot read other files. The What-if drawer uses the same rules: a
module with changeable parameters plays the published game as well, so readers load only one.
"""

from __future__ import annotations

import json
from base64 import b85encode
from collections.abc import Mapping
from gzip import compress

from rulewright.book.play_page.step_links import map_step_pages
from rulewright.book.play_page.table_display import build_display
from rulewright.book.style.rule_locations import RuleLocations
from rulewright.ruleset.ruleset import Ruleset

TABLE = "play.js"
"""The name of the data file, a script that calls `rulewrightRules`."""


def build_table_file(
    ruleset: Ruleset,
    places: RuleLocations,
    result: tuple[bytes, str] | None = None,
    *,
    pictures: Mapping[str, str] | None = None,
) -> str:
    """Return the text of the data file: the module, its data and its display.

    The same rules always give the same text. `result` are a module and its data, if they exist already. Otherwise they
    are built from the ruleset. `pictures` are its drawings if they are known.
    """
    if result is None:
        # Importing the compiler takes longer than all else that most pages need.
        from rulewright.export.write_export import build_module_and_data

        result = build_module_and_data(ruleset)
    module, data = result
    table = _compact({**build_display(ruleset, pictures), "homes": map_step_pages(ruleset, places)})
    results = {
        "wasm": compress_text(module),
        "data": compress_text(data.encode()),
        "table": compress_text(table.encode()),
    }
    return f"rulewrightRules({json.dumps(results, separators=(',', ':'))})\n"


def build_linked_table(ruleset: Ruleset) -> str:
    """Return the display of a ruleset as JSON, without links to pages of a book."""
    return _compact(build_display(ruleset))


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def compress_text(content: bytes) -> str:
    """Return bytes as compressed text for a script.

    Base 85 needs no escapes in a script and is shorter than base 64.
    """
    return b85encode(compress(content, 9, mtime=0)).decode("ascii")
