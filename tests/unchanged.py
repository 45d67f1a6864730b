"""Tests whose inputs are what they were when they last passed are not run again: `pytest --unchanged FILE`.

A file of tests passes or fails by what it reads: itself, what it imports (and what that imports, to the end), the data
of the project, what is installed; and the built site, where it looks at that. `Inputs.key` is the digest of all of it.
Of each file whose tests all passed, FILE keeps the key, and the next run leaves out the files whose key is still the
same. What a change can break has another key, so nothing that could fail is left out; a new machine knows no key and
runs everything.

A thorough run takes hours. It keeps the last result of each test instead, with the commit, so that a run that was
interrupted, or chose among the tests, is gone on with.

Imports are read from the source, those inside functions too. Where a module imports by name (`importlib`), it counts as
importing all of its own package and whatever modules of ours its strings name. Tests that start other programs may run
anything, so they depend on all.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache, cached_property
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

import pytest

from tests.breadth import THOROUGH

ROOT = Path(__file__).resolve().parents[1]
SOURCES = {
    "rulewright": ROOT / "engine" / "rulewright",
    "reference": ROOT / "site" / "reference",
    "tests": ROOT / "tests",
}
DATA = ("grammar", "rules", "docs_templates", "site", "tests", "benchmarks", ".ci", ".github")
LOOSE = ("pyproject.toml", "mkdocs.yml", "README.md", "CONTRIBUTING.md", "Makefile", "LICENSE", "CHANGELOG.md")
NOT_DATA = {"__pycache__", "node_modules", "build"}

_KEYS = "keys of files of tests"
"""By what name workers are told them."""

LOADER = "rulewright.base.plugins"  # imports what others name: it is they who depend on that
BY_NAME = {"importlib", "importlib.import_module", "pkgutil", f"{LOADER}.PluginFolder"}
BUILDS_THE_SITE = "tests.published"
"""What it imports is known by what it built: the site itself is an input of the tests that look at it."""
DOOR = "rulewright"
"""The package itself, which imports what it offers when that is asked for: only who asks for it depends on it."""
THE_SITE = {"host", "published", "address"}
"""The fixtures by which tests look at the built site."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run leave out what the one before has shown."""
    parser.addoption("--unchanged", metavar="FILE", help="leave out files of tests that passed with the same inputs")


class Inputs:
    """What files of tests depend on; `site` is the folder of the built site, `settings` what else bears on the run."""

    def __init__(self, site: Path | None, settings: Iterable[str] = ()) -> None:
        self._site = site
        self._settings = tuple(settings)

    def key(self, path: Path) -> str:
        """Return the digest of everything that the tests in `path` can see."""
        parts = [self._common, self._packages(path)]
        if _arguments(path) & THE_SITE:
            parts.append(self._built)
        return _digest("\n".join(parts).encode())

    @cached_property
    def _common(self) -> str:
        installed = sorted(f"{d.name}=={d.version}" for d in distributions())
        lines = [*self._settings, sys.version, *installed]
        for path in _files(DATA, LOOSE):
            if path.suffix != ".py" or SOURCES["tests"] not in path.parents:
                lines.append(f"{path.relative_to(ROOT)} {digest_of(path)}")
        return "\n".join(lines)

    def _packages(self, path: Path) -> str:
        """Return the Python that the tests run: what they import, and what prepares them."""
        prepare = (p for p in modules().values() if p.name == "conftest.py" and p.parent in path.parents)
        started = {name_of(path), *map(name_of, prepare)}
        names = closure(started)
        return "\n".join(sorted(f"{name} {digest_of(modules()[name])}" for name in names))

    @cached_property
    def _built(self) -> str:
        if self._site is None or not self._site.is_dir():
            return "not built"
        files = sorted(path for path in self._site.rglob("*") if path.is_file())
        return "\n".join(f"{path.relative_to(self._site)} {digest_of(path)}" for path in files)


