"""An edition in a folder with its manifest and its rules files."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.base.incremental.reads import note_file
from rulewright.ruleset.editions.edition_diagnostics import EDITION_TOO_LARGE, EMPTY_RULES
from rulewright.ruleset.schema.edition_reference import Reference, Version, parse_reference, parse_version
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics
from rulewright.source.diagnostics.diagnostic import Code, Diagnostic
from rulewright.source.files.safe_read import DEFAULT_LIMITS, read_regular
from rulewright.source.files.unsaved_texts import find_unsaved_text, list_unsaved_files
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence
from rulewright.source.source_map import SOURCES
from rulewright.source.span import Span

if TYPE_CHECKING:
    from rulewright.ruleset.schema.older_spellings import OlderKey

MANIFEST = "ruleset.yaml"
"""The name of the file that makes a folder an edition."""

MANIFEST_NAME = Code(
    "manifest-name",
    "A manifest with the wrong file name",
    "An edition is found by its file `ruleset.yaml`; a folder without that file is ignored.",
    "Rename the file to `ruleset.yaml`.",
)
RULES_FILE_NAME = Code(
    "rules-file-name",
    "A rules file with a name that is ignored",
    "The rules in it would be silently left out.",
    "Rename the file so that it ends in `.yaml`.",
)
CALLED = ("ruleset.yml", "ruleset.yaml")
"""Lower-case file names that look like a manifest. Only `MANIFEST` is read; the others are reported."""

WORDS = "words"
"""The subfolder with an edition's translations, one file per language."""

WORDS_FILE_NAME = Code(
    "words-file-name",
    "A translation file whose name is not a language",
    "The file name alone decides the language of a translation.",
    "Name it after the language tag, such as `words/de.yaml`; move a rules file to another folder.",
)

RULES_FILES = (".yaml", ".yml")
"""The suffixes of rules files."""


@dataclass(frozen=True, slots=True, eq=False)
class Edition:
    """One version of an edition of a game, as described by its manifest.

    `overlays` are merged over what it `extends`, in this order, before its own rules. `over` are editions that it
    overrides where both change the same value. `follows` is the edition that its readers know already. `entry` is the
    index on the search path where it was found. `older_keys` are the keys of the manifest with older names.
    """

    game: str
    edition: str
    version: Version
    folder: Path
    manifest: Mapping
    status: str
    title: str
    extends: Reference | None
    entry: int = 0
    overlays: tuple[Reference, ...] = ()
    over: tuple[Reference, ...] = ()
    follows: Reference | None = None
    older_keys: tuple[OlderKey, ...] = ()

    @property
    def ruleset(self) -> str:
        """The game and the edition: `pig/classic`."""
        return f"{self.game}/{self.edition}"

    @property
    def id(self) -> str:
        """The reference to exactly this version: `pig/classic@1.0.0`."""
        return f"{self.ruleset}@{self.version}"

    @property
    def path(self) -> Path:
        """The path of the manifest."""
        return self.folder / MANIFEST

    @property
    def partial(self) -> bool:
        """Whether its own rules may be incomplete, because it extends another edition or is abstract."""
        return self.extends is not None or self.status == "abstract"

    @property
    def position(self) -> int | None:
        """The position that the manifest gives the game on the front page of a site, or None."""
        written = self.manifest.get("position")
        return int(written.text) if isinstance(written, Scalar) else None

    @property
    def span(self) -> Span:
        """The position of the edition's name in the manifest."""
        return self.manifest.entries["ruleset"].value.span

    def __repr__(self) -> str:
        return f"<Edition {self.id} in {os.fspath(self.folder)}>"


@dataclass(frozen=True, slots=True, eq=False)
class BrokenEdition:
    """A folder with an invalid manifest, the diagnostics, and the edition it claims to be if that can be read."""

    folder: Path
    diagnostics: tuple[Diagnostic, ...]
    ruleset: str | None = None
    version: Version | None = None
    entry: int = 0


