"""A studio that runs as people run it: a process, at a port that it keeps when it is killed and started anew."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Self

ENGINE = Path(__file__).resolve().parents[2] / "engine"
TOKEN = "a-token-for-the-tests-alone-0123456789"


class Running:
    """`rulewright studio` on a folder. `address` lets a browser in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = 0
        self.program: subprocess.Popen[str]
        self.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def start(self) -> None:
        """Start it, at the port that it had."""
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(ENGINE), os.environ.get("PYTHONPATH", "")]),
            "RULEWRIGHT_STUDIO_TOKEN": TOKEN,
        }
        command = ["studio", str(self.folder), "--no-browser", "--port", str(self.port)]
        self.program = subprocess.Popen(
            [sys.executable, "-m", "rulewright", *command], env=environment, stdout=subprocess.PIPE, text=True
        )
        assert self.program.stdout is not None
        told = self.program.stdout.readline()
        match = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=\S+", told)
        assert match, f"it told no address: {told!r}"
        self.address, self.port = match[0], int(match[1])

    def kill(self) -> None:
        """End it as a crash does: nothing is put in order."""
        if self.program.poll() is None:
            os.kill(self.program.pid, signal.SIGKILL)
        self.program.communicate()
