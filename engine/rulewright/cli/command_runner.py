"""The runner of commands, which turns errors into messages and exit codes.

The exit codes are 0 for success, 1 for an error in the rules or the game, 2 for wrong usage, and 141 for a closed
output. The `main` module handles interrupts.
"""

from __future__ import annotations

import argparse
import codecs
import os
import signal
import sys
import threading
import warnings
from _thread import interrupt_main
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Protocol, cast

from rulewright.base.errors import RulesetWarning, RulewrightError
from rulewright.base.garbage_collection import skip_last_collection
from rulewright.base.plugins import BROKEN_HELP, Broken, Failure, PluginError, ProcessSignal, report_failure
from rulewright.cli import commands
from rulewright.cli.argument_parser import Parser, PrintVersion
from rulewright.source.diagnostics.excerpt import MOST_SAID, shorten

_NOBODY_READS = 141  # 128 + SIGPIPE


class Command(Protocol):
    """The interface of a module in `commands`.

    `HELP` is a sentence in lower case, `TASKS` has sentences for the index of the reference, in the words that people
    search for, and `EXAMPLE` has lines to try.
    """

    HELP: str
    TASKS: str
    EXAMPLE: str

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments of the command to its parser."""

    def run(self, args: argparse.Namespace) -> int:
        """Run the command and return the exit code."""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line `arguments`, by default the program's own, and return its exit code.

    Errors of the rules and of output are printed to stderr. Wrong usage, `--help` and `--version` raise `SystemExit`,
    and bugs, interrupts and `ProcessSignal` pass through. For good, the standard streams replace characters that they
    cannot encode, and closed ones become the null device.
    """
    skip_last_collection()
    _open_what_is_closed()
    _never_fail_to_encode()
    with warnings.catch_warnings(), _ending_in_order():
        _print_warnings()
        return _run(arguments)


def _run(arguments: Sequence[str] | None) -> int:
    """Run a command and return its exit code, 1 after an error, which is printed.

    `KeyboardInterrupt` passes through, and so do exceptions that are bugs.
    """
    try:
        try:
            given = sys.argv[1:] if arguments is None else arguments
            args = build_parser(*given[:1]).parse_args(given)
            code: int = args.run(args)
        finally:
            sys.stdout.flush()
    except RulewrightError as error:
        _complain(describe(error))
        return 1
    except BrokenPipeError:
        _write_no_more()
        return _NOBODY_READS
    except OSError as error:
        # Commands handle errors of their own files, so this error concerns standard output or the disk.
        what = f"{error.filename!r} cannot be used" if error.filename else "the output cannot be written"
        _write_no_more()
        _complain(f"error: {what}: {error.strerror or error}")
        return 1
    return code


def describe(error: RulewrightError) -> str:
    """Return the message for an error, with its location in the source if known."""
    from rulewright.dice.dice_error import DiceError, format_error

    if isinstance(error, DiceError):
        return format_error(error)
    placed = getattr(error, "diagnostic", None)
    if placed is not None:
        from rulewright.source.diagnostics.formats import text as text_format

        return text_format.render((placed,)).rstrip()
    text = str(error)
    if not text.startswith(("error", "warning")):
        text = shorten(text, MOST_SAID)
    # The text of a diagnostic already begins with its severity.
    return text if text.startswith(("error", "warning")) else f"error: {text}"


