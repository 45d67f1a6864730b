"""Check the expressions and places in a step as written."""

from __future__ import annotations

from dataclasses import replace

from rulewright.language import language_diagnostics as codes
from rulewright.language.checked_steps import Target
from rulewright.language.declarations import GAME_KIND, Scope
from rulewright.language.expressions.type_checker import check_expression, explain_lost_test
from rulewright.language.expressions.typed_ast import (
    BROKEN,
    Constant,
    Entry,
    Items,
    Local,
    PartOf,
    Stored,
    Typed,
    build_path,
)
from rulewright.language.types import (
    UNKNOWN,
    ListOf,
    MapOf,
    RecordOf,
    Row,
    Type,
    Unknown,
    find_default,
    is_assignable,
    join,
    present,
)
from rulewright.language.visibility import SHOWN
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Code
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Node, Scalar, Sequence
from rulewright.source.span import Span


class CheckValues:
    """The checks of expressions in a step. `scope` is the scope at the step."""

    def __init__(self, scope: Scope, diagnostics: Diagnostics) -> None:
        self.declarations = scope.declarations
        self.diagnostics = diagnostics
        self.scope = scope

    def check_value(self, node: Node | None, expected: Type | None = None) -> Typed:
        """Return the typed expression, list or mapping in `node`, of type `expected` if given.

        Reports errors, and mostly returns `BROKEN` then. Without a `node`, it returns `BROKEN` and reports nothing.
        """
        if isinstance(node, Sequence):
            return self._list(node, expected)
        if isinstance(node, MappingNode) and expected is not None and isinstance(present(expected), MapOf):
            return self._map(node, present(expected))
        if isinstance(node, MappingNode) and expected is not None and isinstance(present(expected), RecordOf):
            return self._record(node, present(expected))
        scalar = self._scalar(node)
        return BROKEN if scalar is None else check_expression(scalar, self.scope, self.diagnostics, expected=expected)

    def _list(self, node: Sequence, expected: Type | None) -> Typed:
        """Return a list written element by element.

        Reports elements that do not fit together, and a list that is not of type `expected`. The result is then
        `BROKEN`, as it is with a broken element.
        """
        type_ = present(expected) if expected is not None else UNKNOWN
        inner = type_.inner if isinstance(type_, ListOf) else UNKNOWN
        kind: Type = UNKNOWN
        items = []
        for item in node.items:
            typed = self.check_value(item, None if isinstance(inner, Unknown) else inner)
            joined = join(kind, typed.type)
            if joined is None:
                self.report(codes.WRONG_TYPE, f"a list of {kind} cannot hold {typed.type}", item.span)
                return BROKEN
            if isinstance(typed.type, Unknown):
                return BROKEN
            kind = joined
            items.append(typed)
        list_of = ListOf(kind if items else inner)
        if expected is not None and not is_assignable(expected, list_of):
            message = f"{expected} is needed here, but this is {list_of}"
            self.report(codes.WRONG_TYPE, message, node.span, f"write {expected}")
            return BROKEN
        return Items(list_of, tuple(items))

    def _map(self, node: MappingNode, expected: Type) -> Typed:
        """Return a map written row by row. Rows that are left out hold 0, no or none.

        Reports unknown rows and ignores them. If a missing row has no default, reports it and returns `BROKEN`.
        """
        assert isinstance(expected, MapOf)
        rows = self.declarations.tables[expected.table].rows
        value = {}
        for name, entry in node.entries.items():
            if name in rows:
                value[name] = self.check_value(entry.value, expected.inner)
            else:
                hint = suggest_name(name, rows)
                self.report(codes.UNKNOWN_ROW, f"{expected.table} has no row `{name}`", entry.key.span, hint)
        start, known = find_default(expected.inner)
        missing = [row for row in rows if row not in value]
        if missing and not known:
            hint = f"write `{missing[0]}: …`"
            message = f"this has no value for `{missing[0]}`, but {expected.inner} is needed"
            self.report(codes.WRONG_TYPE, message, node.span, hint)
            return BROKEN
        return Items(expected, tuple(value.get(row) or Constant(expected.inner, start) for row in rows))

    def _record(self, node: MappingNode, expected: Type) -> Typed:
        """Return a record written part by part. Parts that are left out hold 0, no or none.

        Reports unknown parts and ignores them. If a missing part has no default, reports it and returns `BROKEN`.
        """
        assert isinstance(expected, RecordOf)
        parts = dict(expected.parts)
        value: dict[str, Typed] = {}
        for name, entry in node.entries.items():
            if name in parts:
                value[name] = self.check_value(entry.value, parts[name])
            else:
                hint = suggest_name(name, parts)
                message = f"a record `{expected.name}` has no part `{name}`"
                self.report(codes.UNKNOWN_FIELD, message, entry.key.span, hint)
        for name, kind in expected.parts:
            start, known = find_default(kind)
            if name not in value and not known and not isinstance(kind, Unknown):
                message = f"`{name}` is missing; it must be {kind}"
                self.report(codes.WRONG_TYPE, message, node.span, f"write `{name}: …`")
                return BROKEN
            value.setdefault(name, Constant(kind, start))
        return Items(expected, tuple(value[name] for name in parts))

    def check_condition(self, node: Node | None) -> Typed:
        """Return the yes-or-no question in `node`."""
        scalar = self._scalar(node)
        return BROKEN if scalar is None else check_expression(scalar, self.scope, self.diagnostics, condition=True)

    def check_target(self, node: Node | None, expected: Type | None = None) -> Target | None:
        """Return the place that the expression in `node` refers to, or None if it has errors."""
        key = self._scalar(node)
        if key is None:
            return None
        return self._place(key, check_expression(key, self.scope, self.diagnostics, expected=expected))

    def _place(self, key: Scalar, typed: Typed) -> Target | None:
        """Return the place that an expression refers to, or None after a report if a step cannot change it.

        A broken expression also gives None, without a report.
        """
        match typed:
            case Entry(base=base, key=row, table=table, type=kind):
                place = self._place(key, base)
                # A value that is known to be there may still be set to none.
                kind = base.type.inner if isinstance(base.type, MapOf) else kind
                return place and replace(place, type=kind, row=row, table=table)
            case Stored(base=base, kind=kind, field=name):
                if name.startswith("options."):
                    return self._option(key, base, name)
                fields = self.declarations.kinds[kind].fields
                hidden = f"{SHOWN}{name}" in fields
                return Target(fields[name].type, base, kind, name, None, fields[name].minimum, hidden=hidden)
            case Local(name=name, slot=slot) if name in self.scope.locals and self.scope.locals[name].changeable:
                return Target(self.scope.locals[name].type, None, "", name, slot)
            case Typed(type=Unknown()):
                return None
            case PartOf(record=record):
                message = f"`{key.text}` is a part of a record, and records cannot be changed"
                hint = f"replace the whole record: `{key.text.rpartition('.')[0]}: {record}(…)`"
                self.report(codes.NOT_CHANGEABLE, message, key.span, hint)
                return None
        self.report(codes.NOT_CHANGEABLE, f"`{key.text}` cannot be changed by a step", key.span)
        return None

    def check_row(self, key: Scalar, start: int, end: int, table: str) -> Typed:
        """Return the table row between two offsets of `key`."""
        part = Scalar(key.text[start:end], key.text[start:end], key.position(start, end - start))
        return check_expression(part, self.scope, self.diagnostics, expected=Row(table))

    def _option(self, key: Scalar, game: Typed, name: str) -> Target | None:
        """Return the place of an option, or None after a report if the option is fixed before the game."""
        option = self.declarations.options[name.partition(".")[2]]
        if option.may_change is None:
            message = f"the option `{option.id}` is fixed before the game begins"
            self.report(codes.NOT_CHANGEABLE, message, key.span, "give the option a `may_change:`")
            return None
        return Target(option.type, game, GAME_KIND, name)

    def report(
        self, code: Code, message: str, span: Span, suggestion: str | None = None, value: Typed | None = None
    ) -> None:
        """Report a fault. If it is that `value` may be none, include the step that has undone a test of it."""
        step = self.scope.lost.get(build_path(value) or "") if value is not None else None
        message, related = explain_lost_test(message, step)
        self.diagnostics.add(code, message, span, related=related, suggestion=suggestion)

    def _scalar(self, node: Node | None) -> Scalar | None:
        """Return a scalar unchanged, or None for any other node, which is reported, and for no node."""
        if isinstance(node, Scalar):
            return node
        if node is not None:
            keys = node.list_keys() if isinstance(node, MappingNode) else ()
            message = f"an expression is needed here, not {node.kind}"
            hint = self.declarations.record_of(keys) or "write one expression, such as `who.points` or `2 + 3`"
            self.report(codes.WRONG_TYPE, message, node.span, hint)
        return None
