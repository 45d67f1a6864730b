"""The sentences of a source as digests, for `sources.yaml`.

Whoever holds a source can compare it with what is there:

python -m tests.rules.source_sentences PAGE.txt
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

_RULE_OR_BLANK = re.compile(r"[\s>|:\-*]*")
_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`*_\[(>])")


def sentences(page: str) -> Iterator[str]:
    """Yield every sentence, title and row of a page: its words and numbers alone, without markup and pictures."""
    for line in page.splitlines():
        if _RULE_OR_BLANK.fullmatch(line):
            continue
        for part in _END.split(line):
            words = re.findall(r"[A-Za-z0-9]+", part)
            if words:
                yield " ".join(words).lower()


def digests(page: str) -> list[str]:
    """Return a digest of each sentence. The letter in front keeps YAML from taking one for a number."""
    return ["s" + sha256(sentence.encode()).hexdigest()[:7] for sentence in sentences(page)]


if __name__ == "__main__":
    print(" ".join(digests(Path(sys.argv[1]).read_text(encoding="utf-8", errors="replace"))))
