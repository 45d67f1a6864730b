"""How often `fair` finds an advantage that a game has on purpose, and how often it accuses a fair game.

    python -m tests.analysis.power [--runs N] [--seconds S]

In the games, lots decide who begins, who gets a coin, who is dealt a card and who starts in which corner. One of these
players, or the player in a seat, wins 5 or 10 percentage points more than an even share, or nobody does. Each run asks
`fair` with its default sample and another random seed, and counts as *found* if its answer names this advantage and no
other.

The results are in `power.json`, with the commit and the seeds. A run that was interrupted, or has used up its seconds,
continues where it stopped, unless the engine has changed since.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import comb
from pathlib import Path
from time import perf_counter
from typing import Any

from rulewright import load_ruleset
from rulewright.analysis.fairness.ask_questions import ask
from rulewright.analysis.fairness.game_cache import GAMES, MOST_SAMPLES
from rulewright.base.significance import LEVEL, POWER, find_detectable_share
from rulewright.ruleset.ruleset import Ruleset

ROOT = Path(__file__).resolve().parents[2]
FILE = Path(__file__).with_suffix(".json")

MANIFEST = "ruleset: test/lots\nversion: 1.0.0\ntitle: Lots\nplayers: 2\nstart: game\nevaluate: standing\n"
RULES = """\
kinds:
  player: {{fields: {{coins: count, corner: optional corners, luck: count}}}}
  card: {{fields: {{owner: player}}}}
state: {{order: player, coin: player, holder: player, corner: player}}
tables:
  corners: {{rows: {{north: {{}}, south: {{}}}}}}
formulas: {{standing: {{given: {{who: player}}, is: who.luck}}}}
procedures:
  game:
    title: Lots
    steps:
      - {{id: begins, roll: 1d2}}
      - {{id: second, set: {{order: "next(order, players)"}}, when: begins == 2}}
      - {{id: coin_lot, roll: 1d2}}
      - {{id: richer, set: {{coin: "next(coin, players)"}}, when: coin_lot == 2}}
      - {{id: pay, gain: {{who: coin, coins: 1}}}}
      - {{id: card_lot, roll: 1d2}}
      - {{id: dealt, set: {{holder: "next(holder, players)"}}, when: card_lot == 2}}
      - {{id: deal, create: card, with: {{owner: holder}}}}
      - {{id: corner_lot, roll: 1d2}}
      - {{id: moved, set: {{corner: "next(corner, players)"}}, when: corner_lot == 2}}
      - {{id: north, set: {{corner.corner: corners.north}}}}
      - {{id: move, choose: {{who: order, from: [go, wait]}}}}
      - {{id: reply, choose: {{who: "next(order, players)", from: [go, wait]}}}}
      - {{id: luck, roll: 1d1000}}
      - {{id: won, finish: {{winners: [{who}]}}, when: luck <= {of_thousand}}}
      - {{id: lost, finish: {{winners: ["next({who}, players)"]}}}}
