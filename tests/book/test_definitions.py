"""Definitions of formulas, and lists without letters."""

from __future__ import annotations

import pytest

from rulewright.book.parts.formula_sentences import describe_formula
from rulewright.book.parts.step_sentences import StepWriter
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.ruleset import Ruleset
from tests.book.test_english import Marked
from tests.language.inline import sound

PRONOUNS = """
terms: {card: {name: Card, plural: Cards, means: One.}}
tables:
  suits:
    title: Suits
    columns: {sister: suits, first: int}
    rows: {red: {sister: black, first: 3}, black: {sister: red, first: 2}}
  cards:
    title: Cards
    columns: {suit: suits, wild: bool}
    rows: {one: {suit: red, wild: true}, two: {suit: black, wild: false}}
decks: {pack: {title: pack, of: cards}}
kinds: {player: {fields: {hand: {type: list of cards}, coins: int, chips: {type: int, unit: "{card.plural}"}}}}
state: {trumps: {type: suits, default: red}, bids: {type: map of suits to int, wording: bid}}
procedures:
  play:
    title: Play
    given: {player: player, card: cards}
    steps:
      - {id: more, let: "total(player.hand + card)"}
      - {id: none, when: "total(player.hand - card) > 1 and total(player.hand) > 2", set: {player.coins: more}}
      - {id: one, gain: {who: player, chips: 1}}
      - {id: two, gain: {who: player, chips: 2}}
      - {id: last, set: {player.hand: "sorted_hand(player.hand + card)"}}
      - id: passed
        choose: {who: player, some_of: player.hand, at_least: 2, at_most: 2}
        ask: Which {card.plural} do you pass?
formulas:
  total: {given: {hand: list of cards}, is: count(hand)}
  sorted_hand: {given: {hand: list of cards}, is: list(c for c in hand by c), wording: "{given.hand}, in order"}
  turned:
    given: {card: cards}
    is: card.suit.sister if is_trump(card) else card.suit
    wording: "the colour of {given.card}"
  is_trump: {given: {card: cards}, is: card.suit == trumps and card.suit.sister != trumps}
  follows: {given: {player: player, card: cards}, is: list(c for c in player.hand if turned(c) == turned(card))}
  best: {given: {player: player}, is: "player.coins if any(player.hand) else total(follows(player, cards.one))"}
  alike: {given: {card: cards}, is: count(c for c in cards if c.suit == card.suit)}
  sum_of: {given: {player: player}, is: player.coins + (3 if any(player.hand) else 0) - (2 if player.coins > 1 else 0)}
  team: {given: {player: player}, is: "[player, opponent(player)]", wording: "the team of {given.player}"}
  left: {given: {player: player}, is: player.coins, wording: "the coins that {given.player} still has"}
  open_suits: {is: "count(s for s in suits if bids[s] > 1)"}
  rich: {given: {player: player}, is: "any(p for p in players if left(p) > 2)", wording: {if_true: "x", if_false: "y"}}
  value: {given: {player: player}, is: player.coins, wording: "the value of the hand of {given.player}"}
  leader:
    given: {player: player, card: optional cards}
    is: value(player) == max(value(p) for p in players) and card != none
  mates:
    given: {player: player, card: cards}
    is: player in team(next(player)) and card not in follows(player, card)
  back: {given: {card: cards}, is: card.suit.sister, wording: "the colour of the back of {given.card}"}
  matching: {given: {suit: suits}, is: count(c for c in cards if back(c) == suit)}
  wildest: {given: {card: cards}, is: card.wild and not card.suit.sister == red}
  large:
    given: {hand: list of cards}
    is: sum(c.suit.rank for c in hand) if count(hand) > 3 and any(hand) else count(c for c in hand if c.wild)
  pair: {given: {player: player}, is: "[player, opponent(player)]", wording: "those at the table with {given.player}"}
  opponent: {given: {player: player}, is: next(player), wording: "the opponent of {given.player}"}
  rank: {given: {player: player}, is: count(p for p in players if p.coins > player.coins)}
  bid_of: {given: {suit: suits, player: player}, is: "bids[suit] + player.coins", wording: "the bid of {given.player}"}
  better:
    given: {suit: suits, who: player}
    is: count(p for p in players if bid_of(suit, p) > bid_of(suit, who))
  prize: {given: {suit: suits}, is: suit.first}
  worth:
    given: {player: player}
    is: "2 * player.coins + (player.coins + 3) % 6 if any(player.hand) else 0"
  playable:
    given: {player: player}
    is: list(c for c in player.hand if c.wild)
    wording: "the {card.plural} that {given.player} can play"
  anyone: {is: any(any(playable(p)) for p in players)}
  nobody: {is: none(any(playable(p)) for p in players)}
  reach:
    given: {card: cards, left: cards, n: int}
    names: {left: "{card} left"}
    is: "max(0, n - 1) if card == left else card.suit.rank"
    wording: the reach of {given.card} from {given.left}
  purse: {given: {player: player}, names: {player: player in question}, is: player.coins + 1}
"""

