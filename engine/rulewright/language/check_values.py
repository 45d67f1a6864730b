"""Expressions and places in steps as written → typed."""

from __future__ import annotations

from rulewright.language import codes
from rulewright.language.declarations import GAME_KIND
from rulewright.language.expression.check import check_expression
from rulewright.language.expression.typed import BROKEN, Items, Local, Stored, Typed
from rulewright.language.scope import Scope
from rulewright.language.step import Target
from rulewright.language.types import UNKNOWN, ListOf, Type, Unknown, accepts, join, present
from rulewright.source.diagnostics.collected import Diagnostics
from rulewright.source.diagnostics.diagnostic import Code
from rulewright.source.nodes import Node, Scalar, Sequence
from rulewright.source.span import Span


class CheckValues:
    """Checks what a step says with expressions. `scope` is what is known where the step stands."""

    def __init__(self, scope: Scope, diagnostics: Diagnostics) -> None:
        self.declarations = scope.declarations
        self.diagnostics = diagnostics
        self.scope = scope

    def value(self, node: Node | None, expected: Type | None = None) -> Typed:
        """The expression in `node`, of type `expected` where given; a list may be a list of expressions."""
        if isinstance(node, Sequence):
            return self._list(node, expected)
        scalar = self._scalar(node)
        return BROKEN if scalar is None else check_expression(scalar, self.scope, self.diagnostics, expected=expected)

    def _list(self, node: Sequence, expected: Type | None) -> Typed:
        wanted = present(expected) if expected is not None else UNKNOWN
        inner = wanted.inner if isinstance(wanted, ListOf) else UNKNOWN
        kind: Type = UNKNOWN
        items = []
        for item in node.items:
            typed = self.value(item, None if isinstance(inner, Unknown) else inner)
            joined = join(kind, typed.type)
            if joined is None:
                self.report(codes.WRONG_TYPE, f"a list of {kind} cannot hold {typed.type}", item.span)
                return BROKEN
            kind = joined
            items.append(typed)
        found = ListOf(kind if items else inner)
        if expected is not None and not accepts(expected, found):
            self.report(codes.WRONG_TYPE, f"{expected} is needed here, and this is {found}", node.span)
            return BROKEN
        return Items(found, tuple(items))

    def condition(self, node: Node | None) -> Typed:
        """The yes-or-no question in `node`."""
        scalar = self._scalar(node)
        return BROKEN if scalar is None else check_expression(scalar, self.scope, self.diagnostics, condition=True)

    def target(self, key: Scalar) -> Target | None:
        """The place that the expression in `key` names."""
        typed = check_expression(key, self.scope, self.diagnostics)
        match typed:
            case Stored(base=base, kind=kind, field=name):
                if name.startswith("options."):
                    return self._option(key, base, name)
                field = self.declarations.kinds[kind].fields[name]
                return Target(field.type, base, kind, name, None, field.minimum)
            case Local(name=name, slot=slot) if name in self.scope.locals and self.scope.locals[name].changeable:
                return Target(self.scope.locals[name].type, None, "", name, slot)
            case Typed(type=Unknown()):
                return None
        self.report(codes.NOT_CHANGEABLE, f"`{key.text}` cannot be changed by a step", key.span)
        return None

    def _option(self, key: Scalar, game: Typed, name: str) -> Target | None:
        option = self.declarations.options[name.partition(".")[2]]
        if option.may_change is None:
            message = f"the option `{option.id}` is settled before the game begins"
            self.report(codes.NOT_CHANGEABLE, message, key.span, "give the option a `may_change:`")
            return None
        return Target(option.type, game, GAME_KIND, name)

    def changed(self, target: Target) -> None:
        """What was known of this place is no longer."""
        if target.slot is not None:
            self.scope = self.scope.forgetting(slot=target.slot)
        else:
            self.scope = self.scope.forgetting(field_name=target.field)

    def report(self, code: Code, message: str, span: Span, suggestion: str | None = None) -> None:
        """Report a fault."""
        self.diagnostics.add(code, message, span, suggestion=suggestion)

    def _scalar(self, node: Node | None) -> Scalar | None:
        if isinstance(node, Scalar):
            return node
        if node is not None:
            self.report(codes.STEP_SHAPE, f"an expression is needed here, not {node.kind}", node.span)
        return None
