"""The section `measures:`, metrics of finished games that simulations report."""

from __future__ import annotations

from collections.abc import Mapping as MappingOf
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType

from rulewright.language import language_diagnostics as language_codes
from rulewright.language.declarations import PLAYER_KIND, Declarations, Scope
from rulewright.language.expressions.typed_ast import (
    Aggregate,
    Arithmetic,
    Comparison,
    Constant,
    If,
    Invoke,
    Membership,
    Objects,
    Typed,
    Variable,
)
from rulewright.language.schema_shapes import Record, expression, optional, required, words
from rulewright.language.types import BOOLEAN, INTEGER, PLAYER, Boolean, ListOf, Optional, Type, is_assignable
from rulewright.ruleset.elaborate.elaboration import Elaboration
from rulewright.ruleset.section import RulesSection
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Mapping, Scalar
from rulewright.source.span import Span

MEASURE = Record(
    "A number of a finished game that simulations report.",
    members={
        "is": required(expression("The value: a number, or a condition, which is reported as a share of games.")),
        "per": optional(
            expression("A number that grows during a game; the measure is also reported for each of its values."),
            "over",
        ),
        "title": optional(words("Its name in reports.")),
        "means": optional(words("What it measures.")),
    },
    short="is",
)


WINNERS = "winners"
"""The players who have won, in a measure. Nobody has won before the end of a game."""

FIRST = "first_player"
"""The player who made the first decision of the game, in a measure. None before that decision."""

RANK = "rank"
"""The function for the rank of a player at the end of a game, in a measure."""

RESULT_NAMES: MappingOf[str, Type] = MappingProxyType({WINNERS: ListOf(PLAYER), FIRST: Optional(PLAYER)})
"""The names that only a measure has, with their types. They are the parameters of its formula."""


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """A metric. `value` is evaluated when a game ends and, if there is a `per`, whenever that number changes."""

    id: str
    title: str
    means: str
    value: Typed
    span: Span
    per: Typed | None = None

    @property
    def parameters(self) -> tuple[tuple[str, Type], ...]:
        """The names of `RESULT_NAMES` that the value reads, with their types."""
        read = {node.name for node in self.value.walk() if isinstance(node, Variable)}
        return tuple((name, kind) for name, kind in RESULT_NAMES.items() if name in read)

    @property
    def is_share(self) -> bool:
        """Whether the value is true or false, so that its mean is a share of games."""
        return isinstance(self.value.type, Boolean)


def build_result_scope(declarations: Declarations, payoff: str | None) -> Scope:
    """Return the scope of a measure's value. `payoff` is the formula by which players are ranked, if there is one.

    Names that the rules declare themselves keep their meaning.
    """
    declared = {*Scope(declarations).list_names()}
    names = {name: kind for name, kind in RESULT_NAMES.items() if name not in declared}
    functions = {} if RANK in declared or WINNERS not in names else {RANK: partial(compute_rank, payoff)}
    return Scope(declarations, variables=MappingProxyType(names), player_functions=MappingProxyType(functions))


def compute_rank(payoff: str | None, player: Typed) -> Typed:
    """Return the tree of a player's rank: 1 and the number of players who did better.

    Those are the players with a higher `payoff`. Without one, the winners did better than all others.
    """
    one = Constant(INTEGER, 1)
    if payoff is None:
        winners = Variable(ListOf(PLAYER), WINNERS)
        ahead = Aggregate(INTEGER, "count", Variable(PLAYER, "it"), "it", winners, None, None)
        behind = Arithmetic(INTEGER, "+", one, ahead)
        return If(INTEGER, Membership(BOOLEAN, player, winners, negated=False), one, behind)
    names = {node.name for node in player.walk() if isinstance(node, Variable)}
    name = "rival"
    while name in names:
        name += "_"
    rival = Variable(PLAYER, name)
    better = Comparison(BOOLEAN, ">", Invoke(INTEGER, payoff, (rival,)), Invoke(INTEGER, payoff, (player,)))
    ahead = Aggregate(INTEGER, "count", rival, name, Objects(ListOf(PLAYER), PLAYER_KIND), better, None)
    return Arithmetic(INTEGER, "+", one, ahead)


def read_measures(work: Elaboration) -> dict[str, Measure]:
    """Return every measure by id, in the order of the rules.

    A measure that is not an expression at all is left out. Others stay, even if their expression is invalid.
    """
    # Imported here because a cached ruleset already has its measures.
    from rulewright.language.expressions.type_checker import check_expression
    from rulewright.ruleset.elaborate.node_readers import iterate_entries, make_title, read_text

    measures = {}
    declarations, diagnostics = work.declarations, work.diagnostics
    scope = build_result_scope(declarations, _find_payoff(work))
    for identity, entry in iterate_entries(work.rules.get("measures")):
        node = entry.value
        written = node.get("is") if isinstance(node, Mapping) else None
        if not isinstance(node, Mapping) or written is None:
            continue
        if not isinstance(written, Scalar):
            message = f"an expression is needed here, not {written.kind}"
            diagnostics.add(language_codes.WRONG_TYPE, message, written.span)
            continue
        tried = Diagnostics()
        value = check_expression(written, scope, tried)
        if tried.errors or not isinstance(value.type, Boolean):
            value = check_expression(written, scope, diagnostics, expected=INTEGER)
        name = read_text(node.get("title")) or make_title(identity)
        clock = node.get("per")
        per = None
        if isinstance(clock, Scalar):
            per = check_expression(clock, Scope(declarations), diagnostics, expected=INTEGER)
        measures[identity] = Measure(identity, name, read_text(node.get("means")), value, entry.span, per)
    return measures


def list_shares(work: Elaboration) -> set[str]:
    """Return the ids of the measures that are true or false, without diagnostics."""
    measures = read_measures(replace(work, diagnostics=Diagnostics()))
    return {measure.id for measure in measures.values() if measure.is_share}


def _find_payoff(work: Elaboration) -> str | None:
    """Return the id of the formula for payoffs, or None if the manifest names none, or one that is not suitable."""
    node = work.manifest.get("payoff")
    formula = work.declarations.formulas.get(node.text) if isinstance(node, Scalar) else None
    suits = formula is not None and list(formula.parameters.values()) == [PLAYER]
    return formula.id if formula is not None and suits and is_assignable(INTEGER, formula.type) else None


MEASURES = RulesSection(
    key="measures",
    place=120,
    doc="Measures: what to count in each finished game of a simulation, such as its rounds.",
    entry=MEASURE,
    one="measure",
    gameplay=False,
    read=read_measures,
    reads=lambda measure: [measure.value, *([measure.per] if measure.per is not None else [])],
    at_once=True,
    title="Measures for bots and simulations",
    heading="title",
    labels={"means": "Described as", "title": "Title"},
    anchor="measures-",
    on_pages=False,
    citable=False,
    report=180,
)
