"""`rulewright schema` prints schemas, and puts them where editors find them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.authoring.schema_files import KINDS
from rulewright.cli.main import main
from rulewright.engine.game.json_contracts import CONTRACTS
from rulewright.ruleset.load_ruleset import load_ruleset


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_without_a_kind_it_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [*KINDS, *CONTRACTS]


def test_the_list_of_kinds_is_data_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)) == [*KINDS, *CONTRACTS]


@pytest.mark.parametrize("kind", KINDS)
def test_a_schema_is_printed_as_json(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", kind]) == 0
    assert json.loads(capsys.readouterr().out) == KINDS[kind].make()


@pytest.mark.parametrize("kind", CONTRACTS)
def test_a_contract_is_printed_as_json(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", kind]) == 0
    assert json.loads(capsys.readouterr().out) == CONTRACTS[kind].make(None)


def test_a_snapshot_has_a_schema_for_each_ruleset(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "snapshot", "--of", "pig/classic@1.0"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == CONTRACTS["snapshot"].make(load_ruleset("pig/classic@1.0"))
    assert printed["properties"]["values"]["properties"]["pot"] == {"type": "integer"}


def test_files_are_written_and_named_in_the_rules(capsys: pytest.CaptureFixture[str]) -> None:
    Path("house").mkdir()
    Path("house/ruleset.yaml").write_text("ruleset: pig/house\n")
    assert main(["schema", "--output", "house/schema", "--annotate", "house"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed == [str(Path("house/schema", kind.file)) for kind in KINDS.values()] + [
        str(Path("house/ruleset.yaml"))
    ]
    assert Path("house/ruleset.yaml").read_text().splitlines() == [
        "# yaml-language-server: $schema=schema/manifest.schema.json",
        "ruleset: pig/house",
    ]
    assert main(["schema", "--annotate", "house"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tables"], "there is no kind 'tables'; there are manifest, rules, sources, words, resolved, diagnostics"),
        (["rules", "--output", "x"], "--output and --annotate are for the schemas of all kinds: leave out KIND"),
        (["view", "--of", "pig/classic"], "--of is only for `snapshot`, `rules` and --output"),
        (["--annotate", "gone"], "there is no folder 'gone' to annotate"),
        (["--annotate", "."], "there are no schemas in 'schema': name a folder with --output"),
        (["--output", "file"], "the schemas cannot be written into 'file': File exists"),
    ],
)
def test_wrong_usage_is_explained(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("file").write_text("")
    with pytest.raises(SystemExit) as caught:
        main(["schema", *arguments])
    assert caught.value.code == 2
    assert message in capsys.readouterr().err
