"""Build the book of editions that pass all checks."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.base.garbage_collection import collect_on_request, collect_young
from rulewright.base.incremental.reads import record_files
from rulewright.book.changes.edition_history import Comparisons, PublishedEdition
from rulewright.book.site.atomic_swap import check_output
from rulewright.book.site.book_folders import list_publishable, name_folders
from rulewright.book.site.stored_parts import ReadFiles, find_parts, is_same
from rulewright.ruleset.cache.edition_results import LazyRulesets, name_edition_result
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.edition import Edition
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.diagnostic import Diagnostic

if TYPE_CHECKING:
    from rulewright.book.rulebook import Report
    from rulewright.ruleset.ruleset import Ruleset


def load_sound(catalogue: Catalogue, editions: Iterable[Edition]) -> Mapping[str, Ruleset]:
    """Return the rulesets of editions by their ids, without abstract ones. Those known to be valid are loaded on use.

    Raises `DiagnosticError` with all errors of the editions: a failing example must not be published, because the book
    would show something false.
    """
    errors: list[Diagnostic] = []
    known: list[str] = []
    rulesets: dict[str, Ruleset] = {}
    for edition in editions:
        if edition.status == "abstract":
            continue
        stored = name_edition_result(catalogue, [edition], ["no errors"])
        if stored is not None and stored.find() is not None:
            known.append(edition.id)
            continue
        from rulewright.authoring.example_odds import weigh_odds
        from rulewright.ruleset.cache.stored_traces import open_traces
        from rulewright.testing.check_edition import check_edition

        if rulesets:
            collect_young()
        with record_files() as files, open_traces(edition.id) as traces:
            checked = check_edition(catalogue, edition, weigh=weigh_odds, traces=traces)
        errors += checked.diagnostics.errors
        if checked.ruleset is not None:
            rulesets[edition.id] = checked.ruleset
        if stored is not None and checked.sound:
            stored.store(files, True)
    if errors:
        raise DiagnosticError(dict.fromkeys(errors))
    return LazyRulesets(catalogue, rulesets, known)


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

    Checks the editions first. Writes nothing if the folder already has this site, and otherwise makes only the parts
    that are not stored. Raises `DiagnosticError` if an edition has errors, and the exceptions of `check_output` and
    `build_site`.
    """
    begun = time.time_ns()
    check_output(output)
    with record_files() as files, collect_on_request():
        rulesets = load_sound(catalogue, only or catalogue.list_editions())
        if not only and (broken := [fault for each in catalogue.list_broken() for fault in each.diagnostics]):
            raise DiagnosticError(broken)
        names = name_folders(list_publishable(catalogue))
        published = []
        for edition in only or list_publishable(catalogue):
            load = partial(rulesets.__getitem__, edition.id)
            content = name_edition_result(catalogue, [edition], ["content"])
            find = partial(content.digest_files, begun) if content is not None else str
            published.append(PublishedEdition(edition, names[edition.id], load, find))
        comparisons = Comparisons(published)
        # A PDF uses the fonts of the machine.
        parts = {} if pdf else find_parts(catalogue, comparisons, [url, str(archive)], ReadFiles(files, begun))
        if len(parts) > len(published) and is_same(output, parts):
            return published
        from rulewright.authoring.example_odds import compute_book_odds
        from rulewright.authoring.what_if_modules import build_book_parameters
        from rulewright.book.site.publish import write_site

        write_site(
            comparisons,
            output,
            parts=parts,
            url=url,
            pdf=pdf,
            archive=archive,
            weigh=compute_book_odds,
            vary=build_book_parameters,
            report=report,
        )
    return published
