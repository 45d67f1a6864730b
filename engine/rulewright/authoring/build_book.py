"""Build the book of editions that pass all checks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from rulewright.authoring.example_odds import compute_book_odds, weigh_odds
from rulewright.authoring.what_if_modules import build_book_parameters
from rulewright.book.changes.edition_history import PublishedEdition
from rulewright.book.rulebook import Report
from rulewright.book.site.atomic_swap import check_output
from rulewright.book.site.publish import build_site
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.edition import Edition
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.testing.check_edition import check_edition


def refuse_unsound(catalogue: Catalogue, editions: Iterable[Edition]) -> None:
    """Raise `DiagnosticError` with all errors of the editions. Abstract ones are skipped.

    A failing example must not be published: the book would show something false.
    """
    errors: list[Diagnostic] = []
    for edition in editions:
        if edition.status != "abstract":
            errors += check_edition(catalogue, edition, weigh=weigh_odds).diagnostics.errors
    if errors:
        raise DiagnosticError(dict.fromkeys(errors))


def build(
    catalogue: Catalogue,
    output: Path,
    only: Sequence[Edition] = (),
    *,
    url: str = "",
    pdf: bool = False,
    archive: bool = False,
    report: Report | None = None,
) -> list[PublishedEdition]:
    """Build the books of all editions, or of `only` some, into the folder `output`, and return the published editions.

    Checks the editions first. Raises `DiagnosticError` if one has errors, and the exceptions of `check_output` and
    `build_site`.
    """
    check_output(output)
    refuse_unsound(catalogue, only or catalogue.list_editions())
    return build_site(
        catalogue,
        output,
        only=only,
        url=url,
        pdf=pdf,
        archive=archive,
        weigh=compute_book_odds,
        vary=build_book_parameters,
        report=report,
    )
