"""Naming an edition: `<game>/<edition>[@<version>]`.

What follows the `@`, as npm has it: `1.0.0` is that version alone; `1.0`, `1.0.x` and `~1.0` are the newest 1.0.x; `1`,
`1.x`, `^1` and `^1.0` the newest 1.x from there on (`^0.2` the newest 0.2.x). `latest`, `*` or nothing is the newest.
Everywhere, a draft is taken only where nothing else will do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from rulewright.ruleset.version import NEWEST, VersionRange, parse_range, parse_version
from rulewright.source.diagnostics.collected import DiagnosticError
from rulewright.source.diagnostics.diagnostic import Code, Diagnostic
from rulewright.source.nodes import Scalar
from rulewright.source.source_map import SOURCES
from rulewright.source.span import Span

BAD_REFERENCE = Code(
    "bad-reference",
    "A reference that cannot be read",
    "An edition is named by its game and its own name, and a version where it matters.",
    "Write `game/edition`, `game/edition@1.0`, `game/edition@^1.0` or `game/edition@1.0.0`.",
)

NAME = "[a-z0-9]+(?:[-_][a-z0-9]+)*"
"""The name of a game or an edition, as a regular expression that JSON Schema understands too."""

ARGUMENT = "<argument>"
"""The file that spans name where a text that was not written in a file cannot well be shown as its own name."""

_LONGEST = 200
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Reference:
    """A game, an edition of it, and the versions that will do.

    Without `versions` the newest one that is no draft is meant, or the newest draft where there is nothing else.
    `written` is the text it was read from, with its place.
    """

    game: str
    edition: str
    versions: VersionRange | None = None
    written: Scalar | None = field(default=None, compare=False, repr=False)

    @property
    def ruleset(self) -> str:
        """Game and edition, without a version."""
        return f"{self.game}/{self.edition}"

    @property
    def span(self) -> Span:
        """Where it is written."""
        return (self.written or argument(str(self))).span

    def means(self, name: str) -> bool:
        """Whether it may mean the edition `name`, which is given with its whole version."""
        ruleset, _, version = name.partition("@")
        return ruleset == self.ruleset and (self.versions is None or parse_version(version) in self.versions)

    def __str__(self) -> str:
        return self.ruleset if self.versions is None else f"{self.ruleset}@{self.versions}"


def parse_reference(text: str | Scalar) -> Reference:
    """The reference written in `text`; `@latest` is the same as no version.

    Raises `DiagnosticError` with the code `bad-reference` if it cannot be read.

    >>> str(parse_reference("pig/classic@^1.0"))
    'pig/classic@^1.0'
    """
    written = argument(text) if isinstance(text, str) else text
    name, at, wanted = written.text.partition("@")
    game, slash, edition = name.partition("/")
    if len(written.text) > _LONGEST or not (slash and _is_name(game) and _is_name(edition)):
        _refuse(written, 0, len(name), *_why_not(written.text, name, game, slash, edition))
    if not at or wanted in NEWEST:
        return Reference(game, edition, None, written)
    try:
        return Reference(game, edition, parse_range(wanted), written)
    except ValueError:
        message = f"`{wanted}` is no version" if wanted else "there is no version after the `@`"
        _refuse(written, len(name) + (1 if wanted else 0), len(wanted) or 1, message, _meant(name, wanted))
        raise AssertionError from None


def argument(text: str) -> Scalar:
    """Text from the command line or a call, as if it stood in a file of its own, so that an error can show it."""
    # The text is its own file's name: of two arguments each must show its own text.
    file = f"<{text}>" if text.isprintable() and 0 < len(text) <= _LONGEST_NAME else ARGUMENT
    SOURCES.remember(file, text)
    return Scalar(text, text, Span(file, 1, 1, 1, len(text) + 1), raw=text)


def _is_name(text: str) -> bool:
    return re.fullmatch(NAME, text) is not None


def _why_not(text: str, name: str, game: str, slash: str, edition: str) -> tuple[str, str | None]:
    if len(text) > _LONGEST:
        return "this is too long for a reference", None
    if not name:
        return "this names no ruleset", None
    if not slash:
        return f"`{name}` names no edition of a game", None
    if not game or not edition:
        return f"`{name}` lacks the name of the {'edition' if game else 'game'}", None
    if name.casefold() != name and _is_name(game.casefold()) and _is_name(edition.casefold()):
        return "names are written in small letters", f"write `{name.casefold()}`"
    return f"`{name}` is no `game/edition`", "names are small letters and digits, with `-` between words"


def _meant(name: str, wanted: str) -> str | None:
    """A reference that can be read, with the version that begins what was written in another way."""
    number = re.search(r"(?<!\d)(?:0|[1-9]\d{0,8})(?:\.(?:0|[1-9]\d{0,8})){0,2}(?!\d)", wanted)
    if number is None:
        return None
    return f"write `{name}@{'^' if '>' in wanted[: number.start()] else ''}{number[0]}`"


def _refuse(written: Scalar, offset: int, length: int, message: str, suggestion: str | None) -> None:
    span = written.position(offset, length)
    raise DiagnosticError([Diagnostic(BAD_REFERENCE, message, span, suggestion=suggestion)])
