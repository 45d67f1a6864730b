"""The kinds of page that the rulebook has. A new kind is one line here, and every audit looks at it."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from tests.breadth import some

URL = "https://rules.example/books/"
"""Where the audited site is built to be published: below a path, as on many hosts."""

SITE = urlsplit(URL).path.strip("/")
BOOK = f"{SITE}/fuzzy-knights-normal-1.0"
FAULTS = "faults.html"
"""What a designer sees instead of a book that cannot be built; it lies beside the site."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of page: its name, a page of that kind, and whether it is one that many readers start from.

    A page that is made like `paper` is light in either scheme.
    """

    name: str
    path: str
    main: bool = False
    paper: bool = False


KINDS = (
    Kind("chooser", f"{SITE}/index.html", main=True),
    Kind("front page of an edition", f"{BOOK}/index.html", main=True),
    Kind("rules with tables and examples", f"{BOOK}/monsters.html", main=True),
    Kind("rules with maps", f"{BOOK}/player_turns.html"),
    Kind("rules with a board", f"{BOOK}/board_setup.html"),
    Kind("rules with dice", f"{BOOK}/dice.html"),
    Kind("rules with special cases", f"{BOOK}/battle.html"),
    Kind("settings", f"{BOOK}/settings.html"),
    Kind("rulings", f"{BOOK}/rulings.html"),
    Kind("glossary", f"{BOOK}/glossary.html", main=True),
    Kind("player aid", f"{BOOK}/aid.html", main=True),
    Kind("table to play at", f"{BOOK}/play.html"),
    Kind("odds", f"{BOOK}/odds.html"),
    Kind("how the game plays", f"{BOOK}/plays.html"),
    Kind("learn to play", f"{BOOK}/learn.html", main=True),
    Kind("questions and answers", f"{BOOK}/faq.html"),
    Kind("index", f"{BOOK}/index-of-the-book.html"),
    Kind("whole book on one page", f"{BOOK}/whole.html", paper=True),
    Kind("the rules in short", f"{BOOK}/short.html", paper=True),
    Kind("cards to cut out", f"{BOOK}/cards.html", paper=True),
    Kind("board on sheets", f"{BOOK}/board.html", paper=True),
    Kind("rules from a link", f"{SITE}/shared.html"),
    Kind("rules as they are written", f"{SITE}/source/fuzzy-knights-normal-1.0.1.html"),
    Kind("what is new", f"{BOOK}/new.html"),
    Kind("comparison", f"{SITE}/compare/fuzzy-knights-normal-0.2..fuzzy-knights-normal-1.0/index.html", main=True),
    Kind("not found", f"{SITE}/404.html"),
    Kind("faults in the rules", FAULTS),
)

MAKES = (
    "chooser",
    "rules with tables and examples",
    "comparison",
    "whole book on one page",
    "faults in the rules",
)
"""The names of one kind for each way in which pages are made: the theme without a book and with one, rules, tables to
compare, paper, and plain HTML. What the kinds share (header, menu, search, scripts, fonts) is on these."""


def every_make() -> list[Kind]:
    """Return one kind for each way in which pages are made; when thorough, every kind."""
    return list(some(KINDS, [kind for kind in KINDS if kind.name in MAKES]))


APPENDICES = {
    "index",
    "aid",
    "settings",
    "rulings",
    "glossary",
    "holdings",
    "reference",
    "odds",
    "play",
    "plays",
    "new",
    "cards",
    "board",
    "whole",
    "short",
    "faq",
    "index-of-the-book",
}
"""The pages of an edition that are not pages of its rules."""


def label(kind: Kind) -> str:
    """Return the name of a test about this kind."""
    return kind.name.replace(" ", "-")
