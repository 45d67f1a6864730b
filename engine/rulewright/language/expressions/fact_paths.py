"""The parts of a fact: the text of `build_path` that identifies a place which is known not to be none."""

from __future__ import annotations

import re


def depends_on(fact: str, root: str) -> bool:
    """Return whether a place, as `typed.path` names it, is found by way of the local or variable `root`."""
    return fact.split(".")[0] == root or f"[{root}]" in fact or f"[{root}." in fact


_KEY = re.compile(r"\[([^\[\]]+)\]")


def list_fields(fact: str) -> list[str]:
    """Return the fields by way of which a place is found, including those of keys in brackets."""
    keys = [part for key in _KEY.findall(fact) for part in key.split(".")[1:]]
    return [*_KEY.sub("", fact).split(".")[1:], *keys]
