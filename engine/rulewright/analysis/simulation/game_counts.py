"""Counts of games as whole numbers, which add up to the same totals in any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from rulewright.engine.boards.board_contents import has_places
from rulewright.engine.narration.plain_names import Names, capitalize
from rulewright.engine.narration.rich_text import to_text
from rulewright.language.checked_steps import Step
from rulewright.language.declarations import FIRST_PLAYER
from rulewright.language.lowering import find_option_type, list_asks, list_marks, list_offers, list_operations, mark_of
from rulewright.language.operations import Chance, Draw
from rulewright.language.types import Choice, Entity, ListOf, Optional, RecordOf, Row, Type, present
from rulewright.ruleset.ruleset import Ruleset

Key = TypeVar("Key")

Taken = tuple[int, str]
"""An option of a decision: the number of the step, and the key of the choice."""


class Counts:
    """The results of a set of games. Equal games have equal counts. You can add the counts of different games of a run.

    Attributes:
        games: The number of games.
        draws: The games that ended without a winner.
        shared: The games with several winners.
        unfinished: The games that did not end.
        decisions: The decisions of all games together.
        wins_by_seat: The wins of each seat, in order. A shared win counts for each winner.
        games_by_policy: The games of each bot, by name, once for each of its seats.
        wins_by_policy: The wins of each bot, by name.
        measures: For each measure, the number of games by its value.
        lengths: The number of games by their number of decisions.
        decided: The number of games by the number of the step that ended them. `Ruleset.steps` has the steps.
        drawn: The same for the games that ended without a winner only.
        series: For each measure over time, the sum of the values, their number and the sum of their squares by moment.
        steps: With coverage, how often each step fired, by its number.
        rows: With coverage, how often each row was rolled or drawn, by table and row.
        taken: With coverage, how often players took each option, by step and option.
        takers: With coverage, the games and wins of the seats that took an option at least once.
        asked: With coverage, the games and wins of the seats that faced a decision at least once, by step.
        answers: With coverage, the number of games with decisions at a step, and the sum of the squares of their number
            in each game, by step.
        takes: With coverage, the sum of the squares of how often a game has an option, and of its products with the
            number of decisions at the step, by step and option.
    """

    def __init__(self, seats: int, policies: Mapping[str, int]) -> None:
        self.games = 0
        self.draws = 0
        self.shared = 0
        self.unfinished = 0
        self.decisions = 0
        self.wins_by_seat = [0] * seats
        self.games_by_policy: Counter[str] = Counter()
        self.wins_by_policy: Counter[str] = Counter(dict.fromkeys(policies, 0))
        self.measures: dict[str, Counter[int]] = {}
        self.lengths: Counter[int] = Counter()
        self.decided: Counter[int] = Counter()
        self.drawn: Counter[int] = Counter()
        self.series: dict[str, dict[int, list[int]]] = {}
        self.steps: Counter[int] = Counter()
        self.rows: Counter[tuple[str, str]] = Counter()
        self.taken: Counter[Taken] = Counter()
        self.takers: dict[Taken, list[int]] = {}
        self.asked: dict[int, list[int]] = {}
        self.answers: dict[int, list[int]] = {}
        self.takes: dict[Taken, list[int]] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counts) and vars(self) == vars(other)

    def add_game(
        self,
        *,
        seats: Sequence[str],
        winners: Sequence[int] | None,
        decisions: int,
        measures: Mapping[str, int],
        decided: int = 0,
    ) -> None:
        """Count one game from its bots by seat, its winning seats, its decisions and its measures.

        No winners mean a draw, and None means a game that did not end. `decided` is the number of the step that ended
        it.
        """
        self.add_ends(seats=seats, winners=winners, decided=decided)
        self.add_lengths({decisions: 1})
        for name, value in measures.items():
            self.measures.setdefault(name, Counter())[value] += 1

    def add_ends(
        self, *, seats: Sequence[str], winners: Sequence[int] | None, decided: int = 0, games: int = 1
    ) -> None:
        """Count `games` games with the same result, without their lengths and measures.

        `seats` has the policy of each seat, whose games and wins are counted too. `winners` are seats from 0, empty for
        a draw, and None if the games did not end. `decided` is the number of the step that ended them, and is ignored
        if they did not end.
        """
        self.games += games
        for policy in seats:
            self.games_by_policy[policy] += games
        if winners is None:
            self.unfinished += games
        elif not winners:
            self.draws += games
            self.drawn[decided] += games
        elif len(winners) > 1:
            self.shared += games
        for seat in winners or ():
            self.wins_by_seat[seat] += games
            self.wins_by_policy[seats[seat]] += games
        if winners is not None:
            self.decided[decided] += games

    def add_lengths(self, lengths: Mapping[int, int]) -> None:
        """Count the lengths of games, as a mapping from a number of decisions to a number of games."""
        self.lengths.update(lengths)
        self.decisions += sum(length * games for length, games in lengths.items())

    def add_moment(self, measure: str, moment: int, value: int, games: int = 1) -> None:
        """Count the value of a measure at one moment of one or more games."""
        _add(self.series.setdefault(measure, {}), moment, (value * games, games, value * value * games))

    def add_seat(self, step: int, *, won: bool) -> None:
        """Count one seat in one game that faced the decision of a step."""
        _add(self.asked, step, (1, won))

    def add_taker(self, option: Taken, *, won: bool) -> None:
        """Count one seat in one game that took an option at least once."""
        _add(self.takers, option, (1, won))

    def add_answers(self, times_by_option: Mapping[Taken, int]) -> None:
        """Count how often the players of one game took each option."""
        self.taken.update(times_by_option)
        self.add_answer_squares(times_by_option)

    def add_answer_squares(self, times_by_option: Mapping[Taken, int]) -> None:
        """Count the squares of how often each option was taken in a game, or in games that depend on each other."""
        answers: Counter[int] = Counter()
        for (step, _), times in times_by_option.items():
            answers[step] += times
        for step, times in answers.items():
            _add(self.answers, step, (1, times * times))
        for option, times in times_by_option.items():
            _add(self.takes, option, (times * times, times * answers[option[0]]))

    def __iadd__(self, other: Counts) -> Counts:
        """Add the counts of `other`. Raises `ValueError` for another number of seats."""
        self.games += other.games
        self.draws += other.draws
        self.shared += other.shared
        self.unfinished += other.unfinished
        self.decisions += other.decisions
        self.wins_by_seat = [a + b for a, b in zip(self.wins_by_seat, other.wins_by_seat, strict=True)]
        for name in _COUNTERS:
            getattr(self, name).update(getattr(other, name))
        for name, values in other.measures.items():
            self.measures.setdefault(name, Counter()).update(values)
        for name, moments in other.series.items():
            _add_all(self.series.setdefault(name, {}), moments)
        _add_all(self.takers, other.takers)
        _add_all(self.asked, other.asked)
        _add_all(self.answers, other.answers)
        _add_all(self.takes, other.takes)
        return self

    def to_plain(self) -> dict[str, Any]:
        """Return data that compares equal for equal counts."""
        results: dict[str, Any] = {name: getattr(self, name) for name in _NUMBERS}
        results["wins_by_seat"] = list(self.wins_by_seat)
        for name in (*_COUNTERS, *_LISTS):
            results[name] = dict(sorted(getattr(self, name).items()))
        for name in ("measures", "series"):
            results[name] = {key: dict(sorted(inner.items())) for key, inner in sorted(getattr(self, name).items())}
        return results

    def to_json(self) -> dict[str, Any]:
        """Return the counts as JSON data. Mappings without text keys become lists of pairs."""
        results: dict[str, Any] = {name: getattr(self, name) for name in (*_NUMBERS, "wins_by_seat")}
        for name in (*_COUNTERS, *_LISTS):
            results[name] = [[key, value] for key, value in sorted(getattr(self, name).items())]
        for name in ("measures", "series"):
            results[name] = {key: sorted(inner.items()) for key, inner in getattr(self, name).items()}
        return results

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Counts:
        """Return the counts from the data of `to_json`.

        Raises `LookupError`, `TypeError`, `ValueError` or `AttributeError` for invalid data.
        """
        counts = cls(len(data["wins_by_seat"]), {})
        for name in _NUMBERS:
            setattr(counts, name, _count(data[name]))
        counts.wins_by_seat = [_count(each) for each in data["wins_by_seat"]]
        for name in _COUNTERS:
            getattr(counts, name).update({_key(key): _count(value) for key, value in data[name]})
        for name in _LISTS:
            getattr(counts, name).update({_key(key): [_count(each) for each in value] for key, value in data[name]})
        if not all(type(length) is int for length in counts.lengths):
            raise ValueError("a length must be a number of decisions")
        counts.measures = {name: Counter(dict(_pairs(values))) for name, values in data["measures"].items()}
        counts.series = {name: dict(_pairs(moments)) for name, moments in data["series"].items()}
        return counts


_NUMBERS = ("games", "draws", "shared", "unfinished", "decisions")
_LISTS = ("takers", "asked", "answers", "takes")
_COUNTERS = ("games_by_policy", "wins_by_policy", "lengths", "decided", "drawn", "steps", "rows", "taken")


def _add(into: dict[Key, list[int]], key: Key, more: Sequence[int]) -> None:
    """Add `more` to the list of a key, item by item, or store a copy of it for a new key."""
    result = into.get(key)
    if result is None:
        into[key] = [int(each) for each in more]
        return
    for place, each in enumerate(more):
        result[place] += each


def _add_all(into: dict[Key, list[int]], more: Mapping[Key, Sequence[int]]) -> None:
    for key, values in more.items():
        _add(into, key, values)


def _count(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"{value!r} is not a count")
    return value


def _key(key: Any) -> Any:
    return tuple(key) if isinstance(key, list) else key


def _pairs(pairs: Sequence[Sequence[Any]]) -> list[tuple[int, Any]]:
    return [(int(key), value) for key, value in pairs]


SELECTION = " of them"
"""The end of the key of a selection, after the number of its elements."""

SOME = "any"
"""The key shared by options that differ from game to game, such as objects and spaces."""


def add_details(
    counts: Counts, ruleset: Ruleset, events: Iterable[tuple[Any, ...]], winners: Collection[int] | None
) -> None:
    """Add the steps, rows and options from the events of one game to `counts`.

    `winners` are seats from 0, or None if the game did not end. Without an end, `asked` and `takers` stay the same.
    """
    steps = ruleset.steps
    seats: dict[int, set[int]] = {}
    takers: dict[Taken, set[int]] = {}
    times: Counter[Taken] = Counter()
    for number, event_kind, *details in events:
        step = steps[number]
        counts.steps[number] += (event_kind, details[1] if event_kind == "written" else "") in list_marks(step)
        match event_kind:
            case "asked":
                who, value, *_ = details  # any further items are the players who can see it
                option = (number, build_option_key(value, find_option_type(step), ruleset))
                times[option] += 1
                seats.setdefault(number, set()).add(who)
                takers.setdefault(option, set()).add(who)
            case "rolled" if (table := _rolled_on(step)) is not None:
                counts.rows[table, ruleset.declarations.tables[table].by_face[details[1]]] += 1
            case "drawn" if (table := _drawn_from(step)) and not has_places(ruleset.declarations.tables[table]):
                counts.rows[table, details[0]] += 1
    counts.add_answers(times)
    if winners is None:
        return
    for number, players in seats.items():
        for player in players:
            counts.add_seat(number, won=player - FIRST_PLAYER in winners)
    for option, players in takers.items():
        for player in players:
            counts.add_taker(option, won=player - FIRST_PLAYER in winners)


@lru_cache(maxsize=4096)
def _drawn_from(step: Step) -> str:
    """Return the table whose rows a step draws, or an empty string."""
    kinds = (each.among.type for each in list_operations(step) if isinstance(each, Draw))
    return next((kind.inner.table for kind in kinds if isinstance(kind, ListOf) and isinstance(kind.inner, Row)), "")


def build_option_key(value: Any, kind: Type | None, ruleset: Ruleset) -> str:
    """Return a key for a choice that is the same for the same choice in another game.

    Objects and spaces share the key `any`, because their numbers differ from game to game. Lists only have their
    length, as in `2 of them`, and no choice has the key `none`. Parts of a record are joined by `/`.
    """
    match kind, value:
        case _, None:
            return "none"
        case Optional(inner=inner), _:
            return build_option_key(value, inner, ruleset)
        case ListOf(), tuple():
            return f"{len(value)}{SELECTION}"
        case RecordOf(parts=parts), tuple():
            return "/".join(build_option_key(item, part, ruleset) for (_, part), item in zip(parts, value, strict=True))
        case Entity(), _:
            return SOME
        case Row(table=table), _ if has_places(ruleset.declarations.tables[table]):
            return SOME
    return str(value)


def is_one_option(key: str) -> bool:
    """Return whether a key of `build_option_key` always stands for the same option, and is not shared by several."""
    return SOME not in key.split("/") and not key.endswith(SELECTION)


def label_option(key: str, step: Step, names: Names) -> str:
    """Return the label of an option for readers, from its key (`build_option_key`).

    The label is `Whichever` for objects and spaces, which share one key. Raises `IndexError` if the step asks no
    player.
    """
    kind = present(find_option_type(step))
    if key == "none":
        words = step.words.get("none", "")
        return names.format_words(words) if words else to_text(names.say.build("None of these"))
    if key == SOME and isinstance(kind, (Entity, Row)):
        return "Whichever"
    if isinstance(kind, Choice):
        offers = (offer for ask in list_asks(step) for offer in list_offers(ask))
        label = next((offer.label for offer in offers if offer.id == key), "")
        return names.format_words(label) if label else names.name_choice(key)
    if isinstance(kind, RecordOf):
        parts = zip((part for _, part in kind.parts), key.split("/"), strict=True)
        return ", ".join(text for part, each in parts if (text := _part_label(each, part, names))) or "Whichever"
    return names.name_row(kind.table, key) if isinstance(kind, Row) else capitalize(key)


def _part_label(key: str, kind: Type, names: Names) -> str:
    """Return the label of one part of a record, or an empty text for objects and spaces."""
    kind = present(kind)
    if isinstance(kind, Row) and key in names.ruleset.declarations.tables[kind.table].rows:
        return names.name_row(kind.table, key)
    return "" if key == SOME and isinstance(kind, (Entity, Row)) else key


def leaves_events(step: Step) -> bool:
    """Return whether a step of the rules records an event of its own. Blocks, loops and plain names do not."""
    return not step.is_dispatch and any(map(mark_of, list_operations(step)))


@lru_cache(maxsize=4096)
def _rolled_on(step: Step) -> str | None:
    """Return the table that a step rolls on, or None."""
    return next((each.table for each in list_operations(step) if isinstance(each, Chance)), None)


@dataclass(frozen=True, slots=True)
class GameRow:
    """One game, with its bots by seat, its winning seats and its measures.

    `winning_seats` counts from 1, so seat 1 has the bot `seats[0]`. An empty tuple means a draw, and None a game that
    did not end.
    """

    number: int
    seats: tuple[str, ...]
    winning_seats: tuple[int, ...] | None
    decisions: int
    measures: Mapping[str, int]

    def has_won(self, seat: int) -> bool:
        """Return whether a seat, counted from 1, has won, alone or with others."""
        return seat in (self.winning_seats or ())

    def list_wins(self) -> tuple[int, ...]:
        """Return 1 for each seat that has won, alone or with others, and 0 for each of the other seats."""
        return tuple(int(self.has_won(seat)) for seat in range(1, len(self.seats) + 1))

    def list_winning_bots(self) -> list[str]:
        """Return the bot of each winning seat; empty for a draw and for a game that did not end."""
        return [self.seats[seat - 1] for seat in self.winning_seats or ()]


def make_row(
    number: int, seats: tuple[str, ...], winners: tuple[int, ...] | None, decisions: int, measures: Mapping[str, int]
) -> GameRow:
    """Return the row of a game. `winners` are seats from 0, as in the counts."""
    won = None if winners is None else tuple(winner + 1 for winner in winners)
    return GameRow(number, seats, won, decisions, measures)
