"""The counter of prose reads the sentences of a page, and nothing else of it."""

from __future__ import annotations

from pathlib import Path

from tests.project.prose_counts import ROOT, list_pages, read_page

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
