"""The initial data of a game, as words for a host to copy into memory before it runs the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rulewright.engine.wasm_backend.codegen.memory_layout import AT, BLOCK, NONE, STATE, MemoryLayout
from rulewright.engine.wasm_backend.module_assembly import ModuleInfo
from rulewright.language.declarations import FIRST_PLAYER, GAME_KIND, PLAYER_KIND
from rulewright.language.expressions.expression_cost import MOST_IN_A_MOVE
from rulewright.ruleset.ruleset import Ruleset

_SPARE = 1 << 16
_EVENTS = 64
_OBJECTS = 16


@dataclass(frozen=True, slots=True)
class InitialLayout:
    """The initial data of games of a module, as numbers and names only, so that files can store it.

    `start` is the number of the start procedure, `slots` the number of its names, and `kinds` the number of kinds.
    `player_kind` is the number of the players' kind. `game_fields` and `player_fields` are the initial values of
    their fields. `options` has the position of the field of each setting and a word for each choice. All others are
    addresses and sizes.
    """

    start: int
    slots: int
    player_kind: int
    kinds: int
    live: int
    game: int
    players: int
    player_size: int
    frames: int
    heap: int
    game_fields: Sequence[int]
    player_fields: Sequence[int]
    options: Mapping[str, tuple[int, Mapping[str, int]]]

    @classmethod
    def for_module(cls, module_info: ModuleInfo) -> InitialLayout:
        """Return the layout of a module whose ruleset has a `start`."""
        layout, ruleset = module_info.layout, module_info.layout.ruleset
        assert ruleset.start is not None
        places = layout.program.layout.places
        return cls(
            start=module_info.order.index(ruleset.start),
            slots=layout.program.routines[ruleset.start].size,
            player_kind=[*layout.kinds].index(PLAYER_KIND),
            kinds=len(layout.kinds),
            live=layout.live,
            game=layout.game,
            players=layout.players,
            player_size=layout.player_size,
            frames=layout.frames,
            heap=layout.heap,
            game_fields=list_defaults(ruleset, layout, GAME_KIND),
            player_fields=list_defaults(ruleset, layout, PLAYER_KIND),
            options={
                name: (
                    places[GAME_KIND, f"options.{name}"],
                    {choice: layout.encode_word(choice) for choice in option.choices},
                )
                for name, option in ruleset.declarations.options.items()
            },
        )

    def to_plain(self) -> dict[str, Any]:
        """Return the layout as JSON data. `InitialLayout(**data)` restores it."""
        return asdict(self)

    def build_words(self, seats: int, options: Mapping[str, str] | None = None) -> list[int]:
        """Return the words of a new game, from `STATE` on.

        Settings that are not in `options` have their defaults. Raises `KeyError` for an unknown setting or choice.
        """
        words = [0] * ((self.heap - STATE) // 8)

        def put(address: int, values: Sequence[int]) -> None:
            at = (address - STATE) // 8
            words[at : at + len(values)] = values

        def block(values: Sequence[int]) -> int:
            at = STATE + 8 * len(words)
            words.extend((len(values), *values))
            return BLOCK | at

        players = range(FIRST_PLAYER, FIRST_PLAYER + seats)
        live = [block(players if kind == self.player_kind else ()) for kind in range(self.kinds)]
        objects, events = block([NONE] * _OBJECTS), block([0] * _EVENTS)
        top = STATE + 8 * len(words)
        put(self.live, live)
        put(self.game + 8, self.game_fields)
        for name, choice in (options or {}).items():
            place, choices = self.options[name]
            put(self.game + 8 * place, [choices[choice]])
        for place in range(seats):
            put(self.players + 8 * self.player_size * place + 8, self.player_fields)
        put(self.frames, [0, *[NONE] * self.slots])
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
            "root": self.start,
            "frame": self.frames,
            "frames_end": self.frames + 8 * (self.slots + 1),
        }
        for name, word in header.items():
            put(AT[name], [word])
        return words


def list_defaults(ruleset: Ruleset, layout: MemoryLayout, kind: str) -> list[int]:
    """Return the initial field values of an object of a kind, as words."""
    return [
        layout.encode_constant(field.default, field.type) for field in ruleset.declarations.kinds[kind].fields.values()
    ]
