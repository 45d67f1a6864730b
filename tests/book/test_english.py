"""Each verb and each kind of expression in English."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.book.english import expression_english as fold
from rulewright.book.english.expression_english import English
from rulewright.book.english.grammar import choose_article
from rulewright.book.parts.formula_sentences import describe_formula
from rulewright.book.parts.step_sentences import StepWriter
from rulewright.book.style.text_style import Style
from rulewright.language.declarations import Scope
from rulewright.language.expressions import typed_ast
from rulewright.language.expressions.type_checker import check_expression
from rulewright.language.statement import by_role
from rulewright.language.types import Entity
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Scalar
from rulewright.source.span import Span
from tests.book.garden import garden, steps, write_garden
from tests.language.inline import sound
from tests.language.test_verbs import LANGUAGE


class Marked(Style):
    """Plain text that shows what is a name, a value and a block."""

    def name(self, text: str) -> str:
        return f"*{text}*"

    def value(self, text: str) -> str:
        return f"‹{text}›"

    def steps(self, items: object) -> str:
        return " [" + " | ".join(said for _, said in items) + "]"  # type: ignore[attr-defined]


VERBS: dict[str, tuple[list[str], str]] = {
    "roll": (
        [
            "- {id: sky, roll: weather, by: player}",
            "- {id: more, roll: 'weather[sky].rain'}",
            "- {id: hits, roll: '{6d6 as x: count(x >= 5) - count(x == 1)}'}",
            "- {id: sides, roll: '{2d(1d6)}'}",
            "- {id: years, roll: 1d6, into: season, when: bed.watered}",
            "- {id: throw, roll: 1d6, count: 3, by: player}",
            "- {id: skies, roll: weather, count: count(beds), in_order: true}",
            "- {id: some, let: '[count(throw), count(skies)]'}",
        ],
        "The player rolls on Weather for the *sky*. | Roll what the Weather table shows for the *sky*. | "
        "Roll 6d6 as x: count(x >= 5) - count(x == 1). | Roll 2d(1d6). | "
        "If the Bed is *watered*, roll 1d6; the result is *years*. Set *season* to *years*. | "
        "The player makes 3 separate rolls of 1d6; the results are *throw*, from the lowest to the highest. | "
        "Make as many separate rolls on Weather as the number of Beds; the results are *skies*, in the order rolled. "
        "| "
        "Note the *some*: [the number of the *throw*; the number of the *skies*].",
    ),
    "choose": (
        [
            "- {id: what, choose: {who: player, from: {dig: season > 1, rest: {label: Have a rest}}}, ask: What now?}",
            "- {id: one, choose: {who: bed.owner, one_of: beds, or_none: true}}",
            "- {id: some, choose: {who: player, some_of: beds, at_least: 1, at_most: 2}}",
            "- {id: pair, choose: {who: player, some_of: beds, at_least: 2, at_most: 2}}",
            "- {id: many, choose: {who: player, number: {from: 0, to: 3}}}",
            "- {id: plan, choose: {who: player, some_of: beds, at_least: 2, at_most: 2, in_order: true}}",
            "- {id: dry, choose: {who: player, some_of: beds, at_most: 3, such_that: sum(b.wet for b in it) < 4}}",
        ],
        "What now? The player chooses “Have a rest”, or ‹dig› if *season* is more than 1. | "
        "The Bed’s owner chooses a Bed, or none. | "
        "The player chooses 1 to 2 Beds. | "
        "The player chooses exactly 2 Beds. | "
        "The player chooses a number from 0 to 3. | "
        "The player chooses exactly 2 Beds, in order. | "
        "The player chooses up to 3 Beds, such that the total Water in the ground of the *dry* is less than 4.",
    ),
    "create": (
        [
            "- {id: new, create: bed, with: {owner: player, size: bush}}",
            "- {id: gone, remove: new}",
        ],
        "Add a new Bed of the player, the *new*: its size is ‹Bush›. | Remove the *new*.",
    ),
    "remove": (
        [
            "- {id: cleared, remove: list(b for b in beds if b.watered and b.owner == player)}",
        ],
        "Remove the Beds that are *watered* and whose owner is the player.",
    ),
    "do": (
        [
            "- {id: visit, do: rest, with: {player: player, time: season + 1}}",
            "- {id: after, let: visit.slept}",
        ],
        "Follow the steps under “Rest” for the player, with *A* as *time*; the result is the *visit*, where *A* is "
        "*season* plus 1. | "
        "*after* is the *slept* of the *visit*.",
    ),
    "draw": (
        [
            "- {id: card, draw: catalogue}",
            "- {id: lot, draw: {one_of: players}}",
            "- {id: lots, draw: {one_of: beds}, count: 2}",
            "- {id: more, let: lots}",
            "- {id: own, draw: player.satchel, count: 2}",
            "- {id: rest, let: player.satchel.left}",
        ],
        "Draw a card from the Catalogue. If the Catalogue is empty, first shuffle all of its cards again. | "
        "Choose a player at random. | "
        "Choose 2 of all Beds at random; they are *lots*. | "
        "The *more* is the *lots*. | "
        "Draw 2 cards from the player’s Satchel. | "
        "*rest* is the number of cards left in the player’s Satchel.",
    ),
    "put": (
        [
            "- {id: top, draw: shelf}",
            "- {id: back, put: {cards: top, under: shelf}}",
            "- {id: kept, put: {cards: top, onto: player.satchel}}",
        ],
        "Draw a card from the Shelf as the *top*. If the Shelf is empty, first shuffle all of its cards again. | "
        "Put the *top* under the Shelf. | "
        "Put the *top* on top of the player’s Satchel.",
    ),
    "reshuffle": (
        [
            "- {id: anew, reshuffle: shelf}",
            "- {id: top, draw: shelf}",
            "- {id: less, reshuffle: shelf, removing: top}",
            "- {id: more, reshuffle: shelf, removing: 'first(2, shelf.cards)', adding: top}",
            "- {id: own, reshuffle: player.satchel, adding: top}",
        ],
        "Shuffle the Shelf. | Draw a card from the Shelf as the *top*. If the Shelf is empty, first shuffle all of "
        "its cards again. | Take the *top* out of the Shelf, and shuffle it. | "
        "Take the first 2 of the cards left in the Shelf out of the Shelf, and shuffle it together with the *top*. | "
        "Shuffle the player’s Satchel together with the *top*.",
    ),
    "finish": (
        [
            "- {id: end, finish: {winners: [player]}, when: season > 9}",
            "- {id: draw, when: season > 8, finish: []}",
            "- {id: odd, when: season > 7, finish: list(p for p in players if p.seed + p.water > season)}",
        ],
        "If *season* is more than 9, the game ends, and the player wins. | "
        "If *season* is more than 8, the game ends in a draw. | "
        "If *season* is more than 7, the game ends, and is won by the players for whom "
        "*B* is more than *season*, where *B* is the number of Seeds of that player plus that player’s Water.",
    ),
    "for_each": (
        [
            "- {id: all, for_each: bed_2, in: beds, steps: [{id: wet, set: {bed_2.watered: true}}]}",
        ],
        "Each Bed is now *watered*.",
    ),
    "gain": (
        [
            "- {id: got, gain: {who: player, seed: harvest, water: season * 2}}",
        ],
        "The player gains 3 Seeds and Water equal to *A*, where *A* is twice *season*.",
    ),
    "pay": (
        [
            "- {id: paid, pay: {who: bed.owner, seed: 1}}",
        ],
        "The Bed’s owner pays 1 Seed.",
    ),
    "if": (
        [
            "- {id: i, if: bed.tenant, then: [{id: a, stop: true}], else: [{id: b, gain: {who: player, seed: 2}}]}",
        ],
        "If the Bed has a tenant, skip the rest of “Tending a Bed”. Otherwise, the player gains 2 Seeds.",
    ),
    "let": (
        [
            "- {id: old, let: season}",
            "- {id: kept, let: [], type: list of bed}",
            "- {id: winners, let: [], type: list of player}",
        ],
        "*old* is *season*. | Start with no *kept*. | Start with no *winners*.",
    ),
    "repeat": (
        [
            "- {id: r, repeat: {until: season >= 4, at_most: 3, steps: [{id: turn, set: {season: season + 1}}]}}",
            "- {id: w, repeat: {while: bed.watered, at_most: 9, steps: [{id: dry, set: {bed.watered: false}}]}}",
            "- {id: e, repeat: {at_most: 4, steps: [{id: older, set: {season: season + 1}}]}}",
            "- {id: l, repeat: {at_most: 4, steps: [{id: over, stop: true, when: season > 9}]}}",
            "- {id: c, repeat: {at_most: harvest * 2, steps: [{id: up, gain: {who: player, seed: 1}}]}}",
            "- {id: f, repeat: {until: season >= 4, ends_within: 9, steps: [{id: on, set: {season: season + 1}}]}}",
        ],
        "Until *season* is 4 or more, repeat this up to three times: add 1 to *season*. | "
        "As long as the Bed is *watered*, repeat this up to nine times: the Bed is no longer *watered*. | "
        "Do this four times: add 1 to *season*. | "
        "Do this up to four times: [If *season* is more than 9, skip the rest of “Tending a Bed”.] | "
        "Do this six times: the player gains 1 Seed. | "
        "Until *season* is 4 or more, repeat this: add 1 to *season*.",
    ),
    "say": (
        [
            "- {id: dry, say: 'nothing grows on the {bed}', when: season > 9}",
            "- {id: wet, say: 'How wet is {given.bed} of {given.who}?', with: {bed: bed, who: player}}",
            "- {id: late, say: 'The {given.bed} of {given.who} dries', with: {bed: bed, who: player}}",
        ],
        "If *season* is more than 9, announce: “Nothing grows on the Bed.” | "
        "Announce: “How wet is the Bed of the player?” | "
        "Announce: “The Bed of the player dries.”",
    ),
    "set": (
        [
            "- {id: s, set: {bed.tenant: none, season: season - 2, bed.size: next(bed.size) or tree}}",
            "- {id: two, when: bed.watered, set: {season: 1, player.seed: 2}}",
            "- {id: mix, set: {player.seed: 2, season: 1}}",
        ],
        "The Bed no longer has a tenant. Reduce *season* by 2. The Bed’s size is now what "
        "comes after the Bed’s size in Sizes or else ‹Tree›. | "
        "If the Bed is *watered*, set *season* to 1, and the player now has 2 Seeds. | "
        "The player now has 2 Seeds. Set *season* to 1.",
    ),
    "show": (
        [
            "- {id: peek, show: {what: bed.secret, to: player}}",
            "- {id: dug, show: {what: bed, to: everybody}}",
            "- {id: some, show: {what: bed.secret, to: list(p for p in players if p != bed.owner)}}",
            "- {id: face_down, roll: 1d6, seen_by: bed.owner}",
            "- {id: hers, roll: 1d6, by: player, seen_by: player}",
            "- {id: unseen, draw: catalogue, seen_by: player}",
            "- {id: card, draw: catalogue, seen_by: nobody}",
            "- {id: plan, choose: {who: player, one_of: beds}, seen_by: nobody}",
            "- {id: told, choose: {who: player, one_of: beds}, seen_by: bed.owner}",
            "- {id: own, choose: {who: player, one_of: beds}, seen_by: player}",
            "- {id: bids, choose: {who: players, as: bidder, number: {from: 0, to: bidder.seed}}}",
            "- {id: most, let: 'bids[player]'}",
        ],
        "Show the Bed’s secret to the player. | "
        "Reveal everything hidden about the Bed. | "
        "Show the Bed’s secret to the players other than the Bed’s owner. | "
        "Roll 1d6. Only the Bed’s owner may look at the result. | "
        "The player rolls 1d6. Nobody else may look at the result. | "
        "The player draws a card from the Catalogue. Nobody else may look at it. If the Catalogue is empty, first "
        "shuffle all of its cards again. | "
        "Draw a card from the Catalogue. Nobody may look at it. | "
        "The player chooses a Bed. Nobody else sees the choice. | "
        "The player chooses a Bed. Of the others, only the Bed’s owner sees the choice. | "
        "The player chooses a Bed. Nobody else sees the choice. | "
        "Each player (the *bidder*) secretly chooses a number from 0 to their number of Seeds as the *bids*. "
        "Then all choices are revealed. | "
        "*most* is the player’s *bids*.",
    ),
    "steps": (
        [
            "- {id: g, when: season % 2 == 1, steps: [{id: odd, gain: {who: player, seed: 1}}]}",
        ],
        "If *season* is odd, the player gains 1 Seed.",
    ),
    "stop": (
        [
            "- {id: l, repeat: {at_most: 4, steps: [{id: over, stop: l, when: season > 9}]}}",
            "- {id: k, for_each: b, in: beds, steps: [{id: m, repeat: {at_most: 4, steps: [{id: end, stop: k}]}}]}",
            "- {id: s, stop: true, when: not bed.watered}",
        ],
        "Do this up to four times: [If *season* is more than 9, stop.] | "
        "For each Bed in turn, do this up to four times: "
        "stop, and do not repeat the steps around these either. | "
        "If the Bed is not *watered*, skip the rest of these steps.",
    ),
}

REST = """\
  rest:
    title: Rest
    given: {player: player, time: int}
    gives: {slept: time}
    steps:
      - {id: nap, gain: {who: player, water: time}}
