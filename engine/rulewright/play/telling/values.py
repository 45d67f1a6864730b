"""How logs tell that a value has changed, where the rules have no words of their own for it."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rulewright.language.declarations import GAME_KIND
from rulewright.language.types import INTEGER, ListOf, Optional, Row, Type
from rulewright.play.telling.account import Phrase, capital, phrase, text
from rulewright.play.telling.saying import Saying, article

LONG_OWNER = 3
"""Words from which on what somebody owns is told before them: `the hat of the third Bed`, and `the Bed’s hat`."""


def noted(say: Saying, name: str, value: Any, kind: Type, procedure: str) -> Phrase:
    """What a name of a procedure, or a value of the game, has become."""
    called = say.ruleset.procedures[procedure].called.get(name, "") if procedure else ""
    place = phrase("The ", say.words(called)) if called else capital(say.kind(name))
    if isinstance(value, bool):
        clauses = say.ruleset.procedures[procedure].clauses.get(name) if procedure else None
        if clauses is not None:
            return phrase(capital(say.words(clauses["holds" if value else "fails"])), ".")
        return phrase(place, " now holds." if value else " does not hold.")
    if isinstance(kind, ListOf):
        return phrase(place, ", now: ", say.value(value, kind), ".")
    # The steps of the book say `becomes`, too, and a name may end in `is`.
    return phrase(place, " becomes " if called else " is now ", say.value(value, kind), ".")


def changed(say: Saying, kind: str, thing: int, name: str, before: Any, value: Any, type_: Type) -> Phrase:
    """What a field of an object, or a value of the game, has become."""
    words = say.told_change(kind, thing, name, value)
    if words is not None:
        return words
    if isinstance(type_, ListOf) and isinstance(before, tuple) and isinstance(value, tuple):
        return _list(say, kind, thing, name, before, value, type_)
    if kind == GAME_KIND:
        return _of_the_game(say, name, value, type_)
    return capital(_of_a_thing(say, kind, thing, name, value, type_))


def _of_a_thing(say: Saying, kind: str, thing: int, name: str, value: Any, type_: Type) -> Phrase:
    field = say.ruleset.declarations.kinds[kind].fields[name]
    who, noun = say.thing(kind, thing), say.field_name(kind, name)
    if isinstance(value, bool):
        return phrase(who, " is now " if value else " is no longer ", noun, ".")
    if value is None:
        return phrase(who, " no longer has ", _one(say, noun), ".")
    if isinstance(value, int) and field.type == INTEGER and say.counts(kind, name):
        return phrase(who, " now has ", say.amount_of(kind, name, value), ".")
    after = say.value(value, type_)
    if _is_tile(say, type_):
        return phrase(who, " goes to ", after, ".")
    if f" {text(after)}".casefold().endswith(f" {text(noun)}".casefold()):  # the name of the value says it already
        return phrase(who, " now has ", _one(say, noun), ".")
    return phrase(_belonging(who, noun), " is now ", after, ".")


def _of_the_game(say: Saying, name: str, value: Any, type_: Type) -> Phrase:
    field = say.ruleset.declarations.kinds[GAME_KIND].fields[name]
    words = say.words(field.said)
    if isinstance(value, bool) and field.clauses:
        return phrase(capital(say.words(field.clauses["holds" if value else "fails"])), ".")
    if value is not None and not isinstance(value, bool):
        the = "The " if words or name in say.ruleset.declarations.terms else ""
        return phrase(the, words or capital(say.kind(name)), " is now ", say.value(value, type_), ".")
    return noted(say, name, value, type_, "")


def _list(
    say: Saying, kind: str, thing: int, name: str, before: tuple[Any, ...], after: tuple[Any, ...], type_: ListOf
) -> Phrase:
    """What has joined a list or left it; the whole of it, where some has and some."""
    noun = say.field_name(kind, name)
    whose = phrase("the ", noun) if kind == GAME_KIND else _belonging(say.thing(kind, thing), noun)
    for more, fewer, verb in ((after, before, "now"), (before, after, "no longer")):
        found = list((Counter(more) - Counter(fewer)).elements())
        if found and not Counter(fewer) - Counter(more):
            are = "is" if len(found) == 1 else "are"
            return phrase(capital(say.value(tuple(found), type_)), f" {are} {verb} among ", whose, ".")
    return phrase(capital(whose), ", now: ", say.value(after, type_), ".")


def _belonging(who: Phrase, noun: Phrase) -> Phrase:
    """`Player 1’s hat`, and `the hat of the third Bed by the wall`."""
    return phrase(who, "’s ", noun) if len(text(who).split()) < LONG_OWNER else phrase("the ", noun, " of ", who)


def _one(say: Saying, noun: Phrase) -> Phrase:
    """A noun with its article: none, where the word for one of it is that for several."""
    word = text(noun)
    terms = say.ruleset.declarations.terms.values()
    if any(term.name.casefold() == word.casefold() == term.plural.casefold() for term in terms):
        return noun
    return phrase(f"{article(word)} ", noun)


def _is_tile(say: Saying, kind: Type) -> bool:
    """Whether a value says where on a board something stands."""
    row = kind.inner if isinstance(kind, Optional) else kind
    columns = say.ruleset.declarations.tables[row.table].columns if isinstance(row, Row) else {}
    return {"column", "row", "neighbours"} <= set(columns)
