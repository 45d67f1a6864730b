"""Options that several commands share, and the arguments of `roll` and `odds`."""

from __future__ import annotations

import argparse
import importlib
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from rulewright.base.errors import RulewrightError
from rulewright.cli.argument_parser import Parser
from rulewright.ruleset.editions.zip_archives import is_extracted
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.files.atomic_write import refuse_unwritable
from rulewright.source.yaml.core_schema import parse_whole_number

if TYPE_CHECKING:
    from rulewright.dice.ast import Roll
    from rulewright.dice.dice_error import DiceError
    from rulewright.language.checked_steps import Procedure
    from rulewright.language.declarations import Table
    from rulewright.ruleset.editions.catalogue import Catalogue
    from rulewright.ruleset.ruleset import Ruleset
    from rulewright.source.nodes import Mapping


def add_rules_option(parser: argparse.ArgumentParser) -> None:
    """Add `--rules DIR`, which `open_catalogue` reads."""
    parser.add_argument(
        "--rules",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help=(
            "folder or zip file with rulesets, searched before $RULEWRIGHT_RULES, ./rules, the bundled rulesets and "
            "installed packages (repeatable)"
        ),
    )


def build_check_command(args: argparse.Namespace, reference: str, folder: Path) -> str:
    """Return the command that checks a ruleset which was just written to a folder, with the folders of its base."""
    folders = dict.fromkeys(str(each) for each in (folder, *(args.rules or ())))
    return " ".join(["rulewright check", reference, *(f"--rules {quote(each)}" for each in folders)])


def open_catalogue(args: argparse.Namespace) -> Catalogue:
    """Return the catalogue of the search path, and warn about folders that it leaves out.

    Raises `DiagnosticError` if a given folder does not exist.
    """
    from rulewright.ruleset.editions.catalogue import Catalogue, search_path
    from rulewright.ruleset.editions.search_path import warn_of_left_out

    catalogue = Catalogue(search_path(args.rules))
    warn_of_left_out(stacklevel=2)
    return catalogue


def load(args: argparse.Namespace) -> Ruleset:
    """Return the ruleset of `args.reference`.

    Raises `DiagnosticError` if there is no such ruleset or it has errors.
    """
    from rulewright.ruleset.load_ruleset import load_ruleset

    return load_ruleset(args.reference, rules=args.rules)


def list_in_help(parser: argparse.ArgumentParser, **registries: str) -> None:
    """Make `--help` list the members of a plug-in folder with their descriptions: `bots="rulewright.ai.bots"`.

    The list is built only for `--help`, because it takes longer than most commands.
    """
    plain = parser.format_help
    parser.format_help = lambda: "\n".join([plain(), *(_list_members(*each) for each in registries.items())])  # type: ignore[method-assign]


def _list_members(heading: str, package: str) -> str:
    """Return the part of a help text that lists the plug-ins of a package with their help, and the default."""
    registry = importlib.import_module(package)
    standard = getattr(registry, "STANDARD", "")
    lines = [f"  {name:<12} {registry.get_help(name)}" for name in registry.list_names()]
    lines += [f"  (default: `{standard}`)"] if standard else []
    return "\n".join([f"{heading}:", *lines, ""])


def seed_of(text: str) -> int | str:
    """Parse a random seed. A whole number becomes an `int`, so that it is the same seed as in Python."""
    number = parse_whole_number(text.removeprefix("-")) if text == text.strip() else None
    return text if number is None else -number if text.startswith("-") else number


def add_settings_option(parser: argparse._ActionsContainer, *, simulates: bool = False) -> None:
    """Add `--option ID=CHOICE`, which `read_settings` reads.

    With `simulates`, the help mentions the choices of the rules for simulations.
    """
    own = (
        ". Other settings are taken from `simulations:` in the rules, or else have their defaults" if simulates else ""
    )
    text = f"choice for a setting (repeatable){own}"
    parser.add_argument("--option", action="append", default=[], metavar="ID=CHOICE", help=text)


def read_settings(args: argparse.Namespace) -> dict[str, str]:
    """Return the settings of `--option`. Exits with a usage error for an option without `=`."""
    settings = {}
    for pair in args.option:
        name, equals, choice = pair.partition("=")
        if not equals:
            args.parser.error(f"--option takes ID=CHOICE, not {pair!r}")
        settings[name.strip()] = choice.strip()
    return settings


