"""Links from log lines to the steps' pages in the book, and the page of each entry."""

from __future__ import annotations

import json

from rulewright.book.style.rule_locations import RuleLocations, build_anchor
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.section import load_sections

ENTRIES = "entries.js"
"""The name of the script that maps each entry of an edition to its page. It calls `rulewrightEntries`."""


def map_step_pages(ruleset: Ruleset, places: RuleLocations) -> dict[str, dict[str, list[str]]]:
    """Return the procedures and steps of each page, with their fragments and section numbers.

    The form is `{"page": {"procedure": [fragment, number], "procedure.step": […]}}`, with pages without `.md`. The
    number of a procedure may be empty. Steps without their own number are left out.
    """
    step_pages: dict[str, dict[str, list[str]]] = {}
    for procedure in ruleset.procedures.values():
        path = f"procedures.{procedure.id}"
        page, _, fragment = places.homes[path].partition("#")
        here = step_pages.setdefault(page.removesuffix(".md"), {})
        here[procedure.id] = [fragment, places.numbers.get(path, "")]
        for step in procedure.iterate_steps():
            number = places.numbers.get(f"steps.{step.rule}")
            if number is not None:
                here[step.rule] = [places.homes[f"steps.{step.rule}"].partition("#")[2], number]
    return step_pages


def build_entries_file(places: RuleLocations) -> str:
    """Return the text of `ENTRIES`, a script that calls `rulewrightEntries` with the page and fragment of each entry.

    The argument is `{"anchors": {"numbers": "number-"}, "pages": {"goal.html": {"numbers": "goal bust#turn"}}}`. The
    fragment of an entry is the anchor of its section and its id, unless another one follows its id after `#`. Parts of
    entries are left out.
    """
    pages: dict[str, dict[str, list[str]]] = {}
    for path, home in sorted(places.homes.items()):
        section, _, entry = path.partition(".")
        if section not in load_sections() or "." in entry:
            continue
        page, _, fragment = home.partition("#")
        target = entry if fragment == build_anchor(path) else f"{entry}#{fragment}"
        pages.setdefault(page.replace(".md", ".html"), {}).setdefault(section, []).append(target)
    used = sorted({section for each in pages.values() for section in each})
    texts = {
        "anchors": {section: build_anchor(f"{section}.") for section in used},
        "pages": {
            page: {section: " ".join(each) for section, each in targets.items()} for page, targets in pages.items()
        },
    }
    return f"rulewrightEntries({json.dumps(texts, separators=(',', ':'))})\n"
