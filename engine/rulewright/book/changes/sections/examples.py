"""Changes of examples: their start, their dice and choices, and their results."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.book.changes.change import ChangeLine, build_line, build_sentence_line
from rulewright.book.changes.compared_side import RulesetPair, Side, Teller
from rulewright.book.changes.sections.texts import compare_texts
from rulewright.book.english.naming import humanize
from rulewright.book.parts.example_runs import list_example_results
from rulewright.book.parts.fixture_text import list_given
from rulewright.book.parts.odds_examples import describe_question
from rulewright.ruleset.queries.tree_difference import Difference
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.examples import Claim, Example

START = ("given", "players", "options", "of", "until", "policy")
NOTHING = "nothing"
END = ("expect", "value", "roll", "expect_odds")


def describe_example(ruleset: Ruleset, identity: str) -> list[tuple[str, str]]:
    """Return what an example starts from, rolls, chooses and ends with: a label and words for each that it has."""
    side, example = Side(ruleset), ruleset.examples[identity]
    parts = [(label, of(side, example)) for _, label, of in _PARTS]
    return [(label, words) for label, words in parts if words not in ("", NOTHING)]


def lines(pair: RulesetPair, identity: str, group: list[Difference]) -> Iterator[ChangeLine]:
    """Yield the differences of an example: its texts, then one line each for its start, dice, choices and results.

    None of these lines affects play. If a part reads the same on both sides, its line only says that it differs.
    """
    yield from compare_texts(pair, group)
    for keys, label, of in _PARTS:
        covers = [difference.path for difference in group if difference.path[2] in keys]
        if not covers:
            continue
        before, after = (of(side, side.ruleset.examples[identity]) for side in (pair.before, pair.after))
        if before == after:
            # The book draws values computed for each space, so there are no sentences to compare.
            sentence = "It comes out differently from place to place."
            sentence = sentence if keys is END else "It is written differently, with the same result."
            yield build_sentence_line("changed", sentence, covers=covers, words=True)
        else:
            yield build_line("changed", label, before, after, covers=covers, words=True)


def whole(side: Side, identity: str, difference: Difference) -> Iterator[ChangeLine]:
    """Yield the result of the example."""
    example = side.ruleset.examples[identity]
    sentence = side.render_words(example.text) or _end(side, example)
    yield build_sentence_line(difference.what, sentence, covers=[difference.path], words=True)


def _start(side: Side, example: Example) -> str:
    """Return in words what an example starts from, or `NOTHING`."""
    section = "procedures" if example.of in side.ruleset.procedures else "formulas"
    of = side.find_title(section, example.of) if example.of else ""
    players = f"{example.players} players" if example.players else ""
    policy = f"decided by {', '.join(map(humanize, example.policy))}" if example.policy else ""
    until = f"until “{humanize(example.until)}”" if example.until else ""
    return "; ".join(filter(None, (of, players, *list_given(example, side.style), policy, until))) or NOTHING


def _dice(side: Side, example: Example) -> str:
    return ", ".join(_describe(item) for item in example.dice) or NOTHING


def _describe(item: object) -> str:
    return " and ".join(map(str, item)) if isinstance(item, (list, tuple)) else str(item)


def _choices(side: Side, example: Example) -> str:
    return ", ".join(humanize(str(item)) for item in example.choose) or NOTHING


def _end(side: Side, example: Example) -> str:
    if example.claims:
        return "Odds: " + "; ".join(_claimed(claim, example, side) for claim in example.claims) + "."
    return " ".join(list_example_results(example, side.style))


def _claimed(claim: Claim, example: Example, side: Side) -> str:
    question, _ = describe_question(claim.expression.text, example, side.style)
    answer = f" ({humanize(claim.answer)})" if claim.answer else ""
    return f"{question}{answer}: {claim.text}"


_PARTS = (
    (START, "It starts from", _start),
    (("dice",), "The dice show", _dice),
    (("choose",), "Chosen", _choices),
    (END, "How it ends", _end),
)
"""The keys of an example that belong together, with a label and a function that describes them."""

TELLERS = {"examples": Teller(lines, whole)}