def add_given_option(parser: argparse._ActionsContainer) -> None:
    """Add `--given K=V`, which `read_given` reads."""
    parser.add_argument(
        "--given",
        action="append",
        default=[],
        metavar="K=V",
        help="value of a parameter or of the game, a deck, or all objects of a kind, as YAML (repeatable)",
    )


def read_given(args: argparse.Namespace) -> Mapping | None:
    """Return the values of `--given` as a mapping, or None without any.

    Exits with a usage error for a value without a key. Raises `DiagnosticError` for invalid YAML.
    """
    from rulewright.source.nodes import Mapping
    from rulewright.source.yaml.yaml_reader import read_text

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
    """Add `--choose ID,…`, which `read_choices` reads."""
    parser.add_argument(
        "--choose", default="", metavar="ID,…", help="options to choose, in order; #2 is the second one offered"
    )


def read_choices(args: argparse.Namespace) -> list[str]:
    """Return the options of `--choose` as typed."""
    return [choice.strip() for choice in args.choose.split(",") if choice.strip()]


def read_bots(args: argparse.Namespace) -> list[str]:
    """Return the names of `--players`, one for each seat."""
    return [name.strip() for name in args.players.split(",") if name.strip()]


def add_roll_arguments(parser: argparse.ArgumentParser, *, further: str = "TABLE", means: str = "") -> None:
    """Add the arguments that `read_rolls` reads, and `--rules`.

    `further` is the placeholder for the arguments after a ruleset, and `means` completes their help text. A `Parser`
    then also accepts rolls that begin with a minus.
    """
    parser.add_argument(
        "what", metavar="EXPR | REF", help="a roll (2d6 +6, 4d6kh3, (5 * 1d6) +3, 2d6 > 1d12) or a ruleset"
    )
    parser.add_argument(
        "further",
        nargs="*",
        default=[],
        metavar=further,
        help=f"after a ruleset: one of its roll tables, or a roll that uses its numbers{means}",
    )
    add_rules_option(parser)
    if isinstance(parser, Parser):
        parser.take_expressions()


def read_procedure(args: argparse.Namespace) -> tuple[Ruleset, Procedure] | None:
    """Return the ruleset and the procedure that the arguments name. There must be a name after the ruleset.

    Returns None if the name belongs to a table, number, formula, die or function, if it is an expression, or if it is
    similar only to a table. A table has precedence over a procedure of the same name, unless the name begins with
    `procedures.`. Raises `DiagnosticError` for an unknown ruleset or name.
    """
    from rulewright.ruleset.load_ruleset import load_ruleset
    from rulewright.ruleset.queries.lookup import find_procedure

    ruleset = load_ruleset(args.what, rules=args.rules)
    name = args.further[0]
    declared = ruleset.declarations
    known = any(
        name in there
        for there in (declared.tables, declared.numbers, declared.formulas, declared.dice, declared.functions)
    )
    if not known and name in ruleset.procedures:
        return ruleset, ruleset.procedures[name]
    if known or not re.fullmatch(r"(procedures\.)?[a-z_]\w*", name):
        return None
    if name not in ruleset.procedures and suggest_name(name, declared.tables):
        return None  # reading it as a table then raises an error that suggests similar names
    return ruleset, find_procedure(ruleset, name)


def is_reference(text: str) -> bool:
    """Return whether `text` is a reference to a ruleset rather than a roll such as `7d6/2` or `d6/d4`."""
    return "/" in text and not text[0].isdigit() and not _is_roll(text)


def _refuse_parts(args: argparse.Namespace, words: list[str], read: Callable[[str], object]) -> None:
    """Refuse words that together form one unquoted roll.

    Exits with a usage error if all words together are a valid roll. Raises the error of `read` for the whole if a word
    is invalid and begins or ends with an operator.
    """
    if len(words) < 2:
        return
    whole = " ".join(words)
    if _reads(whole, read):
        named = [args.what] if words[0] != args.what else []
        args.parser.error(f"a roll with spaces must be in quotes: {' '.join([*named, _in_quotes(whole)])}")
    if any(_JOINS.search(word) and not _reads(word, read) for word in words):
        read(whole)


