"""Pairs of games that differ only in what one seat may not see, by a reading of the rules of its own.

What happened is read from the events of the machine, and who may see what from `seen_by` and `show` as the
documentation has them. Nothing here asks the part of the engine that leaves things out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from rulewright import Game, Ruleset
from rulewright.base.errors import RulewrightError
from rulewright.engine.game.record import ChanceEntry, ChoiceEntry, Entry
from rulewright.engine.state.faults import RulesFault
from rulewright.engine.state.game_state import CHANCE, DECISION, OVER, Only, State, list_outcomes
from rulewright.engine.state.machine import Machine
from rulewright.ir.program import StateLayout
from rulewright.language.declarations import GAME_KIND
from rulewright.language.expressions.evaluator import Evaluate
from rulewright.language.types import MapOf
from tests.secrets.looks import LeakError

MOST_CANDIDATES = 6
"""Results that are tried for the other game of a pair before the two part."""


class Rules:
    """Who may see what, as the rules say it."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.layout = StateLayout(ruleset.declarations)
        drawn = [step.action for step in ruleset.steps.values() if step.verb.name == "draw"]
        secret = {action.deck for action in drawn if action.deck and action.viewers is not None}
        self.decks = {field for deck in secret for field in ruleset.declarations.decks[deck].fields}

    def is_hidden(self, kind: str, name: str) -> bool:
        """Return whether not everybody sees a field."""
        declared = self.ruleset.declarations.kinds[kind].fields[name]
        return declared.seen_by is not None or name in self.decks


class Mirror:
    """The objects of a game as its events tell of them."""

    def __init__(self, rules: Rules, state: State) -> None:
        self.rules = rules
        self.layout = rules.layout
        self.things = {number: list(entity) for number, entity in enumerate(state.objects) if entity is not None}
        self.read = 0

    def copy(self) -> Mirror:
        other = Mirror.__new__(Mirror)
        other.rules, other.layout, other.read = self.rules, self.layout, self.read
        other.things = {number: list(entity) for number, entity in self.things.items()}
        return other

    def sees(self, seat: int, entity: int, name: str) -> bool:
        """Return whether the player in a seat may see a field of an object; in seat 0, whether all players may."""
        kind = self.layout.names[self.things[entity][0]]
        if not self.rules.is_hidden(kind, name):
            return True
        seers = self.rules.ruleset.declarations.kinds[kind].fields[name].seen_by
        if seers is None:
            return False
        shown = self.things[entity][self.layout.places[kind, f"shown.{name}"]]
        try:
            given = {} if kind == GAME_KIND else {"self": entity}
            by_rule = Evaluate(self.rules.ruleset.declarations, self).value(seers, (), given)
        except (RulewrightError, KeyError, OverflowError):
            by_rule = ()  # it leads through something that has left the game
        return self.all_of(seat, shown) or self.all_of(seat, by_rule)

    def all_of(self, seat: int, seers: Sequence[int]) -> bool:
        """Return whether somebody is among these; whoever only looks on sees what all players do."""
        players = [number for number, entity in self.things.items() if entity[0] == self.layout.kinds["player"]]
        return seat in seers if seat else set(players) <= set(seers)

    # -- what the plain evaluator asks -----------------------------------------------------------

    def objects(self, kind: str) -> tuple[int, ...]:
        number = self.layout.kinds[kind]
        return tuple(sorted(each for each, entity in self.things.items() if each and entity[0] == number))

    def read_field(self, entity: int, kind: str, name: str) -> Any:
        return self.things[entity][self.layout.places[kind, name]]

    def spend(self, operations: int) -> None:
        """Nothing is counted here."""

    def hold(self, elements: int) -> None:
        """Nothing is counted here."""

    # -- what a seat may know of the next event --------------------------------------------------

    def known(self, event: tuple[Any, ...], seat: int) -> tuple[Any, ...]:
        """Return what the player in a seat may know of an event, which the mirror then follows."""
        number, told, *rest = event
        details = tuple(rest)
        match told:
            case "written" if details[0] is None:
                # Names are the rules' own reckoning: what they hold comes from what was seen, or is secret.
                return number, told, details[1]
            case "written":
                return number, told, *self._written(seat, *details)
            case "created":
                entity, values = details
                self.things[entity] = list(values)
                fields = self.rules.ruleset.declarations.kinds[self.layout.names[values[0]]].fields
                seen = tuple(name for name in fields if self.sees(seat, entity, name))
                return (
                    number,
                    told,
                    entity,
                    values[0],
                    *(self.read_field(entity, self._kind(entity), name) for name in seen),
                )
            case "removed":
                self.things.pop(details[0], None)
        if details and isinstance(details[-1], Only):
            *happened, came = details[:-1]
            if self.all_of(seat, details[-1]):
                return number, told, *happened, came
            # Dice of which no more is told may differ by a secret alone, and are then secret as well.
            return number, told, *(() if told == "rolled" else happened), "?"
        return number, told, *details

    def _kind(self, entity: int) -> str:
        return self.layout.names[self.things[entity][0]]

    def _written(self, seat: int, entity: int, name: str, old: Any, new: Any, *row: str) -> tuple[Any, ...]:
        kind = self._kind(entity)
        before = self.sees(seat, entity, name)
        place = self.layout.places[kind, name]
        if row:
            field = self.rules.ruleset.declarations.kinds[kind].fields[name].type
            assert isinstance(field, MapOf)
            at = list(self.rules.ruleset.declarations.tables[field.table].rows).index(row[0])
            held = list(self.things[entity][place])
            held[at] = new
            self.things[entity][place] = tuple(held)
        else:
            self.things[entity][place] = new
        if (kind, f"shown.{name}") in self.layout.places:
            self.things[entity][self.layout.places[kind, f"shown.{name}"]] = ()
        after = self.sees(seat, entity, name)
        # Where two games change the unseen fields of different objects, a secret has chosen the object.
        whose = entity if self.sees(seat, entity, name.removeprefix("shown.")) else "?"
        if row:
            return (whose, name, old if before else "?", new, *row) if after else (whose, name)
        return whose, name, old if before else "?", new if after else "?"


