"""The `rulewright replay` command, which steps through a saved game."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulewright.base.errors import RulewrightError
from rulewright.cli.shared_options import add_rules_option
from rulewright.source.diagnostics.excerpt import shorten
from rulewright.source.yaml.core_schema import parse_whole_number

if TYPE_CHECKING:
    from rulewright.engine.game.game import Game
    from rulewright.engine.game.save_migration import Migration

HELP = "step through a saved game, forward and back"
TASKS = "Watch a saved game step by step."
EXAMPLE = """\
rulewright replay game.json
rulewright replay game.json --log
rulewright replay game.json --onto pig/classic@1.0 --output moved.json"""

COMMANDS = "Enter = forward · b = back · N = go to move N · log · quit"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument("file", type=Path, metavar="FILE", help="game saved by `play`")
    parser.add_argument("--log", action="store_true", help="print the whole log, with the rule of each event, and exit")
    parser.add_argument("--json", action="store_true", help="print the log as JSON and exit")
    parser.add_argument(
        "--onto", metavar="REF", help="replay the game under other rules, up to the first choice they do not allow"
    )
    parser.add_argument("--output", type=Path, metavar="NEW", help="with --onto: file to save the game to")
    add_rules_option(parser)


def run(args: argparse.Namespace) -> int:
    """Open a saved game, migrate it if requested, and display it or its log.

    The exit code is 1 if a migration stops before the last choice.
    """
    from rulewright.engine.game.saves import open_save, stops
    from rulewright.engine.narration.events import Weight

    if args.onto is None and args.output is not None:
        args.parser.error("--output needs --onto")
    moved = None if args.onto is None else _migrate(args)
    game = open_save(args.file, rules=args.rules) if moved is None else moved.game
    if args.json:
        events = [event.to_json() for event in game.log]
        results = {"ruleset": game.ruleset.reference, **({} if moved is None else {"migration": _data(moved)})}
        print(json.dumps({**results, "events": events}, ensure_ascii=False, indent=2))
    elif moved is not None and not args.log:
        print("\n".join(_format(moved)))
    elif args.log or not sys.stdin.isatty():
        print(
            "\n".join(f"{event.rule}: {event.text}" for event in game.log if event.text and event.weight > Weight.ASIDE)
        )
    else:
        _step_through(stops(game))
    return int(moved is not None and moved.stopped is not None)


def _migrate(args: argparse.Namespace) -> Migration:
    """Repeat the choices of a save with other rules, and write the result to `--output`, if it is given.

    Raises `RulewrightError` if the file cannot be written.
    """
    from rulewright.engine.game.save_migration import migrate_save
    from rulewright.ruleset.load_ruleset import load_ruleset

    moved = migrate_save(args.file, load_ruleset(args.onto, rules=args.rules), rules=args.rules)
    if args.output is not None:
        try:
            moved.game.save(args.output)
        except OSError as error:
            raise RulewrightError(f"{str(args.output)!r} cannot be written: {error.strerror or error}") from None
    return moved


def _data(moved: Migration) -> dict[str, Any]:
    return {
        "choices": moved.choices,
        "recorded": moved.recorded,
        "stopped": moved.stopped,
        "rerolled": moved.rerolled,
        "dropped": list(moved.dropped),
        "left_over": moved.left_over,
        "same_players": moved.same_players,
        "turn_before": moved.turn_before,
    }


def _format(moved: Migration) -> Iterator[str]:
    """Yield the lines about a migration: the repeated choices and, if any, where it stopped and what differs."""
    yield f"{moved.game.ruleset.reference}: {moved.choices} of {moved.recorded} choices were repeated."
    if moved.stopped is not None:
        yield f"Stopped before choice {moved.choices + 1}: {moved.stopped}"
    if moved.rerolled:
        yield f"Rolls and draws with a different result: {moved.rerolled}"
    if moved.left_over:
        yield f"Rolls and draws of the save that no longer happen: {moved.left_over}"
    now = moved.game.decision
    if moved.stopped is None and moved.turn_before is not None and (now is None or now.player != moved.turn_before):
        turn = "nobody" if now is None else f"Player {now.player}"
        yield f"In the save, Player {moved.turn_before} has to decide; now {turn} does."
    if not moved.same_players:
        yield "The rules of the save were not found, so its choices may now be those of other players. See --rules."
    if moved.dropped:
        yield f"Settings that these rules do not have: {', '.join(moved.dropped)}"


def _step_through(games: list[Game]) -> None:
    """Show one pause point after another until the user quits or the input ends."""
    from rulewright.cli.board_display import draw
    from rulewright.engine.boards.board_contents import list_visible_boards

    place = 0
    print(COMMANDS)
    while True:
        game = games[place]
        shown_events = len(games[place - 1].log) if place else 0
        print(f"\n[{place} of {len(games) - 1}]")
        print("\n".join(f"  {event.text}  ({event.rule})" for event in game.log[shown_events:] if event.text))
        for board in list_visible_boards(game.state):
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
            case _ if (number := parse_whole_number(answer)) is not None:
                place = min(number, len(games) - 1)
            case "":
                place = min(place + 1, len(games) - 1)
            case _:
                print(f"`{shorten(answer)}` is not a command. Commands: {COMMANDS}", file=sys.stderr)
