"""Without a cache, what has just been opened knows nothing of earlier edits. Tests of the cache have their own."""

from __future__ import annotations

import pytest

from rulewright.ruleset.cache.cache_folder import VARIABLE


@pytest.fixture(autouse=True)
def _without_a_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "off")