def look_alike(one: State, other: State, mirrors: tuple[Mirror, Mirror], seat: int) -> bool:
    """Return whether two states at a stop are the same for all that the player in a seat may see of them."""
    if (one.mode, one.winners, one.live) != (other.mode, other.winners, other.live):
        return False
    if [frame[0] for frame in one.stack] != [frame[0] for frame in other.stack]:
        return False
    if one.mode == DECISION and (one.who != other.who or (one.who == seat and one.options != other.options)):
        return False
    if one.mode == CHANCE and one.roll != other.roll and not _may_differ(one, other):
        return False
    for mirror, state in zip(mirrors, (one, other), strict=True):
        # What leaves a deck is no event.
        for number, entity in enumerate(state.objects):
            if entity is not None:
                mirror.things[number] = list(entity)
    for number, entity in mirrors[0].things.items():
        kind = mirrors[0].layout.names[entity[0]]
        for name in mirrors[0].layout.fields[kind]:
            place = mirrors[0].layout.places[kind, name]
            if entity[place] != mirrors[1].things[number][place] and mirrors[0].sees(seat, number, name):
                return False
    return True


def _may_differ(one: State, other: State) -> bool:
    """Return whether it is not seen what is left to draw, or of what dice a roll is that not everybody sees."""
    if isinstance(one.roll, tuple) or isinstance(other.roll, tuple):
        return isinstance(one.roll, tuple) and isinstance(other.roll, tuple)
    step = one.machine.step(one)
    return step is not None and step.action.viewers is not None


def same_shape(one: State, other: State) -> bool:
    """Return whether what differs in two states is there in both, and lists of it are as long.

    What follows from play.
    """
    pairs = zip((*one.objects, *one.stack), (*other.objects, *other.stack), strict=True)
    return all(_alike(first, second) for first, second in pairs)


def _alike(one: Any, other: Any) -> bool:
    if isinstance(one, tuple | list):
        return isinstance(other, tuple | list) and len(one) == len(other) and all(map(_alike, one, other))
    return (one is None) == (other is None)


@dataclass
class Pair:
    """Two games that are the same for a seat up to a stop: what was chosen and came up in each, for so many stops."""

    seat: int
    games: list[tuple[Game, Game]]

    @property
    def different(self) -> list[tuple[Game, Game]]:
        """The stops at which something is not the same."""
        return [(one, other) for one, other in self.games if _all_of(one) != _all_of(other)]


def _all_of(game: Game) -> tuple[Any, ...]:
    return game.record, game.state.objects, game.state.stack


def make_pair(
    ruleset: Ruleset,
    *,
    seat: int,
    players: int,
    seed: int,
    most: int,
    machine: Machine | None = None,
    same: int = 0,
    swap: bool = False,
) -> Pair:
    """Return a pair for a seat, dealt anew wherever the seat is not told, as long as it lasts.

    The first `same` answers are the same in both. With `swap`, hidden numbers are others in one of them from there on:
    for rules in which all that happens is told. Raises `LeakError` if a question is asked in one game only.
    """
    random = Random(seed)
    rules = Rules(ruleset)

    def begun() -> Game:
        return Game(ruleset, players=players, seed=0, stop_at_chance=True, machine=machine)

    one, other = begun(), begun()
    start = one.state.machine.empty(players, options=one.options)
    mirrors = Mirror(rules, start), Mirror(rules, start)
    assert _same_so_far((one, other), mirrors, seat)
    pair = Pair(seat, [(one.clone(), other.clone())])
    while len(pair.games) <= most and one.state.mode != OVER:
        if swap and len(pair.games) == same + 1:
            _change_numbers(other, mirrors[1], seat, random)
        for _ in range(MOST_CANDIDATES):
            step = _step(one, other, mirrors, seat, random, same=len(pair.games) <= same)
            if step is not None:
                break
        if step is None:
            break
        one, other, mirrors = step
        pair.games.append((one.clone(), other.clone()))
    return pair


