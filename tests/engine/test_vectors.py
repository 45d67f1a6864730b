"""The conformance suite: it holds to its schema, is the same each time, and an engine that plays otherwise fails it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import wasmtime
from jsonschema import Draft202012Validator

from rulewright import load_ruleset
from rulewright.cli.main import main
from rulewright.engine.game.saves import open_save_text
from rulewright.export.conformance_vectors import GAMES, build_vectors_schema, format_vectors
from rulewright.export.write_export import write_export
from tests.breadth import some
from tests.card_duel import load_duel
from tests.language.inline import MANIFEST, sound

HOST = Path(__file__).parent / "hosts" / "vectors.mjs"
BAZAAR = HOST.with_name("bazaar.yaml")
"""Rules for what no released ruleset makes hosts do."""

RULESETS = some(
    ["classics/kuhn-poker", "pig/classic@1.0", "fuzzy-knights/normal@1.0", "fuzzy-knights/medium"],
    ["classics/kuhn-poker", "pig/classic@1.0"],
)


@pytest.fixture(scope="module", params=RULESETS)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("vectors")
    assert main(["export", "--vectors", request.param, str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def bazaar(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bazaar")
    manifest = MANIFEST.replace("1..4}", "2..3, start: game}")
    write_export(sound(BAZAAR.read_text(encoding="utf-8"), manifest=manifest), folder, vectors=True)
    return folder


def suite(folder: Path) -> Any:
    return json.loads((folder / "vectors.json").read_text(encoding="utf-8"))


def host(folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(["node", HOST, folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def test_a_host_in_javascript_passes(folder: Path) -> None:
    running = host(folder)
    output, _ = running.communicate()
    assert running.returncode == 0, output
    assert output.startswith("passed: ")


def test_a_host_in_javascript_passes_where_rules_use_everything(bazaar: Path) -> None:
    running = host(bazaar)
    output, _ = running.communicate()
    assert running.returncode == 0, output


def test_a_host_in_javascript_passes_where_cards_bring_steps(tmp_path: Path) -> None:
    write_export(load_duel("card-duel"), tmp_path, vectors=True)
    running = host(tmp_path)
    output, _ = running.communicate()
    assert running.returncode == 0, output


@pytest.fixture(scope="session")
def in_cpp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the host in C++, on the runtime of the wasmtime wheel.

    Where there is no compiler, there is one in a wheel.
    """
    folder = tmp_path_factory.mktemp("host")
    library = next(Path(wasmtime.__file__).parent.glob("*/_libwasmtime.*"))
    there = shutil.which("c++")
    compiler = [
        *([there] if there else [sys.executable, "-m", "ziglang", "c++"]),
        "-std=c++17",
        "-O1",
        "-Wall",
        "-Wextra",
    ]
    caches = {"ZIG_GLOBAL_CACHE_DIR": str(folder / "zig"), "ZIG_LOCAL_CACHE_DIR": str(folder / "zig")}
    place = HOST.with_suffix(".cpp")
    subprocess.run(
        [*compiler, place, library, f"-Wl,-rpath,{library.parent}", "-o", folder / "vectors"],
        check=True,
        env={**os.environ, **caches},
    )
    return folder / "vectors"


