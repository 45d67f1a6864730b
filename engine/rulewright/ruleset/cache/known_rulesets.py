"""Rulesets that are reused while their layers are the same nodes, such as by two windows of an editor."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from rulewright.base.incremental.reads import note_file, record_files
from rulewright.base.incremental.traces import Traces
from rulewright.language.expressions.word_notes import (
    Readings,
    is_recording_readings,
    record_again,
    set_readings_aside,
)
from rulewright.ruleset.cache.clean_checks import CleanChecks
from rulewright.ruleset.cache.tracked_declarations import name_series
from rulewright.ruleset.cache.tracked_ruleset import TrackedRuleset
from rulewright.ruleset.layers.layer import Layer
from rulewright.ruleset.ruleset import Ruleset

T = TypeVar("T")

MOST_STATES = 2
"""The maximum number of states that are kept of an edition: an unsaved one, and the one on disk."""


@dataclass(frozen=True, slots=True, eq=False)
class _Built:
    """What was built from layers, the readings of that, and the files read. `key` has all that it depends on."""

    key: Hashable
    result: object
    readings: Readings
    files: tuple[str, ...]


def build_once(layers: Sequence[Layer], more: Hashable, traces: Traces, compute: Callable[[], T]) -> T:
    """Return what `compute` builds from layers and `more`, which is not built again for the same nodes."""
    if not traces.keeps("ruleset"):
        return compute()
    parts = [(each.name, each.folder, each.manifest, each.files, each.chain, each.over) for each in layers]
    key = (tuple(parts), more, is_recording_readings())
    known: list[_Built] = traces.open_table(("rulesets", name_series(layers)), list)
    built = next((each for each in known if each.key == key), None)
    if built is None:
        with set_readings_aside() as readings, record_files() as files:
            result = compute()
        built = _Built(key, result, readings, tuple(files))
    else:
        for file in built.files:
            note_file(file)
    known[:] = [built, *(each for each in known if each is not built)][:MOST_STATES]
    record_again(built.readings)
    return built.result  # type: ignore[return-value]


def open_checks(ruleset: Ruleset, traces: Traces) -> CleanChecks:
    """Return the checks of a ruleset, with the values that earlier checks of the same ruleset have computed."""
    if not traces.keeps("ruleset"):
        return CleanChecks(ruleset, traces)
    known: list[TrackedRuleset] = traces.open_table(("views", name_series(ruleset.resolved.layers)), list)
    view = next((each for each in known if each.whole is ruleset), None) or TrackedRuleset(ruleset)
    known[:] = [view, *(each for each in known if each is not view)][:MOST_STATES]
    return CleanChecks(ruleset, traces, view=view)
