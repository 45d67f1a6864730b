"""The file from which a run goes on: its settings and the counts of the games done, written whole or not at all."""

from __future__ import annotations

import hashlib
import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rulewright.ruleset.reference import argument
from rulewright.simulate.counts import Counts
from rulewright.simulate.run import Run
from rulewright.simulate.shard import Shard
from rulewright.source.diagnostics.collected import DiagnosticError
from rulewright.source.diagnostics.diagnostic import Code, Diagnostic
from rulewright.source.files.reading import read_regular
from rulewright.source.files.writing import write_text

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


def read_into(run: Run, path: Path) -> None:
    """Give `run` the counts of the games that `path` says are done; a file that is not there says none.

    Raises `DiagnosticError` for a file that holds no run, or one of other rules or settings.
    """
    try:
        text = read_regular(path, MOST_BYTES).decode("utf-8")
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:
        _refuse(NO_RUN, path, f"`{path}` cannot be read: {getattr(error, 'strerror', None) or 'it is not text'}")
        return
    try:
        data = json.loads(text)
        made, settings = data["rulewright simulation"], data["settings"]
        counts = Counts.from_json(data["counts"])
        sound = (
            made == FORMAT
            and data["check"] == _check(settings, data["counts"])
            and len(counts.wins_by_seat) == len(settings["policies"])
            # A digest finds what changed by itself; whoever makes one up must still write what this program writes.
            and _plain(counts.to_json()) == _plain(data["counts"])
        )
    except Exception:  # what was made up may break anywhere
        sound = False
    if not sound:
        _refuse(NO_RUN, path, f"`{path}` holds no run, or is damaged")
    wanted = _settings(run.shard)
    other = [name for name in wanted if settings.get(name) != wanted[name]]
    if other:
        said = "; ".join(f"{name}: {_said(settings.get(name))} there, {_said(wanted[name])} here" for name in other)
        _refuse(OTHER_RUN, path, f"`{path}` is another run: {said}")
    run.counts += counts
    run.kept += counts.games


def write(run: Run, path: Path) -> None:
    """Write what is done: the old file or the new one is there afterwards, whole. Raises `OSError`."""
    settings, counts = _settings(run.shard), run.counts.to_json()
    data = {"rulewright simulation": FORMAT, "check": _check(settings, counts), "settings": settings, "counts": counts}
    write_text(path, json.dumps(data, ensure_ascii=False))


def _check(settings: Any, counts: Any) -> str:
    return hashlib.sha256(_plain([settings, counts]).encode()).hexdigest()


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


def _refuse(code: Code, path: Path, message: str) -> None:
    raise DiagnosticError([Diagnostic(code, message, argument(str(path)).span)])
