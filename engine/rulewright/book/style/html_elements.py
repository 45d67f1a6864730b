"""HTML as elements with their positions in the text, so that some can be changed and the rest is left as it is."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from html import unescape

from rulewright.book.style.text_style import escape

_EMPTY = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})

_TOKEN = re.compile(
    r"""<!--.*?(?:-->|\Z) | <[!?][^>]*> | <(/?)([A-Za-z][^\s/>]*)([^"'>]*(?:"[^"]*"[^"'>]*|'[^']*'[^"'>]*)*)>""",
    re.DOTALL | re.VERBOSE,
)
_ATTRIBUTE = re.compile(r"""([^\s=/"'>]+)(\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?""")
_RAW = {name: re.compile(rf"</{name}\b", re.IGNORECASE) for name in ("script", "style")}
"""Patterns for the end tags of elements with raw text."""


class Element:
    """An element with its name, the positions of its tags, and its attributes (None for one without a value).

    An empty element has one tag, and its `inner`, `inner_end` and `end` are equal.
    """

    __slots__ = ("_attributes", "_written", "end", "inner", "inner_end", "name", "start")

    def __init__(self, name: str, start: int, inner: int, written: str) -> None:
        self.name = name
        self.start = start
        self.inner = self.inner_end = self.end = inner
        self._written = written
        self._attributes: Mapping[str, str | None] | None = None

    @property
    def attributes(self) -> Mapping[str, str | None]:
        """The attributes by name, parsed on first access, because most are never needed."""
        if self._attributes is None:
            self._attributes = _attributes(self._written)
        return self._attributes

    @property
    def is_empty(self) -> bool:
        """Whether the element has only one tag, and no content."""
        return self.inner == self.end

    def get(self, name: str) -> str | None:
        """Return the value of an attribute, or None if it is missing or has no value."""
        return self.attributes.get(name) if name in self._written.lower() else None

    def has(self, name: str, word: str) -> bool:
        """Return whether an attribute with a list of words, such as the class, contains `word`."""
        written = self.get(name)
        return written is not None and word in written.split()


class HtmlText:
    """A text of HTML, its elements in the order in which they begin, and the changes to be made to it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.elements = _elements(text)
        self._starts = [each.start for each in self.elements]
        self._changes: dict[int, tuple[int, str]] = {}
        self._order: list[int] | None = None

    def within(self, outer: Element) -> Iterator[Element]:
        """Return the elements inside another."""
        first, last = (bisect_left(self._starts, place) for place in (outer.start + 1, outer.end))
        return iter(self.elements[first:last])

    def change(self, start: int, end: int, text: str) -> None:
        """Replace the text from `start` to `end`. A change inside a larger one is lost."""
        self._changes[start] = end, text
        self._order = None

    def leave_out(self, element: Element) -> None:
        """Remove an element with its content."""
        self.change(element.start, element.end, "")

    def unwrap(self, element: Element) -> None:
        """Remove the tags of an element and keep its content."""
        self.change(element.start, element.inner, "")
        self.change(element.inner_end, element.end, "")

    def retag(self, element: Element, attributes: Mapping[str, str | None], *, name: str = "") -> None:
        """Change the attributes of an element, and its name if `name` is given.

        A value of None means an attribute without a value. Attributes that are not mentioned stay. Raises `ValueError`
        if the tag spells an attribute in a form that the book does not write.
        """
        text = self.text[element.start : element.inner]
        for key, value in attributes.items():
            attribute = key if value is None else f'{key}="{escape(value)}"'
            old = element.attributes.get(key)
            before = f' {key}="{escape(old)}"' if old is not None else ""
            if before and before in text:
                text = text.replace(before, f" {attribute}", 1)
            elif key not in element.attributes:
                text = f"{text[:-1]} {attribute}>"
            else:
                raise ValueError(f"the tag {text} has `{key}` in an unexpected form")
        if name:
            text = f"<{name}{text[1 + len(element.name) :]}"
            if not element.is_empty:
                self.change(element.inner_end, element.end, f"</{name}>")
        self.change(element.start, element.inner, text)

    def changed(self, start: int = 0, end: int | None = None) -> str:
        """Return the text, or a part of it, with all changes made."""
        end = len(self.text) if end is None else end
        if self._order is None:
            self._order = sorted(self._changes)
        result, at = [], start
        for place in self._order[bisect_left(self._order, start) : bisect_left(self._order, end)]:
            if place < at:
                continue
            result += [self.text[at:place], self._changes[place][1]]
            at = self._changes[place][0]
        return "".join([*result, self.text[at:end]])

    def inside(self, element: Element) -> str:
        """Return the changed content of an element."""
        return self.changed(element.inner, element.inner_end)

    def words(self, element: Element, without: Callable[[Element], bool] = lambda each: False) -> str:
        """Return the text in an element as written, without tags. `without` selects inner elements to leave out."""
        spans: list[tuple[int, int]] = []
        for each in self.within(element):
            whole = without(each)
            spans += [(each.start, each.end)] if whole else [(each.start, each.inner), (each.inner_end, each.end)]
        result, at = "", element.inner
        for start, end in sorted(spans):
            result += self.text[at:start]
            at = max(at, end)
        return result + self.text[at : element.inner_end]


def _elements(text: str) -> tuple[Element, ...]:
    """Return the elements of a text in the order of their start tags.

    An element that is not closed before its parent, or before the end of the text, is empty. Comments, scripts,
    styles, and `<` without a tag are skipped.
    """
    elements: list[Element] = []
    waiting: list[Element] = []
    at = 0
    while (token := _TOKEN.search(text, at)) is not None:
        start, at = token.span()
        closes, name, written = token.groups()
        if name is None:
            continue
        name = name.lower()
        if not closes:
            element = Element(name, start, at, written)
            elements.append(element)
            if name not in _EMPTY and not written.endswith("/"):
                waiting.append(element)
                if name in _RAW:
                    end = _RAW[name].search(text, at)
                    at = len(text) if end is None else end.start()
        elif (waiting and waiting[-1].name == name) or any(each.name == name for each in waiting):
            while (last := waiting.pop()).name != name:
                pass
            last.inner_end, last.end = start, at
    return tuple(elements)


def _attributes(written: str) -> Mapping[str, str | None]:
    """Return the attributes in a tag, by name in lower case. The value is None for an attribute without one."""
    results: dict[str, str | None] = {}
    for name, is_given, double, single, bare in _ATTRIBUTE.findall(written):
        value = double or single or bare
        results[name.lower()] = (unescape(value) if "&" in value else value) if is_given else None
    return results
