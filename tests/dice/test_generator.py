"""The generator: its definition, its state, and that it is fair."""

from __future__ import annotations

import hashlib
import pickle
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.dice.sampling.random_generator import WORDS, Generator


def defined_word(seed: int | str, stream: str, index: int) -> int:
    """Return the word at `index`, straight from the definition."""
    written = (f"i{seed}" if isinstance(seed, int) else f"s{seed}").encode()
    name = stream.encode()
    key = b"rulewright:1:%d:%b%d:%b%d" % (len(written), written, len(name), name, index // 42)
    block = hashlib.shake_128(key).digest(168)
    return int.from_bytes(block[index % 42 * 4 :][:4], "little")


@pytest.mark.parametrize(("seed", "stream"), [(7, "dice"), (-3, ""), ("seven", "bot:1"), (2**80, "Würfel 🎲")])
def test_words_are_as_defined(seed: int | str, stream: str) -> None:
    generator = Generator(seed, stream)
    assert [generator.draw_word() for _ in range(100)] == [defined_word(seed, stream, index) for index in range(100)]


def test_known_words() -> None:
    """For whoever writes the generator again elsewhere."""
    generator = Generator(7, "dice")
    assert [generator.draw_word() for _ in range(4)] == [3499703169, 3348636266, 952492777, 1744659673]
    numbers = [Generator(7, "dice").draw_below(number) for number in (6, 100, 2**32, 2**40)]
    assert numbers == [
        3,
        69,
        3499703169,
        458766236545,
    ]


def test_streams_and_seeds_are_apart() -> None:
    starts: list[tuple[int | str, str]] = [
        (7, "dice"),
        ("7", "dice"),
        (7, "setup"),
        (-7, "dice"),
        (8, "dice"),
        (7, ""),
        ("", "7dice"),
        (70, "ice"),
    ]
    assert len({Generator(seed, stream).draw_below(2**128) for seed, stream in starts}) == len(starts)


@given(st.integers(0, 200), st.integers(0, 200))
def test_the_index_is_the_whole_state(first: int, then: int) -> None:
    generator = Generator("state", "dice")
    for _ in range(first):
        generator.draw_word()
    assert generator.index == first
    again = Generator("state", "dice", first)
    copy, pickled = generator.copy(), pickle.loads(pickle.dumps(generator))
    assert generator == again == copy == pickled
    expected = [generator.draw_word() for _ in range(50)]
    for other in (again, copy, pickled):
        assert [other.draw_word() for _ in range(50)] == expected
    generator.index = then
    assert generator.draw_word() == defined_word("state", "dice", then)
    assert generator.index == then + 1


def test_a_copy_goes_its_own_way() -> None:
    generator = Generator(1)
    generator.draw_word()
    copy = generator.copy()
    copy.draw_word()
    assert (generator.index, copy.index) == (1, 2)
    assert generator != copy
    assert repr(copy) == "Generator(1, 'dice', 2)"


@pytest.mark.parametrize("number", [1, 2, 6, 1296, 2**31 + 1, 2**32 - 1, 2**32, 2**32 + 1, 2**64, 10**30])
def test_below_stays_below(number: int) -> None:
    generator = Generator("range")
    assert all(0 <= generator.draw_below(number) < number for _ in range(200))


@given(st.sampled_from([1, 6, 100, 3 * 2**30, 2**32 - 1, 2**32, 2**33 + 7]), st.integers(0, 200), st.integers(0, 50))
def test_several_are_those_that_come_one_by_one(number: int, count: int, index: int) -> None:
    """Of words for three quarters of all values, every fourth is refused."""
    together, single = Generator("several", "dice", index), Generator("several", "dice", index)
    assert together.draw_several_below(number, count) == [single.draw_below(number) for _ in range(count)]
    assert together == single


def test_below_is_exact_by_refusing_words() -> None:
    """With 3 * 2**30 outcomes a quarter of the words must be refused: about a third more are used."""
    generator = Generator("refuse")
    for _ in range(3_000):
        generator.draw_below(3 * 2**30)
    assert 3_850 < generator.index < 4_150


@pytest.mark.parametrize(("number", "bound"), [(6, 20.52), (10, 27.88), (36, 66.62), (100, 148.23)])
def test_outcomes_are_equally_likely(number: int, bound: float) -> None:
    """Chi-square over 60,000 draws, against the upper 1/1000 point for `number` - 1 degrees of freedom."""
    generator, draws = Generator("uniform"), 60_000
    counts = Counter(generator.draw_below(number) for _ in range(draws))
    expected = draws / number
    assert sum((counts[outcome] - expected) ** 2 / expected for outcome in range(number)) < bound


def test_pairs_in_a_row_are_equally_likely() -> None:
    generator, draws = Generator("pairs"), 36_000
    counts = Counter((generator.draw_below(6), generator.draw_below(6)) for _ in range(draws))
    assert sum((counts[a, b] - 1000) ** 2 / 1000 for a in range(6) for b in range(6)) < 66.62


def test_wrong_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot draw a number"):
        Generator(1).draw_below(0)
    with pytest.raises(ValueError, match="must be 0 or more"):
        Generator(1, index=-1)
    assert WORDS == 42
