"""Where nobody is left who plays, whoever waits is told, and what was played is kept."""

from __future__ import annotations

import errno
import json
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any

import pytest

from rulewright.analysis.simulation import dask_cluster, workers
from rulewright.analysis.simulation.dask_cluster import LOOKS, ClusterWatch
from rulewright.analysis.simulation.workers import WorkersLostError
from rulewright.cli.main import main


class Dying(Executor):
    """Plays some pieces, and then never answers again."""

    def __init__(self, plays: int) -> None:
        self.left = plays
        self.watch = ClusterWatch(Scheduler([]), "tcp://nowhere")
        self.refuse_dead = self.watch.look

    def submit(self, work: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if self.left:
            self.left -= 1
            future.set_result(work(*arguments, **named))
        return future


class Scheduler:
    status = "running"

    def __init__(self, counts: list[int]) -> None:
        self.counts = counts

    def scheduler_info(self) -> dict[str, Any]:
        return {"workers": dict.fromkeys(range(self.counts.pop(0) if self.counts else 0))}


@pytest.mark.parametrize("plays", [0, 1])
def test_a_cluster_without_workers_is_given_up(
    plays: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @contextmanager
    def dying(address: str) -> Any:
        yield Dying(plays)

    monkeypatch.setattr(workers, "TICK", 0)
    monkeypatch.setattr(dask_cluster, "connect_cluster", dying)
    code = main(["simulate", "pig/classic", "--games", "5000", "--cluster", "tcp://nowhere", "--json"])
    streams = capsys.readouterr()
    assert code == 1
    if plays:
        data = json.loads(streams.out)
        assert 0 < data["games"] < 5000
        assert "has lost all its workers" in data["stopped"]
    else:
        assert "the cluster at tcp://nowhere has lost all its workers, and no new one joined" in streams.err


def test_workers_may_come_back() -> None:
    watch = ClusterWatch(Scheduler([*[0] * (LOOKS - 1), 1, *[0] * (LOOKS - 1)]), "there")
    for _ in range(2 * LOOKS - 1):
        watch.look()
    with pytest.raises(WorkersLostError):
        watch.look()


class ClosedAlready:
    """An end of a pipe that another thread has closed at the same time."""

    def __init__(self, end: Any) -> None:
        self.end = end

    def close(self) -> None:
        self.end.close()
        raise OSError(errno.EBADF, "Bad file descriptor")


def test_an_interrupt_is_one_though_python_closes_the_pipes_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    real, closed = workers.list_worker_ends, []

    def ends(pool: Any) -> list[ClosedAlready]:
        closed.extend(ClosedAlready(end) for end in real(pool))
        return closed

    def interrupted() -> None:
        with workers.open_processes(1):
            raise KeyboardInterrupt

    monkeypatch.setattr(workers, "list_worker_ends", ends)
    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert len(closed) == 2
