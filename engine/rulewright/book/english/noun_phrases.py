"""Noun phrases for values."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from rulewright.book.english import aggregate_phrases
from rulewright.book.english.clauses import Say
from rulewright.book.english.grammar import capitalize
from rulewright.book.english.list_members import all_rows, is_heap
from rulewright.book.english.naming import humanize
from rulewright.book.english.phrase import Bond, Lead, Phrase, add_article, build, build_list, join_phrases
from rulewright.book.english.sums import describe_case, describe_sum, is_minus
from rulewright.dice.ast import Roll
from rulewright.engine.narration.render_values import ORDINALS, format_ordinal
from rulewright.language.builtin import list_functions_of_values
from rulewright.language.declarations import GAME_KIND, PLAYER_KIND
from rulewright.language.expressions import typed_ast as t
from rulewright.language.types import (
    INTEGER,
    PLAYER,
    ByPlayer,
    Dice,
    Entity,
    Integer,
    ListOf,
    MapOf,
    RecordOf,
    Row,
    present,
)
from rulewright.ruleset.boards.board_layout import TOWARD

ROUNDING = {
    "truncate": ", dropping any fraction",
    "down": ", rounded down",
    "up": ", rounded up",
    "nearest": ", rounded to the nearest",
}
"""Words after a division, by rounding mode."""


def constant(say: Say, node: t.Constant) -> Phrase:
    """Return the phrase for a constant. All rows of a table become `all Tiles` or `the rows of the table …`."""
    table = all_rows(say, node)
    tile = say.naming.tile(table) if table else None
    if tile is not None:
        return Phrase(f"all {say.style.term(tile, plural=True)}", lead=Lead.ALL)
    noun = say.naming.member(Row(table), several=True) if table else ""
    if noun:
        return Phrase(f"all {noun}", lead=Lead.ALL)
    if table:
        return add_article(say.naming.rows(table))
    several = isinstance(node.value, tuple) and len(node.value) > 1
    return Phrase(say.constant(node.value, node.type), Bond.OPEN if several else Bond.WORD)


def local(say: Say, node: t.Local) -> Phrase:
    """Return the phrase for a name bound in the procedure, or for a part of its value."""
    base, _, part = node.name.partition(".")
    if part:
        return add_article(f"{say.naming.role(part)} of {say.naming.describe_result(base, say.called)}")
    term = say.naming.countable(node.name)
    if isinstance(present(node.type), Integer) and term is not None and node.name not in say.called.words:
        if node.name == term.id:
            return add_article(say.style.term(term))
        return add_article(f"number of {say.style.term(term, plural=True)}")
    return say.naming.bound(node.name, node.type, say.called)


def variable(say: Say, node: t.Variable) -> Phrase:
    """Return the phrase for a variable bound inside the expression, which is a pronoun, a letter or a name."""
    instead = say.find_stand_in(node.name)
    if instead is not None:
        return instead
    if node.name == say.it:
        return Phrase(say.pronoun, lead=Lead.IT if say.pronoun == Lead.IT else Lead.NONE)
    letter = say.introduced(node.name)
    if letter:
        return Phrase(say.style.name(letter))
    kind = present(node.type)
    if node.name in ("self", "it") and isinstance(kind, Entity):
        return Phrase(f"this {say.naming.kind(kind.kind)}")
    return say.naming.bound(node.name, node.type, say.called)


def objects(say: Say, node: t.Objects) -> Phrase:
    """Return the phrase for all objects of a kind."""
    return Phrase(f"all {say.naming.kind(node.kind, several=True)}", Bond.NOUN)


def stored(say: Say, node: t.Stored) -> Phrase:
    """Return the phrase for a field of an object or of the game, for a setting, or for the cards left in a deck."""
    if node.kind == GAME_KIND:
        section, _, name = node.field.partition(".")
        if section == "options" and name:
            return add_article(f"setting {say.naming.option(name)}")
        if section == "deck" and name:
            return add_article(f"cards left in {say.naming.the_deck(name)}")
        return say.naming.of_the_game(node.field, node.type)
    return say.owned(node.base, say.naming.field(node.kind, node.field))


def cards_left(say: Say, node: t.CardCount) -> Phrase:
    """Return the phrase for the number of cards left in a deck."""
    return build("the number of cards left in ", deck(say, node.deck, node.owner), bond=Bond.NOUN, lead=Lead.THE)


def deck_cards(say: Say, node: t.DeckCards) -> Phrase:
    """Return the phrase for the cards left in a deck."""
    return build("the cards left in ", deck(say, node.deck, node.owner), bond=Bond.NOUN, lead=Lead.THE)


def deck(say: Say, identity: str, owner: t.Typed | None) -> Phrase:
    """Return the phrase for a deck, which `owner` has, or that all share: `the player’s Pile`, `the Pile`."""
    if owner is None:
        return Phrase(say.naming.the_deck(identity), Bond.NOUN)
    return say.owned(owner, say.naming.deck_of(identity))


def _name_column(say: Say, node: t.Cell) -> str:
    """Return the noun for a column. An id such as `first` is no noun: `the first of the Cards` is one of them."""
    words = say.naming.column(node.table, node.column)
    is_ordinal = node.column in (*ORDINALS, "last") and words == say.style.escape(node.column)
    return f"entry under {say.style.name(node.column)}" if is_ordinal else words


def cell(say: Say, node: t.Cell) -> Phrase:
    """Return the phrase for a cell of a table, or for the place of a row in its table."""
    table = say.naming.table(node.table)
    if node.column == t.ROW_RANK:
        row = say.inside(node.base)
        if row.lead == Lead.IT:
            return Phrase(f"its place in {table}", Bond.NOUN, lead=Lead.ITS)
        return build("the place of ", row, f" in {table}", bond=Bond.NOUN, lead=Lead.THE)
    only = len(say.style.ruleset.declarations.tables[node.table].columns) == 1
    column = _name_column(say, node)
    match node.base:
        case t.Lookup(key=key):
            row = say.inside(key)
        case _:
            row = say.inside(node.base)
    if only and not say.naming.has_words(node.table, node.column) and not say.naming.is_list_title(node.table):
        return build(f"what {say.naming.the_table(node.table)} shows for ", row, bond=Bond.NOUN, lead=Lead.WHAT)
    if isinstance(node.base, t.Lookup):
        return build(
            f"the {column} that {say.naming.the_table(node.table)} gives for ", row, bond=Bond.NOUN, lead=Lead.THE
        )
    if isinstance(node.base, t.Constant):
        return build(f"the {column} of ", row, lead=Lead.THE)
    return say.owned(node.base, column)


def lookup(say: Say, node: t.Lookup) -> Phrase:
    """Return the phrase for a table row found by its id."""
    return build("the row for ", say.inside(node.key), f" in {say.naming.the_table(node.table)}", bond=Bond.NOUN)


def entry(say: Say, node: t.Entry) -> Phrase:
    """Return the phrase for the entry of a map at a row, or for one player's part of a simultaneous choice."""
    if isinstance(node.base, t.Local | t.Variable) and isinstance(node.base.type, ByPlayer):
        return say.owned(node.key, say.naming.bare(node.base.name, say.called))
    value = say.inside(node.base, Bond.WORD)
    row = say.inside(node.key)
    if row.lead == Lead.IT and value.lead == Lead.THE and not isinstance(node.base, t.Cell):
        return Phrase(f"its {value.rest}", lead=Lead.ITS)
    between = " toward " if isinstance(node.base, t.Cell) and node.base.column == TOWARD else " for "
    return build(value, between, row, bond=Bond.NOUN)


