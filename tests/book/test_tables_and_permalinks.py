"""Tables that sort, and numbers of rules that copy their address, in a browser over small pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

ROWS = [
    ("Able", "9"),
    ("Baker", "–"),
    ("Charlie", '2d6 <span class="rw-mean">avg. 7</span>'),
    ("Dog", "30"),
    ("Easy", "9"),
]
TABLE = (
    '<table class="rw-table KIND"><thead><tr><th scope="col">Name</th><th scope="col" class="rw-num">Worth</th></tr>'
    "</thead><tbody>"
    + "".join(f'<tr><th scope="row">{name}</th><td class="rw-num">{worth}</td></tr>' for name, worth in ROWS)
    + "</tbody></table>"
)


def scripts(checkout: Path, name: str) -> str:
    """Return a script, behind the one by which all say what they say."""
    parts = (checkout / "site" / "assets" / f"{part}.js" for part in ("say", name))
    return "\n;\n".join(part.read_text(encoding="utf-8") for part in parts)


def order(page: Page) -> str:
    return "".join(name[0] for name in page.locator("tbody th").all_inner_texts())


def show(page: Page, checkout: Path, kind: str = "") -> None:
    page.set_content(TABLE.replace("KIND", kind))
    page.add_script_tag(content=scripts(checkout, "tables"))


def test_a_column_of_figures_sorts_up_down_and_back(page: Page, checkout: Path) -> None:
    show(page, checkout)
    button = page.get_by_role("button", name="Sort by Worth")
    head = page.locator("th.rw-num")
    seen = []
    for _ in range(3):
        button.press("Enter")
        seen.append((order(page), head.get_attribute("aria-sort")))
    # By mean, equal ones as they stood; what has no figure is last both ways.
    assert seen == [("CAEDB", "ascending"), ("DAECB", "descending"), ("ABCDE", None)]
    assert page.get_by_role("button").count() == 1


def test_a_table_to_roll_on_keeps_the_order_of_the_roll(page: Page, checkout: Path) -> None:
    show(page, checkout, "rw-table--roll")
    assert page.get_by_role("button").count() == 0


def test_the_number_of_a_section_copies_its_address_and_says_so(page: Page, checkout: Path) -> None:
    page.set_content('<h2 id="capture"><span class="rw-number">M.2</span> Taking it</h2>')
    page.evaluate(
        "Object.defineProperty(navigator, 'clipboard', {value: {writeText: async t => { window.copied = t }}})"
    )
    page.add_script_tag(content=scripts(checkout, "permalinks"))
    page.get_by_role("link", name="M.2").press("Enter")
    page.get_by_role("status").filter(has_text="The link to M.2 is copied.").wait_for()
    assert str(page.evaluate("window.copied")).endswith("#capture")
