"""The file beside an edition's pages that holds its rules as the page *Play* reads them, and what it shows them with.

It is a script, for a page opened from disk can read no other file. The drawer in which figures are tried has its rules
from there, too: a module in which figures may be others plays as well by the published ones, and a reader keeps one.
"""

from __future__ import annotations

import json
from base64 import b85encode
from gzip import compress

from rulewright.book.play_page.step_links import map_step_pages
from rulewright.book.play_page.table_display import build_display
from rulewright.book.style.rule_locations import RuleLocations
from rulewright.export.write_export import build_module_and_data
from rulewright.ruleset.ruleset import Ruleset

TABLE = "play.js"
"""The file, which calls `rulewrightRules`."""


def build_table_file(ruleset: Ruleset, places: RuleLocations, made: tuple[bytes, str] | None = None) -> str:
    """Return the text of the file: the module, its data and what they are shown with. The same rules make the same one.

    `made` are a module and its data that there are already.
    """
    module, data = made or build_module_and_data(ruleset)
    table = _compact({**build_display(ruleset), "homes": map_step_pages(ruleset, places)})
    found = {
        "wasm": compress_text(module),
        "data": compress_text(data.encode()),
        "table": compress_text(table.encode()),
    }
    return f"rulewrightRules({json.dumps(found, separators=(',', ':'))})\n"


def build_linked_table(ruleset: Ruleset) -> str:
    """Return the table of a ruleset as JSON, without where a book tells of its steps."""
    return _compact(build_display(ruleset))


def _compact(said: object) -> str:
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))


def compress_text(content: bytes) -> str:
    """Return bytes as text, made small: what a script can carry.

    Its 85 letters need no escape, and are fewer than of 64.
    """
    return b85encode(compress(content, 9, mtime=0)).decode("ascii")
