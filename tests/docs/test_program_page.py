"""The page on programs names every operation there is, and prints what the command prints."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from textwrap import dedent, indent

import pytest

from rulewright.cli.main import main
from rulewright.language import operations

PLUGINS = Path(__file__).parent / "plugins"
SHORTER = Path(__file__).parents[1] / "ir" / "statements"


def test_the_page_says_what_is_printed(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = (checkout / "site" / "docs" / "contributing" / "program.md").read_text(encoding="utf-8")
    assert main(["show", "pig/classic", "game", "--program"]) == 0
    printed = capsys.readouterr().out.splitlines()
    shown = page.partition("--program\n")[2].partition("      …")[0].splitlines()
    assert len(shown) > 5
    assert printed[: len(shown)] == shown


def test_the_page_joins_scopes_as_a_sample_does(checkout: Path) -> None:
    page = (checkout / "site" / "docs" / "contributing" / "program.md").read_text(encoding="utf-8")
    shown = page.partition("as in `sample_stake.py`:")[2].partition("```python\n")[2].partition("  ```")[0]
    assert "intersect" in shown
    assert indent(dedent(shown), " " * 8) in (PLUGINS / "statements" / "sample_stake.py").read_text(encoding="utf-8")


def test_the_page_names_every_list_of_options(checkout: Path) -> None:
    page = (checkout / "site" / "docs" / "contributing" / "program.md").read_text(encoding="utf-8")
    names = [operations.Offered, operations.Range, operations.Subsets, operations.OrNone]
    helpers = [operations.list_numbers, operations.list_subsets]
    assert [each.__name__ for each in (*names, *helpers) if f"`{each.__name__}(" not in page] == []


def test_the_page_names_what_statements_import(checkout: Path) -> None:
    """Its names exist, and the samples, which strangers wrote from the page, need no other module."""
    page = (checkout / "site" / "docs" / "contributing" / "program.md").read_text(encoding="utf-8")
    rows = re.findall(r"^- `([a-z_.]+\.[a-z_.]+)`: (.*(?:\n  .*)*)$", page, re.MULTILINE)
    named = {f"rulewright.{module}": re.findall(r"`(\w+)`", names) for module, names in rows}
    lacking = [
        (name, each) for name, names in named.items() for each in names if not hasattr(import_module(name), each)
    ]
    assert lacking == []
    samples = [*(PLUGINS / "statements").glob("*.py"), *SHORTER.glob("*.py")]
    used = {
        match for sample in samples for match in re.findall(r"^from (rulewright\.[\w.]+) ", sample.read_text(), re.M)
    }
    assert len(samples) > 6
    assert used - named.keys() <= {"rulewright.language"}


def test_the_page_names_every_operation(checkout: Path) -> None:
    page = (checkout / "site" / "docs" / "contributing" / "program.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    kinds = [
        name
        for name, kind in vars(operations).items()
        if isinstance(kind, type) and issubclass(kind, operations.Operation) and kind is not operations.Operation
    ]
    assert len(rows) == len(kinds)
    assert sum("**pauses**" in row for row in rows) == sum(getattr(operations, name).stops for name in kinds)
