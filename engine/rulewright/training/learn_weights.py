"""Learning of feature weights by self-play.

An evaluation plays like the bot `greedy`, one decision ahead. Candidates near the search mean play against the best
known evaluation, and the search moves towards the candidates that win more. It learns only from game results, not from
positions. From time to time, the search mean itself plays the best known evaluation, and replaces it if its win rate is
significantly higher. Sources: R. Ros and N. Hansen, "A simple modification in CMA-ES achieving linear time and space
complexity", PPSN 2008 (the search, by the library cmaes); T. Salimans et al., "Evolution strategies as a scalable
alternative to reinforcement learning", arXiv:1703.03864 (2017).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import log
from typing import TYPE_CHECKING

from rulewright.analysis.simulation.tournament import choose_table_size
from rulewright.analysis.simulation.workers import Helpers, iterate_in_order
from rulewright.base.confidence_intervals import compute_wilson_interval
from rulewright.base.errors import MissingExtraError, RulewrightError
from rulewright.engine.narration.redaction import analyze_sight
from rulewright.engine.wasm_backend.availability import WITHOUT, is_available
from rulewright.ruleset.overlay import find_node
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.weights import WHO, WeightTerm
from rulewright.source.nodes import Scalar
from rulewright.training.feature_selection import Relevant, format_weights, select_relevant
from rulewright.training.position_features import Feature, list_features
from rulewright.training.training_match import Score, TrainingMatch, Worths, play

if TYPE_CHECKING:
    import numpy
    from cmaes import SepCMA

NAME = "trained"
"""The id of the learned evaluation."""

GAMES = 100
"""The number of games in a match."""

CHECKS = 4
"""The number of matches that decide whether the best known weights are beaten."""

EVERY = 3
"""The number of generations between two checks of the search mean against the best known weights."""

MOST_FEATURES = 20
"""The maximum number of features. Those that distinguish options most often are used."""

WIDTH, WIDTH_FROM_NOTHING = 0.06, 0.5
"""The initial spread of weights in the search: relative to the rules' own formula, and if there is none."""

LONGER = 4
"""A game this many times longer than the first games is a draw, because bad weights may never end a game."""

SHORTEST = 200


