"""Compiled programs, made once for each ruleset and way of running."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from rulewright.play.compile.compiler import Compiled
from rulewright.ruleset.ruleset import Ruleset

_PROGRAMS: WeakKeyDictionary[Ruleset, dict[tuple[bool, bool], Compiled]] = WeakKeyDictionary()


def compiled(ruleset: Ruleset, *, recording: bool = False, sampling: bool = False) -> Compiled:
    """The program of a ruleset. Asked again for the same, it is the same."""
    made = _PROGRAMS.setdefault(ruleset, {})
    key = (recording, sampling)
    if key not in made:
        made[key] = Compiled(ruleset, recording=recording, sampling=sampling)
    return made[key]
