"""Questions about the end of a procedure, and their answers.

A question is an expression that is evaluated at each end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm, sqrt
from typing import Any, NamedTuple

from rulewright.base.confidence_intervals import Z, compute_wilson_interval
from rulewright.base.errors import RulewrightError
from rulewright.dice.exact.distribution import Distribution
from rulewright.engine.narration.plain_names import Names, build_option_id
from rulewright.engine.state.game_state import State
from rulewright.engine.state.tree_interpreter import Interpreter, Walk
from rulewright.ir.analyses.liveness import find_slots
from rulewright.language.checked_steps import Procedure
from rulewright.language.declarations import FIRST_PLAYER, PLAYER_KIND
from rulewright.language.expressions.evaluator import Evaluate
from rulewright.language.expressions.type_checker import check_expression
from rulewright.language.expressions.typed_ast import (
    Aggregate,
    Coalesce,
    Constant,
    If,
    Local,
    Logic,
    Present,
    Stored,
    Travel,
    Typed,
)
from rulewright.language.language_diagnostics import UNKNOWN_NAME
from rulewright.language.lowering import has_chance
from rulewright.language.types import (
    BOOLEAN,
    INTEGER,
    PLAYER,
    Boolean,
    Choice,
    Integer,
    ListOf,
    Optional,
    Row,
    Type,
    present,
)
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.edition_reference import make_argument_node
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.testing.starting_position import build_result_scope

WINNERS = "winners"
"""The question about the winners of a game."""


@dataclass(frozen=True, slots=True)
class EndQuestion:
    """A question with its text, its type, and its typed expression (None for the winners).

    For the gain of a player field, `gain` is the starting value to subtract from the answer.
    """

    written: str
    type: Type
    expression: Typed | None
    gain: int | None = None

    @property
    def counts(self) -> bool:
        """Whether the answers are numbers (or true/false values) and so have a mean."""
        return isinstance(present(self.type), (Integer, Boolean))


class EndQuestions:
    """The questions about one procedure that starts from one state.

    Errors in expressions go to `diagnostics`. Without any `written` expressions, the questions default to the winners,
    the values that the procedure gives back, its rolls, or the first integer field of players. A condition `until`
    becomes the last question.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        procedure: Procedure,
        start: State,
        arguments: Sequence[Any],
        written: Iterable[str],
        diagnostics: Diagnostics,
        *,
        until: str = "",
    ) -> None:
        """Check the questions `written`, or the usual ones, and `until`, which becomes the last question.

        Errors go to `diagnostics`.
        """
        self.ruleset = ruleset
        self.procedure = procedure
        self._interpreter = Interpreter(ruleset)
        self._scope = build_result_scope(procedure, ruleset.declarations)
        self._start = start
        self._arguments = arguments
        self.questions = tuple(self._question(text, diagnostics) for text in written or self._usual())
        self._until = self._condition(until, diagnostics) if until else None
        self._types = procedure.types
        # The questions evaluated at an end where the names of the procedure were still bound.
        self._reached: set[EndQuestion] = set()
        if self._until is not None:
            # The values at `until` are only meaningful together with the probability of reaching it.
            self.questions += (self._until,)

    @property
    def slots(self) -> frozenset[int]:
        """The slots of the procedure that the questions read at its end."""
        expressions = (question.expression for question in self.questions if question.expression is not None)
        return frozenset(slot for expression in expressions for slot in find_slots(expression))

    def answer(self, question: EndQuestion, end: State) -> Any:
        """Return the value of a question at `end`, without changing the state.

        The winners are a tuple of players. The answer to a question about a gain is the difference from the start. The
        answer is None if the expression has no value there, for example because it reads a name that was never bound,
        an object that has left the game, or a name of a game that ended early.
        """
        if question.expression is None:
            return end.winners or ()
        # After the end of the game there are no frames, but the arguments of the procedure are still known.
        frame = [*end.stack[0], *end.given] if end.stack else [None, *self._arguments]
        frame += [None] * (self.procedure.size + 1 + len(self.procedure.gives) - len(frame))
        if end.stack:
            self._reached.add(question)
        # Reading changes nothing, so the objects need not be copied.
        state = copy(end)
        state.machine = self._interpreter
        if _reads_nothing(question.expression, frame):
            return None
        try:
            evaluate = Evaluate(self.ruleset.declarations, Walk(self._interpreter, state))
            value = evaluate.value(question.expression, frame)
        except (RulewrightError, OverflowError, TypeError, AttributeError):
            # The expression reads an unbound name, or an object that has left the game.
            return None
        return value - question.gain if question.gain is not None and value is not None else value

    def add_note(self, answer: AnswerOdds) -> AnswerOdds:
        """Return `answer`, with a note if the question never had a value because its names were always out of reach.

        All ends must have been passed to the method `answer` before.
        """
        expression = answer.question.expression
        if expression is None or set(answer.chances) != {self.build_id(answer.question, None)}:
            return answer
        read = {part.slot: part.name for part in expression.walk() if isinstance(part, Local)}
        result = {slot: name for slot, name in read.items() if slot > len(self.procedure.parameters)}
        if answer.question in self._reached:
            result = {slot: name for slot, name in result.items() if not isinstance(self._types.get(slot), Optional)}
        if not result:
            return answer
        looped = {slot for step in self.procedure.iterate_steps() if step.repeated for slot in step.slots}
        names = ", ".join(f"`{name}`" for name in result.values())
        loop = " set inside a loop and" if looped >= set(result) else ""
        text = f"{names} {'is' if len(result) == 1 else 'are'}{loop} out of reach wherever `{self.procedure.id}` ends"
        return replace(answer, note=f"{text}: use a field that holds the value, or stop at an earlier step")

    def is_reached(self, state: State) -> bool:
        """Return whether the `until` condition is true in a paused state. False without a condition."""
        return self._until is not None and bool(self.answer(self._until, state))

    def refuse_worthless(self) -> None:
        """Raise `RulewrightError` if the first question has no values to maximize."""
        first = self.questions[0]
        if first.expression is not None and not first.counts:
            raise RulewrightError(
                f"`{first.written}` is {first.type}, which cannot be maximized: put a number or a condition first, "
                f"such as `{first.written} == …`"
            )

    def compute_end_value(self, end: State) -> Fraction:
        """Return the value of an end for a search for the best: the answer to the first question.

        For the winners, the value is 1 if the first player has won. A missing answer has the value 0.
        """
        value = self.answer(self.questions[0], end)
        if self.questions[0].expression is None:
            return Fraction(FIRST_PLAYER in value)
        return Fraction(0) if value is None else Fraction(value)

    def build_id(self, question: EndQuestion, value: Any) -> str:
        """Return the id of an answer.

        For a row or choice, or a list of them, it is made of their own ids. For any other value, it is its text,
        because object numbers carry no meaning here.
        """
        kind = present(question.type)
        inner = kind.inner if isinstance(kind, ListOf) else kind
        if question.expression is not None and isinstance(inner, (Row, Choice)):
            return build_option_id(value, question.type)
        return self.format_answer(question, value)

    def format_answer(self, question: EndQuestion, value: Any) -> str:
        """Return an answer as text. Equal answers have equal text on every path that leads to them."""
        names = Names(self.ruleset)
        if question.expression is None:
            return ", ".join(names.name_player(player) for player in value) or "nobody"
        return names.format_value(value, question.type)

    def _question(self, text: str, diagnostics: Diagnostics) -> EndQuestion:
        """Return the question that a text asks. Errors go to `diagnostics`; the question then has an unknown type.

        `winners` asks who wins. The bare name of an integer field of players asks how much the player gains. Names of
        the procedure take precedence over both.
        """
        if text == WINNERS and WINNERS not in self._scope.locals:
            return EndQuestion(text, ListOf(PLAYER), None)
        if text in list_gainable(self.ruleset) and text not in self._scope.locals:
            # A bare field of players: how much of it the player has gained.
            player = self._player()
            probe = self._scope.with_variable("probe", PLAYER)
            expression = check_expression(make_argument_node(f"probe.{text}"), probe, diagnostics)
            value = self._start.objects[player][self._interpreter.layout.places[PLAYER_KIND, text]]
            return EndQuestion(text, INTEGER, _put(expression, player), value)
        result = Diagnostics()
        written = make_argument_node(text)
        expression = check_expression(written, self._scope, result)
        known = [WINNERS, *list_gainable(self.ruleset), *self._scope.locals]
        near = suggest_name(text, known) if text.isidentifier() else None
        if near is not None and any(each.code is UNKNOWN_NAME for each in result.errors):
            diagnostics.add(UNKNOWN_NAME, f"nothing here is called `{text}`", written.span, suggestion=near)
        else:
            diagnostics.extend(result)
        return EndQuestion(text, expression.type, expression)

    def _condition(self, text: str, diagnostics: Diagnostics) -> EndQuestion:
        expression = check_expression(make_argument_node(text), self._scope, diagnostics, expected=BOOLEAN)
        return EndQuestion(text, expression.type, expression)

    def _player(self) -> int:
        """Return the player that a bare field belongs to.

        That is the first player among the arguments of the procedure, or else the first player of the game.
        """
        for value, kind in zip(self._arguments, self.procedure.parameters.values(), strict=True):
            if kind == PLAYER and isinstance(value, int):
                return value
        return FIRST_PLAYER

    def _usual(self) -> list[str]:
        """Return the default questions, or none if nothing can be asked.

        They are the winners for the start procedure, or else the values that the procedure gives back, the results of
        its rolls, or the first integer field of players.
        """
        if self.procedure.id == self.ruleset.start:
            return [WINNERS]
        if self.procedure.gives:
            return list(self.procedure.gives)
        rolled = [name for name in list_rolled(self.procedure) if name in self._scope.locals]
        return rolled or list_gainable(self.ruleset)[:1]


