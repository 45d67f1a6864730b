"""Has every guess of a bot pass a check, in all tests that are run beside one that imports this."""

from __future__ import annotations

from rulewright.engine.narration import determinize
from tests.secrets.agreement import agree

CHECKED = determinize.CHECKS
"""What guesses have to pass."""

if agree not in CHECKED:
    CHECKED.append(agree)
