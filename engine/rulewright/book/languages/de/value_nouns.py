"""German noun phrases for the values of expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from rulewright.book.english.list_members import all_rows
from rulewright.book.languages.de.declension import (
    DEFINITE,
    THIS,
    Case,
    Gender,
    Noun,
    adapt_adjective,
    add_preposition,
    choose_article,
)
from rulewright.book.languages.de.interfaces import German
from rulewright.book.languages.de.nominals import (
    Clause,
    Looseness,
    Nominal,
    build_definite,
    build_fixed,
    join_nominals,
)
from rulewright.book.languages.missing_words import MissingWordsError
from rulewright.book.style.text_style import translate_number
from rulewright.dice.ast import Roll
from rulewright.language.declarations import GAME_KIND, PLAYER_KIND, split_column
from rulewright.language.expressions import typed_ast as t
from rulewright.language.types import (
    INTEGER,
    PLAYER,
    ByPlayer,
    Choice,
    Dice,
    Entity,
    Integer,
    ListOf,
    Row,
    Type,
    present,
)
from rulewright.ruleset.prose.placeholders import Placeholder, parse_parts

GIVEN = "given"
_CASES = {"": Case.NOMINATIVE, "genitive": Case.GENITIVE, "dative": Case.DATIVE, "accusative": Case.ACCUSATIVE}
"""The case of a placeholder, such as `{given.name.dative}`."""

_ORDINALS = ("", "erst", "zweit", "dritt", "viert", "fünft", "sechst", "siebt", "acht", "neunt", "zehnt")


def format_constant(say: German, value: Any, kind: Type, *, beside: t.Typed | None = None) -> str:
    """Return a constant of the rules in words. Compared with `beside`, its labels name it.

    Raises `MissingWordsError` for words that the translation lacks.
    """
    match beside:
        case t.Stored(field=field) if field.startswith("options.") and isinstance(value, str):
            option = field.removeprefix("options.")
            words = say.words.require("options", option, "choices", value)
            return f"„{say.words.fill(words)}“"
        case t.Local(slot=slot) if isinstance(value, str) and say.label(slot, value):
            return say.label(slot, value)
    inner = present(kind)
    if value is None:
        return "niemand" if inner == PLAYER else "nichts"
    if isinstance(value, bool):
        return "ja" if value else "nein"
    if isinstance(value, Roll):
        return say.style.dice(value)
    if isinstance(inner, Row) and isinstance(value, str):
        return say.style.value(f"„{say.words.row(inner.table, value)}“")
    if isinstance(inner, ListOf) and isinstance(value, tuple):
        return ", ".join(format_constant(say, item, inner.inner) for item in value) or "nichts"
    if isinstance(inner, Choice) or isinstance(value, str):
        return format_option(say, str(value))
    return translate_number(str(value))


def format_option(say: German, identity: str) -> str:
    """Return an option without a label in quotation marks, in the translation’s words for its id."""
    words = say.nouns.get(identity, "")
    if not words:
        raise MissingWordsError((*say.own, "names", identity))
    return f"„{say.words.fill(words)}“"


def _constant(say: German, node: t.Constant) -> Nominal:
    """Return the phrase for a constant. All rows of a table become `alle …` or `die Zeilen der Tabelle …`."""
    table = all_rows(_Rows(say), node)  # type: ignore[arg-type]
    if table:
        noun = say.words.member(Row(table), several=True)
        if noun is not None:
            return _all(noun)
        return build_definite(
            Noun(
                "Zeilen",
                Gender.PLURAL,
                after=f"der Tabelle {say.words.title('tables', table)}",
                single=Gender.FEMININE,
            )
        )
    several = isinstance(node.value, tuple) and len(node.value) > 1
    gender = Gender.PLURAL if several else Gender.NEUTER
    return build_fixed(
        format_constant(say, node.value, node.type), gender, Looseness.OPEN if several else Looseness.WORD
    )


class _Rows:
    """What `all_rows` asks of a writer."""

    def __init__(self, say: German) -> None:
        self.style = say.style


def _all(noun: Noun) -> Nominal:
    """Return all things of a noun in the plural: `alle Felder`, `allen Feldern`."""
    forms = {Case.NOMINATIVE: "alle", Case.GENITIVE: "aller", Case.DATIVE: "allen", Case.ACCUSATIVE: "alle"}
    return Nominal(lambda case: f"{forms[case]} {noun.core(case, DEFINITE)}", Gender.PLURAL, noun=noun)


def _local(say: German, node: t.Local) -> Nominal:
    """Return the phrase for a name bound in the procedure, or for a part of its value."""
    base, _, part = node.name.partition(".")
    if part:
        return _part(say, base, part, node.type)
    term = say.words.counted(node.name)
    if isinstance(present(node.type), Integer) and term is not None and node.name not in say.nouns:
        return build_definite(say.words.number_of(term))
    return build_definite(say.bound(base, node.type))


def _part(say: German, base: str, part: str, type_: Type) -> Nominal:
    """Return a result of a procedure that a step called, by the noun that it has there: `die Seltenheit des Wurfs`."""
    noun = find_part_noun(say, base, part, type_)
    return build_definite(noun.owned_by(say.bound(base, type_).say(Case.GENITIVE)))


def find_part_noun(say: German, base: str, part: str, type_: Type) -> Noun:
    """Return the noun for one of several results of a step. Raises `MissingWordsError` if the translation has none."""
    term = say.words.declared.terms.get(part)
    if term is not None:
        return say.words.term(term)
    return say.words.noun(say.find_source(base, part), several=isinstance(present(type_), ListOf))


def _variable(say: German, node: t.Variable) -> Nominal:
    """Return the phrase for a variable bound inside the expression, which is a pronoun, a letter or a noun."""
    if node.name == say.it:
        return say.pronoun()
    letter = say.introduced(node.name)
    if letter:
        return build_fixed(say.style.name(letter))
    kind = present(node.type)
    if node.name in ("self", "it") and isinstance(kind, Entity):
        noun = say.words.kind(kind.kind)
        return Nominal(lambda case: noun.say(case, THIS), noun.gender, noun=noun)
    return build_definite(say.bound(node.name, node.type))


def _objects(say: German, node: t.Objects) -> Nominal:
    return _all(say.words.kind(node.kind, several=True))


def _stored(say: German, node: t.Stored) -> Nominal:
    """Return the phrase for a field of an object or of the game, or for a setting.

    Raises `MissingWordsError` for the cards left in a deck.
    """
    if node.kind == GAME_KIND:
        section, _, name = node.field.partition(".")
        if section == "options" and name:
            return build_definite(Noun("Einstellung", Gender.FEMININE, after=say.words.title("options", name)))
        if section == "deck":
            raise MissingWordsError(what="cards of a deck")
        return build_definite(find_game_noun(say, node.field, node.type))
    return say.owned(node.base, say.words.field(node.kind, node.field))


def find_game_noun(say: German, field: str, type_: Type) -> Noun:
    """Return the noun for a value of the game.

    Raises `MissingWordsError` for a value without a wording, a term, or a kind of its name.
    """
    if say.words.find("state", field, "wording"):
        return say.words.field(GAME_KIND, field)
    term = say.words.declared.terms.get(field)
    if term is not None:
        return say.words.term(term)
    inner = present(type_)
    if isinstance(inner, Entity) and inner.kind == field:
        return say.words.kind(inner.kind)
    raise MissingWordsError(("state", field, "wording"))


def _cards_left(say: German, node: t.CardCount) -> Nominal:
    return _in_deck(say, "Zahl", Gender.FEMININE, "der Karten im", node)


def _deck_cards(say: German, node: t.DeckCards) -> Nominal:
    return _in_deck(say, "Karten", Gender.PLURAL, "im", node)


def _in_deck(say: German, noun: str, gender: Gender, where: str, node: t.CardCount | t.DeckCards) -> Nominal:
    """Return a noun for what is in a deck, with the owner of the deck in the genitive if it has one."""
    deck = f"{where} {say.words.deck(node.deck)}"
    if node.owner is None:
        return build_definite(Noun(noun, gender, after=deck))
    owner = say.inside(node.owner)
    return replace(build_definite(Noun(noun, gender, after=f"{deck} {owner.genitive}")), where=owner.where)


def _cell(say: German, node: t.Cell) -> Nominal:
    """Return the phrase for a cell of a table, or for the rank of a row in its table."""
    if node.column == t.ROW_RANK:
        row = say.inside(node.base)
        rank = Noun("Rang", Gender.MASCULINE, after=f"in der Tabelle {say.words.title('tables', node.table)}")
        return build_definite(replace(rank, owner=row.genitive)).with_where(row)
    columns = say.words.declared.tables[node.table].columns
    key = node.base.key if isinstance(node.base, t.Lookup) else node.base
    if isinstance(node.base, t.Lookup) or (
        len(columns) == 1 and not say.words.find("tables", node.table, "names", node.column)
    ):
        row = say.inside(key)
        entry = Noun(
            "Wert",
            Gender.MASCULINE,
            after=f"aus der Tabelle {say.words.title('tables', node.table)} für {row.say(Case.ACCUSATIVE)}",
        )
        return build_definite(entry).with_where(row)
    return say.owned(node.base, say.words.column(node.table, node.column))


def _entry(say: German, node: t.Entry) -> Nominal:
    """Return the phrase for a value of a map, `der Preis für „Holz“`, or for a player’s answer when all choose."""
    if isinstance(node.base, t.Local | t.Variable) and isinstance(node.base.type, ByPlayer):
        return say.owned(node.key, say.bound(node.base.name, node.type))
    value, row = say.inside(node.base), say.inside(node.key)
    return replace(
        Nominal(lambda case: f"{value.say(case)} für {row.say(Case.ACCUSATIVE)}", value.gender),
        where=(*value.where, *row.where),
    )


def _nth(say: German, node: t.Nth) -> Nominal:
    """Return the phrase for an object by its position. Players are named by seat.

    Raises `MissingWordsError` for a member of any other list.
    """
    if node.source == t.Objects(ListOf(PLAYER), PLAYER_KIND):
        return build_fixed(f"Spieler {node.place}", Gender.MASCULINE)
    if isinstance(node.source, t.Objects):
        noun = say.words.kind(node.source.kind)
        if node.source.kind in say.called.alone and node.place == 1:
            return build_definite(noun)
        return build_definite(noun.with_adjective(_ordinal(node.place)))
    raise MissingWordsError(what="an element of a list by its position")


def _element(say: German, node: t.ListElement) -> Nominal:
    """Return the phrase for an element of a list by its index, or for the answer of one of several asked players."""
    if node.among is not None and isinstance(node.source, t.Local):
        return say.owned(node.key, say.bound(node.source.name, node.type))
    source = say.inside(node.source)
    noun = Noun("Element", Gender.NEUTER)
    if isinstance(node.key, t.Constant) and isinstance(node.key.value, int):
        return build_definite(noun.with_adjective(_ordinal(node.key.value)).owned_by(source.genitive)).with_where(
            source
        )
    key = say.inside(node.key)
    which = f"{source.genitive}, dessen Nummer {key.say(Case.NOMINATIVE)} ist,"
    return build_definite(noun.owned_by(which)).with_where(source, key)


def _ordinal(place: int) -> str:
    return _ORDINALS[place] if place < len(_ORDINALS) else f"{place}."


ROUNDING = {
    "truncate": ", ohne den Bruchteil,",
    "down": ", abgerundet,",
    "up": ", aufgerundet,",
    "nearest": ", kaufmännisch gerundet,",
}
_SIGNS = {"+": "plus", "-": "minus", "*": "mal", "/": "geteilt durch"}


def _arithmetic(say: German, node: t.Arithmetic) -> Nominal:
    """Return the phrase for an arithmetic expression, also of lists and of dice."""
    if isinstance(node.type, ListOf):
        return _lists(say, node)
    if isinstance(node.type, Dice):
        return _dice(say, node)
    if node.operator == "-" and node.left == t.Constant(INTEGER, 0):
        value = say.inside(node.right)
        return build_fixed(f"minus {value.say(Case.DATIVE)}", looseness=Looseness.OPEN).with_where(value)
    if node.operator == "%":
        left, right = say.inside(node.left), say.inside(node.right)
        rest = Noun(
            "Rest",
            Gender.MASCULINE,
            after=f"von {left.say(Case.DATIVE)} beim Teilen durch {right.say(Case.ACCUSATIVE)}",
        )
        return build_definite(rest, Looseness.OPEN).with_where(left, right)
    for factor, other in ((node.left, node.right), (node.right, node.left)):
        if node.operator == "*" and isinstance(factor, t.Constant) and factor.value == 1:
            return say.phrase(other)
    left = say.phrase(node.left)
    firm = left.looseness is Looseness.OPEN and node.operator in "+-" and isinstance(node.left, t.Arithmetic)
    keeps = firm and node.left.operator in "+-" and not left.listed  # type: ignore[attr-defined]
    left = left if keeps else say.fit(left)
    right = say.inside(node.right)
    rounding = ROUNDING.get(node.rounding or "", "") if node.operator == "/" else ""
    second = Case.ACCUSATIVE if node.operator == "/" else Case.NOMINATIVE

    def put(case: Case) -> str:
        # What is reckoned stands in the nominative, as numbers do.
        return f"{left.say(Case.NOMINATIVE)} {_SIGNS[node.operator]} {right.say(second)}{rounding}"

    return replace(Nominal(put, Gender.NEUTER, Looseness.OPEN, fixed=True), where=(*left.where, *right.where))


def _lists(say: German, node: t.Arithmetic) -> Nominal:
    """Return the phrase for two lists together, `… und …`, or for one without the other, `… ohne …`."""
    single = node.right.items[0] if isinstance(node.right, t.Items) and len(node.right.items) == 1 else node.right
    if node.operator == "+":
        return join_nominals([say.inside(each, Looseness.RELATIVE) for each in (*_flatten(node.left), single)])
    left, right = say.inside(node.left, Looseness.RELATIVE), say.inside(single, Looseness.RELATIVE)
    return replace(
        Nominal(lambda case: f"{left.say(case)} ohne {right.say(Case.ACCUSATIVE)}", Gender.PLURAL, Looseness.OPEN),
        where=(*left.where, *right.where),
    )


def _flatten(node: t.Typed) -> Iterator[t.Typed]:
    """Yield the lists that are added up in a sum of lists."""
    if isinstance(node, t.Arithmetic) and node.operator == "+":
        yield from (*_flatten(node.left), *_flatten(node.right))
    else:
        yield node


def _dice(say: German, node: t.Arithmetic) -> Nominal:
    """Return the phrase for dice that are added, subtracted or multiplied."""
    if node.operator in "+-":
        left, right = say.inside(node.left), say.inside(node.right)
        text = f"{left} {_SIGNS[node.operator]} {right}"
    else:
        roll, factor = (node.left, node.right) if isinstance(node.left.type, Dice) else (node.right, node.left)
        left, right = say.inside(roll), say.inside(factor)
        text = f"das Ergebnis von {left.say(Case.DATIVE)}, multipliziert mit {right.say(Case.DATIVE)}"
    return build_fixed(text, looseness=Looseness.OPEN).with_where(left, right)


def _coalesce(say: German, node: t.Coalesce) -> Nominal:
    """Return the phrase for a value with a fallback."""
    first, second = say.phrase(node.first), say.inside(node.otherwise)
    if first.listed:
        first = say.letter(first)

    def put(case: Case) -> str:
        return f"{first.say(case)} oder, wenn es das nicht gibt, {second.say(case)}"

    return replace(Nominal(put, first.gender, Looseness.OPEN), where=(*first.where, *second.where))


def _choice(say: German, node: t.If) -> Nominal:
    """Return the phrase for a conditional value. Raises `MissingWordsError` for a condition that is a list."""
    then, otherwise = say.inside(node.then), say.phrase(node.otherwise)
    condition = say.clause(node.condition)
    if condition.listed:
        raise MissingWordsError(what="a choice on a listed condition")
    if otherwise.listed:
        otherwise = say.letter(otherwise)

    def put(case: Case) -> str:
        return f"{then.say(case)}, wenn {condition.subordinate}, sonst {otherwise.say(case)}"

    return replace(Nominal(put, then.gender, Looseness.OPEN), where=(*then.where, *condition.where, *otherwise.where))


def _items(say: German, node: t.Items) -> Nominal:
    """Return the phrase for a list that the rules write out. Raises `MissingWordsError` for a record or map."""
    if not isinstance(node.type, ListOf):
        raise MissingWordsError(what="a record or map")
    if not node.items:
        return build_fixed("niemand" if node.type.inner == PLAYER else "nichts")
    return join_nominals([say.inside(item, Looseness.RELATIVE) for item in node.items])


_EXTREMES = {"min": "kleinst", "max": "größt"}


class _Extreme:
    """An adjective that is a noun for one of several values, `der kleinste`."""

    def __init__(self, stem: str) -> None:
        self.stem = stem

    def say(self, case: Case) -> str:
        """Return it in a case, with its article."""
        adjective = adapt_adjective(self.stem, DEFINITE, Gender.MASCULINE, case)
        return f"{choose_article(DEFINITE, Gender.MASCULINE, case)} {adjective}"


def _apply(say: German, node: t.Apply) -> Nominal:
    """Return the phrase for a call of a builtin. Raises `MissingWordsError` for those without words."""
    match node.function, node.arguments:
        case "mean", (roll,):
            inner = say.inside(roll)
            return build_definite(Noun("Durchschnitt", Gender.MASCULINE, owner=inner.genitive)).with_where(inner)
        case ("next" | "previous") as function, (item, t.Objects(kind="player")):
            if isinstance(item, t.Stored | t.Local):
                stem = "nächst" if function == "next" else "vorig"
                return build_definite(Noun("Spieler", Gender.MASCULINE, before=(stem,), inflected=True))
        case ("min" | "max") as function, arguments if len(arguments) > 1:
            parts = [say.phrase(each) for each in arguments]
            listed = say.style.parts([f"{part}{part.listed}" for part in parts])
            which = _Extreme(_EXTREMES[function])
            phrase = Nominal(
                lambda case: f"{which.say(case)} dieser Werte:", Gender.MASCULINE, Looseness.OPEN, listed=listed
            )
            return phrase.with_where(*parts)
        case "each", (many, roll):
            first, second = say.inside(many), say.inside(roll)
            times = f"{first} Würfen" if first.fixed else f"so vielen Würfen, wie {first} beträgt,"
            total = Noun("Summe", Gender.FEMININE, after=f"von {times} mit {second.say(Case.DATIVE)}")
            return build_definite(total, Looseness.OPEN).with_where(first, second)
    raise MissingWordsError(what=f"the function {node.function}")


def _invoke(say: German, node: t.Invoke) -> Nominal:
    """Return the phrase for a derived field, or for a formula in the translation’s words.

    Raises `MissingWordsError` for a formula without words.
    """
    kind, _, name = node.formula.rpartition(".")
    if kind:
        return say.owned(node.arguments[0], say.words.field(kind, name))
    path = (*find_formula_path(node.formula), "wording")
    words = say.words.require(*path)
    given = fill_given(say, node)
    noun = say.words.read(
        words,
        path,
        several=isinstance(present(node.type), ListOf),
        write=given.write,
    )
    return build_definite(noun, given.looseness).with_where(*given.used)


class GivenWords:
    """The arguments of a formula, put into the translation’s words for it."""

    def __init__(self, say: German, given: dict[str, t.Typed]) -> None:
        self.say = say
        self.given = given
        self.used: list[Nominal] = []
        self.looseness = Looseness.WORD

    def write(self, words: str) -> str:
        """Return words with the placeholders of arguments, and all others, filled in.

        The phrases of the arguments are added to `used`.
        """
        text = ""
        for part in parse_parts(words):
            if not isinstance(part, Placeholder):
                text += self.say.style.escape(part.text)
                continue
            head, _, rest = part.body.partition(".")
            name, _, case = rest.partition(".")
            if head != GIVEN or name not in self.given:
                text += self.say.words.fill(f"{{{part.body}}}")
                continue
            value = self.say.inside(self.given[name])
            self.used.append(value)
            declined = value.say(_CASES[case])
            text = _contract(text, declined)
        return text


def _contract(before: str, declined: str) -> str:
    """Return words with a phrase after them, contracted with a preposition at their end: `auf dem`, `zum`."""
    start, space, last = before.rstrip(" ").rpartition(" ")
    if before.endswith(" ") and last in ("zu", "von", "in", "an", "bei"):
        return f"{start}{space}{add_preposition(last, declined)}"
    return before + declined


def find_formula_path(formula: str) -> tuple[str, ...]:
    """Return the path of the texts of a formula, or of a column of expressions."""
    table, column = split_column(formula)
    return ("tables", table, "columns", column) if table else ("formulas", formula)


def fill_given(say: German, node: t.Invoke) -> GivenWords:
    """Return the writer of the arguments of a formula."""
    formula = say.words.declared.formulas[node.formula]
    return GivenWords(say, dict(zip(formula.parameters, node.arguments, strict=True)))


def describe_formula_clause(say: German, node: t.Invoke, *, holds: bool) -> Clause:
    """Return the clause that a boolean formula is true, or that it is not."""
    path = find_formula_path(node.formula)
    words = say.words.require(*path, "wording", "if_true" if holds else "if_false")
    given = fill_given(say, node)
    text = given.write(words)
    return Clause(text, where=tuple(each for part in given.used for each in part.where))


def describe_field_clause(say: German, node: t.Stored, *, holds: bool) -> Clause | None:
    """Return the translation’s clause that a boolean field of an object is true or false.

    None if the rules have no clauses for the field.
    """
    if node.base is None or not say.words.declared.kinds[node.kind].fields[node.field].clauses:
        return None
    case = "if_true" if holds else "if_false"
    words = say.words.require("kinds", node.kind, "fields", node.field, "wording", case)
    given = GivenWords(say, {"self": node.base})
    text = given.write(words.replace("{self}", f"{{{GIVEN}.self}}"))
    return Clause(text, where=tuple(each for part in given.used for each in part.where))


SAID_BY: dict[type[t.Typed], Callable[[Any, Any], Nominal]] = {
    t.Constant: _constant,
    t.Local: _local,
    t.Variable: _variable,
    t.Objects: _objects,
    t.Stored: _stored,
    t.Cell: _cell,
    t.CardCount: _cards_left,
    t.DeckCards: _deck_cards,
    t.Entry: _entry,
    t.Nth: _nth,
    t.ListElement: _element,
    t.Arithmetic: _arithmetic,
    t.Coalesce: _coalesce,
    t.If: _choice,
    t.Items: _items,
    t.Apply: _apply,
    t.Invoke: _invoke,
}
