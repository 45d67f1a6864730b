"""`rulewright simulate` as it is typed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from rulewright import load_ruleset
from rulewright.cli.main import main
from rulewright.cli.terminal import format_duration

SIMULATE = ["simulate", "pig/classic"]
TRIES = 1_200
"""Looks at what comes to be, with a pause between."""


def printed(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert main([*SIMULATE, *arguments]) == code
    return capsys.readouterr().out


def data(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    data = json.loads(printed(capsys, *arguments, "--json"))
    assert isinstance(data, dict)
    return data


def without_time(text: str) -> str:
    return re.sub(r"in [\d.]+ s \([\d,]+ a second\)", "", text)


@pytest.mark.parametrize("width", [80, 120])
def test_no_line_is_wider_than_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    for extra in (["--coverage"], ["--compare", "pig/classic@1.0"], ["--sweep", "numbers.goal=50,100"]):
        for line in printed(capsys, "--games", "20", *extra).splitlines():
            assert len(line) <= width, line


def test_the_data_keeps_what_programs_rely_on(capsys: pytest.CaptureFixture[str]) -> None:
    report = data(capsys, "--games", "20", "--players", "greedy,random", "--coverage")
    assert {"ruleset", "games", "seconds", "games_per_second", "draws", "wins", "measures"} <= set(report)
    assert report["wins"]["greedy"].keys() == {"wins", "games", "interval"}
    assert report["decided_by"] == [
        {"rule": "game.victory", "title": "", "games": 20, "interval": report["decided_by"][0]["interval"]}
    ]
    assert sum(bar["games"] for bar in report["lengths"]["histogram"]) == 20
    assert [line["option"] for line in report["options"][0]["options"]] == ["roll", "hold"]


def test_settings_that_nobody_asked_for_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["simulate", "fuzzy-knights/normal@1.0", "--games", "1"]
    own = "(set by the rules for simulations)"
    assert main(line) == 0
    assert f"settings: councils = daily {own}, max_days = hundred {own}\n" in capsys.readouterr().out
    assert main([*line, "--option", "max_days=hundred"]) == 0
    match = re.search(r"^settings: (.*)$", capsys.readouterr().out, re.MULTILINE)
    assert match is not None
    assert sorted(match[1].split(", ")) == [f"councils = daily {own}", "max_days = hundred"]


def test_a_sweep_is_so_many_simulations(capsys: pytest.CaptureFixture[str]) -> None:
    swept = data(capsys, "--games", "30", "--sweep", "numbers.goal=40,100")["sweep"]
    assert [turn["values"] for turn in swept] == [{"numbers.goal": "40"}, {"numbers.goal": "100"}]
    assert swept[1]["figures"] == data(capsys, "--games", "30")["figures"]
    assert swept[0]["figures"]["decisions"]["value"] < swept[1]["figures"]["decisions"]["value"]


def test_a_sweep_writes_nothing_and_finds_mistakes_first(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*SIMULATE, "--sweep", "numbers.goal=40,forty"]) == 1
    out, err = capsys.readouterr()
    assert (out, list(tmp_path.iterdir())) == ("", [])
    assert "error[unknown-name]: nothing here is called `forty`" in err


def test_workers_play_a_sweep_alike(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--games", "20", "--sweep", "numbers.goal=40,60", "--until", "decisions=20"]
    assert printed(capsys, *arguments, "--workers", "2") == printed(capsys, *arguments)


def test_a_comparison_tells_what_moved(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    house = tmp_path / "short"
    house.mkdir()
    (house / "ruleset.yaml").write_text(
        "ruleset: house/short\nversion: 1.0.0\nextends: pig/classic@1.0\ntitle: Short\nstatus: draft\n"
    )
    (house / "rules.yaml").write_text("numbers: {goal: {is: 40}}\n")
    arguments = ["--games", "40", "--compare", "house/short", "--rules", str(tmp_path)]
    by_figure = {move["figure"]: move for move in data(capsys, *arguments)["moves"]}
    assert by_figure["decisions"]["moved"]
    assert by_figure["decisions"]["difference"] < 0
    assert not by_figure["draws"]["moved"]
    text = printed(capsys, *arguments)
    assert text == printed(capsys, *arguments, "--workers", "2")
    assert "Holm" in text


def test_until_says_what_it_reached(capsys: pytest.CaptureFixture[str]) -> None:
    told = printed(capsys, "--until", "decisions=15").splitlines()[-1]
    match = re.fullmatch(
        r"stopped after ([\d,]+) games: the interval of decisions is ([\d.]+) wide; 15 was requested", told
    )
    assert match
    assert float(match[2]) <= 15
    told = printed(capsys, "--until", "0.001", "--games", "20").splitlines()[-1]
    assert told.startswith("not reached after 20 games: the interval of wins of seat 1 is 0.")


def test_a_run_is_gone_on_with(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = ["--resume", str(tmp_path / "run.json")]
    printed(capsys, "--games", "20", *file)
    whole = without_time(printed(capsys, "--games", "50"))
    for kept in (20, 50):
        told = without_time(printed(capsys, "--games", "50", *file))
        note = f"{kept} of them were loaded from an earlier run, and are not part of this time\n"
        assert note in told
        assert told.replace(note, "") == whole
    report = data(capsys, "--games", "50", *file)
    assert (report["games"], report["kept"], report["games_per_second"]) == (50, 50, 0)
    assert main([*SIMULATE, "--seed", "3", *file]) == 1
    assert "error[other-run]" in capsys.readouterr().err


def test_files_are_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name in ("games.csv", "games.json"):
        printed(capsys, "--games", "5", "--output", str(tmp_path / name))
    assert (tmp_path / "games.csv").read_text().splitlines()[0] == "game,seat_1,seat_2,winners,decisions,best,margin"
    assert json.loads((tmp_path / "games.json").read_text())["games"] == 5


@pytest.mark.parametrize(
    "arguments",
    [
        ["--games", "0"],
        ["--workers", "0"],
        ["--output", "games.txt"],
        ["--output", "nowhere/games.csv"],
        ["--resume", "."],
        ["--output", "games.csv", "--resume", "run.json"],
        ["--compare", "pig/classic", "--sweep", "numbers.goal=1,2"],
        ["--sweep", "numbers.goal=1,2", "--report", "page.html"],
    ],
)
def test_wrong_usage_is_refused(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main([*SIMULATE, *arguments])
    assert left.value.code == 2
    assert "error: --" in capsys.readouterr().err


def test_the_page_needs_no_other_host(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    printed(capsys, "--games", "20", "--players", "greedy,random", "--report", str(file))
    page = file.read_text()
    assert not re.search(r"(?:src|href)=|url\(|@import|https?:", page)
    for heading in ("Who wins", "How long", "Options", "Rules that never fired"):
        assert heading in page
    assert page.count("<svg") == page.count("</svg>") > 5
    assert "Each of the 7 steps that leave a trace has fired." in page


@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_interrupt_prints_what_is_done(tmp_path: Path, workers: str) -> None:
    file = tmp_path / "run.json"
    arguments = ["--games", "1000000", "--workers", workers, "--resume", str(file), "--json"]
    process = subprocess.Popen(
        [sys.executable, "-m", "rulewright", *SIMULATE, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        while not file.exists() and process.poll() is None:
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to every process of the command
        out, err = process.communicate(timeout=60)
    finally:
        if process.poll() is None:
            process.kill()
    assert process.returncode == 130, err
    assert err == ""
    data = json.loads(out)
    assert data["interrupted"]
    # What is kept is what was told, and going on from there gives the same as one whole run.
    report = json.loads(file.read_text())["counts"]
    assert report["games"] == data["games"] > 0
    from rulewright.analysis.simulation.game_counts import Counts
    from rulewright.analysis.simulation.run_simulation import simulate

    if data["games"] <= 4_000:
        assert (
            simulate(load_ruleset("pig/classic"), games=data["games"]).to_plain() == Counts.from_json(report).to_plain()
        )
    assert has_ended(process.pid)


def has_ended(group: int) -> bool:
    """Return whether every process of a group has left.

    Python's own tracker of resources follows its owner in a moment.
    """
    for _ in range(TRIES):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def test_times_are_told_as_people_do() -> None:
    assert [format_duration(seconds) for seconds in (3.4, 99, 150, 7_300)] == ["3 s", "99 s", "2 min", "2.0 h"]