def build_parser(name: str = "") -> argparse.ArgumentParser:
    """Return the parser of the command line, with a subcommand for each module of `commands`, or only for `name`.

    If there is no command `name`, the parser has all of them, to say so or to list them.

    Parsed arguments have the command's function as `run` and its own parser as `parser`. A command that cannot be
    loaded or configured gets a subcommand that reports this; nothing is raised.
    """
    parser = Parser(
        prog="rulewright",
        description="A board game's rules as data: check them, play them, compute their odds, build their rulebook.",
        epilog="rulewright COMMAND --help explains a command, with an example.",
    )
    parser.add_argument("--version", action=PrintVersion, help="print the version and exit")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    folder = commands.FOLDER
    used = {name: folder.load(name)} if name.isidentifier() and folder.has(name) else folder.load_all()
    for name, command in used.items():
        if isinstance(command, Broken):
            _stand_in(subparsers.add_parser(name, help=BROKEN_HELP), command)
            continue
        subparser = subparsers.add_parser(
            name,
            # `argparse` fills in what follows a `%` here, and below only a `%(prog)`.
            help=command.HELP.replace("%", "%%"),
            description=command.HELP[:1].upper() + command.HELP[1:] + ".",
            epilog="example:\n" + "\n".join(f"  {line}" for line in command.EXAMPLE.strip().splitlines()),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        try:
            cast(Command, command).configure(subparser)
        except Exception as error:
            _stand_in(subparser, Broken(name, error))
            continue
        # With `parser`, a command can report a bad combination of arguments as a usage error.
        subparser.set_defaults(run=partial(_run_plugin, name, command.run), parser=subparser)
    return parser


def _run_plugin(name: str, work: Callable[[argparse.Namespace], object], args: argparse.Namespace) -> int:
    """Return the exit code of a command. One that is not an integer, or any other failure, is reported and returns 1.

    Errors of the rules and of files pass through, and so do `SystemExit` and `KeyboardInterrupt`.
    """
    try:
        code = work(args)
        if not isinstance(code, int):
            raise PluginError(f"`run` must return the exit code, not {code!r}")
    except (RulewrightError, OSError):
        raise
    except Exception as error:
        part = f"{commands.FOLDER.kind} `{name}` ({commands.FOLDER.name_file(name)})"
        report_failure(Failure(part, "", error))
        return 1
    return code


def _stand_in(subparser: argparse.ArgumentParser, broken: Broken) -> None:
    """Make a broken command accept any arguments, report its failure when used, and return 1."""

    def fail(_: argparse.Namespace) -> int:
        report_failure(commands.FOLDER.describe_failure(broken))
        return 1

    namespace = argparse.Namespace(run=fail, parser=subparser)
    subparser.parse_known_args = lambda *_: (namespace, [])  # type: ignore[assignment,method-assign]


def _print_warnings() -> None:
    """Install a hook that prints each warning about rules once, as one line on stderr."""
    printed = set()
    usual = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
        if not issubclass(category, RulesetWarning):
            usual(message, category, *place, **more)
        elif str(message) not in printed:
            printed.add(str(message))
            print(f"warning{message}", file=sys.stderr)

    if not sys.warnoptions:
        warnings.simplefilter("always", RulesetWarning)
    warnings.showwarning = show


@contextmanager
def _ending_in_order() -> Iterator[None]:
    """Turn SIGTERM and SIGHUP into exceptions in the block, so that workers stop and temporary files are deleted.

    A closed terminal sends SIGHUP. Outside the main thread, signals stay as they are.
    """
    before: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)  # Windows has no SIGHUP
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                before[number] = signal.signal(number, _end)
    usual = sys.unraisablehook
    sys.unraisablehook = lambda lost: _hear_again(lost) or usual(lost)
    try:
        yield
    finally:
        sys.unraisablehook = usual
        for number, handler in before.items():
            signal.signal(number, handler)


def _end(number: int, frame: object) -> None:
    raise ProcessSignal(128 + number)


def _hear_again(lost: sys.UnraisableHookArgs) -> bool:
    """Repeat a signal if Python ignored its exception, as in `__del__`. Return whether it was one."""
    if isinstance(lost.exc_value, KeyboardInterrupt):
        number = int(signal.SIGINT)
    elif isinstance(lost.exc_value, ProcessSignal) and isinstance(lost.exc_value.code, int):
        number = lost.exc_value.code - 128
    else:
        return False
    # An exception raised here would be ignored, too.
    again = threading.Timer(0.01, interrupt_main, (number,))
    again.daemon = True
    again.start()
    return True


def _complain(text: str) -> None:
    with suppress(OSError):  # stderr may be closed as well
        print(text, file=sys.stderr)
        sys.stderr.flush()


def _write_no_more() -> None:
    """Discard pending output, which Python would otherwise flush again at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _open_what_is_closed() -> None:
    """Open a null device for each closed standard stream.

    Otherwise the next opened file would take the place of the stream, and output would go to that file.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 (it stays open)


def _never_fail_to_encode() -> None:
    """Make the standard streams replace characters that a terminal cannot display or that cannot be decoded."""
    codecs.register_error(_STAND_IN, _stand_in_for)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace" if stream is sys.stdin else _STAND_IN)


_STAND_IN = "rulewright-stand-in"
_PLAIN = {"✓": "ok", "✗": "x", "→": "->", "−": "-", "–": "-", "…": "...", "█": "#", "“": '"', "”": '"', "’": "'"}
"""Substitutes for characters that a terminal may not support. All others become question marks."""


def _stand_in_for(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_PLAIN.get(char, "?") for char in error.object[error.start : error.end]), error.end
