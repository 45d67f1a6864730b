"""The command starts quickly because what is heavy is imported only by the verbs that use it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"lark", "yaml", "jsonschema", "jinja2", "mkdocs", "material", "playwright", "distributed", "icepool"}


def modules_imported_by(*arguments: str) -> set[str]:
    """Return the top-level names of all modules that a fresh Python imports when given `arguments`."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV_"))}
    ran = subprocess.run(
        [sys.executable, "-X", "importtime", *arguments], capture_output=True, text=True, env=environment, check=False
    )
    assert ran.returncode == 0, ran.stderr[-2_000:]
    reported = (line for line in ran.stderr.splitlines() if line.startswith("import time:"))
    return {line.rsplit("|", 1)[1].strip().partition(".")[0] for line in reported}


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["-m", "rulewright", "--help"], id="python -m rulewright --help"),
        pytest.param([str(Path(sys.executable).parent / "rulewright"), "--help"], id="rulewright --help"),
        pytest.param(["-c", "import rulewright"], id="import rulewright"),
    ],
)
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    imported = modules_imported_by(*arguments)
    assert "rulewright" in imported
    assert not imported & HEAVY
