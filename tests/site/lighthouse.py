"""Lighthouse, as it is set from the start: a mid-range phone on a slow network, both simulated."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.browser import CHROMIUM_ARGUMENTS, find_chromium

Measure = Callable[[str, Sequence[str]], dict[str, Any]]
"""Gives the report on the page at an address, in some categories."""


@contextmanager
def lighthouse(node: str) -> Iterator[Measure]:
    """Yield one Chromium that measures pages one after the other. `node` is the path of Node."""
    script = Path(__file__).with_name("lighthouse.mjs")
    with subprocess.Popen(
        [node, str(script), find_chromium() or "", *CHROMIUM_ARGUMENTS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        asked, answers = process.stdin, process.stdout

        def measured(url: str, categories: Sequence[str]) -> dict[str, Any]:
            asked.write(json.dumps({"url": url, "categories": list(categories)}) + "\n")
            asked.flush()
            answer = answers.readline()
            assert answer, "Lighthouse has stopped; what it said is below"
            data: dict[str, Any] = json.loads(answer)
            assert "runtimeError" not in data, data["runtimeError"]
            return data

        yield measured


def missing(report: dict[str, Any]) -> list[str]:
    """Return the audits that cost a page points."""
    return [
        f"{name}: {audit['title']} {audit.get('displayValue', '')}"
        for name, audit in report["audits"].items()
        if audit["score"] is not None and audit["score"] < 0.9
    ]
