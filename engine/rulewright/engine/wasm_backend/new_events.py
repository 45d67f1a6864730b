"""The events of a game since the last read, in the form common to all back ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.engine.state.game_state import Only
from rulewright.engine.wasm_backend.value_codec import ValueReader
from rulewright.engine.wasm_backend.wasmtime_host import Host
from rulewright.ir.values import Value
from rulewright.language import operations as op
from rulewright.language.operations import Operation

NewEvent = tuple[Any, ...]
"""An event: the number of its step, its kind, and its details."""


def read_events(host: Host, reader: ValueReader) -> Iterator[NewEvent]:
    """Yield the events that are in the game's memory now, each with the number of its step and its kind.

    They stay in memory until the host clears them.
    """
    words = host.block(host.get("events"))[: host.get("told")]
    sites = host.module_info.sites.events
    reads = reader.sites
    at, size = 0, len(words)
    while at < size:
        number = words[at]
        read = reads.get(number)
        if read is None:
            site = sites[number]
            read = reads[number] = (site.operation, tuple(map(reader.reads, site.details)))
        operation, details = read
        end = at + 1 + len(details)
        yield _read_event(operation, [decode(word) for decode, word in zip(details, words[at + 1 : end], strict=True)])
        at = end


def _read_event(each: Operation[Value], details: list[Any]) -> tuple[Any, ...]:
    """Return an event in the form of other back ends, from its operation and its details."""
    results: tuple[Any, ...]
    match each:
        case op.Bind():
            results = (None, each.name, *details)
        case op.Write():
            item, *rest = details
            results = (item, each.field, *rest)
        case op.Ask() | op.Chance() | op.Draw() if each.viewers is not None:
            *plain, seen = details
            results = (*plain, Only(seen))
        case _:
            results = tuple(details)
    return (each.step.number, each.event_kind, *results)
