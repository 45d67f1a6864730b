"""The game object for people and programs: decisions with labels, a log that names rules, records, saves."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from operator import index as whole
from pathlib import Path
from threading import RLock
from typing import Any, Literal

from rulewright.base.errors import RulewrightError
from rulewright.dice.ast import Roll
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.game.decision import (
    Chance,
    Decision,
    Option,
    Result,
    describe_source,
    find_question,
    find_seat,
    list_questions,
)
from rulewright.engine.game.game_error import GameError
from rulewright.engine.game.game_settings import refuse_ruleset, refuse_settings
from rulewright.engine.game.record import ChanceEntry, ChoiceEntry, Entry, is_possible, read_entry
from rulewright.engine.game.save_format import (
    parse_save,
    place_of_save,
    read_save,
    refuse_members,
    refuse_other_rules,
    save_text,
    write_save,
)
from rulewright.engine.game.script import draw_outcome
from rulewright.engine.game.snapshot import EVERYTHING, FORMAT, find_viewer, render_html, take_snapshot, view
from rulewright.engine.narration.events import Event, format_story
from rulewright.engine.narration.log import NarrationLog
from rulewright.engine.narration.redaction import HIDDEN, analyze_sight
from rulewright.engine.python_backend.compiler import compile_ruleset
from rulewright.engine.state.game_state import CHANCE, DECISION, OVER, State, list_outcomes
from rulewright.engine.state.machine import Machine
from rulewright.engine.state.savepoint import set_savepoint
from rulewright.engine.state.state_json import from_json, to_json
from rulewright.language.checked_steps import Step
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.excerpt import quote_value, shorten

__all__ = ["Game", "GameError", "replay"]


class Game:
    """One game from its first decision to its end.

    The same gameplay, seed and choices give the same game on every platform. The game stops at decisions. With
    `stop_at_chance`, it also stops at rolls and draws, which `roll` leaves to the generator and `resolve` decides.

    >>> from rulewright import Game, load_ruleset
    >>> game = Game(load_ruleset("pig/classic"), players=2, seed=7)
    >>> game.decision.player, [option.id for option in game.decision.options]
    (1, ['roll', 'hold'])

    If `choose`, `roll`, `resolve` or `apply_entry` raises an exception, the game is unchanged. If the rules failed, its
    record is replayed for that.

    Args:
        ruleset: The rules.
        players: The number of players (default: the minimum of the ruleset).
        seed: The random seed.
        options: The choices of settings by name. Settings that are left out have their defaults.
        stop_at_chance: Whether the game stops at chance events.
        machine: The back end, as `back_ends.make` returns it (default: generated Python). It does not affect results.

    Raises:
        GameError: The ruleset does not have this number of players or this option.
        RulesFault: The rules fail before the first decision.
    """

    _as_rolled = True
    _resolved = False
    """Whether the generator may have used other words than a replay does, because it did not give all results."""
    _decision: Decision | None
    """The pending decision, if it has been read."""
    _lock: AbstractContextManager[Any] | None
    """Held during moves, once a decision has been read whose labels depend on the state."""

    def __init__(
        self,
        ruleset: Ruleset,
        *,
        players: int | None = None,
        seed: int | str = 0,
        options: Mapping[str, str] | None = None,
        stop_at_chance: bool = False,
        machine: Machine | None = None,
    ) -> None:
        refuse_ruleset(ruleset, "a game is created")
        if not isinstance(stop_at_chance, bool):
            raise GameError(f"`stop_at_chance` must be True or False, not {quote_value(stop_at_chance)}")
        self.ruleset = ruleset
        self.players = ruleset.players[0] if players is None else players
        self.seed = seed
        start = refuse_settings(ruleset, self.players, seed, options)
        if machine is not None:
            _refuse_machine(machine, ruleset)
        self.options = dict(options or {})
        self.stop_at_chance = stop_at_chance
        self._record: list[Entry] = []
        self._generator = Generator(seed, "dice")
        self.state: State = (machine or _machine(ruleset)).empty(self.players, options=self.options)
        self.state.events = []
        self._chronicle: NarrationLog | None = NarrationLog.for_state(self.state)
        self._seat_logs: dict[int, NarrationLog] = {}
        self.state.machine.begin(self.state, start, ())
        self._forget_decisions()
        if self.state.mode == CHANCE and not stop_at_chance:
            self._move(None)

    # -- views -------------------------------------------------------------------------------

    @property
    def decision(self) -> Decision | None:
        """The pending decision, or None at a chance event and at the end."""
        decision = self._decision
        if decision is None and self.state.mode == DECISION:
            state = self.state
            question = self._questions.get(state.frame[0]) or find_question(self._questions, state)
            if question.steady:
                decision = question.find_decision(state)
            if decision is None:
                if self._lock is None:
                    self._lock, state.undo_log = RLock(), []
                decision = question.defer_decision(state, self._lock)
            self._decision = decision
        return decision

    @property
    def chance(self) -> Chance | None:
        """The pending roll or draw, or None. It is always None without `stop_at_chance`."""
        if self.state.mode != CHANCE:
            return None
        return Chance(self._step().rule, describe_source(self.state.roll), self.state.roll)

    @property
    def result(self) -> Result | None:
        """The result, or None while the game is in progress."""
        if self.state.mode != OVER:
            return None
        return Result(tuple(find_seat(winner) for winner in self.state.winners or ()))

    @property
    def record(self) -> tuple[Entry, ...]:
        """All choices and chance results so far, as `apply_entry` takes them."""
        return tuple(self._record)

    @property
    def log(self) -> tuple[Event, ...]:
        """All events so far, each with the rule that caused it. The tuple does not grow as the game continues.

        A game from a save that was not verified is replayed on the first access.

        Raises `GameError` or `RulesFault` if the record of such a game does not fit the rules.
        """
        return tuple(self._read_log())

    def log_since(self, since: int) -> tuple[Event, ...]:
        """Return the events of the log from number `since` on. Only the new events are processed.

        Raises `GameError` if `since` is not an integer, and the exceptions of `log`: `GameError` or `RulesFault`.
        """
        _refuse_event(since)
        return tuple(self._read_log()[since:])

    def _read_log(self) -> list[Event]:
        """Return the events so far. A game from a save is replayed once for them, which may raise as `replay` does."""
        if self._chronicle is None:
            # A save has the state and the record, but no events. Replaying the record restores them.
            past = replay(self)
            self._chronicle, self.state.events = past._chronicle, past.state.events
        assert self._chronicle is not None
        return self._chronicle.read(self.state.events or [])

    def log_for(self, seat: int) -> tuple[Event, ...]:
        """Return the log without what is hidden from the player in a seat, from 1, or from a spectator, in seat 0.

        Events have the same numbers as in `log`, and only new events are processed.

        Raises `GameError` for a seat that is not in the game, and the exceptions of `log`: `GameError` or `RulesFault`.
        """
        self._refuse_seat(seat)
        whole = self._read_log()  # replays a game from a save, which restores its events
        if analyze_sight(self.ruleset).everything:
            return tuple(whole)
        if seat not in self._seat_logs:
            start = self.state.machine.empty(self.players, options=self.options)
            viewer = find_viewer(seat) or 0
            self._seat_logs[seat] = NarrationLog(self.ruleset, start.machine.layout, start.objects, viewer=viewer)
        return tuple(self._seat_logs[seat].read(self.state.events or []))

    def story(self, *, since: int = 0, seat: int | None = None) -> tuple[str, ...]:
        """Return the sentences of the important events, from event number `since` on.

        With a seat, the events are those of `log_for`.

        Raises `GameError` for an invalid event number or seat, and the exceptions of `log`: `GameError` or
        `RulesFault`.
        """
        _refuse_event(since)
        return format_story(self.ruleset, self.log if seat is None else self.log_for(seat), since=since)

    def snapshot(self, seat: int | None = None) -> dict[str, Any]:
        """Return the whole game as named data for programs: values, objects with their fields, the current stop.

        With a seat, from 1, values hidden from that player are left out. Seat 0 is a spectator. `rulewright schema
        snapshot` prints the schema, or with a reference that of one ruleset. A snapshot cannot be loaded again. Use
        `save_text` for that.

        Raises `GameError` for a seat that is not in the game.
        """
        if seat is not None:
            self._refuse_seat(seat)
        return take_snapshot(self.state, seat)

    def view(self, seat: int | Literal["everything"] | None = None) -> dict[str, Any]:
        """Return a view of the game, in words and ready to display, for the player in a seat from 1.

        Without a seat, or in seat 0, it is the view of a spectator. `"everything"` hides nothing. `rulewright schema
        view` prints the schema.

        Raises `GameError` for a seat that is not in the game.
        """
        if seat is not None and seat != EVERYTHING:
            self._refuse_seat(seat, ', or "everything"')
        return view(self.state, seat)

    def record_for(self, seat: int) -> dict[str, Any]:
        """Return the history that the player in a seat, from 1, or a spectator, in seat 0, may know, as JSON data.

        It holds the settings, the log of `log_for`, and the record with null for each choice and result that the seat
        may not know. Unlike a save, it contains neither the seed nor the state. The method replays the whole game.
        `rulewright schema record` prints the schema.

        Raises `GameError` for a seat that is not in the game, and the exceptions of `log`: `GameError` or `RulesFault`.
        """
        log = self.log_for(seat)
        again = _played_again(self, self.record[:0])
        lines = []
        for line in self.record:
            place = len(again.state.events or [])
            again.apply_entry(line)
            # The first new event is the choice or the result itself.
            lines.append(line.to_data() if log[place].details[-1] is not HIDDEN else line.redact())
        return {
            "format": FORMAT,
            "ruleset": self.ruleset.reference,
            "digest": self.ruleset.digest,
            "players": self.players,
            "options": dict(self.options),
            "seat": seat,
            "record": lines,
            "log": [event.to_json() for event in log],
        }

    def _refuse_seat(self, seat: Any, also: str = "") -> None:
        if type(seat) is not int or not 0 <= seat <= self.players:
            allowed = f"from 1 to {self.players}, or 0 for a spectator{also}"
            raise GameError(f"`seat` must be {allowed}, not {quote_value(seat)}")

    # -- moves ---------------------------------------------------------------------------------

    def choose(self, option: Option | str | int) -> None:
        """Take an option of the pending decision: an `Option`, its id as a text, or its index from 0 as a number.

        A number is always an index, even if ids look like numbers: `choose("3")` takes the option with the id 3.

        Raises:
            GameError: The option is not offered, or no decision is pending. The game is unchanged.
            RulesFault: The rules fail. The game is unchanged.
        """
        decision, entry = self._decision, None
        index: Any = None
        if decision is not None and isinstance(option, Option):
            try:
                if decision.options[option.index] is option:
                    entry, index = option._entry, option.index
            except (IndexError, TypeError):
                pass  # an option created by the caller
        if entry is None:
            state = self.state
            if state.mode != DECISION:
                raise GameError("no decision is pending", code="not-pending")
            question = self._questions.get(state.frame[0]) or find_question(self._questions, state)
            entry, index = question.find_choice(option, state, index)
        self._move(entry, self.state.options[index])

    def roll(self) -> None:
        """Resolve the pending chance event by the game's generator.

        Raises `GameError` if no chance event is pending, and `RulesFault` as `choose` does.
        """
        if self.state.mode != CHANCE:
            raise GameError("no chance event is pending", code="not-pending")
        self._move(None)

    def resolve(self, outcome: Any) -> None:
        """Resolve the pending chance event with a given outcome: the total of the roll, or the id of a card.

        Raises `GameError` if the outcome is impossible or no chance event is pending, `DiceError` if the roll has too
        many outcomes to check, and `RulesFault` as `choose` does.
        """
        if self.state.mode != CHANCE:
            raise GameError("no chance event is pending", code="not-pending")
        result = _plain_outcome(outcome)
        if result is None or all(result != possible for possible, _ in list_outcomes(self.state.roll)):
            message = f"{quote_value(outcome)} is not a possible outcome of {self._step().rule}"
            raise GameError(message, code="impossible-outcome")
        self._resolved = True
        self._move(ChanceEntry(result, None), result)

    def _move(self, entry: Entry | None, answer: Any = None, *, locked: bool = False) -> None:
        """Continue with an answer to the next stop, and add its entry to the record.

        Without an entry, the generator draws the answer. If anything is raised, even an interrupt, the game is
        restored.
        """
        if self._lock is not None and not locked:
            with self._lock:
                set_savepoint(self.state)
                self._move(entry, answer, locked=True)
            return
        state, record, generator = self.state, self._record, self._generator
        words = generator.index if self._resolved else None
        self._decision, entries = None, len(record)
        try:
            while True:
                if entry is None:
                    entry = draw_outcome(state.roll, generator)
                    answer = entry.value
                record.append(entry)
                step = state.take(state, answer)
                while step is not None:
                    step = step(state)
                if state.mode != CHANCE or self.stop_at_chance:
                    return
                entry = None
        except BaseException as error:
            try:
                if isinstance(error, Exception):
                    state.machine.explain(state, error)
                raise
            finally:
                del record[entries:]
                self._restore(words)

    def _restore(self, words: int | None) -> None:
        """Return to the last stop after a move that failed, by a replay of the record.

        So moves that succeed need no copy of the state. The generator has used `words` random words, or if that is
        None, those of the replay.
        """
        again = None
        while again is None:
            try:
                again = replay(self)
            except KeyboardInterrupt:
                continue  # an interrupted move raises its own interrupt once the game is restored
        for name in State.__slots__:
            # Labels of earlier decisions look for the next savepoint in this undo log.
            if name != "undo_log" and hasattr(again.state, name):
                setattr(self.state, name, getattr(again.state, name))
        self._generator.index = again._generator.index if words is None else words

    # -- copies and saves --------------------------------------------------------------------

    def clone(self) -> Game:
        """Return an independent copy, including the generator."""
        other = Game.__new__(Game)
        other.__dict__.update(self.__dict__)
        other.options = dict(self.options)
        other._record = list(self._record)
        other.state = self.state.clone()
        other._chronicle = None if self._chronicle is None else self._chronicle.copy()
        other._seat_logs = {}
        other._generator = self._generator.copy()
        other._forget_decisions()
        return other

    def __copy__(self) -> Game:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle, (type(self), self.ruleset, self._build_save())

    def to_json(self) -> dict[str, Any]:
        """Return the state as plain data, at any stop."""
        return to_json(self.state)

    def save(self, path: str | Path) -> None:
        """Write the game to a file atomically: after a crash, the old or the new file is there, complete.

        Raises `RulewrightError` if `path` is not a file name, and `OSError` if the file cannot be written.
        """
        write_save(place_of_save(path), self._build_save())

    def save_text(self) -> str:
        """Return the text that `save` writes to a file, for a database or a message."""
        return save_text(self._build_save())

    def _build_save(self) -> dict[str, Any]:
        return {
            "ruleset": self.ruleset.reference,
            "digest": self.ruleset.digest,
            "players": self.players,
            "options": dict(sorted(self.options.items())),
            "seed": self.seed,
            "stop_at_chance": self.stop_at_chance,
            "rolled": self._generator.index,
            "state": to_json(self.state),
            "record": [line.to_data() for line in self._record],
        }

    @classmethod
    def load(cls, path: str | Path, ruleset: Ruleset, *, verify: bool = True) -> Game:
        """Load a game written by `save`, at the stop where it was saved, under rules with the same gameplay digest.

        The whole game is replayed to verify the save, so the time grows with the length of its record. With `verify` as
        False, only accidental damage is detected: use it only for saves that no other user can write.

        Raises `GameError` if the file is damaged or forged, is not a save, or is a save from rules other than
        `ruleset`.
        """
        place = place_of_save(path)
        return cls.from_save(read_save(place), ruleset, name=place.name, verify=verify)

    @classmethod
    def load_text(cls, text: str, ruleset: Ruleset, *, verify: bool = True) -> Game:
        """Load a game from the text of `save_text`, as `load` does. Raises `GameError` as `load` does."""
        return cls.from_save(parse_save(text), ruleset, name="this save", verify=verify)

    @classmethod
    def from_save(cls, data: dict[str, Any], ruleset: Ruleset, *, name: str, verify: bool = True) -> Game:
        """Return the game of a save that is given as JSON data, replayed to verify it. Messages call it `name`.

        Raises `GameError` if the save is damaged, is from other rules, or has invalid settings.
        """
        refuse_ruleset(ruleset, "a save is loaded")
        refuse_members(data, name)
        refuse_other_rules(name, data, ruleset)
        game = cls.__new__(cls)
        game.ruleset = ruleset
        game.players = data["players"]
        game.seed = data["seed"]
        game.options = data["options"]
        game.stop_at_chance = data["stop_at_chance"]
        refuse_settings(ruleset, game.players, game.seed, game.options)
        try:
            game._generator = Generator(game.seed, "dice", data["rolled"])
            game.state = from_json(_machine(ruleset), data["state"])
            game._record = [read_entry(plain) for plain in data["record"]]
        except Exception as error:  # forged data may raise anything
            raise GameError(f"{name} is damaged: {shorten(str(error))}", code="damaged") from error
        game.state.events = []
        game._chronicle, game._seat_logs, game._resolved = None, {}, True
        game._forget_decisions()
        if verify:
            game._verify(data, name)
        return game

    def _verify(self, data: dict[str, Any], name: str) -> None:
        """Raise `GameError` if a replay of the record does not lead to the state of the save, and keep its events."""
        # A correct digest does not prove that the save is genuine, so replay its record and compare the states.
        try:
            again = replay(self)
        except RulewrightError as error:
            raise GameError(f"{name} is damaged: {shorten(str(error), 300)}", code="damaged") from error
        same = json.dumps(again.to_json(), sort_keys=True) == json.dumps(data["state"], sort_keys=True)
        # With `stop_at_chance`, the host may have chosen the results, so the generator need not match them.
        if not same or not (self.stop_at_chance or again.matches_generator(data["rolled"])):
            message = f"{name} is damaged: replaying its moves does not give the saved state"
            raise GameError(message, code="damaged")
        self.state, self._chronicle = again.state, again._chronicle

    def matches_generator(self, words: int) -> bool:
        """Return whether the generator itself gave all repeated results, and has used exactly `words` random words."""
        return self._as_rolled and self._generator.index == words

    def apply_entry(self, line: Entry) -> None:
        """Apply an entry of a record. The generator advances as it did originally.

        Raises `GameError` if the entry does not fit, and `RulesFault` as `choose` does.
        """
        match line:
            case ChoiceEntry(option=str() as option) if self.state.mode == DECISION:
                self.choose(option)
            case ChanceEntry() if self.state.mode == CHANCE:
                self._repeat_chance(line)
            case _:
                raise GameError("the record does not fit the rules")

    def _repeat_chance(self, line: ChanceEntry) -> None:
        """Apply a recorded outcome, and draw from the generator as the original roll did. Notes whether both are equal.

        Raises `GameError` for an impossible outcome, and leaves the game unchanged after any exception.
        """
        value, faces, roll = line.value, line.faces, self.state.roll
        words, as_rolled = self._generator.index, self._as_rolled
        try:
            if faces is not None or not isinstance(roll, Roll):
                self._as_rolled = as_rolled and draw_outcome(roll, self._generator) == line
            if not is_possible(roll, value, faces):
                message = f"{quote_value(value)} is not a possible outcome of {self._step().rule}"
                raise GameError(message, code="impossible-outcome")
            self._move(line, value)
        except BaseException:
            self._generator.index, self._as_rolled = words, as_rolled
            raise

    def _repr_html_(self) -> str:
        """Return the HTML for notebooks: the boards as pictures, and the pending decision or the result."""
        return render_html(self.state, self.decision, self.result)

    # -- internals ---------------------------------------------------------------------------

    def _forget_decisions(self) -> None:
        """Begin without decisions that have been read."""
        self._questions = list_questions(self.ruleset)
        self._decision = self._lock = None

    def _step(self) -> Step:
        step = self.state.machine.step(self.state)
        assert step is not None
        return step


def refuse_game(game: object) -> None:
    """Raise `GameError` for anything but a `Game`."""
    if not isinstance(game, Game):
        raise GameError(f"expected a `Game`, not {quote_value(game)}")


def _refuse_machine(machine: Any, ruleset: Ruleset) -> None:
    if not isinstance(machine, Machine):
        raise GameError(f"`machine` must come from `back_ends.make`, not {quote_value(machine)}")
    if machine.ruleset is not ruleset or not machine.undoable:
        raise GameError("the back end must be for the same ruleset and support undo: create it with `back_ends.make`")


def _refuse_event(since: Any) -> None:
    if not isinstance(since, int):
        raise GameError(f"`since` must be an event number from 0 on, not {quote_value(since)}")


def _machine(ruleset: Ruleset) -> Machine:
    """Return the default back end of a game."""
    return compile_ruleset(ruleset, recording=True, undoable=True)


def replay(game: Game) -> Game:
    """Return the game replayed from its record, at the same stop.

    Raises `GameError` for anything but a game, and `GameError` or `RulesFault` if the record does not fit the rules.
    """
    refuse_game(game)
    again = _played_again(game, game.record)
    again.stop_at_chance = game.stop_at_chance
    return again


def _played_again(game: Game, record: Sequence[Entry]) -> Game:
    """Return a new game with the same settings, after the entries of `record`. It stops at chance events."""
    machine: Any = game.state.machine
    settings: dict[str, Any] = {"players": game.players, "seed": game.seed, "options": game.options}
    again = Game(game.ruleset, **settings, stop_at_chance=True, machine=machine)
    for line in record:
        again.apply_entry(line)
    return again


def _plain_outcome(outcome: Any) -> int | str | None:
    """Return an outcome as an int or str, from any type of integer or text. Return None for anything else."""
    if isinstance(outcome, str):
        return str(outcome)
    if isinstance(outcome, bool):
        return None  # bool is a subclass of int
    try:
        return whole(outcome)
    except TypeError:
        return None


def _unpickle(kind: type[Game], ruleset: Ruleset, saved: dict[str, Any]) -> Game:
    return kind.from_save(saved, ruleset, name="this pickled game", verify=False)
