"""Background jobs. Only one runs at a time, and a new one replaces it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from rulewright.analysis.simulation.stopping import StoppedError, refuse_stopped, stop_if
from rulewright.base.errors import RulewrightError
from rulewright.base.plugins import Failure, report_failure
from rulewright.base.scheduler import Scheduler, Work
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.formats.json import as_data


def build_error_data(error: RulewrightError) -> dict[str, Any]:
    """Return the message and the diagnostics of an error as data for the page."""
    diagnostics = [as_data(each) for each in error.diagnostics] if isinstance(error, DiagnosticError) else []
    words = str(error) if not diagnostics else "; ".join(str(each["message"]) for each in diagnostics)
    return {"message": words, "diagnostics": diagnostics}


Steps = Callable[["Job"], Iterator[None] | None]
"""Work in steps, or a function that does everything in one."""


@dataclass(slots=True, eq=False)
class Job:
    """A background task in steps. After `stopped` is set, a step must end soon, and no other one begins."""

    number: int
    panel: str
    _tell: Callable[[Mapping[str, Any]], None]
    _work: Steps
    stopped: bool = False
    ended: bool = False
    begun: bool = False
    error: Exception | None = None
    """The exception that the job failed with, or None. It is a `StoppedError` if the job was stopped."""
    _final: list[None] = field(default_factory=lambda: [None])
    """Empty once the final event was sent."""

    @property
    def id(self) -> str:
        """Return the name of the job in its events."""
        return f"{self.panel}-{self.number}"

    def tell(self, progress: Mapping[str, Any]) -> None:
        """Send a progress event to every window."""
        self._tell({"kind": "job", "id": self.id, "panel": self.panel, **progress})

    def carry_out(self) -> Work:
        """Run the work step by step unless the job is stopped, and send the final event.

        Exceptions are stored in `error` instead of raised. An unexpected exception is also reported.
        """
        self.begun = True
        steps = self._make_steps()
        try:
            while True:
                with stop_if(lambda: self.stopped):
                    refuse_stopped()
                    next(steps)
                yield None
        except StopIteration:
            pass
        except Exception as error:  # a failed job must not stop the studio
            self.error = error
        finally:
            steps.close()
        self.end()

    def _make_steps(self) -> Generator[None]:
        yield from self._work(self) or ()

    def end(self) -> None:
        """Send the final event, unless it was sent. Reports the error of the job if it is unexpected."""
        try:
            self._final.pop()
        except IndexError:
            return
        end: dict[str, Any] = {"ended": True}
        if isinstance(self.error, RulewrightError) and not isinstance(self.error, StoppedError):
            end["error"] = build_error_data(self.error)
        elif self.error is not None and not isinstance(self.error, StoppedError):
            failure = Failure(f"the work of the panel `{self.panel}`", "", self.error)
            report_failure(failure)
            end["error"] = {"message": str(failure), "diagnostics": []}
        self.tell(end)
        self.ended = True


@dataclass(slots=True, eq=False)
class Jobs:
    """A queue that runs one job at a time. `notify` sends an event to every window, from any thread.

    A job may start a process pool. With one job at a time, there is at most one pool. Jobs have a scheduler of their
    own, because a step of theirs may take longer than others can wait.
    """

    notify: Callable[[Mapping[str, Any]], None]
    scheduler: Scheduler = field(default_factory=Scheduler)
    _left: list[Job] = field(default_factory=list)
    """The jobs that have not ended, and ended ones until the next begins."""
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def begin(self, panel: str, work: Steps) -> str:
        """Start a job in place of the current and the waiting one, and return its id.

        The current job is stopped and ends before the new one starts. A waiting job never starts. The last event of
        every job has `ended: true`, with an `error` if the job failed.
        """
        return self._put(panel, work).id

    def run(self, panel: str, work: Steps) -> None:
        """Run work as a job until it has ended.

        Raises any exception of the work, and `StoppedError` if another job stopped this one before it finished.
        """
        job = self._put(panel, work)
        self.scheduler.run_until(lambda: job.ended)
        if isinstance(job.error, StoppedError):
            raise StoppedError("the work was stopped, or other work took its place: start it again if needed")
        if job.error is not None:
            raise job.error

    def find(self, identity: str) -> Job | None:
        """Return the running or waiting job with this id, or None."""
        return next((job for job in self._left if job.id == identity and not job.ended), None)

    def stop(self, identity: str) -> bool:
        """Stop a job, and return whether it was still running or waiting."""
        job = self.find(identity)
        if job is not None:
            job.stopped = True
        return job is not None

    def stop_all(self) -> list[Job]:
        """Stop every job and return the stopped ones. Takes no lock, so a signal handler may call it."""
        left = [job for job in self._left if not job.ended]
        for job in left:
            job.stopped = True
        return left

    def close(self, patience: float = 0.5) -> None:
        """Stop all jobs and wait up to `patience` seconds for them."""
        left = self.stop_all()
        self.scheduler.run_until(lambda: all(job.ended for job in left), patience)

    def _put(self, panel: str, work: Steps) -> Job:
        """Schedule work as a new job, and stop all older ones. An older job that has not begun ends at once."""
        # Several threads may do this at once. Of two new jobs, the one with the higher number stops the other.
        job = Job(next(self._numbers), panel, self.notify, work)
        self._left.append(job)
        self.scheduler.put(job.id, job.carry_out())
        for each in list(self._left):
            if each.ended:
                with suppress(ValueError):
                    self._left.remove(each)
            elif each.number < job.number:
                each.stopped = True
                if not each.begun and self.scheduler.cancel(each.id):
                    each.error = StoppedError("the work was cancelled")
                    each.end()
        return job
