"""Work that goes on beside the answers: one job at a time, which another that is asked for takes the place of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from typing import Any

from rulewright.analysis.simulation.workers import StoppedError, stop_on_event
from rulewright.base.errors import RulewrightError
from rulewright.base.plugins import Failure, report_failure
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.formats.json import as_data


def build_error_data(error: RulewrightError) -> dict[str, Any]:
    """Return an error as the page is told of it: in words, and as diagnostics where it has any."""
    diagnostics = [as_data(each) for each in error.diagnostics] if isinstance(error, DiagnosticError) else []
    words = str(error) if not diagnostics else "; ".join(str(each["message"]) for each in diagnostics)
    return {"message": words, "diagnostics": diagnostics}


@dataclass(slots=True, eq=False)
class Job:
    """One piece of work. `stopped` is set when it is to end: whoever works looks at it often."""

    id: str
    panel: str
    _tell: Callable[[Mapping[str, Any]], None]
    _work: Callable[[Job], None]
    stopped: Event = field(default_factory=Event)
    ended: Event = field(default_factory=Event)
    error: Exception | None = None
    """What it failed with, once it has ended; None of one that was stopped in time."""
    begun: bool = False

    def tell(self, progress: Mapping[str, Any]) -> None:
        """Tell every window how far it is."""
        self._tell({"kind": "job", "id": self.id, "panel": self.panel, **progress})

    def carry_out(self) -> None:
        """Do the work, unless it was stopped before; then tell that it has ended."""
        try:
            if not self.stopped.is_set():
                self.begun = True
                with stop_on_event(self.stopped):
                    self._work(self)
        except StoppedError:
            self.begun = False
        except Exception as error:  # the studio goes on, whatever a job comes to
            self.error = error
        end: dict[str, Any] = {"ended": True}
        if isinstance(self.error, RulewrightError):
            end["error"] = build_error_data(self.error)
        elif self.error is not None:
            failure = Failure(f"the work of the panel `{self.panel}`", "", self.error)
            report_failure(failure)
            end["error"] = {"message": str(failure), "diagnostics": []}
        self.tell(end)
        self.ended.set()


@dataclass(slots=True, eq=False)
class Jobs:
    """Runs one job at a time. `tell` takes what is to be told to every window, from any thread.

    A job may start a pool of processes: so there is never more than one pool, however many questions are asked.
    """

    tell: Callable[[Mapping[str, Any]], None]
    _running: Job | None = None
    _next: Job | None = None
    _begun: int = 0
    _lock: Lock = field(default_factory=Lock)

    def begin(self, panel: str, work: Callable[[Job], None]) -> str:
        """Begin something beside the answers, in place of whatever goes on or waits. Return the job's id.

        The job that goes on is stopped, and has ended before this one starts; one that still waits never starts. Its
        last event is `{ended: true}`, with an `error` if it failed.
        """
        return self._put(panel, work).id

    def run(self, panel: str, work: Callable[[Job], None]) -> None:
        """Do something as a job, and wait for it. Raises what it raises, `StoppedError` if another took its place."""
        job = self._put(panel, work)
        job.ended.wait()
        if job.error is not None:
            raise job.error
        if not job.begun:
            raise StoppedError("a newer request replaced this one: try again")

    def find(self, identity: str) -> Job | None:
        """Return the job with this id, if it waits or goes on."""
        with self._lock:
            return next((job for job in (self._running, self._next) if job is not None and job.id == identity), None)

    def stop(self, identity: str) -> bool:
        """Have something end. Return whether it was still going on."""
        job = self.find(identity)
        if job is not None:
            job.stopped.set()
        return job is not None

    def stop_all(self) -> list[Job]:
        """Have every job end, and return those that were left. It takes no lock, so a signal handler may call it."""
        left = [job for job in (self._running, self._next) if job is not None]
        for job in left:
            job.stopped.set()
        return left

    def close(self, patience: float = 0.5) -> None:
        """Have everything end, and wait so many seconds for each job; what takes longer ends with the process."""
        for job in self.stop_all():
            job.ended.wait(patience)

    def _put(self, panel: str, work: Callable[[Job], None]) -> Job:
        with self._lock:
            self._begun += 1
            job = Job(f"{panel}-{self._begun}", panel, self.tell, work)
            replaced, self._next = self._next, job
            if self._running is not None:
                self._running.stopped.set()
            elif replaced is None:
                Thread(target=self._work, name="jobs", daemon=True).start()
        if replaced is not None:
            replaced.stopped.set()
            replaced.carry_out()
        return job

    def _work(self) -> None:
        while True:
            with self._lock:
                self._running, self._next = self._next, None
                job = self._running
            if job is None:
                return
            job.carry_out()
