"""Scripted dice and choices, as used by tests, examples and `rulewright run`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rulewright.dice.ast import Constant, Roll
from rulewright.dice.dice_error import DiceError
from rulewright.dice.format_notation import format_roll
from rulewright.dice.sampling.random_generator import Generator
from rulewright.dice.sampling.roll_dice import (
    build_outcome_drawer,
    find_dice_bonus,
    is_reachable,
    read_result_from_faces,
    total,
)
from rulewright.engine import engine_diagnostics
from rulewright.engine.game.forced_decisions import find_forced, list_forced, may_answer
from rulewright.engine.game.game_error import GameError
from rulewright.engine.game.record import ChanceEntry
from rulewright.engine.game.refused_options import explain_refusal
from rulewright.engine.narration.plain_names import Names, build_option_id
from rulewright.engine.state.game_state import State
from rulewright.language.checked_steps import Step
from rulewright.language.declarations import PLAYER_KIND
from rulewright.language.lowering import find_option_type, list_operations
from rulewright.language.operations import Draw
from rulewright.language.types import Entity, ListOf, Optional, Type
from rulewright.ruleset.elaborate.node_readers import list_items
from rulewright.source.diagnostics.diagnostic import Code, Diagnostic, RelatedSpan
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Node
from rulewright.source.span import Span
from rulewright.source.yaml.core_schema import parse_whole_number

MOST_LISTED = 12
"""The maximum number of options in a message."""


class ScriptError(GameError):
    """A scripted choice or result that does not fit the game. `diagnostic` holds the position and a suggestion."""

    def __init__(
        self,
        code: Code,
        message: str,
        span: Span,
        suggestion: str | None = None,
        *,
        related: Sequence[RelatedSpan] = (),
    ) -> None:
        self.diagnostic = Diagnostic(code, message, span, tuple(related), suggestion)
        super().__init__(f"{message}; {suggestion}" if suggestion else message)


@dataclass(frozen=True, slots=True)
class ScriptSource:
    """The YAML nodes of a script: dice, choices, the step to stop after, and the span of the whole."""

    dice: Node | None
    choices: Node | None
    until: Node | None
    whole: Span

    def place(self, node: Node | None, index: int) -> Span:
        """Return the span of an entry of a list, else of the list, else of the whole script."""
        if node is None:
            return self.whole
        entries = list_items(node)
        return entries[index].span if index < len(entries) else node.span


class Script:
    """Dice and choices, consumed in order. A generator, if given, decides everything after the script's last entry.

    An error points at `written`, the source of the script, if it is known, and otherwise at the rule.
    """

    def __init__(
        self,
        dice: Sequence[Any] = (),
        choices: Sequence[Any] = (),
        *,
        generator: Generator | None = None,
        written: ScriptSource | None = None,
    ) -> None:
        self.written = written
        self.dice = tuple(dice)
        self.choices = tuple(choices)
        self.rolled = 0
        self.chosen = 0
        self.generator = generator
        # The results and choices so far, as a script that would repeat them.
        self.came_up: list[Any] = []
        self.taken: list[str] = []
        # The number of events at the last choice, which is the first decision among the later ones.
        self._events: int | None = None

    @property
    def listens(self) -> bool:
        """Whether `observe` is called before each stop."""
        return False

    def observe(self, moments: Sequence[Any]) -> None:
        """Receive the events so far. This base class ignores them."""

    def choose_outcome(self, state: State, step: Step) -> ChanceEntry:
        """Return the outcome of a chance event and add it to `came_up`.

        It comes from the script, or from the generator if there is one and the script has ended. Raises `ScriptError`
        if the script does not fit.
        """
        before = self.rolled
        outcome = self._outcome(state, step)
        faces = [face for pool in outcome.faces or () for face in pool]
        scripted = self.dice[before] if self.rolled > before else None
        rolled = outcome.value if not faces else faces[0] if len(faces) == 1 else faces
        self.came_up.append(rolled if scripted is None else scripted)
        return outcome

    def _outcome(self, state: State, step: Step) -> ChanceEntry:
        """Return the next scripted outcome, which this uses up, or without one a random outcome.

        Raises `ScriptError` if the entry does not fit, or if there is neither an entry nor a generator.
        """
        rolled = state.roll
        if self.rolled < len(self.dice):
            entry = self.dice[self.rolled]
            self.rolled += 1
            if isinstance(rolled, Roll):
                return self._make_outcome(rolled, entry, step)
            if isinstance(rolled, int):
                return self._make_outcome(Constant(rolled), entry, step)
            return ChanceEntry(self._find_drawn(entry, state, step), None)
        if self.generator is None:
            what = format_roll(rolled) if isinstance(rolled, Roll) else "a card"
            count = "no results" if not self.dice else f"only {len(self.dice)}"
            message = f"`{step.rule}` rolls {what}, but {self._has('dice')} {count}"
            stop = "stop before this roll: let `{}` name an earlier step, after which the run ends"
            hint = f"add a result, or {stop.format('until:')}"
            if self.written is None:
                hint = f"add a result, give a seed to roll the rest at random, or {stop.format('--until')}"
            raise self._dice_error(message, step, self.rolled, hint)
        return draw_outcome(rolled, self.generator)

    def _find_drawn(self, entry: Any, state: State, step: Step) -> Any:
        """Return the element of a list or deck that an entry names: by its id, as `#n`, or as the state stores it.

        Raises `ScriptError` if it cannot be drawn.
        """
        for value in state.roll:
            if type(entry) is type(value) and entry == value:
                return value
        draw = next(each for each in list_operations(step) if isinstance(each, Draw))
        kind = draw.among.type.inner if isinstance(draw.among.type, ListOf) else draw.among.type
        ids = [build_option_id(value, kind) for value in state.roll]
        place = _find_place(_complete_id(_format_entry(entry), ids), ids)
        if place is None:
            legal = f"it can draw: {_list(_describe_values(state, state.roll, kind))}"
            hint = suggest_name(_format_entry(entry), ids)
            message = f"`{step.rule}` cannot draw `{_format_entry(entry)}`"
            raise self._dice_error(message, step, self.rolled - 1, f"{hint} {legal}" if hint else legal)
        return state.roll[place]

    def _make_outcome(self, rolled: Roll, entry: Any, step: Step) -> ChanceEntry:
        """Return the outcome of a roll from an entry, which has the faces or is the sum of the dice without the bonus.

        Raises `ScriptError` if the roll cannot have it.
        """
        try:
            if isinstance(entry, (list, tuple)):
                result = read_result_from_faces(rolled, entry)
                return ChanceEntry(result.total, tuple([each.faces for each in result.trace]))
            bonus = find_dice_bonus(rolled)
            value = entry + (bonus or 0) if type(entry) is int else None
            if value is not None and is_reachable(rolled, value):
                return ChanceEntry(value, None)
        except DiceError as error:
            raise self._dice_error(error.message, step, self.rolled - 1, error.suggestion) from None
        message = f"`{step.rule}` rolls {format_roll(rolled)}, which cannot have the result {entry}"
        raise self._dice_error(message, step, self.rolled - 1, _possible(rolled))

    def _dice_error(self, message: str, step: Step, index: int, hint: str | None) -> ScriptError:
        """Return an error about the scripted result at `index`, which may be past the end. `hint` may be None."""
        if self.written is None:
            return ScriptError(engine_diagnostics.DICE_SCRIPT, message, step.span, hint)
        span = self.written.place(self.written.dice, index)
        return ScriptError(
            engine_diagnostics.DICE_SCRIPT, message, span, hint, related=_rule("the roll is here", step, span)
        )

    def choose_option(self, state: State, step: Step, names: Names) -> int:
        """Return the index of the option for a decision and add it to `taken`.

        A single option is taken without the script, which does not list it, so the script is the same whether the
        player is asked or not. Raises `ScriptError` if the script does not fit.
        """
        ids = list_option_ids(state, step)
        if len(ids) == 1:
            return 0
        index = self._choice(ids, state, step, names)
        self._events = len(state.events or ())
        self.taken.append(f"#{index + 1}" if _is_numbered(find_option_type(step)) else ids[index])
        return index

    def _choice(self, ids: Sequence[str], state: State, step: Step, names: Names) -> int:
        """Return the index of the next scripted choice, which this uses up, or without one a random index.

        Raises `ScriptError` if the entry is no option, or if there is neither an entry nor a generator.
        """
        if self.chosen < len(self.choices):
            entry = str(self.choices[self.chosen])
            self.chosen += 1
            span = self.written.place(self.written.choices, self.chosen - 1) if self.written else None
            entry = _complete_id(entry, ids)
            if entry not in ids and _is_numbered(find_option_type(step)):
                place = _nth_of_its_kind(entry, state)
                if place is not None:
                    return place
            why = ""
            if _find_place(entry, ids) is None:
                self._refuse_forced(entry, ids, state, step, span)
                why = explain_refusal(entry, state, step)
            who, labels = names.name_player(state.who), list_typed_options(state, step)
            return find_option(entry, ids, step, who, labels, span=span, why=why)
        if self.generator is None:
            asks = names.format_words(step.words.get("ask", "") or step.words.get("title", ""))
            decides = f"must answer “{asks}”" if asks else "has a decision"
            message = (
                f"{names.name_player(state.who)} {decides} at `{step.rule}`, but {self._has('choose')} no choice for it"
            )
            hint = f"choose one of: {_list(list_typed_options(state, step))}"
            if self.written is None:
                raise ScriptError(engine_diagnostics.CHOICES_MISSING, message, step.span, hint)
            span = self.written.place(self.written.choices, self.chosen)
            related = _rule("the decision is here", step, span)
            raise ScriptError(engine_diagnostics.CHOICES_MISSING, message, span, hint, related=related)
        return self.generator.draw_below(len(ids))

    def _has(self, key: str) -> str:
        """Return the beginning of a message about the number of entries that the script has under a key of examples."""
        return "the script has" if self.written is None else f"`{key}:` lists"

    def _refuse_forced(
        self, entry: str, ids: Sequence[str], state: State, step: Step | None, span: Span | None
    ) -> None:
        """Raise `ScriptError` if an entry is meant for a decision since the last choice that had a single option.

        `step` is the decision that does not offer the entry, with the options `ids`, or None after the last decision.
        `span` is the position of the entry (default: that of the forced decision).
        """
        declarations = state.machine.ruleset.declarations
        forced = list_forced(state, self._events or 0, after_choice=self._events is not None)
        decision = find_forced(entry, forced, declarations)
        if step is not None and self.chosen < len(self.choices) and str(self.choices[self.chosen]) in ids:
            # The next entry is the one for this decision.
            decision = decision or (forced[-1] if forced else None)
        elif step is not None and may_answer(entry, step, declarations):
            return
        if decision is None:
            return
        rule, only = decision.step.rule, decision.option
        if only == entry:
            message = f"`{rule}` takes `{only}` without a choice, because it is the only option"
            hint = f"remove `{entry}`"
        else:
            who = Names(state.machine.ruleset).name_player(decision.who)
            message = f"{who} cannot choose `{entry}` at `{rule}`: `{only}` is the only option"
            hint = f"change what the rules offer there, or remove `{entry}`: a single option is taken without a choice"
        related = () if span is None else _rule("the decision is here", decision.step, span)
        raise ScriptError(engine_diagnostics.ILLEGAL_CHOICE, message, span or decision.step.span, hint, related=related)

    def refuse_rest(self, span: Span, state: State | None = None) -> None:
        """Raise `ScriptError` if results or choices of the script are unused, at `span` if they have no source.

        With the final state, a choice that was meant for a decision with a single option is reported as such.
        """
        if state is not None and self.chosen < len(self.choices):
            place = self.written.place(self.written.choices, self.chosen) if self.written else None
            self._refuse_forced(str(self.choices[self.chosen]), (), state, None, place)
        written = self.written
        dice = (engine_diagnostics.DICE_SCRIPT, "roll", "result", "dice", self.dice, self.rolled)
        choices = (engine_diagnostics.ILLEGAL_CHOICE, "decision", "choice", "choose", self.choices, self.chosen)
        for code, event, noun, key, entries, used in (dice, choices):
            rest = [f"`{_format_entry(each)}`" for each in entries[used:]]
            if rest:
                last = f"last {noun}" if len(rest) == 1 else f"last {len(rest)} {noun}s"
                where = "of the script" if written is None else f"under `{key}:`"
                message = f"no {event} is left for the {last} {where}: {_list(rest)}"
                if written is not None:
                    span = written.place(written.dice if key == "dice" else written.choices, used)
                skipped = "; a decision with a single option is skipped, and takes no choice" if key == "choose" else ""
                raise ScriptError(code, message, span, f"remove {_list(rest)} {where}{skipped}")


def read_dice_entry(part: str) -> Any:
    """Parse a result from the command line: a number is a total or a face, a sum is faces, any other text is a card."""
    numbers = part.removeprefix("-").split("+")
    if all(number.strip().isdecimal() and len(number) < 19 for number in numbers):
        return int(part) if len(numbers) == 1 else [int(number) for number in part.split("+")]
    return part


def draw_outcome(rolled: Any, generator: Generator) -> ChanceEntry:
    """Return a random outcome of a roll, a draw or a constant. Advances the generator, except for a constant."""
    if isinstance(rolled, Roll):
        draw: Callable[[Generator], ChanceEntry]
        try:
            draw = rolled._drawer
        except AttributeError:
            draw = _drawer(rolled)
            # Also cached on the node, so that rolling the same tree again need not hash it.
            object.__setattr__(rolled, "_drawer", draw)
        return draw(generator)
    if isinstance(rolled, int):
        return ChanceEntry(rolled, ())
    return ChanceEntry(rolled[generator.draw_below(len(rolled))], None)


@lru_cache(maxsize=1024)
def _drawer(roll: Roll) -> Callable[[Generator], ChanceEntry]:
    return build_outcome_drawer(roll, ChanceEntry)


def draw_value(rolled: Any, generator: Generator) -> Any:
    """Return the value of the outcome that `draw_outcome` returns. Several times faster, and advances alike."""
    if isinstance(rolled, Roll):
        return total(rolled, generator)
    return rolled if isinstance(rolled, int) else rolled[generator.draw_below(len(rolled))]


def list_option_ids(state: State, step: Step) -> list[str]:
    """Return the ids of a decision's options, in order."""
    kind = find_option_type(step)
    return [build_option_id(value, kind) for value in state.options]


