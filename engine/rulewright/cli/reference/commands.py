"""Every verb of the command line, with the help it prints."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager

from rulewright.cli.reference._markdown import code, fenced, joined
from rulewright.cli.verbs import build_parser

INTRODUCTION = """\
# Commands

Each prints this with `--help`. They exit with 0 when done, 1 where the rules or the game say no, and 2 for wrong usage.
What is wrong goes to the error output; with `--json`, what is printed is data.
"""
COLUMNS = "100"


def page() -> str:
    """The page."""
    with _columns():
        return joined(INTRODUCTION, *(_entry(name, parser) for name, parser in _verbs(build_parser())))


def _entry(name: str, parser: argparse.ArgumentParser) -> str:
    inner = [
        joined(f"### {code(f'rulewright {name} {action}')}", fenced(each.format_help()))
        for action, each in _verbs(parser)
    ]
    return joined(f"## {code(f'rulewright {name}')}", fenced(parser.format_help()), *inner)


def _verbs(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """The verbs of a parser, each with its own; none for a verb that has no more."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


@contextmanager
def _columns() -> Iterator[None]:
    """Help is as wide as the terminal; here, as wide as the page."""
    known = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = COLUMNS
    try:
        yield
    finally:
        if known is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = known
