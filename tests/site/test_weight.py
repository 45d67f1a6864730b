"""What makes a page fast or slow, as facts: bytes, requests, elements, what blocks it, what moves, what is not used.

The budgets are what the pages weigh today and some room. A page that outgrows its own has got slower for everybody.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from tests.site.kinds import KINDS, Kind, label

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

PHONE = {"width": 412, "height": 823}
KIB = 1024
MAIN = [kind for kind in KINDS if kind.main]


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that a page may ask of a phone on a slow network. Bytes are those that travel, compressed."""

    bytes: int
    requests: int
    elements: int
    blocking: int
    unused: int


BUDGET = Budget(bytes=330 * KIB, requests=30, elements=4_000, blocking=10, unused=260 * KIB)
MOST_SHIFT = 0.1
"""How far parts of a page may jump while it appears, as the web counts it (cumulative layout shift; 0.1 is good)."""

# The layout shifts are those that happened without anybody pressing anything.
WEIGHED = """() => new Promise(done => {
  let shift = 0
  new PerformanceObserver(list => { for (const e of list.getEntries()) if (!e.hadRecentInput) shift += e.value })
    .observe({ type: 'layout-shift', buffered: true })
  const parts = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  requestAnimationFrame(() => requestAnimationFrame(() => done({
    bytes: parts.reduce((sum, part) => sum + part.encodedBodySize, 0),
    requests: parts.length,
    elements: document.querySelectorAll('*').length,
    blocking: parts.filter(part => part.renderBlockingStatus === 'blocking').map(part => part.name),
    shift,
    names: parts.map(part => `${part.encodedBodySize} ${part.name}`),
  })))
})"""


@pytest.fixture
def phone(window: Page) -> Page:
    window.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    return window


def unused_bytes(page: Page, url: str) -> int:
    """Return the bytes of scripts and styles that a page asks for and does not use when it opens, uncompressed."""
    session = page.context.new_cdp_session(page)
    for command in ("Profiler.enable", "DOM.enable", "CSS.enable", "CSS.startRuleUsageTracking"):
        session.send(command)
    session.send("Profiler.startPreciseCoverage", {"callCount": False, "detailed": True})
    sheets: dict[str, float] = {}
    session.on("CSS.styleSheetAdded", lambda e: sheets.update({e["header"]["styleSheetId"]: e["header"]["length"]}))
    page.goto(url)
    page.wait_for_load_state("networkidle")
    scripts = session.send("Profiler.takePreciseCoverage")["result"]
    rules = session.send("CSS.stopRuleUsageTracking")["ruleUsage"]
    session.detach()
    used = sum(rule["endOffset"] - rule["startOffset"] for rule in rules if rule["used"])
    return int(sum(map(_unused_in, scripts)) + max(0, sum(sheets.values()) - used))


def _unused_in(script: dict[str, Any]) -> int:
    if not script["url"].startswith("http"):
        return 0
    ranges = [found for function in script["functions"] for found in function["ranges"]]
    end = max((found["endOffset"] for found in ranges), default=0)
    used = bytearray(end)
    # An inner range follows the outer one and speaks the last word of what lies in it.
    for range_ in sorted(ranges, key=lambda range_: (range_["startOffset"], -range_["endOffset"])):
        size = range_["endOffset"] - range_["startOffset"]
        used[range_["startOffset"] : range_["endOffset"]] = bytes([min(range_["count"], 1)]) * size
    return end - sum(used)


@pytest.mark.parametrize("kind", MAIN, ids=label)
def test_a_page_is_light(phone: Page, address: str, kind: Kind) -> None:
    phone.goto(address + kind.path)
    phone.wait_for_load_state("networkidle")
    page_data = phone.evaluate(WEIGHED)
    text = "\n".join(page_data["names"])
    assert page_data["bytes"] > 10 * KIB, text
    assert page_data["bytes"] <= BUDGET.bytes, text
    assert page_data["requests"] <= BUDGET.requests, text
    assert page_data["elements"] <= BUDGET.elements
    assert len(page_data["blocking"]) <= BUDGET.blocking, page_data["blocking"]
    assert page_data["shift"] <= MOST_SHIFT


def test_little_of_what_is_sent_is_unused(phone: Page, address: str) -> None:
    kind = next(kind for kind in MAIN if kind.name == "rules with tables and examples")
    assert unused_bytes(phone, address + kind.path) <= BUDGET.unused
