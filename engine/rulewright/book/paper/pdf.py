"""The whole book as a PDF that screen readers can read: tagged, with bookmarks, made without any network.

The same book always makes the same bytes on one machine: nothing in the file tells when it was made.
"""

from __future__ import annotations

import hashlib
import logging
import re

from rulewright.book.parts.templates import render
from rulewright.book.style.standalone import drawn
from rulewright.errors import RulewrightError

_ELSEWHERE = re.compile(r'(<a\b[^<>]*?) href="(?!#|https?:)[^"]*"')
"""A link to a file beside the page, where there is none beside the PDF."""


_LENT = re.compile(r'<script src="[^"]*"></script>|<link rel="stylesheet"[^<>]*>')
"""What a page has from files beside it, and the PDF has not, which is set in the letters of its machine."""


class PdfError(RulewrightError):
    """There is nothing here that makes a PDF."""


def require_pdf() -> None:
    """Raise `PdfError`, which says what to install, if no PDF can be made here."""
    try:
        import weasyprint  # noqa: F401
    except ImportError as error:
        raise PdfError("the PDF needs WeasyPrint: pip install 'rulewright[pdf]'") from error
    except OSError as error:
        # The package is there, and what it draws with is not.
        raise PdfError(
            "the PDF needs Pango, which WeasyPrint did not find: on Debian and Ubuntu, "
            "apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 fonts-dejavu-core"
        ) from error


def book_pdf(page: str) -> bytes:
    """The PDF of the whole book, from its one `page`. Raises `PdfError` where it cannot be made."""
    require_pdf()
    from weasyprint import CSS, HTML
    from weasyprint.urls import URLFetcher

    logging.getLogger("weasyprint").setLevel(logging.ERROR)  # it warns of every property that only browsers know
    page = _LENT.sub("", page)
    inside = URLFetcher(allowed_protocols=["data"])  # what the page carries in itself, and nothing from anywhere else
    made: bytes = HTML(string=drawn(_ELSEWHERE.sub(r"\1", page)), base_url="book:/", url_fetcher=inside).write_pdf(
        stylesheets=[CSS(string=render("pdf.css"))],
        pdf_variant="pdf/ua-1",
        pdf_identifier=hashlib.sha256(page.encode()).digest()[:16],
    )
    return made
