"""Every verb of the command line: what it is for, an example with what it prints, and its options."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO

from reference._markdown import code, fenced, joined, table
from rulewright.base.resources import find_resource
from rulewright.cli.command_runner import build_parser, run

INTRODUCTION = """\
# Commands

Each verb explains itself with `--help`, and `rulewright --version` prints the version. They exit with 0 when done, 1
where the rules or the game say no, and 2 for wrong usage. What is wrong goes to the error output; with `--json`, what
is printed is data.
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
"""For each verb that writes no file and tells no time, a line that is run for this page."""

LINES = 14
"""Lines of what a verb prints that the page shows."""

_ASKED = argparse._HelpAction
"""`--help` needs no telling beside what it prints."""


def page() -> str:
    """Return the page."""
    with _plain_terminal():
        verbs = dict(_verbs(build_parser()))
        rows = [(f"[{code(name)}](#rulewright-{name})", parser.description or "") for name, parser in verbs.items()]
        return joined(INTRODUCTION, table(("verb", "what for"), rows), *(_entry(*each) for each in verbs.items()))


def _entry(name: str, parser: argparse.ArgumentParser) -> str:
    inner = [
        joined(f"### {code(f'rulewright {name} {action}')}", each.description or "", _usage(each), *_options(each))
        for action, each in _verbs(parser)
    ]
    lines = (parser.epilog or "").partition("example:\n")[2]
    examples = "\n".join(line.removeprefix("  ") for line in lines.splitlines())
    return joined(
        f"## {code(f'rulewright {name}')}",
        parser.description or "",
        _printed(PLAYED[name]) if name in PLAYED else "",
        f"{'More to try' if name in PLAYED else 'To try'}:",
        fenced(examples, "sh"),
        _usage(parser),
        *([] if inner else _options(parser)),
        *inner,
    )


def _usage(parser: argparse.ArgumentParser) -> str:
    return fenced(parser.format_usage())


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield a table for each group of arguments, with what the group has in common."""
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
    """Return how an argument is typed, with what follows it."""
    value = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if action.choices is not None:
        value = "{" + ",".join(map(str, action.choices)) + "}"
    if not action.option_strings:
        return " or ".join(code(each.strip()) for each in value.split("|"))
    return ", ".join(code(name if action.nargs == 0 else f"{name} {value}") for name in action.option_strings)


def _flowing(text: str | None) -> str:
    return " ".join((text or "").split())


def _printed(line: str) -> str:
    """Return a line as it is typed, and what it prints."""
    out = StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        run(shlex.split(line)[1:])
    here = f"{find_resource('rules').parent}{os.sep}"
    lines = [printed.rstrip().replace(here, "") for printed in out.getvalue().splitlines()]
    shown = lines[:LINES] + (["…"] if len(lines) > LINES else [])
    return joined(fenced(line, "sh"), fenced("\n".join(shown)))


def _verbs(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Yield the verbs of a parser, each with its own; none for a verb that has no more."""
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
