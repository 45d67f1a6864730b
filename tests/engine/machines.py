"""Playing one ruleset on several machines at once, and telling whether they ever differ."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine import backends
from rulewright.engine.python_backend.compiler import PythonMachine
from rulewright.engine.state.faults import RulesFault
from rulewright.engine.state.game_state import CHANCE, DECISION, OVER, State, list_outcomes
from rulewright.engine.state.machine import Machine
from rulewright.engine.state.savepoint import roll_back, set_savepoint
from rulewright.engine.state.state_json import from_json, to_json
from rulewright.engine.state.tree_interpreter import Interpreter
from rulewright.ruleset.ruleset import Ruleset

Setup = Callable[[Machine], tuple[State, str, Sequence[Any]]]
"""Makes a state, and says which procedure is carried out on it with which arguments."""

MOST_STOPS = 60


def show_state(state: State, *, chance: bool = True) -> dict[str, Any]:
    """Return everything that a state at a stop shows, as plain values that a later change leaves as they are."""
    data: dict[str, Any] = {
        "objects": [entity and tuple(entity) for entity in state.objects],
        "live": tuple(state.live),
        "stack": [tuple(frame) for frame in state.stack],
        "mode": state.mode,
        "winners": state.winners,
        "given": state.given,
        "root": state.root,
    }
    if state.mode == DECISION:
        data |= {"who": state.who, "options": state.options}
    if state.mode == CHANCE and chance:
        data["roll"] = state.roll
    return data


def whole(state: State) -> dict[str, Any]:
    """All that a move may change, what counts its work among it, as plain values that a later change leaves alone."""
    by_name = {name: getattr(state, name) for name in ("who", "options", "roll", "work", "crowd", "take")}
    events = None if state.events is None else list(state.events)
    return {**show_state(state), **by_name, "frame": tuple(state.frame), "events": events}


def describe_difference(machine: Machine, actual: dict[str, Any], expected: dict[str, Any]) -> str:
    """Return what a machine shows that the interpreter does not. A frame of the stack is the step, then the slots."""
    differing = [name for name, value in expected.items() if actual.get(name) != value]
    lines = [f"{name}: {actual.get(name)} instead of {expected[name]}" for name in differing]
    return "\n".join([f"{type(machine).__name__} differs from the interpreter", *lines])


class Table:
    """Machines side by side. The first is the plain interpreter, whose word counts."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.interpreter = Interpreter(ruleset)
        self.recording = PythonMachine(ruleset, recording=True, undoable=True)
        self.plain = PythonMachine(ruleset)
        self.sampling = PythonMachine(ruleset, sampling=True)
        named = [name for name in backends.list_names() if name not in ("interpreter", "python")]
        self.others = [backends.make(name, ruleset) for name in named]

    def play(self, setup: Setup, seed: int) -> str:
        """Play to the end, or for a while, with answers by `seed`; how it ended, in one word."""
        random = Random(seed)
        programs: tuple[Machine, ...] = (self.interpreter, self.recording, self.plain, *self.others)
        states, faults = [], []
        for machine in programs:
            state, procedure, arguments = setup(machine)
            state.events = None if machine is self.plain else []
            states.append(state)
            faults.append(_fault(lambda state=state, p=procedure, a=arguments: state.machine.begin(state, p, a)))
        for _ in range(MOST_STOPS):
            assert faults[1:] == faults[:1] * (len(programs) - 1)
            if faults[0] is not None:
                return "fault"
            oracle, *others = states
            expected = show_state(oracle)
            for state, machine in zip(others, programs[1:], strict=True):
                assert show_state(state) == expected, describe_difference(machine, show_state(state), expected)
                assert state.events is None or state.events == oracle.events
                assert state.work == oracle.work, f"{type(machine).__name__} counts other rounds (`begin_rounds`)"
            self._survives_json(oracle, expected)
            if oracle.mode == OVER:
                return "over"
            answer = _answer(oracle, random)
            if random.random() < 0.2:
                self._survives_cloning(states, answer, expected)
                self._survives_undoing(states, answer)
            faults = [_fault(lambda state=state, answer=answer: _go(state, answer)) for state in states]
        return "long"

    def sample(self, setup: Setup, seed: int) -> str:
        """Play with dice left to a generator, stopping at chances and not stopping: both must come to the same."""
        random = Random(seed)
        oracle, procedure, arguments = setup(self.interpreter)
        sampled, _, _ = setup(self.sampling)
        generator = Generator(seed, "dice")
        sampled.generator = Generator(seed, "dice")
        sampled.events = None

        def roll_on() -> None:
            while oracle.mode == CHANCE:
                oracle.apply_outcome(draw(oracle.roll, generator))

        def begin() -> None:
            oracle.machine.begin(oracle, procedure, arguments)
            roll_on()

        def go(answer: int) -> None:
            oracle.apply(answer)
            roll_on()

        fault = _fault(begin)
        assert _fault(lambda: sampled.machine.begin(sampled, procedure, arguments)) == fault
        for _ in range(MOST_STOPS):
            if fault is not None:
                return "fault"
            assert show_state(sampled) == show_state(oracle)
            assert sampled.generator == generator
            if oracle.mode == OVER:
                return "over"
            answer = random.randrange(len(oracle.options))
            fault = _fault(lambda answer=answer: go(answer))
            assert _fault(lambda answer=answer: sampled.apply(answer)) == fault
        return "long"

    def _survives_json(self, state: State, expected: dict[str, Any]) -> None:
        written = to_json(state)
        for machine in (self.interpreter, self.plain, *self.others):
            assert show_state(from_json(machine, written)) == expected

    def _survives_cloning(self, states: list[State], answer: Any, expected: dict[str, Any]) -> None:
        for state in states:
            events = None if state.events is None else list(state.events)
            clone = state.clone()
            assert show_state(clone) == expected
            _fault(lambda clone=clone: _go(clone, answer))
            assert show_state(state) == expected
            assert state.events == events

    def _survives_undoing(self, states: list[State], answer: Any) -> None:
        for state in states:
            if state.machine is not self.plain:
                before = whole(state)
                savepoint = set_savepoint(state)
                _fault(lambda state=state: _go(state, answer))
                roll_back(state, savepoint)
                assert whole(state) == before
                assert not state.stack or state.frame is state.stack[-1]


