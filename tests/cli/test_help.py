"""Every verb explains itself, and the examples of `--help` work as typed."""

from __future__ import annotations

import shlex
import tomllib
from argparse import ArgumentParser
from pathlib import Path

import pytest

from rulewright.cli import commands
from rulewright.cli.main import main
from tests.breadth import some

MODULES = {name: commands.FOLDER.require(name) for name in commands.FOLDER.list_names()}

NEEDS_MORE = ("rulewright lsp", "my-house-rules", "my-rules", "game.json", "serve", "--output", "--annotate", "--from")
"""What a line needs that is not there in a test."""

CHECKS_EVERYTHING = "rulewright check"
"""The README shows it too, and its test runs it."""

EXAMPLES = [
    line
    for module in MODULES.values()
    for line in map(str.strip, module.EXAMPLE.strip().splitlines())
    if not any(word in line for word in NEEDS_MORE)
]
LINES = some(EXAMPLES, [line for line in EXAMPLES if line != CHECKS_EVERYTHING])


@pytest.mark.parametrize("name", MODULES)
def test_help_has_a_sentence_and_an_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([name, "--help"])
    assert stopped.value.code == 0
    out = capsys.readouterr().out
    assert f"example:\n  rulewright {name}" in out


def test_a_percent_sign_in_the_help_of_a_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulewright.cli.commands.roll.HELP", "be 50% off")
    for arguments, shown in ((["--help"], "be 50% off\n"), (["roll", "--help"], "Be 50% off.\n")):
        with pytest.raises(SystemExit):
            main(arguments)
        assert shown in capsys.readouterr().out


def test_a_percent_sign_in_the_help_of_an_option(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def configure(parser: ArgumentParser) -> None:
        parser.add_argument("--off", help="50% off")

    monkeypatch.setattr("rulewright.cli.commands.roll.configure", configure)
    assert main(["roll", "--help"]) == 1
    assert "the help of `rulewright roll` has a `%` that is not written `%%`" in capsys.readouterr().err
    assert main(["list"]) == 0


@pytest.mark.parametrize(
    ("name", "hint"),
    [("rol", "did you mean `roll`?"), ("xylophone", "`rulewright --help` lists the commands")],
)
def test_a_command_that_does_not_exist(name: str, hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([name])
    assert stopped.value.code == 2
    assert f"error: there is no command `{name}`; {hint}\n" in capsys.readouterr().err


def test_the_version_is_that_of_the_project(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--version"])
    assert stopped.value.code == 0
    project = tomllib.loads((checkout / "pyproject.toml").read_text("utf-8"))["project"]
    assert capsys.readouterr().out == f"rulewright {project['version']}\n"


def test_the_line_that_is_run_elsewhere_is_there(checkout: Path) -> None:
    assert CHECKS_EVERYTHING in EXAMPLES
    assert f"```sh run\n{CHECKS_EVERYTHING}\n" in (checkout / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("line", LINES)
def test_examples_work_as_typed(
    line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("builtins.input", lambda _: "quit")
    (tmp_path / "house").mkdir()
    manifest = "ruleset: my/house\nversion: 1.0.0\ntitle: House\nextends: pig/classic@1.0\n"
    (tmp_path / "house" / "ruleset.yaml").write_text(manifest, encoding="utf-8")
    monkeypatch.chdir(tmp_path)  # some write files
    program, *arguments = shlex.split(line)
    assert program == "rulewright"
    assert main(arguments) == 0, capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["simulate", "pig/classic", "--seed", "0", "--games", "1", "--seed", "0"],
        ["roll", "1d6", "--seed", "1", "--seed", "2"],
        ["book", "build", "--output", "a", "--output", "b"],
    ],
)
def test_an_option_that_holds_one_value_is_given_once(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    first, second = (arguments[place + 1] for place, each in enumerate(arguments) if each == arguments[-2])
    text = " ".join(capsys.readouterr().err.split())
    assert f"argument {arguments[-2]}: given twice, as {first} and {second}" in text


def test_options_that_may_be_repeated_still_are(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    manifest = "ruleset: house/more\nversion: 1.0.0\ntitle: More\nextends: pig/classic\n"
    (tmp_path / "more" / "ruleset.yaml").write_text(manifest, encoding="utf-8")
    assert main(["list", "--rules", str(tmp_path), "--rules", str(tmp_path / "more")]) == 0
