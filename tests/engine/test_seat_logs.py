"""The log of a seat grows with the game: what was told before is not told again."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright import Game
from rulewright.engine.game.game import replay
from rulewright.engine.narration.narrate_events import Narration
from tests.language.inline import MANIFEST, sound

RULES = """\
state: {rounds: count}
kinds: {player: {fields: {bid: {type: int, seen_by: self}}}}
procedures:
  game:
    steps:
      - id: round
        repeat:
          until: rounds == 6
          ends_within: 6
          steps:
            - {id: next, set: {rounds: rounds + 1}}
            - {id: bids, choose: {who: players, as: one, number: {from: 1, to: 3}}, seen_by: one}
            - id: noted
              for_each: one
              in: players
              steps:
                - {id: kept, set: {one.bid: "bids[one]"}}
                - {id: shown, show: {what: one.bid, to: players}, when: "bids[one] == 3"}
      - {id: end, finish: {winners: []}}
"""


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_each_event_is_told_a_seat_once(seat: int, monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []

    def count(narration: Narration, *event: Any, whole: Any = Narration.tell) -> Any:
        lines.append(event[0].rule)
        return whole(narration, *event)

    rules = sound(RULES, manifest=MANIFEST.replace("1..4}", "2, start: game}"))
    game = Game(rules, players=2, seed=1)
    with monkeypatch.context() as patched:
        patched.setattr(Narration, "tell", count)
        while game.decision is not None:
            game.choose(len(game.record) % 3)
            log = game.log_for(seat)
    assert len(log) > 40
    assert len(lines) == 2 * len(log), "once for the seat, and once for the game as a whole"
    assert log == replay(game).log_for(seat) == game.clone().log_for(seat)
