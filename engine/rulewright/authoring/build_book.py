"""The book of editions, built with all that is worked out for it; only of what `check` finds sound."""

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
    """Publish only what `check` finds sound: an example that no longer holds would lie to its readers.

    Raises `DiagnosticError`.
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
    """Build the books of all editions, or `only` of some, into `output`. Raises what `build_site` raises."""
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