def part_of(say: Say, node: t.PartOf) -> Phrase:
    """Return the phrase for a part of a record."""
    return say.owned(node.base, say.naming.part_of_record(node.record, node.part))


def record(say: Say, kind: RecordOf, held: tuple[Phrase, ...]) -> Phrase:
    """Return the phrase for a new record. Short parts follow in brackets, longer ones in a list.

    `held` has the phrase for each part, in the order of the parts.
    """
    named = [
        build(f"{say.naming.part_of_record(kind.name, name)} ", each)
        for (name, _), each in zip(kind.parts, held, strict=True)
    ]
    one = say.naming.one(say.naming.record(kind.name))
    if all(each.bond <= Bond.WORD and not each.items for each in held):
        inside: list[str | Phrase] = [f"{one} ("]
        for place, each in enumerate(named):
            inside += [", " if place else "", each]
        return build(*inside, ")", bond=Bond.WORD)
    return build_list(
        f"{one} with these",
        [
            build(f"{say.naming.part_of_record(kind.name, name)}: ", each)
            for (name, _), each in zip(kind.parts, held, strict=True)
        ],
    )


def nth(say: Say, node: t.Nth) -> Phrase:
    """Return the phrase for a member of a list by position.

    Players are named by seat. The single object of a kind needs no ordinal.
    """
    if node.source == t.Objects(ListOf(PLAYER), PLAYER_KIND):
        return Phrase(f"{capitalize(say.naming.kind(PLAYER_KIND))} {node.place}")
    if isinstance(node.source, t.Objects):
        kind = node.source.kind
        which = "" if kind in say.called.alone and node.place == 1 else f"{format_ordinal(node.place)} "
        return add_article(f"{which}{say.naming.kind(kind)}")
    return build(f"the {format_ordinal(node.place)} of ", say.inside(node.source), bond=Bond.NOUN, lead=Lead.THE)


