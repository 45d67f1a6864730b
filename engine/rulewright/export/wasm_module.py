"""The exported module: that of the back end, with the functions that only a host without Python needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulewright.engine.wasm_backend.codegen.binary_encoder import I64, WasmFunction, WasmSignature
from rulewright.engine.wasm_backend.initial_state import list_defaults
from rulewright.engine.wasm_backend.module_assembly import ModuleAssembler, ModuleInfo, list_hidden_fields
from rulewright.ir.parameters import NONE, Parameters
from rulewright.ir.program import Program
from rulewright.language.declarations import GAME_KIND, PLAYER_KIND
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.lowering import answer_type, list_offers, list_operations
from rulewright.language.operations import Ask, Costs
from rulewright.language.types import PLAYER, Type
from rulewright.ruleset.ruleset import Ruleset

SELF = "self"
IT = "it"


@dataclass(frozen=True, slots=True)
class RequestTable:
    """The numbered requests of a module: the costs of options by type, and the viewers of fields."""

    costs: tuple[tuple[Typed, Type], ...]
    hidden: tuple[tuple[str, str], ...]

    def find_cost(self, amount: Typed) -> int:
        """Return the number of a cost."""
        return next(number for number, (each, _) in enumerate(self.costs) if each is amount)

    def find_viewer(self, kind: str, field: str) -> int | None:
        """Return the request number for the viewers of a field, or None if the rules do not hide it."""
        return self.hidden.index((kind, field)) if (kind, field) in self.hidden else None


def list_requests(ruleset: Ruleset) -> RequestTable:
    """Return the requests of a ruleset's module."""
    costs: list[tuple[Typed, Type]] = []
    for step in ruleset.steps.values():
        for each in list_operations(step):
            if isinstance(each, Ask):
                every: list[Costs] = [each.costs, *(offer.costs for offer in list_offers(each))]
                costs += [(amount, answer_type(each)) for result in every for _, amount in result]
    return RequestTable(tuple(costs), tuple(list_hidden_fields(ruleset)))


def build_module(
    ruleset: Ruleset, parameters: Parameters = NONE, ends: Sequence[Typed] = ()
) -> tuple[ModuleInfo, RequestTable]:
    """Return the exported module of a ruleset, and its request table.

    `parameters` are parameters that the module reads from memory. `ends` are evaluated in the frame of a finished
    procedure.
    """
    requests = list_requests(ruleset)
    program = None if parameters == NONE else Program(ruleset, parameters)
    return _ExportAssembler(ruleset, requests, program, ends).assemble(), requests


_Parameter = tuple[str, Type]


class _ExportAssembler(ModuleAssembler):
    def __init__(
        self, ruleset: Ruleset, requests: RequestTable, program: Program | None, ends: Sequence[Typed]
    ) -> None:
        super().__init__(ruleset, program)
        self.ends = ends
        self.requests = requests

    def list_extra_exports(self) -> dict[str, int]:
        """Add the functions that answer requests to the module, and return their indices by export name."""
        for kind in (GAME_KIND, PLAYER_KIND):
            list_defaults(self.ruleset, self.layout, kind)  # assigns their addresses before the layout is final
        measures = [((SELF, PLAYER), each.value, each.parameters) for each in self.ruleset.measures.values()]
        costs = [((IT, kind), amount, ()) for amount, kind in self.requests.costs]
        exports = (
            {"came_of": self._by_number("came_of", [((SELF, PLAYER), end, ()) for end in self.ends])}
            if self.ends
            else {}
        )
        return exports | {
            "standing_of": self._of_player(self.ruleset.evaluate, "standing_of"),
            "measure_of": self._by_number("measure_of", measures),
            "cost_of": self._by_number("cost_of", costs),
            "seers_of": self._write_viewers(),
        }

    def _by_number(self, name: str, values: Sequence[tuple[_Parameter, Typed, tuple[_Parameter, ...]]]) -> int:
        """Add a function that evaluates one of the values, by number, for an argument. Return its index.

        Each value comes with its parameter, and with the names of the result that it reads.
        """
        functions = []
        for parameter, value, result in values:
            formula = self.program.build_formula(value, "", (parameter, *result))
            written = self._write_formula(formula, name, framed=True, result=len(result))
            functions.append(self.module.add(written))
        function = WasmFunction(name, WasmSignature((I64, I64), (I64,)))
        self._switch(function, functions, (1,))
        return self.module.add(function)
