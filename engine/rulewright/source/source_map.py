"""The texts that were read, kept so that a diagnostic can show the line it speaks of."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

_KEPT_CHARACTERS = 32 * 1024 * 1024


class SourceMap:
    """The latest text of each file read, forgetting the oldest ones when they grow to be too many.

    A diagnostic shows the text that was read, even if the file has changed since.
    """

    def __init__(self, kept_characters: int = _KEPT_CHARACTERS) -> None:
        self._texts: OrderedDict[str, str] = OrderedDict()
        self._room = kept_characters
        self._lock = Lock()

    def remember(self, file: str, text: str) -> None:
        """Keep the text of a file (its line breaks all `\\n`) in place of what was known of it."""
        with self._lock:
            self._forget(file)
            self._texts[file] = text
            self._room -= len(text)
            while self._room < 0 and len(self._texts) > 1:
                _, oldest = self._texts.popitem(last=False)
                self._room += len(oldest)

    def forget(self, file: str) -> None:
        """Drop what is known of a file."""
        with self._lock:
            self._forget(file)

    def _forget(self, file: str) -> None:
        known = self._texts.pop(file, None)
        if known is not None:
            self._room += len(known)

    def text(self, file: str) -> str | None:
        """The whole text of a file; None if it is not known."""
        return self._texts.get(file)

    def line(self, file: str, number: int) -> str | None:
        """One line of a file, counted from 1, without its break; None if the text or the line is not known."""
        text = self._texts.get(file)
        if text is None:
            return None
        start = 0
        for _ in range(number - 1):
            start = text.find("\n", start) + 1
            if start == 0:
                return None
        end = text.find("\n", start)
        return text[start:] if end < 0 else text[start:end]


SOURCES = SourceMap()
"""What the readers of this process have read."""
