"""Where the book tells of each step, so that a line of what happened leads to its rule."""

from __future__ import annotations

from rulewright.book.style.places import Places
from rulewright.ruleset.ruleset import Ruleset


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
