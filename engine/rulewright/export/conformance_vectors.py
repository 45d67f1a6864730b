"""A conformance suite: games as data, to test that a host plays them exactly as the engine does."""

from __future__ import annotations

import json
from typing import Any

from rulewright.base.errors import RulewrightError
from rulewright.base.resources import get_version
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.game.game import Game
from rulewright.engine.game.json_contracts import log_schema, stop_schemas
from rulewright.engine.state.faults import RulesFault
from rulewright.engine.state.game_state import CHANCE, DECISION
from rulewright.export.interface import FORMAT
from rulewright.ir.analyses.information_flow import find_secrets
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.json_schema import DIALECT, Schema

GAMES = 20
OPENED = 8
"""The number of games that begin from a save. They are the last ones of the suite."""

STOPS = 30
"""The maximum number of recorded moves of a game."""

LONGEST = 600
"""The maximum number of moves played before the save is taken."""


def build_vectors(ruleset: Ruleset) -> dict[str, Any]:
    """Return the conformance vectors of a ruleset as plain data, from `GAMES` games that it plays.

    The same ruleset always has the same vectors. Raises `RulewrightError` if the ruleset has no `start`.
    """
    if ruleset.start is None:
        raise RulewrightError(f"{ruleset.reference} has no `start:`, so there is no whole game to record")
    return {
        "format": FORMAT,
        "engine": get_version(),
        "ruleset": ruleset.reference,
        "digest": ruleset.digest,
        "games": [_game(ruleset, number) for number in range(GAMES)],
    }


def format_vectors(ruleset: Ruleset) -> str:
    """Return the suite as the text of its file, with one pause point per line."""
    vectors = build_vectors(ruleset)
    games = vectors.pop("games")
    whole = ",\n".join(map(_game_text, games))
    return f'{_compact(vectors)[:-1]},"games":[\n{whole}\n]}}\n'


def _game_text(game: dict[str, Any]) -> str:
    stops = ",\n".join(map(_compact, game["stops"]))
    rest = _compact({name: value for name, value in game.items() if name != "stops"})
    return f'{rest[:-1]},"stops":[\n{stops}\n]}}'


