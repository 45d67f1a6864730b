"""A mistake in the template of a statement is named with its line, by every command that writes the sentence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import ChoiceLoader, FileSystemLoader

from rulewright.book.parts.template_loader import get_environment
from rulewright.cli.main import main
from rulewright.ruleset.prose.book_language import ENGLISH

BROKEN = "{# What is gained. #}\nGain {{ say.within(action.amuonts) }}.\n"
COMMANDS = [("check", "pig/classic"), ("book", "build", "--output"), ("diff", "pig/classic", "cookbook/medals")]


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Replace a template by one that names a member that does not exist."""
    template = tmp_path / "statements" / "gain.j2"
    template.parent.mkdir()
    template.write_text(BROKEN, encoding="utf-8")
    environment = get_environment(ENGLISH)
    assert environment.loader is not None
    assert environment.cache is not None
    monkeypatch.setenv("RULEWRIGHT_CACHE", "off")
    monkeypatch.setattr(environment, "loader", ChoiceLoader([FileSystemLoader(tmp_path), environment.loader]))
    yield
    environment.cache.clear()


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_the_template_and_its_line_are_named(
    command: tuple[str, ...], checkout: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = [str(tmp_path / "book")] if command[0] == "book" else []
    folders = ["--rules", str(checkout / "rules" / "pig")]
    folders += ["--rules", str(checkout / "site" / "docs" / "cookbook")] if command[0] == "diff" else []
    assert main([*command, *output, *folders]) == 1
    printed = capsys.readouterr()
    error = printed.err + printed.out
    failed = "error[part-failed]: the template `statements/gain.j2` of `gain` failed on line 2 (UndefinedError: "
    assert error.count(failed) == error.count("failed on line") == 1
    assert "has no attribute 'amuonts'" in error
    assert "MkDocs" not in error
