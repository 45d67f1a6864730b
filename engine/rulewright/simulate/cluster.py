"""A Dask cluster to play on. A worker that dies loses nothing: the scheduler gives its shards to others."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from rulewright.errors import RulewrightError
from rulewright.simulate import versions
from rulewright.simulate.versions import different, programs

MISSING = "a cluster is spoken to with Dask, which is not installed: pip install 'rulewright[cluster]'"

SECONDS = 10
"""How long a scheduler is waited for."""

RETRIES = 5
"""How often a shard is given to another worker when its own dies."""


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """The workers of the scheduler at `address`, as an executor.

    Raises `RulewrightError` where Dask is missing, nobody answers, there is no worker, or a worker has other programs.
    """
    try:
        # It carries few types, nor need it be there.
        distributed: Any = import_module("distributed")
    except ImportError:
        raise RulewrightError(MISSING) from None
    try:
        client = distributed.Client(address, timeout=SECONDS, set_as_default=False)
    except (OSError, ValueError, ImportError) as error:
        raise RulewrightError(f"no Dask scheduler answers at {address}: {error}") from None
    try:
        _refuse_other_programs(client.run(versions.programs, on_error="return"), address)
        yield client.get_executor(pure=False, retries=RETRIES)
    finally:
        client.close()


def _refuse_other_programs(found: dict[str, object], address: str) -> None:
    if not found:
        raise RulewrightError(f"the cluster at {address} has no workers")
    for worker, there in found.items():
        if there != programs():
            # What cannot be asked there is not installed there, or is another version altogether.
            said = there if isinstance(there, str) else "no rulewright that can be asked"
            raise RulewrightError(different(f"the worker at {worker}", said, programs()))
