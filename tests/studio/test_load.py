"""Many questions at once: however many are asked, one pool of processes answers them, and it ends with the studio."""

from __future__ import annotations

import http.client
import json
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

from rulewright.analysis.simulation.stopping import StoppedError
from rulewright.studio.http.http_app import QUESTIONS
from rulewright.studio.panels import fair
from rulewright.studio.panels.background_job import Job, Jobs
from tests.breadth import times
from tests.studio.desk import Table
from tests.studio.running import TOKEN, Running

MOST_PROCESSES = 5
MOST_BYTES = 500_000_000
REF = "house/ours@0.1.0"
MANIFEST = "ruleset: house/ours\nversion: 0.1.0\nextends: pig/classic@1.0\ntitle: Ours\nstatus: draft\n"
PANELS = ["changes", "fair", "odds", "play", "read", "try"]
STEPS = ["balance", "book", "check", "lock", "sign", "version"]

needs_proc = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="processes are counted in /proc")


def family(first: int) -> list[int]:
    """Return a process and all that it started, and they started."""
    parents = {}
    for each in Path("/proc").iterdir():
        if each.name.isdigit():
            try:
                parents[int(each.name)] = int((each / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue  # it has ended
    found = [first]
    for parent in found:
        found += [child for child, its in parents.items() if its == parent]
    return found


def resident(process: int) -> int:
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def wait_for_the_end_of(processes: list[int]) -> None:
    for process in processes:
        try:
            descriptor = os.pidfd_open(process)
        except ProcessLookupError:
            continue
        with os.fdopen(descriptor):
            ready, _, _ = select.select([descriptor], [], [], 60)
        assert ready, f"process {process} goes on without its parent"


def routes() -> Iterator[tuple[str, str]]:
    for path, answers in QUESTIONS.items():
        for method in answers:
            for name in PANELS if "{panel}" in path else STEPS if "{step}" in path else [""]:
                yield method, path.format(panel=name, step=name)
    for path in ("/", "/studio/studio.js", "/assets/shield.svg", "/book/", "/published/", "/nothing"):
        yield "GET", path


class Guest:
    """Asks a studio that runs, over connections of its own."""

    def __init__(self, studio: Running) -> None:
        self.studio = studio
        self.cookie = {"Cookie": f"rulewright-studio-{studio.port}={TOKEN}"}
        self.most = 0

    def ask(self, method: str, address: str, body: Mapping[str, Any]) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.studio.port, timeout=300)
        if method == "GET":
            connection.request(method, f"{address}?path=rules.yaml&ref={REF}", headers=self.cookie)
        else:
            connection.request(method, address, json.dumps(body), self.cookie)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        assert answer.status < 500, (method, address, content[:2_000])
        self.count()

    def listen(self, _: int) -> None:
        """Open a stream of events and the language server, and leave both without a word."""
        connection = http.client.HTTPConnection("127.0.0.1", self.studio.port, timeout=300)
        connection.request("GET", "/api/events", headers=self.cookie)
        connection.getresponse().readline()
        connection.close()
        address = f"ws://127.0.0.1:{self.studio.port}/lsp"
        with connect(address, additional_headers=self.cookie, open_timeout=300) as socket:
            socket.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}))

    def count(self) -> None:
        self.most = max(self.most, len(family(self.studio.program.pid)))


