"""Stops of a game as players and integrators see them: decisions, options, chance events, results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field, fields
from fractions import Fraction
from operator import itemgetter
from threading import RLock
from typing import TYPE_CHECKING, Any, overload

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
from rulewright.engine.state.savepoint import rebuild_state
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


class _Hidden:
    """A base with slots that are no fields of a dataclass."""

    __slots__ = ("_entry", "_labels")
    _entry: ChoiceEntry | None
    """The entry in a record, or None if it is not known."""
    _labels: Labels


@dataclass(frozen=True, slots=True)
class Option(_Hidden):
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
class Decision(_Hidden):
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
    options: Sequence[Option]
    about: tuple[Subject, ...] = ()
    subset: Subset | None = None

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
    decision = question.find_decision(state) or question.defer_decision(state, RLock(), *viewer)
    _ = decision.about  # computes all of it, or raises what went wrong
    return decision


class Labels:
    """The labels of a decision, as they were when it was built, computed when one of them is first read.

    Until then they depend on a state that continues to change. Callers that change it must hold `lock`, and set a
    savepoint before each move.
    """

    __slots__ = (
        "_about",
        "_error",
        "_labels",
        "_lock",
        "_savepoint",
        "_state",
        "_subset",
        "_viewer",
        "question",
        "who",
    )

    def __init__(self, question: Question, state: State, lock: AbstractContextManager[Any], viewer: Seat) -> None:
        self.question = question
        self.who = state.who
        self._viewer = viewer
        self._lock = lock
        self._state: State | None = state
        # The next savepoint will be its last item.
        self._savepoint: Sequence[Any] = state.undo_log

    def read_label(self, index: int) -> str:
        """Return the label of option number `index`."""
        self._read()
        return self._labels[index]

    def read_about(self) -> tuple[Subject, ...]:
        """Return the objects and rows that the asking procedure holds."""
        self._read()
        return self._about

    def read_subset(self) -> Subset | None:
        """Return the elements that the options select from, or None."""
        self._read()
        return self._subset

    def _read(self) -> None:
        """Compute the labels if that has not happened. If it fails, the exception is raised at every read."""
        if self._state is not None:
            with self._lock:
                self._compute()
        if self._error is not None:
            raise self._error

    def _compute(self) -> None:
        state, savepoint = self._state, self._savepoint
        if state is None:
            return
        self._error: Exception | None = None
        try:
            if savepoint and type(savepoint[-1]) is list:
                state = rebuild_state(state, savepoint[-1])
            names = Names.for_state(redact_value(state, self._viewer))
            self._labels = self.question.label_options(state, names)
            self._about = tuple(_about(state, self.question, names))
            self._subset = self.question.label_subset(state, names)
        except Exception as error:
            self._error = error
        self._state, self._savepoint = None, ()


class Options(Sequence[Option]):
    """The options of a decision, each created when it is first read. Equal to a tuple of the same options."""

    __slots__ = ("_labels", "_made", "_values")

    def __init__(self, labels: Labels, values: tuple[Any, ...]) -> None:
        self._labels = labels
        self._values = values
        self._made: dict[int, Option] = {}

    def __len__(self) -> int:
        return len(self._values)

    @overload
    def __getitem__(self, index: int) -> Option: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Option, ...]: ...

    def __getitem__(self, index: int | slice) -> Option | tuple[Option, ...]:
        if isinstance(index, slice):
            return tuple(self)[index]
        option = self._made.get(index)
        if option is None:
            value = self._values[index]
            if index < 0:
                return self[index + len(self._values)]
            option = _blank(_LateOption)
            _set_index(option, index)
            _set_value(option, value)
            _set_labels(option, self._labels)
            option = self._made.setdefault(index, option)
        return option

    def __iter__(self) -> Iterator[Option]:
        return map(self.__getitem__, range(len(self)))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Options | tuple):
            return tuple(self) == tuple(other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (tuple(self),)


class _Late:
    """A base for options and decisions with labels that are computed when they are read.

    To everybody else, they are of the class before them in their bases.
    """

    __slots__ = ()

    if not TYPE_CHECKING:

        @property
        def __class__(self) -> type:
            return type(self).__base__

    def __reduce__(self) -> tuple[Any, ...]:
        kind: Any = self.__class__
        return kind, tuple(getattr(self, each.name) for each in fields(kind))


class _LateOption(Option, _Late):
    __slots__ = ()
    _entry = None
    id = property(lambda option: build_option_id(option.value, option._labels.question.kind))
    label = property(lambda option: option._labels.read_label(option.index))


class _LateDecision(Decision, _Late):
    __slots__ = ()
    player = property(lambda decision: find_seat(decision._labels.who))
    ask = property(lambda decision: decision._labels.question.ask)
    rule = property(lambda decision: decision._labels.question.step.rule)
    about = property(lambda decision: decision._labels.read_about())
    subset = property(lambda decision: decision._labels.read_subset())


_LateOption.__name__, _LateDecision.__name__ = Option.__name__, Decision.__name__

_blank = object.__new__
# The fastest way to set the attributes of a frozen dataclass.
_set_entry, _set_labels = _Hidden.__dict__["_entry"].__set__, _Hidden.__dict__["_labels"].__set__
_set_index, _set_value = Option.__dict__["index"].__set__, Option.__dict__["value"].__set__
_set_options = Decision.__dict__["options"].__set__


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
        plain: Whether different options have different ids, except the option to choose nothing.
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
    plain: bool
    _options: dict[tuple[Any, ...], tuple[Option, ...]] = field(init=False, default_factory=dict)
    _decisions: dict[tuple[Any, ...], Decision] = field(init=False, default_factory=dict)
    _entries: dict[Any, ChoiceEntry] = field(init=False, default_factory=dict)

    def defer_decision(self, state: State, lock: AbstractContextManager[Any], *viewer: Seat) -> Decision:
        """Return the decision of `build_decision`. Its labels are computed under `lock` when one is read."""
        labels = Labels(self, state, lock, viewer[0] if viewer else state.who)
        decision = _blank(_LateDecision)
        _set_labels(decision, labels)
        _set_options(decision, self.find_options(state) or Options(labels, state.options))
        return decision

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
            for option in options:
                _set_entry(option, self.find_entry(option.value))
        return options

    def label_options(self, state: State, names: Names) -> list[str]:
        """Return the labels of the pending options of a state, in order."""
        lines = []
        procedure = names.ruleset.procedures[self.operation.step.procedure]
        labels = label_options(state.options, self.kind, names, procedure.called)
        for value, other in zip(state.options, labels, strict=True):
            label = self.labels.get(value) or other
            cost = describe_cost(state, self.operation, value, names)
            lines.append(f"{label} ({cost})" if cost else label)
        return number_labels(lines, names)

    def label_subset(self, state: State, names: Names) -> Subset | None:
        """Return the elements that the pending options of a state select from, or None for other decisions."""
        options = find_subsets(self.operation)
        if options is None:
            return None
        elements, low, high = find_elements(state.options, in_order=options.in_order)
        kind = present(self.kind)
        assert isinstance(kind, ListOf)
        labels = tuple(number_labels(label_options(elements, kind.inner, names), names))
        return Subset(labels, low, high, options.in_order)

    def find_decision(self, state: State) -> Decision | None:
        """Return the pending decision of a state, or None if it may depend on more of it or has too many options.

        Cached.
        """
        if not self.steady or len(state.options) > MOST_FIXED:
            return None
        # Players who have left the game are not mentioned.
        known = (state.live[1], self.read_known(state.frame)) if self.known else None
        key = state.who, state.options, known
        decision = self._decisions.get(key)
        options = self.find_options(state) if decision is None and len(self._decisions) < MOST_KEPT else None
        if options is not None:
            late = self.defer_decision(state, RLock())
            decision = Decision(late.player, late.ask, late.rule, options, late.about, late.subset)
            self._decisions[key] = decision
        return decision

    def find_choice(self, option: Any, state: State, index: int | None = None) -> tuple[ChoiceEntry, int]:
        """Return the entry in a record of an option that is pending in a state, and its index.

        `index` is its index if it is certainly offered. Raises `GameError` if it is not.
        """
        values = state.options
        if type(option) is int and 0 <= option < len(values):
            index = option
        if index is not None:
            entry = self.find_entry(values[index])
            if entry is not None:
                return entry, index
        ids = [build_option_id(value, self.kind) for value in values]
        index = place_of(option, ids, self.step, Names(state.machine.ruleset).name_player(state.who))
        return ChoiceEntry(ids[index]), index

    def find_entry(self, value: Any) -> ChoiceEntry | None:
        """Return the entry for a value in a record, or None if another value may have the same id. Cached."""
        entry = self._entries.get(value)
        if entry is None and self.plain and value not in (None, "none"):
            entry = ChoiceEntry(build_option_id(value, self.kind))
            if len(self._entries) < MOST_KEPT:
                self._entries[value] = entry
        return entry


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
        listed = present(kind)
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
            isinstance(present(kind), _PLAIN) or (isinstance(listed, ListOf) and isinstance(listed.inner, Entity)),
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
    known = {state.who}
    for slot, name, kind in question.known:
        value = state.frame[slot]
        if value is None:
            continue
        if isinstance(kind, Row):
            yield Subject(name, kind.table, value, names.name_row(kind.table, value))
        elif value not in known and state.objects[value] is not None:
            known.add(value)
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
