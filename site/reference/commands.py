"""The commands: an index by task, and a page for each command with an example, its output and its options."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO

from reference._markdown import code, fenced, joined, table
from rulewright.base.resources import find_resource
from rulewright.cli import commands
from rulewright.cli.command_runner import build_parser, run

INTRODUCTION = """\
# Commands

This reference is for everybody. It lists the commands of `rulewright` by task. Each command has a page with
the same text as `rulewright COMMAND --help`.

Commands exit with 0 if they succeed, with 1 if the rules or the game prevent it, and with 2 for wrong usage. Errors go
to the error output. With `--json`, the output is data. `rulewright --version` prints the version.
"""

COLUMNS = "84"

PLAYED = {
    "check": "rulewright check pig/classic",
    "list": "rulewright list",
    "odds": "rulewright odds '2d6 +6'",
    "play": "rulewright play pig/classic --players random,random --seed 7",
    "roll": "rulewright roll '2d6 +6' --times 3 --seed 7",
    "run": "rulewright run pig/classic@1.0 game --dice 6,1 --choose roll,roll --until lost",
    "show": "rulewright show pig/classic@1.0 game.bank",
    "why": "rulewright why pig/classic@1.0 goal",
}
"""For each command that writes no file and prints no time, a line that is run for its page."""

LINES = 14
"""Lines of the output that a page shows."""

_ASKED = argparse._HelpAction
"""The action of `--help`, which needs no row."""


def pages() -> dict[str, str]:
    """Return the index, and the page of each command."""
    with _plain_terminal():
        parsers = dict(_list_commands(build_parser()))
        rows = [(commands.FOLDER.require(name).TASKS, f"[{code(name)}](commands/{name}.md)") for name in parsers]
        entries = {f"commands/{name}.md": _entry(name, parser) for name, parser in parsers.items()}
        return {"commands.md": joined(INTRODUCTION, table(("you want to", "command"), rows))} | entries


def _entry(name: str, parser: argparse.ArgumentParser) -> str:
    inner = [
        joined(f"## {code(f'rulewright {name} {action}')}", each.description or "", _usage(each), *_options(each))
        for action, each in _list_commands(parser)
    ]
    lines = (parser.epilog or "").partition("example:\n")[2]
    examples = "\n".join(line.removeprefix("  ") for line in lines.splitlines())
    return joined(
        f"# {code(f'rulewright {name}')}",
        parser.description or "",
        f"**Tasks.** {commands.FOLDER.require(name).TASKS}",
        "## Examples",
        _printed(PLAYED[name]) if name in PLAYED else "",
        "Try these (not run by the tests):" if name not in PLAYED else "More examples (not run by the tests):",
        fenced(examples, "sh"),
        "## Usage",
        _usage(parser),
        *([] if inner else _options(parser)),
        *inner,
        "Next: [find another command](../commands.md).",
    )


def _usage(parser: argparse.ArgumentParser) -> str:
    return fenced(parser.format_usage())


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the description and a table of each group of arguments."""
    formatter = parser._get_formatter()
    for group in parser._action_groups:
        rows = [
            (_written(action), formatter._expand_help(action) if action.help else "")
            for action in group._group_actions
            if not isinstance(action, _ASKED | argparse._SubParsersAction)
        ]
        if rows:
            own = group.title not in ("positional arguments", "options")
            yield joined(f"**{(group.title or '').capitalize()}.** {_flowing(group.description)}" if own else "")
            yield table(("option" if rows[0][0].startswith("`-") else "argument", "what it does"), rows)


def _written(action: argparse.Action) -> str:
    """Return an argument as a user types it, with its value."""
    value = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if action.choices is not None:
        value = "{" + ",".join(map(str, action.choices)) + "}"
    if not action.option_strings:
        return " or ".join(code(each.strip()) for each in value.split("|"))
    return ", ".join(code(name if action.nargs == 0 else f"{name} {value}") for name in action.option_strings)


def _flowing(text: str | None) -> str:
    return " ".join((text or "").split())


def _printed(line: str) -> str:
    """Return a command line and its output."""
    out = StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        run(shlex.split(line)[1:])
    here = f"{find_resource('rules').parent}{os.sep}"
    lines = [printed.rstrip().replace(here, "") for printed in out.getvalue().splitlines()]
    shown = lines[:LINES] + (["…"] if len(lines) > LINES else [])
    return joined(fenced(line, "sh"), fenced("\n".join(shown)))


def _list_commands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Yield the commands of a parser with their parsers; nothing for a command without commands of its own."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


@contextmanager
def _plain_terminal() -> Iterator[None]:
    """Print as wide as the page, and without the colours that Python 3.14 gives usage on a terminal."""
    wanted = {"COLUMNS": COLUMNS, "PYTHON_COLORS": "0"}
    known = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in known.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
