"""The dice of the page, `site/assets/dice.js`, are those of the engine: the same seed shows the same faces."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulewright.dice.ast import Constant, Die, Pool, Roll, multiply_roll
from rulewright.dice.parser.notation import parse
from rulewright.dice.sampling.random_generator import Generator
from rulewright.dice.sampling.roll_dice import roll
from rulewright.dice.serialize import to_data
from tests.breadth import times
from tests.browser import open_page
from tests.dice.strategies import rolls

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

TIMES = 2
"""How often each generator rolls: its second roll goes on where the first has ended."""

ROLLED = """([tree, seeds, times]) => seeds.map(([kind, seed]) => {
  const generator = new rulewright.Generator(kind === "int" ? BigInt(seed) : seed)
  return Array.from({ length: times }, () => {
    const { total, trace } = rulewright.roll(tree, generator)
    return [String(total), trace.map(({ faces, kept }) => [faces.map(String), kept]), generator.index]
  })
})"""

seeds = st.lists(st.one_of(st.integers(), st.integers(-(2**70), 2**70), st.text(max_size=200)), min_size=2, max_size=4)


@pytest.fixture(scope="module")
def script(browser: Browser, checkout: Path) -> Iterator[Page]:
    """Yield a page with the dice."""
    with open_page(browser) as page:
        page.set_content("<!doctype html><title>Dice</title>")
        page.add_script_tag(path=checkout / "site" / "assets" / "dice.js")
        yield page


def by_engine(tree: Roll, seed: int | str) -> list[list[Any]]:
    generator = Generator(seed)
    found = []
    for _ in range(TIMES):
        result = roll(tree, generator)
        trace = [[list(map(str, pool.faces)), list(pool.kept)] for pool in result.trace]
        found.append([str(result.total), trace, generator.index])
    return found


def by_script(script: Page, tree: Roll, several: list[int | str]) -> Any:
    tagged = [["int", str(seed)] if isinstance(seed, int) else ["text", seed] for seed in several]
    return script.evaluate(ROLLED, [to_data(tree), tagged, TIMES])


@settings(max_examples=times(100, 1_000), suppress_health_check=[HealthCheck.too_slow])
@given(tree=rolls(most_dice=9), several=seeds)
def test_every_roll_shows_the_same_faces_and_comes_to_the_same(
    script: Page, tree: Roll, several: list[int | str]
) -> None:
    assert by_script(script, tree, several) == [by_engine(tree, seed) for seed in several]


@pytest.mark.parametrize(
    "expression",
    [
        *("1d1", "30d1", "5d1296", "7d1297", "3d100000", "40d100kh3", "500d6", "9d36", "3d37kl2", "1d6 +1000000000000"),
        *("1000000000000 * 2d6 - 1d4", "max(2d6, 1d12, 7)", "2d6 >= 1d12", "-(2d6 - 3d4)"),
    ],
)
def test_rolls_at_the_edges(script: Page, expression: str) -> None:
    several: list[int | str] = [0, 7, -7, 2**64, "seven", "Würfel 🎲", "7"]
    tree = parse(expression)
    assert by_script(script, tree, several) == [by_engine(tree, seed) for seed in several]


@pytest.mark.parametrize("faces", [range(2, 9, 3), (5, 1, 1, 2), (2**60, -(2**60))])
def test_dice_of_any_faces(script: Page, faces: Sequence[int]) -> None:
    tree = Pool(6, Die(faces, "dOwn"))
    assert by_script(script, tree, [1, 2, 3]) == [by_engine(tree, seed) for seed in (1, 2, 3)]


def test_totals_beyond_what_a_number_of_the_page_holds(script: Page) -> None:
    tree = multiply_roll(10**24, parse("2d6 +1000000000000")) + Constant(2**53 + 1)
    assert by_script(script, tree, [1, 2, 3]) == [by_engine(tree, seed) for seed in (1, 2, 3)]


@pytest.mark.parametrize("number", [1, 2, 6, 2**31 + 1, 3 * 2**30, 2**32 - 1, 2**32])
def test_words_that_would_favour_an_outcome_are_refused(script: Page, number: int) -> None:
    ours = Generator(7)
    wanted = [ours.draw_below(number) for _ in range(100)]
    found = script.evaluate(
        """number => {
          const generator = new rulewright.Generator(7n)
          return [Array.from({ length: 100 }, () => generator.below(number)), generator.index]
        }""",
        number,
    )
    assert found == [wanted, ours.index]


def test_streams_are_told_apart(script: Page) -> None:
    found = script.evaluate("['dice', 'Würfel 🎲', ''].map(name => new rulewright.Generator(7n, name).word())")
    assert found == [Generator(7, name).draw_word() for name in ("dice", "Würfel 🎲", "")]


@settings(max_examples=times(40, 100), suppress_health_check=[HealthCheck.too_slow])
@given(content=st.binary(max_size=700), length=st.integers(0, 600))
def test_shake128_is_the_one_of_the_standard(script: Page, content: bytes, length: int) -> None:
    assert shaken(script, content, length) == hashlib.shake_128(content).digest(length)


@pytest.mark.parametrize("size", [0, 1, 166, 167, 168, 169, 335, 336, 337])
def test_shake128_where_blocks_end(script: Page, size: int) -> None:
    content = bytes(range(256)) * 2
    assert shaken(script, content[:size], 505) == hashlib.shake_128(content[:size]).digest(505)


def shaken(script: Page, content: bytes, length: int) -> bytes:
    code = "([bytes, length]) => [...rulewright.shake128(new Uint8Array(bytes), length)]"
    return bytes(script.evaluate(code, [list(content), length]))


@pytest.mark.parametrize(("typed", "seed"), [("7", 7), (" -3 ", -3), ("007", 7), ("seven", "seven"), ("1.5", "1.5")])
def test_a_seed_is_a_number_where_it_reads_as_one(script: Page, typed: str, seed: int | str) -> None:
    found = script.evaluate("typed => new rulewright.Generator(rulewright.seedOf(typed)).word()", typed)
    assert found == Generator(seed).draw_word()
