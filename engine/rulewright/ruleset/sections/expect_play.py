"""The section `expect_play:`, balance targets for simulated games.

`rulewright.analysis.simulation.play_expectations` simulates and evaluates them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping as ReadOnlyMapping
from collections.abc import Set
from dataclasses import dataclass, replace
from fractions import Fraction

from rulewright.base.errors import RulewrightError
from rulewright.language.schema_shapes import ByForm, Leaf, ListOf, MapOf, Member, Record, optional, words
from rulewright.ruleset.elaborate.elaboration import Elaboration
from rulewright.ruleset.elaborate.node_readers import iterate_entries, list_items, read_text
from rulewright.ruleset.section import RulesSection
from rulewright.ruleset.sections.measures import list_shares
from rulewright.source.diagnostics.suggestions import Suggestion
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence
from rulewright.source.span import Span

BOT = "random"
"""The default bot for every seat, the same as for `simulate`."""

GAMES = 20_000
"""The default maximum number of games in a test of a target."""

MOST_GAMES = 10_000_000

SHARES: ReadOnlyMapping[str, str] = {
    "seat_edge": "The largest difference of a seat's win rate from an even share: `at most 3 %`.",
    "draws": "The share of games without a winner: `at most 5 %`.",
    "unfinished": "The share of games that were aborted because they did not end: `at most 1 %`.",
}
"""The built-in metrics that are shares of games, with their descriptions."""

MEANS: ReadOnlyMapping[str, str] = {"decisions": "The average number of decisions in a game: `50..200`."}
"""The built-in metrics that are means, with their descriptions."""

_SETTINGS: ReadOnlyMapping[str, Member] = {
    "means": optional(words("The reason for the target.")),
    "with": optional(
        ByForm(
            f"The bot for every seat (default `{BOT}`), or a list with one for each seat.",
            scalar=Leaf("A bot.", format="value"),
            sequence=ListOf("A bot for each seat.", inner=Leaf("A bot.", format="value")),
        )
    ),
    "players": optional(Leaf("The number of players (default: the minimum).", format="integer")),
    "options": optional(MapOf("Settings that differ from their defaults.", inner=Leaf("A choice.", format="id"))),
    "seed": optional(Leaf("The random seed (default 0).", format="value")),
    "games": optional(Leaf(f"The maximum number of games in the test (default {GAMES:,}).", format="integer")),
}

EXPECTATION = Record(
    "Balance targets for games between bots. Each metric has bounds: `at most 3 %`, `at least 2`, or `15..40`.",
    members={
        **_SETTINGS,
        **{name: optional(Leaf(doc, format="value")) for name, doc in {**SHARES, **MEANS}.items()},
        "beats": optional(
            MapOf(
                "Who should beat whom: a bot, its opponents, and the share of games that it wins against each of them.",
                inner=MapOf(
                    "An opponent, with bounds for the share of the decisive games that it loses: `at least 60 %`.",
                    inner=Leaf("Bounds: `at least 60 %`.", format="value"),
                ),
            )
        ),
        "*": optional(
            Leaf(
                "Bounds for the measure with this id: `15..40` for its average, or `45 %..55 %` for a share of games.",
                format="value",
            )
        ),
    },
    others="measure",
)

BEATS = "beats"
"""The key of the matrix of who should beat whom."""

MEASURE = "measures."
"""The optional prefix of a measure's id, which is needed if a built-in metric has the same name."""

FORMS = "write `at most 3`, `at least 3`, or `3..8`; a share is in percent: `at most 3 %`"

_FIGURE = r"(-?\d{1,15}(?:\.\d{1,15})?)\s*(%?)"
_AT_MOST, _AT_LEAST = re.compile(rf"at most\s+{_FIGURE}"), re.compile(rf"at least\s+{_FIGURE}")
_RANGE = re.compile(rf"{_FIGURE}\s*\.\.\s*{_FIGURE}")
_MEANT = (
    (re.compile(rf"(?:<=?|≤|max\.?|maximum|up to|no more than|under|below|less than)\s*{_FIGURE}"), "at most"),
    (re.compile(rf"(?:>=?|≥|min\.?|minimum|from|no less than|over|above|more than)\s*{_FIGURE}"), "at least"),
)
"""Other spellings of the two bounds, for suggestions."""
_MEANT_RANGE = re.compile(rf"(?:(?:from|between)\s+)?{_FIGURE}\s*(?:-|–|to|and|\.\.\.|…)\s*{_FIGURE}")


