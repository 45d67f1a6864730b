"""Each bad input gives its golden message, whichever of PyYAML's parsers is there."""

from __future__ import annotations

import importlib
import os
import pkgutil
from pathlib import Path
from typing import NoReturn

import pytest
import yaml

import rulewright.source
from rulewright.source.diagnostics import formats
from rulewright.source.diagnostics.collector import CODES, Code, DiagnosticError, Diagnostics
from rulewright.source.diagnostics.diagnostic import apply_edits
from rulewright.source.diagnostics.internal_failures import attempt_part
from rulewright.source.files.safe_read import ReadLimits
from rulewright.source.span import Span
from rulewright.source.yaml import yaml_reader
from rulewright.source.yaml.yaml_reader import read_file, read_text
from tests.source.bad_inputs import BAD_FILES, BAD_TEXTS
from tests.source.goldens import FOLDER, assert_golden


def error_of(text: str, limits: ReadLimits | None = None) -> DiagnosticError:
    with pytest.raises(DiagnosticError) as caught:
        read_text(text, "rules/bad.yaml", limits=limits or ReadLimits())
    return caught.value


@pytest.fixture(params=["c", "pure"])
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "pure":
        monkeypatch.setattr(yaml_reader, "_parse_events", lambda text: yaml.parse(text, yaml.SafeLoader))
    elif not yaml.__with_libyaml__:
        pytest.skip("PyYAML is installed without libyaml")
    return str(request.param)


@pytest.mark.parametrize("name", BAD_TEXTS)
def test_a_bad_text_is_explained(name: str, parser: str) -> None:
    assert_golden(f"{name}.txt", str(error_of(BAD_TEXTS[name])) + "\n")


@pytest.mark.parametrize("name", [name for name in BAD_TEXTS if name.startswith("value_")])
def test_quotes_are_written_by_the_edit(name: str) -> None:
    text = BAD_TEXTS[name]
    (fault,) = error_of(text).diagnostics
    assert read_text(apply_edits(text, fault.edits), "rules/bad.yaml").to_plain() == yaml.safe_load(
        apply_edits(text, fault.edits)
    )


@pytest.mark.parametrize("name", [name for name in BAD_TEXTS if name.startswith("unseen_")])
def test_what_cannot_be_seen_is_named_and_taken_out(name: str) -> None:
    (fault,) = error_of(BAD_TEXTS[name]).diagnostics
    assert "U+200B" in fault.message or "U+00A0" in fault.message
    assert read_text(apply_edits(BAD_TEXTS[name], fault.edits), "rules/bad.yaml").to_plain() == {"numbers": {"goal": 3}}


def test_what_cannot_be_seen_is_left_in_texts_and_comments() -> None:
    text = "a: 'x\u200by'  # \u00a0\nb: It is\u00a0so.\nc: |\n  \u00a0x\nd: \"\u200b\"\n"
    assert read_text(text, "rules/fine.yaml").to_plain() == yaml.safe_load(text)


@pytest.mark.parametrize("name", [name for name in BAD_TEXTS if name.startswith("apostrophe")])
def test_an_apostrophe_inside_quotes_stays_one_text(name: str) -> None:
    text = BAD_TEXTS[name]
    (fault,) = error_of(text).diagnostics
    mended = read_text(apply_edits(text, fault.edits), "rules/bad.yaml").to_plain()
    said = mended["goal"]["means"] if "goal" in mended else mended["means"]
    assert f"'{said}'" in text


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_file_is_explained(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.yaml").write_bytes(BAD_FILES[name])
    with pytest.raises(DiagnosticError) as caught:
        read_file("bad.yaml")
    assert_golden(f"{name}.txt", str(caught.value) + "\n")


def test_a_missing_file_names_its_neighbour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tables.yaml").write_text("a: 1\n")
    with pytest.raises(DiagnosticError) as caught:
        read_file("tabels.yaml")
    assert_golden("file_missing.txt", str(caught.value) + "\n")


def test_a_folder_is_not_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tables.yaml").mkdir()
    with pytest.raises(DiagnosticError) as caught:
        read_file("tables.yaml")
    assert_golden("not_a_file.txt", str(caught.value) + "\n")


def test_a_file_that_cannot_be_opened_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("locked.yaml").write_text("a: 1\n")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)  # root may read everything, so a mode would prove nothing
    with pytest.raises(DiagnosticError) as caught:
        read_file("locked.yaml")
    monkeypatch.undo()
    assert_golden("file_unreadable.txt", str(caught.value) + "\n")


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000, ""])
def test_an_impossible_file_name_is_an_ordinary_error(name: str) -> None:
    with pytest.raises(DiagnosticError):
        read_file(name)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    with pytest.raises(DiagnosticError) as caught:
        read_file(tmp_path / "pipe.yaml")
    assert caught.value.diagnostics[0].code.id == "not-a-file"


