"""English for the changes that a `set` step makes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rulewright.book.english.expression_english import English
from rulewright.book.english.grammar import begins_with_noun, capitalize, is_long, is_same_noun, strip_markup
from rulewright.book.english.list_members import Members, needs_letter
from rulewright.book.english.phrase import Bond, Lead, Phrase, build, build_command, build_list
from rulewright.language.checked_steps import Target
from rulewright.language.declarations import GAME_KIND, PLAYER_KIND, Formula
from rulewright.language.expressions import typed_ast as t
from rulewright.language.statement import read_target
from rulewright.language.types import BOOLEAN, PLAYER, Boolean, Entity, Integer, ListOf, Row, present

OWNER = "owner"
"""The noun of the field that says to whom an object belongs."""


def describe_assignments(say: English, changes: tuple[tuple[Target, t.Typed], ...], *, apart: bool) -> Phrase:
    """Return the changes of one step as a phrase, which are sentences of their own if `apart`.

    They stand in an order in which none of them reads what an earlier one has changed. Without such an order, they form
    a list below `all at once`. Among other changes, a value that already has the noun of its field is left out.
    """
    formulas = say.style.ruleset.declarations.formulas
    ordered = order_changes(formulas, changes)
    ordered = [each for each in ordered if not _is_known(say, *each)] or ordered
    moved = _moved(say, ordered) if len(ordered) == 2 else None
    if moved is not None:
        return moved
    lines = [_change_if(say, *each) if apart else change(say, *each) for each in ordered or changes]
    if len(lines) == 1:
        return lines[0]
    if not ordered or any(phrase.items for phrase in lines[:-1]):
        return build_list("all at once", lines)
    pieces: list[str | Phrase] = [lines[0]]
    pair = len(lines) == 2 and not isinstance(ordered[0][1], t.If)
    # “The die is now red, and add 2” would be a statement and a command in one.
    mixed = pair and lines[1].command and not lines[0].command
    pair = pair and not mixed
    plain = pair and not isinstance(ordered[1][1], t.If) and lines[0].bond <= Bond.RELATIVE
    for place, phrase in enumerate(lines[1:], start=1):
        depends = any(_reads(formulas, ordered[before], ordered[place][0]) for before in range(place))
        if apart and not pair:
            begins = phrase if depends else replace(phrase, words=capitalize(phrase.words))
            pieces += [". Then " if depends else ". ", begins]
        else:
            pieces += [", then " if depends else ", and " if apart or plain else "; ", phrase]
    return build(*pieces, bond=Bond.OPEN)


Change = tuple[Target, t.Typed]
"""A place, and what is put there."""


def _moved(say: English, changes: list[Change]) -> Phrase | None:
    """Return the clause that something goes from one list to another, or None for other changes.

    It reads `move the card from the player’s hand to the cards laid off`.
    """
    changed_lists: dict[str, tuple[Target, t.Typed]] = {}
    for target, value in changes:
        match value:
            case t.Arithmetic(operator="+" | "-" as operator, left=left, right=right) if (
                isinstance(target.type, ListOf) and target.row is None and reads_exactly(left, target)
            ):
                changed_lists[operator] = target, _single(right)
    if len(changed_lists) < 2 or changed_lists["+"][1] != changed_lists["-"][1]:
        return None
    (origin, what), (goal, _) = changed_lists["-"], changed_lists["+"]
    return build_command("move ", say.inside(what), " from ", place_of(say, origin), " to ", place_of(say, goal))


def order_changes(formulas: Mapping[str, Formula], changes: tuple[Change, ...]) -> list[Change]:
    """Return the changes in an order in which they come to the same one by one, or an empty list if there is none."""
    left, ordered = list(changes), list[Change]()
    while left:
        free = (
            each for each in left if not any(_reads(formulas, other, each[0]) for other in left if other is not each)
        )
        first = next(free, None)
        if first is None:
            return []
        left.remove(first)
        ordered.append(first)
    return ordered


def _reads(formulas: Mapping[str, Formula], change: Change, target: Target) -> bool:
    """Return whether a change reads the target of another, in its value or on the way to its own place."""
    place, value = change
    waiting = [value, *(part for part in (place.base, place.row) if part is not None)]
    known: set[str] = set()
    while waiting:
        for part in waiting.pop().walk():
            match part:
                case t.Local(slot=slot) if target.base is None and slot == target.slot:
                    return True
                case t.Stored(field=field) if target.base is not None and field == target.field:
                    return True
                case t.After():
                    return True
                case t.Invoke(formula=formula) if formula not in known:
                    known.add(formula)
                    waiting.append(formulas[formula].body)
    return False


def _is_known(say: English, target: Target, value: t.Typed) -> bool:
    """Return whether a value goes by the noun of the place that it is put into, so that readers know of the change."""
    plain = isinstance(value, t.Local | t.Stored) and value.type != BOOLEAN
    return plain and is_same_noun(say.phrase(value).words, place_of(say, target).words)


def _change_if(say: English, target: Target, value: t.Typed) -> Phrase:
    """Return one change as a sentence that begins with the condition, if the new value depends on one."""
    match value:
        case t.If(condition=condition, then=then, otherwise=otherwise) if not (
            isinstance(target.type, Boolean) or isinstance(otherwise, t.If)
        ):
            unchanged = reads_exactly(then, target)
            clause = say.clause(condition, holds=not unchanged)
            first = change(say, target, otherwise if unchanged else then)
            if not clause.items and not first.items:
                same = unchanged or reads_exactly(otherwise, target)
                other = () if same else ("; otherwise, ", change(say, target, otherwise))
                return build("if ", clause, ", ", first, *other, bond=Bond.OPEN)
    return change(say, target, value)


def change(say: English, target: Target, value: t.Typed) -> Phrase:
    """Return one change as a clause that can begin a sentence."""
    owned = target.base is not None and target.kind != GAME_KIND
    if target.kind == GAME_KIND and target.field.startswith("options.") and target.base is not None:
        setting = t.Stored(target.type, target.base, target.kind, target.field)
        return build_command("change ", place_of(say, target), " to ", _setting(say, setting, value))
    if isinstance(target.type, Boolean):
        return _truth(say, target, value)
    place = place_of(say, target)
    match value:
        case t.Arithmetic(operator="+", left=t.Arithmetic(operator="-", left=left, right=less), right=more) if (
            isinstance(target.type, ListOf) and reads_exactly(left, target)
        ):
            first = _by_amount(say, target, place, more=False, by=less)
            return build(first, ", and add ", say.inside(_single(more)), " to it", bond=Bond.OPEN)
        case t.Arithmetic(operator="+" | "-" as operator, left=left, right=right) if reads_exactly(left, target):
            return _by_amount(say, target, place, more=operator == "+", by=right)
        case t.Constant(value=None):
            return _emptied(say, target, place)
        case t.Items(items=()) if isinstance(target.type, ListOf) and target.row is None:
            return _emptied(say, target, place)
        case t.Aggregate(function="list", order=None, condition=t.Typed() as condition, source=source) if (
            reads_exactly(source, target) and _is_itself(value) and not needs_letter(say, value)
        ):
            removed = _removed(value.variable, condition)
            if removed is not None:
                return build_command("remove ", say.inside(removed), " from ", place)
            which = Members(say, value).which
            assert which is not None
            return build_command("of ", place, ", keep only those ", which, bond=Bond.OPEN)
        case t.Aggregate(function="list", order=t.Variable(name=name), condition=None, source=source) if (
            _is_itself(value) and name == value.variable
        ):
            them = "them" if say.naming.is_several(place.words) else "it"
            match source:
                case t.Arithmetic(operator="+", left=left, right=more) if reads_exactly(left, target):
                    return build_command(
                        "add ", say.inside(_single(more)), " to ", place, f", and sort {them}", bond=Bond.OPEN
                    )
            if reads_exactly(source, target):
                return build_command("sort ", place)
        case t.Items(items=(item,)) if isinstance(target.type, ListOf):
            return build(place, f" {_be(say, target)} now just ", say.phrase(item))
    if clause := _describe_taking(say, target, value):
        return clause
    phrase = say.phrase(value)
    if is_same_noun(phrase.words, place.words):
        return build_command("note ", place)
    if target.row is None and isinstance(present(target.type), Integer):
        owner = say.inside(target.base) if target.base is not None and owned else None
        # The verb would be that of a relative clause after “the Bed that …”.
        if (
            owner is None
            or phrase.items
            or not say.naming.is_counted(target.kind, target.field)
            or is_long(owner.words)
        ):
            return build_command("set ", place, " to ", phrase)
        unit = say.naming.unit(target.field, kind=target.kind)
        counts = any(begins_with_noun(phrase.words, noun) for noun in (unit, f"number of {unit}"))
        named = isinstance(value, t.Local) and "." not in value.name and (counts or phrase.lead != Lead.THE)
        # An amount without a number or a name has no owner.
        if not (named or isinstance(value, t.Constant) or phrase.lead == Lead.WHAT):
            return build_command("set ", place, " to ", phrase)
        return build(owner, " now has ", _amount(say, target, value))
    firm = phrase.bond <= Bond.RELATIVE and not phrase.items
    if present(target.type) == PLAYER:
        if owned and target.base is not None and _is_owner(say, target) and not phrase.items:
            return build(say.inside(target.base), " now belongs to ", phrase)
        if target.kind == GAME_KIND and target.field == PLAYER_KIND and target.base is not None and not phrase.items:
            return build("the turn passes to ", phrase)
        if isinstance(value, t.Apply) and value.function == "next" and _is_next_player(value, target):
            return build(f"the next {say.naming.kind(PLAYER_KIND)} becomes ", place)
        # “The player becomes the player who …” would read as if nothing changed.
        if firm and not begins_with_noun(place.words, say.naming.kind(PLAYER_KIND)):
            return build(phrase, " becomes ", place)
    if owned and target.base is not None and _is_only_place(say, target):
        return build_command("move ", say.inside(target.base), " to ", phrase)
    # What a thing becomes always comes last: `the card becomes the upcard`. A property does not become something.
    is_property = owned and isinstance(present(value.type), Row)
    if firm and target.row is None and _is_thing(value) and not (is_property or say.naming.is_several(phrase.words)):
        return build(phrase, " becomes ", place)
    return build(place, f" {_be(say, target)} now ", phrase)


def _describe_taking(say: English, target: Target, value: t.Typed) -> Phrase | None:
    """Return the clause that a player takes things of others, such as a hand, or None for other changes."""
    base = target.base
    inner = target.type.inner if isinstance(target.type, ListOf) else present(target.type)
    if base is None or base.type != PLAYER or target.row is not None or not isinstance(value, t.Local | t.Stored):
        return None
    if not isinstance(inner, Row | Entity) or (
        inner is not getattr(target.type, "inner", None) and not say.naming.is_dealt(inner)
    ):
        return None
    phrase, noun = say.phrase(value), say.naming.field(target.kind, target.field)
    if phrase.items or phrase.bond > Bond.RELATIVE or (isinstance(value, t.Stored) and value.base == base):
        return None
    taker = build(say.inside(base), " takes ", phrase)
    return taker if is_same_noun(phrase.words, noun) else build(taker, f" as their {noun}")


def _is_thing(value: t.Typed) -> bool:
    """Return whether a value is an object or a row that is not named in the rules, such as the suit of a card."""
    return isinstance(present(value.type), Entity | Row) and not isinstance(value, t.Constant)


def _is_owner(say: English, target: Target) -> bool:
    """Return whether a field says to whom an object belongs."""
    return strip_markup(say.naming.field(target.kind, target.field)) == OWNER


def _is_next_player(value: t.Apply, target: Target) -> bool:
    """Return whether a value is the player after the one in the place that is changed."""
    item, *among = value.arguments
    return reads_exactly(item, target) and among == [t.Objects(ListOf(PLAYER), PLAYER_KIND)]


def _be(say: English, target: Target) -> str:
    """Return the verb between a place and what it is now."""
    owned = target.base is not None and target.kind != GAME_KIND
    return say.naming.be(say.naming.field(target.kind, target.field) if owned else place_of(say, target).words)


def _is_only_place(say: English, target: Target) -> bool:
    """Return whether a field is where an object is: the only one of its kind that holds a space of a board."""
    fields = say.style.ruleset.declarations.kinds[target.kind].fields.values()
    return target.row is None and [field.type for field in fields if say.naming.is_place(field.type)] == [target.type]


def _single(added: t.Typed) -> t.Typed:
    """Return the only element of a list that is written out, or else the list."""
    return added.items[0] if isinstance(added, t.Items) and len(added.items) == 1 else added


def _by_amount(say: English, target: Target, place: Phrase, *, more: bool, by: t.Typed) -> Phrase:
    """Return the clause that something is added to a place or taken from it.

    It reads `the Bed loses 2 Seeds` for a counted field, and `reduce the price by 2` for others. Of lists, it reads
    `remove … from …`.
    """
    if isinstance(target.type, ListOf):
        return build_command(
            "add " if more else "remove ", say.inside(_single(by)), " to " if more else " from ", place
        )
    naming, owned = say.naming, target.base is not None and target.kind != GAME_KIND and target.row is None
    if target.base is not None and owned and naming.is_counted(target.kind, target.field):
        return build(say.inside(target.base), " gains " if more else " loses ", _amount(say, target, by))
    if more:
        return build_command("add ", say.inside(by), " to ", place)
    return build_command("reduce ", place, " by ", say.inside(by))


def _amount(say: English, target: Target, amount: t.Typed) -> Phrase:
    """Return an amount with the unit of the place that it is added to."""
    phrase = say.phrase(amount)
    text = say.naming.amount(
        phrase.words,
        target.field,
        number=amount.value if isinstance(amount, t.Constant) and type(amount.value) is int else None,
        lead=phrase.lead,
        simple=isinstance(amount, t.Local) and "." not in amount.name,
        kind=target.kind,
    )
    return replace(phrase, words=text, lead=Lead.NONE)


def _emptied(say: English, target: Target, place: Phrase) -> Phrase:
    """Return the clause that a place has nothing in it any more."""
    if target.row is not None and target.kind == GAME_KIND and not isinstance(target.type, ListOf):
        held = say.naming.of_the_game(target.field, target.type)
        return build(say.inside(target.row), f" no longer has {say.naming.one(held.rest)}")
    if target.row is not None or target.base is None:
        return build_command("clear " if isinstance(target.type, ListOf) else "forget ", place)
    noun = say.naming.field(target.kind, target.field)
    several = say.naming.is_several(noun)
    if isinstance(target.type, ListOf) and not several:
        return build_command("clear ", place)
    some = f"any {noun}" if several else say.naming.one(noun)
    if target.kind == GAME_KIND:
        return Phrase(f"there {'are' if several else 'is'} no longer {some}")
    if present(target.type) == PLAYER and _is_owner(say, target):
        return build(say.inside(target.base), " now belongs to nobody")
    return build(say.inside(target.base), f" no longer has {some}")


def _removed(variable: str, condition: t.Typed) -> t.Typed | None:
    """Return what a list goes without if its members need only be different from it, or None otherwise."""
    match condition:
        case t.Comparison(operator="!=", left=t.Variable(name=name), right=value) if name == variable:
            free = not any(isinstance(part, t.Variable) and part.name == variable for part in value.walk())
            return value if free else None
    return None


def _is_itself(node: t.Aggregate) -> bool:
    return isinstance(node.element, t.Variable) and node.element.name == node.variable


def _setting(say: English, setting: t.Stored, value: t.Typed) -> Phrase:
    """Return the new value of a setting, in the setting's own words."""
    match value:
        case t.Constant(value=choice, type=kind):
            return Phrase(say.constant(choice, kind, beside=setting))
        case t.If(condition=condition, then=then, otherwise=otherwise):
            first, second = _setting(say, setting, then), _setting(say, setting, otherwise)
            return build(first, " if ", say.clause(condition), ", otherwise ", second, bond=Bond.OPEN)
    return say.phrase(value)


