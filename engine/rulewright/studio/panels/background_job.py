"""Background jobs, of which one runs at a time and a new one replaces the current one."""

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
    """Return the message and the diagnostics of an error as data for the page."""
    diagnostics = [as_data(each) for each in error.diagnostics] if isinstance(error, DiagnosticError) else []
    words = str(error) if not diagnostics else "; ".join(str(each["message"]) for each in diagnostics)
    return {"message": words, "diagnostics": diagnostics}


@dataclass(slots=True, eq=False)
class Job:
    """A background task. The work must check `stopped` often and end soon after it is set."""

    id: str
    panel: str
    _tell: Callable[[Mapping[str, Any]], None]
    _work: Callable[[Job], None]
    stopped: Event = field(default_factory=Event)
    ended: Event = field(default_factory=Event)
    error: Exception | None = None
    """The exception that the job failed with, or None."""
    begun: bool = False

    def tell(self, progress: Mapping[str, Any]) -> None:
        """Send a progress event to every window."""
        self._tell({"kind": "job", "id": self.id, "panel": self.panel, **progress})

    def carry_out(self) -> None:
        """Run the work unless the job has been stopped, and send the final event.

        Exceptions are stored in `error` instead of raised. An unexpected exception is also reported.
        """
        try:
            if not self.stopped.is_set():
                self.begun = True
                with stop_on_event(self.stopped):
                    self._work(self)
        except StoppedError:
            self.begun = False
        except Exception as error:  # a failed job must not stop the studio
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
    """A queue that runs one job at a time. `notify` sends an event to every window and is safe to call from any thread.

    A job may start a process pool. With one job at a time, there is at most one pool.
    """

    notify: Callable[[Mapping[str, Any]], None]
    _running: Job | None = None
    _next: Job | None = None
    _begun: int = 0
    _lock: Lock = field(default_factory=Lock)

    def begin(self, panel: str, work: Callable[[Job], None]) -> str:
        """Start a job in place of the current and the waiting one, and return its id.

        The current job is stopped and ends before the new one starts. A waiting job never starts. The last event of
        every job has `ended: true`, with an `error` if the job failed.
        """
        return self._put(panel, work).id

    def run(self, panel: str, work: Callable[[Job], None]) -> None:
        """Run work as a job and wait for it.

        Raises any exception of the work, and `StoppedError` if another job stopped this one before it finished.
        """
        job = self._put(panel, work)
        job.ended.wait()
        if job.error is not None:
            raise job.error
        if not job.begun:
            raise StoppedError("a newer request replaced this one: try again")

    def find(self, identity: str) -> Job | None:
        """Return the running or waiting job with this id, or None."""
        with self._lock:
            return next((job for job in (self._running, self._next) if job is not None and job.id == identity), None)

    def stop(self, identity: str) -> bool:
        """Stop a job, and return whether it was still running or waiting."""
        job = self.find(identity)
        if job is not None:
            job.stopped.set()
        return job is not None

    def stop_all(self) -> list[Job]:
        """Stop every job and return the stopped ones. Takes no lock, so a signal handler may call it."""
        left = [job for job in (self._running, self._next) if job is not None]
        for job in left:
            job.stopped.set()
        return left

    def close(self, patience: float = 0.5) -> None:
        """Stop all jobs and wait up to `patience` seconds for each. Daemon threads end with the process."""
        for job in self.stop_all():
            job.ended.wait(patience)

    def _put(self, panel: str, work: Callable[[Job], None]) -> Job:
        with self._lock:
            self._begun += 1
            job = Job(f"{panel}-{self._begun}", panel, self.notify, work)
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
