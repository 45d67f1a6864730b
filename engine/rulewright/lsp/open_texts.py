"""The files of a workspace: unsaved text over the disk, and the number of changes of each."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rulewright.ruleset.editions.edition import CALLED, MANIFEST, RULES_FILES
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.files.safe_read import normalize_text, read_bytes_as_text
from rulewright.source.files.unsaved_texts import build_file_key, replace_files


@dataclass(slots=True)
class Texts:
    """Unsaved texts over a disk.

    A file belongs to the nearest folder with a manifest, and changes count for that folder.
    """

    typed: dict[str, str] = field(default_factory=dict)
    """The text of each open file by `build_file_key`, with line breaks normalized to `\\n`."""
    opened: dict[str, Path] = field(default_factory=dict)
    """The open files, as they were named when they were opened."""
    changes: Counter[str] = field(default_factory=Counter)
    """The number of changes in each folder by its key. The empty key counts changes outside of all folders."""

    _keys: dict[Path, str] = field(default_factory=dict)
    """A cache of the keys of folders, cleared when the set of editions may have changed."""

    def find_folder(self, folder: Path) -> str:
        """Return the key of an edition's folder. Cached, to avoid disk access at every keystroke."""
        known = self._keys.get(folder)
        if known is None:
            known = self._keys[folder] = build_file_key(folder)
        return known

    def put(self, path: Path, text: str) -> bool:
        """Store the text of an open file, and return whether it differs from the text before."""
        key, text = build_file_key(path), normalize_text(text)
        self.opened.setdefault(key, path)
        if self.typed.get(key) == text:
            return False
        known = self.typed.get(key)
        self.typed[key] = text
        # Opening an unchanged file changes nothing.
        if known is None and _on_disk(path) == text:
            return False
        self.note_change(path)
        return True

    def drop(self, path: Path) -> bool:
        """Close a file, and return whether this changes its text: whether the open text differs from that on disk."""
        key = build_file_key(path)
        self.opened.pop(key, None)
        typed = self.typed.pop(key, None)
        if typed is None or _on_disk(path) == typed:
            return False
        self.note_change(path)
        return True

    def note_change(self, path: Path) -> None:
        """Record that a file was changed, created or deleted.

        Ignores a rules file outside of all editions, unless it is or may become a manifest.
        """
        home = self.find_home(path)
        if home is not None:
            self.changes[build_file_key(home)] += 1
        elif path.suffix not in RULES_FILES:
            # The owner of an icon outside of editions is unknown. No edition reads any other such file.
            self.changes[""] += 1
        # A new or deleted manifest changes which edition the files around it belong to.
        if path.name.lower() in CALLED:
            self.changes[""] += 1
            self._keys.clear()

    def find_home(self, path: Path) -> Path | None:
        """Return the folder of the edition that a file belongs to, or None."""
        return next((folder for folder in path.parents if self.exists(folder / MANIFEST)), None)

    def exists(self, path: Path) -> bool:
        """Return whether a file exists, on disk or only as an open text."""
        return build_file_key(path) in self.typed or os.path.isfile(path)

    def read_times(self, folder: Path) -> tuple[int, int]:
        """Return the change counters of a folder and of the files outside all folders.

        They differ after any change.
        """
        return self.changes[self.find_folder(folder)], self.changes[""]

    def get_text(self, path: str | Path) -> str | None:
        """Return the text of a file, unsaved or from disk, or None if it cannot be read."""
        known = self.typed.get(build_file_key(path))
        return known if known is not None else _on_disk(Path(path))

    def list_unsaved(self) -> Mapping[str, str]:
        """Return the texts to read in place of files, as they are now."""
        return dict(self.typed)


def _on_disk(path: Path) -> str | None:
    """Return the text of a file on disk, or None if it cannot be read. Ignores unsaved text."""
    with replace_files({}):
        try:
            return read_bytes_as_text(path)
        except DiagnosticError:
            return None