def _compact(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _game(ruleset: Ruleset, number: int) -> dict[str, Any]:
    """Play game number `number`, and return its start, the observable data at each pause point, and the last save.

    The events that seats see differently are added. A move that fails is not made, and ends it.
    """
    lots = Generator(number, "vectors")
    fewest, most = ruleset.players
    game = Game(
        ruleset,
        players=fewest + number % (most - fewest + 1),
        seed=f"vectors é {number}" if number % 2 else number * (-1) ** (number // 2) * 12_345_678_901,
        options=_options(ruleset, lots) if number % 4 == 1 else dict(ruleset.simulations),
        stop_at_chance=number % 4 == 2,
    )
    opens = number >= GAMES - OPENED
    if opens:
        game = _later(game, lots, to_the_end=number % 2 == 0)
    results: dict[str, Any] = {
        "players": game.players,
        "seed": game.seed,
        "options": game.options,
        "stop_at_chance": game.stop_at_chance,
        "opens": game.save_text() if opens else None,
        "stops": [],
    }
    shown_state = _ShownState(game, len(game.log) if opens else 0)
    for stop in range(STOPS + 1):
        line = shown_state.stop(game, stop)
        results["stops"].append(line)
        move = _move(game, lots) if stop < STOPS else None
        before = game.clone()
        try:
            _take(game, move)
        except RulesFault:
            game, move = before, None
        line["next"] = move
        if move is None:
            break
    results["save"] = game.save_text()
    results["told"] = shown_state.list_differences(game)
    return results


def _options(ruleset: Ruleset, lots: Generator) -> dict[str, str]:
    options = ruleset.declarations.options.values()
    return {each.id: list(each.choices)[lots.draw_below(len(each.choices))] for each in options}


def _move(game: Game, lots: Generator) -> list[Any] | None:
    """Return a random move at a pause point, in the form of `next`, or None at the end."""
    if game.state.mode == DECISION:
        return ["choose", lots.draw_below(len(game.state.options))]
    if game.state.mode != CHANCE:
        return None
    if lots.draw_below(2):
        return ["roll"]
    copy = game.clone()
    copy.roll()
    value = copy.record[len(game.record)].to_data()[1]
    return ["resolve", value] if type(value) in (int, str) else ["roll"]


def _take(game: Game, move: list[Any] | None) -> None:
    """Make a move in the form of `next`. None is no move. Raises `RulesFault` if the rules fail."""
    match move:
        case ["choose", index]:
            game.choose(index)
        case ["roll"]:
            game.roll()
        case ["resolve", outcome]:
            game.resolve(outcome)


def _later(game: Game, lots: Generator, *, to_the_end: bool) -> Game:
    """Return the game at a later pause point, loaded from a save. The given game is played on until it ends.

    The pause point is a random one or, with `to_the_end`, one near the end.
    """
    first = game.clone()
    moves: list[list[Any]] = []
    try:
        while len(moves) < LONGEST and (move := _move(game, lots)) is not None:
            _take(game, move)
            moves.append(move)
    except RulesFault:
        pass
    stop = max(0, len(moves) - STOPS // 2) if to_the_end else lots.draw_below(len(moves) or 1)
    for move in moves[:stop]:
        _take(first, move)
    return Game.load_text(first.save_text(), first.ruleset)


class _ShownState:
    """The data already written for a game, so that unchanged data is not written again."""

    def __init__(self, game: Game, events: int) -> None:
        self.first = self.events = events
        self.state: dict[str, Any] = {}
        self.views: dict[int, dict[str, Any]] = {seat: {} for seat in range(game.players + 1)}

    def stop(self, game: Game, number: int) -> dict[str, Any]:
        """Return a pause point as data: the changes since the last call, and the decision, chance or result there.

        `number`, the pause point's place in the game, also selects the view that is included: each seat in turn, 0 a
        spectator.
        """
        state, before = game.to_json(), self.state
        changed = {name: value for name, value in state.items() if name not in before or before[name] != value}
        if "objects" in changed:
            changed["objects"] = _changes(before.get("objects", {}), state["objects"])
        self.state = state
        events = game.log_since(self.events)
        self.events += len(events)
        seat = number % (game.players + 1)
        whole = game.snapshot(seat)
        objects = {"game": {"label": "", "fields": whole["values"]}} | {
            each["id"]: {"label": each["label"], "fields": each["fields"]}
            for items in whole["objects"].values()
            for each in items
        }
        view = {"seat": seat, "objects": _changes(self.views[seat], objects)}
        self.views[seat] = objects
        decision, chance, result = game.decision, game.chance, game.result
        return {
            "state": changed,
            "save": json.loads(game.save_text())["check"],
            "decision": decision and decision.to_json(),
            "chance": chance and {"rule": chance.rule, "roll": chance.roll},
            "result": result and {"winners": list(result.winners)},
            "log": [event.to_json() for event in events],
            "view": view,
        }

    def list_differences(self, game: Game) -> dict[str, dict[str, Any]]:
        """Return the events that a seat sees differently from the full log, by seat and by index in the log.

        Seat 0 is a spectator. The result is empty if the rules hide nothing.
        """
        if not find_secrets(game.ruleset).any:
            return {}
        log = [event.to_json() for event in game.log_since(self.first)]
        return {
            str(seat): {
                str(place): event.to_json()
                for place, event in enumerate(game.log_for(seat)[self.first :])
                if event.to_json() != log[place]
            }
            for seat in range(game.players + 1)
        }


def _changes(before: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """Return the changed values, with None for removed ones."""
    return {name: value for name, value in now.items() if name not in before or before[name] != value} | {
        name: None for name in before if name not in now
    }


def build_vectors_schema() -> Schema:
    """Return the JSON Schema of the conformance vectors."""
    text: Schema = {"type": "string"}
    number: Schema = {"type": "integer"}
    seats: Schema = {"type": "integer", "minimum": 1}
    event = log_schema()["items"]
    changes: Schema = {
        "type": "object",
        "additionalProperties": {"type": ["object", "array", "null"]},
        "description": "The changed objects by id. Null means that the object was removed.",
    }
    state = {
        "type": "object",
        "properties": {
            "format": number,
            "digest": text,
            "root": text,
            "next": number,
            "objects": changes,
            "frames": {"type": "array"},
            "mode": {"enum": [1, 2, 3]},
            "winners": {"type": ["array", "null"], "items": seats},
            "given": {"type": "array"},
        },
        "additionalProperties": False,
        "description": "The members of the state, as in a save, that have changed since the previous pause point.",
    }
    following = {
        "anyOf": [
            {"type": "null", "description": "The end of this game in the suite."},
            _tuple("choose", {**number, "minimum": 0, "description": "The index of the option, from 0."}),
            _tuple("roll"),
            _tuple("resolve", {"type": ["integer", "string"], "description": "The total of a roll, or a card."}),
        ],
        "description": "The next move, which leads to the next pause point.",
    }
    stop = _object(
        {
            "state": state,
            "save": {**text, "pattern": "^[0-9a-f]{64}$", "description": "The `check` of the save at this point."},
            **stop_schemas(),
            "log": {"type": "array", "items": event, "description": "The events since the previous pause point."},
            "view": _object(
                {"seat": {**number, "minimum": 0, "description": "The viewer; 0 is a spectator."}, "objects": changes}
            ),
            "next": following,
        }
    )
    views = {"type": "object", "additionalProperties": {"type": "object", "additionalProperties": event}}
    game = _object(
        {
            "players": seats,
            "seed": {"type": ["integer", "string"]},
            "options": {"type": "object", "additionalProperties": text},
            "stop_at_chance": {"type": "boolean"},
            "opens": {"type": ["string", "null"], "description": "The save to load; null for a new game."},
            "save": {**text, "description": "The complete save at the last pause point."},
            "told": {**views, "description": "By seat, the events that it sees differently, by log index."},
            "stops": {"type": "array", "items": stop, "minItems": 1},
        }
    )
    suite = _object(
        {
            "format": {"const": FORMAT},
            "engine": text,
            "ruleset": text,
            "digest": text,
            "games": {"type": "array", "items": game, "minItems": GAMES, "maxItems": GAMES},
        }
    )
    return {"$schema": DIALECT, "title": "Vectors", **suite}


def _object(properties: dict[str, Schema]) -> Schema:
    required = list(properties)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _tuple(first: str, *rest: Schema) -> Schema:
    items = [{"const": first}, *rest]
    return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
