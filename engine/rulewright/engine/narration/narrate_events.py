"""The texts of events: their values by name, a sentence in parts for players, and their importance.

An event has the step that caused it, the kind of operation and the details of that operation. Its text depends on the
operation, not on the statement of the step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from rulewright.engine.narration.events import Weight
from rulewright.engine.narration.redaction import HIDDEN, analyze_sight
from rulewright.engine.narration.render_values import ValueRenderer, choose_article, end_sentence, lower_first
from rulewright.engine.narration.reporting_operations import (
    find_element_type,
    find_reporting_operation,
    find_sign,
    find_signs,
    list_writing_operations,
)
from rulewright.engine.narration.rich_text import (
    MINUS,
    NOTHING,
    Account,
    NumberPart,
    Phrase,
    capitalize,
    capitalize_term,
    is_several,
    join_phrase,
    strip_count,
    to_text,
)
from rulewright.language.checked_steps import PLACED, Step
from rulewright.language.declarations import GAME_KIND
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.lowering import list_offers, list_operations
from rulewright.language.operations import Announce, Ask, Bind, Chance, Create, Draw, Operation, Remove, Reveal, Write
from rulewright.language.types import (
    DICE,
    INTEGER,
    PLAYER,
    TEXT,
    Boolean,
    Choice,
    Entity,
    Integer,
    ListOf,
    Optional,
    Row,
    Type,
    make_optional,
    present,
)
from rulewright.language.visibility import SHOWN

Details = tuple[Any, ...]

Fact = tuple[str, Any, Type]
"""A value of an event: its name, the value, and its type."""


class Narration:
    """The narration of the events of one game, each with the state at its time."""

    def __init__(self, say: ValueRenderer) -> None:
        self.say = say

    def tell(self, step: Step, event_kind: str, details: Details) -> tuple[tuple[Fact, ...], Account]:
        """Return the values of an event by name, and its sentence in parts for players."""
        operation = _operation(step, event_kind, details, self.say)
        give = _ACCOUNTS.get(event_kind)
        account = give(self.say, step, operation, details) if give else NOTHING
        return self._facts(operation, event_kind, details), account

    def _facts(self, operation: Operation[Typed], event_kind: str, details: Details) -> tuple[Fact, ...]:
        """Return the values of an event, each with its name and type, or nothing for an event without values."""
        match event_kind, details, operation:
            case "asked", (who, value), Ask() as ask:
                return ("player", who, PLAYER), ("chosen", value, find_element_type(ask.options.type))
            case "rolled", (roll, total), Chance(table=table):
                facts: tuple[Fact, ...] = ("roll", roll, DICE), ("total", total, INTEGER)
                return (
                    facts
                    if table is None or total is HIDDEN
                    else (*facts, ("row", _row_for(self.say, table, total), Row(table)))
                )
            case "drawn", (card,), Draw() as draw:
                return (("card", card, find_element_type(draw.among.type)),)
            case "created", (entity, _), Create(kind=kind):
                return (("object", entity, Entity(kind)),)
            case "removed", (entity,), Remove() as remove:
                return (("object", entity, _each(remove)),)
            case "written", (entity, name, old, new, *row), Write(kind=kind, type=type_, table=table):
                return (*_change(entity, name, old, new, kind, type_), *(("row", each, Row(table)) for each in row))
            case "written", (entity, name, old, new, *row), Bind(type=type_, table=table):
                return (*_change(entity, name, old, new, "", type_), *(("row", each, Row(table)) for each in row))
            case "revealed", (who, answers), Reveal(answers=expression):
                return ("players", who, ListOf(PLAYER)), ("chosen", answers, expression.type)
            case "announced", values, Announce(names=names, given=given):
                return tuple((name, value, each.type) for name, value, each in zip(names, values, given, strict=True))
            case "finished", (winners,), _:
                return (("winners", winners, ListOf(PLAYER)),)
        return ()

    def find_weight(self, step: Step, event_kind: str, details: Details) -> Weight:
        """Return the importance of an event.

        It is low for a call and its end, and for a change of a local name, of a hidden object or without effect. The
        end of the game is major.
        """
        match event_kind, details:
            case "written", (entity, name, old, new, *_):
                known = old is not HIDDEN or new is not HIDDEN
                # The setup reports a result only where it is stored, even if it equals the old value.
                is_result = step.id.endswith(PLACED) and not name.startswith(SHOWN)
                aside = entity is None or entity is HIDDEN or (known and old == new and not is_result)
                return Weight.ASIDE if aside else Weight.NORMAL
            case (("called" | "ended"), _):
                return Weight.DETAIL
            case "finished", _:
                return Weight.MAJOR
        return Weight.NORMAL


def _change(entity: Any, name: str, old: Any, new: Any, kind: str, type_: Type) -> tuple[Fact, ...]:
    """Return the facts of a change. Without an object, `name` is a local name of the procedure."""
    return (
        ("object", entity, make_optional(Entity(kind))),
        ("field", name, TEXT),
        ("before", old, make_optional(type_)),
        ("after", new, make_optional(type_)),
    )


def _operation(step: Step, event_kind: str, details: Details, say: ValueRenderer) -> Operation[Typed]:
    """Return an operation of a step with all that the account of its event says besides the values."""
    if event_kind == "written":
        item, name, old, new, *row = details
        kind = None if item is None else "" if item is HIDDEN else say.find_kind(item)
        several = list_writing_operations(step, kind, name, of_row=bool(row))
        sign = _choose_sign(find_signs(several), old, new)
        return next(each for each in several if find_sign(each) == sign)
    return find_reporting_operation(
        step, event_kind, say.find_kind(details[0]) if event_kind in ("created", "removed") else ""
    )


def _choose_sign(signs: str, old: Any, new: Any) -> str:
    """Return the first of the signs that fits a change, or the first of all. Both fit a change of zero."""
    more = new - old if isinstance(old, int) and isinstance(new, int) else 0
    return next((sign for sign in signs if (more >= 0 if sign == "+" else more <= 0)), signs[:1])


def _each(remove: Remove[Typed]) -> Type:
    return find_element_type(remove.entity.type)


# -- accounts --------------------------------------------------------------------------------


def _narrate_ask(say: ValueRenderer, step: Step, operation: Any, details: Details) -> Account:
    """Return the account of a choice. Of a hidden one, it only says that the player has chosen."""
    who, value = details
    player = say.render_player(who)
    if value is HIDDEN:
        return Account(say.build("%(who)s has chosen.", who=player), player)
    nothing = value in (None, ())
    label = next((offer.label for offer in list_offers(operation) if offer.id == value), "")
    label = step.words.get("none", "") if nothing else label
    kind = present(find_element_type(operation.options.type))
    question = _question(say, step) if nothing or isinstance(kind, Integer | Boolean) else ()
    if label:
        words = capitalize_term(say.render_words(label))
        chosen = end_sentence(say.build("%(who)s chooses: %(what)s", who=player, what=words))
        return Account(chosen, player, words, question=question)
    if nothing:
        # Correct even if the only option was to choose nothing.
        return Account(say.build("%(who)s chooses none.", who=player), player, question=question)
    if isinstance(kind, Choice):
        choice = say.render_choice(value, say.ruleset.procedures[step.procedure].called)
        return Account(end_sentence(say.build("%(who)s chooses: %(what)s", who=player, what=choice)), player, choice)
    chosen = say.render_value(value, kind)
    return Account(say.build("%(who)s chooses %(what)s.", who=player, what=chosen), player, chosen, question=question)


def _question(say: ValueRenderer, step: Step) -> Phrase:
    """Return the prompt of a step in the words of the rules, or an empty phrase if they have none."""
    words = say.render_words(step.words.get("ask", "") or step.words.get("title", ""))
    return capitalize_term(end_sentence(words)) if words else ()


def _revealed(say: ValueRenderer, step: Step, operation: Any, details: Details) -> Account:
    """Return the account of the choices that several players made at the same time."""
    who, answers = details
    ask = next(each for each in list_operations(step) if isinstance(each, Ask))
    given = [_narrate_ask(say, step, ask, pair) for pair in zip(who, answers, strict=True)]
    answers_text = " ".join(to_text(each.sentence) for each in given)
    # All players had the same question. One answer that makes sense without it is enough to understand the others.
    question = given[0].question if all(each.question for each in given) and given else ()
    players = say.render_value(who, ListOf(PLAYER))
    return Account(
        join_phrase(say.build("All have chosen."), " ", answers_text) if answers_text else (),
        players,
        question=question,
    )


def _rolled(say: ValueRenderer, step: Step, operation: Any, details: Details) -> Account:
    """Return the account of a roll with its total or table row. What is hidden is said to be face down."""
    roll, total = details
    if roll is HIDDEN:
        return Account(say.build("Dice are rolled, face down."))
    dice = say.render_value(roll, DICE)
    if total is HIDDEN:
        return Account(say.build("%(dice)s is rolled, face down.", dice=dice), what=dice)
    total_phrase = join_phrase(NumberPart(total))
    if operation.table is None:
        return Account(
            say.build("%(dice)s comes to %(total)s.", dice=dice, total=total_phrase), what=dice, after=total_phrase
        )
    row = say.render_row(operation.table, _row_for(say, operation.table, total))
    result = say.build("%(dice)s comes to %(total)s: %(row)s.", dice=dice, total=total_phrase, row=row)
    return Account(result, what=dice, after=row)


def _row_for(say: ValueRenderer, table: str, face: int) -> str:
    """Return the row of a roll table for a result of its roll."""
    return say.ruleset.declarations.tables[table].by_face[face]


def _narrate_draw(say: ValueRenderer, step: Step, operation: Any, details: Details) -> Account:
    if details[0] is HIDDEN and operation.deck:
        sentence = say.build("A card is drawn, face down.")
        return Account(sentence, several="%(count)s cards are drawn, face down.")
    if details[0] is HIDDEN:
        return Account(say.build("Lots are drawn, face down."))
    card = say.render_value(details[0], find_element_type(operation.among.type))
    return Account(say.build("%(card)s is drawn.", card=card), what=card)


def _created(say: ValueRenderer, step: Step, operation: Any, details: Details) -> Account:
    """Return the account of a new object, in the words of the rules if they have some."""
    new = capitalize(say.render_new(operation.kind, details[0]))
    words = say.render_log_words(operation.kind, details[0], "comes", step.words)
    if words is None:
        words = say.build("%(what)s come into play." if is_several(new) else "%(what)s comes into play.", what=new)
    return Account(words, new)


def _removed(say: ValueRenderer, step: Step, operation: Any, details: Details) -> Account:
    """Return the account of an object that leaves the game, in the words of the rules if they have some."""
    kind = _each(operation)
    subject = capitalize(say.render_value(details[0], kind))
    words = say.render_log_words(kind.kind, details[0], "goes", step.words) if isinstance(kind, Entity) else None
    if words is None:
        words = say.build("%(what)s leave play." if is_several(subject) else "%(what)s leaves play.", what=subject)
    return Account(words, subject)


def _narrate_write(say: ValueRenderer, step: Step, operation: Any, details: Details) -> Account:
    """Return the account of a changed name, field or setting, or `NOTHING` if the object itself is hidden."""
    item, name, old, new, *row = details
    if item is HIDDEN:
        return NOTHING
    before, after = say.render_value(old, operation.type), say.render_value(new, operation.type)
    if name.startswith(SHOWN):
        return _narrate_reveal(say, operation, details)
    if new is HIDDEN:
        return _hidden_change(say, operation, details)
    if row:
        return _entry(say, step, operation, details)
    if item is None:
        return Account(
            narrate_name(say, name, new, operation.type, step.procedure), (), say.render_kind(name), before, after
        )
    kind = operation.kind
    whose = kind != GAME_KIND
    section, _, setting = name.partition(".")
    if section == "options":
        title = say.render_option(setting)
        chosen = say.render_setting(setting, new)
        return Account(join_phrase(title, ": ", chosen, "."), (), title, say.render_setting(setting, old), chosen)
    moved = _narrate_move(say, operation, details) if operation.by and whose and old is not HIDDEN else None
    sentence = narrate_change(say, kind, item, name, old, new, operation.type) if moved is None else moved
    who = capitalize(say.render_entity(kind, item)) if whose else ()
    return Account(sentence, who, say.render_field_name(kind, name), before, after)


def _entry(say: ValueRenderer, step: Step, operation: Any, details: Details) -> Account:
    """Return the account of a changed map entry. `details` has the row.

    Its sentence is empty if the rules leave the change unsaid.
    """
    item, name, old, new, row = details
    before, after = say.render_value(old, operation.type), say.render_value(new, operation.type)
    named = say.render_row(operation.table, row)
    if item is None:
        called = say.ruleset.procedures[step.procedure].called.get(name, "")
        noun = say.render_noun(called) if called else lower_first(say.render_kind(name))
        place = say.build("%(value)s for %(row)s", value=noun, row=named)
        sentence = say.build("The %(name)s becomes %(after)s.", name=place, after=after)
        return Account(capitalize(sentence), (), place, before, after)
    kind = operation.kind
    noun = say.build("%(value)s for %(row)s", value=say.render_field_name(kind, name), row=named)
    who = () if kind == GAME_KIND else capitalize(say.render_entity(kind, item))
    if say.ruleset.declarations.kinds[kind].fields[name].log.get("holds") == "":
        sentence = ()
    elif operation.by and who and old is not HIDDEN:
        count = new - old if operation.by == "+" else old - new
        amount = join_phrase(NumberPart(count, MINUS), " ", named)
        if say.ruleset.declarations.kinds[kind].fields[name].unit:
            unit = say.render_amount_of(kind, name, count)
            amount = say.build("%(value)s for %(row)s", value=unit, row=named)
        sentence = _build_move(say, operation.by, who, amount, old, new)
    else:
        place = _belonging(say, who, noun) if who else say.build("the %(noun)s", noun=noun)
        sentence = say.build("%(place)s is now %(after)s.", place=capitalize(place), after=after)
    return Account(sentence, who, noun, before, after)


def _narrate_reveal(say: ValueRenderer, operation: Any, details: Details) -> Account:
    """Return the account of a hidden value that new viewers have seen, or `NOTHING` if there are no new viewers."""
    item, name, old, new = details
    learnt = tuple(player for player in new if player not in old)
    if not learnt:
        return NOTHING
    field = name.removeprefix(SHOWN)
    noun = say.render_field_name(operation.kind, field)
    whose = (
        say.build("the %(noun)s", noun=noun)
        if operation.kind == GAME_KIND
        else _belonging(say, say.render_entity(operation.kind, item), noun)
    )
    who, value = say.render_value(learnt, ListOf(PLAYER)), say.render_field_value(operation.kind, item, field)
    if len(learnt) > 1 and analyze_sight(say.ruleset).includes(learnt, None, say.objects):
        sees = say.build("everybody sees %(what)s", what=whose)
    else:
        sees = say.build("%(who)s see %(what)s" if len(learnt) > 1 else "%(who)s sees %(what)s", who=who, what=whose)
    sentence = join_phrase(sees, ".") if value is None else join_phrase(sees, ": ", value, ".")
    return Account(capitalize(sentence), capitalize(who), whose, (), value or ())


def _hidden_change(say: ValueRenderer, operation: Any, details: Details) -> Account:
    """Return the account of a change for a viewer who may not see the value, or `NOTHING` for a local name.

    The rules' own sentence is used if it is the same for both directions.
    """
    item, name, before, after, *_ = details
    if item is None:
        return NOTHING
    log_words = say.ruleset.declarations.kinds[operation.kind].fields[name].log
    if "holds" in log_words and log_words["holds"] == log_words.get("fails"):
        # A text that is the same for increase and decrease reveals nothing.
        words = say.render_change(operation.kind, item, name, before, after)
        assert words is not None
        return Account(words)
    noun = say.render_field_name(operation.kind, name)
    if operation.kind == GAME_KIND:
        return Account(capitalize(say.build("The %(noun)s may have changed.", noun=noun)), (), noun)
    who = say.render_entity(operation.kind, item)
    place = capitalize(_belonging(say, who, noun))
    return Account(say.build("%(place)s may have changed.", place=place), capitalize(who), noun)


def _narrate_move(say: ValueRenderer, operation: Any, details: Details) -> Phrase:
    """Return the sentence for an amount gained or paid, with the new amount.

    It is the rules' own sentence for the change if they have one.
    """
    item, name, old, new = details
    words = say.render_change(operation.kind, item, name, old, new)
    if words is not None:
        return words
    added = operation.by == "+"
    amount = say.render_amount_of(operation.kind, name, new - old if added else old - new)
    who = capitalize(say.render_entity(operation.kind, item))
    return _build_move(say, operation.by, who, amount, old, new)


def _build_move(say: ValueRenderer, sign: str, who: Phrase, amount: Phrase, old: int, new: int) -> Phrase:
    if old == new:
        return say.build("%(who)s gains nothing." if sign == "+" else "%(who)s pays nothing.", who=who)
    return say.build(_MOVED[sign], who=who, amount=amount, new=(NumberPart(new),))


_MOVED = {
    "+": "%(who)s gains %(amount)s and now has %(new)s.",
    "-": "%(who)s pays %(amount)s and has %(new)s left.",
}
"""The sentences for an amount that an owner gains or loses."""


def _called(say: ValueRenderer, step: Step, operation: Any, details: Details) -> Account:
    procedure = say.render_procedure(operation.procedure)
    return Account(join_phrase(procedure, "."), what=procedure)


def _announced(say: ValueRenderer, step: Step, operation: Any, details: Details) -> Account:
    """Return the account of a sentence of the rules, which is empty for a viewer who may not see all of its values."""
    if HIDDEN in details:
        return NOTHING
    arguments = zip(operation.names, operation.given, details, strict=True)
    given = {name: say.render_value(value, expression.type) for name, expression, value in arguments}
    return Account(say.render_sentence(operation.text, given))


def _finished(say: ValueRenderer, step: Step, operation: Any, details: Details) -> Account:
    """Return the account of the end of the game with its winners, of whom there may be none."""
    winners = [say.render_player(winner) for winner in details[0]]
    if not winners:
        return Account(say.build("The game is over, and nobody has won."))
    message = "The game is over: %(who)s wins." if len(winners) == 1 else "The game is over: %(who)s win."
    together = join_phrase(*(piece for winner in winners for piece in (f" {say.conjunction} ", winner)))[1:]
    return Account(say.build(message, who=together), say.join_list(winners))


_ACCOUNTS: Mapping[str, Callable[[ValueRenderer, Step, Any, Details], Account]] = {
    "asked": _narrate_ask,
    "revealed": _revealed,
    "rolled": _rolled,
    "drawn": _narrate_draw,
    "created": _created,
    "removed": _removed,
    "written": _narrate_write,
    "announced": _announced,
    "called": _called,
    "finished": _finished,
}


LONG_OWNER = 3
"""The number of words from which an owner follows the noun: `the hat of the third Bed`, but `the Bed’s hat`."""


def narrate_name(say: ValueRenderer, name: str, value: Any, kind: Type, procedure: str) -> Phrase:
    """Return the sentence for the new value of a local name, or of a value of the game if `procedure` is empty.

    For a boolean it is the rules' own clause if they have one.
    """
    called = say.ruleset.procedures[procedure].called.get(name, "") if procedure else ""
    place = capitalize(say.build("The %(noun)s", noun=say.render_noun(called)) if called else say.render_kind(name))
    if isinstance(value, bool):
        clauses = say.ruleset.procedures[procedure].clauses.get(name) if procedure else None
        if clauses is not None:
            return join_phrase(capitalize(say.render_words(clauses["holds" if value else "fails"])), ".")
        return say.build("%(place)s now holds." if value else "%(place)s does not hold.", place=place)
    if isinstance(kind, ListOf):
        return say.build("%(place)s, now: %(after)s.", place=place, after=say.render_value(value, kind))
    counted = strip_count(say.render_noun(called))
    if counted and type(value) is int and value not in (1, -1):
        return say.build("There are %(count)s %(noun)s.", count=say.render_value(value, kind), noun=counted)
    # `becomes` matches the book, and avoids “is is now” after a name that ends in `is`.
    message = "%(place)s becomes %(after)s." if called else "%(place)s is now %(after)s."
    return say.build(message, place=place, after=say.render_value(value, kind))


def narrate_change(
    say: ValueRenderer, kind: str, entity: int, name: str, before: Any, value: Any, type_: Type
) -> Phrase:
    """Return the sentence for the new value of a field or of a value of the game. `before` is the old value.

    It is the rules' own sentence if they have one, which may be empty.
    """
    words = say.render_change(kind, entity, name, before, value)
    if words is not None:
        return words
    if isinstance(type_, ListOf) and isinstance(before, tuple) and isinstance(value, tuple):
        return _list(say, kind, entity, name, before, value, type_)
    if kind == GAME_KIND:
        return _of_the_game(say, name, value, type_)
    return capitalize(_narrate_entity(say, kind, entity, name, value, type_))


def _narrate_entity(say: ValueRenderer, kind: str, entity: int, name: str, value: Any, type_: Type) -> Phrase:
    """Return the sentence for the new value of an object's field, without a capital letter."""
    field = say.ruleset.declarations.kinds[kind].fields[name]
    who, noun = say.render_entity(kind, entity), say.render_field_name(kind, name)
    if isinstance(value, bool):
        return say.build("%(who)s is now %(noun)s." if value else "%(who)s is no longer %(noun)s.", who=who, noun=noun)
    if value is None:
        return say.build("%(who)s no longer has %(noun)s.", who=who, noun=_one(say, noun))
    if isinstance(value, int) and field.type == INTEGER and say.is_amount(kind, name):
        return say.build("%(who)s now has %(noun)s.", who=who, noun=say.render_amount_of(kind, name, value))
    after = say.render_value(value, type_)
    if _is_tile(say, type_):
        return say.build("%(who)s goes to %(place)s.", who=who, place=after)
    if f" {to_text(after)}".casefold().endswith(
        f" {to_text(noun)}".casefold()
    ):  # the value's own name already includes the noun
        return say.build("%(who)s now has %(noun)s.", who=who, noun=_one(say, noun))
    return say.build(_AGREEING[_is_term_plural(say, noun)], place=_belonging(say, who, noun), after=after)


