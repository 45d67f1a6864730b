"""What is to be drawn of an exported game is what Python's own state, names and sight say of it."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright import Game, load_ruleset
from rulewright.ai import bots
from rulewright.engine.game.type_data import to_data, type_of
from rulewright.engine.narration.plain_names import Names, capitalize
from rulewright.engine.narration.redaction import HIDDEN, redact_value
from rulewright.engine.state.game_state import State
from rulewright.export.write_export import write_export
from rulewright.language.declarations import GAME_KIND, PLAYER_KIND
from rulewright.language.lowering import answer_type, find_current_operation
from rulewright.language.operations import Ask
from rulewright.language.types import PLAYER, Entity, ListOf, MapOf, RecordOf, Row, Type, present
from tests.breadth import times

HOST = Path(__file__).parent / "hosts" / "views.mjs"
CLASSICS = (
    *("tic-tac-toe", "connect-four", "hex", "backgammon", "oware", "checkers", "kuhn-poker", "leduc-poker"),
    *("liars-dice", "yacht", "goofspiel"),
)
GAMES = (
    ("pig/classic", 2, 40),
    *((f"classics/{name}", 2, 90) for name in CLASSICS),
    ("fuzzy-knights/normal@0.1", 2, 120),
    ("fuzzy-knights/normal@0.2", 2, 120),
    ("fuzzy-knights/normal@1.0", 3, 220),
    ("fuzzy-knights/medium", 2, 120),
)
SEED = 5
EVERY = 11


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    """Return what Node says of each game, at every stop that is looked at."""
    whole = tmp_path_factory.mktemp("views")
    jobs = []
    for reference, players, most in GAMES:
        folder = whole / reference.replace("/", "-")
        write_export(load_ruleset(reference), folder)
        jobs.append({"folder": str(folder), "players": players, "seed": SEED, "most": times(most, 400), "every": EVERY})
    program = shutil.which("node")
    if program is None:
        pytest.fail("node is not installed: `make audits` installs it on Debian and Ubuntu", pytrace=False)
    done = subprocess.run([program, HOST], input=json.dumps(jobs), capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr[:2000]
    return {reference: data for (reference, *_), data in zip(GAMES, json.loads(done.stdout), strict=True)}


@pytest.mark.parametrize(("reference", "players", "most"), GAMES)
def test_views_and_choices_are_those_of_python(
    played: dict[str, list[dict[str, Any]]], reference: str, players: int, most: int
) -> None:
    ruleset = load_ruleset(reference)
    game = Game(ruleset, players=players, seed=SEED)
    seated = [bots.make("random", ruleset, seed=SEED, seat=seat + 1) for seat in range(players)]
    told = iter(played[reference])
    for stop in range(times(most, 400)):
        decision = game.decision
        if decision is None:
            break
        if stop % EVERY == 0:
            result = next(told)
            assert result["same"], "looking changes nothing"
            assert result["choices"] == choices(game)
            expected = [view(game.state, seat) for seat in ("everything", *range(players + 1))]
            for one, other in zip(result["views"], json.loads(json.dumps(expected)), strict=True):
                assert one == other, f"stop {stop}, seat {one['seat']}"
        game.choose(seated[decision.player - 1](game.state))
    assert next(told, None) is None


def choices(game: Game) -> list[dict[str, Any]]:
    """Return what each option touches, by its value and its type."""
    decision, state = game.decision, game.state
    step = state.machine.step(state)
    assert decision is not None
    assert step is not None
    ask = find_current_operation(step, state.frame)
    assert isinstance(ask, Ask)
    tables = game.ruleset.declarations.tables
    views = []
    for option in decision.options:
        touched = list(dict.fromkeys(_touched(option.value, answer_type(ask))))
        rows = [each for each in touched if isinstance(each, tuple)]
        views.append(
            {
                "index": option.index,
                "things": [each for each in touched if isinstance(each, int)],
                "tiles": [list(row) for row in rows if tables[row[0]].is_board],
                "rows": [list(row) for row in rows if not tables[row[0]].is_board],
                "words": option.label,
            }
        )
    return views


def _touched(value: Any, kind: Type) -> Iterator[int | tuple[str, str]]:
    if value is None:
        return
    match present(kind):
        case Entity():
            yield value
        case Row(table=table):
            yield table, value
        case ListOf(inner=inner) | MapOf(inner=inner):
            for each in value:
                yield from _touched(each, inner)
        case RecordOf(parts=parts):
            for (_, inner), each in zip(parts, value, strict=True):
                yield from _touched(each, inner)


def view(state: State, seat: int | str) -> dict[str, Any]:
    """Return what somebody in a seat sees, from the state itself."""
    seen = redact_value(state, seat or None) if isinstance(seat, int) else state
    names, layout = Names.for_state(seen), seen.machine.layout
    objects = [
        {
            "number": entity,
            "kind": kind,
            "label": names.name_entity(kind, entity),
            "seat": entity if kind == PLAYER_KIND else _owner(seen, kind, entity),
            "fields": _fields(seen, kind, entity, names),
        }
        for entity, kind in sorted(
            (entity, kind) for number, kind in enumerate(layout.names) for entity in seen.live[number]
        )
        if kind != GAME_KIND
    ]
    return {
        "seat": seat,
        "game": _fields(seen, GAME_KIND, 0, names),
        "players": [each for each in objects if each["kind"] == PLAYER_KIND],
        "objects": [each for each in objects if each["kind"] != PLAYER_KIND],
    }


def _owner(state: State, kind: str, entity: int) -> int | None:
    for name, field in state.machine.ruleset.declarations.kinds[kind].fields.items():
        if present(field.type) == PLAYER:
            value = state.objects[entity][state.machine.layout.places[kind, name]]
            return None if value is HIDDEN else value
    return None


def _fields(state: State, kind: str, entity: int, names: Names) -> list[dict[str, Any]]:
    views = []
    for name, field in state.machine.ruleset.declarations.kinds[kind].fields.items():
        if name.startswith(("options.", "shown.")):
            continue
        value = state.objects[entity][state.machine.layout.places[kind, name]]
        hidden = value is HIDDEN
        long = isinstance(present(field.type), ListOf) and isinstance(value, tuple) and len(value) > 12
        views.append(
            {
                "name": name,
                "title": capitalize(names.name_field(kind, name)),
                "type": type_of(field.type),
                "hidden": hidden,
                "value": None if hidden else to_data(value),
                "text": "" if long else names.format_value(value, field.type),
            }
        )
    return views