@dataclass(frozen=True, slots=True)
class MetricBounds:
    """The claim that a metric lies between `low` and `high`. None means no bound.

    `written` is the key in the rules, `metric` its full id: `seat_edge`, `draws`, `unfinished`, `decisions` or
    `measures.<measure>`. The bounds of a share are fractions of 1. `text` has the bounds as written. A cell of the
    matrix `beats` has both bots in `pair`, and its metric is the share of the first.
    """

    written: str
    metric: str
    low: Fraction | None
    high: Fraction | None
    text: str
    span: Span
    key: Span
    pair: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class BoundsFault:
    """Bounds of a metric, or of a cell of the matrix `beats`, that are invalid, with the reason and a suggestion."""

    written: str
    metric: str
    message: str
    remedy: str
    span: Span
    key: Span
    pair: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Expectation:
    """A balance target for games between bots.

    `bots` has one bot per seat, or one for all seats. `players` is None if the number follows from the bots or is the
    minimum. At most `games` games are simulated.
    """

    id: str
    means: str
    bots: tuple[str, ...]
    players: int | None
    options: dict[str, str]
    seed: int | str
    games: int
    bounds: tuple[MetricBounds, ...]
    bad: tuple[BoundsFault, ...]
    node: Mapping
    span: Span

    @property
    def listed(self) -> bool:
        """Whether there is one bot per seat."""
        return isinstance(self.node.get("with"), Sequence)

    def count_seats(self, fewest: int) -> int:
        """Return the number of players. `fewest` is the ruleset's minimum."""
        return len(self.bots) if self.listed else fewest if self.players is None else self.players

    def list_bots(self, fewest: int) -> tuple[str, ...]:
        """Return the bot for each seat. `fewest` is the ruleset's minimum number of players."""
        return self.bots if self.listed else self.bots * self.count_seats(fewest)

    def list_pair(self, pair: tuple[str, str], allowed: tuple[int, int]) -> tuple[str, ...]:
        """Return the bot for each seat in games of two bots, which sit in turn. Both have the same number of seats.

        `allowed` is the ruleset's range of players. Raises `RulewrightError` for a number of players that is odd, or
        that the rules do not allow.
        """
        fewest, most = allowed
        seats = self.players or max(2, fewest + fewest % 2)
        if seats % 2 or not fewest <= seats <= most:
            raise RulewrightError(f"`{pair[0]}` and `{pair[1]}` cannot share {seats} seats equally")
        return pair * (seats // 2)


def read_expectations(work: Elaboration) -> dict[str, Expectation]:
    """Return every balance target by id, in the order of the rules.

    Invalid bounds are in its `bad`, and nothing is reported here. Missing settings have their defaults.
    """
    expectations = {}
    entries = [*iterate_entries(work.rules.get(EXPECT_PLAY.key))]
    shares = {*SHARES, *(f"{MEASURE}{identity}" for identity in (list_shares(work) if entries else ()))}
    for identity, entry in entries:
        node = entry.value
        assert isinstance(node, Mapping)
        bots = tuple(read_text(bot) for bot in list_items(node.get("with")))
        read = [
            _read_bounds(each.key, each.value, shares)
            for key, each in node.entries.items()
            if key not in _SETTINGS and key != BEATS
        ]
        read += [
            _read_cell(row, cell.key, cell.value)
            for row, cells in iterate_entries(node.get(BEATS))
            for _, cell in iterate_entries(cells.value)
        ]
        expectations[identity] = Expectation(
            identity,
            read_text(node.get("means")),
            bots if "with" in node else (BOT,),
            _integer(node.get("players")),
            {name: read_text(choice.value) for name, choice in iterate_entries(node.get("options"))},
            _seed(node.get("seed")),
            GAMES if (games := _integer(node.get("games"))) is None else games,
            tuple(each for each in read if isinstance(each, MetricBounds)),
            tuple(each for each in read if isinstance(each, BoundsFault)),
            node,
            entry.key.span,
        )
    return expectations


def _integer(node: Node | None) -> int | None:
    """Return the integer in a node, or None for any other node."""
    return node.value if isinstance(node, Scalar) and type(node.value) is int else None


def _seed(node: Node | None) -> int | str:
    """Return an integer if YAML reads one, else the text, or 0 if there is no node."""
    number = _integer(node)
    return number if number is not None else read_text(node) if node is not None else 0


def _read_bounds(key: Scalar, node: Node, shares: Set[str]) -> MetricBounds | BoundsFault:
    """Return the bounds of a metric, or a `BoundsFault` if they are invalid or no number of games could prove them.

    `shares` are the metrics whose bounds are in percent.
    """
    known = key.text in SHARES or key.text in MEANS
    figure = key.text if known or key.text.startswith(MEASURE) else f"{MEASURE}{key.text}"
    return _read_claim(key.text, figure, key, node, share=figure in shares)


def _read_cell(bot: str, opponent: Scalar, node: Node) -> MetricBounds | BoundsFault:
    """Return the bounds in a cell of the matrix `beats`, or a `BoundsFault`."""
    name = f"{bot} against {opponent.text}"
    return replace(_read_claim(name, name, opponent, node, share=True), pair=(bot, opponent.text))


def _read_claim(written: str, figure: str, key: Scalar, node: Node, *, share: bool) -> MetricBounds | BoundsFault:
    """Return the bounds in a node for a metric, with a percent sign if it is a `share`, or a `BoundsFault`."""
    text = read_text(node)

    def bad(message: str, remedy: str) -> BoundsFault:
        return BoundsFault(written, figure, message, remedy, node.span, key.span)

    bounds = _bounds(text)
    if bounds is None:
        return bad(f"`{text or node.kind}` is not a bound for `{written}`", _suggest(text) or FORMS)
    first, last, percent = bounds
    if percent != share:
        if share:
            return bad(
                f"`{written}` is a share, so its bounds are in percent", "add the percent sign, such as `at most 3 %`"
            )
        plain = text.replace("%", "").strip()
        return bad(f"`{written}` is not a share, so its bounds are not in percent", _instead(text, plain))
    unit = 100 if share else 1
    low, high = (None if each is None else Fraction(each) / unit for each in (first, last))
    if low is not None and high is not None and low > high:
        return bad(f"the lower bound of `{text}` is above the upper one", "write the smaller number first")
    if share and any(bound is not None and not 0 <= bound <= 1 for bound in (low, high)):
        return bad(f"`{text}` is not a share of games", "a share is between 0 % and 100 %")
    if (low is not None and low == high) or (share and (high == 0 or low == 1)):
        message = f"no number of games can prove that `{written}` is exactly {last or first}{' %' if share else ''}"
        return bad(message, f"allow some tolerance, such as `{'at most 0.1 %' if share else '19.5..20.5'}`")
    return MetricBounds(written, figure, low, high, text, node.span, key.span)


def _bounds(text: str) -> tuple[str | None, str | None, bool] | None:
    """Return the lower and upper bound as written, and whether they are percentages, or None for wrong syntax.

    An open end is None.
    """
    if match := _AT_MOST.fullmatch(text):
        return None, match[1], match[2] == "%"
    if match := _AT_LEAST.fullmatch(text):
        return match[1], None, match[2] == "%"
    if (match := _RANGE.fullmatch(text)) and (match[4] or not match[2]):
        return match[1], match[3], match[4] == "%"
    return None


def _suggest(text: str) -> str | None:
    """Return a hint with bounds in another notation rewritten, or None if the notation is not recognised."""
    for pattern, bound in _MEANT:
        if (match := pattern.fullmatch(text.lower())) is not None:
            return _instead(text, f"{bound} {match[1]}{' %' if match[2] else ''}")
    if (match := _MEANT_RANGE.fullmatch(text.lower())) is not None:
        return _instead(text, f"{match[1]}..{match[3]}{' %' if match[4] else ''}")
    return None


def _instead(text: str, right: str) -> Suggestion:
    return Suggestion(f"write `{right}`", text, [right])


EXPECT_PLAY = RulesSection(
    key="expect_play",
    place=125,
    doc="The balance targets of the designer; `rulewright check --play` tests them.",
    entry=EXPECTATION,
    one="expectation",
    gameplay=False,
    read=read_expectations,
    title="Balance targets",
    labels={"means": "Why"},
    guide="balance/expect.md",
    anchor="expectation-",
    on_pages=False,
    citable=False,
    report=185,
    bookkeeping=("games", "seed"),
)
