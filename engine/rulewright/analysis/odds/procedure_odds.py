"""The odds of a whole procedure, exact if possible and sampled if the state graph is too large."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

from rulewright.analysis.odds.absorption import NONE, UnsolvableError, compute_arrivals, find_best_choices
from rulewright.analysis.odds.end_expressions import AnswerOdds, EndAnswer, EndQuestion, EndQuestions, answer
from rulewright.analysis.odds.policies import Policies, looks_ahead, read_policies
from rulewright.analysis.odds.state_graph import ONE, DecisionPolicy, Settle, StateGraph, TooLargeError, explore
from rulewright.analysis.odds.threshold_rolls import Thresholds
from rulewright.base.errors import RulewrightError
from rulewright.dice.dice_error import DiceError
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.game.script import Script, ScriptError, draw_value, find_option, list_option_ids
from rulewright.engine.narration.player_view import view_of_player
from rulewright.engine.narration.redaction import analyze_sight
from rulewright.engine.python_backend.compiler import compile_ruleset
from rulewright.engine.state.game_state import CHANCE, DECISION, State
from rulewright.engine.state.state_keys import StateKeys
from rulewright.ir.analyses.liveness import Liveness
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.testing.starting_position import PositionBuilder

MOST_BRANCHES = 300_000
"""The maximum number of branches for an exact answer, a few seconds of work. Beyond it, the odds are sampled."""

PRECISION = 0.02
"""The target width of the confidence interval of every sampled probability."""

OPERATIONS_OF_A_STOP = 200
"""The typical number of operations per pause point. A more expensive one counts as several."""

MOST_STOPS = 1_000_000
"""The maximum number of pause points in all sampled runs: about ten seconds of work, regardless of the precision."""

_BATCH = 100


@dataclass(frozen=True, slots=True)
class ProcedureOdds:
    """The answers, one for each question, and how they were computed.

    Exact odds have `branches` and `positions`. Sampled odds have `samples` and the `precision` to reach, and
    `too_large` explains why they are not exact. `interrupted` is true if the user ended the sampling. `beyond` lists
    the steps at which the best choice depends on information that its player cannot see. The odds then are those of a
    player that sees everything.
    """

    answers: tuple[AnswerOdds, ...]
    branches: int
    positions: int
    samples: int | None = None
    too_large: str = ""
    precision: float = 0.0
    interrupted: bool = False
    beyond: tuple[str, ...] = ()

    @property
    def width(self) -> float:
        """The width of the widest interval."""
        return max((each.width for each in self.answers), default=0.0)

    @property
    def precise(self) -> bool:
        """Whether the odds are exact or as precise as requested."""
        return self.exact or self.width <= self.precision

    @property
    def exact(self) -> bool:
        """Whether the probabilities are exact."""
        return self.samples is None


@dataclass(frozen=True, slots=True)
class End:
    """The answers to all questions at one end, and the value of that end in a search for the best."""

    answers: tuple[EndAnswer, ...]
    value: Fraction


@dataclass(frozen=True, slots=True)
class ProcedureSetting:
    """The starting position of a procedure, and the policies and choices for its decisions.

    The questions apply to the first pause point at which the condition `until` is true, or to the end if it never is.
    `choices` script the first decisions, and `policies` make the rest.
    """

    given: MappingNode | None = None
    policies: Sequence[str] = ()
    choices: Sequence[str] = ()
    players: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    until: str = ""


def compute_procedure_odds(
    ruleset: Ruleset,
    procedure: str,
    expressions: Sequence[str] = (),
    *,
    setting: ProcedureSetting | None = None,
    most: int = MOST_BRANCHES,
    precision: float = PRECISION,
    seed: int | str = 0,
    sampling: bool = True,
    stops: int | None = None,
) -> ProcedureOdds:
    """Return the odds of the values of `expressions` at the end of `procedure`, which must be the id of a procedure.

    The function first follows at most `most` branches for exact odds. If that fails, it samples runs from `seed` until
    every probability is known to `precision`, or until `stops` pause points (default `MOST_STOPS`). An interrupt ends
    the sampling with the samples so far. Without `sampling`, or with a policy that seeks the best, the function raises
    an error instead of sampling.

    Raises:
        DiagnosticError: For invalid expressions, positions or scripts.
        RulewrightError: For unknown policies, or if the odds are too large to be exact and cannot be sampled.
        RulesFault: If the rules fail in play.
    """
    setting = setting or ProcedureSetting()
    asking = OddsQuery(ruleset, procedure, expressions, setting)
    try:
        return asking.compute_exactly(most)
    except (TooLargeError, UnsolvableError, DiceError) as error:
        if asking.seeks:
            raise RulewrightError(
                f"`best` needs every branch, and {error}; allow more branches, or use other policies for some decisions"
            ) from error
        if not sampling:
            raise RulewrightError(f"the exact odds are too large to compute: {error}") from error
        return asking.sample(precision, seed, str(error), stops=stops)


def _beyond(graph: StateGraph, chosen: Mapping[int, int]) -> tuple[str, ...]:
    """Return the steps at which positions that look alike to the deciding player have different best choices."""
    first: dict[Hashable, int] = {}
    results: dict[str, None] = {}
    for index, place in chosen.items():
        match graph.nodes[index].observation:
            case (str(rule), *_) as seen if first.setdefault(seen, place) != place:
                results[rule] = None
    return tuple(results)


class OddsQuery:
    """The questions about one procedure, with its starting state and the policies for its decisions.

    Construction raises `DiagnosticError` for invalid expressions or positions and `RulewrightError` for unknown
    policies.
    """

    def __init__(self, ruleset: Ruleset, procedure: str, expressions: Sequence[str], setting: ProcedureSetting) -> None:
        """Set up the position, the questions and the policies.

        Raises `DiagnosticError` for invalid expressions or positions, and `RulewrightError` for invalid policies, or if
        a policy seeks the best of a question without values to maximize.
        """
        self.ruleset = ruleset
        self.procedure = ruleset.procedures[procedure]
        self.setting = setting
        self.machine = compile_ruleset(ruleset)
        diagnostics = Diagnostics()
        options = dict(setting.options)
        place = self.procedure.span
        position = PositionBuilder(self.machine, setting.given, diagnostics)
        self.state, self.arguments = position.set_up(procedure, setting.players, options, place)
        self.questions = EndQuestions(
            ruleset, self.procedure, self.state, self.arguments, expressions, diagnostics, until=setting.until
        )
        diagnostics.raise_if_errors()
        self.policies: Policies = read_policies(setting.policies, ruleset, players=len(self.state.live[1]))
        self.taken = 0
        self.seeks = any(looks_ahead(written.rpartition("=")[2].strip()) for written in setting.policies)
        if self.seeks:
            self.questions.refuse_worthless()

    def compute_exactly(self, most: int) -> ProcedureOdds:
        """Return exact odds from every branch.

        Raises `TooLargeError` beyond `most` branches or for too many operations, `UnsolvableError` for cycles without a
        solution, `DiceError` for a roll that is too large, `DiagnosticError` for scripted choices that do not fit, and
        `RulesFault` if the rules fail.
        """
        slots = self.questions.slots
        liveness = Liveness(self.ruleset, self.procedure.id, slots)
        thresholds = Thresholds(self.ruleset, liveness, root=self.procedure.id, result_slots=slots)
        start = self._begin()
        positions = StateKeys(self.ruleset, liveness, first_new=len(self.state.objects))
        counted = len(self.setting.choices)
        seen = None if analyze_sight(self.ruleset).everything else view_of_player
        graph = explore(
            start,
            positions,
            thresholds,
            self._settle(),
            self._end,
            most=most,
            counted=counted,
            over=self._over,
            seen=seen,
        )
        self._refuse_rest()
        chosen: Mapping[int, int] = {}
        if any(node.seeks for node in graph.nodes):
            chosen, _ = find_best_choices(graph, lambda end: end.value)
        ends = compute_arrivals(graph, chosen)
        results: list[dict[EndAnswer, Fraction]] = [{} for _ in self.questions.questions]
        for index, chance in ends.items():
            for key, chances in zip(graph.nodes[index].end.answers, results, strict=True):
                chances[key] = chances.get(key, Fraction(0)) + chance
        answers = tuple(
            self.questions.add_note(answer(q, chances))
            for q, chances in zip(self.questions.questions, results, strict=True)
        )
        return ProcedureOdds(answers, graph.branches, len(graph.nodes), beyond=_beyond(graph, chosen))

    def sample(self, precision: float, seed: int | str, why: str, *, stops: int | None = None) -> ProcedureOdds:
        """Return sampled odds with intervals as narrow as `precision`.

        `why` is the reason for sampling, for the report. Sampling stops early after `stops` pause points (default
        `MOST_STOPS`), and on an interrupt once there is a sample. After an interrupt, the result is marked as
        interrupted. Raises `DiagnosticError` for scripted choices that do not fit or were not used, and
        `RulewrightError` if a run does not end or the rules fail.
        """
        stops = MOST_STOPS if stops is None else stops
        generator = Generator(seed, "odds")
        settle = self._settle()
        counts: list[Counter[EndAnswer]] = [Counter() for _ in self.questions.questions]
        samples = spent_on = 0
        start = self._begin()
        interrupted = False
        while True:
            try:
                end, result = self.run(start.clone(), settle, generator, stops=stops)
                outcomes = [self._make_answer(question, end) for question in self.questions.questions]
            except KeyboardInterrupt:
                if not samples:
                    raise
                interrupted, result, outcomes = True, 0, []
            samples += not interrupted
            spent_on += result
            for each, count in zip(outcomes, counts, strict=False):
                count[each] += 1
            spent = spent_on >= stops or interrupted
            if spent or samples % _BATCH == 0:
                answers = tuple(
                    self.questions.add_note(
                        answer(q, {k: Fraction(many, samples) for k, many in count.items()}, samples)
                    )
                    for q, count in zip(self.questions.questions, counts, strict=True)
                )
                odds = ProcedureOdds(answers, 0, 0, samples, why, precision, interrupted)
                if spent or odds.precise:
                    if not interrupted:
                        self._refuse_rest()
                    return odds

    def run(self, state: State, settle: Settle, generator: Generator, *, stops: int | None = None) -> tuple[State, int]:
        """Play one run from `state` and return its final state and the number of pause points.

        The run changes `state`. Raises `RulewrightError` if the procedure has not ended after `stops` pause points
        (default: `MOST_STOPS`), and its subclass `RulesFault` if the rules fail.
        """
        stops = MOST_STOPS if stops is None else stops
        decisions = result = 0
        while result < stops:
            if self._over(state):
                return state, result
            left = state.work
            if state.mode == CHANCE:
                state.apply_outcome(draw_value(state.roll, generator))
            else:
                state.apply(_draw(settle(state, decisions), generator))
                decisions += 1
            result += 1 + max(0, left - state.work) // OPERATIONS_OF_A_STOP
        raise RulewrightError(
            f"`{self.procedure.id}` has not ended after {stops:,} rolls and decisions: with these policies "
            "it may never end; use other policies, or stop at an earlier step"
        )

    def _begin(self) -> State:
        state = self.state.clone()
        self.machine.begin(state, self.procedure.id, self.arguments)
        return state

    def _over(self, state: State) -> bool:
        """Return whether the run ends here, because the procedure has ended or the `until` condition is true."""
        return state.mode not in (CHANCE, DECISION) or self.questions.is_reached(state)

    def _end(self, state: State) -> End:
        """Return the answers at a final state."""
        answers = tuple(self._make_answer(question, state) for question in self.questions.questions)
        return End(answers, self.questions.compute_end_value(state) if self.seeks else NONE)

    def _make_answer(self, question: EndQuestion, end: State) -> EndAnswer:
        """Return the answer to a question at an end, with a number if the question counts and has a value there."""
        value = self.questions.answer(question, end)
        number = int(value) if isinstance(value, int) and question.counts else None
        return EndAnswer(
            self.questions.build_id(question, value), self.questions.format_answer(question, value), number
        )

    def _settle(self) -> Settle:
        """Return a function that makes the scripted choices first, and then follows the policies.

        It raises `DiagnosticError` for a scripted choice that is not offered, and counts those made in `taken`.
        """
        choices = self.setting.choices

        def settle(state: State, decisions: int) -> DecisionPolicy:
            if decisions >= len(choices):
                return self.policies(state)
            step = self.ruleset.steps[state.frame[0]]
            self.taken = max(self.taken, decisions + 1)
            try:
                return DecisionPolicy(
                    [(find_option(choices[decisions], list_option_ids(state, step), step, _who(state)), ONE)]
                )
            except ScriptError as error:
                raise DiagnosticError((error.diagnostic,)) from None

        return settle

    def _refuse_rest(self) -> None:
        """Raise `DiagnosticError` if a scripted choice is left over that no branch needed."""
        script = Script(choices=self.setting.choices)
        script.chosen = self.taken
        try:
            script.refuse_rest(self.procedure.span)
        except ScriptError as error:
            raise DiagnosticError((error.diagnostic,)) from None


def _who(state: State) -> str:
    return f"Player {state.live[1].index(state.who) + 1}"


def _draw(settled: DecisionPolicy, generator: Generator) -> int:
    """Draw one of the options by their probabilities and return its number."""
    if len(settled.options) == 1:
        return settled.options[0][0]
    whole = lcm(*(chance.denominator for _, chance in settled.options))
    below = generator.draw_below(whole)
    for option, chance in settled.options:
        below -= chance.numerator * (whole // chance.denominator)
        if below < 0:
            return option
    return settled.options[-1][0]
