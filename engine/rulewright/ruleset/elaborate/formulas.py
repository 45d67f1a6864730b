"""Numbers, formulas and derived fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rulewright.language import codes as language_codes
from rulewright.language.declarations import Declarations, Formula, Number
from rulewright.language.expression.check import BROKEN, check_expression
from rulewright.language.read_type import read_type
from rulewright.language.scope import Scope
from rulewright.language.types import UNKNOWN, Thing, Type
from rulewright.ruleset.elaborate.read import constant, entries, text
from rulewright.source.diagnostics import Diagnostics
from rulewright.source.nodes import Mapping, Scalar
from rulewright.source.span import Span


def declare_numbers(rules: Mapping, declarations: Declarations, diagnostics: Diagnostics) -> None:
    """Declare every number, in the order written: one may use those before it."""
    for identity, entry in entries(rules.get("numbers")):
        node = entry.value
        assert isinstance(node, Mapping)
        kind, value = constant(node.get("is"), declarations, diagnostics)
        declarations.numbers[identity] = Number(identity, value, kind, text(node.get("means")), entry.span)


class Formulas(dict[str, Formula]):
    """Formulas that are checked when they are first asked for, so that they may stand in any order."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        super().__init__()
        self.pending: dict[str, Callable[[], Formula]] = {}
        self.places: dict[str, Span] = {}
        self.diagnostics = diagnostics

    def __contains__(self, key: object) -> bool:
        return key in self.pending or super().__contains__(key)

    def __iter__(self) -> Iterator[str]:
        return iter([*super().__iter__(), *self.pending])

    def __getitem__(self, key: str) -> Formula:
        make = self.pending.pop(key, None)
        if make is not None:
            # What stands here while the formula is being checked is found only by a formula that leads to itself.
            stub = Formula(key, {}, UNKNOWN, BROKEN, "", self.places[key])
            super().__setitem__(key, stub)
            super().__setitem__(key, make())
        found = super().__getitem__(key)
        if found.body is BROKEN and found.type is UNKNOWN and found.span is self.places.get(key) and not found.means:
            self._recursive(found)
        return found

    def get(self, key: str, default: Any = None) -> Any:
        return self[key] if key in self else default  # noqa: SIM401 - this is what `get` is made of

    def _recursive(self, formula: Formula) -> None:
        if not any(d.code is language_codes.RECURSION and d.span == formula.span for d in self.diagnostics):
            message = f"`{formula.id}` is worked out from itself"
            self.diagnostics.add(language_codes.RECURSION, message, formula.span)

    def settle(self) -> None:
        """Check every formula that nobody has asked for yet."""
        while self.pending:
            self[next(iter(self.pending))]


def declare_formulas(rules: Mapping, declarations: Declarations, diagnostics: Diagnostics) -> None:
    """Declare every formula and derived field."""
    formulas = Formulas(diagnostics)
    declarations.formulas = formulas
    for identity, entry in entries(rules.get("formulas")):
        node = entry.value
        assert isinstance(node, Mapping)
        parameters = {
            name: read_type(given.value, declarations, diagnostics) for name, given in entries(node.get("given"))
        }
        _declare(identity, parameters, node, entry.key.span, formulas, declarations, diagnostics)
    for kind, entry in entries(rules.get("kinds")):
        node = entry.value
        assert isinstance(node, Mapping)
        for name, derived in entries(node.get("derived")):
            value = derived.value
            assert isinstance(value, Mapping)
            _declare(
                f"{kind}.{name}", {"self": Thing(kind)}, value, derived.key.span, formulas, declarations, diagnostics
            )
    formulas.settle()


def _declare(
    identity: str,
    parameters: dict[str, Type],
    node: Mapping,
    span: Span,
    formulas: Formulas,
    declarations: Declarations,
    diagnostics: Diagnostics,
) -> None:
    def make() -> Formula:
        written = node.get("is")
        wanted = read_type(node.get("type"), declarations, diagnostics) if "type" in node else None
        scope = Scope(declarations, variables=parameters)
        body = BROKEN
        if isinstance(written, Scalar):
            body = check_expression(written, scope, diagnostics, expected=wanted)  # type: ignore[assignment]
        means = text(node.get("means")) or identity
        return Formula(identity, parameters, wanted or body.type, body, means, span)

    formulas.pending[identity] = make
    formulas.places[identity] = span
