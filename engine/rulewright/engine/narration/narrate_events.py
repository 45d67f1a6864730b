"""What events say: their values by name, an account for players, and what they are worth telling.

An event names the step that left it, the kind of operation it was (`told`), and that operation's details. What is said
of it follows from the operation, whatever the verb of the step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from rulewright.engine.narration.events import Weight
from rulewright.engine.narration.redaction import HIDDEN
from rulewright.engine.narration.render_values import Saying, article, ended, small
from rulewright.engine.narration.rich_text import (
    MINUS,
    NOTHING,
    Account,
    Number,
    Phrase,
    capital,
    is_several,
    listed,
    phrase,
    text,
)
from rulewright.language.checked_steps import Step
from rulewright.language.declarations import GAME_KIND
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.lowering import offers_of, operations
from rulewright.language.operations import Ask, Bind, Chance, Create, Draw, Operation, Remove, Reveal, Write
from rulewright.language.types import (
    DICE,
    INTEGER,
    PLAYER,
    TEXT,
    Boolean,
    Choice,
    Integer,
    ListOf,
    Optional,
    Row,
    Thing,
    Type,
    maybe,
    present,
)
from rulewright.language.visibility import SHOWN

Details = tuple[Any, ...]

Fact = tuple[str, Any, Type]
"""A value of an event: its name, itself, its type."""


class Narration:
    """Tells events of one game, as things are when each of them is told."""

    def __init__(self, say: Saying) -> None:
        self.say = say

    def tell(self, step: Step, told: str, details: Details) -> tuple[tuple[Fact, ...], Account]:
        """Return what an event holds, by name; and the same in parts, for players."""
        operation = _operation(step, told, details, self.say)
        give = _ACCOUNTS.get(told)
        account = give(self.say, step, operation, details) if give else NOTHING
        return self._facts(operation, told, details), account

    def _facts(self, operation: Operation[Typed], told: str, details: Details) -> tuple[Fact, ...]:
        match told, details, operation:
            case "asked", (who, value), Ask() as ask:
                return ("player", who, PLAYER), ("chosen", value, one_of(ask.options.type))
            case "rolled", (roll, total), Chance(table=table):
                made: tuple[Fact, ...] = ("roll", roll, DICE), ("total", total, INTEGER)
                return (
                    made
                    if table is None or total is HIDDEN
                    else (*made, ("row", _row_for(self.say, table, total), Row(table)))
                )
            case "drawn", (card,), Draw() as draw:
                return (("card", card, one_of(draw.among.type)),)
            case "created", (thing, _), Create(kind=kind):
                return (("object", thing, Thing(kind)),)
            case "removed", (thing,), Remove() as remove:
                return (("object", thing, _each(remove)),)
            case "written", (thing, name, old, new, *row), Write(kind=kind, type=type_, table=table):
                return (*_change(thing, name, old, new, kind, type_), *(("row", each, Row(table)) for each in row))
            case "written", (thing, name, old, new, *row), Bind(type=type_, table=table):
                return (*_change(thing, name, old, new, "", type_), *(("row", each, Row(table)) for each in row))
            case "revealed", (who, answers), Reveal(answers=expression):
                return ("players", who, ListOf(PLAYER)), ("chosen", answers, expression.type)
            case "finished", (winners,), _:
                return (("winners", winners, ListOf(PLAYER)),)
        return ()

    def weight(self, step: Step, told: str, details: Details) -> Weight:
        """Return what an event is worth telling.

        Little, where nothing changes, or nothing but a name of a procedure.
        """
        match told, details:
            case "written", (thing, _, old, new, *_):
                known = old is not HIDDEN or new is not HIDDEN
                return Weight.ASIDE if thing is None or (known and old == new) else Weight.NORMAL
            case (("called" | "ended"), _):
                return Weight.DETAIL
            case "finished", _:
                return Weight.MAJOR
        return Weight.NORMAL


def _change(thing: Any, name: str, old: Any, new: Any, kind: str, type_: Type) -> tuple[Fact, ...]:
    """Return the facts of a change; without an object, it is a name of the procedure that has changed."""
    return (
        ("object", thing, maybe(Thing(kind))),
        ("field", name, TEXT),
        ("before", old, maybe(type_)),
        ("after", new, maybe(type_)),
    )


def _operation(step: Step, told: str, details: Details, say: Saying) -> Operation[Typed]:
    """Return the operation of a step that left an event."""
    if told == "written":
        thing, name, _, _, *row = details
        return written_by(step, None if thing is None else say.kind_of(thing), name, of_row=bool(row))
    return told_by(step, told)


def told_by(step: Step, told: str) -> Operation[Typed]:
    """Return the operation, as the rules have it, by which every teller goes: of several that a step has, the first."""
    return next(each for each in operations(step) if each.told == told)


def written_by(step: Step, kind: str | None, name: str, *, of_row: bool) -> Operation[Typed]:
    """Return the one that changes this field of a kind, or, without one, this name of the procedure.

    Or a row of either.
    """
    changing = Bind if kind is None else Write
    found = [
        each
        for each in operations(step)
        if isinstance(each, changing) and changed_name(each) == name and (each.row is not None) == of_row
    ]
    # Two kinds may both have a field of this name.
    return next((each for each in found if isinstance(each, Write) and each.kind == kind), found[0])


def changed_name(operation: Write[Any] | Bind[Any]) -> str:
    """Return the field, or the name of the procedure, that an operation changes."""
    return operation.field if isinstance(operation, Write) else operation.said


def one_of(kind: Type) -> Type:
    """Return the type of each, where there may be a list."""
    return kind.inner if isinstance(kind, ListOf) else kind


def _each(remove: Remove[Typed]) -> Type:
    return one_of(remove.thing.type)


# -- accounts --------------------------------------------------------------------------------


def _asked(say: Saying, step: Step, operation: Any, details: Details) -> Account:
    who, value = details
    player = say.player(who)
    if value is HIDDEN:
        return Account(phrase(player, " has chosen."), player)
    nothing = value in (None, ())
    label = next((offer.label for offer in offers_of(operation) if offer.id == value), "")
    label = step.words.get("none", "") if nothing else label
    kind = present(one_of(operation.options.type))
    asked = _question(say, step) if nothing or isinstance(kind, Integer | Boolean) else ()
    if label:
        words = say.words(label)
        return Account(ended(phrase(player, " chooses: ", words)), player, words, asked=asked)
    if nothing:
        # True also where there was nothing to choose from.
        return Account(phrase(player, " chooses none."), player, asked=asked)
    if isinstance(kind, Choice):
        choice = say.choice(value)
        return Account(ended(phrase(player, " chooses: ", choice)), player, choice)
    chosen = say.value(value, kind)
    return Account(phrase(player, " chooses ", chosen, "."), player, chosen, asked=asked)


def _question(say: Saying, step: Step) -> Phrase:
    """Return what a step asks, in the words of the rules; empty where they have none for it."""
    words = say.words(step.words.get("ask", "") or step.words.get("title", ""))
    return ended(words) if words else ()


def _revealed(say: Saying, step: Step, operation: Any, details: Details) -> Account:
    who, answers = details
    asked = next(each for each in operations(step) if isinstance(each, Ask))
    given = [_asked(say, step, asked, pair) for pair in zip(who, answers, strict=True)]
    told = " ".join(text(each.sentence) for each in given)
    # They were asked the same.
    question = next((each.asked for each in given if each.asked), ())
    players = say.value(who, ListOf(PLAYER))
    return Account(phrase("All have chosen. ", told) if told else (), players, asked=question)


def _rolled(say: Saying, step: Step, operation: Any, details: Details) -> Account:
    roll, total = details
    if roll is HIDDEN:
        return Account(phrase("Dice are rolled, face down."))
    dice = say.value(roll, DICE)
    if total is HIDDEN:
        return Account(phrase(dice, " is rolled, face down."), what=dice)
    came = phrase(Number(total))
    if operation.table is None:
        return Account(phrase(dice, " comes to ", came, "."), what=dice, after=came)
    row = say.row(operation.table, _row_for(say, operation.table, total))
    return Account(phrase(dice, " comes to ", came, ": ", row, "."), what=dice, after=row)


def _row_for(say: Saying, table: str, face: int) -> str:
    """Return the row of a roll table for what its roll shows."""
    return say.ruleset.declarations.tables[table].by_face[face]


def _drawn(say: Saying, step: Step, operation: Any, details: Details) -> Account:
    if details[0] is HIDDEN:
        return Account(phrase("A card is drawn, face down." if operation.deck else "Lots are drawn, face down."))
    card = say.value(details[0], one_of(operation.among.type))
    return Account(phrase(card, " is drawn."), what=card)


def _created(say: Saying, step: Step, operation: Any, details: Details) -> Account:
    new = capital(say.new(operation.kind, details[0]))
    words = say.told(operation.kind, details[0], "comes", step.words)
    if words is None:
        words = phrase(new, " come" if is_several(new) else " comes", " into play.")
    return Account(words, new)


def _removed(say: Saying, step: Step, operation: Any, details: Details) -> Account:
    kind = _each(operation)
    gone = capital(say.value(details[0], kind))
    words = say.told(kind.kind, details[0], "goes", step.words) if isinstance(kind, Thing) else None
    if words is None:
        words = phrase(gone, " leave" if is_several(gone) else " leaves", " play.")
    return Account(words, gone)


def _written(say: Saying, step: Step, operation: Any, details: Details) -> Account:
    thing, name, old, new, *row = details
    before, after = say.value(old, operation.type), say.value(new, operation.type)
    if name.startswith(SHOWN):
        return _shown(say, operation, details)
    if new is HIDDEN:
        return _hidden_change(say, operation, details)
    if row:
        return _entry(say, step, operation, details)
    if thing is None:
        return Account(noted(say, name, new, operation.type, step.procedure), (), say.kind(name), before, after)
    kind = operation.kind
    section, _, setting = name.partition(".")
    if section == "options":
        title = say.option(setting)
        chosen = say.setting(setting, new)
        return Account(phrase(title, ": ", chosen, "."), (), title, say.setting(setting, old), chosen)
    moved = _moved(say, operation, details) if operation.by and old is not HIDDEN else None
    sentence = changed(say, kind, thing, name, old, new, operation.type) if moved is None else moved
    who = () if kind == GAME_KIND else capital(say.thing(kind, thing))
    return Account(sentence, who, say.field_name(kind, name), before, after)


def _entry(say: Saying, step: Step, operation: Any, details: Details) -> Account:
    """Return what a map holds for a row has changed."""
    thing, name, old, new, row = details
    before, after = say.value(old, operation.type), say.value(new, operation.type)
    named = say.row(operation.table, row)
    if thing is None:
        called = say.ruleset.procedures[step.procedure].called.get(name, "")
        place = phrase(say.words(called) if called else small(say.kind(name)), " for ", named)
        return Account(phrase("The ", place, " becomes ", after, "."), (), place, before, after)
    kind = operation.kind
    noun = phrase(say.field_name(kind, name), " for ", named)
    who = () if kind == GAME_KIND else capital(say.thing(kind, thing))
    if say.ruleset.declarations.kinds[kind].fields[name].tells.get("holds") == "":
        sentence: Phrase = ()
    elif operation.by and who and old is not HIDDEN:
        amount = phrase(Number(new - old if operation.by == "+" else old - new, MINUS), " ", named)
        does, left = (" gains ", " and now has ") if operation.by == "+" else (" pays ", " and has ")
        sentence = phrase(who, does, amount, left, Number(new), "." if operation.by == "+" else " left.")
    else:
        place = _belonging(who, noun) if who else phrase("the ", noun)
        sentence = phrase(capital(place), " is now ", after, ".")
    return Account(sentence, who, noun, before, after)


def _shown(say: Saying, operation: Any, details: Details) -> Account:
    """Return a hidden value was shown: those see it who could not before. Nothing is said where a new value is not."""
    thing, name, old, new = details
    learnt = tuple(player for player in new if player not in old)
    if not learnt:
        return NOTHING
    field = name.removeprefix(SHOWN)
    noun = say.field_name(operation.kind, field)
    whose = phrase("the ", noun) if operation.kind == GAME_KIND else _belonging(say.thing(operation.kind, thing), noun)
    who, value = say.value(learnt, ListOf(PLAYER)), say.held(operation.kind, thing, field)
    sees = phrase(who, " see " if len(learnt) > 1 else " sees ", whose)
    sentence = phrase(sees, ".") if value is None else phrase(sees, ": ", value, ".")
    return Account(capital(sentence), capital(who), whose, (), value or ())


def _hidden_change(say: Saying, operation: Any, details: Details) -> Account:
    """Return a value has changed, and whoever is told of it may not see it."""
    thing, name, before, after, *_ = details
    if thing is None:
        return NOTHING
    tells = say.ruleset.declarations.kinds[operation.kind].fields[name].tells
    if tells.get("holds") and tells["holds"] == tells.get("fails"):
        # What is said whether it becomes more or less gives nothing away.
        words = say.told_change(operation.kind, thing, name, before, after)
        assert words is not None
        return Account(words)
    noun = say.field_name(operation.kind, name)
    if operation.kind == GAME_KIND:
        return Account(phrase("The ", noun, " changes."), (), noun)
    who = say.thing(operation.kind, thing)
    return Account(phrase(capital(_belonging(who, noun)), " changes."), capital(who), noun)


def _moved(say: Saying, operation: Any, details: Details) -> Phrase:
    """Return what was added or taken, and what there is now."""
    thing, name, old, new = details
    words = say.told_change(operation.kind, thing, name, old, new)
    if words is not None:
        return words
    added = operation.by == "+"
    does, left = (" gains ", " and now has ") if added else (" pays ", " and has ")
    amount = say.amount_of(operation.kind, name, new - old if added else old - new)
    rest = phrase(Number(new), "." if added else " left.")
    return phrase(capital(say.thing(operation.kind, thing)), does, amount, left, rest)


def _called(say: Saying, step: Step, operation: Any, details: Details) -> Account:
    procedure = say.procedure(operation.procedure)
    return Account(phrase(procedure, "."), what=procedure)


def _finished(say: Saying, step: Step, operation: Any, details: Details) -> Account:
    winners = [say.player(winner) for winner in details[0]]
    if not winners:
        return Account(phrase("The game is over, and nobody has won."))
    win = " wins." if len(winners) == 1 else " win."
    together = phrase(*(piece for winner in winners for piece in (" and ", winner)))[1:]
    return Account(phrase("The game is over: ", together, win), listed(winners))


_ACCOUNTS: Mapping[str, Callable[[Saying, Step, Any, Details], Account]] = {
    "asked": _asked,
    "revealed": _revealed,
    "rolled": _rolled,
    "drawn": _drawn,
    "created": _created,
    "removed": _removed,
    "written": _written,
    "called": _called,
    "finished": _finished,
}


LONG_OWNER = 3
"""Words from which on what somebody owns is told before them: `the hat of the third Bed`, and `the Bed’s hat`."""


def noted(say: Saying, name: str, value: Any, kind: Type, procedure: str) -> Phrase:
    """Return what a name of a procedure, or a value of the game, has become."""
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
    """Return what a field of an object, or a value of the game, has become."""
    words = say.told_change(kind, thing, name, before, value)
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
    """Return what has joined a list or left it; the whole of it, where some has and some."""
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
    """Return a noun with its article: none, where the word for one of it is that for several."""
    word = text(noun)
    terms = say.ruleset.declarations.terms.values()
    if any(term.name.casefold() == word.casefold() == term.plural.casefold() for term in terms):
        return noun
    return phrase(f"{article(word)} ", noun)


def _is_tile(say: Saying, kind: Type) -> bool:
    """Whether a value says where on a board something stands."""
    row = kind.inner if isinstance(kind, Optional) else kind
    return isinstance(row, Row) and say.ruleset.declarations.tables[row.table].is_board