@dataclass(slots=True)
class TrainingReport:
    """The results of all matches, in order.

    `generations` has the score of every candidate by generation. `checks` has wins, losses and draws of the search mean
    against the best known evaluation.
    """

    generations: list[list[float]] = field(default_factory=list)
    checks: list[tuple[int, int, int]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Generation:
    """One generation of the search. `share` is the mean score of its candidates.

    `check` is the score of the search mean against the best known evaluation, or None if they did not play. `better` is
    true if the mean becomes the best known.
    """

    number: int
    share: float
    check: Score | None
    better: bool


@dataclass(slots=True)
class WeightSearch:
    """A search for weights, with its features and the best weights so far.

    `best` is empty while the ruleset's own formula is the best known evaluation. `report` has all match results so far.
    From them, a search can resume without playing the matches again.
    """

    ruleset: Ruleset
    rules: tuple[str, ...]
    seed: str
    options: dict[str, str]
    players: int
    most: int
    relevant: list[Relevant]
    units: list[float]
    start: list[float]
    best: Worths
    report: TrainingReport = field(default_factory=TrainingReport)

    @property
    def features(self) -> list[Feature]:
        """The weighted features."""
        return [each.feature for each in self.relevant]

    @property
    def size(self) -> int:
        """The number of candidates per generation, as Hansen's tutorial on CMA-ES recommends."""
        return 4 + int(3 * log(len(self.relevant)))

    @property
    def settings(self) -> dict[str, object]:
        """All settings that the result depends on, as JSON data."""
        return {
            "ruleset": self.ruleset.reference,
            "digest": self.ruleset.digest_of_counts,
            "seed": self.seed,
            "options": self.options,
            "players": self.players,
            "features": [each.formula for each in self.features],
            "start": self.start,
        }

    def match(self, one: Worths, other: Worths, name: str, games: int = GAMES) -> TrainingMatch:
        """Return the description of a match between two sets of weights. `name` selects its random numbers."""
        return TrainingMatch(
            self.ruleset.reference,
            self.rules,
            self.ruleset.digest_of_counts,
            format_weights(self.features),
            self.players,
            tuple(sorted(self.options.items())),
            f"{self.seed}/{name}",
            games,
            self.most,
            one,
            other,
        )

    def find_weights(self, point: Iterable[float]) -> Worths:
        """Return the weights at a point of the search, rounded to six significant digits as in the file."""
        return tuple(float(f"{each * unit:.6g}") for each, unit in zip(point, self.units, strict=False))


def prepare_learning(
    ruleset: Ruleset,
    *,
    seed: int | str = 0,
    options: dict[str, str] | None = None,
    rules: Sequence[str] = (),
) -> WeightSearch:
    """Return a new search for a ruleset, which starts from its own formula or from earlier learned weights.

    Plays games to select features and to set the maximum length of a game. Raises `RulewrightError` for rules that
    cannot be learned, such as rules with hidden information.
    """
    if not is_available():
        raise RulewrightError(f"training needs WebAssembly, because it plays thousands of games. {WITHOUT}")
    if not analyze_sight(ruleset).everything:
        raise RulewrightError(
            f"{ruleset.title} has hidden information: `train` supports only games with perfect information"
        )
    if ruleset.start is None:
        raise RulewrightError(f"{ruleset.reference} has no `start:`, so there is no game to play")
    players = choose_table_size(ruleset)
    options = {**ruleset.simulations, **(options or {})}
    own = {}
    if ruleset.evaluate is not None:
        feature = Feature(
            ruleset.evaluate, f"{ruleset.evaluate}({WHO})", "the position's value according to the rules’ own formula"
        )
        own = {feature.id: feature}
    before = ruleset.weights.get(NAME)
    known = {term.id: term for term in before.terms.values()} if before is not None else {}
    named = own | {each.id: _as_feature(ruleset, each) for each in known.values()}
    offered = [*named.values(), *(each for each in list_features(ruleset) if each.id not in named)]
    relevant = select_relevant(ruleset, offered, players=players, seed=seed, options=options)
    if not relevant:
        raise RulewrightError(f"{ruleset.title} has no numbers, owners or counts that could evaluate positions")
    first = {*own, *known}
    saved = sorted(relevant, key=lambda each: (each.feature.id not in first, -each.often))[
        : max(MOST_FEATURES, len(first))
    ]
    relevant = [each for each in relevant if each in saved]
    known_ids = {each.feature.id for each in relevant}
    relevant += [Relevant(named[each], 0.0, 1.0) for each in known if each not in known_ids]
    anchor = next((each.spread for each in relevant if each.feature.id in own), 1.0)
    units = [anchor / each.spread for each in relevant]
    start = [
        known[each.feature.id].worth / unit if each.feature.id in known else 0.0
        for each, unit in zip(relevant, units, strict=True)
    ]
    if not known:
        start = [float(each.feature.id in own) for each in relevant]
    learning = WeightSearch(ruleset, tuple(rules), str(seed), options, players, 1_000_000, relevant, units, start, ())
    if known or not own:
        learning.best = learning.find_weights(start)
    usual = play(replace(learning.match(learning.best, learning.best, "first", games=20), most=5_000))
    learning.most = max(SHORTEST, LONGER * usual.decisions // 20)
    return learning


def _as_feature(ruleset: Ruleset, term: WeightTerm) -> Feature:
    written = find_node(ruleset, f"weights.{NAME}.terms.{term.id}.is")
    assert isinstance(written, Scalar)
    return Feature(term.id, written.text, term.means or term.id)


def learn(weight_search: WeightSearch, pool: Helpers) -> Iterator[Generation]:
    """Yield generation after generation without end, first those with results in `weight_search.report`.

    The matches run in `pool`. The results do not depend on the number of workers. Updates `weight_search.report` and
    `weight_search.best`. Raises `RulewrightError` if the rules fail during a game, and `MissingExtraError` without the
    extra `train`.
    """
    search = _search(weight_search)
    for number in range(1, 10**9):
        points = [search.ask() for _ in range(weight_search.size)]
        if number > len(weight_search.report.generations):
            matches = [
                weight_search.match(weight_search.find_weights(point), weight_search.best, f"generation {number}")
                for point in points
            ]
            weight_search.report.generations.append([score.share for score in _play_matches(matches, pool)])
        shares = weight_search.report.generations[number - 1]
        search.tell([(point, -share) for point, share in zip(points, shares, strict=True)])
        score = _check(weight_search, search, number, pool) if number % EVERY == 0 else None
        better = score is not None and compute_wilson_interval(score.wins, score.wins + score.losses)[0] > 0.5
        if better:
            weight_search.best = weight_search.find_weights(search.mean)
        yield Generation(number, sum(shares) / len(shares), score, better)


def play_against_formula(weight_search: WeightSearch, pool: Helpers) -> Score:
    """Return the score of the best weights against the ruleset's formula.

    The games use other random numbers than the training.
    """
    matches = [weight_search.match(weight_search.best, (), f"proof {number}") for number in range(CHECKS)]
    return _sum(_play_matches(matches, pool))


def _check(weight_search: WeightSearch, search: SepCMA, number: int, pool: Helpers) -> Score:
    """Return the score of the search mean against the best known evaluation, after generation `number`.

    Uses the stored result of this check, or plays the matches and appends their result to
    `weight_search.report.checks`.
    """
    check_index = number // EVERY - 1
    if check_index >= len(weight_search.report.checks):
        middle = weight_search.find_weights(search.mean)
        matches = [weight_search.match(middle, weight_search.best, f"check {number}.{each}") for each in range(CHECKS)]
        score = _sum(_play_matches(matches, pool))
        weight_search.report.checks.append((score.wins, score.losses, score.draws))
    wins, losses, draws = weight_search.report.checks[check_index]
    return Score(wins, losses, draws, 0)


def _sum(scores: Iterable[Score]) -> Score:
    total = Score(0, 0, 0, 0)
    for score in scores:
        total += score
    return total


def _play_matches(matches: Sequence[TrainingMatch], pool: Helpers) -> Iterator[Score]:
    pool.start_if_due()
    if pool.executor is None:
        return map(play, matches)
    return iterate_in_order(pool.executor, play, matches, ahead=2 * pool.workers)


def _search(weight_search: WeightSearch) -> SepCMA:
    """Return the optimizer at its start. Raises `MissingExtraError` without the extra `train`."""
    try:
        import numpy
        from cmaes import SepCMA
    except ImportError:
        raise MissingExtraError("training needs the `train` extra: pip install 'rulewright[train]'") from None
    seed = int.from_bytes(hashlib.sha256(weight_search.seed.encode("utf-8", "surrogatepass")).digest()[:4], "big")
    width = WIDTH if any(weight_search.start) else WIDTH_FROM_NOTHING
    # The search needs at least two dimensions, so a single feature gets an unused one.
    start = [*weight_search.start, *[0.0] * (len(weight_search.start) == 1)]
    mean: numpy.ndarray = numpy.array(start)
    return SepCMA(mean=mean, sigma=width, seed=seed, population_size=weight_search.size)
