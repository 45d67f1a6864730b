"""The WebAssembly machine: its runtime beside the definitions it follows, its module, and what bounds it."""

from __future__ import annotations

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from random import Random
from weakref import ref

import pytest
import wasmtime

from rulewright import load_ruleset
from rulewright.analysis.simulation import shard
from rulewright.analysis.simulation.run_simulation import begin_run
from rulewright.dice.parser.notation import parse
from rulewright.dice.sampling.fast_rng import draw_below, draw_bytes
from rulewright.dice.sampling.random_generator import Generator
from rulewright.dice.sampling.roll_dice import list_faces, roll, total
from rulewright.engine.state.machine import stream_name
from rulewright.engine.wasm_backend import wasmtime_host as host
from rulewright.engine.wasm_backend.bot_games import Series, exhaust_pieces, games
from rulewright.engine.wasm_backend.codegen.binary_encoder import encode_signed, encode_unsigned
from rulewright.engine.wasm_backend.codegen.expression_code import list_unwritten
from rulewright.engine.wasm_backend.codegen.memo_analysis import MemoPlan
from rulewright.engine.wasm_backend.codegen.suspension_code import find_reciprocal
from rulewright.engine.wasm_backend.module_assembly import assemble_module, load_runtime
from rulewright.engine.wasm_backend.native_bots import GREEDY, Bot
from rulewright.engine.wasm_backend.wasm_machine import WasmMachine, compiled
from rulewright.ir.program import build_program
from tests.engine.machines import Table
from tests.language.inline import sound

SOURCES = Path(__file__).resolve().parents[2] / "engine" / "runtime"
ROLLS = (
    *(
        "1d6",
        "3d6",
        "4d6kh3",
        "5d6kl2",
        "2d10",
        "1d100000",
        "20d6",
        "count(6d10 >= 7)",
        "5d6 - 2d4 + 3",
        "abs(2d6 - 7)",
    ),
    *("d{1, 1, 2, 3}", "6d{0, 0, 5}kh2", "max(1d6, 1d8)", "1d6 * 1d4", "7d6 / 2", "alike(5d6)", "2d20 > 1d12"),
)
SEEDS = ("i7", "i-3", "ssome/words/", "s" + "long " * 80)


@pytest.fixture(scope="module")
def machine() -> WasmMachine:
    return compiled(load_ruleset("pig/classic"))


def test_the_runtime_is_what_its_sources_say(tmp_path: Path) -> None:
    built = tmp_path / "runtime.wasm"
    subprocess.run([SOURCES / "build.sh", built], check=True, env={"PYTHON": sys.executable, "PATH": "/usr/bin:/bin"})
    assert built.read_bytes() == load_runtime()


def test_a_module_needs_no_vectors_and_no_second_table() -> None:
    """Runtimes such as wasm3 know neither SIMD nor an index of a table that is longer than one byte."""
    code = assemble_module(load_ruleset("pig/classic")).code
    config = wasmtime.Config()
    config.wasm_relaxed_simd = False
    config.wasm_simd = False
    wasmtime.Module.validate(wasmtime.Engine(config), code)
    number = rb"(?:[\x00-\x7f]|[\x80-\xff]{4}[\x00-\x7f])"
    assert not re.search(rb"\x11" + number + rb"\x80\x80\x80\x80\x00", code)


def test_every_operation_on_values_can_be_written() -> None:
    assert list_unwritten() == []


def test_numbers_are_written_as_wasmtime_reads_them() -> None:
    random = Random(1)
    for _ in range(200):
        number = random.getrandbits(random.randrange(1, 64)) - (1 << random.randrange(1, 63))
        number = max(-(1 << 63), min(number, (1 << 63) - 1))
        code = b"\x42" + encode_signed(number) + b"\x0b"
        body = b"\x00" + code
        module = (
            b"\x00asm\x01\x00\x00\x00\x01\x05\x01\x60\x00\x01\x7e\x03\x02\x01\x00\x07\x05\x01\x01f\x00\x00\x0a"
            + encode_unsigned(len(body) + 1 + len(encode_unsigned(len(body))))
            + b"\x01"
            + encode_unsigned(len(body))
            + body
        )
        store = wasmtime.Store()
        function = wasmtime.Instance(store, wasmtime.Module(store.engine, module), []).exports(store)["f"]
        assert isinstance(function, wasmtime.Func)
        assert function(store) == number


