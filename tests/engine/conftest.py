"""What tests of the engine share."""

from __future__ import annotations

import pytest

from rulewright.engine import backends


@pytest.fixture(params=backends.list_names())
def back_end(request: pytest.FixtureRequest) -> str:
    """Return the name of each back end in turn."""
    return str(request.param)
