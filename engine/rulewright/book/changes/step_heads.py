"""The steps of one procedure: their numbers, their order, and what each of them says by itself."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from rulewright.book.changes.side import Side
from rulewright.book.english.grammar import capital
from rulewright.book.parts.steps import StepWriter
from rulewright.language.step import Block, Procedure, Step


class Heads(StepWriter):
    """Says steps without those inside them, or with some of them.

    `numbers` are the numbers readers see beside the steps: `3.2` is the second step inside the third. `inside` is the
    step that each one stands in, empty for those of the procedure itself.
    """

    def __init__(self, side: Side, procedure: Procedure) -> None:
        super().__init__(procedure, side.style)
        self.numbers: dict[str, str] = {}
        self.inside: dict[str, str] = {}
        self.found: dict[str, Step] = {}
        self._shown: Collection[str] = ()
        self._number(procedure.body, "", "")

    def head(self, identity: str, shown: Collection[str] = (), *, generated: bool = False) -> str:
        """What a step says, with those inside it that are `shown`; `generated` puts its own words aside."""
        step = self.found[identity]
        if generated and "text" in step.words:
            step = replace(step, words={key: words for key, words in step.words.items() if key != "text"})
        self._shown = shown
        return capital(" ".join(self.sentence(step).split()))

    def whole(self, block: Block) -> str:
        """Every step of a block."""
        self._shown = [step.id for step in block.walk()]
        return " ".join(self.block(block).split())

    def block(self, block: Block) -> str:
        """Those steps of a block that are shown."""
        steps = tuple(step for step in block.steps if step.id in self._shown and _is_own(step))
        return super().block(Block(steps, block.owner)) if steps else ""

    def _number(self, block: Block, before: str, owner: str) -> None:
        for place, step in enumerate(own_steps(block), start=1):
            self.numbers[step.id] = f"{before}{place}"
            self.inside[step.id] = owner
            self.found[step.id] = step
            for inner in step.blocks:
                self._number(inner, f"{before}{place}.", step.id)


def own_steps(block: Block) -> Iterator[Step]:
    """The steps of a block that were written there, without the special cases before them."""
    return (step for step in block.steps if _is_own(step))


def _is_own(step: Step) -> bool:
    return step.rule == f"{step.procedure}.{step.id}"
