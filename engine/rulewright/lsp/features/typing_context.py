"""The context of the cursor, read from the text alone, because text being typed is rarely valid YAML."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_KEY = re.compile(r"""("[^"]*"|'[^']*'|[^\s#:{\[\]},'"][^:#{\[\]},]*?)\s*:(?=\s|$)""")
_BLOCK = re.compile(r"[|>][+-]?\d?[+-]?\s*(#.*)?$")

ITEM = "-"
"""The path element for a list item."""


@dataclass(slots=True)
class _Level:
    """An open mapping or list with its indentation, the current key, and its other entries."""

    indent: int
    key: str = ""
    values: dict[str, str] = field(default_factory=dict)
    flow: str = ""
    in_value: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True)
class Context:
    """The path of keys to the cursor (`-` for list items), whether it is at a key, and the text typed so far.

    `beside` has the other keys of the same mapping with their texts, and `above` those of the enclosing mapping.
    """

    way: tuple[str, ...]
    is_key: bool
    typed: str
    beside: dict[str, str]
    above: dict[str, str]
    in_braces: bool


def find_context(text: str, line: int, column: int) -> Context | None:
    """Return the context of a position, counted from 1, or None inside a comment."""
    lines = text.split("\n")[:line]
    if not lines:
        return None
    lines[-1] = lines[-1][: column - 1]
    reader = _Reader()
    for number, each in enumerate(lines):
        if not reader.line(each, last=number == len(lines) - 1):
            return None
    context = reader.build_context()
    if not context.in_braces and context.is_key:
        return _with_below(context, text.split("\n"), line, reader.indent)
    return context


class _Reader:
    """A line-by-line reader that tracks open mappings and lists."""

    def __init__(self) -> None:
        self.levels: list[_Level] = [_Level(-1)]
        self.indent = 0
        self.block: int | None = None
        """The indentation of the key whose text continues on the following lines."""

    def line(self, line: str, *, last: bool) -> bool:
        """Read a line, or the part of the `last` one before the cursor. Returns False inside a comment."""
        content = line.lstrip(" ")
        indent = len(line) - len(content)
        if self.levels[-1].flow:
            return self._flow(line)
        if self.block is not None and (not content or indent > self.block):
            if last:
                self.levels[-1].text += f"\n{line}"
            return True
        self.block = None
        if content.startswith("#"):
            return not last
        if not content and not last:
            return True
        self._close(indent)
        while content.startswith("- ") or content == ITEM:
            self.levels.append(_Level(indent, ITEM, in_value=True))
            rest = content[1:].lstrip(" ")
            indent += len(content) - len(rest)
            content = rest
        self.indent = indent
        key = _KEY.match(content)
        if key is None:
            if content[:1] in ("{", "[") and self.levels[-1].in_value:
                return self._flow(content)
            self._level(indent).text = content
            self._level(indent).in_value = False
            return not (last and " #" in content)
        level = self._level(indent)
        level.key, level.in_value = key[1].strip("\"'"), True
        value = content[key.end() :]
        level.text = value.lstrip(" ")
        level.values[level.key] = level.text
        if _BLOCK.match(level.text):
            self.block, level.text = indent, ""
        elif level.text[:1] in ("{", "["):
            return self._flow(level.text)
        elif last and not value and key.end() == len(content):
            level.in_value = True
        return not (last and " #" in value)

    def _close(self, indent: int) -> None:
        """Close the levels that do not contain a line of this indentation."""
        while len(self.levels) > 1 and self.levels[-1].indent > indent:
            self.levels.pop()
        top = self.levels[-1]
        if len(self.levels) > 1 and top.indent == indent and top.key == ITEM:
            self.levels.pop()

    def _level(self, indent: int) -> _Level:
        """Return the mapping with keys at an indentation, opening it if necessary."""
        top = self.levels[-1]
        if top.indent != indent or top.key == ITEM:
            self.levels.append(_Level(indent))
        return self.levels[-1]

    def _flow(self, text: str) -> bool:
        """Read the content of braces or brackets. Returns False at a comment that does not begin the text."""
        quote, word, before = "", "", " "
        for place, char in enumerate(text):
            top = self.levels[-1]
            if quote:
                quote = "" if char == quote else quote
                word += char
            elif char in "\"'" and not word.strip():
                quote, word = char, word + char
            elif char == "#" and before == " ":
                return place == 0
            elif char in "{[":
                if not word.strip() and (not top.flow or top.in_value):
                    if top.flow == "[":
                        top.key = ITEM
                    self.levels.append(_Level(10_000, flow=char, in_value=char == "[", key="" if char == "{" else ITEM))
                    word = ""
                else:
                    word += char
            elif char in "}]" and top.flow:
                self._end(word)
                self.levels.pop()
                word = ""
                if not self.levels[-1].flow:
                    self.levels[-1].text = ""
                    return True
            elif char == "," and top.flow:
                self._end(word)
                top.key, top.in_value, word = ("", False, "") if top.flow == "{" else (ITEM, True, "")
            elif char == ":" and top.flow == "{" and not top.in_value and text[place + 1 : place + 2] in (" ", ""):
                top.key, top.in_value, word = word.strip().strip("\"'"), True, ""
            else:
                word += char
            before = char
        if self.levels[-1].flow:
            self.levels[-1].text = word.lstrip(" ")
        return True

    def _end(self, word: str) -> None:
        top = self.levels[-1]
        if top.key:
            top.values[top.key] = word.strip()

    def build_context(self) -> Context:
        """Return the context at the end of the last line."""
        *outer, top = self.levels
        way = tuple(level.key for level in outer if level.key and level.in_value)
        above = next((level.values for level in reversed(outer) if level.values), {})
        if top.in_value:
            typed = top.text
            return Context((*way, top.key) if top.key else way, False, typed, top.values, above, bool(top.flow))
        return Context(way, True, top.text.lstrip(" "), top.values, above, bool(top.flow))


def _with_below(context: Context, lines: list[str], line: int, indent: int) -> Context:
    """Return the context with the keys of the same mapping below the line, which are indented by `indent`."""
    beside = dict(context.beside)
    for each in lines[line:]:
        content = each.lstrip(" ")
        own = len(each) - len(content)
        if not content or content.startswith("#"):
            continue
        if own < indent or (own == indent and content.startswith("- ")):
            break
        key = _KEY.match(content) if own == indent else None
        if key is not None:
            beside.setdefault(key[1].strip("\"'"), content[key.end() :].strip())
    return Context(context.way, True, context.typed, beside, context.above, in_braces=False)
