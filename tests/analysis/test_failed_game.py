"""A fault of the rules in a simulated game comes with the command that plays this game again."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from rulewright.analysis.simulation import shard as shards
from rulewright.analysis.simulation.shard import Shard, play_games
from rulewright.cli.main import main
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.source.diagnostics.collector import DiagnosticError

RULES = """\
kinds: {player: {fields: {coins: {type: count, default: 20}}}}
procedures:
  game:
    steps:
      - {id: way, choose: {who: first(players), from: [left, right]}}
      - {id: die, roll: 1d100}
      - {id: paid, pay: {who: first(players), coins: 20 + die / 100}}
      - {id: over, finish: {winners: [first(players)]}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    manifest = "ruleset: test/fees\nversion: 1.0.0\ntitle: Fees\nplayers: 2\nstart: game\nrounding: down\n"
    (tmp_path / "ruleset.yaml").write_text(manifest)
    (tmp_path / "rules.yaml").write_text(RULES)
    return tmp_path


@pytest.mark.parametrize("coverage", [False, True])
@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize("bots", [("random", "random"), ("mcts:2", "random")])
def test_the_command_plays_the_failed_game(
    folder: Path,
    bots: tuple[str, ...],
    inside: bool,
    coverage: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if not inside:
        monkeypatch.setattr(shards, "find_native_bots", lambda *_: None)
    ruleset = load_ruleset("test/fees", rules=folder)
    games = Shard(ruleset.reference, ruleset.digest_of_counts, (str(folder),), bots, (), "luck", 3, 900, coverage)
    with pytest.raises(DiagnosticError) as failed:
        play_games(ruleset, games)
    (diagnostic,) = failed.value.diagnostics
    assert diagnostic.suggestion is not None
    command = shlex.split(diagnostic.suggestion.splitlines()[-1])
    assert command[:2] == ["rulewright", "play"]
    assert main(command[1:]) == 1
    assert "`game.paid`: `coins` would be -1" in "".join(capsys.readouterr())
