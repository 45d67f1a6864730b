"""Question: the prices that good players pay, and the value of their purchases to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter

from rulewright.ai.bots import Policy, estimate_cost
from rulewright.analysis.fairness.answer import Answer, InBook, answer_each_size, format_count
from rulewright.analysis.fairness.chosen_payments import Payment, PaymentJudge, iterate_payments
from rulewright.analysis.fairness.game_cache import GameCache
from rulewright.analysis.fairness.saved_game_cache import SavedGameCache
from rulewright.analysis.simulation.metrics import Metric
from rulewright.analysis.simulation.shard import set_up_game
from rulewright.base.clustered_intervals import ClusterSums, compute_clustered_mean_interval
from rulewright.base.errors import RulewrightError
from rulewright.engine.narration.plain_names import Names, capitalize
from rulewright.engine.python_backend.compiler import PythonMachine, compile_ruleset
from rulewright.engine.state.game_state import OVER, State
from rulewright.language.checked_steps import Step
from rulewright.language.declarations import FIRST_PLAYER, PLAYER_KIND
from rulewright.language.lowering import step_region
from rulewright.language.operations import Call
from rulewright.language.types import INTEGER
from rulewright.ruleset.ruleset import Ruleset

PLACE = 55
TITLE = "What do things cost, and what are they worth?"
IN_BOOK = InBook.PLAYED

GAMES = 40
MOST_DECISIONS = 8_000
"""Limits on the games and decisions to observe. Purchases are frequent, so a small sample is enough."""

IN_VAIN = 5
"""The number of games after which a game in which nobody has bought anything is taken for one without purchases."""

ENOUGH = 30
"""The price at a step is reported only if there were at least this many purchases."""

BARGAIN = 2
"""The minimum ratio of value to price for a purchase to be called a bargain."""

MOST_LISTED = 8
"""The maximum number of reported prices, the most frequent first."""


@dataclass(slots=True)
class StepPurchases:
    """The purchases at one step of the rules, in parallel lists.

    Attributes:
        paid: The amounts paid.
        costs: The loss of value by each payment alone, by `evaluate:`.
        values: The gain of value by each purchase if it had been free, by `evaluate:`.
        groups: The game of each purchase, or its group of games. Purchases of the same one may depend on each other.
    """

    paid: list[int] = field(default_factory=list)
    costs: list[int] = field(default_factory=list)
    values: list[int] = field(default_factory=list)
    groups: list[int] = field(default_factory=list)


Purchases = dict[Payment, StepPurchases]
"""Purchases by their kind of payment."""


def answer(table: GameCache) -> Answer | None:
    """Answer from the rise of a buyer's `evaluate:` value, as if the purchase had been free.

    Return None if the ruleset has no `evaluate:`, players have no integer fields, or no price has enough purchases.
    """
    ruleset = table.ruleset
    if ruleset.evaluate is None or not any(
        each.type == INTEGER for each in ruleset.declarations.kinds[PLAYER_KIND].fields.values()
    ):
        return None
    return answer_each_size(table.sizes, lambda players: _answer_size(table, players))


def _answer_size(table: GameCache, players: int) -> Answer | None:
    """Return the prices and values of the most frequent purchases, or None if there are too few of each.

    Raises `RulesFault` if the rules fail in play.
    """
    ruleset = table.ruleset
    bought: Purchases = {}
    games = record_purchases(table, players, bought)
    often = sorted((key for key in bought if len(bought[key].paid) >= ENOUGH), key=lambda key: -len(bought[key].paid))
    if not often:
        return None
    names = Names(ruleset)
    says: list[str] = []
    metrics: list[Metric] = []
    for number, name in often[:MOST_LISTED]:
        step, result = ruleset.steps[number], bought[number, name]
        what, called = _name_step(step, names), names.name_field(PLAYER_KIND, name)
        # If the payment has a value of its own, values are converted to that unit.
        rate = sum(result.costs) / sum(result.paid)
        paid = _build_metric(f"{step.rule}.paid", f"{what}: {called} paid", result.paid, result.groups)
        value = _build_metric(
            f"{step.rule}.worth", f"{what}: worth" + (f" in {called}" if rate > 0 else ""), result.values, result.groups
        )
        if rate > 0:
            low, high = value.interval
            value = replace(value, value=value.value / rate, interval=(low / rate, high / rate))
        metrics += [paid, value]
        value_text = f"{value.value:,.1f}; {_judge(paid, value)}"
        if rate <= 0:
            value_text = f"{value.value:,.1f} by `evaluate:`, which ignores {called}"
        says.append(
            f"{what}: {paid.value:,.1f} {called} on average over {format_count(len(result.paid), 'purchase')}, "
            "with an "
            f"immediate value of {value_text}."
        )
    says.append(
        "The value is the rise in `evaluate:` by this purchase. Purchases that pay off only later are worth more than "
        "it shows."
    )
    return Answer(
        tuple(says),
        tuple(metrics),
        (table.build_fair_command(),),
        table.describe_games(games, _choose_buyer(table), players=players),
    )


def _choose_buyer(table: GameCache) -> str:
    """Return the bot whose purchases are observed: the good one, if it is quick without WebAssembly, or `greedy`."""
    try:
        quick = estimate_cost(table.good, table.ruleset, 1.0) <= 1
    except RulewrightError:
        quick = False
    return table.good if quick else "greedy"


def record_purchases(table: GameCache, players: int, bought: Purchases) -> int:
    """Play games between so many bots of `_choose_buyer`, add purchases to `bought`, and return the number of games.

    Plays at most `GAMES` games, and `MOST_DECISIONS` decisions for all numbers of players together. Stops after
    `IN_VAIN` games without a purchase. Payments that no player chose are no purchases. Ctrl+C ends the games and sets
    `interrupted` of the table. If the table has saved games of people, all of these are watched instead. Raises
    `RulesFault` if the rules fail.
    """
    judge = PaymentJudge()
    games = _record_games(table, players, bought, judge)
    for payment in filter(judge.is_left_to_chance, [*bought]):
        del bought[payment]
    return games


def _record_games(table: GameCache, players: int, bought: Purchases, judge: PaymentJudge) -> int:
    """Play or replay games for `record_purchases`, and return their number."""
    if isinstance(table, SavedGameCache):
        saves = table.list_games(players)
        groups = table.list_groups(players)
        for number, saved in enumerate(saves):
            group = groups[number] if groups else number
            _watch_game(saved.iterate_decisions(table.ruleset), bought, judge, group)
        return len(saves)
    machine = compile_ruleset(table.ruleset, recording=True, sampling=True)
    options = {**table.ruleset.simulations, **table.options}
    decisions, progress, started = 0, table.progress(), perf_counter()
    most, most_decisions = min(GAMES, table.games), MOST_DECISIONS // len(table.sizes)
    games = 0
    try:
        while not table.interrupted and games < most and decisions < most_decisions:
            state, policies = set_up_game(
                machine, (_choose_buyer(table),) * players, seed=f"{table.seed}/{games}", options=options
            )
            decisions += _watch_game(_play_game(state, policies, most_decisions - decisions), bought, judge, games)
            games += 1
            if progress is not None:
                progress(games, most, perf_counter() - started)
            if games == IN_VAIN and not bought:
                break
    except KeyboardInterrupt:
        table.interrupted = True
    return games


@dataclass(slots=True)
class _Deal:
    """A purchase in progress.

    Attributes:
        who: The buyer.
        step: The step that took the first payment.
        before: The buyer's value before the decision.
        paid: The amount paid so far, by field.
        lost: What the buyer paid so far without choosing to, by field.
        alone: True while only the procedure of `step`, and procedures that it calls, have changed the state.
    """

    who: int
    step: Step
    before: int
    paid: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    alone: bool = True


def _play_game(state: State, policies: Sequence[Policy], most: int) -> Iterator[State]:
    """Play a game for at most `most` decisions, and yield its state before each decision and at the end."""
    start = state.machine.ruleset.start
    assert start is not None
    state.events = []
    state.machine.begin(state, start, ())
    yield state
    for _ in range(most):
        if state.mode == OVER:
            return
        state.apply(policies[state.who - FIRST_PLAYER](state))
        yield state


def _watch_game(states: Iterator[State], bought: Purchases, judge: PaymentJudge, group: int) -> int:
    """Watch the states of a game before each decision and at its end, and return the number of decisions.

    Adds each purchase to `bought`, except those whose gain cannot be told apart from other changes. Raises `RulesFault`
    if the rules fail.
    """
    state = next(states)
    machine, steps = state.machine, state.machine.ruleset.steps
    assert isinstance(machine, PythonMachine)
    leads_to = machine.ruleset.get_or_make(_all_within)
    deal: _Deal | None = None
    decisions = 0
    while state.mode != OVER:
        who, before, choice = state.who, machine.evaluate_standing(state, state.who), machine.step(state)
        state.events = []
        earlier = state.clone()
        if next(states, None) is None:
            break
        decisions += 1
        lost = Counter[str]()
        for payment, amount in iterate_payments(state, who):
            step, name = steps[payment[0]], payment[1]
            # A payment without a decision is not a purchase. A tax, for example, may also hit the previous player.
            begins = choice is not None and step.procedure == choice.procedure
            if (begins or deal is not None) and judge.is_chosen(payment, earlier):
                deal = deal or _Deal(who, step, before)
                deal.paid[name] += amount
            else:
                lost[name] += amount
        if deal is None:
            continue
        deal.lost += lost
        deal.alone = deal.alone and _alone(state, leads_to[deal.step.procedure], steps)
        if not _goes_on(machine, state, deal):
            # If other rules changed the state before the next decision, the gain of this purchase cannot be isolated.
            if state.mode != OVER and deal.alone:
                _note(machine, state, deal, bought, group)
            deal = None
    return decisions


def _all_within(ruleset: Ruleset) -> dict[str, frozenset[str]]:
    return {procedure: _within(ruleset, procedure) for procedure in ruleset.procedures}


def _within(ruleset: Ruleset, procedure: str) -> frozenset[str]:
    """Return the id of a procedure and the ids of all procedures that it calls, directly or not."""
    results = {procedure}
    ahead = [procedure]
    while ahead:
        regions = (step_region(step) for step in ruleset.procedures[ahead.pop()].body.steps)
        for each in (inner for region in regions for outer in region for inner in outer.walk()):
            if isinstance(each, Call) and each.procedure not in results:
                results.add(each.procedure)
                ahead.append(each.procedure)
    return frozenset(results)


def _alone(state: State, procedures: frozenset[str], steps: Mapping[int, Step]) -> bool:
    """Return whether only these procedures have changed the state since the last decision."""
    return all(
        steps[number].procedure in procedures
        for number, event_kind, *details in state.events or ()
        if event_kind in ("created", "removed") or (event_kind == "written" and details[2] != details[3])
    )


def _goes_on(machine: PythonMachine, state: State, deal: _Deal) -> bool:
    """Return whether the procedure that took the payment waits for another decision of the buyer."""
    if state.mode == OVER or state.who != deal.who:
        return False
    step = machine.step(state)
    return step is not None and step.procedure == deal.step.procedure


def _note(machine: PythonMachine, state: State, deal: _Deal, bought: Purchases, group: int) -> None:
    """Add a finished purchase to `bought`: its payment, its cost in value, and its gain in value if it were free."""
    places, without = machine.layout.places, state.clone()
    buyer, values = without.objects[deal.who], []
    for repaid in (deal.lost, deal.paid):
        for name, amount in repaid.items():
            buyer[places[PLAYER_KIND, name]] += amount
        values.append(machine.evaluate_standing(without, deal.who))
    now, for_nothing = values
    for name, amount in deal.paid.items():
        result = bought.setdefault((deal.step.number, name), StepPurchases())
        result.paid.append(amount)
        result.costs.append(for_nothing - now)
        result.values.append(for_nothing - deal.before)
        result.groups.append(group)


def _name_step(step: Step, names: Names) -> str:
    """Return the title of the step, or the name of its procedure if the step has no title."""
    return capitalize(names.format_words(step.words.get("title", "")) or names.name_procedure(step.procedure))


def _judge(paid: Metric, value: Metric) -> str:
    """Return the verdict on a price: worth more, or worth less, if the confidence intervals do not overlap.

    If they overlap, the verdict is that the purchase is worth about what is paid.
    """
    if value.interval[0] > paid.interval[1]:
        return "a bargain" if value.value >= BARGAIN * paid.value else "well worth it"
    if value.interval[1] < paid.interval[0]:
        return "it pays off only later, or never"
    return "about the price paid"


def _build_metric(identity: str, title: str, values: Sequence[int], groups: Sequence[int]) -> Metric:
    sums = ClusterSums.sum_values(values, groups)
    return Metric(identity, title, sums.mean, compute_clustered_mean_interval(sums), share=False)
