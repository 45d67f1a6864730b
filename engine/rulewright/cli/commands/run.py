"""The `rulewright run` command, which runs one procedure with scripted dice and choices."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from secrets import randbits
from typing import TYPE_CHECKING, Any

from rulewright.base.errors import RulewrightError
from rulewright.cli.shared_options import (
    add_choose_option,
    add_given_option,
    add_rules_option,
    add_settings_option,
    load,
    read_choices,
    read_given,
    read_settings,
)

if TYPE_CHECKING:
    from rulewright.testing.procedure_run import Moment, RunResult

HELP = "run one procedure with scripted dice and choices"
TASKS = "Try or debug one procedure with chosen dice."
EXAMPLE = """\
rulewright run pig/classic@1.0 game --given 'players=[{score: 95}]' --choose roll,hold --dice 5
rulewright run pig/classic@1.0 game --dice 6,1 --choose roll,roll --until lost
rulewright run pig/classic@1.0 game --seed 7 --record house/examples.yaml"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument("reference", metavar="REF", help="ruleset")
    parser.add_argument("procedure", metavar="PROCEDURE", help="procedure to run")
    add_given_option(parser)
    parser.add_argument(
        "--dice",
        default="",
        metavar="90,3",
        help=(
            "results of the rolls, in order: totals before bonuses, or faces such as 6+5+5+4. For a roll that is not a "
            "sum of dice, give its final result. For a draw, give the card, the seat of the player, or #2 for the "
            "second element"
        ),
    )
    add_choose_option(parser)
    parser.add_argument("--until", default="", metavar="STEP", help="stop after this step")
    parser.add_argument("--seed", metavar="N", help="random seed for the rolls and choices that are not given")
    parser.add_argument("--players", type=int, metavar="N", help="number of players (default: the minimum)")
    add_settings_option(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--record",
        type=Path,
        action="append",
        metavar="FILE",
        help="add the run as an example to this rules file, which must belong to an edition",
    )
    add_rules_option(parser)


def run(args: argparse.Namespace) -> int:
    """Run the procedure, print the events, and record the run as an example if requested.

    On a terminal, without `--seed` and `--json`, the user answers anything that the script leaves open. If the run
    stops early, this prints the events so far and raises `RunStoppedError`.
    """
    from rulewright.ruleset.queries.lookup import find_procedure
    from rulewright.testing.procedure_run import RunStoppedError
    from rulewright.testing.procedure_run import run as run_procedure
    from rulewright.testing.run_results import as_data, as_data_of_stopped

    file = _find_record_file(args)
    ruleset = load(args)
    procedure = find_procedure(ruleset, args.procedure)
    transcript = _Transcript()
    prompt_script = None
    if args.seed is None and not args.json and sys.stdin is not None and sys.stdin.isatty():
        from rulewright.cli.terminal_session import PromptScript
        from rulewright.dice.sampling.random_generator import Generator

        prompt_script = PromptScript(_dice(args), read_choices(args), transcript.tell, Generator(randbits(64), "run"))
    try:
        finished = run_procedure(
            ruleset,
            procedure.id,
            given=read_given(args),
            dice=_dice(args),
            choices=read_choices(args),
            until=args.until,
            seed=args.seed,
            players=args.players,
            options=read_settings(args),
            script=prompt_script,
        )
    except RunStoppedError as stopped:
        if args.json:
            print(json.dumps(as_data_of_stopped(ruleset, procedure.id, stopped), ensure_ascii=False, indent=2))
        else:
            transcript.tell(stopped.moments)
        sys.stdout.flush()
        if file is not None:
            answered = prompt_script.format_arguments() if prompt_script is not None else ""
            goes_on = f"; to continue from there, run it again with {answered}" if answered else ""
            print(f"nothing was recorded in {file} because the run did not finish{goes_on}", file=sys.stderr)
        raise
    if args.json:
        print(json.dumps(as_data(finished), ensure_ascii=False, indent=2))
    else:
        transcript.tell(finished.moments)
        _print_values(finished)
    if file is not None:
        _record(args, file, finished)
    return 0


def _find_record_file(args: argparse.Namespace) -> Path | None:
    """Return the file for the recorded example, or None. Exits or raises before the run if the file is unusable."""
    if not args.record:
        return None
    if len(args.record) > 1:
        args.parser.error("--record is given twice, but a run is recorded in only one file")
    from rulewright.testing.record_example import refuse_unread

    file: Path = args.record[0]
    refuse_unread(file)
    return file


def _record(args: argparse.Namespace, file: Path, finished: RunResult) -> None:
    """Add the run to a file as an example, and print its id. Raises `RulewrightError` if that is not possible."""
    from rulewright.testing.record_example import RecordRequest, record

    given = {key.strip(): value.strip() for key, _, value in (pair.partition("=") for pair in args.given)}
    try:
        identity = record(file, finished, RecordRequest(given, args.until, args.players, read_settings(args)))
    except OSError as error:
        raise RulewrightError(f"{file} cannot be written: {error.strerror}") from None
    print(f"recorded as the example `{identity}` in {file}", file=sys.stderr)


def _dice(args: argparse.Namespace) -> list[Any]:
    """Parse the entries of `--dice`, as in `90,3,6+5+5+4`.

    A number is a total or a single face, a sum is a list of faces, and any other text is a card.
    """
    from rulewright.engine.game.script import read_dice_entry

    return [read_dice_entry(part.strip()) for part in args.dice.split(",") if part.strip()]


class _Transcript:
    """A printer for the events of a run that prints each event once."""

    def __init__(self) -> None:
        self.moment_count = 0

    def tell(self, moments: Sequence[Moment]) -> None:
        """Print the events that are not printed yet. `moments` are all moments of the run so far."""
        from rulewright.engine.narration.plain_names import format_faces

        width = max((len(moment.event.rule) for moment in moments), default=0)
        for moment in moments[self.moment_count :]:
            if moment.event.text:
                faces = format_faces(moment.faces)
                print(f"{moment.event.rule:<{width}}  {moment.event.text}{'  ' + faces if faces else ''}")
        self.moment_count = len(moments)


def _print_values(finished: RunResult) -> None:
    from rulewright.testing.run_results import format_values

    print()
    for name, text in format_values(finished).items():
        print(f"{name} = {text}")
    if finished.paused:
        print("(stopped after the --until step)")