def list_typed_options(state: State, step: Step) -> list[str]:
    """Return the options of a decision as a user can enter them: ids, or `#n` with a description for objects."""
    return _describe_values(state, state.options, find_option_type(step))


def _describe_values(state: State, values: Sequence[Any], kind: Type) -> list[str]:
    if not _is_numbered(kind):
        return [build_option_id(value, kind) for value in values]
    names = Names.for_state(state)
    return [f"#{place} ({names.format_value(value, kind)})" for place, value in enumerate(values, start=1)]


def _is_numbered(kind: Type) -> bool:
    """Return whether values are objects other than players, which only the engine knows by number."""
    inner = kind
    while isinstance(inner, (Optional, ListOf)):
        inner = inner.inner
    return isinstance(inner, Entity) and inner.kind != PLAYER_KIND


def _nth_of_its_kind(entry: str, state: State) -> int | None:
    """Return the option that is the nth living object of its kind, from 1 as in `given:`, or None."""
    number = parse_whole_number(entry) or 0
    places = {value: place for place, value in enumerate(state.options) if isinstance(value, int)}
    live = state.live[state.objects[next(iter(places))][0]] if places else ()
    return places.get(live[number - 1]) if 1 <= number <= len(live) else None


def _complete_id(entry: str, ids: Sequence[str]) -> str:
    """Return the id of the player in a seat, as in `given:`, if it is one of `ids`, and anything else as it is."""
    player = f"{PLAYER_KIND}-{entry}"
    return player if entry not in ids and player in ids else entry


