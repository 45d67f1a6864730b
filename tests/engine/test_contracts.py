"""What a game hands out holds to its schemas, tells its options apart, and says what it is about: in every edition."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rulewright import Game, GameError, Ruleset, load_ruleset
from rulewright.book.parts.step_sentences import StepWriter
from rulewright.book.style.text_style import Style
from rulewright.engine.game.json_contracts import CONTRACTS
from rulewright.engine.narration.events import Weight
from rulewright.language.declarations import FIRST_PLAYER
from rulewright.language.statement import load_statements
from rulewright.language.types import Choice, Entity, Row, present
from rulewright.ruleset.editions.catalogue import Catalogue, search_path
from tests.breadth import some, times
from tests.language.inline import sound

_EVERY = [edition.id for edition in Catalogue(search_path()).list_editions() if edition.status != "abstract"]
EDITIONS = some(_EVERY, [each for each in _EVERY if not each.startswith("fuzzy-knights/normal@0")])
"""What the drafts of the largest game hand out is made of the same kinds and questions as its newest edition."""
GAMES, DECISIONS = times(2, 3), 120


@cache
def ruleset(reference: str) -> Ruleset:
    return load_ruleset(reference)


def walks(reference: str, *, games: int = GAMES, decisions: int = DECISIONS) -> Iterator[Game]:
    """Yield games played at random, at each of their decisions, with one stop each at the end."""
    rules = ruleset(reference)
    fewest, most = rules.players
    for seed in range(games):
        game, random = Game(rules, players=fewest + seed % (min(most, 4) - fewest + 1), seed=seed), Random(seed)
        for _ in range(decisions):
            decision = game.decision
            if decision is None:
                break
            yield game
            game.choose(random.choice(decision.options))
        yield game


@pytest.mark.parametrize("reference", EDITIONS)
def test_no_two_options_of_a_decision_have_the_same_label(reference: str) -> None:
    """Nor is a label an id of the rules, or the number of an object."""
    for game in walks(reference):
        decision = game.decision
        if decision is None:
            continue
        labels = [option.label for option in decision.options]
        assert len(set(labels)) == len(labels), decision
        for option in decision.options:
            assert option.label.strip(), decision
            assert option.label != option.id or option.id.isdigit(), decision
            assert "_" not in option.label, decision
            assert not re.search(r"\b(\w+)-\d+\b", option.label), decision


@pytest.mark.parametrize("reference", EDITIONS)
def test_a_decision_says_what_it_is_about(reference: str) -> None:
    """Every object that the asking procedure was given is named, other than who is asked, and each is there."""
    for game in walks(reference, games=times(1, 2)):
        decision = game.decision
        if decision is None:
            continue
        state = game.state
        procedure = game.ruleset.procedures[decision.rule.partition(".")[0]]
        given = {}
        for slot, (name, kind) in enumerate(procedure.parameters.items(), start=1):
            value = state.frame[slot]
            if isinstance(present(kind), Entity) and value is not None and value != state.who and state.objects[value]:
                given[name] = f"{present(kind).kind}-{value}"  # type: ignore[attr-defined]
            elif isinstance(present(kind), Row) and value is not None:
                given[name] = value
        about = {subject.name: subject.id for subject in decision.about}
        assert given.items() <= about.items()
        assert f"player-{decision.player + FIRST_PLAYER - 1}" not in about.values()
        there = {each["id"] for listed in game.snapshot()["objects"].values() for each in listed}
        tables = game.ruleset.declarations.tables
        for subject in decision.about:
            assert subject.id in (tables[subject.kind].rows if subject.kind in tables else there)
            assert subject.label


def test_a_hero_that_moves_is_named() -> None:
    decisions = [game.decision for game in walks("fuzzy-knights/normal@1.0") if game.decision is not None]
    journeys = [decision for decision in decisions if decision.rule == "journey.heading"]
    assert journeys
    for decision in journeys:
        assert [(subject.name, subject.kind) for subject in decision.about] == [("hero", "hero")]
        assert re.fullmatch(r"Hero of Player \d at \[\d+, \d+\]", decision.about[0].label)


@pytest.mark.parametrize("reference", EDITIONS)
def test_what_is_handed_out_holds_to_its_schema(reference: str) -> None:
    rules = ruleset(reference)
    checks = {name: Draft202012Validator(contract.make(None)) for name, contract in CONTRACTS.items()}
    typed = Draft202012Validator(CONTRACTS["snapshot"].make(rules))
    for schema in (*(check.schema for check in checks.values()), typed.schema):
        Draft202012Validator.check_schema(schema)
    for place, game in enumerate(walks(reference, games=2)):
        if place % 12 and game.decision is not None:
            continue
        snapshot = as_json(game.snapshot())
        checks["snapshot"].validate(snapshot)
        typed.validate(snapshot)
        for seat in (None, "everything", *range(game.players + 1)):
            checks["view"].validate(as_json(game.view(seat)))
        if game.decision is not None:
            checks["decision"].validate(as_json(game.decision.to_json()))
        checks["save"].validate(json.loads(game.save_text()))
    checks["log"].validate(as_json([event.to_json() for event in game.log]))
    checks["record"].validate(as_json(game.record_for(1)))


def as_json(data: Any) -> Any:
    """Return data as another program reads it; it must come back as it was."""
    read = json.loads(json.dumps(data, allow_nan=False))
    assert read == data
    return read


@pytest.mark.parametrize("reference", EDITIONS)
def test_the_objects_of_a_snapshot_are_those_of_the_state(reference: str) -> None:
    """Worked out a second time from the state as JSON, which a game goes on from."""
    for place, game in enumerate(walks(reference, games=1)):
        if place % 25:
            continue
        written = game.to_json()["objects"]
        snapshot = game.snapshot()
        listed = {each["id"]: each for kind in snapshot["objects"].values() for each in kind}
        assert len(listed) == len(written) - 1  # the game itself is none of its objects
        declared = game.ruleset.declarations.kinds
        for number, (kind, *values) in written.items():
            if kind == "game":
                continue
            for field, value in zip(declared[kind].fields.values(), values, strict=True):
                field_words = listed[f"{kind}-{number}"]["fields"][field.name]
                if isinstance(field.type, Choice | Row) or type(value) in (bool, str, type(None)):
                    assert field_words == value
                if field.type == declared["player"] or isinstance(present(field.type), Entity):
                    assert field_words == (None if value is None else f"{present(field.type).kind}-{value}")  # type: ignore[attr-defined]


def test_a_view_shows_options_to_who_decides_and_to_spectators() -> None:
    game = Game(ruleset("fuzzy-knights/normal@1.0"), players=3, seed=2)
    assert game.decision is not None
    mine = game.decision.player
    assert game.view(mine)["your_turn"]
    assert len(game.view(mine)["decision"]["options"]) == len(game.decision.options)
    other = mine % 3 + 1
    assert not game.view(other)["your_turn"]
    assert game.view(other)["decision"]["options"] == []
    assert len(game.view()["decision"]["options"]) == len(game.decision.options)
    assert len(json.dumps(game.view(other))) < len(json.dumps(game.snapshot()))
    for seat in (-1, 4, True, "1"):
        with pytest.raises(GameError, match="`seat` must be from 1 to 3"):
            game.view(seat)  # type: ignore[arg-type]


ALIKE = """
terms: {cart: {name: Cart, means: It rolls.}}
kinds:
  cart:
    term: cart
    fields: {load: int, owner: {type: optional player}}
    label: "{cart}"
