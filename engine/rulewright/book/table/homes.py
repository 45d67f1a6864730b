"""Where the book tells of each step, so that a line of what happened leads to its rule; and of each entry."""

from __future__ import annotations

import json

from rulewright.book.style.places import Places
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.section import sections

ENTRIES = "entries.js"
"""The file beside an edition's pages that says where each entry is told of. It calls `rulewrightEntries`."""


def homes_of(ruleset: Ruleset, places: Places) -> dict[str, dict[str, list[str]]]:
    """Each page with its procedures, by id, and their steps: the fragment of each, and the number it is cited by.

    `{"page": {"procedure": [fragment, number], "procedure.step": […]}}`. Steps that are told with their procedure are
    left out.
    """
    found: dict[str, dict[str, list[str]]] = {}
    for procedure in ruleset.procedures.values():
        path = f"procedures.{procedure.id}"
        page, _, fragment = places.homes[path].partition("#")
        here = found.setdefault(page.removesuffix(".md"), {})
        here[procedure.id] = [fragment, places.numbers.get(path, "")]
        for step in procedure.steps():
            number = places.numbers.get(f"steps.{step.rule}")
            if number is not None:
                here[step.rule] = [places.homes[f"steps.{step.rule}"].partition("#")[2], number]
    return found


def entries_file(places: Places) -> str:
    """The text of `ENTRIES`: each entry by its path, such as `numbers.goal`, with the page and the place on it."""
    found = {
        path: home.replace(".md", ".html", 1)
        for path, home in sorted(places.homes.items())
        if path.count(".") == 1 and path.partition(".")[0] in sections()
    }
    return f"rulewrightEntries({json.dumps(found, separators=(',', ':'))})\n"
