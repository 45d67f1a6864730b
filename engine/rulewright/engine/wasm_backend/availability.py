"""Whether this machine can run WebAssembly."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

WITHOUT = (
    "games are played by generated Python, for wasmtime is not installed here (`pip install wasmtime`); "
    "as WebAssembly, random ones take a small part of the time"
)
"""The note about missing wasmtime for commands that depend on speed."""


@cache
def is_available() -> bool:
    """Return whether modules can be run here: there are wheels of wasmtime for most machines, not for all."""
    return find_spec("wasmtime") is not None
