"""A Dask cluster as an executor. If a worker dies, the scheduler gives its shards to other workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from rulewright.analysis.simulation import workers
from rulewright.analysis.simulation.workers import WorkersLostError, describe_programs, explain_difference
from rulewright.base.errors import MissingExtraError, RulewrightError

MISSING = "a cluster requires Dask, which is not installed: pip install 'rulewright[cluster]'"

SECONDS = 10
"""The timeout for connecting to a scheduler."""

LOOKS = 6
"""The number of consecutive checks without any worker after which a cluster is considered lost."""

RETRIES = 5
"""How many times a shard is retried on another worker after its worker dies."""


@contextmanager
def connect_cluster(address: str) -> Iterator[Executor]:
    """Connect to the scheduler at `address` and yield its workers as an executor.

    Raises `MissingExtraError` without Dask. Raises `RulewrightError` if no scheduler answers, if there are no workers,
    or if a worker has other program versions. The connection closes at the end of the block.
    """
    try:
        # Dask is an optional dependency, and has few type hints.
        distributed: Any = import_module("distributed")
    except ImportError:
        raise MissingExtraError(MISSING) from None
    try:
        client = distributed.Client(address, timeout=SECONDS, set_as_default=False)
    except (OSError, ValueError, ImportError) as error:
        raise RulewrightError(f"no Dask scheduler responds at {address}: {error}") from None
    try:
        _refuse_other_programs(client.run(workers.describe_programs, on_error="return"), address)
        yield Cluster(client, ClusterWatch(client, address))
    finally:
        client.close()


class _Remote(Future[Any]):
    """The result of a task on the cluster. `there` is Dask's own future for the task."""

    there: Any = None

    def cancel(self) -> bool:
        cancelled = super().cancel()
        if cancelled:
            self.there.cancel()
        return cancelled


class Cluster(Executor):
    """The workers of a Dask client, as an executor.

    Dask's own executor asks for the status of a task after it fetches the result, and fails if the worker dies in
    between. This executor waits until another worker has finished the task.
    """

    def __init__(self, client: Any, watch: ClusterWatch) -> None:
        self.client = client
        self.refuse_dead = watch.look

    def submit(self, work: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
        """Submit a task to the cluster and return its future."""
        remote = _Remote()
        remote.there = self.client.submit(work, *args, **named, pure=False, retries=RETRIES)
        remote.there.add_done_callback(lambda there: _pass_on(there, remote))
        return remote


def _pass_on(there: Any, future: Future[Any]) -> None:
    """Copy the result or exception of a finished task to `future`, unless the caller has cancelled it."""
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = there.result()
    except BaseException as error:  # any exception belongs to the waiting caller
        future.set_exception(error)
    else:
        future.set_result(result)


class ClusterWatch:
    """A check for lost clusters. It allows some time for new workers to join."""

    def __init__(self, client: Any, address: str) -> None:
        self.client = client
        self.address = address
        self.looks = 0

    def look(self) -> None:
        """Count the workers, and raise `WorkersLostError` after `LOOKS` consecutive checks without any.

        A missing scheduler counts as a check without workers.
        """
        try:
            workers = self.client.scheduler_info()["workers"] if self.client.status == "running" else {}
        except (OSError, KeyError):
            workers = {}
        self.looks = 0 if workers else self.looks + 1
        if self.looks >= LOOKS:
            raise WorkersLostError(f"the cluster at {self.address} has lost all its workers, and no new one joined")


def _refuse_other_programs(results: dict[str, object], address: str) -> None:
    """Raise `RulewrightError` if there are no workers, or if one has other versions of the programs."""
    if not results:
        raise RulewrightError(f"the cluster at {address} has no workers")
    for worker, there in results.items():
        if there != describe_programs():
            # If the module cannot be queried on the worker, it is missing or has another version.
            text = there if isinstance(there, str) else "no compatible rulewright"
            raise RulewrightError(explain_difference(f"the worker at {worker}", text, describe_programs()))
