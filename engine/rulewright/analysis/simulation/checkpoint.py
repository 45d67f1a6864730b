"""A checkpoint file with the settings of a run and the counts of the games played, written atomically."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from hashlib import sha256
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn

from rulewright.analysis.simulation.game_counts import Counts, label_option
from rulewright.analysis.simulation.run_simulation import SimulationRun
from rulewright.analysis.simulation.shard import MOST_DECISIONS, Shard
from rulewright.engine.narration.plain_names import Names
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.edition_reference import make_argument_node
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.diagnostic import Code, Diagnostic
from rulewright.source.files.atomic_write import lock_folders, write_text
from rulewright.source.files.safe_read import read_regular

FORMAT = 4

MOST_BYTES = 256 * 1024 * 1024
"""The maximum size of a checkpoint file in bytes."""

MOST_GAMES = 10**15
"""An upper limit on the number of games of a run, to reject damaged files."""

_LARGEST = 2**63
_MOST_TIMES = 10**30

OTHER_RUN = Code(
    "other-run",
    "A run that cannot be continued",
    "Games with other rules or settings cannot be added to the games already played.",
    "Repeat the settings of that run, or name another file to start over.",
)
NO_RUN = Code(
    "no-run",
    "A file that is not a saved run",
    "Counts from a truncated or edited file would silently give wrong statistics.",
    "Name another file, or remove this one to start over.",
)


class NoRunError(DiagnosticError):
    """An error for a file that is not a checkpoint, is damaged, or belongs to another run."""


class Checkpoint:
    """The checkpoint file of a run of `ruleset`.

    The object remembers the contents that it last read or wrote, to detect changes by other processes.
    """

    def __init__(self, path: Path, ruleset: Ruleset) -> None:
        self.path = path
        self._ruleset = ruleset
        self._known: bytes | None = None

    def read_into(self, run: SimulationRun) -> None:
        """Add the games of the file to the counts of `run`. Do nothing if there is no file.

        Raises `NoRunError` if the file is not a checkpoint, is damaged, or has other rules or settings.
        """
        data = self._data()
        if data is not None:
            counts = self._counts(data, run.shard)
            run.counts += counts
            run.loaded_games += counts.games
            self._known = sha256(data).digest()

    def write(self, run: SimulationRun) -> int:
        """Write the counts of `run` atomically and return the number of games in the file.

        If another process has meanwhile written a longer run, its file stays, because both runs play the same games.
        Raises `OSError` if the file cannot be written, and `NoRunError` if it no longer belongs to this run.
        """
        settings, counts = _settings(run.shard), run.counts.to_json()
        texts = {"rulewright simulation": FORMAT, "check": _check(settings, counts), "settings": settings}
        text = json.dumps({**texts, "counts": counts}, ensure_ascii=False)
        with lock_folders(Path(os.path.realpath(self.path)).parent):
            there = self._data()
            if there is not None and sha256(there).digest() != self._known:
                games = self._counts(there, run.shard).games
                if games > run.counts.games:
                    return games
            write_text(self.path, text)
        self._known = sha256(text.encode()).digest()
        return run.counts.games

    def _data(self) -> bytes | None:
        """Return the contents of the file, or None if there is no file. Raises `NoRunError` if it cannot be read."""
        try:
            return read_regular(self.path, MOST_BYTES)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            text = getattr(error, "strerror", None) or "it is not a file name"
            return _refuse(NO_RUN, self.path, f"`{self.path}` cannot be read: {text}")

    def _counts(self, content: bytes, shard: Shard) -> Counts:
        """Return the counts in the content of a file. Raises `NoRunError` if it is damaged or of another run."""
        try:
            data = json.loads(content.decode("utf-8"))
            result, settings = data["rulewright simulation"], data["settings"]
            counts = Counts.from_json(data["counts"])
            sound = (
                result == FORMAT
                and data["check"] == _check(settings, data["counts"])
                # The digest detects accidental changes. Against forged ones, the counts must also survive a round trip.
                and _plain(counts.to_json()) == _plain(data["counts"])
                and isinstance(settings, dict)
            )
        except Exception:  # a forged file may raise any exception
            sound = False
        if not sound:
            _refuse(NO_RUN, self.path, f"`{self.path}` is not a saved run, or is damaged")
        required = _settings(shard)
        other = [name for name in required if settings.get(name) != required[name]]
        if other:
            text = "; ".join(
                f"{name}: {_describe(settings.get(name))} there, {_describe(required[name])} here" for name in other
            )
            _refuse(OTHER_RUN, self.path, f"`{self.path}` belongs to another run: {text}")
        wrong = _inconsistency(counts, shard, self._ruleset)
        if wrong is not None:
            _refuse(NO_RUN, self.path, f"`{self.path}` is not a saved run, or is damaged: {wrong}")
        return counts


def _check(settings: Any, counts: Any) -> str:
    return sha256(_plain([settings, counts]).encode()).hexdigest()


def _plain(data: Any) -> str:
    return json.dumps(data, sort_keys=True)


def _settings(shard: Shard) -> dict[str, Any]:
    """Return the settings that all games of a run share.

    They include the digest of the rules, but not the folders, which may move.
    """
    return {
        "program": version("rulewright"),
        "ruleset": shard.reference,
        "digest": shard.digest,
        "policies": list(shard.policies),
        "options": [list(pair) for pair in shard.options],
        "seed": shard.seed,
        "coverage": shard.coverage,
    }


def _describe(value: Any) -> str:
    if not isinstance(value, list):
        return f"`{value}`" if isinstance(value, str) else json.dumps(value)
    return f"`{','.join('='.join(map(str, each)) if isinstance(each, list) else str(each) for each in value)}`"


def _refuse(code: Code, path: Path, message: str) -> NoReturn:
    raise NoRunError([Diagnostic(code, message, make_argument_node(str(path)).span)])


# -- consistency of counts -------------------------------------------------------------------------


def _inconsistency(counts: Counts, shard: Shard, ruleset: Ruleset) -> str | None:
    """Return the first inconsistency in the counts of a run, or None if there is none.

    Counts that pass may still be wrong, but a report can display them.
    """
    if not 1 <= counts.games <= MOST_GAMES:
        return "the number of games is out of range"
    # Each check may rely on the checks before it.
    result = chain(_ends(counts, shard), _read_metrics(counts, ruleset), _steps(counts, shard, ruleset))
    return next((text for wrong, text in result if wrong), None)


def _ends(counts: Counts, shard: Shard) -> Iterator[tuple[bool, str]]:
    """Yield, for each contradiction between ends of games, whether it exists and a message for it."""
    seats, games = len(shard.policies), counts.games
    ended = games - counts.unfinished
    decisive = ended - counts.draws
    places = Counter(shard.policies)
    won = sum(counts.wins_by_seat)
    counted = (counts.lengths, counts.decided, counts.drawn, counts.steps, counts.rows, counts.taken)
    yield (
        any(not 1 <= times <= _MOST_TIMES for each in counted for times in each.values()),
        "a count is out of range",
    )
    yield len(counts.wins_by_seat) != seats, "the number of seats is wrong"
    yield decisive < 0, "more games are unfinished or drawn than were played"
    yield any(wins > decisive for wins in counts.wins_by_seat), "a seat has won more games than had a winner"
    yield counts.shared > decisive, "more games have several winners than had a winner"
    least, most = decisive + counts.shared, decisive - counts.shared + counts.shared * seats
    yield not least <= won <= most, "the wins of the seats do not match the games with a winner"
    yield (
        dict(counts.games_by_policy) != {name: games * there for name, there in places.items()},
        "the number of games of a bot is wrong",
    )
    yield not set(counts.wins_by_policy) <= set(places), "a bot that did not play has won"
    yield (
        any(wins > decisive * places[name] for name, wins in counts.wins_by_policy.items()),
        "a bot has won more games than had a winner",
    )
    yield sum(counts.wins_by_policy.values()) != won, "the wins of the bots do not match those of the seats"
    yield any(not 0 <= length <= MOST_DECISIONS for length in counts.lengths), "the length of a game is out of range"
    yield sum(counts.lengths.values()) != games, "the lengths do not match the number of games"
    yield (
        counts.decisions != sum(length * times for length, times in counts.lengths.items()),
        "the lengths do not add up to the number of decisions",
    )
    yield sum(counts.decided.values()) != ended, "the steps that ended games do not match the number of finished games"
    yield sum(counts.drawn.values()) != counts.draws, "the steps that ended games do not match the number of draws"
    yield (
        any(times > counts.decided[step] for step, times in counts.drawn.items()),
        "a step ended more draws than games",
    )


def _read_metrics(counts: Counts, ruleset: Ruleset) -> Iterator[tuple[bool, str]]:
    """Yield, for each contradiction between measures and rules, whether it exists and a message for it."""
    games, ended = counts.games, counts.games - counts.unfinished
    names = set(ruleset.measures)
    clocked = {measure.id for measure in ruleset.measures.values() if measure.per is not None}
    yield set(counts.measures) != (names if ended else set()), "the measures are not those of the rules"
    for values in counts.measures.values():
        yield (
            not all(_is_number(value) and _is_number(times, 1) for value, times in values.items()),
            "a value of a measure is not a number",
        )
        yield sum(values.values()) != ended, "the values of a measure do not match the number of finished games"
    yield not set(counts.series) <= clocked, "the series are not those of the rules"
    for moments in counts.series.values():
        yield (
            not all(_is_number(at) and _is_moment(moment) for at, moment in moments.items()),
            "a point of a series is missing",
        )
        seen = sum(moment[1] for moment in moments.values())
        yield seen > counts.decisions + 2 * games, "a series has more moments than decisions"


def _steps(counts: Counts, shard: Shard, ruleset: Ruleset) -> Iterator[tuple[bool, str]]:
    """Yield, for each contradiction between coverage and rules, whether it exists and a message for it."""
    steps, tables = ruleset.steps, ruleset.declarations.tables
    watched: tuple[Mapping[Any, Any], ...] = (
        *(counts.steps, counts.rows, counts.taken, counts.takers, counts.asked),
        *(counts.answers, counts.takes),
    )
    yield not shard.coverage and any(watched), "there is coverage, but the run was without it"
    named = [*counts.decided, *counts.steps, *counts.asked]
    yield any(number not in steps and number != 0 for number in named), "a step does not exist in the rules"
    yield (
        any(not _is_pair(row) or row[0] not in tables or row[1] not in tables[row[0]].rows for row in counts.rows),
        "a table row does not exist in the rules",
    )
    yield not all(_is_option(option, ruleset) for option in counts.taken), "an option does not exist in the rules"
    yield not set(counts.takers) <= set(counts.taken), "an option was both taken and never taken"
    yield set(counts.takes) != set(counts.taken), "the squares are not those of the options that were taken"
    yield set(counts.answers) != {step for step, _ in counts.taken}, "the squares are not those of the decisions"
    for squares in counts.takes.values():
        yield len(squares) != 2 or not squares[0] <= squares[1], "an option was taken more often than players decided"
    for games_squares in counts.answers.values():
        yield len(games_squares) != 2 or not 1 <= games_squares[0] <= counts.games, "the number of games is wrong"
    most = counts.games * len(shard.policies)
    for pair in (*counts.takers.values(), *counts.asked.values()):
        yield len(pair) != 2 or not 0 <= pair[1] <= pair[0] <= most, "a seat won more games than it played"
    for option, (took, won) in counts.takers.items():
        yield took > counts.taken[option], "more seats took an option than the number of times it was taken"
        all_seats, all_won = counts.asked.get(option[0], (0, 0))
        yield not 0 <= all_won - won <= all_seats - took, "more seats took an option than were asked"


def _is_number(value: Any, least: int = -_LARGEST) -> bool:
    return type(value) is int and least <= value <= max(_LARGEST, MOST_GAMES)


def _is_moment(value: Any) -> bool:
    """Return whether the value can be a sum, a positive count, and a sum of squares of the same numbers."""
    if not isinstance(value, list) or len(value) != 3 or any(type(each) is not int for each in value):
        return False
    total, count, squares = value
    return bool(count >= 1 and total * total <= count * squares <= count * count * _LARGEST**2)


def _is_pair(key: Any) -> bool:
    return isinstance(key, tuple) and len(key) == 2 and all(isinstance(part, str) for part in key)


def _is_option(option: Any, ruleset: Ruleset) -> bool:
    """Return whether a value is a key of `Counts.taken` whose step exists in the rules and can name the option."""
    if not isinstance(option, tuple) or len(option) != 2 or not isinstance(option[1], str):
        return False
    step = ruleset.steps.get(option[0])
    try:
        return step is not None and isinstance(label_option(option[1], step, Names(ruleset)), str)
    except (LookupError, ValueError, TypeError, AttributeError):
        return False
