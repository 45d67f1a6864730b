"""Pages read as plain Markdown, on a code host or in an editor: what only a build puts in can be found without it."""

from __future__ import annotations

import re
from importlib.util import module_from_spec, spec_from_file_location
from os.path import normpath, relpath
from pathlib import Path
from types import ModuleType

import pytest
from reference import pages

SITE = Path(__file__).resolve().parents[2] / "site"
DOCS = SITE / "docs"
INCLUDE = re.compile(r'^ *--8<-- "([^":]+)', re.MULTILINE)
PROJECT = {DOCS / "project" / "changelog.md", DOCS / "project" / "licence.md"}
MADE = {DOCS / "reference" / made for made in pages()} | PROJECT
"""The pages that only a build has."""
PAGES = {path.relative_to(DOCS).as_posix(): path for path in sorted(DOCS.rglob("*.md"))}


@pytest.mark.parametrize("name", PAGES)
def test_what_is_put_in_is_linked_and_what_is_made_is_explained(name: str) -> None:
    page = PAGES[name]
    text = page.read_text(encoding="utf-8")
    for put_in in INCLUDE.findall(text):
        assert (DOCS / put_in).is_file()
        assert f"]({relpath(DOCS / put_in, page.parent)})" in text
    assert "8 <" not in text, "a formatter took a line that puts a file in for Python"
    linked = {Path(normpath(page.parent / link)) for link in re.findall(r"\]\(([^)#:]+)", text)}
    if linked & MADE:
        # A note of several lines would stay in part where it is left out.
        assert re.search(r"^\n> As plain Markdown, .*\n$", text, re.MULTILINE)


def load_hook() -> ModuleType:
    """Return what MkDocs runs for the documentation."""
    spec = spec_from_file_location("docs_hook", SITE / "docs_hook.py")
    assert spec is not None
    assert spec.loader is not None
    hook = module_from_spec(spec)
    spec.loader.exec_module(hook)
    return hook


def test_a_built_page_says_nothing_of_its_source() -> None:
    hook = load_hook()
    for name in ("index.md", "integrate/python.md", "cookbook/index.md"):
        text = PAGES[name].read_text(encoding="utf-8")
        built = hook.on_page_markdown(text, page=None, config=None, files=None)
        assert "plain Markdown" in text
        assert "plain Markdown" not in built
        assert built.startswith(text.splitlines()[0])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# Medals\n", "`group:` (one of numbers, rules, "),
        ("---\norder: 280\n---\n# Medals\n", "`group:` (one of numbers, rules, "),
        ("---\ngroup: other\norder: 280\n---\n# Medals\n", "`group:` (one of numbers, rules, "),
        ("---\ngroup: rules\n---\n# Medals\n", "and `order:` (a number)"),
        ("---\ngroup: rules\norder: 280\n---\nMedals\n", "has no title"),
    ],
)
def test_a_recipe_without_its_entry_in_the_list_is_named(text: str, message: str, tmp_path: Path) -> None:
    page = tmp_path / "index.md"
    page.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(message)) as raised:
        load_hook()._read_recipe(page)
    assert str(page) in str(raised.value)
