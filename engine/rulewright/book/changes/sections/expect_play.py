"""Changes of balance targets: the bounds of each metric, and the bots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.book.changes.change import ChangeLine, build_line, build_sentence_line, end_sentence
from rulewright.book.changes.compared_side import RulesetPair, Side, Teller
from rulewright.book.changes.sections.texts import compare_texts
from rulewright.book.english.grammar import capitalize
from rulewright.book.english.naming import humanize
from rulewright.ruleset.queries.tree_difference import Difference
from rulewright.ruleset.sections.expect_play import BEATS, MEASURE, Expectation, MetricBounds

TABLE = ("with", "players", "options")


def lines(pair: RulesetPair, identity: str, group: list[Difference]) -> Iterator[ChangeLine]:
    """Yield the differences of a balance target: its texts, then its bots, players and settings, then each metric."""
    yield from compare_texts(pair, group)
    before, after = (side.ruleset.expectations[identity] for side in (pair.before, pair.after))
    covers = [difference.path for difference in group if difference.path[2] in TABLE]
    if covers:
        yield build_line("changed", "Played by", _table(before), _table(after), covers=covers, words=True)
    for difference in group:
        for written in _list_claims(difference.path[2:], before, after):
            old, new = (_of(each, written) for each in (before, after))
            side, known = (pair.before, old) if new is None else (pair.after, new)
            if known is None:
                continue
            bounds = ("" if each is None else _bounds(each) for each in (old, new))
            yield build_line(
                difference.what, capitalize(_called(side, known)), *bounds, covers=[difference.path], words=True
            )


def whole(side: Side, identity: str, difference: Difference) -> Iterator[ChangeLine]:
    """Yield the targets."""
    expectation = side.ruleset.expectations[identity]
    text = "; ".join(f"{_called(side, each)} {_bounds(each)}" for each in expectation.bounds)
    yield build_sentence_line(difference.what, end_sentence(capitalize(text)), covers=[difference.path], words=True)


def _list_claims(path: Sequence[str], before: Expectation, after: Expectation) -> Iterator[str]:
    """Yield the names of the bounds at a path: one metric, or the cells of a matrix."""
    if path[0] != BEATS:
        yield path[0]
        return
    for written, pair in {each.written: each.pair for of in (before, after) for each in of.bounds}.items():
        if pair is not None and pair[: len(path) - 1] == tuple(path[1:]):
            yield written


def _of(expectation: Expectation, written: str) -> MetricBounds | None:
    return next((each for each in expectation.bounds if each.written == written), None)


def _called(side: Side, metric_bounds: MetricBounds) -> str:
    if metric_bounds.pair is not None:
        return metric_bounds.metric
    if not metric_bounds.metric.startswith(MEASURE):
        return humanize(metric_bounds.metric)
    return side.render_words(side.ruleset.measures[metric_bounds.metric.removeprefix(MEASURE)].title)


def _bounds(metric_bounds: MetricBounds) -> str:
    return metric_bounds.text.replace("..", " to ")


def _table(expectation: Expectation) -> str:
    bots = ", ".join(expectation.bots)
    players = f"{expectation.players} players" if expectation.players is not None and not expectation.listed else ""
    settings = (f"{humanize(name)}: {humanize(choice)}" for name, choice in expectation.options.items())
    return "; ".join(filter(None, (bots, players, *settings)))


TELLERS = {"expect_play": Teller(lines, whole)}
