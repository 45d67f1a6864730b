"""Protection of secrets against undo: finds whether a player gained hidden information between two stops."""

from __future__ import annotations

from rulewright.engine.game.game import Game
from rulewright.engine.narration.events import Event
from rulewright.engine.narration.redaction import Objects, analyze_sight
from rulewright.language.operations import Reveal
from rulewright.language.visibility import SHOWN


def reveals_secret(before: Game, after: Game) -> bool:
    """Return whether any player may have learned hidden information between two stops of one game, so undo is unsafe.

    That is the case if a value was revealed or handed over, if an event other than a choice reads differently for some
    players, or if a field hidden from a player before is visible to that player now. Raises the exceptions of
    `Game.log`.
    """
    sight = analyze_sight(after.ruleset)
    if sight.everything:
        return False
    start = len(before.log)
    if any(event.kind == Reveal.event_kind or _shows(event) for event in after.log[start:]):
        return True
    seats = range(1, after.players + 1)
    for views in zip(*(after.log_for(seat)[start:] for seat in seats), strict=True):
        if views[0].kind != "asked" and len({event.text for event in views}) > 1:
            return True
    then, now = _objects(before), _objects(after)
    for seat in seats:
        hidden = sight.find_hidden(now, seat)
        for number, places in sight.find_hidden(then, seat).items():
            if number in now and not places.keys() <= hidden.get(number, {}).keys():
                return True
    return False


def _shows(event: Event) -> bool:
    """Return whether an event shows a hidden field to a player."""
    return event.kind == "written" and str(event.details[1]).startswith(SHOWN)


def _objects(game: Game) -> Objects:
    return {number: item for number, item in enumerate(game.state.objects) if item is not None}
