"""References to editions (`<game>/<edition>[@<version>]`), versions, and npm-style version ranges.

After the `@`: `1.0.0` is exactly that version; `1.0`, `1.0.x` and `~1.0` are the newest 1.0.x; `1`, `1.x`, `^1` and
`^1.0` are the newest 1.x from there on (`^0.2` is the newest 0.2.x). `latest`, `*` or nothing is the newest version. A
draft is chosen only if no other status matches.

Versions are ordered as in Semantic Versioning 2.0.0 (section 11). Ranges are those of npm's `semver`
(https://github.com/npm/node-semver#ranges): a version that may be shortened, or end in `x` for any number, with an
optional `^` or `~` in front.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import total_ordering

from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.diagnostic import Code, Diagnostic
from rulewright.source.nodes import Scalar
from rulewright.source.source_map import SOURCES
from rulewright.source.span import Span

BAD_REFERENCE = Code(
    "bad-reference",
    "A reference that cannot be read",
    "A reference consists of a game, an edition and, if it matters, a version.",
    "Write `game/edition`, `game/edition@1.0`, `game/edition@^1.0` or `game/edition@1.0.0`.",
)

NAME = "[a-z0-9]+(?:[-_][a-z0-9]+)*"
"""A regular expression for the name of a game or an edition, also valid in JSON Schema."""

ARGUMENT = "<argument>"
"""The file name, in diagnostics, of an argument that is too long or not printable. Others are their own file name."""

_LONGEST = 200
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Reference:
    """A game, one of its editions, and the acceptable versions.

    If `versions` is None, the reference means the newest version that is not a draft, or the newest draft if there are
    only drafts. `written` is the source text with its position, or None for a reference built in code.
    """

    game: str
    edition: str
    versions: VersionRange | None = None
    written: Scalar | None = field(default=None, compare=False, repr=False)

    @property
    def ruleset(self) -> str:
        """The game and edition without the version."""
        return f"{self.game}/{self.edition}"

    @property
    def span(self) -> Span:
        """The position of the source text. A reference that is built in code has a file of its own."""
        return (self.written or make_argument_node(str(self))).span

    def matches(self, name: str) -> bool:
        """Return whether the reference accepts the edition `name`, which must include its full version."""
        ruleset, _, version = name.partition("@")
        return ruleset == self.ruleset and (self.versions is None or parse_version(version) in self.versions)

    def __str__(self) -> str:
        return self.ruleset if self.versions is None else f"{self.ruleset}@{self.versions}"


def parse_reference(text: str | Scalar) -> Reference:
    """Return the reference in `text`, whose `versions` are None without a version or for `@latest`.

    A string gets the position of a command-line argument. Raises `DiagnosticError` with the code `bad-reference` if
    the text is not a reference.

    >>> str(parse_reference("pig/classic@^1.0"))
    'pig/classic@^1.0'
    """
    written = make_argument_node(text) if isinstance(text, str) else text
    name, at, version = written.text.partition("@")
    game, slash, edition = name.partition("/")
    if len(written.text) > _LONGEST or not (slash and _is_name(game) and _is_name(edition)):
        _refuse(written, 0, len(name), *_why_not(written.text, name, game, slash, edition))
    if not at or version in NEWEST:
        return Reference(game, edition, None, written)
    try:
        return Reference(game, edition, parse_range(version), written)
    except ValueError:
        message = f"`{version}` is not a version" if version else "there is no version after the `@`"
        _refuse(written, len(name) + (1 if version else 0), len(version) or 1, message, _suggest(name, version))
        raise AssertionError from None


def make_argument_node(text: str) -> Scalar:
    """Return text from the command line or a call as a node of a file of its own.

    Registers the text in `SOURCES`, so that diagnostics can show an excerpt.
    """
    # The text itself serves as the file name, so that excerpts of several arguments are not mixed up.
    file = f"<{text}>" if text.isprintable() and 0 < len(text) <= _LONGEST_NAME else ARGUMENT
    SOURCES.remember(file, text)
    return Scalar(text, text, Span(file, 1, 1, 1, len(text) + 1), raw=text)


def _is_name(text: str) -> bool:
    return re.fullmatch(NAME, text) is not None


def _why_not(text: str, name: str, game: str, slash: str, edition: str) -> tuple[str, str | None]:
    """Return why a text is not a reference, and a hint or None."""
    if len(text) > _LONGEST:
        return "this is too long to be a reference", None
    if not name:
        return "this names no ruleset", None
    if not slash:
        return f"`{name}` does not name an edition of a game", None
    if not game or not edition:
        return f"the name of the {'edition' if game else 'game'} is missing in `{name}`", None
    if name.casefold() != name and _is_name(game.casefold()) and _is_name(edition.casefold()):
        return "names are in lower case", f"write `{name.casefold()}`"
    return (
        f"`{name}` is not of the form `game/edition`",
        "names consist of lower-case letters and digits, with `-` between words",
    )


def _suggest(name: str, expected: str) -> str | None:
    """Return a hint with a reference built from the first version number in `expected`, or None if it has no number."""
    number = re.search(r"(?<!\d)(?:0|[1-9]\d{0,8})(?:\.(?:0|[1-9]\d{0,8})){0,2}(?!\d)", expected)
    if number is None:
        return None
    return f"write `{name}@{'^' if '>' in expected[: number.start()] else ''}{number[0]}`"


def _refuse(written: Scalar, offset: int, length: int, message: str, suggestion: str | None) -> None:
    span = written.position(offset, length)
    raise DiagnosticError([Diagnostic(BAD_REFERENCE, message, span, suggestion=suggestion)])


_NUMBER = "(?:0|[1-9][0-9]{0,8})"
_PRE_RELEASE = "(?:-[0-9A-Za-z]{1,60}(?:[.-][0-9A-Za-z]{1,60})*)"

VERSION = rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}{_PRE_RELEASE}?"
"""A regular expression for a full version, also valid in JSON Schema."""

_ANY = r"(?:\.[xX*])"

RANGE = rf"(?:latest|[xX*]|[\^~]?(?:{VERSION}|{_NUMBER}(?:\.{_NUMBER}{_ANY}?|{_ANY}{{1,2}})?))"
"""A regular expression for the text after the `@` of a reference."""

NEWEST = ("latest", "x", "X", "*")
"""The words after `@` that ask for the newest version."""


@total_ordering
@dataclass(frozen=True, slots=True)
class Version:
    """A semantic version. `pre_release` holds the parts after the `-`. It is empty for a final version.

    >>> sorted(map(parse_version, ["1.0.0", "1.0.0-rc.2", "1.0.0-rc.10", "0.9.0"]))[-1]
    Version(major=1, minor=0, patch=0, pre_release=())
    """

    major: int
    minor: int
    patch: int
    pre_release: tuple[int | str, ...] = ()

    @property
    def numbers(self) -> tuple[int, int, int]:
        """The major, minor and patch numbers."""
        return self.major, self.minor, self.patch

    def __lt__(self, other: Version) -> bool:
        return self._rank() < other._rank()

    def __str__(self) -> str:
        text = f"{self.major}.{self.minor}.{self.patch}"
        return f"{text}-{'.'.join(map(str, self.pre_release))}" if self.pre_release else text

    def _rank(self) -> tuple[object, ...]:
        # A release comes after its pre-releases; numbers come before words.
        parts = tuple((isinstance(p, str), p if isinstance(p, int) else 0, str(p)) for p in self.pre_release)
        return (*self.numbers, not self.pre_release, parts)


@dataclass(frozen=True, slots=True)
class VersionRange:
    """The versions from `low` up to, but not including, `high`. `text` is the range as written.

    As in npm, a pre-release matches only if the range itself names a pre-release of the same three numbers.
    """

    text: str
    low: Version
    high: Version

    def __contains__(self, version: Version) -> bool:
        if version.pre_release and not (self.low.pre_release and version.numbers == self.low.numbers):
            return False
        return self.low <= version < self.high

    @property
    def exact(self) -> bool:
        """Whether the range is a single full version."""
        return re.fullmatch(VERSION, self.text) is not None

    def __str__(self) -> str:
        return self.text


def parse_version(text: str) -> Version:
    """Return the version in `text`, such as `1.0.0` or `1.0.0-beta.2`.

    Raises `ValueError` if it does not have all three numbers.
    """
    if not re.fullmatch(VERSION, text):
        raise ValueError(f"{text!r} is not a version")
    numbers, _, pre_release = text.partition("-")
    major, minor, patch = map(int, numbers.split("."))
    parts = tuple(int(part) if part.isdigit() else part for part in pre_release.split(".") if part)
    return Version(major, minor, patch, parts)


def parse_range(text: str) -> VersionRange:
    """Return the range in `text`, such as `1`, `1.x`, `1.0`, `1.0.0`, `^1.0` or `~1.0`.

    Raises `ValueError` if it is not a range, and for the words of `NEWEST`.

    >>> [parse_version(v) in parse_range("^0.2") for v in ("0.2.0", "0.2.9", "0.3.0")]
    [True, True, False]
    """
    if text in NEWEST or not re.fullmatch(RANGE, text):
        raise ValueError(f"{text!r} is not a version range")
    sign, rest = (text[0], text[1:]) if text[0] in "^~" else ("", text)
    rest = rest if "-" in rest else re.sub(_ANY, "", rest)
    given = rest.partition("-")[0].count(".") + 1
    low = parse_version(rest + ".0" * (3 - given))
    return VersionRange(text, low, _end(low, given, sign))


def _end(low: Version, given: int, sign: str) -> Version:
    """Return the exclusive upper bound of a range that begins at `low`.

    `given` is how many of its three numbers were written. `sign` is `^`, `~` or empty.
    """
    if sign == "" and given == 3:
        # The next version after a pre-release is the pre-release with `.0` appended.
        return Version(low.major, low.minor, low.patch + 1) if not low.pre_release else _after(low)
    place = given - 1
    if sign == "~":
        place = min(place, 1)
    elif sign == "^":
        # `^` fixes the first number that is not 0, or else the last one written.
        place = next((index for index in range(given) if low.numbers[index]), given - 1)
    major, minor, patch = (
        n + 1 if index == place else n if index < place else 0 for index, n in enumerate(low.numbers)
    )
    return Version(major, minor, patch)


def _after(version: Version) -> Version:
    return Version(*version.numbers, (*version.pre_release, 0))
