"""The files that a simulation was asked for, each written whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rulewright.source.files.writing import WriteError, unwritten, write_text


def write(output: Path | None, report: Path | None, data: dict[str, Any]) -> None:
    """Write what was asked for. Raises `WriteError`, once whatever can be written is."""
    failed: list[str] = []
    if output is not None and output.suffix == ".json":
        _write(output, json.dumps(data, ensure_ascii=False, indent=2) + "\n", failed)
    if report is not None:
        from rulewright.simulate.page import page

        _write(report, page(data), failed)
    if failed:
        raise WriteError("; ".join(failed))


def _write(path: Path, text: str, failed: list[str]) -> None:
    try:
        write_text(path, text)
    except OSError as error:
        failed.append(unwritten(path, error))
