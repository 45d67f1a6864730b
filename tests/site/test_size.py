"""How much a site weighs: facts in bytes."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from pathlib import Path

import pytest

from tests.site.kinds import SITE

MOST = 24_000_000
"""Bytes of the site of all editions, their comparisons, and what all share.

18,000,000 are pages, of which 5,100,000 are all pages of a book in one and the rules in short, 1,000,000 the rules as
they are written, and 1,100,000 comparisons. 1,800,000 are the rules as WebAssembly with their data, 1,660,000 the rules
as JSON, 600,000 what the searches find, and 480,000 pictures of editions for links. The programs that all books share
are 600,000, and the books of two games in German 3,000,000.
"""

SMALL = 420_000
"""Bytes of a whole book of a small game, of which there may be many."""

LARGER = {"classics-chess-1.0": 620_000, "classics-euchre-1.0": 560_000, "pig-classic-1.0": 530_000}
"""Bytes of the whole books of games with twice as many rules, with a picture of each kind of move or each card, and of
one that is published in German, too.
"""

SHARED = 60_000
"""Bytes from which a file need not be there twice."""


@pytest.fixture(scope="module")
def files(published: Path) -> dict[Path, int]:
    return {path: path.stat().st_size for path in (published / SITE).rglob("*") if path.is_file()}


def test_the_whole_site_is_small_enough_to_send(files: dict[Path, int], published: Path) -> None:
    books: dict[str, int] = defaultdict(int)
    for path, size in files.items():
        books[path.relative_to(published / SITE).parts[0]] += size
    small = {name for name in books if name.startswith(("classics-", "pig-"))}
    assert len(small) >= 12
    assert not {name: books[name] for name in small if books[name] > LARGER.get(name, SMALL)}
    assert sum(books.values()) <= MOST, sorted(((size, path.name) for path, size in files.items()), reverse=True)[:9]


def test_nothing_is_published_that_no_reader_asks_for(files: dict[Path, int]) -> None:
    assert not [path for path in files if path.suffix in {".map", ".py", ".pyc"} or "lunr" in path.parts]
    assert not [path for path in files if path.suffix in {".js", ".css"} and b"sourceMappingURL" in path.read_bytes()]


def test_what_books_share_is_there_once(files: dict[Path, int], published: Path) -> None:
    same = defaultdict(list)
    for path, size in files.items():
        if size >= SHARED:
            same[hashlib.sha256(path.read_bytes()).digest()].append(path.relative_to(published).as_posix())
    assert not [paths for paths in same.values() if len(paths) > 1]
    assert {path.parent for path in files if path.suffix in {".css", ".woff2"}} <= {
        folder for folder in (published / SITE / "assets").rglob("*") if folder.is_dir()
    } | {published / SITE / "assets"}
