"""The same rules make the same site, byte for byte."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.site.kinds import SITE, URL

pytestmark = pytest.mark.slow


def files(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_another_process_on_another_day_builds_the_same(published: Path, checkout: Path, tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COV_")}
    ran = subprocess.run(
        [
            *(sys.executable, "-m", "rulewright", "book", "build", "--rules", str(checkout / "rules")),
            *("--output", str(tmp_path / "site"), "--base-url", URL),
        ],
        env={**environment, "PYTHONHASHSEED": "1", "SOURCE_DATE_EPOCH": "86400", "TZ": "Pacific/Auckland"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    one, two = files(published / SITE), files(tmp_path / "site")
    assert set(one) == set(two)
    assert [path for path in one if one[path] != two[path]] == []