def _find_place(entry: str, ids: Sequence[str]) -> int | None:
    """Return the index of an id, or from `#n`, its position counted from 1. None if there is none."""
    if entry in ids:
        return ids.index(entry)
    number = (parse_whole_number(entry[1:]) or 0) if entry.startswith("#") else 0
    return number - 1 if 1 <= number <= len(ids) else None


def find_option(
    entry: str,
    ids: Sequence[str],
    step: Step,
    who: str,
    labels: Sequence[str] | None = None,
    *,
    span: Span | None = None,
    why: str = "",
) -> int:
    """Return the index of an option from its id or from `#n`, its position counted from 1.

    Args:
        entry: The id or `#n`.
        ids: The ids of the options.
        step: The step that asks.
        who: The player's name in the message.
        labels: The options as the message lists them (default: `ids`).
        span: The position of the entry (default: that of the step).
        why: The reason why there is no such option, if it is known.

    Raises:
        ScriptError: There is no such option.
    """
    place = _find_place(entry, ids)
    if place is not None:
        return place
    hint = suggest_name(entry, ids)
    message = f"{who} cannot choose `{entry}` at `{step.rule}`" + (f": {why}" if why else "")
    legal = f"the options are: {_list([*dict.fromkeys(ids if labels is None else labels)])}"
    related = () if span is None else _rule("the decision is here", step, span)
    raise ScriptError(
        engine_diagnostics.ILLEGAL_CHOICE,
        message,
        span or step.span,
        f"{hint} {legal}" if hint else legal,
        related=related,
    )


