"""Threads share a ruleset, from the moment it is loaded: what is made of it is made once, and is right."""

from __future__ import annotations

import ast
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Barrier, Event, Thread, get_ident
from typing import Any

import pytest

from rulewright import Game, Ruleset, load_ruleset
from rulewright.base.lazy import compute_once, lazy_property, make_once
from rulewright.engine.backends import list_names, make
from rulewright.engine.narration.redaction import analyze_sight
from rulewright.engine.python_backend.compiler import PythonMachine, compile_ruleset
from rulewright.engine.wasm_backend.module_assembly import assemble_module
from rulewright.ir.analyses.information_flow import Secrets, find_secrets
from rulewright.ir.lower_expressions import Translate
from rulewright.ir.program import build_program
from rulewright.ir.values import Value
from rulewright.language.expressions.typed_ast import Typed
from tests.breadth import times

ENGINE = Path(__file__).resolve().parents[2] / "engine" / "rulewright"
THREADS = 8
EDITIONS = ("pig/classic@1.0", "classics/liars-dice@1.0", "classics/yacht@1.0")


@pytest.fixture(autouse=True)
def _threads_take_turns_all_the_time() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def at_once(work: Callable[[], Any], *, threads: int = THREADS) -> list[Any]:
    """Return what each of several threads comes to that begin together; raises what one of them raised."""
    start, results, errors = Barrier(threads), list[Any](), list[BaseException]()

    def go() -> None:
        start.wait()
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)

    running = [Thread(target=go) for _ in range(threads)]
    for each in running:
        each.start()
    for each in running:
        each.join()
    if errors:
        raise errors[0]
    return results


@pytest.mark.parametrize("reference", EDITIONS)
def test_threads_play_one_freshly_loaded_ruleset(reference: str) -> None:
    for _ in range(times(4, 30)):
        ruleset = load_ruleset(reference)

        def play(ruleset: Ruleset = ruleset) -> tuple[str, tuple[str, ...]]:
            game = Game(ruleset, seed=7)
            for _ in range(3):
                game.choose(0)
            return game.save_text(), game.story(seat=1)

        assert len(set(at_once(play))) == 1


def test_one_thread_at_a_time_translates_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """A translation keeps in mind what it is inside of; another thread's must not get in between."""
    inside: set[int] = set()
    others: list[set[int]] = []
    translate = Translate.lower_value

    def watched(self: Translate, node: Typed) -> Value:
        outermost = get_ident() not in inside
        inside.add(get_ident())
        others.append(inside - {get_ident()})
        time.sleep(0)
        try:
            return translate(self, node)
        finally:
            if outermost:
                inside.discard(get_ident())

    monkeypatch.setattr(Translate, "lower_value", watched)
    program = build_program(load_ruleset("pig/classic@1.0"))
    measure = next(iter(load_ruleset("pig/classic@1.0").measures.values())).value
    at_once(lambda: (program.routines, program.build_formula(measure), *program.iterate_values()))
    assert others
    assert not any(others)


@pytest.mark.parametrize("reference", EDITIONS)
def test_what_is_written_for_one_program_is_the_same_in_every_thread(reference: str) -> None:
    expected = assemble_module(load_ruleset(reference)).code, PythonMachine(load_ruleset(reference)).source
    for _ in range(times(2, 20)):
        ruleset = load_ruleset(reference)
        assert set(at_once(lambda r=ruleset: (assemble_module(r).code, PythonMachine(r).source))) == {expected}


def test_what_is_asked_for_of_a_ruleset_is_one_thing() -> None:
    for _ in range(times(4, 40)):
        ruleset = load_ruleset("classics/liars-dice@1.0")
        for ask in (build_program, compile_ruleset, find_secrets, analyze_sight, lambda r: build_program(r).routines):
            assert len({id(each) for each in at_once(lambda a=ask, r=ruleset: a(r))}) == 1


def test_every_back_end_begins_in_threads() -> None:
    for name in list_names():
        ruleset = load_ruleset("pig/classic@1.0")
        saves = at_once(lambda n=name, r=ruleset: Game(r, seed=1, machine=make(n, r)).save_text())
        assert len(set(saves)) == 1