"""


@dataclass(frozen=True, slots=True)
class Planted:
    """An advantage that a game has on purpose.

    `who` is an expression for the player, `metric` the id by which `fair` knows the advantage, and `points` how many
    percentage points more than an even share the player wins.
    """

    who: str
    metric: str
    points: float

    @property
    def rules(self) -> str:
        """The rules of the game."""
        return RULES.format(who=self.who, of_thousand=round(500 + 10 * self.points))


WHO = {
    "a seat": ("first(players)", "seat.1"),
    "going first": ("order", "order.1"),
    "a coin": ("coin", "values.player.coins.most"),
    "a card": ("holder", "values.card.owner.most"),
    "a corner": ("corner", "values.player.corner.north"),
}
"""The players who can have an advantage, and by which metric `fair` knows each."""

POINTS = (5, 10)
"""The sizes of the advantages, in percentage points."""

MOST_GAMES = MOST_SAMPLES * GAMES
"""The number of games that `fair` plays of such short games."""

DETECTABLE = round(100 * find_detectable_share(GAMES, 2, tests=len(WHO)), 1)
"""The size that is found in 9 of 10 samples, if a game is too long for more than one sample."""

FAIR = "nothing"

CASES = {
    **{f"{name}, {points} points": Planted(*who, points) for name, who in WHO.items() for points in POINTS},
    f"going first, {DETECTABLE:g} points": Planted(*WHO["going first"], DETECTABLE),
    FAIR: Planted("order", "", 0),
}
"""The games by the advantage that they have."""

SURPRISE = 0.01
"""The probability of a count below which it contradicts what is claimed."""


@dataclass(slots=True)
class Tally:
    """How often `fair` named only the advantage that the game has, others too, only others, or none."""

    runs: int = 0
    alone: int = 0
    with_others: int = 0
    others: int = 0

    def add(self, accused: set[str], metric: str) -> None:
        """Count a run that named these advantages."""
        self.runs += 1
        self.alone += accused == ({metric} - {""}) and bool(accused)
        self.with_others += metric in accused and len(accused) > 1
        self.others += bool(accused) and metric not in accused


def load_game(planted: Planted, folder: Path) -> Ruleset:
    """Write the game to a folder, and return its rules."""
    folder.joinpath("ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    folder.joinpath("rules.yaml").write_text(planted.rules, encoding="utf-8")
    return load_ruleset("test/lots", rules=[folder])


def find_accused(ruleset: Ruleset, seed: str) -> set[str]:
    """Return the ids of the advantages that the answer of `fair` names, with its default sample and this seed.

    The bots are given, because no choice changes anything in these games.
    """
    answers = ask(ruleset, good="random", seed=seed)
    answer = next(each.answer for each in answers if each.question.id == "advantage")
    (text,) = answer.sentences
    named = text.partition(" Among `")[0]
    if "No significant advantage" in named:
        return set()
    titles = {each.id.removesuffix(".of.2"): each.title.removesuffix(", 2 players") for each in answer.metrics}
    return {name for name, title in titles.items() if f"hoever {title.replace('seat', 'sits in seat')}" in named}


def find_misses(tallies: Mapping[str, Tally]) -> list[str]:
    """Return a sentence for each count that contradicts what the documentation claims.

    It claims that at most 5 % of fair games are accused, that the detectable size is found in 9 of 10 samples, and that
    at most 5 % of the answers name something that is not there.
    """
    misses = []
    for name, tally in tallies.items():
        wrong = tally.with_others + tally.others
        if compute_binomial_tail(wrong, tally.runs, LEVEL) < SURPRISE:
            misses.append(f"{name}: something else is named in {wrong} of {tally.runs} runs")
        missing = tally.runs - tally.alone - tally.with_others
        if CASES[name].points >= DETECTABLE and compute_binomial_tail(missing, tally.runs, 1 - POWER) < SURPRISE:
            misses.append(f"{name}: not found in {missing} of {tally.runs} runs")
    return misses


def compute_binomial_tail(successes: int, trials: int, share: float) -> float:
    """Return the probability of so many successes or more."""
    return sum(
        comb(trials, each) * share**each * (1 - share) ** (trials - each) for each in range(successes, trials + 1)
    )


def read_tallies(data: Mapping[str, Any]) -> dict[str, Tally]:
    """Return the counts in the data of the file."""
    return {name: Tally(**counts) for name, counts in data["cases"].items()}


def load_kept(engine: str) -> dict[str, Tally]:
    """Return the counts so far, or none if they are of another engine or of other games."""
    data = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    if data.get("engine") != engine or data["cases"].keys() != CASES.keys():
        return {name: Tally() for name in CASES}
    return read_tallies(data)


def run_git(*words: str) -> str:
    """Return the output of a command of Git in the project."""
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def main() -> int:
    """Ask about each game with one seed after the other, keep the counts, and return 1 if they contradict a claim."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=200, help="runs of each game (default: %(default)s)")
    parser.add_argument("--seconds", type=int, default=3_000, help="time after which to stop (default: %(default)s)")
    given = parser.parse_args()
    commit, engine = run_git("describe", "--always", "--exclude=*", "--dirty=+"), run_git("rev-parse", "HEAD:engine")
    tallies, begun = load_kept(engine), perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        games = {}
        for place, (name, planted) in enumerate(CASES.items()):
            home = Path(folder) / str(place)
            home.mkdir()
            games[name] = load_game(planted, home)
        for seed in range(min(tally.runs for tally in tallies.values()), given.runs):
            if perf_counter() - begun > given.seconds:
                print(f"stopped after {given.seconds} seconds; run this again to go on")
                break
            for name, tally in tallies.items():
                tally.add(find_accused(games[name], f"{name} {seed}"), CASES[name].metric)
            cases = {name: asdict(tally) for name, tally in tallies.items()}
            seeds = f"NAME 0 to NAME {seed}"
            data = {"commit": commit, "engine": engine, "games": MOST_GAMES, "seeds": seeds, "cases": cases}
            FILE.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    for name, tally in tallies.items():
        print(f"{name}: {tally}")
    misses = find_misses(tallies)
    print(*misses, sep="\n")
    return 1 if misses else 0


if __name__ == "__main__":
    raise SystemExit(main())
