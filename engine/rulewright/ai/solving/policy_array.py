"""A compact table of the option to take in each position, for millions of positions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

OPTION = 2
"""The size of an option number in bytes."""


class PolicyArray(Mapping[bytes, int]):
    """A sorted table of option numbers by keys of `size` bytes. A lookup is a binary search.

    In `data`, the option follows its key. Raises `ValueError` if the data has an incomplete row.
    """

    def __init__(self, data: bytes, size: int) -> None:
        """Store the table. Raises `ValueError` if it has an incomplete row."""
        self.data = data
        self.size = size
        self._each = size + OPTION
        self._count, rest = divmod(len(data), self._each)
        if rest:
            raise ValueError("the table must contain whole rows")

    @classmethod
    def from_mapping(cls, choices: Mapping[bytes, int], size: int) -> PolicyArray:
        """Return the table of a mapping. Raises `OverflowError` if an option number is too large."""
        return cls(b"".join(key + choices[key].to_bytes(OPTION, "big") for key in sorted(choices)), size)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[bytes]:
        return (self.data[at : at + self.size] for at in range(0, len(self.data), self._each))

    def __getitem__(self, key: bytes) -> int:
        """Return the option number at a key. Raises `KeyError` if there is none."""
        low, high = 0, self._count
        while low < high:
            middle = (low + high) // 2
            at = middle * self._each
            result = self.data[at : at + self.size]
            if result == key:
                return int.from_bytes(self.data[at + self.size : at + self._each], "big")
            if result < key:
                low = middle + 1
            else:
                high = middle
        raise KeyError(key)
