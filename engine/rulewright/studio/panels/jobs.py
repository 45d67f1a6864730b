"""Work that goes on beside the answers: begun by a panel, told of as it goes, and stopped when nobody wants it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from typing import Any

from rulewright.errors import RulewrightError
from rulewright.plugins import Failure, report_failure
from rulewright.source.diagnostics.collected import DiagnosticError
from rulewright.source.diagnostics.formats.json import as_data


def error_as_data(error: RulewrightError) -> dict[str, Any]:
    """An error as the page is told of it: in words, and as diagnostics where it has any."""
    diagnostics = [as_data(each) for each in error.diagnostics] if isinstance(error, DiagnosticError) else []
    words = str(error) if not diagnostics else "; ".join(str(each["message"]) for each in diagnostics)
    return {"message": words, "diagnostics": diagnostics}


@dataclass(slots=True, eq=False)
class Job:
    """One piece of work. `stopped` is set when it is to end: whoever works looks at it often."""

    id: str
    panel: str
    _tell: Callable[[Mapping[str, Any]], None]
    stopped: Event = field(default_factory=Event)

    def tell(self, progress: Mapping[str, Any]) -> None:
        """Tell every window how far it is."""
        self._tell({"kind": "job", "id": self.id, "panel": self.panel, **progress})


@dataclass(slots=True, eq=False)
class Jobs:
    """The work that goes on. `tell` takes what is to be told to every window, from any thread."""

    tell: Callable[[Mapping[str, Any]], None]
    _going: dict[str, tuple[Job, Thread]] = field(default_factory=dict)
    _begun: int = 0
    _lock: Lock = field(default_factory=Lock)

    def begin(self, panel: str, work: Callable[[Job], None], *, instead: bool = True) -> str:
        """Begin something in a thread of its own, `instead` of what the same panel has going on. Gives the job's id.

        Its last event is `{ended: true}`, with an `error` where it went wrong.
        """
        with self._lock:
            if instead:
                for job, _ in self._going.values():
                    if job.panel == panel:
                        job.stopped.set()
            self._begun += 1
            job = Job(f"{panel}-{self._begun}", panel, self.tell)
            thread = Thread(target=self._carry_out, args=(job, work), name=job.id, daemon=True)
            self._going[job.id] = job, thread
            thread.start()
        return job.id

    def stop(self, identity: str) -> bool:
        """Have something end. Whether it was still going on."""
        with self._lock:
            known = self._going.get(identity)
        if known is None:
            return False
        known[0].stopped.set()
        return True

    def close(self, patience: float = 5.0) -> None:
        """Have everything end, and wait so many seconds for it."""
        with self._lock:
            going = list(self._going.values())
        for job, _ in going:
            job.stopped.set()
        for _, thread in going:
            thread.join(patience)

    def _carry_out(self, job: Job, work: Callable[[Job], None]) -> None:
        end: dict[str, Any] = {"ended": True}
        try:
            work(job)
        except RulewrightError as error:
            end["error"] = error_as_data(error)
        except Exception as error:  # the studio goes on, whatever a job comes to
            failure = Failure(f"the work of the panel `{job.panel}`", "", error)
            report_failure(failure)
            end["error"] = {"message": str(failure), "diagnostics": []}
        with self._lock:
            self._going.pop(job.id, None)
        job.tell(end)
