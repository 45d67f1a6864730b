"""A single page of the book without its surroundings, for previews.

A whole build takes seconds, but a preview needs only one page at each keystroke.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape

import yaml
from markdown import Markdown

from rulewright.book.parts.template_loader import render
from rulewright.book.print.whole_book import EXTENSIONS
from rulewright.book.rulebook import Book
from rulewright.book.style.assets import FOLDER, STYLE, list_theme_styles
from rulewright.book.style.content_security import FILES
from rulewright.book.style.sanitizer import clean
from rulewright.book.style.text_style import escape

SCHEMES = ("default", "slate")
"""The color schemes of the book: light and dark."""

_HREF = re.compile(r'(<a\b[^>]*? href="[^":#]*)\.md(?=[#"])')
_ID = re.compile(r'\bid="([^"]+)"')


@dataclass(frozen=True, slots=True)
class Alone:
    """A page in HTML for a frame with its title, its content, and its ids."""

    title: str
    body: str
    ids: tuple[str, ...]
    language: str

    def render(
        self,
        *,
        assets: str,
        scheme: str = SCHEMES[0],
        policy: str = FILES,
        more: Sequence[str] = (),
        scripts: Sequence[str] = (),
    ) -> str:
        """Return the page as a complete HTML document.

        Args:
            assets: The path to the folder with the files of `list_looks`, with a slash at the end.
            scheme: The color scheme. An unknown one counts as the light one.
            policy: The content security policy.
            more: The names of further stylesheets in `assets`.
            scripts: The addresses of scripts, which load last.
        """
        return render(
            "alone.html.j2",
            language=self.language,
            policy=policy,
            title=escape(self.title),
            assets=assets,
            styles=[*list_theme_styles(), STYLE.removeprefix(f"{FOLDER}/"), *more],
            scheme=scheme if scheme in SCHEMES else SCHEMES[0],
            body=self.body,
            scripts=scripts,
        )


def render_alone(book: Book, file: str) -> Alone:
    """Return a page of the rules, in the form for players.

    Raises `KeyError` if the book has no page with that name.
    """
    return parse_page(book.render_page(file), language=book.ruleset.language)


def parse_page(text: str, *, language: str) -> Alone:
    """Return a page in the book's Markdown, with its front matter, as sanitized HTML like the book on one page.

    Links to `.md` files become links to `.html` files.
    """
    matter, _, body = text.removeprefix("---\n").partition("\n---\n")
    html = clean(Markdown(extensions=list(EXTENSIONS), output_format="html").convert(body))
    html = _HREF.sub(r"\1.html", html)
    ids = tuple(dict.fromkeys(map(unescape, _ID.findall(html))))
    return Alone(unescape(str(yaml.safe_load(matter)["title"])), html, ids, language)
