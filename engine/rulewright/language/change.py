"""What the event of a change holds, whichever verb has made it: the object, the field, what was there and what is."""

from __future__ import annotations

from typing import Any

from rulewright.language.step import Target
from rulewright.language.types import TEXT, Thing, maybe
from rulewright.language.verb import Fact
from rulewright.language.weight import Weight


def change_facts(target: Target, details: tuple[Any, ...]) -> tuple[Fact, ...]:
    """The facts of a change of `target`; without an object, it is a name of the procedure that has changed."""
    thing, name, old, new = details
    return (
        ("object", thing, maybe(Thing(target.kind))),
        ("field", name, TEXT),
        ("before", old, maybe(target.type)),
        ("after", new, maybe(target.type)),
    )


def change_weight(details: tuple[Any, ...]) -> Weight:
    """What a change is worth telling: nothing, where nothing is changed, or nothing but a name of a procedure."""
    thing, _, old, new = details
    return Weight.ASIDE if thing is None or old == new else Weight.NORMAL