class Unchanged:
    """Leaves out the files, or when thorough the tests, that passed before with the same inputs, and keeps the others.

    Of what passed it keeps the key, and when thorough of each test the commit, too.
    """

    def __init__(self, path: Path, key: Callable[[str], str], *, writes: bool) -> None:
        self._kept = path
        self._key = key
        self._writes = writes
        self._before: dict[str, str] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
        self._passed: dict[str, set[str]] = defaultdict(set)
        self._failed: set[str] = set()
        self._left_out: set[str] = set()

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell a worker the keys of what passed before: to work them out takes seconds, and once is enough."""
        files = {_file_of(name) for name in self._before}
        node.workerinput[_KEYS] = {name: self._key(name) for name in files if (ROOT / name).is_file()}

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Leave out what passed with the same inputs."""
        same = {name for name in map(_unit_of, (item.nodeid for item in items)) if self._is_same(name)}
        self._left_out = same
        config.hook.pytest_deselected(items=[item for item in items if _unit_of(item.nodeid) in same])
        items[:] = [item for item in items if _unit_of(item.nodeid) not in same]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember which files hold a test that did not pass."""
        name = _unit_of(report.nodeid)
        if report.failed:
            self._failed.add(name)
        elif report.when == "call":
            self._passed[name].add(report.nodeid)

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Keep the keys of the files that passed. A run that chose among tests shows nothing of a whole file."""
        whole = not (session.config.option.keyword or session.config.option.maxfail)
        if not self._writes or (not THOROUGH and (exitstatus not in (0, 1, 5) or not whole)):
            return
        passed = [name for name in self._passed if name not in self._failed]
        inputs = {name: self._key(_file_of(name)) for name in passed}
        if THOROUGH:
            at = f" at {_find_commit()}"
            inputs = {**{name: key + at for name, key in inputs.items()}, **dict.fromkeys(self._failed, f"failed{at}")}
        by_name = {
            name: key for name, key in self._before.items() if name in self._left_out or name not in self._failed
        }
        self._kept.parent.mkdir(parents=True, exist_ok=True)
        new = self._kept.with_suffix(".new")
        new.write_text(json.dumps({**by_name, **inputs}, indent=0, sort_keys=True), encoding="utf-8")
        new.replace(self._kept)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what was left out."""
        same = sum(name not in self._passed and self._is_same(name) for name in self._before)
        if same:
            what = "Tests" if THOROUGH else "Files of tests"
            terminalreporter.write_line(f"{what} left out, as they passed before with the same inputs: {same}")

    def _is_same(self, name: str) -> bool:
        file, before = _file_of(name), self._before.get(name)
        return before is not None and (ROOT / file).is_file() and self._key(file) == before.partition(" ")[0]


def _file_of(name: str) -> str:
    return name.partition("::")[0]


def _unit_of(test: str) -> str:
    """Return the name of what is left out as a whole: the file of a test, and when thorough the test itself."""
    return test if THOROUGH else _file_of(test)


def _find_commit() -> str:
    """Return the commit that was tested, with a `+` if there were changes, or nothing outside of git."""
    described = ["git", "describe", "--always", "--exclude=*", "--dirty=+"]
    with suppress(OSError):
        return subprocess.run(described, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    return ""


def pytest_configure(config: pytest.Config) -> None:
    """Take part where a run asks for it."""
    kept = config.getoption("--unchanged")
    if not kept:
        return
    site = config.getoption("--published")
    chosen = [str(config.getoption(name)) for name in ("markexpr", "--hypothesis-profile")]
    chosen.append(f"thorough: {THOROUGH}")
    data: dict[str, Any] | None = getattr(config, "workerinput", None)
    if data is not None:
        config.pluginmanager.register(Unchanged(Path(kept), data[_KEYS].__getitem__, writes=False))
        return
    inputs = Inputs(Path(site) if site else None, chosen)
    config.pluginmanager.register(Unchanged(Path(kept), cache(lambda name: inputs.key(ROOT / name)), writes=True))


@cache
def modules() -> dict[str, Path]:
    """Return every module of the engine and the tests by its dotted name; a package goes by the name of its folder."""
    by_text = {}
    for name, folder in SOURCES.items():
        for path in _inside(folder):
            if path.suffix == ".py":
                parts = (name, *path.relative_to(folder).with_suffix("").parts)
                by_text[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return by_text


def name_of(path: Path) -> str:
    return ".".join(("tests", *path.relative_to(SOURCES["tests"]).with_suffix("").parts))


def closure(started: set[str]) -> set[str]:
    """Return the modules that some modules import, and what those import, to the end."""
    reached: set[str] = set()
    waiting = list(started)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += _imports(name)
    return reached


@cache
def _imports(name: str) -> frozenset[str]:
    """Return the modules of ours that a module may import itself."""
    path = modules()[name]
    if name in (BUILDS_THE_SITE, DOOR):
        return frozenset()
    sources: set[str] = set(_packages_above(name))
    asks_the_door = False
    for node in statements(_tree(path)):
        match node:
            case ast.Import(names=names):
                sources.update(alias.name for alias in names)
                asks_the_door = asks_the_door or DOOR in {alias.name for alias in names}
            case ast.ImportFrom(module=module, names=names, level=level):
                here = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
                source = ".".join([*(here[: len(here) - level + 1] if level else []), *([module] if module else [])])
                sources.add(source)
                inner = {f"{source}.{alias.name}" for alias in names}
                asks_the_door = asks_the_door or (source == DOOR and not inner <= modules().keys())
                sources |= inner
    if {"subprocess", "asyncio.subprocess"} & sources and name.startswith("tests."):
        return frozenset(modules())
    if BY_NAME & sources and name != LOADER:
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        roots = {package, *(_strings(path) & modules().keys())}
        sources.update(each for each in modules() for root in roots if each == root or each.startswith(f"{root}."))
    if asks_the_door:
        sources |= _behind_the_door()
    sources |= {above for each in sources for above in _packages_above(each)}
    return frozenset(sources & modules().keys())


@cache
def _behind_the_door() -> frozenset[str]:
    return frozenset(_strings(modules()[DOOR]) & modules().keys())


def statements(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield every statement, those inside others too. Expressions are not gone into: nothing is imported in them."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            waiting += getattr(node, part, ())


def _strings(path: Path) -> set[str]:
    nodes = ast.walk(_tree(path))
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def _packages_above(name: str) -> Iterator[str]:
    parts = name.split(".")
    return (".".join(parts[:length]) for length in range(1, len(parts)))


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_bytes(), path)  # not kept: all of them are a million objects


def _arguments(path: Path) -> set[str]:
    """Return the names of all arguments of the functions in a file: the fixtures that its tests ask for are among them.

    Empty where the text of the file has no name of those that count.
    """
    text = path.read_text("utf-8")
    if not any(name in text for name in THE_SITE):
        return set()
    return {node.arg for node in ast.walk(_tree(path)) if isinstance(node, ast.arg)}


def _files(folders: Iterable[str], loose: Iterable[str]) -> Iterator[Path]:
    for folder in folders:
        yield from _inside(ROOT / folder)
    yield from (ROOT / name for name in loose if (ROOT / name).is_file())


def _inside(folder: Path) -> Iterator[Path]:
    """Yield the files in a folder and those below it, in order."""
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(set(folders) - NOT_DATA)
        yield from (Path(where) / name for name in sorted(names))


def _shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def digest_of(path: Path) -> str:
    return _digest(path.read_bytes())


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()
