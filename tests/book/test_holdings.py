"""What players, things and the game hold stands on a page of its own, with what each of it starts as."""

from __future__ import annotations

import re

import pytest

from rulewright.book.rulebook import render_site
from tests.language.inline import sound

RULES = """\
terms: {card: {name: Card, means: What is held.}, coin: {name: Coin, means: Money.}}
dice: {dQ: {faces: [1, 1, 4], means: The odd die.}, burning: {is: 4d6! +2}}
tables: {goods: {title: Goods, columns: {worth: int}, rows: {wood: {worth: 1}, ore: {worth: 5}}}}
records: {offer: {means: What is asked., parts: {seller: optional player, good: goods, price: int}}}
kinds:
  player:
    fields:
      coin: {type: count, default: 7, means: The purse.}
      card: {type: optional goods, seen_by: self}
      bids: {type: list of offer, default: [{good: ore, price: 3}, {good: wood, price: 1}]}
  stall: {means: Where they sell., fields: {stock: map of goods to count}}
state: {turn: {type: int, default: 2, means: Which turn it is.}, first: player}
procedures: {main: {steps: [{id: s, roll: 1dQ}]}}
"""


def page(rules: str) -> str:
    return render_site(sound(rules))["holdings.md"]


def plain(html: str) -> str:
    body = html.partition("<script")[0]
    return re.sub(r" (?=[,.])", "", " ".join(re.sub(r"<[^>]*>", " ", body).split()))


def test_every_value_is_told_with_what_it_starts_as_and_who_sees_it() -> None:
    text = plain(page(RULES))
    for line in (
        "Number of Coins A number, never below 0, starting at 7. The purse.",
        "Card One of Goods, or none, which only that player may see.",
        "Bids Any number of offers, starting with good Ore, price 3; good Wood, price 1.",
        "The game Turn A number, starting at 2. Which turn it is.",
        "First A player, starting with the first player.",
        "Stall Where they sell. Stock A number for each row of Goods, never below 0.",
        "Offer What is asked. Seller A player, or none. Good One of Goods. Price A number.",
        "Dice dQ 1, 1, 4. The odd die. burning 4d6! +2.",
    ):
        assert line in text, (line, text)


def test_what_is_held_has_a_home_to_link_to() -> None:
    written = page(RULES)
    for fragment in ("kind-player", "kind-game", "kind-stall", "record-offer", "die-dQ", "die-burning"):
        assert f'id="{fragment}"' in written


@pytest.mark.parametrize("more", ["", "kinds: {stone: {}}\n"])
def test_where_nothing_is_held_there_is_no_such_page(more: str) -> None:
    assert "holdings.md" not in render_site(sound(f"{more}procedures: {{main: {{steps: [{{id: s, roll: 1d6}}]}}}}\n"))
