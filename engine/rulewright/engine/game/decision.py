"""What players and integrators are shown at a stop: the question, and options by id and label."""

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
    """One thing that can be chosen: `id` is stable, `label` is for people, `value` what the rules get.

    `index` is its place among the options, from 0.
    """

    id: str
    label: str
    value: Any
    index: int


@dataclass(frozen=True, slots=True)
class Subject:
    """A thing that a question is about: `name` is what the rule that asks calls it, `label` what players call it.

    `id` is the object's, as in a snapshot, or a row's; `kind` what it is, a kind of object or a table.
    """

    name: str
    kind: str
    id: str
    label: str


@dataclass(frozen=True, slots=True)
class Decision:
    """A question to a player: `player` is the seat, from 1; `rule` the step that asks (`procedure.step`).

    `about` are the things that the asking procedure is carried out for, with what its steps have found so far: the
    piece that is to move, the tile it stands on. Who is asked is not among them. No two options have the same label.
    """

    player: int
    ask: str
    rule: str
    options: tuple[Option, ...]
    about: tuple[Subject, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return as plain data; `rulewright schema decision` prints the schema."""
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
    """A roll or a draw: `roll` is its notation, or the deck's name; `rule` the step that makes it.

    `outcomes` gives each outcome with its exact probability. It is worked out when it is asked for: many dice have
    many outcomes, and sampling needs none of them.
    """

    rule: str
    roll: str
    source: Any

    @property
    def outcomes(self) -> tuple[tuple[Any, Fraction], ...]:
        """Every outcome (the total of a roll, a card's id) with its probability.

        Raises `DiceError` for a roll beyond the limits.
        """
        from rulewright.engine.state.game_state import list_outcomes

        return list_outcomes(self.source)


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: the seats of the winners, from 1; none of them is a draw."""

    winners: tuple[int, ...]


def find_seat(player: int) -> int:
    """Return the seat of a player, from 1."""
    return player - FIRST_PLAYER + 1


def describe_source(source: Any) -> str:
    """Return what is rolled or drawn at a chance: the notation of a roll, or that it is a card."""
    return format_roll(source) if isinstance(source, Roll) else str(source) if isinstance(source, int) else "a card"


def build_decision(state: State, *viewer: Seat) -> Decision:
    """Return the question that a state stands at, in the words of whoever is asked, or of another `viewer`."""
    step = state.machine.step(state)
    assert step is not None
    names = Names.for_state(redact_value(state, *(viewer or (state.who,))))
    ask = find_current_operation(step, state.frame)
    assert isinstance(ask, Ask)
    question = _question(state.machine.ruleset, step, ask, names)
    options = question.asked.get(state.options)
    if options is None:
        options = _options(state, ask, question, names)
        if question.fixed and len(question.asked) < MOST_KEPT:
            question.asked[state.options] = options
    return Decision(find_seat(state.who), question.ask, step.rule, options, tuple(_about(state, question, names)))


def _options(state: State, ask: Ask[Typed], question: _Question, names: Names) -> tuple[Option, ...]:
    kind = answer_type(ask)
    said = []
    for value, called in zip(state.options, label_options(state.options, kind, names), strict=True):
        label = question.labels.get(value) or called
        cost = describe_cost(state, ask, value, names)
        said.append(f"{label} ({cost})" if cost else label)
    return tuple(
        Option(build_option_id(value, kind), label, value, index)
        for index, (value, label) in enumerate(zip(state.options, number_labels(said), strict=True))
    )


@dataclass(frozen=True, slots=True)
class _Question:
    """What is the same of a step's question whenever it is asked.

    `known` are the slots that hold objects and rows when it is, with their names. Where nothing on the table changes
    what the options are called (`fixed`), `asked` keeps them by their values.
    """

    ask: str
    labels: Mapping[Any, str]
    known: tuple[tuple[int, str, Entity | Row], ...]
    fixed: bool
    asked: dict[tuple[Any, ...], tuple[Option, ...]]


MOST_KEPT = 256
"""Lists of options that are kept for a question."""


def _questions(_: Ruleset) -> dict[Operation[Typed], _Question]:
    """Return where the questions of a ruleset are kept."""
    return {}


def _question(ruleset: Ruleset, step: Step, ask: Ask[Typed], names: Names) -> _Question:
    known = ruleset.get_or_make(_questions)
    found = known.get(ask)
    if found is None:
        kind = present(answer_type(ask))
        costly = ask.costs or any(offer.costs for offer in list_offers(ask))
        found = known[ask] = _Question(
            names.format_words(step.words.get("ask", "")) or names.format_words(step.words.get("title", "")) or step.id,
            _labels(step, ask, names),
            list_known_slots(ruleset, step),
            isinstance(kind, Choice | Row) and not costly,
            {},
        )
    return found


def _labels(step: Step, ask: Ask[Typed], names: Names) -> dict[Any, str]:
    """Return the rules' own words for options, by value: None is the choice of nothing."""
    found: dict[Any, str] = {offer.id: names.format_words(offer.label) for offer in list_offers(ask) if offer.label}
    if "none" in step.words:
        found[None] = found[()] = names.format_words(step.words["none"])
    return found


def _about(state: State, question: _Question, names: Names) -> Iterator[Subject]:
    """Yield what the procedure that asks knows by name.

    What it was given, and objects and rows that it has found so far.
    """
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
    """Return where a frame holds objects and rows when a step begins, under which names.

    What the procedure was given, and what lies before the step, outermost first. What not everybody sees is not among
    them.
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
    found = list(range(1, len(procedure.parameters) + 1))
    for inner in reversed(path):
        if inner.container is not None:
            for before in inner.container.steps[: inner.place]:
                found += before.slots
        if inner is not step:
            found += [
                each.item for each in list_operations(inner) if isinstance(each, Each)
            ]  # whose turn it is in a loop
    return found


def place_of(option: Any, ids: Sequence[str], step: Step, who: str) -> int:
    """Return the place of the option that an answer means: itself, its id or its index. Raises `GameError`."""
    if isinstance(option, Option) and isinstance(option.id, str):
        return find_option(option.id, ids, step, who)
    if isinstance(option, str):
        return find_option(option, ids, step, who)
    if isinstance(option, bool) or not isinstance(option, int):
        raise GameError(f"an option is chosen by itself, its id or its index, not by {quote_value(option)}")
    if 0 <= option < len(ids):
        return option
    last = len(ids) - 1
    number = quote_value(option)
    message = f"{who} cannot choose option number {number} at `{step.rule}`: a number is an index, from 0 to {last}"
    hint = f'; the option whose id is {option} is chosen by the text "{option}"' if number in ids else ""
    raise GameError(message + hint)
