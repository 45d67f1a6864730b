"""The catalogue of editions on the search path, and the chain of layers of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from rulewright.base.lazy import lazy_property
from rulewright.ruleset.editions.edition import (
    CALLED,
    MANIFEST,
    BrokenEdition,
    Edition,
    ReadLayer,
    find_misnamed_manifest,
    list_rules_files,
    read_edition,
    read_layer,
    read_parts,
    walk,
)
from rulewright.ruleset.editions.edition_diagnostics import (
    EXTENDS_ITSELF,
    OVERLAY_OF_ANOTHER,
    OVERLAY_TWICE,
    SAME_EDITION_TWICE,
    SHADOWED_EDITION,
    UNKNOWN_RULESET,
    UNKNOWN_VERSION,
)
from rulewright.ruleset.editions.search_path import report_skipped_packages, search_path
from rulewright.ruleset.editions.unnamed_folders import (
    DEPTH,
    explain_folder_reference,
    find_rules_without_manifest,
    is_rules_folder,
    report_empty_folder,
)
from rulewright.ruleset.editions.zip_archives import open_archive
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.edition_reference import BAD_REFERENCE, Reference, parse_reference
from rulewright.ruleset.schema.schema_path import join_alternatives
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics
from rulewright.source.diagnostics.diagnostic import Code, Diagnostic, RelatedSpan
from rulewright.source.diagnostics.suggestions import find_nearest
from rulewright.source.files.safe_read import DEFAULT_LIMITS, read_regular
from rulewright.source.nodes import Scalar

__all__ = ["BrokenEdition", "Catalogue", "Edition", "read_layer", "search_path"]


class Catalogue:
    """The editions in some folders.

    Manifests are read by `read` on first use, rules by `read_rules` for one edition at a time. If several folders have
    the same version of an edition, the first on the search path counts. An invalid manifest is an error only if its
    edition may be the one that is requested.
    """

    def __init__(
        self,
        paths: Iterable[Path],
        *,
        read: Callable[..., Edition | BrokenEdition] = read_edition,
        read_rules: Callable[[Edition], ReadLayer] = read_parts,
    ) -> None:
        self.paths = tuple(paths)
        self._read = read
        self._read_rules = read_rules
        self._layers: dict[Edition, ReadLayer] = {}

    def list_editions(self) -> tuple[Edition, ...]:
        """Return all editions with a valid manifest, sorted by game, name and version."""
        return self._manifests[0]

    def list_broken(self) -> tuple[BrokenEdition, ...]:
        """Return the folders with an invalid manifest, in the order of the search."""
        return self._manifests[1]

    def list_hidden(self, edition: Edition) -> tuple[Edition, ...]:
        """Return editions with the same name and version that are later on the search path and thus never used."""
        return tuple(self._manifests[3].get(edition.id, ()))

    def refuse_bare(self, folders: Iterable[Path]) -> None:
        """Raise `DiagnosticError` if any of these folders of the search path has no manifest, valid or not."""
        bare = [folder for folder in folders if open_archive(folder).resolve() not in self._manifests[2]]
        if bare:
            raise DiagnosticError(map(report_empty_folder, bare))

    def find_edition(self, text: str) -> Edition:
        """Return the edition that a text such as `game/edition@1.0` names.

        Raises `DiagnosticError` if the text is not a reference or no edition matches. If the text is the path of a
        folder or zip with rules, the error instead lists the editions in it, or their manifest errors.
        """
        try:
            return self.find(parse_reference(text))
        except DiagnosticError as error:
            codes = {fault.code for fault in error.diagnostics}
            if not codes & {BAD_REFERENCE, UNKNOWN_RULESET} or not is_rules_folder(text):
                name = text.partition("@")[0]
                full = sorted({each.ruleset for each in self.list_editions() if name in each.ruleset.split("/")})
                if not full:
                    raise
                raise DiagnosticError(
                    replace(fault, suggestion=_suggest(full)) for fault in error.diagnostics
                ) from None
        catalogue = Catalogue([open_archive(Path(text))], read=self._read)
        if catalogue.list_broken():
            raise DiagnosticError(fault for broken in catalogue.list_broken() for fault in broken.diagnostics)
        raise DiagnosticError([explain_folder_reference(text, catalogue.list_editions())])

    def find(self, reference: Reference) -> Edition:
        """Return the newest edition that matches. A draft is returned only if no other edition matches.

        Raises `DiagnosticError` if there is none, or if an edition with an invalid manifest may be the one that is
        meant.
        """
        of_name = [edition for edition in self.list_editions() if edition.ruleset == reference.ruleset]
        in_the_way = [broken for broken in self.list_broken() if self._may_be_meant(broken, reference)]
        if in_the_way:
            raise DiagnosticError(d for broken in in_the_way for d in broken.diagnostics)
        if (newest := self.find_readable(reference)) is not None:
            return newest
        missing = self._unknown_version(reference, of_name) if of_name else self._report_unknown(reference)
        # The edition may be in a package whose folder is missing, or in a folder without a manifest.
        bare = [path for path in self.paths if path.resolve() not in self._manifests[2]]
        nameless = [report_empty_folder(path) for path in bare if find_rules_without_manifest(path) is not None]
        raise DiagnosticError([missing, *report_skipped_packages(), *nameless])

    def find_readable(self, reference: Reference) -> Edition | None:
        """Return the edition that `find` would return if no manifest were broken, or None if none matches."""
        fitting = [e for e in self.list_editions() if e.ruleset == reference.ruleset and _fits(e, reference)]
        return max(fitting, key=lambda edition: (edition.status != "draft", edition.version), default=None)

    def chain(self, edition: Edition) -> list[Edition]:
        """Return the layers of an edition, lowest first, ending with the edition itself.

        Raises `DiagnosticError` if a layer cannot be found, if an edition extends itself, or if an overlay was written
        for other layers.
        """
        return chain_of(edition, self.find)

    def list_written_for(self, edition: Edition) -> frozenset[str]:
        """Return the ids of the layers that an edition was written for, and its own. Raises what `chain` raises."""
        return frozenset(below.id for below in self.chain(edition))

    def read_layer(self, edition: Edition) -> ReadLayer:
        """Return the edition's own rules files, cached until `forget_layer`."""
        layer = self._layers.get(edition)
        if layer is None:
            layer = self._layers[edition] = self._read_rules(edition)
        return layer

    def forget_layer(self, edition: Edition) -> None:
        """Drop the cached files of an edition, so that the next `read_layer` reads them again."""
        self._layers.pop(edition, None)

    # -- searching -----------------------------------------------------------------------

    @lazy_property
    def _manifests(
        self,
    ) -> tuple[tuple[Edition, ...], tuple[BrokenEdition, ...], set[Path], dict[str, list[Edition]]]:
        """Search the folders once, and return the editions in order and the broken ones.

        The others are the folders of `paths` with a manifest of any spelling, and the hidden editions by id. An edition
        that occurs twice in one folder of the search path is broken. One in a later folder is hidden.
        """
        hidden: dict[str, list[Edition]] = {}
        editions: dict[str, Edition] = {}
        broken: list[BrokenEdition] = []
        folders: set[Path] = set()
        holding: set[Path] = set()
        for entry, path in enumerate(self.paths):
            unreadable = Diagnostics()
            for folder, names in walk(path, unreadable, depth=DEPTH):
                if any(name.lower() in CALLED for name in names):
                    holding.add(path.resolve())
                if folder.resolve() in folders:
                    continue
                if MANIFEST in names:
                    folders.add(folder.resolve())
                    result = self._read(folder, entry=entry)
                    if isinstance(result, BrokenEdition):
                        broken.append(result)
                    elif (first := editions.setdefault(result.id, result)) is result:
                        continue
                    elif first.entry == entry:
                        broken.append(_twice(first, result))
                    else:
                        hidden.setdefault(result.id, []).append(result)
                else:
                    misnamed = [name for name in names if name.lower() in CALLED]
                    broken += [find_misnamed_manifest(folder / name, entry=entry) for name in misnamed]
            broken += [BrokenEdition(Path(d.span.file), (d,), entry=entry) for d in unreadable]
        in_order = sorted(editions.values(), key=lambda e: (e.game, e.edition, e.version))
        return tuple(in_order), tuple(broken), holding, hidden

    def _may_be_meant(self, broken: BrokenEdition, reference: Reference) -> bool:
        """Return whether a reference may mean a broken edition, so that `find` must not return another one instead."""
        if broken.ruleset is None:
            # An unreadable manifest may belong to any edition, so it may hide one found later on the path.
            first = min((e.entry for e in self.list_editions() if e.ruleset == reference.ruleset), default=None)
            return first is not None and broken.entry < first
        if broken.ruleset != reference.ruleset:
            return False
        if broken.version is None:
            # If the exact version was found elsewhere, the edition with the unreadable version must be another one.
            return not (reference.versions and reference.versions.exact and self.find_readable(reference))
        if reference.versions is not None and broken.version not in reference.versions:
            return False
        return not any(
            edition.ruleset == broken.ruleset and edition.version == broken.version and edition.entry < broken.entry
            for edition in self.list_editions()
        )

    # -- errors --------------------------------------------------------------------------

    def _unknown_version(self, reference: Reference, of_name: Sequence[Edition]) -> Diagnostic:
        there = ", ".join(f"`{edition.version}`" for edition in of_name)
        message = f"there is no version `{reference.versions}` of `{reference.ruleset}`"
        return self._with_nameless(UNKNOWN_VERSION, message, reference, f"there is {there}")

    def _report_unknown(self, reference: Reference) -> Diagnostic:
        """Return the diagnostic for a name without an edition, with similar names, or else all names that there are."""
        # An edition never extends itself, so do not suggest that.
        own = reference.span.file
        names = {edition.ruleset for edition in self.list_editions() if edition.span.file != own}
        names |= {broken.ruleset for broken in self.list_broken() if broken.ruleset is not None}
        near = find_nearest(reference.ruleset, names)
        # If no full name is similar, the game or the edition alone may match.
        near = near or [name for name in sorted(names) if name.split("/")[0] == reference.game]
        near = near or [name for name in sorted(names) if name.split("/")[1] == reference.edition]
        if near:
            hint = _suggest(near)
        elif names:
            hint = "there is " + ", ".join(f"`{name}`" for name in sorted(names))
        else:
            hint = "no rulesets were found in " + (", ".join(f"`{path}`" for path in self.paths) or "any folder")
        return self._with_nameless(UNKNOWN_RULESET, f"there is no ruleset `{reference.ruleset}`", reference, hint)

    def _with_nameless(self, code: Code, message: str, reference: Reference, suggestion: str) -> Diagnostic:
        """Return a diagnostic about a reference, with a note for each manifest that is too broken to have a name."""
        nameless = [broken for broken in self.list_broken() if broken.ruleset is None]
        related = [
            RelatedSpan(broken.diagnostics[0].span, "this may be it, but could not be read") for broken in nameless
        ]
        return Diagnostic(code, message, reference.span, tuple(related), suggestion)