exceptions:
"""


def test_every_verb_has_its_golden() -> None:
    assert set(VERBS) == set(LANGUAGE)


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_in_english(verb: str, tmp_path: Path) -> None:

    lines, expected = VERBS[verb]
    rules = steps(*lines).replace("exceptions:\n", REST)
    rules = rules.replace("      rested: {", "      secret: {type: int, seen_by: self.owner}\n      rested: {")
    ruleset = load_ruleset("garden/small", rules=[write_garden(tmp_path, rules)])
    text = StepWriter(ruleset.procedures["tend"], Marked(ruleset)).all().strip()
    text, _, _ = text.removeprefix("[").rpartition(" | ")
    assert text == expected


def test_an_element_and_the_answer_of_a_player_are_named(tmp_path: Path) -> None:
    group = "list(p for p in players if p != player)"
    lines = (
        f"- {{id: bids, choose: {{who: '{group}', as: bidder, number: {{from: 0, to: 3}}}}, into: bidder.water}}",
        "- {id: most, let: 'bids[player] or 0'}",
        "- {id: got, when: 'bids[player]', set: {player.seed: 'bids[player]'}}",
        "- {id: none_, when: 'not bids[player]', set: {player.seed: 1}}",
        "- {id: one, let: 'beds[2]'}",
        "- {id: two, when: 'beds[season]', set: {season: 1}}",
        "- {id: three, let: 'beds[season]'}",
    )
    ruleset = load_ruleset("garden/small", rules=[write_garden(tmp_path, steps(*lines))])
    sentence = StepWriter(ruleset.procedures["tend"], Marked(ruleset)).all().strip().removeprefix("[").split(" | ")
    assert sentence[:-1] == [
        "Each of the players other than the player (the *bidder*) secretly chooses a number from 0 to 3 as the *bids*."
        " Then all choices are revealed. Set the *bidder*’s Water to the *bidder*’s *bids*.",
        "*most* is the player’s *bids* or else 0.",
        "If the player has chosen, set the number of Seeds of the player to the player’s *bids*.",
        "If the player has not chosen, they now have 1 Seed.",
        "The *one* is the second of all Beds, if any.",
        "If the number of Beds is at least *season*, set *season* to 1.",
        "The *three* is the one of all Beds whose number is *season*, if any.",
    ]


def test_a_loop_says_how_often_even_if_a_procedure_that_it_calls_may_end_the_game(tmp_path: Path) -> None:
    """The called procedure says that itself."""
    called = "- {id: twice, repeat: {at_most: 2, steps: [{id: nap, do: rest, with: {player: player, time: 1}}]}}"
    last = "      - {id: done, finish: {winners: []}, when: player.water > 9}\nexceptions:\n"
    rules = steps(called).replace("exceptions:\n", REST.replace("exceptions:\n", last))
    ruleset = load_ruleset("garden/small", rules=[write_garden(tmp_path, rules)])
    text = StepWriter(ruleset.procedures["tend"], Marked(ruleset)).all().strip()
    assert text.startswith("[Do this twice: ")


def test_a_special_case_stands_with_its_step(tmp_path: Path) -> None:
    ruleset = garden(tmp_path)
    text = StepWriter(ruleset.procedures["tend"], Marked(ruleset)).all().strip()
    assert text == (
        "[The Bed is now *watered*. Special case. In full shade nothing is left. "
        "This applies if you play with “Full shade”. Instead, the Bed is no longer *watered*.]"
    )


EXPRESSIONS = {
    "season + harvest": "*season* plus 3",
    "harvest + 1": "3 (harvest) plus 1",
    "2 * harvest": "2 times 3 (harvest)",
    "harvest / 2": "3 (harvest) divided by 2, dropping any fraction",
    "2 + 1": "2 plus 1",
    "(season + 1) * 2": "twice *A*, where *A* is *season* plus 1",
    "-season": "minus *season*",
    "season / 2": "half of *season*, dropping any fraction",
    "season % 3": "what is left over when *season* is divided by 3",
    "2 * 1d6": "one roll of 1d6, multiplied by 2",
    "each(season, 1d6)": "as many rolls of 1d6 as *season*, added up",
    "rain + 1d6": "2d6 +1 + 1d6",
    "season > 1 and not bed.watered": "whether *season* is more than 1 and the Bed is not *watered*",
    "season == 1 or season == 2 and season != 3": (
        "whether at least one of these applies: [*season* is 1; *season* is 2 and *season* is not 3]"
    ),
    "bed.size >= bush": "whether the Bed’s size is no lower than ‹Bush›",
    "bed.size in [bush, tree]": "whether the Bed’s size is either ‹Bush› or ‹Tree›",
    "bed.size not in [bush, tree]": "whether the Bed’s size is neither ‹Bush› nor ‹Tree›",
    "bed not in beds": "whether the Bed is no longer in play",
    "bed.tenant or bed.owner": "the Bed’s tenant or else the Bed’s owner",
    "bed.tenant or first(players) or player": ("the Bed’s tenant or else the first player or else the player"),
    "not raining or season > 1": "whether *raining* does not hold or *season* is more than 1",
    "bed.tenant == none": "whether the Bed has no tenant",
    "bed.tenant == player": "whether the Bed’s tenant is the player",
    "1 if bed.watered else 2": "1 if the Bed is *watered*, otherwise 2",
    "[player, bed.owner]": "the player and the Bed’s owner",
    "count(beds)": "the number of Beds",
    "count(b for b in beds if b.owner == player)": "the number of Beds whose owner is the player",
    "sum(b.worth for b in beds)": "the total worth of all Beds",
    "sum(sizes[b.size].price for b in beds)": (
        "the total, for each Bed, of the price that the Sizes table gives for its size"
    ),
    "sum(b.size.rank + b.worth for b in beds)": (
        "the total, for each Bed, of its worth plus the place of its size in Sizes"
    ),
    "season == 1 and not (bed.watered and bed.rested)": (
        "whether *season* is 1 and either the Bed is not *watered* or the Bed is not ready for a new Plant"
    ),
    "season == 1 or not (bed.watered or bed.rested)": (
        "whether at least one of these applies: [*season* is 1; the Bed is not *watered* and the Bed is not ready "
        "for a new Plant]"
    ),
    "max(b.size for b in beds)": "the highest size of all Beds",
    "first(b for b in beds if not b.watered by b.worth)": (
        "of the Beds that are not *watered*, the one with the lowest worth (if tied, the first)"
    ),
    "list(b.owner for b in beds)": "the owner of each Bed",
    "list(b for b in beds by -b.worth)": "all Beds, in descending order of worth",
    "first(b for b in beds if not b.watered by -b.size)": (
        "of the Beds that are not *watered*, the one with the highest size (if tied, the first)"
    ),
    "last(b for b in beds by -b.size.rank)": "the Bed with the lowest size (if tied, the last)",
    "distinct(b.size for b in beds)": "the size of each Bed, without repeats",
    "distinct(b for b in beds if b.watered)": "the Beds that are *watered*, without repeats",
    "beds - bed": "all Beds without the Bed",
    "list(b for b in beds if b.watered) - [bed]": "*A* without the Bed, where *A* is the Beds that are *watered*",
    "first(2, players)": "the first 2 of all players",
    "first(1, players)": "the first of all players",
    "last(season, list(b for b in beds by b.worth))": (
        "the last *season* of *A*, where *A* is all Beds, in order of worth"
    ),
    "list(s for b in beds for s in sizes if b.worth > s.price)": (
        "for every *X* among all Beds, the Sizes for which *X*’s worth is more than its price, all in one list"
    ),
    "sum(b.worth + c.worth for b in beds for c in beds if b.size == c.size)": (
        "the total, for every *X* among all Beds, of the total, for each Bed that has the same size as *X*, of "
        "*X*’s worth plus its worth"
    ),
    "any(b.owner == c.owner for b in beds for c in beds)": (
        "whether for at least one *X* among all Beds, at least one Bed has the same owner as *X*"
    ),
    "count(b for b in beds for c in beds if b.size < c.size)": (
        "the total, for every *X* among all Beds, of the number of Beds for which *X*’s size is lower than its size"
    ),
    "max(b.worth - c.worth for b in beds for c in beds)": (
        "the highest of *A*, where *A* is for every *X* among all Beds, for each Bed, *X*’s worth minus "
        "its worth, all in one list"
    ),
    "flatten([b.size, bush] for b in beds)": "for each Bed, its size and ‹Bush›, all in one list",
    "any(b.tenant == player for b in beds)": "whether there is a Bed whose tenant is the player",
    "none(beds)": "whether there are no Beds",
    "all(b.watered for b in beds)": "whether every Bed is *watered*",
    "min(season, harvest)": "the smaller of *season* and 3",
    "max(1, count(beds))": "the number of Beds (minimum 1)",
    "min(3, 5 - count(beds))": "5 minus the number of Beds, but at most 3",
    "player.seed / 2": "half of the player’s Seeds, rounded down",
    "season == count(beds)": "whether *season* equals the number of Beds",
    "mean(rain) > 7": "whether the average of 2d6 +1 is more than 7",
    "next(player, players)": "the next player",
    "next(player)": "the next player",
    "previous(player)": "the previous player",
    "previous(bed.size) or bush": "what comes before the Bed’s size in Sizes or else ‹Bush›",
    "previous(bed.size) == none": "whether the Bed’s size is the first of Sizes",
    "sizes[bed.size].price": "the price that the Sizes table gives for the Bed’s size",
    "sizes.bush.price": "the price of ‹Bush›",
    "bed.size.rank": "the place of the Bed’s size in Sizes",
    "finest": "the *finest*",
    "share(season, 2)": "the *share* of *season* and 2",
    "yield_of(bed, 2)": "what the Bed yields to 2 gardeners",
    "thrives(bed, player)": "whether the Bed thrives under the player",
    "not thrives(bed, player)": "whether the Bed withers, whatever the player does",
    "any(b for b in beds if thrives(b, player))": "whether there are Beds for which it thrives under the player",
    "bed.rested": "whether the Bed is ready for a new Plant",
    "bed.wet": "the Bed’s Water in the ground",
    "none(b.bare for b in beds)": "whether no Bed is free of Plants",
    "options.shade == half": "whether you play with “Half shade”",
    "player.seed": "the number of Seeds of the player",
    "player.water": "the player’s Water",
    "mean(1d6 + 1 + 1d6) == 8": "whether the average of 1d6 +1 + 1d6 is 8",
    "mean(2 * 1d6 + 9) == 16": "whether the average of 2 × 1d6 +9 is 16",
    "share(season, 2) * season": "*A* times *season*, where *A* is the *share* of *season* and 2",
    "count(beds) * season": "*season* times the number of Beds",
    "season + count(beds) + 1": "*season* plus 1 plus the number of Beds",
    "share(season * (season + 1), 2)": (
        "the *share* of *B* and 2, where: [*A* is *season* plus 1; *B* is *season* times *A*]"
    ),
    "all(b.watered and b.tenant for b in beds)": "whether every Bed is *watered* and has a tenant",
    "none(b.watered or b.rested for b in beds)": "whether no Bed is *watered* or is ready for a new Plant",
    "any(b.watered and b.owner == player for b in beds)": (
        "whether there is a Bed that is *watered* and whose owner is the player"
    ),
    "list(b for b in beds if raining and b.watered)": "the Beds that are *watered*, provided that *raining* holds",
    "first(b for b in beds if b.owner == player and bed.tenant and b.watered)": (
        "the first Bed whose owner is the player and that is *watered*, provided that the Bed has a tenant"
    ),
    "list(p for p in players if p != player)": "the players other than the player",
    "list(p for p in players if thrives(bed, p))": "the players for whom the Bed thrives under that player",
    "sum(count(p.plants) for p in beds)": "the total number of Plants of all Beds",
    "bed.walls == bush and season > 1": "whether the Bed’s Walls are ‹Bush› and *season* is more than 1",
    "list(b for b in beds if b.walls == bush)": "the Beds whose Walls are ‹Bush›",
    "sizes": "the Sizes",
    "true": "yes",
    "any(thrives(bed, p) for p in players)": "whether the Bed thrives under at least one player",
    "none(thrives(bed, p) for p in players)": "whether the Bed withers, whatever any player does",
    "player.seed == max(p.seed for p in players)": "whether the player has the most Seeds of all players",
    "list(p for p in players if p.water == min(q.water for q in players))": "the players who have the least Water",
    "list(b for b in beds if b.worth == max(c.worth for c in beds))": "the Beds that have the highest worth",
    "next(bed.owner)": "the player after the Bed’s owner",
    "next(bed, beds)": "the next of all Beds after the Bed, going round",
}


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_an_expression_in_english(expression: str, tmp_path: Path) -> None:
    ruleset = garden(tmp_path)
    scope = Scope(ruleset.declarations)
    scope = scope.with_variable("player", Entity("player")).with_variable("bed", Entity("bed"))
    diagnostics = Diagnostics()
    node = check_expression(Scalar(expression, expression, Span.for_file("test")), scope, diagnostics)
    assert not diagnostics.errors, list(diagnostics)
    assert English(Marked(ruleset)).value(node) == EXPRESSIONS[expression]


@pytest.mark.parametrize(
    "phrase",
    ["an egg", "an *odd* thing", "an <em>unpaid</em> one", "an uncle", "an upkeep", "a unit", "a use", "a <b>bed</b>"],
)
def test_the_article_goes_by_the_sound(phrase: str) -> None:
    assert choose_article(phrase.partition(" ")[2]) == phrase


def test_what_is_true_or_not_is_noted_in_the_rules_own_words(tmp_path: Path) -> None:

    rules = steps(
        "- {id: agreed, let: true}",
        "- {id: refused, set: {agreed: false}, when: season > 1}",
        "- {id: asked, set: {agreed: bed.watered}}",
        "- {id: over, stop: true, when: not agreed}",
    ).replace(
        "    steps:\n", "    names: {agreed: {if_true: everybody agrees, if_false: somebody refuses}}\n    steps:\n", 1
    )
    ruleset = load_ruleset("garden/small", rules=[write_garden(tmp_path, rules)])
    sentence = StepWriter(ruleset.procedures["tend"], Marked(ruleset)).all()
    assert sentence.startswith(
        " [Note that everybody agrees. | If *season* is more than 1, note that somebody refuses. | "
        "Everybody agrees if the Bed is *watered*. | "
        "If somebody refuses, skip the rest of these steps."
    )


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ("tenant: player", "The Bed is now *watered*."),
        ("tenant: bed.tenant", "The Bed is now *watered*."),  # filled from what is always there
        ("size: bush", "If the Bed has a tenant, it is now *watered*."),
    ],
)
def test_what_is_always_there_is_not_asked_for(more: str, sentence: str, tmp_path: Path) -> None:

    rules = steps(
        f"- {{id: made, create: bed, with: {{owner: player, {more}}}}}",
        "- {id: s, when: bed.tenant, set: {bed.watered: true}}",
    )
    ruleset = load_ruleset("garden/small", rules=[write_garden(tmp_path, rules)])
    writer = StepWriter(ruleset.procedures["tend"], Marked(ruleset))
    assert writer.step("s") == sentence


def test_what_some_step_empties_is_asked_for(tmp_path: Path) -> None:

    rules = steps(
        "- {id: made, create: bed, with: {owner: player, tenant: player}}",
        "- {id: s, let: count(b for b in beds if b.tenant and b.watered)}",
        "- {id: gone, set: {bed.tenant: none}}",
    )
    ruleset = load_ruleset("garden/small", rules=[write_garden(tmp_path, rules)])
    sentence = StepWriter(ruleset.procedures["tend"], Marked(ruleset)).step("s")
    assert sentence == "*s* is the number of Beds that have a tenant and that are *watered*."


def test_a_loop_runs_more_or_less_often_on_a_condition(tmp_path: Path) -> None:
    step = "{id: older, set: {season: season + 1}}"
    ruleset = garden(tmp_path, f"- {{id: r, repeat: {{at_most: 3 if bed.watered else 14, steps: [{step}]}}}}")
    sentence = StepWriter(ruleset.procedures["tend"], Marked(ruleset)).step("r")
    assert sentence == "Do this three times if the Bed is *watered*, otherwise 14 times: add 1 to *season*."


def test_a_name_that_says_what_it_is_needs_no_repetition(tmp_path: Path) -> None:
    rules = steps(
        "- {id: owner, choose: {who: player, one_of: players}}",
        "- {id: left, let: season}",
        "- {id: one, create: bed, with: {owner: owner}}",
        "- {id: other, create: bed, with: {owner: owner, size: bush}}",
        "- {id: kept, let: other}",
        "- {id: got, gain: {who: player, seed: left}}",
        "- {id: much, gain: {who: player, seed: bed.owner.seed}}",
    )
    rules = rules.replace(
        "  tend:\n    ", '  tend:\n    names: {left: "{seed.plural} left", other: bare Bed, owner: owner}\n    '
    )
    ruleset = load_ruleset("garden/small", rules=[write_garden(tmp_path, rules)])
    writer = StepWriter(ruleset.procedures["tend"], Marked(ruleset))
    assert writer.step("one") == "Add a new Bed with the owner."
    assert writer.step("other") == "Add a new Bed, the bare Bed, with the owner: its size is ‹Bush›."
    assert writer.step("got") == "The player gains the Seeds left."
    assert writer.step("much") == "The player gains Seeds equal to the number of Seeds of the Bed’s owner."


CHANGES = {
    "season: 'season + 1 if bed.watered else 0'": "If the Bed is *watered*, add 1 to *season*; otherwise, set "
    "*season* to 0.",
    "season: 'season + 1 if bed.watered else season'": "If the Bed is *watered*, add 1 to *season*.",
    "season: 'season if bed.watered else 3', bed.watered: false": "If the Bed is not *watered*, set "
    "*season* to 3. Then the Bed is no longer *watered*.",
    "season: 3, bed.tenant: tenant": "Set *season* to 3.",
    "bed.tenant: tenant": "Note the Bed’s tenant.",
}


@pytest.mark.parametrize("changes", CHANGES)
def test_a_change_begins_with_its_condition_and_says_nothing_that_is_known(changes: str, tmp_path: Path) -> None:
    names = "names: {tenant: the Bed’s tenant}\n    "
    rules = steps("- {id: tenant, choose: {who: player, one_of: players}}", f"- {{id: s, set: {{{changes}}}}}")
    rules = rules.replace("  tend:\n    ", f"  tend:\n    {names}")
    ruleset = load_ruleset("garden/small", rules=[write_garden(tmp_path, rules)])
    assert StepWriter(ruleset.procedures["tend"], Marked(ruleset)).step("s") == CHANGES[changes]


@pytest.mark.parametrize(
    ("second", "called", "condition"),
    [("Leave", "", "the choice is “Take”"), ("Take", " as the *pick*", "*pick* is “Take”")],
)
def test_an_option_was_chosen_unless_another_choice_has_it_too(
    second: str, called: str, condition: str, tmp_path: Path
) -> None:
    rules = steps(
        "- {id: pick, choose: {who: player, from: {keep: {label: Take}, drop: {label: No}}}, ask: What now?}",
        f"- {{id: other, choose: {{who: player, from: {{keep: {{label: {second}}}, drop: {{label: Never}}}}}}}}",
        "- {id: s, when: pick == keep, set: {bed.rested: true}}",
        "- {id: n, when: pick != keep, set: {bed.rested: true}}",
    )
    ruleset = load_ruleset("garden/small", rules=[write_garden(tmp_path, rules)])
    writer = StepWriter(ruleset.procedures["tend"], Marked(ruleset))
    assert writer.step("pick") == f"What now? The player chooses “Take” or “No”{called}."
    assert writer.step("s") == f"If {condition}, the Bed is now ready for a new Plant."
    not_ = condition.replace(" was ", " was not ").replace(" is ", " is not ")
    assert writer.step("n") == f"If {not_}, the Bed is now ready for a new Plant."


@pytest.mark.parametrize(
    ("choice", "between", "asked"),
    [
        ("", "- {id: dry, set: {bed.watered: false}}", False),
        ("when: season > 1, ", "- {id: dry, set: {bed.watered: false}}", True),  # an answer may be of another round
        ("", "- {id: other, set: {old: none}}", True),
    ],
)
def test_what_an_option_was_offered_on_is_not_asked_for_again(
    choice: str, between: str, asked: bool, tmp_path: Path
) -> None:

    rules = steps(
        "- {id: old, let: bed.tenant}",
        f"- {{id: pick, {choice}choose: {{who: player, from: {{keep: {{}}, drop: {{when: old, label: No}}}}}}}}",
        between,
        "- {id: s, when: pick == drop and old, set: {bed.rested: true}}",
    )
    ruleset = load_ruleset("garden/small", rules=[write_garden(tmp_path, rules)])
    sentence = StepWriter(ruleset.procedures["tend"], Marked(ruleset)).step("s")
    also = " and there is an *old*" if asked else ""
    assert sentence == f"If the choice is “No”{also}, the Bed is now ready for a new Plant."


def test_every_node_has_its_english() -> None:
    nodes = {item for item in vars(typed_ast).values() if isinstance(item, type) and issubclass(item, typed_ast.Typed)}
    questions = {
        typed_ast.Comparison,
        typed_ast.Membership,
        typed_ast.Logic,
        typed_ast.Not,
        typed_ast.Present,
        typed_ast.After,
    }
    assert nodes - {typed_ast.Typed} == set(fold.SAID_BY) | questions


def test_what_has_a_unit_is_counted_in_it_though_its_name_is_not_counted() -> None:

    ruleset = load_ruleset("pig/classic")
    sentence = StepWriter(ruleset.procedures["game"], Marked(ruleset)).all()
    assert "gains points equal to the pot" in sentence


def test_words_of_the_rules_need_no_article_and_may_have_one(tmp_path: Path) -> None:
    text = steps("- {id: lot, let: player.lead}", "- {id: paid, gain: {who: player, seed: lot}}")
    sentences = []
    for words in ("first bid", "the first bid"):
        rules = text.replace("water: count}", f"water: count, lead: {{type: int, wording: {words}}}}}")
        rules = rules.replace("    gives:", f"    names: {{lot: {words}}}\n    gives:")
        ruleset = load_ruleset("garden/small", rules=[write_garden(tmp_path / words, rules)])
        sentences.append(StepWriter(ruleset.procedures["tend"], Marked(ruleset)).all())
    assert sentences[0] == sentences[1]
    assert "Note the player’s first bid." in sentences[0]


def test_an_argument_has_one_article(tmp_path: Path) -> None:
    added = "  weight: {given: {plot: bed}, is: plot.size.price, wording: 'what a {given.plot} weighs'}\n"
    rules = steps().replace("formulas:\n", f"formulas:\n{added}")
    ruleset = load_ruleset("garden/small", rules=[write_garden(tmp_path, rules)])
    assert describe_formula("weight", Marked(ruleset))[2] == "What a Bed weighs is its size’s price"


GOODS = """\
terms: {good: {name: Good, means: What is carried.}}
tables: {goods: {title: Goods, columns: {price: int}, rows: {wood: {price: 1}, wool: {price: 2}}}}
kinds:
  player:
    fields:
      stock: {type: map of goods to count, wording: stock, means: What one has.}
      due: {type: count, means: The debt.}