def place_of(say: English, target: Target) -> Phrase:
    """Return the phrase for the target of a change."""
    return say.phrase(read_target(target))


def _truth(say: English, target: Target, value: t.Typed) -> Phrase:
    """Return the change of a boolean target."""
    place = read_target(target)
    if target.row is not None:
        return build_command("set ", place_of(say, target), " to ", say.phrase(value))
    if isinstance(value, t.Constant):
        kinds = say.style.ruleset.declarations.kinds
        base, kind = target.base, target.kind
        if base is not None and kind != GAME_KIND and not kinds[kind].fields[target.field].clauses:
            now = "now" if value.value else "no longer"
            return build(say.inside(base), f" is {now} {say.naming.field(kind, target.field)}")
        return build_command("note that ", say.clause(place, holds=bool(value.value)))
    return describe_condition_of(say, say.clause(place), value)


def describe_condition_of(say: English, held: str | Phrase, value: t.Typed) -> Phrase:
    """Return the clause that something is so on a condition, and otherwise not."""
    return build(held, " if ", say.clause(value), bond=Bond.OPEN)


def reads_exactly(node: t.Typed, target: Target) -> bool:
    """Return whether an expression reads exactly the target."""
    match node:
        case t.Entry(base=base, key=key) if target.row is not None:
            return key == target.row and reads_exactly(base, replace(target, row=None))
        case _ if target.row is not None:
            return False
        case t.Local(slot=slot):
            return slot == target.slot
        case t.Stored(base=base, field=field):
            return target.base is not None and field == target.field and base == target.base
    return False