def _suggest(names: Iterable[str]) -> str:
    return f"did you mean {join_alternatives(f'`{name}`' for name in names)}?"


def _fits(edition: Edition, reference: Reference) -> bool:
    return reference.versions is None or edition.version in reference.versions


def _twice(first: Edition, second: Edition) -> BrokenEdition:
    message = f"`{second.id}` is defined here a second time"
    related = (RelatedSpan(first.span, "it is defined here first"),)
    diagnostic = Diagnostic(SAME_EDITION_TWICE, message, second.span, related)
    return BrokenEdition(second.folder, (diagnostic,), second.ruleset, second.version, second.entry)


Find = Callable[[Reference], Edition]
"""A function that returns the edition that a reference names, or raises `DiagnosticError`."""

Link = tuple[Edition, Reference]
"""An edition, and a reference in it: the edition it extends, or one of its overlays."""


def chain_of(edition: Edition, find: Find, way: Sequence[Link] = ()) -> list[Edition]:
    """Return the layers of an edition, lowest first, ending with the edition itself. Shared layers appear once.

    `find` returns the edition of a reference. `way` has the links from an outer edition that lead here, for messages
    about a circle. Raises `DiagnosticError` if a layer cannot be found, if an edition extends itself, if an overlay
    is applied twice, or if it was written for layers that are not there.
    """
    links = list(way)
    base = [edition]
    while (below := base[-1].extends) is not None:
        links.append((base[-1], below))
        base.append(_find(below, find, links))
    layers: list[Edition] = []
    for place in range(len(base) - 1, -1, -1):
        part = base[place]
        for reference in part.overlays:
            leading = [*links[: len(way) + place], (part, reference)]
            overlay = _find(reference, find, leading)
            brought = chain_of(overlay, find, leading)
            _refuse_misfits(part, reference, brought, layers)
            layers += [layer for layer in brought if layer not in layers]
        layers.append(part)
    return layers


