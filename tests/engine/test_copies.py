"""Games leave the process and come back: as text, as pickles, as copies; and they are played in several threads."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from rulewright import Game, GameError, Ruleset, RulewrightError, load_ruleset
from rulewright.engine.game.game import replay
from rulewright.engine.game.saves import open_save, open_save_text
from rulewright.ruleset.cache import ruleset_cache
from tests.language.inline import sound

REFERENCES = ("pig/classic@1.0", "fuzzy-knights/normal@1.0", "classics/connect-four@1.0")


@pytest.fixture(scope="module")
def pig() -> Ruleset:
    return load_ruleset("pig/classic@1.0")


def under_way(rules: Ruleset, seed: int = 3, decisions: int = 25) -> Game:
    game, random = Game(rules, seed=seed), Random(seed)
    for _ in range(decisions):
        if game.decision is not None:
            game.choose(random.choice(game.decision.options))
    return game


def through_text(game: Game) -> Game:
    return open_save_text(game.save_text())


def through_pickle(game: Game) -> Game:
    return pickle.loads(pickle.dumps(game))  # type: ignore[no-any-return]


@pytest.mark.parametrize("way", [through_text, through_pickle, copy.copy, copy.deepcopy], ids=lambda way: way.__name__)
@pytest.mark.parametrize("reference", REFERENCES)
def test_a_game_comes_back_as_it_went_and_goes_its_own_way(reference: str, way: Callable[[Game], Game]) -> None:
    game = under_way(load_ruleset(reference))
    other = way(game)
    before = game.to_json()
    assert other.to_json() == before
    assert (other.record, other.log, other.decision) == (game.record, game.log, game.decision)
    assert (other.seed, other.players, other.options) == (game.seed, game.players, game.options)
    random = Random(1)
    while len(other.record) < len(game.record) + 30 and (decision := other.decision) is not None:
        other.choose(random.choice(decision.options))
    assert game.to_json() == before
    assert replay(other).to_json() == other.to_json()


def test_the_text_of_a_save_is_what_is_in_its_file(pig: Ruleset, tmp_path: Path) -> None:
    game = under_way(pig)
    game.save(tmp_path / "game.json")
    assert (tmp_path / "game.json").read_text(encoding="utf-8") == game.save_text()
    assert open_save(tmp_path / "game.json").to_json() == Game.load_text(game.save_text(), pig).to_json()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "this text is not a Rulewright save"),
        ('{"rulewright": 2, "check": "0", "save": {}}\n', "this text was changed after it was saved"),
    ],
)
def test_a_text_that_is_no_save_is_refused(pig: Ruleset, text: str, message: str) -> None:
    for opened in (open_save_text, lambda text: Game.load_text(text, pig)):
        with pytest.raises(GameError, match=message):
            opened(text)


def test_a_pickle_needs_none_of_the_files_it_was_loaded_from(tmp_path: Path, checkout: Path) -> None:
    """Another process, which has no such folder, plays on and comes to the same."""
    folder = tmp_path / "rules"
    (folder / "own").mkdir(parents=True)
    written = "ruleset: own/pig\nversion: 1.0.0\ntitle: Own\nextends: pig/classic@1.0\n"
    (folder / "own" / "ruleset.yaml").write_text(written, encoding="utf-8")
    (folder / "own" / "rules.yaml").write_text("numbers: {goal: 20}\n", encoding="utf-8")
    game = under_way(load_ruleset("own/pig", rules=folder), decisions=3)
    data = pickle.dumps(game)
    (folder / "own" / "ruleset.yaml").unlink()
    script = "import pickle, sys; g = pickle.loads(sys.stdin.buffer.read()); g.choose(0); print(g.to_json() , g.record)"
    done = subprocess.run([sys.executable, "-c", script], input=data, capture_output=True, check=True)
    game.choose(0)
    assert done.stdout.decode().strip() == f"{game.to_json()} {game.record}"


def test_games_of_one_ruleset_share_it_after_a_pickle(pig: Ruleset) -> None:
    first, second = (through_pickle(under_way(pig, seed)) for seed in (1, 2))
    assert first.ruleset is second.ruleset
    assert copy.deepcopy(pig) is pig
    with pytest.raises(RulewrightError, match="no ruleset that this version can read"):
        ruleset_cache.unpickle_ruleset(b"something else")


def test_a_log_and_a_record_stay_as_they_were_read(pig: Ruleset) -> None:
    game = Game(pig, seed=3)
    log, record = game.log, game.record
    told = len(log)
    game.choose("hold")
    assert (len(log), len(record)) == (told, 0)
    assert len(game.log) > told
    assert len(game.record) == 1


def test_threads_share_a_ruleset(pig: Ruleset) -> None:
    """Each plays games of its own; what they come to is what they come to one after another."""
    alone = [under_way(pig, seed, 60).to_json() for seed in range(24)]
    fresh = load_ruleset("pig/classic@1.0")
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda seed: under_way(fresh, seed, 60).to_json(), range(24)))
    assert together == alone


DRAWN = """
state: {turn: player}
records:
  pair: {parts: {a: int, b: player}}
procedures:
  game:
    title: A game
    steps:
      - {id: first, draw: {one_of: "WHAT"}}
      - {id: ask, choose: {who: turn, from: [go]}}
"""


@pytest.mark.parametrize(
    "what", ["players", "[1, 2, 3]", "[turn, none]", "[true, false]", "[pair(1, turn), pair(2, turn)]"]
)
def test_whatever_was_drawn_is_played_again_and_opened(what: str) -> None:
    manifest = "ruleset: a/b\nversion: 1.0.0\ntitle: T\nstatus: draft\nplayers: 2\nstart: game\n"
    ruleset = sound(DRAWN.replace("WHAT", what), manifest=manifest)
    for seed in range(3):
        game = Game(ruleset, players=2, seed=seed)
        assert replay(game).record == game.record
        again = Game.load_text(game.save_text(), ruleset)
        assert (again.record, again.log) == (game.record, game.log)
        forged = game.save_text().replace('["chance", ', '["chance", 7, null], ["chance", ')
        with pytest.raises(GameError):
            Game.load_text(forged, ruleset)
