"""Carrying out one procedure by script on every machine, which must all come to the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine import backends
from rulewright.engine.python_backend.compiler import PythonMachine
from rulewright.engine.state.faults import RulesFault
from rulewright.engine.state.game_state import CHANCE, DECISION, OVER, State
from rulewright.engine.state.tree_interpreter import Interpreter
from rulewright.ruleset.ruleset import Ruleset
from tests.engine.machines import show_state
from tests.language.garden import procedure
from tests.language.inline import sound

FIRST, SECOND = 1, 2
SMALL_TREE, LARGE_TREE = 3, 4


@dataclass
class Ended:
    """Where a procedure ended: the state, and what its steps came to by name."""

    ruleset: Ruleset
    state: State
    stops: list[tuple[str, Any]]
    """Each stop: the step, and what was offered or rolled."""

    def __getitem__(self, name: str) -> Any:
        """Return what the name of a step, a value of the game, or `kind.field` of the first object of a kind is."""
        main = self.ruleset.procedures["main"]
        for slot, known in main.names.items():
            if known == name and self.state.stack:
                return self.state.stack[0][slot]
        if name in main.gives:
            return self.state.given[list(main.gives).index(name)]
        layout = self.state.machine.layout
        if ("game", name) in layout.places:
            return self.state.objects[0][layout.places["game", name]]
        raise KeyError(name)

    def field(self, entity: int, kind: str, name: str) -> Any:
        return self.state.objects[entity][self.state.machine.layout.places[kind, name]]

    @property
    def trees(self) -> tuple[int, ...]:
        return self.state.live[self.state.machine.layout.kinds["tree"]]

    @property
    def events(self) -> list[tuple[Any, ...]]:
        """Each event, the step named by its rule."""
        return [(self.ruleset.steps[number].rule, *details) for number, _, *details in self.state.events or ()]


def begin_main(rules: str, back_end: str) -> State:
    """Return the state of two players at the first pause of `main`, of which the first is given."""
    machine = backends.make(back_end, sound(rules))
    state: State = machine.empty(2)
    state.events = []
    machine.begin(state, "main", (FIRST,))
    return state


def garden_state(machine: Any) -> State:
    """Return two players with 3 points each, a small tree 5 high of the first player's, and a large one 9 high."""
    state: State = machine.empty(2)
    layout = machine.layout
    for player in (FIRST, SECOND):
        state.objects[player][layout.places["player", "score"]] = 3
    for size, height, owner in (("small", 5, FIRST), ("large", 9, None)):
        entity = list(layout.defaults["tree"])
        for name, value in (("size", size), ("height", height), ("owner", owner)):
            entity[layout.places["tree", name]] = value
        state.create(layout.kinds["tree"], entity)
    return state


MORE_THAN_ALL_MEMORY = "the game needs more memory than a game may have"


def carry_out(
    steps: str,
    answers: Sequence[Any] = (),
    *,
    more: str = "",
    before: str = "",
    gives: str = "",
    maybe: int | None = None,
) -> Ended:
    """Carry out a procedure with these steps, given the first player, the small tree and `maybe`.

    `answers` are the options taken and what came up, in order. Raises `RulesFault` if every machine does, alike.
    """
    source = procedure(steps, more=more, before=before)
    if gives:
        source = source.replace("  main:\n", f"  main:\n    gives: {gives}\n")
    ruleset = sound(source)
    ends: list[Ended | RulesFault] = []
    others = (backends.make(name, ruleset) for name in backends.list_names() if name not in ("interpreter", "python"))
    for machine in (Interpreter(ruleset), PythonMachine(ruleset, recording=True), PythonMachine(ruleset), *others):
        state = garden_state(machine)
        state.events = None if len(ends) == 2 else []
        ends.append(_drive(Ended(ruleset, state, []), answers, maybe))
    oracle, *others = ends
    for other in others:
        if isinstance(oracle, RulesFault) or isinstance(other, RulesFault):
            assert isinstance(oracle, RulesFault)
            assert isinstance(other, RulesFault)
            if other.message == MORE_THAN_ALL_MEMORY:
                continue  # a machine may have less of it than the most that rules are allowed to make
            assert (other.rule, other.message) == (oracle.rule, oracle.message)
            assert str(other) == str(oracle)
        else:
            assert show_state(other.state) == show_state(oracle.state)
            assert (other.state.work, other.state.crowd) == (oracle.state.work, oracle.state.crowd)
            assert other.stops == oracle.stops
            if other.state.events is not None:
                assert other.events == oracle.events
    if isinstance(oracle, RulesFault):
        raise oracle
    return oracle


def _drive(ended: Ended, answers: Sequence[Any], maybe: int | None) -> Ended | RulesFault:
    state, left = ended.state, list(answers)
    try:
        state.machine.begin(state, "main", (FIRST, SMALL_TREE, maybe))
        while state.mode != OVER:
            step = state.machine.step(state)
            assert step is not None
            ended.stops.append((step.id, state.options if state.mode == DECISION else state.roll))
            if not left:
                break
            answer = left.pop(0)
            if state.mode == CHANCE:
                state.apply_outcome(answer)
            else:
                state.apply(state.options.index(answer))
    except RulesFault as fault:
        return fault
    assert not left, f"{left} were never asked for"
    return ended


def sampled(steps: str, seed: int) -> Ended:
    """Carry out the steps, which ask nobody anything, with dice from a generator."""
    ruleset = sound(procedure(steps))
    machine = PythonMachine(ruleset, sampling=True)
    state = garden_state(machine)
    state.generator = Generator(seed, "dice")
    machine.begin(state, "main", (FIRST, SMALL_TREE, None))
    return Ended(ruleset, state, [])
