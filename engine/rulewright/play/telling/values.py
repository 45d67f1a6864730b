"""How logs tell that a value has changed, where the rules have no words of their own for it."""

from __future__ import annotations

from collections import Counter
from typing import Any, Protocol

from rulewright.language.declarations import GAME_KIND
from rulewright.language.types import INTEGER, ListOf, Optional, Row, Type
from rulewright.ruleset.ruleset import Ruleset

GOES_TO = "goes to"


class Naming(Protocol):
    """What a change is told with: how things, fields and values are called."""

    ruleset: Ruleset

    def words(self, text: str) -> str: ...
    def local(self, name: str) -> str: ...
    def value(self, value: Any, kind: Type) -> str: ...
    def thing(self, kind: str, thing: int) -> str: ...
    def field_name(self, kind: str, name: str) -> str: ...
    def amount_of(self, kind: str, name: str, number: int) -> str: ...
    def counts(self, kind: str, name: str) -> bool: ...


def noted(names: Naming, name: str, value: Any, kind: Type, procedure: str) -> str:
    """What a name of a procedure, or a value of the game, has become."""
    called = names.ruleset.procedures[procedure].called.get(name, "") if procedure else ""
    place = f"The {names.words(called)}" if called else _capital(names.local(name))
    if isinstance(value, bool):
        return f"{place} {'now holds' if value else 'does not hold'}."
    if isinstance(kind, ListOf):
        return f"{place}, now: {names.value(value, kind)}."
    # The steps of the book say `becomes`, too, and a name may end in `is`.
    return f"{place} {'becomes' if called else 'is now'} {names.value(value, kind)}."


def changed(names: Naming, kind: str, thing: int, name: str, before: Any, value: Any, type_: Type) -> str:
    """What a field of an object, or a value of the game, has become."""
    field = names.ruleset.declarations.kinds[kind].fields[name]
    if isinstance(type_, ListOf) and isinstance(before, tuple) and isinstance(value, tuple):
        return _list(names, kind, thing, name, before, value, type_)
    if kind == GAME_KIND:
        return _of_the_game(names, name, value, type_)
    who, noun = _capital(names.thing(kind, thing)), names.field_name(kind, name)
    if isinstance(value, bool):
        return f"{who} is {'now' if value else 'no longer'} {noun}."
    if value is None:
        return f"{who} no longer has {_one(names, noun)}."
    if isinstance(value, int) and field.type == INTEGER and names.counts(kind, name):
        return f"{who} now has {names.amount_of(kind, name, value)}."
    after = names.value(value, type_)
    if _is_tile(names, type_):
        return f"{who} {GOES_TO} {after}."
    if after.casefold() == noun.casefold() or after.casefold().endswith(f" {noun.casefold()}"):
        return f"{who} now has {_one(names, noun)}."
    return f"{_capital(_belonging(who, noun))} is now {after}."


def _of_the_game(names: Naming, name: str, value: Any, type_: Type) -> str:
    field = names.ruleset.declarations.kinds[GAME_KIND].fields[name]
    said = names.words(field.said)
    if isinstance(value, bool) and field.clauses:
        return f"{_capital(names.words(field.clauses['holds' if value else 'fails']))}."
    if value is not None and not isinstance(value, bool):
        the = "The " if said or name in names.ruleset.declarations.terms else ""
        return f"{the}{said or _capital(names.local(name))} is now {names.value(value, type_)}."
    return noted(names, name, value, type_, "")


def _list(
    names: Naming, kind: str, thing: int, name: str, before: tuple[Any, ...], after: tuple[Any, ...], type_: ListOf
) -> str:
    """What has joined a list or left it; the whole of it, where some has and some."""
    noun = names.field_name(kind, name)
    whose = f"the {noun}" if kind == GAME_KIND else _belonging(names.thing(kind, thing), noun)
    for more, fewer, verb in ((after, before, "now"), (before, after, "no longer")):
        found = list((Counter(more) - Counter(fewer)).elements())
        if found and not Counter(fewer) - Counter(more):
            said = names.value(tuple(found), type_)
            return f"{_capital(said)} {'is' if len(found) == 1 else 'are'} {verb} among {whose}."
    return f"{_capital(whose)}, now: {names.value(after, type_)}."


def _belonging(who: str, noun: str) -> str:
    """`Player 1’s hat`, and `the hat of the third Bed by the wall`."""
    if len(who.split()) <= 2:
        return f"{who}’s {noun}"
    return f"the {noun} of {who[:1].lower() + who[1:] if who.startswith('The ') else who}"


def _one(names: Naming, noun: str) -> str:
    """A noun with its article: none, where the word for one of it is that for several."""
    terms = names.ruleset.declarations.terms.values()
    return (
        noun
        if any(term.name.casefold() == noun.casefold() == term.plural.casefold() for term in terms)
        else article(noun)
    )


def article(noun: str) -> str:
    """A noun with its article."""
    return f"{'an' if noun[:1].lower() in 'aeio' else 'a'} {noun}"


def _is_tile(names: Naming, kind: Type) -> bool:
    """Whether a value says where on a board something stands."""
    row = kind.inner if isinstance(kind, Optional) else kind
    columns = names.ruleset.declarations.tables[row.table].columns if isinstance(row, Row) else {}
    return {"column", "row", "neighbours"} <= set(columns)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
