"""Dataclasses whose methods are compiled when they are first used are like those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from rulewright.base import lazy_dataclass

Decorator = Callable[..., Callable[[type], Any]]

STANDARD: Decorator = dataclasses.dataclass
LAZY: Decorator = lazy_dataclass.dataclass

OPTIONS: list[dict[str, bool]] = [
    {},
    {"frozen": True},
    {"slots": True},
    {"frozen": True, "slots": True},
    {"frozen": True, "slots": True, "eq": False},
    {"frozen": True, "slots": True, "order": True},
    {"frozen": True, "slots": True, "kw_only": True},
    {"slots": True, "weakref_slot": True, "eq": False},
]


def declare(decorator: Decorator, base: Decorator, options: dict[str, bool]) -> tuple[type[Any], type[Any]]:
    """Return a class and one that inherits from it, with every kind of field."""

    @base(**options)
    class Shape:
        """A shape."""

        kind: ClassVar[str] = "shape"
        name: str
        tags: list[str] = dataclasses.field(default_factory=list)

    @decorator(**options)
    class Board(Shape):
        """A board."""

        size: int = 8
        hidden: str = dataclasses.field(default="", repr=False, compare=False)
        area: int = dataclasses.field(default=64, init=False)
        cells: tuple[int, ...] = dataclasses.field(default_factory=tuple, init=False)
        note: str = dataclasses.field(default="none", kw_only=True)
        weight: int = dataclasses.field(default=1, hash=False)

        def double(self) -> int:
            return 2 * self.size

    return Shape, Board


def try_everything(board: type[Any]) -> list[object]:
    """Return what instances of a class do, with exceptions as their types and messages."""
    made = [board(name="hex"), board(name="hex", tags=["a"], size=9, note="x"), board(name="hex", hidden="h")]
    results: list[object] = [repr(made), [one == other for one in made for other in made], made[0] == 1]

    def note(work: Callable[[], object]) -> None:
        try:
            results.append(work())
        except (TypeError, AttributeError) as error:
            results.append((type(error), str(error)))

    for work in (
        lambda: board(),
        lambda: board(name="a", wrong=1),
        lambda: repr(board("a", ["b"], 3, note="n")),
        lambda: hash(dataclasses.replace(made[0], tags=())) == hash(dataclasses.replace(made[2], tags=())),
        lambda: hash(made[0]) == hash(made[0]),
        lambda: made[0] < made[1],
        lambda: (made[0] <= made[0], made[1] > made[0], made[1] >= made[0]),
        lambda: setattr(made[0], "size", 1),
        lambda: delattr(made[1], "size"),
        lambda: [field.name for field in dataclasses.fields(board)],
        lambda: board.__match_args__,
        lambda: getattr(board, "__slots__", None),
        lambda: (made[0].kind, made[0].area, made[0].cells, made[0].double()),
        lambda: dataclasses.asdict(made[2]),
        lambda: repr(copy.copy(made[2])),
        lambda: repr(copy.deepcopy(made[2])),
        lambda: board(name="a").tags is board(name="a").tags,
        lambda: hasattr(made[0], "__dict__"),
        lambda: hasattr(made[0], "__weakref__"),
        lambda: board.__init__.__qualname__,
        lambda: board.__doc__,
        lambda: str(inspect.signature(board)),
    ):
        note(work)
    return results


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_they_do_the_same(options: dict[str, bool]) -> None:
    expected = try_everything(declare(STANDARD, STANDARD, options)[1])
    for decorator, base in ((LAZY, LAZY), (LAZY, STANDARD), (STANDARD, LAZY)):
        shape, board = declare(decorator, base, options)
        assert try_everything(board) == expected
        assert board(name="a") != shape(name="a")


def test_methods_of_the_class_stay() -> None:
    for options in OPTIONS:

        @lazy_dataclass.dataclass(**options)
        class Word:
            """A word that compares in its own way."""

            text: str

            def __post_init__(self) -> None:
                assert self.text

            def __eq__(self, other: object) -> bool:
                return isinstance(other, Word) and other.text.casefold() == self.text.casefold()

            def __hash__(self) -> int:
                return hash(self.text.casefold())

            def __repr__(self) -> str:
                return self.text

        assert {Word(text="a"), Word(text="A")} == {Word(text="a")}
        assert repr(Word(text="A")) == "A"


@lazy_dataclass.dataclass(frozen=True, slots=True)
class Card:
    """A card."""

    name: str
    next: Card | None = None


def test_one_can_be_pickled() -> None:
    card = Card("a", Card("b"))
    assert pickle.loads(pickle.dumps(card)) == card


def test_one_can_contain_itself() -> None:
    card = Card("a")
    vars(Card)["next"].__set__(card, card)
    assert repr(card) == "Card(name='a', next=...)"


def test_a_method_is_compiled_once() -> None:
    @lazy_dataclass.dataclass(frozen=True)
    class Empty:
        """Nothing."""

    uncompiled = vars(Empty)["__eq__"]
    assert Empty() == Empty()
    compiled = vars(Empty)["__eq__"]
    assert compiled is not uncompiled
    assert Empty() == Empty()
    assert vars(Empty)["__eq__"] is compiled
