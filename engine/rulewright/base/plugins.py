"""Plug-ins: parts that are found in a folder. One that cannot be loaded, or that raises, takes no other part down."""

from __future__ import annotations

import importlib
import os
import pkgutil
import platform
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import NoReturn, TypeVar

from rulewright.base.errors import RulewrightError, encodable
from rulewright.base.resources import version

T = TypeVar("T")

MOST_DETAILS = 200_000
"""Characters of a file of details: the traceback of an exception may quote values of any size."""

MOST_FILES = 20
"""Files of details that one process writes: a part that fails at every key that somebody types needs no more."""

_SHOWN = 200
_written: dict[str, Path] = {}


class Signalled(SystemExit):
    """The end of the process by a signal. Any other `SystemExit` that a plug-in raises is its failure."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A part that raised an exception that no part may raise: a fault of Rulewright, or of a plug-in.

    `part` names it, as in "the lint `unused`"; `given` is its input, such as the id of an edition. Its text is one
    sentence, which names the file that the details are written into when somebody asks for the text.
    """

    part: str
    given: str
    error: Exception | SystemExit

    def __str__(self) -> str:
        what = f"{self.part} failed" + (f" on {self.given}" if self.given else "")
        file = write_details(self.error, what)
        where = "its details cannot be written" if file is None else f"the details are in {file}"
        return f"{what} ({name_error(self.error)}); {where}"


@dataclass(frozen=True, slots=True)
class Broken:
    """Stands for a plug-in that cannot be loaded."""

    name: str
    error: Exception | SystemExit

    def fail(self, *_: object, **__: object) -> NoReturn:
        """Raise what went wrong: whoever runs the plug-in reports it as any other failure."""
        raise self.error


def load_plugins(package: str, path: Iterable[str], **needs: type) -> dict[str, ModuleType | Broken]:
    """Import the modules of a package, by their names in alphabetical order. Each has what it `needs`, of that type.

    A module that cannot be imported, or lacks something, is `Broken`.
    """
    loaded: dict[str, ModuleType | Broken] = {}
    for name in sorted(each.name for each in pkgutil.iter_modules(path)):
        loaded[name] = load_plugin(f"{package}.{name}", **needs)
    return loaded


def load_plugin(name: str, **needs: type) -> ModuleType | Broken:
    """Import a module that has what it `needs`."""
    short = name.rpartition(".")[2]
    try:
        module = importlib.import_module(name)
        for attribute, kind in needs.items():
            if not isinstance(getattr(module, attribute, None), kind) or not hasattr(module, attribute):
                raise TypeError(f"{name} needs `{attribute}`, of the type {kind.__name__}")
    except Signalled:
        raise
    except (Exception, SystemExit) as error:
        return Broken(short, error)
    return module


def attempt(part: str, given: str, work: Callable[[], T], report: Callable[[Failure], object]) -> T | None:
    """Do the work of a part and return its result; where it raises, `report` the failure and return None.

    `RulewrightError` passes: it says what is wrong with the rules or the input. `Signalled` passes, too.
    """
    try:
        return work()
    except (RulewrightError, Signalled):
        raise
    except (Exception, SystemExit) as error:
        report(Failure(part, given, error))
        return None


def report_failure(failure: Failure) -> None:
    """Print a failure as one line on stderr."""
    with suppress(OSError):
        print(f"error: {failure}", file=sys.stderr, flush=True)


def name_error(error: BaseException) -> str:
    """Return the type of an exception and what it says, in one short line.

    >>> name_error(KeyError("none"))
    "KeyError: 'none'"
    """
    said = " ".join(encodable(str(error)).split())
    text = f"{type(error).__name__}: {said}" if said else type(error).__name__
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def write_details(error: BaseException, what: str) -> Path | None:
    """Write the traceback of an exception into a new file that only the user can read, and return its path.

    The same failure is written once. None where no file can be written.
    """
    text = encodable("".join(traceback.format_exception(error)))
    if len(text) > MOST_DETAILS:
        text = f"{text[: MOST_DETAILS // 2]}\n…\n{text[-MOST_DETAILS // 2 :]}"
    places = [(line.filename, line.lineno) for line in traceback.extract_tb(error.__traceback__)]
    key = f"{type(error).__name__} {places}"
    if key in _written:
        return _written[key]
    if len(_written) >= MOST_FILES:
        return None
    head = f"{encodable(what)}\nRulewright {version()}, Python {platform.python_version()}, {sys.platform}\n\n"
    try:
        handle, name = tempfile.mkstemp(prefix="rulewright-failure-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(head + text)
    except OSError:
        return None
    _written[key] = Path(name)
    return _written[key]
