"""What Lighthouse says of a page that is no time: whether it is accessible, well made and found.

How fast a page is depends on the machine; `benchmarks/pages.py` measures that, and `test_weight.py` holds what it
follows from.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.breadth import some
from tests.site.conftest import program, tool
from tests.site.kinds import KINDS, Kind, label
from tests.site.lighthouse import Measure, lighthouse, missing

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CATEGORIES = ("accessibility", "best-practices", "seo")
MAIN = [kind for kind in KINDS if kind.main]
# What the categories ask for is in the head of a page and in its theme, which every page has from the same templates;
# whether the rest of a page is accessible, axe says in `test_axe.py`, which Lighthouse asks as well.
MEASURED = some(MAIN, [kind for kind in MAIN if kind.name == "rules with tables and examples"])


@pytest.fixture(scope="module")
def measure() -> Iterator[Measure]:
    tool("lighthouse/package.json")
    with lighthouse(program("node")) as measure:
        yield measure


@pytest.mark.parametrize("kind", MEASURED, ids=label)
def test_lighthouse_is_content(address: str, measure: Measure, kind: Kind) -> None:
    report = measure(address + kind.path, CATEGORIES)
    scores = {name: found["score"] for name, found in report["categories"].items()}
    assert scores == dict.fromkeys(CATEGORIES, 1.0), "\n".join([str(scores), *missing(report)])
