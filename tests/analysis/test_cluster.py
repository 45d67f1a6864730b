"""A real Dask cluster on this machine: the same counts, also where a worker dies."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from rulewright import Ruleset, RulewrightError, load_ruleset
from rulewright.analysis.simulation import dask_cluster as module
from rulewright.analysis.simulation.dask_cluster import connect_cluster
from rulewright.analysis.simulation.run_simulation import begin_run, iterate_steps, simulate
from rulewright.cli.main import main

pytest.importorskip("distributed")

QUIET = {"DASK_DISTRIBUTED__DASHBOARD__LINK": "", "DASK_LOGGING__DISTRIBUTED": "error"}
TRIES = 1_200
"""Looks at what comes to be, with a pause between."""


@contextmanager
def process(*arguments: str, cwd: Path) -> Iterator[subprocess.Popen[str]]:
    """Start a process of Dask in a folder without rules, and kill it at the end."""
    started = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]],
        cwd=cwd,
        env={**os.environ, **QUIET},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    try:
        yield started
    finally:
        with suppress(ProcessLookupError):
            os.killpg(started.pid, signal.SIGKILL)
        started.wait()


@contextmanager
def scheduler(folder: Path) -> Iterator[str]:
    file = folder / "scheduler.json"
    arguments = ["--port", "0", "--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(file)]
    with process("dask_scheduler", *arguments, cwd=folder):
        for _ in range(TRIES):
            if address := _address(file):
                break
            time.sleep(0.05)
        assert address, "the scheduler does not start"
        yield address


def _address(file: Path) -> str:
    match = re.search(r'"address": "(tcp://[^"]+)"', file.read_text()) if file.exists() else None
    return match[1] if match else ""


@contextmanager
def worker(address: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    # Without a nanny, which would start a new one at once: the death is to be felt.
    arguments = [address, "--no-nanny", "--no-dashboard", "--nthreads", "1", "--local-directory", str(folder)]
    with process("dask_worker", *arguments, cwd=folder) as started:
        yield started


def until_there_are(address: str, workers: int) -> None:
    from distributed import Client

    with Client(address, timeout=30, set_as_default=False) as client:  # type: ignore[no-untyped-call]
        client.wait_for_workers(workers, timeout=60)


@pytest.fixture
def house(tmp_path: Path) -> Ruleset:
    """House rules that no worker has a folder of."""
    folder = tmp_path / "rules" / "short"
    folder.mkdir(parents=True)
    (folder / "ruleset.yaml").write_text(
        "ruleset: house/short\nversion: 1.0.0\nextends: pig/classic@1.0\ntitle: Short\nstatus: draft\n"
    )
    (folder / "rules.yaml").write_text("numbers: {goal: {is: 60}}\n")
    return load_ruleset("house/short", rules=[tmp_path / "rules"])


def test_a_worker_that_dies_changes_no_count(
    house: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = [tmp_path / "rules"]
    policies = ["mcts:40", "random"]
    expected = simulate(house, games=1_200, policies=policies).to_plain()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(tmp_path)
    with scheduler(elsewhere) as address, worker(address, elsewhere), worker(address, elsewhere) as mortal:
        until_there_are(address, 2)
        run = begin_run(house, policies=policies, rules=rules)
        with connect_cluster(address) as pool:
            for place, _ in enumerate(iterate_steps(house, run, games=1_200, executor=pool, remote=True)):
                if place == 1:
                    mortal.kill()
        assert mortal.wait() != 0
        assert run.counts.to_plain() == expected
        # So it is when typed, with what is compared and varied besides.
        typed = ["simulate", "house/short", "--rules", str(rules[0]), "--games", "30", "--cluster", address]
        for extra in (["--compare", "pig/classic"], ["--sweep", "numbers.goal=40,50"]):
            assert main([*typed, *extra]) == 0
            there = capsys.readouterr().out
            assert main([*typed[:-2], *extra]) == 0
            assert capsys.readouterr().out == there
        # A worker of another version is named, before it plays.
        monkeypatch.setattr(module, "describe_programs", lambda: "rulewright 9.9.9, Python 3.11")
        with pytest.raises(RulewrightError, match=r"the worker at tcp://.* has .*client has rulewright 9\.9\.9"):
            connect_cluster(address).__enter__()


def test_a_cluster_that_does_not_answer_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SECONDS", 1)
    with pytest.raises(RulewrightError, match=r"no Dask scheduler responds at tcp://127\.0\.0\.1:9"):
        connect_cluster("tcp://127.0.0.1:9").__enter__()


def test_an_address_that_is_none_is_told() -> None:
    with pytest.raises(RulewrightError, match="no Dask scheduler responds at nowhere://"):
        connect_cluster("nowhere://").__enter__()


def test_dask_that_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(RulewrightError, match=r"pip install 'rulewright\[cluster\]'"):
        connect_cluster("tcp://127.0.0.1:9").__enter__()