def read_edition(folder: Path, *, entry: int = 0) -> Edition | BrokenEdition:
    """Return the edition in `folder`, or a `BrokenEdition` with the errors if its manifest is missing or invalid.

    Reads only the manifest. `entry` is the position of the folder in the search path, counted from 0. Never raises.
    """
    # Imported here because a manifest from the cache needs neither module.
    from rulewright.ruleset.schema.older_spellings import check_language, read_language, rename_older_keys
    from rulewright.ruleset.schema.validator import validate
    from rulewright.source.yaml.yaml_reader import read_file

    diagnostics = Diagnostics()
    try:
        manifest = read_file(folder / MANIFEST)
    except DiagnosticError as error:
        return BrokenEdition(folder, error.diagnostics, _guess_name(folder), entry=entry)
    older: tuple[OlderKey, ...] = ()
    if isinstance(manifest, Mapping) and read_language(manifest) == 0:
        manifest, older = rename_older_keys(manifest, "manifest")
    sound = validate(manifest, "manifest", diagnostics, overlay=False)
    diagnostics.extend(check_language(manifest))
    sound = sound and not diagnostics.errors
    claimed, version = _claim(manifest)
    if not sound or not isinstance(manifest, Mapping) or claimed is None or version is None:
        return BrokenEdition(folder, tuple(diagnostics), claimed.ruleset if claimed else None, version, entry)
    extends, follows = manifest.get("extends"), manifest.get("follows")
    try:
        return Edition(
            game=claimed.game,
            edition=claimed.edition,
            version=version,
            folder=folder,
            manifest=manifest,
            status=_text(manifest, "status") or "draft",
            title=_text(manifest, "title"),
            extends=parse_reference(extends) if isinstance(extends, Scalar) else None,
            entry=entry,
            overlays=_references(manifest, "overlays"),
            over=_references(manifest, "over"),
            follows=parse_reference(follows) if isinstance(follows, Scalar) else None,
            older_keys=older,
        )
    except DiagnosticError as error:  # a reference that is too long
        return BrokenEdition(folder, error.diagnostics, claimed.ruleset, version, entry)


