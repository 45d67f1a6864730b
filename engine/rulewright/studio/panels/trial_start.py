"""The starting position of a procedure that panels run: that of an example, with the values that the user enters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from rulewright.base.errors import RulewrightError
from rulewright.book.english.naming import humanize
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.game.script import Script
from rulewright.engine.narration.plain_names import Names
from rulewright.engine.state.faults import RunAllowance
from rulewright.language.checked_steps import Procedure
from rulewright.language.declarations import GAME_KIND
from rulewright.language.types import PLAYER, Entity, ListOf, MapOf
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.examples import Example
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Node, Scalar
from rulewright.source.nodes import Sequence as SequenceNode
from rulewright.source.yaml.yaml_reader import read_text
from rulewright.studio.panels.cursor_context import At, number, read_texts, read_word
from rulewright.studio.panels.start_fields import (
    build_parameter_field,
    choose_missing,
    list_position_fields,
    set_values,
)
from rulewright.studio.panels.watched_run import WatchingInterpreter
from rulewright.testing.expected_values import write_value
from rulewright.testing.procedure_run import run
from rulewright.testing.record_example import RecordRequest as Started
from rulewright.testing.starting_position import find_deck

_AHEAD = 8
"""The number of random continuations that are searched for values of the start."""

_OPERATIONS_AHEAD = 20_000
"""The maximum number of operations of one of them."""


def name_trial(at: At, procedure: str) -> str:
    """Return what the page calls the procedure of an edition for which values were entered."""
    return f"{at.edition.id}:{procedure}"


def build_start(
    ruleset: Ruleset, trial: str, procedure: Procedure, more: Mapping[str, Any], begun: Example | None
) -> Started:
    """Return the starting position of an example, or the usual one, with the values of the page's parameters.

    Values that were entered for another procedure than that of `trial` are left out. Raises `RulewrightError` for an
    invalid parameter.
    """
    value = begun.given.entries if begun is not None and begun.given is not None else {}
    # Each typed value replaces the value of the same name in the example.
    given = {key: format_flow(entry.value) for key, entry in value.items()} | read_texts(more, "given")
    is_other = read_word(more, "of") not in ("", trial)
    start = {} if is_other else _keep_known(ruleset, procedure, read_texts(more, "start"))
    given = choose_missing(ruleset, procedure, set_values(given, start))
    options = {**(begun.options if begun is not None else {}), **read_texts(more, "options")}
    players = number(more, "players") or (begun.players if begun is not None else None)
    return Started(given, read_word(more, "until"), players, options)


def describe_start(
    ruleset: Ruleset, procedure: Procedure, started: Started, watched: WatchingInterpreter | None
) -> dict[str, Any]:
    """Return the input fields of a starting position, as data for the page. `watched` has run from there.

    The position of a whole game is that of its setup, so it has no fields besides its parameters.
    """
    has_fields = watched is not None and procedure.id != ruleset.start
    return {
        "parameters": _list_parameters(ruleset, procedure, started, watched),
        "fields": list_position_fields(procedure, watched) if watched is not None and has_fields else [],
    }


def _keep_known(ruleset: Ruleset, procedure: Procedure, start: Mapping[str, str]) -> dict[str, str]:
    """Return the values that are still of a parameter, collection, deck or value of the game.

    Its name may have changed.
    """
    kinds, decks = ruleset.declarations.kinds, ruleset.declarations.decks
    known = {*procedure.parameters, *kinds[GAME_KIND].fields, *decks, *(kind.plural for kind in kinds.values())}
    return {path: text for path, text in start.items() if path.split(".")[0] in known}


def find_start_example(ruleset: Ruleset, procedure: Procedure) -> Example | None:
    """Return an example with a starting position for the procedure.

    None if all parameters of the procedure are players, or if there is no such example.
    """
    needs = any(kind != PLAYER for kind in procedure.parameters.values())
    return next((each for each in ruleset.examples.values() if needs and each.of == procedure.id and each.given), None)


def parse_given(written: Mapping[str, str]) -> MappingNode | None:
    """Return a starting position from YAML values by name, or None. Raises `DiagnosticError` for invalid YAML."""
    if not written:
        return None
    node = read_text("".join(f"{name}: {value.strip()}\n" for name, value in written.items()), "given")
    return node if isinstance(node, MappingNode) else None


def format_flow(node: Node) -> str:
    """Return a YAML value on one line, with scalars as written.

    A scalar with a character that is special in flow style is quoted.
    """
    match node:
        case Scalar(text=text, style=style):
            quoted = style in ("single", "double")
            value = f'"{_escape(text)}"' if quoted or set(text) & set("{}[],:#&*!|>'\"%@`\n") else text
            return value or '""'
        case SequenceNode(items=items):
            return f"[{', '.join(map(format_flow, items))}]"
        case MappingNode(entries=entries):
            return "{" + ", ".join(f"{key}: {format_flow(entry.value)}" for key, entry in entries.items()) + "}"


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def watch_start(ruleset: Ruleset, procedure: Procedure, started: Started) -> WatchingInterpreter | None:
    """Return what random runs read of a starting position, or None if none can begin there."""
    runs = list(_run_ahead(ruleset, procedure, started))
    for each in runs[1:]:
        _merge_reads(runs[0], each)
    return runs[0] if runs else None


def read_ahead(
    ruleset: Ruleset,
    procedure: Procedure,
    started: Started,
    watched: WatchingInterpreter,
    dice: Sequence[Any],
    choices: Sequence[str],
) -> None:
    """Add what random continuations of an unfinished run read to its fields, so that they can be set at once."""
    for each in _run_ahead(ruleset, procedure, started, dice, choices):
        _merge_reads(watched, each)


def _merge_reads(watched: WatchingInterpreter, other: WatchingInterpreter) -> None:
    watched.fields |= other.fields
    watched.kinds |= other.kinds


def _run_ahead(
    ruleset: Ruleset, procedure: Procedure, started: Started, dice: Sequence[Any] = (), choices: Sequence[str] = ()
) -> Iterator[WatchingInterpreter]:
    """Yield the interpreters of random runs that begin with the same results, as far as they come."""
    for seed in range(_AHEAD):
        ahead: list[WatchingInterpreter] = []

        def watch(rules: Ruleset, ahead: list[WatchingInterpreter] = ahead, **settings: Any) -> WatchingInterpreter:
            ahead.append(WatchingInterpreter(rules, **settings))
            return ahead[-1]

        allowance = RunAllowance()
        allowance.left = _OPERATIONS_AHEAD
        with suppress(RulewrightError):  # a continuation may fail if the rules fail
            run(
                ruleset,
                procedure.id,
                given=parse_given(started.given),
                players=started.players,
                options=started.options,
                script=Script(dice, choices, generator=Generator(seed, "ahead")),
                allowance=allowance,
                walker=watch,
            )
        yield from ahead


def _list_parameters(
    ruleset: Ruleset, procedure: Procedure, started: Started, begun: WatchingInterpreter | None
) -> list[dict[str, Any]]:
    """Return the parameters of the procedure, and the other values of its starting position, as data for the page.

    A new object has only `fields`. Maps and lists of the game that the run has read are
    among the other values, with an empty value if they are not set.
    """
    names = Names(ruleset)
    given = started.given
    state = begun.beginning if begun is not None else None
    players = len(state.live[1]) if state is not None else started.players or ruleset.players[0]
    arguments = begun.arguments if begun is not None and state is not None else ()
    results = []
    for index, (name, kind) in enumerate(procedure.parameters.items()):
        field = build_parameter_field(ruleset, kind, players)
        value = given.get(name, "")
        if not value and field["input"] != "text" and index < len(arguments):
            value = write_value(arguments[index], kind)
        if isinstance(kind, Entity) and kind != PLAYER and not value:
            continue
        words = names.format_words(procedure.called.get(name, "")) or humanize(name)
        results.append({"name": name, "type": str(kind), "words": words, "value": value, **field})
    game = ruleset.declarations.kinds[GAME_KIND].fields
    for name, value in given.items():
        if name not in procedure.parameters:
            deck = find_deck(ruleset.declarations, GAME_KIND, name)
            written = str(game[name].type) if name in game else f"list of {deck.table if deck is not None else name}"
            results.append({"name": name, "type": written, "words": humanize(name), "value": value, "input": "text"})
    # A whole game sets up its own values.
    read = begun.fields if begun is not None and procedure.id != ruleset.start else ()
    for _, owner, name in read:
        if owner == GAME_KIND and name in game and name not in given and "." not in name:
            written_type = game[name].type
            if isinstance(written_type, MapOf | ListOf):
                field = {"type": str(written_type), "words": humanize(name), "value": "", "input": "text"}
                results.append({"name": name, **field})
    return results
