"""The shape of `sources.yaml`: what the sources of a game say, and which rule of which edition carries it."""

from __future__ import annotations

from rulewright.language.shape import Leaf, ListOf, MapOf, Record, optional, required, words

_EDITIONS = ListOf(
    "The editions, each with its version: `game/edition@1.0`.", inner=Leaf("An edition.", format="reference")
)
_CARRIED = ListOf("The rules that carry it, one at least.", inner=Leaf("A rule, or a part of one.", format="reference"))

SOURCE = Record(
    "A source: a page, a booklet, a draft.",
    members={
        "title": required(words("What it is called.")),
        "date": optional(Leaf("When it was written.", format="value")),
        "editions": required(_EDITIONS),
        "sentences": required(
            Leaf("A digest of each of its sentences, in order, blanks between: never the text.", format="value")
        ),
    },
)

STATEMENT = Record(
    "Something that sources say.",
    members={
        "says": required(words("What it is, in words of one's own.")),
        "found": required(
            MapOf(
                "The sentences that say so, by source.",
                inner=Leaf("Places of sentences, from 1: `3-5, 9`.", format="value"),
            )
        ),
        "carried_by": required(_CARRIED),
        "besides": optional(
            MapOf(
                "What else an edition has to carry it by instead, where that is not what the others have.",
                inner=_CARRIED,
            )
        ),
        "also_in": optional(
            ListOf("Editions that have it from this source, though it is none of theirs.", inner=_EDITIONS.inner)
        ),
    },
)

SOURCES = Record(
    "The sources of a game, statement by statement.",
    members={
        "sources": required(MapOf("The sources.", inner=SOURCE, ordered=True)),
        "statements": required(MapOf("What they say.", inner=STATEMENT, ordered=True)),
    },
)
