"""Changes of the setup of a game: the manifest, settings, and decks."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.book.changes.change import ChangeLine, build_line, build_sentence_line
from rulewright.book.changes.compared_side import RulesetPair, Side, Teller
from rulewright.book.changes.sections.texts import compare_texts
from rulewright.book.english.grammar import capitalize
from rulewright.book.english.naming import humanize
from rulewright.ruleset.prose.book_language import describe_players
from rulewright.ruleset.queries.tree_difference import EDITION, Difference
from rulewright.source.nodes import Mapping, Node, Scalar


def lines(pair: RulesetPair, identity: str, group: list[Difference]) -> Iterator[ChangeLine]:
    """Yield the differences of a setting: its texts, choices and default, and whether it may change during a game.

    Yields nothing for an empty `identity`, which stands for the order of all settings.
    """
    if not identity:
        return
    before, after = (side.declared.options[identity] for side in (pair.before, pair.after))
    yield from compare_texts(pair, group)
    for difference in group:
        match difference.path[2:]:
            case ("choices", choice):
                old = pair.before.render_words(before.choices.get(choice, ""))
                new = pair.after.render_words(after.choices.get(choice, ""))
                # The text of a choice does not affect play, but an additional choice does.
                words = difference.what == "changed"
                yield build_line(difference.what, "A choice", old, new, covers=[difference.path], words=words)
            case ("choices",):
                old, new = (
                    ", ".join(side.render_words(words) for words in option.choices.values())
                    for side, option in ((pair.before, before), (pair.after, after))
                )
                yield build_line("changed", "Order of the choices", old, new, covers=[difference.path], words=True)
            case ("default",):
                old, new = (
                    pair.before.render_words(before.choices[before.default]),
                    pair.after.render_words(after.choices[after.default]),
                )
                yield build_line("changed", "Unless agreed otherwise", old, new, covers=[difference.path])
            case ("may_change",):
                old, new = (_vote(option.may_change) for option in (before, after))
                yield build_line("changed", "During a game", old, new, covers=[difference.path])


def _vote(may_change: str | None) -> str:
    return "a vote may change it" if may_change == "vote" else "nothing changes it"


def whole(side: Side, identity: str, difference: Difference) -> Iterator[ChangeLine]:
    """Yield one line for a setting on only one side: its description and its choices."""
    option = side.declared.options[identity]
    choices = "; ".join(
        side.render_words(words) + (" (unless agreed otherwise)" if choice == option.default else "")
        for choice, words in option.choices.items()
    )
    means = side.render_words(side.find_node("options", identity).get("means"))
    sentence = f"{means} {choices}.".strip()
    yield build_sentence_line(difference.what, sentence, covers=[difference.path])


def compare_deck(pair: RulesetPair, identity: str, group: list[Difference]) -> Iterator[ChangeLine]:
    """Yield the changed texts of a deck, and a line with the cards of both sides if anything but the title changed.

    Yields nothing for an empty `identity`, which stands for the order of all decks.
    """
    if not identity:
        return
    yield from compare_texts(pair, group)
    rest = [d.path for d in group if d.path[-1] != "title"]
    if rest:
        yield build_line("changed", "", _cards(pair.before, identity), _cards(pair.after, identity), covers=rest)


def whole_deck(side: Side, identity: str, difference: Difference) -> Iterator[ChangeLine]:
    """Yield which cards it has."""
    yield build_sentence_line(difference.what, f"{_cards(side, identity)}.", covers=[difference.path])


def _cards(side: Side, identity: str) -> str:
    return side.naming.cards(identity)


LABELS = {
    "players": "How many play",
    "rounding": "What is left over by a division",
    "start": "A whole game carries out",
    "payoff": "What a game was worth to a player",
    "evaluate": "Bots judge how well a player stands by",
    "simulations": "Simulations are set to",
}
ROUNDING = {
    "truncate": "dropped",
    "down": "rounded down",
    "up": "rounded up",
    "nearest": "rounded to the nearest",
}


def compare_edition(pair: RulesetPair, identity: str, group: list[Difference]) -> Iterator[ChangeLine]:
    """Yield the setting on both sides."""
    before, after = (_describe(side, identity) for side in (pair.before, pair.after))
    words = all(difference.words for difference in group)
    yield build_line("changed", LABELS[identity], before, after, covers=[d.path for d in group], words=words)


def whole_edition(side: Side, identity: str, difference: Difference) -> Iterator[ChangeLine]:
    """Yield one line for a manifest setting that only one side has."""
    value, label = _describe(side, identity), LABELS[identity]
    if difference.what == "added":
        before, after, sentence = "", value, f"{label}: {value}. Before, nothing was settled."
    else:
        before, after, sentence = value, "", f"{label}: nothing any more. Before: {value}."
    yield ChangeLine("changed", label, before, after, sentence, difference.words, (difference.path,))


def _describe(side: Side, key: str) -> str:
    """Return a setting of the manifest in words, or `nothing` if it is not set."""
    node = side.ruleset.resolved.manifest.get(key)
    match key, node:
        case "players", _:
            return describe_players(side.ruleset)
        case "rounding", Scalar(text=text):
            return ROUNDING.get(text, humanize(text))
        case "start", Scalar(text=text) if text in side.ruleset.procedures:
            return side.find_title("procedures", text)
        case "simulations", Mapping(entries=entries):
            return ", ".join(_choice(side, option, entry.value) for option, entry in entries.items())
        case _, Scalar(text=text):
            return humanize(text)
    return "nothing"


def _choice(side: Side, option: str, choice: Node) -> str:
    """Return an option of the game and its choice in words. An unknown option goes by its id, without the choice."""
    text = choice.text if isinstance(choice, Scalar) else ""
    declared = side.declared.options.get(option)
    if declared is None:
        return capitalize(humanize(option))
    return f"{side.render_words(declared.title)} – {side.render_words(declared.choices.get(text, humanize(text)))}"


TELLERS = {
    EDITION: Teller(compare_edition, whole_edition),
    "options": Teller(lines, whole),
    "decks": Teller(compare_deck, whole_deck),
}
