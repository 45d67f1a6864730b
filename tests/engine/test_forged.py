"""Saves that somebody wrote and signed: refused in no time, whatever was changed, and in few words."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from rulewright import Game, load_ruleset
from rulewright.engine.game.save_format import MOST_ENTRIES, GameError, parse_save, save_text
from rulewright.engine.game.saves import open_save, open_save_text

Change = Callable[[dict[str, Any]], Any]


@pytest.fixture(scope="module")
def save() -> dict[str, Any]:
    game = Game(load_ruleset("pig/classic"), players=2, seed=7)
    for _ in range(12):
        assert game.decision is not None
        game.choose(game.decision.options[0])
    return parse_save(game.save_text())


def test_a_save_that_is_as_it_was_opens(save: dict[str, Any]) -> None:
    assert open_save_text(save_text(save)).to_json() == save["state"]


FORGED: dict[str, Change] = {
    "objects without end": lambda s: s["state"].update(next=10**12),
    "objects below none": lambda s: s["state"].update(next=-1),
    "an odd object": lambda s: s["state"]["objects"].update({"²": ["player", 1]}),
    "an object too many": lambda s: s["state"]["objects"].update({"99": ["player", 1]}),
    "another seed": lambda s: s.update(seed=8),
    "a seed that is yes": lambda s: s.update(seed=True),
    "rolled is yes": lambda s: s.update(rolled=True),
    "rolled more": lambda s: s.update(rolled=s["rolled"] + 1),
    "rolled below none": lambda s: s.update(rolled=-1),
    "players are yes": lambda s: s.update(players=True),
    "mode is yes": lambda s: s["state"].update(mode=True),
    "another mode": lambda s: s["state"].update(mode=2),
    "winners": lambda s: s["state"].update(winners=[1]),
    "a field that nobody reads": lambda s: s["state"].update(more=1),
    "a member that nobody reads": lambda s: s.update(more=1),
    "a long record": lambda s: s.update(record=[["choose", "roll"]] * (MOST_ENTRIES + 1)),
    "a record that goes on": lambda s: s["record"].append(["choose", "hold"]),
    "a long word in the record": lambda s: s["record"].append(["choose", "x" * 5_000]),
    "another face": lambda s: s["record"][1].__setitem__(1, 77),
    "a face that is yes": lambda s: s["record"][1].__setitem__(2, [[True]]),
    "no record": lambda s: s.update(record=[]),
    "frames of nowhere": lambda s: s["state"]["frames"][0].update(at=["game", "nowhere"]),
    "frames of nothing": lambda s: s["state"]["frames"][0].update(values=[]),
    "a long ruleset": lambda s: s.update(ruleset="pig/" + "x" * 5_000),
}


@pytest.mark.parametrize("change", FORGED.values(), ids=FORGED.keys())
def test_what_was_changed_is_refused_in_few_words(change: Change, save: dict[str, Any]) -> None:
    forged = copy.deepcopy(save)
    change(forged)
    with pytest.raises(GameError) as caught:
        open_save_text(save_text(forged))
    assert len(str(caught.value)) < 2_000


def test_every_value_that_is_changed_is_found_out(save: dict[str, Any]) -> None:
    for forged in _every_change(save):
        with pytest.raises(GameError):
            open_save_text(save_text(forged))


def _every_change(save: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the save with each of its values replaced by another of the same type, one after the other."""
    found = []

    def visit(value: Any, path: tuple[Any, ...]) -> None:
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(inner, dict | list):
                visit(inner, (*path, key))
                continue
            other: Any = not inner if isinstance(inner, bool) else inner + 1 if isinstance(inner, int) else "other"
            if path == () and key == "stop_at_chance":
                continue  # it says how the game goes on, not what has been
            forged = copy.deepcopy(save)
            place: Any = forged
            for part in path:
                place = place[part]
            place[key] = other
            found.append(forged)

    visit(save, ())
    return found


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "game.json")
    with pytest.raises(GameError, match="it is not a regular file"):
        open_save(tmp_path / "game.json")


def test_a_file_of_many_numbers_is_no_save(tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text(json.dumps({"rulewright": "x" * 9_000}), encoding="utf-8")
    with pytest.raises(GameError) as caught:
        open_save(tmp_path / "game.json")
    assert len(str(caught.value)) < 300


def test_a_save_that_load_takes_can_be_looked_at() -> None:
    """`load_text` believes a record, but no values that the rules have no room for."""
    ruleset = load_ruleset("classics/liars-dice")
    game = Game(ruleset, players=2, seed=1)
    while len(game.record) < 9 and game.decision is not None:
        game.choose(0)
    save = parse_save(game.save_text())
    things = [held for held in save["state"]["objects"].values() if held[0] != "game"]
    places: list[tuple[Any, Any]] = [
        (save["state"], "winners"),
        *((held, at) for held in things for at in range(len(held))),
    ]
    taken = 0
    for (held, at), other in product(places, ([7], ["x"], [[]], 7, -1, 1.5, True, "x", {}, None)):
        before, held[at] = held[at], other
        try:
            opened = Game.load_text(save_text(save), ruleset)
        except GameError:
            continue
        finally:
            held[at] = before
        taken += 1
        for seat in (None, 1):
            opened.snapshot(seat)
            opened.view(seat)
        assert opened.save_text()
        assert opened.decision
        assert opened.result is None
    assert taken, "a number may be another one than it was"