def element(say: Say, node: t.ListElement) -> Phrase:
    """Return the phrase for an element of a list by its index, or for the answer of one of several asked players."""
    if node.among is not None and isinstance(node.source, t.Local):
        return say.owned(node.key, say.naming.bare(node.source.name, say.called))
    source = say.inside(node.source)
    if isinstance(node.key, t.Constant) and isinstance(node.key.value, int):
        return build(f"the {format_ordinal(node.key.value)} of ", source, bond=Bond.NOUN, lead=Lead.THE)
    return build("the one of ", source, " whose number is ", say.inside(node.key), bond=Bond.NOUN, lead=Lead.THE)


def by_row(say: Say, kind: MapOf, held: tuple[Phrase, ...]) -> Phrase:
    """Return the phrase for a map, with the most common value given once for all other rows.

    `held` has the phrase for each row, in the order of the rows. Without rows, the phrase is `nothing`.
    """
    rows = say.style.ruleset.declarations.tables[kind.table].rows
    usual = Counter(each.words for each in held).most_common(1)[0][0] if held else ""
    named = [
        build(each, f" for {say.constant(row, Row(kind.table))}", bond=each.bond)
        for row, each in zip(rows, held, strict=True)
        if each.words != usual
    ]
    rest = [Phrase(f"{usual} for each {'other ' if named else ''}row of {say.naming.the_table(kind.table)}")]
    every = [*named, *(rest if len(named) < len(held) else [])]
    if all(phrase.bond <= Bond.NOUN and not phrase.items for phrase in every):
        return join_phrases(every).bound(Bond.OPEN) if every else Phrase("nothing")
    return build_list("these", every)


def arithmetic(say: Say, node: t.Arithmetic) -> Phrase:
    """Return the phrase for an arithmetic expression."""
    dice = _notation(say, node) if isinstance(node.type, Dice) and node.operator in ("+", "-") else ""
    if dice:
        return Phrase(dice)
    reckoned = _describe_parameters(say, node)
    if reckoned:
        return Phrase(reckoned, Bond.OPEN)
    match node.operator:
        case "+" if isinstance(node.type, ListOf):
            return _together(say, node)
        case "-" if isinstance(node.type, ListOf):
            items = node.right.items if isinstance(node.right, t.Items) else ()
            removed = say.inside(items[0] if len(items) == 1 else node.right, Bond.WORD)
            return build(say.inside(node.left), " without ", removed, bond=Bond.OPEN)
        case "-" if node.left == t.Constant(INTEGER, 0):
            return build("minus ", say.inside(node.right, Bond.WORD), bond=Bond.OPEN)
        case "+" | "-":
            return describe_sum(say, node)
        case "*":
            return _product(say, node)
        case "/":
            return _quotient(say, node)
    left, right = say.inside(node.left), say.inside(node.right, Bond.WORD)
    return build("what is left over when ", left, " is divided by ", right, bond=Bond.OPEN, lead=Lead.WHAT)