DEFINED = {
    "is_trump": "A Card is *trump* if its suit is the *trumps* and its suit’s sister is not the *trumps*",
    "turned": "The colour of a Card is its suit’s sister if it is *trump*. Otherwise, it is its suit",
    "follows": "The *follows* of a player and a Card are the Cards in that player’s hand whose colour is the colour "
    "of that Card",
    "best": "A player’s *best* is their coins if their hand is not empty. Otherwise, it is *A*’s *total*, where *A* is "
    "the *follows* of that player and ‹One›",
    "alike": "A Card’s *alike* is the number of Cards that have the same suit as that Card",
    "sum_of": "The *sum of* a player is the sum of these: [their coins; 3 if their hand is not empty; less 2 if "
    "their coins is more than 1]",
    "leader": "*leader* holds for a player and the Card if the value of the hand of that player is the highest of all "
    "players and there is a Card",
    "open_suits": "The *open suits* is the number of Suits whose bid is more than 1",
    "rich": "X if there are players for whom the coins that this player still has is more than 2",
    "mates": "A player *mates* a Card if that player is among the team of the next player and that Card is not among "
    "*A*, where *A* is the *follows* of that player and that Card",
    "matching": "A *suit*’s *matching* is the number of Cards for which the colour of its back is that *suit*",
    "wildest": "*wildest* holds for a Card if it is wild and its suit’s sister is not ‹Red›",
    "large": "The *hand*’s *large* is *A* if the size of the *hand* is more than 3 and the *hand* is not empty, where "
    "*A* is the total, for each Card in the *hand*, of the place of its suit in Suits. Otherwise, it is the number of "
    "Cards in the *hand* that are wild",
    "sorted_hand": "The *hand*, in order is the *hand*, in order",
    "pair": "Those at the table with a player are that player and their opponent",
    "better": "The *better* of a *suit* and a player is the number of *X* among all players for which the bid of *X* "
    "is more than the bid of that player",
    "worth": "A player’s *worth* is *B* if their hand is not empty, otherwise 0, where *B* is the sum of these: [twice "
    "their coins; what is left over when *A* is divided by 6, where *A* is their coins plus 3]",
    "purse": "A player’s *purse* is their coins plus 1",
    "anyone": "*anyone* holds if there are Cards that at least one player can play",
    "nobody": "*nobody* holds if there are no Cards that any player can play",
    "reach": "The reach of the Card from the Card left is *A* if the Card is the Card left, where *A* is *n* minus 1, "
    "but at least 0. Otherwise, it is the place of the Card’s suit in Suits",
    "prize": "A *suit*’s *prize* is its entry under *first*",
    "rank": "A player’s *rank* is the number of players whose coins is more than that player’s coins",
}


@pytest.fixture(scope="module")
def pronouns(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    folder = tmp_path_factory.mktemp("pronouns")
    (folder / "ruleset.yaml").write_text("ruleset: test/pronouns\nversion: 1.0.0\ntitle: Cards\n", encoding="utf-8")
    (folder / "rules.yaml").write_text(PRONOUNS, encoding="utf-8")
    return load_ruleset("test/pronouns", rules=folder)


@pytest.mark.parametrize("formula", DEFINED)
def test_a_definition_reads_as_a_person_would_write_it(formula: str, pronouns: Ruleset) -> None:
    assert describe_formula(formula, Marked(pronouns))[2] == DEFINED[formula]


def test_a_list_without_something_needs_no_letter_at_the_end(pronouns: Ruleset) -> None:
    sentence = StepWriter(pronouns.procedures["play"], Marked(pronouns)).all()
    assert sentence.strip(" []").split(" | ") == [
        "*more* is the *total* of the player’s hand together with the Card.",
        "If the *total* of the player’s hand without the Card is more than 1 and the *total* of the player’s hand is "
        "more than 2, set the player’s coins to *more*.",
        "The player gains 1 Card.",
        "The player gains 2 Cards.",
        "The player’s hand is now the player’s hand together with the Card, in order.",
        "The player chooses which 2 Cards from their hand to pass.",
    ]


@pytest.mark.parametrize("title", ["Deeds", "The deeds", "The deeds table"])
def test_a_table_has_one_article_and_one_noun_in_the_definition_of_its_column(title: str) -> None:
    ruleset = sound(
        f"tables:\n  deeds:\n    title: {title}\n    columns: {{worth: {{type: int, given: {{who: player}}, "
        "wording: 'the worth of {given.self} for {given.who}'}}\n    rows: {dig: {worth: who.score}}\n"
        "kinds: {player: {fields: {score: int}}}\n"
    )
    (formula,) = (each for each in ruleset.declarations.formulas if "deeds" in each)
    assert describe_formula(formula, Marked(ruleset))[2].casefold().startswith("the deeds table shows")
