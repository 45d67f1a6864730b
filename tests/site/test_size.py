"""How much a site weighs: facts in bytes."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from pathlib import Path

import pytest

from tests.site.kinds import SITE

MOST = 28_600_000
"""Bytes of the site of all editions, their comparisons, and what all share.

1,180,000 of them are the rules as WebAssembly with their data, by which each edition is played in its book and by
which readers try other figures; 210,000 the program for the one, which all share, and 160,000 that for the other;
230,000 the pages on which games are played, 170,000 the examples that can be played, and 45,000 what is said of
figures. A picture of each edition for links makes 370,000. 11,100,000 are the pages themselves, 4,500,000 all of them
on one page and in short, and 2,700,000 the rules as data and what is found in them.
Another 3,500,000 are the whole books in German of two games, with games to play, odds, questions and files to print.
600,000 are the tables set up and the picture stories of four editions, on their pages and in the whole book.
90,000 are for rules that come in a link: where each entry is told of, what shows and plays them, and what makes zips.
750,000 are the rulings, questions and examples by which four editions play as their sources say.
1,470,000 are chess, euchre and Reversi, with a picture of each kind of move and of each card.
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
