"""Where each field of each kind is kept in an object: objects are lists, `[kind, field, field, …]`."""

from __future__ import annotations

from typing import Any

from rulewright.language.declarations import GAME_KIND, PLAYER_KIND, Declarations


class Layout:
    """Numbers for kinds and fields. The game is kind 0 and the players kind 1, in every ruleset."""

    __slots__ = ("defaults", "fields", "kinds", "names", "places")

    def __init__(self, declarations: Declarations) -> None:
        others = [k for k in declarations.kinds if k not in (GAME_KIND, PLAYER_KIND)]
        self.names: tuple[str, ...] = (GAME_KIND, PLAYER_KIND, *others)
        self.kinds = {name: number for number, name in enumerate(self.names)}
        self.fields = {name: tuple(declarations.kinds[name].fields) for name in self.names}
        self.places = {
            (kind, field): place for kind in self.names for place, field in enumerate(self.fields[kind], start=1)
        }
        self.defaults: dict[str, list[Any]] = {
            kind: [self.kinds[kind], *(field.default for field in declarations.kinds[kind].fields.values())]
            for kind in self.names
        }
