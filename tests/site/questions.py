"""What players type into the search of a rulebook, and the sections that answer it.

Written down before the search was changed, by the rules and not by the words of the book: what a player at the table
wants to know, in a few words of their own, as one types them. Half are asked of the editions with cities and sieges.
Where a section of the rules and a question of the appendix both answer, either is right.
"""

from __future__ import annotations

SIEGES, NORMAL = "fuzzy-knights-medium-0.1", "fuzzy-knights-normal-1.0"
FIRST, SECOND = "fuzzy-knights-normal-0.1", "fuzzy-knights-normal-0.2"

QUESTIONS: list[tuple[str, str, tuple[str, ...]]] = [
    (SIEGES, "how long does a siege last", ("daybreak#besieged", "faq#faq-how_long_besieged")),
    (SIEGES, "faint while taking a city", ("battle#fainting", "faq#faq-faint_in_a_conquest")),
    (SIEGES, "two swords", ("items#bringing",)),
    (SIEGES, "can i siege after moving", ("settlements#siege", "faq#faq-siege_after_moving")),
    (SIEGES, "what does a siege do", ("settlements#siege",)),
    (SIEGES, "besiege without ramparts", ("settlements#siege", "faq#faq-no_walls_to_besiege")),
    (SIEGES, "do fortifications need two sieges", ("faq#faq-two_walls", "settlements#siege")),
    (SIEGES, "how to build a new city", ("daybreak#founding", "faq#faq-second_settlement")),
    (SIEGES, "mayor", ("daybreak#founding",)),
    (SIEGES, "cost of a villa", ("settlements#tiers", "daybreak#building")),
    (SIEGES, "do I lose my items when I faint", ("battle#fainting", "faq#faq-fainted_hero")),
    (SIEGES, "half my army leaves", ("battle#fainting",)),
    (
        SIEGES,
        "monster on my city tile",
        ("player_turns#gates", "faq#faq-monster_on_top", "faq#faq-gate_and_settlement"),
    ),
    (SIEGES, "can a besieged city recruit", ("daybreak#besieged", "faq#faq-besieged_idle")),
    (SIEGES, "income per day", ("daybreak#income",)),
    (SIEGES, "mercenary camp", ("daybreak#walls", "faq#faq-need_for_mercenaries")),
    (SIEGES, "when do we start rolling for tokens", ("daybreak#tokens", "faq#faq-first_token")),
    (SIEGES, "movement cost monster and mine", ("player_turns#counting", "faq#faq-price_of_a_fight")),
    (SIEGES, "how far can a hero move", ("player_turns#reach",)),
    (SIEGES, "what is the king's purse", ("glossary#term-kings_purse", "settlements#conquest")),
    (FIRST, "attack a city with walls", ("settlements#ramparts", "settlements#siege", "faq#faq-through_the_walls")),
    (FIRST, "city battle roll", ("settlements#strength",)),
    (FIRST, "walk through enemy city", ("faq#faq-through_the_walls", "settlements#ramparts", "player_turns#movement")),
    (
        FIRST,
        "who gets the items of a conquered city",
        ("settlements#conquest", "settlements#assault", "faq#faq-won_cards"),
    ),
    (FIRST, "how many mayors per day", ("faq#faq-two_mayors", "daybreak#founding")),
    (FIRST, "base camp levels", ("settlements#tiers",)),
    (FIRST, "mine guards when nobody has upgraded", ("mines#guardians", "faq#faq-nobody_has_built")),
    (FIRST, "pick up my stuff after fainting", ("battle#fainting",)),
    (FIRST, "ally's walls protect my hero", ("faq#faq-guest_of_an_ally",)),
    (FIRST, "leave an item on the ground", ("player_turns#picking_up", "faq#faq-leave_it_lying")),
    (NORMAL, "diagonal", ("player_turns#movement", "faq#faq-corners")),
    (NORMAL, "truncate", ("dice#fractions",)),
    (NORMAL, "round up or down", ("dice#fractions",)),
    (NORMAL, "who goes first", ("board_setup#anchor",)),
    (NORMAL, "tie", ("battle#attack", "faq#faq-equal_rolls")),
    (NORMAL, "tied vote", ("alliance#votes", "faq#faq-tied_vote")),
    (NORMAL, "how to win", ("end_of_the_game#victory", "board_setup#goal", "learn#aim")),
    (NORMAL, "lost my only city", ("end_of_the_game#elimination", "faq#faq-already_out")),
    (NORMAL, "max heroes", ("faq#faq-how_many_heroes", "daybreak#recruiting")),
    (NORMAL, "can't pay my hero", ("daybreak#upkeep",)),
    (NORMAL, "bribe monsters", ("monsters#joining",)),
    (NORMAL, "monster reward", ("monsters#fighting",)),
    (NORMAL, "multiple monsters same space", ("monsters#several", "faq#faq-several_tokens")),
    (NORMAL, "split army into squads", ("battle#squads",)),
    (NORMAL, "run away from a fight", ("battle#retreat", "faq#faq-early_retreat", "faq#faq-refuse_to_fight")),
    (NORMAL, "hero dies what happens to items", ("player_turns#death", "faq#faq-heirlooms")),
    (NORMAL, "team up with another player", ("alliance#forming",)),
    (NORMAL, "give gold to ally", ("alliance#allies", "faq#faq-coins_for_an_ally")),
    (NORMAL, "how much gold in a resource token", ("resources#caches",)),
    (NORMAL, "legendary sword", ("items#charts", "items#gallery")),
    (SECOND, "upgrade settlement price", ("settlements#tiers", "daybreak#building")),
    (SECOND, "palisade", ("settlements#ramparts",)),
    (SECOND, "capture a mine", ("mines#capture",)),
    (SECOND, "guardians how many", ("mines#guardians",)),
    (SECOND, "does each soldier roll a die", ("dice#crowds", "faq#faq-rolling_for_all")),
    (SECOND, "d100", ("dice#percentile",)),
    (SECOND, "swap mercenaries with settlement", ("player_turns#inside",)),
    (SECOND, "can I attack my ally", ("faq#faq-attack_an_ally", "alliance#allies")),
    (SECOND, "starting money", ("board_setup#settling",)),
    (SECOND, "time limit", ("end_of_the_game#draw",)),
]
"""The book, what is typed, and the sections that are right."""
