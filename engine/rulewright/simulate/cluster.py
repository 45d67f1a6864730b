"""A Dask cluster to play on. A worker that dies loses nothing: the scheduler gives its shards to others."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from rulewright.errors import RulewrightError
from rulewright.simulate import workers
from rulewright.simulate.workers import WorkersLostError, different, programs

MISSING = "a cluster is spoken to with Dask, which is not installed: pip install 'rulewright[cluster]'"

SECONDS = 10
"""How long a scheduler is waited for."""

LOOKS = 6
"""How often in a row a cluster may be found without workers before it is given up."""

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
        _refuse_other_programs(client.run(workers.programs, on_error="return"), address)
        pool = client.get_executor(pure=False, retries=RETRIES)
        pool.refuse_dead = Watch(client, address).look
        yield pool
    finally:
        client.close()


class Watch:
    """Looks whether a cluster still has workers; new ones may come for a while before it is given up."""

    def __init__(self, client: Any, address: str) -> None:
        self.client = client
        self.address = address
        self.looks = 0

    def look(self) -> None:
        """Raise `WorkersLostError` where there was no worker at so many looks on end, or no scheduler."""
        try:
            workers = self.client.scheduler_info()["workers"] if self.client.status == "running" else {}
        except (OSError, KeyError):
            workers = {}
        self.looks = 0 if workers else self.looks + 1
        if self.looks >= LOOKS:
            raise WorkersLostError(f"the cluster at {self.address} has no workers left, and none came")


def _refuse_other_programs(found: dict[str, object], address: str) -> None:
    if not found:
        raise RulewrightError(f"the cluster at {address} has no workers")
    for worker, there in found.items():
        if there != programs():
            # What cannot be asked there is not installed there, or is another version altogether.
            said = there if isinstance(there, str) else "no rulewright that can be asked"
            raise RulewrightError(different(f"the worker at {worker}", said, programs()))
