"""The whole book as one page, to be printed or read in one go. Every link to another of its pages stays inside it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from rulewright.book.pages.page import PageWriter
from rulewright.book.parts.sequence import course
from rulewright.book.parts.templates import render
from rulewright.book.style.assets import way_to
from rulewright.book.style.icons import sprite
from rulewright.book.style.places import AID, FRONT, NEWS, ODDS, WHOLE
from rulewright.book.style.policy import FILES
from rulewright.book.style.prose import prose

LEFT_OUT = frozenset({FRONT, NEWS, AID, ODDS})
"""Pages that are no part of the rules: the title page stands for the first, the others are read on their own."""

EXTENSIONS = ("attr_list",)
"""Those of the site, but for its table of contents."""

_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_SPRITE = re.compile(r'<div><svg class="rw-sprite".*?</svg></div>', re.DOTALL)
_BESIDE = re.compile(r'<div class="rw-beside">.*?</div>', re.DOTALL)
_SEARCHED = re.compile(r" ?<span hidden>.*?</span>", re.DOTALL)
_SCRIPT = re.compile(r"<script\b.*?</script>", re.DOTALL)
_HEADING = re.compile(r'<h3\b[^>]*\bid="([^"]+)"[^>]*>(.*?)</h3>', re.DOTALL)
_TITLE = re.compile(r'<h2 class="rw-title">(.*?)</h2>', re.DOTALL)
_NUMBER = 'class="rw-number"'
_PICTURE = re.compile(r'<span class="rw-title__icon">(?:<span\b.*?</span>|.)*?</span>', re.DOTALL)
_REGION = re.compile(r'(?<= role="region" tabindex="0" aria-label=")')
_ICON = re.compile(
    r'<svg class="rw-icon" aria-hidden="true">.*?</svg>|<span class="rw-emoji" aria-hidden="true">.*?</span>'
)
_LINKED = re.compile(r'<h[2-5]\b|<a class="rw-term" href="([^"]*)">(.*?)</a>', re.DOTALL)
_TAG = re.compile(r"<(/?)([a-zA-Z][\w-]*)([^<>]*)>")
_ADDRESS = re.compile(r'\b(id|href)="([^"]*)"')
_UNSAFE = re.compile(r"""["'\\<>\n\r]""")
"""What would end the line at the foot of a printed page, which a stylesheet holds between quotes."""

_LOWER = {"h1": "h2", "h2": "h3", "h3": "h4", "h4": "h5"}


@dataclass(frozen=True, slots=True)
class Chapter:
    """A page of the book as a part of the whole; `sections` are address and heading of what is cited by number."""

    id: str
    title: str
    html: str
    sections: tuple[tuple[str, str], ...]


def whole_page(writer: PageWriter, site: Mapping[str, str]) -> str:
    """The pages of `site` as one HTML file, in their order. `writer` writes the title page."""
    ruleset = writer.ruleset
    files = [file for file in site if file.endswith(".md") and file not in LEFT_OUT]
    chapters = [_chapter(file, site[file], frozenset(files)) for file in files]
    fewest, most = ruleset.players
    body = render(
        "whole.html.j2",
        policy=FILES,
        assets=way_to(shared=writer.marks is not None),
        title=writer.html.escape(ruleset.title),
        said=quoted(ruleset.title),
        about=_readdressed(prose(ruleset.about, writer.html), WHOLE, frozenset(files)),
        players=str(fewest) if fewest == most else f"{fewest} to {most}",
        version=ruleset.version,
        status=ruleset.status,
        reference=ruleset.reference,
        digest=ruleset.digest,
        course=_course(writer, frozenset(files)),
        chapters=chapters,
    )
    return body.replace("<!-- sprite -->", sprite(body, writer.pictures))


def quoted(text: str) -> str:
    """Text as it may stand between quotes in a stylesheet."""
    return _UNSAFE.sub("", text)


def _course(writer: PageWriter, files: frozenset[str]) -> str:
    stages = course(writer.html, writer.places)
    return _readdressed(render("sequence.j2", stages=stages), WHOLE, files) if stages else ""


def _chapter(file: str, text: str, files: frozenset[str]) -> Chapter:
    for unwanted in (_FRONT_MATTER, _SPRITE, _SCRIPT, _BESIDE, _SEARCHED):
        text = unwanted.sub("", text)
    html = _linked_once(_readdressed(_html(text), file, files))
    title = _TITLE.search(html)
    sections = tuple(
        (identity, _unlinked(heading)) for identity, heading in _HEADING.findall(html) if _NUMBER in heading
    )
    name = _PICTURE.sub("", title[1]) if title else _stem(file)
    # The same table may stand in two chapters: listeners tell them apart by the chapter.
    html = _REGION.sub(lambda _: f"{_TAG.sub('', name).strip()}: ", html)
    return Chapter(_stem(file), name, html, sections)


def _linked_once(html: str) -> str:
    """The HTML with each term as a drawing and a link only where a section first speaks of it."""
    linked: set[str] = set()

    def first(found: re.Match[str]) -> str:
        href, words = found.groups()
        if href is None:
            linked.clear()
            return found[0]
        if href in linked:
            return _ICON.sub("", words)
        linked.add(href)
        return found[0]

    return _LINKED.sub(first, html)


def _html(text: str) -> str:
    from markdown import markdown

    made: str = markdown(text, extensions=list(EXTENSIONS), output_format="html")
    return made


def _readdressed(html: str, file: str, files: frozenset[str]) -> str:
    """The HTML of a page with addresses that hold in the whole book, headings a level lower, and nothing folded."""

    def tag(found: re.Match[str]) -> str:
        closing, name, rest = found.groups()
        rest = _ADDRESS.sub(lambda part: f'{part[1]}="{_address(part[1], part[2], file, files)}"', rest)
        unfolded = " open" if name == "details" and not closing and "open" not in rest.split() else ""
        return f"<{closing}{_LOWER.get(name, name)}{rest}{unfolded}>"

    return _TAG.sub(tag, html)


def _address(attribute: str, value: str, file: str, files: frozenset[str]) -> str:
    if attribute == "id":
        return f"{_stem(file)}.{value}"
    path, mark, fragment = value.partition("#")
    if fragment.startswith("rw-icon-") or ":" in path:
        return value
    if (path or file) in files:
        return f"#{_stem(path or file)}" + (f".{fragment}" if fragment else "")
    if path == FRONT:
        return "#book-contents"
    return f"{_stem(path)}.html{mark}{fragment}" if path.endswith(".md") else value


def _unlinked(heading: str) -> str:
    return re.sub(r"</?a\b[^<>]*>", "", heading)


def _stem(file: str) -> str:
    return file.removesuffix(".md").removesuffix(".html")
