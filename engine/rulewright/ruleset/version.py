"""Versions and ranges of versions, as npm has them.

The order is that of Semantic Versioning 2.0.0 (section 11), the ranges are those of npm's `semver`
(https://github.com/npm/node-semver#ranges): a version number that may be cut short, or have `x` for any number at its
end, with `^` or `~` before it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import total_ordering

_NUMBER = "(?:0|[1-9][0-9]{0,8})"
_PRE_RELEASE = "(?:-[0-9A-Za-z]+(?:[.-][0-9A-Za-z]+)*)"

VERSION = rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}{_PRE_RELEASE}?"
"""A whole version, as a regular expression that JSON Schema understands too."""

_ANY = r"(?:\.[xX*])"

RANGE = rf"(?:latest|[xX*]|[\^~]?(?:{VERSION}|{_NUMBER}(?:\.{_NUMBER}{_ANY}?|{_ANY}{{1,2}})?))"
"""What may follow the `@` of a reference."""

NEWEST = ("latest", "x", "X", "*")
"""What asks for no version in particular."""


@total_ordering
@dataclass(frozen=True, slots=True)
class Version:
    """One version. `pre_release` holds the parts of what follows the `-`, empty for a finished one.

    >>> sorted(map(parse_version, ["1.0.0", "1.0.0-rc.2", "1.0.0-rc.10", "0.9.0"]))[-1]
    Version(major=1, minor=0, patch=0, pre_release=())
    """

    major: int
    minor: int
    patch: int
    pre_release: tuple[int | str, ...] = ()

    @property
    def numbers(self) -> tuple[int, int, int]:
        """The three numbers."""
        return self.major, self.minor, self.patch

    def __lt__(self, other: Version) -> bool:
        return self._rank() < other._rank()

    def __str__(self) -> str:
        text = f"{self.major}.{self.minor}.{self.patch}"
        return f"{text}-{'.'.join(map(str, self.pre_release))}" if self.pre_release else text

    def _rank(self) -> tuple[object, ...]:
        # What is finished comes after what led up to it; numbers come before words.
        parts = tuple((isinstance(p, str), p if isinstance(p, int) else 0, str(p)) for p in self.pre_release)
        return (*self.numbers, not self.pre_release, parts)


@dataclass(frozen=True, slots=True)
class VersionRange:
    """The versions from `low` up to, not including, `high`; `text` is how the range was written.

    What is not finished matches only where the range itself names one of the same three numbers, as in npm.
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
        """Whether a whole version is meant and no other."""
        return re.fullmatch(VERSION, self.text) is not None

    def __str__(self) -> str:
        return self.text


def parse_version(text: str) -> Version:
    """The version written in `text`. Raises `ValueError` if it is none."""
    if not re.fullmatch(VERSION, text):
        raise ValueError(f"{text!r} is no version")
    numbers, _, pre_release = text.partition("-")
    major, minor, patch = map(int, numbers.split("."))
    parts = tuple(int(part) if part.isdigit() else part for part in pre_release.split(".") if part)
    return Version(major, minor, patch, parts)


def parse_range(text: str) -> VersionRange:
    """The range written in `text`: `1`, `1.x`, `1.0`, `1.0.0`, `^1.0` or `~1.0`. Raises `ValueError` if it is none.

    >>> [parse_version(v) in parse_range("^0.2") for v in ("0.2.0", "0.2.9", "0.3.0")]
    [True, True, False]
    """
    if text in NEWEST or not re.fullmatch(RANGE, text):
        raise ValueError(f"{text!r} is no range of versions")
    sign, rest = (text[0], text[1:]) if text[0] in "^~" else ("", text)
    rest = rest if "-" in rest else re.sub(_ANY, "", rest)
    given = rest.partition("-")[0].count(".") + 1
    low = parse_version(rest + ".0" * (3 - given))
    return VersionRange(text, low, _end(low, given, sign))


def _end(low: Version, given: int, sign: str) -> Version:
    """The first version beyond a range that begins at `low`, of which `given` numbers were written."""
    if sign == "" and given == 3:
        # The next version after an exact one is the same with the least that can follow it.
        return Version(low.major, low.minor, low.patch + 1) if not low.pre_release else _after(low)
    place = given - 1
    if sign == "~":
        place = min(place, 1)
    elif sign == "^":
        # `^` keeps the first number that is not 0, or the last one written.
        place = next((index for index in range(given) if low.numbers[index]), given - 1)
    major, minor, patch = (
        n + 1 if index == place else n if index < place else 0 for index, n in enumerate(low.numbers)
    )
    return Version(major, minor, patch)


def _after(version: Version) -> Version:
    return Version(*version.numbers, (*version.pre_release, 0))
