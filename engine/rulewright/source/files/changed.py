"""Files written anew: whole or not at all, with the line breaks they had."""

from __future__ import annotations

from pathlib import Path

from rulewright.source.files.writing import opened

_BYTE_ORDER_MARK = "\ufeff"


def replace_text(path: Path, text: str) -> None:
    """Write `text`, whose line breaks are `\\n`, in place of what a file holds.

    A file whose lines ended in `\\r\\n` keeps that, and one that began with a byte order mark begins with it still.
    Whoever reads meanwhile sees the old file or the new one, never a part.
    """
    before = path.read_bytes()
    if before.startswith(_BYTE_ORDER_MARK.encode()):
        text = _BYTE_ORDER_MARK + text
    ending = "\r\n" if b"\r\n" in before else "\n"
    with opened(path, newline=ending) as file:
        file.write(text)
