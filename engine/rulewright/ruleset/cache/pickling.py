"""Rulesets in pickles: whole, so that who reads one needs none of the files it was loaded from."""

from __future__ import annotations

import copyreg
import hashlib
from dataclasses import fields
from typing import Any
from weakref import WeakKeyDictionary, WeakValueDictionary

from rulewright.errors import RulewrightError
from rulewright.ruleset.cache.packed import UnpackError, pack, unpack
from rulewright.ruleset.ruleset import Ruleset

_PACKED: WeakKeyDictionary[Ruleset, bytes] = WeakKeyDictionary()
_READ: WeakValueDictionary[bytes, Ruleset] = WeakValueDictionary()


def reduced(ruleset: Ruleset) -> tuple[Any, tuple[bytes]]:
    """How pickle writes a ruleset; many games of it pay for that once."""
    packed = _PACKED.get(ruleset)
    if packed is None:
        parts = {field.name: getattr(ruleset, field.name) for field in fields(Ruleset)}
        parts["resolved"] = _whole(parts["resolved"])
        packed = _PACKED[ruleset] = pack(parts)
    return unpickled, (packed,)


def unpickled(packed: bytes) -> Ruleset:
    """The ruleset that was written, read once however many pickles hold it.

    Raises `RulewrightError` for one that this version of the program cannot read.
    """
    key = hashlib.sha256(packed).digest()
    found = _READ.get(key)
    if found is None:
        try:
            found = Ruleset(**unpack(packed))
        except (UnpackError, TypeError) as error:
            raise RulewrightError(f"this pickle holds no ruleset that this version can read: {error}") from error
        _READ[key] = found
    return found


def _whole(part: Any) -> Any:
    return getattr(part, "whole", part)


copyreg.pickle(Ruleset, reduced)