def _quotient(say: Say, node: t.Arithmetic) -> Phrase:
    """Return the phrase for a division, such as `half of their points, rounded down`."""
    rounding = ROUNDING.get(node.rounding or "", "")
    if node.rounding == "truncate" and _is_never_negative(say, node):
        rounding = ROUNDING["down"]
    left = _divided(say, node.left)
    if isinstance(node.right, t.Constant) and node.right.value in _FRACTIONS:
        return build(f"{_FRACTIONS[node.right.value]} of ", left, rounding, bond=Bond.OPEN)
    is_bounded = isinstance(node.right, t.Apply) and node.right.function in ("max", "min") and bool(rounding)
    right = say.inside(node.right, Bond.RELATIVE if is_bounded else Bond.NOUN)
    return build(left, " divided by ", right, rounding, bond=Bond.OPEN)


def _divided(say: Say, node: t.Typed) -> Phrase:
    """Return what is divided, which is `their Points` instead of `their number of Points`."""
    match node:
        case t.Stored(base=t.Typed() as base, kind=kind, field=field) if kind != GAME_KIND and say.naming.is_counted(
            kind, field
        ):
            return say.owned(base, say.naming.unit(field, kind=kind))
    return say.inside(node)


_FRACTIONS = {2: "half", 3: "a third", 4: "a quarter", 5: "a fifth", 10: "a tenth"}


def _is_never_negative(say: Say, node: t.Typed) -> bool:
    """Return whether a value is plainly 0 or more: a count, or a sum, product or quotient of counts."""
    match node:
        case t.Constant(value=int(value)):
            return value >= 0
        case t.Stored(kind=kind, field=field) if field in say.naming.declared.kinds[kind].fields:
            return say.naming.declared.kinds[kind].fields[field].minimum == 0
        case t.Aggregate(function="count"):
            return True
        case t.Apply(function="max", arguments=arguments):
            return any(_is_never_negative(say, each) for each in arguments)
        case t.Arithmetic(operator="+" | "*" | "/", left=left, right=right):
            return _is_never_negative(say, left) and _is_never_negative(say, right)
        case t.Local(name=name):
            return bool(say.naming.counted(name, say.called))
    return False


_SIGNS = {"+": "plus", "-": "minus", "*": "times", "/": "divided by"}


def _describe_parameters(say: Say, node: t.Arithmetic) -> str:
    """Return arithmetic on two constants with the names of parameters, such as `1 (bonus) plus 1`.

    Return an empty string unless both sides are integer constants and at least one is a parameter of the rules.
    """
    match node.left, node.right:
        case t.Constant(value=int(first)), t.Constant(value=int(second)) if node.operator in _SIGNS and not is_minus(
            node
        ):
            numbers = say.style.ruleset.declarations.numbers
            if node.left.name not in numbers and node.right.name not in numbers:
                return ""
            left, right = (
                f"{value} ({say.style.escape(humanize(side.name))})"
                if side.name and side.name in numbers
                else f"{value}"
                for side, value in ((node.left, first), (node.right, second))
            )
            return f"{left} {_SIGNS[node.operator]} {right}{ROUNDING.get(node.rounding or '', '')}"
    return ""