def _of_the_game(say: ValueRenderer, name: str, value: Any, type_: Type) -> Phrase:
    """Return the sentence for the new value of the game, by its own clauses or name if it has them."""
    field = say.ruleset.declarations.kinds[GAME_KIND].fields[name]
    words = say.render_noun(field.wording)
    if isinstance(value, bool) and field.clauses:
        return join_phrase(capitalize(say.render_words(field.clauses["holds" if value else "fails"])), ".")
    if value is not None and not isinstance(value, bool):
        noun = words or say.render_kind(name)
        place = say.build("The %(noun)s", noun=noun) if words or name in say.ruleset.declarations.terms else noun
        after = say.render_value(value, type_)
        return say.build(_AGREEING[_is_term_plural(say, noun)], place=capitalize(place), after=after)
    return narrate_name(say, name, value, type_, "")


def _list(
    say: ValueRenderer,
    kind: str,
    entity: int,
    name: str,
    before: tuple[Any, ...],
    after: tuple[Any, ...],
    type_: ListOf,
) -> Phrase:
    """Return the sentence for elements that entered or left a list, or for the whole list if both happened."""
    noun = say.render_field_name(kind, name)
    whole = kind == GAME_KIND
    whose = say.build("the %(noun)s", noun=noun) if whole else _belonging(say, say.render_entity(kind, entity), noun)
    for more, fewer, messages in ((after, before, _ENTERED), (before, after, _LEFT)):
        results = list((Counter(more) - Counter(fewer)).elements())
        if results and not Counter(fewer) - Counter(more):
            what = capitalize(say.render_value(tuple(results), type_))
            inside = 0 if _is_plural(say, noun) else 2
            return say.build(messages[inside + (len(results) > 1)], what=what, list=whose)
    return say.build("%(place)s, now: %(after)s.", place=capitalize(whose), after=say.render_value(after, type_))


