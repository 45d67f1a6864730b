"""A reference → a checked ruleset."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING

import rulewright.ruleset.cache.pickling  # noqa: F401 (whatever is loaded can be pickled)
from rulewright.errors import RulesetWarning, RulewrightError
from rulewright.ruleset.cache.editions import kept_edition
from rulewright.ruleset.cache.fingerprint import key_of_layers
from rulewright.ruleset.cache.folder import cache_folder
from rulewright.ruleset.cache.stored import store, stored
from rulewright.ruleset.codes import OVERRIDE_WITHOUT_EFFECT
from rulewright.ruleset.digest import DIGITS
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.codes import ABSTRACT_EDITION, OTHER_GAMEPLAY
from rulewright.ruleset.editions.edition import Edition, too_large
from rulewright.ruleset.editions.search_path import Folders, folders_of, search_path
from rulewright.ruleset.editions.surprises import surprises
from rulewright.ruleset.editions.zipped import is_laid_out
from rulewright.ruleset.layers.layer import Layer
from rulewright.ruleset.reference import Reference, argument, parse_reference
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.place import either
from rulewright.source.diagnostics.collected import DiagnosticError, Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.files.limits import DEFAULT_LIMITS

if TYPE_CHECKING:
    from rulewright.ruleset.doubts.doubt import Doubt


def load_ruleset(reference: str, *, rules: Folders = (), digest: str | None = None) -> Ruleset:
    """The ruleset that `reference` names, such as `pig/classic@1.0`, ready to play.

    Rulesets are looked for in `rules` (a folder, a zip of one, or several of them), in those of $RULEWRIGHT_RULES, in
    `./rules`, among those shipped, and in those of installed packages. With `digest`, only this gameplay will do.
    Raises `DiagnosticError` where there is none, or where it has errors; warnings are kept in `warnings`. Warns with
    `RulesetWarning` where a release was changed since, or where the edition hides another one of the same version.

    What was checked once is kept in the cache of the user, and taken from there as long as no letter of it changes.
    """
    if not isinstance(reference, str):
        raise RulewrightError(f"a ruleset is named by a text such as 'game/edition@1.0', not by {reference!r}")
    if digest is not None and not isinstance(digest, str):
        raise RulewrightError(f"a digest is a text, such as {'0' * DIGITS!r}, not {digest!r}")
    catalogue = Catalogue(search_path(folders_of(rules)), read=kept_edition)
    ruleset, edition = found(catalogue, parse_reference(reference))
    if digest is None:
        for surprise in surprises(catalogue, catalogue.chain(edition), ruleset):
            warnings.warn(surprise, RulesetWarning, stacklevel=2)
    elif digest != ruleset.digest:
        message = f"`{ruleset.reference}` in `{edition.folder}` has the gameplay digest {ruleset.digest}, not {digest}"
        raise DiagnosticError([Diagnostic(OTHER_GAMEPLAY, message, argument(reference).span)])
    return ruleset


def found(catalogue: Catalogue, written: Reference) -> tuple[Ruleset, Edition]:
    """What a reference means in a catalogue, and its edition; warns of nothing. Raises `DiagnosticError`."""
    edition = catalogue.find(written)
    key = _key(catalogue, edition)
    kept = stored(key, lambda: _load(catalogue, edition, written)) if key is not None else None
    if kept is not None:
        return kept, edition
    ruleset = _load(catalogue, edition, written)
    # A file that was changed meanwhile may have been read in its old form or in its new one.
    if key is not None and key == _key(catalogue, edition):
        store(key, ruleset)
    return ruleset, edition


def load_pinned(reference: str, *, rules: Folders = ()) -> Ruleset:
    """A ruleset whose gameplay the caller compares by itself, so that nothing need be warned of."""
    return found(Catalogue(search_path(folders_of(rules)), read=kept_edition), parse_reference(reference))[0]


def _key(catalogue: Catalogue, edition: Edition) -> str | None:
    """What the edition is kept under in the cache; None where it is not to be kept."""
    if cache_folder() is None:
        return None
    try:
        chain = catalogue.chain(edition)
        if any(is_laid_out(part.folder) for part in chain):
            return None  # it lies elsewhere next time
        if edition.follows is not None:
            catalogue.find(edition.follows)
        return key_of_layers([(part, _written_for(catalogue, part)) for part in chain])
    except DiagnosticError:
        return None


def _load(catalogue: Catalogue, edition: Edition, written: Reference) -> Ruleset:
    """The ruleset of an edition, read from its rules. Raises `DiagnosticError` where they have errors."""
    ruleset, diagnostics = load_edition(catalogue, edition)
    diagnostics.raise_if_errors()
    if ruleset is None:
        above = either(f"`{other.ruleset}`" for other in catalogue.editions() if _extends(other, edition))
        message = f"`{edition.id}` is abstract: it is no game by itself"
        hint = f"name an edition laid over it: {above}" if above else None
        raise DiagnosticError([Diagnostic(ABSTRACT_EDITION, message, written.span, (), hint)])
    return ruleset


def _written_for(catalogue: Catalogue, part: Edition) -> frozenset[str]:
    """The layers that a layer was written for, and itself."""
    return frozenset(below.id for below in catalogue.chain(part))


def _extends(upper: Edition, lower: Edition) -> bool:
    return upper.extends is not None and upper.extends.ruleset == lower.ruleset and upper.status != "abstract"


def load_edition(catalogue: Catalogue, edition: Edition) -> tuple[Ruleset | None, Diagnostics]:
    """An edition's ruleset and everything found in checking it; None where it could not even be merged."""
    ruleset, diagnostics, doubt = load_doubted(catalogue, edition)
    return None if doubt else ruleset, diagnostics


