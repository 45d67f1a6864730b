"""The `rulewright book` command, which builds, exports or serves the rulebook site."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from rulewright.base.plugins import Failure, report_failure
from rulewright.cli.shared_options import add_rules_option, open_catalogue

HELP = "build a rulebook site that covers every edition, or serve it and rebuild it when rules change"
TASKS = "Publish, preview or export the rulebook as a website, a PDF or Markdown."
EXAMPLE = """\
rulewright book build --output build/site
rulewright book build house/my-rules --rules my-rules --output build/site
rulewright book build --output build/site --pdf --zip
rulewright book export build/pages
rulewright book serve --port 8000"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    build = actions.add_parser(
        "build", help="build the site", description="Build the site with every edition, or only the given ones."
    )
    build.add_argument("references", nargs="*", metavar="REF", help="editions to include (default: all)")
    build.add_argument(
        "--output", type=Path, default=Path("build/site"), metavar="DIR", help="output folder (default: build/site)"
    )
    build.add_argument(
        "--base-url",
        type=_url,
        default=None,
        metavar="URL",
        help="public address of the site, for canonical links, sitemaps and the 404 page",
    )
    build.add_argument(
        "--pdf", action="store_true", help="also write each book as a PDF (a long book takes half a minute)"
    )
    build.add_argument("--zip", action="store_true", help="also pack the whole site into one file for download")
    build.add_argument(
        "--markdown", action="store_true", help="write pages for another site generator, as `book export` does"
    )
    add_rules_option(build)
    build.set_defaults(book=_build)
    pages = actions.add_parser(
        "export",
        help="write pages, menu and styles for another site generator",
        description=(
            "Write the book for another site generator: Markdown pages, the menu, styles and scripts. "
            "`zensical build` turns the result into a site as is."
        ),
    )
    pages.add_argument("output", type=Path, metavar="DIR", help="output folder")
    pages.add_argument("references", nargs="*", metavar="REF", help="editions to include (default: all)")
    pages.add_argument(
        "--base-url",
        type=_url,
        default=None,
        metavar="URL",
        help="public address of the site, for canonical links, sitemaps and the 404 page",
    )
    add_rules_option(pages)
    pages.set_defaults(book=_export)
    serve = actions.add_parser(
        "serve",
        help="serve the site on this machine and rebuild it when rules change",
        description=(
            "Serve the site on this machine. When you save a rules file, its editions are rebuilt "
            "and their pages reload. A mistake in the rules is shown as a page until you fix it."
        ),
    )
    serve.add_argument(
        "--port", type=int, default=8000, metavar="N", help="port, or 0 for any free port (default: 8000)"
    )
    add_rules_option(serve)
    serve.set_defaults(book=_serve)


def run(args: argparse.Namespace) -> int:
    """Build, export or serve the book, and return the exit code.

    Prints an error and returns 1 if MkDocs or another package from the `book` extra is missing.
    """
    try:
        if args.book is _export:
            import markdown  # noqa: F401
            import nh3  # noqa: F401
        else:
            import mkdocs  # noqa: F401
            import resvg_py  # noqa: F401
    except ImportError:
        print(
            "error: the rulebook needs MkDocs and other packages: pip install 'rulewright[book]'",
            file=sys.stderr,
        )
        return 1
    code: int = args.book(args)
    return code


def _url(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise argparse.ArgumentTypeError(f"`{text}` is not a site address such as https://example.org/rules/")
    return text.rstrip("/") + "/"


def _build(args: argparse.Namespace) -> int:
    """Build the books, or with `--markdown` their pages, and print their folders. Return 1 if a page failed, else 0.

    Exits with a usage error if `--markdown` is combined with a format of whole sites.
    """
    from rulewright.authoring.build_book import build
    from rulewright.book.site.atomic_swap import check_output
    from rulewright.book.site.book_folders import find_editions

    if args.markdown and (args.pdf or args.zip):
        args.parser.error("--markdown writes only pages, but --pdf and --zip need a whole site")
    if args.markdown:
        return _export(args)
    if args.pdf:
        from rulewright.book.print.pdf import require_pdf

        require_pdf()
    check_output(args.output)
    catalogue = open_catalogue(args)
    only = find_editions(catalogue, args.references)
    failures: list[Failure] = []
    published = build(
        catalogue,
        args.output,
        only,
        url=args.base_url or "",
        pdf=args.pdf,
        archive=args.zip,
        report=failures.append,
    )
    for item in published:
        print(f"{args.output / item.folder}  {item.edition.id}")
    return _finish(failures)


def _finish(failures: Sequence[Failure]) -> int:
    """Report the pages that failed, and return the exit code."""
    for failure in failures:
        report_failure(failure)
    return 1 if failures else 0


def _export(args: argparse.Namespace) -> int:
    """Check the editions, write the pages of their books as Markdown, and print their folders.

    Returns 1 if a page failed, else 0.
    """
    from rulewright.authoring.build_book import load_sound
    from rulewright.authoring.example_odds import compute_book_odds
    from rulewright.book.site.atomic_swap import check_output
    from rulewright.book.site.book_folders import find_editions
    from rulewright.book.site.markdown_export import DOCS, export

    check_output(args.output)
    catalogue = open_catalogue(args)
    only = find_editions(catalogue, args.references)
    load_sound(catalogue, only or catalogue.list_editions())
    failures: list[Failure] = []
    url = args.base_url or ""
    for item in export(catalogue, args.output, only=only, url=url, weigh=compute_book_odds, report=failures.append):
        print(f"{args.output / DOCS / item.folder}  {item.edition.id}")
    return _finish(failures)


def _serve(args: argparse.Namespace) -> int:
    """Serve the book until interrupted, and return 0. Exits with a usage error for an invalid port."""
    from rulewright.authoring.example_odds import compute_book_odds
    from rulewright.book.dev_server.live_server import serve

    if not 0 <= args.port <= 65_535:
        args.parser.error(f"{args.port} is not a port number: use 0 to 65535")
    serve(args.rules, port=args.port, weigh=compute_book_odds)
    return 0
