"""Versions of one edition side by side: which is meant, none disturbs another, and games outlive a release."""

from __future__ import annotations

import io
import re
import shutil
from pathlib import Path

import pytest

from rulewright import Game, load_ruleset
from rulewright.cli.main import main
from rulewright.engine.game.saves import open_save

GOALS = {"1.0.0": 20, "1.0.1": 30, "1.1.0": 40, "2.0.0": 50}


def add_version(folder: Path, checkout: Path, version: str, goal: int, *, status: str = "draft") -> Path:
    """Return a copy of the shipped race as a game of one's own, to another goal."""
    path = folder / f"race-{version}"
    path.mkdir(parents=True)
    source = checkout / "rules" / "pig" / "classic-1.0" / "pig.yaml"
    text = re.sub(r"(?ms)^(examples|exceptions|measures|pages|rulings):\n.*?(?=^\w|\Z)", "", source.read_text())
    assert "is: 100" in text
    (path / "pig.yaml").write_text(text.replace("is: 100", f"is: {goal}"))
    (path / "ruleset.yaml").write_text(
        f"ruleset: pig/race\nversion: {version}\ntitle: Race\nstatus: {status}\nrounding: truncate\n"
        "players: 2..10\nstart: game\n"
    )
    return path


@pytest.fixture
def rules(checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RULEWRIGHT_RULES", raising=False)
    folder = tmp_path / "house"
    for version, goal in GOALS.items():
        add_version(folder, checkout, version, goal)
    return folder


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("", "2.0.0"),
        ("@latest", "2.0.0"),
        ("@1", "1.1.0"),
        ("@^1", "1.1.0"),
        ("@^1.0", "1.1.0"),
        ("@~1", "1.1.0"),
        ("@1.0", "1.0.1"),
        ("@~1.0", "1.0.1"),
        ("@1.0.0", "1.0.0"),
        ("@^1.0.1", "1.1.0"),
        ("@2", "2.0.0"),
    ],
)
def test_the_newest_that_will_do_is_meant(rules: Path, written: str, meant: str) -> None:
    ruleset = load_ruleset(f"pig/race{written}", rules=[rules])
    assert ruleset.version == meant
    assert ruleset.declarations.numbers["goal"].value == GOALS[meant]


def test_the_ranges_are_explained_where_they_are_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["show", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    for written in ("@1.0.0", "@1.0", "@~1.0", "@1", "@^1.0", "@latest"):
        assert written in text


def test_versions_in_one_process_do_not_disturb_each_other(rules: Path) -> None:
    def begun(version: str) -> Game:
        return Game(load_ruleset(f"pig/race@{version}", rules=[rules]), players=2, seed=5)

    def go_on(game: Game) -> None:
        assert game.decision is not None
        game.choose(game.decision.options[0 if len(game.record) % 5 else -1])

    alone = {}
    for version in GOALS:
        game = begun(version)
        while game.decision is not None:
            go_on(game)
        alone[version] = game.to_json()
    assert len({str(game) for game in alone.values()}) == len(GOALS)
    # Move by move in turns, all four at once, and begun the other way round.
    games = {version: begun(version) for version in reversed(GOALS)}
    while any(game.decision for game in games.values()):
        for game in games.values():
            if game.decision is not None:
                go_on(game)
    assert {version: game.to_json() for version, game in games.items()} == alone


def test_a_saved_game_goes_on_under_its_version_and_names_it_once_it_is_gone(
    checkout: Path,
    rules: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    save = tmp_path / "game.json"
    monkeypatch.setattr("sys.stdin", io.StringIO("1\nquit\n"))
    assert (
        main(
            [
                "play",
                "pig/race@2",
                "--players",
                "human,human",
                "--seed",
                "1",
                "--rules",
                str(rules),
                "--save",
                str(save),
            ]
        )
        == 0
    )
    add_version(rules, checkout, "2.1.0", 10)
    assert load_ruleset("pig/race", rules=[rules]).version == "2.1.0"
    resume = ["play", str(save), "--players", "random,random", "--rules", str(rules), "--save", str(save)]
    assert main(resume) == 0
    assert "The game is over" in capsys.readouterr().out
    finished = open_save(save, rules=[rules])
    assert finished.ruleset.version == "2.0.0"
    assert finished.result is not None
    shutil.rmtree(rules / "race-2.0.0")
    assert main(resume) == 1
    err = capsys.readouterr().err
    assert "was played under pig/race@2.0.0, which cannot be loaded here. Install that version" in err
    assert "there is `1.0.0`, `1.0.1`, `1.1.0`, `2.1.0`" in err


def test_a_released_edition_does_not_change_and_a_new_version_mends_it(
    rules: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--rules", str(rules)]
    assert main(["release", "pig/race@2.0.0", *where]) == 0
    assert main(["check", "pig/race@2.0.0", *where]) == 0
    file = rules / "race-2.0.0" / "pig.yaml"
    released = file.read_text()
    file.write_text(released.replace("is: 50", "is: 60"))
    capsys.readouterr()
    assert main(["check", "pig/race@2.0.0", *where]) == 1
    err = capsys.readouterr().err
    assert "error[lock-broken]" in err
    assert "copy the folder, raise `version:` in the copy and release it" in err
    assert main(["release", "pig/race@2.0.0", *where]) == 1
    assert "Raise its version, or undo the change" in capsys.readouterr().err
    shutil.copytree(rules / "race-2.0.0", rules / "race-2.1.0")
    file.write_text(released)
    manifest = rules / "race-2.1.0" / "ruleset.yaml"
    manifest.write_text(manifest.read_text().replace("version: 2.0.0", "version: 2.1.0"))
    assert main(["release", "pig/race@2.1.0", *where]) == 0, capsys.readouterr().err
    assert main(["check", "pig/race@2.0.0", "pig/race@2.1.0", *where]) == 0
    assert [load_ruleset(f"pig/race@{v}", rules=[rules]).declarations.numbers["goal"].value for v in ("2.0", "2")] == [
        50,
        60,
    ]
