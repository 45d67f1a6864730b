"""Every link and every fragment of the whole site leads somewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.site.crawl import faults
from tests.site.kinds import URL


def test_every_link_leads_somewhere(published: Path) -> None:
    assert faults(published, URL) == []


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ("gone.html", "not there"),
        ("/gone/", "not there"),
        ("other.html#gone", "no such place"),
        ("#gone", "no such place"),
        ("https://elsewhere.invalid/", "another host"),
        ("//elsewhere.invalid/a.css", "another host"),
    ],
)
def test_a_broken_link_is_seen(tmp_path: Path, link: str, message: str) -> None:
    (tmp_path / "other.html").write_text("<p id='here'>Here", "utf-8")
    (tmp_path / "index.html").write_text(f"<a href='{link}'>there</a> <a href='other.html#here'>here</a>", "utf-8")
    (diagnostic,) = faults(tmp_path)
    assert message in diagnostic