def _find(reference: Reference, find: Find, links: Sequence[Link]) -> Edition:
    """Return the edition of a reference. Raises `DiagnosticError` if it is one of `links`, which are then a circle."""
    result = find(reference)
    before = [edition for edition, _ in links]
    if result in before:
        raise DiagnosticError([_circle(links[before.index(result) :])])
    return result


def _circle(circle: Sequence[Link]) -> Diagnostic:
    """Return the diagnostic for editions that extend each other in a cycle."""
    (first, reference), *others = circle
    related = tuple(RelatedSpan(other.span, f"`{edition.id}` in turn extends this") for edition, other in others)
    message = f"`{first.id}` extends itself" + (f", by way of `{others[0][0].id}`" if others else "")
    return Diagnostic(EXTENDS_ITSELF, message, reference.span, related)


def _refuse_misfits(part: Edition, reference: Reference, brought: Sequence[Edition], layers: Sequence[Edition]) -> None:
    """Raise `DiagnosticError` if an overlay of `part` does not fit on `layers`.

    It does not if it is one of the layers already, extends nothing, or was written for other layers or versions.
    `brought` is the chain of the overlay, with the overlay last.
    """
    overlay = brought[-1]
    if overlay in layers:
        spans = [other.span for other in part.overlays if other is not reference and other.matches(overlay.id)]
        related = tuple(RelatedSpan(span, "it is applied here") for span in spans[:1])
        message = f"`{overlay.id}` is already one of the layers"
        raise DiagnosticError([Diagnostic(OVERLAY_TWICE, message, reference.span, related, "leave it out here")])
    base = brought[-2] if len(brought) > 1 else None
    # The overlay fits if its base is one of the layers, or if it was written for the edition that `part` extends.
    fits = base is not None and (
        base in layers or (bool(layers) and layers[0] in brought and _top(part, layers) in brought)
    )
    versions = {layer.ruleset: layer for layer in layers}
    rival = next((layer for layer in brought if versions.get(layer.ruleset, layer) is not layer), None)
    if fits and rival is None:
        return
    if overlay.extends is None:
        message = f"`{overlay.id}` extends nothing, so it is not an overlay"
        hint = f"extend it instead: `extends: {overlay.ruleset}@{overlay.version}`"
        raise DiagnosticError([Diagnostic(OVERLAY_OF_ANOTHER, message, reference.span, suggestion=hint)])
    needed = rival or base or overlay
    there = versions.get(needed.ruleset) or (layers[-1] if layers else None)
    message = f"`{overlay.id}` was written for `{needed.id}`, but " + (
        f"is applied to `{there.id}` here" if there else "nothing is below it here"
    )
    related = (RelatedSpan(overlay.extends.span, "the overlay needs this edition"),)
    if part.extends is not None:
        related = (*related, RelatedSpan(part.extends.span, "this edition is used instead"))
    hint = f"write `extends: {needed.ruleset}@{needed.version}`, or use an overlay written for that edition"
    raise DiagnosticError([Diagnostic(OVERLAY_OF_ANOTHER, message, reference.span, related, hint)])


