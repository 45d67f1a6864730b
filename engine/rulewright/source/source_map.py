"""The texts that were read, kept so that a diagnostic can show the line it speaks of."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock, local

_KEPT_CHARACTERS = 32 * 1024 * 1024


class SourceMap:
    """The latest text of each file read. The oldest texts are dropped above a size limit.

    A diagnostic shows the text that was read, even if the file has changed since. Threads that read different texts
    of one file must use `isolate_thread`.
    """

    def __init__(self, kept_characters: int = _KEPT_CHARACTERS) -> None:
        self._kept_characters = kept_characters
        self._thread = local()
        self._texts: OrderedDict[str, str] = OrderedDict()
        self._starts: dict[str, tuple[str, list[int]]] = {}
        """The text of each file with requested lines, and the offsets of its lines."""
        self._room = kept_characters
        self._lock = Lock()

    def remember(self, file: str, text: str) -> None:
        r"""Store the text of a file, with line breaks as `\n`, in place of an earlier one."""
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
        """Drop the text of a file."""
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
        """Keep the reads of this thread separate from other threads until the block ends.

        For files that this thread has not read, it sees the texts of others.
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
        """Return the whole text of a file; None if it is not known."""
        return self._find_owner(file)._texts.get(file)

    def _find_owner(self, file: str) -> SourceMap:
        """Return the source map that has the text of a file for this thread."""
        apart = self._apart
        return apart.sources if apart is not None and (file in apart.sources._texts or file in apart.unread) else self

    def find_line(self, file: str, number: int) -> str | None:
        """Return one line of a file, counted from 1, without its break; None if the text or the line is not known."""
        there = self._find_owner(file)
        text = there._texts.get(file)
        if text is None:
            return None
        known = there._starts.get(file)
        if known is None or known[0] is not text:
            # Found once for all lines: a file may have as many faults as lines, and each shows its own.
            known = there._starts[file] = (text, _find_line_starts(text))
        starts = known[1]
        if not 1 <= number <= len(starts):
            return None
        end = starts[number] - 1 if number < len(starts) else len(text)
        return text[starts[number - 1] : end]


@dataclass(slots=True)
class _Apart:
    """The texts that one thread has read, and the files that it could not read."""

    sources: SourceMap
    unread: set[str]


def _find_line_starts(text: str) -> list[int]:
    starts = [0]
    while result := text.find("\n", starts[-1]) + 1:
        starts.append(result)
    return starts


SOURCES = SourceMap()
"""The texts that the readers of this process have read."""
