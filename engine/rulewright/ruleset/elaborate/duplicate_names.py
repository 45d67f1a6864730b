"""Report names that are used twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.language.builtin import list_functions, list_functions_of_values, list_walks
from rulewright.language.declarations import GAME_KIND, Declarations, is_reserved
from rulewright.language.expressions.type_checker import PLAIN
from rulewright.ruleset import ruleset_diagnostics
from rulewright.ruleset.elaborate.node_readers import iterate_entries
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import RelatedSpan
from rulewright.source.nodes import Mapping
from rulewright.source.span import Span

NamedEntry = Iterable[tuple[str, Span]]


def report_clashes(rules: Mapping, declarations: Declarations, diagnostics: Diagnostics) -> None:
    """Report names that would be ambiguous in expressions or types, or that are reserved, to `diagnostics`.

    All names must be declared before. Of two equal names, the second is reported.
    """
    _refuse_two(_values(declarations), diagnostics)
    _refuse_two(_types(declarations), diagnostics)
    for kind in declarations.kinds.values():
        fields = [(name, field.span) for name, field in kind.fields.items()]
        derived = [(name, declarations.formulas[formula].span) for name, formula in kind.derived.items()]
        _refuse_two([(f"a field of {kind.id}", fields), (f"a derived value of {kind.id}", derived)], diagnostics)
    for name, span in _names(rules, declarations):
        if is_reserved(name):
            message = f"`{name}` is a reserved word of the language"
            diagnostics.add(ruleset_diagnostics.NAME_CLASH, message, span)
    for formula in declarations.formulas.values():
        if formula.id in list_functions_of_values() or formula.id in list_functions():
            message = f"`{formula.id}` is already a built-in function"
            diagnostics.add(ruleset_diagnostics.NAME_CLASH, message, formula.span)
    for record in declarations.records.values():
        if record.id in list_functions_of_values() or record.id in list_functions() or record.id in list_walks():
            message = (
                f"`{record.id}` is already a built-in function, and a record's name is the function that creates it"
            )
            diagnostics.add(ruleset_diagnostics.NAME_CLASH, message, record.span)
        elif is_reserved(record.id):
            message = f"`{record.id}` is a reserved word of the language"
            diagnostics.add(ruleset_diagnostics.NAME_CLASH, message, record.span)
    _refuse_two([("a formula", _formulas(declarations)), ("a record", _records(declarations))], diagnostics)
    for name, entry in iterate_entries(rules.get("kinds")):
        if name == GAME_KIND:
            message = f"`{name}` is the game as a whole, not a kind of object"
            diagnostics.add(
                ruleset_diagnostics.NAME_CLASH, message, entry.key.span, suggestion="its values are under `state:`"
            )


def _refuse_two(named: Iterable[tuple[str, NamedEntry]], diagnostics: Diagnostics) -> None:
    """Report each name that occurs a second time in any of the groups, at the later place."""
    seen: dict[str, tuple[str, Span]] = {}
    for what, names in named:
        for name, span in names:
            if name in seen:
                other, place = seen[name]
                message = f"`{name}` is both {what} and {other}"
                diagnostics.add(
                    ruleset_diagnostics.NAME_CLASH, message, span, related=(RelatedSpan(place, f"{other} is here"),)
                )
            seen.setdefault(name, (what, span))


def _values(declarations: Declarations) -> list[tuple[str, NamedEntry]]:
    """Return the names that a bare name in an expression may mean, with their positions.

    They are grouped by the kind of entry, which is named as in a message: `a number`, `a table`.
    """
    d = declarations
    return [
        ("a number", [(n.id, n.span) for n in d.numbers.values()]),
        ("a table", [(t.id, t.span) for t in d.tables.values()]),
        ("a formula", _formulas(d)),
        ("the plural of a kind", [(k.plural, k.span) for k in d.kinds.values() if k.id != GAME_KIND]),
        ("a value of the game", [(f.name, f.span) for f in d.kinds[GAME_KIND].fields.values()]),
    ]


def _formulas(declarations: Declarations) -> list[tuple[str, Span]]:
    return [(formula.id, formula.span) for formula in declarations.formulas.values() if formula.id.isidentifier()]


def _records(declarations: Declarations) -> list[tuple[str, Span]]:
    return [(record.id, record.span) for record in declarations.records.values()]


def _types(declarations: Declarations) -> list[tuple[str, NamedEntry]]:
    """Return the names that a word in a type may mean, with their positions.

    They are grouped by the kind of entry, which is named as in a message: `a kind`, `a table`. Names that are also
    types of the language are listed a second time, so that they are reported.
    """
    kinds = [(k.id, k.span) for k in declarations.kinds.values() if k.id != GAME_KIND]
    tables = [(t.id, t.span) for t in declarations.tables.values()]
    records = _records(declarations)
    plain = [(name, span) for name, span in [*kinds, *tables, *records] if name in PLAIN]
    return [("a kind", kinds), ("a table", tables), ("a record", records), ("a built-in type", plain)]


def _names(rules: Mapping, declarations: Declarations) -> Iterator[tuple[str, Span]]:
    """Yield all names that may be used alone in expressions, including the ids of rows, choices and parameters.

    A name may occur more than once.
    """
    for _, named in _values(declarations):
        yield from named
    for table in declarations.tables.values():
        yield from ((row.id, row.span) for row in table.rows.values())
    for section, key in (("options", "choices"), ("formulas", "given")):
        for _, entry in iterate_entries(rules.get(section)):
            inner = entry.value.get(key) if isinstance(entry.value, Mapping) else None
            yield from ((name, named.key.span) for name, named in iterate_entries(inner))
