"""The scripts that are committed as built are those that their sources build."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.site.conftest import program

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "editors" / "studio"
PAGE = ROOT / "site" / "studio"


def test_the_sources_make_the_same_bytes(tmp_path: Path) -> None:
    if not (SOURCES / "node_modules" / "esbuild").exists():
        pytest.fail("the editor's sources are not installed: `make audits` installs them", pytrace=False)
    subprocess.run([program("node"), "build.js", str(tmp_path)], cwd=SOURCES, check=True)
    built = [path.relative_to(tmp_path) for path in tmp_path.rglob("*.js")]
    assert PAGE.relative_to(ROOT) / "codemirror.js" in built
    for path in built:
        assert (tmp_path / path).read_bytes() == (ROOT / path).read_bytes(), f"{path}: run `make scripts`"


def test_every_licence_goes_with_it() -> None:
    lock = (SOURCES / "package-lock.json").read_text(encoding="utf-8")
    told = (PAGE / "codemirror.js").read_text(encoding="utf-8").split("*/", 1)[0]
    for name in re.findall(r'"node_modules/(@codemirror/[\w-]+|@lezer/[\w-]+|marked|dompurify)"', lock):
        assert re.search(rf"{re.escape(name)} \d", told), f"{name} is not named"


def test_the_page_asks_no_other_host() -> None:
    for path in PAGE.rglob("*"):
        if path.suffix in {".js", ".css", ".html"} and path.name != "codemirror.js":
            assert not re.search(
                r"""(?:src|href|from|url\()\s*=?\s*["']?(?:https?:)?//""", path.read_text(encoding="utf-8")
            ), path