def draw(source: Any, generator: Generator) -> Any:
    """Return what comes up at a chance, by a generator."""
    from rulewright.dice.ast import Roll
    from rulewright.dice.sampling.roll_dice import total

    return total(source, generator) if isinstance(source, Roll) else source[generator.draw_below(len(source))]


def _answer(state: State, random: Random) -> Any:
    if state.mode == DECISION:
        return random.randrange(len(state.options))
    return random.choice(list_outcomes(state.roll))[0]


def _go(state: State, answer: Any) -> None:
    if state.mode == DECISION:
        state.apply(answer)
    else:
        state.apply_outcome(answer)


def _fault(action: Callable[[], None]) -> tuple[str, str] | None:
    try:
        action()
    except RulesFault as fault:
        return fault.rule, fault.message
    return None


def of_two(machine: Machine) -> tuple[State, str, tuple[Any, ...]]:
    """Return a game of two, in which the first player is given to `main`."""
    return machine.empty(2), "main", (1,)


def carried_out(ruleset: Ruleset) -> State:
    """Return the state after `main`, which comes to the same on every machine."""
    table = Table(ruleset)
    assert table.play(of_two, 1) == "over"
    table.sample(of_two, 1)
    machine = Interpreter(ruleset)
    state = machine.empty(2)
    state.events = []
    machine.begin(state, "main", (1,))
    return state


def field(state: State, entity: int, kind: str, name: str) -> Any:
    """Return what an object holds in a field."""
    return state.objects[entity][state.machine.layout.places[kind, name]]


def named(state: State, name: str) -> Any:
    """Return what `main` calls by a name, at its end."""
    names = state.machine.ruleset.procedures["main"].names
    return state.frame[next(slot for slot, known in names.items() if known == name)]
