"""Question: what would even out the advantage of a seat, or of the first player?

Tried are an amount for the players who have it worse, as house rules over the ruleset, and the pie rule. An amount is
chosen in games with the seeds of the other samples (common random numbers), and judged in new games, so that the choice
does not flatter the result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import ceil

from rulewright.analysis.fairness.answer import (
    FEWEST_GAMES,
    Answer,
    answer_each_size,
    format_count,
    format_effect,
    format_points,
    join_words,
)
from rulewright.analysis.fairness.compensation import (
    Compensation,
    GameStart,
    Role,
    find_game_start,
    lay_compensation,
    with_first_player,
)
from rulewright.analysis.fairness.game_cache import GameCache, SeatResults
from rulewright.analysis.fairness.questions.advantage import (
    Advantage,
    find_advantages,
    measure_advantages,
    measure_player,
)
from rulewright.analysis.fairness.seat_measures import write_seat
from rulewright.analysis.fairness.setup_differences import FIRST
from rulewright.analysis.simulation.game_counts import GameRow
from rulewright.analysis.simulation.metrics import Metric
from rulewright.base.confidence_intervals import Z
from rulewright.base.significance import LEVEL, compute_mcnemar_chance
from rulewright.engine.narration.plain_names import Names
from rulewright.language.declarations import PLAYER_KIND
from rulewright.ruleset.ruleset import Ruleset

PLACE = 6
TITLE = "What would even it out?"
NOT_FROM_SAVES = "it plays games under changed rules"
FOR_DESIGNERS = True

LIMIT = 0.03
"""The advantage that counts as even. A group would need more than 1,000 games to tell 53 % from 50 %."""

BUDGET = 28
"""The maximum number of games of all trials together, in samples."""

PROBE = 5
"""A field is chosen in this fraction of a sample, for each field and amount."""

SEARCH = 2
"""An amount is looked for in this fraction of a sample, for each amount."""

PROBES = (1, 8, 64)
"""The amounts of the probes. A larger one is probed only if no smaller one has a significant effect."""

MOST_FIELDS = 6
"""The maximum number of fields that are probed."""

MOST = 1_024
"""The maximum amount."""

CONFIRM = 4
"""The number of samples of new games in which the chosen compensation is judged."""

MOST_OPENINGS = 30
"""The maximum number of first decisions that are tried for the pie rule. Of more options, these are evenly spaced."""

LEFT = 4
"""The number of first decisions that are tried again in a whole sample."""

CLOSE = 0.002
"""The smallest distance from the limit that is worth more games."""

MORE = 2
"""How far above the last amount that was too small an amount is judged."""


@dataclass(slots=True)
class _Trials:
    """The trials against one advantage, and the games that they may still play.

    `ahead` is true if the player of the `role` wins too often. `rules` are the rules with the measures that the role
    needs.
    """

    table: GameCache
    rules: Ruleset
    players: int
    role: Role
    does: str
    ahead: bool
    left: int
    metrics: list[Metric] = field(default_factory=list)

    def play(self, rules: Ruleset, first: int, last: int, opening: int | None = None) -> list[GameRow]:
        """Return games of other rules, or none if the budget does not allow them or after an interrupt."""
        if last - first > self.left:
            return []
        self.left -= last - first
        rows = self.table.play_rows(rules, self.players, first, last, opening=opening)
        return rows if len(rows) == last - first else []

    def measure(self, rows: Sequence[GameRow], identity: str = "") -> Advantage | None:
        """Return the result of the player, or None if it is the same for all players in every game."""
        scores = ((row.list_wins(), self.role.find_seat(row)) for row in rows)
        own = [(score, seat) for score, seat in scores if seat is not None and len(set(score)) > 1]
        return measure_player(identity, self.does, own, share=True) if own else None

    def note(self, title: str, advantage: Advantage) -> None:
        """Add the result of a trial to the metrics."""
        self.metrics.append(Metric(advantage.id, title, advantage.mean, advantage.interval, share=True))

    def is_reversed(self, advantage: Advantage) -> bool:
        """Return whether the advantage has surely turned into its opposite, by more than `LIMIT`."""
        low, high = (end - advantage.even for end in advantage.interval)
        return high < -LIMIT if self.ahead else low > LIMIT

    def remains(self, advantage: Advantage) -> float:
        """Return the advantage that remains. It is negative if it has turned into its opposite."""
        return advantage.effect if self.ahead else -advantage.effect


@dataclass(frozen=True, slots=True)
class _Result:
    """What a trial found: a sentence, the further games it needs, and the rules file, if it evens the game out."""

    text: str
    evens: bool = False
    missing: int = 0
    change: str = ""
    name: str = ""


def answer(table: GameCache) -> Answer | None:
    """Answer for the smallest number of players with a significant advantage of a seat, or of the first player.

    Return None if there is no such advantage, or after an interrupt.
    """
    by_players = find_advantages(table)
    for players, (games, advantages) in by_players.items():
        unfair = _choose_advantage(advantages, players)
        if unfair is not None and games >= FEWEST_GAMES and not table.interrupted:
            tried: list[str] = []
            part = answer_each_size((players,), partial(_answer_size, table, unfair, tried))
            return None if part is None or table.interrupted else replace(part, sentences=(*part.sentences, *tried))
    return None


def _choose_advantage(advantages: Sequence[Advantage], players: int) -> Advantage | None:
    """Return the largest significant advantage of a seat or of the first player. Of two seats, return the better.

    None if there is none.
    """
    certain = [each for each in advantages if each.chance <= LEVEL and (each.is_seat or each.id == FIRST)]
    first = next(iter(certain), None)
    if first is None or players > 2 or first.effect > 0 or not first.is_seat:
        return first
    return next(each for each in certain if each.is_seat and each.effect > 0)


def _answer_size(table: GameCache, unfair: Advantage, tried: list[str], players: int) -> Answer:
    """Return the answer for one advantage, and add a sentence for each trial to `tried`."""
    command = table.build_fair_command()
    if not unfair.share:
        text = "Not tried: payoffs have no common scale by which an advantage would be small."
        return Answer((text,), commands=(command,))
    points = f"{format_points(abs(unfair.effect))} {'more' if unfair.effect > 0 else 'less'} than an even share"
    says = [f"Whoever {unfair.does} wins {points}."]
    if abs(unfair.effect) <= LIMIT:
        says.append(f"At most {format_points(LIMIT)} count as even, so nothing is tried.")
        return Answer(tuple(says), commands=(command,))
    role = Role(None if unfair.id == FIRST else int(unfair.id.rpartition(".")[2]) - 1)
    rules = table.ruleset if role.seat is not None else with_first_player(table.ruleset, players)
    start = None if rules is None else find_game_start(rules, players, seed=table.seed, options=table.options)
    if rules is None or start is None:
        says.append("Nothing can be tried, because games do not begin with the same decision.")
        return Answer(tuple(says), commands=(command,))
    trials = _Trials(table, rules, players, role, unfair.does, unfair.effect > 0, BUDGET * table.games)
    results = [_try_amounts(trials, start), _try_pie_rule(trials, start)]
    tried += [each.text for each in results]
    if role.seat is not None:
        tried.append(
            "A die that decides who sits where makes the seats equal on average, but whoever gets this seat keeps the "
            "whole advantage."
        )
    says.append(_conclude(results) if trials.left < BUDGET * table.games else "Nothing can be tried in games.")
    change = next((each.change for each in results if each.change), "")
    missing = 0 if any(each.evens for each in results) else max(each.missing for each in results)
    commands = (f"{command} --edition even",) if change else (command,)
    return Answer(tuple(says), tuple(trials.metrics), commands, missing=missing, change=change)


def _conclude(results: Sequence[_Result]) -> str:
    """Return the sentence that names what evens out the advantage, if anything does."""
    limit = format_points(LIMIT)
    evens = [each.name for each in results if each.evens]
    if evens:
        return f"At most {limit} are left with {join_words(evens)}."
    if any(each.missing for each in results):
        return f"More games would show whether one of the following changes brings the advantage down to {limit}."
    return f"None of the following changes brings the advantage down to {limit}."


# -- an amount at the start ------------------------------------------------------------------


def _try_amounts(trials: _Trials, start: GameStart) -> _Result:
    """Try amounts of the field with the largest effect, the smallest first, and judge the first that suffices.

    If nothing can be tried or found, the result says why.
    """
    if not start.fields:
        return _Result("Players have no number that could be given to the others.")
    players = [write_seat(trials.role.seat)] if trials.role.seat is not None else list(start.names)
    if not players:
        return _Result("No amount is tried, because no field of the game names who decides first.")
    chosen = _choose_field(trials, start, players)
    if chosen is None:
        return _Result("No number of a player that could be given at the start has a significant effect.")
    amount, below = _find_amount(trials, start, chosen)
    if amount is None:
        least = _name(trials, replace(chosen, amount=max(1, below)))
        least = least[0].upper() + least[1:]
        return _Result(f"{least} is too little, and more cannot be tried." if below else f"{least} cannot be tried.")
    while True:
        compensation = replace(chosen, amount=amount)
        rules, name = _lay(trials, start, compensation), _name(trials, compensation)
        games, first = trials.table.games, trials.table.count_most(trials.players)
        rows = [] if rules is None else trials.play(rules, first, first + CONFIRM * games)
        advantage = trials.measure(rows, f"even.{compensation.field}.{amount}")
        if advantage is None:
            return _Result(f"{name[0].upper()}{name[1:]} was not judged: the {BUDGET * games:,} games are used up.")
        trials.note(f"with {name}", advantage)
        whose = "to the same player" if trials.remains(advantage) >= 0 else "to the others"
        change = compensation.write_rules(trials.table.ruleset, start)
        result = _judge(advantage, name, whose, len(rows), change)
        if trials.players > 2:
            result = _judge_seats(trials, rows, result)
        if amount == 1 and trials.is_reversed(advantage):
            result = replace(result, text=f"{name[0].upper()}{name[1:]} is already too much. {result.text}")
        # New games may show that the amount is too small, which the choice among several amounts has hidden.
        if result.evens or trials.remains(advantage) <= LIMIT or amount >= below + MORE:
            return result
        amount += 1


def _choose_field(trials: _Trials, start: GameStart, players: Sequence[str]) -> Compensation | None:
    """Return the compensation with the largest effect in a few games, for whom it helps. None without an effect."""
    games = max(FEWEST_GAMES, trials.table.games // PROBE)
    before = trials.play(trials.rules, 0, games)
    for amount in PROBES:
        best: tuple[float, Compensation] | None = None
        for name in start.fields[:MOST_FIELDS]:
            for player in players:
                tried = Compensation(name, amount, player, to_others=trials.ahead)
                rules = _lay(trials, start, tried)
                rows = [] if rules is None else trials.play(rules, 0, games)
                if not rows:
                    continue
                shift = _find_shift(trials, before, rows)
                if best is None or abs(shift) > abs(best[0]):
                    best = shift, tried
                break  # another name for the same player changes nothing
        if best is not None and best[0]:
            shift, tried = best
            # If the number makes the advantage larger, it is a burden, so the other side gets it.
            helps = (shift < 0) == trials.ahead
            return tried if helps else replace(tried, to_others=not tried.to_others)
    return None


def _find_shift(trials: _Trials, before: Sequence[GameRow], after: Sequence[GameRow]) -> float:
    """Return the mean change of the player's wins in paired games, or 0 if it is not significant."""

    def has_won(row: GameRow) -> bool:
        seat = trials.role.find_seat(row)
        return seat is not None and row.has_won(seat + 1)

    changes = [has_won(new) - has_won(old) for old, new in zip(before, after, strict=False)]
    if compute_mcnemar_chance(changes.count(1), changes.count(-1)) > LEVEL:
        return 0.0
    return sum(changes) / len(changes)


