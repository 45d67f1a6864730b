"""A cache of the texts of files, from which diagnostics quote lines."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock, local

_KEPT_CHARACTERS = 32 * 1024 * 1024


class SourceMap:
    """The latest text of each file read, with a limit on the total size. The oldest texts are dropped first.

    A diagnostic shows the text as it was read, even if the file has changed since. If several threads read different
    texts of the same files, each should use `isolate_thread`.
    """

    def __init__(self, kept_characters: int = _KEPT_CHARACTERS) -> None:
        self._kept_characters = kept_characters
        self._thread = local()
        self._texts: OrderedDict[str, str] = OrderedDict()
        self._starts: dict[str, tuple[str, list[int]]] = {}
        """The line offsets of each file from which a line was requested, with the text to which they belong."""
        self._room = kept_characters
        self._lock = Lock()

    def remember(self, file: str, text: str) -> None:
        r"""Store the text of a file, with `\n` as line breaks, in place of its previous text.

        Drops the oldest texts of other files if the total size exceeds the limit. In an isolated thread, other threads
        do not see the text.
        """
        if (apart := self._apart) is not None:
            apart.unread.discard(file)
            apart.sources.remember(file, text)
            return
        with self._lock:
            self._forget(file)
            self._texts[file] = text
            self._room -= len(text)
            while self._room < 0 and len(self._texts) > 1:
                name, oldest = self._texts.popitem(last=False)
                self._starts.pop(name, None)
                self._room += len(oldest)

    def forget(self, file: str) -> None:
        """Remove the text of a file. In an isolated thread, other threads keep it."""
        if (apart := self._apart) is not None:
            apart.unread.add(file)
            apart.sources.forget(file)
            return
        with self._lock:
            self._forget(file)

    def _forget(self, file: str) -> None:
        known = self._texts.pop(file, None)
        self._starts.pop(file, None)
        if known is not None:
            self._room += len(known)

    @contextmanager
    def isolate_thread(self) -> Iterator[None]:
        """Hide the files that this thread reads from other threads, until the end of the block.

        For files that it has not read itself, the thread still sees the texts that others have read.
        """
        self._thread.apart = _Apart(SourceMap(self._kept_characters), set())
        try:
            yield
        finally:
            self._thread.apart = None

    @property
    def _apart(self) -> _Apart | None:
        result: _Apart | None = getattr(self._thread, "apart", None)
        return result

    def find_text(self, file: str) -> str | None:
        """Return the whole text of a file, or None if it is not stored."""
        return self._find_owner(file)._texts.get(file)

    def _find_owner(self, file: str) -> SourceMap:
        """Return the source map that holds the text of a file for this thread."""
        apart = self._apart
        return apart.sources if apart is not None and (file in apart.sources._texts or file in apart.unread) else self

    def find_line(self, file: str, number: int) -> str | None:
        """Return a line of a file, counted from 1, without its line break.

        None if the text is not stored or has no such line.
        """
        there = self._find_owner(file)
        text = there._texts.get(file)
        if text is None:
            return None
        known = there._starts.get(file)
        if known is None or known[0] is not text:
            # Cached, because every line of a file may have an error that quotes it.
            known = there._starts[file] = (text, _find_line_starts(text))
        starts = known[1]
        if not 1 <= number <= len(starts):
            return None
        end = starts[number] - 1 if number < len(starts) else len(text)
        return text[starts[number - 1] : end]


@dataclass(slots=True)
class _Apart:
    """The texts that an isolated thread has read, and the files that it could not read."""

    sources: SourceMap
    unread: set[str]


def _find_line_starts(text: str) -> list[int]:
    starts = [0]
    while result := text.find("\n", starts[-1]) + 1:
        starts.append(result)
    return starts


SOURCES = SourceMap()
"""The texts that the readers of this process have read."""
