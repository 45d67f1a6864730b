"""What is asked of the end of a procedure: expressions, checked once and worked out wherever it ends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rulewright.language.declarations import FIRST_PLAYER, PLAYER_KIND
from rulewright.language.expression.check import check_expression
from rulewright.language.expression.evaluate import Evaluate
from rulewright.language.expression.typed import Constant, Stored, Typed
from rulewright.language.step import Procedure
from rulewright.language.types import INTEGER, PLAYER, Boolean, Integer, ListOf, Type, present
from rulewright.odds.liveness import slots_in
from rulewright.play.adopt import adopt
from rulewright.play.ending import bind, end_scope
from rulewright.play.faults import GoneError, RulesFault
from rulewright.play.interpreter import Interpreter, Walk
from rulewright.play.names import Names
from rulewright.play.state import State
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics import Diagnostics
from rulewright.source.nodes import Scalar
from rulewright.source.span import Span

WINNERS = "winners"
"""Asked of a game: who has won."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: as written, its type, and how it is worked out. `gain` has the value it is compared with."""

    written: str
    type: Type
    expression: Typed | None
    gain: int | None = None

    @property
    def counts(self) -> bool:
        """Whether its answers are numbers, of which there is a mean."""
        return isinstance(present(self.type), (Integer, Boolean))


class Questions:
    """The questions put to one procedure that starts from one state. Faults of expressions go to `diagnostics`."""

    def __init__(
        self,
        ruleset: Ruleset,
        procedure: Procedure,
        start: State,
        arguments: Sequence[Any],
        written: Iterable[str],
        diagnostics: Diagnostics,
    ) -> None:
        self.ruleset = ruleset
        self.procedure = procedure
        self._interpreter = Interpreter(ruleset)
        self._scope = end_scope(procedure, ruleset.declarations)
        for place, (name, value) in enumerate(procedure.gives.items(), start=1):
            self._scope = bind(self._scope, name, value.type, procedure.size + place, procedure.span)
        self._start = start
        self._arguments = arguments
        self.asked = tuple(self._question(text, diagnostics) for text in written or self._usual())

    @property
    def slots(self) -> frozenset[int]:
        """The names of the procedure that are read at its end."""
        expressions = (question.expression for question in self.asked if question.expression is not None)
        return frozenset(slot for expression in expressions for slot in slots_in(expression))

    def answer(self, question: Question, end: State) -> Any:
        """What came of it; None where there is nothing, as when the game was over before."""
        if question.expression is None:
            return end.winners or ()
        frame = [*end.stack[0], *end.given] if end.stack else [None] * (self.procedure.size + 1)
        frame += [None] * (self.procedure.size + 1 + len(self.procedure.gives) - len(frame))
        state = adopt(end, self._interpreter)
        try:
            evaluate = Evaluate(self.ruleset.declarations, Walk(self._interpreter, state))
            value = evaluate.value(question.expression, frame)
        except (RulesFault, GoneError, TypeError):
            # The expression reads what was never bound on this way, or what has left the game.
            return None
        return value - question.gain if question.gain is not None and value is not None else value

    def worth(self, end: State) -> Fraction:
        """What an end is worth to those who seek the best: the first question's answer."""
        value = self.answer(self.asked[0], end)
        if self.asked[0].expression is None:
            return Fraction(FIRST_PLAYER in value)
        return Fraction(0) if value is None else Fraction(value)

    def said(self, question: Question, value: Any) -> str:
        """An answer in words, so that equal answers have equal words on every way that led to them."""
        names = Names(self.ruleset)
        if question.expression is None:
            return ", ".join(names.player(player) for player in value) or "nobody"
        return names.value(value, question.type)

    def _question(self, text: str, diagnostics: Diagnostics) -> Question:
        if text == WINNERS and WINNERS not in self._scope.locals:
            return Question(text, ListOf(PLAYER), None)
        field = self.ruleset.declarations.kinds[PLAYER_KIND].fields.get(text)
        if field is not None and field.type == INTEGER and text not in self._scope.locals:
            # A bare field of players: how much of it the player has gained.
            player = self._player()
            expression = check_expression(_scalar(f"probe.{text}"), self._scope.variable("probe", PLAYER), diagnostics)
            value = self._start.objects[player][self._interpreter.layout.places[PLAYER_KIND, text]]
            return Question(text, INTEGER, _put(expression, player), value)
        expression = check_expression(_scalar(text), self._scope, diagnostics)
        return Question(text, expression.type, expression)

    def _player(self) -> int:
        """The player a bare field belongs to: the first one that the procedure is given, else the first of all."""
        for argument, kind in zip(self._arguments, self.procedure.parameters.values(), strict=True):
            if kind == PLAYER and isinstance(argument, int):
                return argument
        return FIRST_PLAYER

    def _usual(self) -> list[str]:
        """What is asked where nothing was: what the procedure hands back, the results of its steps, or who wins."""
        if self.procedure.id == self.ruleset.start:
            return [WINNERS]
        if self.procedure.gives:
            return list(self.procedure.gives)
        bound = [step for step in self.procedure.steps() if step.binds is not None and not step.repeated]
        rolled = [step.id for step in bound if step.verb.stops == "chance" and step.id in self._scope.locals]
        players = self.ruleset.declarations.kinds[PLAYER_KIND].fields.values()
        return rolled or [field.name for field in players if field.type == INTEGER][:1]


def _put(expression: Typed, player: int) -> Typed:
    """`probe.field` for one player."""
    assert isinstance(expression, Stored)
    return replace(expression, base=Constant(PLAYER, player))


def _scalar(text: str) -> Scalar:
    return Scalar(text, text, Span.at("EXPR"))
