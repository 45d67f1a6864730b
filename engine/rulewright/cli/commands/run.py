"""`rulewright run`: one procedure alone, with scripted dice and choices."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from rulewright.cli.options import (
    add_choose_option,
    add_given_option,
    add_rules_option,
    add_settings_option,
    choices_of,
    given_of,
    load,
    settings_of,
)

if TYPE_CHECKING:
    from rulewright.play.run import Finished

HELP = "carry out one procedure alone, with scripted dice and choices"
EXAMPLE = """\
rulewright run pig/classic@1.0 game --given 'players=[{score: 95}]' --choose roll,hold --dice 5
rulewright run pig/classic@1.0 game --dice 6,1 --choose roll,roll --until lost"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("reference", metavar="REF", help="the ruleset")
    parser.add_argument("procedure", metavar="PROCEDURE", help="the procedure to carry out")
    add_given_option(parser)
    parser.add_argument(
        "--dice",
        default="",
        metavar="90,3",
        help="results in the order rolled, each before any bonus; 6+5+5+4 gives the faces of several dice",
    )
    add_choose_option(parser)
    parser.add_argument("--until", default="", metavar="STEP", help="stop when this step is done")
    parser.add_argument("--seed", metavar="N", help="leave what the script does not say to this seed")
    parser.add_argument("--players", type=int, metavar="N", help="how many play (default the fewest)")
    add_settings_option(parser)
    parser.add_argument("--json", action="store_true", help="print data")
    add_rules_option(parser)


def run(args: argparse.Namespace) -> int:
    """Run the procedure and print what happened."""
    from rulewright.play.run import run as run_procedure
    from rulewright.ruleset.lookup import procedure

    ruleset = load(args)
    found = procedure(ruleset, args.procedure)
    finished = run_procedure(
        ruleset,
        found.id,
        given=given_of(args),
        dice=_dice(args),
        choices=choices_of(args),
        until=args.until,
        seed=args.seed,
        players=args.players,
        options=settings_of(args),
    )
    if args.json:
        print(json.dumps(_data(finished), ensure_ascii=False, indent=2))
    else:
        _tell(finished)
    return 0


def _dice(args: argparse.Namespace) -> list[Any]:
    """`90,3,6+5+5+4`: numbers are totals or single faces, sums are faces; anything else is a card."""
    found: list[Any] = []
    for part in (part.strip() for part in args.dice.split(",") if part.strip()):
        numbers = part.removeprefix("-").split("+")
        if all(number.strip().isdigit() for number in numbers):
            found.append(int(part) if len(numbers) == 1 else [int(number) for number in part.split("+")])
        else:
            found.append(part)
    return found


def _tell(finished: Finished) -> None:
    names = finished.names
    width = max((len(moment.event.rule) for moment in finished.moments), default=0)
    for moment in finished.moments:
        if moment.event.text:
            faces = names.faces(moment.faces)
            print(f"{moment.event.rule:<{width}}  {moment.event.text}{'  ' + faces if faces else ''}")
    print()
    for name, said in _values(finished).items():
        print(f"{name} = {said}")
    if finished.paused:
        print("(stopped where it was told to)")


def _values(finished: Finished) -> dict[str, str]:
    """What the procedure's names hold, in words; those not bound yet are left out."""
    names = finished.names
    assert finished.procedure is not None
    slots = {name: slot for slot, name in finished.procedure.names.items()}
    gives = finished.procedure.gives
    return {
        name: names.value(value, gives[name].type if name in gives else finished.procedure.types[slots[name]])
        for name, value in finished.values.items()
        if value is not None
    }


def _plain(value: Any) -> Any:
    """A value as JSON: numbers, ids and numbers of objects as they are, dice as their notation."""
    from rulewright.dice.text import text
    from rulewright.dice.tree import Roll

    if isinstance(value, Roll):
        return text(value)
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _data(finished: Finished) -> dict[str, Any]:
    assert finished.procedure is not None
    return {
        "ruleset": finished.ruleset.reference,
        "procedure": finished.procedure.id,
        "stopped": finished.paused,
        "values": {name: _plain(value) for name, value in finished.values.items()},
        "words": _values(finished),
        "events": [
            {
                "rule": moment.event.rule,
                "verb": moment.event.verb,
                "text": moment.event.text,
                "faces": moment.faces,
            }
            for moment in finished.moments
        ],
    }
