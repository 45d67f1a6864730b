"""Stops of a game as players and integrators see them: decisions, options, chance events, results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from rulewright.dice.ast import Roll
from rulewright.dice.format_notation import format_roll
from rulewright.engine.game.save_format import GameError
from rulewright.engine.game.script import find_option
from rulewright.engine.narration.option_labels import describe_cost, label_options, number_labels
from rulewright.engine.narration.plain_names import Names, build_option_id
from rulewright.engine.narration.redaction import Seat, redact_value
from rulewright.engine.state.game_state import State
from rulewright.ir.analyses.information_flow import find_secrets
from rulewright.language.checked_steps import Procedure, Step
from rulewright.language.declarations import FIRST_PLAYER
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.lowering import answer_type, find_current_operation, list_offers, list_operations
from rulewright.language.operations import Ask, Each, Operation
from rulewright.language.types import Choice, Entity, Row, present
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.excerpt import quote_value


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a decision.

    Attributes:
        id: The id, the same in every run of the same game.
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
class Decision:
    """A decision of one player. Iterating over it yields its options.

    Attributes:
        player: The seat of the player, from 1.
        ask: The question.
        rule: The step that asks, as `procedure.step`.
        options: The legal options, in order. No two have the same label.
        about: The objects and rows that the asking procedure holds at this step, such as the piece to move and its
        tile. The player who decides is not among them.
    """

    player: int
    ask: str
    rule: str
    options: tuple[Option, ...]
    about: tuple[Subject, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the decision as plain data. `rulewright schema decision` prints the schema."""
        return {
            "player": self.player,
            "ask": self.ask,
            "rule": self.rule,
            "about": [asdict(subject) for subject in self.about],
            "options": [{"id": option.id, "label": option.label} for option in self.options],
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

    Options are cached per question if their labels do not depend on the state.
    """
    step = state.machine.step(state)
    assert step is not None
    names = Names.for_state(redact_value(state, *(viewer or (state.who,))))
    ask = find_current_operation(step, state.frame)
    assert isinstance(ask, Ask)
    question = _question(state.machine.ruleset, step, ask, names)
    options = question.options.get(state.options)
    if options is None:
        options = _options(state, ask, question, names)
        if question.fixed and len(question.options) < MOST_KEPT:
            question.options[state.options] = options
    return Decision(find_seat(state.who), question.ask, step.rule, options, tuple(_about(state, question, names)))


def _options(state: State, ask: Ask[Typed], question: _Question, names: Names) -> tuple[Option, ...]:
    kind = answer_type(ask)
    lines = []
    for value, called in zip(state.options, label_options(state.options, kind, names), strict=True):
        label = question.labels.get(value) or called
        cost = describe_cost(state, ask, value, names)
        lines.append(f"{label} ({cost})" if cost else label)
    return tuple(
        Option(build_option_id(value, kind), label, value, index)
        for index, (value, label) in enumerate(zip(state.options, number_labels(lines), strict=True))
    )


@dataclass(frozen=True, slots=True)
class _Question:
    """The part of a step's decision that is the same every time.

    Attributes:
        ask: The question.
        labels: The labels that the rules give to options, by value.
        known: The slots that hold objects and rows at this step, with their names and types.
        fixed: Whether the labels of the options depend on their values alone.
        asked: The cache of options by their values, used if `fixed`.
    """

    ask: str
    labels: Mapping[Any, str]
    known: tuple[tuple[int, str, Entity | Row], ...]
    fixed: bool
    options: dict[tuple[Any, ...], tuple[Option, ...]]


MOST_KEPT = 256
"""The maximum number of option lists cached for one question."""


def _questions(_: Ruleset) -> dict[Operation[Typed], _Question]:
    """Return the empty question cache of a ruleset."""
    return {}


def _question(ruleset: Ruleset, step: Step, ask: Ask[Typed], names: Names) -> _Question:
    known = ruleset.get_or_make(_questions)
    question = known.get(ask)
    if question is None:
        kind = present(answer_type(ask))
        costly = ask.costs or any(offer.costs for offer in list_offers(ask))
        question = known[ask] = _Question(
            names.format_words(step.words.get("ask", "")) or names.format_words(step.words.get("title", "")) or step.id,
            _labels(step, ask, names),
            list_known_slots(ruleset, step),
            isinstance(kind, Choice | Row) and not costly,
            {},
        )
    return question


def _labels(step: Step, ask: Ask[Typed], names: Names) -> dict[Any, str]:
    """Return the labels that the rules give to options, by value. None is the option to choose nothing."""
    results: dict[Any, str] = {offer.id: names.format_words(offer.label) for offer in list_offers(ask) if offer.label}
    if "none" in step.words:
        results[None] = results[()] = names.format_words(step.words["none"])
    return results


def _about(state: State, question: _Question, names: Names) -> Iterator[Subject]:
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

    They are the parameters of the procedure and the results of the steps before this one, outermost block first. Slots
    with secret values are left out.
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
        if inner is not step:
            results += [
                each.item for each in list_operations(inner) if isinstance(each, Each)
            ]  # the current element of a loop around the step
    return results


def place_of(option: Any, ids: Sequence[str], step: Step, who: str) -> int:
    """Return the index of an option given as an `Option`, an id or an index.

    `ids` are the options in order, and `who` names the player in the message. Raises `GameError` if the option is not
    offered.
    """
    if isinstance(option, Option) and isinstance(option.id, str):
        return find_option(option.id, ids, step, who)
    if isinstance(option, str):
        return find_option(option, ids, step, who)
    if isinstance(option, bool) or not isinstance(option, int):
        raise GameError(f"an option must be given as an Option, an id or an index, not {quote_value(option)}")
    if 0 <= option < len(ids):
        return option
    last = len(ids) - 1
    number = quote_value(option)
    message = f"{who} cannot choose option number {number} at `{step.rule}`: a number is an index, from 0 to {last}"
    hint = f'; to choose the option whose id is {option}, pass the text "{option}"' if number in ids else ""
    raise GameError(message + hint)
