"""HTML as elements: where each stands in a text, so that some can be changed and the rest stays as it is."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from html.parser import HTMLParser
from itertools import accumulate
from typing import NamedTuple

from rulewright.book.style.style import escape

_EMPTY = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})


class Tag(NamedTuple):
    """A tag: where it begins and ends, its name, and its attributes (None for those without a value)."""

    start: int
    end: int
    name: str
    attributes: Mapping[str, str | None]
    closes: bool = False
    is_whole: bool = False

    def has(self, name: str, word: str) -> bool:
        """Whether an attribute, such as the class, has a word among others."""
        written = self.attributes.get(name)
        return written is not None and word in written.split()


class Element(NamedTuple):
    """An element: the tags that open and close it, the same one where it holds nothing."""

    open: Tag
    close: Tag

    @property
    def start(self) -> int:
        """Where it begins."""
        return self.open.start

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.close.end


class Html:
    """A text of HTML, its elements in the order in which they begin, and the changes to be made to it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.elements = tuple(_elements(_Tags(text).found))
        self._starts = [each.start for each in self.elements]
        self._changes: dict[int, tuple[int, str]] = {}
        self._order: list[int] | None = None

    def within(self, outer: Element) -> Iterator[Element]:
        """The elements inside another."""
        first, last = (bisect_left(self._starts, place) for place in (outer.start + 1, outer.end))
        return iter(self.elements[first:last])

    def change(self, start: int, end: int, text: str) -> None:
        """Have another text from `start` to `end`. A change inside one that is larger is lost."""
        self._changes[start] = end, text
        self._order = None

    def leave_out(self, element: Element) -> None:
        """Leave out an element with everything in it."""
        self.change(element.start, element.end, "")

    def unwrap(self, element: Element) -> None:
        """Leave out the tags of an element, and keep what is in it."""
        self.change(element.open.start, element.open.end, "")
        self.change(element.close.start, element.close.end, "")

    def retag(self, element: Element, attributes: Mapping[str, str | None], *, name: str = "") -> None:
        """Have another name or other attributes on an element; None is an attribute without a value."""
        tag = element.open
        text = self.text[tag.start : tag.end]
        for key, value in attributes.items():
            said = key if value is None else f'{key}="{escape(value)}"'
            old = tag.attributes.get(key)
            before = f' {key}="{escape(old)}"' if old is not None else ""
            if before and before in text:
                text = text.replace(before, f" {said}", 1)
            elif key not in tag.attributes:
                text = f"{text[:-1]} {said}>"
            else:
                raise ValueError(f"{text} does not write its {key} as this book does")
        if name:
            text = f"<{name}{text[1 + len(tag.name) :]}"
            if not tag.is_whole:
                self.change(element.close.start, element.close.end, f"</{name}>")
        self.change(tag.start, tag.end, text)

    def changed(self, start: int = 0, end: int | None = None) -> str:
        """The text, or a part of it, with its changes."""
        end = len(self.text) if end is None else end
        if self._order is None:
            self._order = sorted(self._changes)
        found, at = [], start
        for place in self._order[bisect_left(self._order, start) : bisect_left(self._order, end)]:
            if place < at:
                continue
            found += [self.text[at:place], self._changes[place][1]]
            at = self._changes[place][0]
        return "".join([*found, self.text[at:end]])

    def inside(self, element: Element) -> str:
        """What is in an element, with its changes."""
        return self.changed(element.open.end, element.close.start)

    def words(self, element: Element, without: Callable[[Tag], bool] = lambda tag: False) -> str:
        """The text in an element as it is written there, but for elements inside it that are left out."""
        spans: list[tuple[int, int]] = []
        for each in self.within(element):
            whole = without(each.open)
            spans += [(each.start, each.end)] if whole else [(t.start, t.end) for t in (each.open, each.close)]
        found, at = "", element.open.end
        for start, end in sorted(spans):
            found += self.text[at:start]
            at = max(at, end)
        return found + self.text[at : element.close.start]


class _Tags(HTMLParser):
    """Every tag of a text, in order. Whatever is no tag is passed over."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=False)
        self.found: list[Tag] = []
        self._text = text
        self._lines = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
        self.feed(text)
        self.close()

    def _at(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def _open(self, name: str, attributes: list[tuple[str, str | None]], *, is_whole: bool) -> None:
        start = self._at()
        self.found.append(
            Tag(start, start + len(self.get_starttag_text() or ""), name, dict(attributes), is_whole=is_whole)
        )

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open(tag, attrs, is_whole=tag in _EMPTY)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open(tag, attrs, is_whole=True)

    def handle_endtag(self, tag: str) -> None:
        start = self._at()
        self.found.append(Tag(start, self._text.index(">", start) + 1, tag, {}, closes=True))


def _elements(tags: list[Tag]) -> list[Element]:
    """Tags in pairs. Whatever is open when something around it closes, or the text ends, holds nothing."""
    found: list[Element] = []
    waiting: list[Tag] = []
    for tag in tags:
        if tag.is_whole:
            found.append(Element(tag, tag))
        elif not tag.closes:
            waiting.append(tag)
        elif waiting and waiting[-1].name == tag.name:
            found.append(Element(waiting.pop(), tag))
        elif any(each.name == tag.name for each in waiting):
            while (last := waiting.pop()).name != tag.name:
                found.append(Element(last, last))
            found.append(Element(last, tag))
    found += [Element(tag, tag) for tag in waiting]
    return sorted(found, key=lambda element: element.start)
