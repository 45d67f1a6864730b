"""Options that many verbs share."""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.source.yaml.core_schema import whole_number

if TYPE_CHECKING:
    from rulewright.ruleset.editions.catalogue import Catalogue
    from rulewright.ruleset.ruleset import Ruleset
    from rulewright.source.nodes import Mapping


def add_rules_option(parser: argparse.ArgumentParser) -> None:
    """Add `--rules DIR`; `catalogue_of` reads it."""
    parser.add_argument(
        "--rules",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="look for rulesets here first, in a folder or a zip of one (repeatable); then $RULEWRIGHT_RULES, ./rules, "
        "those shipped, and those of installed packages",
    )


def catalogue_of(args: argparse.Namespace) -> Catalogue:
    """What there is, where the user says to look. Raises `DiagnosticError` if a folder that was named is missing."""
    from rulewright.ruleset.editions.catalogue import Catalogue, search_path
    from rulewright.ruleset.editions.search_path import warn_of_left_out

    catalogue = Catalogue(search_path(args.rules))
    warn_of_left_out(stacklevel=2)
    return catalogue


def load(args: argparse.Namespace) -> Ruleset:
    """The ruleset that `args.reference` names. Raises `DiagnosticError`."""
    from rulewright.ruleset.load import load_ruleset

    return load_ruleset(args.reference, rules=args.rules)


def list_in_help(parser: argparse.ArgumentParser, **registries: str) -> None:
    """Have `--help` list what is found in a folder, each with what it says of itself: `bots="rulewright.play.bots"`.

    Finding them takes longer than most verbs do, and nothing else needs it.
    """
    plain = parser.format_help
    parser.format_help = lambda: "\n".join([plain(), *(_listed(*each) for each in registries.items())])  # type: ignore[method-assign]


def _listed(heading: str, package: str) -> str:
    registry = importlib.import_module(package)
    standard = getattr(registry, "STANDARD", "")
    lines = [f"  {name:<12} {registry.help_of(name)}" for name in registry.names()]
    lines += [f"  (where nothing is said, it is `{standard}`)"] if standard else []
    return "\n".join([f"{heading}:", *lines, ""])


def seed_of(text: str) -> int | str:
    """A seed as typed: a whole number where it reads as one, so that it is the same seed as in Python."""
    number = whole_number(text.removeprefix("-")) if text == text.strip() else None
    return text if number is None else -number if text.startswith("-") else number


def add_settings_option(parser: argparse._ActionsContainer) -> None:
    """Add `--option ID=CHOICE`; `settings_of` reads it."""
    parser.add_argument("--option", action="append", default=[], metavar="ID=CHOICE", help="a setting (repeatable)")


def settings_of(args: argparse.Namespace) -> dict[str, str]:
    """The settings of a game as typed. One that is no ID=CHOICE is wrong usage."""
    found = {}
    for pair in args.option:
        name, equals, choice = pair.partition("=")
        if not equals:
            args.parser.error(f"--option takes ID=CHOICE, not {pair!r}")
        found[name.strip()] = choice.strip()
    return found


def add_given_option(parser: argparse._ActionsContainer) -> None:
    """Add `--given K=V`; `given_of` reads it."""
    parser.add_argument(
        "--given",
        action="append",
        default=[],
        metavar="K=V",
        help="a parameter, a value of the game, or all of a kind, as YAML (repeatable)",
    )


def given_of(args: argparse.Namespace) -> Mapping | None:
    """What a procedure is given, as typed. One that is no K=V is wrong usage; raises `DiagnosticError` for bad YAML."""
    from rulewright.source.nodes import Mapping
    from rulewright.source.yaml.reader import read_text

    lines = []
    for pair in args.given:
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            args.parser.error(f"--given takes K=V, not {pair!r}")
        lines.append(f"{key.strip()}: {value.strip()}")
    if not lines:
        return None
    node = read_text("\n".join(lines) + "\n", "--given")
    return node if isinstance(node, Mapping) else None


def add_choose_option(parser: argparse._ActionsContainer) -> None:
    """Add `--choose ID,…`; `choices_of` reads it."""
    parser.add_argument("--choose", default="", metavar="ID,…", help="options taken, in order; #2 is the second")


def choices_of(args: argparse.Namespace) -> list[str]:
    """The options taken, as typed."""
    return [choice.strip() for choice in args.choose.split(",") if choice.strip()]
