"""Two games that differ only in what a seat may not see give that seat the same bytes, in every way to look."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rulewright import Game, Ruleset
from rulewright.engine import backends
from rulewright.engine.state.faults import RulesFault
from rulewright.export.js_files import MODULE, read_js_file
from rulewright.export.write_export import write_export
from rulewright.ir.analyses.information_flow import Secrets
from tests.breadth import spread, times
from tests.docs.test_cookbook import loaded
from tests.engine.random_rules import MANIFEST as GARDEN_MANIFEST
from tests.engine.random_rules import a_game_of, rulesets
from tests.language.inline import checked
from tests.secrets.checking import CHECKED
from tests.secrets.leaks import IN_JAVASCRIPT, IN_THE_MODULE, LEAKS
from tests.secrets.looks import LeakError, compare, looks, observed, setting_of, thinkers
from tests.secrets.pairs import Pair, find_pairs, make_pair, same_shape
from tests.secrets.rulesets import RECIPES, SHIPPED, cellar, hands, shipped

HOST = Path(__file__).parents[1] / "engine" / "hosts" / "looks.mjs"
STOPS, PAIRS = times(20, 400), times(5, 60)
"""What is looked at of each ruleset, or more: stops of games that differ, and pairs that do."""
LONGEST = 50
"""Stops after which a pair is left."""


assert CHECKED, "guesses are checked"


def stops_of(pair: Pair) -> list[tuple[Game, Game]]:
    """Return the stops of a pair that are looked at: what was told at one is told at those that follow, too."""
    asked = [(one, other) for one, other in pair.different if one.decision and one.decision.player == pair.seat]
    return [*spread(asked, 5), *spread([each for each in pair.different if each not in asked], 8)]


def hold(ruleset: Ruleset, pairs: Sequence[Pair]) -> None:
    """Look at both games of each pair in every way there is. Raises `LeakError`."""
    setting = setting_of(ruleset)
    for pair in pairs:
        where = f"{ruleset.reference}, seat {pair.seat}"
        for one, other in stops_of(pair):
            guesses = same_shape(one.state, other.state)
            compare(looks(one, pair.seat, guesses=guesses), looks(other, pair.seat, guesses=guesses), where)
        one, other = pair.different[-1]
        compare(observed(setting, one, pair.seat), observed(setting, other, pair.seat), where)


@pytest.mark.parametrize("machine", backends.list_names())
def test_a_secret_of_each_kind_is_kept(machine: str) -> None:
    game = backends.make(machine, cellar())
    hold(cellar(), find_pairs(cellar(), stops=STOPS, least=PAIRS, most=LONGEST, machine=game))


@pytest.mark.parametrize("machine", backends.list_names())
def test_a_question_with_one_option_keeps_the_secret(machine: str) -> None:
    ruleset = hands()
    hold(ruleset, find_pairs(ruleset, stops=STOPS, least=PAIRS, most=LONGEST, machine=backends.make(machine, ruleset)))


@pytest.mark.parametrize("machine", backends.list_names())
def test_a_skipped_question_is_found(machine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Secrets, "asks_always", lambda self, step: False)
    ruleset = hands()
    with pytest.raises(LeakError, match=r"is not always asked by game\.(picks|card)"):
        find_pairs(ruleset, stops=STOPS, least=PAIRS, most=LONGEST, machine=backends.make(machine, ruleset))


@pytest.mark.parametrize("reference", SHIPPED)
def test_what_is_shipped_keeps_its_secrets(reference: str) -> None:
    hold(shipped(reference), find_pairs(shipped(reference), stops=STOPS, least=PAIRS, most=LONGEST))


@pytest.mark.parametrize("recipe", RECIPES)
def test_the_cookbook_keeps_its_secrets(recipe: str) -> None:
    # In one of them all is told from which a secret follows: there, the secret itself is another one.
    pairs = find_pairs(loaded(recipe), stops=STOPS, least=PAIRS, most=LONGEST, swap=recipe == "purses")
    hold(loaded(recipe), pairs)


def in_node(jobs: list[tuple[Ruleset, Path, Sequence[Pair]]]) -> None:
    """Look at both games of each pair in every way that the exported module has. Raises `LeakError`."""
    told, played = [], []
    for ruleset, folder, pairs in jobs:
        games = []
        for pair in pairs:
            for one, other in stops_of(pair):
                guesses = same_shape(one.state, other.state)
                records = ([line.to_data() for line in game.record] for game in (one, other))
                games += [{"seat": pair.seat, "record": record, "guesses": guesses} for record in records]
                played += [(one, pair.seat, guesses), (other, pair.seat, guesses)]
        told.append({"folder": str(folder), "players": ruleset.players[0], "bots": thinkers(ruleset), "games": games})
    program = shutil.which("node")
    if program is None:
        pytest.fail("node is not installed: `make audits` installs it on Debian and Ubuntu", pytrace=False)
    done = subprocess.run([program, HOST], input=json.dumps(told), capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr[:2000]
    every = [
        (ruleset, ways) for (ruleset, _, _), data in zip(jobs, json.loads(done.stdout), strict=True) for ways in data
    ]
    for (ruleset, one), (_, other) in zip(every[::2], every[1::2], strict=True):
        compare(one, other, f"{ruleset.reference} in JavaScript")
    for (_, ways), (game, seat, guesses) in zip(every, played, strict=True):
        expected = looks(game, seat, guesses=guesses)
        for way in ("record", "story", *(("bots",) if "bots" in ways else ())):
            assert json.loads(ways[way]) == json.loads(expected[way])
        assert ways.get("nobody", ways["view"]) == ways["view"], "without a seat, a spectator looks"


def test_what_is_exported_keeps_its_secrets(tmp_path: Path) -> None:
    jobs = []
    for ruleset in (cellar(), hands(), *map(shipped, SHIPPED), *(loaded(name) for name in RECIPES if name != "purses")):
        folder = tmp_path / ruleset.reference.replace("/", "-")
        write_export(ruleset, folder)
        jobs.append((ruleset, folder, find_pairs(ruleset, stops=STOPS, least=PAIRS, most=LONGEST)))
    in_node(jobs)


@cache
def pairs_of_cellar() -> list[Pair]:
    """Pairs by which every leak is found."""
    return find_pairs(cellar(), stops=60, least=9, most=LONGEST)


@pytest.mark.parametrize("name", spread(sorted(LEAKS), 8))
def test_a_leak_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = pairs_of_cellar()
    LEAKS[name](monkeypatch)
    with pytest.raises(LeakError):
        hold(cellar(), pairs)


def test_each_leak_in_javascript_replaces_one_piece() -> None:
    text = read_js_file(MODULE)
    assert {name: text.count(written) for name, (written, _) in IN_JAVASCRIPT.items()} == dict.fromkeys(
        IN_JAVASCRIPT, 1
    )


@pytest.mark.parametrize("name", spread(sorted(IN_JAVASCRIPT), 2))
def test_a_leak_in_javascript_is_found(name: str, tmp_path: Path) -> None:
    write_export(cellar(), tmp_path)
    program = tmp_path / "rules.js"
    text, (written, planted) = program.read_text(encoding="utf-8"), IN_JAVASCRIPT[name]
    program.write_text(text.replace(written, planted), encoding="utf-8")
    with pytest.raises(LeakError):
        in_node([(cellar(), tmp_path, pairs_of_cellar())])


@pytest.mark.parametrize("name", IN_THE_MODULE)
def test_a_leak_in_the_module_is_found(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pairs = pairs_of_cellar()
    IN_THE_MODULE[name](monkeypatch)
    write_export(cellar(), tmp_path)
    with pytest.raises(LeakError):
        in_node([(cellar(), tmp_path, pairs)])


@pytest.mark.parametrize("machine", backends.list_names())
@given(rulesets(depth=2), st.integers(0, 2**16))
@settings(max_examples=times(8, 400))
def test_random_rules_keep_their_secrets(machine: str, source: str, seed: int) -> None:
    ruleset, diagnostics = checked(a_game_of(source, rounds=3), manifest=GARDEN_MANIFEST, shapes=False)
    assume(ruleset is not None and not diagnostics.errors)
    assert ruleset is not None
    game = backends.make(machine, ruleset)
    pairs = []
    for number in range(9):
        try:
            pair = make_pair(
                ruleset, seat=number % 3, players=2, seed=seed + number, most=25, machine=game, same=number // 3 * 2
            )
        except RulesFault:
            assume(False)
        if pair.different:
            pairs.append(pair)
    hold(ruleset, pairs)
