"""What there is: every edition on the search path, and the chain of layers each one stands on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path

from rulewright.ruleset.editions.chain import chain_of
from rulewright.ruleset.editions.codes import (
    NO_RULES_HERE,
    SAME_EDITION_TWICE,
    UNKNOWN_RULESET,
    UNKNOWN_VERSION,
)
from rulewright.ruleset.editions.edition import (
    CALLED,
    MANIFEST,
    BrokenEdition,
    Edition,
    ReadLayer,
    misnamed_manifest,
    read_edition,
    read_layer,
    read_parts,
)
from rulewright.ruleset.editions.folders import walk
from rulewright.ruleset.editions.packages import left_out
from rulewright.ruleset.editions.search_path import search_path
from rulewright.ruleset.editions.zipped import opened
from rulewright.ruleset.reference import Reference, argument
from rulewright.ruleset.schema.place import either
from rulewright.source.diagnostics.collected import DiagnosticError, Diagnostics
from rulewright.source.diagnostics.diagnostic import Code, Diagnostic, Related
from rulewright.source.diagnostics.suggest import nearest

__all__ = ["BrokenEdition", "Catalogue", "Edition", "read_layer", "search_path"]

DEPTH = 3
"""How far below a folder of the search path editions are looked for."""


class Catalogue:
    """The editions found below some folders; only manifests are read, by `read`, and only when something is asked for.

    Of one version of an edition in several places of the search path the first counts. A manifest that is not sound
    stands in nobody's way but that of who asks for its edition.
    """

    def __init__(self, paths: Iterable[Path], *, read: Callable[..., Edition | BrokenEdition] = read_edition) -> None:
        self.paths = tuple(paths)
        self._read = read
        self._layers: dict[Edition, ReadLayer] = {}

    def editions(self) -> tuple[Edition, ...]:
        """Every sound edition, by game, name and version."""
        return self._found[0]

    def broken(self) -> tuple[BrokenEdition, ...]:
        """The folders whose manifests are not sound, in the order they were found."""
        return self._found[1]

    def hidden_by(self, edition: Edition) -> tuple[Edition, ...]:
        """The same version of the same edition, where it lies further down the search path and is never read."""
        return tuple(self._found[3].get(edition.id, ()))

    def refuse_bare(self, folders: Iterable[Path]) -> None:
        """Raise `DiagnosticError` where some of these folders of the search path hold no edition, sound or not."""
        bare = [folder for folder in folders if opened(folder).resolve() not in self._found[2]]
        if bare:
            raise DiagnosticError(
                Diagnostic(
                    NO_RULES_HERE,
                    f"there is no ruleset in `{folder}`",
                    argument(str(folder)).span,
                    suggestion=_without_manifest(folder),
                )
                for folder in bare
            )

    def find(self, reference: Reference) -> Edition:
        """The edition that is meant: the newest version that will do, drafts only where there is nothing else.

        Raises `DiagnosticError` if there is none, or if a broken manifest may be the one that is meant.
        """
        of_name = [edition for edition in self.editions() if edition.ruleset == reference.ruleset]
        fitting = [edition for edition in of_name if _fits(edition, reference)]
        in_the_way = [broken for broken in self.broken() if self._may_be_meant(broken, reference)]
        if in_the_way:
            raise DiagnosticError(d for broken in in_the_way for d in broken.diagnostics)
        if fitting:
            return max(fitting, key=lambda edition: (edition.status != "draft", edition.version))
        missing = self._unknown_version(reference, of_name) if of_name else self._unknown(reference)
        # It may be among the rules of a package whose folder is not there.
        raise DiagnosticError([missing, *left_out()])

    def chain(self, edition: Edition) -> list[Edition]:
        """The layers of an edition, from the lowest up to itself.

        Raises `DiagnosticError` if a layer cannot be found, if an edition in the end extends itself, or if an overlay
        was written for other layers.
        """
        return chain_of(edition, self.find)

    def written_for(self, edition: Edition) -> frozenset[str]:
        """The names of the layers that an edition was written for, and its own. Raises what `chain` raises."""
        return frozenset(below.id for below in self.chain(edition))

    def layer(self, edition: Edition) -> ReadLayer:
        """An edition's own files, as `read_parts` has them: read once, however many editions are laid over it."""
        found = self._layers.get(edition)
        if found is None:
            found = self._layers[edition] = read_parts(edition)
        return found

    # -- looking -------------------------------------------------------------------------

    @cached_property
    def _found(
        self,
    ) -> tuple[tuple[Edition, ...], tuple[BrokenEdition, ...], set[Path], dict[str, list[Edition]]]:
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
                    found = self._read(folder, entry=entry)
                    if isinstance(found, BrokenEdition):
                        broken.append(found)
                    elif (first := editions.setdefault(found.id, found)) is found:
                        continue
                    elif first.entry == entry:
                        broken.append(_twice(first, found))
                    else:
                        hidden.setdefault(found.id, []).append(found)
                else:
                    meant = [name for name in names if name.lower() in CALLED]
                    broken += [misnamed_manifest(folder / name, entry=entry) for name in meant]
            broken += [BrokenEdition(Path(d.span.file), (d,), entry=entry) for d in unreadable]
        in_order = sorted(editions.values(), key=lambda e: (e.game, e.edition, e.version))
        return tuple(in_order), tuple(broken), holding, hidden

    def _may_be_meant(self, broken: BrokenEdition, reference: Reference) -> bool:
        if broken.ruleset is None:
            # Of what cannot be read at all, nobody knows what it is: it may be what is found further on.
            first = min((e.entry for e in self.editions() if e.ruleset == reference.ruleset), default=None)
            return first is not None and broken.entry < first
        if broken.ruleset != reference.ruleset:
            return False
        if broken.version is None:
            # An exact version that is there cannot be the one whose version cannot be read.
            return not (reference.versions and reference.versions.exact and self._has(reference))
        if reference.versions is not None and broken.version not in reference.versions:
            return False
        return not any(
            edition.ruleset == broken.ruleset and edition.version == broken.version and edition.entry < broken.entry
            for edition in self.editions()
        )

    def _has(self, reference: Reference) -> bool:
        return any(e.ruleset == reference.ruleset and _fits(e, reference) for e in self.editions())

    # -- saying no -----------------------------------------------------------------------

    def _unknown_version(self, reference: Reference, of_name: Sequence[Edition]) -> Diagnostic:
        there = ", ".join(f"`{edition.version}`" for edition in of_name)
        message = f"there is no version `{reference.versions}` of `{reference.ruleset}`"
        return self._with_nameless(UNKNOWN_VERSION, message, reference, f"there is {there}")

    def _unknown(self, reference: Reference) -> Diagnostic:
        names = {edition.ruleset for edition in self.editions()}
        names |= {broken.ruleset for broken in self.broken() if broken.ruleset is not None}
        near = nearest(reference.ruleset, names)
        # The game may be right, or the edition, where the whole is too far from anything.
        near = near or [name for name in sorted(names) if name.split("/")[0] == reference.game]
        near = near or [name for name in sorted(names) if name.split("/")[1] == reference.edition]
        if near:
            hint = f"did you mean {either(f'`{name}`' for name in near)}?"
        elif names:
            hint = "there is " + ", ".join(f"`{name}`" for name in sorted(names))
        else:
            hint = "no rulesets were found in " + (", ".join(f"`{path}`" for path in self.paths) or "any folder")
        return self._with_nameless(UNKNOWN_RULESET, f"there is no ruleset `{reference.ruleset}`", reference, hint)

    def _with_nameless(self, code: Code, message: str, reference: Reference, suggestion: str) -> Diagnostic:
        nameless = [broken for broken in self.broken() if broken.ruleset is None]
        related = [Related(broken.diagnostics[0].span, "what this is cannot be read") for broken in nameless]
        return Diagnostic(code, message, reference.span, tuple(related), suggestion)


def _fits(edition: Edition, reference: Reference) -> bool:
    return reference.versions is None or edition.version in reference.versions


def _twice(first: Edition, second: Edition) -> BrokenEdition:
    message = f"`{second.id}` is here a second time"
    related = (Related(first.span, "it is here too"),)
    diagnostic = Diagnostic(SAME_EDITION_TWICE, message, second.span, related)
    return BrokenEdition(second.folder, (diagnostic,), second.ruleset, second.version, second.entry)


def _without_manifest(folder: Path) -> str | None:
    """What to do about a folder of rules that lacks its manifest."""
    there = sorted(path for ending in ("yaml", "yml") for path in folder.glob(f"**/*.{ending}"))[:1]
    if not there:
        return None
    return (
        f"`{there[0]}` is there, and beside it no `{MANIFEST}`, which makes a folder a ruleset. Write one:\n"
        f"ruleset: house/my-rules\nversion: 0.1.0\nextends: game/edition@1.0\ntitle: My rules\nstatus: draft"
    )