procedures:
  settle:
    title: Settling
    given: {player: player, good: goods}
    steps:
      - {id: one, pay: {who: player, "stock[wood]": 1}}
      - {id: due, pay: {who: player, "stock[good]": player.due}}
      - {id: price, gain: {who: player, "stock[good]": good.price}}
"""


@pytest.mark.parametrize(
    ("unit", "sentences"),
    [
        (
            "",
            [
                "The player pays 1 ‹Wood›.",
                "The player pays as many of the Good as their due.",
                "The player gains as many of the Good as the Good’s price.",
            ],
        ),
        (
            'unit: "{bale.plural}", ',
            [
                "The player pays 1 bale for ‹Wood›.",
                "The player pays as many bales for the Good as their due.",
                "The player gains as many bales for the Good as the Good’s price.",
            ],
        ),
    ],
)
def test_amounts_of_a_row_are_as_many_of_it_as_something(tmp_path: Path, unit: str, sentences: list[str]) -> None:
    (tmp_path / "ruleset.yaml").write_text("ruleset: test/goods\nversion: 1.0.0\ntitle: Goods\n", encoding="utf-8")
    goods = GOODS.replace("wording: stock", f"{unit}wording: stock").replace(
        "terms: {", "terms: {bale: {name: bale, plural: bales, means: A bale.}, "
    )
    (tmp_path / "rules.yaml").write_text(goods, encoding="utf-8")
    ruleset = load_ruleset("test/goods", rules=tmp_path)
    assert StepWriter(ruleset.procedures["settle"], Marked(ruleset)).all().strip(" []").split(" | ") == sentences


SEARCH = """
kinds: {player: {fields: {coins: {type: count, wording: coins}}}}
state: {long: bool}
procedures:
  seek: {title: Seek, steps: [{id: best, let: first(p for p in players if p.coins > 3)}], gives: {winner: best}}
  sale:
    title: A sale
    NAMES
    steps:
      - {id: sold, do: seek}
      - {id: paid, gain: {who: sold.winner, coins: 1}, when: sold.winner and long}
      - {id: lost, set: {long: true}, when: not sold.winner}