@needs_proc
@pytest.mark.slow
def test_many_requests_to_every_route_leave_few_processes_and_little_memory(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(MANIFEST)
    (tmp_path / "rules.yaml").write_text("rulings: {}\n")
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    body = {"path": "rules.yaml", "line": 1, "column": 3, "ref": REF, "budget": {"games": 1_000_000}}
    with Running(tmp_path) as studio, ThreadPoolExecutor(20) as many:
        guest = Guest(studio)
        for method, path in routes():
            asked = 200 if path.endswith("/fair") else times(4, 200)
            for done in [many.submit(guest.ask, method, path, body) for _ in range(asked)]:
                done.result()
        for left in [many.submit(guest.listen, number) for number in range(times(20, 200))]:
            left.result()
        # The last thing asked for is played to its end; nothing else is left of all that was asked.
        guest.ask("POST", "/api/panel/fair", body)
        left_over = family(studio.program.pid)
        assert guest.most <= MOST_PROCESSES
        assert len(left_over) <= MOST_PROCESSES
        assert sum(map(resident, left_over)) <= MOST_BYTES
        os.kill(studio.program.pid, signal.SIGKILL)
        wait_for_the_end_of(left_over)


POOL = """\
import sys
from rulewright.analysis.simulation.workers import open_processes


def spin():
    while True:
        pass


if __name__ == "__main__":
    with open_processes(2) as pool:
        pool.submit(int).result()
        print("ready", flush=True)
        sys.stdin.read()
"""


@needs_proc
@pytest.mark.parametrize("busy", [False, True])
def test_workers_end_with_a_parent_that_is_killed(busy: bool, tmp_path: Path) -> None:
    program = tmp_path / "pool.py"
    work = "pool.submit(spin)\n        " if busy else ""
    program.write_text(POOL.replace("print", f"{work}print"))
    with subprocess.Popen(
        [sys.executable, str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "ready\n"
        processes = family(parent.pid)
        assert len(processes) >= 3
        parent.kill()
        wait_for_the_end_of(processes)


def test_a_job_takes_the_place_of_another_before_it_starts_anything(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.write("pigs/rules.yaml", "rulings: {}\n")
    played: list[int] = []

    def play(desk: Any, rulesets: Any, runs: Any, games: int) -> Iterator[dict[str, Any]]:
        played.append(games)
        yield {"clear": False}
        played.append(games)
        yield {"clear": True}

    monkeypatch.setattr(fair, "_play_batches", play)
    jobs = [table.ask("fair", "pigs/rules.yaml", budget={"games": 1})["job"]]
    table.desk.jobs.scheduler.run_step()
    assert played == [1]
    for games in range(2, 12):
        jobs.append(table.ask("fair", "pigs/rules.yaml", budget={"games": games})["job"])
    # The first has not ended yet, and of those between, nothing is left to wait.
    assert [each["id"] for each in table.told if "ended" in each] == jobs[1:-1]
    table.wait_for(jobs[-1])
    assert played == [1, 11, 11]
    assert [each["id"] for each in table.told if "ended" in each] == [*jobs[1:-1], jobs[0], jobs[-1]]
    assert list(table.desk.scratch.glob("fair-*")) == []


@pytest.fixture
def jobs() -> Jobs:
    return Jobs(lambda told: None)


def test_whoever_waits_for_a_job_hears_that_another_took_its_place(jobs: Jobs) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def first(job: Job) -> None:
        begun.set()
        assert go_on.wait(60)

    jobs.begin("one", first)
    with ThreadPoolExecutor(2) as other:
        running = other.submit(jobs.scheduler.run_step)
        assert begun.wait(60)
        waiting = other.submit(jobs.run, "two", lambda job: None)
        while jobs.find("two-2") is None:
            pass
        done: list[str] = []
        last = other_run(jobs, lambda job: done.append(job.id))
        with pytest.raises(StoppedError, match="other work took its place"):
            waiting.result(60)
        go_on.set()
        last.join(60)
        assert done == ["other-3"]
        running.result(60)


def other_run(jobs: Jobs, work: Callable[[Job], None]) -> threading.Thread:
    thread = threading.Thread(target=jobs.run, args=("other", work))
    thread.start()
    return thread


def test_what_a_job_raises_is_raised_for_whoever_waits(jobs: Jobs) -> None:
    with pytest.raises(ZeroDivisionError):
        jobs.run("one", lambda job: print(1 / 0))
    jobs.run("one", lambda job: None)