def list_rolled(procedure: Procedure) -> list[str]:
    """Return the names of the results that a procedure rolls once."""
    bound = [step for step in procedure.iterate_steps() if step.binds is not None and not step.repeated]
    return [step.id for step in bound if has_chance(step)]


def list_gainable(ruleset: Ruleset) -> list[str]:
    """Return the integer fields of players. Their bare names ask how much a player gains."""
    fields = ruleset.declarations.kinds[PLAYER_KIND].fields.values()
    return [field.name for field in fields if field.type == INTEGER]


def _reads_nothing(expression: Typed, frame: Sequence[Any]) -> bool:
    """Return whether an expression certainly reads a name that was never bound on this path.

    An expression with a condition may skip the name, so the answer for it is False. Only evaluation can decide.
    """
    if _asks_before(expression):
        return False
    return any(
        isinstance(part, Local) and frame[part.slot] is None and not isinstance(part.type, Optional)
        for part in expression.walk()
    )


def may_be_read_in_part(expression: Typed) -> bool:
    """Return whether an expression has a condition and reads names that may never have been bound."""
    return _asks_before(expression) and any(isinstance(part, Local) for part in expression.walk())


def _asks_before(expression: Typed) -> bool:
    return any(isinstance(part, (If, Coalesce, Logic, Present, Aggregate, Travel)) for part in expression.walk())


