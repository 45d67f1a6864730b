"""`rulewright play`: a game in the terminal, by people and bots."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.cli.options import add_rules_option, load

if TYPE_CHECKING:
    from rulewright.play.bots import Policy
    from rulewright.play.decision import Decision
    from rulewright.play.game import Game

HELP = "play a game in the terminal, with people and bots"
EXAMPLE = """\
rulewright play pig/classic --players human,random
rulewright play pig/classic --players random,random --seed 7"""

COMMANDS = "a number chooses · ? tells the rule · log shows what happened · save FILE · quit"


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
        None if name == "human" else bots.make(name, ruleset, seed=seed, seat=seat) for seat, name in enumerate(seats, 1)
    ]
    game = Game(ruleset, players=len(seats), seed=seed, options=options)
    print(f"{ruleset.title} ({ruleset.reference}), seed {seed}: " + ", ".join(f"{n}. {s}" for n, s in enumerate(seats, 1)))
    if any(policy is None for policy in policies):
        print(COMMANDS)
    finished = _play(game, policies)
    if args.save is not None:
        game.save(args.save)
        print(f"saved to {args.save}")
    return 0 if finished else 1


def _play(game: Game, policies: list[Policy | None]) -> bool:
    """Go on until the end. False if somebody left first."""
    told = 0
    while True:
        for event in game.log[told:]:
            if event.text and event.verb != "do":
                print(f"  {event.text}")
        told = len(game.log)
        decision = game.decision
        if decision is None:
            return True
        policy = policies[decision.player - 1]
        if policy is not None:
            game.choose(policy(game.state))
        elif not _ask(game, decision):
            return False


def _ask(game: Game, decision: Decision) -> bool:
    """Ask a person until an option is chosen. False if the person leaves."""
    print(f"\nPlayer {decision.player}: {decision.ask}")
    for number, option in enumerate(decision.options, start=1):
        print(f"  {number}. {option.label}")
    while True:
        try:
            answer = input("> ").strip()
        except EOFError:
            print()
            return False
        match answer.split(maxsplit=1):
            case []:
                continue
            case ["quit" | "q"]:
                return False
            case ["?"]:
                print(_rule(game, decision.rule))
            case ["log"]:
                print("\n".join(f"  {event.rule}: {event.text}" for event in game.log if event.text))
            case ["save", path]:
                _save(game, path)
            case [word] if word.isdigit() and 1 <= int(word) <= len(decision.options):
                game.choose(int(word) - 1)
                return True
            case _:
                print(f"{COMMANDS}; there are {len(decision.options)} options", file=sys.stderr)


def _save(game: Game, path: str) -> None:
    try:
        game.save(path)
    except OSError as error:
        print(f"{path} cannot be written: {error.strerror}", file=sys.stderr)
    else:
        print(f"saved to {path}")


def _rule(game: Game, rule: str) -> str:
    """What the ruleset says about a step: the procedure's purpose, the step, and where it is written."""
    from rulewright.play.names import Names

    names = Names(game.ruleset)
    step = next(step for step in game.ruleset.steps.values() if step.rule == rule)
    procedure = game.ruleset.procedures[step.procedure]
    lines = [names.procedure(procedure.id)]
    if "means" in procedure.words:
        lines.append(names.words(procedure.words["means"]))
    if "text" in step.words:
        lines.append(names.words(step.words["text"]))
    lines.append(f"({rule}, {step.span.file}:{step.span.line})")
    return "\n".join(f"  {line}" for line in lines)
