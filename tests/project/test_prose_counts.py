"""The counter of prose reads the sentences of a page, and nothing else of it."""

from __future__ import annotations

from pathlib import Path

from tests.project.prose_counts import ROOT, find_hard_pages, list_pages, read_page

PAGE = """\
---
goal: whatever is written here
---
# What is no sentence

This page shows `code: here`. Read [the
next page](what-is-next.md) too.

```sh
whatever runs here; it is no sentence.
```

| a table | that tells so much |
|---|---|

- One entry of a list.
- Another entry of a list.
"""


def test_only_sentences_are_counted(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE, encoding="utf-8")
    assert [(one.line, one.text) for one in read_page(page)] == [
        (6, "This page shows code."),
        (6, "Read the next page too."),
        (16, "One entry of a list."),
        (16, "Another entry of a list."),
    ]


def test_pages_of_all_folders_are_counted() -> None:
    pages = {page.relative_to(ROOT).as_posix() for page in list_pages()}
    assert {"README.md", "CHANGELOG.md", "site/docs/index.md", "site/docs/start/install.md"} <= pages
    assert {"benchmarks/README.md", "editors/vscode/README.md", "engine/rulewright/export/js/interface.md"} <= pages


def test_a_single_page_that_is_hard_to_read_is_found(tmp_path: Path) -> None:
    joined, plain = "One thing is here; another is there.\n\n", "One thing is here.\n\n"
    pages = []
    for joins in (3, 4):
        page = tmp_path / f"{joins}.md"
        page.write_text(joins * joined + (10 - joins) * plain, encoding="utf-8")
        pages.append(list(read_page(page)))
    assert list(find_hard_pages(pages)) == [f"{tmp_path / '4.md'}: joins: 4 of 10 sentences"]
