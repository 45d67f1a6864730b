"""Release an edition: write its status and gameplay digest into its manifest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from rulewright.base.errors import RulewrightError
from rulewright.ruleset.editions.edition import Edition
from rulewright.ruleset.schema.edition_reference import Version
from rulewright.source.files.atomic_write import replace_texts
from rulewright.source.files.safe_read import read_bytes_as_text
from rulewright.source.nodes import Scalar

_STATUS = re.compile(r"^status:.*$", re.MULTILINE)
_VERSION = re.compile(r"^version:[ \t]*[^\s#]+", re.MULTILINE)
_LOCKED = re.compile(r"^locked:.*\n?", re.MULTILINE)


def release(
    edition: Edition, digest: str, *, others: Iterable[Edition] = (), checked_texts: Mapping[str, str] | None = None
) -> None:
    """Write `status: released` and the lock into the manifest.

    Raises the exceptions of `release_manifest`, and those of `replace_texts` if a file in `checked_texts` has
    a different text.
    """
    before = read_bytes_as_text(edition.path)
    replace_texts(
        {edition.path: (before, release_manifest(edition, digest, others=others))}, checked_texts=checked_texts
    )


def release_manifest(edition: Edition, digest: str, *, others: Iterable[Edition] = ()) -> str:
    """Return the manifest's text with `status: released` and the lock; the rest, including comments, is unchanged.

    A lock that another version in `others` has too was copied with its folder, and is replaced. Raises
    `RulewrightError` if the edition is abstract, or was released with another digest.
    """
    if edition.status == "abstract":
        raise RulewrightError(f"{edition.id} is abstract: release the editions that extend it")
    text = read_bytes_as_text(edition.path)
    locked = _LOCKED.search(text)
    copied = any(locked is not None and lock in locked[0] for lock in _locks(edition, others))
    if edition.status == "released" and locked is not None and digest not in locked[0] and not copied:
        raise RulewrightError(
            f"{edition.id} is already released with different gameplay. Raise its version, or undo the change"
        )
    text = _LOCKED.sub("", text)
    lines = f'status: released\nlocked: "{digest}"'
    return _STATUS.sub(lines, text) if _STATUS.search(text) else text.rstrip("\n") + f"\n{lines}\n"


def build_draft(text: str, version: str) -> str:
    """Return the manifest's text with another version, as a draft without a lock. The rest is unchanged."""
    text = _LOCKED.sub("", _VERSION.sub(f"version: {version}", text, count=1))
    return _STATUS.sub("status: draft", text)


def list_next_versions(version: Version) -> list[str]:
    """Return the next patch, minor and major version."""
    major, minor, patch = (*map(int, str(version).split(".")), 0, 0)[:3]
    return list(dict.fromkeys([f"{major}.{minor}.{patch + 1}", f"{major}.{minor + 1}.0", f"{major + 1}.0.0"]))


def _locks(edition: Edition, others: Iterable[Edition]) -> list[str]:
    """Return the locks of the other versions of an edition."""
    versions = (other for other in others if other.ruleset == edition.ruleset and other.version != edition.version)
    return [lock.text for other in versions if isinstance(lock := other.manifest.get("locked"), Scalar)]