def test_a_large_file_is_refused_without_being_read(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    with path.open("wb") as stream:
        stream.truncate(50 * 1024**3)  # 50 GiB of nothing: a sparse file
    with pytest.raises(DiagnosticError) as caught:
        read_file(path)
    assert caught.value.diagnostics[0].code.id == "file-too-large"


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, "{a: " * 100_000, "- " * 100_000, "".join(" " * i + "a:\n" for i in range(1000)), "? " * 50_000],
    ids=["brackets", "braces", "items", "lines", "keys"],
)
def test_depth_is_refused(text: str, parser: str) -> None:
    error = error_of(text)
    assert [d.code.id for d in error.diagnostics] == ["nested-too-deep"]


def test_too_many_nodes_are_refused() -> None:
    error = error_of("[" + "1," * 50 + "]", ReadLimits(nodes=20))
    assert_golden("too_many_nodes.txt", str(error) + "\n")


@pytest.mark.skipif(not yaml.__with_libyaml__, reason="the pure parser reads it as a key")
def test_a_colon_before_a_bracket_is_explained() -> None:
    assert_golden("colon_before_a_bracket.txt", str(error_of("needs: [villa:]\n")) + "\n")


def test_errors_without_end_are_cut_off() -> None:
    assert_golden("too_many_errors.txt", str(error_of("cost: 1\n" * 200, ReadLimits(errors=2))) + "\n")


@pytest.mark.parametrize(
    "text",
    ["a: b: " + " " * 500_000 + "x", "%" + "#\n" * 200_000, "{" * 60 + "a" * 900_000, "a: '" + "''" * 400_000,
     "\n" * 900_000 + "}", "a: \t" + " \t" * 200_000, "{" + "}" * 900_000, "a: {b} " + "{" * 500_000],
    ids=range(8),
)  # fmt: skip
def test_nothing_large_hangs(text: str) -> None:
    # Work that grew with the square of the text would not end here.
    assert error_of(text).diagnostics


def test_all_errors_of_a_file_come_at_once_in_its_order() -> None:
    error = error_of("a: &x 1\nb: {c: 1, c: 2}\na: *x\nd: [1, 2\n")
    assert [(d.code.id, d.span.line) for d in error.diagnostics] == [
        ("anchor", 1),
        ("duplicate-key", 2),
        ("duplicate-key", 3),
        ("alias", 3),
        ("unclosed-bracket", 4),
    ]


def test_every_code_of_this_floor_has_a_golden_message() -> None:
    modules = [module.name for module in pkgutil.walk_packages(rulewright.source.__path__, "rulewright.source.")]
    values = [value for name in modules for value in vars(importlib.import_module(name)).values()]
    own = {value.id for value in values if isinstance(value, Code)}
    goldens = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.txt"))
    assert own <= set(CODES)
    assert [code for code in sorted(own) if f"[{code}]" not in goldens] == []


def test_a_part_of_a_check_that_fails_is_named_with_its_input(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: object) -> NoReturn:
        raise OSError("no room is left")

    monkeypatch.setattr("tempfile.mkstemp", fail)
    diagnostics = Diagnostics()
    assert (
        attempt_part("the lint `labels`", "pig/classic@1.0.0", Span.for_file("none/ruleset.yaml"), diagnostics, fail)
        is None
    )
    assert_golden("part_failed.txt", formats.render("text", diagnostics))


def test_a_diagnostic_error_prints_as_the_text_format() -> None:
    error = error_of("a: 1\na: 2\n")
    assert str(error) + "\n" == formats.render("text", error.diagnostics)
