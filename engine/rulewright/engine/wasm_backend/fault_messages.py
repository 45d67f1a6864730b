"""The messages of faults, by their numbers in the runtime."""

from __future__ import annotations

from rulewright.dice.ast import MAXIMUM_DEPTH
from rulewright.dice.dice_error import LIMIT_SAID
from rulewright.dice.limits import DEFAULT
from rulewright.engine.state.faults import GONE
from rulewright.language.expressions.evaluator import LARGEST
from rulewright.language.expressions.expression_cost import LONGEST_LIST, MOST_OBJECTS, EffortError
from rulewright.language.operations import FEWER_SUBSETS, MANY_SUBSETS, MOST_OPTIONS, Ask, Loop


def _beyond(what: str, most: int) -> str:
    return LIMIT_SAID.format(count="{value}", what=what, allowed=most)


FAULTS: tuple[str, ...] = (
    "",
    "{text}",
    Ask.NOTHING,
    GONE,
    "`{text}` would be {value}",
    "`{text}[{row}]` would be {value}",
    f"a number has more than {len(str(LARGEST)) - 1} digits",
    str(EffortError()),
    f"a game may create at most {MOST_OBJECTS:,} objects",
    f"a game may have at most {LONGEST_LIST:,} objects of one kind",
    f"a list may have at most {LONGEST_LIST:,} elements",
    f"{MANY_SUBSETS}: {FEWER_SUBSETS}",
    f"a choice may offer at most {MOST_OPTIONS:,} numbers",
    "nothing can be divided by 0",
    _beyond("dice", DEFAULT.dice),
    _beyond("rolls", DEFAULT.dice),
    _beyond("levels of nesting", MAXIMUM_DEPTH),
    "a roll cannot be rolled {value} times",
    "a roll is divided by 0",
    "a roll asks for the name of another that is not there",
    Loop.UNFINISHED,
    "the game needs more memory than a game may have",
    "the exact mean of a roll has too many digits",
)
"""The messages by the runtime's numbers. `{text}` is a string of the rules, `{row}` a row and `{value}` a number."""
