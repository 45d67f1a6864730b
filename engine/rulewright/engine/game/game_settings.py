"""Validation of a game's settings: number of players, seed, options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.base.errors import replace_surrogates
from rulewright.engine.game.game_error import GameError
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.excerpt import quote_value
from rulewright.source.diagnostics.suggestions import suggest_name

MOST_BITS = 8_192
"""The maximum size of a seed in bits, because Python limits the length of integers as text."""


def refuse_settings(ruleset: Ruleset, players: Any, seed: Any, options: Any) -> str:
    """Return the start procedure of the ruleset if the settings are valid for it.

    Raises:
        GameError: A setting is invalid, or the ruleset has no `start:`.
    """
    refuse_seed(seed)
    fewest, most = ruleset.players
    if type(players) is not int:
        message = f"{ruleset.title} is for {ruleset.format_players()}, not {quote_value(players)}"
        raise GameError(f"{message}; give a whole number such as {fewest}", code="invalid-setting")
    if not fewest <= players <= most:
        message = f"{ruleset.title} is for {ruleset.format_players()}, not {quote_value(players)}"
        raise GameError(message, code="invalid-setting")
    if not isinstance(options, Mapping | None):
        message = f"`options` must be a mapping from settings to choices, not {quote_value(options)}"
        raise GameError(message, code="invalid-setting")
    declared = ruleset.declarations.options
    for name, choice in (options or {}).items():
        option = declared.get(name) if isinstance(name, str) else None
        if option is None or not isinstance(choice, str) or choice not in option.choices:
            raise GameError(explain_unknown_setting(ruleset, name, choice), code="invalid-setting")
    if ruleset.start is None:
        raise GameError(f"{ruleset.reference} has no `start:`, so there is no whole game to play")
    return ruleset.start


def refuse_seed(seed: Any) -> None:
    """Raise `GameError` for a seed that is not an integer or a text, too long, or not valid Unicode."""
    if isinstance(seed, bool) or not isinstance(seed, int | str):
        message = f"a seed must be a whole number or a string, not {quote_value(seed)}"
        raise GameError(message, code="invalid-setting")
    if isinstance(seed, str) and replace_surrogates(seed) != seed:
        message = f"a seed must be a string without lone surrogates, not {quote_value(seed)}"
        raise GameError(message, code="invalid-setting")
    if isinstance(seed, int) and seed.bit_length() > MOST_BITS:
        message = f"a numeric seed has at most {MOST_BITS:,} bits; this one has {seed.bit_length():,}"
        raise GameError(message, code="invalid-setting")


def refuse_ruleset(ruleset: object, what: str) -> None:
    """Raise `GameError` for anything but a `Ruleset`. The message begins with `what`, such as `a game is created`."""
    if not isinstance(ruleset, Ruleset):
        raise GameError(f"{what} with a ruleset from `load_ruleset`, not {quote_value(ruleset)}")


def explain_unknown_setting(ruleset: Ruleset, name: object, choice: object) -> str:
    """Return why a setting is invalid, with the valid settings, or a similar choice or all choices of this one."""
    options = ruleset.declarations.options
    option = options.get(name) if isinstance(name, str) else None
    if option is not None:
        near = suggest_name(choice, option.choices) if isinstance(choice, str) else None
        there = "there is " + ", ".join(option.choices)
        text = choice if isinstance(choice, str) else quote_value(choice)
        return f"the option {name} has no choice {text}; {near or there}"
    known = ", ".join(f"{each.id}: {' | '.join(each.choices)}" for each in options.values())
    return (
        f"there is no option {name if isinstance(name, str) else quote_value(name)}; there is {known or 'none at all'}"
    )
