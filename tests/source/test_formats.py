"""The four formats, to the letter where people or programs depend on it."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest

from rulewright.base.errors import RulewrightError
from rulewright.source.diagnostics import formats
from rulewright.source.diagnostics.collector import Diagnostic, DiagnosticError, Diagnostics, RelatedSpan
from rulewright.source.diagnostics.diagnostic import CODES, Code
from rulewright.source.span import Span
from rulewright.source.yaml.yaml_reader import read_text
from tests.source.goldens import assert_golden

KEYS = ["code", "severity", "message", "file", "line", "column", "related", "suggestion", "edits", "examples"]
"""What every diagnostic has as JSON, in this order."""


@pytest.fixture
def faults() -> tuple[Diagnostic, ...]:
    with pytest.raises(DiagnosticError) as caught:
        read_text("🏰: 1\nb: {hero}\n🏰: 2\n", "rules/50%, a:b/ü.yaml")
    return caught.value.diagnostics


@pytest.mark.parametrize("name", ["text", "json", "sarif", "github"])
def test_a_format_is_its_golden(name: str, faults: tuple[Diagnostic, ...]) -> None:
    assert_golden(f"format.{name}", formats.render(name, faults))


def test_the_formats_are_found() -> None:
    assert formats.list_names() == ("github", "json", "sarif", "text")
    with pytest.raises(RulewrightError, match="no format `xml`; the formats are github, json, sarif, text"):
        formats.render("xml", ())


def test_nothing_to_say() -> None:
    assert formats.render("text", ()) == ""
    assert formats.render("github", ()) == ""
    assert json.loads(formats.render("json", ())) == []
    assert json.loads(formats.render("sarif", ()))["runs"][0]["results"] == []


def test_json_keeps_its_contract(faults: tuple[Diagnostic, ...]) -> None:
    for data in json.loads(formats.render("json", faults)):
        assert list(data) == KEYS
        assert all(set(related) == {"file", "line", "column", "message"} for related in data["related"])


def test_sarif_refers_to_its_rules(faults: tuple[Diagnostic, ...]) -> None:
    run = json.loads(formats.render("sarif", (*faults, *faults)))["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules) == 2
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        location = result["locations"][0]["physicalLocation"]
        assert location["artifactLocation"]["uri"] == "rules/50%25%2C%20a%3Ab/%C3%BC.yaml"
        assert 1 <= location["region"]["startColumn"] <= location["region"]["endColumn"]


def test_sarif_writes_an_absolute_path_as_a_file_uri(tmp_path: Path) -> None:
    with pytest.raises(DiagnosticError) as caught:
        read_text("", str(tmp_path / "a b.yaml"))
    assert (tmp_path / "a b.yaml").as_uri() in formats.render("sarif", caught.value.diagnostics)


def test_github_commands_stay_on_one_line_each(faults: tuple[Diagnostic, ...]) -> None:
    lines = formats.render("github", faults).splitlines()
    assert len(lines) == len(faults)
    assert all(line.startswith("::error file=rules/50%25%2C a%3Ab/ü.yaml,line=") for line in lines)


def test_text_keeps_a_message_on_its_line_and_indents_a_long_suggestion() -> None:
    code = CODES["duplicate-key"]
    diagnostic = Diagnostic(code, "one\ntwo\x1b", Span.for_file("nowhere"), suggestion="write\n  a: 1")
    assert formats.render("text", [diagnostic]).splitlines() == [
        "error[duplicate-key]: one two␛",
        " --> nowhere:1:1",
        f"  = why: {code.why}",
        "  = help: write",
        "            a: 1",
    ]


def test_a_collection_raises_only_for_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright.source.diagnostics.diagnostic.CODES", {})
    error = Code("an-error", "t", "w", "f")
    warning = Code("a-warning", "t", "w", "f", "warning")
    diagnostics = Diagnostics()
    diagnostics.add(
        warning, "careful", Span.for_file("x"), related=[RelatedSpan(Span.for_file("y"), "there")], suggestion="do"
    )
    diagnostics.raise_if_errors()
    assert "warning[a-warning]: careful" in formats.render("text", diagnostics)
    assert "::warning " in formats.render("github", diagnostics)
    diagnostics.add(error, "wrong", Span.for_file("x"))
    assert [len(diagnostics), len(diagnostics.errors), len(diagnostics.warnings)] == [2, 1, 1]
    with pytest.raises(DiagnosticError) as caught:
        diagnostics.raise_if_errors()
    assert caught.value.diagnostics == tuple(diagnostics)


@pytest.mark.parametrize("name", ["duplicate-key", "Not Kebab", "", "a--b", "a_b"])
def test_a_code_is_kebab_case_and_declared_once(name: str) -> None:
    with pytest.raises(ValueError, match=r"kebab-case|declared twice"):
        Code(name, "t", "w", "f")


def test_a_code_is_an_error_or_a_warning() -> None:
    with pytest.raises(ValueError, match="severity of the diagnostic code"):
        Code("made-up-code", "title", "why", "fix", severity="warn")  # type: ignore[arg-type]
    assert "made-up-code" not in CODES


def test_of_one_code_only_so_many_are_written_out() -> None:
    of_one = [Diagnostic(CODES["duplicate-key"], f"no. {number}", Span.for_file("nowhere")) for number in range(5_000)]
    said = formats.render("text", [*of_one, Diagnostic(CODES["anchor"], "another", Span.for_file("nowhere"))])
    assert said.count("error[duplicate-key]: no.") == 100
    assert "error[anchor]: another" in said
    assert said.endswith(
        "\nerror[duplicate-key]: 4,900 more like these; `rulewright check --format json` lists every one\n"
    )
    assert len(said) < 40_000
    assert len(json.loads(formats.render("json", of_one))) == 5_000
    assert "more like these" not in formats.render("text", of_one[:100])


@pytest.mark.parametrize(("value", "writes"), [("1", True), ("0", False), ("", False)])
def test_goldens_are_written_on_request_only(
    value: str, writes: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UPDATE_GOLDENS", value)
    (tmp_path / "one.txt").write_text("before", encoding="utf-8")
    with contextlib.nullcontext() if writes else pytest.raises(AssertionError):
        assert_golden("one.txt", "after", folder=tmp_path)
    assert (tmp_path / "one.txt").read_text(encoding="utf-8") == ("after" if writes else "before")
