"""The site as one file."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest

from rulewright.book.site.publish import INSIDE, NAME, build_site, pack
from rulewright.cli.main import main
from rulewright.ruleset.editions.catalogue import Catalogue
from tests.spelt_out import spelt_out

if TYPE_CHECKING:
    from playwright.sync_api import Page

BOOK = "classic-1.0"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, checkout: Path) -> Path:
    folder = tmp_path_factory.mktemp("archive")
    shutil.copytree(checkout / "rules" / "pig", folder / "rules" / "pig")
    build_site(Catalogue([folder / "rules"]), folder / "site", archive=True)
    return folder / "site"


@pytest.fixture(scope="module")
def unpacked(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("taken away")
    with ZipFile(site / NAME) as archive:
        archive.extractall(folder)
    return folder / INSIDE


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_it_holds_the_whole_site_but_itself(site: Path, unpacked: Path) -> None:
    assert files(unpacked) == {name for name in files(site) if name != NAME and not name.startswith(".")}


def test_only_the_site_itself_offers_the_download(site: Path, unpacked: Path) -> None:
    assert f'href="{NAME}" download' in spelt_out(site / "index.html")
    assert NAME not in (unpacked / "index.html").read_text(encoding="utf-8")


def test_two_are_the_same_whenever_they_are_made(site: Path, tmp_path: Path) -> None:
    copy = tmp_path / "site"
    shutil.copytree(site, copy, copy_function=shutil.copy)  # with new times
    assert pack(copy).read_bytes() == (site / NAME).read_bytes()
    with ZipFile(site / NAME) as archive:
        names = archive.namelist()
        assert names == sorted(names)
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert archive.testzip() is None


@pytest.mark.browser
def test_it_works_from_disk(page: Page, unpacked: Path) -> None:
    page.goto((unpacked / "index.html").as_uri())
    page.get_by_role("link", name="Pig").first.click()
    page.wait_for_url(f"**/{BOOK}/index.html")
    page.locator("[data-md-component=search-query]").click()
    page.keyboard.type("bank")
    page.locator(".md-search-result__link").first.wait_for(timeout=10_000)
    page.goto((unpacked / BOOK / "glossary.html").as_uri())
    for drawn in page.locator(".rw-glossary svg.rw-icon").all():
        assert drawn.evaluate("e => e.querySelector('use').getBBox().width") > 0
    page.goto((unpacked / BOOK / "whole.html").as_uri())
    page.get_by_role("link", name="Glossary").first.click()
    page.wait_for_url("**#glossary")


@pytest.mark.parametrize("option", ["--pdf", "--zip"])
def test_pages_as_markdown_are_no_site_to_print_or_pack(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["book", "build", "--markdown", option])
    assert "--markdown writes only pages" in capsys.readouterr().err
