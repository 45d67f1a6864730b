"""Stops of a game as players and integrators see them: decisions, options, chance events, results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, field
from fractions import Fraction
from operator import itemgetter
from threading import RLock
from typing import TYPE_CHECKING, Any, ClassVar

from rulewright.base.lazy_dataclass import dataclass
from rulewright.dice.ast import Roll
from rulewright.dice.format_notation import format_roll
from rulewright.engine.game.game_error import GameError
from rulewright.engine.game.record import ChoiceEntry
from rulewright.engine.game.script import ScriptError, find_option
from rulewright.engine.game.subset import Subset, find_elements
from rulewright.engine.narration.option_labels import describe_cost, label_options, number_labels
from rulewright.engine.narration.plain_names import Names, build_option_id
from rulewright.engine.narration.redaction import Seat, redact_value
from rulewright.engine.state.game_state import State
from rulewright.engine.state.savepoint import Savepoint
from rulewright.engine.state.state_keys import holds_objects
from rulewright.ir.analyses.information_flow import find_secrets
from rulewright.language.checked_steps import Procedure, Step
from rulewright.language.declarations import FIRST_PLAYER, PLAYER_KIND
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.lowering import (
    answer_type,
    find_current_operation,
    find_subsets,
    list_block_slots,
    list_offers,
    list_operations,
)
from rulewright.language.operations import Ask, Each, Operation
from rulewright.language.types import Boolean, Choice, Entity, Integer, ListOf, Row, Type, present
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.excerpt import quote_value

Computed = Mapping[str, Callable[[Any], Any]]
"""The functions for attributes that are computed when they are first read, by name."""


class _Deferred:
    """A base for dataclasses with attributes that are computed when they are first read, from `_labels`."""

    __slots__ = ("_labels",)
    _labels: DeferredLabels
    _computed: ClassVar[Computed]

    if not TYPE_CHECKING:  # a type checker would take every name for an attribute

        def __getattr__(self, name: str) -> Any:
            """Compute an attribute that is not set yet, and set it. Raises `AttributeError` for any other name."""
            if name not in self._computed:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            value = self._computed[name](self)
            object.__setattr__(self, name, value)
            return value


@dataclass(frozen=True, slots=True)
class Option(_Deferred):
    """An option of a decision.

    Attributes:
        id: The id, the same in every run of the same game. Options with the same value have the same id.
        label: The text that players read.
        value: The value that the rules receive.
        index: The position among the options, from 0.
    """

    id: str
    label: str
    value: Any
    index: int

    _computed: ClassVar[Computed] = {
        "id": lambda option: build_option_id(option.value, option._labels.question.kind),
        "label": lambda option: option._labels.read_label(option.index),
        "value": lambda option: option._labels.values[option.index],
    }


@dataclass(frozen=True, slots=True)
class Subject:
    """An object or table row that a decision is about.

    Attributes:
        name: The local name in the procedure that asks.
        kind: The kind of the object, or the table of the row.
        id: The id of the object, as in a snapshot, or of the row.
        label: The text that players read.
    """

    name: str
    kind: str
    id: str
    label: str


@dataclass(frozen=True, slots=True)
class Decision(_Deferred):
    """A decision of one player. Iterating over it yields its options.

    Attributes:
        player: The seat of the player, from 1.
        ask: The question.
        rule: The step that asks, as `procedure.step`.
        options: The legal options, in order. No two have the same label.
        about: The objects and rows that the asking procedure holds at this step, such as the piece to move and its
        tile. The player who decides is not among them.
        subset: If the options are selections from a list, its elements. Otherwise None.
    """

    player: int
    ask: str
    rule: str
    options: tuple[Option, ...]
    about: tuple[Subject, ...] = ()
    subset: Subset | None = None

    _computed: ClassVar[Computed] = {
        "about": lambda decision: decision._labels.read_about(),
        "subset": lambda decision: decision._labels.read_subset(),
    }

    def to_json(self) -> dict[str, Any]:
        """Return the decision as plain data. `rulewright schema decision` prints the schema."""
        return {
            "player": self.player,
            "ask": self.ask,
            "rule": self.rule,
            "about": [asdict(subject) for subject in self.about],
            "options": [{"id": option.id, "label": option.label} for option in self.options],
            **({} if self.subset is None else {"subset": self.subset.to_json()}),
        }

    def __iter__(self) -> Iterator[Option]:
        return iter(self.options)


@dataclass(frozen=True, slots=True)
class Chance:
    """A chance event: a roll or a draw.

    Attributes:
        rule: The step that rolls or draws, as `procedure.step`.
        roll: The notation of the roll, or `a card`.
        source: The roll or the cards, as the engine holds them.
    """

    rule: str
    roll: str
    source: Any

    @property
    def outcomes(self) -> tuple[tuple[Any, Fraction], ...]:
        """All outcomes, each the total of a roll or the id of a card, with their exact probabilities.

        Computed on each access, because a roll of many dice has many outcomes and sampling needs none of them.

        Raises:
            DiceError: The roll exceeds the limits of exact computation.
        """
        from rulewright.engine.state.game_state import list_outcomes

        return list_outcomes(self.source)


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a game: the seats of the winners, from 1. An empty tuple is a draw."""

    winners: tuple[int, ...]


