"""Values on disk that depend on nothing but their keys, such as the HTML of a text.

The values of a task, such as making one book, are stored together. Those that it no longer uses are dropped.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rulewright.base.incremental.known_values import KnownValues, use_values
from rulewright.ruleset.cache.fingerprint import is_program_unchanged
from rulewright.ruleset.cache.safe_unpickling import UnpackError, pack, unpack
from rulewright.ruleset.cache.storage import is_storing, read, write

_SIZE = 8
"""The number of bytes for the size of the table of contents."""


@contextmanager
def reuse_values(task: Sequence[str], identify: Callable[[], str], *, spare: int = 0) -> Iterator[None]:
    """Reuse the values of the last run of a task in the block, and store those of this one at its end.

    `identify` returns a digest of everything besides their keys that the values depend on. If it changes in the block,
    or after an exception, nothing is stored. Of the values that this run has not used, the latest are stored, too, up
    to `spare` bytes.
    """
    if not is_storing():
        yield
        return
    program = identify()
    key = hashlib.sha256(json.dumps(["values", *task]).encode()).hexdigest()
    before = _load(read(key), program)
    values = KnownValues(lambda name: _unpack(before.get(name)))
    with use_values(values):
        yield
    unused = {}
    for name, data in before.items():
        spare -= 0 if name in values.used else len(data)
        if name not in values.used and spare >= 0:
            unused[name] = data
    if values.used.keys() | unused.keys() != before.keys() and is_program_unchanged() and identify() == program:
        used = {name: before.get(name) or zlib.compress(pack(value), 1) for name, value in values.used.items()}
        write(key, _join(program, used | unused))


def _join(program: str, values: Mapping[str, bytes]) -> bytes:
    table = json.dumps([program, [[name, len(data)] for name, data in values.items()]]).encode()
    return len(table).to_bytes(_SIZE, "big") + table + b"".join(values.values())


def _load(content: bytes | None, program: str) -> dict[str, bytes]:
    """Return the packed values by name. Empty if they are of another program or format."""
    content = content or b""
    end = _SIZE + int.from_bytes(content[:_SIZE], "big")
    values = {}
    try:
        stored, table = json.loads(content[_SIZE:end])
        for name, size in table if stored == program else ():
            values[name] = content[end : end + size]
            end += size
    except (ValueError, TypeError):
        return {}
    return values


def _unpack(data: bytes | None) -> Any:
    try:
        return None if data is None else unpack(zlib.decompress(data))
    except (UnpackError, zlib.error):
        return None
