"""Every link of a built site, followed on disk."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections import Counter
from collections.abc import Iterator
from functools import cache
from gzip import decompress
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from rulewright.book.search.search_index import INDEX

CSS_URL = re.compile(r"url\((?!['\"]?data:)['\"]?([^'\")#][^'\")]*)['\"]?\)")


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.canonical = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if values.get("rel") == "canonical":
            self.canonical = values.get("href") or ""
            return
        self.ids += [values["id"] or ""] if "id" in values else []
        self.links += [value for name in ("href", "src", "poster", "data") if (value := values.get(name)) is not None]


def faults(root: Path, url: str = "") -> list[str]:
    """Return what is wrong with the links below `root`, which a host serves as a whole.

    `url` is the site's own address.

    Targets and fragments that are missing, ids twice, other hosts; in pages, in styles, among the versions, among what
    search finds, and in sitemaps.
    """
    root = root.resolve()
    pages = {path: _read(path) for path in sorted(root.rglob("*.html"))}
    assert pages, f"there is no page below {root}"
    lines = []
    for path, page in pages.items():
        here = path.relative_to(root).as_posix()
        lines += [f"{here} has the id {name} twice" for name, times in sorted(Counter(page.ids).items()) if times > 1]
        if page.canonical and page.canonical.removesuffix("index.html") != _own(url, root, path):
            lines.append(f"{here} says that it is {page.canonical}")
    places = {path: set(page.ids) for path, page in pages.items()}
    there = cache(_there)
    # Of the links of a page that are the same, one is followed.
    for path, link in [*((p, link) for p, page in pages.items() for link in dict.fromkeys(page.links)), *_others(root)]:
        here = path.relative_to(root).as_posix()
        if url and link.startswith(url):
            link = urlsplit(link)._replace(scheme="", netloc="").geturl()
        where = urlsplit(link)
        if where.netloc:
            lines.append(f"{here} links to another host: {link}")
        if where.netloc or where.scheme:
            continue
        start = root if where.path.startswith("/") else path.parent
        target = there(start, unquote(where.path).lstrip("/")) if where.path else path
        if target is None:
            lines.append(f"{here} links to {link}, which is not there")
        elif (
            where.fragment
            and "=" not in where.fragment
            and unquote(where.fragment) not in places.get(target, {unquote(where.fragment)})
        ):
            lines.append(f"{here} links to {link}, and the page has no such place")
    return lines


def _there(start: Path, path: str) -> Path | None:
    """Return the file that a path leads to from a folder, if there is one."""
    target = (start / path).resolve()
    if target.is_dir():
        target /= "index.html"
    return target if target.is_file() else None


def _own(url: str, root: Path, path: Path) -> str:
    return urljoin(url, "/" + path.relative_to(root).as_posix()).removesuffix("index.html")


def _others(root: Path) -> Iterator[tuple[Path, str]]:
    """Links that are not in pages: each with the file it is in."""
    for path in sorted(root.rglob("*.css")):
        yield from ((path, link) for link in CSS_URL.findall(path.read_text(encoding="utf-8")))
    for path in sorted(root.rglob("versions.json")):
        for entry in json.loads(path.read_text(encoding="utf-8")):
            yield path, f"{entry['version']}/index.html"
    for path in sorted(root.rglob(INDEX)):
        index = searched(path)
        yield from ((path, f"../{location}") for location, *_ in index["entries"])
        yield from ((path, f"../{location}") for _, location, *_ in index["numbers"])
    for path in sorted(root.rglob("sitemap.xml")):
        for link in re.findall(r"<loc>(.*?)</loc>", path.read_text(encoding="utf-8")):
            yield path, link


def searched(path: Path) -> dict[str, Any]:
    """Return what an index says to the page that loads it."""
    return unpack_index(path.read_text(encoding="utf-8"))


def unpack_index(script: str) -> dict[str, Any]:
    """Return the data of an index file."""
    match = re.fullmatch(r'rulewrightIndex\("(.*)"\)\n', script)
    assert match, script[:80]
    index: dict[str, Any] = json.loads(decompress(b64decode(match[1])))
    return index


def _read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page
