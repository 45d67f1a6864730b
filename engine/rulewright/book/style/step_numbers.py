"""What a step is cited by: the number of its section, a letter where that has several procedures, and its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from string import ascii_lowercase

from rulewright.language.step import Block, Procedure, Step


def procedure_numbers(shown: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The id of each procedure → its number: that of its section, with a letter where that shows several.

    `shown` are the procedures by id with the number of their section, in the order of the book.
    """
    sections: dict[str, list[str]] = {}
    for identity, section in shown:
        sections.setdefault(section, []).append(identity)
    return {
        identity: f"{section}{letter}"
        for section, identities in sections.items()
        for identity, letter in zip(identities, _letters(len(identities)), strict=True)
    }


def step_numbers(procedures: Mapping[str, Procedure], numbered: Mapping[str, str]) -> dict[str, str]:
    """The rule of each step → its number, such as `M.2.3`, or `M.2b.3` where section M.2 shows several procedures.

    `numbered` are the numbers of the procedures by id.
    """
    found: dict[str, str] = {}
    for identity, number in numbered.items():
        found.update(_numbered(procedures[identity].body.steps, number))
    return found


def _letters(many: int) -> list[str]:
    """A letter for each of several procedures; one that is alone needs none."""
    if many == 1:
        return [""]
    return [ascii_lowercase[place % 26] * (place // 26 + 1) for place in range(many)]


def _numbered(steps: Iterable[Step], above: str) -> Iterator[tuple[str, str]]:
    """The steps of a list in order. What is done instead in a special case is part of the step it stands with."""
    special: list[Step] = []
    place = 0
    for step in steps:
        if not is_listed(step):
            special.append(step)
            continue
        place += 1
        number = f"{above}.{place}"
        yield step.rule, number
        yield from _numbered(_within([step, *special]), number)
        special = []


def is_listed(step: Step) -> bool:
    """Whether a step stands in the list as one of its own; the parts of a special case do not."""
    return step.rule == f"{step.procedure}.{step.id}"


def _within(steps: Iterable[Step]) -> Iterator[Step]:
    blocks: Iterator[Block] = (block for step in steps for block in step.blocks)
    return (inner for block in blocks for inner in block.steps)
