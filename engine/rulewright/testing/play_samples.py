"""Sample games that bots play on the reference interpreter, recorded scene by scene."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulewright.ai import bots
from rulewright.base.errors import RulewrightError
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine import engine_diagnostics
from rulewright.engine.game.record import ChoiceEntry, Entry
from rulewright.engine.game.script import draw_outcome, list_option_ids
from rulewright.engine.narration.events import Event
from rulewright.engine.narration.log import NarrationLog
from rulewright.engine.state.faults import Allowance, RulesFault, RunAllowance
from rulewright.engine.state.game_state import CHANCE, DECISION, OVER, PAUSED, State
from rulewright.engine.state.tree_interpreter import Interpreter, Walk
from rulewright.language.checked_steps import Step
from rulewright.language.declarations import FIRST_PLAYER
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.types import Type
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.samples import Sample
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics
from rulewright.source.span import Span
from rulewright.testing.example_settings import check_options
from rulewright.testing.procedure_run import Moment
from rulewright.testing.step_names import find_step_names, suggest_step

MOST_STOPS = 5_000
"""The maximum number of decisions and rolls in a readable sample."""

CHANGES = ("written", "created", "removed")
"""The kinds of effects that a sample records one by one, so that it can stop after any of them."""


@dataclass(slots=True, eq=False)
class Scene:
    """A procedure call in a sample game, with its arguments and the events in it.

    `parts` has indices of events in the sample, and the scenes of called procedures, in order. `start` and `end` are
    copies of the state before and after the call. Only the direct children of the outermost scene have them.
    """

    procedure: str
    arguments: tuple[tuple[Type, Any], ...]
    parts: list[int | Scene] = field(default_factory=list)
    start: State | None = None
    end: State | None = None

    def iterate_places(self) -> Iterator[int]:
        """Yield the indices of all events in this scene and its inner scenes, in order."""
        for part in self.parts:
            if isinstance(part, Scene):
                yield from part.iterate_places()
            else:
                yield part


@dataclass(frozen=True, slots=True, eq=False)
class SampleRun:
    """A played sample, with its events in `moments` and by scene, its final state and its record."""

    sample: Sample
    moments: tuple[Moment, ...]
    scene: Scene
    state: State
    problems: Diagnostics
    record: tuple[Entry, ...] = ()


def play_sample(ruleset: Ruleset, sample: Sample, allowance: Allowance | None = None) -> SampleRun | Diagnostics:
    """Play a sample and return its run, or only the diagnostics if it cannot be played.

    The game is the same each time. The steps consume the `allowance`, or by default that of a single run. Only a
    `RulesFault` without a diagnostic is raised.
    """
    problems = Diagnostics()
    players = _settle(ruleset, sample, problems)
    stop = _stop(ruleset, sample, problems)
    if problems.errors or ruleset.start is None:
        return problems
    machine = _SceneRecorder(ruleset, until=stop, allowance=allowance or RunAllowance())
    state = machine.empty(players, options=sample.options)
    state.events = []
    chronicle = NarrationLog.for_state(state)
    try:
        policies = [bots.make(sample.policy, ruleset, seed=sample.seed, seat=seat) for seat in range(1, players + 1)]
        machine.begin(state, ruleset.start, ())
        faces, record = _play(machine, state, policies, sample)
    except RulesFault as error:
        if error.diagnostic is None:
            raise
        problems.extend((error.diagnostic,))
        return problems
    except DiagnosticError as error:
        problems.extend(error.diagnostics)
        return problems
    except RulewrightError as error:
        problems.add(engine_diagnostics.BAD_SAMPLE, str(error), _span(sample, "policy"), suggestion=_known_bots())
        return problems
    events = chronicle.read(state.events)
    moments = tuple(Moment(event, faces.get(place)) for place, event in enumerate(events))
    if stop is not None and state.mode != PAUSED and not (events and events[-1].rule == sample.until):
        message = f"`{sample.id}` ends before `{sample.until}` is done"
        problems.add(
            engine_diagnostics.NEVER_REACHED, message, _span(sample, "until"), suggestion=_reachable(ruleset, events)
        )
    return SampleRun(sample, moments, machine.root, state, problems, record)


def check_samples(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Play every sample and report its problems."""
    allowance = RunAllowance("all samples together")
    for sample in ruleset.samples.values():
        result = play_sample(ruleset, sample, allowance)
        diagnostics.extend(result.problems if isinstance(result, SampleRun) else result)


class _SceneRecorder(Interpreter):
    """An interpreter for a single game that records the scene of each event."""

    def __init__(self, ruleset: Ruleset, *, until: int | None, allowance: Allowance) -> None:
        super().__init__(ruleset, until=until, allowance=allowance)
        assert ruleset.start is not None
        self.root = Scene(ruleset.start, ())
        self.scenes = [self.root]

    def walk(self, state: State) -> Walk:
        return _RecordingWalk(self, state)