def test_words_are_divided_by_multiplying_where_that_is_exact() -> None:
    random, without = Random(2), 0
    for divisor in (*range(1, 400), 1000, 65_535, 65_536, 99_991, 1 << 31, (1 << 32) - 1, 1 << 32):
        reciprocal = find_reciprocal(divisor)
        if reciprocal is None:
            without += 1
            continue
        factor, shift = reciprocal
        near = [max(0, k * divisor + d) for k in (1, 2, (1 << 32) // divisor) for d in (-1, 0, 1)]
        for word in (
            0,
            (1 << 32) - 1,
            *(each for each in near if each < 1 << 32),
            *(random.getrandbits(32) for _ in range(50)),
        ):
            assert word * factor < 1 << 64
            assert word * factor >> shift == word // divisor
    assert without < 200


def _seeded(machine: WasmMachine, written: str, index: int = 0) -> None:
    host = machine.host
    host.call("free_space")
    content = written.encode()
    seed = host.call("take_space", len(content))
    host.put(seed, content)
    stream = host.call("take_space", 8)
    host.put(stream, b"dice")
    host.call("seed_dice", seed, len(content), -1, stream, 4, index)


def _seed(written: str) -> int | str:
    return written[1:] if written[0] == "s" else int(written.removeprefix("i"))


@pytest.mark.parametrize("written", SEEDS)
def test_dice_fall_as_they_are_defined_to(machine: WasmMachine, written: str) -> None:
    for text in ROLLS:
        roll = parse(text)
        host = machine.host
        host.set("top", machine.module_info.layout.heap)
        machine.heap.clear()
        word = machine.writer.roll(roll)
        machine.heap.put()
        generator = Generator(_seed(written))
        _seeded(machine, written)
        assert [host.call("roll_total", word) for _ in range(200)] == [total(roll, generator) for _ in range(200)]
        assert host.call("dice_index") == generator.index
        later = Generator(_seed(written), index=1000)
        _seeded(machine, written, 1000)
        assert host.call("roll_total", word) == total(roll, later)


@pytest.mark.parametrize(
    "text",
    [*ROLLS, "{2d6, 1d8}kh1", "2d4 times 2d6", "(1d4)d6", "4d6dl1dh1", "10000d6"],
)
def test_every_face_of_a_roll_is_told(machine: WasmMachine, text: str) -> None:
    host, tree = machine.host, parse(text)
    _seeded(machine, "i11")
    generator = Generator(11)
    host.set("top", machine.module_info.layout.heap)
    machine.heap.clear()
    word = machine.writer.roll(tree)
    machine.heap.put()
    before = host.get("top")
    for _ in range(5):
        made = host.call("roll_faces", word)
        total, *rest = host.block(made)
        expected = roll(tree, generator)
        shown = []
        while rest:
            count = rest[0]
            shown.append(rest[1 : 1 + count])
            rest = rest[1 + count :]
        assert (total, shown) == (expected.total, list_faces(expected))
        assert host.call("dice_index") == generator.index
        assert host.get("top") - before == 8 * (2 + sum(1 + len(pool) for pool in shown))
        host.set("top", before)
    assert host.call("roll_total", word) == roll(tree, generator).total


@pytest.mark.parametrize("written", SEEDS)
def test_bots_draw_their_lots_as_they_are_defined_to(machine: WasmMachine, written: str) -> None:
    host = machine.host
    host.call("free_space")
    content = written.encode()
    seed = host.call("take_space", len(content))
    host.put(seed, content)
    host.call("seed_lots", seed, len(content), -1, 3)
    drawn = [draw_bytes(_seed(written), stream_name(seat)) for seat in (1, 2, 3)]
    random = Random(3)
    for _ in range(600):
        seat, options = random.randrange(3), random.choice((2, 3, 7, 200, 256, 257, 1000, 99_999))
        assert host.call("pick", seat + 1, options) == draw_below(options, drawn[seat])


def test_a_module_asks_for_nothing_and_says_how_much_memory_it_may_have() -> None:
    module = wasmtime.Module(wasmtime.Engine(), assemble_module(load_ruleset("classics/hex")).code)
    assert module.imports == []
    memory = next(each.type for each in module.exports if each.name == "memory")
    assert isinstance(memory, wasmtime.MemoryType)
    assert memory.limits.max == 1 << 15


def test_the_same_rules_are_the_same_bytes() -> None:
    ruleset = load_ruleset("classics/oware")
    assert assemble_module(ruleset).code == assemble_module(ruleset).code


@pytest.mark.parametrize(("most", "left"), [(1, [2]), (2, [1, 2]), (8, [0, 1, 2])])
def test_a_thread_keeps_few_modules_ready(most: int, left: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "MOST_AT_HAND", most)

    def counted() -> list[int]:
        rulesets = [replace(load_ruleset("pig/classic@1.0")) for _ in range(3)]
        made = []
        for each in rulesets:
            exhaust_pieces(games(each).open_counting(Series("1", 2, {}, 100, [Bot(GREEDY, 0)] * 2)).run(0, 1))
            made.append(ref(games(each)))
        # No cycle keeps one until somebody looks for it: each may have 254 MiB.
        return [number for number, each in enumerate(made) if each() is not None]

    with ThreadPoolExecutor(1) as alone:  # a thread that has asked for none yet
        assert alone.submit(counted).result() == left


LEAPS = """
tables: {board: {grid: {columns: 6, rows: 5}}, sides: {rows: {left: {}, right: {}}}}
kinds: {pawn: {plural: pawns}}
state: {here: {type: board, default: c1r1}, seen: list of board, met: int}
formulas:
  leaps: {given: {at: board}, is: "list(c for c in board if (c.column - at.column) * (c.row - at.row) in [2, -2])"}
  near:
    given: {at: board, side: sides}
    is: "0 < count(c for c in board if c.row == at.row and c.column == at.column + (1 if side == right else 0 - 1))"
  few: {given: {at: board}, is: "count(leaps(n) for n in leaps(at) if near(n, left))"}
  all_next: {given: {player: player}, is: "count(c for c in board if few(c) > 2 and player != next(player))"}
procedures:
  game:
    steps:
      - id: turns
        repeat:
          while: met < 600
          at_most: 40
          steps:
            - {id: goal, choose: {who: first(players), one_of: leaps(here)}}
            - {id: crowd, for_each: each, in: board, when: met > 300, steps: [{id: more, create: pawn}]}
            - {id: go, set: {here: goal, seen: seen + leaps(goal), met: met + few(goal) + all_next(last(players))}}
      - {id: end, finish: {winners: [first(players)]}}
"""


def test_formulas_of_rows_alone_are_kept_from_game_to_game(monkeypatch: pytest.MonkeyPatch) -> None:
    manifest = "{ruleset: test/inline, version: 1.0.0, title: Inline, players: 2, start: game}"
    ruleset = sound(LEAPS, manifest=manifest)
    program = build_program(ruleset)
    constants = MemoPlan(program, ruleset, program.iterate_values()).constants
    assert constants == {"leaps": (30,), "near": (30, 2), "few": (30,)}
    table = Table(ruleset)
    for seed in range(3):
        assert table.play(lambda machine: (machine.empty(2), "game", ()), seed) == "over"
    run = begin_run(ruleset, policies=["random"] * 2).shard
    counts = []
    for inside in (True, False, True):
        monkeypatch.setattr(shard, "is_available", lambda inside=inside: inside)
        counts.append(shard.play_games(ruleset, replace(run, first=0, last=4)).counts.to_plain())
    assert counts == counts[:1] * 3
