"""The argument parser of the command line, with unique options and with rolls or expressions as arguments."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any, cast

from rulewright.base.errors import RulewrightError
from rulewright.base.plugins import describe_error
from rulewright.source.diagnostics.excerpt import shorten


class _Once(argparse.Action):
    """An action that stores the value of an option and refuses a second value, which would be ambiguous."""

    given: str | None = None

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        """Store the value. Raises `ArgumentError` if the option was given before."""
        if option_string is not None:
            if self.given is not None:
                named = shorten(f"{self.given} and {values}")
                raise argparse.ArgumentError(self, f"given twice, as {named}")
            self.given = str(values)
        setattr(namespace, self.dest, values)


class PrintVersion(argparse.Action):
    """An action that prints the version and exits. It looks the version up only on demand, because that is slow."""

    def __init__(self, option_strings: Sequence[str], dest: str, **settings: Any) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, **settings)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from rulewright.base.resources import get_version

        print(f"{parser.prog} {get_version()}")
        parser.exit()


class Parser(argparse.ArgumentParser):
    """A parser that refuses a second value for a single-value option, also in its subparsers."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.register("action", None, _Once)
        self.register("action", "store", _Once)
        self._expressions = False

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        # With dozens of commands, a list of all of them hides the one that was meant.
        if isinstance(action, argparse._SubParsersAction) and value not in action.choices:
            from rulewright.source.diagnostics.suggestions import suggest_name

            hint = suggest_name(value, action.choices) or f"`{self.prog} --help` lists the commands"
            raise argparse.ArgumentError(None, f"there is no command `{shorten(value)}`; {hint}")
        super()._check_value(action, value)

    def format_help(self) -> str:
        """Return the help text. Raises `RulewrightError` if it cannot be filled in, such as for a single `%`."""
        try:
            return super().format_help()
        except (TypeError, ValueError, KeyError) as error:
            what = describe_error(error)
            raise RulewrightError(f"the help of `{self.prog}` has a `%` that is not written `%%` ({what})") from error

    def take_expressions(self) -> None:
        """Accept arguments that begin with a minus and are not options, also between options."""
        self._expressions = True
        # argparse treats text that matches this pattern as an argument, not as an option.
        self._negative_number_matcher = cast(Any, _Minus(self))

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse arguments like argparse. If unknown arguments continue a list, the error shows how to write it."""
        given = list(sys.argv[1:] if args is None else args)
        known, unknown = self.parse_known_args(given, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}{_suggest_commas(given, known, unknown)}")
        return known

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse arguments like argparse. If the parser takes expressions, also allow options between them."""
        given = sys.argv[1:] if args is None else args
        if not self._expressions or "--" in given:
            return super().parse_known_args(args, namespace)
        self._expressions = False  # the method below calls this one again, once for options and once for arguments
        try:
            return self.parse_known_intermixed_args(given, namespace)
        finally:
            self._expressions = True

    def _get_option_tuples(self, option_string: str) -> Any:
        # Do not read a name after a minus as an option with an attached value: `-height` is not `-h eight`.
        if isinstance(self._negative_number_matcher, _Minus) and self._negative_number_matcher.match(option_string):
            return []
        return super()._get_option_tuples(option_string)


def _suggest_commas(given: Sequence[str], known: argparse.Namespace, unknown: Sequence[str]) -> str:
    """Return a sentence about commas if `unknown` follows the value of an option that is a list, else an empty text."""
    parser = getattr(known, "parser", None)
    if parser is None or any(word.startswith("-") for word in unknown):
        return ""
    lists = (action for action in parser._actions if "," in str(action.metavar))
    for option, first in ((each, getattr(known, action.dest)) for action in lists for each in action.option_strings):
        for words in ([option, first, *unknown], [f"{option}={first}", *unknown]):
            if any([*given[start : start + len(words)]] == words for start in range(len(given))):
                return f"; separate several values with commas: {option} {shorten(','.join([first, *unknown]))}"
    return ""


class _Minus:
    """A matcher for text with one leading minus that is no option, even with a second minus in front."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self._parser = parser

    def match(self, text: str) -> bool:
        """Return whether `text` is an expression and not a (misspelled) option."""
        options = self._parser._option_string_actions
        name = text.partition("=")[0]
        return text[:1] == "-" and text[:2] != "--" and name not in options and f"-{name}" not in options
