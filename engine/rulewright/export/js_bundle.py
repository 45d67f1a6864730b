"""Programs for JavaScript in one file each: parts that import only one another, put together.

There are three doors to the parts in `js/`. `rules.js` is an ES module, for whoever has the files of a ruleset; the
engine of the published book is one function without free names, so that its own text can begin a worker.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from posixpath import dirname, normpath

from rulewright.export.js_minify import minify

_IMPORT = re.compile(r'^import \{ (?P<names>[^}]*) \} from "(?P<part>\.\.?/[\w/]+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) )", re.MULTILINE)
_NAMED = re.compile(r"^export (?:async )?(?:function\*?|class|const) (?P<name>\w+)(?P<more>.*)$", re.MULTILINE)
_LISTED = re.compile(r"^export \{ (?P<names>[^}]*) \};\n", re.MULTILINE)
_CONSTANTS = re.compile(r"(\w+) = ")
Read = Callable[[str], str]
"""The text of a part by its name, which is its path from where all parts lie, without the ending."""


def read_part(name: str) -> str:
    """Return a file of the package for hosts in JavaScript."""
    return (files(__package__) / "js" / name).read_text(encoding="utf-8")


def _own(name: str) -> str:
    return read_part(f"{name}.js")


@cache
def bundle() -> str:
    """Return the ES module that drives a ruleset.

    Every part keeps its names to itself, but for those that it exports.
    """
    return build_module("rules")


def build_module(door: str) -> str:
    """Return the ES module of a door."""
    return join_parts(door, _own)


@cache
def build_engine() -> str:
    """Return a script that defines `rulewrightEngine(scope)`, which gives what its door exports."""
    return _defined("rulewrightEngine", "engine")


@cache
def build_trial_engine() -> str:
    """Return a script that defines `rulewrightTrying(scope)`.

    The engine, with what tries other figures and works odds out.
    """
    return _defined("rulewrightTrying", "figures/trying")


def _defined(name: str, door: str) -> str:
    inside = strip_idle(enclose_parts(door, _own))
    return f'function {name}(scope) {{\n"use strict";\n{inside}return {_held(door)};\n}}\n'


def build_script(door: str, read: Read) -> str:
    """Return a script that carries out a part and those that it imports, and leaves no name behind."""
    return f'(() => {{\n"use strict";\n{strip_idle(enclose_parts(door, read))}}})();\n'


def join_parts(door: str, read: Read) -> str:
    """Return a part as it is, with those before it that it imports."""
    *before, last = _in_order(door, read).items()
    return "\n".join([*(_enclosed(name, written) for name, written in before), _joined(*last)])


def enclose_parts(door: str, read: Read) -> str:
    """Return a part and those that it imports, each as a constant with what it exports."""
    return "\n".join(_enclosed(name, written) for name, written in _in_order(door, read).items())


def _in_order(door: str, read: Read) -> dict[str, str]:
    order: dict[str, str] = {}

    def add(name: str) -> None:
        if name not in order:
            written = read(name)
            for found in _IMPORT.finditer(written):
                add(_from(name, found["part"]))
            order[name] = written

    add(door)
    return order


def _from(name: str, way: str) -> str:
    """Return the name of the part that another one imports, by the way there."""
    return normpath(f"{dirname(name)}/{way}".lstrip("/"))


def _held(name: str) -> str:
    """Return the constant that holds what a part exports."""
    return f"{name.replace('/', '_')}_part"


def _joined(name: str, written: str) -> str:
    return _IMPORT.sub(lambda found: f"const {{ {found['names']} }} = {_held(_from(name, found['part']))};\n", written)


def _enclosed(name: str, written: str) -> str:
    exported: list[str] = []
    for found in _NAMED.finditer(written):
        # Several constants may stand in one line.
        several = found[0].startswith("export const") and ";" in found["more"]
        exported += _CONSTANTS.findall(f"{found['name']}{found['more']}") if several else [found["name"]]
    for found in _LISTED.finditer(written):
        exported += found["names"].split(", ")
    inside = _LISTED.sub("", _EXPORT.sub("", _joined(name, written)))
    return f"const {_held(name)} = (() => {{\n{inside}\nreturn {{ {', '.join(exported)} }};\n}})();\n"


def strip_idle(written: str) -> str:
    """Return a program of ours without what says nothing to a browser, but to whoever works on a part.

    A third of it.
    """
    return minify(written)
