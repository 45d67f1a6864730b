"""Every link of a built site, followed on disk."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.ids.append(value)
            elif name in ("href", "src") and value:
                self.links.append(value)


def faults(site: Path) -> list[str]:
    """What is wrong with the links of the site: targets and fragments that are missing, ids twice, other hosts."""
    pages = {path: _read(path) for path in sorted(site.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        here = path.relative_to(site).as_posix()
        found += [f"{here} has the id {name} twice" for name in {i for i in page.ids if page.ids.count(i) > 1}]
        # The page for what is not found is served anywhere, so its links start at the root of the site.
        for link in page.links if path.name != "404.html" else ():
            url = urlsplit(link)
            if url.scheme in ("http", "https") or url.netloc:
                if not link.startswith("https://squidfunk.github.io/"):
                    found.append(f"{here} links to another host: {link}")
                continue
            if url.scheme:
                continue
            target = (path.parent / unquote(url.path)).resolve() if url.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.is_file():
                found.append(f"{here} links to {link}, which is not there")
            elif url.fragment and target in pages and unquote(url.fragment) not in pages[target].ids:
                found.append(f"{here} links to {link}, and the page has no such place")
    return found


def _read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page
