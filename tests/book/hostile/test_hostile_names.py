"""A name is the same text on every page, whatever signs it is made of: no placeholder's value is read as markup."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown import markdown

from rulewright.book.print.whole_book import EXTENSIONS
from rulewright.book.rulebook import render_site
from rulewright.ruleset.load_ruleset import load_ruleset
from tests.book.hostile.game import write
from tests.breadth import times

PLAIN = "Zquv"
"""A name without any signs, that nothing else holds."""

SIGNS = (
    "'",
    '"',
    ":",
    "*",
    "_",
    "**",
    "|",
    "<",
    ">",
    "#",
    "1.",
    "-",
    "+",
    "`",
    "&",
    "&amp;",
    "[x](y)",
    "![",
    "🌱",
    "{{",
    "}}",
)
FILLED = """{bed} grows.
{tools.spade} digs.

{bed} *{bed}* **{tools.spade}**

- {bed}

| {bed} |
|---|
| {bed} |"""
NAMES = st.lists(st.sampled_from((*SIGNS, "Ab", "c", " ")), min_size=1, max_size=8).map("".join)


def texts(folder: Path, name: str) -> dict[str, str]:
    """Return every page of the book as text, with this name for a term, a row, a procedure and a table."""

    def change(field: str, text: str) -> str:
        if field == "terms.*.name" and text == "Bed":
            return name.replace("{{", "{").replace("}}", "}")
        if field == "tables.*.rows.*.title" and text == "A spade":
            return name
        if field in ("tables.*.title", "procedures.*.title") and text in ("Tools", "A whole game"):
            return name
        if field == "pages.*.sections.*.text":
            return FILLED
        return text

    ruleset = load_ruleset("garden/small", rules=[write(folder, change)])
    by_path = {}
    for path, page in render_site(ruleset).items():
        if path.endswith((".md", ".html")):
            body = re.sub(r"\A---\n.*?\n---\n|<(script|style|head)\b.*?</\1>", "", page, flags=re.DOTALL)
            made = markdown(body, extensions=list(EXTENSIONS)) if path.endswith(".md") else body
            by_path[path] = " ".join(unescape(re.sub(r"<[^<>]*>", "", made)).split())
    return by_path


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return texts(tmp_path_factory.mktemp("plain"), PLAIN)


@given(NAMES)
@settings(
    max_examples=times(12, 100),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
def test_a_name_is_the_same_text_on_every_page(
    plain: dict[str, str], tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    name = f"Q{' '.join(name.split())}Q"
    sentence = name.replace("{{", "{").replace("}}", "}")
    pages = texts(tmp_path_factory.mktemp("name"), name)
    assert pages.keys() == plain.keys()
    for path, text in pages.items():
        assert text.count(sentence) == plain[path].count(PLAIN), path


@pytest.mark.parametrize(
    "name", ["1. First", "- Dash", "# Hash", '"Quoted"', "*Star*", "a | b", "<b>B</b>", "🌱 Leaf", "a: b"]
)
def test_a_name_at_the_start_of_a_line_begins_nothing(plain: dict[str, str], tmp_path: Path, name: str) -> None:
    for path, text in texts(tmp_path, name).items():
        # Where names stand in the order of the alphabet, or in small letters, others stand beside them.
        # What begins a line or a heading has a capital letter there, whatever its name.
        assert text.casefold().count(name.casefold()) >= plain[path].count(PLAIN) - 1, path