@pytest.mark.skipif(sys.platform != "linux", reason="the library is linked in another way elsewhere")
def test_a_host_in_cpp_passes_without_simd(in_cpp: Path, folder: Path) -> None:
    """It was written by `interface.md`."""
    done = subprocess.run([in_cpp, folder], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("passed: ")


@pytest.mark.skipif(sys.platform != "linux", reason="the library is linked in another way elsewhere")
def test_a_host_in_cpp_passes_where_rules_use_everything(in_cpp: Path, bazaar: Path) -> None:
    done = subprocess.run([in_cpp, bazaar], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_rules_that_use_everything_reach_what_they_are_for(bazaar: Path) -> None:
    games = suite(bazaar)["games"]
    stops = [stop for game in games for stop in game["stops"]]
    texts = {event["text"] for stop in stops for event in stop["log"]}
    told = {event["text"] for game in games for seat in game["told"].values() for event in seat.values()}
    labels = {option["label"] for stop in stops if stop["decision"] for option in stop["decision"]["options"]}
    for words in (
        "All have chosen. ",
        "are now in",
        "no longer in",
        "is now among",
        "nobody has won",
        "promise (",
        "for éBrick",
        "gains 2 pounds for Ore and now has",
    ):
        assert any(words in text for text in texts), words
    for words in (
        "Dice are rolled, face down.",
        "Missed is now a Mask.",
        "is rolled, face down.",
        "has chosen.",
        "may have changed.",
        "The purse of Player 1 holds hidden.",
    ):
        assert any(words in text for text in told), words
    # Which object a secret chose is left out, for those who do not see its field.
    assert any(
        event["data"] == {"field": "inside"}
        for game in games
        for seat in game["told"].values()
        for event in seat.values()
    )
    assert any("(first" in label for label in labels)
    assert any("2d6 + 1d4" in json.dumps(stop["view"]) for stop in stops)


def test_a_suite_holds_to_the_schema_beside_it(folder: Path) -> None:
    schema = json.loads((folder / "vectors.schema.json").read_text(encoding="utf-8"))
    assert schema == build_vectors_schema()
    suite_result = suite(folder)
    Draft202012Validator(schema).validate(suite_result)
    rules = json.loads((folder / "rules.json").read_text(encoding="utf-8"))
    assert (suite_result["format"], suite_result["digest"]) == (rules["format"], rules["digest"])


def test_a_suite_covers_what_hosts_do(folder: Path) -> None:
    games = suite(folder)["games"]
    assert len(games) == GAMES
    assert {game["stop_at_chance"] for game in games} == {game["opens"] is None for game in games} == {True, False}
    stops = [stop for game in games for stop in game["stops"]]
    assert {stop["next"][0] for stop in stops if stop["next"]} == {"choose", "roll", "resolve"}
    assert {stop["view"]["seat"] for stop in stops} >= {0, 1, 2}
    assert any(stop["result"] for stop in stops)
    for game in games:
        assert open_save_text(game["save"]).save_text() == game["save"]


def spoil(stop: dict[str, Any], member: str) -> bool:
    """Change a member of a stop, where it has one."""
    match member, stop[member]:
        case "save", _:
            stop["save"] = "0" * 64
        case "state", {"mode": _, "next": number}:
            stop["state"]["next"] = number + 1
        case "decision", {"options": [{"label": str()} as first, *_]}:
            first["label"] += "!"
        case "log", [{"text": str()} as first, *_]:
            first["text"] += "!"
        case "view", {"objects": {"player-1": {"label": _} as first}}:
            first["label"] += "!"
        case "result", {"winners": list() as winners}:
            winners.append(1)
        case _:
            return False
    return True


def test_a_difference_is_found(tmp_path: Path) -> None:
    assert main(["export", "--vectors", "classics/kuhn-poker", str(tmp_path)]) == 0
    running = {}
    for member in ("state", "save", "decision", "log", "view", "result"):
        suite_result = suite(tmp_path)
        assert any(spoil(stop, member) for game in reversed(suite_result["games"]) for stop in game["stops"]), member
        shutil.copytree(
            tmp_path,
            tmp_path / member,
            ignore=lambda folder, names: {*names} - {"rules.js", "rules.json", "rules.wasm"},
        )
        (tmp_path / member / "vectors.json").write_text(json.dumps(suite_result, ensure_ascii=False), encoding="utf-8")
        running[member] = host(tmp_path / member)
    for member, each in running.items():
        output, _ = each.communicate()
        assert each.returncode == 1, member
        assert member in output.partition("\n")[0]


def test_the_same_ruleset_has_the_same_suite() -> None:
    ruleset = load_ruleset("classics/kuhn-poker")
    assert format_vectors(ruleset) == format_vectors(ruleset)
