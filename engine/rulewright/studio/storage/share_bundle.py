"""Encoding of rules as a link fragment or zip archive, and safe decoding of both.

The fragment is `1.` followed by a base64url-encoded zlib stream of JSON, which has the form `{"ref": …, "title": …,
"base": …, "files": {path: text}}`. Any other keys are for the page of a published book (`authoring/link_summary.py`),
and decoding ignores them. Paths begin with the folder of an edition, so one bundle can contain several layers. The
shared-rules page of a published book (`site/assets/shared/link.js`) decodes the same format with the browser's
`DecompressionStream`.
"""

from __future__ import annotations

import base64
import binascii
import io
import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from rulewright.ruleset.editions.edition import MANIFEST
from rulewright.ruleset.editions.zip_archives import ENCRYPTED
from rulewright.source.diagnostics.excerpt import shorten
from rulewright.source.files.safe_read import normalize_text
from rulewright.studio.storage.file_content import build_content
from rulewright.studio.storage.http_errors import RefusedError
from rulewright.studio.storage.safe_paths import KINDS, check_writable

KEY = "rules"
"""The key of the rules in the fragment of a link."""

MOST_BYTES = 8 * 1024 * 1024
"""The maximum total size of all files in bytes."""
MOST_FILES = 500

_VERSION = "1."

NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Bundle:
    """The files, by path, of an edition and of the base layers that it includes."""

    files: Mapping[str, str]
    ref: str = ""
    title: str = ""
    base: str = ""
    """The edition that the bundled layers extend, which is not in the bundle. May be empty."""

    def list_folders(self) -> list[str]:
        """Return the sorted folders that contain an edition, "" for the top level."""
        folders = [path.rpartition("/")[0] for path in self.files if path.rpartition("/")[2] == MANIFEST]
        return sorted(folders)


def build_fragment(bundle: Bundle, more: Mapping[str, Any] = NOTHING) -> str:
    """Return the URL fragment, including `#`, that opens these rules. `more` has further keys for its JSON."""
    files = dict(sorted(bundle.files.items()))
    data = {"ref": bundle.ref, "title": bundle.title, "base": bundle.base, "files": files, **more}
    packed = zlib.compress(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode(), 9)
    return f"#{KEY}={_VERSION}{base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def zip_bundle(bundle: Bundle) -> bytes:
    """Return the files as a zip archive. The same files always give the same bytes."""
    bytes_i_o = io.BytesIO()
    with zipfile.ZipFile(bytes_i_o, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in sorted(bundle.files.items()):
            archive.writestr(zipfile.ZipInfo(path), text.encode(), zipfile.ZIP_DEFLATED, 9)
    return bytes_i_o.getvalue()


def parse_fragment(text: str) -> Bundle:
    """Return the bundle in a link or in its fragment.

    Raises `RefusedError` if the link contains no rules, is damaged or is too large.
    """
    _, _, after = text.rpartition("#")
    named = dict(part.partition("=")[::2] for part in after.split("&"))
    packed = named.get(KEY, "")
    if not packed.startswith(_VERSION):
        raise RefusedError(400, f"this link contains no rules: a share link contains `#{KEY}={_VERSION}`")
    try:
        coded = packed.removeprefix(_VERSION).rstrip("=")
        data = base64.b64decode(coded + "=" * (-len(coded) % 4), altchars=b"-_", validate=True)
        unpacking = zlib.decompressobj()
        plain = unpacking.decompress(data, MOST_BYTES + 1)
        if len(plain) > MOST_BYTES or unpacking.unconsumed_tail:
            raise RefusedError(413, f"the rules in this link exceed {MOST_BYTES:,} bytes")
        if not unpacking.eof:
            raise ValueError("the checksum at its end is missing")
        payload = json.loads(plain)
    except (ValueError, binascii.Error, zlib.error, RecursionError):
        raise RefusedError(400, "this link is damaged: it was probably cut off while copying") from None
    files = payload.get("files") if isinstance(payload, dict) else None
    if not isinstance(files, dict) or not all(isinstance(each, str) for each in files.values()):
        raise RefusedError(400, "this link is not valid: the data in it are not rules")
    return _check_bundle(
        files, str(payload.get("ref") or ""), str(payload.get("title") or ""), str(payload.get("base") or "")
    )


def read_zip(data: bytes) -> Bundle:
    """Return the bundle in a zip archive, without hidden files and files of unknown types.

    Raises `RefusedError` if the archive is damaged, encrypted or too large, or contains no edition.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = list(_members(archive))
    except RefusedError:
        raise
    except Exception as error:  # a damaged zip may raise any exception, including those of compression methods
        raise RefusedError(400, f"this is not a readable zip file: {str(error)[:200] or 'it is damaged'}") from None
    files = dict(members)
    if len(files) < len(members):
        raise RefusedError(400, "two of the files have the same name")
    return _check_bundle(files)


def _members(archive: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    """Yield the names and texts of files in an archive, without hidden files and files of unknown types.

    Raises `RefusedError` if a file is encrypted or not UTF-8, or if there are too many files or bytes.
    """
    room, count = MOST_BYTES, 0
    for member in archive.infolist():
        parts = member.filename.split("/")
        hidden = any(part.startswith(".") and part != ".." for part in parts) or parts[0] == "__MACOSX"
        if member.is_dir() or hidden or not member.filename.endswith(KINDS):
            continue
        count += 1
        if member.flag_bits & ENCRYPTED:
            raise RefusedError(400, f"`{shorten(member.filename)}` in the zip file is encrypted")
        with archive.open(member) as file:
            content = file.read(room + 1)  # the declared size may be wrong
        room -= len(content)
        if room < 0 or count > MOST_FILES:
            raise RefusedError(413, f"a zip file of rules may have at most {MOST_FILES} files and {MOST_BYTES:,} bytes")
        try:
            yield member.filename, normalize_text(content.decode("utf-8"))
        except UnicodeDecodeError:
            raise RefusedError(400, f"`{member.filename}` in the zip file is not UTF-8 text") from None


def _check_bundle(files: Mapping[str, str], ref: str = "", title: str = "", base: str = "") -> Bundle:
    """Return a bundle of files.

    Raises `RefusedError` if one is invalid, if there are too many, or if none is a manifest.
    """
    if len(files) > MOST_FILES:
        raise RefusedError(413, f"at most {MOST_FILES} files can be imported")
    for path, text in files.items():
        check_writable(path)
        build_content(text, None)
    # On a case-insensitive file system, one of two such files would overwrite the other.
    if len({path.casefold() for path in files}) < len(files):
        raise RefusedError(400, "two of the files have the same name")
    bundle = Bundle(dict(files), ref, title, base)
    if not bundle.list_folders():
        raise RefusedError(400, f"it contains no `{MANIFEST}`, so it is not a ruleset")
    return bundle
