"""The changes that diagnostics carry, as `check --fix` makes them."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.studio.editor.actions import Action, Asked, meets

PLACE = 10


def offered(asked: Asked) -> Iterator[Action]:
    """What mends what is wrong at the place."""
    here = [each for each in asked.found if each.edits and meets(each.span, asked.place)]
    for each in here:
        if all(not edit.span.file.startswith("<") for edit in each.edits):
            yield Action(each.suggestion or f"Mend: {each.message}", each.edits, each, preferred=len(here) == 1)
