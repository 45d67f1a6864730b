"""Leaks, planted one at a time: the engine, or the exported module, as it would be with a mistake in it.

Each is a place where something that a seat may not see could come out. The property must find every one of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from rulewright import Game
from rulewright.ai.bots import greedy
from rulewright.engine.game import decision, game, snapshot
from rulewright.engine.game.game_error import GameError
from rulewright.engine.game.record import ChanceEntry, ChoiceEntry
from rulewright.engine.narration import determinize
from rulewright.engine.narration.events import Event, Weight
from rulewright.engine.narration.log import NarrationLog
from rulewright.engine.narration.redaction import HIDDEN, VisibilityRules
from rulewright.engine.state.game_state import State
from rulewright.engine.wasm_backend import module_assembly
from rulewright.integrations.info_state_recorder import InfoStateRecorder
from rulewright.integrations.observation import ObservationEncoder
from rulewright.ir.analyses import knowledge
from rulewright.ir.analyses.information_flow import Secrets
from rulewright.ir.analyses.knowledge import Knowledge
from rulewright.language.visibility import SHOWN

Plant = Callable[[pytest.MonkeyPatch], None]
LEAKS: dict[str, Plant] = {}


def leak(name: str) -> Callable[[Plant], Plant]:
    """Enter a leak in the table."""

    def enter(plant: Plant) -> Plant:
        LEAKS[name] = plant
        return plant

    return enter


def original(owner: Any, name: str) -> Any:
    """Return what the engine has under a name that is its own affair."""
    return getattr(owner, name)


GUESS = original(determinize, "_Guess")


def all_of(state: State) -> str:
    """Return everything there is in a state."""
    return repr(state.objects)


def odd(state: State) -> bool:
    """Return a bit of all that there is."""
    return sum(all_of(state).encode()) % 2 == 1


# -- logs ------------------------------------------------------------------------------------------


@leak("a log tells the new value to those who were shown the old one")
def _(patch: pytest.MonkeyPatch) -> None:
    change = original(NarrationLog, "_change")

    def keeps(self: NarrationLog, entity: int, name: str, new: Any, row: list[str]) -> None:
        kind = self.layout.names[self.objects[entity][0]]
        shown = self.layout.places.get((kind, f"{SHOWN}{name}"))
        before = self.objects[entity][shown] if shown is not None else None
        change(self, entity, name, new, row)
        if shown is not None:
            self.objects[entity][shown] = before

    patch.setattr(NarrationLog, "_change", keeps)


def tells_raw(patch: pytest.MonkeyPatch, which: Callable[[str, tuple[Any, ...]], bool]) -> None:
    """Events of some sort are told as they happened."""
    as_told = original(NarrationLog, "_redact")

    def raw(self: NarrationLog, step: Any, text: str, details: tuple[Any, ...]) -> tuple[Any, ...]:
        texts = as_told(self, step, text, details)
        return tuple(details[: len(texts)]) if which(text, details) else texts

    patch.setattr(NarrationLog, "_redact", raw)


@leak("a log tells a card that was drawn face down")
def _(patch: pytest.MonkeyPatch) -> None:
    tells_raw(patch, lambda told, details: told == "drawn")


@leak("a log tells a roll under a cup")
def _(patch: pytest.MonkeyPatch) -> None:
    tells_raw(patch, lambda told, details: told == "rolled")


@leak("a log tells what somebody chose in secret")
def _(patch: pytest.MonkeyPatch) -> None:
    tells_raw(patch, lambda told, details: told == "asked")


@leak("a log tells a hidden number")
def _(patch: pytest.MonkeyPatch) -> None:
    tells_raw(patch, lambda told, details: told == "written" and details[1] == "purse")


@leak("a log tells which entry of a hidden map has changed")
def _(patch: pytest.MonkeyPatch) -> None:
    as_told = original(NarrationLog, "_redact")

    def with_row(self: NarrationLog, step: Any, text: str, details: tuple[Any, ...]) -> tuple[Any, ...]:
        texts = as_told(self, step, text, details)
        return (*texts[:4], details[4]) if text == "written" and len(texts) == 5 else texts

    patch.setattr(NarrationLog, "_redact", with_row)


@leak("a log tells names that come from secrets")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(NarrationLog, "_is_secret", lambda self, step, name: False)


@leak("a log tells which entry a secret has changed")
def _(patch: pytest.MonkeyPatch) -> None:
    is_secret = original(NarrationLog, "_is_secret")
    patch.setattr(NarrationLog, "_is_secret", lambda self, step, name: name != "held" and is_secret(self, step, name))


@leak("a log tells which object a secret has changed")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Secrets, "has_secret_object", lambda self, step, kind, name: False)


@leak("a log calls what has left what it was")
def _(patch: pytest.MonkeyPatch) -> None:
    make_event = original(NarrationLog, "_event")

    def keeps(self: NarrationLog, raw: tuple[Any, ...]) -> Event:
        before = dict(self.objects)
        event = make_event(self, raw)
        if raw[1] == "removed":
            self.objects[raw[2]] = before[raw[2]]
        return event

    patch.setattr(NarrationLog, "_event", keeps)


@leak("somebody sees through what has left")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(NarrationLog, "_there", property(lambda self: self.objects))


@leak("the dice of a secret roll are everybody's")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Secrets, "has_secret_rolls", lambda self, step: False)


@leak("a log tells the fields of what comes into play")
def _(patch: pytest.MonkeyPatch) -> None:
    tells_raw(patch, lambda told, details: told == "created")


@leak("a log calls things what they are to those who know them")
def _(patch: pytest.MonkeyPatch) -> None:
    as_seen = original(NarrationLog, "_as_seen")

    def knowing(self: NarrationLog) -> dict[int, list[Any]]:
        seen = as_seen(self)
        faces = [number for number, entity in seen.items() if self.layout.names[entity[0]] == "chest"]
        return {**seen, **{number: self.objects[number] for number in faces}}

    patch.setattr(NarrationLog, "_as_seen", knowing)


@leak("an event weighs less where a hidden value stays what it was")
def _(patch: pytest.MonkeyPatch) -> None:
    make_event = original(NarrationLog, "_event")

    def weighed(self: NarrationLog, raw: tuple[Any, ...]) -> Event:
        event = make_event(self, raw)
        same = raw[1] == "written" and raw[2] is not None and raw[4] == raw[5]
        return replace(event, weight=Weight.ASIDE) if same else event

    patch.setattr(NarrationLog, "_event", weighed)


@leak("a story has one line less where something is odd")
def _(patch: pytest.MonkeyPatch) -> None:
    story = Game.story

    def shorter(self: Game, *, since: int = 0, seat: int | None = None) -> tuple[str, ...]:
        return story(self, since=since, seat=seat)[: -1 if odd(self.state) else None]

    patch.setattr(Game, "story", shorter)


@leak("the order of a story follows a secret")
def _(patch: pytest.MonkeyPatch) -> None:
    story = Game.story

    def reverse_story(self: Game, *, since: int = 0, seat: int | None = None) -> tuple[str, ...]:
        return story(self, since=since, seat=seat)[:: -1 if odd(self.state) else 1]

    patch.setattr(Game, "story", reverse_story)


@leak("the latest part of a story is everybody's")
def _(patch: pytest.MonkeyPatch) -> None:
    story = Game.story

    def latest(self: Game, *, since: int = 0, seat: int | None = None) -> tuple[str, ...]:
        return story(self, since=since, seat=None if since else seat)

    patch.setattr(Game, "story", latest)


@leak("a spectator sees what one player sees")
def _(patch: pytest.MonkeyPatch) -> None:
    includes = VisibilityRules.includes

    def one(self: VisibilityRules, seers: Any, viewer: int | None, objects: Any) -> bool:
        return bool(seers) if viewer is None else includes(self, seers, viewer, objects)

    patch.setattr(VisibilityRules, "includes", one)


# -- snapshots and views ---------------------------------------------------------------------------


def shows_place(patch: pytest.MonkeyPatch, kind: str, name: str) -> None:
    """Treat a hidden field as an open one wherever states are looked at."""
    hides = VisibilityRules.find_hidden

    def without(self: VisibilityRules, objects: Any, viewer: int | None) -> Any:
        number = self.layout.kinds[kind]
        return {
            entity: {at: each for at, each in places.items() if not (objects[entity][0] == number and each == name)}
            for entity, places in hides(self, objects, viewer).items()
        }

    patch.setattr(VisibilityRules, "find_hidden", without)


@leak("a hidden field is there")
def _(patch: pytest.MonkeyPatch) -> None:
    shows_place(patch, "chest", "weight")


@leak("what is left of a deck is there")
def _(patch: pytest.MonkeyPatch) -> None:
    shows_place(patch, "game", "deck.pack")


@leak("names of procedures are there")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Secrets, "find_hidden_slots", lambda self, procedure, frame: frozenset())


@leak("answers are there while others choose")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Secrets, "list_sealed_answers", lambda self, procedure: [])


@leak("options that follow from a secret are everybody's")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Secrets, "has_secret_offers", lambda self, step: False)


@leak("a cost tells a secret name")
def _(patch: pytest.MonkeyPatch) -> None:
    tells = original(Secrets, "_tells")
    patch.setattr(Secrets, "reads_secret", lambda self, value, procedure: tells(self, (value,), set(), set()))


@leak("options are called what they are to whoever decides")
def _(patch: pytest.MonkeyPatch) -> None:
    decide = decision.build_decision
    patch.setattr(snapshot, "build_decision", lambda state, *viewer: decide(state))


@leak("options are called what they are")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(decision, "redact_value", lambda state, viewer: state)


@leak("a hidden field is there where it holds what it starts as")
def _(patch: pytest.MonkeyPatch) -> None:
    as_seen = snapshot.redact_value

    def unchanged(state: State, viewer: int | None) -> State:
        seen = as_seen(state, viewer)
        for entity, whole in zip(seen.objects, state.objects, strict=True):
            for at, value in enumerate(entity or ()):
                if value is HIDDEN and whole[at] in ("clubs", 1):
                    entity[at] = whole[at]
        return seen

    patch.setattr(snapshot, "redact_value", unchanged)


def changes_snapshot(patch: pytest.MonkeyPatch, change: Callable[[State, dict[str, Any]], Any]) -> None:
    """Something of a snapshot is another one."""
    make = game.take_snapshot

    def changed(state: State, seat: int | None = None) -> dict[str, Any]:
        value = make(state, seat)
        change(state, value)
        return value

    patch.setattr(game, "take_snapshot", changed)


@leak("objects lie in the order of a secret")
def _(patch: pytest.MonkeyPatch) -> None:
    def sort(state: State, data: dict[str, Any]) -> None:
        place = state.machine.layout.places["chest", "weight"]
        chests = (each["id"] for each in data["objects"]["chest"])
        weights = {each: state.objects[int(each.split("-")[1])][place] for each in chests}
        data["objects"]["chest"].sort(key=lambda each: weights[each["id"]])

    changes_snapshot(patch, sort)


@leak("an id is made of a secret")
def _(patch: pytest.MonkeyPatch) -> None:
    def rename(state: State, data: dict[str, Any]) -> None:
        for each in data["objects"]["player"]:
            each["id"] += str(hash(all_of(state)) % 1000)

    changes_snapshot(patch, rename)


@leak("a digest is that of everything")
def _(patch: pytest.MonkeyPatch) -> None:
    changes_snapshot(patch, lambda state, found: found.update(digest=hash(all_of(state))))


@leak("a view is padded to the length of a secret")
def _(patch: pytest.MonkeyPatch) -> None:
    make = game.view

    def padded(state: State, viewer: Any) -> dict[str, Any]:
        return {**make(state, viewer), "title": " " * odd(state)}

    patch.setattr(game, "view", padded)


@leak("a view is that of whoever decides")
def _(patch: pytest.MonkeyPatch) -> None:
    as_seen = snapshot.redact_value
    patch.setattr(snapshot, "redact_value", lambda state, viewer: as_seen(state, state.who or viewer))


# -- records, refusals, observations ---------------------------------------------------------------


@leak("a record for a seat holds what came up for others")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ChanceEntry, "redact", ChanceEntry.to_data)


@leak("a record for a seat holds what others chose")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ChoiceEntry, "redact", ChoiceEntry.to_data)


@leak("a refusal says how things stand")
def _(patch: pytest.MonkeyPatch) -> None:
    choose = Game.choose

    def says(self: Game, option: Any) -> None:
        try:
            choose(self, option)
        except GameError as error:
            raise GameError(f"{error} ({hash(all_of(self.state))})") from error

    patch.setattr(Game, "choose", says)


@leak("a refused seat is told how things stand")
def _(patch: pytest.MonkeyPatch) -> None:
    refuse = original(Game, "_refuse_seat")

    def says(self: Game, seat: Any) -> None:
        try:
            refuse(self, seat)
        except GameError as error:
            raise GameError(f"{error}{'.' * odd(self.state)}") from error

    patch.setattr(Game, "_refuse_seat", says)


@leak("numbers that agents observe hold a secret")
def _(patch: pytest.MonkeyPatch) -> None:
    numbers = ObservationEncoder.encode

    def whole(self: ObservationEncoder, state: State, player: int) -> list[float]:
        return [*numbers(self, state, player)[:-1], float(odd(state))]

    patch.setattr(ObservationEncoder, "encode", whole)


@leak("the text that agents observe holds a secret")
def _(patch: pytest.MonkeyPatch) -> None:
    seen = ObservationEncoder.format_view
    patch.setattr(
        ObservationEncoder, "format_view", lambda self, state, player: seen(self, state, player) + " " * odd(state)
    )


@leak("agents recall the new value of what they were shown")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(InfoStateRecorder, "_show_nobody", lambda self, entity, kind, name: None)


# -- bots ------------------------------------------------------------------------------------------


@leak("a guess keeps the numbers that are hidden")
def _(patch: pytest.MonkeyPatch) -> None:
    anew = original(GUESS, "_anew")

    def keeps(self: Any, kind: Any, held: Any, alike: list[Any]) -> Any:
        return held if isinstance(held, int) else anew(self, kind, held, alike)

    patch.setattr(GUESS, "_anew", keeps)


@leak("a guess keeps the names that come from secrets")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Knowledge, "find_sources", lambda self, procedure, slot, step: [])


@leak("a guess keeps what others chose together")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(knowledge, "_adds_to", lambda each, slot: False)
    patch.setattr(determinize, "analyze_knowledge", Knowledge)


@leak("a guess keeps what is left of a deck")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(GUESS, "_decks", lambda self: None)


@leak("a bot looks at the game as it is")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(greedy, "determinize", lambda state, player, generator, known: state.clone())


IN_JAVASCRIPT: dict[str, tuple[str, str]] = {
    "a log tells the new value to those who were shown the old one": (
        "if (shownField) this.objects.get(thing)[shownField] = [];",
        "",
    ),
    "a log tells a card that was drawn face down": (
        "return sees ? known : [...known.slice(0, -1), HIDDEN];",
        "return known;",
    ),
    "a log calls what has left what it was": (
        "if (this.visibility !== null) this.objects.set(happened[0], this.seen.get(happened[0]));",
        "",
    ),
    "the dice of a secret roll are everybody's": ("if (!sees && site.secret)", "if (false)"),
    "a log tells which entry of a hidden map has changed": (
        "return [thing, name, HIDDEN, HIDDEN, HIDDEN];",
        "return [thing, name, HIDDEN, HIDDEN, ...row];",
    ),
    "a log tells which object a secret has changed": ("if (site.secret && !this", "if (false && !this"),
    "a log tells names that come from secrets": ("return hidden.includes(name) ?", "return false ?"),
    "a view leaves nothing out": ("const seen = seat === EVERYTHING ?", "const seen = true ?"),
    "a view without a seat leaves nothing out": ("return seat ?? 0;", "return seat || EVERYTHING;"),
    "options are called what they are": (
        "new PhraseBuilder(module, this.#visibility.asSeen(objects, player), this.names)",
        "new PhraseBuilder(module, objects, this.names)",
    ),
    "a record for a seat holds what came up for others": ("...unseen ? came.map(() => null) : came", "...came"),
    "a refusal says how things stand": (
        "the options are: ${ids",
        "${JSON.stringify(this.#record)} the options are: ${ids",
    ),
}
"""By what is leaked: a piece of the built `rules.js`, and its replacement."""

IN_THE_MODULE: dict[str, Plant] = {
    "bots of the module look at the game as it is": lambda patch: patch.setattr(
        module_assembly, "encode_guess_table", lambda *_: 0
    ),
    "bots of the module keep names that come from secrets": lambda patch: patch.setattr(
        Knowledge, "find_sources", lambda self, procedure, slot, step: []
    ),
}
"""By what is leaked: what is planted in the assembly of a module."""
