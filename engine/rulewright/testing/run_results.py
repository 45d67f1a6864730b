"""The results of a run, with its values as text and as data, and its events as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright.dice.ast import Roll
from rulewright.dice.format_notation import format_roll
from rulewright.language.lowering import list_asks, list_offers
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.formats.json import as_data as diagnostic_as_data
from rulewright.testing.procedure_run import Moment, RunResult, RunStoppedError


def format_values(finished: RunResult) -> dict[str, str]:
    """Return the values of the procedure's parameters, bound names and results as text, by name.

    Names without a value are left out. A chosen option has its label, with its id in parentheses.
    """
    names = finished.names
    assert finished.procedure is not None
    slots = {name: slot for slot, name in finished.procedure.names.items()}
    gives = finished.procedure.gives
    values = {
        name: names.format_value(value, gives[name].type if name in gives else finished.procedure.types[slots[name]])
        for name, value in finished.values.items()
        if value is not None
    }
    # Show a chosen option by its label, followed by the id for `--choose`.
    for step in finished.procedure.iterate_steps():
        name = finished.procedure.names.get(step.slot, "") if step.slot is not None else ""
        for offer in (offer for ask in list_asks(step) for offer in list_offers(ask)):
            if offer.label and name in values and finished.values[name] == offer.id:
                values[name] = f"{names.format_words(offer.label)} ({offer.id})"
    return values


def to_plain(value: Any) -> Any:
    """Return a value as JSON data. Dice expressions become their notation and tuples become lists."""
    if isinstance(value, Roll):
        return format_roll(value)
    return [to_plain(item) for item in value] if isinstance(value, tuple) else value


def as_data(finished: RunResult) -> dict[str, Any]:
    """Return a run as JSON data, as `run --json` prints it."""
    assert finished.procedure is not None
    return {
        "ruleset": finished.ruleset.reference,
        "procedure": finished.procedure.id,
        "stopped": finished.paused,
        "values": {name: to_plain(value) for name, value in finished.values.items()},
        "words": format_values(finished),
        "events": list_events(finished.moments),
    }


def as_data_of_stopped(ruleset: Ruleset, procedure: str, stopped: RunStoppedError) -> dict[str, Any]:
    """Return a stopped run as JSON data, with its events and the diagnostics."""
    return {
        "ruleset": ruleset.reference,
        "procedure": procedure,
        "stopped": True,
        "events": list_events(stopped.moments),
        "diagnostics": [diagnostic_as_data(each) for each in stopped.diagnostics],
    }


def list_events(moments: Sequence[Moment]) -> list[dict[str, Any]]:
    """Return events as JSON data, with the faces of rolls."""
    return [
        {
            "rule": moment.event.rule,
            "verb": moment.event.verb,
            "text": moment.event.text,
            "faces": moment.faces,
        }
        for moment in moments
    ]