state:
  player: {type: player, means: Whose turn it is.}
procedures:
  game:
    title: A game
    steps:
      - {id: one, create: cart, with: {load: 1}}
      - {id: two, create: cart, with: {load: 2}}
      - {id: three, create: cart, with: {load: 2}}
      - {id: best, choose: {who: player, one_of: carts}}
      - {id: both, choose: {who: player, some_of: carts, at_least: 2, at_most: 2}}
      - {id: way, choose: {who: player, from: [go_on, stop], or_none: true}}
      - {id: same, set: {best.load: best.load}}
      - {id: over, finish: {winners: [player]}}
"""
MANIFEST = "{ruleset: test/inline, version: 1.0.0, title: Carts, rounding: truncate, players: 1..4, start: game}"


def test_things_of_one_name_are_told_apart_by_what_differs_and_then_by_order() -> None:
    game = Game(sound(ALIKE, manifest=MANIFEST))
    texts = []
    while game.decision is not None:
        texts.append([option.label for option in game.decision.options])
        game.choose(0)
    assert texts == [
        ["Cart (load 1)", "Cart (load 2, first)", "Cart (load 2, second)"],
        [
            "Cart (load 1), Cart (load 2, first)",
            "Cart (load 1), Cart (load 2, second)",
            "Cart (load 2, first), Cart (load 2, second)",
        ],
        ["Go on", "Stop", "None of these"],
    ]


def test_a_statement_has_a_label_of_its_own_for_the_answer_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(load_statements()["choose"]), "none", "Pass")
    rules = sound(ALIKE, manifest=MANIFEST)
    game = Game(rules)
    for choice in (0, 0, "none"):
        assert game.decision is not None
        labels = [option.label for option in game.decision.options]
        game.choose(choice)
    assert labels == ["Go on", "Stop", "Pass"]
    assert [event.text for event in game.log if event.rule == "game.way"] == ["Player 1 chooses: Pass."]
    assert "stop or pass" in StepWriter(rules.procedures["game"], Style(rules)).step("way")
    own = sound(ALIKE.replace("or_none: true}", "or_none: true}, none: Neither"), manifest=MANIFEST)
    assert "stop or neither" in StepWriter(own.procedures["game"], Style(own)).step("way")


def test_events_have_names_and_weights() -> None:
    game = Game(sound(ALIKE, manifest=MANIFEST))
    for choice in (0, 1, "go_on"):
        game.choose(choice)
    by_rule = {event.rule: event for event in game.log}
    assert by_rule["game.one"].data == {"object": "cart-2", "fields": {"load": 1, "owner": None}}
    assert by_rule["game.best"].data == {"player": "player-1", "chosen": "cart-2"}
    assert by_rule["game.both"].data == {"player": "player-1", "chosen": ["cart-2", "cart-4"]}
    assert by_rule["game.same"].data == {"object": "cart-2", "field": "load", "before": 1, "after": 1}
    assert by_rule["game.over"].data == {"winners": ["player-1"]}
    weights = {rule.partition(".")[2]: event.weight for rule, event in by_rule.items()}
    assert weights["same"] == Weight.ASIDE
    assert weights["best"] == weights["one"] == Weight.NORMAL
    assert weights["over"] == Weight.MAJOR
    assert [rule for rule, event in by_rule.items() if event.set_up] == ["game.one", "game.two", "game.three"]
    assert game.story()[0] == "On the table: 3 Carts."


OPENED = """
terms: {cart: {name: Cart, means: It rolls.}}
kinds:
  cart:
    term: cart
    fields: {load: int}
