"""Machines of generated Python, made once for each ruleset and way of running."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from rulewright.play.compile.compiler import Compiled
from rulewright.play.compile.fused import Fused
from rulewright.ruleset.ruleset import Ruleset

_COMPILED: WeakKeyDictionary[Ruleset, dict[tuple[bool, bool], Compiled]] = WeakKeyDictionary()

_FUSED: WeakKeyDictionary[Ruleset, dict[bool, Fused]] = WeakKeyDictionary()


def fused(ruleset: Ruleset, *, recording: bool = False) -> Fused:
    """The machine that plays whole games of a ruleset by itself. Asked again for the same, it is the same."""
    made = _FUSED.setdefault(ruleset, {})
    if recording not in made:
        made[recording] = Fused(ruleset, recording=recording)
    return made[recording]


def compiled(ruleset: Ruleset, *, recording: bool = False, sampling: bool = False) -> Compiled:
    """The compiled machine of a ruleset. Asked again for the same, it is the same."""
    made = _COMPILED.setdefault(ruleset, {})
    key = (recording, sampling)
    if key not in made:
        made[key] = Compiled(ruleset, recording=recording, sampling=sampling)
    return made[key]
