"""The syntax tree of a roll, before anything is rolled.

Every node is immutable, hashable and compares by value. Each node rolls its own dice: `Sum((pool, pool))` rolls
twice. The functions at the end, used by the parser and by Python's operators, build canonical trees: no sum directly
inside a sum, no product inside a product, no negation of a constant, a negation or a product.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import repeat as repeated
from typing import TYPE_CHECKING, Any

from rulewright.dice.dice_error import DiceError, limit_error
from rulewright.dice.limits import DEFAULT, DiceLimits

if TYPE_CHECKING:
    from rulewright.dice.sampling.random_generator import Generator

MAXIMUM_DEPTH = 150
"""The maximum depth of any tree, however it is built: a traversal of a deeper one could exhaust Python's stack."""

COMPARISONS = (">", ">=", "<", "<=", "==", "!=")
"""The operators of a `Comparison`."""

ROUNDINGS = ("down", "up", "nearest", "truncate")
"""The rounding modes of a `Quotient`, as `rulewright.dice.rounding.divide` defines them."""

MATCHES = ("alike", "sets", "different", "run")
"""The kinds of `Matching`: the size of the largest group of equal results, the number of values that occur at least
`number` times, the number of different values, and the length of the longest run of consecutive values.
"""


class Roll:
    """The base class of all nodes: a roll with an integer value.

    `depth` is the number of nodes on the longest path to a leaf. `a + b`, `a - b`, `-a` and `a * 3` build rolls, as
    `add`, `negate` and `scale` do. An integer operand means a constant.
    """

    # These slots are caches, filled on first use, because a roll is hashed and rolled far more often than it is built.
    __slots__ = ("_drawer", "_hash", "_sampler")
    _drawer: Callable[[Generator], Any]
    _hash: int
    _sampler: Callable[[Generator], int]
    depth: int

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            names: tuple[str, ...] = type(self).__match_args__  # type: ignore[attr-defined]
            value = hash((type(self).__name__, *(getattr(self, name) for name in names)))
            object.__setattr__(self, "_hash", value)
            return value

    def __add__(self, other: Roll | int) -> Roll:
        return add(self, _roll(other))

    def __radd__(self, other: int) -> Roll:
        return add(Constant(other), self)

    def __sub__(self, other: Roll | int) -> Roll:
        return add(self, negate(_roll(other)))

    def __rsub__(self, other: int) -> Roll:
        return add(Constant(other), negate(self))

    def __neg__(self) -> Roll:
        return negate(self)

    def __mul__(self, factor: int) -> Roll:
        return multiply_roll(factor, self)

    __rmul__ = __mul__


def _compute_depth(rolls: Iterable[Roll]) -> int:
    """Return the depth of a node above `rolls`. Raises DiceError above `MAXIMUM_DEPTH`."""
    depth = 1
    for roll in rolls:
        if roll.depth >= depth:
            depth = roll.depth + 1
    if depth > MAXIMUM_DEPTH:
        raise limit_error(depth, "levels of nesting", MAXIMUM_DEPTH)
    return depth


