"""Building the site of every edition."""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

import pytest

from rulewright.book.site import mkdocs_build
from rulewright.book.site.atomic_swap import OutputError
from rulewright.book.site.book_folders import list_publishable, name_folders
from rulewright.book.site.publish import build_site
from rulewright.cli.main import main
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.source.diagnostics.collector import DiagnosticError
from tests.book.garden import MANIFEST, steps, write_garden
from tests.breadth import THOROUGH
from tests.site.kinds import SITE

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

URL = "https://gardens.example/books"


@pytest.fixture(scope="module")
def site(host: Path) -> Path:
    """Return the site of the shipped rules."""
    return host / SITE


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the rules of a small game, and their site, which nobody changes."""
    folder = tmp_path_factory.mktemp("garden")
    build_site(Catalogue([write_garden(folder / "rules")]), folder / "site")
    return folder


def files(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_every_edition_but_the_abstract_ones_has_a_book(site: Path, checkout: Path) -> None:
    editions = list_publishable(Catalogue([checkout / "rules"]))
    assert {path.parent.name for path in site.glob("*/rules.json")} == set(name_folders(editions).values())
    versions = json.loads((site / "versions.json").read_text(encoding="utf-8"))
    assert [entry["version"] for entry in versions] == list(name_folders(editions).values())


def test_nothing_is_asked_of_another_host(site: Path) -> None:
    for path in [*site.rglob("*.html"), *site.rglob("assets/*.css"), *site.rglob("assets/*.js")]:
        text = path.read_text(encoding="utf-8")
        assert "unpkg.com" not in text
        assert "fonts.g" not in text


def test_a_single_game_needs_no_name_in_the_address(tmp_path: Path) -> None:
    editions = list_publishable(Catalogue([write_garden(tmp_path)]))
    assert list(name_folders(editions).values()) == ["small-1.0"]


def test_two_patches_of_one_version_are_told_apart(tmp_path: Path) -> None:
    write_garden(tmp_path)
    second = write_garden(tmp_path / "second", manifest=MANIFEST.replace("1.0.0", "1.0.1"))
    editions = list_publishable(Catalogue([tmp_path, second]))
    assert list(name_folders(editions).values()) == ["small-1.0.1", "small-1.0.0"]


def test_a_publisher_says_which_game_comes_first(tmp_path: Path) -> None:
    def games(position: str) -> list[str]:
        other = MANIFEST.replace("garden/small", "yard/small") + position
        second = write_garden(tmp_path / "second", manifest=other)
        return [edition.game for edition in list_publishable(Catalogue([tmp_path, second]))]

    write_garden(tmp_path)
    assert games("") == ["garden", "yard"]
    assert games("position: 1\n") == ["yard", "garden"]


def test_the_shipped_site_opens_with_its_own_game(site: Path) -> None:
    page = (site / "index.html").read_text(encoding="utf-8")
    titles = re.findall(r"class=\"?rw-card__title\"?>([^<]+)", page)
    assert titles[0] == "Fuzzy Knights ⚔ Normal"
    assert "open to change" not in page


def test_a_fault_in_the_rules_leaves_the_old_site_alone(tmp_path: Path) -> None:
    rules, output = write_garden(tmp_path / "rules"), tmp_path / "out" / "site"
    build_site(Catalogue([rules]), output)
    before = files(output)
    write_garden(rules, steps().replace("{numbers.harvest}", "{numbers.harvst}"))
    with pytest.raises(DiagnosticError, match="harvst"):
        build_site(Catalogue([rules]), output)
    write_garden(rules, "terms: [")
    with pytest.raises(DiagnosticError):
        build_site(Catalogue([rules]), output)
    assert files(output) == before
    assert [path.name for path in output.parent.iterdir()] == ["site"]


def test_the_command_says_what_is_wrong_and_exits_with_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = write_garden(tmp_path / "rules", steps().replace("{numbers.harvest}", "{numbers.harvst}"))
    # Named, for else whatever is shipped would be looked through as well.
    assert main(["book", "build", "garden/small", "--rules", str(rules), "--output", str(tmp_path / "site")]) == 1
    error_text = capsys.readouterr().err
    assert "garden.yaml:" in error_text
    assert "did you mean `harvest`?" in error_text
    assert not (tmp_path / "site").exists()


def test_a_new_site_replaces_the_old_one_whole(tmp_path: Path) -> None:
    rules, output = write_garden(tmp_path / "rules"), tmp_path / "site"
    build_site(Catalogue([rules]), output)
    (output / "left-over.html").write_text("old", encoding="utf-8")
    build_site(Catalogue([rules]), output)
    assert not (output / "left-over.html").exists()


class _Shown(HTMLParser):
    """The words of a page that lie in nothing meant for designers alone."""

    EMPTY = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"])

    def __init__(self) -> None:
        super().__init__()
        self.inside: list[bool] = []
        self.said: list[str] = []
        self.hidden: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.EMPTY:
            self.inside.append("rw-workshop" in (dict(attrs).get("class") or "").split())

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.EMPTY and self.inside:
            self.inside.pop()

    def handle_data(self, data: str) -> None:
        (self.hidden if any(self.inside) else self.said).append(data)


def test_on_the_pages_the_digest_is_told_to_designers_alone(garden: Path) -> None:
    digest = load_ruleset("garden/small", rules=garden / "rules").digest
    told = 0
    for path in (garden / "site").rglob("*.html"):
        page = _Shown()
        page.feed(path.read_text(encoding="utf-8"))
        # The whole book, which is printed, says which gameplay it is about.
        imprint = path.relative_to(garden / "site").as_posix() == "small-1.0/whole.html"
        assert page.said.count(digest) == imprint, path
        assert digest not in " ".join(text for text in page.said if text != digest), path
        told += digest in page.hidden
    assert told > 5


def test_a_relative_folder_lies_where_one_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = write_garden(tmp_path / "rules")
    monkeypatch.chdir(tmp_path)
    build_site(Catalogue([rules]), Path("site"))
    assert (tmp_path / "site" / "index.html").is_file()
    assert (tmp_path / "site" / "small-1.0" / "growing.html").is_file()


def test_two_builds_are_the_same(garden: Path, tmp_path: Path) -> None:
    build_site(Catalogue([garden / "rules"]), tmp_path / "two")
    one, two = files(garden / "site"), files(tmp_path / "two")
    assert [path for path in one if one[path] != two.get(path)] == []
    assert set(one) == set(two)


def test_pages_say_where_they_will_be_only_if_that_is_known(garden: Path, tmp_path: Path) -> None:
    assert all(b"rel=canonical" not in text for text in files(garden / "site").values())
    build_site(Catalogue([garden / "rules"]), tmp_path / "known", url=URL)
    page = (tmp_path / "known" / "small-1.0" / "growing.html").read_text(encoding="utf-8")
    assert f"<link rel=canonical href={URL}/small-1.0/growing.html>" in page
    assert f"<loc>{URL}/small-1.0/growing.html</loc>" in (tmp_path / "known" / "small-1.0" / "sitemap.xml").read_text()


def test_below_a_path_all_is_found_from_the_page_for_what_is_not(tmp_path: Path) -> None:
    build_site(Catalogue([write_garden(tmp_path / "rules")]), tmp_path / "books", url=URL)
    (not_found_page,) = (tmp_path / "books").rglob("404.html")
    page = not_found_page.read_text(encoding="utf-8")
    # A host shows it at any depth, so an address that is not whole must begin at the root of the host.
    addresses = {urljoin(f"{URL}/a/b/c.html", text) for text in re.findall(r'(?:href|src)="([^"#]+)', page)}
    own = [urlsplit(addresse).path for addresse in addresses if addresse.startswith(URL)]
    assert {"/books/index.html", "/books/small-1.0/index.html"} <= set(own)
    for path in own:
        assert (tmp_path / path.lstrip("/")).exists(), path


@pytest.mark.browser
def test_the_page_for_what_is_not_found_fails_at_nothing_at_the_root_of_a_host(garden: Path, page: Page) -> None:
    failures: list[str] = []
    page.on("pageerror", lambda error: failures.append(str(error)))
    site = garden / "site"

    def answer(route: Route) -> None:
        path = site / urlsplit(route.request.url).path.lstrip("/")
        route.fulfill(path=path if path.is_file() else site / "404.html", status=200 if path.is_file() else 404)

    # Nobody listens there: all is answered from here.
    page.route("http://127.0.0.1:9/**", answer)
    for address in ("404.html", "small-1.0/no/such/page.html"):
        page.goto(f"http://127.0.0.1:9/{address}")
        assert page.locator("h1").inner_text() == "There is no such page"
        assert failures == []
    page.locator("[data-md-component=search-query]").fill("grow")
    page.locator(".md-search-result__meta", has_text="matching").wait_for()
    assert failures == []


@pytest.mark.parametrize("url", ["gardens.example", "ftp://gardens.example/", "https://", "https://gardens.example/?a"])
def test_what_is_no_address_of_a_site_is_refused(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["book", "build", "--base-url", url])
    assert "is not a site address" in capsys.readouterr().err


def test_a_folder_that_holds_something_else_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "dear.txt").write_text("keep me", encoding="utf-8")
    with pytest.raises(OutputError, match="contains files that this program did not build"):
        build_site(Catalogue([write_garden(tmp_path / "rules")]), tmp_path / "letters")
    assert (tmp_path / "letters" / "dear.txt").read_text(encoding="utf-8") == "keep me"


def test_a_file_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "site").write_text("", encoding="utf-8")
    with pytest.raises(OutputError, match="is a file"):
        build_site(Catalogue([write_garden(tmp_path / "rules")]), tmp_path / "site")


def test_nothing_to_publish_is_said(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="no editions to publish"):
        build_site(Catalogue([tmp_path]), tmp_path / "site")


def test_mkdocs_builds_the_edition_of_its_settings_by_itself(tmp_path: Path, checkout: Path) -> None:
    """Whose pages it makes is all the same to MkDocs; the default edition has been through it for the whole site."""
    settings = (checkout / "mkdocs.yml").read_text(encoding="utf-8")
    for here in ("docs_dir: ", "custom_dir: ", "rules: ["):
        assert here in settings
        settings = settings.replace(here, f"{here}{checkout}/")
    assert "ruleset: fuzzy-knights/normal@1.0\n" in settings
    if not THOROUGH:
        settings = settings.replace("fuzzy-knights/normal@1.0", "pig/classic@1.0")
    (tmp_path / "mkdocs.yml").write_text(settings, encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COV_")}
    ran = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "WARNING" not in ran.stderr
    assert (tmp_path / "site" / "index.html").is_file()


def test_the_front_says_for_whom_each_edition_is_and_how_long_it_takes(tmp_path: Path) -> None:
    manifest = f"{MANIFEST}for: patient <b>gardeners</b>\ntakes: a whole summer\n"
    build_site(Catalogue([write_garden(tmp_path / "rules", manifest=manifest)]), tmp_path / "site")
    page = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert "For patient &lt;b&gt;gardeners&lt;/b&gt;" in page
    assert "A whole summer · 2 to 4&nbsp;players" in page


def test_only_the_editions_that_are_named_are_built(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Under the addresses they have in the whole site, and whatever is wrong with the others."""
    first = write_garden(tmp_path / "rules")
    second = write_garden(tmp_path / "rules" / "second", manifest=MANIFEST.replace("1.0.0", "1.0.1"))
    both = Catalogue([first, second])
    [newer, older] = list_publishable(both)
    rules = ["--rules", str(first), "--rules", str(second), "--rules", str(tmp_path / "broken")]
    (tmp_path / "broken" / "bad").mkdir(parents=True)
    (tmp_path / "broken" / "bad" / "ruleset.yaml").write_text("ruleset: bad/one\n")
    assert main(["book", "build", older.id, *rules, "--output", str(tmp_path / "out")]) == 0
    folder = tmp_path / "out" / "garden-small-1.0.0"
    assert capsys.readouterr().out == f"{folder}  {older.id}\n"
    versions = json.loads((tmp_path / "out" / "versions.json").read_text(encoding="utf-8"))
    assert [entry["version"] for entry in versions] == ["garden-small-1.0.0"]
    assert [path.parent.name for path in (tmp_path / "out").glob("*/rules.json")] == ["garden-small-1.0.0"]
    pages = ["--markdown", "--output", str(tmp_path / "pages")]
    assert main(["book", "build", older.id, newer.id, *rules, *pages]) == 0
    assert {path.parent.name for path in (tmp_path / "pages" / "docs").glob("*/rules.json")} == {
        "garden-small-1.0.0",
        "garden-small-1.0.1",
    }
    capsys.readouterr()
    assert main(["book", "build", "small/none", "--rules", str(first), "--output", str(tmp_path / "none")]) == 1
    assert "unknown-ruleset" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def test_what_another_thread_says_meanwhile_is_no_warning_of_a_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The live view answers while it builds, and MkDocs logs of a page that is not there."""
    log = logging.getLogger("mkdocs.livereload")

    def meanwhile(_: object) -> None:
        other = Thread(target=log.warning, args=("code 404",))
        other.start()
        other.join()

    monkeypatch.setattr(mkdocs_build, "mkdocs_build", meanwhile)
    mkdocs_build.build_pages({}, tmp_path / "site", name="Small")
    monkeypatch.setattr(mkdocs_build, "mkdocs_build", lambda _: log.warning("a link leads nowhere"))
    with pytest.raises(mkdocs_build.BookError, match="a link leads nowhere"):
        mkdocs_build.build_pages({}, tmp_path / "site", name="Small")
