"""A published page in the one spelling that tests look for: published pages leave out quotes that say nothing."""

from __future__ import annotations

from html import escape
from html.parser import HTMLParser
from pathlib import Path


class _Spelt(HTMLParser):
    """Everything in a page as it was, but for its tags, whose values all stand in double quotes."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        text = "".join(f" {name}" if value is None else f' {name}="{escape(value)}"' for name, value in attrs)
        self.parts.append(f"<{tag}{text}>")

    def handle_endtag(self, tag: str) -> None:
        self.parts.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self.parts.append(data)

    def handle_entityref(self, name: str) -> None:
        self.parts.append(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.parts.append(f"&#{name};")


def spelt_out(page: Path) -> str:
    """Return a page with the values of its attributes in quotes, in their order.

    Shapes that end themselves end by a tag.
    """
    reader = _Spelt()
    reader.feed(page.read_text(encoding="utf-8"))
    reader.close()
    return "".join(reader.parts)
