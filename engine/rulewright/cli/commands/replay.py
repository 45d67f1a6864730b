"""`rulewright replay`: a saved game, step by step, forward and back."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.cli.options import add_rules_option
from rulewright.source.yaml.core_schema import whole_number

if TYPE_CHECKING:
    from rulewright.play.game.game import Game

HELP = "go through a saved game step by step, forward and back"
EXAMPLE = """\
rulewright replay game.json
rulewright replay game.json --log"""

COMMANDS = "enter: forward · b: back · N: go to stop N · map · log · quit"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a game that `play` saved")
    parser.add_argument("--log", action="store_true", help="print the whole log with its rules, and stop")
    parser.add_argument("--json", action="store_true", help="print the log as data, and stop")
    add_rules_option(parser)


def run(args: argparse.Namespace) -> int:
    """Open the game under the rules it was played with, and show it."""
    from rulewright.play.game.saves import open_save, stops
    from rulewright.play.telling.events import Weight

    game = open_save(args.file, rules=args.rules)
    if args.json:
        events = [event.to_json() for event in game.log]
        print(json.dumps({"ruleset": game.ruleset.reference, "events": events}, ensure_ascii=False, indent=2))
    elif args.log or not sys.stdin.isatty():
        print(
            "\n".join(f"{event.rule}: {event.text}" for event in game.log if event.text and event.weight > Weight.ASIDE)
        )
    else:
        _step_through(stops(game))
    return 0


def _step_through(games: list[Game]) -> None:
    from rulewright.cli.board import draw
    from rulewright.play.boards.board import boards

    place = 0
    print(COMMANDS)
    while True:
        game = games[place]
        told = len(games[place - 1].log) if place else 0
        print(f"\n[{place} of {len(games) - 1}]")
        print("\n".join(f"  {event.text}  ({event.rule})" for event in game.log[told:] if event.text))
        for board in boards(game.state):
            print("\n".join(draw(board)))
        if game.decision is not None:
            print(f"Player {game.decision.player}: {game.decision.ask}")
        elif game.result is not None:
            print("the end")
        try:
            answer = input("> ").strip()
        except EOFError:
            return
        match answer:
            case "q" | "quit":
                return
            case "b" | "back":
                place = max(0, place - 1)
            case "log" | "l":
                print("\n".join(f"  {event.rule}: {event.text}" for event in game.log if event.text))
            case _ if (number := whole_number(answer)) is not None:
                place = min(number, len(games) - 1)
            case _:
                place = min(place + 1, len(games) - 1)
