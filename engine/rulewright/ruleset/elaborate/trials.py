"""Check the procedures that `after` tries out: none may pause, end the game, or look ahead at itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from rulewright.language import language_diagnostics
from rulewright.language import operations as op
from rulewright.language.checked_steps import Procedure, Step
from rulewright.language.declarations import Declarations
from rulewright.language.expressions.typed_ast import After, Invoke
from rulewright.language.lowering import find_called_procedure, list_operations
from rulewright.ruleset.elaborate.procedure_summary import ProcedureSummary, find_tried, iterate_expressions
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import RelatedSpan
from rulewright.source.span import Span

_REASONS = {op.Ask: "asks a player", op.Chance: "rolls", op.Draw: "draws", op.Finish: "finishes the game"}


def check_trials(
    summaries: Mapping[str, ProcedureSummary], declarations: Declarations, diagnostics: Diagnostics
) -> None:
    """Report each procedure that `after` runs in a step or formula, but that it cannot run."""
    places: dict[str, Span] = {}
    for formula in declarations.formulas.values():
        for procedure in find_tried(formula.body):
            places.setdefault(procedure, formula.span)
    for summary in summaries.values():
        for procedure, span in summary.tried:
            places.setdefault(procedure, span)
    trials = _Trials({identity: each.procedure for identity, each in summaries.items()}, declarations)
    for procedure, span in places.items():
        if procedure in summaries:
            _report(procedure, span, trials, diagnostics)


def _report(procedure: str, span: Span, trials: _Trials, diagnostics: Diagnostics) -> None:
    """Report a procedure if `after` cannot run it, because of its first unsuitable step or because it needs itself."""
    for step in trials.iterate_steps(procedure):
        for each in list_operations(step):
            if type(each) in _REASONS:
                message = f"`after` cannot run `{procedure}`, because `{step.rule}` {_REASONS[type(each)]}"
                hint = "move the steps that only change the game into a procedure of their own"
                related = (RelatedSpan(step.span, "the step is here"),)
                diagnostics.add(language_diagnostics.PAUSING_TRIAL, message, span, related=related, suggestion=hint)
                return
    if procedure in trials.find_tried(procedure):
        message = f"`{procedure}` depends on itself: it looks at what is true after `{procedure}`"
        hint = "leave the condition out of its steps, and ask it before they run"
        diagnostics.add(language_diagnostics.RECURSION, message, span, suggestion=hint)


class _Trials:
    """What the procedures of one ruleset call and try out."""

    def __init__(self, procedures: Mapping[str, Procedure], declarations: Declarations) -> None:
        self._procedures = procedures
        self._formulas = declarations.formulas

    def iterate_steps(self, procedure: str) -> Iterator[Step]:
        """Yield the steps of a procedure and of those that it calls."""
        for name in self._reach([procedure], self._list_calls):
            yield from self._procedures[name].iterate_steps()

    def find_tried(self, procedure: str) -> set[str]:
        """Return the procedures that a procedure tries out, and those that these call or try out."""
        called = self._reach([procedure], self._list_calls)
        tried = {each for name in called for each in self._list_tried(name)}
        return self._reach(tried, lambda name: [*self._list_calls(name), *self._list_tried(name)])

    def _reach(self, first: Iterable[str], follow: Callable[[str], Iterable[str]]) -> set[str]:
        """Return the procedures in `first` and all to which `follow` leads from them. Unknown names are left out."""
        reached = {name for name in first if name in self._procedures}
        ahead = list(reached)
        while ahead:
            fresh = {name for name in follow(ahead.pop()) if name in self._procedures} - reached
            reached |= fresh
            ahead += fresh
        return reached

    def _list_calls(self, procedure: str) -> list[str]:
        return [name for step in self._procedures[procedure].iterate_steps() if (name := find_called_procedure(step))]

    def _list_tried(self, procedure: str) -> set[str]:
        """Return the procedures that a procedure tries out itself, also in the formulas that it uses."""
        body = self._procedures[procedure]
        ahead = [each for _, each in iterate_expressions(body)]
        tried: set[str] = set()
        seen: set[str] = set()
        while ahead:
            for node in ahead.pop().walk():
                match node:
                    case After(procedure=name):
                        tried.add(name)
                    case Invoke(formula=name) if name not in seen and name in self._formulas:
                        seen.add(name)
                        ahead.append(self._formulas[name].body)
        return tried
