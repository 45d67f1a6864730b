"""The rulesets whose secrets are looked for: every shipped one, the cookbook's, and one with a secret of each kind."""

from __future__ import annotations

from functools import cache

from rulewright import Ruleset, load_ruleset
from tests.language.inline import MANIFEST, sound

SHIPPED = tuple(f"classics/{name}" for name in ("euchre", "goofspiel", "kuhn-poker", "leduc-poker", "liars-dice"))
RECIPES = ("purses", "sealed-bids", "drafting", "fleets", "tea-house")

CELLAR = """\
tables:
  suits: {columns: {copies: int}, rows: {hearts: {copies: 3}, spades: {copies: 3}, clubs: {copies: 3}}}
  goods: {rows: {wine: {}, cheese: {}, bread: {}}}
decks: {pack: {of: suits, copies: copies}}
kinds:
  player:
    fields:
      hand: {type: optional suits, seen_by: self}
      cards: {type: list of suits, seen_by: self}
      purse: {type: int, default: 5, seen_by: self, wording: purse}
      larder: {type: map of goods to int, seen_by: self}
      hope: {type: int, seen_by: nobody}
      gold: {type: int, default: 3}
      mark: {type: optional suits}
      stock: map of suits to int
      die: {type: dice, default: 1d4, seen_by: self}
  chest:
    seen_by: self.owner
    label: {face: "chest of {self.face}"}
    fields:
      owner: {type: player, seen_by: everybody}
      face: {type: suits, default: clubs}
      weight: {type: int, default: 1}
  seal: {fields: {guard: chest, worth: {type: int, seen_by: self.guard.owner}}}
state: {answer: {type: int, seen_by: nobody}, player: {type: player}, turn: int}
formulas: {standing: {given: {player: player}, is: player.gold + player.purse + player.hope}}
procedures:
  game:
    steps:
      - {id: secret, roll: 1d6, seen_by: nobody}
      - {id: noted, set: {answer: secret}}
      - {id: votes, choose: {who: players, number: {from: 1, to: 9}}, seen_by: nobody}
      - {id: tally, let: sum(v for v in votes)}
      - {id: thanks, choose: {who: "next(player, players)", from: [bow, nod]}}
      - id: rounds
        repeat:
          at_most: 3
          steps:
            - {id: turned, set: {turn: turn + 1}}
            - id: each
              for_each: one
              in: players
              steps: [{id: theirs, do: evening, with: {one: one, other: "next(one, players)"}}]
            - {id: bids, choose: {who: players, as: bidder, number: {from: 0, to: bidder.gold}}}
            - {id: kept, choose: {who: players, from: [left, right]}, seen_by: nobody}
      - {id: end, finish: {winners: list(p for p in players if p.gold > 2)}}
  evening:
    given: {one: player, other: player}
    steps:
      - {id: card, draw: pack, seen_by: one}
      - {id: dealt, set: {one.hand: card}}
      - {id: several, draw: pack, count: 2, seen_by: one}
      - {id: taken, set: {one.cards: several}}
      - {id: coins, roll: 1d4, seen_by: one}
      - {id: larger, set: {one.die: "1d4 + coins"}}
      - {id: luck, roll: one.die, seen_by: one}
      - {id: throw, roll: 1d4, count: 2, seen_by: one}
      - {id: lots, draw: {one_of: one.cards}, count: 1, seen_by: other}
      - {id: paid, gain: {who: one, purse: coins + luck + max(throw)}}
      - {id: spent, set: {one.cards: one.cards - lots}}
      - {id: search, choose: {who: one, one_of: distinct(pack.cards), or_none: true}, seen_by: nobody}
      - {id: sought, reshuffle: pack, removing: search or clubs, adding: lots}
      - {id: bet, choose: {who: other, from: [low, high]}}
      - {id: scored, gain: {who: other, hope: coins if bet == high else 5 - coins}}
      - {id: stored, set: {"one.larder[wine]": coins}}
      - {id: good, draw: {one_of: goods}, seen_by: one}
      - {id: stocked, set: {"one.larder[good]": coins + 1}}
      - {id: peek, show: {what: one.hand, to: other}}
      - {id: fresh, draw: pack, seen_by: one}
      - {id: again, set: {one.hand: fresh}}
      - {id: laid, create: chest, with: {owner: one, face: fresh, weight: coins}}
      - {id: best, let: max(c.weight for c in chests)}
      - {id: raised, set: {best: best + 1}}
      - {id: pick, choose: {who: other, one_of: chests, costs: {weight: it.weight}}}
      - {id: guess, choose: {who: other, number: {from: 1, to: 3}}, seen_by: nobody}
      - id: keeps
        choose: {who: one, one_of: "[one.hand, card] if one.hand != card else [card]", or_none: true}
        seen_by: one
      - {id: sold, choose: {who: one, one_of: "list(s for s in suits if s != one.hand)", costs: {gold: 1}}}
      - {id: moved, set: {one.hand: "one.hand if keeps and coins > 2 else card"}}
      - {id: held, let: one.stock}
      - {id: more, set: {"held[card]": 4}}
      - {id: buys, choose: {who: other, from: [cheap, dear], costs: {weight: coins}}}
      - {id: lent, create: chest, with: {owner: one, face: card}}
      - {id: hunt, choose: {who: one, one_of: list(c for c in chests if c.owner == one)}, seen_by: nobody}
      - {id: hunted, set: {hunt.weight: 2}}
      - {id: missed, let: lent}
      - {id: empty, create: chest, with: {owner: other}}
      - {id: sealed, create: seal, with: {guard: empty}}
      - {id: lost, remove: lent}
      - {id: broken, remove: empty}
      - {id: called, set: {missed: missed}}
      - {id: filled, set: {sealed.worth: coins}}
      - {id: melted, remove: sealed}
      - {id: tithe, gain: {who: other, gold: 1}}
      - {id: gone, remove: laid, when: "count(chests) > 3"}
"""

HANDS = """\
tables: {suits: {columns: {copies: int}, rows: {hearts: {copies: 3}, spades: {copies: 3}}}}
decks: {pack: {of: suits, copies: copies}}
kinds: {player: {fields: {hand: {type: list of suits, seen_by: self}}}}
procedures:
  game:
    steps:
      - {id: deal, for_each: one, in: players, steps: [{id: dealt, draw: pack, count: 2, seen_by: one, into: one.hand}]}
      - {id: picks, choose: {who: players, as: p, one_of: distinct(p.hand)}, seen_by: nobody}
      - id: led
        for_each: one
        in: players
        steps: [{id: card, choose: {who: one, one_of: list(s for s in suits if s in one.hand)}}]
      - {id: end, finish: players}
"""


def hands() -> Ruleset:
    """Return a new ruleset in which hidden hands decide whether there are several options."""
    return sound(HANDS, manifest=MANIFEST.replace("inline", "hands").replace("1..4}", "2, start: game}"))


@cache
def cellar() -> Ruleset:
    """Return a ruleset with a secret of each kind."""
    return sound(CELLAR, manifest=MANIFEST.replace("1..4}", "2, start: game, evaluate: standing}"))


@cache
def shipped(reference: str) -> Ruleset:
    """Return an edition that is shipped."""
    return load_ruleset(reference)