def find_seat(player: int) -> int:
    """Return the seat of a player, from 1, by the number of the player's object."""
    return player - FIRST_PLAYER + 1


def describe_source(source: Any) -> str:
    """Return the notation of a roll, the text of a number, or `a card` for a draw."""
    return format_roll(source) if isinstance(source, Roll) else str(source) if isinstance(source, int) else "a card"


def build_decision(state: State, *viewer: Seat) -> Decision:
    """Return the pending decision of a state, labelled with what `viewer` sees (default: the deciding player).

    All of it is computed at once, and exceptions in it are raised.
    """
    question = find_question(list_questions(state.machine.ruleset), state)
    decision = question.find_decision(state)
    if decision is None:
        decision, labels = question.defer_decision(state, RLock(), *viewer)
        labels.settle()
        _ = decision.about, decision.subset  # raises what went wrong
    return decision


class DeferredLabels:
    """The labels of a decision, as they were when it was built, computed when one of them is first read.

    Until then they depend on a state that continues to change. Whoever changes it must hold `lock` meanwhile, set
    `savepoint` to the savepoint before the first move, and call `settle` before the second one.
    """

    __slots__ = (
        "__weakref__",
        "_about",
        "_error",
        "_options",
        "_state",
        "_subset",
        "_viewer",
        "lock",
        "question",
        "savepoint",
        "values",
    )

    def __init__(
        self, question: Question, state: State, viewer: tuple[Seat, ...], lock: AbstractContextManager[Any]
    ) -> None:
        self.question = question
        self.values = state.options
        self.lock = lock
        self.savepoint: Savepoint | None = None
        self._state: State | None = state
        self._viewer = viewer
        self._error: Exception | None = None

    def settle(self) -> None:
        """Compute the labels now. If that fails, the exception is raised when one of them is read."""
        with self.lock:
            state = self._state
            if state is None:
                return
            try:
                if self.savepoint is not None:
                    state = self.savepoint.rebuild_state()
                names = Names.for_state(redact_value(state, *self._viewer))
                self._options = self.question.label_options(state, names)
                self._about = tuple(_about(state, self.question, names))
                self._subset = self.question.label_subset(state, names)
            except Exception as error:
                self._error = error
            self._state = self.savepoint = None

    def read_label(self, index: int) -> str:
        """Return the label of option number `index`."""
        self._read()
        return self._options[index]

    def read_about(self) -> tuple[Subject, ...]:
        """Return the objects and rows that the asking procedure holds."""
        self._read()
        return self._about

    def read_subset(self) -> Subset | None:
        """Return the elements of which the options are selections, or None."""
        self._read()
        return self._subset

    def _read(self) -> None:
        if self._state is not None:
            self.settle()
        if self._error is not None:
            raise self._error

    def build_options(self) -> tuple[Option, ...]:
        """Return the options. All but their index is computed when it is first read."""
        options = []
        for index in range(len(self.values)):
            option = _blank(Option)
            _set_index(option, index)
            _set_labels(option, self)
            options.append(option)
        return tuple(options)


