"""Where generated code goes on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Label:
    """Where code goes on: a function, or, without one, the end of the procedure.

    A loop's head is gone to by returning it, so that rounds do not pile up on Python's stack.
    """

    function: str | None
    loop: bool = False


END = Label(None)
