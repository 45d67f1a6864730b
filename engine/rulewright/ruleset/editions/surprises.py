"""What whoever loads rules would not expect of them: a release that was changed, an edition that hides another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.codes import SHADOWED_EDITION
from rulewright.ruleset.editions.edition import Edition, rules_files
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collected import Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic, Related
from rulewright.source.nodes import Scalar


def surprises(catalogue: Catalogue, chain: Sequence[Edition], ruleset: Ruleset) -> Iterator[str]:
    """A sentence for each, with the code that explains it."""
    edition = chain[-1]
    locked = edition.manifest.get("locked")
    if edition.status == "released" and isinstance(locked, Scalar) and locked.text != ruleset.digest:
        yield (
            f"[lock-broken] {edition.id} was released with the gameplay digest {locked.text}, and the rules in "
            f"{edition.folder} have {ruleset.digest}: this is not the game that was released. Take the change back, or "
            "give it a version of its own"
        )
    for part in chain:
        for shadow in shadows(catalogue, part):
            yield f"[{shadow.code.id}] {shadow.message}. {shadow.help}"


def shadows(catalogue: Catalogue, edition: Edition) -> Iterator[Diagnostic]:
    """What is said of an edition that hides others of its name and version which hold something else."""
    for hidden in catalogue.hidden_by(edition):
        if _texts(edition) != _texts(hidden):
            message = f"{edition.id} is taken from {edition.folder}, and hides another one in {hidden.folder}"
            yield Diagnostic(SHADOWED_EDITION, message, edition.span, (Related(hidden.span, "this is never read"),))


def _texts(edition: Edition) -> dict[str, bytes]:
    """The files of an edition, by their paths in it."""
    paths = [edition.path, *rules_files(edition.folder, Diagnostics())]
    try:
        return {path.relative_to(edition.folder).as_posix(): path.read_bytes() for path in paths}
    except OSError:
        return {}
