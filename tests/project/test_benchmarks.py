"""What benchmarks take from the package is there. None of them is run: times belong to whoever asks for them."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

BENCHMARKS = sorted((Path(__file__).resolve().parents[2] / "benchmarks").glob("[a-z]*.py"))


def missing(source: str) -> list[str]:
    """Return the names that a script takes from the package, and which are not there."""
    lines = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "rulewright":
            assert node.module is not None
            for alias in node.names:
                try:
                    module = importlib.import_module(node.module)
                    if not hasattr(module, alias.name):
                        importlib.import_module(f"{node.module}.{alias.name}")
                except ImportError:
                    lines.append(f"{node.module}.{alias.name}")
    return lines


@pytest.mark.parametrize("script", BENCHMARKS, ids=lambda path: path.stem)
def test_what_it_measures_is_there(script: Path) -> None:
    assert missing(script.read_text("utf-8")) == []


def test_what_is_not_there_is_found() -> None:
    assert missing("from rulewright.dice import bounds, pools") == ["rulewright.dice.pools"]
