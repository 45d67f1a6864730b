"""The ES module that drives a ruleset, in one file: its parts in `js/`, which import only one another, put together."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_DOOR = "rules"
_IMPORT = re.compile(r'^import \{ (?P<names>[^}]*) \} from "\./(?P<part>\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) )", re.MULTILINE)
_NAMED = re.compile(r"^export (?:async )?(?:function|class|const) (?P<name>\w+)(?P<more>.*)$", re.MULTILINE)
_CONSTANTS = re.compile(r"(\w+) = ")


def part(name: str) -> str:
    """A file of the package for hosts in JavaScript."""
    return (files(__package__) / "js" / name).read_text(encoding="utf-8")


@cache
def bundle() -> str:
    """All of it. Every part keeps its names to itself, but for those that it exports."""
    order: dict[str, str] = {}

    def add(name: str) -> None:
        if name not in order:
            written = part(f"{name}.js")
            for found in _IMPORT.finditer(written):
                add(found["part"])
            order[name] = written

    add(_DOOR)
    return "\n".join(_joined(written) if name == _DOOR else _enclosed(name, written) for name, written in order.items())


def _joined(written: str) -> str:
    return _IMPORT.sub(lambda found: f"const {{ {found['names']} }} = {found['part']}_part;\n", written)


def _enclosed(name: str, written: str) -> str:
    exported: list[str] = []
    for found in _NAMED.finditer(written):
        # Several constants may stand in one line.
        several = found[0].startswith("export const") and ";" in found["more"]
        exported += _CONSTANTS.findall(f"{found['name']}{found['more']}") if several else [found["name"]]
    inside = _EXPORT.sub("", _joined(written))
    return f"const {name}_part = (() => {{\n{inside}\nreturn {{ {', '.join(exported)} }};\n}})();\n"
