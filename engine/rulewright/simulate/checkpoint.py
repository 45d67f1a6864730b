"""The file from which a run goes on: its settings and the counts of the games done, written whole or not at all."""

from __future__ import annotations

import json
import os
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, NoReturn

from rulewright.ruleset.reference import argument
from rulewright.ruleset.ruleset import Ruleset
from rulewright.simulate.consistency import inconsistency
from rulewright.simulate.counts import Counts
from rulewright.simulate.run import Run
from rulewright.simulate.shard import Shard
from rulewright.source.diagnostics.collected import DiagnosticError
from rulewright.source.diagnostics.diagnostic import Code, Diagnostic
from rulewright.source.files.reading import read_regular
from rulewright.source.files.writing import locked, write_text

FORMAT = 2

MOST_BYTES = 256 * 1024 * 1024
"""The largest file that is gone on with."""

OTHER_RUN = Code(
    "other-run",
    "A run that cannot be gone on with",
    "Games of other rules or settings do not add up with those that are done.",
    "Give the settings it was begun with, or another file to begin anew.",
)
NO_RUN = Code(
    "no-run",
    "A file that holds no run",
    "Counts that are cut short or changed would be wrong figures without a word.",
    "Name another file, or remove this one to begin anew.",
)


class NoRunError(DiagnosticError):
    """A file that holds no run, or another one."""


class Checkpoint:
    """The file of a run of `ruleset`. What it held when it was read or written here last, is known."""

    def __init__(self, path: Path, ruleset: Ruleset) -> None:
        self.path = path
        self._ruleset = ruleset
        self._known: bytes | None = None

    def read_into(self, run: Run) -> None:
        """Give `run` the counts of the games that are done; where there is no file, none are.

        Raises `NoRunError` for a file that holds no run, or one of other rules or settings.
        """
        data = self._data()
        if data is not None:
            counts = self._counts(data, run.shard)
            run.counts += counts
            run.kept += counts.games
            self._known = sha256(data).digest()

    def write(self, run: Run) -> int:
        """Write what is done: the old file or the new one is there afterwards, whole. Returns the games of the file.

        Where another process has written to it meanwhile, the longer run stays: games are the same whoever plays them.
        Raises `OSError`, and `NoRunError` where the file is no file of this run any more.
        """
        settings, counts = _settings(run.shard), run.counts.to_json()
        said = {"rulewright simulation": FORMAT, "check": _check(settings, counts), "settings": settings}
        text = json.dumps({**said, "counts": counts}, ensure_ascii=False)
        with locked(Path(os.path.realpath(self.path)).parent):
            there = self._data()
            if there is not None and sha256(there).digest() != self._known:
                games = self._counts(there, run.shard).games
                if games > run.counts.games:
                    return games
            write_text(self.path, text)
        self._known = sha256(text.encode()).digest()
        return run.counts.games

    def _data(self) -> bytes | None:
        """What the file holds; None where there is none."""
        try:
            return read_regular(self.path, MOST_BYTES)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            said = getattr(error, "strerror", None) or "that is no name of a file"
            return _refuse(NO_RUN, self.path, f"`{self.path}` cannot be read: {said}")

    def _counts(self, content: bytes, shard: Shard) -> Counts:
        """The counts in the file. Raises `NoRunError` where they are not of this run."""
        try:
            data = json.loads(content.decode("utf-8"))
            made, settings = data["rulewright simulation"], data["settings"]
            counts = Counts.from_json(data["counts"])
            sound = (
                made == FORMAT
                and data["check"] == _check(settings, data["counts"])
                # A digest finds what changed by itself; whoever makes one up must still write what this program writes.
                and _plain(counts.to_json()) == _plain(data["counts"])
                and isinstance(settings, dict)
            )
        except Exception:  # what was made up may break anywhere
            sound = False
        if not sound:
            _refuse(NO_RUN, self.path, f"`{self.path}` holds no run, or is damaged")
        wanted = _settings(shard)
        other = [name for name in wanted if settings.get(name) != wanted[name]]
        if other:
            said = "; ".join(f"{name}: {_said(settings.get(name))} there, {_said(wanted[name])} here" for name in other)
            _refuse(OTHER_RUN, self.path, f"`{self.path}` is another run: {said}")
        wrong = inconsistency(counts, shard, self._ruleset)
        if wrong is not None:
            _refuse(NO_RUN, self.path, f"`{self.path}` holds no run, or is damaged: {wrong}")
        return counts


def _check(settings: Any, counts: Any) -> str:
    return sha256(_plain([settings, counts]).encode()).hexdigest()


def _plain(data: Any) -> str:
    return json.dumps(data, sort_keys=True)


def _settings(shard: Shard) -> dict[str, Any]:
    """What all games of a run have in common. Which folders the rules lie in is not of it; their digest is."""
    return {
        "program": version("rulewright"),
        "ruleset": shard.reference,
        "digest": shard.digest,
        "policies": list(shard.policies),
        "options": [list(pair) for pair in shard.options],
        "seed": shard.seed,
        "coverage": shard.coverage,
    }


def _said(value: Any) -> str:
    if not isinstance(value, list):
        return f"`{value}`" if isinstance(value, str) else json.dumps(value)
    return f"`{','.join('='.join(map(str, each)) if isinstance(each, list) else str(each) for each in value)}`"


def _refuse(code: Code, path: Path, message: str) -> NoReturn:
    raise NoRunError([Diagnostic(code, message, argument(str(path)).span)])