def _put(expression: Typed, player: int) -> Typed:
    """Return `probe.field` with `probe` replaced by one player."""
    assert isinstance(expression, Stored)
    return replace(expression, base=Constant(PLAYER, player))


class EndAnswer(NamedTuple):
    """The answer at one end, with an id, text for readers, and its number if it has one."""

    id: str
    words: str
    number: int | None


@dataclass(frozen=True, slots=True)
class AnswerOdds:
    """The probability of every answer to one question by its id, in display order.

    Numbers that exist at every end also have a `distribution`. `words` maps each id to its text, and `note` is a remark
    for the reader. For sampled odds, `samples` is the number of runs, and the probabilities are shares of these runs.
    """

    question: EndQuestion
    chances: Mapping[str, Fraction]
    words: Mapping[str, str]
    distribution: Distribution | None
    samples: int | None = None
    note: str = ""

    @property
    def mean(self) -> Fraction | None:
        """The mean of the answers, or None without a `distribution`."""
        return None if self.distribution is None else self.distribution.mean

    def get_interval(self, answer: str) -> tuple[float, float] | None:
        """Return the 95 % confidence interval (Wilson) of the probability of an answer, given by its id.

        None for exact odds.
        """
        if self.samples is None:
            return None
        return compute_wilson_interval(self._times(self.chances.get(answer, Fraction(0))), self.samples)

    def _times(self, chance: Fraction) -> int:
        return int(chance * (self.samples or 0))

    @property
    def mean_within(self) -> float | None:
        """Half the width of the 95 % confidence interval of a sampled mean, or None."""
        if self.samples is None or self.distribution is None:
            return None
        return Z * sqrt(self.distribution.variance / self.samples)

    @property
    def width(self) -> float:
        """The width of the widest 95 % confidence interval of any answer. 0 for exact odds."""
        if self.samples is None:
            return 0.0
        result = (compute_wilson_interval(self._times(chance), self.samples) for chance in self.chances.values())
        return max((high - low for low, high in result), default=1.0)


def answer(question: EndQuestion, result: Mapping[EndAnswer, Fraction], samples: int | None = None) -> AnswerOdds:
    """Return the odds of a question from its answers with their probabilities.

    Numbers are in ascending order, after the answers without a value. If there are no numbers, answers are in
    descending order of probability.
    """
    numbers = {
        result_value.number: chance for result_value, chance in result.items() if result_value.number is not None
    }
    if numbers:
        # Answers without a value come before all numbers.
        order = sorted(result.items(), key=lambda item: (item[0].number is not None, item[0].number or 0))
    else:
        order = sorted(result.items(), key=lambda item: (-item[1], item[0].words))
    chances = {result_value.id: chance for result_value, chance in order}
    words = {result_value.id: result_value.words for result_value, _ in order}
    whole = question.counts and sum(numbers.values()) == 1
    return AnswerOdds(question, chances, words, _distribution(numbers) if whole else None, samples)


def _distribution(chances: Mapping[int, Fraction]) -> Distribution:
    denominator = lcm(*(chance.denominator for chance in chances.values()))
    return Distribution.from_counts({n: int(chance * denominator) for n, chance in chances.items()})