_blank = object.__new__
# The fastest way to set the attributes of a frozen dataclass, some of which stay unset here.
_set_labels = _Deferred.__dict__["_labels"].__set__
_set_index = Option.__dict__["index"].__set__
_set_player, _set_ask, _set_rule, _set_options = (
    Decision.__dict__[name].__set__ for name in ("player", "ask", "rule", "options")
)


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """The part of a step's decision that is the same every time.

    Attributes:
        step: The step that asks.
        operation: Its operation that asks.
        ask: The text of the question.
        kind: The type of the options.
        labels: The labels that the rules give to options, by value. None is the option to choose nothing.
        known: The slots that hold objects and rows at this step, with their names and types.
        read_known: Returns what the known slots of a frame hold.
        fixed: Whether the labels of the options depend on their values alone.
        steady: Whether nothing else in a decision depends on the state either, except the values of known slots.
    """

    step: Step
    operation: Ask[Typed]
    ask: str
    kind: Type
    labels: Mapping[Any, str]
    known: tuple[tuple[int, str, Entity | Row], ...]
    read_known: Callable[[list[Any]], Any]
    fixed: bool
    steady: bool
    _options: dict[tuple[Any, ...], tuple[Option, ...]] = field(init=False, default_factory=dict)
    _decisions: dict[tuple[Any, ...], Decision] = field(init=False, default_factory=dict)
    _entries: dict[Any, ChoiceEntry] = field(init=False, default_factory=dict)

    def defer_decision(
        self, state: State, lock: AbstractContextManager[Any], *viewer: Seat
    ) -> tuple[Decision, DeferredLabels]:
        """Return the decision of `build_decision`, and its labels, which are computed under `lock` when one is read."""
        labels = DeferredLabels(self, state, viewer or (state.who,), lock)
        decision = _blank(Decision)
        _set_player(decision, find_seat(state.who))
        _set_ask(decision, self.ask)
        _set_rule(decision, self.step.rule)
        _set_options(decision, self.find_options(state) or labels.build_options())
        _set_labels(decision, labels)
        return decision, labels

    def find_options(self, state: State) -> tuple[Option, ...] | None:
        """Return the pending options of a state, or None if their labels may depend on it. Cached."""
        values = state.options
        if not self.fixed or len(values) > MOST_FIXED:
            return None
        options = self._options.get(values)
        if options is None and len(self._options) < MOST_KEPT:
            labels = self.label_options(state, Names(state.machine.ruleset))
            options = self._options[values] = tuple(
                Option(build_option_id(value, self.kind), label, value, index)
                for index, (value, label) in enumerate(zip(values, labels, strict=True))
            )
        return options

    def label_options(self, state: State, names: Names) -> list[str]:
        """Return the labels of the pending options of a state, in order."""
        lines = []
        for value, called in zip(state.options, label_options(state.options, self.kind, names), strict=True):
            label = self.labels.get(value) or called
            cost = describe_cost(state, self.operation, value, names)
            lines.append(f"{label} ({cost})" if cost else label)
        return number_labels(lines)

    def label_subset(self, state: State, names: Names) -> Subset | None:
        """Return the elements of which the pending options of a state are selections, or None for other decisions."""
        options = find_subsets(self.operation)
        if options is None:
            return None
        elements, low, high = find_elements(state.options, in_order=options.in_order)
        kind = present(self.kind)
        assert isinstance(kind, ListOf)
        labels = tuple(number_labels(label_options(elements, kind.inner, names)))
        return Subset(labels, low, high, options.in_order)

    def find_decision(self, state: State) -> Decision | None:
        """Return the pending decision of a state, or None if it may depend on more of it or has too many options.

        Cached.
        """
        if not self.steady or len(state.options) > MOST_FIXED:
            return None
        # Players who have left the game are not mentioned.
        key = state.who, state.options, state.live[1], self.read_known(state.frame)
        decision = self._decisions.get(key)
        if decision is None and (options := self.find_options(state)) is not None:
            names = Names(state.machine.ruleset)
            about, subset = tuple(_about(state, self, names)), self.label_subset(state, names)
            decision = Decision(find_seat(state.who), self.ask, self.step.rule, options, about, subset)
            if len(self._decisions) < MOST_KEPT:
                self._decisions[key] = decision
        return decision

    def find_choice(self, option: Any, state: State, decision: Decision | None) -> tuple[int, ChoiceEntry]:
        """Return the index of an option that is pending in a state, and its entry in a record.

        It is faster for an option of `decision`, and for an index. Raises `GameError` if the option is not offered.
        """
        index, values = option, state.options
        try:
            if type(option) is Option and decision is not None:
                index = option.index
                offered = decision.options[index] is option
            else:
                offered = type(option) is int and 0 <= option < len(values)
        except (TypeError, IndexError):
            offered = False  # an option created by the caller
        entry = self._entries.get(values[index]) if offered else None
        if entry is None:
            ids = [build_option_id(value, self.kind) for value in values]
            who = Names(state.machine.ruleset).name_player(state.who)
            index = place_of(option, ids, self.step, who)
            value, entry = values[index], ChoiceEntry(ids[index])
            # Only the option to choose nothing can have the same id as another one.
            plain = isinstance(present(self.kind), _PLAIN) and value not in (None, "none")
            if plain and len(self._entries) < MOST_KEPT:
                self._entries[value] = entry
        return index, entry


