"""`rulewright play`: a game in the terminal, by people and bots."""

from __future__ import annotations

import argparse
from pathlib import Path

from rulewright.cli.options import add_rules_option, load

HELP = "play a game in the terminal, with people and bots"
EXAMPLE = """\
rulewright play pig/classic --players human,random
rulewright play pig/classic --players random,random --seed 7"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("reference", metavar="REF", help="the ruleset")
    parser.add_argument("--players", default="human,random", metavar="WHO,…", help="human or a bot for each seat")
    parser.add_argument("--seed", metavar="N", help="play by the same dice every time")
    parser.add_argument("--option", action="append", default=[], metavar="ID=CHOICE", help="a setting (repeatable)")
    parser.add_argument("--save", type=Path, metavar="FILE", help="save the game here when it ends or is left")
    add_rules_option(parser)


def run(args: argparse.Namespace) -> int:
    """Play to the end, or until somebody leaves."""
    from secrets import randbits

    from rulewright.cli.session import Session
    from rulewright.play import bots
    from rulewright.play.game import Game

    seats = [name.strip() for name in args.players.split(",") if name.strip()]
    if not seats:
        args.parser.error("--players names who plays, such as human,random")
    options = {}
    for pair in args.option:
        name, equals, choice = pair.partition("=")
        if not equals:
            args.parser.error(f"--option takes ID=CHOICE, not {pair!r}")
        options[name.strip()] = choice.strip()
    ruleset = load(args)
    seed = str(randbits(32)) if args.seed is None else args.seed
    policies = [
        None if name == "human" else bots.make(name, ruleset, seed=seed, seat=seat)
        for seat, name in enumerate(seats, 1)
    ]
    game = Game(ruleset, players=len(seats), seed=seed, options=options)
    print(
        f"{ruleset.title} ({ruleset.reference}), seed {seed}: " + ", ".join(f"{n}. {s}" for n, s in enumerate(seats, 1))
    )
    finished = Session(game, policies).play()
    if args.save is not None:
        game.save(args.save)
        print(f"saved to {args.save}")
    return 0 if finished else 1