def _find_amount(trials: _Trials, start: GameStart, chosen: Compensation) -> tuple[int | None, int]:
    """Return the amount to judge, and the largest that seems too small.

    It is the smallest amount that seems to suffice. If the next larger amount than one that is too small already turns
    the advantage into its opposite, it is the amount of the two that leaves less, because so few games may be wrong
    about both. None if the advantage stays too large, or if the amount cannot be tried.
    """
    games = max(FEWEST_GAMES, trials.table.games // SEARCH)
    left: dict[int, float | None] = {}

    def remains(amount: int) -> float | None:
        rules = _lay(trials, start, replace(chosen, amount=amount))
        advantage = None if rules is None else trials.measure(trials.play(rules, 0, games))
        left[amount] = None if advantage is None else trials.remains(advantage)
        return left[amount]

    amount, below = search_amount(remains)
    above = left.get(below + 1)
    if amount is None and above is not None and above < -LIMIT:
        under = left.get(below)
        amount = below + 1 if under is None or abs(above) <= under else below
    return amount, below


def search_amount(remains: Callable[[int], float | None]) -> tuple[int | None, int]:
    """Return the smallest amount from 1 with which no more than `LIMIT` remains, and the largest that is too small.

    The first is None if the advantage turns into its opposite before, or if an amount cannot be tried. Doubles the
    amount until it is too much, and then bisects.
    """
    low, high, best = 0, 1, None
    while high <= MOST:
        left = remains(high)
        if left is None:
            return None, low
        if left <= LIMIT:
            best = high if left >= -LIMIT else None
            break
        low, high = high, 2 * high
    else:
        return None, low
    while high - low > 1:
        middle = (low + high) // 2
        left = remains(middle)
        if left is None:
            break
        if left > LIMIT:
            low = middle
        else:
            high = middle
            best = middle if left >= -LIMIT else best
    return best, low


def _lay(trials: _Trials, start: GameStart, compensation: Compensation) -> Ruleset | None:
    """Return the rules with a compensation, or None if they do not allow it."""
    table = trials.table
    return lay_compensation(
        trials.rules, start, compensation, trials.role, trials.players, seed=table.seed, options=table.options
    )


def _name(trials: _Trials, compensation: Compensation) -> str:
    """Return a compensation in words: `2 more Points for the other player at the start`."""
    what = Names(trials.table.ruleset).name_field(PLAYER_KIND, compensation.field)
    if compensation.to_others:
        whom = "the other player" if trials.players == 2 else "all other players"
    else:
        whom = "this player"
    return f"{compensation.amount:,} more “{what}” for {whom} at the start"


def _judge(advantage: Advantage, name: str, whose: str, games: int, change: str = "") -> _Result:
    """Return whether the advantage is under the limit, from new games. `whose` says who has what is left of it.

    If that is open, the result has the number of missing games.
    """
    low, high = (end - advantage.even for end in advantage.interval)
    effect = format_effect(abs(advantage.effect), (low, high) if advantage.effect >= 0 else (-high, -low))
    text = f"With {name}, an advantage of {effect} is left {whose}, in {format_count(games, 'new game')}."
    if max(abs(low), abs(high)) <= LIMIT:
        return _Result(text, evens=True, change=change, name=name)
    if low > LIMIT or high < -LIMIT:
        return _Result(text)
    spread, margin = advantage.even * (1 - advantage.even), max(abs(LIMIT - abs(advantage.effect)), CLOSE)
    needed = ceil(spread * (Z / margin) ** 2 * games / advantage.games)
    more = format_count(max(1, needed - games), "more game")
    text += f" About {more} would show whether that is within the limit."
    missing = max(1, ceil((needed - games) / CONFIRM))
    return _Result(text, missing=missing, change=change if abs(advantage.effect) < LIMIT else "")


def _judge_seats(trials: _Trials, rows: Sequence[GameRow], result: _Result) -> _Result:
    """Return a result that also says which seat differs most. An amount for one player may leave the others unequal.

    If that seat differs by more than the limit, the result no longer counts as even. `rows` are the games with the
    change.
    """
    results = SeatResults(tuple(row.list_wins() for row in rows), are_payoffs=False)
    worst = measure_advantages((), results)[0]
    share = f"{format_points(abs(worst.effect))} {'more' if worst.effect > 0 else 'less'} than an even share"
    text = f"{result.text} Seat {worst.id.rpartition('.')[2]} differs most, with {share}."
    return replace(result, text=text, evens=result.evens and abs(worst.effect) <= LIMIT)


# -- the pie rule ----------------------------------------------------------------------------


def _try_pie_rule(trials: _Trials, start: GameStart) -> _Result:
    """Try every option of the first decision, and judge the one after which both sides are the most equal.

    With the pie rule, the second player may take the side of the first one after that decision. The first player
    therefore makes the most equal one. This needs no other rules, only games that begin with each option. If the rule
    cannot be tried or judged, the result says why.
    """
    if trials.players != 2:
        return _Result("The pie rule is for two players.")
    if start.at_once:
        return _Result("The pie rule is not tried, because both players make the first decision at the same time.")
    if not start.options:
        return _Result("The pie rule is not tried, because the options of the first decision differ from game to game.")
    games, options = trials.table.games, len(start.options)
    tried = min(options, MOST_OPENINGS)
    openings = [place * options // tried for place in range(tried)]
    # Of many openings, the most equal one in few games is so by luck, so the best few are tried again.
    best = _sort_openings(trials, openings, max(FEWEST_GAMES, games // tried))[:LEFT]
    best = _sort_openings(trials, best, games)[:1] if len(best) > 1 else best
    first = trials.table.count_most(trials.players)
    rows = trials.play(trials.rules, first, first + CONFIRM * games, best[0]) if best else []
    if not rows:
        return _Result(f"The pie rule was not judged: the {BUDGET * games:,} games are used up.")
    label = start.options[best[0]]
    chosen = f"“{label}”" if not label.isdigit() else f"option {best[0] + 1}"
    advantage = trials.measure(rows, "even.pie")
    name = "the pie rule"
    opens = f"{name}, if the first player opens with {chosen}"
    opens += f" (of {tried} of {options:,} openings)" if tried < options else ""
    if advantage is None:
        return _Result(f"With {opens}, nobody wins alone.", evens=True, name=name)
    trials.note(f"with {name}", advantage)
    result = _judge(advantage, opens, "to whoever chooses a side", len(rows))
    return replace(result, name=name)


def _sort_openings(trials: _Trials, openings: Sequence[int], games: int) -> list[int]:
    """Return options of the first decision, the most equal one first. Empty if there are no games left."""
    effects: list[tuple[float, int]] = []
    for option in openings:
        rows = trials.play(trials.rules, 0, games, option)
        if not rows:
            return []
        advantage = trials.measure(rows)
        effects.append((0.0 if advantage is None else abs(advantage.effect), option))
    return [option for _, option in sorted(effects)]