MOST_KEPT = 256
"""The maximum number of values cached for one question, for each kind of value."""

MOST_FIXED = 16
"""The maximum number of options of a list that is cached. Long lists seldom occur twice."""

_PLAIN = (Boolean, Choice, Entity, Integer, Row)
"""The types with a different id for each value."""

Questions = dict[int | Operation[Typed], Question]
"""The questions of a ruleset, by the number of the step, or by the operation of a step with several."""


def list_questions(ruleset: Ruleset) -> Questions:
    """Return the questions of a ruleset that have been asked so far. `find_question` adds to them."""
    return ruleset.get_or_make(_questions)


def _questions(_: Ruleset) -> Questions:
    return {}


def find_question(questions: Questions, state: State) -> Question:
    """Return the question of the pending decision of a state, and add it to `questions` if it is new.

    Most are there by the number of the step, `state.frame[0]`.
    """
    ruleset, step = state.machine.ruleset, state.machine.step(state)
    assert step is not None
    ask = find_current_operation(step, state.frame)
    assert isinstance(ask, Ask)
    several = sum(each.suspends for each in list_operations(step)) > 1
    key = ask if several else step.number
    question = questions.get(key)
    if question is None:
        names, kind, known = Names(ruleset), answer_type(ask), list_known_slots(ruleset, step)
        costly = ask.costs or any(offer.costs for offer in list_offers(ask))
        fixed = not costly and not holds_objects(kind)
        question = Question(
            step,
            ask,
            names.format_words(step.words.get("ask", "")) or names.format_words(step.words.get("title", "")) or step.id,
            kind,
            _labels(step, ask, names),
            known,
            itemgetter(*(slot for slot, _, _ in known)) if known else lambda _: None,
            fixed,
            fixed and all(isinstance(each, Row) or each.kind == PLAYER_KIND for _, _, each in known),
        )
    return questions.setdefault(key, question)


