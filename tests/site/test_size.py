"""How much a site weighs: facts in bytes."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from pathlib import Path

import pytest

from tests.site.kinds import SITE

MOST = 24_900_000
"""Bytes of the site of all editions, their comparisons, and what all share.

1,170,000 of them are the rules as WebAssembly with their data, by which each edition is played in its book; 240,000 the
program for that, which all share; 230,000 the pages that it runs on; and 810,000 a picture of each edition for links.
As many again as the rules are those in which readers try other figures, and 180,000 the program for that: both are
asked for by whoever opens the drawer. 170,000 are the examples that can be played, asked for by whoever plays one.
600,000 are the tables set up and the picture stories of four editions, on their pages and in the whole book.
"""

SMALL = 480_000
"""Bytes of a whole book of a small game, of which there may be many."""

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
    assert not {name: books[name] for name in small if books[name] > SMALL}
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
