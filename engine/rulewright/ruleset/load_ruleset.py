"""A reference → a checked ruleset."""

from __future__ import annotations

import warnings

import rulewright.ruleset.cache.ruleset_cache  # noqa: F401 (whatever is loaded can be pickled)
from rulewright.base.errors import RulesetWarning, RulewrightError
from rulewright.ruleset.cache.cache_folder import cache_folder
from rulewright.ruleset.cache.fingerprint import build_layers_key
from rulewright.ruleset.cache.ruleset_cache import load_stored, read_cached_edition, store
from rulewright.ruleset.edition_reference import Reference, make_argument_node, parse_reference
from rulewright.ruleset.editions.catalogue import Catalogue, list_surprises
from rulewright.ruleset.editions.edition import Edition
from rulewright.ruleset.editions.edition_diagnostics import ABSTRACT_EDITION, OTHER_GAMEPLAY
from rulewright.ruleset.editions.search_path import Folders, list_folders, search_path, warn_of_left_out
from rulewright.ruleset.editions.zip_archives import is_extracted
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.digest import DIGITS
from rulewright.ruleset.schema.schema_path import join_alternatives
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.diagnostics.excerpt import quote_value
from rulewright.source.span import Span


def load_ruleset(reference: str, *, rules: Folders = (), digest: str | None = None) -> Ruleset:
    """Return the ruleset that `reference` names, such as `pig/classic@1.0`, ready to play.

    Rulesets are looked for in `rules` (a folder, a zip of one, or several of them), in those of $RULEWRIGHT_RULES, in
    `./rules`, among those shipped, and in those of installed packages. With `digest`, only this gameplay will do.
    Raises `DiagnosticError` where there is none, or where it has errors, and `RulewrightError` for arguments of another
    type; warnings are kept in `warnings`. Warns with
    `RulesetWarning` where a release was changed since, where the edition hides another one of the same version, or
    where an installed package lacks the rules that it names.

    What was checked once is kept in the cache of the user, and taken from there as long as no letter of it changes.
    """
    if not isinstance(reference, str):
        raise RulewrightError(
            f"a ruleset is named by a text such as 'game/edition@1.0', not by {quote_value(reference)}"
        )
    if digest is not None and not isinstance(digest, str):
        raise RulewrightError(f"a digest is a text, such as {'0' * DIGITS!r}, not {quote_value(digest)}")
    catalogue = Catalogue(search_path(list_folders(rules)), read=read_cached_edition)
    ruleset, edition = _load_cached(catalogue, catalogue.find_edition(reference), make_argument_node(reference).span)
    if digest is None:
        warn_of_left_out(stacklevel=2)
        for surprise in list_surprises(catalogue, catalogue.chain(edition), ruleset):
            warnings.warn(surprise, RulesetWarning, stacklevel=2)
    elif digest != ruleset.digest:
        message = f"`{ruleset.reference}` in `{edition.folder}` has the gameplay digest {ruleset.digest}, not {digest}"
        raise DiagnosticError([Diagnostic(OTHER_GAMEPLAY, message, make_argument_node(reference).span)])
    return ruleset


def find_ruleset(catalogue: Catalogue, written: Reference) -> tuple[Ruleset, Edition]:
    """Return what a reference means in a catalogue, and its edition; warns of nothing. Raises `DiagnosticError`."""
    return _load_cached(catalogue, catalogue.find(written), written.span)


def _load_cached(catalogue: Catalogue, edition: Edition, asked: Span) -> tuple[Ruleset, Edition]:
    """Return the ruleset of an edition, and the edition; `asked` is where it is asked for. Raises `DiagnosticError`."""
    key = _key(catalogue, edition)
    kept = load_stored(key, lambda: _load(catalogue, edition, asked)) if key is not None else None
    if kept is not None:
        return kept, edition
    ruleset = _load(catalogue, edition, asked)
    # A file that was changed meanwhile may have been read in its old form or in its new one.
    if key is not None and key == _key(catalogue, edition):
        store(key, ruleset)
    return ruleset, edition


def load_pinned(reference: str, *, rules: Folders = (), digest: str | None = None) -> Ruleset:
    """Return a ruleset whose gameplay the caller compares by itself, so that nothing need be warned of.

    With a `digest`, another patch version with this gameplay will do where the one that is named is not there, or has
    another gameplay. Raises `DiagnosticError`.
    """
    catalogue = Catalogue(search_path(list_folders(rules)), read=read_cached_edition)
    asked = parse_reference(reference)
    try:
        ruleset = find_ruleset(catalogue, asked)[0]
    except DiagnosticError:
        other = None if digest is None else _of_gameplay(catalogue, asked, digest)
        if other is None:
            raise
        return other
    if digest is None or ruleset.digest == digest:
        return ruleset
    return _of_gameplay(catalogue, asked, digest) or ruleset


def _of_gameplay(catalogue: Catalogue, asked: Reference, digest: str) -> Ruleset | None:
    """Return the newest patch version of what is asked for that has a gameplay; None where there is none."""
    if asked.versions is None:
        return None
    line = asked.versions.low.numbers[:2]
    others = [
        each for each in catalogue.list_editions() if each.ruleset == asked.ruleset and each.version.numbers[:2] == line
    ]
    for edition in sorted(others, key=lambda each: each.version, reverse=True):
        try:
            ruleset = _load_cached(catalogue, edition, asked.span)[0]
        except DiagnosticError:
            continue
        if ruleset.digest == digest:
            return ruleset
    return None


def _key(catalogue: Catalogue, edition: Edition) -> str | None:
    """Return what the edition is kept under in the cache; None where it is not to be kept."""
    if cache_folder() is None:
        return None
    try:
        chain = catalogue.chain(edition)
        if any(is_extracted(part.folder) for part in chain):
            return None  # it lies elsewhere next time
        if edition.follows is not None:
            catalogue.find(edition.follows)
        return build_layers_key([(part, catalogue.list_written_for(part)) for part in chain])
    except DiagnosticError:
        return None


def _load(catalogue: Catalogue, edition: Edition, asked: Span) -> Ruleset:
    """Return the ruleset of an edition, read from its rules. Raises `DiagnosticError` where they have errors."""
    ruleset, diagnostics = load_edition(catalogue, edition)
    diagnostics.raise_if_errors()
    if ruleset is None:
        above = join_alternatives(
            f"`{other.ruleset}`" for other in catalogue.list_editions() if _extends(other, edition)
        )
        message = f"`{edition.id}` is abstract: it is no game by itself"
        hint = f"name an edition laid over it: {above}" if above else None
        raise DiagnosticError([Diagnostic(ABSTRACT_EDITION, message, asked, (), hint)])
    return ruleset


def _extends(upper: Edition, lower: Edition) -> bool:
    return upper.extends is not None and upper.extends.ruleset == lower.ruleset and upper.status != "abstract"


def load_edition(catalogue: Catalogue, edition: Edition) -> tuple[Ruleset | None, Diagnostics]:
    """Return an edition's ruleset and everything found in checking it; None where it could not even be merged."""
    # What reads rules, the grammars above all, takes longer to import than a game takes to load from the cache.
    from rulewright.ruleset.pipeline import build_ruleset

    stage = build_ruleset(catalogue, edition)
    return None if stage.tainted else stage.value, Diagnostics(stage.diagnostics)
