"""Whoever interrupts a command while it still loads gets the same exit code, and no traceback."""

from __future__ import annotations

import subprocess
import sys

import pytest

INTERRUPTED = 130

# Interrupts itself, as a terminal would, when a module is looked for.
START = """
import os, signal, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
from rulewright.cli.main import main
sys.exit(main(["diff", "pig/classic@1.0", "pig/classic@1.0"]))
"""


@pytest.mark.parametrize(
    "module",
    ["rulewright.cli.command_runner", "argparse", "rulewright.cli.commands.diff", "rulewright.ruleset.load_ruleset"],
)
def test_an_interruption_while_loading_is_one(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", START.format(module=module)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (INTERRUPTED, "", "")


def test_nothing_is_loaded_before_the_door() -> None:
    code = "import sys; old = set(sys.modules); import rulewright.cli.main; print(*sorted(set(sys.modules) - old))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["__future__", "rulewright", "rulewright.cli", "rulewright.cli.main"]