class _RecordingWalk(Walk):
    """A walk that records the scenes."""

    machine: _SceneRecorder

    def call(self, procedure: str, arguments: tuple[Any, ...]) -> None:
        """Begin a scene for the procedure, with a copy of the state if the procedure of the whole game calls it."""
        kinds = self.machine.ruleset.procedures[procedure].parameters.values()
        scene = Scene(procedure, tuple(zip(kinds, arguments, strict=True)))
        scenes = self.machine.scenes
        if len(scenes) == 1:
            scene.start = self.state.clone()
        scenes[-1].parts.append(scene)
        scenes.append(scene)
        super().call(procedure, arguments)

    def leave(self) -> None:
        """End the current scene, with a copy of the state if it is one of the procedure of the whole game."""
        scenes = self.machine.scenes
        if len(scenes) > 1:
            scene = scenes.pop()
            if len(scenes) == 1:
                scene.end = self.state.clone()
        super().leave()

    def record_event(self, step: Step, event_kind: str, *details: Any, viewers: Typed | None = None) -> None:
        super().record_event(step, event_kind, *details, viewers=viewers)
        self.machine.scenes[-1].parts.append(len(self.state.events or ()) - 1)


def _play(
    machine: _SceneRecorder, state: State, policies: Sequence[bots.Policy], sample: Sample
) -> tuple[dict[int, tuple[tuple[int, ...], ...] | None], tuple[Entry, ...]]:
    """Play to the end or to the stop, and return the faces of each roll by event index, and the record.

    Changes `state`. Raises `DiagnosticError` for a sample with too many decisions and rolls.
    """
    generator = Generator(sample.seed, "dice")
    faces: dict[int, tuple[tuple[int, ...], ...] | None] = {}
    record: list[Entry] = []
    for _ in range(MOST_STOPS):
        if state.mode in (OVER, PAUSED):
            return faces, tuple(record)
        if state.mode == CHANCE:
            outcome = draw_outcome(state.roll, generator)
            faces[len(state.events or ())] = outcome.faces
            record.append(outcome)
            state.apply_outcome(outcome.value)
        elif state.mode == DECISION:
            step = machine.step(state)
            assert step is not None
            index = policies[state.who - FIRST_PLAYER](state)
            record.append(ChoiceEntry(list_option_ids(state, step)[index]))
            state.apply(index)
    diagnostics = Diagnostics()
    message = f"`{sample.id}` has not ended after {MOST_STOPS:,} decisions and rolls"
    diagnostics.add(engine_diagnostics.RUNS_ON, message, sample.span, suggestion="stop it earlier with `until:`")
    diagnostics.raise_if_errors()
    return faces, tuple(record)


def _settle(ruleset: Ruleset, sample: Sample, problems: Diagnostics) -> int:
    """Return the number of players. Reports an invalid number or setting, and a ruleset without `start:`."""
    if ruleset.start is None:
        message = f"`{sample.id}` plays a whole game, but {ruleset.reference} has no start procedure"
        problems.add(
            engine_diagnostics.BAD_SAMPLE,
            message,
            sample.span,
            suggestion="name the procedure in the manifest under `start:`",
        )
    fewest, most = ruleset.players
    players = fewest if sample.players is None else sample.players
    if not fewest <= players <= most:
        message = f"{ruleset.title} is for {ruleset.format_players()}, not {players}"
        problems.add(
            engine_diagnostics.BAD_SAMPLE, message, _span(sample, "players"), suggestion=f"write `players: {fewest}`"
        )
    check_options(ruleset, sample.node, engine_diagnostics.BAD_SAMPLE, problems)
    return players


def _stop(ruleset: Ruleset, sample: Sample, problems: Diagnostics) -> int | None:
    """Return the number of the step to stop after, or None to play to the end. Reports an unknown step."""
    if not sample.until:
        return None
    rules = find_step_names(ruleset, sample.until).numbers
    if sample.until in rules:
        return rules[sample.until]
    message = f"there is no step `{sample.until}`"
    hint = suggest_step(sample.until, {rule: rule.rpartition(".")[2] for rule in rules})
    problems.add(engine_diagnostics.NO_SUCH_STEP, message, _span(sample, "until"), suggestion=hint)
    return None


def _reachable(ruleset: Ruleset, events: list[Event]) -> str:
    """Return a suggestion for `until:`, based on the last change that happened."""
    last = next((event.rule for event in reversed(events[:-1]) if event.kind in CHANGES), "")
    return f"stop after a step that does happen, such as `until: {last}`" if last else "leave `until` out"


def _known_bots() -> str:
    return f"the bots are {', '.join(bots.list_names())}"


def _span(sample: Sample, key: str) -> Span:
    node = sample.node.get(key)
    return node.span if node is not None else sample.span