def test_what_is_secret_is_known_before_anybody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A formula that is being looked at counts as none of a secret meanwhile: nobody may see it then."""
    secrets = Secrets(load_ruleset("classics/liars-dice@1.0"))
    known = dict(secrets._formulas)
    assert set(known) == set(secrets._ruleset.declarations.formulas)
    monkeypatch.setattr(Secrets, "_reveals", None)
    assert all(secrets._formula(each) == told for each, told in known.items())


# -- what makes things once --------------------------------------------------------------------------------------------


class Holder:
    """Something with a property that takes a while to make."""

    def __init__(self) -> None:
        self.made = 0
        self.begun, self.asked = Event(), Event()

    def make(self) -> object:
        self.made += 1
        self.begun.set()
        self.asked.wait()
        for _ in range(200):
            time.sleep(0)  # others go on, and would make another
        return object()

    value = lazy_property(make)


def both(holder: Holder, ask: Callable[[], object]) -> list[object]:
    """Return what two threads get, of whom the second asks while the first makes it."""
    results = []
    first = Thread(target=lambda: results.append(ask()))
    first.start()
    holder.begun.wait()

    def late() -> None:
        holder.asked.set()
        results.append(ask())

    second = Thread(target=late)
    second.start()
    first.join()
    second.join()
    return results


@pytest.mark.parametrize("way", ["a property", "a value of a mapping", "a function"])
def test_of_two_threads_one_makes_it_and_the_other_waits(way: str) -> None:
    holder, values = Holder(), dict[str, object]()
    ways: dict[str, Callable[[], object]] = {
        "a property": lambda: holder.value,
        "a value of a mapping": lambda: make_once(values, "it", holder.make),
        "a function": compute_once(holder.make),
    }
    one, other = both(holder, ways[way])
    assert one is other
    assert holder.made == 1


def test_what_fails_is_made_by_the_next() -> None:
    attempts = []

    def make() -> int:
        attempts.append(1)
        if len(attempts) == 1:
            raise ValueError
        return 7

    once = compute_once(make)
    with pytest.raises(ValueError):  # noqa: PT011 (it is ours)
        once()
    assert (once(), once(), len(attempts)) == (7, 7, 2)


def test_none_is_a_value_too() -> None:
    attempts: list[int] = []
    values: dict[str, None] = {}
    for _ in range(2):
        make_once(values, "it", lambda: attempts.append(1))
    assert len(attempts) == 1


def test_values_that_need_each_other_are_made_in_one_thread() -> None:
    values: dict[str, int] = {}
    assert make_once(values, "two", lambda: 1 + make_once(values, "one", lambda: 1)) == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_process_waits_for_no_thread_that_it_has_not() -> None:
    holder, values = Holder(), dict[str, object]()
    making = Thread(target=lambda: make_once(values, "it", holder.make))
    making.start()
    holder.begun.wait()
    child = os.fork()
    if not child:
        os._exit(make_once(values, "it", lambda: 5))
    holder.asked.set()
    making.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 5


# -- that nothing else is used -----------------------------------------------------------------------------------------

PLAIN = {"str", "bytes", "bool", "int"}
"""What is the same value whoever made it."""


def unlocked(source: str) -> list[str]:
    """Return what a module makes when it is first asked for, so that threads may get several of it."""
    attrs = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module == "functools":
            attrs += [each.name for each in node.names if each.name == "cached_property"]
        if isinstance(node, ast.Attribute) and node.attr == "cached_property":
            attrs.append(node.attr)
        if isinstance(node, ast.FunctionDef) and not any(ast.iter_child_nodes(node.args)):
            cached = any(ast.unparse(each).split("(")[0].endswith("cache") for each in node.decorator_list)
            if cached and (node.returns is None or ast.unparse(node.returns) not in PLAIN):
                attrs.append(node.name)
    return attrs


def test_nothing_is_made_twice_by_threads() -> None:
    by_text = {
        str(path.relative_to(ENGINE)): unlocked(path.read_text("utf-8")) for path in sorted(ENGINE.rglob("*.py"))
    }
    assert {path: each for path, each in by_text.items() if each} == {}, "use rulewright.base.lazy"


def test_what_is_not_locked_is_found() -> None:
    source = """
import functools
from functools import cached_property, lru_cache
class A:
    @functools.cached_property
    def a(self) -> int: ...
@lru_cache(maxsize=1)
def things() -> dict[str, int]: ...
@cache
def text() -> str: ...
@cache
def of(name: str) -> object: ...
"""
    assert unlocked(source) == ["cached_property", "things", "cached_property"]
