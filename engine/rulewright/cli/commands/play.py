"""The `rulewright play` command, which plays a game in the terminal."""

from __future__ import annotations

import argparse
from pathlib import Path

from rulewright.cli.shared_options import (
    add_rules_option,
    add_settings_option,
    list_in_help,
    load,
    read_bots,
    read_settings,
    seed_of,
)

HELP = "play a game in the terminal, with people and bots"
TASKS = "Play a game in the terminal, against bots or friends."
EXAMPLE = """\
rulewright play pig/classic --players human,random
rulewright play pig/classic --players random,random --seed 7
rulewright play game.json --players human,greedy"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument("reference", metavar="REF | FILE", help="ruleset, or a saved game to continue")
    parser.add_argument("--players", default="human,random", metavar="WHO,…", help="`human` or a bot for each seat")
    parser.add_argument("--seed", metavar="N", help="random seed (same seed, same game)")
    add_settings_option(parser)
    parser.add_argument("--save", type=Path, metavar="FILE", help="save the game to this file when it ends or you quit")
    parser.add_argument("--overwrite", action="store_true", help="replace the file even if it contains another game")
    parser.add_argument("--backend", metavar="NAME", help="engine back end for a new game (does not affect results)")
    add_rules_option(parser)
    list_in_help(parser, bots="rulewright.ai.bots", backends="rulewright.engine.backends")


def run(args: argparse.Namespace) -> int:
    """Play until the game ends or a person quits, save the game if requested, and return the exit code.

    The code is 1 if the game could not be saved.
    """
    from secrets import randbits

    from rulewright.ai import bots
    from rulewright.cli.terminal_session import Session
    from rulewright.engine import backends
    from rulewright.engine.game.game import Game
    from rulewright.engine.game.saves import open_save
    from rulewright.source.files.atomic_write import refuse_unwritable

    seats = read_bots(args)
    if not seats:
        args.parser.error("--players must name the players, such as human,random")
    options = read_settings(args)
    if args.save is not None:
        if not args.save.absolute().parent.is_dir():
            args.parser.error(f"the folder of {args.save} does not exist")
        refuse_unwritable(args.save)
    if Path(args.reference).is_file():
        if args.backend is not None:
            args.parser.error("--backend applies to new games only")
        game = open_save(args.reference, rules=args.rules)
        if len(seats) != game.players:
            args.parser.error(
                f"the game in {args.reference} has {game.players} players; name each of them with --players"
            )
    else:
        seed = randbits(32) if args.seed is None else seed_of(args.seed)
        ruleset = load(args)
        machine = backends.make(args.backend or backends.STANDARD, ruleset)
        game = Game(ruleset, players=len(seats), seed=seed, options=options, machine=machine)
    policies = [
        None if name == "human" else bots.make(name, game.ruleset, seed=game.seed, seat=seat)
        for seat, name in enumerate(seats, 1)
    ]
    session = Session(game, policies, overwrites=args.overwrite)
    if args.save is not None and (there := session.in_the_way(args.save)) is not None:
        args.parser.error(f"{args.save} {there}")
    who = ", ".join(f"{number}. {seat}" for number, seat in enumerate(seats, 1))
    print(f"{game.ruleset.title} ({game.ruleset.reference}), seed {game.seed}: {who}")
    session.play()
    return 0 if args.save is None or session.save(str(args.save)) else 1
