"""Create a folder of house rules that is valid from the start, with comments that explain how to continue."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from rulewright.authoring.schema_files import annotate, write_schemas
from rulewright.base.errors import RulewrightError
from rulewright.ruleset.ruleset import Ruleset

MANIFEST = """\
# The name of your rules, and the edition that they change.
ruleset: house/{name}
version: 0.1.0
language: 1
extends: {extends}
{overlays}title: {title}
about: >-
  Our table's rules, based on {base}.
status: draft           # a release locks them once they are finished
"""

RULES = """\
# Write only what differs: everything else is inherited from {reference}.
#
# To change a number, a row of a table or a term, remove the # and use the names from the files of {reference}:
#
#   numbers: {{some_number: 3}}
#   tables: {{some_table: {{rows: {{some_row: {{cost: 7}}}}}}}}
#   terms: {{some_term: {{name: Another word}}}}
#
# To change a step of a procedure, add one before or after it, or delete it:
#
#   procedures:
#     some_procedure:
#       steps:
#         - {{id: some_step, gain: {{points: 2}}}}
#         - {{after: some_step, id: my_step, gain: {{who: player, points: 1}}}}
#         - {{delete: another_step}}
#
# A change that contradicts inherited examples is an error, and its fix writes their new results here. To delete an
# example instead:
#
#   examples: {{some_example: {{delete: true}}}}
"""


def write_starting_point(
    folder: Path,
    ruleset: Ruleset,
    *,
    extends: str,
    overlays: Sequence[str] = (),
    title: str | None = None,
    rules: str = "",
) -> str:
    """Create the folder, with schemas, and return the reference of the new edition.

    `overlays` are merged between `ruleset` and the new rules, and `rules` is the text of these. Raises
    `RulewrightError` if the folder exists, if its name is not valid for an edition, if the ruleset has no procedures,
    or if the folder cannot be written.
    """
    name = re.sub(r"[^a-z0-9]+", "-", folder.name.lower()).strip("-")
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise RulewrightError(f"`{folder.name}` is not a valid name for an edition: use letters, digits and hyphens")
    if folder.exists():
        raise RulewrightError(f"{folder} already exists; nothing in it was changed")
    if not ruleset.procedures:
        raise RulewrightError(f"{ruleset.reference} has no procedure for house rules to change")
    words = {
        "name": name,
        "extends": extends,
        "overlays": f"overlays: [{', '.join(overlays)}]    # applied in this order\n" if overlays else "",
        "title": _scalar(title or folder.name.replace("-", " ").replace("_", " ").title()),
        "base": ruleset.title or ruleset.reference,
        "reference": ruleset.reference,
    }
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        # The folder gets its final name once it is complete, so no other program sees it half written.
        with TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.", ignore_cleanup_errors=True) as begun:
            whole = Path(begun) / folder.name
            whole.mkdir()
            (whole / "ruleset.yaml").write_text(MANIFEST.format(**words), encoding="utf-8")
            (whole / "rules.yaml").write_text(RULES.format(**words) + rules, encoding="utf-8")
            write_schemas(whole / "schema", over=ruleset)
            annotate(whole, whole / "schema")
            whole.rename(folder)
    except OSError as error:
        raise RulewrightError(f"cannot write to {folder}: {error.strerror}") from None
    return f"house/{name}"


def _scalar(text: str) -> str:
    """Return a text as a double-quoted YAML scalar on one line."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
