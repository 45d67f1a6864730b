"""Declare kinds with their fields, game state, settings and decks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rulewright.language.declarations import (
    CASES,
    FIRST_PLAYER,
    GAME_KIND,
    PLAYER_KIND,
    Deck,
    Declarations,
    Field,
    Kind,
    OptionDeclaration,
    TableRow,
)
from rulewright.language.expressions.type_checker import is_count, read_type
from rulewright.language.language_diagnostics import WRONG_TYPE
from rulewright.language.types import INTEGER, PLAYER, UNKNOWN, ListOf, MapOf, Row, Type, find_default
from rulewright.language.visibility import EVERYBODY, SEERS, SHOWN
from rulewright.ruleset import ruleset_diagnostics
from rulewright.ruleset.elaborate.node_readers import (
    iterate_entries,
    list_items,
    make_title,
    read_constant,
    read_names,
    read_text,
)
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping, Node, Scalar

MOST_COPIES = 1_000
"""The maximum number of cards of one row in a deck."""


def declare_kinds(rules: Mapping, declarations: Declarations) -> None:
    """Declare every kind by name and without fields, so that types can refer to it.

    The kinds player and game are declared even if the rules do not have them.
    """
    for identity, entry in iterate_entries(rules.get("kinds")):
        node = entry.value
        assert isinstance(node, Mapping)
        plural = read_text(node.get("plural")) or f"{identity}s"
        label = node.get("label")
        labels = {name: read_text(words.value) for name, words in iterate_entries(label)} or (
            {"": read_text(label)} if label else {}
        )
        term = read_text(node.get("term")) or identity
        means, side = read_text(node.get("means")), read_text(node.get("side"))
        names = read_names(node.get("wording"))
        log = read_names(node.get("log"))
        kind = Kind(identity, plural, {}, {}, means, entry.span, labels, term, side, names, log)
        declarations.kinds[identity] = kind
    if PLAYER_KIND not in declarations.kinds:
        declarations.kinds[PLAYER_KIND] = Kind(PLAYER_KIND, "players", {}, {}, "Who plays.", rules.span)
    declarations.kinds[GAME_KIND] = Kind(GAME_KIND, "games", {}, {}, "The game as a whole.", rules.span)


def fill_kinds(rules: Mapping, declarations: Declarations, diagnostics: Diagnostics) -> None:
    """Read the fields and the names of derived fields of every kind. All names of types must be declared before.

    Errors go to `diagnostics`. A field with viewers gets a second field with the players who were shown it.
    """
    for identity, entry in iterate_entries(rules.get("kinds")):
        node = entry.value
        assert isinstance(node, Mapping)
        kind = declarations.kinds[identity]
        _read_fields(node.get("fields"), kind, declarations, diagnostics, seen_by=node.get("seen_by"))
        assert isinstance(kind.derived, dict)
        for name, _ in iterate_entries(node.get("derived")):
            kind.derived[name] = f"{identity}.{name}"


def fill_state(rules: Mapping, declarations: Declarations, diagnostics: Diagnostics) -> None:
    """Read the fields of the game itself."""
    _read_fields(rules.get("state"), declarations.kinds[GAME_KIND], declarations, diagnostics)


def _read_fields(
    node: Node | None,
    kind: Kind,
    declarations: Declarations,
    diagnostics: Diagnostics,
    *,
    seen_by: Node | None = None,
) -> None:
    """Add the fields below `node` to a kind. Errors are reported, and the fields are added nonetheless.

    A field with viewers gets a second field with the players who were shown it. `seen_by` are the viewers of fields
    that name none.
    """
    assert isinstance(kind.fields, dict)
    for name, entry in iterate_entries(node):
        value = entry.value
        assert isinstance(value, Mapping)
        written = value.get("type")
        type_ = read_type(written, declarations, diagnostics)
        default, known = _default(type_, declarations)
        if type_ == PLAYER and kind.id == GAME_KIND:
            default, known = FIRST_PLAYER, True
        if "default" in value:
            default = _read(value.get("default"), type_, declarations, diagnostics)
            known = True
        minimum = 0 if is_count(written) else None
        least = (
            min(default, default=0)
            if isinstance(default, tuple) and isinstance(type_, MapOf) and None not in default
            else default
        )
        if minimum is not None and isinstance(least, int) and least < minimum:
            at = value.entries["default"].value.span
            diagnostics.add(ruleset_diagnostics.BAD_DEFAULT, f"`{name}` cannot start below {minimum}", at)
        if not known and type_ != UNKNOWN and kind.id in (GAME_KIND, PLAYER_KIND):
            whose = "the game" if kind.id == GAME_KIND else "every player"
            message = f"`{name}` of {whose} has no initial value, but its type, {type_}, needs one"
            hint = "give it a `default:`, or make it `optional`"
            diagnostics.add(ruleset_diagnostics.MISSING_DEFAULT, message, entry.key.span, suggestion=hint)
        means = read_text(value.get("means"))
        text = value.get("wording")
        clauses = {CASES[key]: words for key, words in read_names(text).items()}
        noun = "" if clauses else read_text(text)
        unit = read_text(value.get("unit"))
        labels = _read_labels(value.get("log")) or ({} if kind.id == GAME_KIND else clauses)
        kind.fields[name] = Field(name, type_, minimum, default, means, entry.span, known, noun, unit, clauses, labels)
        if read_text(value.get("seen_by") or seen_by) not in ("", EVERYBODY):
            viewers_field = f"{SHOWN}{name}"
            kind.fields[viewers_field] = Field(viewers_field, SEERS, None, (), f"Who was shown the {name}.", entry.span)


def _read(node: Node | None, kind: Type, declarations: Declarations, diagnostics: Diagnostics) -> Any:
    """Return the default value in the rules. For a map, a single value stands for every row."""
    if isinstance(kind, MapOf) and isinstance(node, Scalar):
        _, each = read_constant(node, declarations, diagnostics, expected=kind.inner)
        return (each,) * len(declarations.tables[kind.table].rows)
    return read_constant(node, declarations, diagnostics, expected=kind)[1]


def _read_labels(node: Node | None) -> dict[str, str]:
    """Return the log sentences of a field: one for all changes, or one for each case."""
    if isinstance(node, Scalar):
        return {"holds": node.text, "fails": node.text}
    return {CASES.get(key, key): text for key, text in read_names(node).items()}


def _default(kind: Type, declarations: Declarations) -> tuple[Any, bool]:
    if isinstance(kind, MapOf):
        start, known = find_default(kind.inner)
        return (start,) * len(declarations.tables[kind.table].rows), known
    return find_default(kind)


def fill_options(rules: Mapping, declarations: Declarations, diagnostics: Diagnostics) -> None:
    """Read the settings. Each becomes a field `options.<id>` of the game, too.

    A default that is not a choice is reported, and kept.
    """
    game = declarations.kinds[GAME_KIND]
    for identity, entry in iterate_entries(rules.get("options")):
        node = entry.value
        assert isinstance(node, Mapping)
        choices = {
            name: read_text(choice.value) or make_title(name) for name, choice in iterate_entries(node.get("choices"))
        }
        default = node.get("default")
        chosen = read_text(default)
        if chosen not in choices and isinstance(default, Scalar):
            hint = suggest_name(chosen, choices)
            message = f"`{identity}` has no choice `{chosen}`"
            diagnostics.add(ruleset_diagnostics.BAD_DEFAULT, message, default.span, suggestion=hint)
        option = OptionDeclaration(
            identity,
            choices,
            chosen,
            read_text(node.get("may_change")) or None,
            read_text(node.get("means")),
            entry.span,
            read_text(node.get("title")) or make_title(identity),
        )
        declarations.options[identity] = option
        name = f"options.{identity}"
        assert isinstance(game.fields, dict)
        game.fields[name] = Field(name, option.type, None, chosen, option.means, entry.span)


def fill_decks(rules: Mapping, declarations: Declarations, diagnostics: Diagnostics) -> None:
    """Read the decks into `declarations`. The cards left in each, and known ones on top and below, become fields.

    They are fields of the game, or of the kind of which each object has such a deck. Only an ordered deck has known
    cards. A deck of an unknown kind or table is reported and left out. One with an unknown column of copies is
    reported, and has one card for each row. An empty deck is reported and kept.
    """
    for identity, entry in iterate_entries(rules.get("decks")):
        node = entry.value
        assert isinstance(node, Mapping)
        kind = _find_owners(identity, node, declarations, diagnostics)
        if kind is None:
            continue
        of = node.get("of")
        table = declarations.tables.get(read_text(of))
        if table is None:
            if of is not None:
                hint = suggest_name(read_text(of), declarations.tables)
                message = f"there is no table `{read_text(of)}`"
                diagnostics.add(ruleset_diagnostics.UNKNOWN_REFERENCE, message, of.span, suggestion=hint)
            continue
        copies = read_text(node.get("copies"))
        if copies and table.columns.get(copies) != INTEGER:
            hint = suggest_name(copies, table.columns)
            message = f"{table.id} has no column of numbers `{copies}`"
            diagnostics.add(
                ruleset_diagnostics.UNKNOWN_REFERENCE, message, node.entries["copies"].value.span, suggestion=hint
            )
            copies = ""
        cards = tuple(
            row.id for row in table.rows.values() for _ in range(_copies(row, copies, entry.key, diagnostics))
        )
        if not cards:
            diagnostics.add(ruleset_diagnostics.EMPTY_DECK, f"`{identity}` has no cards", entry.key.span)
        name = read_text(node.get("title")) or make_title(identity)
        value = node.get("held")
        left_out = value if isinstance(value, Scalar) else None
        stated = tuple(_tables(list_items(node.get("shows_rolls")), declarations, diagnostics))
        places = "".join(_tables([node.get("marker_spots")], declarations, diagnostics))
        discard = _discard(node, table.id, kind, diagnostics)
        ordered, empty = node.get("ordered") is not None, node.get("filled_by_rules") is not None
        deck = Deck(
            identity, table.id, cards, name, entry.span, left_out, stated, places, ordered, discard, kind.id, empty
        )
        declarations.decks[identity] = deck
        assert isinstance(kind.fields, dict)
        for field, (means, more, less, part) in zip(deck.fields, _DECK_WORDS, strict=False):
            there = () if "." in field.removeprefix("deck.") else deck.start
            whose = f"{name} of {{self}}" if deck.is_owned else name
            log = {"holds": more and f"{whose} {more}", "fails": less and f"{whose} {less}"}
            result = Field(
                field,
                ListOf(Row(table.id)),
                None,
                there,
                f"{means} {name}.",
                entry.span,
                wording=f"{part} of {name}" if part else name,
                log=log,
            )
            kind.fields[field] = result
        if deck.is_owned:
            means = f"The cards that all players have seen to belong to {name}."
            cards_type = ListOf(Row(table.id))
            kind.fields[deck.seen] = Field(deck.seen, cards_type, None, deck.start, means, entry.span, log=_SILENT)


def _find_owners(identity: str, node: Mapping, declarations: Declarations, diagnostics: Diagnostics) -> Kind | None:
    """Return the kind of object of which each has a deck, which is the game for a deck that all share.

    Reports an unknown kind, and then returns None. Also reports a field of the kind with the name of the deck, and
    keys that have no effect with `each`, or without it.
    """
    each = node.get("each")
    if not isinstance(each, Scalar):
        if node.get("filled_by_rules") is not None:
            message = "`filled_by_rules` has no effect without `each`, because a deck for all begins with its cards"
            span = node.find_key_span("filled_by_rules")
            diagnostics.add(WRONG_TYPE, message, span, suggestion="add `each: player`, or remove it")
        return declarations.kinds[GAME_KIND]
    kinds = [name for name in declarations.kinds if name != GAME_KIND]
    if each.text not in kinds:
        hint = suggest_name(each.text, kinds)
        message = f"there is no kind `{each.text}`"
        diagnostics.add(ruleset_diagnostics.UNKNOWN_REFERENCE, message, each.span, suggestion=hint)
        return None
    kind = declarations.kinds[each.text]
    if identity in kind.fields or identity in kind.derived:
        message = f"`{kind.id}` has a field `{identity}` already, so `{kind.id}.{identity}` would be ambiguous"
        diagnostics.add(WRONG_TYPE, message, each.span, suggestion="rename the deck or the field")
    if node.get("held") is not None:
        message = "`held` has no effect with `each`, because only discarded cards refill such a deck"
        diagnostics.add(WRONG_TYPE, message, node.find_key_span("held"), suggestion="write `discard:` in its place")
    return kind


_SILENT = {"holds": "", "fails": ""}
_DECK_WORDS = (
    ("The cards left in", "is shuffled.", "is shuffled.", ""),
    ("The cards on top, the first to be drawn first, of", "has cards put on top.", "", "top"),
    ("The cards at the bottom of", "has cards put at the bottom.", "", "bottom"),
)
"""For each field of a deck, its description, the log sentences for when a step adds or removes cards, and its noun."""


def _discard(node: Mapping, table: str, kind: Kind, diagnostics: Diagnostics) -> str:
    """Return the field with the discard pile that refills an empty deck, or empty if there is none.

    A field that is unknown or has another type is reported, and the result is empty. `held` beside `discard` is only
    reported. `table` is the table of the cards, and `kind` the kind of object with the deck, or that of the game.
    """
    written = node.get("discard")
    if not isinstance(written, Scalar):
        return ""
    field = kind.fields.get(written.text)
    if field is None:
        hint = suggest_name(written.text, [name for name in kind.fields if "." not in name])
        of_game = kind.id == GAME_KIND
        message = f"the game has no value `{written.text}`" if of_game else f"`{kind.id}` has no field `{written.text}`"
        diagnostics.add(ruleset_diagnostics.UNKNOWN_REFERENCE, message, written.span, suggestion=hint)
        return ""
    if field.type != ListOf(Row(table)):
        message = f"`{field.name}` is {field.type}, but the cards of this deck are {ListOf(Row(table))}"
        diagnostics.add(WRONG_TYPE, message, written.span, suggestion=f"give it `type: list of {table}`")
        return ""
    if node.get("held") is not None and kind.id == GAME_KIND:
        message = "`held` has no effect on a deck with `discard`, because only the discarded cards refill it"
        diagnostics.add(WRONG_TYPE, message, node.find_key_span("held"), suggestion="remove `held:`, or `discard:`")
    return field.name


def _tables(named: Iterable[Node | None], declarations: Declarations, diagnostics: Diagnostics) -> Iterator[str]:
    """Yield the names that are tables, and report the others."""
    for node in named:
        if not isinstance(node, Scalar):
            continue
        if node.text in declarations.tables:
            yield node.text
        else:
            hint = suggest_name(node.text, declarations.tables)
            diagnostics.add(
                ruleset_diagnostics.UNKNOWN_REFERENCE, f"there is no table `{node.text}`", node.span, suggestion=hint
            )


def _copies(row: TableRow, column: str, deck: Scalar, diagnostics: Diagnostics) -> int:
    """Return how many cards of a row a deck has, at least 0. One if `column` is empty.

    More than `MOST_COPIES` are reported, and the result is 0.
    """
    copies = (row.cells[column] or 0) if column else 1
    if copies > MOST_COPIES:
        message = f"`{row.id}` would be {copies:,} cards of `{deck.text}`; the limit is {MOST_COPIES:,}"
        diagnostics.add(ruleset_diagnostics.EMPTY_DECK, message, row.span)
        return 0
    return max(0, copies)