@dataclass(frozen=True, slots=True, eq=False)
class ReadLayer:
    """The usable part of an edition's rules files. `lost` has the section and name of each entry left out.

    `hopeless` means that the names a file declares cannot be determined, so that missing names must not be reported.
    `size` is the total size of the files in bytes. If it exceeds the limit, no file was read.
    """

    files: tuple[tuple[Path, Mapping], ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    lost: frozenset[tuple[str, str]] = frozenset()
    hopeless: bool = False
    size: int = 0


def read_layer(edition: Edition) -> list[tuple[Path, Mapping]]:
    """Return the rules files of an edition, each with its path, sorted by path.

    Raises `DiagnosticError` for errors in any of them, or if they are too large together.
    """
    read = read_parts(edition)
    Diagnostics(read.diagnostics).raise_if_errors()
    if read.size > DEFAULT_LIMITS.edition:
        raise DiagnosticError([build_too_large(edition, read.size)])
    return list(read.files)


def read_parts(edition: Edition) -> ReadLayer:
    """Read all rules files of an edition, including subfolders, sorted by path.

    A subfolder with a manifest is another edition and is skipped. Invalid entries are reported in the result and left
    out, so that the rest can be checked. The result is `hopeless` if a whole file is unusable, or if the files are
    too large together, in which case none is read. Never raises for invalid rules.
    """
    from rulewright.ruleset.layers.merge_files import list_entries
    from rulewright.ruleset.recovery.tainted import remove_faulty_entries
    from rulewright.ruleset.schema.older_spellings import read_language, rename_older_keys, report_older_keys
    from rulewright.ruleset.schema.validator import validate
    from rulewright.source.yaml.error_recovery import recover_document
    from rulewright.source.yaml.yaml_diagnostics import EMPTY_FILE

    diagnostics = Diagnostics()
    read: list[tuple[Path, Node]] = []
    layer: list[tuple[Path, Mapping]] = []
    faults: dict[Path, Diagnostics] = {}
    lost: set[tuple[str, str]] = set()
    hopeless = False
    older = read_language(edition.manifest) == 0
    diagnostics.extend(report_older_keys(edition.older_keys))
    paths = list_rules_files(edition.folder, diagnostics)
    size = sum(map(_size, paths))
    if size > DEFAULT_LIMITS.edition:
        return ReadLayer((), tuple(diagnostics), hopeless=True, size=size)
    for path in paths:
        salvaged = recover_document(path)
        if [each.code for each in salvaged.diagnostics] == [EMPTY_FILE]:
            lines = (SOURCES.find_text(str(path)) or "").rstrip().split("\n")
            if any(line.lstrip().startswith("#") for line in lines):
                # The comments show that nothing is missing, as in a file that house rules begin with.
                faults[path] = Diagnostics()
                layer.append((path, Mapping({}, Span(str(path), len(lines), 1, len(lines), len(lines[-1]) + 1))))
                continue
            # A new file is empty at first, which must not make the other rules invalid.
            message = "there are no rules in this file"
            faults[path] = Diagnostics([Diagnostic(EMPTY_RULES, message, salvaged.diagnostics[0].span)])
            continue
        faults[path] = Diagnostics(salvaged.diagnostics)
        lost |= salvaged.lost
        hopeless = hopeless or salvaged.hopeless
        node = salvaged.node
        if isinstance(node, Mapping) and older:
            node, keys = rename_older_keys(node, "rules")
            faults[path].extend(report_older_keys(keys))
        if node is not None:
            read.append((path, node))
    times = Counter(entry for _, node in read if isinstance(node, Mapping) for entry in list_entries(node))
    for path, node in read:
        # An entry that is spread over several files is incomplete in each, so it is validated after the merge.
        partial = edition.partial or (isinstance(node, Mapping) and any(times[one] > 1 for one in list_entries(node)))
        shapes = Diagnostics()
        if validate(node, "rules", shapes, overlay=partial) and isinstance(node, Mapping):
            layer.append((path, node))
            continue
        faults[path].extend(shapes)
        if not isinstance(node, Mapping):
            hopeless = True
            continue
        sound, names = remove_faulty_entries(node, [fault.span for fault in shapes])
        lost |= names
        # Validated again, because the first run may have stopped at the limit of errors.
        if validate(sound, "rules", Diagnostics(), overlay=partial):
            layer.append((path, sound))
        else:
            hopeless = True
    for of_file in faults.values():
        diagnostics.extend(of_file)
    return ReadLayer(
        tuple(sorted(layer, key=lambda each: paths.index(each[0]))), tuple(diagnostics), frozenset(lost), hopeless, size
    )


def _size(path: Path) -> int:
    """Return the size of a file in bytes, or of its unsaved text, or 0 if unreadable, which is reported later."""
    typed = find_unsaved_text(path)
    if typed is not None:
        return len(typed.encode("utf-8", errors="surrogatepass"))
    try:
        return path.stat().st_size
    except OSError:
        return 0


def build_too_large(edition: Edition, size: int) -> Diagnostic:
    """Return the diagnostic for an edition whose layers have `size` bytes, more than the limit."""
    most = DEFAULT_LIMITS.edition
    message = f"the rules of {edition.id} and of everything it extends have {size:,} bytes; the limit is {most:,}"
    return Diagnostic(EDITION_TOO_LARGE, message, edition.span)


def list_rules_files(folder: Path, diagnostics: Diagnostics) -> list[Path]:
    """Return the rules files of the edition in `folder`, sorted by path, without the manifest and translations.

    Subfolders are searched too, except those of other editions. Reports unreadable folders, and files whose suffix is
    not in lower case, to `diagnostics`. These files are left out.
    """
    rules_files: list[Path] = []
    others: set[Path] = set()
    for inside, names in walk(folder, diagnostics):
        if inside != folder and (MANIFEST in names or inside.parent in others):
            others.add(inside)
            continue
        if inside == folder / WORDS:
            continue
        for name in names:
            if name != MANIFEST and name.endswith(RULES_FILES):
                rules_files.append(inside / name)
            elif name.lower().endswith(RULES_FILES) and name.lower() not in CALLED:
                message = f"`{name}` would be ignored: names of rules files end in lower-case `.yaml` or `.yml`"
                diagnostics.add(RULES_FILE_NAME, message, Span.for_file(os.fspath(inside / name)))
    return sorted(rules_files, key=lambda path: path.relative_to(folder).parts)


_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-[A-Z]{2})?")
"""A regular expression for the BCP 47 language tags that books need: `de`, `pt-BR`, `zh-Hant`."""