def _notation(say: Say, node: t.Typed) -> str:
    """Return dice notation as the rules write it, such as `2d6 +6 + 1d6`, or `3 × 2d6` for a multiple of a roll.

    Return an empty string if a part has to be computed first.
    """
    match node:
        case t.Constant(value=value, type=kind):
            return say.constant(value, kind)
        case t.Arithmetic(operator="+" | "-" as operator, left=left, right=t.Constant(value=value, type=kind)):
            first, second = _notation(say, left), say.constant(value, kind)
            sign = "+" if operator == "+" else "\N{MINUS SIGN}"
            return f"{first} {sign}{'' if isinstance(value, int) else ' '}{second}" if first else ""
        case t.Arithmetic(operator="*", left=t.Constant(value=int(many)), right=t.Constant(value=Roll()) as roll) | (
            t.Arithmetic(operator="*", left=t.Constant(value=Roll()) as roll, right=t.Constant(value=int(many)))
        ) if many >= 0:
            return f"{many} \N{MULTIPLICATION SIGN} {say.constant(roll.value, roll.type)}"
    return ""


def _together(say: Say, node: t.Arithmetic) -> Phrase:
    """Return the phrase for lists joined with `+`, which is a list itself if the last of them is no plain word."""
    right = say.phrase(node.right)
    if right.bond > Bond.WORD:
        return build_list("all of these together", [*(say.phrase(part) for part in _terms(node.left)), right])
    left = say.inside(node.left, Bond.WORD)
    return build(left, " together with ", right, bond=Bond.OPEN)


def _terms(node: t.Typed) -> list[t.Typed]:
    """Return the lists that a concatenation joins, in order."""
    if isinstance(node, t.Arithmetic) and node.operator == "+" and isinstance(node.type, ListOf):
        return [*_terms(node.left), *_terms(node.right)]
    return [node]


def _product(say: Say, node: t.Arithmetic) -> Phrase:
    """Return the phrase for a product, or for a roll that is multiplied."""
    if isinstance(node.type, Dice):
        roll, factor = (node.left, node.right) if isinstance(node.left.type, Dice) else (node.right, node.left)
        text = say.inside(roll, Bond.WORD), say.inside(factor, Bond.WORD)
        return build("one roll of ", text[0], ", multiplied by ", text[1], bond=Bond.OPEN)
    for factor, counted in ((node.left, node.right), (node.right, node.left)):
        if isinstance(factor, t.Constant) and isinstance(counted, t.Aggregate) and counted.function == "count":
            each = aggregate_phrases.describe_each_counted(say, counted)
            if each is not None:
                return build(f"{say.constant(factor.value, factor.type)} for ", each, bond=Bond.OPEN)
    for factor, other in ((node.left, node.right), (node.right, node.left)):
        if isinstance(factor, t.Constant) and factor.value == 1:
            return say.phrase(other)
    left, right = node.left, node.right
    if isinstance(right, t.Constant) and not isinstance(left, t.Constant):
        left, right = right, left
    if isinstance(left, t.Constant) and left.value == 2:
        return build("twice ", say.inside(right), bond=Bond.OPEN)
    if left == right:
        return build(say.inside(left), " multiplied by itself", bond=Bond.OPEN)
    first, second = say.phrase(left), say.phrase(right)
    # Only the last factor may be longer than a name.
    if second.bond == Bond.WORD and first.bond == Bond.NOUN and not first.items:
        first, second = second, first
    return build(say.fit(first, Bond.WORD), " times ", say.fit(second), bond=Bond.OPEN)


def coalesce(say: Say, node: t.Coalesce) -> Phrase:
    """Return the phrase for a value with fallbacks."""
    tried: list[t.Typed] = []
    rest: t.Typed = node
    while isinstance(rest, t.Coalesce):
        tried.insert(0, rest.otherwise)
        rest = rest.first
    lines = [say.phrase(part) for part in (rest, *tried)]
    if all(phrase.bond <= Bond.NOUN for phrase in lines):
        pieces: list[str | Phrase] = [lines[0]]
        for phrase in lines[1:]:
            pieces += [" or else ", phrase]
        return build(*pieces, bond=Bond.OPEN)
    return build_list("the first of these that is there", lines)


