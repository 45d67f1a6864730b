"""The dice of the page, `site/assets/roller/dice.js`, are those of the engine: the same seed shows the same faces."""

from __future__ import annotations

import hashlib
import json
import struct
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulewright.dice.ast import Constant, Die, Pool, Roll, multiply_roll
from rulewright.dice.parser.notation import parse
from rulewright.dice.sampling.random_generator import Generator
from rulewright.dice.sampling.roll_dice import roll
from rulewright.dice.serialize import to_data
from tests.breadth import times
from tests.dice.strategies import rolls
from tests.site.conftest import program

RATE = 168
"""The bytes of a block of SHAKE128."""

TIMES = 2
"""How often each generator rolls: its second roll goes on where the first has ended."""

seeds = st.lists(st.one_of(st.integers(), st.integers(-(2**70), 2**70), st.text(max_size=200)), min_size=2, max_size=4)


class Script:
    """A process of Node that rolls as the page does."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def ask(self, task: str, **parts: Any) -> Any:
        """Return the answer of the process to a task."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps({"task": task, **parts}), file=self._process.stdin, flush=True)
        return json.loads(self._process.stdout.readline())


@pytest.fixture(scope="module")
def script() -> Iterator[Script]:
    """Yield a process with the dice."""
    with subprocess.Popen(
        [program("node"), Path(__file__).with_name("page_dice.mjs")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        yield Script(process)


def by_engine(tree: Roll, seed: int | str) -> list[list[Any]]:
    generator = Generator(seed)
    rolls = []
    for _ in range(TIMES):
        result = roll(tree, generator)
        trace = [[list(map(str, pool.faces)), list(pool.kept)] for pool in result.trace]
        rolls.append([str(result.total), trace, generator.index])
    return rolls


def by_script(script: Script, tree: Roll, several: list[int | str]) -> Any:
    tagged = [["int", str(seed)] if isinstance(seed, int) else ["text", seed] for seed in several]
    return script.ask("roll", tree=to_data(tree), seeds=tagged, times=TIMES)


@settings(max_examples=times(100, 1_000), suppress_health_check=[HealthCheck.too_slow])
@given(tree=rolls(most_dice=9), several=seeds)
def test_every_roll_shows_the_same_faces_and_comes_to_the_same(
    script: Script, tree: Roll, several: list[int | str]
) -> None:
    assert by_script(script, tree, several) == [by_engine(tree, seed) for seed in several]


@pytest.mark.parametrize(
    "expression",
    [
        *("1d1", "30d1", "5d1296", "7d1297", "3d100000", "40d100kh3", "500d6", "9d36", "3d37kl2", "1d6 +1000000000000"),
        *("1000000000000 * 2d6 - 1d4", "max(2d6, 1d12, 7)", "2d6 >= 1d12", "-(2d6 - 3d4)"),
    ],
)
def test_rolls_at_the_edges(script: Script, expression: str) -> None:
    several: list[int | str] = [0, 7, -7, 2**64, "seven", "Würfel 🎲", "7"]
    tree = parse(expression)
    assert by_script(script, tree, several) == [by_engine(tree, seed) for seed in several]


@pytest.mark.parametrize("faces", [range(2, 9, 3), (5, 1, 1, 2), (2**60, -(2**60))])
def test_dice_of_any_faces(script: Script, faces: Sequence[int]) -> None:
    tree = Pool(6, Die(faces, "dOwn"))
    assert by_script(script, tree, [1, 2, 3]) == [by_engine(tree, seed) for seed in (1, 2, 3)]


def test_totals_beyond_what_a_number_of_the_page_holds(script: Script) -> None:
    tree = multiply_roll(10**24, parse("2d6 +1000000000000")) + Constant(2**53 + 1)
    assert by_script(script, tree, [1, 2, 3]) == [by_engine(tree, seed) for seed in (1, 2, 3)]


@pytest.mark.parametrize("number", [1, 2, 6, 2**31 + 1, 3 * 2**30, 2**32 - 1, 2**32])
def test_words_that_would_favour_an_outcome_are_refused(script: Script, number: int) -> None:
    ours = Generator(7)
    expected = [ours.draw_below(number) for _ in range(100)]
    response = script.ask("below", number=number, times=100)
    assert response == [expected, ours.index]


@pytest.mark.parametrize("stream", ["dice", "Würfel 🎲", ""])
def test_streams_differ(script: Script, stream: str) -> None:
    assert script.ask("word", seed=["int", "7"], stream=stream) == Generator(7, stream).draw_word()


@settings(max_examples=times(40, 100), suppress_health_check=[HealthCheck.too_slow])
@given(content=st.binary(max_size=700))
def test_shake128_is_the_one_of_the_standard(script: Script, content: bytes) -> None:
    assert shake(script, content) == hashlib.shake_128(content).digest(RATE)


@pytest.mark.parametrize("size", [0, 1, 166, 167, 168, 169, 335, 336, 337])
def test_shake128_where_blocks_end(script: Script, size: int) -> None:
    content = bytes(range(256)) * 2
    assert shake(script, content[:size]) == hashlib.shake_128(content[:size]).digest(RATE)


def shake(script: Script, content: bytes) -> bytes:
    return struct.pack("<42I", *script.ask("shake", bytes=list(content)))


@pytest.mark.parametrize(("typed", "seed"), [("7", 7), (" -3 ", -3), ("007", 7), ("seven", "seven"), ("1.5", "1.5")])
def test_a_seed_is_a_number_where_it_reads_as_one(script: Script, typed: str, seed: int | str) -> None:
    assert script.ask("typed", typed=typed) == Generator(seed).draw_word()