def _top(part: Edition, layers: Sequence[Edition]) -> Edition | None:
    """Return the edition in `layers` that `part` itself extends, or None if it extends none."""
    below = part.extends
    return next((layer for layer in reversed(layers) if below is not None and below.matches(layer.id)), None)


def list_surprises(catalogue: Catalogue, chain: Sequence[Edition], ruleset: Ruleset) -> Iterator[str]:
    """Yield a warning text for a broken release lock, and one for each edition that hides a different one.

    The texts begin with the code of the diagnostic in brackets. `chain` has the layers of the edition, with the
    edition last.
    """
    edition = chain[-1]
    locked = edition.manifest.get("locked")
    if edition.status == "released" and isinstance(locked, Scalar) and locked.text != ruleset.digest:
        yield (
            f"[lock-broken] {edition.id} was released and locked, but the rules in {edition.folder} play differently: "
            "this is not the game that was released. Undo the change, or give the changed rules a new version"
        )
    for part in chain:
        for shadow in report_shadowed(catalogue, part):
            yield f"[{shadow.code.id}] {shadow.message}. {shadow.help}"


def report_shadowed(catalogue: Catalogue, edition: Edition) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each hidden edition of the same name and version whose files differ."""
    for hidden in catalogue.list_hidden(edition):
        if _texts(edition) != _texts(hidden):
            message = f"{edition.id} is read from {edition.folder}, which hides a different copy in {hidden.folder}"
            yield Diagnostic(SHADOWED_EDITION, message, edition.span, (RelatedSpan(hidden.span, "this is never read"),))


def _texts(edition: Edition) -> dict[str, bytes]:
    """Return the bytes of the manifest and rules files of an edition, by path relative to its folder.

    Translations are not included. Empty if any file cannot be read or is too large.
    """
    paths = [edition.path, *list_rules_files(edition.folder, Diagnostics())]
    try:
        return {
            path.relative_to(edition.folder).as_posix(): read_regular(path, DEFAULT_LIMITS.edition) for path in paths
        }
    except OSError:
        return {}