def load_doubted(catalogue: Catalogue, edition: Edition) -> tuple[Ruleset | None, Diagnostics, Doubt]:
    """What `load_edition` gives, and what is in doubt because something that declares it has a fault.

    What has a fault is left out, and the rest is checked as far as it does not lean on it: whoever mends one thing
    learns at once of the others, and of nothing that is only its consequence.
    """
    # What reads rules, the grammars above all, takes longer to import than a game takes to load from the cache.
    from rulewright.ruleset.build import build
    from rulewright.ruleset.doubts.doubt import Doubt, without_faults
    from rulewright.ruleset.doubts.removed import point_at_removals
    from rulewright.ruleset.layers.likeness import point_at_likenesses
    from rulewright.ruleset.layers.resolve import resolve
    from rulewright.ruleset.layers.stack import is_stack
    from rulewright.ruleset.schema.validate import validate

    diagnostics, doubt = Diagnostics(), Doubt()
    layers: list[Layer] = []
    try:
        chain = catalogue.chain(edition)
        if edition.follows is not None:
            catalogue.find(edition.follows)
    except DiagnosticError as error:
        diagnostics.extend(error.diagnostics)
        return None, diagnostics, doubt
    stacked = any(part.overlays for part in chain)
    hopeless, size = False, 0
    for part in chain:
        read = catalogue.layer(part)
        size += read.size
        if size > DEFAULT_LIMITS.edition:
            diagnostics.replace([too_large(part, size)])
            return None, diagnostics, doubt
        diagnostics.extend(read.diagnostics)
        doubt.lose(read.lost)
        hopeless = hopeless or read.hopeless
        own = _written_for(catalogue, part) if stacked else frozenset()
        files = tuple(file for _, file in read.files)
        layers.append(Layer(part.id, part.folder, part.manifest, files, own, part.over))
    # What merging would say of layers of which nothing is known is noise.
    if hopeless:
        return None, diagnostics, doubt
    merging = Diagnostics()
    resolved = resolve(layers, merging)
    point_at_likenesses(merging, resolved)
    # Of overlays that know nothing of each other, what is wrong between them is told alone.
    contested = is_stack(layers) and bool(merging.errors)
    written = [file for layer in layers for file in layer.files]
    diagnostics.extend(doubt.sure(merging, written))
    doubt.doubt_places([found for found in merging.errors if found.code is not OVERRIDE_WITHOUT_EFFECT], written)
    # An abstract edition is whole only in the editions laid over it, where it is checked.
    if contested or edition.status == "abstract":
        return None, diagnostics, doubt
    shapes = Diagnostics()
    if not validate(resolved.rules, "rules", shapes, overlay=False):
        point_at_likenesses(shapes, resolved)
        diagnostics.extend(doubt.sure(shapes, [resolved.rules]))
        rules, lost = without_faults(resolved.rules, [fault.span for fault in shapes])
        doubt.lose(lost)
        resolved = replace(resolved, rules=rules)
        if not validate(rules, "rules", Diagnostics(), overlay=False):
            return None, diagnostics, doubt
    if not diagnostics.errors:
        ruleset = build(resolved, diagnostics)
        point_at_likenesses(diagnostics, resolved)
        point_at_removals(diagnostics, resolved, doubt)
        return ruleset, diagnostics, doubt
    checking = Diagnostics()
    ruleset = build(resolved, checking, whole=False)
    point_at_likenesses(checking, resolved)
    point_at_removals(checking, resolved, doubt)
    diagnostics.extend(doubt.sure(checking, [resolved.rules, resolved.manifest]))
    doubt.break_places(checking.errors, resolved.rules)
    return ruleset, diagnostics, doubt