def _whose_die(args: argparse.Namespace, error: DiceError) -> str | None:
    """Return a hint to name a ruleset if an unknown die belongs to one, or else None."""
    name = error.expression[error.start : error.end]
    if error.code != "unknown-die" or error.suggestion is not None or not re.fullmatch("d[A-Z]", name):
        return None
    from rulewright.ruleset.queries.dice_by_name import list_rulesets_with_die
    from rulewright.ruleset.schema.schema_path import join_alternatives

    having = list_rulesets_with_die(open_catalogue(args), name)
    if not having:
        return None
    verb = args.parser.prog.rpartition(" ")[2]
    roll = _in_quotes(error.expression) if " " in error.expression else error.expression
    alternatives = join_alternatives((f"`{ruleset}`" for ruleset in having), word="and")
    return f"{name} is a die of {alternatives}: `rulewright {verb} {having[0]} {roll}`"


_JOINS = re.compile(r"^[-+*/<>=!]|[-+*/<>=]$")
"""An operator at the beginning or the end of a word."""


def _in_quotes(text: str) -> str:
    return f"'{text}'" if '"' in text else f'"{text}"'


def _reads(text: str, read: Callable[[str], object]) -> bool:
    """Return whether `read` accepts a text, instead of raising a `RulewrightError`."""
    try:
        read(text)
    except RulewrightError:
        return False
    return True


def _is_roll(text: str) -> bool:
    """Return whether a text is a valid roll without the dice and numbers of a ruleset."""
    from rulewright.dice.dice_error import DiceError
    from rulewright.dice.parser.notation import parse

    try:
        parse(text)
    except DiceError:
        return False
    return True


RollArgument = tuple[str, "Roll", "Table | None", dict[str, str]]
"""A roll as an argument: its text, the parsed roll, its table or None, and the titles of the table's rows."""


def read_roll(args: argparse.Namespace) -> tuple[Roll, Table | None, dict[str, str]]:
    """Return the only roll, its table (or None), and the names of the table's rows.

    Exits with a usage error for several rolls. Raises `RulewrightError` for an invalid one.
    """
    rolls = read_rolls(args)
    if len(rolls) > 1:
        args.parser.error(f'one roll at a time; to compare two, write "{rolls[0][0]} > {rolls[1][0]}"')
    return rolls[0][1:]


def read_rolls(args: argparse.Namespace) -> list[RollArgument]:
    """Return all rolls of the arguments. Raises `RulewrightError` for an invalid roll or an unknown ruleset.

    Exits with a usage error for a ruleset without a roll, and for a roll with spaces that is not in quotes.
    """
    from rulewright.dice.dice_error import DiceError
    from rulewright.dice.limits import ALONE
    from rulewright.dice.parser.notation import parse

    if not is_reference(args.what):
        words = [args.what, *args.further]
        try:
            _refuse_parts(args, words, parse)
            return [(text, parse(text, limits=ALONE), None, {}) for text in words]
        except DiceError as error:
            error.help = _whose_die(args, error) or error.help
            raise
    if not args.further:
        if re.fullmatch(r"[a-z][\w-]*/[a-z][\w.@^~-]*", args.what):
            args.parser.error(f"name a table of {args.what}, or a roll that uses its numbers")
        return [(args.what, parse(args.what, limits=ALONE), None, {})]
    from rulewright.engine.narration.plain_names import Names
    from rulewright.ruleset.load_ruleset import load_ruleset
    from rulewright.ruleset.queries.resolve_roll import resolve_roll

    ruleset = load_ruleset(args.what, rules=args.rules)
    _refuse_parts(args, args.further, lambda text: resolve_roll(ruleset, text))
    names = Names(ruleset)
    roll_arguments: list[RollArgument] = []
    for text in args.further:
        roll, table = resolve_roll(ruleset, text)
        rows = {row: names.name_row(table.id, row) for row in table.rows} if table is not None else {}
        roll_arguments.append((text, roll, table, rows))
    return roll_arguments


def refuse_changes(folders: Iterable[Path]) -> None:
    """Raise `RulewrightError` if any of the folders comes from a zip, in which changes would be lost."""
    if any(is_extracted(folder) for folder in folders):
        raise RulewrightError("these rules come from a zip, so changes would be lost: unpack it and name the folder")


def refuse_lost(path: Path) -> None:
    """Raise `RulewrightError` if a file next to the rules cannot be written or would be lost.

    Rules from a zip are in a temporary folder, which is deleted when the process ends.
    """
    if is_extracted(path.parent):
        raise RulewrightError(
            f"{path.name} would be lost, because these rules come from a zip: unpack it and name the folder"
        )
    refuse_unwritable(path)
