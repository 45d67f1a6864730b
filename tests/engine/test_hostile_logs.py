"""Logs tell of things by their names, whatever signs and words these are made of."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from rulewright import Game, load_ruleset
from rulewright.cli.main import main
from rulewright.engine.narration.events import format_story
from rulewright.engine.narration.rich_text import Name, NumberPart, iterate_leaves, to_text
from rulewright.ruleset.ruleset import Ruleset
from tests.hostile_names import NAMES, written

MANIFEST = {
    "ruleset": "house/street",
    "version": "1.0.0",
    "title": "Street",
    "rounding": "truncate",
    "players": 1,
    "start": "game",
    "status": "draft",
}


def choices(text: str) -> list[dict[str, Any]]:
    return [{"id": "pick", "choose": {"who": "player", "from": {"x": {"label": text}, "y": {"label": "Not this"}}}}]


def rules(name: str, *, tells: bool = False) -> dict[str, Any]:
    """Return a game in which everything has this name."""
    folder = written(name)
    tile = {"title": folder, "row": 1}
    model = {"columns": {"price": "int"}, "rows": {"main": {"title": folder, "price": 1}}}
    lit = {"log": "{self} is lit by {self.model}"} if tells else {}
    walks = {"log": "{self} walks to {self.at}"} if tells else {}
    return {
        "terms": {"oil": {"name": name, "plural": name, "means": "What burns."}},
        "tables": {
            "weather": {"title": folder, "roll": "1d4", "rows": {"low": {"on": "1-4", "title": folder}}},
            "kinds_of_lamp": {"title": folder, **model},
            "tiles": {
                "title": folder,
                "columns": {"column": "int", "row": "int", "neighbours": "list of tiles"},
                "rows": {
                    "a": {**tile, "column": 1, "neighbours": "[b]"},
                    "b": {**tile, "column": 2, "neighbours": "[a]"},
                },
            },
        },
        "kinds": {
            "lamp": {
                "plural": "lamps",
                "label": "{self.model}",
                "fields": {
                    "model": "kinds_of_lamp",
                    "lit": {"type": "bool", "wording": folder, **lit},
                    "oil": {"type": "count"},
                    "at": {"type": "tiles", **walks},
                    "next": {"type": "optional kinds_of_lamp", "wording": "owner"},
                },
            }
        },
        "state": {
            "season": {"type": "int", "wording": folder},
            "calm": {"type": "bool", "wording": {"if_true": f"{folder} holds", "if_false": f"{folder} fails"}},
        },
        "options": {
            "shade": {
                "title": folder,
                "means": "How much.",
                "choices": {"half": "half", "full": folder},
                "default": "half",
                "may_change": "vote",
            }
        },
        "procedures": {
            "inner": {"title": folder, "steps": [{"id": "season", "set": {"season": 2}}]},
            "game": {
                "title": "A game",
                "names": {"sky": folder},
                "steps": [
                    {"id": "everybody", "for_each": "player", "in": "players", "steps": choices(folder)},
                    {"id": "lamp", "create": "lamp", "with": {"model": "kinds_of_lamp.main", "at": "tiles.a"}},
                    {"id": "lit", "set": {"lamp.lit": "true"}},
                    {"id": "filled", "gain": {"who": "lamp", "oil": 2}},
                    {"id": "moved", "set": {"lamp.at": "tiles.b"}},
                    {"id": "named", "set": {"lamp.next": "kinds_of_lamp.main"}},
                    {"id": "sky", "roll": "weather"},
                    {"id": "card", "draw": {"one_of": "kinds_of_lamp"}},
                    {"id": "calm", "set": {"calm": "true"}},
                    {"id": "shade", "set": {"options.shade": "full"}},
                    {"id": "inside", "do": "inner"},
                    {"id": "gone", "remove": "lamp"},
                    {"id": "end", "finish": {"winners": []}},
                ],
            },
        },
    }


def load(folder: Path, data: dict[str, Any]) -> Ruleset:
    home = folder / "house" / "street"
    home.mkdir(parents=True)
    (home / "ruleset.yaml").write_text(json.dumps(MANIFEST), encoding="utf-8")
    (home / "rules.yaml").write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    return load_ruleset("house/street", rules=[folder])


def played(ruleset: Ruleset) -> Game:
    game = Game(ruleset, players=1, seed=1)
    decision = game.decision
    assert decision is not None
    game.choose("x")
    return game


def belonging(name: str) -> str:
    """Return what the field `owner` of something with this name is called."""
    return f"{name[:1].upper()}{name[1:]}’s owner" if len(name.split()) < 3 else f"The owner of {name}"


@pytest.mark.parametrize("name", NAMES)
def test_every_sentence_has_the_name_as_it_is(name: str, tmp_path: Path) -> None:
    ruleset = load(tmp_path, rules(name))
    game = played(ruleset)
    first = name[:1].upper() + name[1:]
    rolled = next(event.data["total"] for event in game.log if "total" in event.data)
    sentences = [
        f"Player 1 chooses: {name}{'' if name.endswith(('.', '!', '?')) else '.'}",
        f"{first} comes into play.",
        f"{first} is now {name}.",
        f"{first} gains 2 {name} and now has 2.",
        f"{first} goes to {name}.",
        f"{belonging(name)} is now {name}.",
        f"🎲 1d4 comes to {rolled}: {name}.",
        f"{name} is drawn.",
        f"{first} holds.",
        f"{name}: {name}.",
        f"{name}.",
        f"The {name} is now 2.",
        f"{first} leaves play.",
        "The game is over, and nobody has won.",
    ]
    texts = [event.text for event in game.log if event.text]
    assert texts == sentences
    assert [line for line in format_story(ruleset, game.log) if line in sentences] == [
        line for line in sentences if line != f"{name}."
    ]


@pytest.mark.parametrize("name", NAMES)
def test_the_rules_own_words_have_the_names_as_they_are(name: str, tmp_path: Path) -> None:
    game = played(load(tmp_path, rules(name, tells=True)))
    first = name[:1].upper() + name[1:]
    by_rule = {event.rule: event for event in game.log}
    end = "" if name.endswith("!") else "."
    assert by_rule["game.lit"].text == f"{first} is lit by {name}{end}"
    assert by_rule["game.moved"].text == f"{first} walks to {name}{end}"
    moved = by_rule["game.moved"].account
    assert [to_text(part) for part in (moved.who, moved.before, moved.after)] == [first, name, name]


@pytest.mark.parametrize("name", NAMES)
def test_names_are_names_of_what_the_data_speaks_of(name: str, tmp_path: Path) -> None:
    """The parts of an account against the event's data, which knows no names."""
    game = played(load(tmp_path, rules(name)))
    seen = set()
    for event in game.log:
        match event.kind, event.account.who, event.data:
            case (("created" | "removed" | "written"), (Name(of=("objects", identity)),), {"object": str(entity)}):
                assert identity == entity
                seen.add(event.kind)
            case "asked", (Name(of=("objects", identity)),), {"player": player, "chosen": "x"}:
                assert (identity, to_text(event.account.what)) == (player, name)
                seen.add("asked")
            case "rolled", _, {"row": row}:
                assert event.account.after[0] == Name(event.account.after[0].phrase, ("tables", "weather", row))
                seen.add("rolled")
        # No name is a number of ours, nor are its signs.
        numbers = {leaf.value for leaf in iterate_leaves(event.account.sentence) if isinstance(leaf, NumberPart)}
        assert numbers <= {1, 2, event.data.get("total", 1)}
    assert seen == {"created", "removed", "written", "asked", "rolled"}


def test_the_data_of_events_is_the_same_whatever_things_are_called(tmp_path: Path) -> None:
    logs = [
        [
            {key: value for key, value in event.to_json().items() if key != "text"}
            for event in played(load(tmp_path / str(place), rules(name))).log
        ]
        for place, name in enumerate(NAMES)
    ]
    assert all(log == logs[0] for log in logs)


def test_a_choice_that_ends_in_a_number_is_no_number_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    data = rules("X chooses 3")
    steps = data["procedures"]["game"]["steps"][0]["steps"]
    steps[0]["ask"] = "Well, which?"
    steps.append({"id": "many", "ask": "How many?", "choose": {"who": "player", "number": {"from": 3, "to": 3}}})
    steps[0]["choose"]["from"]["y"]["label"] = "Y chooses 3"
    load(tmp_path, data)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert main(["play", "house/street", "--rules", str(tmp_path), "--players", "random", "--seed", "2"]) == 0
    out = capsys.readouterr().out
    assert "How many? Player 1 chooses 3." in out
    assert "Player 1 chooses: " in out
    assert "Well" not in out
