"""Whether somebody came to know a secret between two stops of a game: what cannot be taken back by going back."""

from __future__ import annotations

from rulewright.engine.game.game import Game
from rulewright.engine.narration.events import Event
from rulewright.engine.narration.redaction import Objects, analyze_sight
from rulewright.language.operations import Reveal
from rulewright.language.visibility import SHOWN


def reveals_secret(before: Game, after: Game) -> bool:
    """Return whether, since `before`, somebody may have seen what was hidden from them then.

    Shown, laid open or handed over.

    Both are stops of one game. A hidden value that changed counts, too, wherever somebody was told more of it than
    others: whether they knew it before is for the rules to know. What somebody chose is no news to whoever chose it.
    """
    sight = analyze_sight(after.ruleset)
    if sight.everything:
        return False
    start = len(before.log)
    if any(event.kind == Reveal.told or _shows(event) for event in after.log[start:]):
        return True
    seats = range(1, after.players + 1)
    for told in zip(*(after.told(seat)[start:] for seat in seats), strict=True):
        if told[0].kind != "asked" and len({event.text for event in told}) > 1:
            return True
    then, now = _objects(before), _objects(after)
    for seat in seats:
        hidden = sight.find_hidden(now, seat)
        for number, places in sight.find_hidden(then, seat).items():
            if number in now and not places.keys() <= hidden.get(number, {}).keys():
                return True
    return False


def _shows(event: Event) -> bool:
    """Return whether somebody was let see a hidden field."""
    return event.kind == "written" and str(event.details[1]).startswith(SHOWN)


def _objects(game: Game) -> Objects:
    return {number: thing for number, thing in enumerate(game.state.objects) if thing is not None}