def is_fallback(node: t.If) -> bool:
    """Return whether a conditional value is something that there is, or else another value."""
    match node.condition:
        case t.Present(operand=operand):
            return node.then in (operand, t.Items(node.type, (operand,)))
        case t.Aggregate(function="any", element=t.Variable(name=name), variable=variable, condition=None):
            return name == variable and node.then == node.condition.source
    return False


def _fall_back(say: Say, node: t.If) -> Phrase | None:
    """Return a value and the one that replaces it, such as `the marked Beds, or all Beds if there are none`.

    Return None for values that are no nouns, and for lists that always exist, such as a hand.
    """
    if isinstance(node.condition, t.Present) and node.then == node.condition.operand:
        return coalesce(say, t.Coalesce(node.type, node.then, node.otherwise))
    is_list = isinstance(node.condition, t.Aggregate)
    if is_list and is_heap(say, node.then):
        return None
    first, second = say.phrase(node.then), say.phrase(node.otherwise)
    if max(first.bond, second.bond) > Bond.NOUN or first.items or second.items:
        return None
    return build(first, ", or ", second, f" if there {'are' if is_list else 'is'} none", bond=Bond.OPEN)


def choice(say: Say, node: t.If) -> Phrase:
    """Return the phrase for a conditional value."""
    fallback = _fall_back(say, node) if is_fallback(node) else None
    if fallback is not None:
        return fallback
    cases: list[tuple[Phrase, Phrase]] = []
    rest: t.Typed = node
    while isinstance(rest, t.If):
        cases.append((describe_case(say, rest.then), say.clause(rest.condition)))
        rest = rest.otherwise
    last = say.phrase(rest)
    if len(cases) == 1 and not last.items and not (cases[0][1].items or cases[0][1].joint):
        then, condition = cases[0]
        return build(then, " if ", condition, ", otherwise ", last, bond=Bond.OPEN)
    listed = [build(then, " if ", condition, bond=Bond.OPEN) for then, condition in cases]
    return build_list("the first of these that applies", [*listed, build("otherwise ", last, bond=Bond.OPEN)])


def items(say: Say, node: t.Items) -> Phrase:
    """Return the phrase for a list, map or record that the rules write out.

    A list of one item is the phrase for this item. An empty list is `nobody` for players, and otherwise `an empty
    list`.
    """
    if isinstance(node.type, MapOf):
        return by_row(say, node.type, tuple(say.phrase(item) for item in node.items))
    if isinstance(node.type, RecordOf):
        return record(say, node.type, tuple(say.phrase(item) for item in node.items))
    if not node.items:
        inner = node.type.inner if isinstance(node.type, ListOf) else None
        return Phrase("nobody" if inner == Entity("player") else "an empty list")
    lines = [say.phrase(item) for item in node.items]
    if len(lines) == 1:
        return lines[0]
    if all(phrase.bond <= Bond.WORD for phrase in lines[:-1]) and lines[-1].bond <= Bond.NOUN:
        return join_phrases(lines).bound(Bond.OPEN)
    return build_list("these", lines)


def apply(say: Say, node: t.Apply) -> Phrase:
    """Return the phrase for a call of a builtin on plain values."""
    match node.function:
        case "each":
            return _rolls(say, *node.arguments)
        case "mean":
            roll = say.phrase(node.arguments[0])
            if roll.bond > Bond.WORD:
                return build_list("the average of this", [roll])
            return build("the average of ", roll, bond=Bond.NOUN)
        case "max" | "min":
            bounded = _bounded(say, node)
            if bounded is not None:
                return bounded
            lines = [say.phrase(argument) for argument in node.arguments]
            words = f"the {_extreme(node, len(lines))} of "
            if all(phrase.bond <= Bond.WORD for phrase in lines):
                return build(words, join_phrases(lines), bond=Bond.NOUN)
            if all(phrase.bond <= Bond.WORD for phrase in lines[:-1]) and lines[-1].bond <= Bond.NOUN:
                return build(words, join_phrases(lines), bond=Bond.OPEN)
            return build_list(f"{words}these", lines)
        case "first" | "last" as function:
            number, among = say.inside(node.arguments[0]), say.inside(node.arguments[1], Bond.RELATIVE)
            many = () if node.arguments[0] == t.Constant(INTEGER, 1) else (number, " ")
            return build(f"the {function} ", *many, "of ", among, bond=max(Bond.NOUN, among.bond))
        case "next" | "previous" as function:
            comes = f" comes {'after' if function == 'next' else 'before'} "
            item, *others = (say.inside(argument) for argument in node.arguments)
            if others:
                return _neighbour(say, node, item, *others)
            table = getattr(present(node.arguments[0].type), "table", "")
            return build("what", comes, item, f" in {say.naming.table(table)}", bond=Bond.NOUN, lead=Lead.WHAT)
    lines = [say.inside(argument, Bond.WORD) for argument in node.arguments]
    parts = list_functions_of_values()[node.function].description
    if parts:
        return build(*(part if isinstance(part, str) else lines[part] for part in parts), bond=Bond.OPEN)
    return build(f"{say.style.name(humanize(node.function))} of ", join_phrases(lines), bond=Bond.OPEN)


