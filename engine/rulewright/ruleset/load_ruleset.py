"""Load a checked ruleset by its reference, from the cache if possible."""

from __future__ import annotations

import warnings

import rulewright.ruleset.cache.ruleset_cache  # noqa: F401 (registers how to pickle rulesets)
from rulewright.base.errors import RulesetWarning, RulewrightError
from rulewright.ruleset.cache.fingerprint import build_layers_key
from rulewright.ruleset.cache.ruleset_cache import load_stored, make_edition_reader, store
from rulewright.ruleset.cache.storage import is_storing
from rulewright.ruleset.editions.catalogue import Catalogue, list_surprises
from rulewright.ruleset.editions.edition import Edition
from rulewright.ruleset.editions.edition_diagnostics import ABSTRACT_EDITION, OTHER_GAMEPLAY
from rulewright.ruleset.editions.search_path import Folders, list_folders, search_path, warn_of_left_out
from rulewright.ruleset.editions.zip_archives import is_extracted
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.digest import DIGITS
from rulewright.ruleset.schema.edition_reference import Reference, make_argument_node, parse_reference
from rulewright.ruleset.schema.schema_path import join_alternatives
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.diagnostics.excerpt import quote_value
from rulewright.source.span import Span


def load_ruleset(reference: str, *, rules: Folders = (), digest: str | None = None) -> Ruleset:
    """Return the checked ruleset that `reference` names, such as `pig/classic@1.0`.

    The search path is `rules` (a folder, a zip, or several of them), then $RULEWRIGHT_RULES, `./rules`, the rulesets
    that ship with the package, and those of installed packages. If `digest` is given, the gameplay must have that
    digest.

    A checked ruleset is cached per user and is used again until one of its files changes. Its examples are not run;
    `rulewright check` runs them.

    Raises:
        DiagnosticError: No edition matches, it has errors, it is abstract, or its digest is another one. Mere warnings
            are in the result's `warnings`.
        RulewrightError: An argument has the wrong type.

    Warns:
        RulesetWarning: Only without a `digest`: a release has changed since it was locked, the edition hides another
            one of the same version, or an installed package lacks the rules that it declares.
    """
    if not isinstance(reference, str):
        raise RulewrightError(
            f"a ruleset reference must be a string such as 'game/edition@1.0', not {quote_value(reference)}"
        )
    if digest is not None and not isinstance(digest, str):
        raise RulewrightError(f"a digest must be a string such as {'0' * DIGITS!r}, not {quote_value(digest)}")
    catalogue = Catalogue(search_path(list_folders(rules)), read=make_edition_reader())
    ruleset, edition = _load_cached(catalogue, catalogue.find_edition(reference), make_argument_node(reference).span)
    if digest is None:
        warn_of_left_out(stacklevel=2)
        for surprise in list_surprises(catalogue, catalogue.chain(edition), ruleset):
            warnings.warn(surprise, RulesetWarning, stacklevel=2)
    elif digest != ruleset.digest:
        message = (
            f"`{ruleset.reference}` in `{edition.folder}` differs from the pinned rules: its gameplay digest is "
            f"{ruleset.digest}, not {digest}"
        )
        raise DiagnosticError([Diagnostic(OTHER_GAMEPLAY, message, make_argument_node(reference).span)])
    return ruleset


def find_ruleset(catalogue: Catalogue, written: Reference) -> tuple[Ruleset, Edition]:
    """Return the ruleset and the edition that a reference means in a catalogue.

    Issues no warnings. Raises `DiagnosticError` if there is none or it has errors.
    """
    return _load_cached(catalogue, catalogue.find(written), written.span)


def _load_cached(catalogue: Catalogue, edition: Edition, span: Span) -> tuple[Ruleset, Edition]:
    """Return the ruleset of an edition, from the cache if it is there, and the edition.

    Stores a ruleset that was not cached, unless a file changed meanwhile. `span` is the position of errors about the
    edition itself. Raises `DiagnosticError` if the rules have errors or the edition is abstract.
    """
    key = _key(catalogue, edition)
    saved = load_stored(key, lambda: _load(catalogue, edition, span)) if key is not None else None
    if saved is not None:
        return saved, edition
    ruleset = _load(catalogue, edition, span)
    # Not stored if a file changed in the meantime, because it is unknown which version was read.
    if key is not None and key == _key(catalogue, edition):
        store(key, ruleset)
    return ruleset, edition


