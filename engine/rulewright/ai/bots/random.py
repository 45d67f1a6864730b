"""The bot `random`, which chooses each option with equal probability."""

from __future__ import annotations

from rulewright.ai.bots import Policy
from rulewright.base.errors import RulewrightError
from rulewright.dice.sampling.fast_rng import ByteStream, draw_below
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.state.game_state import State
from rulewright.engine.wasm_backend.native_bots import ANYTHING
from rulewright.ruleset.ruleset import Ruleset

HELP = "picks an option at random, each with the same probability"


CANDIDATES = ("random",)


def estimate_cost(setting: str, length: float, *, judged: bool) -> float:
    """Return the work of a decision, in decisions of `greedy`."""
    return 0.1


class RandomChooser:
    """A policy that draws options from a stream of random bytes."""

    __slots__ = ("_stream",)

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream

    def __call__(self, state: State, /) -> int:
        """Return the index of a random option."""
        return draw_below(len(state.options), self._stream.drawn)

    @property
    def position(self) -> int:
        """How many bytes of the stream have been used."""
        return self._stream.index

    @position.setter
    def position(self, position: int) -> None:
        self._stream.index = position


def make(ruleset: Ruleset, generator: Generator, setting: str) -> Policy:
    """Return the bot. Raises `RulewrightError` for a setting."""
    if setting:
        raise RulewrightError(f"`random` takes no setting, so `random:{setting}` is not valid")
    return RandomChooser(ByteStream(generator.seed, generator.stream))


def inside(setting: str) -> tuple[int, int] | None:
    """Return the bot's number and setting in the WebAssembly module, or None with a setting."""
    return None if setting else (ANYTHING, 0)