state:
  player: {type: player, means: Whose turn it is.}
  wind: {type: int, default: 0, wording: wind, means: What blows.}
procedures:
  game:
    title: A game
    steps:
      - {id: gust, roll: 1d12}
      - {id: before, roll: 1d8}
      - {id: blows, set: {wind: before}}
      - {id: squall, roll: 1d3}
      - {id: grows, set: {wind: wind + squall}}
      - {id: size, roll: 1d4}
      - {id: weight, roll: 1d10}
      - {id: one, create: cart, with: {load: size + weight}}
      - {id: two, create: cart, with: {load: 0}}
      - {id: first, roll: 1d6}
      - {id: lot, draw: {one_of: carts}}
      - {id: best, choose: {who: player, one_of: carts}, ask: Which?}
      - {id: over, finish: {winners: [player]}}
"""


def test_what_came_up_before_anybody_chose_is_told_unless_it_placed_what_comes_into_play() -> None:
    game = Game(sound(OPENED, manifest=MANIFEST), seed=3)
    came = {event.rule.partition(".")[2]: event for event in game.log}
    assert game.story() == (
        came["gust"].text,
        f"The wind is now {came['before'].data['total']}.",
        came["squall"].text,
        f"The wind is now {came['before'].data['total'] + came['squall'].data['total']}.",
        came["first"].text,
        came["lot"].text,
        "On the table: 2 Carts.",
    )
    game.choose(0)
    assert game.story()[-2:] == tuple(game.log[number].text for number in (-2, -1))


@pytest.mark.parametrize("reference", EDITIONS)
def test_a_story_leaves_out_what_changes_nothing_and_counts_what_is_laid_out(reference: str) -> None:
    game = Game(ruleset(reference), seed=1)
    assert len(game.story()) <= 6
    events = [event for event in game.log if "fields" in event.data and event.set_up]
    counted = sum(int(count) for text in game.story() for count in re.findall(r"(\d+) \w+", text) if "table" in text)
    assert counted == len(events)
    *_, game = walks(reference, games=1)
    for event in game.log:
        if event.weight >= Weight.NORMAL and "before" in event.data:
            assert event.data["before"] != event.data["after"], event
    for text in game.story():
        assert not re.search(r": \+0,|: (.+) → \1\.$", text), text
    assert game.story(since=len(game.log)) == ()