def _bounded(say: Say, node: t.Apply) -> Phrase | None:
    """Return a computed number with the bound that a constant sets it, or None for other values.

    It reads `the number of Beds (minimum 1)` or `4 minus the number of Beds, but at most 3`.
    """
    match node.arguments:
        case (t.Constant(value=int()) as limit, number) | (number, t.Constant(value=int()) as limit) if not isinstance(
            number, t.Constant | t.Aggregate
        ) or (isinstance(number, t.Aggregate) and number.function == "count"):
            phrase, bound = say.phrase(number), say.constant(limit.value, limit.type)
            signs = ("+", "-", "*", "/")
            is_computed = isinstance(number, t.Arithmetic) and number.operator in signs and not is_minus(number)
            if phrase.items or phrase.where or phrase.bond == Bond.WORD or not isinstance(node.type, Integer):
                return None
            if is_computed:
                return build(
                    phrase, f", but at {'least' if node.function == 'max' else 'most'} {bound}", bond=Bond.OPEN
                )
            if phrase.bond == Bond.NOUN:
                limits = f" ({'minimum' if node.function == 'max' else 'maximum'} {bound})"
                return replace(build(phrase, limits, bond=Bond.RELATIVE), lead=Lead.NONE)
    return None


def _neighbour(say: Say, node: t.Apply, item: Phrase, among: Phrase) -> Phrase:
    """Return the phrase for the member of a list after another, or before it. At the end it begins again."""
    which, after = ("next", "after") if node.function == "next" else ("previous", "before")
    if node.arguments[1] == t.Objects(ListOf(PLAYER), PLAYER_KIND):
        noun = say.naming.kind(PLAYER_KIND)
        own = node.arguments[0]
        defined = isinstance(own, t.Variable) and own.name != say.it and say.find_stand_in(own.name) is not None
        if item.words == f"the {noun}" or (defined and item.words == f"that {noun}"):
            return add_article(f"{which} {noun}")
        return build(f"the {noun} {after} ", item, bond=Bond.NOUN, lead=Lead.THE)
    return build(f"the {which} of ", among, f" {after} ", item, ", going round", bond=Bond.OPEN)


def _extreme(node: t.Apply, many: int) -> str:
    ranked = isinstance(present(node.type), Row)
    two = {"max": ("higher", "larger"), "min": ("lower", "smaller")}
    several = {"max": ("highest", "largest"), "min": ("lowest", "smallest")}
    return (two if many == 2 else several)[node.function][0 if ranked else 1]


def _rolls(say: Say, count: t.Typed, roll: t.Typed) -> Phrase:
    """Return the phrase for the total of repeated rolls."""
    once = say.inside(roll, Bond.WORD)
    if isinstance(count, t.Constant):
        times = "one roll" if count.value == 1 else f"{count.value} rolls"
        return build(f"{times} of ", once, ", added up", bond=Bond.OPEN)
    return build("as many rolls of ", once, " as ", say.inside(count), ", added up", bond=Bond.OPEN)
