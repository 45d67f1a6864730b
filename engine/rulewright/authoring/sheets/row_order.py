"""The order of rows after an update: those that exist keep their order, and new ones follow the row above them."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def order_rows(known: Sequence[str], sheet: Sequence[str]) -> list[str]:
    """Return the ids of all rows in order: `known` as they are, and those that only the sheet has among them.

    A new row follows the row above it in the sheet. The first ones of the sheet come before the known row that follows
    them, and if the sheet has none, at the end.

    >>> order_rows(["a", "b", "c"], ["x", "b", "y", "z", "a"])
    ['a', 'x', 'b', 'y', 'z', 'c']
    """
    there = set(known)
    before = dict(zip(known[1:], known[:-1], strict=True))
    first = next((row for row in sheet if row in there), None)
    anchor: str | None = before.get(first) if first is not None else next(reversed(known), None)
    behind: dict[str | None, list[str]] = {}
    for row in sheet:
        if row in there:
            anchor = row
        else:
            behind.setdefault(anchor, []).append(row)
    return [*behind.get(None, ()), *(each for row in known for each in (row, *behind.get(row, ())))]


def select_in_place(
    order: Sequence[str], known: Sequence[str], restored: Collection[str], below: Sequence[str]
) -> set[str]:
    """Return the restored rows that the order of the rows `below` puts where `order` has them.

    `known` are rows in their order, which all are in `order`. Restored rows are among those below.

    >>> select_in_place(["a", "d", "c", "b"], ["a", "d"], {"b", "c"}, ["a", "b", "c", "d"])
    set()
    >>> select_in_place(["a", "c", "b", "d"], ["a", "d"], {"b", "c"}, ["a", "b", "c", "d"])
    {'c'}
    """
    natural = {row: place for place, row in enumerate(_put_back(known, restored, below))}
    limits: list[int] = []
    limit = len(natural)
    for row in reversed(order):
        limits.append(limit)
        limit = limit if row in restored else natural.get(row, limit)
    in_place: set[str] = set()
    reached = -1
    for row, limit in zip(order, reversed(limits), strict=True):
        if row in natural and (row not in restored or reached < natural[row] < limit):
            reached = natural[row]
            if row in restored:
                in_place.add(row)
    return in_place


def _put_back(known: Sequence[str], restored: Collection[str], below: Sequence[str]) -> list[str]:
    """Return `known` with the restored rows behind those that precede them below."""
    there = set(known)
    behind: dict[str | None, list[str]] = {}
    anchor: str | None = None
    for row in below:
        if row in there:
            anchor = row
        elif row in restored:
            behind.setdefault(anchor, []).append(row)
    return [*behind.get(None, ()), *(each for row in known for each in (row, *behind.get(row, ())))]
