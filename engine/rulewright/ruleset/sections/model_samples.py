"""The part of the model that is samples of play. Nothing of it is gameplay."""

from __future__ import annotations

from rulewright.language.shape import Leaf, MapOf, Record, optional, required, words

SAMPLE = Record(
    "A sample of play: a game from its beginning, played by bots, which a page tells with its dice and its maps.",
    members={
        "title": required(words("What it shows.")),
        "text": optional(words("What a reader should know first.")),
        "players": optional(Leaf("How many play (default the fewest).", format="integer")),
        "seed": optional(Leaf("What the dice and the bots go by (default 0).", format="integer")),
        "policy": optional(Leaf("The bot that plays every seat (default `greedy`).", format="value")),
        "options": optional(MapOf("Settings that are not at their default.", inner=Leaf("A choice.", format="id"))),
        "until": optional(Leaf("Stop when this step, `procedure.step`, is done the first time.", format="reference")),
    },
    cosmetic=True,
)