_ENTERED = (
    "%(what)s is now among %(list)s.",
    "%(what)s are now among %(list)s.",
    "%(what)s is now in %(list)s.",
    "%(what)s are now in %(list)s.",
)
_LEFT = (
    "%(what)s is no longer among %(list)s.",
    "%(what)s are no longer among %(list)s.",
    "%(what)s is no longer in %(list)s.",
    "%(what)s are no longer in %(list)s.",
)
"""The sentences for one element and for several that entered or left a list: one with a plural noun, or any other."""


def _is_plural(say: ValueRenderer, noun: Phrase) -> bool:
    """Return whether the noun of a list ends with `s`, or with the last word of a term's plural."""
    last = to_text(noun).casefold().rpartition(" ")[2]
    plurals = {term.plural.casefold().rpartition(" ")[2] for term in say.ruleset.declarations.terms.values()}
    return last.endswith("s") or last in plurals


_AGREEING = {False: "%(place)s is now %(after)s.", True: "%(place)s are now %(after)s."}
"""The sentences for a new value, by whether its noun is the plural of a term."""


def _is_term_plural(say: ValueRenderer, noun: Phrase) -> bool:
    """Return whether a noun is the plural of a term with another word for one: `points`, but not `pot of points`."""
    word = to_text(noun).casefold()
    terms = say.ruleset.declarations.terms.values()
    return any(term.plural.casefold() == word != term.name.casefold() for term in terms)


def _belonging(say: ValueRenderer, who: Phrase, noun: Phrase) -> Phrase:
    """Return the owner and the noun: `Player 1’s hat`, or `the hat of the third Bed by the wall` for a long owner."""
    short = len(to_text(who).split()) < LONG_OWNER
    return say.build("%(owner)s’s %(noun)s" if short else "the %(noun)s of %(owner)s", owner=who, noun=noun)


def _one(say: ValueRenderer, noun: Phrase) -> Phrase:
    """Return a noun with its article, or without one if its singular and plural are alike."""
    word = to_text(noun)
    terms = say.ruleset.declarations.terms.values()
    if any(term.name.casefold() == word.casefold() == term.plural.casefold() for term in terms):
        return noun
    return say.build("an %(noun)s" if choose_article(word) == "an" else "a %(noun)s", noun=noun)


def _is_tile(say: ValueRenderer, kind: Type) -> bool:
    """Return whether a type is a position on a board."""
    row = kind.inner if isinstance(kind, Optional) else kind
    return isinstance(row, Row) and say.ruleset.declarations.tables[row.table].is_board
