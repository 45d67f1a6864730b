"""The report of a simulation shows the titles of hostile rules as text, and says that nothing may run in it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

from rulewright.cli.main import main
from tests.book.hostile.game import write
from tests.book.hostile.payloads import PAYLOADS


def test_a_report_holds_no_element_that_text_has_written(tmp_path: Path) -> None:
    def change(field: str, text: str) -> str:
        shown = field in ("title", "measures.*.title", "step.ask", "step.choose.from.*.label", "tables.*.title")
        return " ".join(PAYLOADS) if shown or field.endswith(".rows.*.title") else text

    rules = write(tmp_path / "rules", change)
    report = tmp_path / "report.html"
    options = ["--games", "3", "--rules", str(rules), "--coverage", "--report", str(report)]
    assert main(["simulate", "garden/small", *options]) == 0
    page = report.read_text(encoding="utf-8")
    assert "&lt;script&gt;" in page
    faults: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            if tag in ("script", "img", "iframe", "object", "embed", "base", "form", "a", "link", "input"):
                faults.append(tag)
            faults.extend(name for name, _ in attrs if name.startswith("on"))

    Reader().feed(page)
    assert faults == []
    assert re.search(r"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'", page)
