"""House rules that come in a link, shown by a published site."""

from __future__ import annotations

import base64
import io
import json
import zipfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest
from playwright.sync_api import expect

from rulewright.book.site.publish import SHARED, build_site
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.studio.storage.share_bundle import Bundle, build_fragment, parse_fragment
from tests.book.garden import write_garden
from tests.site.test_axe import violations

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.browser

MANIFEST = "ruleset: house/wet\nversion: 0.1.0\ntitle: <b>Wet</b>\nextends: garden/small@1.0.0\n"
HOSTILE = (
    "# <img src=x onerror=\"document.title='run'\">\nnumbers: {harvest: {is: 4}} # </code><script>alert(1)</script> ä\n"
)
RULES = Bundle(
    {"wet/ruleset.yaml": MANIFEST, "wet/a.yaml": HOSTILE}, "house/wet@0.1.0", "<b>Wet</b>", "garden/small@1.0.0"
)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("shared")
    build_site(Catalogue([write_garden(folder / "rules")]), folder / "site")
    return (folder / "site" / SHARED).as_uri()


def opened(page: Page, address: str, link: str) -> str:
    """Return what the page says of a link."""
    page.goto("about:blank")
    page.goto(address + link)
    expect(page.locator("#shared-said")).not_to_contain_text("can be given away", timeout=60_000)
    return page.locator("#shared-said").inner_text()


def packed(value: object) -> str:
    data = zlib.compress(json.dumps(value).encode())
    return f"#rules=1.{base64.urlsafe_b64encode(data).decode()}"


def test_rules_in_a_link_are_shown_as_they_are_written(page: Page, address: str) -> None:
    assert "house/wet@0.1.0" in opened(page, address, build_fragment(RULES))
    assert page.locator("h1").inner_text() == "<b>Wet</b>"
    assert page.locator("#shared-files pre").all_text_contents() == [HOSTILE, MANIFEST]
    book = page.locator("#shared-base a").get_attribute("href", timeout=5_000)
    assert book == page.locator("#shared-books a").get_attribute("href")

    stranger = Bundle(RULES.files, RULES.ref, RULES.title, "garden/other@1.0.0")
    opened(page, address, build_fragment(stranger))
    assert "no book on this site" in page.locator("#shared-base").inner_text()


def test_rules_of_a_book_on_this_site_lead_to_it(page: Page, address: str) -> None:
    assert "they are not part of the books on this site" in opened(page, address, build_fragment(RULES))
    page_text = opened(page, address, build_fragment(Bundle(RULES.files, "garden/small@1.0.0", "A Small Garden", "")))
    assert "This site has a book of this edition: open A Small Garden 1.0.0." in page_text
    assert "not part of the books" not in page_text
    book = page.locator("#shared-said a").get_attribute("href", timeout=5_000)
    assert book == page.locator("#shared-books a").get_attribute("href")


def test_every_page_leads_to_it_what_came_behind_its_address(page: Page, address: str) -> None:
    site = Path(url2pathname(urlsplit(address).path)).parent
    pages = [site / "index.html", *site.glob("*/index.html")]
    assert len(pages) > 1
    for each in pages:
        page.goto(each.as_uri() + build_fragment(RULES))
        page.wait_for_url("**/shared.html#rules=*")
        assert page.locator("h1").inner_text() == "<b>Wet</b>"


def test_it_stays_where_it_is_on_a_host_that_drops_endings(page: Page, address: str) -> None:
    site = Path(url2pathname(urlsplit(address).path)).parent
    lines: list[str] = []

    def serve(route: Route) -> None:
        path = urlsplit(route.request.url).path
        lines.append(path)
        route.fulfill(path=site / ("shared.html" if path == "/shared" else path.lstrip("/")))

    page.route("http://127.0.0.1/**", serve)
    page.goto("http://127.0.0.1/shared" + build_fragment(RULES))
    expect(page.locator("h1")).to_have_text("<b>Wet</b>")
    assert (lines.count("/shared"), lines.count("/shared.html")) == (1, 0)


def test_the_front_page_leads_to_it(page: Page, address: str) -> None:
    page.goto(address.replace(SHARED, "index.html"))
    page.get_by_role("link", name="Open house rules from a link").click()
    assert page.url == address


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_read_by_everybody(page: Page, address: str, scheme: Literal["light", "dark"]) -> None:
    page.emulate_media(color_scheme=scheme)
    opened(page, address, build_fragment(RULES))
    assert violations(page) == []


def test_its_header_is_passed_by_without_losing_the_rules(page: Page, address: str) -> None:
    opened(page, address, build_fragment(RULES))
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.url == address + build_fragment(RULES)
    page.keyboard.press("Tab")
    expect(page.locator("#shared-files pre").first).to_be_focused()


def test_nothing_of_a_link_becomes_part_of_the_page(page: Page, address: str) -> None:
    opened(page, address, build_fragment(RULES))
    assert page.locator("#shared-files img, #shared-files script, h1 *").count() == 0
    assert page.title() == "Rules from a link"


def test_the_zip_holds_the_same_files(page: Page, address: str) -> None:
    opened(page, address, build_fragment(RULES))
    with page.expect_download() as download:
        page.locator("#shared-zip").click()
    with zipfile.ZipFile(io.BytesIO(Path(download.value.path()).read_bytes())) as archive:
        assert archive.testzip() is None
        assert {name: archive.read(name).decode() for name in archive.namelist()} == RULES.files


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ("#rules=2.abc", "no rules in this link"),
        (build_fragment(RULES)[:-9], "damaged"),
        (packed([1]), "the data in it are not rules"),
        (packed({"files": {"a.yaml": "a: 1"}}), "contains no ruleset.yaml"),
        (packed({"files": {"ruleset.yaml": "", "../../a.yaml": ""}}), "do not belong in a rules folder"),
        (packed({"files": {"ruleset.yaml": "", "a.html": ""}}), "do not belong in a rules folder"),
        (packed({"files": {"ruleset.yaml": 1}}), "do not belong in a rules folder"),
        (packed({"files": {"ruleset.yaml": "", "A.yaml": "", "a.yaml": ""}}), "the same name"),
        (packed({"files": {"ruleset.yaml": " " * 9_000_000}}), "larger than this page allows"),
    ],
)
def test_what_is_no_link_with_rules_is_refused(page: Page, address: str, link: str, message: str) -> None:
    assert message in opened(page, address, link)
    assert page.locator("#shared-files pre").count() == 0
    assert page.locator("#shared-zip").is_hidden()


def test_what_rules_stand_on_travels_with_them_and_may_be_missing() -> None:
    assert parse_fragment(build_fragment(RULES)) == RULES
    assert parse_fragment(packed({"files": dict(RULES.files)})).base == ""
