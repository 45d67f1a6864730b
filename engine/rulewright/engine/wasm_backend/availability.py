"""Whether this machine can run WebAssembly."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

WITHOUT = (
    "wasmtime is not installed (`pip install wasmtime`); without it, games run as generated Python, "
    "which takes many times as long"
)
"""A note about missing wasmtime, for commands that depend on speed."""


@cache
def is_available() -> bool:
    """Return whether wasmtime is installed. It has wheels for most machines, but not for all."""
    return find_spec("wasmtime") is not None