@dataclass(frozen=True, slots=True)
class Die:
    """A die with its faces in order, and its name in the notation (`d6`, `dP`, `d6!`).

    Evenly spaced ascending faces are stored as a range, so that equal faces make equal dice. `weights` are the
    numbers of equally likely ways in which each face occurs (default: one each). `made_of` is the original die if
    this one is derived from it by rerolls. Raises DiceError for no faces, a wrong number of weights, or a weight
    below 1.
    """

    faces: Sequence[int]
    name: str
    weights: tuple[int, ...] | None = None
    made_of: Die | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Check the faces and weights, and store equal dice equally.

        If all weights are 1, there are none, and faces in even steps are a range. Raises `DiceError` without faces, or
        for weights that do not fit them or are below 1.
        """
        faces = self.faces
        if not faces:
            raise DiceError("dice-count", f"a die needs at least one face, but {self.name} has none")
        if self.weights is not None:
            if len(self.weights) != len(faces) or min(self.weights) < 1:
                raise DiceError("dice-count", f"each face of {self.name} needs a weight of 1 or more")
            if max(self.weights) == 1:
                object.__setattr__(self, "weights", None)
        if isinstance(faces, range) and faces.step > 0:
            return
        step = faces[1] - faces[0] if len(faces) > 1 else 1
        spaced = range(faces[0], faces[-1] + 1, step) if step > 0 else None
        even = spaced is not None and len(faces) == len(spaced) and tuple(faces) == tuple(spaced)
        object.__setattr__(self, "faces", spaced if even else tuple(faces))

    @property
    def ways(self) -> int:
        """The number of equally likely ways in which it can fall."""
        return len(self.faces) if self.weights is None else sum(self.weights)

    def count_ways(self) -> dict[int, int]:
        """Return in how many of the ways each face comes up, ascending by face."""
        results: dict[int, int] = {}
        for face, weight in zip(self.faces, self.weights or repeated(1), strict=False):
            results[face] = results.get(face, 0) + weight
        return dict(sorted(results.items()))


@lru_cache(maxsize=1024)
def build_die(sides: int) -> Die:
    """Return the ordinary die of `sides` sides, 1 to `sides`: `die(6)` is d6. Raises DiceError below one side."""
    if sides < 1:
        raise DiceError("dice-count", f"a die needs at least one face, but d{sides} has none")
    return Die(range(1, sides + 1), f"d{sides}")


@dataclass(frozen=True, slots=True)
class Constant(Roll):
    """A number that is added as it is."""

    value: int
    depth = 1
    __hash__ = Roll.__hash__


@dataclass(frozen=True, slots=True)
class Pool(Roll):
    """`count` equal dice, summed: NdS. Raises DiceError below one die."""

    count: int
    die: Die
    depth = 1
    __hash__ = Roll.__hash__

    def __post_init__(self) -> None:
        if self.count < 1:
            raise DiceError("dice-count", f"a roll needs at least one die, not {self.count}")


@dataclass(frozen=True, slots=True)
class Keep(Roll):
    """The sum of the `number` highest (or lowest) dice of a pool.

    Dropping is keeping the others: `4d6dl1` is the same node as `4d6kh3`. Raises DiceError unless `number` is at
    least 1 and at most the dice of the pool.
    """

    pool: Pool
    number: int
    highest: bool
    depth = 2
    __hash__ = Roll.__hash__

    def __post_init__(self) -> None:
        if not 1 <= self.number <= self.pool.count:
            raise DiceError("dice-count", f"cannot keep {self.number} of {self.pool.count} dice")


@dataclass(frozen=True, slots=True)
class Sum(Roll):
    """The sum of its terms, in the order they are rolled and written."""

    terms: tuple[Roll, ...]
    depth: int = field(init=False, repr=False, compare=False)
    __hash__ = Roll.__hash__

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", _compute_depth(self.terms))


@dataclass(frozen=True, slots=True)
class Negation(Roll):
    """Minus the roll."""

    term: Roll
    depth: int = field(init=False, repr=False, compare=False)
    __hash__ = Roll.__hash__

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", _compute_depth((self.term,)))


@dataclass(frozen=True, slots=True)
class Product(Roll):
    """The roll, rolled once and multiplied by `factor`: a Representative Roll."""

    factor: int
    roll: Roll
    depth: int = field(init=False, repr=False, compare=False)
    __hash__ = Roll.__hash__

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", _compute_depth((self.roll,)))


@dataclass(frozen=True, slots=True)
class Maximum(Roll):
    """The greatest of its rolls."""

    rolls: tuple[Roll, ...]
    depth: int = field(init=False, repr=False, compare=False)
    __hash__ = Roll.__hash__

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", _compute_depth(self.rolls))


@dataclass(frozen=True, slots=True)
class Minimum(Roll):
    """The least of its rolls."""

    rolls: tuple[Roll, ...]
    depth: int = field(init=False, repr=False, compare=False)
    __hash__ = Roll.__hash__

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", _compute_depth(self.rolls))


@dataclass(frozen=True, slots=True)
class Comparison(Roll):
    """1 if the comparison of two rolls is true, else 0. `operator` is one of `COMPARISONS`."""

    operator: str
    left: Roll
    right: Roll
    depth: int = field(init=False, repr=False, compare=False)
    __hash__ = Roll.__hash__

    def __post_init__(self) -> None:
        if self.operator not in COMPARISONS:
            raise DiceError("dice-syntax", f"{self.operator} is not a comparison; use one of {', '.join(COMPARISONS)}")
        object.__setattr__(self, "depth", _compute_depth((self.left, self.right)))


@dataclass(frozen=True, slots=True)
class Absolute(Roll):
    """The roll without its sign."""

    roll: Roll
    depth: int = field(init=False, repr=False, compare=False)
    __hash__ = Roll.__hash__

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", _compute_depth((self.roll,)))


@dataclass(frozen=True, slots=True)
class Multiplied(Roll):
    """The product of its rolls, at least two of which are not constants."""

    rolls: tuple[Roll, ...]
    depth: int = field(init=False, repr=False, compare=False)
    __hash__ = Roll.__hash__

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", _compute_depth(self.rolls))


@dataclass(frozen=True, slots=True)
class Quotient(Roll):
    """`left` divided by `right`, the fraction dropped by `rounding`, one of `ROUNDINGS`."""

    left: Roll
    right: Roll
    rounding: str
    depth: int = field(init=False, repr=False, compare=False)
    __hash__ = Roll.__hash__

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", _compute_depth((self.left, self.right)))


@dataclass(frozen=True, slots=True)
class Either(Roll):
    """`then` if `condition` is not 0, else `otherwise`. Only one of the two is rolled."""

    condition: Roll
    then: Roll
    otherwise: Roll
    depth: int = field(init=False, repr=False, compare=False)
    __hash__ = Roll.__hash__

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", _compute_depth((self.condition, self.then, self.otherwise)))


@dataclass(frozen=True, slots=True)
class Variable(Roll):
    """The result of a named roll, inside the `Named` node with this name."""

    name: str
    depth = 1
    __hash__ = Roll.__hash__


@dataclass(frozen=True, slots=True)
class Named(Roll):
    """`source` is rolled once and counts wherever `body` has its name.

    With several names, `source` is dice together (`DICE_TOGETHER`), as many as there are names. The first name is the
    highest of them.
    """

    names: tuple[str, ...]
    source: Roll
    body: Roll
    depth: int = field(init=False, repr=False, compare=False)
    __hash__ = Roll.__hash__

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", _compute_depth((self.source, self.body)))


@dataclass(frozen=True, slots=True)
class Several(Roll):
    """`roll` rolled as often as the result of `count`, and summed. A count below 1 means 0."""

    count: Roll
    roll: Roll
    depth: int = field(init=False, repr=False, compare=False)
    __hash__ = Roll.__hash__

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", _compute_depth((self.count, self.roll)))


@dataclass(frozen=True, slots=True)
class Group(Roll):
    """Results kept apart: each roll of `members` made as many times as its number says. As a number, their sum.

    One die of a pool (`Pool(1, die)`) is a result like any other, so that dice of several kinds can lie together.
    """

    members: tuple[tuple[int, Roll], ...]
    depth: int = field(init=False, repr=False, compare=False)
    __hash__ = Roll.__hash__

    def __post_init__(self) -> None:
        if any(times < 1 for times, _ in self.members) or not self.members:
            raise DiceError("dice-count", "separate results need at least one roll each")
        object.__setattr__(self, "depth", _compute_depth([roll for _, roll in self.members]))

    @property
    def count(self) -> int:
        """How many results there are."""
        return sum(times for times, _ in self.members)


@dataclass(frozen=True, slots=True)
class Trim(Roll):
    """The sum of a pool or group without its `low` lowest and its `high` highest results.

    Of a pool, both are at least 1: without the one or the other it is a `Keep`. Raises DiceError if nothing is left.
    """

    pool: Pool | Group
    low: int
    high: int
    depth: int = field(init=False, repr=False, compare=False)
    __hash__ = Roll.__hash__

    def __post_init__(self) -> None:
        left = self.pool.count - self.low - self.high
        if left < 1 or self.low < 0 or self.high < 0:
            raise DiceError("dice-count", f"cannot keep {left} of {self.pool.count} results")
        object.__setattr__(self, "depth", _compute_depth((self.pool,)))


@dataclass(frozen=True, slots=True)
class Count(Roll):
    """How many results of `pool` compare with `threshold`, a number or a variable, as `operator` says."""

    pool: Pool | Keep | Trim | Group
    operator: str
    threshold: Roll
    depth: int = field(init=False, repr=False, compare=False)
    __hash__ = Roll.__hash__

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", _compute_depth((self.pool, self.threshold)))


@dataclass(frozen=True, slots=True)
class Matching(Roll):
    """A value of the equal results in `pool`, of the kind `what`, one of `MATCHES`.

    `number` is the size of a set for `sets`, and otherwise 0.
    """

    what: str
    pool: Pool | Group
    number: int = 0
    depth: int = field(init=False, repr=False, compare=False)
    __hash__ = Roll.__hash__

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", _compute_depth((self.pool,)))


DICE_TOGETHER = (Pool, Keep, Trim, Group)
"""The nodes that consist of several separate results before these are summed."""


def split_trimmed(pool: Pool | Keep | Trim | Group) -> tuple[Pool | Group, int, int]:
    """Return the dice themselves, and how many of the lowest and of the highest are dropped already."""
    if isinstance(pool, Keep):
        dropped = pool.pool.count - pool.number
        return pool.pool, dropped if pool.highest else 0, 0 if pool.highest else dropped
    return (pool.pool, pool.low, pool.high) if isinstance(pool, Trim) else (pool, 0, 0)


def count_results(roll: Roll) -> int | None:
    """Return how many results `roll` has side by side, or None for a roll that is one result."""
    if not isinstance(roll, DICE_TOGETHER):
        return None
    pool, low, high = split_trimmed(roll)
    return pool.count - low - high


def list_parts(roll: Roll) -> tuple[Roll, ...]:
    """Return the rolls directly inside `roll`, in the order of rolling, and each member of a group once.

    Empty for a roll without parts, such as a pool.
    """
    match roll:
        case Sum(rolls) | Maximum(rolls) | Minimum(rolls) | Multiplied(rolls):
            return rolls
        case Keep(inner) | Negation(inner) | Product(_, inner) | Absolute(inner) | Trim(inner) | Matching(_, inner):
            return (inner,)
        case Comparison(_, left, right) | Quotient(left, right) | Several(left, right) | Named(_, left, right):
            return left, right
        case Count(pool, _, threshold):
            return pool, threshold
        case Either(condition, then, otherwise):
            return condition, then, otherwise
        case Group(members):
            return tuple(inner for _, inner in members)
    return ()


def _roll(value: Roll | int) -> Roll:
    return Constant(value) if isinstance(value, int) else value


def sum_of(terms: Iterable[Roll]) -> Roll:
    """Return the sum of `terms` as written, with nothing merged.

    The terms of an inner sum become terms of the result. A single term is returned itself, and 0 for no terms.
    """
    flat: list[Roll] = []
    for term in terms:
        if isinstance(term, Sum):
            flat += term.terms
        else:
            flat.append(term)
    return flat[0] if len(flat) == 1 else Sum(tuple(flat)) if flat else Constant(0)


def negate(roll: Roll) -> Roll:
    """Return minus `roll`, without a double minus."""
    if isinstance(roll, Constant):
        return Constant(-roll.value)
    if isinstance(roll, Negation):
        return roll.term
    return Product(-roll.factor, roll.roll) if isinstance(roll, Product) else Negation(roll)


def multiply_roll(factor: int, roll: Roll) -> Roll:
    """Return `roll` rolled once and multiplied by `factor`.

    Factors are merged. With a factor of 0 no dice are rolled: the result is the constant 0.
    """
    if isinstance(roll, Negation):
        factor, roll = -factor, roll.term
    elif isinstance(roll, Product):
        factor, roll = factor * roll.factor, roll.roll
    if isinstance(roll, Constant):
        return Constant(factor * roll.value)
    if factor == 0:
        return Constant(0)
    return roll if factor == 1 else negate(roll) if factor == -1 else Product(factor, roll)


def repeat(count: int, roll: Roll, *, limits: DiceLimits = DEFAULT) -> Roll:
    """Return the sum of `count` separate rolls of `roll`. A `count` of 0 gives the constant 0.

    Raises DiceError for a negative count, or if one pool of the result has more dice than `limits.dice`, or another
    roll occurs more often than that. The total number of dice is not checked.
    """
    if count < 0:
        raise DiceError("dice-count", f"a roll cannot be rolled {count} times")
    if isinstance(roll, Constant):
        return Constant(count * roll.value)
    if count == 0:
        return Constant(0)
    if isinstance(roll, Pool):
        if count * roll.count > limits.dice:
            raise limit_error(count * roll.count, "dice", limits.dice)
        return Pool(count * roll.count, roll.die)
    if isinstance(roll, Sum):
        return total_of(repeat(count, term, limits=limits) for term in roll.terms)
    if isinstance(roll, Negation):
        return negate(repeat(count, roll.term, limits=limits))
    if count > limits.dice:
        raise limit_error(count, "rolls", limits.dice)
    return sum_of((roll,) * count)


def add(left: Roll, right: Roll) -> Roll:
    """Return the sum of two rolls, condensed: pools of one die join, constants add up to one at the end."""
    return total_of((left, right))


def total_of(rolls: Iterable[Roll]) -> Roll:
    """Return the condensed sum of `rolls`.

    Each die appears once, in order of first use, and a subtracted die separately. The constant is last, unless it is 0.
    """
    # The key is a die with its sign, or the index of any other term.
    counts: dict[tuple[Die, int] | int, int] = {}
    others: list[Roll] = []
    constant = 0
    for roll in rolls:
        for term in roll.terms if isinstance(roll, Sum) else (roll,):
            if isinstance(term, Pool):
                counts[term.die, 1] = counts.get((term.die, 1), 0) + term.count
            elif isinstance(term, Constant):
                constant += term.value
            elif isinstance(term, Negation) and isinstance(term.term, Pool):
                counts[term.term.die, -1] = counts.get((term.term.die, -1), 0) + term.term.count
            else:
                counts[len(others)] = 0
                others.append(term)
    results: list[Roll] = []
    for key, count in counts.items():
        if isinstance(key, int):
            results.append(others[key])
        else:
            results.append(Pool(count, key[0]) if key[1] == 1 else Negation(Pool(count, key[0])))
    if constant or not results:
        results.append(Constant(constant))
    return results[0] if len(results) == 1 else Sum(tuple(results))
