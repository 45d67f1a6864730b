"""What the studio does not do, and why: an error with the status that says so to a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.base.errors import RulewrightError


class RefusedError(RulewrightError):
    """Something that was requested and is not done. `status` is that of HTTP, `more` what the page is told besides."""

    def __init__(self, status: int, why: str, more: Mapping[str, Any] | None = None) -> None:
        super().__init__(why)
        self.status = status
        self.more: Mapping[str, Any] = more or {}
