"""A game about to begin, as the words that it has in memory: a host copies them there, and carries it out."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.language.declarations import FIRST_PLAYER, GAME_KIND, PLAYER_KIND
from rulewright.language.expression.effort import MOST_IN_A_MOVE
from rulewright.play.wasm.writing.layout import AT, BLOCK, NONE, STATE, Layout
from rulewright.ruleset.ruleset import Ruleset

_SPARE = 1 << 16
_EVENTS = 64
_OBJECTS = 16


def defaults(ruleset: Ruleset, layout: Layout, kind: str) -> list[int]:
    """What an object of a kind holds at first, as words."""
    return [layout.constant(field.default, field.type) for field in ruleset.declarations.kinds[kind].fields.values()]


def fresh(ruleset: Ruleset, layout: Layout, order: Sequence[str], seats: int) -> list[int]:
    """The words of a game for so many players, from where games begin, every setting at its default."""
    words: dict[int, int] = {}
    top = layout.heap

    def put(at: int, values: Sequence[int]) -> None:
        words.update({at + 8 * place: value for place, value in enumerate(values)})

    def block(values: Sequence[int]) -> int:
        nonlocal top
        at = top
        put(at, [len(values), *values])
        top += 8 * (len(values) + 1)
        return BLOCK | at

    start = ruleset.start
    assert start is not None
    players = range(FIRST_PLAYER, FIRST_PLAYER + seats)
    live = [block(list(players) if name == PLAYER_KIND else ()) for name in layout.kinds]
    objects, events = block([NONE] * _OBJECTS), block([0] * _EVENTS)
    size = layout.program.routines[start].size
    put(layout.live, live)
    put(layout.game + 8, defaults(ruleset, layout, GAME_KIND))
    for place in range(seats):
        put(layout.players + 8 * layout.player_size * place + 8, defaults(ruleset, layout, PLAYER_KIND))
    put(layout.frames, [0, *[NONE] * size])
    header = {
        **dict.fromkeys(("options", "roll", "answer", "winners", "given"), NONE),
        "objects": objects,
        "events": events,
        "made": FIRST_PLAYER + seats,
        "seats": seats,
        "top": top,
        "clean": top,
        "limit": top + _SPARE,
        "work": MOST_IN_A_MOVE,
        "crowd": 1,
        "root": order.index(start),
        "frame": layout.frames,
        "frames_end": layout.frames + 8 * (size + 1),
    }
    put(STATE, [header.get(name, 0) for name in AT])
    return [words.get(at, 0) for at in range(STATE, top, 8)]
