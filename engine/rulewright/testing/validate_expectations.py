"""Validation of balance targets and their games' settings, without playing."""

from __future__ import annotations

from rulewright.ai import bots
from rulewright.base.errors import RulewrightError
from rulewright.engine.engine_diagnostics import BAD_EXPECTATION
from rulewright.engine.game.game_settings import refuse_seed
from rulewright.ruleset.elaborate.node_readers import list_items, read_text
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.expect_play import (
    EXPECTATION,
    MEANS,
    MEASURE,
    MOST_GAMES,
    SHARES,
    BoundsFault,
    Expectation,
    MetricBounds,
)
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.span import Span
from rulewright.testing.example_settings import check_options


def check_expectations(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report the faults in every balance target."""
    for expectation in ruleset.expectations.values():
        if ruleset.start is None:
            message = f"`{expectation.id}` is about whole games, but {ruleset.reference} has no start procedure"
            hint = "name the procedure in the manifest under `start:`"
            diagnostics.add(BAD_EXPECTATION, message, expectation.span, suggestion=hint)
        _check_metrics(ruleset, expectation, diagnostics)
        _check_table(ruleset, expectation, diagnostics)
        check_options(ruleset, expectation.node, BAD_EXPECTATION, diagnostics)
        if not 1 <= expectation.games <= MOST_GAMES:
            message = f"`games` of `{expectation.id}` must be from 1 to {MOST_GAMES:,}"
            diagnostics.add(BAD_EXPECTATION, message, _span(expectation, "games"))
        try:
            refuse_seed(expectation.seed)
        except RulewrightError as error:
            diagnostics.add(BAD_EXPECTATION, str(error), _span(expectation, "seed"))


def _check_metrics(ruleset: Ruleset, expectation: Expectation, diagnostics: Diagnostics) -> None:
    """Report unknown metrics and invalid bounds."""
    if not expectation.bounds and not expectation.bad:
        message = f"`{expectation.id}` has no target: name a metric and its bounds"
        hint = f"name one with its bounds, such as `{next(iter(ruleset.measures), 'decisions')}: 15..40`"
        diagnostics.add(BAD_EXPECTATION, message, expectation.span, suggestion=hint)
    keys = [key for key in EXPECTATION.members if key != "*"]
    there = [*SHARES, *MEANS, *(f"{MEASURE}{each}" if each in keys else each for each in ruleset.measures)]
    known = [*keys, *ruleset.measures, *(f"{MEASURE}{each}" for each in ruleset.measures)]
    every: tuple[MetricBounds | BoundsFault, ...] = (*expectation.bounds, *expectation.bad)
    for each in every:
        measure = each.metric.removeprefix(MEASURE)
        if each.pair is not None:
            _check_pair(ruleset, expectation, each, diagnostics)
        elif measure not in (ruleset.measures if each.metric.startswith(MEASURE) else (*SHARES, *MEANS)):
            hint = suggest_name(each.written, known) or f"the metrics are {', '.join(there)}"
            diagnostics.add(BAD_EXPECTATION, f"there is no metric `{each.written}`", each.key, suggestion=hint)
        elif isinstance(each, BoundsFault):
            diagnostics.add(BAD_EXPECTATION, each.message, each.span, suggestion=each.remedy)
        elif each.metric == "seat_edge" and expectation.count_seats(ruleset.players[0]) == 1:
            message = "a solo player has no seat advantage"
            diagnostics.add(BAD_EXPECTATION, message, each.key, suggestion="set `players:` to more than one")


def _check_pair(
    ruleset: Ruleset, expectation: Expectation, cell: MetricBounds | BoundsFault, diagnostics: Diagnostics
) -> None:
    """Report the faults in a cell of the matrix of who should beat whom."""
    assert cell.pair is not None
    first, second = cell.pair
    if first == second:
        message = f"`{first}` cannot beat itself"
        diagnostics.add(BAD_EXPECTATION, message, cell.key, suggestion="name two different bots")
        return
    known = [name for name in cell.pair if _check_bot(ruleset, name, cell.key, diagnostics)]
    if isinstance(cell, BoundsFault):
        diagnostics.add(BAD_EXPECTATION, cell.message, cell.span, suggestion=cell.remedy)
    elif len(known) == len(cell.pair):
        try:
            expectation.list_pair(cell.pair, ruleset.players)
        except RulewrightError as error:
            diagnostics.add(BAD_EXPECTATION, str(error), cell.key, suggestion="set `players:` to an even number")


def _check_bot(ruleset: Ruleset, name: str, span: Span, diagnostics: Diagnostics) -> bool:
    """Return whether a bot can play. Report an unknown bot and unsuitable settings."""
    kind = name.partition(":")[0]
    if kind not in bots.list_names():
        hint = suggest_name(kind, bots.list_names()) or f"the bots are {', '.join(bots.list_names())}"
        diagnostics.add(BAD_EXPECTATION, f"there is no bot `{kind}`", span, suggestion=hint)
        return False
    try:
        bots.make(name, ruleset, seed=0, seat=1)
    except RulewrightError as error:
        diagnostics.add(BAD_EXPECTATION, str(error), span)
        return False
    return True


def _check_table(ruleset: Ruleset, expectation: Expectation, diagnostics: Diagnostics) -> None:
    """Report an invalid number of players and invalid bots."""
    fewest, most = ruleset.players
    listed, players = expectation.listed, expectation.count_seats(fewest)
    if listed and expectation.players not in (None, players):
        message = f"`players` is {expectation.players:,}, but `bots` lists {players}"
        hint = "leave out `players`, or name a single bot for every seat"
        diagnostics.add(BAD_EXPECTATION, message, _span(expectation, "players"), suggestion=hint)
    elif not fewest <= players <= most:
        message = f"{ruleset.title} is for {ruleset.format_players()}, not {players:,}"
        hint = f"name {fewest} to {most} bots" if listed else f"write `players: {fewest}`"
        span = _span(expectation, "with" if listed else "players")
        diagnostics.add(BAD_EXPECTATION, message, span, suggestion=hint)
    written = {read_text(node): node.span for node in reversed(list_items(expectation.node.get("with")))}
    for name in dict.fromkeys(expectation.bots):
        _check_bot(ruleset, name, written.get(name, expectation.span), diagnostics)


def _span(expectation: Expectation, key: str) -> Span:
    node = expectation.node.get(key)
    return node.span if node is not None else expectation.span
