"""Pages of the documentation that fit what the studio shows."""

from __future__ import annotations

import os
import re
from html import escape
from pathlib import Path
from textwrap import dedent
from typing import Any

from rulewright.base.resources import find_resource
from rulewright.ruleset.section import load_sections
from rulewright.studio.http.json_api import Body
from rulewright.studio.http.project import Project
from rulewright.studio.panels import load_panels
from rulewright.studio.storage.http_errors import RefusedError

STUDIO = "tools/studio.md"
"""The page about the studio itself, which fits everywhere."""

TUTORIAL = "tutorials/house-rules.md"
"""The page that shows a newcomer the studio step by step."""

MOST_FOUND = 12
"""The maximum number of pages that a search returns."""

_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_FOR_SOURCES = re.compile(r"^> As plain Markdown, .*\n\n?", re.MULTILINE)
"""Notes for people who read the files in a checkout."""
_SNIPPET = re.compile(r'^( *)--8<-- "([^":\n]+)(?::(\d+))?"$', re.MULTILINE)
"""A line that a build of the documentation replaces by a file, from a given line on."""
_UNTESTED = re.compile(r"(?<!“)\s*\(not run by the tests[^()]*\)")
"""A note for the authors of the documentation."""
_LAYOUT = re.compile(r"^<figure\b(?s:.*?)</figure>\n|^</?(?:div|section)\b.*>\n", re.MULTILINE)
"""What needs the stylesheet of the documentation: figures, and the lines that arrange a text in columns."""
_CONTRIBUTING = "contributing"
"""The folder of pages about the source code, which a search leaves out."""
_BLOCK = re.compile(r'^(?:\?{3}\+?|!!!) *([\w-]+)(?: +"([^"\n]*)")?\n((?:(?: {4}.*)?\n)*)', re.MULTILINE)
"""A note of an extension of Markdown that only a build of the documentation has: its type, title and indented text."""
_LINK = re.compile(r"\[([^\[\]]*)\]\(([^()#\s:]+\.md)(#[^()\s]*)?\)")


def find_help(studio: Project, body: Body) -> Any:
    """Answer `GET /api/help` with the pages for a section of the rules and a panel, and the text of one of them.

    That is the requested page, or else the first. With `words`, the pages are those that have all of these words. The
    answer also has the shell command for help on the panel. Without the documentation, there are no pages. Raises
    `RefusedError` if a requested page does not exist.
    """
    if words := str(body.get("words") or "").lower().split():
        return {"pages": _search(words)}
    section, panel = load_sections().get(str(body.get("section"))), load_panels().get(str(body.get("panel")))
    fitting = [section.guide if section else "", panel.guide if panel else "", STUDIO, TUTORIAL]
    pages = [
        {"path": each, "title": _find_title(text)}
        for each in dict.fromkeys(filter(None, fitting))
        if (text := _read(each)) is not None
    ]
    page = body.get("page") or (pages[0]["path"] if pages else "")
    text = _read(str(page)) if page else ""
    if text is None:
        raise RefusedError(404, f"there is no page `{str(page)[:100]}` in the documentation")
    return {
        "pages": pages,
        "page": page,
        "text": text,
        "command": f"rulewright {panel.command if panel else 'studio'} --help",
    }


def _search(words: list[str]) -> list[dict[str, str]]:
    """Return the pages with all words, those first that have them in their title, and then the most often."""
    home = find_resource("site") / "docs"
    results = []
    for file in home.rglob("*.md"):
        if _CONTRIBUTING in file.relative_to(home).parts:
            continue
        text = file.read_text(encoding="utf-8")
        title, inside = _find_title(text), text.lower()
        counts = [inside.count(word) for word in words]
        if title and all(counts):
            titled = sum(word in title.lower() for word in words)
            results.append((-titled, -sum(counts), {"path": file.relative_to(home).as_posix(), "title": title}))
    return [page for *_, page in sorted(results, key=lambda each: each[:2])[:MOST_FOUND]]


def _read(path: str) -> str | None:
    """Return the Markdown of a page, or None if the documentation has no such page.

    Links to pages that only a build of the documentation has, such as the reference, are plain text. Notes are HTML.
    """
    file = _find_file(path)
    if file is None:
        return None
    there = Path(path).parent

    def keep(link: re.Match[str]) -> str:
        return link[0] if _find_file((there / link[2]).as_posix()) is not None else link[1]

    text = _SNIPPET.sub(_include, file.read_text(encoding="utf-8"))
    for omitted in (_MATTER, _FOR_SOURCES, _UNTESTED, _LAYOUT):
        text = omitted.sub("", text)
    return _LINK.sub(keep, _BLOCK.sub(_fold, text))


def _fold(block: re.Match[str]) -> str:
    """Return a note as a foldable element of HTML, which may contain Markdown."""
    sort, title, body = block.groups()
    summary = escape(title or sort.capitalize())
    return f"<details>\n<summary>{summary}</summary>\n\n{dedent(body).strip()}\n\n</details>\n\n"


def _include(snippet: re.Match[str]) -> str:
    """Return the text of an included file, or the line itself if there is no such file."""
    indent, path, first = snippet.groups()
    file = _find_file(path, suffix=".yaml")
    if file is None:
        return snippet[0]
    lines = file.read_text(encoding="utf-8").splitlines()[int(first or 1) - 1 :]
    return "\n".join(f"{indent}{line}".rstrip() for line in lines)


def _find_file(path: str, *, suffix: str = ".md") -> Path | None:
    """Return the file of a page, or None if the documentation has no such file of this type."""
    home = Path(os.path.realpath(find_resource("site") / "docs"))
    try:
        file = Path(os.path.realpath(home / path))
        return file if file.suffix == suffix and file.is_relative_to(home) and file.is_file() else None
    except (OSError, ValueError):  # an invalid file name
        return None


def _find_title(text: str) -> str:
    title = _TITLE.search(text)
    return title[1].strip("`") if title is not None else ""