def _rule(label: str, step: Step, span: Span) -> tuple[RelatedSpan, ...]:
    """Return the step as a related position, unless it is the main position (`span`) of the message already."""
    return () if step.span == span else (RelatedSpan(step.span, label),)


def _list(ids: Sequence[str]) -> str:
    listed = ", ".join(ids[:MOST_LISTED])
    return listed if len(ids) <= MOST_LISTED else f"{listed}, … ({len(ids)} in all)"


def _format_entry(entry: Any) -> str:
    """Return a scripted result as `read_dice_entry` reads it."""
    return "+".join(map(str, entry)) if isinstance(entry, (list, tuple)) else str(entry)


def _possible(rolled: Roll) -> str:
    """Return a hint about the results that a script can give for a roll."""
    from rulewright.dice.bounds import compute_maximum, compute_minimum
    from rulewright.dice.sampling.roll_dice import find_dice_sum_bounds, list_pools

    dice = list_pools(rolled)
    if len(dice) == 1 and dice[0].count == 1 and find_dice_sum_bounds(rolled) is not None:
        return f"the faces are {', '.join(str(face) for face in dice[0].die.faces)}"
    bounds = find_dice_sum_bounds(rolled)
    if bounds is None:
        least, most = compute_minimum(rolled), compute_maximum(rolled)
        return (
            f"the result is from {least} to {most}, including bonuses; or give the faces of the dice, such as `6+5+4`"
        )
    return f"the sum of the dice must be from {bounds[0]} to {bounds[1]}, before any bonus"
