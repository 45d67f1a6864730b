"""A garden in which expressions are worked out twice: by the plain evaluator, and by the code they become."""

from __future__ import annotations

from functools import cache
from typing import Any

from rulewright.engine.python_backend.expression_source import ExpressionSource
from rulewright.engine.python_backend.runtime_support import SUPPORT
from rulewright.engine.python_backend.source_assembly import SourceAssembler
from rulewright.engine.state.game_state import State
from rulewright.engine.state.tree_interpreter import Interpreter, Walk
from rulewright.ir.lower_expressions import Translate
from rulewright.ir.program import build_program
from rulewright.language.declarations import Scope
from rulewright.language.expressions.evaluator import Evaluate
from rulewright.language.expressions.type_checker import check_expression
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.types import BOOLEAN, DICE, INTEGER, PLAYER, Entity, ListOf, Optional, Row, Type
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.formats import text
from rulewright.source.nodes import Scalar
from rulewright.source.span import Span
from tests.language.garden import GARDEN
from tests.language.inline import MANIFEST, sound

TREE = Entity("tree")
TYPES: dict[str, Type] = {
    "p": PLAYER,
    "t": TREE,
    "gone": TREE,
    "maybe": Optional(TREE),
    "nobody": Optional(TREE),
    "size": Row("sizes"),
    "some": ListOf(TREE),
    "sure": BOOLEAN,
    "n": INTEGER,
    "m": INTEGER,
    "ones": ListOf(INTEGER),
    "dice": DICE,
}

FORMULAS = """
formulas:
  twice: {given: {n: int}, is: n * 2}
  tallest: {given: {among: list of tree}, is: max(x.height for x in among)}
  owned: count(x for x in trees if x.owner)
"""


@cache
def ruleset(rounding: str = "truncate") -> Ruleset:
    """Return the garden, with a rule for fractions."""
    return sound(GARDEN + FORMULAS, manifest=MANIFEST.replace("truncate", rounding))


class Bench:
    """Two players, and the trees 3 (small, 5 high, the first player's), 4 (large, 9) and 5, which has left."""

    def __init__(self, rounding: str = "truncate") -> None:
        self.ruleset = ruleset(rounding)
        self.machine = Interpreter(self.ruleset)
        self.state: State = self.machine.empty(2)
        self.tree(size="small", height=5, owner=1)
        self.tree(size="large", height=9)
        self.tree()
        self.state.remove(5)
        self.values: dict[str, Any] = {
            "p": 1,
            "t": 3,
            "gone": 5,
            "maybe": 4,
            "nobody": None,
            "size": "small",
            "some": (4, 3),
            "sure": True,
            "n": 7,
            "m": -3,
            "ones": (1, 1, 2),
        }

    def tree(self, **fields: Any) -> int:
        """Return a new tree."""
        entity = list(self.machine.layout.defaults["tree"])
        for name, value in fields.items():
            entity[self.machine.layout.places["tree", name]] = value
        return self.state.create(self.machine.layout.kinds["tree"], entity)

    def typed(self, written: str, **types: Type) -> Typed:
        """Return the checked tree of an expression, which must be sound."""
        diagnostics = Diagnostics()
        scalar = Scalar(written, written, Span.for_file("test"))
        typed = check_expression(scalar, Scope(self.ruleset.declarations, variables={**TYPES, **types}), diagnostics)
        assert not len(diagnostics), text.render(diagnostics)
        return typed

    def value(self, written: str, **values: Any) -> Any:
        """Return the value of an expression, by both."""
        typed = self.typed(written)
        given = {**self.values, **values}
        plain = Evaluate(self.ruleset.declarations, Walk(self.machine, self.state)).value(typed, (), given)
        compiled = self.run(typed, given)
        assert compiled == plain
        assert type(compiled) is type(plain)
        return plain

    def run(self, typed: Typed, given: dict[str, Any]) -> Any:
        """Return what the code of an expression comes to."""
        program = build_program(self.ruleset)
        assembly = SourceAssembler(
            program, self.ruleset, self.machine.effort, recording=False, sampling=False, fused=False
        )
        expressions = ExpressionSource(assembly.constants)
        code = expressions.code(Translate(self.ruleset.declarations).lower_value(typed))
        parameters = ", ".join(["s", *(f"v_{name}" for name in given)])
        body = "".join(f"    {line}\n" for line in [*expressions.heads(), f"return {code}"])
        source = f"def work_out({parameters}):\n{body}"
        assembly.write_formulas()
        formulas = "\n".join(line for lines in assembly.formulas.values() for line in [*lines, ""])
        namespace = {**SUPPORT, **assembly.constants.values}
        exec(source + formulas, namespace)
        return namespace["work_out"](self.state, *given.values())