def _labels(step: Step, ask: Ask[Typed], names: Names) -> dict[Any, str]:
    """Return the labels that the rules give to options, by value. None is the option to choose nothing."""
    results: dict[Any, str] = {offer.id: names.format_words(offer.label) for offer in list_offers(ask) if offer.label}
    if "none" in step.words:
        results[None] = results[()] = names.format_words(step.words["none"])
    return results


def _about(state: State, question: Question, names: Names) -> Iterator[Subject]:
    """Yield the objects and rows in the locals of the asking procedure, without the deciding player."""
    told = {state.who}
    for slot, name, kind in question.known:
        value = state.frame[slot]
        if value is None:
            continue
        if isinstance(kind, Row):
            yield Subject(name, kind.table, value, names.name_row(kind.table, value))
        elif value not in told and state.objects[value] is not None:
            told.add(value)
            yield Subject(name, kind.kind, build_option_id(value, kind), names.name_entity(kind.kind, value))


def list_known_slots(ruleset: Ruleset, step: Step) -> tuple[tuple[int, str, Entity | Row], ...]:
    """Return the slots of a frame that may hold an object or a row when a step begins, with name and type.

    They are the parameters of the procedure, the results of the steps before this one, and the names that steps around
    it declare, such as the element of a loop, outermost block first. Last comes the element of the step's own loop, if
    that loop asks. Slots with secret values are left out.
    """
    procedure = ruleset.procedures[step.procedure]
    places = []
    for slot in _slots_before(step, procedure):
        kind, name = procedure.types.get(slot), procedure.names.get(slot, "")
        kind = present(kind) if kind is not None else None
        if isinstance(kind, Entity | Row) and name and "(" not in name:
            places.append((slot, name, kind))
    return tuple(place for place in places if place[0] not in find_secrets(ruleset).find_slots(procedure.id))


def _slots_before(step: Step, procedure: Procedure) -> list[int]:
    """Return the slots that have a value when a step begins, in the order of `list_known_slots`."""
    path: list[Step] = []
    around: Step | None = step
    while around is not None:
        path.append(around)
        around = around.container.owner if around.container is not None else None
    results = list(range(1, len(procedure.parameters) + 1))
    for inner in reversed(path):
        if inner.container is not None:
            for before in inner.container.steps[: inner.place]:
                results += before.slots
        if inner is step:
            # Only a loop in which the step itself asks has a current element. Others may hold one of an earlier round.
            asks = {each for each in list_operations(step) if isinstance(each, Ask)}
            loops = (each for each in list_operations(step) if isinstance(each, Each))
            results += [each.item for each in loops if not asks.isdisjoint(each.walk())]
        else:
            results += sorted(list_block_slots(inner))
    return results


def place_of(option: Any, ids: Sequence[str], step: Step, who: str) -> int:
    """Return the index of an option given as an `Option`, an id, an index or `#n`, its position counted from 1.

    `ids` are the options in order, and `who` names the player in the message. Raises `GameError` if the option is not
    offered or is anything else.
    """
    if isinstance(option, Option) and isinstance(option.id, str):
        option = option.id
    if isinstance(option, str):
        try:
            return find_option(option, ids, step, who)
        except ScriptError as error:
            raise GameError(str(error), code="illegal-choice") from None
    if isinstance(option, bool) or not isinstance(option, int):
        raise GameError(f"an option must be given as an Option, an id or an index, not {quote_value(option)}")
    if 0 <= option < len(ids):
        return option
    last = len(ids) - 1
    number = quote_value(option)
    message = f"{who} cannot choose option number {number} at `{step.rule}`: a number is an index, from 0 to {last}"
    hint = f'; to choose the option whose id is {option}, pass the text "{option}"' if number in ids else ""
    raise GameError(message + hint, code="illegal-choice")
