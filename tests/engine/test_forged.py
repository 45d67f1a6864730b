"""Saves that somebody wrote and signed: refused in no time, whatever was changed, and in few words."""

from __future__ import annotations

import copy
import json
import os
import pickle
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any, get_args

import pytest

from rulewright import Game, Ruleset, load_ruleset
from rulewright.engine.game.game_error import GameError, GameErrorCode
from rulewright.engine.game.save_format import MOST_ENTRIES, parse_save, save_text
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
    rules = load_ruleset("pig/classic")
    for forged in _every_change(save):
        with pytest.raises(GameError):
            open_save_text(save_text(forged))
        if forged["ruleset"] == save["ruleset"]:  # otherwise, a version with the same gameplay, under which it may open
            with pytest.raises(GameError):
                Game.load_text(save_text(forged), rules)


def test_a_trusted_save_need_not_be_verified(save: dict[str, Any]) -> None:
    rules, forged = load_ruleset("pig/classic"), copy.deepcopy(save)
    forged["record"] = []
    assert Game.load_text(save_text(forged), rules, verify=False).record == ()
    with pytest.raises(GameError, match="does not give the saved state") as caught:
        Game.load_text(save_text(forged), rules)
    assert caught.value.code == "damaged"


REWRITTEN: dict[str, Callable[[Any], str]] = {
    "no spaces": lambda data: json.dumps(data, separators=(",", ":"), ensure_ascii=False),
    "escapes": json.dumps,
    "lines": lambda data: json.dumps(data, indent=1),
    "sorted keys": lambda data: json.dumps(data, sort_keys=True),
    "keys by length": lambda data: json.dumps(_by_length(data)),
    "a byte order mark": lambda data: "\ufeff" + save_text(data["save"]),
    "a line before it": lambda data: "\n" + save_text(data["save"]),
}


def _by_length(value: Any) -> Any:
    """Return JSON data with its keys in the order in which some databases keep them."""
    if isinstance(value, list):
        return [_by_length(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {key: _by_length(value[key]) for key in sorted(value, key=lambda key: (len(key), key))}


@pytest.mark.parametrize("name", REWRITTEN)
def test_a_save_that_another_program_wrote_again_opens(name: str) -> None:
    rules = load_ruleset("fuzzy-knights/normal@1.0")
    game = Game(rules, players=3, seed="Ä", options={"votes": "daily", "councils": "daily", "max_days": "hundred"})
    for _ in range(12):
        game.choose(0)
    data = json.loads(game.save_text())
    assert REWRITTEN[name](data) != game.save_text()
    assert Game.load_text(REWRITTEN[name](data), rules).save_text() == game.save_text()
    data["save"]["seed"] = "Ö"
    with pytest.raises(GameError, match="let it store the save as text"):
        parse_save(REWRITTEN[name](data).replace(parse_check(save_text(data["save"])), data["check"]))


def parse_check(text: str) -> str:
    """Return the digest in the text of a save."""
    check: str = json.loads(text)["check"]
    return check


def test_errors_of_saves_have_codes(save: dict[str, Any], tmp_path: Path) -> None:
    rules = load_ruleset("pig/classic")
    (tmp_path / "old.json").write_text(save_text(save), encoding="utf-8")
    (tmp_path / "noise.json").write_bytes(b"\xff")
    gone, later = {**save, "ruleset": "no/such@1.0.0"}, save_text(save).replace('"rulewright": 2', '"rulewright": 3')
    calls: dict[str, Callable[[], object]] = {
        "missing-file": lambda: Game.load(tmp_path / "new.json", rules),
        "unreadable-file": lambda: open_save(tmp_path),
        "not-a-save": lambda: open_save(tmp_path / "noise.json"),
        "damaged": lambda: parse_save(save_text(save)[:-9]),
        "other-format": lambda: parse_save(later),
        "other-gameplay": lambda: Game.load(tmp_path / "old.json", load_ruleset("classics/oware")),
        "missing-rules": lambda: open_save_text(save_text(gone)),
        "invalid-setting": lambda: Game(rules, players=77),
        "illegal-choice": lambda: Game(rules).choose("fly"),
        "not-pending": lambda: Game(rules).roll(),
        "impossible-outcome": lambda: rolling(rules).resolve(7),
        "invalid-argument": lambda: Game(rules).view("all"),  # type: ignore[arg-type]
    }
    assert set(calls) == set(get_args(GameErrorCode))
    for code, call in calls.items():
        with pytest.raises(GameError) as caught:
            call()
        assert (caught.value.code, pickle.loads(pickle.dumps(caught.value)).code) == (code, code)


def rolling(rules: Ruleset) -> Game:
    """Return a game at a roll."""
    game = Game(rules, stop_at_chance=True)
    game.choose("roll")
    return game


def _every_change(save: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the save with each of its values replaced by another of the same type, one after the other."""
    forgeds = []

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
            forgeds.append(forged)

    visit(save, ())
    return forgeds


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
    entities = [held for held in save["state"]["objects"].values() if held[0] != "game"]
    places: list[tuple[Any, Any]] = [
        (save["state"], "winners"),
        *((held, at) for held in entities for at in range(len(held))),
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