def list_words_files(folder: Path, diagnostics: Diagnostics) -> dict[str, Path]:
    """Return the translation files of the edition in `folder` by language tag, such as `de`.

    Files with another name are left out and added to `diagnostics`, except hidden ones. Empty if the folder is
    missing or cannot be read.
    """
    words_files: dict[str, Path] = {}
    note_file(folder / WORDS)
    try:
        names = sorted(path for path in (folder / WORDS).iterdir() if not path.name.startswith("."))
    except OSError:
        return words_files
    for path in names:
        if path.suffix == ".yaml" and _LANGUAGE.fullmatch(path.stem) and path.is_file():
            words_files[path.stem] = path
        else:
            message = f"`{WORDS}/{path.name}` would be ignored: translation files are named like `{WORDS}/de.yaml`"
            diagnostics.add(WORDS_FILE_NAME, message, Span.for_file(os.fspath(path)))
    return words_files


def find_misnamed_manifest(path: Path, *, entry: int = 0) -> BrokenEdition:
    """Return the broken edition for a file whose name looks like a misspelled manifest."""
    message = f"`{path.name}` is not named `{MANIFEST}`, so this folder is not an edition"
    return BrokenEdition(
        path.parent, (Diagnostic(MANIFEST_NAME, message, Span.for_file(os.fspath(path))),), entry=entry
    )


_NAMED = re.compile(r"^\ufeff?ruleset:[ \t]*[\"']?([a-z0-9/-]+)", re.MULTILINE)


def _guess_name(folder: Path) -> str | None:
    """Return the ruleset that an unreadable manifest names, found by regular expression, or None.

    None if the file cannot be read at all, or has no such name.
    """
    try:
        match = _NAMED.search(read_regular(folder / MANIFEST, DEFAULT_LIMITS.bytes).decode("utf-8", "replace"))
    except (OSError, ValueError):
        return None
    return match[1] if match else None


def _claim(manifest: Node) -> tuple[Reference | None, Version | None]:
    """Return the reference and the version in a manifest, each None if it is missing or invalid."""
    reference = version = None
    with suppress(DiagnosticError):
        named = manifest.get("ruleset") if isinstance(manifest, Mapping) else None
        reference = parse_reference(named) if isinstance(named, Scalar) else None
    with suppress(ValueError):
        version = parse_version(_text(manifest, "version"))
    return reference, version


def _references(manifest: Mapping, key: str) -> tuple[Reference, ...]:
    node = manifest.get(key)
    items = node.items if isinstance(node, Sequence) else ()
    return tuple(parse_reference(item) for item in items if isinstance(item, Scalar))


def _text(manifest: Node, key: str) -> str:
    node = manifest.get(key) if isinstance(manifest, Mapping) else None
    return node.text if isinstance(node, Scalar) else ""


FOLDER_UNREADABLE = Code(
    "folder-unreadable",
    "A folder that cannot be read",
    "The rules in it would be silently left out.",
    "Check the permissions of the folder.",
)

DEEPEST = 16
"""The maximum depth of the search, which also bounds loops of symbolic links."""


def walk(folder: Path, diagnostics: Diagnostics, *, depth: int = DEEPEST) -> Iterator[tuple[Path, list[str]]]:
    """Yield each folder from `folder` down to `depth` levels below, with its file names, sorted by name.

    Includes unsaved files. Skips hidden files and folders, and folders already visited by another link. A folder
    comes before its subfolders. Unreadable folders are skipped and added to `diagnostics`, a missing `folder` too.
    """
    seen: set[str] = set()

    def visit(inside: Path, depth: int) -> Iterator[tuple[Path, list[str]]]:
        real = os.path.realpath(inside)
        if real in seen:
            return
        seen.add(real)
        note_file(inside)
        try:
            with os.scandir(inside) as listing:
                visible = sorted((entry for entry in listing if not entry.name.startswith(".")), key=lambda e: e.name)
                # A folder with the manifest's name must be reported as unreadable, not searched.
                folders = [entry.name for entry in visible if entry.is_dir() and entry.name != "ruleset.yaml"]
        except OSError as error:
            reason = error.strerror or "it cannot be opened"
            message = f"the folder `{inside}` cannot be read: {reason[:1].lower()}{reason[1:]}"
            diagnostics.add(FOLDER_UNREADABLE, message, Span.for_file(os.fspath(inside)))
            return
        names = [entry.name for entry in visible if entry.name not in folders]
        typed = {name for name in list_unsaved_files(inside) if not name.startswith(".")}
        yield inside, sorted({*names, *typed}) if typed else names
        if depth > 0:
            for name in folders:
                yield from visit(inside / name, depth - 1)

    yield from visit(folder, depth)
