"""The random generator of games: counter-based, and equal on every platform and Python version.

Its definition is complete enough to implement it in another language:

- A *key* is the UTF-8 bytes of `rulewright:1:` followed by the seed, the stream and the block number. The seed is
  written `i` + its decimal digits (with `-` before a negative one) for an integer, `s` + the text for a text. The
  stream is the text. Each of the two is written as the decimal count of its bytes, `:`, and its bytes. Then comes the
  block number in decimal. Seed 7, stream `dice`, block 0: `rulewright:1:2:i74:dice0`.
- *Block* b is the first 168 bytes of SHAKE128 (FIPS 202) of that key: 42 words of 32 bits, least significant byte
  first. 168 bytes are what one permutation gives, so a new generator costs one. The stream's word number n is word
  n mod 42 of block n div 42.
- The *index* of a generator is the count of words it has used. (seed, stream, index) is its whole state.
- *below(n)* for n ≤ 2**32 takes words until one is less than the greatest multiple of n that is ≤ 2**32, and gives
  it modulo n: every outcome is exactly equally likely. For greater n it does the same with the fewest k words
  with n ≤ 2**(32k), joined with the first word taken as the least significant; below(1) takes one word too.
"""

from __future__ import annotations

from hashlib import shake_128
from struct import Struct

WORDS = 42
"""The number of words in a block."""

WORD_VALUES = 1 << 32
"""The number of different values of a word."""

_BYTES = 4 * WORDS
_unpack = Struct(f"<{WORDS}I").unpack


class Generator:
    """A stream of random words, all of it determined by (seed, stream, index).

    >>> generator = Generator(7, "dice")
    >>> [generator.draw_below(6) + 1 for _ in range(5)], generator.index
    ([4, 3, 2, 2, 5], 5)
    """

    # `_words` has the rest of the current block in reverse, so that drawing a word is a pop. It is refilled in place,
    # so that callers may keep a reference to it.
    __slots__ = ("_block", "_key", "_words", "seed", "stream")

    def __init__(self, seed: int | str, stream: str = "dice", index: int = 0) -> None:
        self.seed = seed
        self.stream = stream
        self._key = build_key_prefix(b"rulewright:1:", seed, stream)
        self._block = -1
        self._words: list[int] = []
        if index:
            self.index = index

    @property
    def index(self) -> int:
        """How many words have been used. Setting it moves the generator there. Raises ValueError below 0."""
        return (self._block + 1) * WORDS - len(self._words)

    @index.setter
    def index(self, index: int) -> None:
        if index < 0:
            raise ValueError(f"an index must be 0 or more, not {index}")
        block, used = divmod(index, WORDS)
        if used == 0:
            self._block, self._words = block - 1, []
        else:
            self._block = block - 1
            self._words = []
            self._words = self._fill()[: WORDS - used]

    def _fill(self) -> list[int]:
        """Make the next block the current one and return it, last word first. The words before must be used up."""
        self._block += 1
        words = self._words
        words.extend(_unpack(shake_128(self._key + b"%d" % self._block).digest(_BYTES)))
        words.reverse()
        return words

    def draw_word(self) -> int:
        """Return the next word, 0 to 2**32 - 1."""
        words = self._words or self._fill()
        return words.pop()

    def draw_below(self, number: int) -> int:
        """Return one of 0 to `number` - 1, each exactly equally likely. Raises ValueError below 1."""
        if number > WORD_VALUES:
            return self._draw_below_large(number)
        if number < 1:
            raise ValueError(f"cannot draw a number from 0 to {number - 1}")
        word = (self._words or self._fill()).pop()
        # Only words from here on can be rejected, so the exact limit is computed only for these.
        if word >= WORD_VALUES - number:
            limit = WORD_VALUES - WORD_VALUES % number
            while word >= limit:
                word = (self._words or self._fill()).pop()
        return word % number

    def draw_several_below(self, number: int, count: int) -> list[int]:
        """Return the same `count` numbers as that many calls of `draw_below`, faster. Raises ValueError below 1."""
        if not 1 <= number <= WORD_VALUES:
            return [self.draw_below(number) for _ in range(count)]
        limit = WORD_VALUES - WORD_VALUES % number
        drawn: list[int] = []
        while (missing := count - len(drawn)) > 0:
            words = self._words or self._fill()
            recent = words[-missing:]
            del words[-missing:]
            drawn += [word % number for word in reversed(recent) if word < limit]
        return drawn

    def _draw_below_large(self, number: int) -> int:
        count = -(-(number - 1).bit_length() // 32)
        values = 1 << 32 * count
        limit = values - values % number
        while True:
            value = 0
            for position in range(count):
                value |= (self._words or self._fill()).pop() << 32 * position
            if value < limit:
                return value % number

    def copy(self) -> Generator:
        """Return a generator at the same index. From then on, the two advance independently."""
        other = Generator.__new__(Generator)
        other.seed, other.stream, other._key = self.seed, self.stream, self._key
        other._block, other._words = self._block, self._words[:]
        return other

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Generator):
            return NotImplemented
        return (self._key, self.index) == (other._key, other.index)

    # Mutable objects have no hash.
    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[object, ...]:
        return Generator, (self.seed, self.stream, self.index)

    def __repr__(self) -> str:
        return f"Generator({self.seed!r}, {self.stream!r}, {self.index})"


def build_key_prefix(beginning: bytes, seed: int | str, stream: str) -> bytes:
    """Return the bytes that all keys of a stream begin with. The lengths keep two streams from ever sharing one."""
    written = _encode_seed(seed) if isinstance(seed, int) else b"s" + seed.encode("utf-8", "surrogatepass")
    name = stream.encode("utf-8", "surrogatepass")
    return b"%b%d:%b%d:%b" % (beginning, len(written), written, len(name), name)


def _encode_seed(seed: int) -> bytes:
    return b"i%d" % int(seed)
