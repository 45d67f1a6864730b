"""The editions of a site, and the folder of the book of each."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.edition import Edition
from rulewright.ruleset.editions.edition_diagnostics import ABSTRACT_EDITION
from rulewright.ruleset.schema.edition_reference import make_argument_node
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.diagnostic import Diagnostic


def list_publishable(catalogue: Catalogue) -> list[Edition]:
    """Return the editions that have a book, by game and with the newest versions first.

    Games come in the order of the positions in their manifests; those without one follow by name. Abstract editions,
    which are only there to be extended, are left out.
    """
    publishable = [edition for edition in catalogue.list_editions() if edition.status != "abstract"]
    publishable.sort(key=lambda edition: edition.version, reverse=True)
    positions: dict[str, int] = {}
    for edition in publishable:
        if edition.position is not None:
            positions[edition.game] = min(edition.position, positions.get(edition.game, edition.position))
    return sorted(publishable, key=lambda edition: (positions.get(edition.game, sys.maxsize), edition.game))


def name_folders(editions: Sequence[Edition]) -> dict[str, str]:
    """Return the folder name of each edition by its id, such as `normal-1.0`.

    The game's name comes first if there are several games. The full version is used only where two editions would
    clash.
    """
    games = {edition.game for edition in editions}
    short: dict[str, list[Edition]] = {}
    for edition in editions:
        short.setdefault(_folder(edition, len(games) > 1, ".".join(str(edition.version).split(".")[:2])), []).append(
            edition
        )
    folders = {}
    for name, several in short.items():
        for edition in several:
            folders[edition.id] = name if len(several) == 1 else _folder(edition, len(games) > 1, str(edition.version))
    return folders


def _folder(edition: Edition, with_game: bool, version: str) -> str:
    return f"{edition.game + '-' if with_game else ''}{edition.edition}-{version}"


def find_editions(catalogue: Catalogue, references: Sequence[str]) -> list[Edition]:
    """Return the editions that `references` name, in the order of the site.

    Raises `DiagnosticError` for a reference without an edition, or an abstract edition, which has no book.
    """
    results = [(catalogue.find_edition(text), make_argument_node(text).span) for text in references]
    for edition, span in results:
        if edition.status == "abstract":
            message = f"`{edition.id}` is abstract: it has no book of its own"
            raise DiagnosticError([Diagnostic(ABSTRACT_EDITION, message, span)])
    ids = {edition.id for edition, _ in results}
    return [edition for edition in list_publishable(catalogue) if edition.id in ids]
