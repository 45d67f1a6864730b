"""A site made of stored parts is the site that is built from nothing; parts that show the same are not made again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mkdocs.structure.pages import Page

from rulewright.authoring.build_book import build
from rulewright.book.site import publish
from rulewright.ruleset.cache import cache_folder
from rulewright.ruleset.cache.stored_traces import StoredTraces
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.testing import check_edition
from rulewright.testing.edition_check import EditionCheck
from tests.book.garden import steps, write_garden
from tests.book.test_compare import FIRST, OTHER, SECOND, manifest, write_editions
from tests.checkout_copy import ROOT, copy_checkout

REST = "the rest"
ICON = '<svg viewBox="0 0 24 24"><path d="M1 1h9"/></svg>'
WORDS = "terms: {seed: {name: Same, plural: Samen, means: Daraus wächst etwas.}}\n"

Make = Callable[[], list[str]]
Edit = Callable[[Path], object]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with rules, their site, and the cache that its build left. Nobody changes them."""
    folder = tmp_path_factory.mktemp("built")
    write_editions(folder / "rules")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(cache_folder.VARIABLE, str(folder / "cache"))
        build(Catalogue([folder / "rules"]), folder / "site")
    return folder


@pytest.fixture
def work(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a copy of them, in another place."""
    monkeypatch.setenv(cache_folder.VARIABLE, str(tmp_path / "cache"))
    for name in ("rules", "site", "cache"):
        shutil.copytree(built / name, tmp_path / name)
    return tmp_path


@pytest.fixture
def make(work: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Return a function that builds the site, and returns the parts that were made."""
    lines: list[str] = []
    one, rest = publish.build_edition, publish.build_front

    def build_one(item: publish.PublishedEdition, *args: object, **more: object) -> None:
        lines.append(item.folder)
        one(item, *args, **more)  # type: ignore[arg-type]

    def build_rest(*args: object, **more: object) -> None:
        lines.append(REST)
        rest(*args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(publish, "build_edition", build_one)
    monkeypatch.setattr(publish, "build_front", build_rest)

    def again() -> list[str]:
        lines.clear()
        build(Catalogue([work / "rules"]), work / "site")
        return sorted(lines)

    return again


def read(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def build_from_nothing(work: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    with monkeypatch.context() as patch:
        patch.setenv(cache_folder.VARIABLE, "off")
        build(Catalogue([work / "rules"]), work / "other")
    return read(work / "other")


def replace(file: str, old: str, new: str) -> Edit:
    """Return an edit of a file below the rules."""

    def edit(rules: Path) -> None:
        text = (rules / file).read_text(encoding="utf-8")
        assert old in text
        (rules / file).write_text(text.replace(old, new), encoding="utf-8")

    return edit


def add(file: str, text: str) -> Edit:
    """Return an edit that adds a file below the rules."""

    def edit(rules: Path) -> None:
        (rules / file).parent.mkdir(parents=True, exist_ok=True)
        (rules / file).write_text(text, encoding="utf-8")

    return edit


ALL = [REST, FIRST, SECOND, OTHER]
ONE, TWO, THREE = (f"{name}/garden/small" for name in ("first", "second", "third"))
EDITS: dict[str, tuple[Edit, list[str]]] = {
    "a word that others show as a change": (
        replace(f"{ONE}/garden.yaml", "The weather die.", "The weather."),
        ALL,
    ),
    "a word of what nobody else shows": (
        replace(f"{THREE}/garden.yaml", "means: The season", "means: The year"),
        [REST, OTHER],
    ),
    "a number": (replace(f"{TWO}/garden.yaml", "{is: 4, means", "{is: 5, means"), ALL),
    "the name of a term": (replace(f"{THREE}/garden.yaml", "{name: Seed", "{name: Grain"), ALL),
    "a comment": (replace(f"{ONE}/garden.yaml", "terms:\n", "terms:  # words\n"), [REST, FIRST]),
    "a line above": (replace(f"{ONE}/garden.yaml", "terms:\n", "\nterms:\n"), [REST, FIRST]),
    "a title": (replace(f"{TWO}/ruleset.yaml", "title: Small", "title: Little"), ALL),
    "a version": (
        replace(f"{ONE}/ruleset.yaml", "version: 1.0.0", "version: 0.9.0"),
        [REST, "small-0.9", SECOND, OTHER],
    ),
    "an edition more": (
        lambda rules: write_garden(rules / "more", steps(), manifest("garden/tiny", "1.0.0")),
        [REST, "tiny-1.0"],
    ),
    "an edition less": (lambda rules: shutil.rmtree(rules / "third"), [REST, FIRST, SECOND]),
    "an edition in another folder": (lambda rules: (rules / "second").rename(rules / "moved"), []),
    "a translation": (add(f"{TWO}/words/de.yaml", WORDS), [REST, SECOND]),
    "an icon": (add(f"{THREE}/icons/seed.svg", ICON), [REST, OTHER]),
    "an icon of the game": (add("second/garden/icons/seed.svg", ICON), [REST, SECOND]),
    "a cover": (add(f"{ONE}/cover.svg", ICON), [REST, FIRST]),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_makes_the_site_that_is_built_from_nothing(
    name: str, work: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit, made = EDITS[name]
    edit(work / "rules")
    assert make() == sorted(made)
    assert read(work / "site") == build_from_nothing(work, monkeypatch)
    assert make() == []


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the list of pages that MkDocs renders, which grows."""
    pages: list[str] = []
    work = Page.render

    def note(page: Page, *args: Any) -> None:
        pages.append(page.url)
        work(page, *args)

    monkeypatch.setattr(Page, "render", note)
    return pages


def test_only_pages_whose_text_has_changed_are_rendered(work: Path, make: Make, rendered: list[str]) -> None:
    replace(f"{ONE}/garden.yaml", "What keeps a {bed} warm.", "What keeps a {bed} warm at night.")(work / "rules")
    assert FIRST in make()
    books = [page for page in rendered if ".." not in page]
    assert "glossary.html" in books
    assert "settings.html" not in books


def test_a_title_in_the_menu_renders_every_page_of_its_book(work: Path, make: Make, rendered: list[str]) -> None:
    replace(f"{ONE}/garden.yaml", "title: Growing", "title: Grown")(work / "rules")
    assert FIRST in make()
    assert {"growing.html", "settings.html"} <= set(rendered)


def test_nothing_is_written_if_nothing_has_changed(work: Path, make: Make) -> None:
    def look() -> dict[Path, tuple[int, int]]:
        return {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in (work / "site").rglob("*")}

    before = look()
    assert make() == []
    assert look() == before


def delete(site: Path) -> None:
    (site / FIRST / "index.html").unlink()


def change(site: Path) -> None:
    (site / "index.html").write_text("Changed by hand.", encoding="utf-8")


def add_file(site: Path) -> None:
    (site / "own.html").write_text("Added by hand.", encoding="utf-8")


def add_folder(site: Path) -> None:
    (site / SECOND / "own").mkdir()


def put_a_link(site: Path) -> None:
    (site / "copy.html").write_bytes((site / "index.html").read_bytes())
    (site / "index.html").unlink()
    (site / "index.html").symlink_to("copy.html")


def put_a_folder(site: Path) -> None:
    (site / FIRST / "index.html").unlink()
    (site / FIRST / "index.html").mkdir()


@pytest.mark.parametrize("damage", [delete, change, add_file, add_folder, put_a_link, put_a_folder, shutil.rmtree])
def test_what_was_changed_by_hand_is_restored_without_rendering(damage: Edit, work: Path, make: Make) -> None:
    before = read(work / "site")
    damage(work / "site")
    assert make() == []
    assert read(work / "site") == before
    assert not any(path.is_symlink() for path in (work / "site").rglob("*"))
    assert not (work / "site" / SECOND / "own").exists()


def truncate(cache: Path) -> None:
    for path in cache.iterdir():
        path.write_bytes(path.read_bytes()[:-1])


def empty(cache: Path) -> None:
    for path in cache.iterdir():
        path.write_bytes(b"")


def sign_otherwise(cache: Path) -> None:
    for path in cache.iterdir():
        content = path.read_bytes()
        path.write_bytes(content[:20] + bytes(32) + content[52:])


@pytest.mark.parametrize("damage", [truncate, empty, sign_otherwise, shutil.rmtree])
def test_a_damaged_cache_costs_only_time(damage: Edit, work: Path, make: Make) -> None:
    before = read(work / "site")
    damage(work / "cache")
    shutil.rmtree(work / "site")
    assert make() == sorted(ALL)
    assert read(work / "site") == before
    assert make() == []


def test_a_part_whose_content_was_deleted_is_made_again(work: Path, make: Make) -> None:
    before = read(work / "site")
    for path in (work / "cache").iterdir():
        if path.stat().st_size > 15_000:
            path.unlink()
    assert make() == [], "the site has all of it"
    (work / "site" / FIRST / "index.html").unlink()
    assert make() == [FIRST]
    assert read(work / "site") == before


def test_a_page_that_fails_is_not_stored(work: Path, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    failures = list[object]()
    replace(f"{ONE}/garden.yaml", "title: Shade", "title: Shadow")(work / "rules")
    with monkeypatch.context() as patch:
        patch.setattr("rulewright.book.rulebook.render_settings_page", lambda page: 1 // 0)
        for _ in range(2):
            build(Catalogue([work / "rules"]), work / "site", report=failures.append)
    assert len(failures) == 2
    assert {FIRST, REST} <= {*make()}
    assert b"Shadow" in read(work / "site")["small-1.0/settings.html"]
    assert read(work / "site") == build_from_nothing(work, monkeypatch)


@pytest.mark.parametrize("name", [f"{ONE}/garden.yaml", f"{ONE}/words/de.yaml"])
def test_a_file_written_during_the_build_is_read_by_the_next(
    name: str, work: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = work / "rules" / name
    add(f"{ONE}/words/de.yaml", WORDS)(work / "rules")
    replace(f"{ONE}/garden.yaml", "terms:\n", "terms:  # words\n")(work / "rules")
    check = check_edition.check_edition

    def check_and_write(*args: Any, **more: Any) -> EditionCheck:
        checked = check(*args, **more)
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("Same", "Korn").replace("The weather die", "A die"), encoding="utf-8")
        return checked

    with monkeypatch.context() as patch:
        patch.setattr(check_edition, "check_edition", check_and_write)
        make()
    make()
    assert read(work / "site") == build_from_nothing(work, monkeypatch)


def test_a_build_after_an_edit_checks_what_the_edit_touches(
    work: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def save(traces: StoredTraces) -> None:
        computed.append(traces.work.total())
        saved(traces)

    computed: list[int] = []
    saved = StoredTraces.save
    monkeypatch.setattr(StoredTraces, "save", save)
    shutil.rmtree(work / "cache")
    make()
    first = sum(computed)
    computed.clear()
    for path in (work / "rules").rglob("*.yaml"):
        path.write_text(path.read_text(encoding="utf-8") + "\n# A note.\n", encoding="utf-8")
    make()
    assert 0 < sum(computed) < first / 4


def test_an_error_in_the_rules_is_found_each_time(work: Path, make: Make) -> None:
    before = read(work / "site")
    replace(f"{ONE}/garden.yaml", "terms:\n", "termes:\n")(work / "rules")
    for _ in range(2):
        with pytest.raises(DiagnosticError, match="termes"):
            make()
    assert read(work / "site") == before


def test_whatever_pages_are_made_of_counts(tmp_path: Path) -> None:
    """A template, a style and the settings count; a page of the documentation does not."""
    checkout = copy_checkout(tmp_path / "checkout", copied=("engine", "docs_templates", "site"))
    (checkout / "mkdocs.yml").unlink()
    shutil.copy(ROOT / "mkdocs.yml", checkout)
    write_garden(tmp_path / "rules")

    def run(cache: str, output: str) -> dict[str, bytes]:
        paths = {"PYTHONPATH": str(checkout / "engine"), cache_folder.VARIABLE: cache}
        command = [sys.executable, "-m", "rulewright", "book", "build", "garden/small", "--output", output]
        command += ["--rules", str(tmp_path / "rules")]
        subprocess.run(command, cwd=tmp_path, env={**os.environ, **paths}, check=True, capture_output=True)
        return read(tmp_path / output)

    def edit(name: str, old: str, new: str) -> None:
        text = (checkout / name).read_text(encoding="utf-8")
        assert old in text
        (checkout / name).write_text(text.replace(old, new, 1), encoding="utf-8")

    before = run(str(tmp_path / "cache"), "site")
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "site").rglob("*")}
    edit("site/docs/reference/glossary.md", "\n", "\nMore words.\n")
    assert run(str(tmp_path / "cache"), "site") == before
    assert times == {path: path.stat().st_mtime_ns for path in (tmp_path / "site").rglob("*")}
    edit("docs_templates/chooser.md.j2", "class=", 'data-changed="" class=')
    edit("mkdocs.yml", "navigation.top", "navigation.tracking")
    edit("site/assets/tables.js", "\n", "\n// changed\n")
    now = run(str(tmp_path / "cache"), "site")
    assert now == run("off", "other")
    assert all(before[name] != now[name] for name in ("index.html", "garden-small-1.0/index.html", "assets/book.js"))
