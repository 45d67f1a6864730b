"""Plug-ins: modules found in a folder. One that cannot be loaded, or that fails, does not affect the others."""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import NoReturn, TypeVar

from rulewright.base.errors import RulewrightError, replace_surrogates
from rulewright.base.resources import get_version

T = TypeVar("T")

MOST_DETAILS = 200_000
"""The maximum length of a details file in characters: a traceback may quote values of any size."""

MOST_FILES = 20
"""The maximum number of details files that a process writes, in case a part fails at every keystroke."""

BROKEN_HELP = "cannot be used: its module is broken"
"""The description of a plug-in that cannot be loaded."""

_SHOWN = 200
_written: dict[str, Path] = {}


class ProcessSignal(SystemExit):
    """The end of the process by a signal. Any other `SystemExit` that a plug-in raises is its failure."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A part that raised an exception that no part may raise: a fault of Rulewright, or of a plug-in.

    `part` names it, as in "the lint `unused`". `given` is its input, such as the id of an edition. Its text is one
    sentence, which names the file that the details are written into when somebody asks for the text.
    """

    part: str
    given: str
    error: Exception | SystemExit

    def __str__(self) -> str:
        what = f"{self.part} failed" + (f" on {self.given}" if self.given else "")
        file = write_details(self.error, what)
        where = "its details cannot be written" if file is None else f"the details are in {file}"
        return f"{what} ({describe_error(self.error)}); {where}"


@dataclass(frozen=True, slots=True)
class Broken:
    """The placeholder for a plug-in that cannot be loaded."""

    name: str
    error: Exception | SystemExit

    def fail(self, *_: object, **__: object) -> NoReturn:
        """Raise the error from loading, so that the plug-in's caller reports it like any other failure."""
        raise self.error


class PluginError(TypeError):
    """A plug-in lacks something that its kind needs. The message names the file."""


class PluginFolder:
    """A package that holds one plug-in in each module: every registry of plug-ins is one of these.

    `kind` names the plug-ins in messages, such as "the lint". Each module must have every attribute in `needs`, of that
    type. A module that cannot be imported or lacks something is `Broken`; it never affects the others.
    """

    def __init__(self, package: str, kind: str, **needs: type) -> None:
        self.package = package
        self.kind = kind
        self._needs = needs

    def list_names(self) -> list[str]:
        """Return the names of all modules in alphabetical order, without importing them."""
        return sorted(module.name for module in pkgutil.iter_modules(importlib.import_module(self.package).__path__))

    def has(self, name: str) -> bool:
        """Return whether there is such a module, without reading the folder if it has been imported."""
        return f"{self.package}.{name}" in sys.modules or name in self.list_names()

    def name_file(self, name: str) -> str:
        """Return the file of a plug-in, as messages name it."""
        return f"{self.package.replace('.', '/')}/{name}.py"

    def load(self, name: str) -> ModuleType | Broken:
        """Import one module and check its required attributes.

        Returns a `Broken` with the error if either fails. Raises only `ProcessSignal`.
        """
        try:
            module = importlib.import_module(f"{self.package}.{name}")
            lacking = [
                f"`{attribute}` ({kind.__name__})"
                for attribute, kind in self._needs.items()
                if not isinstance(getattr(module, attribute, None), kind)
            ]
            if lacking:
                raise PluginError(f"{self.name_file(name)} lacks {', '.join(lacking)}")
        except ProcessSignal:
            raise
        except (Exception, SystemExit) as error:
            return Broken(name, error)
        return module

    def load_all(self) -> dict[str, ModuleType | Broken]:
        """Import all modules, in alphabetical order of their names."""
        return {name: self.load(name) for name in self.list_names()}

    def require(self, name: str) -> ModuleType:
        """Import one module. Raises `RulewrightError` if it is broken."""
        module = self.load(name)
        if isinstance(module, Broken):
            raise RulewrightError(str(self.describe_failure(module)))
        return module

    def iterate_working(self) -> Iterator[tuple[str, ModuleType]]:
        """Yield the name and module of each plug-in that loads, and report the others on stderr."""
        for name, module in self.load_all().items():
            if isinstance(module, Broken):
                report_failure(self.describe_failure(module))
            else:
                yield name, module

    def iterate_objects(self, kind: type[T]) -> Iterator[tuple[str, T]]:
        """Yield the objects of a type that each working module declares, with the name of the module.

        Reports a module without any on stderr.
        """
        for name, module in self.iterate_working():
            objects = [item for item in vars(module).values() if isinstance(item, kind)]
            if not objects:
                error = PluginError(f"{self.name_file(name)} declares no {kind.__name__}")
                report_failure(self.describe_failure(Broken(name, error)))
            yield from ((name, item) for item in objects)

    def describe_failure(self, broken: Broken) -> Failure:
        """Return the failure to report for a plug-in that cannot be loaded."""
        # A `PluginError` names the file itself.
        file = "" if isinstance(broken.error, PluginError) else f" ({self.name_file(broken.name)})"
        return Failure(f"{self.kind} `{broken.name}`{file}", "", broken.error)

    def check(self, name: str, work: Callable[[], T]) -> T | None:
        """Return the result of a check of one plug-in. If it raises, report the failure and return None."""
        return attempt(f"{self.kind} `{name}`", "", work, report_failure)


def attempt(
    part: str,
    given: str,
    work: Callable[[], T],
    report: Callable[[Failure], object],
    *,
    passes: type[Exception] = RulewrightError,
) -> T | None:
    """Run the work of a part and return its result. If it raises, `report` the failure and return None.

    `given` describes the input of the part for the report. Exceptions of the type `passes` are not caught: by default
    `RulewrightError`, which describes an error in the rules or the input. `ProcessSignal` is not caught either.
    """
    try:
        return work()
    except (passes, ProcessSignal):
        raise
    except (Exception, SystemExit) as error:
        report(Failure(part, given, error))
        return None


def report_failure(failure: Failure) -> None:
    """Print a failure as one line on stderr."""
    with suppress(OSError):
        print(f"error: {failure}", file=sys.stderr, flush=True)


def describe_error(error: BaseException) -> str:
    """Return the type and the message of an exception in one short line.

    >>> describe_error(KeyError("none"))
    "KeyError: 'none'"
    """
    message = " ".join(replace_surrogates(str(error)).split())
    text = f"{type(error).__name__}: {message}" if message else type(error).__name__
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def write_details(error: BaseException, what: str) -> Path | None:
    """Write the traceback of an exception to a new file that only the user can read, and return its path.

    `what` is the first line of the file. The same failure is written once, and later calls return the same path. Long
    tracebacks are cut. Returns None if no file can be written, or if `MOST_FILES` have been.
    """
    # Few commands fail, and these modules take longer to import than the rest of this one.
    import platform
    import traceback

    text = replace_surrogates("".join(traceback.format_exception(error)))
    if len(text) > MOST_DETAILS:
        text = f"{text[: MOST_DETAILS // 2]}\n…\n{text[-MOST_DETAILS // 2 :]}"
    places = [(line.filename, line.lineno) for line in traceback.extract_tb(error.__traceback__)]
    key = f"{type(error).__name__} {places}"
    if key in _written:
        return _written[key]
    if len(_written) >= MOST_FILES:
        return None
    programs = f"Rulewright {get_version()}, Python {platform.python_version()}, {sys.platform}"
    head = f"{replace_surrogates(what)}\n{programs}\n\n"
    try:
        handle, name = tempfile.mkstemp(prefix="rulewright-failure-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(head + text)
    except OSError:
        return None
    _written[key] = Path(name)
    return _written[key]
