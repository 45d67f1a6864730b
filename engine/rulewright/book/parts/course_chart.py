"""The course of a game as a chart of the start procedure and the procedures that it calls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from rulewright.book.english.grammar import capitalize
from rulewright.book.english.naming import Naming, humanize
from rulewright.book.parts.step_sentences import find_own_condition, format_title
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.rule_locations import RuleLocations
from rulewright.book.style.text_style import HtmlStyle, Style
from rulewright.language.checked_steps import Block, Step
from rulewright.language.expressions.typed_ast import Invoke, Typed
from rulewright.language.lowering import find_called_procedure, list_operations
from rulewright.language.operations import Branch, Each, Loop
from rulewright.language.statement import list_expressions
from rulewright.language.types import Entity, ListOf
from rulewright.ruleset.prose.explained_rules import list_internal_rules

LEVELS = 2
"""Depth of the chart: two levels of procedures called from the start procedure."""

LoopKind = TypeVar("LoopKind", Loop[Any], Each[Any])


@dataclass(frozen=True, slots=True)
class CourseStage:
    """A box of the chart, or a frame around other stages if it has no title.

    `often` says for whom or how often the stage happens. `sometimes` says that it may be skipped.
    """

    title: str
    href: str
    number: str
    often: str
    sometimes: bool
    stages: tuple[CourseStage, ...]


def build_course(style: HtmlStyle, places: RuleLocations) -> tuple[CourseStage, ...]:
    """Return the stages of a whole game, in order.

    The result is empty if the rules have no start procedure, or if the chart would be a single box.
    """
    start = style.ruleset.start
    if start is None:
        return ()
    stages = _Course(style, places).of(start, LEVELS, (start,))
    return stages if len(stages) > 1 or any(stage.stages for stage in stages) else ()


class _Course:
    def __init__(self, style: HtmlStyle, places: RuleLocations) -> None:
        self.style = style
        self.places = places
        self.naming = Naming(Style(style.ruleset))

    def of(self, procedure: str, levels: int, within: tuple[str, ...]) -> tuple[CourseStage, ...]:
        """Return the stages of a procedure.

        `levels` is how deep calls are followed, and `within` has the procedures from the start procedure to this one.
        If a called procedure has a single stage that always happens, that stage is replaced by its own stages.
        """
        body = self.style.ruleset.procedures[procedure].body
        stages = tuple(self._block(body, levels, within))
        if len(stages) == 1 and not stages[0].sometimes and not stages[0].stages and len(within) > 1:
            return tuple(self._block(body, levels + 1, within))
        return stages

    def _block(self, block: Block, levels: int, within: tuple[str, ...]) -> Iterator[CourseStage]:
        for step in block.steps:
            # A block also contains the steps of special cases, before the step that they modify. Leave them out.
            if step.rule == f"{step.procedure}.{step.id}":
                yield from self._step(step, levels, within)

    def _step(self, step: Step, levels: int, within: tuple[str, ...]) -> tuple[CourseStage, ...]:
        """Return the stages of a step. There are none without a call, a title or nested stages.

        The stages of an internal procedure replace it.
        """
        sometimes = find_own_condition(step) is not None
        if called := find_called_procedure(step):
            if f"procedures.{called}" not in list_internal_rules(self.style.ruleset):
                return (self._make_call_stage(step, levels, within, sometimes),)
            stages = self.of(called, levels, (*within, called)) if called not in within else ()
            return tuple(replace(stage, sometimes=sometimes or stage.sometimes) for stage in stages)
        inner = tuple(stage for block in step.blocks for stage in self._block(block, levels, within))
        often = self._often(step)
        if _loop(step, Loop) and len(inner) == 1 and not inner[0].often:
            return (replace(inner[0], often=often, sometimes=sometimes or inner[0].sometimes),)
        if "title" in step.words:
            title, path = (
                self._words(step.words["title"]),
                f"steps.{step.rule}" if inner else self._find_explanation(step),
            )
            href, number = self.style.link(path) or "", self.places.numbers.get(path.partition(".")[2], "")
            return (CourseStage(title, href, number, often if _loop(step, Each) else "", sometimes, inner),)
        if not inner:
            return ()
        if often and len(inner) == 1 and not inner[0].often:
            return (replace(inner[0], often=often, sometimes=sometimes or inner[0].sometimes),)
        if often:
            return (CourseStage("", "", "", capitalize(often), sometimes, inner),)
        return tuple(replace(stage, sometimes=sometimes or _chooses(step)) for stage in inner)

    def _make_call_stage(self, step: Step, levels: int, within: tuple[str, ...], sometimes: bool) -> CourseStage:
        """Return the stage of a called procedure. A recursive call has no stages of its own."""
        procedure = find_called_procedure(step)
        path = f"procedures.{procedure}"
        return CourseStage(
            self._words(format_title(self.style.ruleset.procedures[procedure])),
            self.style.link(path) or "",  # a section that explains the procedure may have another title
            self.places.numbers.get(path, ""),
            "",
            sometimes,
            self.of(procedure, levels - 1, (*within, procedure)) if levels > 1 and procedure not in within else (),
        )

    def _find_explanation(self, step: Step) -> str:
        """Return the path that explains a step without a procedure.

        It is the path of a section on a formula that the step uses, or else the path of the step.
        """
        for expression in self._expressions(step):
            for part in expression.walk():
                if isinstance(part, Invoke) and self.style.link(f"sections.formulas.{part.formula}") is not None:
                    return f"sections.formulas.{part.formula}"
        return f"steps.{step.rule}"

    def _expressions(self, step: Step) -> Iterator[Typed]:
        """Yield the expressions of a step. For a step with blocks, yield those of the steps inside it."""
        if not step.blocks:
            yield from list_expressions(step.action)
        for block in step.blocks:
            for inner in block.walk():
                yield from list_expressions(inner.action)

    def _often(self, step: Step) -> str:
        """Return how often a step repeats, which is its title or `again and again`, or for whom: `each piece`.

        Return an empty string if it does not repeat.
        """
        if _loop(step, Loop):
            return self._words(step.words.get("title", self.style.language.translate("again and again")))
        each = _loop(step, Each)
        if each is None:
            return ""
        source = each.source.type
        inner = source.inner if isinstance(source, ListOf) else None
        name = self.style.ruleset.procedures[step.procedure].names[each.item]
        text = self.naming.kind(inner.kind) if isinstance(inner, Entity) else humanize(name)
        return self.style.escape(self.style.language.translate("each %(noun)s", noun=text))

    def _words(self, words: str) -> str:
        return self.style.escape(fill(words, Style(self.style.ruleset)))


def _loop(step: Step, kind: type[LoopKind]) -> LoopKind | None:
    """Return the loop of the given kind that a step consists of, or None if it has none."""
    return next((each for each in list_operations(step) if isinstance(each, kind)), None)


def _chooses(step: Step) -> bool:
    """Return whether a step branches on a condition of its statement, in addition to its own `when`."""
    branches = sum(isinstance(each, Branch) for each in list_operations(step))
    return branches > (step.when is not None)
