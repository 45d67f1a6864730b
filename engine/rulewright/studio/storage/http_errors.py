"""Exception for a request that the studio refuses, with its HTTP status."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.base.errors import RulewrightError


class RefusedError(RulewrightError):
    """A refused request. `status` is the HTTP status. `more` has further fields for the response."""

    def __init__(self, status: int, why: str, more: Mapping[str, Any] | None = None) -> None:
        super().__init__(why)
        self.status = status
        self.more: Mapping[str, Any] = more or {}