def load_pinned(reference: str, *, rules: Folders = (), digest: str | None = None) -> Ruleset:
    """Return a ruleset for a caller that compares the gameplay digest itself. Issues no warnings.

    If `digest` is given and the named edition is missing, has errors, or has another digest, the newest patch version
    with that digest is returned instead. If there is none, the named edition is returned even though its digest
    differs. Raises `DiagnosticError` if that cannot be loaded, and `RulewrightError` if `rules` has the wrong type.
    """
    catalogue = Catalogue(search_path(list_folders(rules)), read=make_edition_reader())
    wanted_reference = parse_reference(reference)
    try:
        ruleset = find_ruleset(catalogue, wanted_reference)[0]
    except DiagnosticError:
        other = None if digest is None else _of_gameplay(catalogue, wanted_reference, digest)
        if other is None:
            raise
        return other
    if digest is None or ruleset.digest == digest:
        return ruleset
    return _of_gameplay(catalogue, wanted_reference, digest) or ruleset


def _of_gameplay(catalogue: Catalogue, reference: Reference, digest: str) -> Ruleset | None:
    """Return the newest patch version of a reference that has the gameplay digest.

    None if there is none, or if the reference has no version. Editions that cannot be loaded are skipped. Loads every
    candidate until one matches.
    """
    if reference.versions is None:
        return None
    line = reference.versions.low.numbers[:2]
    others = [
        each
        for each in catalogue.list_editions()
        if each.ruleset == reference.ruleset and each.version.numbers[:2] == line
    ]
    for edition in sorted(others, key=lambda each: each.version, reverse=True):
        try:
            ruleset = _load_cached(catalogue, edition, reference.span)[0]
        except DiagnosticError:
            continue
        if ruleset.digest == digest:
            return ruleset
    return None


def _key(catalogue: Catalogue, edition: Edition) -> str | None:
    """Return the cache key of an edition, or None if the cache is off or must not be used for it.

    It must not if a layer cannot be read or found, or if a layer was extracted from a zip.
    """
    if not is_storing():
        return None
    try:
        chain = catalogue.chain(edition)
        if any(is_extracted(part.folder) for part in chain):
            return None  # the temporary folder is different in each process
        if edition.follows is not None:
            catalogue.find(edition.follows)
        return build_layers_key([(part, catalogue.list_written_for(part)) for part in chain])
    except DiagnosticError:
        return None


def _load(catalogue: Catalogue, edition: Edition, span: Span) -> Ruleset:
    """Return the ruleset of an edition, built from its files without the cache.

    Raises `DiagnosticError` if the rules have errors, or, at the position `span`, if the edition is abstract.
    """
    ruleset, diagnostics = load_edition(catalogue, edition)
    diagnostics.raise_if_errors()
    if ruleset is None:
        above = join_alternatives(
            f"`{other.ruleset}`" for other in catalogue.list_editions() if _extends(other, edition)
        )
        message = f"`{edition.id}` is abstract: it is not a game on its own"
        hint = f"name an edition that extends it: {above}" if above else None
        raise DiagnosticError([Diagnostic(ABSTRACT_EDITION, message, span, (), hint)])
    return ruleset


def _extends(upper: Edition, lower: Edition) -> bool:
    return upper.extends is not None and upper.extends.ruleset == lower.ruleset and upper.status != "abstract"


def load_edition(catalogue: Catalogue, edition: Edition) -> tuple[Ruleset | None, Diagnostics]:
    """Return the ruleset of an edition and all its diagnostics.

    The ruleset is None if it could not be built, or if errors leave some of its names in doubt. Raises nothing for
    errors in the rules.
    """
    # Importing the parsers takes longer than loading a game from the cache.
    from rulewright.ruleset.pipeline import build_ruleset

    stage = build_ruleset(catalogue, edition)
    return None if stage.tainted else stage.value, Diagnostics(stage.diagnostics)