def _step(
    one: Game, other: Game, mirrors: tuple[Mirror, Mirror], seat: int, random: Random, *, same: bool
) -> tuple[Game, Game, tuple[Mirror, Mirror]] | None:
    """Return both games one stop further, by something else in each where the seat is not told."""
    answers = _answers(one)
    answer = random.choice(answers)
    happened = len(one.state.events or [])
    further = _after(one, answer)
    if further is None:
        return None
    details = (further.state.events or [])[happened]
    told = same or not isinstance(details[-1], Only) or mirrors[0].all_of(seat, details[-1])
    possible = _answers(other)
    candidates = [answer] if told else random.sample(possible, len(possible))[:MOST_CANDIDATES]
    for candidate in candidates:
        if candidate not in possible:
            continue
        beside = _after(other, candidate)
        if beside is not None:
            _refuse_skipped((further, beside), mirrors, seat)
        mirrored = mirrors[0].copy(), mirrors[1].copy()
        if beside is not None and _same_so_far((further, beside), mirrored, seat):
            return further, beside, mirrored
    return None


def _answers(game: Game) -> list[Entry]:
    """Return all that can be chosen, or come up, at a stop."""
    decision = game.decision
    if decision is not None:
        return [ChoiceEntry(option.id) for option in decision.options]
    if isinstance(game.state.roll, tuple):
        return [ChanceEntry(card, None) for card in dict.fromkeys(game.state.roll)]
    return [ChanceEntry(total, None) for total, _ in list_outcomes(game.state.roll)]


def _after(game: Game, entry: Entry) -> Game | None:
    """Return a copy of a game after an answer; None where the rules are at fault."""
    after = game.clone()
    try:
        after.choose(entry.option) if isinstance(entry, ChoiceEntry) else after.resolve(entry.value)
    except RulesFault:
        return None
    return after


def _same_so_far(games: tuple[Game, Game], mirrors: tuple[Mirror, Mirror], seat: int) -> bool:
    """Return whether a seat is told the same of what happened since the mirrors were read, and sees the same now."""
    told = []
    for game, mirror in zip(games, mirrors, strict=True):
        events = game.state.events or []
        told.append([mirror.known(event, seat) for event in events[mirror.read :]])
        mirror.read = len(events)
    return told[0] == told[1] and look_alike(games[0].state, games[1].state, mirrors, seat)


def _refuse_skipped(games: tuple[Game, Game], mirrors: tuple[Mirror, Mirror], seat: int) -> None:
    """Raise `LeakError` if another player is asked in one of two games only, where a seat was told the same in both."""
    events = [(game.state.events or [])[mirror.read :] for game, mirror in zip(games, mirrors, strict=True)]
    for asked, skipped in ((0, 1), (1, 0)):
        state, so_far = games[asked].state, len(events[asked])
        if state.mode != DECISION or state.who == seat or len(events[skipped]) <= so_far:
            continue
        number, told, *details = events[skipped][so_far]
        if (number, told) == (state.frame[0], "asked") and details[0] == state.who:
            followed = [mirror.copy() for mirror in mirrors]
            known = [[mirror.known(each, seat) for each in events[at][:so_far]] for at, mirror in enumerate(followed)]
            if known[0] == known[1]:
                step = state.machine.step(state)
                raise LeakError(f"player {state.who} is not always asked by {step.rule if step else number}")


def _change_numbers(game: Game, mirror: Mirror, seat: int, random: Random) -> None:
    """Put other numbers into all fields that a seat does not see."""
    for number, entity in enumerate(game.state.objects):
        kind = mirror.layout.names[entity[0]] if entity is not None else ""
        for name in mirror.layout.fields.get(kind, ()):
            place = mirror.layout.places[kind, name]
            if type(entity[place]) is int and not mirror.sees(seat, number, name):
                entity[place] += random.randint(1, 9)


def find_pairs(
    ruleset: Ruleset, *, stops: int, least: int, most: int, machine: Machine | None = None, swap: bool = False
) -> list[Pair]:
    """Pairs that differ, for every seat and for whoever looks on, until there are enough of them and of their stops."""
    players = ruleset.players[0]
    pairs: list[Pair] = []
    for number in range(1000):
        same = Random(number).randrange(12) if number % 2 else 0
        pair = make_pair(
            ruleset,
            seat=number % (players + 1),
            players=players,
            seed=number,
            most=most,
            machine=machine,
            same=same,
            swap=swap,
        )
        if pair.different:
            pairs.append(pair)
            if len(pairs) >= least and sum(len(pair.different) for pair in pairs) >= stops:
                return pairs
    raise AssertionError(f"of {ruleset.reference}, only {len(pairs)} pairs differ")