"""


@pytest.mark.parametrize(
    ("names", "presence", "there", "missing"),
    [
        ("", "", "the *sold* has a *winner*", "the *sold* has no *winner*"),
        ("names: {sold: sale}", "", "the sale has a *winner*", "the sale has no *winner*"),
        (
            "names: {sold: sale}",
            "was found",
            "a *winner* of the sale was found",
            "no *winner* of the sale was found",
        ),
    ],
)
def test_a_part_that_may_be_none_is_one_of_its_result(
    names: str, presence: str, there: str, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(by_role("call"), "presence", presence)
    ruleset = sound(SEARCH.replace("NAMES", names))
    sentence = StepWriter(ruleset.procedures["sale"], Marked(ruleset)).all()
    assert f"If {there} and *long* holds, the *winner* of the" in sentence
    assert f"If {missing}, note that" in sentence


def test_an_argument_with_a_pronoun_has_no_article() -> None:
    ruleset = sound(
        "tables:\n  ways: {rows: {north: {}, south: {}}}\n"
        "  spots: {columns: {way: ways, n: int}, rows: {a: {way: north, n: 1}, b: {way: south, n: 2}}}\n"
        "formulas:\n  view: {given: {spot: spots, way: ways}, is: spot.n + way.rank,"
        ' wording: "what lies to the {given.way} of {given.spot}"}\n'
        '  far: {is: "list(s for s in spots if view(s, s.way) > 2)"}\n'
    )
    assert "for which what lies to its way of it is more than 2" in describe_formula("far", Marked(ruleset))[2]
